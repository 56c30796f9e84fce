#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A limit that is hit must be told. TAP.

    tests/random/cuts.py build/heddle [--seeds N] [--first K] [--daily N]
                         [--models M,M]

Each seed is a small random program in which some threads come to a place where
they hit a limit, often after a read of something old: too many calls, steps,
bytes of stack or rounds, or a check that is switched off. With the limit, with
options of the search that change no error:
  - "No errors" is said only if no execution comes to such a place (where a
    failed assertion stands in another version of the program), and if there is
    no error without the limit;
  - "incomplete" is said only if one comes there;
  - an error is one without the limit too.
A failing program is kept; its path is in the output.
"""
import argparse
import json
import os
import random
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap

MODELS = ["rc11", "sc", "tso", "pso", "ra", "c11", "jam21", "xmm", "imm",
          "armv8", "armv7", "power", "riscv", "lkmm"]
WITHOUT_CO = ["sc", "tso", "pso", "ra", "rc11"]
TIMEOUT = 60

# What hits a limit, and the options with which it does.
LIMITS = [
    ("deep(40);", ["--max-calls", "20"]),
    ("count(9000);", ["--max-steps", "3000"]),
    ("large(9000);", ["--max-stack", "8"]),
    ("deep(900);", ["--max-stack", "8"]),
    ("*nowhere = 1;", ["--disable", "null-pointer"]),
    ("for (int i = 0; i < 5; i++) store(&z, i, rlx);", ["--unroll", "3"]),
    ("for (int i = 0; i < 5; i++) { store(&z, i, rlx); sched_yield(); }",
     ["--yield-bound", "3"]),
]

HEAD = """#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define sc memory_order_seq_cst
#define load atomic_load_explicit
#define store atomic_store_explicit
#ifdef MARK
#define CUT assert(!"cut")
#define expect(c) (void)(c)
#else
#define expect(c) assert(c)
#define CUT %s
#endif
static atomic_int x, y, z;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *nowhere;
static int deep(int n) { return n ? deep(n - 1) + 1 : 0; }
static void count(unsigned n) {
  unsigned i = 0;
  while (i != n)
    i++;
  assert(i == n);
}
static void large(size_t n) {
  char bytes[n];
  bytes[n - 1] = 1;
  assert(bytes[n - 1] == 1);
}
static void use(void) { (void)deep, (void)count, (void)large, (void)nowhere; }
"""


class Program:
    def __init__(self, seed):
        self.dice = random.Random(seed)
        self.limit, self.options = self.dice.choice(LIMITS)
        self.cuts = 0

    def access(self, depth):
        d = self.dice
        v, k = d.choice("xxyy"), d.randint(1, 2)
        return d.choice([
            f"r = load(&{v}, {d.choice(['rlx', 'acq', 'sc'])});",
            f"r = load(&{v}, {d.choice(['rlx', 'acq', 'sc'])});",
            f"store(&{v}, {k}, {d.choice(['rlx', 'rel', 'sc'])});",
            f"store(&{v}, {k}, {d.choice(['rlx', 'rel', 'sc'])});",
            f"r = atomic_fetch_add_explicit(&{v}, {k}, rlx);",
            f"r = load(&{v}, rlx); while (!atomic_compare_exchange_strong("
            f"&{v}, &r, r + {k})) {{}}",
            f"heddle_assume(load(&{v}, rlx) {d.choice(['!=', '=='])} {k});",
            f"while (load(&{v}, acq) == {k}) {{}}",
            f"expect(load(&{v}, rlx) != {d.randint(1, 3)});",
        ])

    def body(self, depth):
        d = self.dice
        lines = []
        for _ in range(d.randint(1, 3 - depth)):
            lines.append(self.access(depth))
            if depth < 2 and d.random() < 0.45:
                lines.append(f"if (r {d.choice(['==', '!='])} "
                             f"{d.choice([0, 0, 1, 2])}) {{")
                if d.random() < 0.7:
                    lines.append("CUT;")
                    self.cuts += 1
                lines += self.body(depth + 1)
                lines.append("}")
        return lines

    def thread(self, name, wraps):
        body = self.body(0)
        if wraps:
            body = ["pthread_mutex_lock(&m);", *body,
                    "pthread_mutex_unlock(&m);"]
        return "\n  ".join([f"static void *{name}(void *unused) {{",
                            "int r = 0;", *body, "(void)r;",
                            "return unused;"]) + "\n}\n"

    def text(self):
        d = self.dice
        n = d.choice([1, 2, 2])
        is_alike = n == 2 and d.random() < 0.3
        locks = d.random() < 0.25
        bodies = ["a"] if is_alike else "ab"[:n]
        threads = [self.thread(b, locks) for b in bodies]
        main = ["int main(void) {", "pthread_t t[2];", "int r = 0;", "use();"]
        main += [f"pthread_create(&t[{i}], NULL, "
                 f"{bodies[i % len(bodies)]}, NULL);" for i in range(n)]
        main += self.body(1)
        if d.random() < 0.5:
            main += [f"pthread_join(t[{i}], NULL);" for i in range(n)]
        main += ["(void)r;", "return 0;"]
        return HEAD % self.limit + "".join(threads) + "\n  ".join(main) + "\n}\n"


class Wrong(Exception):
    pass


def run(heddle, model, path, options, flags=()):
    """The verdict; None if there are too many executions to know."""
    command = [heddle, "check", "--json", "--model", model, "--max-time", "8",
               "--max-executions", "20000", *options, str(path), "--", *flags]
    try:
        result = subprocess.run(command, capture_output=True, text=True,
                                timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Wrong(f"no answer in {TIMEOUT} s: "
                    f"{shlex.join(command)}") from None
    if result.returncode not in (0, 1, 3):
        raise Wrong(f"exit code {result.returncode}: {shlex.join(command)}\n"
                    + result.stderr[-3000:])
    report = json.loads(result.stdout)
    limit = report["limit"] or ""
    if limit in ("time", "executions") or limit.startswith("too many"):
        return None
    return "ok" if limit == "vacuous" else report["verdict"]


def compare(heddle, model, path, program):
    ways = [[], ["--jobs", "2"], ["--symmetry", "on"], ["--all-errors"]]
    if model in WITHOUT_CO:
        ways.append(["--equivalence", "rf"])
    way = program.dice.choice(ways)
    all_of_it = ["--symmetry", "off"]
    marked = run(heddle, model, path, all_of_it, ["-DMARK"])
    large = run(heddle, model, path, all_of_it)
    small = run(heddle, model, path, [*program.options, *way])
    said = " ".join([model, *program.options, *way])
    if None in (marked, large, small):
        return f"{said}: too much"
    if program.options[0] == "--disable":
        large = small  # the check itself is an error there
    if small == "ok" and marked == "error":
        raise Wrong(f"{said}: No errors, but an execution is cut\n{path}")
    if small == "incomplete" and marked != "error":
        raise Wrong(f"{said}: incomplete, but nothing is cut\n{path}")
    if small != "incomplete" and large != small:
        raise Wrong(f"{said}: {small}, without the limit {large}\n{path}")
    return f"{said}: {small}"


def run_seed(heddle, models, seed, work):
    """(summary, None) or (summary, error) for one seed."""
    model = models[seed % len(models)]
    path = work / f"{seed}.c"
    program = Program(seed)
    text = program.text()
    while not program.cuts:
        text = program.text()
    path.write_text(text)
    try:
        said = compare(heddle, model, path, program)
    except Wrong as e:
        return model, e
    path.unlink()
    return said, None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--seeds", type=int, default=70, metavar="N")
    options.add_argument("--first", type=int, default=0, metavar="K")
    options.add_argument("--daily", type=int, default=0, metavar="N",
                         help="N seeds more that differ from day to day")
    options.add_argument("--models", default=",".join(MODELS))
    options.add_argument("--work", type=Path, default="/tmp/heddle-cuts",
                         help="folder for the programs")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    seeds = tap.seeds(chosen.first, chosen.seeds, chosen.daily, 1000)
    tap.campaign(lambda seed: run_seed(
        chosen.heddle, chosen.models.split(","), seed, chosen.work),
        seeds, chosen.jobs)


if __name__ == "__main__":
    main()
