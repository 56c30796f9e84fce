#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What makes Heddle explore less must find what is wrong all the same. TAP.

    tests/random/reductions.py build/heddle [--seeds N] [--first K] [--daily N]
                               [--models M,M] [--family locks|readers]

Each seed is a program with threads that are alike (locks.py), or of readers and
writers of the same data (readers.py), under one model.
All errors, by kind and line, must be the same as without any reduction: by
default, with --jobs, without symmetry, with --equivalence rf. As many executions
must be stood for with symmetry as are explored without it, with and without co,
and as many with --jobs as without. A failing program is kept; its path is in the
output.
"""
import argparse
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import locks
import readers
import tap

FAMILIES = {"locks": locks, "readers": readers}
MODELS = ["rc11", "sc", "tso", "imm", "ra", "armv8", "pso"]
WITHOUT_CO = ["sc", "tso", "pso", "ra", "rc11"]
LIMITS = ["--all-errors", "--max-executions", "4000", "--max-time", "5"]
# A livelock is told by rounds that reductions may leave out. Nothing is
# explored behind a race, so every other program may have them.
IGNORED = ["livelock", "livelock,race"]
PLACELESS = ["hang", "deadlock", "race"]
NO_REDUCTION = ["--symmetry", "off"]
TIMEOUT = 60


class Wrong(Exception):
    pass


def check(heddle, model, path, options):
    """The report, or None if a limit was hit."""
    ignored = IGNORED[int(path.stem) % len(IGNORED)]
    command = [heddle, "check", "--json", "--model", model, *LIMITS,
               "--disable", ignored, *options, str(path)]
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
    return None if report["limit"] else report


def errors(report):
    """Which thread hangs, where a circle begins, and which of several accesses
    is told that race with one, is not the same."""
    return {(e["kind"], 0 if e["kind"] in PLACELESS else e["line"])
            for e in report["errors"] + report["warnings"]}


def compare(heddle, model, path, spins):
    """A summary; None if there are too many executions to know."""
    rounds = [] if spins else ["--explore-retries"]
    base = check(heddle, model, path, [*NO_REDUCTION, *rounds])
    if base is None:
        return None
    symmetry = ["--reduce", "symmetry"]
    ways = [symmetry, [*symmetry, "--jobs", "2"], []]
    if model in WITHOUT_CO:
        rf = ["--equivalence", "rf"]
        ways += [[*rf, *symmetry], [*rf, *NO_REDUCTION, "--jobs", "2"]]
    reports = []
    for options in ways:
        said = " ".join(options) or "by default"
        report = check(heddle, model, path, options)
        if report is None and "rf" in options:
            continue  # more rounds of loops are explored
        if report is None:
            raise Wrong(f"{said}: a limit is hit\n{path}")
        if errors(report) != errors(base):
            raise Wrong(f"{model}, {said}: missing "
                        f"{errors(base) - errors(report)}, extra "
                        f"{errors(report) - errors(base)}\n{path}")
        reports.append(report)
    counts = [report["stands_for"] for report in reports]
    if not errors(base) and not counts[0] == counts[1] == counts[2]:
        raise Wrong(f"{model}: {counts[0]} executions, {counts[1]} with "
                    f"--jobs, {counts[2]} without symmetry\n{path}")
    if not errors(base) and len(counts) == 5 and counts[3] != counts[4]:
        raise Wrong(f"{model}: {counts[3]} executions up to co, {counts[4]} "
                    f"without symmetry and with --jobs\n{path}")
    return (f"{model} {len(errors(base))} errors, {base['executions']} "
            f"executions, {reports[0]['executions']} explored")


def run_seed(heddle, models, family, seed, work):
    """(summary, None) or (model, error) for one seed."""
    model = models[seed // 2 % len(models)]
    path = work / f"{seed}.c"
    text, spins = FAMILIES[family].generate(seed)
    path.write_text(text)
    try:
        said = compare(heddle, model, path, spins)
    except (Wrong, ValueError, KeyError) as e:
        return model, e
    path.unlink()
    return said or f"{model} too many executions", None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--seeds", type=int, default=24, metavar="N")
    options.add_argument("--first", type=int, default=0, metavar="K")
    options.add_argument("--daily", type=int, default=0, metavar="N",
                         help="N seeds more that differ from day to day")
    options.add_argument("--models", default=",".join(MODELS))
    options.add_argument("--family", default="locks", choices=FAMILIES)
    options.add_argument("--work", type=Path, default="/tmp/heddle-reductions",
                         help="folder for the programs")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    seeds = tap.seeds(chosen.first, chosen.seeds, chosen.daily, 1000)
    tap.campaign(lambda seed: run_seed(
        chosen.heddle, chosen.models.split(","), chosen.family, seed,
        chosen.work), seeds, chosen.jobs)


if __name__ == "__main__":
    main()
