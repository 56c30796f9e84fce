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
from heddle import WORK, check_json, check_source, heddle, says
from tap import test

ATOMIC = """\
#include <stdatomic.h>
#include <assert.h>
#include <pthread.h>
static union { atomic_long word; atomic_int half[2]; } u;
static void *f(void *p) {
  atomic_store(&u.word, 1);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, f, 0);
  assert(atomic_load(&u.half[0]) < 2);
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


ORDERED = """\
#include <stdatomic.h>
#include <assert.h>
static union { atomic_long word; atomic_int half[2]; } u;
int main(void) {
  atomic_store(&u.word, 0x100000001);
  assert(atomic_load(&u.half[0]) == 1 && atomic_load(&u.half[1]) == 1);
  assert(atomic_fetch_add(&u.half[0], 1) == 1);
  assert(atomic_load(&u.word) == 0x100000002);
}
"""
MUTEX = """\
#include <pthread.h>
#include <string.h>
static union { pthread_mutex_t m; char bytes[sizeof(pthread_mutex_t)]; } u;
int main(void) {
  pthread_mutex_lock(&u.m);
  u.bytes[1] = 0;
}
"""


@test
def what_is_ordered_is_fine():
    for options in ([], ["--model", "imm"], ["--model", "armv8"]):
        check_source(ORDERED, *options, code=0)
        check_source(ORDERED.replace("000002)", "000003)"), *options, code=1)


@test
def the_language_says_nothing_about_atomics_of_different_size():
    for options in ([], ["--jobs", "2"], ["--print-executions"]):
        result = check_source(ATOMIC, *options, code=0)
        assert result.stdout.count("[mixed-size]") == 1, result.stdout
        assert "2 executions" in result.stdout, result.stdout
        assert "program.c:6" in result.stdout, result.stdout
        assert "program.c:12" in result.stdout, result.stdout
    for model in ("sc", "tso"):
        result = check_source(ATOMIC, "--model", model, code=0)
        assert "mixed-size" not in result.stdout, result.stdout
    check_source(ATOMIC, "--error", "mixed-size", code=1)
    check_source(ATOMIC.replace("< 2", "< 1"), code=1)


@test
def what_is_not_supported_is_no_error():
    for model in ("lkmm", "jam21"):
        result = check_source(ATOMIC, "--model", model, code=2)
        says(result, "program.c:", "access of 4 bytes", "access of 8 bytes",
             "not support")
        assert not result.stdout, result.stdout
    says(check_source(ATOMIC, "--model", "jam21", code=2), "one size")
    report = check_json(ATOMIC, "--model", "jam21", code=2)
    assert report["verdict"] == "incomplete", report
    assert [e["kind"] for e in report["errors"]] == ["unsupported"], report
    says(check_source(MUTEX, code=2), "program.c:6:", "access of 1 byte",
         "in line 5", "4 bytes", "a lock")


@test
def languages_warn():
    for model in ("rc11", "c11", "ra"):
        report = check_json(ATOMIC, "--model", model, code=0)
        assert [e["kind"] for e in report["warnings"]] == ["mixed-size"], report


BUFFERING = """#include <pthread.h>
#include <stdatomic.h>
static union { _Atomic unsigned short word; _Atomic unsigned char of[2]; } u;
static void *whole(void *unused) {
  atomic_exchange_explicit(&u.word, 0x101, memory_order_acquire);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, whole, 0);
  atomic_fetch_add_explicit(&u.of[0], 2, memory_order_release);
  atomic_store_explicit(&u.of[1], 4, memory_order_relaxed);
  pthread_join(t, 0);
  return 0;
}
"""


@test
def load_buffering_is_left_out_by_name():
    check_source(ATOMIC, "--model", "armv8", code=0)
    for model in ("imm", "armv8"):
        report = check_json(BUFFERING, "--model", model, code=3)
        assert report["verdict"] == "incomplete", report
        assert "load buffering" in report["limit"], report
    check_source(BUFFERING, "--model", "tso", code=0)


# Relaxed accesses, some of which are made in pieces.
WHOLE = """#include <pthread.h>
#include <stdatomic.h>
#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
#define swap(p, v) atomic_exchange_explicit(p, v, memory_order_relaxed)
#define fence() atomic_thread_fence(memory_order_acq_rel)
static union { _Atomic unsigned short word; _Atomic unsigned char of[2]; } u;
static atomic_int x, y;
static void *one(void *unused) { ONE return unused; }
static void *other(void *unused) { OTHER return unused; }
static void *third(void *unused) { THIRD return unused; }
int main(void) {
  pthread_t s, t, v;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, other, 0);
  pthread_create(&v, 0, third, 0);
  pthread_join(s, 0);
  LAST
  pthread_join(t, 0);
  pthread_join(v, 0);
  return 0;
}
"""


def check_pieces(code, one, other, third="", last=""):
    text = WHOLE.replace("ONE", one).replace("OTHER", other)
    check_source(text.replace("THIRD", third).replace("LAST", last),
                 "--model", "xmm", code=code)


@test
def load_buffering_is_only_left_out_where_it_may_be():
    whole, part = "store(&u.word, 3);", "load(&u.of[0]);"
    both = "store(&x, 1); load(&y);"
    check_pieces(3, whole + "load(&x); store(&y, 1);", part, both)
    check_pieces(0, whole + "load(&x); fence(); store(&y, 1);", part, both)
    # Whoever gives it a value has joined it.
    check_pieces(0, whole + "load(&x); store(&y, 1);", part, last=both)
    # The halves of an update are not apart.
    check_pieces(0, "swap(&u.word, 3);", "store(&u.of[0], 1);",
                 "load(&u.of[1]);")


@test
def a_race_is_one_whatever_the_sizes():
    assert "[race]" in check_source(RACE, code=1).stdout
    report = check_json(RACE, "--all-errors", code=1)
    assert report["errors"][0]["kind"] == "race", report
    check_source(RACE, "--disable", "race", code=0)


# A byte for each reader, which the writer looks at as a word.
BYTES = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static union { atomic_uchar byte[4]; atomic_uint word; } readers;
static atomic_int writer;
static void *reader(void *p) {
  atomic_store(&readers.byte[1], 1);
  assert(atomic_load(&writer) < 2);
  atomic_store(&readers.byte[1], 0);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  atomic_store(&writer, 1);
  while (atomic_load(&readers.word))
    ;
  pthread_join(t, 0);
}
"""


# An update that is made in pieces, since a byte of it is read, and an error
# behind it. All is ordered.
UPDATE = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, word;
static void *one(void *p) {
  if (atomic_load_explicit(&x, memory_order_relaxed)) {
    atomic_fetch_add_explicit(&word, 1, memory_order_relaxed);
    (void)atomic_load_explicit((atomic_char *)&word, memory_order_relaxed);
    assert(0);
  }
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_join(t, 0);
}
"""


def models_of_programs():
    return [line.split()[0] for line in heddle("models").stdout.splitlines()
            if not line.endswith("for litmus tests")]


@test
def a_text_may_say_what_no_piece_of_an_update_does():
    for model in models_of_programs():
        check_source(UPDATE, "--model", model, code=1)
    models = Path(__file__).resolve().parent.parent.parent / "models"
    for name in ("c11", "rc11"):
        text = (models / f"{name}.cat").read_text()
        own = WORK / f"own-{name}.cat"
        own.write_text(text + "empty po & po^-1 as one-more\n")
        says(check_source(UPDATE, "--model", str(own), code=2), "program.c:7",
             "this update")


@test
def every_model_answers_or_says_why_not():
    models = models_of_programs()
    refused = {"lkmm", "jam21"}
    for model in models:
        code = 2 if model in refused else 0
        result = check_source(BYTES, "--model", model, code=code)
        if code:
            says(result, "program.c:", "4 bytes", "in line", "hint: ")
    assert refused < set(models), models


tap.main(sys.argv[2:])
