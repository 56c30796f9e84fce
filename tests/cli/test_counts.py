#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What is counted without being explored, and what is found before a search
begins again: tests/cli/test_counts.py HEDDLE."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import tap
from heddle import check_json


START = """
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
"""
MAIN = """
int main(void) {
  pthread_t ids[2];
  void *one, *two;
  pthread_create(&ids[0], NULL, left, NULL);
  pthread_create(&ids[1], NULL, right, NULL);
  pthread_join(ids[0], &one);
  pthread_join(ids[1], &two);
  return END;
}
"""

# The left thread reads 0, 1 or 2, and main tells whether it was 1.
RESULT = START + """
static atomic_int x;
static void *left(void *unused) {
  (void)unused;
  return (void *)(uintptr_t)atomic_load_explicit(&x, memory_order_relaxed);
}
static void *right(void *unused) {
  (void)unused;
  for (int i = 1; i <= 3; i++)
    atomic_store_explicit(&x, i < 3 ? 1 : 2, memory_order_relaxed);
  return NULL;
}
""" + MAIN.replace("END", "one == (void *)1 ? 3 : 0")

# Who comes second waits for ever: the left thread keeps the mutex. So the right
# one reads 0, and nothing overflows.
KEPT = START + """
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;
static void *left(void *unused) {
  pthread_mutex_lock(&mutex);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}
static void *right(void *unused) {
  pthread_mutex_lock(&mutex);
  int sum = INT_MAX + atomic_load_explicit(&x, memory_order_relaxed);
  pthread_mutex_unlock(&mutex);
  return sum ? unused : &mutex;
}
""" + MAIN.replace("END", "0")

# The left thread looks, and waits if it must. What it sees when it has waited it
# could have seen at once.
LOOKS = START + """
static atomic_int x;
static void *left(void *unused) {
  if (!atomic_load_explicit(&x, memory_order_relaxed))
    while (!atomic_load_explicit(&x, memory_order_relaxed))
      ;
  return unused;
}
static void *right(void *unused) {
  atomic_store_explicit(&x, 5, memory_order_relaxed);
  return unused;
}
""" + MAIN.replace("END", "0")

# Main tells the result of the right thread only if that of the left one is 0;
# else it does something in between.
STATES = START + """
static atomic_int x, y;
static void *left(void *unused) {
  (void)unused;
  return (void *)(uintptr_t)atomic_load_explicit(&x, memory_order_relaxed);
}
static void *right(void *unused) {
  (void)unused;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return (void *)3;
}
int main(void) {
  pthread_t ids[2];
  void *one, *two;
  pthread_create(&ids[0], NULL, left, NULL);
  pthread_create(&ids[1], NULL, right, NULL);
  pthread_join(ids[0], &one);
  if (one)
    (void)atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(ids[1], &two);
  return one ? 0 : (int)(uintptr_t)two;
}
"""

# Updates whose source is taken come to nothing, if nothing else is read that
# their write could be promised to.
UPDATES = START + """
static atomic_int x;
static void *add(void *unused) {
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t ids[5];
  for (int i = 0; i < 5; i++)
    pthread_create(&ids[i], NULL, add, NULL);
  for (int i = 0; i < 5; i++)
    pthread_join(ids[i], NULL);
  return 0;
}
"""


def has_counts(program, models, executions, failures=0):
    for model in models:
        answer = check_json(program, "--disable", "livelock", "--model", model,
                            code=0)
        assert answer["executions"] == executions, answer
        assert answer["failures"] == failures, answer


@tap.test
def a_result_that_main_looks_at_makes_a_difference_each_time():
    has_counts(RESULT, ["sc", "rc11", "imm"], 4, failures=2)


@tap.test
def a_result_that_main_ignores_in_one_state_counts_in_another():
    has_counts(STATES, ["sc", "rc11", "imm"], 3, failures=1)


# Nobody looks at what the left thread, or main, has read.
IGNORED = RESULT.replace(
    "return (void *)(uintptr_t)atomic", "atomic").replace(
    "memory_order_relaxed);\n}", "memory_order_relaxed);\n  return NULL;\n}",
    1).replace("one == (void *)1 ? 3 : 0", "3")
BY_MAIN = IGNORED.replace(
    "  pthread_join(ids[0]",
    "  atomic_load_explicit(&x, memory_order_relaxed);\n  pthread_join(ids[0]")


@tap.test
def what_main_returns_anyway_is_told_each_time():
    has_counts(IGNORED, ["sc", "rc11", "imm"], 4, failures=4)


@tap.test
def what_is_not_added_counts_for_the_length_of_an_execution():
    """The first executions are looked at as a whole."""
    others = "{\n  if (heddle_choose(0, 99) < 99) return 0;\n  pthread_t ids"
    for text in IGNORED.replace("return 3", "return 0"), IGNORED, BY_MAIN:
        text = "#include <heddle.h>" + text.replace("{\n  pthread_t ids", others)
        stats = check_json(text, "--stats", code=0)["stats"]
        length = stats["largest_execution"]
        check_json(text, "--max-events", str(length), code=0)
        answer = check_json(text, "--max-events", str(length - 1), code=3)
        assert answer["executions"] == 99, answer


@tap.test
def what_is_not_found_again_is_no_finding():
    answer = check_json(KEPT, "--disable", "deadlock", code=0)
    assert not answer["warnings"], answer["warnings"]


@tap.test
def a_failed_round_is_not_counted_where_it_would_be_the_last_event():
    has_counts(LOOKS, ["sc", "rc11"], 1)


@tap.test
def updates_that_come_too_late_cost_nothing_where_promises_are_possible():
    added = [check_json(UPDATES, "--stats", "--symmetry", "off", "--model",
                        model, code=0)["stats"]["events_added"]
             for model in ("rc11", "imm", "armv8")]
    assert added[1:] == added[:1] * 2, added


if __name__ == "__main__":
    tap.main(sys.argv[2:])
