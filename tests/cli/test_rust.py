#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rust from the outside: which rustc is taken and which is refused; and the
programs of tests/programs/rust, which are skipped where there is no rustc whose
LLVM Heddle can read.

    tests/cli/test_rust.py build/heddle [WORD...]
"""
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


def has_rustc():
    return heddle("check", write("empty.rs", EMPTY)).returncode == 0


@test
def programs():
    if not has_rustc():
        raise tap.Skip("there is no rustc that Heddle can read")
    says(heddle("check", write("bad.rs", "fn main() { let x = y; }\n"),
                code=2), "bad.rs:1", "cannot find value")
    for file in sorted((TESTS / "programs" / "rust").glob("*.rs")):
        run = subprocess.run([TESTS / "run.py", HEDDLE, file],
                             capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stdout


if __name__ == "__main__":
    tap.main()
