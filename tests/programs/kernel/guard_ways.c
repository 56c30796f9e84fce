// SPDX-License-Identifier: MIT
// Where the ways of a branch meet again, what follows is not ordered by it: so
// x is read as 1, which comes of the z = 1 behind it. In loops that are made of
// gotos and entered in several places, or never left; and where what branches
// is within an instruction (a copy of so many bytes, an allocation, a
// compare-exchange) or a call through a pointer. KEPT: what follows is done
// only because of the branch. The write of a compare-exchange is guarded by what
// it expects.
// run: flags=-DTWO_WAYS_IN lkmm error assertion
// run: flags=-DINTO_LOOP lkmm error assertion
// run: flags=-DENDLESS lkmm error assertion
// run: flags=-DAGAIN flags=-DKEPT lkmm ok
// run: flags=-DAGAIN lkmm error assertion
// run: flags=-DPOINTER lkmm error assertion
// run: flags=-DCOPY lkmm error assertion
// run: flags=-DFILL lkmm error assertion
// run: flags=-DALLOCATE lkmm error assertion
// run: flags=-DFREE lkmm error assertion
// run: flags=-DCAS lkmm error assertion
// run: flags=-DWEAK lkmm error assertion
// run: flags=-DOWN_WRITE flags=-DKEPT lkmm ok
// run: flags=-DENDS lkmm ok
#include <linux/atomic.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int x, w, z, got;

#ifdef POINTER
static void nothing(void) {}
static void (*volatile const functions[])(void) = {nothing, nothing};
#endif

#ifdef ENDLESS
static void leave(int now) {
  if (now)
    pthread_exit(NULL);
}
#endif

static void *reader(void *enters) {
  int r = 0, i = 0;
#if defined(TWO_WAYS_IN)
  if (enters) {
    w = 1;
    goto again;
  }
  w = 2;
again:
  r = READ_ONCE(x);
  if (!r && i++ < 1)
    goto again;
#elif defined(INTO_LOOP)
  if (enters)
    goto in;
  for (; i < 2 && !r; i++) {
    r = READ_ONCE(x);
    w = r;
  in:
    w = 3;
  }
#elif defined(ENDLESS)
  for (;;) {
    r = READ_ONCE(x);
    if (r)
      w = 1;
    got = r;
    WRITE_ONCE(z, 1);
    leave(++i == 2);
  }
#elif defined(AGAIN)
  r = READ_ONCE(x);
  if (r) {
    while (i < 2) {
      i++;
      if (enters)
        continue;
      w = i;
#ifdef KEPT
      WRITE_ONCE(z, 1);
#endif
    }
  }
#elif defined(POINTER)
  r = READ_ONCE(x);
  functions[r]();
#elif defined(COPY)
  char a[4], b[4] = {0};
  r = READ_ONCE(x);
  memcpy(a, b, (size_t)r);
#elif defined(FILL)
  char a[4];
  r = READ_ONCE(x);
  memset(a, 0, (size_t)r);
#elif defined(ALLOCATE)
  r = READ_ONCE(x);
  free(malloc((size_t)r + 1));
#elif defined(FREE)
  char *p = malloc(4);
  r = READ_ONCE(x);
  free(p + r - r);
#elif defined(CAS)
  r = 5;
  __atomic_compare_exchange_n(&x, &r, 6, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#elif defined(WEAK)
  r = 5;
  __atomic_compare_exchange_n(&x, &r, 6, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#elif defined(OWN_WRITE)
  r = READ_ONCE(x);
  int expected = r - 1;
  __atomic_compare_exchange_n(&z, &expected, 1, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
#elif defined(ENDS)
  r = READ_ONCE(x);
  if (r > 1)
    abort();
#endif
  got = r;
#ifndef KEPT
  WRITE_ONCE(z, 1);
#endif
  return NULL;
}

static void *writer(void *unused) {
  int r = READ_ONCE(z);
  WRITE_ONCE(x, r);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, reader, NULL);
  pthread_create(&b, NULL, writer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(got != 1); // BUG
  return 0;
}
