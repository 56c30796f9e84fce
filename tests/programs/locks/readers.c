// SPDX-License-Identifier: MIT
// Readers and writers of the same data under a read-write lock. Two readers
// come and go in 6 orders, if they are both before the writer, or both after
// it; else there are 2 ways.
// run: flags=-DREADERS=1 all ok 2
// run: flags=-DREADERS=2 all ok 14
// run: flags=-DREADERS=2 args=--jobs args=2 all ok 14
// Two writers, in 2 orders: both readers before, between or after them (3 * 6),
// or in two of these places (3 * 2).
// run: flags=-DREADERS=2 flags=-DWRITERS=2 all ok 48
// Threads that read, and write then. One of two writes first: before the other
// reads (1 way), or after that (6 ways).
// run: flags=-DBOTH=2 all ok 14
// With symmetry and without co, too.
// run: flags=-DREADERS=2 args=--equivalence args=rf args=--symmetry args=on sc,tso,pso,ra,rc11 ok 14
// A try sees whether somebody else reads.
// run: flags=-DREADERS=1 flags=-DTRY=pthread_rwlock_trywrlock(&lock) rc11,sc ok
// run: flags=-DREADERS=2 flags=-DTRY=pthread_rwlock_tryrdlock(&lock) rc11,sc ok
// What is wrong is found.
// run: flags=-DREADERS=3 flags=-DRACE all error race
// run: flags=-DREADERS=3 flags=-DSEEN all error assertion
// run: flags=-DREADERS=3 flags=-DFORGOTTEN all error deadlock
// run: flags=-DREADERS=2 flags=-DFORGOTTEN flags=-DHELD args=--disable args=deadlock all error destroy-held
// run: flags=-DREADERS=3 flags=-DTWICE all error unlock-not-held
// run: flags=-DREADERS=2 flags=-DGONE all error race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifndef WRITERS
#define WRITERS 1
#endif
#ifdef BOTH
#define READERS BOTH
#undef WRITERS
#define WRITERS 0
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int x, y, tried;

static void *writer(void *unused) {
  pthread_rwlock_wrlock(&lock); // BUG
  x++;                          // BUG
  y++;                          // BUG
#ifndef FORGOTTEN
  pthread_rwlock_unlock(&lock);
#endif
  return unused;
}

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock); // BUG
  assert(x == y);               // BUG
#ifdef SEEN
  assert(x != WRITERS); // BUG
#endif
#ifdef RACE
  y = x; // BUG
#endif
  pthread_rwlock_unlock(&lock);
#ifdef TWICE
  pthread_rwlock_unlock(&lock); // BUG
#endif
#ifdef BOTH
  writer(NULL);
#endif
  return unused;
}

#ifdef TRY
static void *trier(void *unused) {
  if (!TRY) {
    tried = x;
    pthread_rwlock_unlock(&lock);
  }
  return unused;
}
#endif

int main(void) {
  pthread_t id[READERS + WRITERS], other;
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&id[i], NULL, i < READERS ? reader : writer, NULL);
#ifdef TRY
  pthread_create(&other, NULL, trier, NULL);
  pthread_join(other, NULL);
#endif
#ifdef GONE
  pthread_rwlock_destroy(&lock); // BUG
#endif
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join(id[i], NULL);
  assert(x == READERS + WRITERS || x == WRITERS);
#if !defined(FORGOTTEN) || defined(HELD)
  pthread_rwlock_destroy(&lock); // BUG
#endif
}
