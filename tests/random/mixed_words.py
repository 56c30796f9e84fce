#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Litmus tests of POWER and ARM in which words, halves and bytes overlap:
random ones. The oracle is the definition on whole accesses: it tries every
source of every byte that is read and every order of the writes of every byte,
and then asks the axioms of Alglave, Maranget and Tautschnig (Herding Cats,
TOPLAS 2014). What an access has to do with another by one byte, it has to do
with it as a whole; coherence is about each byte, and no access is before
another by one byte and behind it by another one. `heddle litmus` must have the
same final states. Prints TAP; each failure has its seed.

    mixed_words.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import itertools
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from litmus_answers import compare_states, table  # noqa: E402

TESTS = 20  # of a seed
MOST = 4000  # candidates of a test
# The bytes of a word as far as accesses tell them apart: two bytes and a half.
ATOMS = {(0, 4): {0, 1, 2}, (0, 2): {0, 1}, (2, 2): {2}, (0, 1): {0}, (1, 1): {1}}
ATOM_AT = {0: (0, 1), 1: (1, 1), 2: (2, 2)}  # first byte, bytes


class Power:
    name, order, fences = "PPC", "big", ["sync", "lwsync", "eieio"]
    letter, barrier, cumulative_po_loc = "r", "isync", True

    def code(self, op, label):
        yield from self.before(op, label)
        size = {4: "w", 2: "h", 1: "b"}[op.size]
        z = "z" if op.is_read else ""
        reg = f"r{op.to}" if op.is_read else "r4"
        name = f"{'l' if op.is_read else 'st'}{size}{z}"
        yield f"{name} {reg},{op.at}({'r9' if op.dep == 'addr' else self.base(op)})"

    def base(self, op):
        return f"r{op.base}"

    def before(self, op, label):
        if op.dep == "addr":
            yield f"xor r9,r{op.on},r{op.on}"
            yield f"add r9,r9,{self.base(op)}"
        if op.dep in ("ctrl", "ctrl+"):
            yield f"cmpw r{op.on},r{op.on}"
            yield f"beq {label}"
            yield f"{label}:"
        if op.dep == "ctrl+":
            yield "isync"
        if not op.is_read and op.dep == "data":
            yield f"xor r4,r{op.on},r{op.on}"
            yield f"addi r4,r4,{op.value}"
        elif not op.is_read:
            yield f"li r4,{op.value}"


class Arm:
    name, order = "ARM", "little"
    fences = ["DMB", "DMB ST", "DSB", "DSB ST"]
    letter, barrier, cumulative_po_loc = "R", "ISB", False

    def code(self, op, label):
        base = f"R{op.base}"
        if op.dep == "addr":
            yield f"EOR R9,R{op.on},R{op.on}"
            yield f"ADD R9,R9,{base}"
            base = "R9"
        if op.dep in ("ctrl", "ctrl+"):
            yield f"CMP R{op.on},R{op.on}"
            yield f"BEQ {label}"
            yield f"{label}:"
        if op.dep == "ctrl+":
            yield "ISB"
        if not op.is_read and op.dep == "data":
            yield f"EOR R4,R{op.on},R{op.on}"
            yield f"ADD R4,R4,#{op.value}"
        elif not op.is_read:
            yield f"MOV R4,#{op.value}"
        size = {4: "", 2: "H", 1: "B"}[op.size]
        reg = f"R{op.to}" if op.is_read else "R4"
        yield f"{'LDR' if op.is_read else 'STR'}{size} {reg},[{base},#{op.at}]"


# Shapes whose answers the axioms decide: d is a dependency on the load before,
# f a barrier, ? any of both or nothing.
SHAPES = ["Wx?Wy Ry?Rx", "Wx?Wy Ry?Wx", "Rx?Wy Ry?Wx", "Wx?Ry Wy?Rx",
          "Wx?Wy Wy?Rx", "Wx?Wy Wy?Wx", "Wx Rx?Wy Ry?Rx", "Wx?Wy Ry?Wz Rz?Rx",
          "WxfWy RydRz.RzdRx Wz", "WxfWy RydWz.RzdRx Wz", "WxfWy RydWz.RzdRx",
          "WxfWy RydWz.WzdRx", "Wx.Rx?Ry Wy.Ry?Rx", "Rx.Rx Wx", "Rx.Wx.Rx Wx"]


class Op:
    """An access; `dep` says how it depends on the load of register `on`."""

    def __init__(self, dice, language, number, nth, loads, kind, wants_dep):
        self.number, self.is_read = number, kind[0] == "R"
        self.loc = "xyz".index(kind[1])
        self.base = 1 + self.loc
        self.at, self.size = dice.choice([*ATOMS, (0, 4), (0, 4), (0, 2), (0, 1)])
        self.atoms = {(self.loc, a) for a in ATOMS[self.at, self.size]}
        self.to = 20 + nth if language.name == "PPC" else 5 + nth
        # The bytes differ: which is where counts.
        self.value = sum((number + 1 + 16 * i) << 8 * i for i in range(self.size))
        self.dep, self.on, self.load = None, None, None
        if loads and wants_dep:
            self.load = loads[-1]
            self.on = self.load.to
            self.dep = dice.choice(["addr", "addr", "ctrl", "ctrl+"]
                                   if self.is_read else
                                   ["addr", "data", "data", "ctrl"])


class Test:
    def __init__(self, seed):
        dice = random.Random(seed)
        self.language = [Power(), Arm()][seed % 2]
        self.threads, number = [], 0
        for shape in dice.choice(SHAPES).split():
            rows, loads, link = [], [], "."
            for nth in range(0, len(shape), 3):
                link = shape[nth - 1] if nth else "."
                link = dice.choice(".dddff") if link == "?" else link
                if link == "f":
                    rows.append(dice.choice(self.language.fences))
                op = Op(dice, self.language, number, nth // 3, loads,
                        shape[nth:nth + 2], link == "d" or dice.random() < 0.1)
                number += 1
                rows.append(op)
                loads += [op] if op.is_read else []
            self.threads.append(rows)
        self.ops = [r for rows in self.threads for r in rows if isinstance(r, Op)]

    def text(self):
        lang, columns = self.language, []
        for t, rows in enumerate(self.threads):
            column = []
            for i, row in enumerate(rows):
                column += [row] if isinstance(row, str) else [
                    *lang.code(row, f"L{t}{i}")]
            columns.append(column)
        out = f"{lang.name} mixed\n{{ int x; int y; int z;"
        for t in range(len(columns)):
            for i, loc in enumerate("xyz", 1):
                out += f" {t}:{lang.letter}{i}={loc};"
        out += "}\n" + table(columns) + "locations [x; y; z;"
        for t, rows in enumerate(self.threads):
            for op in rows:
                if isinstance(op, Op) and op.is_read:
                    out += f" {t}:{lang.letter}{op.to};"
        return out + "]\nexists (x=1)\n"


# -- relations: sets of pairs of numbers

def then(a, b):
    by = {}
    for x, y in b:
        by.setdefault(x, []).append(y)
    return {(x, z) for x, y in a for z in by.get(y, ())}


def plus(a):
    result = set(a)
    while True:
        more = then(result, a) - result
        if not more:
            return result
        result |= more


def is_acyclic(a):
    return all(x != y for x, y in plus(a))


def maybe(a, everything):
    return a | {(x, x) for x in everything}


class Oracle:
    def __init__(self, test):
        self.test = test
        self.all = range(len(test.ops))
        self.read = {o.number for o in test.ops if o.is_read}
        self.thread = {}
        self.po, self.fenced = set(), {}
        self.addr, self.data, self.ctrl, self.ctrl_isync = (set() for _ in "1234")
        for t, rows in enumerate(test.threads):
            before, open_fences, branches, waits = [], [], set(), set()
            for row in rows:
                if isinstance(row, str):
                    open_fences.append((row, list(before)))
                    continue
                n = row.number
                self.thread[n] = t
                if row.dep in ("ctrl", "ctrl+"):
                    branches.add(row.load.number)
                if row.dep == "ctrl+":
                    waits |= branches
                if row.dep == "addr":
                    self.addr.add((row.load.number, n))
                if row.dep == "data":
                    self.data.add((row.load.number, n))
                self.po |= {(b, n) for b in before}
                self.ctrl |= {(b, n) for b in branches}
                self.ctrl_isync |= {(b, n) for b in waits}
                for fence, those in open_fences:
                    self.fenced.setdefault(fence, set()).update(
                        (b, n) for b in those)
                before.append(n)
        self.atoms = sorted({a for o in test.ops for a in o.atoms})
        self.known = {}

    def with_kinds(self, pairs, kinds):
        return {(x, y) for x, y in pairs
                if (("R" if x in self.read else "W") +
                    ("R" if y in self.read else "W")) in kinds}

    def ways(self, atom):
        """The coherent orders of writes and sources of reads of some bytes."""
        ops = [o.number for o in self.test.ops if atom in o.atoms]
        reads = [n for n in ops if n in self.read]
        writes = [n for n in ops if n not in self.read]
        po = {(x, y) for x, y in self.po if x in ops and y in ops}
        found = []
        for order in itertools.permutations(writes):
            co = {(a, b) for i, a in enumerate(order) for b in order[i + 1:]}
            for sources in itertools.product([None, *writes], repeat=len(reads)):
                rf = {(w, r) for r, w in zip(reads, sources) if w is not None}
                fr = {(r, w) for r, source in zip(reads, sources)
                      for w in (order if source is None else
                                order[order.index(source) + 1:])}
                if is_acyclic(po | co | rf | fr):
                    ext = {(x, y) for x, y in co | rf | fr
                           if self.thread[x] != self.thread[y]}
                    seen = plus((rf & ext) | co | fr)
                    same = {(x, y) for x, y in po if x in ops}
                    found.append((order, dict(zip(reads, sources)), co, rf, fr,
                                  ext, seen,
                                  same & then(fr & ext, rf & ext),
                                  same & then(co & ext, rf & ext)))
        return found

    def ppo(self, rfi, rdw, detour):
        key = frozenset(rfi), frozenset(rdw), frozenset(detour)
        if key in self.known:
            return self.known[key]
        overlap = {(x, y) for x, y in self.po
                   if self.test.ops[x].atoms & self.test.ops[y].atoms}
        dd = self.addr | self.data
        ii0, ci0 = dd | rfi | rdw, self.ctrl_isync | detour
        cc0 = dd | self.ctrl | then(self.addr, self.po)
        if self.test.language.cumulative_po_loc:
            cc0 |= overlap
        ii, ci, ic, cc = set(ii0), set(ci0), set(), set(cc0)
        while True:
            now = (ii0 | ci | then(ic, ci) | then(ii, ii),
                   ci0 | then(ci, ii) | then(cc, ci),
                   ii | cc | then(ic, cc) | then(ii, ic),
                   cc0 | ci | then(ci, ic) | then(cc, cc))
            if now == (ii, ci, ic, cc):
                break
            ii, ci, ic, cc = now
        self.known[key] = self.with_kinds(ii, ["RR"]) | self.with_kinds(ic, ["RW"])
        return self.known[key]

    def fences(self):
        get = lambda name: self.fenced.get(name, set())
        if self.test.language.name == "PPC":
            strong = get("sync")
            return strong, strong | (get("lwsync") - self.with_kinds(
                get("lwsync"), ["WR"])) | self.with_kinds(get("eieio"), ["WW"])
        strong = get("DMB") | get("DSB") | self.with_kinds(
            get("DMB ST") | get("DSB ST"), ["WW"])
        return strong, strong

    def is_allowed(self, ways):
        co, rf, fr, ext, rdw, detour = (set() for _ in range(6))
        before = [w[6] for w in ways]
        for i, one in enumerate(before):
            for other in before[i + 1:]:
                if any((y, x) in other for x, y in one):
                    return False
        for w in ways:
            co, rf, fr, ext = co | w[2], rf | w[3], fr | w[4], ext | w[5]
            rdw, detour = rdw | w[7], detour | w[8]
        rfe, fre, coe = rf & ext, fr & ext, co & ext
        strong, fence = self.fences()
        hb = self.ppo(rf - ext, rdw, detour) | fence | rfe
        if not is_acyclic(hb):
            return False
        hbs = maybe(plus(hb), self.all)
        base = then(fence | then(rfe, fence), hbs)
        bases = maybe(plus(base), self.all)
        com = maybe(rfe | fre | coe | then(fre, rfe) | then(coe, rfe), self.all)
        prop = self.with_kinds(base, ["WW"]) | then(
            then(then(com, bases), strong), hbs)
        return is_acyclic(co | prop) and all(
            x != y for x, y in then(then(fre, prop), hbs))

    def state(self, ways):
        of = dict(zip(self.atoms, ways))
        order, result, memory = self.test.language.order, {}, {}

        def piece(write, at, size):
            if write is None:
                return bytes(size)
            op = self.test.ops[write]
            return op.value.to_bytes(op.size, order)[at - op.at:at - op.at + size]

        for t, rows in enumerate(self.test.threads):
            for op in rows:
                if not isinstance(op, Op) or not op.is_read:
                    continue
                data = b"".join(piece(of[a][1][op.number], *ATOM_AT[a[1]])
                                for a in sorted(op.atoms))
                result[f"{t}:{self.test.language.letter}{op.to}"] = (
                    int.from_bytes(data, order))
        for loc, name in enumerate("xyz"):
            data = b""
            for a in range(3):
                writes = of[loc, a][0] if (loc, a) in of else ()
                data += piece(writes[-1] if writes else None, *ATOM_AT[a])
            memory[f"[{name}]"] = int.from_bytes(data, order)
        return json.dumps(result | memory, sort_keys=True)

    def states(self):
        """None: there are too many candidates."""
        ways, n = [self.ways(a) for a in self.atoms], 1
        for w in ways:
            n *= len(w)
        if n > MOST:
            return None
        return {self.state(w) for w in itertools.product(*ways)
                if self.is_allowed(w)}


def compare(options, seed, folder):
    tests = [Test(seed * TESTS + i) for i in range(TESTS)]
    return compare_states(options, folder, tests,
                          lambda test: Oracle(test).states())


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
