#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Locks of the program's own making, as their authors write them, taken by
equal threads: how many executions are explored, and what they stand for.
tests/cli/test_own_locks.py HEDDLE."""
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap

HEDDLE = sys.argv[1]
LOCKS = Path(__file__).parent.parent / "programs" / "locks"
FRAME = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define load(p, o) atomic_load_explicit(p, memory_order_##o)
#define store(p, v, o) atomic_store_explicit(p, v, memory_order_##o)
#define swap(p, v, o) atomic_exchange_explicit(p, v, memory_order_##o)
#define cas(p, e, v, s, f) atomic_compare_exchange_strong_explicit( \\
    p, e, v, memory_order_##s, memory_order_##f)
#define WEAK(p, e, v, s, f) atomic_compare_exchange_weak_explicit( \\
    p, e, v, memory_order_##s, memory_order_##f)
static int counter;
%s
static void *run(void *arg) {
  NODE
  acquire(me);
  WORK
  release(me);
  return NULL;
}
int main(void) {
  pthread_t ids[N];
  for (long i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, run, ARG);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  assert(counter == N || counter == 0);
}
"""
# Where a thread has its node: what it does first, and its argument.
NODES = {
    "element": ("struct node *me = arg;", "&nodes[i]"),
    "number": ("struct node *me = &nodes[(long)arg];", "(void *)i"),
    "local": ("struct node own, *me = &own; (void)nodes;", "NULL"),
    "heap": ("struct node *me = malloc(sizeof *me); (void)nodes;", "NULL"),
}


def check(body, n, node, *options, model="rc11", work="counter++;"):
    first, arg = node
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(FRAME.replace("%s", body).replace("NODE", first)
                        .replace("ARG", arg).replace("WORK", work))
        return answer(path, n, *options, model=model)


def answer(path, n, *options, model="rc11"):
    done = subprocess.run(
        [HEDDLE, "check", "--json", "--stats", "--model", model, "--symmetry",
         "on", *options, str(path), "--", f"-DN={n}"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    report = json.loads(done.stdout)
    return report["executions"], report["stands_for"]


WORD = """
struct node { int unused; };
static atomic_int word;
static void acquire(struct node *me) { (void)me; TAKE }
static void release(struct node *me) { (void)me; store(&word, 0, release); }
"""
TAKES = {
    "test and set": "while (swap(&word, 1, acquire));",
    "test, test and set":
        "do while (load(&word, relaxed)); while (swap(&word, 1, acquire));",
    "test, compare-exchange": """
        for (;;) {
          while (load(&word, relaxed));
          int free = 0;
          if (cas(&word, &free, 1, acquire, relaxed)) return;
        }""",
    "compare-exchange": """
        int free = 0;
        while (!cas(&word, &free, 1, acquire, relaxed)) free = 0;""",
    "weak compare-exchange": """
        int free = 0;
        while (!WEAK(&word, &free, 1, acquire, relaxed)) free = 0;""",
}


@tap.test
def a_word_is_taken_in_one_order():
    for name, take in TAKES.items():
        for node in ("(void)arg; struct node *me = NULL;", "NULL"), \
                ("(void)arg; struct node *me = NULL;", "(void *)i"):
            said = check(WORD.replace("TAKE", take), 4, node)
            assert said == (1, 24), (name, node, said)


@tap.test
def a_word_is_taken_in_one_order_under_other_models():
    node = ("(void)arg; struct node *me = NULL;", "NULL")
    for model in "sc", "tso", "pso", "ra":
        for name, take in TAKES.items():
            said = check(WORD.replace("TAKE", take), 3, node, model=model)
            assert said == (1, 6), (model, name, said)


CLH = """
struct node { atomic_int must_wait; };
static struct node nodes[N], first;
static _Atomic(struct node *) tail = &first;
static void acquire(struct node *me) {
  store(&me->must_wait, 1, relaxed);
  struct node *before = swap(&tail, me, acq_rel);
  while (load(&before->must_wait, acquire));
}
static void release(struct node *me) { store(&me->must_wait, 0, release); }
"""


@tap.test
def a_queue_that_waits_for_the_one_before_has_one_order():
    for name in "element", "number", "heap":
        said = check(CLH, 4, NODES[name])
        assert said == (1, 24), (name, said)
        assert check(CLH, 3, NODES[name], "--jobs", "2") == (1, 6), name


MCS = """
struct node { _Atomic(struct node *) next; atomic_int must_wait; };
static struct node nodes[N];
static _Atomic(struct node *) tail;
static void acquire(struct node *me) {
  store(&me->next, NULL, relaxed);
  store(&me->must_wait, 1, relaxed);
  struct node *before = swap(&tail, me, acq_rel);
  if (!before) return;
  store(&before->next, me, release);
  while (load(&me->must_wait, acquire));
}
static void release(struct node *me) {
  struct node *next = load(&me->next, acquire), *mine = me;
  if (!next) {
    if (cas(&tail, &mine, NULL, release, relaxed)) return;
    while (!(next = load(&me->next, acquire)));
  }
  store(&next->must_wait, 0, release);
}
"""


@tap.test
def each_of_a_queue_finds_it_empty_or_not():
    """Whether the next one was there when it was looked for first does not
    matter: what the failed compare-exchange saw does not either."""
    for name, node in NODES.items():
        for n in 2, 3, 4:
            said = check(MCS, n, node)
            assert said == (2 ** (n - 1), 2 ** (n - 1) * math.factorial(n)), \
                (name, n, said)


STACK = """
struct node { struct node *next; };
static _Atomic(struct node *) top;
static struct node nodes[1];
static void acquire(struct node *me) {
  struct node *old = load(&top, relaxed);
  do me->next = old; while (!WEAK(&top, &old, me, release, relaxed));
}
static void release(struct node *me) { (void)me; }
"""
QUEUE = """
struct node { _Atomic(struct node *) next; };
static struct node nodes[1], dummy;
static _Atomic(struct node *) tail = &dummy;
static void acquire(struct node *me) {
  store(&me->next, NULL, relaxed);
  for (;;) {
    struct node *last = load(&tail, acquire);
    struct node *next = load(&last->next, acquire);
    if (last != load(&tail, acquire)) continue;
    if (next) {
      cas(&tail, &last, next, release, relaxed);
    } else if (cas(&last->next, &next, me, release, relaxed)) {
      cas(&tail, &last, me, release, relaxed);
      return;
    }
  }
}
static void release(struct node *me) { (void)me; }
"""


@tap.test
def producers_of_a_stack_and_of_a_queue_come_in_one_order():
    """k producers: as many executions as without symmetry, divided by k!."""
    for body in STACK, QUEUE:
        few, stands_for = check(body, 3, NODES["heap"], work="")
        all_of_them, _ = check(body, 3, NODES["heap"], "--symmetry", "off",
                               work="")
        assert few * 6 == stands_for == all_of_them, (few, all_of_them)


@tap.test
def the_last_of_a_queue_in_the_word_of_the_lock_is_a_name():
    """The number of a thread, in the upper half of a word."""
    for n, most in (2, 4), (3, 234):
        said, all_of_them = answer(LOCKS / "qspinlock.c", n)
        off, _ = answer(LOCKS / "qspinlock.c", n, "--symmetry", "off")
        assert said <= most and all_of_them == off, (n, said, all_of_them, off)
        assert said * math.factorial(n) == off, (n, said, off)


CODED = """
struct node { atomic_int must_wait; };
static struct node nodes[N + 1];
static atomic_uint word;
static atomic_int unused;
static void acquire(unsigned me) {
  int space[2] = {0, 0}; // so that this stays a function of its own
  space[load(&unused, relaxed)] = 1; // and the number is needed later
  store(&nodes[me].must_wait, 1, relaxed);
  unsigned before = swap(&word, (me + FIRST) << SHIFT, acq_rel) >> SHIFT;
  if (before) {
    struct node *last = &nodes[before - FIRST];
    while (load(&last->must_wait, acquire));
  }
}
static void release(unsigned me) { store(&nodes[me].must_wait, 0, release); }
"""


@tap.test
def numbers_in_the_upper_bits_of_a_word_are_names():
    number = "unsigned me = (unsigned)(long)arg;"
    for shift in "8", "16", "18":
        for first, arg in ("1", "(void *)i"), ("0", "(void *)(i + 1)"):
            body = CODED.replace("FIRST", first).replace("SHIFT", shift)
            said = check(body, 3, (number, arg))
            assert said == (1, 6), (shift, first, said)
    # In the lower bits they are numbers like others.
    body = CODED.replace("FIRST", "1").replace("SHIFT", "0")
    assert check(body, 3, (number, "(void *)i")) == (6, 6)


@tap.test
def who_has_the_number_0_has_no_name_in_a_word():
    """0 is in all words; the others are equal."""
    body = """
struct node { int unused; };
static atomic_uint word;
static void acquire(unsigned me) { swap(&word, me << 16, acq_rel); }
static void release(unsigned me) { (void)me; }
"""
    number = "unsigned me = (unsigned)(long)arg;"
    assert check(body, 3, (number, "(void *)i"), work="") == (3, 6)
    # Nor if it is told who it is in that way.
    body = """
static void *_Atomic last;
static void acquire(void *me) { store(&last, me, relaxed); }
static void release(void *me) { (void)me; }
"""
    told = "void *me = arg;", "(void *)(i << 12)"
    assert check(body, 3, told, work="") == (3, 6)


TWO_LOOKS = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *look(void *arg) {
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
  if (!seen)
    seen = atomic_load_explicit(&x, memory_order_relaxed);
  return seen ? NULL : arg;
}
int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, look, NULL);
  x = 1;
  pthread_join(id, NULL);
}
"""


@tap.test
def two_looks_without_a_loop_are_two():
    """0 and 0, 0 and 1, 1."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(TWO_LOOKS)
        assert answer(path, 1) == (3, 3)


if __name__ == "__main__":
    tap.main()
