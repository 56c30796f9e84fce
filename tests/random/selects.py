#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Conditional selects under models of machines that have none (riscv, power,
armv7): random litmus tests. A compiler makes a branch of a select, or computes
both values and a mask; so what a test with selects can do, by the models'
variants for picks, must be at least what it can do with any of these in their
place, and no more unless there is an ISB, by which only a branch orders what
comes behind: then each way may forbid the same for a reason of its own. Prints
TAP; each failure has its seed.

    selects.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import itertools
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from litmus_answers import answers, states, table  # noqa: E402

TESTS = 8  # of a seed
MODELS = ["riscv", "power", "armv7"]
CSEL, BRANCH, MASK = "csel", "branch", "mask"
# The other thread; X1 and X2 hold x and y, X3 z.
MESSAGE = ["MOV W9,#1", "STR W9,[X1]", "DMB SY", "STR W9,[X2]"]
OTHERS = [MESSAGE, MESSAGE,
          ["LDR W5,[X1]", "DMB SY", "MOV W9,#1", "STR W9,[X2]"],
          ["LDR W5,[X1]", "EOR W9,W5,W5", "ADD W9,W9,#1", "STR W9,[X2]"],
          ["MOV W9,#1", "STR W9,[X3]", "DMB SY", "STR W9,[X2]"],
          ["MOV W9,#1", "STR W9,[X1]", "DMB SY", "LDR W5,[X2]"]]
THIRD = [None, None, ["MOV W9,#1", "STR W9,[X3]"],
         ["LDR W5,[X3]", "EOR W9,W5,W5", "ADD W9,W9,#1", "STR W9,[X1]"]]


def select(way, n, condition, one, other):
    """X19 = condition ? one : other; both hold 0 or 1 if they are no address."""
    if way == CSEL:
        return [f"CMP W{condition},#0", f"CSEL X19,{one},{other},NE"]
    if way == BRANCH:
        return [f"CBZ W{condition},E{n}", f"MOV X19,{one}", f"B D{n}", f"E{n}:",
                f"MOV X19,{other}", f"D{n}:"]
    return [f"UXTW X10,W{condition}", "SUB X10,XZR,X10", f"AND X11,{one},X10",
            "MVN X10,X10", f"AND X12,{other},X10", "ORR X19,X11,X12"]


KINDS = ["read", "read", "write", "data", "data", "back", "load", "addr",
         "put", "store", "branch", "isb", "fence"]
SHAPES = ["read", "read ?", "read addr", "read store", "read ? addr",
          "read isb load", "back addr", "back store", "back ? load", "back read",
          "data ? load", "read read", "read data", "read back addr", "write ?",
          "? read", "? ? read", "? back addr", "? read store", "read branch isb"
          " load", "read put", "read ? put", "back store", "back addr put",
          "? ? ? read", "read load", "read fence store"]


class Test:
    """The thread with selects: steps, some of which are (how a select goes)."""

    def __init__(self, seed):
        dice = random.Random(seed)
        self.other = dice.choice(OTHERS)
        self.third = dice.choice(THIRD)
        self.steps, self.selects, self.loads = [], 0, [5]
        self.add("LDR W5,[X2]")
        kinds = dice.choice(SHAPES).split()
        for i, kind in enumerate(kinds):
            self.step(dice, i, dice.choice(KINDS) if kind == "?" else kind)

    def add(self, *rows):
        self.steps += rows

    def pick(self, dice, one, other):
        condition = self.loads[-1] if dice.random() < 0.8 else (
            dice.choice(self.loads))
        self.steps.append((self.selects, condition, one, other))
        self.selects += 1

    def fresh(self):
        self.loads.append(self.loads[-1] + 1)
        return self.loads[-1]

    def read(self, dice, other):
        self.pick(dice, *dice.choice([("X1", other), ("X1", other), ("X1", other),
                                     (other, "X1"), ("X1", "X1")]))
        self.add(f"LDR W{self.fresh()},[X19]")

    def step(self, dice, i, kind):
        if self.selects == 2 and kind in ("read", "write", "data", "back"):
            kind = "addr"
        last = self.loads[-1]
        if kind == "read":
            self.read(dice, dice.choice(["X3", "X4"]))
        elif kind == "write":
            self.pick(dice, "X1", dice.choice(["X3", "X4"]))
            self.add("MOV W9,#1", "STR W9,[X19]")
        elif kind in ("data", "back"):
            self.pick(dice, dice.choice(["X20", f"X{dice.choice(self.loads)}"]),
                      dice.choice(["XZR", "X20"]))
            at = "X3" if kind == "back" else dice.choice(["X1", "X3"])
            self.add(f"STR W19,[{at}]")
            if kind == "back":
                self.add(f"LDR W{self.fresh()},[X3]")
        elif kind == "load":
            self.add(f"LDR W{self.fresh()},[{dice.choice(['X1', 'X3'])}]")
        elif kind == "addr":
            self.add(f"EOR W9,W{last},W{last}")
            self.add(f"LDR W{self.fresh()},[X1,W9,SXTW]")
        elif kind == "store":
            self.add(f"EOR W9,W{last},W{last}", "ADD W9,W9,#1",
                     f"STR W9,[{dice.choice(['X1', 'X1', 'X3'])}]")
        elif kind == "put":
            self.add("MOV W9,#1", "STR W9,[X1]")
        elif kind == "branch":
            self.add(f"CBNZ W{last},L{i}", f"L{i}:")
        elif kind == "isb":
            self.add("ISB")
        else:
            self.add("DMB ST")

    def text(self, ways):
        mine = []
        for step in self.steps:
            mine += [step] if isinstance(step, str) else select(
                ways[step[0]], *step)
        columns = [c for c in (self.other, mine, self.third) if c]
        out = "AArch64 selects\n{ 1:X20=1;"
        for t in range(len(columns)):
            for i, loc in enumerate("xyzw", 1):
                out += f" {t}:X{i}={loc};"
        out += "}\n" + table(columns)
        registers = ["0:X5", *(f"1:X{r}" for r in self.loads)]
        registers += ["2:X5"] if len(columns) == 3 else []
        return (out + "locations [x; y; z; w; " + "; ".join(registers) +
                ";]\nexists (x=1)\n")


def compare(options, seed, folder):
    tests = [Test(seed * TESTS + i) for i in range(TESTS)]
    texts = []
    for t in tests:
        texts.append(t.text([CSEL] * t.selects))
        texts += [t.text(ways) for ways in
                  itertools.product([BRANCH, MASK], repeat=t.selects)]
    wrong, compared, more, only = [], 0, 0, 0
    for model in MODELS:
        said = iter(answers(options, folder, texts, "--model", model))
        for t in tests:
            one = next(said)
            ways = [next(said) for _ in range(2 ** t.selects)]
            if any("error" in a for a in [one, *ways]):
                wrong += [f"{model} {a['file']}: {a['error']}" for a in
                          [one, *ways] if "error" in a and
                          a.get("verdict") != "incomplete"]
                continue
            union = set().union(*map(states, ways))
            compared += 1
            more += states(one) > union
            only += any(states(w) != union for w in ways)
            lost, new = union - states(one), states(one) - union
            if lost or (new and "ISB" not in t.steps):
                wrong.append(f"{model} {one['file']}: lost {sorted(lost)}, "
                             f"has too many {sorted(new)}")
    return (f"{compared} compared, {only} with ways that differ, {more} do more",
            "\n".join(wrong) or None)


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
