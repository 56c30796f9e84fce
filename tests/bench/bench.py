#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Speed and memory on programs with known execution counts: `make bench`.

    tests/bench/bench.py build/heddle [--only WORD] [--json] [--save]
    tests/bench/bench.py build/heddle --files models [--only WORD]

One line for each size of each family (rows.py). The bitcode is cached before,
and the costs of the smallest size of the family are taken off, so what is
shown is exploring: CPU seconds (best of --runs), microseconds an execution,
nanoseconds an added event, instructions an execution (counted by valgrind at
the size before the largest; --no-instructions leaves them out). `peer` and `x`
compare with the best other checker that we measured. A wrong count is an
error. The last column compares with baseline.json: instructions when both runs
have them, for they do not depend on how busy the machine is, else time.
--save makes this run the baseline.

--files says what models cost that are read from their files, against those
that are built in. What models cost against each other: reach.py.
"""
import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rows import FAMILIES

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
BASELINE = HERE / "baseline.json"
MOVED = {"instructions": 0.02, "microseconds": 0.25}  # less is noise
LEAST_SECONDS = 0.003  # of work, or times are not shown


def command(heddle, family, n, *more):
    return [heddle, "check", "--json", "--stats", "--disable", "race",
            "--symmetry", "off", *more, str(PROGRAMS / family.program), "--",
            *family.flags.format(n=n).split()]


def measure(heddle, family, n, runs):
    """The answer of heddle and the CPU seconds of the best run."""
    subprocess.run(command(heddle, family, n, "--max-executions=1"),
                   stdout=subprocess.DEVNULL)
    best = math.inf
    for _ in range(runs):
        process = subprocess.Popen(command(heddle, family, n), text=True,
                                   stdout=subprocess.PIPE)
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        best = min(best, usage.ru_utime + usage.ru_stime)
    return json.loads(text), best


def instructions(heddle, family, n, *more):
    """Instructions of a whole run."""
    result = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         *command(heddle, family, n, *more)], capture_output=True, text=True)
    match = re.search(r"Collected : (\d+)", result.stderr)
    return int(match.group(1)) if match else math.nan


def bench_size(heddle, family, n, small, runs):
    """The numbers of one size; `small` are answer and time of the smallest."""
    answer, seconds = measure(heddle, family, n, runs)
    executions = answer["executions"] - small[0]["executions"]
    stats, small_stats = answer["stats"], small[0]["stats"]
    events = stats["events_added"] - small_stats["events_added"]
    work = seconds - small[1]
    is_long = work >= LEAST_SECONDS
    last = n == max(family.sizes)
    return {
        "name": f"{family.name}({n})",
        "executions": answer["executions"],
        "blocked": answer["blocked"],
        "seconds": seconds,
        "microseconds": (1e6 * work / executions if is_long and executions
                         else None),
        "peer": family.peer if last else None,
        "events": stats["events_added"] / max(answer["executions"], 1),
        "nanoseconds": 1e9 * work / events if is_long else None,
        "states": stats["states"],
        "interpreted": stats["interpreted_steps"],
        "max_rss_kb": answer["max_rss_kb"],
        "is_right": (answer["executions"] == family.sizes[n]
                     and answer["verdict"] == "ok"),
    }


def bench_family(heddle, family, chosen):
    sizes = sorted(family.sizes)
    small = measure(heddle, family, sizes[0], chosen.runs)
    for n in sizes[1:]:
        row = bench_size(heddle, family, n, small, chosen.runs)
        is_counted = n == sizes[max(1, len(sizes) - 2)]
        if chosen.instructions and is_counted:
            executions = row["executions"] - small[0]["executions"]
            if executions > 0:
                row["instructions"] = (
                    instructions(heddle, family, n)
                    - instructions(heddle, family, sizes[0])) / executions
        yield row


FILES = ["sc", "tso", "rc11", "imm", "armv8"]


def print_files(heddle, families, folder):
    """What models from files cost against those that are built in."""
    total = {}
    print(f"{'program':<18}", *(f"{model:>8}" for model in FILES))

    def print_line(name, cost):
        print(f"{name:<18}",
              *(f"{cost[f'{folder}/{m}.cat'] / cost[m]:8.2f}" for m in FILES),
              flush=True)

    for family in families:
        sizes = sorted(family.sizes)
        n = sizes[max(1, len(sizes) - 2)]
        subprocess.run(command(heddle, family, n, "--max-executions=1"),
                       stdout=subprocess.DEVNULL)
        cost = {}
        for model in FILES:
            for m in (model, f"{folder}/{model}.cat"):
                cost[m] = (instructions(heddle, family, n, "--model", m)
                           - instructions(heddle, family, sizes[0],
                                          "--model", m))
                total[m] = total.get(m, 0) + cost[m]
        print_line(f"{family.name}({n})", cost)
    print_line("in all", total)


def moved(row, before):
    """How the row differs from the stored run, as text."""
    if not before:
        return "new" if row["is_right"] else ""
    for key in MOVED:
        if row.get(key) and before.get(key):
            change = row[key] / before[key] - 1
            unit = "instr" if key == "instructions" else "time"
            return (f"{100 * change:+.0f}% {unit}"
                    if abs(change) > MOVED[key] else "")
    return ""


def number(value, form):
    width = int(re.match(r">?(\d+)", form).group(1))
    return " " * width if value is None else f"{value:{form}}"


def print_row(r, before):
    ratio = r["peer"] / r["microseconds"] if r["peer"] else None
    print(f"{r['name']:<18}", number(r["executions"], "10,"),
          number(r["blocked"], "7,"), number(r["seconds"], "7.3f"),
          number(r["microseconds"], "9.3f"), number(r["peer"], "6g"),
          number(ratio, "5.1f"), number(r["events"], "7.1f"),
          number(r["nanoseconds"], "6.0f"),
          number(r.get("instructions"), "9,.0f"),
          number(r["max_rss_kb"] / 1024, "5.1f"),
          moved(r, before) + ("" if r["is_right"] else " WRONG COUNT"),
          flush=True)


def print_summary(results):
    ratios = [r["peer"] / r["microseconds"] for r in results if r["peer"]]
    timed = [r for r in results if r["nanoseconds"]]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"against the peer: {min(ratios):.1f} times as fast at least, "
              f"{mean:.1f} times in the geometric mean")
    if timed:
        events = [r["events"] * r["executions"] for r in timed]
        each = [r["nanoseconds"] for r in timed]
        all_of_them = sum(map(math.prod, zip(events, each))) / sum(events)
        print(f"an added event: {all_of_them:.0f} ns over all events, "
              f"{sum(each) / len(each):.0f} ns as the mean of the rows")
    print(f"resident: {max(r['max_rss_kb'] for r in results) / 1024:.1f} MB "
          "at most")


def print_growth(family, rows):
    """How the cost of an event grows from the first size to the last."""
    timed = [r["nanoseconds"] for r in rows if r["nanoseconds"]]
    if len(timed) > 1:
        costs = ", ".join(f"{ns:.0f}" for ns in timed)
        print(f"    ns an event as {family.grows} grows: {costs}")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--json", action="store_true")
    options.add_argument("--save", action="store_true")
    options.add_argument("--no-instructions", dest="instructions",
                         action="store_false")
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--runs", type=int, default=3)
    options.add_argument("--files", metavar="DIR")
    chosen = options.parse_args()
    chosen.instructions &= bool(shutil.which("valgrind"))
    families = [f for f in FAMILIES if chosen.only in f.name]
    if not families:
        sys.exit(f"bench: no family is called `{chosen.only}`")
    if chosen.files:
        if not shutil.which("valgrind"):
            sys.exit("bench: --files counts instructions with valgrind, which "
                     "is not installed")
        print_files(chosen.heddle, families, chosen.files)
        return
    stored = json.loads(BASELINE.read_text()) if BASELINE.exists() else []
    before = {r["name"]: r for r in stored}
    if not chosen.json:
        print(f"{'program (rc11)':<18} executions blocked   CPU s   us/exec "
              "  peer     x events ns/event instr/exec   MB moved")
    results = []
    with tempfile.TemporaryDirectory() as cache:
        os.environ["HEDDLE_CACHE"] = cache
        for family in families:
            rows = list(bench_family(chosen.heddle, family, chosen))
            results += rows
            if not chosen.json:
                for row in rows:
                    print_row(row, before.get(row["name"]))
                print_growth(family, rows)
    if chosen.json:
        print(json.dumps(results, indent=1))
    else:
        print_summary(results)
    if chosen.save:
        BASELINE.write_text(json.dumps(results, indent=1) + "\n")
    sys.exit(0 if all(r["is_right"] for r in results) else 1)


if __name__ == "__main__":
    main()
