#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The programs of the tests and the examples, with nothing but the text of the
model and no reduction, with no reduction, and by default. TAP.

    tests/reduce/definition.py SETS [--share N] [--only WORD] PATH...

SETS is tests/reduce/sets.c, built. Findings must be the same, and the number
that executions stand for, as sets.c says. With HEDDLE_NIGHTLY set there is no
share: all of them. What has too many executions for the text is not compared.
"""
import argparse
import concurrent.futures
import os
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "litmus")]
import run as cases_of
import tap

MODELS = ["sc", "tso", "pso", "ra", "rc11", "c11", "jam21", "xmm", "imm",
          "armv8"]
TIMEOUT = 120


def suits(case):
    """Do its options mean something to sets.c?"""
    return (case.model in MODELS and not case.args and not case.files
            and not case.is_big)


def run_case(program, case):
    command = [program, case.model, str(case.path), "--definition",
               *case.flags]
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return "", f"no answer in {TIMEOUT} s: {shlex.join(command)}"
    if done.returncode:
        return "", (f"{done.stdout[:1000]}{done.stderr[-1000:]}"
                    f"{shlex.join(command)}")
    return done.stdout.strip(), None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("program")
    options.add_argument("paths", nargs="+")
    options.add_argument("--share", type=int, default=1, metavar="N")
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    share = 1 if os.environ.get("HEDDLE_NIGHTLY") else chosen.share
    cases = [case for file, title in cases_of.expand(chosen.paths, None)
             for case in cases_of.read_cases(file, title)
             if suits(case) and chosen.only in case.title
             and cases_of.in_share(case, share)]
    failed = compared = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        results = pool.map(lambda case: run_case(chosen.program, case), cases)
        for number, (case, (said, error)) in enumerate(zip(cases, results), 1):
            failed += error is not None
            compared += "or more" not in said
            tap.report(number, f"{case.title} [{case.model}]: {said}",
                       error=error)
    print(f"# {compared} of {len(cases)} were compared")
    print(f"1..{len(cases)}")
    sys.exit(1 if failed or not compared else 0)


if __name__ == "__main__":
    main()
