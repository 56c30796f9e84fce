// SPDX-License-Identifier: MIT
// Read-write locks: readers share, writers exclude, and misuse is found.
// run: flags=-DREADERS=2 flags=-DWRITERS=1 sc,tso,ra,rc11 ok
// run: flags=-DREADERS=1 flags=-DWRITERS=2 sc,tso,ra,rc11 ok 6
// run: flags=-DREADERS=1 flags=-DWRITERS=1 flags=-DWRITE_LOCK=pthread_rwlock_rdlock sc,rc11 error race
// run: flags=-DONE=R(),R(),U(),U(),W(),U() sc,rc11 ok 1
// run: flags=-DONE=R(),W() sc,rc11 error relock
// run: flags=-DONE=W(),R() sc,rc11 error relock
// run: flags=-DONE=U() sc,rc11 error unlock-not-held
// run: flags=-DONE=R(),U(),U() sc,rc11 error unlock-not-held
// run: flags=-DONE=W(),D() sc,rc11 error destroy-held
// run: flags=-DONE=R(),assert(TR()==0&&TW()==EBUSY),U(),U(),D() sc,rc11 ok 1
// run: flags=-DONE=W(),assert(TR()==EBUSY&&TW()==EBUSY),U(),D() sc,rc11 ok 1
// run: flags=-DONE=assert(XR()==0),U(),assert(XW()==0),assert(XR()==EDEADLK) sc,rc11 ok 1
// run: args=--system-headers flags=-DREADERS=1 flags=-DWRITERS=2 rc11 ok 6
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

#ifdef ONE
static const struct timespec soon;
#define R() pthread_rwlock_rdlock(&lock)
#define W() pthread_rwlock_wrlock(&lock)
#define U() pthread_rwlock_unlock(&lock)
#define TR() pthread_rwlock_tryrdlock(&lock)
#define TW() pthread_rwlock_trywrlock(&lock)
#define XR() pthread_rwlock_timedrdlock(&lock, &soon)
#define XW() pthread_rwlock_timedwrlock(&lock, &soon)
#define D() pthread_rwlock_destroy(&lock)

int main(void) {
  (void)soon;
  ONE; // BUG
}

#else
#ifndef WRITE_LOCK
#define WRITE_LOCK pthread_rwlock_wrlock
#endif
static int x, y;

static void *reader(void *unused) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y); // BUG
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *writer(void *unused) {
  WRITE_LOCK(&lock);
  x++; // BUG
  y++; // BUG
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t id[READERS + WRITERS];
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_create(&id[i], NULL, i < READERS ? reader : writer, NULL);
  for (int i = 0; i < READERS + WRITERS; i++)
    pthread_join(id[i], NULL);
  assert(x == WRITERS);
  pthread_rwlock_destroy(&lock);
}
#endif
