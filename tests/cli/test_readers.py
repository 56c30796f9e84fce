#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Readers of read-write locks (explore/fewer/readers.c), in C: their order
between writers is left out, and where that shows something that the program
does not do, all orders are explored. tests/cli/test_readers.py HEDDLE."""
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
import threads

HEDDLE = sys.argv[1]
HEAD = """
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
static pthread_rwlock_t w = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x, y;
static int d, own[3];
#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
"""
READ = "pthread_rwlock_rdlock(&w); %s pthread_rwlock_unlock(&w);"
WRITE = "pthread_rwlock_wrlock(&w); %s pthread_rwlock_unlock(&w);"
# Lets the search see that threads share a lock though it is not used like one.
MUTEX = "pthread_mutex_lock(&m); pthread_mutex_unlock(&m);"


def orders(options):
    """What leaves orders out, unless all of them are asked for."""
    return ([] if "--explore-orders" in options else
            ["--reduce", "barriers,sections,readers"])


def run(text, *options):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        done = subprocess.run([HEDDLE, "check", *orders(options), *options,
                               str(path)],
                              capture_output=True, text=True)
        assert done.returncode in (0, 1, 3), done.stdout + done.stderr
        return done.stdout


def check(text, *options):
    """Executions, and kinds of errors."""
    answer = json.loads(run(text, "--json", "--all-errors", *options))
    return (answer["stands_for"],
            sorted(e["kind"] for e in answer["errors"]))


def program(bodies, before="", after=""):
    return threads.program(HEAD, bodies, before, after)


def has_all_orders(text, why, *options):
    """Something else than in the program could happen, and is not told."""
    every = check(text, "--explore-orders", "--symmetry", "off", *options)
    for way in [], ["--symmetry", "on"], ["--jobs", "2"]:
        assert check(text, *way, *options) == every, (text, way)
    said = run(text, "--stats", *options)
    assert f"were explored in all orders: {why}." in said, said
    return every


FOUND = "something was found, and is looked for again"
OTHERWISE = "a lock is used in other ways than to wait for it"


@tap.test
def what_was_left_out_is_told():
    readers = [READ % f"own[{i}] = d;" for i in range(3)]
    said = run(program([*readers, WRITE % "d = 1;"]), "--stats",
               "--symmetry", "off")
    # Of 3 before or after the writer 90 each, of 1 on a side and 2 on the
    # other 6 each time.
    assert "No errors: 8 executions" in said, said
    assert (f"in one order between writers; others left out: at most "
            f"{2 * 90 + 6 * 6 - 8}.") in said, said
    alone = run(program([readers[0], WRITE % "d = 1;"]), "--stats")
    assert "Readers of" not in alone, alone


@tap.test
def equal_readers_are_in_no_group():
    """What matters is which of them come before the writer."""
    text = HEAD + """
static void *reads(void *arg) { %s return arg; }
static void *writes(void *arg) { %s return arg; }
int main(void) {
  pthread_t id[6];
  for (int i = 0; i < 6; i++)
    pthread_create(&id[i], 0, i < 5 ? reads : writes, 0);
  for (int i = 0; i < 6; i++)
    pthread_join(id[i], 0);
}""" % (READ % "int r = d; (void)r;", WRITE % "d = 1;")
    for model in "sc", "tso", "pso", "ra", "rc11", "imm", "armv8":
        for jobs in "1", "2":
            said = run(text, "--model", model, "--jobs", jobs,
                       "--symmetry", "on")
            assert "No errors: 32 executions up to order of readers (" in said


@tap.test
def a_reader_knows_what_another_one_has_released():
    """Of the copies that readers have, none says so: there, it is a race."""
    text = program([READ % "d = 1;" + " store(&y, 1);",
                    "if (load(&y)) { " + READ % "own[1] = d;" + " }"],
                   after="assert(d == 1);")
    for model in "sc", "tso", "pso", "ra", "rc11":
        # Either y is seen or it is not.
        assert has_all_orders(text, FOUND, "--model", model) == (2, [])


@tap.test
def a_writer_that_waits_lets_readers_pass():
    """One who waits for a copy would keep out who lets the reader go on."""
    text = program([READ % "while (!load(&x)) {} own[0] = d;",
                    READ % "store(&x, 1); own[1] = d;",
                    WRITE % "d = 1;" + MUTEX])
    for model in "sc", "ra", "rc11":
        assert not has_all_orders(text, FOUND, "--model", model)[1]


def orders_of_readers():
    """Two threads with two sections each: what each may see, over all orders of
    their updates. 0 unless the other's first section is known to be over, 1
    unless that begins after all that this thread does."""
    n = 0
    for mine in itertools.combinations(range(8), 4):
        theirs = [i for i in range(8) if i not in mine]
        ways = 1
        for a, b in (mine, theirs), (theirs, mine):
            ways *= (not b[1] < a[2]) + (not a[3] < b[0])
        n += ways
    return n


@tap.test
def what_is_weaker_than_a_sequence_may_not_be_the_programs():
    """Neither sees what the other has done before: with copies, under rc11."""
    text = program([READ % "store(&x, 1);" + READ % "own[0] = load(&y);",
                    READ % "store(&y, 1);" + READ % "own[1] = load(&x);"])
    weak = "an execution is weaker than a sequence of its events"
    for model in "ra", "rc11":
        assert has_all_orders(text, weak, "--model", model) == (
            orders_of_readers(), [])
    # 1 and 1 is what both sections of either side after the first of the other
    # are, and there is no way to 0 and 0.
    assert check(text, "--model", "sc", "--symmetry", "off") == (3, [])


@tap.test
def who_waits_when_the_program_is_over_is_let_pass_too():
    """main returns while a reader is inside for ever."""
    text = HEAD + """
static void *stays(void *arg) { %s return arg; }
static void *reads(void *arg) { %s return arg; }
static void *writes(void *arg) { %s return arg; }
int main(void) {
  pthread_t id;
  pthread_create(&id, 0, stays, 0);
  pthread_create(&id, 0, reads, 0);
  pthread_create(&id, 0, writes, 0);
}""" % (READ % "while (!load(&x)) {}", READ % "own[1] = d;",
        WRITE % "d = 1;" + MUTEX)
    assert not has_all_orders(text, "threads wait when the program is over",
                              "--disable", "hang,deadlock")[1]


@tap.test
def tries_and_destruction_are_seen():
    for other in ("if (!pthread_rwlock_trywrlock(&w)) { d = 2;"
                  " pthread_rwlock_unlock(&w); }",
                  "if (!pthread_rwlock_tryrdlock(&w)) { own[2] = d;"
                  " pthread_rwlock_unlock(&w); }"):
        has_all_orders(program([READ % "own[0] = d;", READ % "own[1] = d;",
                                WRITE % "d = 1;" + MUTEX, other]), OTHERWISE)
    early = program([READ % "own[0] = d;", READ % "own[1] = d;",
                     WRITE % "d = 1;", "pthread_rwlock_destroy(&w);"])
    errors = check(early)[1]
    assert "race" in errors and errors == check(early, "--explore-orders")[1]


tap.main()
