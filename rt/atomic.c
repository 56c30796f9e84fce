// SPDX-License-Identifier: MIT
// Atomic objects of sizes that no instruction has: a lock protects each access,
// as in libatomic, where several objects may share one. The orders that the
// program gives are no stronger than what the lock gives.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "builtin.h"

enum { LOCKS = 16 };
static int locks[LOCKS];

// C does not let us define functions of these names, so they get them here.
void locked_load(size_t n, const void *at, void *to,
                 int order) __asm__("__atomic_load");
void locked_store(size_t n, void *at, const void *from,
                  int order) __asm__("__atomic_store");
void locked_exchange(size_t n, void *at, const void *from, void *to,
                     int order) __asm__("__atomic_exchange");
_Bool locked_compare_exchange(
    size_t n, void *at, void *expected, const void *wanted, int order,
    int order_fail) __asm__("__atomic_compare_exchange");

// Objects lie far apart (src/bytecode/pointer.h); members of one are close.
static int *lock_of(const void *at) {
  uintptr_t address = (uintptr_t)at;
  return &locks[(address >> 24 ^ address >> 5) % LOCKS];
}

void locked_load(size_t n, const void *at, void *to, int order) {
  (void)order;
  int *lock = lock_of(at);
  __heddle_lock(lock);
  memcpy(to, at, n);
  __heddle_unlock(lock);
}

void locked_store(size_t n, void *at, const void *from, int order) {
  (void)order;
  int *lock = lock_of(at);
  __heddle_lock(lock);
  memcpy(at, from, n);
  __heddle_unlock(lock);
}

void locked_exchange(size_t n, void *at, const void *from, void *to,
                     int order) {
  (void)order;
  int *lock = lock_of(at);
  __heddle_lock(lock);
  memcpy(to, at, n);
  memcpy(at, from, n);
  __heddle_unlock(lock);
}

_Bool locked_compare_exchange(size_t n, void *at, void *expected,
                              const void *wanted, int order, int order_fail) {
  (void)order, (void)order_fail;
  int *lock = lock_of(at);
  __heddle_lock(lock);
  _Bool is_same = memcmp(at, expected, n) == 0;
  if (is_same)
    memcpy(at, wanted, n);
  else
    memcpy(expected, at, n);
  __heddle_unlock(lock);
  return is_same;
}
