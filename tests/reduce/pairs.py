#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reductions alone, in pairs and all that are on by default, against none, and
against the text of the model alone, on random programs. TAP.

    tests/reduce/pairs.py SETS [--seeds N] [--first K] [--daily N] [--sets N]
                          [--models M,M] [--family NAME]

SETS is tests/reduce/sets.c, built. With HEDDLE_NIGHTLY set there are a hundred
times as many seeds, and each has all pairs. A failing program is kept; its path
is in the output.
"""
import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "random"), str(HERE)]
import locks
import programs
import readers
import tap

FAMILIES = {"mixed": programs.generate, "permits": programs.permits,
            "locks": lambda seed: locks.generate(seed)[0],
            "readers": lambda seed: readers.generate(seed)[0]}
MODELS = ["rc11", "sc", "tso", "imm", "ra", "armv8", "pso", "c11", "xmm"]
TIMEOUT = 300


def run_seed(chosen, seed):
    """(summary, None) or (model, error) for one seed and family."""
    families = list(FAMILIES) if chosen.family == "all" else [chosen.family]
    family = families[seed % len(families)]
    models = chosen.models.split(",")
    model = models[seed // len(families) % len(models)]
    path = chosen.work / f"{family}-{seed}.c"
    path.write_text(FAMILIES[family](seed))
    command = [chosen.program, model, str(path), "--sets", str(chosen.sets)]
    if chosen.definition:
        command += ["--definition"]
    if family == "permits" or seed % 5 == 0:
        command += ["--opt-in"]
    if family == "permits":  # what is kept is waited for
        command += ["--disable", "deadlock"]
    if seed % 2:  # nothing is explored behind a race
        command += ["--disable", "race"]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return model, f"no answer in {TIMEOUT} s: {shlex.join(command)}"
    if done.returncode:
        return model, (f"{done.stdout[:2000]}{done.stderr[-2000:]}"
                       f"{shlex.join(command)}")
    path.unlink()
    return f"{family} {model} {done.stdout.strip()}", None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("program")
    options.add_argument("--seeds", type=int, default=60, metavar="N")
    options.add_argument("--first", type=int, default=0, metavar="K")
    options.add_argument("--daily", type=int, default=0, metavar="N",
                         help="N seeds more that differ from day to day")
    options.add_argument("--sets", type=int, default=40, metavar="N",
                         help="of each program, about N sets of reductions")
    options.add_argument("--models", default=",".join(MODELS))
    options.add_argument("--family", default="all",
                         choices=["all", *FAMILIES])
    options.add_argument("--no-definition", dest="definition",
                         action="store_false")
    options.add_argument("--work", type=Path, default="/tmp/heddle-pairs",
                         help="folder for the programs")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    if os.environ.get("HEDDLE_NIGHTLY"):
        chosen.seeds, chosen.daily = 100 * chosen.seeds, 100 * chosen.daily
        chosen.sets = 1000
    seeds = tap.seeds(chosen.first, chosen.seeds, chosen.daily, 10000)
    tap.campaign(lambda seed: run_seed(chosen, seed), seeds, chosen.jobs)


if __name__ == "__main__":
    main()
