# SPDX-License-Identifier: MIT
"""Tests in Python that speak TAP, the sister of tap.h.

A function with @test is a test: it passes when it returns and fails when it
raises. A script ends with `tap.main()`, which runs all of them, or those whose
names contain the words of the command line, and fails when there was none.
"""
import argparse
import concurrent.futures
import os
import pathlib
import shutil
import sys
import tempfile
import time
import traceback

_tests = []


class Skip(Exception):
    """Raised by a test that makes no sense here; says why."""


def test(function):
    _tests.append((function.__name__, function))
    return function


def add(name, function):
    """A test made by a loop; `function` takes no arguments."""
    _tests.append((name, function))


def report(number, name, error=None, skip=None):
    """One TAP line, and the error as comment lines."""
    if error is not None:
        for line in str(error).splitlines():
            print("#", line)
    suffix = f" # SKIP {skip}" if skip else ""
    print("ok" if error is None else "not ok", number, "-", name + suffix,
          flush=True)


def share_of_day(name="HEDDLE_SHARE"):
    """(which, of how many): HEDDLE_SHARE=n asks for one of n of whatever there
    are many of (setting.h), another one each day."""
    share = int(os.environ.get(name, 1))
    return day() % share, share


def day():
    return int(os.environ.get("HEDDLE_DAY", time.time() // 86400))


def seeds(first, n, daily, days_apart):
    """n seeds, and some more that differ from day to day: a share of each."""
    which, share = share_of_day()
    n, daily = max(n // share, 1), daily // share
    return [*range(first + which * n, first + which * n + n),
            *range(day() * days_apart, day() * days_apart + daily)]


def campaign(run, seeds, jobs):
    """Runs `run(seed)`, which yields what it says and an error or None, for each
    seed, so many at a time; reports all of them and ends the script."""
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, (seed, (said, error)) in enumerate(
                zip(seeds, pool.map(run, seeds)), 1):
            failed += error is not None
            report(number, f"seed {seed}: {said}", error=error)
    print(f"1..{len(seeds)}")
    sys.exit(1 if failed or not seeds else 0)


def campaign_script(about, compare):
    """The main program of a script that compares something of each seed.
    `compare(options, seed, folder)` says what it did, and what is wrong or None;
    the folder is kept if something is."""
    parser = argparse.ArgumentParser(description=about.split("\n")[0])
    parser.add_argument("heddle", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("--seeds", type=int, default=40, metavar="N")
    parser.add_argument("--first", type=int, default=0, metavar="K")
    parser.add_argument("--daily", type=int, default=0, metavar="N",
                        help="N seeds more that differ from day to day")
    parser.add_argument("--work", type=pathlib.Path,
                        default=pathlib.Path(tempfile.gettempdir()) /
                        pathlib.Path(sys.argv[0]).stem,
                        help="folder for what fails")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()

    def run(seed):
        folder = options.work / str(seed)
        folder.mkdir(parents=True, exist_ok=True)
        said, wrong = compare(options, seed, folder)
        if wrong is None:
            shutil.rmtree(folder)
        return said, wrong and f"{wrong}\n{folder}"
    campaign(run, seeds(options.first, options.seeds, options.daily, 1000),
             options.jobs)


def _chosen(words):
    """Those that are named, or the share of the day (HEDDLE_TESTS), of which
    there is always one."""
    if words:
        return [(name, function) for name, function in _tests
                if any(word in name for word in words)]
    which, share = share_of_day("HEDDLE_TESTS")
    return _tests[which::share] or _tests[which % len(_tests):][:1]


def main(words=None):
    words = sys.argv[2:] if words is None else words
    number = failed = 0
    for name, function in _chosen(words):
        number += 1
        try:
            function()
            report(number, name)
        except Skip as why:
            report(number, name, skip=str(why))
        except AssertionError as e:
            failed += 1
            report(number, name, error=e if str(e) else traceback.format_exc())
        except Exception:  # a crash of the test is a failure like any other
            failed += 1
            report(number, name, error=traceback.format_exc())
    print(f"1..{number}")
    sys.exit(1 if failed or not number else 0)
