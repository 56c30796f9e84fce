// SPDX-License-Identifier: MIT
// A pointer to an object is published, and the reader follows it. A dependency
// orders the accesses on arm, but it is no happens-before: a plain object is a
// race in every model, an atomic one (ATOMIC) is read as it was written only
// where addresses order reads.
// run: rc11,imm,armv8 error race
// run: flags=-DREAD=acq rc11,imm,armv8 ok 2
// run: flags=-DATOMIC armv8 ok 2; rc11,imm error assertion
// run: flags=-DATOMIC flags=-DWRITE=rlx rc11,imm,armv8 error assertion
#include "../common.h"

#ifndef READ
#define READ rlx
#endif
#ifndef WRITE
#define WRITE rel
#endif

#ifdef ATOMIC
typedef atomic_int value;
#define get(p) load(p, rlx)
#define set(p, v) store(p, v, rlx)
#else
typedef int value;
#define get(p) (*(p))
#define set(p, v) (*(p) = (v))
#endif

static value object;
static _Atomic(value *) published;

static void *writer(void *unused) {
  set(&object, 42); // BUG
  store(&published, &object, WRITE);
  return unused;
}

static void *reader(void *unused) {
  value *p = load(&published, READ);
  if (p)
    assert(get(p) == 42); // BUG
  return unused;
}

int main(void) {
  spawn(writer);
  spawn(reader);
  return 0;
}
