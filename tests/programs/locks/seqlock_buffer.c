// SPDX-License-Identifier: MIT
// A reader of a sequence lock that copies the words into a buffer. A failed
// round leaves nothing but what the next round overwrites, so the reader waits
// as it would without a buffer: it reads before the writer, or after it, and
// the number of words does not matter.
// run: flags=-DWORDS=1 sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DWORDS=2 sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DWORDS=4 sc,tso,ra,rc11,imm ok 2
// run: flags=-DWORDS=3 flags=-DREADERS=2 sc,tso,rc11 ok 4
// run: args=--explore-retries args=--unroll args=2 flags=-DWORDS=2 rc11 incomplete
// Half of an update, with a fence less.
// run: flags=-DWORDS=2 flags=-DWRITE= sc,tso ok 2; ra,rc11,imm,armv8 error assertion
// run: flags=-DWORDS=2 flags=-DREAD= sc,tso ok 2; ra,rc11,imm,armv8 error assertion
// What the failed round has read is asked for: then it is no wait.
// run: flags=-DWORDS=2 flags=-DASKS sc,tso,rc11,imm error assertion
// One word is not overwritten when the number is odd.
// run: flags=-DWORDS=2 flags=-DSKIPS sc,rc11 error assertion
#include "../common.h"

#ifndef WRITE
#define WRITE fence(rel)
#endif
#ifndef READ
#define READ fence(acq)
#endif
#ifndef READERS
#define READERS 1
#endif

static atomic_uint sequence;
static atomic_int words[WORDS];

static void *writer(void *unused) {
  store(&sequence, 1, rlx);
  WRITE;
  for (int i = 0; i < WORDS; i++)
    store(&words[i], 1, rlx);
  store(&sequence, 2, rel);
  return unused;
}

static void *reader(void *unused) {
  int copy[WORDS];
  unsigned before;
#if defined ASKS || defined SKIPS
  for (int i = 0; i < WORDS; i++)
    copy[i] = 0;
#endif
  do {
#ifdef ASKS
    assert(copy[0] == 0);
#endif
    before = load(&sequence, acq);
#ifdef SKIPS
    if (before % 2) {
      copy[1] = 7;
      continue;
    }
    for (int i = 0; i < 1; i++)
#else
    for (int i = 0; i < WORDS; i++)
#endif
      copy[i] = load(&words[i], rlx);
    READ;
  } while (before % 2 || load(&sequence, rlx) != before);
#ifdef SKIPS
  assert(copy[1] == 0);
#endif
  for (int i = 1; i < WORDS; i++)
    assert(copy[i] == copy[0]);
  return unused;
}

int main(void) {
  pthread_t writers[MAX_THREADS], readers[MAX_THREADS];
  start(writers, 1, writer);
  start(readers, READERS, reader);
  join(writers, 1);
  join(readers, READERS);
  return 0;
}
