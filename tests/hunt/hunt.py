#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does hunting find what is there? Programs with one planted bug each among
10^4 to 10^10 executions (hunt.h), the same ones without it, and small ones that
are explored whole.

    tests/hunt/hunt.py build/heddle [WORD...]           the tests
    tests/hunt/hunt.py build/heddle --table [WORD...]   docs/performance.md's table

`make test` runs a few of the programs, others each day; with HEDDLE_NIGHTLY set,
or words, there is no such limit.
"""
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import tap

HEDDLE = sys.argv[1]
PROGRAMS = sorted(HERE.glob("*.c"))
SECONDS = 10
A_DAY = 3  # programs


def check(program, *options, flags=()):
    words = [HEDDLE, "check", "--json", "--jobs=1", *options, str(program),
             "--", *flags]
    result = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert result.returncode in (0, 1, 3), result.stderr
    return json.loads(result.stdout)


def is_found(answer):
    return answer["verdict"] == "error"


def is_right(program):
    """Without the bug, and small, the program has no error at all: it is the
    planted one that is found."""
    answer = check(program, flags=("-DRIGHT", "-DSMALL"))
    assert answer["verdict"] == "ok", (program.name, answer)


def is_sampled(program):
    answer = check(program, f"--sample={SECONDS}s", f"--seed={tap.day()}")
    assert is_found(answer), (program.name, answer)


def share_is_estimated(program):
    """Of a program that can be explored whole: about how many executions there
    are, from a tenth of them. The walks do not die on the way."""
    whole = check(program, "--max-time=4", flags=("-DRIGHT",))
    if whole["verdict"] != "ok":
        raise tap.Skip("it is too large to be explored whole")
    right = whole["executions"]
    answer = check(program, f"--sample={right // 10}", f"--seed={tap.day()}",
                   flags=("-DRIGHT",))
    guess = answer["estimate"]["executions"]
    assert right / 3 < guess < 3 * right, (program.name, right, guess)


def of_today():
    if os.environ.get("HEDDLE_NIGHTLY") or sys.argv[2:]:
        return PROGRAMS
    return PROGRAMS[tap.day() % (len(PROGRAMS) // A_DAY)::len(PROGRAMS) // A_DAY]


for program in of_today():
    name = program.stem
    tap.add(f"{name}: the bug is the only one", lambda p=program: is_right(p))
    tap.add(f"{name}: found by sampling", lambda p=program: is_sampled(p))
    tap.add(f"{name}: share", lambda p=program: share_is_estimated(p))


# ---- the table

SEEDS = 3
GIVE_UP = 3  # seconds of CPU, of a search


def runs(answer):
    """Executions that were met until the bug was."""
    if not is_found(answer):
        return "-"
    return f"{answer['executions'] + answer['blocked'] + 1:,}"


def how_many(program):
    answer = check(program, "--sample=1s", flags=("-DRIGHT",))
    exact = len(f"{int(answer['estimate']['executions'])}") - 1
    return f"{answer['estimate']['executions'] / 10 ** exact:.1f}·10^{exact}"


def sampled(program):
    found = [check(program, f"--sample={SECONDS}s", f"--seed={seed}")
             for seed in range(1, SEEDS + 1)]
    if not all(map(is_found, found)):
        return "-"
    drawn = sorted(a["sample"]["executions"] + 1 for a in found)
    return f"{drawn[SEEDS // 2]:,}"


def table(words):
    limit = f"--max-time={GIVE_UP}"
    print("| program | executions | sampling | preemptions | reorderings | "
          "plain search |\n|---|---|---:|---:|---:|---:|")
    for program in PROGRAMS:
        if words and not any(word in program.stem for word in words):
            continue
        print("|", " | ".join((
            program.stem, how_many(program), sampled(program),
            runs(check(program, limit, "--bound=preemptions:0..")),
            runs(check(program, limit, "--bound=reorderings:0..")),
            runs(check(program, limit)))), "|", flush=True)


if __name__ == "__main__" and sys.argv[2:3] == ["--table"]:
    table(sys.argv[3:])
elif __name__ == "__main__":
    tap.main()
