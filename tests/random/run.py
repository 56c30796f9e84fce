#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Heddle on random programs (gen.py), in TAP.

    tests/random/run.py build/heddle [--against OTHER] [--seeds N] [--first K]
                        [--daily N]

Each seed is one program under one model. Heddle must have an answer (exit code
0, 1 or 3: no crash, no internal error, no refusal) in time, and it must be a
possible one: a program without errors has none under a stronger model either,
and not more executions. With --against, a second binary (such as one with
sanitizers) must say exactly the same. A failing program is kept; its path is in
the output.
"""
import argparse
import concurrent.futures
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import gen
import tap

# Each model with one that allows less.
STRONGER = {"rc11": "sc", "tso": "sc", "pso": "tso", "ra": "rc11", "sc": None,
            "imm": "rc11", "armv8": "sc"}
LIMITS = ["--max-executions", "400", "--max-events", "5000"]
ANSWERS = {0: "ok", 1: "error", 3: "incomplete"}
VARYING = ["seconds", "max_rss_kb"]  # differ between runs
TIMEOUT = 60  # seconds, for programs that take some milliseconds


class Wrong(Exception):
    pass


def check(heddle, model, path):
    """The report of heddle, without what differs between runs."""
    words = path.read_text().split("\n", 1)[0].split()[2:]  # // run: ...
    end = words.index("--")
    command = [heddle, "check", "--json", "--model", model, *LIMITS,
               *words[:end], str(path), *words[end:]]
    try:
        result = subprocess.run(command, capture_output=True, text=True,
                                timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        raise Wrong(f"no answer in {TIMEOUT} s: "
                    f"{shlex.join(command)}") from None
    verdict = ANSWERS.get(result.returncode)
    if verdict is None:
        raise Wrong(f"exit code {result.returncode}: {shlex.join(command)}\n"
                    + result.stderr[-3000:])
    report = json.loads(result.stdout)
    if report["verdict"] != verdict:
        raise Wrong(f"verdict {report['verdict']} with exit code "
                    f"{result.returncode}: {shlex.join(command)}")
    for member in VARYING:
        report.pop(member, None)
    return report


def summary(report):
    kinds = [error["kind"] for error in report["errors"]]
    return " ".join([report["model"], report["verdict"], *kinds,
                     str(report["executions"]), str(report["blocked"])])


def compare(heddle, other, model, path):
    """Checks one program in every way; a summary of the answer."""
    report = check(heddle, model, path)
    if other:
        its = check(other, model, path)
        if its != report:
            raise Wrong(f"{summary(report)}, but {other}: {summary(its)}\n"
                        f"{path}")
    stronger = STRONGER[model]
    if report["verdict"] == "ok" and stronger:
        less = check(heddle, stronger, path)
        # Every execution of the stronger model may be blocked.
        if ((less["verdict"] != "ok" and less["limit"] != "vacuous")
                or less["executions"] > report["executions"]):
            raise Wrong(f"{summary(report)}, but {summary(less)}\n{path}")
    return summary(report)


def run_seed(heddle, other, seed, work):
    """(summary, None) or (model, error) for one seed."""
    model = list(STRONGER)[seed % len(STRONGER)]
    path = work / f"{seed}.c"
    path.write_text(gen.generate(seed))
    try:
        said = compare(heddle, other, model, path)
    except (Wrong, ValueError, KeyError) as e:
        return model, e
    path.unlink()
    return said, None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--against", metavar="OTHER",
                         help="a second binary that must say the same")
    options.add_argument("--seeds", type=int, default=100, metavar="N")
    options.add_argument("--first", type=int, default=0, metavar="K")
    options.add_argument("--daily", type=int, default=0, metavar="N",
                         help="N seeds more that differ from day to day")
    options.add_argument("--work", type=Path, default="/tmp/heddle-random",
                         help="folder for the programs")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    if chosen.against and not Path(chosen.against).exists():
        tap.report(1, "all seeds", skip=f"no {chosen.against} to compare with")
        print("1..1")
        return
    chosen.work.mkdir(parents=True, exist_ok=True)
    day = int(os.environ.get("HEDDLE_DAY", time.time() // 86400))
    seeds = [*range(chosen.first, chosen.first + chosen.seeds),
             *range(day * 1000, day * 1000 + chosen.daily)]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        results = pool.map(lambda seed: run_seed(
            chosen.heddle, chosen.against, seed, chosen.work), seeds)
        for number, (seed, (said, error)) in enumerate(zip(seeds, results), 1):
            failed += error is not None
            tap.report(number, f"seed {seed}: {said}", error=error)
    print(f"1..{len(seeds)}")
    sys.exit(1 if failed or not seeds else 0)


if __name__ == "__main__":
    main()
