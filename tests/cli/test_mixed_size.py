#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Accesses of different size to the same memory: what is no error of the
program is not called one.

    tests/cli/test_mixed_size.py build/heddle [WORD...]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import check_json, check_source, says
from tap import test

ATOMIC = """\
#include <stdatomic.h>
#include <assert.h>
static union { atomic_long word; atomic_int half[2]; } u;
int main(void) {
  atomic_store(&u.word, 1);
  assert(atomic_load(&u.half[0]) == 2);
}
"""
RACE = """\
#include <pthread.h>
static union { long word; int half[2]; } u;
static void *f(void *p) {
  u.half[0] = 2;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  u.word = 1;
  pthread_join(t, 0);
}
"""


@test
def what_is_not_supported_is_no_error():
    for options in ([], ["--all-errors"], ["--model", "imm"]):
        result = check_source(ATOMIC, *options, code=2)
        says(result, "program.c:6:", "access of 4 bytes", "in line 5",
             "8 bytes", "not support")
        assert not result.stdout, result.stdout
    report = check_json(ATOMIC, code=2)
    assert report["verdict"] == "incomplete", report
    assert [e["kind"] for e in report["errors"]] == ["unsupported"], report


@test
def a_race_is_one_whatever_the_sizes():
    assert "[race]" in check_source(RACE, code=1).stdout
    report = check_json(RACE, "--all-errors", code=1)
    assert report["errors"][0]["kind"] == "race", report
    check_source(RACE, "--disable", "race", code=2)


tap.main(sys.argv[2:])
