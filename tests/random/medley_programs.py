# SPDX-License-Identifier: MIT
"""Random programs for medley.py: functions of statements, which are tuples.
medley_c.py writes them as C, medley_machine.py as code of a machine.

Conditions have loads in them ("load?"), expressions only locals. Words in PLAIN
are not atomic."""
WORDS = ["x", "y", "z", "a[0]", "a[1]"]
PLAIN = ["d", "e"]
TOPS = ["top", "spare"]
POINTERS = ["p", "q"]


class Drawer:
    """Draws statements. What threads may do depends on the kinds drawn."""

    def __init__(self, r):
        self.r = r
        self.kinds = set(r.sample(
            ["pointers", "mutex", "timed", "cond", "sem", "once", "specific",
             "calls", "choice", "free", "assert", "exit", "weak", "spin"],
            r.randint(1, 4)))
        if r.random() < 0.4:
            self.kinds.add("plain")
        self.locals = ["r0", "r1", "r2"]
        self.held = []
        self.is_helper = False
        self.words = r.sample(WORDS, r.randint(2, 3))

    def pick(self, *weighted):
        return self.r.choices([w[1] for w in weighted],
                              [w[0] for w in weighted])[0]

    def local(self):
        return self.r.choice(self.locals)

    def const(self):
        return ("c", self.r.choice([0, 1, 1, 2, 3]))

    def expression(self, depth=1):
        r = self.r
        if depth == 0 or r.random() < 0.5:
            return self.const() if r.random() < 0.4 else \
                ("v", r.choice([*self.locals, "arg"]))
        op = r.choice(["+", "-", "^", "&", "|", "==", "!=", "<", "?"])
        parts = 3 if op == "?" else 2
        return (op, *(self.expression(depth - 1) for _ in range(parts)))

    def word(self):
        if self.r.random() < 0.1:
            return ("element", self.expression(0))
        return self.r.choice(self.words)

    def condition(self, depth=2):
        """With loads, and short circuits."""
        kind = self.pick((3, "load"), (2, "local"), (2 * (depth > 0), "and"),
                         (2 * (depth > 0), "or"), (depth > 0, "not"))
        if kind == "load":
            return ("load?", self.word_or_plain(),
                    self.r.choice(["==", "!=", "<"]), self.const())
        if kind == "local":
            return ("local?", (self.r.choice(["==", "!=", "<"]),
                               ("v", self.local()), self.const()))
        if kind == "not":
            return ("not", self.condition(depth - 1))
        return (kind, self.condition(depth - 1), self.condition(depth - 1))

    def block(self, n, inside=()):
        return [s for _ in range(n) for s in self.statement(inside)]

    def statement(self, inside=()):
        """inside: the loops and switches around this. In a loop without a
        bound ("wait") memory is mostly not changed."""
        r, k = self.r, self.kinds
        waits = "wait" in inside
        deep = len(inside) >= 2
        changes = 0.05 if waits else 1
        free = not waits and not self.held
        kind = self.pick(
            (4, "load"), (3 * changes, "store"), (2 * changes, "rmw"),
            (1.5 * (0.4 if waits else 1), "cas"), (1, "set"),
            (1.5 * (not deep), "if"),
            (2 * (not deep), "wait"), (0.7 * (not deep), "for"),
            (0.4 * (not deep), "switch"),
            (3 * bool(waits), "leave"),
            (1 * bool(inside), "jump"),
            (0.3, "noise"),
            (0.7 if waits else 0.1, "tick"),
            (1.5 * ("spin" in k and not self.held), "spin"),
            (2 * changes * ("pointers" in k), "publish"),
            (2 * ("pointers" in k), "follow"),
            (2 * changes * ("pointers" in k), "exchange"),
            ((0.5 if waits else 2) * (not self.held) * ("mutex" in k),
             "section"),
            (1.5 * free * ("timed" in k), "timed"),
            (1.5 * free * ("cond" in k), "cond"),
            (1.5 * free * ("sem" in k), "sem"),
            (1 * free * ("once" in k), "once"),
            (0.7 * (not self.is_helper) * ("specific" in k), "specific"),
            (1.5 * (not self.is_helper) * ("calls" in k), "call"),
            (0.7 * (not waits) * ("choice" in k), "choice"),
            (0.5 * ("assert" in k), "assert"),
            (0.3 * free * (not self.is_helper) * ("exit" in k), "exit"))
        return getattr(self, "draw_" + kind)(inside)

    def draw_load(self, inside):
        return [("load", self.local(), self.word_or_plain())]

    def draw_store(self, inside):
        return [("store", self.word_or_plain(), self.expression())]

    def word_or_plain(self):
        if "plain" in self.kinds and self.r.random() < 0.4:
            return self.r.choice(PLAIN)
        return self.word()

    def draw_rmw(self, inside):
        op = self.r.choice(["add", "sub", "or", "xor", "exchange"])
        return [("rmw", self.local(), op, self.word(), self.expression(0))]

    def draw_cas(self, inside):
        how = "weak" if "weak" in self.kinds and self.r.random() < 0.5 \
            else "strong"
        expected = self.local()
        out = [] if self.r.random() < 0.3 else [("set", expected, self.const())]
        out.append(("cas", how, "ok", expected, self.word(),
                    self.expression(0)))
        if self.r.random() < 0.4 and len(inside) < 2:
            out.append(("if", ("local?", ("v", "ok")),
                        self.block(1, (*inside, "if")), []))
        return out

    def draw_set(self, inside):
        return [("set", self.local(), self.expression(2))]

    def draw_if(self, inside):
        inside = (*inside, "if")
        return [("if", self.condition(1), self.block(1, inside),
                 self.block(self.r.randint(0, 1), inside))]

    def draw_wait(self, inside):
        inside = (*inside, "wait")
        shape = self.r.choice(["while", "while", "while", "do", "forever"])
        n = self.r.choice([0, 0, 1, 1, 2])
        if shape == "while":
            return [("while", self.condition(), self.block(n, inside))]
        if shape == "do":
            return [("do", self.block(max(n, 1), inside), self.condition(1))]
        body = self.block(n, inside)
        at = self.r.randint(0, len(body))
        leave = ("if", self.condition(1), [("break",)], [])
        return [("while", ("local?", ("c", 1)),
                 [*body[:at], leave, *body[at:]])]

    def draw_for(self, inside):
        counter = f"i{sum(1 for i in inside if i == 'for')}"
        inside = (*inside, "for")
        cond = ("local?", ("<", ("v", counter), ("c", self.r.randint(1, 2))))
        if self.r.random() < 0.4:
            cond = ("and", cond, self.condition(0))
        return [("for", counter, cond,
                 self.block(self.r.randint(1, 2), inside))]

    def draw_switch(self, inside):
        inside = (*inside, "switch")
        cases = []
        for value in self.r.sample([0, 1, 2, 3], self.r.randint(1, 3)):
            body = self.block(1, inside)
            if self.r.random() < 0.6:
                body = [*body, ("break",)]
            cases.append((value, body))
        return [("switch", self.expression(), cases,
                 self.block(self.r.randint(0, 1), inside))]

    def draw_leave(self, inside):
        jump = self.r.choice(["break", "break", "continue"])
        return [("if", self.condition(1), [(jump,)], [])]

    def draw_jump(self, inside):
        loops = [i for i in inside if i in ("wait", "for")]
        if not loops or self.held:
            return [("noise",)]
        return [("if", ("local?", self.expression()),
                 [(self.r.choice(["break", "continue"]),)], [])]

    def draw_noise(self, inside):
        return [(self.r.choice(["noise", "yield", "sleep", "backs off"]),)]

    def draw_tick(self, inside):
        """A number that may be used later, or only passes the time."""
        v = self.local()
        if self.r.random() < 0.4:
            return [("idle", v)]
        return [("set", v, (self.r.choice("+-^"), ("v", v), ("c", 1)))]

    def draw_spin(self, inside):
        """Locks of the program's own making."""
        kind = self.r.choice(["word", "word", "reader", "writer"] +
                             ([] if "wait" in inside else ["ticket"]))
        self.held.append(kind)
        body = self.block(1, (*inside, "section"))
        self.held.pop()
        return [("take", kind), *body, ("give", kind)]

    # Nodes

    def place(self):
        return self.r.choice(TOPS)

    def draw_publish(self, inside):
        p = self.r.choice(POINTERS)
        out = [("new", p, self.expression(0))]
        if self.r.random() < 0.4:
            other = "q" if p == "p" else "p"
            out += [("pload", other, self.place()),
                    ("pstore", ("next", p), other)]
        return [*out, ("pstore", self.place(), p)]

    def draw_follow(self, inside):
        r, p = self.r, self.r.choice(POINTERS)
        other = "q" if p == "p" else "p"
        load = [("pload", p, self.place())]
        if r.random() < 0.3 and len(inside) < 2:
            load = [("do", load, ("local?", ("null", p)))]
        use = [r.choice([("nload", self.local(), p),
                         ("nadd", self.local(), p, self.const())
                         if "wait" not in inside else
                         ("nload", self.local(), p),
                         ("pload", other, ("next", p))])]
        if r.random() < 0.2 and len(inside) < 2:
            use = [("while", ("local?", ("and2", ("set?", p),
                                         ("same", p, other))),
                    [("pload", other, self.place())])]
        if r.random() < 0.2:
            use += [("if", ("local?", ("set?", other)),
                     [("nload", self.local(), other)], [])]
        return [*load, ("if", ("local?", ("set?", p)), use, [])]

    def draw_exchange(self, inside):
        r, p = self.r, self.r.choice(POINTERS)
        other = "q" if p == "p" else "p"
        if r.random() < 0.5:
            then = [("nload", self.local(), p)]
            if "free" in self.kinds and not inside:
                then += [("free", p), ("pset", p)]
            return [("pset", other), ("pxchg", p, self.place(), other),
                    ("if", ("local?", ("set?", p)), then, [])]
        return [("pcas", "ok", self.place(), p, other)]

    # The library

    def draw_section(self, inside):
        m = self.r.choice(["m0", "m0", "m1"])
        self.held.append(m)
        body = self.block(self.r.randint(1, 2), (*inside, "section"))
        self.held.pop()
        return [("lock", m), *body, ("unlock", m)]

    def draw_timed(self, inside):
        m = self.r.choice(["m0", "m1"])
        self.held.append(m)
        body = self.block(1, (*inside, "section"))
        self.held.pop()
        return [(self.r.choice(["try", "timed"]), "ok", m),
                ("if", ("local?", ("v", "ok")), [*body, ("unlock", m)],
                 self.block(self.r.randint(0, 1), (*inside, "if")))]

    def draw_cond(self, inside):
        r = self.r
        if r.random() < 0.5:
            tell = (r.choice(["signal", "broadcast"]),)
            if r.random() < 0.3:
                return [tell]
            return [("lock", "m0"), ("store", self.word(), self.const()), tell,
                    ("unlock", "m0")]
        wait = [("cwait",) if r.random() < 0.6 else ("ctimed", "ok")]
        if r.random() < 0.4 and len(inside) < 2:
            wait = [("while", self.condition(0), wait)]
        return [("lock", "m0"), *wait, ("unlock", "m0")]

    def draw_sem(self, inside):
        kind = self.r.choice(["post", "post", "swait", "stry", "stimed"])
        if kind in ("post", "swait"):
            return [(kind,)]
        return [(kind, "ok"), ("if", ("local?", ("v", "ok")),
                               self.block(1, (*inside, "if")), [])]

    def draw_once(self, inside):
        return [("once",)]

    def draw_specific(self, inside):
        return [("specific", self.expression(0))]

    def draw_call(self, inside):
        if self.r.random() < 0.5:
            return [("call", self.local(), self.r.choice(["f0", "f1", "f2"]),
                     self.expression(0))]
        return [("table", self.local(), self.expression(0),
                 self.expression(0))]

    def draw_choice(self, inside):
        if self.r.random() < 0.5:
            return [("choose", self.local(), self.r.randint(1, 3))]
        return [("assume", self.expression())]

    def draw_assert(self, inside):
        return [("assert", (self.r.choice(["!=", "<", "=="]),
                            ("v", self.local()), self.const()))]

    def draw_exit(self, inside):
        return [("exit", self.expression(0))]


def draw_program(r):
    d = Drawer(r)
    functions = {}
    d.is_helper = True
    d.locals = ["r0", "arg"]
    functions["f0"] = [*d.block(r.randint(1, 2)), ("return", d.expression())]
    functions["f1"] = [*d.block(1), ("return", d.expression())]
    functions["f2"] = [  # calls itself
        *d.block(1), ("if", ("local?", ("v", "arg")),
                      [("call", "r1", "f2", (">>", ("v", "arg"), ("c", 1)))],
                      []), ("return", d.expression())]
    functions["first"] = [*d.block(1), ("return", ("c", 0))]
    functions["last"] = [*d.block(1), ("return", ("c", 0))]
    d.is_helper = False
    d.locals = ["r0", "r1", "r2"]
    n = r.choice([2, 2, 2, 3])
    nested = n == 2 and r.random() < 0.25
    if nested:  # who exits does not join
        d.kinds -= {"exit"}
    names = [f"thread{i}" for i in range(n)]
    for name in names:
        functions[name] = [*d.block(r.randint(2, 4)),
                           ("return", d.expression())]
    # A thread may create the last one; main may create equal ones in a loop.
    main, slots = [], []
    looped = r.random() < 0.25
    if nested:
        body = functions["thread0"]
        at = r.randint(0, min(1, len(body) - 1))
        functions["thread0"] = [
            *body[:at], ("create", 1, "thread1", d.expression(0)), *body[at:-1],
            ("join", d.local(), 1), body[-1]]
    if looped:
        many = r.choice([2, 2, 3])
        arg = r.choice([("v", "i0"), d.const()])
        main.append(("loop", "i0", many, [("create at", "thread0", ("v", "i0"),
                                           arg)] if not nested else []))
        slots = list(range(many)) if not nested else []
    if nested:
        main.append(("create", 0, "thread0", d.const()))
        slots = [0]
    elif not looped:
        for i in range(n):
            main.append(("create", i, names[i], d.const()))
            slots.append(i)
    d.kinds -= {"exit"}
    middle = d.block(r.randint(0, 2))
    joins = []
    for i, slot in enumerate(slots):
        joins += [("join", "ok", slot), ("out", i, ("v", "ok"))]
        if r.random() < 0.3:
            joins += [("store", d.word(), ("v", "ok"))]
    functions["main"] = [*main, *middle, *joins]
    orders = "seq_cst" if r.random() < 0.6 else "any"
    return {"functions": functions, "permits": r.randint(0, 2),
            "words": d.words, "orders": orders, "seed": r.random()}


def kinds_of(program):
    """The kinds of statements that there are."""
    def walk(statements):
        for s in statements:
            if isinstance(s, tuple) and s and isinstance(s[0], str):
                yield s[0]
            if isinstance(s, (tuple, list)):
                yield from walk(s)
    return set(walk(list(program["functions"].values())))
