#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Litmus tests that say in a comment how often their outcome is seen (Result:
Never), and may say what the model flags (Flags: data-race): one line of TAP for
each. `known.py HEDDLE FOLDER`."""
import json
import re
import subprocess
import sys
from pathlib import Path

RESULT = re.compile(r"Result: (\w+)")
FLAGS = re.compile(r"Flags:\s+([\w -]+?)\.? *\*\)")  # none: there are none


def main():
    heddle, folder = sys.argv[1:]
    run = subprocess.run([heddle, "litmus", "--json", folder],
                         capture_output=True, text=True, timeout=300)
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    files = sorted(Path(folder).rglob("*.litmus"))
    failed = len(answers) != len(files) or not files
    if failed:
        print(f"# {len(answers)} answers to {len(files)} files", run.stderr)
    for number, answer in enumerate(answers, 1):
        text = Path(answer["file"]).read_text()
        want = RESULT.search(text).group(1)
        got = answer.get("observation", answer.get("error"))
        flags = FLAGS.search(text)
        raised = " ".join(sorted(answer.get("flags", []))) or "none"
        if flags and " ".join(sorted(flags.group(1).split())) != raised:
            got = f"flags {answer['flags']}"
        if got != want:
            print(f"# {got}, expected {want}")
        failed |= got != want
        print("ok" if got == want else "not ok", number, "-", answer["name"])
    print(f"1..{len(answers)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
