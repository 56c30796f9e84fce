# SPDX-License-Identifier: MIT
"""Searches that are shared or interrupted, and what of an answer must be the
same then: for test_mpi.py and test_checkpoint.py."""
import json
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
# program, clang flags, options
COUNTS = [
    ("counts/ainc.c", "-DN=7", ""),
    ("counts/indexer.c", "-DN=13", "--model=imm"),
    ("counts/incs.c", "-DM=2 -DN=4", "--symmetry=on"),
    ("mutex/szymanski.c", "-DROUNDS=2", "--disable=race"),
    ("structures/chaselev.c", "-DA=3 -DB=2 -DC=1 -DT=2", "--disable=race"),
    ("library/bounded_buffer.c", "-DPRODUCERS=2 -DCONSUMERS=2 "
     "-DWAKE=pthread_cond_signal", ""),
    # What is learned on the way, all have to know.
    ("awaits/lock_rounds.c", "-DLOCK=1 -DLOOKERS=2", ""),
    ("locks/rw_undo.c", "-DREADERS=2 -DWRITERS=2", ""),
    ("language/wide_cas.c", "", ""),
]
ERRORS = [
    ("errors/late.c", "-DN=8 -DEVERY=20011", ""),
    ("errors/philosophers.c", "-DN=3", "--all-errors"),
    ("errors/race.c", "-DTAKE=rlx -DSEND=rlx", "--all-errors"),
]


def name(row):
    return " ".join(filter(None, row))


def words(row, *more):
    program, flags, options = row
    return [*more, *options.split(), str(TESTS / "programs" / program), "--",
            *flags.split()]


def answer_of(text):
    return json.loads(text[text.index("{"):text.rindex("}") + 1])


def key(answer):
    stats = answer["stats"]
    # Who goes on above a core may add ends of threads that another one counts
    # (tail.c looks a limited number of times).
    added = None if stats.get("cores") else stats["events_added"]
    return (answer["verdict"], answer["executions"], answer["stands_for"],
            answer["blocked"], added, stats["revisits"], stats.get("cores"),
            stats["largest_execution"],
            sorted((e["kind"], e["line"]) for e in answer["errors"]))
