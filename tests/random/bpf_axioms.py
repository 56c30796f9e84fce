#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random litmus tests of BPF against its axioms: the oracle tries every source
of every read and every order of the writes of every location. `heddle litmus`
must have the same final states, each with as many executions. Prints TAP; each
failure has its seed.

    bpf_axioms.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import collections
import itertools
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from litmus_answers import compare_states, table  # noqa: E402
from mixed_words import is_acyclic, maybe, plus, then  # noqa: E402

TESTS = 20  # of a seed
MOST = 4000  # candidates of a test
# Accesses of locations, what is between them: d a dependency on the read
# before, ? any of it or nothing. U is an update.
SHAPES = ["Wx?Wy Ry?Rx", "Wx?Ry Wy?Rx", "Rx?Wy Ry?Wx", "Wx?Wy Wy?Wx",
          "Wx?Wy Wy?Rx", "Wx?Wy Ry?Wx", "Wx Rx?Wy Ry?Rx", "Wx?Wy Ry?Wz Rz?Rx",
          "Wx?Wy Uy Ry?Rx", "Ux?Ry Uy?Rx", "Wx?Wy Uy?Rx", "Rx?Wy Uy?Wx",
          "Wx?Wy Wy?Wz Rz?Rx", "Wx Wy Rx?Ry Ry?Rx", "Wx?Wy RydWz.Rz?Rx",
          "WxfWy RydWz.RzdRx", "WxfWy RydRz.Wx", "RxdRz.Wy RyfWx",
          "Rx?Uy?Wz Rz?Wx", "Wx.Rx?Ry Wy.Ry?Rx"]
FORMS = {"R": ["plain"] * 3 + ["acquire"], "W": ["plain"] * 3 + ["release"],
         "U": ["fetch", "exchange", "compare", "lock"]}


class Event:
    def __init__(self, number, thread, kind, loc):
        self.number, self.thread, self.kind, self.loc = number, thread, kind, loc
        self.is_full = self.acquires = self.releases = False
        self.value = None  # of a write that writes a constant
        self.adds = None  # of the write of a fetch: to what its read has read
        self.expected = None  # of a compare-exchange: what its read must read


class Thread:
    """Its rows, and its events with and without the write of an update that
    fails."""

    def __init__(self, dice, number, shape, fresh):
        self.number, self.dice, self.fresh = number, dice, fresh
        self.rows, self.events, self.reads, self.deps = [], [], [], []
        self.registers, link = [], "."
        for at in range(0, len(shape), 3):
            if at:
                link = shape[at - 1]
                link = dice.choice(".ddf") if link == "?" else link
            if link == "f":
                self.rows += ["r9 = 7", "r9 = xchg_64(r8 + 0, r9)"]
                self.add_update("m", 7)
            self.add(shape[at], shape[at + 1], link == "d")

    def event(self, kind, loc):
        e = Event(self.fresh(), self.number, kind, loc)
        self.events.append(e)
        return e

    def add_update(self, loc, value):
        read, write = self.event("R", loc), self.event("W", loc)
        read.partner, write.partner = write, read
        read.is_full = write.is_full = True
        write.value = value
        return read, write

    def depends(self, kind):
        """A dependency on the newest read: adr, data or ctrl."""
        if not self.reads:
            return None
        read, register = self.reads[-1]
        how = self.dice.choice(["addr", "ctrl"] if kind == "R" else
                               ["addr", "data", "ctrl"])
        if how == "ctrl":
            label = f"L{len(self.rows)}"
            self.rows += [f"if {register} == 9 goto {label}", f"{label}:"]
        else:
            self.rows += [f"r6 = {register}", "r6 ^= r6"]
        return how, read

    def add(self, kind, loc, wants_dep):
        base = {"x": "r1", "y": "r2", "z": "r3"}[loc]
        dep = self.depends(kind) if wants_dep and kind != "U" else None
        form, first = self.dice.choice(FORMS[kind]), len(self.events)
        if dep and dep[0] == "addr":
            self.rows.append(f"r6 += {base}")
            base = "r6"
        value = self.fresh.value()
        if kind == "R":
            to = f"r{4 + len(self.registers)}"
            call = "load_acquire((u32 *)({} + 0))" if form == "acquire" else \
                "*(u32 *)({} + 0)"
            self.rows.append(f"{to} = " + call.format(base))
            e = self.event("R", loc)
            e.acquires = form == "acquire"
            self.registers.append((to, e))
            self.reads.append((e, to))
        elif kind == "W":
            self.rows.append(f"r7 = {value}")
            if dep and dep[0] == "data":
                self.rows.append("r7 += r6")
            call = "store_release((u32 *)({} + 0), r7)" if form == "release" \
                else "*(u32 *)({} + 0) = r7"
            self.rows.append(call.format(base))
            e = self.event("W", loc)
            e.releases, e.value = form == "release", value
        else:
            self.add_form(form, base, loc, value)
        for e in self.events[first:]:
            self.deps += [(dep[0], dep[1], e)] if dep and (
                dep[0] != "data" or e.kind == "W") else []
            if dep and dep[0] == "ctrl":
                self.deps[-1] = ("ctrl", dep[1], first)

    def add_form(self, form, base, loc, value):
        to = f"r{4 + len(self.registers)}"
        read, write = self.add_update(loc, value)
        if form == "compare":
            self.rows += ["r0 = 0", f"r7 = {value}",
                          f"r0 = cmpxchg_64({base} + 0, r0, r7)", f"{to} = r0"]
            read.expected = 0
        elif form == "lock":
            self.rows += [f"r7 = {value}", f"lock *(u32 *)({base} + 0) += r7"]
            read.is_full = write.is_full = False
            write.value, write.adds = None, value
            return  # it yields nothing
        else:
            call = f"xchg_64({base} + 0, {to})" if form == "exchange" else \
                f"atomic_fetch_add((u64 *)({base} + 0), {to})"
            self.rows += [f"{to} = {value}", f"{to} = {call}"]
            if form == "fetch":
                write.value, write.adds = None, value
        self.registers.append((to, read))
        self.reads.append((read, to))


class Fresh:
    def __init__(self):
        self.events = self.values = 0

    def __call__(self):
        self.events += 1
        return self.events - 1

    def value(self):
        self.values += 1
        return 10 ** min(self.values, 8)  # sums tell what is in them


class Test:
    def __init__(self, seed):
        dice, fresh = random.Random(seed), Fresh()
        self.threads = [Thread(dice, t, shape, fresh) for t, shape in
                        enumerate(dice.choice(SHAPES).split())]

    def text(self):
        init = " ".join(f"{t}:r1=x; {t}:r2=y; {t}:r3=z; {t}:r8=m;"
                        for t in range(len(self.threads)))
        out = f"BPF random\n{{ {init} }}\n"
        out += table([t.rows for t in self.threads])
        shown = [f"{t.number}:{to};" for t in self.threads
                 for to, _ in t.registers]
        return out + f"locations [{' '.join(shown)} x; y; z;]\nexists (x=1)\n"


class Oracle:
    """One choice of which compare-exchanges fail."""

    def __init__(self, test, failing):
        gone = {r.partner for r in failing}
        self.test = test
        self.events = [e for t in test.threads for e in t.events
                       if e not in gone]
        self.full = {e for e in self.events if e.is_full} - set(failing)
        self.failing = set(failing)
        self.read = [e for e in self.events if e.kind == "R"]
        self.write = [e for e in self.events if e.kind == "W"]
        self.po, self.dep = set(), {"addr": set(), "data": set(), "ctrl": set()}
        for t in test.threads:
            events = [e for e in t.events if e not in gone]
            self.po |= set(itertools.combinations(events, 2))
            for how, read, to in t.deps:
                behind = t.events[to:] if how == "ctrl" else [to]
                self.dep[how] |= {(read, e) for e in behind if e not in gone}
        self.rmw = {(e, e.partner) for e in self.read
                    if hasattr(e, "partner") and e.partner not in gone}

    def values(self, source):
        """What each read reads; None: no value is consistent with itself."""
        found = {}

        def of_read(r, trail):
            if r in trail:
                return None
            if r not in found:
                w = source[r]
                found[r] = 0 if w is None else of_write(w, trail | {r})
            return found[r]

        def of_write(w, trail):
            if w.adds is None:
                return w.value
            was = of_read(w.partner, trail)
            return None if was is None else was + w.adds
        for r in self.read:
            v = of_read(r, frozenset())
            if v is None or (r.expected is not None and
                             (v == r.expected) == (r in self.failing)):
                return None
        return found, {w: of_write(w, frozenset()) for w in self.write}

    def is_allowed(self, rf, co, fr):
        ext = {(a, b) for a, b in rf | co | fr if a.thread != b.thread}
        com, po, full = rf | co | fr, self.po, self.full
        same = {(a, b) for a, b in po if a.loc == b.loc}
        if not is_acyclic(same | com) or self.rmw & then(fr & ext, co & ext):
            return False
        fence = {(a, b) for a, b in po
                 if (b in full and b.kind == "R") or (a in full and a.kind == "W")}
        release = {(a, b) for a, b in po if b.releases}
        acquire = {(a, b) for a, b in po if a.acquires}
        addr, data = self.dep["addr"], self.dep["data"]
        control = {(a, b) for a, b in self.dep["ctrl"] if b.kind == "W"}
        ppo = (fence | release | acquire | addr | data | control |
               then(addr | data, rf - ext) |
               {(a, c) for a, c in then(addr, po) if c.kind == "W"} |
               {(a, b) for a, b in (co | fr) - ext})
        updated = maybe(plus(then(rf, self.rmw)), self.events)
        step = then(then(maybe(rf & ext, self.events), fence | release), updated)
        prop = then(then(maybe((co | fr) & ext, self.events),
                         maybe(plus(step), self.events)),
                    maybe(rf & ext, self.events))
        hb = ppo | (rf & ext) | {(a, b) for a, b in prop
                                 if a != b and a.thread == b.thread}
        pb = then(then(prop, fence), maybe(plus(hb), self.events))
        return is_acyclic(hb) and is_acyclic(pb) and is_acyclic(fence | com)

    def state(self, reads, writes, orders):
        result = {f"{t.number}:{to}": reads[e] for t in self.test.threads
                  for to, e in t.registers}
        for loc in "xyz":
            last = orders[loc][-1] if orders.get(loc) else None
            result[f"[{loc}]"] = 0 if last is None else writes[last]
        return json.dumps(result, sort_keys=True)

    def states(self, count):
        """Adds to `count`; False: there are too many candidates."""
        by = collections.defaultdict(list)
        for w in self.write:
            by[w.loc].append(w)
        sources = [[None, *(w for w in by[r.loc] if w is not r.__dict__.get(
            "partner"))] for r in self.read]
        orders = [list(itertools.permutations(by[loc])) for loc in by]
        n = 1
        for choice in sources + orders:
            n *= len(choice)
        if n > MOST:
            return False
        for chosen in itertools.product(*sources):
            source = dict(zip(self.read, chosen))
            found = self.values(source)
            if not found:
                continue
            for order in itertools.product(*orders):
                of = dict(zip(by, order))
                co = {p for o in order for p in itertools.combinations(o, 2)}
                rf = {(w, r) for r, w in source.items() if w}
                fr = {(r, w) for r, s in source.items() for w in by[r.loc]
                      if s is None or (s, w) in co}
                if self.is_allowed(rf, co, fr):
                    count[self.state(*found, of)] += 1
        return True


def states(test):
    may_fail = [e for t in test.threads for e in t.events
                if e.expected is not None]
    count = collections.Counter()
    for n in range(len(may_fail) + 1):
        for failing in itertools.combinations(may_fail, n):
            if not Oracle(test, failing).states(count):
                return None
    return count


def executions(answer, want):
    total = answer.get("positive", 0) + answer.get("negative", 0)
    known = sum(want.values())
    return "" if total == known else f"{total} executions, not {known}; "


def compare(options, seed, folder):
    tests = [Test(seed * TESTS + i) for i in range(TESTS)]
    return compare_states(options, folder, tests, states, executions)


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
