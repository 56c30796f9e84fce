#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Equal threads, in C: how many executions are explored, what they stand for,
and what tells threads apart. tests/cli/test_symmetry.py HEDDLE."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap

HEDDLE = sys.argv[1]
FRAME = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
%s
int main(void) {
  pthread_t ids[N];
  before();
  for (int i = 0; i < N; i++)
    pthread_create(&ids[i], NULL, run, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(ids[i], NULL);
  after();
}
"""
NOTHING = "static void before(void) {} static void after(void) {}\n"


def check(body, *options, n=4, code=0, frame=FRAME):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(frame.replace("%s", body))
        done = subprocess.run(
            [HEDDLE, "check", "--json", "--stats", "--symmetry", "on", *options, str(path), "--",
             f"-DN={n}"], capture_output=True, text=True)
        assert done.returncode == code, done.stdout + done.stderr
        return json.loads(done.stdout)


def counts(answer):
    return answer["executions"], answer["stands_for"]


COUNTER = NOTHING + """
static atomic_int x;
static void *run(void *arg) { x++; return arg; }
"""


@tap.test
def one_increment_stands_for_all():
    for model in "sc", "tso", "pso", "ra", "rc11", "imm", "armv8":
        assert counts(check(COUNTER, "--model", model, n=6)) == (1, 720)
        assert counts(check(COUNTER, "--model", model, "--jobs", "2",
                            n=5)) == (1, 120)
    assert counts(check(COUNTER, "--symmetry", "off")) == (24, 24)


BUFFERING = NOTHING + """
static atomic_int x, y;
static void *run(void *arg) {
  atomic_load_explicit(&x, LOAD);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_load_explicit(&y, LOAD);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return arg;
}
"""


@tap.test
def loads_that_may_read_later_stores_tell_threads_apart():
    """Where a load may take its value from a store that comes after it, all is
    explored; an acquire load may not."""
    for model in "imm", "armv8":
        for order, is_equal in ("acquire", True), ("relaxed", False):
            text = BUFFERING.replace("LOAD", "memory_order_" + order)
            one = check(text, "--model", model, n=2)
            all_of_them = counts(check(text, "--model", model, "--symmetry",
                                       "off", n=2))[0]
            assert one["stands_for"] == all_of_them, one
            assert (one["executions"] < all_of_them) == is_equal, one
            why = one["stats"]["asymmetry"]
            assert (why is None) == is_equal, why
            two = check(text, "--model", model, "--jobs", "2", n=2)
            assert counts(two) == counts(one), two


@tap.test
def results_tell_threads_apart_if_main_looks_at_them():
    body = NOTHING + """
static atomic_int x;
static void *run(void *arg) { return (void *)(intptr_t)x++; }
"""
    looks = FRAME.replace("pthread_join(ids[i], NULL);", """{
    void *result;
    pthread_join(ids[i], &result);
    LOOK;
  }""")
    alike = looks.replace("LOOK", "assert(result != (void *)N)")
    apart = looks.replace("LOOK", "assert(result != (void *)1 || i < N - 1)")
    for model in "sc", "rc11", "imm":
        assert counts(check(body, "--model", model)) == (1, 24)
        assert counts(check(body, "--model", model, frame=alike)) == (1, 24)
        check(body, "--model", model, frame=apart, code=1)
    assert counts(check(body, "--jobs", "2")) == (1, 24)


@tap.test
def one_way_to_take_a_mutex_stands_for_all():
    body = NOTHING + """
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *run(void *arg) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  return arg;
}
"""
    assert counts(check(body, n=6)) == (1, 720)


STACK = """
struct node { struct node *next; };
static struct node *_Atomic top;
static void before(void) {}
static void *run(void *arg) {
  struct node *mine = malloc(sizeof *mine);
  mine->next = atomic_load(&top);
  while (!atomic_compare_exchange_strong(&top, &mine->next, mine))
    ;
  return arg;
}
"""


@tap.test
def addresses_are_names():
    walk = """
static void after(void) {
  int n = 0;
  for (struct node *p = top; p; n++) {
    struct node *next = p->next;
    free(p);
    p = next;
  }
  assert(n == N);
}
"""
    assert counts(check(STACK + walk)) == (1, 24)


@tap.test
def who_compares_addresses_tells_threads_apart():
    order = """
static void after(void) {
  if ((uintptr_t)top < (uintptr_t)top->next)
    top = NULL;
}
"""
    answer = check(STACK + order, "--disable", "leak")
    assert counts(answer) == (24, 24)
    assert answer["stats"]["asymmetry"]
    by_bits = STACK.replace("return arg;", "return (void *)((uintptr_t)mine & 1);")
    assert counts(check(by_bits + "static void after(void) {}", "--disable",
                        "leak")) == (1, 24)
    by_bits = STACK.replace("return arg;",
                            "return (void *)((uintptr_t)mine >> 41 & 1);")
    assert counts(check(by_bits + "static void after(void) {}", "--disable",
                        "leak")) == (24, 24)


# Each thread has an element of its own, and memory begins with a pointer to that
# of the first one, which must not come second.
POINTER = NOTHING + """
static int own[N];
static int *_Atomic first = FIRST;
static atomic_int x;
static void *run(void *arg) {
  int *mine = arg;
  *mine = 1;
  int before = x++;
  if (first == mine)
    assert(before == 0);
  return NULL;
}
"""


@tap.test
def a_pointer_that_is_there_from_the_beginning_tells_threads_apart():
    frame = FRAME.replace("run, NULL)", "run, &own[i])")
    for first, code in ("own", 1), ("NULL", 0):
        check(POINTER.replace("FIRST", first), n=2, frame=frame, code=code)
    answer = check(POINTER.replace("FIRST", "NULL"), n=3, frame=frame)
    assert counts(answer) == (1, 6), counts(answer)


@tap.test
def who_knows_its_number_is_not_equal():
    body = NOTHING + """
static atomic_int x;
static void *run(void *arg) { x += (int)pthread_self(); return arg; }
"""
    assert counts(check(body)) == (24, 24)
    assert counts(check(body, "--jobs", "2")) == (24, 24)


NUMBERED = FRAME.replace("run, NULL", "run, (void *)(intptr_t)i")
QUEUE = """
struct node { _Atomic(struct node *) next; atomic_int used; };
static struct node nodes[N];
static int own[N], zero;
static _Atomic(struct node *) tail;
static atomic_int last;
static void before(void) {}
static void *run(void *arg) {
  int me = (int)(intptr_t)arg;
  struct node *before = atomic_exchange(&tail, &nodes[me]);
  if (before)
    before->next = &nodes[me];
  own[me]++;
  SOMETHING
  return RESULT;
}
static void after(void) { MORE }
"""


def queue(something="", result="NULL", more=""):
    return QUEUE.replace("SOMETHING", something).replace(
        "RESULT", result).replace("MORE", more)


@tap.test
def numbers_of_elements_are_names():
    """Of one array or two, found at the start or later; the number may be
    returned."""
    for model in "sc", "rc11", "imm", "armv8":
        for jobs in "1", "2":
            for text in queue(), queue(result="arg"):
                assert counts(check(text, "--model", model, "--jobs", jobs,
                                    frame=NUMBERED)) == (1, 24), text
    # What is done with it otherwise tells threads apart.
    for text in (queue("last = me;"), queue("if (me == 2) own[0]++;"),
                 queue("own[me ^ 1] += 0;"), queue(result="(char *)arg + 1"),
                 queue(more="for (int i = 0; i < N; i++) assert(own[i] == 1);"),
                 queue(more="last = tail == &nodes[0];")):
        answer = check(text, "--disable", "race", frame=NUMBERED)
        assert answer["executions"] == answer["stands_for"], (text, answer)
    # So does main, if it prepares one in another way, or points to it: the
    # other three are equal.
    for before in "own[1] = 1;", "tail = &nodes[2];":
        text = queue().replace("before(void) {}", "before(void) { %s }" % before)
        few, all_of_them = counts(check(text, frame=NUMBERED))
        assert 6 * few == all_of_them, before
        assert counts(check(text, "--symmetry", "off",
                            frame=NUMBERED))[0] == all_of_them, before
    equal = "for (int i = 0; i < N; i++) own[i] = 7;"
    text = queue().replace("before(void) {}", "before(void) { %s }" % equal)
    assert counts(check(text, frame=NUMBERED)) == (1, 24)


@tap.test
def an_error_of_one_number_is_found():
    answer = check(queue("assert(own[me] != 1 || before != &nodes[2]);"),
                   frame=NUMBERED, code=1)
    assert [e["kind"] for e in answer["errors"]] == ["assertion"], answer


@tap.test
def an_error_of_one_order_of_threads_is_found():
    body = """
static atomic_int x, last;
static void before(void) {}
static void *run(void *arg) {
  int mine = x++;
  last = mine;
  return arg;
}
static void after(void) { assert(last != 1); }
"""
    answer = check(body, n=3, code=1)
    assert answer["errors"][0]["kind"] == "assertion"


@tap.test
def main_between_joins_sees_who_is_first():
    frame = """
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *run(void *arg) { x++; return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, run, NULL);
  pthread_create(&b, NULL, run, NULL);
  pthread_join(a, NULL);
  int seen = x;
  pthread_join(b, NULL);
  return seen - seen;
}
"""
    # Before the load a is done: b before it, between, after.
    assert counts(check("", frame=frame)) == (3, 3)


tap.main()
