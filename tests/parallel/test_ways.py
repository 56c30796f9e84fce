#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All ways to share or interrupt a search have the answer of one process. TAP.

    tests/parallel/test_ways.py build/heddle [--seeds N] [--first K] [--daily N]

Each seed is a random program (tests/random: locks, readers, anything, or loads
that may be buffered) under one model, with all errors or the first one. Ways: 2, 3 and 5 jobs; 2 or 3
ranks; parts, in any order, some of them interrupted; a checkpoint that several
runs, of threads or ranks, go on from after random times. Verdict, counts,
findings, and the execution that is reported, must be the same. A failing
program is kept; its path is in the output.
"""
import argparse
import json
import os
import random
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
for folder in (TESTS, TESTS / "parallel", TESTS / "random"):
    sys.path.insert(0, str(folder))
import buffered
import gen
import locks
import mpi
import readers
import tap

MODELS = ["rc11", "sc", "tso", "imm", "ra", "armv8", "pso", "c11", "xmm",
          "lkmm"]
BUFFERING = ["xmm", "lkmm", "imm", "xmm", "c11"]
LIMIT = 2  # seconds: more is not compared
ENOUGH = 500  # executions: something to share
TRIES = 6
TIMEOUT = 300


class Wrong(Exception):
    pass


def program(kind, seed):
    if kind >= 2:
        return (buffered if kind == 3 else gen).generate(seed)
    return (readers if kind else locks).generate(seed)[0]


class Case:
    """A program and how it is checked."""

    def __init__(self, heddle, seed, work):
        self.heddle = heddle
        self.dice = random.Random(seed)
        self.path = work / f"{seed}.c"
        self.kind, self.seed = seed % 4, seed * TRIES
        models = BUFFERING if self.kind == 3 else MODELS
        self.options = [f"--model={models[seed // 4 % len(models)]}"]
        self.is_first = self.dice.random() < 0.5
        if not self.is_first:
            self.options.append("--all-errors")
        self.has_mpi = not mpi.missing(heddle)

    def choose(self):
        """The report on the first program that has enough to share, cores to
        begin with, say, or on the last one."""
        for seed in range(self.seed, self.seed + TRIES):
            self.path.write_text(program(self.kind, seed))
            base = self.check(f"--max-time={LIMIT}")
            size = base["executions"] + base["blocked"]
            if not base["limit"] and (
                    size >= ENOUGH or base["stats"].get("cores")):
                break
        return base

    def run(self, *words, ranks=0):
        command = [self.heddle, *words]
        if ranks:
            command = mpi.command(ranks, *command)
        try:
            run = subprocess.run(command, capture_output=True, text=True,
                                 timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            raise Wrong("no answer: " + shlex.join(command)) from None
        if run.returncode not in (0, 1, 3):
            raise Wrong(f"exit code {run.returncode}: {shlex.join(command)}\n"
                        + run.stdout[-500:] + run.stderr[-2000:])
        return run.stdout

    def check(self, *words, ranks=0):
        return self.report(self.run(
            "check", "--json", "--stats", *self.options, *words,
            *(["--mpi"] if ranks else []), str(self.path), ranks=ranks))

    @staticmethod
    def report(text):
        if "{" not in text:
            raise Wrong(f"no report: {text}")
        return json.loads(text[text.index("{"):text.rindex("}") + 1])

    def key(self, report):
        # Which of several threads is told that race with one is not the same.
        found = sorted((e["kind"], e["line"])
                       for e in report["errors"] + report["warnings"])
        if report["verdict"] == "error" and self.is_first:
            # How far others have come by then is not the same.
            errors = [(e["kind"], e["line"]) for e in report["errors"]]
            return report["verdict"], errors, report["replay"]
        stats = report["stats"]
        # See searches.key.
        added = None if stats.get("cores") else stats["events_added"]
        return (report["verdict"], report["limit"], report["executions"],
                report["stands_for"], report["blocked"], added,
                stats["revisits"], stats.get("cores"),
                stats["largest_execution"], found)


def in_parts(case, at):
    """split, run, merge."""
    n = case.dice.choice([1, 2, 3, 5, 8])
    learned = []
    for attempt in range(4):
        into = f"{at}/part{attempt}"
        said = case.run("split", f"-n{n}", f"--into={into}", "--stats",
                        "--json", *learned, *case.options, str(case.path))
        files = [f"{into}.{i + 1}" for i in range(n)]
        if not os.path.exists(files[0]):
            return case.report(said)  # it was over before
        case.dice.shuffle(files)
        for file in files:
            if case.dice.random() < 0.3:
                case.run("run", "-q", "--max-time=0.0001", file)
            case.run("run", "-q", f"-j{case.dice.choice([1, 1, 2])}", file)
        report = case.report(case.run("merge", "--json", "--stats", *files))
        if "--learned" not in (report["limit"] or ""):
            return report
        learned += [f"--learned={file}" for file in files]
    raise Wrong("parts go on learning")


def in_runs(case, at):
    """--checkpoint, --resume."""
    file = f"{at}/checkpoint"
    for last in [False] * case.dice.randrange(1, 5) + [True]:
        words = [f"--checkpoint={file}",
                 f"--checkpoint-every={case.dice.choice([0.001, 0.01, 60])}"]
        if os.path.exists(file):
            words.append(f"--resume={file}")
        if not last:
            words.append(f"--max-time={case.dice.uniform(0.0001, 0.05)}")
        ranks = case.dice.choice([0, 0, 2, 3]) if case.has_mpi else 0
        report = case.check(*words, f"-j{case.dice.choice([1, 2, 3])}",
                            ranks=ranks)
    return report


def compare(case):
    """A summary; None if there are too many executions to know."""
    base = case.choose()
    if base["limit"] and base["limit"] != "vacuous":
        return None
    ways = {f"{n} jobs": lambda n=n: case.check(f"-j{n}") for n in (2, 3, 5)}
    if case.has_mpi:
        n = 2 + case.seed // TRIES % 2
        ways[f"{n} ranks"] = lambda: case.check(ranks=n)
    with tempfile.TemporaryDirectory(prefix="heddle-ways-") as at:
        ways["parts"] = lambda: in_parts(case, at)
        ways["runs"] = lambda: in_runs(case, at)
        for name, way in ways.items():
            got = case.key(way())
            if got != case.key(base):
                raise Wrong(f"{name}: {got}\none process: {case.key(base)}\n"
                            f"{shlex.join(case.options)} {case.path}")
    return (f"{base['verdict']} {base['executions']} executions, "
            f"{base['blocked']} blocked, {len(base['errors'])} errors")


def run_seed(heddle, seed, work):
    """(summary, None) or (model, error) for one seed."""
    case = Case(heddle, seed, work)
    try:
        said = compare(case)
    except (Wrong, ValueError, KeyError) as e:
        return case.options[0], e
    case.path.unlink()
    return said or "a limit was hit", None


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--seeds", type=int, default=12, metavar="N")
    options.add_argument("--first", type=int, default=0, metavar="K")
    options.add_argument("--daily", type=int, default=0, metavar="N",
                         help="N seeds more that differ from day to day")
    options.add_argument("--work", type=Path, default="/tmp/heddle-ways",
                         help="folder for the programs")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    chosen.work.mkdir(parents=True, exist_ok=True)
    heddle = str(Path(chosen.heddle).resolve())
    tap.campaign(lambda seed: run_seed(heddle, seed, chosen.work),
                 tap.seeds(chosen.first, chosen.seeds, chosen.daily, 1000),
                 chosen.jobs)


if __name__ == "__main__":
    main()
