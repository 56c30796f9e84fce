#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How well work stealing between ranks (src/parallel/steal.c) keeps many
workers busy: a simulation with the measured sizes of the branches of searches.

    ninja -C build tests/branches
    tests/bench/ranks.py build/tests/branches [WORKERS...]

The tree of a search down to some 20,000 branches, and the seconds that each
takes, come from `branches`; the whole is scaled to take 10 or 60 s on each
worker. A branch that is more than LARGE of that is taken to be like the whole
tree; what is less is not cut any further, which it would be. Each worker goes through its part of the tree in order and, when asked, gives away
its oldest choice with all options that are left there. One that has run dry
asks others at random, with the pauses of steal.c; messages take MESSAGE
seconds, besides what the thread that answers sleeps (ranks.c). The table says
which share of the time the workers explore, to the end of the last one and of
the token's two rounds.
"""
import heapq
import random
import subprocess
import sys
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
SEARCHES = [
    ("ainc(9)", "counts/ainc.c", "", "-DN=9"),
    ("chase-lev, 3 thieves", "structures/chaselev.c", "--disable=race",
     "-DA=5 -DB=3 -DC=2 -DT=3"),
    ("szymanski, 4 rounds", "mutex/szymanski.c", "--disable=race",
     "-DROUNDS=4"),
    ("eratosthenes(9)", "counts/eratosthenes.c", "", "-DN=9"),
]
BRANCHES = 20000
LARGE = 0.01  # of what a worker has to do
WORKERS = [64, 1024]
SECONDS = [10, 60]  # for each worker, if all were busy
MESSAGE = 20e-6
NAP_BUSY, NAP_DRY = 1e-3, 1e-4   # of the thread that answers
PATIENCE, PAUSES = 0.01, (0.0002, 0.005)
TAKE_OVER = 1e-4                 # following the path to a part


def measure(branches, options, program, flags):
    """[(path, seconds)], a path as ranks."""
    out = subprocess.run(
        [branches, str(BRANCHES), "check", *options.split(),
         str(PROGRAMS / program), "--", *flags.split()],
        capture_output=True, text=True, check=True).stdout
    ret = []
    for line in out.splitlines():
        seconds, *path = line.split()
        ret.append((tuple(map(int, path)), float(seconds)))
    return ret


def size_of(node):
    return node[0] if isinstance(node, tuple) else node


def tree_of(rows):
    """A branch is its seconds; a choice is the sum of them, and a list of
    branches and choices, the last of which is explored first."""
    def build(rows, depth):
        groups = {}
        for path, seconds in rows:
            groups.setdefault(path[depth], []).append((path, seconds))
        nodes = []
        for rank in sorted(groups):
            group = groups[rank]
            if len(group) == 1:
                nodes.append(group[0][1])
            else:
                node = build(group, depth + 1)
                nodes.append(node[0] if len(node) == 1 else
                             (sum(map(size_of, node)), node))
        return nodes
    sys.setrecursionlimit(100000)
    return build(rows, 0)


class Worker:
    __slots__ = ("stack", "asked", "pause", "busy")

    def __init__(self):
        self.stack = []  # choices, the oldest first
        self.asked = []  # who waits for something from it
        self.pause = PAUSES[0]
        self.busy = False


class Simulation:
    """Events are (time, number, what, worker, more)."""

    def __init__(self, tree, n, seconds, total, seed):
        self.tree, self.total = tree, total
        self.large = seconds * LARGE
        self.dice = random.Random(seed)
        self.workers = [Worker() for _ in range(n)]
        self.events, self.number = [], 0
        self.last, self.left = 0.0, 1  # tasks with workers or on their way
        self.refused = self.moved = 0
        self.at(0.0, "task", 0, (seconds * n / total, list(tree)))
        for i in range(1, n):
            self.at(self.dice.uniform(0, NAP_BUSY), "ask", i, None)

    def at(self, time, what, worker, more):
        self.number += 1
        heapq.heappush(self.events, (time, self.number, what, worker, more))

    def nap(self, is_dry):
        return self.dice.uniform(0, NAP_DRY if is_dry else NAP_BUSY)

    def go_on(self, time, i):
        """The next branch, if there is one."""
        w = self.workers[i]
        while w.stack:
            scale, choice = w.stack[-1]
            if not choice:
                w.stack.pop()
                continue
            node = choice.pop()
            if size_of(node) * scale <= self.large:
                w.busy = True
                self.at(time + size_of(node) * scale, "done", i, None)
                return
            if isinstance(node, tuple):
                w.stack.append((scale, list(node[1])))
            else:
                w.stack.append((scale * node / self.total, list(self.tree)))
        w.busy = False
        self.last = time
        self.left -= 1
        for asker in w.asked:
            self.refuse(time, asker)
        w.asked = []
        if self.left:
            self.at(time, "ask", i, None)

    def give(self, time, i, asker):
        w = self.workers[i]
        for k, (scale, choice) in enumerate(w.stack):
            if choice:
                w.stack[k] = (scale, [])
                self.left += 1
                self.moved += 1
                self.at(time + MESSAGE + self.nap(True) + TAKE_OVER, "task",
                        asker, (scale, choice))
                return True
        return False

    def refuse(self, time, asker):
        self.refused += 1
        w = self.workers[asker]
        self.at(time + MESSAGE + self.nap(True) + w.pause, "ask", asker, None)
        w.pause = min(2 * w.pause, PAUSES[1])

    def run(self):
        n = len(self.workers)
        while self.events and self.left:
            time, _, what, i, more = heapq.heappop(self.events)
            w = self.workers[i]
            if what == "task":
                w.stack, w.pause = [more], PAUSES[0]
                self.go_on(time, i)
            elif what == "done":
                self.go_on(time, i)
            elif what == "ask":
                to = self.dice.randrange(n - 1)
                to += to >= i
                self.at(time + MESSAGE + self.nap(not self.workers[to].busy),
                        "asked", to, i)
            elif what == "asked":
                if not w.busy:
                    self.refuse(time, more)
                elif not self.give(time, i, more):
                    w.asked.append(more)
                    self.at(time + PATIENCE, "impatient", i, more)
            elif more in w.asked:  # it has waited long enough
                w.asked.remove(more)
                self.refuse(time, more)
        token = 2 * n * (MESSAGE + NAP_DRY / 2)
        return self.last + token


def main():
    branches = sys.argv[1]
    print("| search | branches | largest | workers | "
          + " | ".join(f"{s} s" for s in SECONDS) + " | tasks moved |")
    print("|---|---|---|---|" + "---|" * len(SECONDS) + "---|")
    for name, program, options, flags in SEARCHES:
        rows = measure(branches, options, program, flags)
        total = sum(seconds for _, seconds in rows)
        tree = tree_of(rows)
        largest = max(seconds for _, seconds in rows) / total
        for n in list(map(int, sys.argv[2:])) or WORKERS:
            shares = []
            for seconds in SECONDS:
                s = Simulation(tree, n, seconds, total, 1)
                shares.append(seconds / s.run())
            print(f"| {name} | {len(rows)} | 1/{1 / largest:.0f} | {n} | "
                  + " | ".join(f"{100 * x:.1f} %" for x in shares)
                  + f" | {s.moved} |", flush=True)


if __name__ == "__main__":
    main()
