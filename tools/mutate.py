#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Do the tests notice wrong changes? Makes each change of mutations.txt, one at
a time, in a copy of the tree, and runs the suites until one fails.

    tools/mutate.py [--only WORD] [--suites unit,prop,litmus,programs] [--seeds N]
    tools/mutate.py --tests prop/test_findings,unit/test_graph [--seeds N]
                                # only these test programs: minutes, not hours
    tools/mutate.py --check     # is the text of each change there? (a test)

A change that no suite notices is a gap in the tests, or code that makes no
difference. A change whose text is not in the code any more is an error here:
mend the list. The last line is `N noticed, N not noticed, N stale`; exit code 1
unless all were noticed. mutations.txt says what each one is; its results of the
last run are in docs/mutations.md. One run takes hours: it is not part of CI.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = Path(__file__).resolve().parent / "mutations.txt"
ENTRY = re.compile(r"^@ (\S+) (\S+) (.*)\n((?:-.*\n)+)((?:\+.*\n)*)", re.M)


def read_list(text):
    """(name, file, what, old text, new text) of each change."""
    changes = []
    for name, file, what, old, new in ENTRY.findall(text):
        lines = [re.sub(r"^[-+] ?", "", l) for l in old.splitlines()]
        news = [re.sub(r"^[-+] ?", "", l) for l in new.splitlines()]
        changes.append((name, file, what, "\n".join(lines), "\n".join(news)))
    return changes


def stale_changes(tree, text):
    """What is wrong with the list, as lines."""
    changes, wrong = read_list(text), []
    if len(changes) != len(re.findall(r"^@", text, re.M)):
        wrong.append("an entry is not `@ NAME FILE what`, `-` lines, `+` lines")
    names = [c[0] for c in changes]
    wrong += [f"{n}: the name is there twice"
              for n in sorted(set(names)) if names.count(n) > 1]
    for name, file, _, old, new in changes:
        path = tree / file
        found = path.read_text().count(old) if path.exists() else 0
        if found != 1:
            wrong.append(f"{name}: its text is {found} times in {file}")
        elif old == new:
            wrong.append(f"{name}: changes nothing")
    return wrong


def run(command, folder, seconds, **more):
    """The exit code; a hang counts as a failure."""
    try:
        return subprocess.run(command, cwd=folder, capture_output=True,
                              timeout=seconds, **more).returncode
    except subprocess.TimeoutExpired:
        return -1


def who_notices(tree, suites, tests, seeds):
    """The first suite that fails, 'build' if it does not build, or None."""
    targets = [f"tests/{t}" for t in tests]
    if run(["ninja", "-C", "build", *targets], tree, 1800):
        return "build"
    environment = {**os.environ, "HEDDLE_SEEDS": str(seeds),
                   "HEDDLE_CACHE": str(ROOT / "build" / "test-cache")}
    for test in targets:
        if run([tree / "build" / test], tree / "build", 1200, env=environment):
            return test
    for suite in [] if tests else suites:
        if run(["meson", "test", "-C", "build", "--no-rebuild", "--suite",
                suite], tree, 3600, env=environment):
            return suite
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="names that contain this")
    parser.add_argument("--suites", default="unit,prop,litmus,programs,cli")
    parser.add_argument("--tests", default="", help="instead of suites")
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--check", action="store_true",
                        help="only look whether the list fits the code (TAP)")
    arguments = parser.parse_args()
    if arguments.check:
        wrong = stale_changes(ROOT, LIST.read_text())
        for line in wrong:
            print(f"# tools/mutations.txt: {line}")
        print(f"{'not ' if wrong else ''}ok 1 - wrong changes fit the code")
        print("1..1")
        sys.exit(1 if wrong else 0)
    counts = {"noticed": 0, "not noticed": 0, "stale": 0}
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "clone", "-q", ROOT, tree], check=True)
        subprocess.run(["meson", "setup", "build",
                        "--buildtype=debugoptimized"], cwd=tree, check=True,
                       stdout=subprocess.DEVNULL)
        tests = [t for t in arguments.tests.split(",") if t]
        if who_notices(tree, [], tests, arguments.seeds):
            sys.exit("the tree does not build as it is")
        for name, file, what, old, new in read_list(LIST.read_text()):
            if arguments.only not in name:
                continue
            path = tree / file
            text = path.read_text() if path.exists() else ""
            start = time.monotonic()
            if text.count(old) != 1:
                result, noticed = "stale", f"the text is there {text.count(old)} times"
            else:
                path.write_text(text.replace(old, new))
                noticed = who_notices(tree, arguments.suites.split(","),
                                      tests, arguments.seeds)
                result = "noticed" if noticed else "not noticed"
                path.write_text(text)
            counts[result] += 1
            print(f"{name:24} {result:12} {noticed or '':10} {what} "
                  f"({time.monotonic() - start:.0f} s)", flush=True)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(0 if counts["noticed"] == sum(counts.values()) else 1)


if __name__ == "__main__":
    main()
