// SPDX-License-Identifier: MIT
// Spin locks of AArch64 as they are in many headers: the exclusive load is made
// again, or given up, at once where the word is taken (cbnz between the load
// and the store). With a load that does not acquire there is a race. TRY: either
// thread is first, and the other one finds the word taken or free again.
// run: flags=--target=aarch64-linux-gnu all ok 2
// run: flags=--target=aarch64-linux-gnu flags=-DWFE all ok 2
// run: flags=--target=aarch64-linux-gnu flags=-DTRY rc11,armv8 ok 4
// run: flags=--target=aarch64-linux-gnu flags=-DLOAD="ldxr" rc11,armv8 error race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef LOAD
#define LOAD ldaxr
#endif
#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

static int word, count;

#ifdef TRY
static bool lock(int *at) {
  unsigned taken, failed;
  __asm__ volatile("1: ldaxr %w0, %2\n"
                   "   cbnz %w0, 2f\n"
                   "   stxr %w1, %w3, %2\n"
                   "   cbnz %w1, 1b\n"
                   "2:"
                   : "=&r"(taken), "=&r"(failed), "+Q"(*at)
                   : "r"(1)
                   : "memory");
  return !taken;
}
#else
static bool lock(int *at) {
  unsigned t;
  __asm__ volatile(
#ifdef WFE
      "   sevl\n"
      "1: wfe\n"
      "2: ldaxr %w0, %1\n"
      "   cbnz %w0, 1b\n"
      "   stxr %w0, %w2, %1\n"
      "   cbnz %w0, 2b"
#else
      "1: " TEXT_OF(LOAD) " %w0, %1\n"
                          "   cbnz %w0, 1b\n"
                          "   stxr %w0, %w2, %1\n"
                          "   cbnz %w0, 1b"
#endif
      : "=&r"(t), "+Q"(*at)
      : "r"(1)
      : "memory");
  return true;
}
#endif

static void unlock(int *at) {
  __asm__ volatile("stlr wzr, %0" : "=Q"(*at) : : "memory");
}

static void *adds(void *arg) {
  if (lock(&word)) {
    count++;
    unlock(&word);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, adds, NULL);
  adds(NULL);
  pthread_join(t, NULL);
#ifdef TRY
  assert(count == 1 || count == 2);
#else
  assert(count == 2);
#endif
  return 0;
}
