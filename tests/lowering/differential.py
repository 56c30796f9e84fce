#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each program of programs/, and some random ones, has to print the same, and
exit the same, when the front end and the vm run it as when the host compiles
and runs it. The random ones are correct and their results do not depend on the
order of threads, so Heddle must find nothing and compute, in every execution,
what the host computed. TAP.

    differential.py SEQ HEDDLE [--random N] [--seed FIRST] [PROGRAM...]
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import generate  # noqa: E402
from clang import CLANG  # noqa: E402

COMPILER = [CLANG, "-w", "-O1", "-mcx16", "-pthread"]
LANGUAGE = {".cpp": ["--driver-mode=g++", "-std=gnu++20"]}


def run(command):
    done = subprocess.run(command, capture_output=True, timeout=120)
    return done.returncode, (done.stdout + done.stderr).decode()


def native(source, directory):
    binary = directory / source.stem
    subprocess.run([*COMPILER, *LANGUAGE.get(source.suffix, ["-std=gnu17"]),
                    str(source), "-o", str(binary), "-lm", "-latomic"],
                   check=True)
    return run([str(binary)])


def first_difference(want, got):
    for i, (w, g) in enumerate(zip(want.splitlines(), got.splitlines())):
        if w != g:
            return f"line {i + 1}: {g!r}, not {w!r}"
    return f"{len(got.splitlines())} lines, not {len(want.splitlines())}"


def compare(options, source, directory):
    """What is wrong, as a list of lines."""
    want = native(source, directory)
    got = run([options.sequential, str(source)])
    if want != got:
        return [f"exit code {got[0]}, native {want[0]}",
                first_difference(want[1], got[1])]
    if source.parent == directory:
        values = ",".join(line.split()[-1] + "ul"
                          for line in want[1].splitlines())
        code, said = run([options.heddle, "check", str(source), "--",
                          f"-DEXPECTED={values}"])
        return said.splitlines() if code else []
    return []


def random_programs(directory, first, count):
    for seed in range(first, first + count):
        source = directory / f"random{seed}.c"
        source.write_text(generate.Generator(seed).program())
        yield source


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("sequential")
    parser.add_argument("heddle")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    here = pathlib.Path(__file__).parent
    programs = options.programs or sorted(
        p for p in (here / "programs").iterdir() if p.suffix in (".c", ".cpp", ".ll"))
    count = failed = 0
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        programs += random_programs(directory, options.seed, options.random)
        for source in programs:
            count += 1
            wrong = compare(options, source, directory)
            failed += bool(wrong)
            print(f"{'not ok' if wrong else 'ok'} {count} - {source.stem}")
            for line in wrong:
                print(f"# {line}")
    print(f"1..{count}")
    return 1 if failed or not count else 0


if __name__ == "__main__":
    sys.exit(main())
