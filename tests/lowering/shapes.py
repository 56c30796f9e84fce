#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Looks at the bytecode of the programs in shapes/. A program says what must be
in it:

    // shape: FUNCTION OP=COUNT ...     so many instructions of that kind
    // text: FUNCTION TEXT              some instruction has that source text
    // depends: HOW FUNCTION ...        how its last store depends on its loads:
                                        addr, data, ctrl, or nothing

    shapes.py HEDDLE      prints TAP
"""

import collections
import pathlib
import re
import subprocess
import sys


def functions(dump):
    """For each function the list of (operation, operands, source text)."""
    found, code = {}, None
    for line in dump.splitlines():
        start = re.match(r"function (\S+):", line)
        if start:
            code = found.setdefault(start.group(1), [])
            continue
        insn = re.match(r" *\d+  (\w+) *([^;]*)", line)
        if insn and code is not None:
            place = re.search(r"; \S+:\d+(?: (.*))?$", line)
            code.append((*insn.groups(), place and place.group(1) or ""))
    return found


def dependencies(code):
    """How the last store depends on loads, following registers line by line:
    enough for functions without private memory."""
    loaded, branched, found = set(), set(), set()
    for op, operands, _ in code:
        to, arrow, rest = operands.partition("<-")
        reads = set(re.findall(r"\br\d+\b", rest if arrow else operands))
        if op in ("br", "switch") and reads & loaded:
            branched.add("ctrl")
        elif op == "store":
            address, value = operands.split(",")
            found = branched | ({"addr"} if address in loaded else set())
            found |= {"data"} if value.split()[0] in loaded else set()
        elif arrow and (op.endswith("load") or reads & loaded):
            loaded.add(to.strip())
        elif arrow:
            loaded.discard(to.strip())
    return found


def check(expectation, code):
    kind, name, rest = expectation
    if name not in code:
        return f"there is no function {name}"
    if kind == "depends":
        found = dependencies(code[name]) or {"nothing"}
        return None if rest in found else f"depends by {', '.join(found)}"
    if kind == "text":
        texts = {text for _, _, text in code[name]}
        return None if rest in texts else f"{rest} is not among {sorted(texts)}"
    counts = collections.Counter(op for op, _, _ in code[name])
    wrong = [f"{op}: {counts[op]}, not {n}"
             for op, n in re.findall(r"(\w+)=(\d+)", rest)
             if counts[op] != int(n)]
    return ", ".join(wrong) or None


def expectations(source):
    text = source.read_text()
    yield from re.findall(r"^// (shape|text): (\w+) (.*)$", text, re.M)
    for how, names in re.findall(r"^// depends: (\w+) (.*)$", text, re.M):
        yield from (("depends", name, how) for name in names.split())


def main():
    heddle = sys.argv[1]
    count = failed = 0
    for source in sorted((pathlib.Path(__file__).parent / "shapes").glob("*.c")):
        dump = subprocess.run([heddle, "dump", str(source)], text=True,
                              capture_output=True, check=True).stdout
        code = functions(dump)
        for expectation in expectations(source):
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
