// SPDX-License-Identifier: MIT
// The read-write lock that Linux had on x86: who wants it subtracts, and adds
// again if that was too much, waits and begins anew. The word is full when the
// lock is free; a reader takes one, a writer all of it. Others see what is not
// yet given back, and fail for that; but nothing else comes of it, and the
// executions are those in which every try passes. For two readers there are 6
// ways to pass each other, 4 of which overlap; writers come before, behind or,
// if they do not overlap, between them.
// run: flags=-DREADERS=1 flags=-DWRITERS=1 sc,tso,pso,ra,rc11,imm,armv8,c11,power,riscv,xmm ok 2
// run: flags=-DREADERS=0 flags=-DWRITERS=3 sc,tso,pso,ra,rc11,imm,armv8,c11,power,riscv,xmm ok 6
// run: flags=-DREADERS=2 flags=-DWRITERS=1 sc,tso,pso,ra,rc11,imm,armv8,c11,power,riscv,xmm ok 14
// run: flags=-DREADERS=2 flags=-DWRITERS=2 sc,tso,ra,rc11,imm,armv8,c11,power,riscv,xmm ok 48
// run: flags=-DREADERS=2 flags=-DWRITERS=3 rc11,c11,power,xmm ok 216
// run: args=--jobs=2 flags=-DREADERS=2 flags=-DWRITERS=2 rc11,xmm ok 48
// run: args=--explore-retries args=--unroll=1 flags=-DREADERS=1 flags=-DWRITERS=1 rc11 incomplete
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DTAKE=rlx ra,rc11 error race
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DGIVE=rlx ra,rc11 error race
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DSTUCK sc,rc11,imm,armv8,c11,power error hang
// Main gives the word its first value: nobody else is there to see it.
// run: flags=-DREADERS=2 flags=-DWRITERS=1 flags=-DINIT sc,tso,ra,rc11,imm,armv8,xmm ok 14
// run: flags=-DREADERS=2 flags=-DWRITERS=3 flags=-DINIT rc11,xmm ok 216
// run: args=--explore-retries flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DINIT args=--unroll=1 xmm incomplete
// Others buffer loads: then all rounds are explored, which are 6 for the lock,
// beside the 4 of the others.
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DBUFFERS rc11 ok 6; xmm ok 24
// run: args=--jobs=2 flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DBUFFERS xmm ok 24
// Somebody looks at the word, and sees a failed try.
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DSPY sc,tso,rc11,imm,c11,power,riscv error assertion
// run: args=--jobs=2 flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DSPY rc11 error assertion
// It does so by an update that changes nothing.
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DSPY flags=-DLOOK=fetch_add(&word,0,rlx) sc,rc11 error assertion
// More is given back than was taken.
// run: flags=-DREADERS=2 flags=-DWRITERS=1 flags=-DMORE=1 sc,rc11 error race
#include "../common.h"

#define FULL 1024
#ifndef TAKE
#define TAKE acq
#endif
#ifndef GIVE
#define GIVE rel
#endif
#ifndef LOOK
#define LOOK load(&word, rlx)
#endif
#ifndef MORE
#define MORE 0
#endif

#ifdef INIT
static atomic_int word;
#else
static atomic_int word = FULL;
#endif
static int x;

static void read_lock(void) {
  int before = atomic_fetch_sub_explicit(&word, 1, TAKE); // BUG
  while (before <= 0) {
    fetch_add(&word, 1, rlx);
    while (load(&word, rlx) <= 0) // BUG
      continue;
    before = atomic_fetch_sub_explicit(&word, 1, TAKE);
  }
}

static void write_lock(void) {
  int before = atomic_fetch_sub_explicit(&word, FULL, TAKE); // BUG
  while (before != FULL) {
    fetch_add(&word, FULL, rlx);
    while (load(&word, rlx) != FULL) // BUG
      continue;
    before = atomic_fetch_sub_explicit(&word, FULL, TAKE);
  }
}

static void *reader(void *unused) {
  read_lock();              // BUG
  assert(x == 0 || x == 1); // BUG
  fetch_add(&word, 1 + MORE, GIVE);
  return unused;
}

static void *writer(void *unused) {
  write_lock();
  x = 1; // BUG
#ifndef STUCK
  fetch_add(&word, FULL, GIVE);
#endif
  return unused;
}

#ifdef BUFFERS
static atomic_int a, b;

static void *left(void *unused) {
  load(&a, rlx);
  store(&b, 1, rlx);
  return unused;
}

static void *right(void *unused) {
  load(&b, rlx);
  store(&a, 1, rlx);
  return unused;
}
#endif

#ifdef SPY
static void *spy(void *unused) {
  assert(LOOK >= 0); // BUG
  return unused;
}
#endif

int main(void) {
  pthread_t readers[MAX_THREADS], writers[MAX_THREADS];
#ifdef INIT
  atomic_init(&word, FULL);
#endif
#ifdef BUFFERS
  pthread_t others[2];
  pthread_create(&others[0], NULL, left, NULL);
  pthread_create(&others[1], NULL, right, NULL);
#endif
  start(writers, WRITERS, writer);
  start(readers, READERS, reader);
#ifdef SPY
  pthread_t id;
  pthread_create(&id, NULL, spy, NULL);
#endif
  join(writers, WRITERS);
  join(readers, READERS);
  return 0;
}
