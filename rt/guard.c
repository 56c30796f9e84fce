// SPDX-License-Identifier: MIT
// Static variables of functions, which the first caller initialises. The first
// byte of a guard says that it is done, which callers look at themselves with
// acquire; the word behind it is the lock of whoever initialises.
#include <stdatomic.h>

#include "builtin.h"

// Headers of C++ ask it whether reference counts have to be atomic.
extern const char __libc_single_threaded;
const char __libc_single_threaded = 0;

struct guard {
  _Atomic unsigned char done;
  int busy;
};

int __cxa_guard_acquire(struct guard *g);
void __cxa_guard_release(struct guard *g);
void __cxa_guard_abort(struct guard *g);

int __cxa_guard_acquire(struct guard *g) {
  __heddle_lock(&g->busy);
  if (!atomic_load_explicit(&g->done, memory_order_relaxed))
    return 1;
  __heddle_unlock(&g->busy);
  return 0;
}

void __cxa_guard_release(struct guard *g) {
  atomic_store_explicit(&g->done, 1, memory_order_release);
  __heddle_unlock(&g->busy);
}

// The constructor has thrown: the next caller tries again.
void __cxa_guard_abort(struct guard *g) {
  __heddle_unlock(&g->busy);
}
