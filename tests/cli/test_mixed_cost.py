#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What accesses of different size cost, in instructions: the same program in
which all accesses have one size is the measure. Skipped without valgrind.

    tests/cli/test_mixed_cost.py build/heddle [WORD...]
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
#include <stdint.h>
#define load(p) atomic_load_explicit(p, memory_order_acquire)
#define store(p, v) atomic_store_explicit(p, v, memory_order_release)
#ifdef MIXED
#define PART(type, at) ((_Atomic type *)((char *)&word + at))
#else
#define PART(type, at) (&word)
#endif
static _Atomic uint32_t word;
"""
MAIN = """
int main(void) {
  pthread_t t[sizeof start / sizeof *start];
  for (int i = 0; i < (int)(sizeof start / sizeof *start); i++)
    pthread_create(&t[i], 0, start[i], 0);
  for (int i = 0; i < (int)(sizeof start / sizeof *start); i++)
    pthread_join(t[i], 0);
  return 0;
}
"""
ADDS = HEAD + """
static void *add(void *a) { atomic_fetch_add_explicit(&word, 1, memory_order_relaxed); return a; }
static void *byte(void *a) { store(PART(uint8_t, 3), 7); return a; }
static void *(*const start[])(void *) = {add, add, add, add, add, byte};
""" + MAIN
# A count in the lower half of a word, the end of a queue in the upper half.
SEQCOUNT = HEAD + """
static atomic_int a, b;
static void *writer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    store(PART(uint16_t, 0), 2 * i - 1);
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&a, i, memory_order_relaxed);
    atomic_store_explicit(&b, i, memory_order_relaxed);
    store(PART(uint16_t, 0), 2 * i);
  }
  return arg;
}
static void *reader(void *arg) {
  load(&word);
  atomic_load_explicit(&a, memory_order_relaxed);
  atomic_load_explicit(&b, memory_order_relaxed);
  atomic_thread_fence(memory_order_acquire);
  load(&word);
  return arg;
}
static void *(*const start[])(void *) = {writer, reader, reader};
""" + MAIN
POLL = HEAD + """
static void *writer(void *arg) {
  for (int i = 1; i <= N; i++)
    store(PART(uint8_t, 0), i);
  return arg;
}
static void *reader(void *arg) {
  while (load(&word) != N) {}
  return arg;
}
static void *(*const start[])(void *) = {writer, reader};
""" + MAIN
# The pending byte is set by an update of the word, the lock is a byte of it.
LOCK = HEAD + """
static int data;
static void *run(void *arg) {
  uint32_t zero = 0;
  while (!atomic_compare_exchange_strong_explicit(
      &word, &zero, 1, memory_order_acquire, memory_order_relaxed))
    zero = 0;
  data++;
  store(PART(uint8_t, 0), 0);
  return arg;
}
static void *(*const start[])(void *) = {run, run, run};
""" + MAIN


def ratio(text, *args):
    """What the program costs with mixed sizes, against that without; what the
    smallest check costs taken off both."""
    least = instructions(EMPTY_MAIN)
    one = instructions(text, *args) - least
    mixed = instructions(text, "-DMIXED", *args) - least
    print(f"# {mixed / 1e6:.1f} for {one / 1e6:.1f} million instructions")
    return mixed / one


@test
def five_updates_and_a_byte():
    assert ratio(ADDS) < 6


@test
def a_count_with_a_tail():
    assert ratio(SEQCOUNT) < 4


@test
def a_lock_with_a_byte():
    assert ratio(LOCK) < 4


@test
def polling():
    def cost(n):
        return instructions(POLL, "-DMIXED", f"-DN={n}")
    least, small, large = cost(1), cost(16), cost(64)
    print(f"# {small - least} for 15 more stores, {large - least} for 63")
    assert large - least < 2 * 63 / 15 * (small - least)


tap.main()
