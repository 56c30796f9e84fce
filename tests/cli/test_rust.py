#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rust from the outside: which rustc is taken and which is refused; and the
programs of tests/programs/rust. They are skipped only where there is no rustc
whose LLVM is not newer than Heddle's, which is found out here and not by asking
Heddle: one that cannot check an empty main fails.

    tests/cli/test_rust.py build/heddle [WORD...]
"""
import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import HEDDLE, WORK, heddle, says, write
from tap import test

TESTS = Path(__file__).resolve().parent.parent
EMPTY = "fn main() {}\n"


@test
def a_newer_llvm_is_refused_with_what_to_do():
    fake = WORK / "rustc-of-tomorrow"
    fake.write_text("#!/bin/sh\necho 'LLVM version: 99.1.0'\n")
    fake.chmod(0o755)
    says(heddle("check", write("empty.rs", EMPTY), code=2,
                HEDDLE_RUSTC=str(fake)), "LLVM 99", "HEDDLE_RUSTC")


@test
def without_rustc_it_is_asked_for():
    says(heddle("check", write("empty.rs", EMPTY), code=2,
                HEDDLE_RUSTC="/nowhere/rustc"), "rustc is needed", "install")


@test
def the_first_that_fits_is_taken():
    """Of those on PATH, unless one is given."""
    folders = []
    for name, version in (("newer", 99), ("fits", 1), ("other", 2)):
        folders.append(WORK / name)
        folders[-1].mkdir()
        fake = folders[-1] / "rustc"
        fake.write_text("#!/bin/sh\n"
                        f"if [ $1 = -vV ]; then echo LLVM version: {version}.0;"
                        f" else echo 'error: this is {name}' >&2; exit 1; fi\n")
        fake.chmod(0o755)
    path = ":".join([*map(str, folders), os.environ["PATH"]])
    file = write("empty.rs", EMPTY)
    says(heddle("check", file, code=2, PATH=path, HEDDLE_RUSTC=""),
         "this is fits")
    says(heddle("check", file, code=2, PATH=str(folders[0]), HEDDLE_RUSTC=""),
         "LLVM 99")


# -- with a real one

def llvm_of(command, *args):
    said = subprocess.run([command, *args], capture_output=True,
                          text=True).stdout
    found = re.search(r"LLVM(?: version:)?\s+(\d+)", said)
    return int(found[1]) if found else 0


@functools.cache
def rustc():
    """The first whose LLVM is not newer than Heddle's; or the test is
    skipped."""
    ours = llvm_of(HEDDLE, "--version")
    assert ours, "heddle --version does not say what LLVM it has"
    given = os.environ.get("HEDDLE_RUSTC")
    all_there = [given] if given else [
        shutil.which("rustc", path=folder)
        for folder in os.environ["PATH"].split(":")]
    for path in filter(None, all_there):
        if 0 < llvm_of(path, "-vV") <= ours:
            return path
    raise tap.Skip(f"there is no rustc with LLVM {ours} or older")


@test
def a_rustc_that_fits_is_good_for_an_empty_main():
    rustc()
    heddle("check", write("empty.rs", EMPTY), code=0, timeout=300)


@test
def what_rustc_says_is_passed_on():
    rustc()
    says(heddle("check", write("bad.rs", "fn main() { let x = y; }\n"),
                code=2), "bad.rs:1", "cannot find value")


@test
def what_led_to_a_panic_is_marked():
    """And nothing of what std does to begin, end and panic."""
    rustc()
    file = TESTS / "programs" / "rust" / "index_panic.rs"
    out = heddle("check", file, code=1, timeout=300, COLUMNS="400").stdout
    stars = [cell[2:].split(" = ")[0].strip() for line in out.splitlines()
             for cell in line.split(" | ") if cell.startswith("*")]
    assert sorted(stars) == ["10  write AT.v.value", "12  read AT.v.value"], out
    assert "hint: {} stands for a value" in out, out


def program(file):
    def check():
        rustc()
        whole = {name: value for name, value in os.environ.items()
                 if name not in ("HEDDLE_SHARE", "HEDDLE_PROGRAMS")}
        run = subprocess.run([TESTS / "run.py", HEDDLE, file], env=whole,
                             capture_output=True, text=True, timeout=600)
        assert run.returncode == 0, run.stdout
    return check


# rustc and what it makes of a program take seconds, so where there is a share of
# things, A_DAY of these are run, others each day.
A_DAY = 3
PROGRAMS = sorted((TESTS / "programs" / "rust").glob("*.rs"))
apart = len(PROGRAMS) // A_DAY if tap.share_of_day()[1] > 1 else 1
for path in PROGRAMS[tap.day() % apart::apart]:
    tap.add(path.name, program(path))

if __name__ == "__main__":
    tap.main()
