#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Outcomes of programs: heddle explore and heddle compare.

    tests/cli/test_outcomes.py build/heddle [WORD...]
"""
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import EMPTY_MAIN, MP, WORK, heddle, says, write
from tap import test

SB = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r1, r2;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t l, r;
  pthread_mutex_lock(&lock);
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  pthread_mutex_unlock(&lock);
}
"""
# Three threads add to one counter: 6 executions, all with the same outcome.
COUNTER = """\
#include <pthread.h>
#include <stdatomic.h>
atomic_int n, last;
static void *add(void *value) {
  atomic_fetch_add(&n, 1);
  return value;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
"""


def explored(source, *args, code=0):
    return json.loads(heddle("explore", "--json", *args,
                             write("p.c", source), code=code).stdout)


def states(report, *names):
    return {tuple(o["state"][n] for n in names): o["executions"]
            for o in report["outcomes"]}


def compared(source, *args, code):
    report = json.loads(heddle("compare", "--json", *args,
                               write("p.c", source), code=code).stdout)
    rows = {row.get("outcome") or row["error"]: row for row in report["rows"]}
    return report, rows


@test
def outcomes_are_counted():
    report = explored(SB)
    assert states(report, "r1", "r2") == {
        ("0", "0"): 1, ("0", "1"): 1, ("1", "0"): 1, ("1", "1"): 1}, report
    assert ("0", "0") not in states(explored(SB, "--model", "sc"), "r1", "r2")
    assert sum(o["executions"] for o in report["outcomes"]) == \
        report["executions"]


@test
def locks_are_no_part_of_a_state():
    names = set(explored(SB)["outcomes"][0]["state"])
    assert names == {"x", "y", "r1", "r2"}, names


@test
def what_the_library_knows_is_no_part_of_a_state():
    text = """\
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static atomic_int x;
static pthread_key_t key;
static void bye(void) { x = 2; }
static void gone(void *value) { (void)value; }
static void *thread(void *p) {
  atexit(bye);
  pthread_key_create(&key, gone);
  pthread_setspecific(key, &x);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, thread, NULL);
  pthread_join(t, NULL);
}
"""
    for outcome in explored(text)["outcomes"]:
        assert set(outcome["state"]) <= {"x", "key"}, outcome


@test
def executions_with_the_same_outcome_are_one_row():
    report = explored(COUNTER)
    assert states(report, "n") == {("3",): 6}, report


@test
def jobs_do_not_change_the_numbers():
    assert explored(SB)["outcomes"] == explored(SB, "-j3")["outcomes"]
    assert explored(COUNTER)["outcomes"] == explored(COUNTER, "-j3")["outcomes"]


@test
def the_histogram():
    text = heddle("explore", write("p.c", SB), code=0).stdout
    assert "executions  r1  r2" in text and "Always: x = 1, y = 1" in text, text
    assert "4 outcomes. No errors: 4 executions" in text, text


@test
def errors_are_told_beside_outcomes():
    report = explored(MP, code=1)
    assert report["errors"] == ["assertion"], report
    text = heddle("explore", write("p.c", MP), code=1).stdout
    assert "[assertion]" in text and "1 error" in text, text


@test
def a_program_without_variables():
    assert explored(EMPTY_MAIN)["outcomes"] == [{"executions": 1, "state": {}}]


@test
def bad_input_of_explore():
    says(heddle("explore", code=2), "heddle explore")
    says(heddle("explore", "--model", "nope", write("p.c", SB), code=2), "nope")
    says(heddle("explore", "--html", "/nowhere/x", write("p.c", SB), code=2),
         "/nowhere/x")
    old = write("old.html", "old")
    heddle("explore", "--html", old, write("bad.c", "int main("), code=2)
    assert Path(old).read_text() == "old"


@test
def models_side_by_side():
    report, rows = compared(SB, "--models", "sc,tso,rc11", code=0)
    assert [m["model"] for m in report["models"]] == ["sc", "tso", "rc11"]
    assert [m["executions"] for m in report["models"]] == [3, 4, 4]
    row = rows["r1 = 0, r2 = 0"]
    assert row["differs"] and row["executions"] == \
        {"sc": 0, "tso": 1, "rc11": 1}, row
    assert sum(r["differs"] for r in rows.values()) == 1


@test
def errors_are_compared():
    _, rows = compared(MP, "--models", "tso,pso,rc11", code=1)
    row = rows["error assertion, line 17"]
    assert row["differs"] and row["executions"] == \
        {"tso": 0, "pso": 1, "rc11": 1}, row


@test
def a_difference_has_an_execution():
    text = heddle("compare", "--models", "sc,tso", write("p.c", SB),
                  code=0).stdout
    assert "r1 = 0, r2 = 0: tso; not sc. An execution under tso:" in text, text
    assert "read y = 0" in text and "1 difference (*)." in text, text
    quiet = heddle("compare", "-q", "--models", "sc,tso", write("p.c", SB),
                   code=0).stdout
    assert "read y = 0" not in quiet, quiet


@test
def the_same_outcomes():
    text = heddle("compare", "--models", "sc,tso,armv8", write("p.c", COUNTER),
                  code=0).stdout
    assert "The models allow the same outcomes." in text, text


@test
def models_by_default():
    report, _ = compared(EMPTY_MAIN, code=0)
    assert [m["model"] for m in report["models"]] == [
        "sc", "tso", "pso", "ra", "rc11", "c11", "jam21", "xmm",
        "imm", "armv8"]


@test
def two_models_by_name_or_file():
    path = write("sb.c", SB)
    sc = str(Path(__file__).resolve().parent.parent.parent / "models/sc.cat")
    text = heddle("compare", "--model-a", sc, "--model-b", "tso", path,
                  code=0).stdout
    assert "1 difference" in text and "sc.cat" in text, text
    says(heddle("compare", "--model-a", sc, path, code=2), "go together")
    says(heddle("compare", "--model-a", sc, "--model-b", "tso", "--models",
                "sc,tso", path, code=2), "go together")


@test
def an_incomplete_comparison_says_so():
    path = write("p.c", SB)
    text = heddle("compare", "--models", "sc,tso", "--max-executions", "2", path,
                  code=3).stdout
    assert "Incomplete under sc" in text and "Incomplete under tso" in text


@test
def bad_input_of_compare():
    path = write("p.c", SB)
    says(heddle("compare", "--models", "sc", path, code=2), "two models")
    says(heddle("compare", "--models", "sc,nope", path, code=2), "nope")
    says(heddle("compare", "--models", ",".join(["sc"] * 17), path, code=2),
         "16")


tap.main()
