#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The examples of heddle optimize with their clients, small ones first, and
what finding their orders takes: tests/optimise/ladders.py HEDDLE prints the
table of docs/performance.md."""
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent

# By name: the source, and what is defined for each client.
LADDERS = {
    "ttas": ("ttas", ["N=2", "N=3"]),
    "ticket": ("ticket", ["N=2", "N=3"]),
    "CLH": ("clh", ["N=2", "N=3", "N=2 ROUNDS=2"]),
    "MCS": ("mcs", ["N=2", "N=3"]),
    "array lock": ("array", ["N=2", "N=3", "N=2 ROUNDS=2"]),
    "rw-lock": ("rwlock", ["", "READERS=2", "WRITERS=2"]),
    "seqlock": ("seqlock", ["", "WRITES=2", "READERS=2"]),
    "Treiber": ("treiber", [""]),
    "Chase-Lev": ("chaselev", ["ITEMS=1", "", "THIEVES=2"]),
    "MPMC": ("mpmc", ["", "PUTS=2", "PUTS=2 GETS=2", "PUTS=3"]),
    "qspinlock": ("qspinlock", ["N=2", "N=3"]),
    "qspinlock, no pending": ("qspinlock", ["N=2 NO_PENDING",
                                            "N=3 NO_PENDING"]),
    "qspinlock, both": ("qspinlock", ["N=2", "N=2 NO_PENDING", "N=3",
                                      "N=3 NO_PENDING"]),
}


def clients(name, folder):
    """Writes the programs of a ladder; their paths."""
    source, variants = LADDERS[name]
    paths = []
    for number, words in enumerate(variants):
        path = Path(folder) / f"{name.replace(' ', '_')}_{number}.c"
        path.write_text("".join(f"#define {w.replace('=', ' ')}\n"
                                for w in words.split())
                        + f'#include "{HERE}/{source}.c"\n')
        paths.append(str(path))
    return paths


def cpu():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(heddle, paths, *args):
    """The answer, and the seconds of CPU time that it took (all programs were
    compiled before)."""
    for path in paths:
        subprocess.run([heddle, "dump", path], stdout=subprocess.DEVNULL,
                       check=True)
    before = cpu()
    out = subprocess.run([heddle, "optimize", "--json", "--from", "sc", *args,
                          *paths], stdout=subprocess.PIPE, text=True).stdout
    return json.loads(out), cpu() - before


def main(heddle, *args):
    print("| program | operations | cost | checks | executions | CPU s "
          "| descent: cost | checks | executions | fewer |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in LADDERS:
            paths = clients(name, folder)
            found, seconds = run(heddle, paths, *args)
            descent, _ = run(heddle, paths, "--algorithm", "descent", *args)
            (best,), (other,) = found["solutions"], descent["solutions"]
            operations = sum(s["operation"] != "failed compare-exchange"
                             for s in best["sites"])
            print(f"| {name} | {operations} | {best['cost']} "
                  f"| {found['checks']} | {found['executions']} "
                  f"| {seconds:.2f} | {other['cost']} | {descent['checks']} "
                  f"| {descent['executions']} "
                  f"| {descent['executions'] / found['executions']:.1f}× |")


if __name__ == "__main__":
    main(*sys.argv[1:])
