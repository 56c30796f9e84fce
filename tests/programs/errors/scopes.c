// SPDX-License-Identifier: MIT
// Locals end with their scope: nothing may use them through a pointer then, in
// memory of one thread or of several, and a new round of a loop begins with
// undefined ones.
// run: flags=-DPRIVATE sc,rc11,armv8 error use-after-free
// run: flags=-DPRIVATE flags=-DWRITES sc,rc11 error use-after-free
// run: flags=-DPRIVATE flags=-DINSIDE sc,rc11,armv8 ok
// run: flags=-DSHARED sc,rc11,armv8 error use-after-free
// run: flags=-DSHARED flags=-DINSIDE sc,rc11,armv8 ok
// run: flags=-DTHREAD sc,rc11 error use-after-free
// run: flags=-DTHREAD flags=-DINSIDE sc,rc11 ok
// run: flags=-DROUNDS sc,rc11 error uninitialized
// run: flags=-DROUNDS flags=-DARRAY sc,rc11 error uninitialized
// run: flags=-DROUNDS flags=-DINSIDE sc,rc11 ok
// run: flags=-DLEAVES sc,rc11 ok 1
// run: flags=-DSPINS sc,rc11 ok 1
#include "../common.h"

#ifdef PRIVATE
int main(void) {
  int *p, seen = 0;
  {
    int inner[2] = {7, 8};
    p = inner;
#ifdef INSIDE
    seen = p[1];
#endif
  }
#ifdef WRITES
  *p = 1; // BUG
#elif !defined INSIDE
  seen = *p; // BUG
#endif
  assert(seen == 8 || !p);
}
#endif

#ifdef SHARED
static int *kept;

int main(void) {
  {
    int inner = 7;
    kept = &inner;
#ifdef INSIDE
    assert(*kept == 7);
#endif
  }
#ifndef INSIDE
  return *kept; // BUG
#endif
}
#endif

#ifdef THREAD
static _Atomic(int *) given;

static void *reader(void *unused) {
  int *p = atomic_load(&given);
  if (p)
    assert(*p == 7); // BUG
  return unused;
}

int main(void) {
  pthread_t t;
  {
    int inner = 7;
    atomic_store(&given, &inner);
#ifdef INSIDE
    pthread_create(&t, NULL, reader, NULL);
    pthread_join(t, NULL);
#endif
  }
#ifndef INSIDE
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(t, NULL);
#endif
}
#endif

#ifdef ROUNDS
int main(void) {
  int sum = 0;
  for (int i = 0; i < 3; i++) {
#ifdef ARRAY
    int x[2];
#define SET x[i % 2] = i
#define GET x[i % 2]
#else
    int x;
#define SET x = i
#define GET x
#endif
#ifdef INSIDE
    SET;
#else
    if (i == 0)
      SET;
#endif
    if (GET) // BUG
      sum++;
  }
  assert(sum <= 2);
}
#endif

// Every way out of a scope ends it once.
#ifdef LEAVES
static int *kept;

static int leave(int how) {
  for (int i = 0; i < 2; i++) {
    int inner = how;
    kept = &inner;
    if (how == 0)
      continue;
    if (how == 1)
      break;
    {
      int deeper = i;
      kept = &deeper;
      if (how == 2)
        return *kept;
      if (how == 3)
        goto out;
    }
  }
out:
  return 0;
}

int main(void) {
  for (int how = 0; how < 5; how++)
    leave(how);
}
#endif

// A loop whose local is shared waits as any other.
#ifdef SPINS
static atomic_int flag;
static int *kept, never;

static void *setter(void *unused) {
  atomic_store(&flag, 1);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, setter, NULL);
  for (;;) {
    int seen = atomic_load(&flag), other;
    if (never)
      kept = &other;
    if (seen)
      break;
  }
  pthread_join(t, NULL);
}
#endif
