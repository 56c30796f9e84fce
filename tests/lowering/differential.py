#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each program of programs/ has to print the same, and exit the same, when the
front end and the vm run it as when the host compiles and runs it. TAP."""

import pathlib
import subprocess
import sys
import tempfile

COMPILER = ["clang-19", "-w", "-std=gnu17", "-O1", "-mcx16", "-pthread"]


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).decode()


def native(source, directory):
    binary = pathlib.Path(directory) / source.stem
    command = [*COMPILER, str(source), "-o", str(binary)]
    subprocess.run([*command, "-lm"], check=True)
    return run([str(binary)])


def first_difference(want, got):
    for i, (w, g) in enumerate(zip(want.splitlines(), got.splitlines())):
        if w != g:
            return f"line {i + 1}: {g!r}, not {w!r}"
    return f"{len(got.splitlines())} lines, not {len(want.splitlines())}"


def main():
    sequential, *names = sys.argv[1:]
    here = pathlib.Path(__file__).parent
    programs = [pathlib.Path(n) for n in names] or sorted(
        (here / "programs").glob("*.c"))
    failed = not programs
    with tempfile.TemporaryDirectory() as directory:
        for n, source in enumerate(programs, 1):
            want, got = native(source, directory), run([sequential, str(source)])
            good = want == got
            failed |= not good
            print(f"{'ok' if good else 'not ok'} {n} - {source.stem}")
            if not good:
                print(f"# exit code {got[0]}, native {want[0]}")
                print(f"# {first_difference(want[1], got[1])}")
    print(f"1..{len(programs)}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
