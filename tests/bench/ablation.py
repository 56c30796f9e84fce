#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What each reduction of the search is worth: `make ablation`.

    tests/bench/ablation.py build/heddle [--models M,M] [--only WORD]
                            [--rows NAME,...] [--limit S] [--list]

Each reduction of `heddle doc reductions` is switched off alone (--without), or
on alone if it is off otherwise (--reduce), on the programs of the benchmark
(rows.py, at the size before the largest), the examples, and the programs of the
tests that have no error, libraries among them. A program of which `--without
all` changes nothing is not run with each: no reduction is at work there.

One line for each, in Markdown: the programs whose numbers of complete or
blocked executions change, the mean factor there (geometric; of executions that
are explored, complete and blocked ones together), the programs that change only
in the events that are added, those that do not end in time any more (in
brackets: that end only without it), and the mean factor of CPU time over
programs that take 50 ms with or without it, loading not counted. --list names
the programs. A different verdict is an error.
"""
import argparse
import concurrent.futures
import dataclasses
import json
import math
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "litmus")]
import run as cases_of
from rows import FAMILIES

FOLDERS = ["examples", "tests/programs"]
# Where the language and the reports are tested, not the search.
NOT_IN = ("/language/", "/languages/", "/mistakes/", "/errors/", "/verdicts/")
# What says itself how much is explored.
OPTIONS = ("--reduce", "--without", "--max-", "--explore-", "--symmetry",
           "--equivalence", "--jobs", "--unroll", "--definition")
LEAST_SECONDS = 0.05
TIMED_OUT = 124  # says timeout(1)
REFUSED = 2  # some reductions are not for every model
GIVE_UP = 3  # times the limit, for what does not look at the clock


@dataclasses.dataclass
class Program:
    title: str
    model: str
    command: list  # after `heddle check`, without the options of this script
    flags: list


@dataclasses.dataclass
class Answer:
    verdict: str  # "time": it has not ended
    executions: int = 0
    blocked: int = 0
    events: int = 0
    seconds: float = 0

    def explored(self):
        return self.executions + self.blocked


def suits(case, models):
    return (case.model in models and case.verdict == "ok" and not case.is_big
            and not any(word in str(case.path) for word in NOT_IN)
            and not any(a.startswith(OPTIONS) for a in case.args))


def programs_of_tests(models):
    """Of each file the first run, and the one with most executions."""
    for file, title in cases_of.expand([str(ROOT / f) for f in FOLDERS], None):
        cases = [c for c in cases_of.read_cases(file, title)
                 if suits(c, models)]
        for model in models:
            own = [c for c in cases if c.model == model]
            for case in own[:1] + sorted(own[1:],
                                         key=lambda c: -(c.count or 0))[:1]:
                yield Program(case.title, case.model,
                              [*case.args, str(case.path), *case.files],
                              case.flags)


def programs_of_bench(models):
    for family in FAMILIES:
        n = sorted(family.sizes)[-2]
        for model in models:
            yield Program(f"{family.name}({n})", model,
                          ["--disable", "race",
                           str(HERE.parent / "programs" / family.program)],
                          family.flags.format(n=n).split())


def reductions(heddle):
    """(name, is on by default) of each that can be switched."""
    text = subprocess.run([heddle, "doc", "reductions"], capture_output=True,
                          text=True, check=True).stdout
    rows = re.findall(r"^\| `([\w-]+)` \| (on|off) \|", text, re.M)
    return [(name, when == "on") for name, when in rows]


def check(is_so, why):
    if not is_so:
        print(f"ablation: {why}", file=sys.stderr)
        os._exit(2)


def ask(heddle, limit, program, *options):
    command = [heddle, "check", "--json", "--stats", "--model", program.model,
               f"--max-time={limit}", "--max-memory=1000", *options,
               *program.command, "--", *program.flags]
    process = subprocess.Popen(
        ["timeout", str(GIVE_UP * limit + 20), "nice", *command], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    text = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode == TIMED_OUT:
        return Answer("time")
    if process.returncode == REFUSED and "--reduce" in options:
        return Answer("refused")
    check(process.returncode in (0, 1, 3), shlex.join(command))
    said = json.loads(text)
    if said["limit"] and said["verdict"] == "incomplete":
        return Answer("time")
    return Answer(said["verdict"], said["executions"], said["blocked"],
                  said["stats"]["events_added"],
                  usage.ru_utime + usage.ru_stime)


def mean(factors):
    return math.exp(sum(map(math.log, factors)) / len(factors))


def shown(factors):
    return f"{mean(factors):.2f}" if factors else "–"


@dataclasses.dataclass
class Row:
    name: str
    is_on: bool
    changed: list  # (factor, program)
    events: list  # of programs in which no more changes
    lost: list  # that do not end without it,
    won: list  # or only without it
    cpu: list  # (factor, program)
    wrong: list


def compare(name, is_on, programs, base, other):
    """`other`: the answers without it, or with it if it is off otherwise."""
    row = Row(name, is_on, [], [], [], [], [], [])
    for p, b, o in zip(programs, base, other):
        have, lack = (b, o) if is_on else (o, b)
        if "refused" in (have.verdict, lack.verdict):
            continue
        if "time" in (have.verdict, lack.verdict):
            if have.verdict != "time":
                row.lost.append(p)
            elif lack.verdict != "time":
                row.won.append(p)
            continue
        if have.verdict != lack.verdict:
            row.wrong.append((p, have.verdict, lack.verdict))
            continue
        if (have.executions, have.blocked) != (lack.executions, lack.blocked):
            row.changed.append(((lack.explored() or 1) /
                                (have.explored() or 1), p))
        elif have.events != lack.events:
            row.events.append(((lack.events or 1) / (have.events or 1), p))
        if max(have.seconds, lack.seconds) > LEAST_SECONDS:
            row.cpu.append((lack.seconds / have.seconds, p))
    return row


def print_row(row):
    won = f" (+{len(row.won)})" if row.won else ""
    events = (f"{len(row.events)} ({shown([f for f, _ in row.events])})"
              if row.events else "0")
    print(f"| `{row.name}`{'' if row.is_on else ', off'} | {len(row.changed)} "
          f"| {shown([f for f, _ in row.changed])} | {events} "
          f"| {len(row.lost)}{won} | {shown([f for f, _ in row.cpu])} |")


def list_row(row):
    for what, programs in (("changes", row.changed), ("events", row.events)):
        for factor, p in sorted(programs, key=lambda r: -abs(math.log(r[0]))):
            print(f"  {row.name} {what} {factor:.2f} {p.title} [{p.model}]")
    for what, programs in (("needed", row.lost), ("hinders", row.won)):
        for p in programs:
            print(f"  {row.name} {what} {p.title} [{p.model}]")
    for factor, p in row.cpu:
        if not 0.8 < factor < 1.25:
            print(f"  {row.name} cpu {factor:.2f} {p.title} [{p.model}]")


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--models", default="rc11,imm")
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--rows", default="", metavar="NAME,...")
    options.add_argument("--limit", type=float, default=5, metavar="S")
    options.add_argument("--list", action="store_true")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    chosen = options.parse_args()
    models = chosen.models.split(",")
    programs = [p for p in [*programs_of_bench(models),
                            *programs_of_tests(models)]
                if chosen.only in p.title]
    names = [r for r in reductions(chosen.heddle)
             if not chosen.rows or r[0] in chosen.rows.split(",")]
    is_wrong = False
    with concurrent.futures.ThreadPoolExecutor(chosen.jobs) as pool:
        def ask_all(some, *options):
            return list(pool.map(lambda p: ask(chosen.heddle, chosen.limit, p,
                                               *options), some))

        ask_all(programs, "--max-executions=1")  # what they compile to is kept
        base = ask_all(programs)
        bare = ask_all(programs, "--without", "all")
        unlike = [i for i, (b, o) in enumerate(zip(base, bare))
                  if (b.verdict, b.executions, b.blocked, b.events) !=
                  (o.verdict, o.executions, o.blocked, o.events)]
        ended = sum(b.verdict != "time" for b in base)
        print(f"{len(programs)} programs under {' and '.join(models)}, of which "
              f"{ended} end within {chosen.limit:g} s; in {len(unlike)} "
              "some reduction is at work.\n")
        print("| off | programs whose counts change | factor there | only events"
              " change (factor) | no longer end | CPU |\n|---|---|---|---|---|---|")
        rows = []
        for name, is_on in names:
            which = unlike if is_on else range(len(programs))
            some = [programs[i] for i in which]
            other = ask_all(some, "--without" if is_on else "--reduce", name)
            rows.append(compare(name, is_on, some, [base[i] for i in which],
                                other))
            print_row(rows[-1])
            sys.stdout.flush()
        print_row(compare("all", True, programs, base, bare))
    for row in rows:
        if chosen.list:
            list_row(row)
        for p, have, lack in row.wrong:
            is_wrong = True
            print(f"{row.name}: {p.title} [{p.model}] is {have} with it, {lack} "
                  "without")
    sys.exit(1 if is_wrong else 0)


if __name__ == "__main__":
    main()
