#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which lines of src/ no test runs.

    tools/coverage.py --run                all suites in a build that counts
    tools/coverage.py --run --suite cli    one of them, on top of what there is
    tools/coverage.py                      lines not run, per folder
    tools/coverage.py vm cat/facts/prove.c       and which ones, per function

The build is build-cov; gcc makes it, and gcov, which comes with gcc, reads it.
Property tests run few seeds (HEDDLE_SEEDS): what runs at all, runs soon. When a
file of src/ is changed, its counts begin anew. A process that ends by a signal,
by check() or for lack of memory leaves no counts, and children that end by
_exit (heddle test, damaged bitcode) do not: their lines are listed, too.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build-cov"
# All but floors (what a run costs) and docs (which look at texts).
SUITES = ["unit", "cli", "litmus", "lowering", "programs", "optimise",
          "parallel", "random", "distinct", "prop", "fuzz"]


def run(command, **more):
    return subprocess.run(command, cwd=ROOT, check=True, **more)


def count(suites):
    """Builds with counters and runs the suites; a failed test counts too."""
    if not (BUILD / "build.ninja").exists():
        run(["meson", "setup", BUILD, "-Db_coverage=true", "-Doptimization=1",
             "-Ddebug=true"], stdout=subprocess.DEVNULL)
    run(["ninja", "-C", BUILD])
    settings = {"HEDDLE_SEEDS": "100", "HEDDLE_GRAPHS": "1000",
                "HEDDLE_CACHE": str(BUILD / "test-cache")}
    for suite in suites:
        subprocess.run(["meson", "test", "-C", BUILD, "--no-rebuild",
                        "--timeout-multiplier", "10", "--suite", suite],
                       cwd=ROOT, check=False, env={**settings, **os.environ})


def of_object(notes):
    """What gcov knows of one object: (file, line, function, times) each."""
    output = run(["gcov", "--json-format", "--stdout", notes],
                 capture_output=True).stdout
    rows = []
    for text in output.splitlines():
        for file in json.loads(text)["files"]:
            path = (BUILD / file["file"]).resolve()
            if path.is_relative_to(ROOT / "src"):
                rows += [(path.relative_to(ROOT / "src"), line["line_number"],
                          line.get("function_name", ""), line["count"])
                         for line in file["lines"]]
    return rows


def read():
    """file -> line -> [function, how often it ran]; code of a header or a
    table is in several objects."""
    lines = collections.defaultdict(dict)
    notes = sorted((BUILD / "src").rglob("*.gcno"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for rows in pool.map(of_object, notes):
            for file, line, function, times in rows:
                entry = lines[file].setdefault(line, [function, 0])
                entry[1] += times
    return lines


def show_folders(lines):
    total = collections.Counter()
    missed = collections.Counter()
    for file, of_file in lines.items():
        for name in (file.parts[0], "all"):
            total[name] += len(of_file)
            missed[name] += sum(not times for _, times in of_file.values())
    for name in sorted(total, key=lambda n: (n == "all", n)):
        print(f"{name:10} {missed[name]:6} of {total[name]:6} lines not run"
              f" ({100 * missed[name] / total[name]:.1f} %)")


def show_lines(lines, names):
    """The lines not run of the files and folders, with their text."""
    for file in sorted(lines):
        if not any(str(file).startswith(name) for name in names):
            continue
        text = (ROOT / "src" / file).read_text().splitlines()
        last = None
        for line, (function, times) in sorted(lines[file].items()):
            if times:
                continue
            if function != last:
                print(f"\nsrc/{file}: {function}")
                last = function
            print(f"  {line:4}  {text[line - 1]}")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--suite", action="append", choices=SUITES)
    parser.add_argument("names", nargs="*", metavar="FILE OR FOLDER of src/")
    args = parser.parse_args()
    if not shutil.which("gcov"):
        sys.exit("coverage: no gcov here; it comes with gcc")
    if args.run:
        count(args.suite or SUITES)
    if not BUILD.exists():
        sys.exit("coverage: nothing was counted yet; begin with --run")
    lines = read()
    show_folders(lines)
    show_lines(lines, args.names)


if __name__ == "__main__":
    main()
