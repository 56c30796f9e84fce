// SPDX-License-Identifier: MIT
// Vectors of integers in memory that threads share: each lane is a place of its
// own, so threads may write different ones, and a vector that is read while
// one of its lanes is written is a race.
// run: all ok 1
// run: flags=-DEARLY all error race
// run: flags=-DSAME all error race
// run: flags=-DTOO_FAR all error out-of-bounds
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

typedef int four __attribute__((vector_size(16)));

static four shared = {1, 2, 3, 4};
static int plain[4] = {5, 6, 7, 8};

static void *low(void *unused) {
  ((int *)&shared)[0] = 10; // BUG
  return unused;
}

static void *high(void *unused) {
#ifdef SAME
  ((int *)&shared)[0] = 20; // BUG
#else
  ((int *)&shared)[3] = 20;
#endif
  return unused;
}

static four read_at(int i) {
  typedef four unaligned __attribute__((aligned(4)));
  return *(unaligned *)(plain + i); // BUG
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, low, NULL);
  pthread_create(&b, NULL, high, NULL);
#ifdef EARLY
  four early = shared; // BUG
  assert(early[1] == 2);
#endif
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef TOO_FAR
  four more = read_at(1);
#else
  four more = read_at(0);
#endif
  four sum = shared + more;
  assert(sum[0] == 15 && sum[1] == 8 && sum[2] == 10 && sum[3] == 28);
  return 0;
}
