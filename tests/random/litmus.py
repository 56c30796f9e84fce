#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random litmus tests of all languages (litmus_tests.py), many at a time.
`heddle litmus` must answer the same by the model's text alone and without its
reductions; a thread that waits for a value must see what one sees that ends
where it sees another (where branches order all that follows: in the kernel's
model only what they guard, so it may see more); and a damaged test must get an
answer, or an error with its line. Prints TAP; each failure has its seed.

    litmus.py HEDDLE [--seeds N] [--first SEED] [--daily N] [--work FOLDER]
"""
import json
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import tap  # noqa: E402
from litmus_tests import LANGUAGES, LKMM, Test, damaged  # noqa: E402

TESTS = 15  # of each kind, of a seed
WAYS = [["--definition"], ["--without", "all"]]


def answers(options, folder, texts, *more):
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():  # of a seed that failed
        old.unlink()
    for i, text in enumerate(texts):
        (folder / f"{i:02}.litmus").write_text(text)
    done = subprocess.run(
        [options.heddle, "litmus", "--json", "--jobs", "1", "--timeout", "5",
         "--max-executions", "20000", *more, str(folder)],
        capture_output=True, text=True, timeout=300)
    assert done.returncode in (0, 2, 3), f"{done.returncode}: {done.stderr}"
    said = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(said) == len(texts), f"{len(said)} answers: {done.stderr}"
    return said


def states(answer):
    return {json.dumps(s, sort_keys=True) for s in answer["states"]}


def summary(answer):
    return (states(answer), answer["positive"], answer["negative"],
            answer["flags"])


def must_be_answered(said):
    """Whatever is in the test is known; it may take too long."""
    return [f"{a['file']}: {a['error']}" for a in said
            if "error" in a and a.get("verdict") != "incomplete"]


def compare_ways(options, folder, tests):
    texts = [t.text() for t in tests]
    first = answers(options, folder / "plain", texts)
    wrong = must_be_answered(first)
    for way in WAYS:
        for a, b in zip(first, answers(options, folder / "plain", texts, *way)):
            if "error" not in a and "error" not in b and (
                    summary(a) != summary(b)):
                wrong.append(f"{a['file']}: another answer with {way}")
    return wrong


def compare_waits(options, folder, tests):
    tests = [t for t in tests if t.waits]
    if not tests:
        return []
    loops = answers(options, folder / "loops", [t.text("loops") for t in tests])
    ends = answers(options, folder / "ends", [t.text("ends") for t in tests])
    wrong = must_be_answered(loops + ends)
    for a, b in zip(loops, ends):
        if "error" in a or "error" in b:
            continue
        lost, more = states(b) - states(a), states(a) - states(b)
        if lost or (more and tests[0].language is not LKMM):
            wrong.append(f"{a['file']}: lost {lost}, has too many {more}")
    return wrong


def damage(options, folder, r, tests):
    said = answers(options, folder / "damaged",
                   [damaged(r, t.text(r.choice(["plain", "loops"])))
                    for t in tests])
    return [f"{a['file']}: {a['error']}" for a in said if "error" in a and
            a.get("verdict") != "incomplete" and
            (not a["line"] or "internal error" in a["error"])]


def compare(options, seed, folder):
    r = random.Random(seed)
    language = LANGUAGES[seed % len(LANGUAGES)]
    tests = [Test(r, language, 4) for _ in range(TESTS)]
    wrong = (compare_ways(options, folder, tests) +
             compare_waits(options, folder, tests) +
             damage(options, folder, r, tests))
    return language["name"], "\n".join(wrong) or None


if __name__ == "__main__":
    tap.campaign_script(__doc__, compare)
