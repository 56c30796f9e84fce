#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What models cost beside rc11, in instructions, where they have the same
executions (tests/bench/reach.py has all rows). Skipped without valgrind.

    tests/cli/test_model_cost.py build/heddle [WORD...]
"""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from counted import instructions
from heddle import EMPTY_MAIN
from tap import test

HEAD = """\
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x = 1, y = 1;
"""
MAIN = """
int main(void) {
  for (unsigned long i = 0; i < sizeof start / sizeof *start; i++) {
    pthread_t t;
    pthread_create(&t, 0, start[i], 0);
  }
  return 0;
}
"""
# Each thread adds the other's number to its own; one looks at both.
SUMS = HEAD + """
#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)
static void *left(void *a) {
  for (int i = 0; i < 3; i++) store(&x, load(&x) + load(&y));
  return a;
}
static void *right(void *a) {
  for (int i = 0; i < 3; i++) store(&y, load(&x) + load(&y));
  return a;
}
static void *observer(void *a) {
  return load(&x) > 1000 || load(&y) > 1000 ? &x : a;
}
static void *(*const start[])(void *) = {left, right, observer};
""" + MAIN
WRITERS = HEAD + """
static void *w(void *a) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  return a;
}
static void *(*const start[])(void *) = {w, w, w, w, w, w, w};
""" + MAIN


def ratio(model, text):
    def cost(model):
        return (instructions(text, "--model", model)
                - instructions(EMPTY_MAIN, "--model", model))
    cost("rc11")  # what is compiled below valgrind is cached
    own, rc11 = cost(model), cost("rc11")
    print(f"# {own / 1e6:.1f} for {rc11 / 1e6:.1f} million instructions")
    return own / rc11


@test
def release_sequences_of_one_store():
    assert ratio("c11", WRITERS) < 2


@test
def relaxed_loads_that_nothing_orders():
    assert ratio("armv8", SUMS) < 1.8


tap.main()
