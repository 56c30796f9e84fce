# SPDX-License-Identifier: MIT
"""Random small concurrent programs, as C and as litmus tests, and all their
candidate executions (texts.py, orders.py, doors.py)."""
import itertools
import math
import re
from types import SimpleNamespace as Record

from models import closure, compose, identity, invert, meet

MOST = 1500  # candidates of a program

WORDS = {"rlx": "relaxed", "acq": "acquire", "rel": "release",
         "acq_rel": "acq_rel", "sc": "seq_cst"}
LOCATIONS = ["x", "y"]

# A location is a name, or ("x", register) for one whose address is computed
# from what was read; an order "na" is a plain access.


def draw_location(r, registers):
    loc = r.choice(LOCATIONS)
    if registers and r.random() < 0.15:
        return (loc, r.choice(registers))
    return loc


def draw_statement(r, registers, depth, without=()):
    kinds = ["load"] * 4 + ["store"] * 4 + ["fence", "rmw", "if", "cas"]
    kind = r.choice([k for k in kinds if k not in without])
    weak = ["rlx", "rlx", "rlx"] + ["na"] * ("na" not in without)
    loc = draw_location(r, registers)
    if kind == "load":
        registers.append(f"r{len(registers)}")
        return ("load", registers[-1], loc,
                r.choice([*weak, "acq", "sc"]))
    if kind == "store":
        order = r.choice([*weak, "rel", "sc"])
        value = r.randrange(1, 3)
        if registers and r.random() < 0.35:
            on = r.choice(registers)
            return ("store", loc, (on, value, r.random() < 0.5), order)
        return ("store", loc, (None, value, False), order)
    if kind == "fence":
        return ("fence", r.choice(["acq", "rel", "acq_rel", "sc", "sc"]))
    if kind == "rmw":
        registers.append(f"r{len(registers)}")
        return (r.choice(["add", "xchg"]), registers[-1], loc,
                r.choice(list(WORDS)), r.randrange(1, 3))
    if kind == "cas":
        registers.append(f"r{len(registers)}")
        return ("cas", registers[-1], loc, r.choice(list(WORDS)),
                (r.randrange(2), r.randrange(1, 3)),
                r.choice(["rlx", "acq", "sc"]))
    if not registers or depth == 0:
        return ("store", loc, (None, 1, False), "rlx")
    on = r.choice(registers)
    inner = [draw_statement(r, registers, depth - 1, without)
             for _ in range(r.randrange(1, 3))]
    return ("if", on, r.randrange(2), inner)


def draw_program(r, without=()):
    sizes = r.choice([(3, 2), (2, 3), (2, 2), (3, 3), (2, 1, 2), (1, 2, 2),
                      (2, 2, 1), (1, 1, 3), (4, 2)])
    threads = []
    for size in sizes:
        registers = []
        body = [draw_statement(r, registers, 1, without) for _ in range(size)]
        threads.append(Record(body=body, registers=registers))
    return threads


def location_text(loc):
    return loc if isinstance(loc, str) else f"{loc[0]} + ({loc[1]} ^ {loc[1]})"


def statement_text(s, pad):
    kind = s[0]
    word = f"memory_order_{WORDS.get(str(s[-1]))}"
    if kind == "load" and s[3] == "na":
        return f"{pad}{s[1]} = PLAIN({location_text(s[2])});\n"
    if kind == "load":
        return (f"{pad}{s[1]} = atomic_load_explicit({location_text(s[2])}, "
                f"{word});\n")
    if kind == "store":
        on, value, copies = s[2]
        text = (f"{value}" if on is None else
                on if copies else f"({on} ^ {on}) + {value}")
        if s[3] == "na":
            return f"{pad}PLAIN({location_text(s[1])}) = {text};\n"
        return (f"{pad}atomic_store_explicit({location_text(s[1])}, {text}, "
                f"{word});\n")
    if kind == "fence":
        return f"{pad}atomic_thread_fence({word});\n"
    if kind in ("add", "xchg"):
        function = "fetch_add" if kind == "add" else "exchange"
        return (f"{pad}{s[1]} = atomic_{function}_explicit("
                f"{location_text(s[2])}, {s[4]}, "
                f"memory_order_{WORDS[s[3]]});\n")
    if kind == "cas":
        return (f"{pad}expected = {s[4][0]};\n"
                f"{pad}{s[1]} = atomic_compare_exchange_strong_explicit("
                f"{location_text(s[2])}, &expected, {s[4][1]}, "
                f"memory_order_{WORDS[s[3]]}, {word});\n")
    return (f"{pad}if ({s[1]} == {s[2]}) {{\n" +
            "".join(statement_text(i, pad + "  ") for i in s[3]) + f"{pad}}}\n")


def body_text(thread):
    return ("  int expected = 0;\n" +
            "".join(f"  int {r} = 0;\n" for r in thread.registers) +
            "".join(statement_text(s, "  ") for s in thread.body))


def litmus_text(program, shown, condition):
    out = "C random\n{ x=0; y=0; }\n\n"
    for i, t in enumerate(program):
        body = re.sub(r"PLAIN\(((.*?\)?)?)\)( =|;)", r"*(\1)\3", body_text(t))
        out += f"P{i} (atomic_int* x, atomic_int* y) {{\n{body}}}\n\n"
    return out + (f"locations [{' '.join(s + ';' for s in shown)}]\n"
                  f"exists ({condition})\n")


def c_text(program):
    out = ("#include <pthread.h>\n#include <stdatomic.h>\n"
           "atomic_int vx, vy;\n#define x (&vx)\n#define y (&vy)\n"
           "#define PLAIN(p) (*(int *)(p))\n")
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


def runs(thread, values, is_litmus=False):
    """All ways to run a thread when a read may give any of `values`. In a
    litmus test the result of a compare-exchange is one of two constants behind
    a branch, as for herd; in C it is computed from what was read.
    """
    done = []

    def step(rest, events, registers, source, ctrl):
        if not rest:
            done.append(Record(events=events, registers=registers,
                               branches=ctrl))
            return
        s, rest = rest[0], rest[1:]
        at = len(events)

        def event(kind, order, loc=None, **members):
            if not isinstance(loc, tuple):
                loc = (loc, None)
            loc, on = loc
            return Record(kind=kind, order=order, loc=loc, ctrl=ctrl,
                          addr=source.get(on, frozenset()), **{
                              "data": frozenset(), "rmw": False, "value": 0,
                              "locked": False, **members})
        if s[0] == "fence":
            step(rest, events + [event("F", s[1])], registers, source, ctrl)
        elif s[0] == "store":
            on, value, copies = s[2]
            what = registers.get(on, 0) if copies else value
            data = source.get(on, frozenset())
            new = event("W", s[3], s[1], value=what, data=data)
            step(rest, events + [new], registers, source, ctrl)
        elif s[0] == "if":
            inner = s[3] if registers.get(s[1], 0) == s[2] else []
            step(inner + rest, events, registers, source,
                 ctrl | source.get(s[1], frozenset()))
        else:
            update, is_cas = s[0] != "load", s[0] == "cas"
            for value in values:
                order = READ_ORDER.get(s[3], s[3])
                fails = is_cas and value != s[4][0]
                new = [event("R", s[5] if fails else order, s[2], value=value,
                             rmw=update and not fails, locked=update)]
                after = ctrl | {at} if is_cas else ctrl
                if update and not fails:
                    new.append(event(
                        "W", WRITE_ORDER.get(s[3], s[3]), s[2], rmw=True,
                        value=value + s[4] if s[0] == "add" else
                        s[4][1] if is_cas else s[4], locked=True,
                        data=frozenset([at] if s[0] == "add" else [])))
                    new[1].ctrl = after
                step(rest, events + new,
                     {**registers, s[1]: int(not fails) if is_cas else value},
                     {**source, s[1]: frozenset(
                         [] if is_cas and is_litmus else [at])}, after)
    step(thread.body, [], {}, {}, frozenset())
    return done


class TooMany(Exception):
    pass


def possible_values(program):
    values = {0}
    for _ in range(6):
        now = {0} | {e.value for t in program
                     for run in runs(t, sorted(values))
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
                         "addr": (), "ctrl": ctrl, "locked": False, **more})
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
                                    "addr": [first + i for i in e.addr],
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
    w["LOCKED"] = members(lambda e: e.locked)
    for order in ["na", *WORDS]:
        w[order.upper()] = members(lambda e: e.order == order)
    w["A"] = w["RLX"] | w["ACQ"] | w["REL"] | w["ACQ_REL"] | w["SC"]
    w["int"] = [members(lambda f: f.thread == e.thread) for e in events]
    w["ext"] = [members(lambda f: f.thread != e.thread) for e in events]
    w["loc"] = [members(lambda f: e.loc and f.loc == e.loc) for e in events]
    w["rmw"] = [1 << i + 1 if e.rmw and e.kind == "R" else 0
                for i, e in enumerate(events)]
    for dependency in ("addr", "data", "ctrl"):
        w[dependency] = invert([sum(1 << i for i in getattr(e, dependency))
                                for e in events])
    w["po-loc"] = meet(po, w["loc"])
    return w


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
        out[x + "i"] = meet(out[x], w["int"])
        out[x + "e"] = meet(out[x], w["ext"])
    return out


def candidates(program, values, joins):
    """Every candidate, with its final state."""
    made = 0
    ways = [runs(t, values, is_litmus=not joins) for t in program]
    if math.prod(map(len, ways)) > 20 * MOST:
        raise TooMany
    for chosen in itertools.product(*ways):
        events, po = base_world(chosen, joins)
        world = make_world(events, po)
        reads = [i for i, e in enumerate(events) if e.kind == "R"]
        writes = {loc: [i for i, e in enumerate(events)
                        if e.kind == "W" and e.loc == loc]
                  for loc in LOCATIONS}
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
