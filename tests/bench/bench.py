#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed and memory on programs with known execution counts: `make bench`.

    tests/bench/bench.py build/heddle [--json] [--instructions] [--only WORD]

Each row is a program of tests/programs with its parameters, under rc11. The
bitcode is cached by a first short run, so the time is loading and exploring.
CPU seconds are the best of --runs runs. `goal` is the time an execution may
take to be ten times as fast as the best other checker that we measured on
this kind of machine; `x` is how many times faster than that checker this run
was. --instructions adds the instructions per execution, counted by perf or,
where perf may not count, by valgrind. A wrong count is an error.
"""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parent.parent / "programs"
# name, program, clang flags, executions, microseconds an execution took the
# other checker
ROWS = [
    ("ainc(8)", "counts/ainc.c", "-DN=8", 40320, 41),
    ("nwrites(9)", "counts/writers.c", "-DREADER=0 -DW=9", 362880, 5.4),
    ("readers(15)", "counts/readers.c", "-DN=15", 32768, 57),
    ("lb-ring(16)", "counts/ring.c", "-DLB -DN=16", 65535, 19),
    ("sb-ring(16)", "counts/ring.c", "-DSB -DN=16", 65536, 13),
    ("writers+reader(8)", "counts/writers.c", "-DREADER=1 -DW=8", 362880, 10),
    ("binc(5)", "counts/incs.c", "-DM=2 -DN=5", 14400, 61),
    ("cinc(4)", "counts/incs.c", "-DM=3 -DN=4", 13824, 61),
    ("fib(5)", "counts/fib.c", "-DN=5", 525630, 11),
    ("indexer(15)", "counts/indexer.c", "-DN=15", 4096, 720),
    ("lamport(3)", "mutex/lamport.c", "-DN=3", 9216, 140),
    ("szymanski, 3 rounds", "mutex/szymanski.c", "-DROUNDS=3", 1068, 1050),
    ("chase-lev, 3 thieves", "structures/chaselev.c",
     "-DA=5 -DB=3 -DC=2 -DT=3", 306706, 27),
]


def command(heddle, row):
    _, program, flags, _, _ = row
    return [heddle, "check", "--json", "--disable", "race",
            str(PROGRAMS / program), "--", *flags.split()]


def measure(heddle, row, runs):
    """The answer of heddle and the CPU seconds of the best run."""
    best = None
    for _ in range(runs):
        process = subprocess.Popen(command(heddle, row), text=True,
                                   stdout=subprocess.PIPE)
        answer = json.loads(process.stdout.read())
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = usage.ru_utime + usage.ru_stime
        best = seconds if best is None else min(best, seconds)
    return answer, best


def instructions(heddle, row):
    """Instructions of a whole run; None when nothing here can count them."""
    if shutil.which("perf"):
        result = subprocess.run(
            ["perf", "stat", "-x,", "-e", "instructions:u",
             *command(heddle, row)], capture_output=True, text=True)
        match = re.search(r"^(\d+),", result.stderr, re.M)
        if match:
            return int(match.group(1))
    if shutil.which("valgrind"):
        result = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             *command(heddle, row)], capture_output=True, text=True)
        match = re.search(r"Collected : (\d+)", result.stderr)
        if match:
            return int(match.group(1))
    return None


def bench(heddle, row, chosen):
    """All numbers of a row as a dictionary."""
    name, _, _, expected, peer = row
    answer, seconds = measure(heddle, row, chosen.runs)
    executions = answer["executions"]
    result = {
        "name": name, "executions": executions, "blocked": answer["blocked"],
        "seconds": seconds, "per_second": executions / seconds,
        "microseconds": 1e6 * seconds / max(executions, 1),
        "goal": peer / 10, "max_rss_kb": answer["max_rss_kb"],
        "is_right": executions == expected and answer["verdict"] == "ok",
    }
    if chosen.instructions:
        count = instructions(heddle, row)
        result["instructions"] = count and count / max(executions, 1)
    return result


def print_row(r):
    extra = ""
    if r.get("instructions"):
        extra = f" {r['instructions']:>10,.0f}"
    print(f"{r['name']:<21} {r['executions']:>10,} {r['blocked']:>8,} "
          f"{r['seconds']:>8.3f} {r['per_second']:>11,.0f} "
          f"{r['microseconds']:>8.3f} {r['goal']:>6.2f} "
          f"{10 * r['goal'] / r['microseconds']:>6.1f} "
          f"{r['max_rss_kb'] / 1024:>7.1f}{extra}"
          f"{'' if r['is_right'] else '  WRONG COUNT'}", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--json", action="store_true")
    options.add_argument("--instructions", action="store_true")
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--runs", type=int, default=3)
    chosen = options.parse_args()
    rows = [row for row in ROWS if chosen.only in row[0]]
    if not rows:
        sys.exit(f"bench: no row is called `{chosen.only}`")
    if not chosen.json:
        print(f"{'program (rc11)':<21} {'executions':>10} {'blocked':>8} "
              f"{'CPU s':>8} {'exec/s':>11} {'us/exec':>8} {'goal':>6} "
              f"{'x':>6} {'MB':>7}"
              + (f" {'instr/exec':>10}" if chosen.instructions else ""))
    results = []
    with tempfile.TemporaryDirectory() as cache:
        os.environ["HEDDLE_CACHE"] = cache
        for row in rows:
            results.append(bench(chosen.heddle, row, chosen))
            if not chosen.json:
                print_row(results[-1])
    if chosen.json:
        print(json.dumps(results, indent=2))
    sys.exit(0 if all(r["is_right"] for r in results) else 1)


if __name__ == "__main__":
    main()
