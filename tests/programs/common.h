// SPDX-License-Identifier: MIT
// Short names for what every test program here does: atomic accesses with an
// order, and N threads that run one function with their number as argument.
#pragma once

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <heddle.h>

#define rlx memory_order_relaxed
#define acq memory_order_acquire
#define rel memory_order_release
#define acqrel memory_order_acq_rel
#define sc memory_order_seq_cst
#ifdef ALL_RELAXED
#include "relaxed.h"
#endif

#define load atomic_load_explicit
#define store atomic_store_explicit
#define fetch_add atomic_fetch_add_explicit
#define swap atomic_exchange_explicit
#define fence atomic_thread_fence

// Whether *where was `expected` and is now `wanted`.
#define cas(where, expected, wanted, success, failure)                         \
  ({                                                                           \
    __typeof__((void)0, *(where)) cas_seen = (expected);                       \
    atomic_compare_exchange_strong_explicit((where), &cas_seen, (wanted),      \
                                            (success), (failure));             \
  })

// Waits until the condition holds: as a loop (SPIN), or by giving up every
// execution in which it does not hold at once. Both have the same complete
// executions.
#ifdef SPIN
#define await(condition)                                                       \
  while (!(condition)) {                                                       \
  }
#else
#define await(condition) heddle_assume(condition)
#endif

#define MAX_THREADS 20

// Starts n threads body(0) ... body(n - 1).
static inline void start(pthread_t *ids, unsigned n, void *(*body)(void *)) {
  for (unsigned i = 0; i < n; i++)
    pthread_create(&ids[i], NULL, body, (void *)(uintptr_t)i);
}

static inline void join(const pthread_t *ids, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    pthread_join(ids[i], NULL);
}

// Runs n threads to their end.
static inline void run(unsigned n, void *(*body)(void *)) {
  pthread_t ids[MAX_THREADS];
  start(ids, n, body);
  join(ids, n);
}

// Starts one thread that nobody joins.
static inline void spawn(void *(*body)(void *)) {
  pthread_t id;
  pthread_create(&id, NULL, body, NULL);
}
