# SPDX-License-Identifier: MIT
"""Programs of medley_programs.py as code of a small machine, and all of its
interleavings. Loops without a bound have all their rounds: there are only so
many states."""
from medley_programs import PLAIN, POINTERS, WORDS, kinds_of

MOST = 6000  # states
MASK = 3
FRAME = ["arg", "r0", "r1", "r2", "i0", "i1", "ok", "t", *POINTERS]


class Coder:
    def __init__(self, program):
        self.code = []
        self.entry = {}
        self.loops = []  # (label of break, label of continue or None)
        self.function = None
        for name, body in program["functions"].items():
            self.function = name
            self.entry[name] = len(self.code)
            self.body(body)
            if name == "main":
                self.emit("end")
            else:
                self.emit("return", ("c", 0))
        self.entry["epilogue"] = len(self.code)
        self.emit("epilogue")
        self.emit("end")

    def emit(self, *instruction):
        self.code.append(list(instruction))
        return len(self.code) - 1

    def label(self):
        return [None]

    def put(self, label):
        label[0] = len(self.code)

    def condition(self, c, yes, no):
        kind = c[0]
        if kind == "load?":
            self.emit("load", "t", c[1])
            self.emit("branch", (c[2], ("v", "t"), c[3]), yes, no)
        elif kind == "local?":
            self.emit("branch", c[1], yes, no)
        elif kind == "not":
            self.condition(c[1], no, yes)
        else:
            middle = self.label()
            if kind == "and":
                self.condition(c[1], middle, no)
            else:
                self.condition(c[1], yes, middle)
            self.put(middle)
            self.condition(c[2], yes, no)

    def goto(self, label):
        self.emit("branch", ("c", 1), label, label)

    def body(self, statements):
        for s in statements:
            kind = s[0]
            make = getattr(self, "m_" + kind, None)
            if make:
                make(*s[1:])
            elif kind not in ("noise", "yield", "sleep", "backs off", "idle"):
                self.emit(*s)

    def m_if(self, c, yes, no):
        to_yes, to_no, end = self.label(), self.label(), self.label()
        self.condition(c, to_yes, to_no)
        self.put(to_yes)
        self.body(yes)
        self.goto(end)
        self.put(to_no)
        self.body(no)
        self.put(end)

    def m_while(self, c, body):
        top, inner, end = self.label(), self.label(), self.label()
        self.put(top)
        self.condition(c, inner, end)
        self.put(inner)
        self.loops.append((end, top))
        self.body(body)
        self.loops.pop()
        self.goto(top)
        self.put(end)

    def m_do(self, body, c):
        top, test, end = self.label(), self.label(), self.label()
        self.put(top)
        self.loops.append((end, test))
        self.body(body)
        self.loops.pop()
        self.put(test)
        self.condition(c, top, end)
        self.put(end)

    def m_for(self, i, c, body):
        top, inner, step, end = (self.label() for _ in range(4))
        self.emit("count", i, ("c", 0))
        self.put(top)
        self.condition(c, inner, end)
        self.put(inner)
        self.loops.append((end, step))
        self.body(body)
        self.loops.pop()
        self.put(step)
        self.emit("count", i, ("+", ("v", i), ("c", 1)))
        self.goto(top)
        self.put(end)

    def m_loop(self, i, n, body):
        self.m_for(i, ("local?", ("<", ("v", i), ("c", n))), body)

    def m_switch(self, e, cases, other):
        end, default = self.label(), self.label()
        labels = [self.label() for _ in cases]
        for (value, _), label in zip(cases, labels):
            after = self.label()
            self.emit("branch", ("==", ("&", e, ("c", MASK)), ("c", value)),
                      label, after)
            self.put(after)
        self.goto(default)
        self.loops.append((end, self.loops[-1][1] if self.loops else None))
        for (_, body), label in zip(cases, labels):
            self.put(label)
            self.body(body)
        self.put(default)
        self.body(other)
        self.loops.pop()
        self.put(end)

    def m_break(self):
        self.goto(self.loops[-1][0])

    def m_continue(self):
        self.goto(self.loops[-1][1])

    def m_once(self):
        done = self.label()
        self.emit("once", done)
        self.emit("call", "t", "first", ("c", 0))
        self.emit("once done")
        self.put(done)


class TooMany(Exception):
    pass


class Wrong(Exception):
    pass


class Blocked(Exception):
    """An assumption is false."""


NUMBER = {v: i for i, v in enumerate(FRAME)}
EMPTY = tuple(0 for _ in FRAME)


def value(e, f):
    kind = e[0]
    if kind == "c":
        return e[1]
    if kind == "v":
        return f[NUMBER[e[1]]]
    if kind == "set?":
        return int(f[NUMBER[e[1]]] != 0)
    if kind == "null":
        return int(f[NUMBER[e[1]]] == 0)
    if kind == "same":
        return int(f[NUMBER[e[1]]] == f[NUMBER[e[2]]])
    if kind == "?":
        return value(e[2], f) if value(e[1], f) else value(e[3], f)
    left, right = value(e[1], f), value(e[2], f)
    if kind == "and2":
        return int(bool(left and right))
    return {"+": lambda: left + right, "-": lambda: left - right,
            "^": lambda: left ^ right, "&": lambda: left & right,
            "|": lambda: left | right, ">>": lambda: left >> right,
            "==": lambda: int(left == right), "!=": lambda: int(left != right),
            "<": lambda: int(left < right)}[kind]()


def put(f, v, n):
    i = NUMBER[v]
    return (*f[:i], n, *f[i + 1:])


class Machine:
    """A state is (memory, threads). Memory is a tuple of pairs (name, value); a
    thread is (pc, frame, stack, phase, specific, result): pc None before it is
    created, -1 at its end."""

    def __init__(self, program):
        self.program = program
        self.has_nodes = "new" in kinds_of(program)
        coder = Coder(program)
        self.code, self.entry = coder.code, coder.entry
        for i in self.code:
            for n, part in enumerate(i):
                if isinstance(part, list):
                    i[n] = part[0]
        self.finals, self.errors = set(), set()
        self.stuck = False

    def run(self):
        memory = {**{w: 0 for w in WORDS + PLAIN}, "top": 0, "spare": 0,
                  "nodes": (), "m0": None, "m1": None, "waiting": (),
                  "woken": (),
                  "s0": self.program["permits"], "o0": 0, "word": 0,
                  "queue": (), "shared": 8}
        names = tuple(memory)
        first = (tuple(memory.values()),
                 ((self.entry["main"], EMPTY, (), None, 0, 0, (0, 0, 0)),
                  *[(None,)] * 3))
        seen, stack = {first: 0}, [first]
        ends, edges = [], []
        while stack:
            state = stack.pop()
            number = seen[state]
            memory = dict(zip(names, state[0]))
            threads = state[1]
            moved = False
            for t, thread in enumerate(threads):
                if thread[0] is None or thread[0] == -1:
                    continue
                try:
                    results = list(self.step(memory, threads, t))
                except Wrong as why:
                    self.errors.add(str(why))
                    ends.append(number)
                    moved = True
                    continue
                for now, then in results:
                    moved = True
                    if now is None:  # an assumption is false
                        ends.append(number)
                        continue
                    after = (tuple(now.values()), then)
                    if after not in seen:
                        seen[after] = len(seen)
                        if len(seen) > MOST:
                            raise TooMany
                        stack.append(after)
                    edges.append((number, seen[after]))
            self.look_for_races(threads)
            main = threads[0]
            if main[0] == -1:
                # All threads have been joined but those that never ended.
                out3 = 0
                for w in WORDS:
                    out3 = out3 * 16 + (memory[w] & 15)
                self.finals.add((*main[6], out3))
                ends.append(number)
        back = {}
        for a, b in edges:
            back.setdefault(b, []).append(a)
        good, work = set(ends), list(set(ends))
        while work:
            for a in back.get(work.pop(), ()):
                if a not in good:
                    good.add(a)
                    work.append(a)
        self.stuck = len(good) < len(seen)

    def look_for_races(self, threads):
        """Two threads that are both about to access a plain word."""
        next = []
        for thread in threads:
            if thread[0] is not None and thread[0] != -1:
                op = self.code[thread[0]]
                if op[0] == "load" and op[2] in PLAIN:
                    next.append((op[2], False))
                if op[0] == "store" and op[1] in PLAIN:
                    next.append((op[1], True))
        for i, (word, writes) in enumerate(next):
            if any(word == other and (writes or also)
                   for other, also in next[:i]):
                self.errors.add("race")

    def step(self, memory, threads, t):
        """All next states. Private steps that follow are made at once."""
        pc, frame, stack, phase, specific, result, out = threads[t]
        op = self.code[pc]
        for now, others, at in self.act(memory, threads, t, op):
            if now is None:
                yield None, None
                continue
            try:
                at = self.settle(at)
            except Blocked:
                yield None, None
                continue
            yield now, (*others[:t], at, *others[t + 1:])

    PRIVATE = {"branch", "count", "set", "call", "table", "pset", "specific",
               "out", "assert", "return", "exit", "assume", "epilogue", "end",
               "create", "create at"}

    def settle(self, at):
        """Steps that no other thread can see."""
        rounds = 0
        while at[0] != -1:
            pc, f, stack, phase, specific, result, out = at
            op = self.code[pc]
            kind = op[0]
            rounds += 1
            if rounds > 2000:
                raise Wrong("endless-loop")
            if kind == "branch":
                pc = op[2] if value(op[1], f) else op[3]
            elif kind == "count":
                f, pc = put(f, op[1], value(op[2], f)), pc + 1
            elif kind == "set":
                f, pc = put(f, op[1], value(op[2], f) & MASK), pc + 1
            elif kind in ("call", "table"):
                name = op[2] if kind == "call" else \
                    ["f0", "f1"][value(op[2], f) & 1]
                stack = (*stack, (pc + 1, f, op[1]))
                f = put(EMPTY, "arg", value(op[3], f) & MASK)
                pc = self.entry[name]
            elif kind == "return":
                n = value(op[1], f) & MASK
                if stack:
                    (pc, f, to), stack = stack[-1], stack[:-1]
                    f = put(f, to, n) if to else f
                else:
                    result, pc, f = n, self.entry["epilogue"], EMPTY
            elif kind == "exit":
                result, pc = value(op[1], f) & MASK, self.entry["epilogue"]
                f, stack = EMPTY, ()
            elif kind == "epilogue":
                if specific:
                    stack = ((pc, f, None),)
                    f = put(EMPTY, "arg", specific)
                    specific, pc = 0, self.entry["last"]
                else:
                    pc += 1
            elif kind == "end":
                return (-1, EMPTY, (), None, 0, result, out)
            elif kind == "pset":
                f, pc = put(f, op[1], 0), pc + 1
            elif kind == "specific":
                specific, pc = value(op[1], f) & MASK, pc + 1
            elif kind == "out":
                n = value(op[2], f)
                out = (*out[:op[1]], n, *out[op[1] + 1:])
                pc += 1
            elif kind == "assert":
                if not value(op[1], f):
                    raise Wrong("assertion")
                pc += 1
            elif kind == "assume":
                if not value(op[1], f):
                    raise Blocked
                pc += 1
            else:
                return at
            at = (pc, f, stack, phase, specific, result, out)
        return at

    def act(self, memory, threads, t, op):
        pc, f, stack, phase, specific, result, out = threads[t]
        kind = op[0]

        def go(now, frame=f, to=pc + 1, phase=None):
            return now, threads, (to, frame, stack, phase, specific, result,
                                  out)

        def place(word):
            is_element = word[0] == "element"
            return f"a[{value(word[1], f) & 1}]" if is_element else word

        if kind in Machine.PRIVATE and not kind.startswith("create"):
            yield memory, threads, threads[t]  # the first of a thread
        elif kind == "load":
            yield go(memory, put(f, op[1], memory[place(op[2])]))
        elif kind == "store":
            yield go({**memory, place(op[1]): value(op[2], f) & MASK})
        elif kind == "rmw":
            word = place(op[3])
            old, n = memory[word], value(op[4], f) & MASK
            new = {"exchange": n, "or": old | n, "xor": old ^ n,
                   "add": old + n, "sub": old - n}[op[2]]
            if abs(new) > 40:
                raise TooMany  # a word that grows for ever
            seen = old & 15 if op[2] in ("add", "sub") else old
            yield go({**memory, word: new}, put(f, op[1], seen))
        elif kind == "cas":
            word, want = place(op[4]), f[NUMBER[op[3]]]
            old = memory[word]
            if old == want:
                yield go({**memory, word: value(op[5], f) & MASK},
                         put(f, op[2], 1))
            if old != want or op[1] == "weak":
                yield go(memory, put(put(f, op[3], old), op[2], 0))
        elif kind == "new":
            nodes = memory["nodes"]
            if len(nodes) > 6:
                raise TooMany
            yield go({**memory, "nodes": (*nodes, (value(op[2], f) & MASK, 0))},
                     put(f, op[1], len(nodes) + 1))
        elif kind in ("nload", "nadd", "free"):
            p = f[NUMBER[op[1] if kind == "free" else op[2]]]
            node = self.node(memory, p)
            if kind == "free":
                yield go(self.set_node(memory, p, None))
            elif kind == "nload":
                yield go(memory, put(f, op[1], node[0] & MASK))
            else:
                n = node[0] ^ value(op[3], f)
                yield go(self.set_node(memory, p, (n, node[1])),
                         put(f, op[1], node[0] & MASK))
        elif kind in ("pload", "pstore", "pxchg", "pcas"):
            where = op[1] if kind == "pstore" else op[2]
            if where[0] == "next":
                p = f[NUMBER[where[1]]]
                old = self.node(memory, p)[1]
            else:
                old = memory[where]

            def now(new):
                if where[0] == "next":
                    return self.set_node(memory, p, (self.node(memory, p)[0],
                                                     new))
                return {**memory, where: new}

            if kind == "pload":
                yield go(memory, put(f, op[1], old))
            elif kind == "pstore":
                yield go(now(f[NUMBER[op[2]]]))
            elif kind == "pxchg":
                yield go(now(f[NUMBER[op[3]]]), put(f, op[1], old))
            elif old == f[NUMBER[op[3]]]:
                yield go(now(f[NUMBER[op[4]]]), put(f, op[1], 1))
            else:
                yield go(memory, put(put(f, op[3], old), op[1], 0))
        elif kind in ("lock", "try", "timed"):
            m = op[1] if kind == "lock" else op[2]
            if memory[m] is None:
                frame = f if kind == "lock" else put(f, op[1], 1)
                yield go({**memory, m: t}, frame)
            else:
                if kind == "lock" and memory[m] == t:
                    raise Wrong("relock")
                if kind != "lock":
                    yield go(memory, put(f, op[1], 0))
        elif kind == "take":
            if op[1] == "word":
                if not memory["word"]:
                    yield go({**memory, "word": 1})
            elif op[1] == "ticket":
                queue = memory["queue"]
                if t not in queue:
                    if queue:
                        yield go({**memory, "queue": (*queue, t)}, to=pc)
                    else:
                        yield go({**memory, "queue": (t,)})
                elif queue[0] == t:
                    yield go(memory)
            else:
                n, least = (1, 1) if op[1] == "reader" else (8, 8)
                if memory["shared"] >= least:
                    yield go({**memory, "shared": memory["shared"] - n})
        elif kind == "give":
            if op[1] == "word":
                yield go({**memory, "word": 0})
            elif op[1] == "ticket":
                yield go({**memory, "queue": memory["queue"][1:]})
            else:
                n = 1 if op[1] == "reader" else 8
                yield go({**memory, "shared": memory["shared"] + n})
        elif kind == "unlock":
            if memory[op[1]] != t:
                raise Wrong("unlock-not-held")
            yield go({**memory, op[1]: None})
        elif kind in ("cwait", "ctimed"):
            if phase is None:
                now = {**memory, "m0": None,
                       "waiting": tuple(sorted((*memory["waiting"], t)))}
                yield go(now, to=pc, phase="waits")
            elif phase == "waits":
                if t in memory["woken"]:
                    woken = tuple(u for u in memory["woken"] if u != t)
                    if memory["m0"] is None:
                        frame = f if kind == "cwait" else put(f, op[1], 1)
                        yield go({**memory, "woken": woken, "m0": t}, frame)
                elif kind == "ctimed":
                    waiting = tuple(u for u in memory["waiting"] if u != t)
                    yield go({**memory, "waiting": waiting}, to=pc,
                             phase="late")
            elif memory["m0"] is None:
                yield go({**memory, "m0": t}, put(f, op[1], 0))
        elif kind == "signal":
            if not memory["waiting"]:
                yield go(memory)
            for u in memory["waiting"]:
                rest = tuple(w for w in memory["waiting"] if w != u)
                woken = tuple(sorted((*memory["woken"], u)))
                yield go({**memory, "waiting": rest, "woken": woken})
        elif kind == "broadcast":
            woken = tuple(sorted((*memory["woken"], *memory["waiting"])))
            yield go({**memory, "waiting": (), "woken": woken})
        elif kind == "post":
            if memory["s0"] > 20:
                raise TooMany
            yield go({**memory, "s0": memory["s0"] + 1})
        elif kind in ("swait", "stry", "stimed"):
            if memory["s0"] > 0:
                frame = f if kind == "swait" else put(f, op[1], 1)
                yield go({**memory, "s0": memory["s0"] - 1}, frame)
            elif kind != "swait":
                yield go(memory, put(f, op[1], 0))
        elif kind == "once":
            if memory["o0"] == 0:
                yield go({**memory, "o0": 1})
            elif memory["o0"] == 2:
                yield go(memory, to=op[1])
        elif kind == "once done":
            yield go({**memory, "o0": 2})
        elif kind == "choose":
            for n in range(op[2] + 1):
                yield go(memory, put(f, op[1], n))
        elif kind in ("create", "create at"):
            if kind == "create":
                slot, name, arg = op[1], op[2], value(op[3], f) & MASK
            else:
                slot, arg, name = value(op[2], f), value(op[3], f), op[1]
            if threads[slot + 1][0] is not None:
                raise TooMany  # created again
            new = (self.entry[name], put(EMPTY, "arg", arg), (), None, 0, 0, ())
            others = (*threads[:slot + 1], new, *threads[slot + 2:])
            yield memory, others, (pc + 1, f, stack, None, specific, result,
                                   out)
        elif kind == "join":
            if threads[op[2] + 1][0] == -1:
                yield go(memory, put(f, op[1], threads[op[2] + 1][5]))
        else:
            raise AssertionError(kind)

    def node(self, memory, p):
        if p == 0:
            raise Wrong("null")
        node = memory["nodes"][p - 1]
        if node is None:
            raise Wrong("freed")
        return node

    def set_node(self, memory, p, node):
        nodes = memory["nodes"]
        return {**memory, "nodes": (*nodes[:p - 1], node, *nodes[p:])}
