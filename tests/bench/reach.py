#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How far each model reaches: the table of docs/performance.md.

    tests/bench/reach.py build/heddle [--only WORD] [--models A,B] [--save]

A row is a program (rows.py): each family at its second size, and
programs that other models than rc11 have found, or find, hard. A cell is a
model: executions, millions of instructions, and how often those of rc11 they
are. Instructions are counted by valgrind, so they do not depend on how busy the
machine is; those of a check of an empty program under the same model are taken
off. A check that needs more than LIMIT instructions, or that is incomplete, has
not finished: it counts as LIMIT. --save writes the table into the page.
"""
import argparse
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rows import FAMILIES, HARD

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "programs"
PAGE = HERE.parent.parent / "docs" / "performance.md"
BEGIN, END = "<!-- reach: begin -->\n", "<!-- reach: end -->\n"
MODELS = ["rc11", "imm", "armv8", "c11", "xmm", "power"]
LIMIT = 2_000_000_000
SECONDS = 5  # of CPU: no machine of ours needs as long for LIMIT instructions,
SECONDS_COUNTED = 120  # nor as long as this, if they are counted


def rows(word):
    """Names, and what to check."""
    options = ["--disable", "race", "--symmetry", "off"]
    for family in FAMILIES:
        n = sorted(family.sizes)[1]
        yield f"{family.name}({n})", [
            *options, str(PROGRAMS / family.program), "--",
            *family.flags.format(n=n).split()]
    for name, program, flags in HARD:
        yield name, [str(PROGRAMS / program), "--", *flags.split()]


def limit_to(seconds):
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def answer_of(heddle, model, what):
    """What a check says within the time; nothing if it takes longer, or if the
    model does not support the program."""
    run = subprocess.run([heddle, "check", "--json", "--model", model, *what],
                         preexec_fn=lambda: limit_to(SECONDS), text=True,
                         capture_output=True)
    if run.returncode < 0 or "does not support" in run.stderr:
        return None
    if run.returncode not in (0, 1, 3):
        sys.exit(f"reach: {' '.join(what)} under {model}:\n{run.stderr}")
    return json.loads(run.stdout)


def instructions(heddle, model, what):
    """Nothing if that would take too long."""
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
         heddle, "check", "--json", "--model", model, *what],
        preexec_fn=lambda: limit_to(SECONDS_COUNTED), capture_output=True,
        text=True)
    if run.returncode < 0:
        return None
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


def keep_compiled(heddle, model, what):
    """What is compiled, and then lowered, is cached by one run each; and below
    valgrind, where there seems to be another processor, by others."""
    for _ in range(2):
        answer_of(heddle, model, ["--max-executions=1", *what])
        instructions(heddle, model, ["--max-executions=1", *what])


def cell(heddle, model, what, base):
    """Executions as text, and instructions."""
    answer = answer_of(heddle, model, what)
    if answer is None:
        return "-", LIMIT
    if answer["verdict"] == "incomplete":
        return "incomplete", LIMIT
    count = f"{answer['executions']:,}"
    if answer["verdict"] == "error":
        count += " (error)"
    counted = instructions(heddle, model, what)
    if counted is None or counted - base >= LIMIT:
        return "-", LIMIT
    return count, counted - base


def as_text(count, cost, against):
    if cost == LIMIT:
        return f"{count}, ≥ {cost / against:,.0f}"
    return f"{count}, {cost / 1e6:,.1f}, {cost / against:.2f}"


def line(cells):
    return "| " + " | ".join(cells) + " |\n"


def table(heddle, word, models, base):
    """The table as Markdown, which is also printed as it grows."""
    lines = []

    def add(cells):
        lines.append(line(cells))
        print(lines[-1], end="", flush=True)

    costs = []
    add(["program", *models])
    add(["---"] * (len(models) + 1))
    for name, what in rows(word):
        if word not in name:
            continue
        keep_compiled(heddle, models[0], what)
        found = [cell(heddle, m, what, base[m]) for m in models]
        costs.append([cost for _, cost in found])
        count, cost = found[0]
        add([name, f"{count}, {cost / 1e6:,.1f}",
             *(as_text(*f, cost) for f in found[1:])])
    each = list(zip(*costs))
    add(["in all", f"{sum(each[0]) / 1e6:,.0f}",
         *(f"{sum(e) / 1e6:,.0f}, {sum(e) / sum(each[0]):.2f}"
           for e in each[1:])])
    add(["geometric mean of the ratios", "",
         *(f"{mean(a / b for a, b in zip(e, each[0])):.2f}"
           for e in each[1:])])
    add(["not finished", *(f"{sum(c == LIMIT for c in e)} of {len(e)}"
                           for e in each)])
    return "".join(lines)


def mean(ratios):
    logs = [math.log(r) for r in ratios]
    return math.exp(sum(logs) / len(logs))


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("heddle")
    options.add_argument("--only", default="", metavar="WORD")
    options.add_argument("--models", default=",".join(MODELS), metavar="A,B")
    options.add_argument("--save", action="store_true")
    chosen = options.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("reach: instructions are counted with valgrind, which is not "
                 "installed")
    models = chosen.models.split(",")
    if chosen.save and (chosen.only or models != MODELS):
        sys.exit("reach: --save is for the whole table")
    with tempfile.TemporaryDirectory() as cache:
        os.environ["HEDDLE_CACHE"] = cache
        empty = Path(cache) / "empty.c"
        empty.write_text("int main(void) { return 0; }\n")
        base = {}
        for m in models:
            keep_compiled(chosen.heddle, m, [str(empty)])
            base[m] = instructions(chosen.heddle, m, [str(empty)])
        text = table(chosen.heddle, chosen.only, models, base)
    if chosen.save:
        before, rest = PAGE.read_text().split(BEGIN)
        _, after = rest.split(END)
        PAGE.write_text(before + BEGIN + text + END + after)


if __name__ == "__main__":
    main()
