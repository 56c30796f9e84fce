# SPDX-License-Identifier: MIT
"""Random model files in the cat language, and what they say of an execution:
relations as bit matrices, evaluated from scratch (texts.py)."""
from types import SimpleNamespace as Record

# -- Relations: a row for each event, a bit for each event it leads to.


def bits(row):
    while row:
        low = row & -row
        yield low.bit_length() - 1
        row ^= low


def compose(a, b):
    out = []
    for row in a:
        to = 0
        for i in bits(row):
            to |= b[i]
        out.append(to)
    return out


def invert(a):
    out = [0] * len(a)
    for i, row in enumerate(a):
        for j in bits(row):
            out[j] |= 1 << i
    return out


def closure(a):
    a = list(a)
    for k in range(len(a)):
        for i in range(len(a)):
            if a[i] >> k & 1:
                a[i] |= a[k]
    return a


def union(*relations):
    return [sum_of(rows) for rows in zip(*relations)]


def sum_of(rows):
    out = 0
    for row in rows:
        out |= row
    return out


def meet(a, b):
    return [i & j for i, j in zip(a, b)]


def identity(n):
    return [1 << i for i in range(n)]


# -- Model files: a tree of tuples, which is printed and evaluated.
# ("name", x), (op, a, b), ...; a set is a number, a relation a list.

SETS = ["R", "W", "F", "M", "IW", "X", "RLX", "ACQ", "REL", "SC", "A", "NA",
        "LOCKED"]
RELATIONS = ["po", "rf", "co", "fr", "rmw", "addr", "data", "ctrl", "loc",
             "int", "ext", "po-loc", "rfi", "rfe", "coi", "coe", "fri", "fre"]
# What there is of them in every execution, or what grows with it.
USUAL = ["po", "rf", "co", "fr", "po-loc", "rfe", "coe", "fre", "data", "ctrl",
         "addr"]


def text_of(e):
    op, *args = e
    if op in ("name", "var"):
        return args[0]
    if op in ("|", "&", "\\", ";", "*"):
        return "(" + f" {op} ".join(text_of(a) for a in args) + ")"
    if op == "[]":
        return f"[{text_of(args[0])}]"
    if op in ("+", "star", "?", "-1"):
        sign = {"star": "*", "-1": "^-1"}.get(op, op)
        return f"({text_of(args[0])}){sign}"
    if op == "not":  # of two accesses, so that nothing else is asked about
        return f"((M * M) & ~{text_of(args[0])})"
    if op == "call":
        return f"{args[0]}({', '.join(text_of(a) for a in args[1:])})"
    raise ValueError(op)


def is_set(value):
    return isinstance(value, int)


def evaluate(e, world, env):
    op, *args = e
    if op == "name" or op == "var":
        return env[args[0]] if args[0] in env else world[args[0]]
    if op == "call" and args[0] not in ("domain", "range", "fencerel"):
        function = env[args[0]]
        own = {p: evaluate(a, world, env)
               for p, a in zip(function.parameters, args[1:])}
        return evaluate(function.body, world, {**env, **own})
    if op == "call":
        a = evaluate(args[1], world, env)
        if args[0] == "domain":
            return sum(1 << i for i, row in enumerate(a) if row)
        if args[0] == "range":
            return sum_of(a)
        po = world["po"]
        return compose(compose(po, [row & a for row in identity(len(po))]), po)
    values = [evaluate(a, world, env) for a in args]
    n = len(world["po"])
    if op in ("|", "&", "\\"):
        out = values[0]
        for v in values[1:]:
            if is_set(v):
                out = {"|": out | v, "&": out & v, "\\": out & ~v}[op]
            else:
                out = [{"|": a | b, "&": a & b, "\\": a & ~b}[op]
                       for a, b in zip(out, v)]
        return out
    if op == ";":
        out = values[0]
        for v in values[1:]:
            out = compose(out, v)
        return out
    a = values[0]
    if op == "*":
        return [values[1] if a >> i & 1 else 0 for i in range(n)]
    if op == "[]":
        return [row & a for row in identity(n)]
    if op == "-1":
        return invert(a)
    if op == "+":
        return closure(a)
    if op == "star":
        return union(closure(a), identity(n))
    if op == "?":
        return union(a, identity(n))
    if op == "not":
        m = world["M"]
        return [m & ~a[i] if m >> i & 1 else 0 for i in range(n)]
    raise ValueError(op)


def holds(test, value):
    if test == "empty":
        return not any(value)
    if test == "irreflexive":
        return not any(row >> i & 1 for i, row in enumerate(value))
    return holds("irreflexive", closure(value))


def allows(model, world):
    env = {}
    n = len(world["po"])
    for s in model:
        if s.kind == "let":
            env[s.name] = evaluate(s.body, world, env)
        elif s.kind == "function":
            env[s.name] = s
        elif s.kind == "rec":
            for name in s.names:
                env[name] = [0] * n
            while True:
                now = [evaluate(b, world, env) for b in s.bodies]
                if now == [env[name] for name in s.names]:
                    break
                env.update(zip(s.names, now))
        elif s.kind == "test":
            if holds(s.test, evaluate(s.body, world, env)) == s.negated:
                return False
    return True


def print_model(model):
    out = '"random"\n'
    for i, s in enumerate(model):
        if s.kind == "let":
            out += f"let {s.name} = {text_of(s.body)}\n"
        elif s.kind == "function":
            out += (f"let {s.name}({', '.join(s.parameters)}) = "
                    f"{text_of(s.body)}\n")
        elif s.kind == "rec":
            out += "let rec " + "\nand ".join(
                f"{n} = {text_of(b)}" for n, b in zip(s.names, s.bodies)) + "\n"
        else:
            out += (f"{'~' if s.negated else ''}{s.test} {text_of(s.body)} "
                    f"as rule{i}\n")
    return out


def name(x):
    return ("name", x)


class Drawer:
    """Draws a model."""

    def __init__(self, r):
        self.r = r
        self.names = []  # relations that the file defines
        self.sets = []
        self.functions = []

    def set(self, depth=2):
        r = self.r
        if depth == 0 or r.random() < 0.45:
            return name(r.choice(SETS + self.sets))
        kind = r.choice(["|", "&", "\\", "&", "domain", "range"])
        if kind in ("domain", "range"):
            return ("call", kind, self.relation(1))
        return (kind, self.set(depth - 1), self.set(depth - 1))

    def relation(self, depth, rising=()):
        """`rising`: names of the `let rec` around, never subtracted."""
        r = self.r
        if rising and r.random() < 0.3:
            return ("var", r.choice(rising))
        if depth == 0 or r.random() < 0.25:
            pick = r.random()
            if pick < 0.6:
                return name(r.choice(USUAL + self.names))
            if pick < 0.8:
                return name(r.choice(RELATIONS))
            if pick < 0.9:
                return ("[]", self.set(1))
            return ("*", self.set(1), self.set(1))
        kind = r.choice(["|", "|", "&", "\\", ";", ";", ";", "+", "star", "?",
                         "-1", "not", "call", "fencerel"])
        below = depth - 1
        if kind == "call" and self.functions:
            f = r.choice(self.functions)
            return ("call", f.name,
                    *(self.relation(below, rising) for _ in f.parameters))
        if kind in ("call", "fencerel"):
            return ("call", "fencerel", self.set(1))
        if kind == "not":
            return ("not", self.relation(below))
        if kind == "\\":
            return ("\\", self.relation(below, rising), self.relation(below))
        if kind in ("+", "star", "?", "-1"):
            return (kind, self.relation(below, rising))
        parts = r.choice([2, 2, 3]) if kind != "&" else 2
        return (kind, *(self.relation(below, rising) for _ in range(parts)))

    def definition(self, i):
        r = self.r
        kind = r.choice(["let", "let", "set", "rec", "function"])
        if kind == "set":
            body = self.set()
            self.sets.append(f"S{i}")
            return Record(kind="let", name=f"S{i}", body=body)
        if kind == "function":
            body = self.relation(2, rising=("u", "v"))
            f = Record(kind=kind, name=f"f{i}", parameters=["u", "v"],
                       body=body)
            self.functions.append(f)
            return f
        if kind == "rec":
            names = [f"q{i}", f"p{i}"][:r.choice([1, 1, 2])]
            # Each begins with something that is there.
            bodies = [("|", self.relation(1), self.relation(2, tuple(names)))
                      for _ in names]
            self.names += names
            return Record(kind=kind, names=names, bodies=bodies)
        body = self.relation(2)
        self.names.append(f"r{i}")
        return Record(kind="let", name=f"r{i}", body=body)

    def test(self, body, test="acyclic", negated=False):
        return Record(kind="test", test=test, body=body, negated=negated)

    def usual(self):
        """What most models say."""
        r = self.r
        coherence = ("|", name("po-loc"), name("rf"), name("co"), name("fr"))
        thin = r.choice([*[("|", name("po"), name("rf"))] * 5,
                         ("|", name("po"), name("rfe")),
                         ("|", name("addr"), name("data"), name("ctrl"),
                          name("rf")),
                         ("|", ("call", "fencerel", name("F")), name("data"),
                          name("ctrl"), name("rfe")), None])
        out = []
        if r.random() < 0.75:
            out.append(self.test(coherence))
        if thin:
            out.append(self.test(thin))
        return out

    def axiom(self):
        r = self.r
        kind = r.random()
        test = r.choice(["acyclic", "acyclic", "irreflexive", "empty"])
        if kind < 0.35:  # what is kept of po, and communication
            kept = r.choice([
                ("\\", name("po"), self.relation(1)),
                ("&", name("po"), self.relation(1)),
                ("|", ("call", "fencerel", self.set()), name("data")),
                ("|", *(("&", name("po"), ("*", self.set(), self.set()))
                        for _ in range(2)))])
            return self.test(("|", kept, *(name(x) for x in r.sample(
                ["rfe", "co", "fr", "rf", "coe", "fre"], r.randrange(1, 4)))))
        return self.test(self.relation(3), test, r.random() < 0.08)

    def model(self):
        out = self.usual() if self.r.random() < 0.9 else []
        for i in range(self.r.randrange(4)):
            out.append(self.definition(i))
        for _ in range(self.r.randrange(1, 3)):
            out.append(self.axiom())
        return out
