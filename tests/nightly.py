#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is worth doing every night and takes too long for `make test`: all of
what that has a share of, random programs with seeds that nobody has tried, all
pairs of reductions, all programs by definition, and the README's commands on
bare systems. Says for each job what it ran, so that it can be run again.

    nightly.py [--only WORD] [--first SEED]      after `make`
"""
import argparse
import datetime
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
NIGHT = {**os.environ, "HEDDLE_NIGHTLY": "1"}  # all of what has two sizes
HEDDLE = "build/heddle"
SEQUENTIAL = "build/tests/lowering/seq"

# One row a job: its name and its command. FIRST is the first seed.
JOBS = [
    ("whole", ["tests/all.py", "--whole"]),
    ("csmith source", ["tests/random/csmith.py", HEDDLE, "--way", "source",
                       "--seeds", "1000", "--first", "FIRST"]),
    ("csmith optimised", ["tests/random/csmith.py", HEDDLE, "--way",
                          "optimised", "--seeds", "1000", "--first", "FIRST"]),
    ("csmith thread", ["tests/random/csmith.py", HEDDLE, "--way", "thread",
                       "--seeds", "1000", "--first", "FIRST"]),
    ("library calls", ["tests/random/library.py", SEQUENTIAL, "--seeds", "1000",
                       "--first", "FIRST"]),
    ("exceptions", ["tests/random/exceptions.py", SEQUENTIAL, HEDDLE, "--seeds",
                    "1000", "--first", "FIRST"]),
    *((name, [f"tests/random/{name}.py", HEDDLE, "--seeds", "1000", "--first",
              "FIRST"]) for name in ("texts", "orders", "waits", "doors",
                                     "medley", "grace", "litmus")),
    ("reductions", ["meson", "test", "-C", "build", "--no-rebuild", "-t", "0",
                    "pairs", "definition", "families", "programs_symmetry",
                    "programs_cat"]),
    ("ways, small", ["env", "HEDDLE_WAYS=1", "HEDDLE_MOST=1000",
                     "HEDDLE_SEEDS=400", "HEDDLE_FIRST_SEED=FIRST",
                     "build/tests/reduce/families"]),
    ("kills", ["env", "HEDDLE_KILLS=200", "tests/parallel/test_checkpoint.py",
               HEDDLE, "killed"]),
    ("ways", ["tests/parallel/test_ways.py", HEDDLE, "--seeds", "300",
              "--first", "FIRST"]),
    ("hunt", ["tests/hunt/hunt.py", HEDDLE]),
    *((f"bare {suite}", ["tools/fresh.sh", suite])
      for suite in ("bookworm", "trixie", "forky")),
    *((f"package {suite}", ["tools/fresh_package.sh", suite])
      for suite in ("bookworm", "trixie")),
    ("container", ["tools/fresh_container.sh"]),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    # Tonight's seeds are another night's only after a hundred years.
    parser.add_argument("--first", type=int,
                        default=datetime.date.today().toordinal() * 1000)
    options = parser.parse_args()
    failed = []
    for name, command in JOBS:
        if options.only not in name:
            continue
        command = [re.sub("FIRST$", str(options.first), word)
                   for word in command]
        print(f"# {name}: {' '.join(command)}", flush=True)
        if command[0].endswith(".py"):
            command.insert(0, sys.executable)
        if subprocess.run(command, cwd=ROOT, env=NIGHT).returncode:
            failed.append(name)
    print(f"nightly: {'failed: ' + ', '.join(failed) if failed else 'all ok'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
