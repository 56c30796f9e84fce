// SPDX-License-Identifier: MIT
// Two flags and their fences in CBMC's names, which need no declaration: a full
// one between a write and a read, lightweight ones for a message.
// run: sc,tso,rc11,armv8,power ok
// run: args=--races=model flags=-DLIGHT armv8,power ok
// run: args=--races=model flags=-DSTORES armv8,power ok
// run: flags=-DNONE sc ok
// run: flags=-DNONE tso,rc11,armv8,power error assertion
// run: args=--races=model flags=-DLIGHT flags=-DNONE armv8,power error assertion
#include <stdatomic.h>

#ifdef NONE
#define FENCE(...)
#else
#define FENCE(...) __CPROVER_fence(__VA_ARGS__)
#endif
#define FULL                                                                   \
  FENCE("WWfence", "RRfence", "RWfence", "WRfence", "WWcumul", "RWcumul",      \
        "RRcumul", "WRcumul")
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)

static atomic_int x, y, done;
static int one, two;

#if defined LIGHT || defined STORES
static void first(void) {
  STORE(x, 1);
#ifdef STORES
  FENCE("WWfence");
#else
  FENCE("WWfence", "RRfence", "RWfence", "WWcumul", "RWcumul", "RRcumul");
#endif
  STORE(y, 1);
}

static void second(void) {
  one = LOAD(y);
  FENCE("RRfence", "RRcumul");
  two = LOAD(x);
  __CPROVER_assert(!one || two, "the message");
}
#else
static void first(void) {
  STORE(x, 1);
  FULL;
  one = LOAD(y);
  atomic_store(&done, 1);
}

static void second(void) {
  STORE(y, 1);
  FULL;
  two = LOAD(x);
  __CPROVER_assume(atomic_load(&done));
  __CPROVER_assert(one || two, "somebody sees the other");
}
#endif

int main(void) {
__CPROVER_ASYNC_1:
  first();
  second();
}
