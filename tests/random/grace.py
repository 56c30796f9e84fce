#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random C programs with sections and grace periods of RCU and SRCU, marked
accesses, exchanges, branches and loops that wait, against all interleavings of
a machine in which a grace period waits for the sections that have begun. The
kernel's model allows more, so `heddle explore --model lkmm` must find each
final state of the machine, and the same ones whatever is left out; and where
threads of the machine can get stuck, an error. Prints TAP; each failure has
its seed.

    grace.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import json
import random
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap  # noqa: E402

MOST_STATES = 20000
WAYS = [["--without", "all"], ["--jobs", "2"], ["--without", "awaits"],
        ["--without", "retry"], ["--without", "dominated,no-writers"],
        ["--without", "tail,leaf"], ["--max-events", "40"], ["--unroll", "2"]]

# ---- programs: per thread a list of instructions, with labels as indices

class Drawer:
    def __init__(self, r):
        self.r = r
        self.words = ["x", "y", "z"][:r.choice([2, 2, 3])]
        self.kinds = r.choice([["rcu"], ["rcu"], ["rcu", "s"], ["s"],
                               ["s", "t"]])
        self.threads = [self.thread() for _ in range(r.choice([2, 2, 3]))]

    def access(self):
        r, word, own = self.r, self.r.choice(self.words), self.r.randrange(2)
        value = r.choice(["1", "1", "2", "r0", "r1"])
        return r.choice([
            ("load", own, word, r.choice(["READ_ONCE", "READ_ONCE",
                                          "acquire"])),
            ("store", word, value, r.choice(["WRITE_ONCE", "WRITE_ONCE",
                                             "release"])),
            r.choice([("exchange", own, word, r.choice(["", "_relaxed"]),
                       value), ("mb",)])])

    def section(self, depth=0):
        kind = self.r.choice(self.kinds)
        inner = [self.access() for _ in range(self.r.choice([1, 1, 2]))]
        if self.r.random() < 0.5:
            inner = [("load", own, word, "READ_ONCE")
                     for own, word in enumerate(self.r.sample(self.words, 2))]
        if depth == 0 and self.r.random() < 0.2:
            inner += self.section(1)
        return [("lock", kind), *inner, ("unlock", kind)]

    def part(self):
        which = self.r.random()
        if which < 0.1:  # a loop that waits
            load = ("load", 0, self.r.choice(self.words), "READ_ONCE")
            return [load, ("again", 0, self.r.choice([1, 2]))]
        if which < 0.2:  # a branch around a section or a grace period
            body = self.r.choice([self.section(1),
                                  [("sync", self.r.choice(self.kinds))]])
            return [("skip", self.r.randrange(2), len(body)), *body]
        if which < 0.5:
            return self.section()
        if which < 0.6:
            return [("sync", self.r.choice(self.kinds))]
        if which < 0.85:
            first, second = self.r.sample(self.words, 2)
            return [("store", first, "1", "WRITE_ONCE"),
                    ("sync", self.r.choice(self.kinds)),
                    ("store", second, "1", "WRITE_ONCE")]
        return [self.access()]

    def thread(self):
        parts = [self.part() for _ in range(self.r.choice([1, 2, 2, 3]))]
        return [insn for part in parts for insn in part]

    def source(self):
        text = ["#include <lkmm.h>", "#include <pthread.h>",
                "#define acquire(word) smp_load_acquire(&word)",
                "#define release(word, v) smp_store_release(&word, v)",
                *(f"int {w};" for w in self.words),
                *(f"DEFINE_SRCU({k});" for k in self.kinds if k != "rcu")]
        for t, insns in enumerate(self.threads):
            text += [f"int o{t}0, o{t}1;", f"void *t{t}(void *arg) {{",
                     "  int r0 = 0, r1 = 0;"]
            ends = []
            for n, (name, *args) in enumerate(insns):
                text += ["  }"] * ends.count(n)
                if name == "again":
                    text[-1] = f"  do {text[-1].strip()} " \
                               f"while (r{args[0]} != {args[1]});"
                elif name == "skip":
                    text.append(f"  if (r{args[0]}) {{")
                    ends.append(n + 1 + args[1])
                else:
                    text.append(f"  {statement(name, args)}")
            text += ["  }"] * ends.count(len(insns))
            text += [f"  o{t}0 = r0;", f"  o{t}1 = r1;", "  return arg;", "}"]
        all_threads = range(len(self.threads))
        return "\n".join([
            *text, f"int main(void) {{ pthread_t t[{len(self.threads)}];",
            *(f"  pthread_create(&t[{t}], 0, t{t}, 0);" for t in all_threads),
            *(f"  pthread_join(t[{t}], 0);" for t in all_threads), "}", ""])


def statement(name, args):
    if name == "load":
        return f"r{args[0]} = {args[2]}({args[1]});"
    if name == "store":
        return f"{args[2]}({args[0]}, {args[1]});"
    if name == "exchange":
        return f"r{args[0]} = xchg{args[2]}(&{args[1]}, {args[3]});"
    if name == "mb":
        return "smp_mb();"
    which, of = ("rcu", "") if args[0] == "rcu" else ("srcu", f"&{args[0]}")
    if name == "sync":
        return f"synchronize_{which}({of});"
    index = ", 0" if of and name == "unlock" else ""
    return f"{which}_read_{name}({of}{index});"


# ---- all interleavings

class TooMany(Exception):
    pass


def step(program, state, t):
    """The state after a step of thread t; None: it waits, or is at its end.
    A thread is (next, r0, r1, sections that a grace period waits for); memory
    ends with who is in which section, and how many it has left."""
    memory, threads = dict(state[0]), list(state[1])
    at, *regs, waits = threads[t]
    if at == len(program.threads[t]):
        return None
    name, *args = program.threads[t][at]
    at += 1

    def value(text):
        return regs[int(text[1])] if text[0] == "r" else int(text)
    if name == "load":
        regs[args[0]] = memory[args[1]]
    elif name == "store":
        memory[args[0]] = value(args[1])
    elif name == "exchange":
        new = value(args[3])
        regs[args[0]], memory[args[1]] = memory[args[1]], new
    elif name in ("lock", "unlock"):
        depth, left = memory[args[0], t]
        depth += 1 if name == "lock" else -1
        memory[args[0], t] = (depth, left + (depth == 0))
    elif name == "sync" and waits is None:
        at -= 1
        waits = tuple((u, memory[args[0], u][1]) for u in range(len(threads))
                      if memory[args[0], u][0])
    elif name == "sync":
        if any(memory[args[0], u] in [(1, left), (2, left)]
               for u, left in waits):
            return None
        waits = None
    elif name == "again" and regs[args[0]] != args[1]:
        at -= 2
    elif name == "skip" and not regs[args[0]]:
        at += args[1]
    threads[t] = (at, *regs, waits)
    return tuple(memory.items()), tuple(threads)


def interleave(program):
    """The final states, and whether threads can get stuck."""
    ids = range(len(program.threads))
    memory = {w: 0 for w in program.words} | \
        {(k, t): (0, 0) for k in program.kinds for t in ids}
    first = (tuple(memory.items()), tuple((0, 0, 0, None) for _ in ids))
    came_from, todo, finals = {first: []}, [first], {}
    while todo:
        state = todo.pop()
        if all(state[1][t][0] == len(program.threads[t]) for t in ids):
            finals[state] = {**{w: v for w, v in state[0] if w in
                                program.words},
                             **{f"o{t}{k}": state[1][t][1 + k]
                                for t in ids for k in range(2)}}
        for after in (step(program, state, t) for t in ids):
            if after and after not in came_from:
                came_from[after] = []
                todo.append(after)
            if after:
                came_from[after].append(state)
            if len(came_from) > MOST_STATES:
                raise TooMany
    ends, todo = set(finals), list(finals)
    while todo:
        before = [s for s in came_from[todo.pop()] if s not in ends]
        ends.update(before)
        todo += before
    return list(finals.values()), len(ends) < len(came_from)


# ---- comparison

def explore(options, way, source):
    done = subprocess.run(
        [options.heddle, "explore", "--model", "lkmm", "--json", "--all-errors",
         "--max-time", "5", *way, source], capture_output=True, text=True,
        timeout=120)
    assert done.returncode in (0, 1, 3), done.stderr
    report = json.loads(done.stdout)
    return report["limit"] is None and report["verdict"] != "incomplete", \
        [o["state"] for o in report["outcomes"]], report["errors"]


def compare(options, seed, work):
    r = random.Random(seed)
    for _ in range(20):  # most have one final state
        program = Drawer(r)
        try:
            finals, is_stuck = interleave(program)
        except TooMany:
            return "too many states", None
        if len(finals) > r.randint(0, 6):
            break
    source = work / "program.c"
    source.write_text(program.source())
    said, wrong = [], []
    for way in [], r.choice(WAYS):
        is_complete, states, errors = explore(options, way, source)
        said.append(" ".join([*way, "complete" if is_complete else "not"]))
        found = [{k: int(v) for k, v in s.items()} for s in states]
        missing = [f for f in finals if not any(
            all(s.get(k, 0) == f[k] for k in f) for s in found)]
        if is_complete and missing:
            wrong.append(f"{way}: {missing[0]} is not found")
        if is_complete and is_stuck and not errors:
            wrong.append(f"{way}: threads get stuck")
    return f"{len(finals)} states, {', '.join(said)}", "\n".join(wrong) or None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
