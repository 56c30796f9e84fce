#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random model files in the cat language, on small random programs, against an
enumerator that shares no code with Heddle: it makes every candidate execution
(the values of reads, their sources, the orders of writes), evaluates the text
from scratch, and keeps those that it allows. `heddle litmus` must count the
same final states and executions, and so must `heddle check` and `heddle
explore` of the same program in C. Prints TAP; each failure has its seed.

    texts.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import itertools
import json
import pathlib
import random
import re
import subprocess
import sys
from types import SimpleNamespace as Record

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

MOST = 1500  # candidates of a program
PROGRAMS = 4  # of each model

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


def identity(n):
    return [1 << i for i in range(n)]


# -- Model files: a tree of tuples, which is printed and evaluated.
# ("name", x), (op, a, b), ...; a set is a number, a relation a list.

SETS = ["R", "W", "F", "M", "IW", "X", "RLX", "ACQ", "REL", "SC", "A"]
RELATIONS = ["po", "rf", "co", "fr", "rmw", "data", "ctrl", "loc", "int",
             "ext", "po-loc", "rfi", "rfe", "coi", "coe", "fri", "fre"]
# What there is of them in every execution, or what grows with it.
USUAL = ["po", "rf", "co", "fr", "po-loc", "rfe", "coe", "fre", "data", "ctrl"]


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
        """`rising`: names of the `let rec` around, which nothing may subtract."""
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
            f = Record(kind=kind, name=f"f{i}", parameters=["u", "v"], body=body)
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
                         ("|", name("data"), name("ctrl"), name("rf")),
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


# -- Programs

WORDS = {"rlx": "relaxed", "acq": "acquire", "rel": "release",
         "acq_rel": "acq_rel", "sc": "seq_cst"}
LOCATIONS = ["x", "y"]


def draw_statement(r, registers, depth):
    kind = r.choice(["load"] * 4 + ["store"] * 4 + ["fence", "rmw", "if"])
    loc = r.choice(LOCATIONS)
    if kind == "load":
        registers.append(f"r{len(registers)}")
        return ("load", registers[-1], loc, r.choice(["rlx", "rlx", "acq", "sc"]))
    if kind == "store":
        order = r.choice(["rlx", "rlx", "rel", "sc"])
        value = r.randrange(1, 3)
        if registers and r.random() < 0.35:
            return ("store", loc, (r.choice(registers), value, r.random() < 0.5),
                    order)
        return ("store", loc, (None, value, False), order)
    if kind == "fence":
        return ("fence", r.choice(["acq", "rel", "acq_rel", "sc", "sc"]))
    if kind == "rmw":
        registers.append(f"r{len(registers)}")
        return (r.choice(["add", "xchg"]), registers[-1], loc,
                r.choice(list(WORDS)), r.randrange(1, 3))
    if not registers or depth == 0:
        return ("store", loc, (None, 1, False), "rlx")
    on = r.choice(registers)
    inner = [draw_statement(r, registers, depth - 1)
             for _ in range(r.randrange(1, 3))]
    return ("if", on, r.randrange(2), inner)


def draw_program(r):
    sizes = r.choice([(3, 2), (2, 3), (2, 2), (3, 3), (2, 1, 2), (1, 2, 2),
                      (2, 2, 1), (1, 1, 3), (4, 2)])
    threads = []
    for size in sizes:
        registers = []
        body = [draw_statement(r, registers, 1) for _ in range(size)]
        threads.append(Record(body=body, registers=registers))
    return threads


def statement_text(s, pad):
    kind = s[0]
    word = f"memory_order_{WORDS.get(str(s[-1]))}"
    if kind == "load":
        return f"{pad}{s[1]} = atomic_load_explicit({s[2]}, {word});\n"
    if kind == "store":
        on, value, copies = s[2]
        text = (f"{value}" if on is None else
                on if copies else f"({on} ^ {on}) + {value}")
        return f"{pad}atomic_store_explicit({s[1]}, {text}, {word});\n"
    if kind == "fence":
        return f"{pad}atomic_thread_fence({word});\n"
    if kind in ("add", "xchg"):
        function = "fetch_add" if kind == "add" else "exchange"
        return (f"{pad}{s[1]} = atomic_{function}_explicit({s[2]}, {s[4]}, "
                f"memory_order_{WORDS[s[3]]});\n")
    return (f"{pad}if ({s[1]} == {s[2]}) {{\n" +
            "".join(statement_text(i, pad + "  ") for i in s[3]) + f"{pad}}}\n")


def body_text(thread):
    return ("".join(f"  int {r} = 0;\n" for r in thread.registers) +
            "".join(statement_text(s, "  ") for s in thread.body))


def litmus_text(program, shown, condition):
    out = "C random\n{ x=0; y=0; }\n\n"
    for i, t in enumerate(program):
        out += (f"P{i} (atomic_int* x, atomic_int* y) {{\n{body_text(t)}}}\n\n")
    return out + (f"locations [{' '.join(s + ';' for s in shown)}]\n"
                  f"exists ({condition})\n")


def c_text(program):
    out = ("#include <pthread.h>\n#include <stdatomic.h>\n"
           "atomic_int vx, vy;\n#define x (&vx)\n#define y (&vy)\n")
    for i, t in enumerate(program):
        out += (f"static void *thread{i}(void *unused) {{\n{body_text(t)}"
                "  return unused;\n}\n")
    n = len(program)
    out += f"int main(void) {{\n  pthread_t t[{n}];\n"
    for i in range(n):
        out += f"  pthread_create(&t[{i}], 0, thread{i}, 0);\n"
    for i in range(n):
        out += f"  pthread_join(t[{i}], 0);\n"
    return out + "}\n"


# -- Candidates

READ_ORDER = {"acq_rel": "acq", "rel": "rlx"}
WRITE_ORDER = {"acq_rel": "rel", "acq": "rlx"}


def runs(thread, values):
    """All ways to run a thread when a read may give any of `values`."""
    done = []

    def step(rest, events, registers, source, ctrl):
        if not rest:
            done.append(Record(events=events, registers=registers,
                               branches=ctrl))
            return
        s, rest = rest[0], rest[1:]
        at = len(events)

        def event(**members):
            return Record(ctrl=ctrl, **{"data": frozenset(), "rmw": False,
                                        "loc": None, "value": 0, **members})
        if s[0] == "fence":
            step(rest, events + [event(kind="F", order=s[1])], registers,
                 source, ctrl)
        elif s[0] == "store":
            on, value, copies = s[2]
            what = registers.get(on, 0) if copies else value
            data = source.get(on, frozenset())
            step(rest, events + [event(kind="W", order=s[3], loc=s[1],
                                       value=what, data=data)],
                 registers, source, ctrl)
        elif s[0] == "if":
            inner = s[3] if registers.get(s[1], 0) == s[2] else []
            step(inner + rest, events, registers, source,
                 ctrl | source.get(s[1], frozenset()))
        else:
            update = s[0] != "load"
            for value in values:
                order = READ_ORDER.get(s[3], s[3])
                new = [event(kind="R", order=order, loc=s[2], value=value,
                             rmw=update)]
                if update:
                    new.append(event(
                        kind="W", order=WRITE_ORDER.get(s[3], s[3]), loc=s[2],
                        value=value + s[4] if s[0] == "add" else s[4], rmw=True,
                        data=frozenset([at] if s[0] == "add" else [])))
                step(rest, events + new, {**registers, s[1]: value},
                     {**source, s[1]: frozenset([at])}, ctrl)
    step(thread.body, [], {}, {}, frozenset())
    return done


class TooMany(Exception):
    pass


def possible_values(program):
    values = {0}
    for _ in range(6):
        now = {0} | {e.value for t in program for run in runs(t, sorted(values))
                     for e in run.events if e.kind == "W"}
        if now == values:
            break
        values = now
        if len(values) > 7:
            raise TooMany
    return sorted(values)


def orders_of_writes(writes, source):
    """All orders of the writes of a location, each update behind its source."""
    if not writes:
        yield ()
        return
    for order in itertools.permutations(writes[1:]):
        order = [writes[0], *order]
        if all(order[i - 1] == source[e] for i, e in enumerate(order)
               if e in source):
            yield order


def base_world(chosen, joins):
    """The events of a combination of runs. Threads have a first and a last
    event, and so has main, which creates them and, if `joins`, joins them."""
    def plain(kind, thread, ctrl=(), **more):
        return Record(**{"kind": kind, "order": None, "loc": None, "value": 0,
                         "rmw": False, "thread": thread, "data": (),
                         "ctrl": ctrl, **more})
    # Each initial write is of a thread of its own; a location that nothing
    # accesses has none.
    events = [plain("W", -1 - i, order="na", loc=loc)
              for i, loc in enumerate(LOCATIONS)
              if any(e.loc == loc for run in chosen for e in run.events)]
    main, pairs, ends, branches = len(chosen), [], [], []
    starts = []
    for t, run in enumerate(chosen):
        starts.append(len(events))
        first = len(events) + 1
        events.append(plain("THREAD", t))
        for e in run.events:
            events.append(Record(**{**vars(e), "thread": t,
                                    "data": [first + i for i in e.data],
                                    "ctrl": [first + i for i in e.ctrl]}))
        ends.append(len(events))
        branches.append([first + i for i in run.branches])
        events.append(plain("THREAD", t, branches[-1]))
    events.append(plain("THREAD", main))
    for start in starts:
        pairs.append((len(events), start))
        events.append(plain("THREAD", main))
    for t, end in enumerate(ends if joins else ()):
        pairs.append((end, len(events)))
        events.append(plain("THREAD", main, branches[t]))
    events.append(plain("THREAD", main))
    po = []
    for i, e in enumerate(events):
        po.append(sum((f.thread >= 0 if e.thread < 0 else
                       e.thread == f.thread and i < j or (i, j) in pairs) << j
                      for j, f in enumerate(events)))
    return events, closure(po)


def make_world(events, po):
    n = len(events)
    w = {"po": po, "id": identity(n)}

    def members(test):
        return sum(1 << i for i, e in enumerate(events) if test(e))
    for kind in ("R", "W", "F"):
        w[kind] = members(lambda e: e.kind == kind)
    w["M"] = w["R"] | w["W"]
    w["IW"] = members(lambda e: e.thread < 0)
    w["X"] = members(lambda e: e.rmw)
    for order in WORDS:
        w[order.upper()] = members(lambda e: e.order == order)
    w["A"] = w["RLX"] | w["ACQ"] | w["REL"] | w["ACQ_REL"] | w["SC"]
    w["int"] = [members(lambda f: f.thread == e.thread) for e in events]
    w["ext"] = [members(lambda f: f.thread != e.thread) for e in events]
    w["loc"] = [members(lambda f: e.loc and f.loc == e.loc) for e in events]
    w["rmw"] = [1 << i + 1 if e.rmw and e.kind == "R" else 0
                for i, e in enumerate(events)]
    for dependency in ("data", "ctrl"):
        w[dependency] = invert([sum(1 << i for i in getattr(e, dependency))
                                for e in events])
    w["po-loc"] = meet(po, w["loc"])
    return w


def meet(a, b):
    return [i & j for i, j in zip(a, b)]


def add_communication(w, sources, orders):
    n = len(w["po"])
    rf, co = [0] * n, [0] * n
    for read, write in sources.items():
        rf[write] |= 1 << read
    for order in orders:
        for i, e in enumerate(order):
            co[e] = sum(1 << f for f in order[i + 1:])
    fr = compose(invert(rf), co)
    out = {**w, "rf": rf, "co": co, "fr": fr}
    for x in ("rf", "co", "fr"):
        out[x + "i"], out[x + "e"] = meet(out[x], w["int"]), meet(out[x], w["ext"])
    return out


def candidates(program, values, joins):
    """Every candidate, with its final state."""
    made = 0
    for chosen in itertools.product(*(runs(t, values) for t in program)):
        events, po = base_world(chosen, joins)
        world = make_world(events, po)
        reads = [i for i, e in enumerate(events) if e.kind == "R"]
        writes = {loc: [i for i, e in enumerate(events)
                        if e.kind == "W" and e.loc == loc] for loc in LOCATIONS}
        fitting = [[w for w in writes[events[i].loc]
                    if events[w].value == events[i].value] for i in reads]
        for found in itertools.product(*fitting):
            sources = dict(zip(reads, found))
            updates = {i + 1: w for i, w in sources.items() if events[i].rmw}
            for orders in itertools.product(*(
                    orders_of_writes(writes[loc], updates)
                    for loc in LOCATIONS)):
                made += 1
                if made > MOST:
                    raise TooMany
                state = {f"{t}:{r}": run.registers.get(r, 0)
                         for t, run in enumerate(chosen)
                         for r in program[t].registers}
                for loc, order in zip(LOCATIONS, orders):
                    state[f"[{loc}]"] = events[order[-1]].value if order else 0
                yield add_communication(world, sources, orders), state


# -- Comparing


class Refused(Exception):
    pass


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if done.returncode == 2 and "cannot explore" in done.stderr + done.stdout:
        raise Refused("no model for C")
    if done.returncode == 3:
        detail = re.search(r'"(detail|limit)": "(.+)"', done.stdout)
        if detail and detail[2] == "vacuous":
            return done
        raise Refused("incomplete: " + (detail[2] if detail else
                                        done.stdout[:300] + done.stderr))
    if done.returncode == 2:
        raise Refused(re.sub(r"\S*\.cat\S*|\d+", "", done.stderr)[:80])
    return done


def added_axiom(heddle, cat):
    """What Heddle says that it adds to the text."""
    said = run([heddle, "models", cat]).stdout
    if "Heddle does not explore" in said:
        raise Refused("own writes")
    if "adds that axiom" in said:
        return ["data", "rf"]
    if "adds the axiom that dependencies" in said:
        return ["data", "ctrl", "rf"]
    return []


def counted(states):
    counts = {}
    for state in states:
        key = tuple(sorted(state.items()))
        counts[key] = counts.get(key, 0) + 1
    return counts


def allowed_states(program, model, added, joins):
    out = []
    for world, state in candidates(program, possible_values(program), joins):
        if added and not holds("acyclic", union(*(world[x] for x in added))):
            continue
        if allows(model, world):
            out.append(state)
    return out


def wrong_litmus(options, r, program, model, added, cat, work):
    states = allowed_states(program, model, added, False)
    shown = ["x", "y"] + [f"{t}:{x}" for t, p in enumerate(program)
                          for x in p.registers]
    at = r.choice(shown)
    value = r.randrange(3)
    key = at if ":" in at else f"[{at}]"
    test = work / "test.litmus"
    test.write_text(litmus_text(program, shown, f"{at}={value}"))
    done = run([options.heddle, "litmus", "--json", "--model", cat, str(test)])
    if done.returncode not in (0, 1):
        return f"litmus: exit code {done.returncode}: {done.stderr}"
    said = json.loads(done.stdout)
    got = {tuple(sorted(s.items())) for s in said["states"]}
    want = set(counted(states))
    positive = sum(s[key] == value for s in states)
    if got != want:
        return f"litmus: lost {want - got}, has too many {got - want}"
    has = (said["positive"], said["negative"])
    if has != (positive, len(states) - positive):
        return f"litmus: {has}, not {positive} {len(states) - positive}"
    return None


def wrong_c(options, program, model, added, cat, work):
    states = allowed_states(program, model, added, True)
    source = work / "program.c"
    source.write_text(c_text(program))
    common = ["--model", cat, "--json", str(source)]
    done = run([options.heddle, "check", *common])
    if done.returncode and (states or done.returncode != 3):
        return f"check: exit code {done.returncode}: {done.stderr}{done.stdout}"
    said = json.loads(done.stdout)
    if said["executions"] != len(states):
        return f"check: {said['executions']}, not {len(states)}"
    if not states:
        return None
    said = json.loads(run([options.heddle, "explore", *common]).stdout)
    got = {tuple(o["state"].get(v, "0") for v in ("vx", "vy")): o["executions"]
           for o in said["outcomes"]}
    want = counted({"x": s["[x]"], "y": s["[y]"]} for s in states)
    want = {tuple(str(v) for _, v in k): n for k, n in want.items()}
    return None if got == want else f"explore: {got}, not {want}"


def compare_program(options, r, program, model, added, cat, work):
    """What was done, and what is wrong."""
    try:
        wrong = wrong_litmus(options, r, program, model, added, cat, work)
        if wrong:
            return "litmus", wrong
        return "both", wrong_c(options, program, model, added, cat, work)
    except TooMany:
        return "too many candidates", None
    except Refused as why:
        return str(why), None
    except subprocess.TimeoutExpired:
        return "takes too long", None


def compare(options, seed, work):
    r = random.Random(seed)
    model = Drawer(r).model()
    cat = work / "model.cat"
    cat.write_text(print_model(model))
    try:
        added = added_axiom(options.heddle, str(cat))
    except Refused as why:
        return str(why), None
    all_said = []
    for _ in range(PROGRAMS):
        said, wrong = compare_program(options, r, draw_program(r), model, added,
                                      str(cat), work)
        all_said.append(said)
        if wrong:
            return said, wrong
    return "; ".join(all_said), None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
