// SPDX-License-Identifier: MIT
// Counters of threads in a linker set: whoever adds them up goes from its begin
// to its end. Going on behind the end is an error, and so is a race.
// run: all ok 1
// run: flags=-DTOO_FAR all error out-of-bounds
// run: flags=-DEARLY all error race
#include <assert.h>
#include <pthread.h>

#define COUNTER __attribute__((section("counters"), used))
static int ones COUNTER, twos COUNTER = 10;
extern int __start_counters[], __stop_counters[];

static void *count(void *which) {
  if (which)
    twos += 2; // BUG
  else
    ones += 1; // BUG
  return NULL;
}

static int total(void) {
  int sum = 0;
#ifdef TOO_FAR
  int *end = __stop_counters + 1;
#else
  int *end = __stop_counters;
#endif
  for (int *p = __start_counters; p < end; p++)
    sum += *p; // BUG
  return sum;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, count, NULL);
  pthread_create(&b, NULL, count, &ones);
#ifdef EARLY
  (void)total();
#endif
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(total() == 13);
  return 0;
}
