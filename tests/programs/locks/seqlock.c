// SPDX-License-Identifier: MIT
// A sequence lock: the number is odd while a writer is at work, and a reader
// that saw it odd or changed reads again. The data are relaxed atomics. WRITE
// is the fence behind the odd number, READ the one before the last look: when
// one of them is missing, a reader can take half of an update for a whole one.
// run: sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DREADERS=2 sc,tso,ra,rc11,imm,armv8 ok
// run: flags=-DWRITERS=2 sc,tso,rc11,imm,armv8 ok
// run: flags=-DWRITE= sc,tso ok; ra,rc11,imm,armv8 error assertion
// run: flags=-DREAD= sc,tso ok; ra,rc11,imm,armv8 error assertion
// run: flags=-DEND=rlx sc,tso ok; pso,ra,rc11,imm,armv8 error assertion
// run: flags=-DSTUCK sc,tso,ra,rc11,imm,armv8 error hang
#include "../common.h"

#ifndef WRITE
#define WRITE fence(rel)
#endif
#ifndef READ
#define READ fence(acq)
#endif
#ifndef END
#define END rel
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef READERS
#define READERS 1
#endif

static atomic_uint sequence;
static atomic_int first, second;

static void *writer(void *unused) {
  unsigned s = load(&sequence, rlx);
  do
    while (s % 2)
      s = load(&sequence, rlx);
  while (
      !atomic_compare_exchange_weak_explicit(&sequence, &s, s + 1, acq, rlx));
  WRITE;
  int value = load(&first, rlx) + 1;
  store(&first, value, rlx);
  store(&second, value, rlx);
#ifndef STUCK
  store(&sequence, s + 2, END);
#endif
  return unused;
}

static void *reader(void *unused) {
  int a, b;
  unsigned before;
  do {
    while ((before = load(&sequence, acq)) % 2)
      continue;
    a = load(&first, rlx);
    b = load(&second, rlx);
    READ;
  } while (load(&sequence, rlx) != before);
  assert(a == b);
  return unused;
}

int main(void) {
  pthread_t writers[MAX_THREADS], readers[MAX_THREADS];
  start(writers, WRITERS, writer);
  start(readers, READERS, reader);
  join(writers, WRITERS);
  join(readers, READERS);
  assert(load(&first, rlx) == WRITERS && load(&second, rlx) == WRITERS);
  return 0;
}
