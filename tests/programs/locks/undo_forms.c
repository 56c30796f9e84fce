// SPDX-License-Identifier: MIT
// A lock that undoes failed tries, with its test written in other ways: a word
// that is 1 when the lock is free, or -1, or 0; who waits may look for more than
// the try needs, never for less. All are the same lock, so that three threads
// pass it in 6 orders; too weak a test lets two of them in at once.
// run: flags=-DBAD(v)=v<=0 sc,rc11,imm,armv8 ok 6
// run: flags=-DBAD(v)=v<1 rc11 ok 6
// run: flags=-DBAD(v)=0>=v rc11 ok 6
// run: flags=-DBAD(v)=1>v rc11 ok 6
// run: flags=-DBAD(v)=v!=1 rc11 ok 6
// run: flags=-DFREE=-1 flags=-DSTEP=1 flags=-DBAD(v)=v>=0 sc,rc11,imm,armv8 ok 6
// run: flags=-DFREE=-1 flags=-DSTEP=1 flags=-DBAD(v)=v>-1 rc11 ok 6
// run: flags=-DFREE=-1 flags=-DSTEP=1 flags=-DBAD(v)=0<=v rc11 ok 6
// run: flags=-DFREE=-1 flags=-DSTEP=1 flags=-DBAD(v)=-1<v rc11 ok 6
// run: flags=-DFREE=0 flags=-DSTEP=1 flags=-DBAD(v)=v rc11 ok 6
// run: flags=-DBAD(v)=v<=0 flags=-DWAIT(v)=v!=1 rc11 ok 6
// run: flags=-DFREE=-1 flags=-DSTEP=1 flags=-DBAD(v)=v>=0 flags=-DWAIT(v)=v!=-1 rc11 ok 6
// Not recognised, or not the same lock: all rounds are explored, and the errors
// are found.
// run: flags=-DBAD(v)=!(v>0) flags=-DN=2 rc11 ok
// run: flags=-DBAD(v)=v<0 rc11 error race
// run: flags=-DBAD(v)=v<0 flags=-DWAIT(v)=v<=0 rc11 error race
// run: flags=-DFREE=-1 flags=-DSTEP=1 flags=-DBAD(v)=v>0 rc11 error race
// run: flags=-DBAD(v)=v<=0 flags=-DWAIT(v)=v<=1 rc11 error hang
// run: flags=-DBAD(v)=v<=0 flags=-DN=2 args=--explore-retries args=--unroll=2 rc11 incomplete
#include "../common.h"

#ifndef FREE
#define FREE 1
#endif
#ifndef STEP
#define STEP -1
#endif
#ifndef WAIT
#define WAIT(v) BAD(v)
#endif
#ifndef N
#define N 3
#endif

static atomic_int word = FREE;
static int x;

static void take(void) {
  int before = fetch_add(&word, STEP, acq); // BUG
  while (BAD(before)) {
    fetch_add(&word, -(STEP), rlx);
    while (WAIT(load(&word, rlx))) // BUG
      continue;
    before = fetch_add(&word, STEP, acq);
  }
}

static void *thread(void *unused) {
  take();
  x++; // BUG
  fetch_add(&word, -(STEP), rel);
  return unused;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++)
    pthread_create(&t[i], NULL, thread, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  assert(x == N);
  return 0;
}
