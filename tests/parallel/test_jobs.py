#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`--jobs N`: the same answer for any N, for programs of all kinds.

    tests/parallel/test_jobs.py build/heddle [WORD...]
"""
import json
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(TESTS))
import tap

HEDDLE = sys.argv[1]
JOBS = [1, 2, 3, 4]
# program, clang flags, options: explored to the end
COUNTS = [
    ("counts/ainc.c", "-DN=6", ""),
    ("counts/writers.c", "-DREADER=1 -DW=6", ""),
    ("counts/readers.c", "-DN=9", ""),
    ("counts/ring.c", "-DLB -DN=8", "--model=ra"),
    ("counts/ring.c", "-DSB -DN=8", "--model=tso"),
    ("counts/incs.c", "-DM=2 -DN=4", "--model=sc"),
    ("counts/incs.c", "-DM=2 -DN=4", "--symmetry=on"),
    ("counts/fib.c", "-DN=3", ""),
    ("counts/indexer.c", "-DN=13", ""),
    ("counts/lockinc.c", "-DN=4", ""),
    ("mutex/lamport.c", "-DN=2", "--disable=race"),
    ("mutex/szymanski.c", "-DROUNDS=2", "--disable=race"),
    ("mutex/ttaslock.c", "-DN=3", ""),
    ("structures/chaselev.c", "-DA=3 -DB=2 -DC=1 -DT=2", "--disable=race"),
    ("library/bounded_buffer.c", "-DPRODUCERS=2 -DCONSUMERS=2 "
     "-DWAKE=pthread_cond_signal", ""),
    ("structures/msqueue.c", "-DW=2 -DR=1 -DB=0", ""),
    ("language/choice.c", "-DCHOICE=heddle_choose(1,9)", ""),
    ("language/wide_cas.c", "", ""),
    # What is learned on the way, all workers have to know.
    ("awaits/lock_rounds.c", "-DLOCK=1 -DLOOKERS=2", ""),
    ("locks/rw_undo.c", "-DREADERS=2 -DWRITERS=2", ""),
    ("real/libraries/polled_spinlock.c", "", ""),
    ("real/clients/ck_stack.c", "", ""),
]
# Errors that must be found, one or all of them.
ERRORS = [
    ("errors/weak_bug.c", "-DTAKE=rlx -DSEND=rlx", ""),
    ("errors/race.c", "-DTAKE=rlx -DSEND=rlx", "--all-errors"),
    ("errors/philosophers.c", "-DN=3", ""),
    ("errors/philosophers.c", "-DN=3", "--all-errors"),
    ("errors/deadlock.c", "-DFIRST=b -DSECOND=a", ""),
    ("errors/late.c", "-DN=8 -DEVERY=4999", ""),
    ("errors/late.c", "-DN=8 -DEVERY=20011", ""),
    # Cores are promised, since they are too many to guess.
    ("loadbuffering/undefined.c", "-DPASSED",
     "--all-errors --model=lkmm --disable=uninitialized-atomic"),
]


def check(program, flags, options, jobs):
    result = subprocess.run(
        [HEDDLE, "check", "--json", "--stats", f"-j{jobs}", *options.split(),
         str(TESTS / "programs" / program), "--", *flags.split()],
        capture_output=True, text=True)
    assert result.returncode in (0, 1, 3), result.stderr
    return result.returncode, json.loads(result.stdout)


def same_counts(program, flags, options):
    keys = []
    if "--symmetry" not in options:
        options += " --symmetry=off"
    for jobs in JOBS:
        code, answer = check(program, flags, options, jobs)
        stats = answer["stats"]
        keys.append((code, answer["verdict"], answer["executions"],
                     answer["stands_for"], answer["blocked"],
                     stats["events_added"],
                     stats["revisits"], stats["largest_execution"]))
    assert len(set(keys)) == 1, keys
    assert keys[0][1] == "ok" and keys[0][2] > 1, keys


def same_errors(program, flags, options):
    keys = []
    for jobs in JOBS:
        code, answer = check(program, flags, options, jobs)
        kinds = sorted((e["kind"], e["line"]) for e in answer["errors"])
        # All of them; or the same one, in the same execution.
        keys.append((code, answer["verdict"], tuple(kinds),
                     None if options else answer["replay"]))
        assert answer["events"], "no execution is shown"
        if not options:
            assert len(kinds) == 1, kinds
    assert len(set(keys)) == 1, keys
    assert keys[0][0] == 1, keys


for row in COUNTS:
    tap.add(" ".join(filter(None, row)), lambda row=row: same_counts(*row))
for row in ERRORS:
    tap.add(" ".join(filter(None, row)), lambda row=row: same_errors(*row))


@tap.test
def any_error_ends_all_jobs():
    for jobs in JOBS:
        code, answer = check("errors/late.c", "-DN=8 -DEVERY=20011",
                             "--any-error", jobs)
        assert code == 1 and len(answer["errors"]) == 1, answer
        assert answer["errors"][0]["kind"] == "assertion", answer


@tap.test
def limits_are_about_all_jobs():
    for jobs in JOBS:
        code, answer = check("counts/ainc.c", "-DN=7",
                             "--symmetry=off --max-executions=500", jobs)
        assert code == 3 and answer["limit"] == "executions", answer
        assert answer["executions"] == 500, answer
    code, answer = check("counts/ainc.c", "-DN=12",
                         "--symmetry=off --max-time=0.3", 3)
    assert code == 3 and answer["limit"] == "time", answer


@tap.test
def an_interrupt_ends_all_jobs():
    process = subprocess.Popen(
        [HEDDLE, "check", "--json", "-j3", "--symmetry=off",
         str(TESTS / "programs/counts/ainc.c"), "--", "-DN=12"],
        stdout=subprocess.PIPE, text=True)
    time.sleep(1)
    os.kill(process.pid, signal.SIGINT)
    answer = json.loads(process.communicate(timeout=60)[0])
    assert process.returncode == 3, process.returncode
    assert answer["limit"] == "interrupted" and answer["executions"], answer


def threads_of(stdout, *options):
    """How many threads a check has that goes on for a while."""
    process = subprocess.Popen(
        [HEDDLE, "check", "--progress=never", *options,
         str(TESTS / "programs/counts/ainc.c"), "--", "-DN=12"],
        stdout=stdout, stderr=stdout)
    try:
        for _ in range(50):  # while it compiles there is one
            time.sleep(0.05)
            n = len(os.listdir(f"/proc/{process.pid}/task"))
            if n > 1:
                break
        return n
    finally:
        process.kill()
        process.wait()


@tap.test
def a_terminal_gets_all_processors():
    if os.cpu_count() < 2:
        return
    main, terminal = pty.openpty()
    assert threads_of(terminal) > 1
    assert threads_of(terminal, "--jobs=1") == 1
    assert threads_of(subprocess.DEVNULL) == 1
    os.close(terminal)
    os.close(main)


@tap.test
def progress_for_tools():
    result = subprocess.run(
        [HEDDLE, "check", "--json", "-j2", "--progress=json", "--max-time=6",
         "--symmetry=off",
         str(TESTS / "programs/counts/ainc.c"), "--", "-DN=12"],
        capture_output=True, text=True)
    lines = [json.loads(line) for line in result.stderr.splitlines()]
    assert lines and lines[0]["seconds"] >= 2, result.stderr
    for before, after in zip(lines, lines[1:]):
        assert before["executions"] <= after["executions"], result.stderr
    for line in lines:
        assert 0 <= line["share"] <= 1, line
        assert line["estimate_low"] <= line["estimate"], line
        assert line["estimate"] <= line["estimate_high"], line


tap.main()
