#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All tests, as `make test` runs them: three builds, lint, one closing line.

The release build runs all suites. The sanitizer build (ASan and UBSan) and the
build that recomputes every incremental structure at each step run the suites
where they find most. Of random programs and the like, which there are many of,
each runs a share, another one each day (HEDDLE_SHARE, see setting.h), so that
all of it ends in minutes; `make nightly` runs the whole. Meson runs the tests
of a build; what each one said is TAP, and this script adds it up. A test
program that ends badly or says nothing counts as one failure. The last line is
always `N passed, N failed`.

    all.py [--quick | --whole]

--quick is `make check`, for everyday work: the release build alone, a part of
the suites, one of eight programs, no lint. --whole leaves nothing out.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SANITIZE = {
    # Memory that was freed stays so while 16 MB more are freed, not 256: a
    # third of the page faults less, and they cost as much as the tests do. Of
    # who allocated something, eight callers are remembered, not thirty.
    "ASAN_OPTIONS": "abort_on_error=1:detect_stack_use_after_return=1:"
                    "quarantine_size_mb=16:malloc_context_size=8",
    "LSAN_OPTIONS": f"suppressions={ROOT}/tests/fuzz/llvm.supp:"
                    "print_suppressions=0",
    "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1",
    "HEDDLE_GRAPHS": "1000",
    "HEDDLE_SEEDS": "150",
    "HEDDLE_PROGRAMS": "8",  # one of eight
    "HEDDLE_TESTS": "4",  # of the command line
    "HEDDLE_TEXTS": "4",  # known programs of tests/prop
}
# -O1 will do where much is checked: gcc needs a third of the time for it that
# it needs for -O3, and with sanitizers, whose reports need line numbers alone,
# two fifths of what it needs for -O2 -g; the tests run 4 % longer then.
DEBUG = ["--buildtype=debugoptimized", "-Doptimization=1", "-Ddebug=false"]
# name, Meson options, suites (none: all), environment, share
BUILDS = [
    ("build", [], [], {}, 4),
    ("build-asan",
     [*DEBUG, "-Dc_args=-g1", "-Db_sanitize=address,undefined"],
     ["unit", "prop", "programs", "cli", "parallel", "random", "fuzz"],
     SANITIZE, 8),
    ("build-slow",
     [*DEBUG, "-Dchecks=slow"],
     ["prop", "litmus", "distinct"],
     {"HEDDLE_SEEDS": "150", "HEDDLE_TEXTS": "4"}, 4),
]
# What another LLVM that is installed as a whole makes of programs; meson.build
# takes the oldest.
LLVMS = [n for n in range(19, 23)
         if shutil.which(f"llvm-config-{n}") and shutil.which(f"clang-{n}")]
BUILDS += [(f"build-llvm{n}", [f"-Dllvm={n}"], ["lowering"], {}, 1)
           for n in LLVMS[1:]]
QUICK = [("build", [], ["unit", "litmus", "docs", "programs"],
          {"HEDDLE_GRAPHS": "1000", "HEDDLE_PROGRAMS": "8"}, 1)]
# What clang made of a test program serves all three builds.
CACHE = {"HEDDLE_CACHE": str(ROOT / "build" / "test-cache")}
OK = re.compile(r"^ok\b(?!.*# SKIP)", re.M)
SKIPPED = re.compile(r"^ok\b.*# SKIP", re.M)
NOT_OK = re.compile(r"^not ok\b", re.M)


def run(command, **more):
    return subprocess.run(command, cwd=ROOT, **more)


def make(name, options):
    """Configures and builds; False when it does not build."""
    if not (ROOT / name / "build.ninja").exists():
        if run(["meson", "setup", name, *options],
               stdout=subprocess.DEVNULL).returncode:
            return False
    result = run(["ninja", "-C", name], capture_output=True, text=True)
    if result.returncode:
        print(result.stdout, result.stderr, sep="\n")
    return result.returncode == 0


def count(record):
    """(passed, failed, skipped) of one test program of Meson's log."""
    out = record.get("stdout", "")
    passed, failed = len(OK.findall(out)), len(NOT_OK.findall(out))
    skipped = len(SKIPPED.findall(out))
    ended_well = record["result"] in ("OK", "SKIP")  # SKIP: it skipped them all
    if not failed and not (ended_well and passed + skipped):
        failed = 1
    return passed, failed, skipped


def show_failure(record):
    """The failing lines of a test with what they said before."""
    print(f"--- {record['name']}: {record['result']}")
    comments = []
    for line in record.get("stdout", "").splitlines():
        if line.startswith("not ok"):
            print("\n".join(comments + [line]))
        is_result = re.match(r"(not )?ok\b", line)
        comments = [] if is_result else comments + [line]
    print("\n".join(comments[-20:]))
    print(record.get("stderr", "")[-4000:])


def test(name, suites, environment):
    """Runs the tests of one build; (passed, failed, skipped)."""
    log = ROOT / name / "meson-logs" / "testlog.json"
    log.unlink(missing_ok=True)
    # One more than processors: some tests mostly wait.
    command = ["meson", "test", "-C", name, "--no-rebuild", "--num-processes",
               str(os.cpu_count() + 1)]
    for suite in suites:
        command += ["--suite", suite]
    output = run(command, env={**os.environ, **CACHE, **environment},
                 capture_output=True, text=True).stdout
    if not log.exists():
        print(output)
        return 0, 1, 0
    total = (0, 0, 0)
    for line in log.read_text().splitlines():
        record = json.loads(line)
        counts = count(record)
        total = tuple(map(sum, zip(total, counts)))
        if counts[1]:
            show_failure(record)
    return total if sum(total) else (0, 1, 0)


def lint():
    """Warnings of the compilers and of clang-tidy; (passed, failed)."""
    output = run([sys.executable, "tools/lint.py", "build"],
                 capture_output=True, text=True)
    failed = len(NOT_OK.findall(output.stdout))
    if failed or output.returncode:
        print(output.stdout, output.stderr, sep="\n")
    passed = len(OK.findall(output.stdout))
    return passed, failed or int(output.returncode != 0 or not passed)


def main():
    is_quick, is_whole = sys.argv[1:] == ["--quick"], sys.argv[1:] == ["--whole"]
    if sys.argv[1:] and not is_quick and not is_whole:
        sys.exit(f"usage: {sys.argv[0]} [--quick | --whole]")
    os.environ.pop("HEDDLE_NIGHTLY", None)  # that is more than the whole
    passed = failed = 0
    for name, options, suites, environment, share in (
            QUICK if is_quick else BUILDS):
        if is_whole:
            share = 1
            environment = {**environment, "HEDDLE_PROGRAMS": "1",
                           "HEDDLE_TESTS": "1", "HEDDLE_TEXTS": "1"}
        environment = {**environment, "HEDDLE_SHARE": str(share)}
        start = time.monotonic()
        counts = (test(name, suites, environment) if make(name, options)
                  else (0, 1, 0))
        passed, failed = passed + counts[0], failed + counts[1]
        print(f"{name}: {counts[0]} passed, {counts[1]} failed, {counts[2]} "
              f"skipped ({', '.join(suites) or 'all suites'}; "
              f"{time.monotonic() - start:.0f} s)", flush=True)
    if not is_quick:
        start = time.monotonic()
        counts = lint()
        passed, failed = passed + counts[0], failed + counts[1]
        print(f"lint: {counts[0]} passed, {counts[1]} failed "
              f"({time.monotonic() - start:.0f} s)", flush=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
