#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at the bytecode of the programs in shapes/. A program says what must be
in it:

    // shape: FUNCTION OP=COUNT ...     so many instructions of that kind
    // text: FUNCTION TEXT              some instruction has that source text

    shapes.py HEDDLE      prints TAP
"""

import collections
import pathlib
import re
import subprocess
import sys


def functions(dump):
    """For each function the list of (operation, source text)."""
    found, code = {}, None
    for line in dump.splitlines():
        start = re.match(r"function (\S+):", line)
        if start:
            code = found.setdefault(start.group(1), [])
            continue
        insn = re.match(r" *\d+  (\w+)", line)
        if insn and code is not None:
            place = re.search(r"; \S+:\d+(?: (.*))?$", line)
            code.append((insn.group(1), place and place.group(1) or ""))
    return found


def check(expectation, code):
    kind, name, rest = expectation
    if name not in code:
        return f"there is no function {name}"
    if kind == "text":
        texts = {text for _, text in code[name]}
        return None if rest in texts else f"{rest} is not among {sorted(texts)}"
    counts = collections.Counter(op for op, _ in code[name])
    wrong = [f"{op}: {counts[op]}, not {n}"
             for op, n in re.findall(r"(\w+)=(\d+)", rest)
             if counts[op] != int(n)]
    return ", ".join(wrong) or None


def main():
    heddle = sys.argv[1]
    count = failed = 0
    for source in sorted((pathlib.Path(__file__).parent / "shapes").glob("*.c")):
        dump = subprocess.run([heddle, "dump", str(source)], text=True,
                              capture_output=True, check=True).stdout
        code = functions(dump)
        for expectation in re.findall(r"^// (shape|text): (\w+) (.*)$",
                                      source.read_text(), re.M):
            count += 1
            wrong = check(expectation, code)
            failed += wrong is not None
            print(f"{'not ok' if wrong else 'ok'} {count} - {source.stem}: "
                  f"{' '.join(expectation)}")
            if wrong:
                print(f"# {wrong}")
    print(f"1..{count}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
