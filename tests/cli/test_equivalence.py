#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--equivalence rf, in C: what is told, what is refused, and what depends on
the order of writes is still found. tests/cli/test_equivalence.py HEDDLE."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap

HEDDLE = sys.argv[1]
HEAD = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static void run(void *(*a)(void *), void *(*b)(void *), void *(*c)(void *)) {
  void *(*all[])(void *) = {a, b, c};
  pthread_t ids[3];
  for (int i = 0; i < 3; i++)
    if (all[i])
      pthread_create(&ids[i], NULL, all[i], NULL);
  for (int i = 0; i < 3; i++)
    if (all[i])
      pthread_join(ids[i], NULL);
}
"""
WRITES = HEAD + """
static atomic_int x;
static void *one(void *arg) { x = 1; return arg; }
static void *two(void *arg) { x = 2; return arg; }
static void *three(void *arg) { x = 3; return arg; }
int main(void) { run(one, two, three); }
"""


def call(text, *options, code=0, command="check"):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text)
        done = subprocess.run([HEDDLE, command, *options, str(path)],
                              capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return done


def check(text, *options, code=0):
    return json.loads(call(text, "--json", "--stats", *options,
                           code=code).stdout)


def kinds(answer):
    return {e["kind"] for e in answer["errors"]}


@tap.test
def the_report_says_which_executions_are_one():
    answer = check(WRITES)
    assert (answer["executions"], answer["equivalence"]) == (6, "rf,co")
    answer = check(WRITES, "--equivalence", "rf")
    assert (answer["executions"], answer["equivalence"]) == (1, "rf")
    text = call(WRITES, "--equivalence", "rf", "--stats").stdout
    assert "1 execution up to co (0 blocked) under rc11" in text, text
    assert "that were looked for: 0. Executions left out, since they differ in it " in text, text


# 7! orders; main reads the last write.
MANY = HEAD + """
static atomic_int x;
#define WRITER(n) static void *w##n(void *arg) { x = n; return arg; }
WRITER(1) WRITER(2) WRITER(3) WRITER(4) WRITER(5) WRITER(6) WRITER(7)
int main(void) {
  void *(*all[])(void *) = {w1, w2, w3, w4, w5, w6, w7};
  pthread_t ids[7];
  for (int i = 0; i < 7; i++)
    pthread_create(&ids[i], NULL, all[SAME ? 0 : i], NULL);
  for (int i = 0; i < 7; i++)
    pthread_join(ids[i], NULL);
  (void)run;
  (void)x;
}
"""


@tap.test
def a_note_says_where_it_would_help():
    note = "Note: some writes are never read"
    many, equal = MANY.replace("SAME", "0"), MANY.replace("SAME", "1")
    for options, is_noted in (
            ([], True), (["--model", "sc"], True), (["--jobs", "2"], True),
            (["--equivalence", "rf"], False), (["--model", "imm"], False),
            (["--max-executions", "500"], False)):
        code = 3 if "--max-executions" in options else 0
        text = call(many, *options, code=code).stdout
        assert (note in text) == is_noted, (options, text)
    assert note not in call(equal, "--symmetry", "on").stdout
    assert note in call(equal).stdout


@tap.test
def the_name_of_an_execution_has_no_co():
    text = call(WRITES, "--equivalence", "rf", "--print-executions").stdout
    name = text.split("--replay ")[1].split(":")[0]
    call(WRITES, "--equivalence", "rf", "--replay", name)


@tap.test
def what_it_is_not_proved_for_is_refused():
    for options, hint in (
            (["--model", "imm"], "sc, tso, pso, ra, rc11 and xmm"),
            (["--model", "armv8"], "sc, tso, pso, ra, rc11 and xmm"),
            (["--model", "jam21"], "sc, tso, pso, ra, rc11 and xmm"),
            (["--model", "power"], "sc, tso, pso, ra, rc11 and xmm"),
            (["--model", "xmm", "--jobs", "2"], "--jobs 1"),
            (["--model", "xmm", "--checkpoint", "f"], "leave it out"),
            (["--release-sequences", "c11"], "C++20"),
            (["--sc-rule", "c11"], "RC11"),
            (["--note-non-sc"], "--note-non-sc"),
            (["--read-bound", "3"], "--read-bound"),
            (["--net-effect-awaits"], "--net-effect-awaits")):
        done = call(WRITES, "--equivalence", "rf", *options, code=2)
        assert "--equivalence rf" in done.stderr, done.stderr
        assert hint in done.stderr, done.stderr
    done = call(WRITES, "--equivalence", "rf", code=2, command="explore")
    assert "equivalence" in done.stderr, done.stderr


# Two writers, and a thread that waits for 1: it waits for ever if the other
# write is the last one, which no read tells.
HANG = HEAD + """
static atomic_int x;
static void *one(void *arg) { atomic_store_explicit(&x, 1, memory_order_relaxed); return arg; }
static void *two(void *arg) { atomic_store_explicit(&x, 2, memory_order_relaxed); return arg; }
static void *waits(void *arg) {
  while (atomic_load_explicit(&x, memory_order_relaxed) != 1)
    continue;
  return arg;
}
int main(void) { run(ORDER); }
"""


@tap.test
def a_hang_that_takes_another_order_is_found():
    for order in ("one, two, waits", "two, one, waits", "waits, one, two",
                  "waits, two, one", "one, waits, two", "two, waits, one"):
        for model in "sc", "tso", "pso", "ra", "rc11":
            answer = check(HANG.replace("ORDER", order), "--model", model,
                           "--equivalence", "rf", code=1)
            assert kinds(answer) == {"hang"}, (order, model)


# The thread sees what it does not wait for, and then 1 is written, which may be
# older than that. (Main looks at x in the end, so that threads end at once.)
LATE = HANG.replace("run(ORDER)", """pthread_t ids[4];
  void *(*all[])(void *) = {one, two, waits, one};
  for (int i = 0; i < 4; i++)
    pthread_create(&ids[i], NULL, all[i], NULL);
  for (int i = 0; i < 4; i++)
    pthread_join(ids[i], NULL);
  (void)run, (void)atomic_load(&x)""")


@tap.test
def a_write_that_may_be_older_does_not_end_a_wait():
    for options in [], ["--equivalence", "rf"]:
        assert kinds(check(LATE, *options, code=1)) == {"hang"}, options


# The object that is not pointed to at the end is lost, and so it may be either.
LEAK = HEAD + """
static _Atomic(int *) shared;
static void *one(void *arg) { atomic_store(&shared, malloc(4)); return arg; }
static void *two(void *arg) {
  int *p = malloc(8);
  atomic_store(&shared, p);
  return arg;
}
int main(void) { run(one, two, NULL); }
"""


@tap.test
def leaks_of_every_order_are_found():
    lines = [{w["line"] for w in check(LEAK, "--all-errors", *o)["warnings"]}
             for o in ([], ["--equivalence", "rf"])]
    assert len(lines[0]) == 2 and lines[0] == lines[1], lines


# Atomic accesses of different size are judged with co.
MIXED = HEAD + """
static union { atomic_int whole; _Atomic(short) half; } u;
static void *one(void *arg) { u.whole = 1; return arg; }
static void *two(void *arg) { u.half = 2; return arg; }
int main(void) { run(one, two, NULL); }
"""


@tap.test
def atomic_accesses_of_different_size_are_refused():
    done = call(MIXED, "--disable", "mixed-size", "--equivalence", "rf", code=2)
    assert "different size" in done.stdout + done.stderr


@tap.test
def numbers_do_not_depend_on_jobs():
    text = HEAD + """
static atomic_int x, y;
static void *one(void *arg) { for (int i = 0; i < 3; i++) { x = i; (void)y; } return arg; }
static void *two(void *arg) { for (int i = 3; i < 6; i++) { y = i; (void)x; } return arg; }
static void *three(void *arg) { x = y = 7; return arg; }
int main(void) { run(one, two, three); }
"""
    for model in "sc", "tso", "rc11":
        options = ["--model", model, "--equivalence", "rf"]
        one = check(text, *options)
        two = check(text, *options, "--jobs", "3")
        assert one["executions"] == two["executions"] > 100, one
        assert one["executions"] < check(text, "--model", model)["executions"]


tap.main()
