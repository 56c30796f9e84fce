// SPDX-License-Identifier: MIT
// Readers and writers of the same data under a read-write lock: what counts is
// which readers come before which writer, so one writer has 2^N executions, and
// two have 2 * 3^N.
// run: args=--reduce args=sections,readers flags=-DREADERS=1 all ok 2
// run: args=--reduce args=sections,readers flags=-DREADERS=5 all ok 32
// run: args=--reduce args=sections,readers flags=-DREADERS=3 args=--symmetry args=off all ok 8
// run: args=--reduce args=sections,readers flags=-DREADERS=3 args=--jobs args=2 all ok 8
// run: args=--reduce args=sections,readers flags=-DREADERS=3 args=--equivalence args=rf args=--symmetry args=off sc,tso,pso,ra,rc11 ok 8
// run: args=--reduce args=sections,readers flags=-DREADERS=4 flags=-DWRITERS=2 all ok 162
// run: args=--reduce args=sections,readers flags=-DREADERS=2 flags=-DWRITERS=2 args=--symmetry args=off all ok 18
// A thread that reads, and writes then: 3 of them have 3! orders of writing,
// and for each thread those who wrote before it, of whom it may have read
// before all, some or none: 1 * 2 * 3 ways.
// run: args=--reduce args=sections,readers flags=-DBOTH=3 all ok 36
// All orders: of two readers before the writer there are 6, of one before it
// and one after it 2, and 6 of two after it.
// run: flags=-DREADERS=2 args=--explore-orders all ok 14
// With symmetry and without co, too.
// run: flags=-DREADERS=2 args=--equivalence args=rf args=--symmetry args=on args=--explore-orders sc,tso,pso,ra,rc11 ok 14
// run: args=--reduce args=sections,readers flags=-DREADERS=2 args=--equivalence args=rf args=--symmetry args=on sc,tso,pso,ra,rc11 ok 4
// A try sees whether somebody else reads, and a timed lock may give up for that
// reason, so readers have all orders then.
// run: args=--reduce args=sections,readers flags=-DREADERS=1 flags=-DTRY=pthread_rwlock_trywrlock(&lock) rc11,sc ok
// run: args=--reduce args=sections,readers flags=-DREADERS=2 flags=-DTRY=pthread_rwlock_tryrdlock(&lock) rc11,sc ok
// What is wrong is found and shown as without all this.
// run: args=--reduce args=sections,readers flags=-DREADERS=3 flags=-DRACE all error race
// run: args=--reduce args=sections,readers flags=-DREADERS=3 flags=-DSEEN all error assertion
// run: args=--reduce args=sections,readers flags=-DREADERS=3 flags=-DFORGOTTEN all error deadlock
// run: args=--reduce args=sections,readers flags=-DREADERS=2 flags=-DFORGOTTEN flags=-DHELD args=--disable args=deadlock all error destroy-held
// run: args=--reduce args=sections,readers flags=-DREADERS=3 flags=-DTWICE all error unlock-not-held
// run: args=--reduce args=sections,readers flags=-DREADERS=2 flags=-DGONE all error race
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
