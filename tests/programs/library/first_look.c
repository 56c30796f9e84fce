// SPDX-License-Identifier: MIT
// Main has created a thread before it looks at a clock for the first time, so a
// day may have passed since that thread looked. And who sleeps, sleeps from the
// time that it may know on (SLEEP: from its creation, TOLD: by what it reads),
// not from the time at which it has looked last.
// run: rc11,sc,imm,armv8 error assertion
// run: args=--still-clocks rc11,sc ok 1
// run: flags=-DSLEEP rc11,sc,imm,armv8 ok 4
// run: flags=-DTOLD rc11,sc,imm,armv8 ok 8
#include "../common.h"
#include <time.h>
#include <unistd.h>

static atomic_long told;

static void *looks(void *unused) {
#ifdef SLEEP
  long before = load(&told, rlx);
  sleep(5);
  assert(time(NULL) - before >= 5);
#elif defined TOLD
  long before = load(&told, acq);
  sleep(5);
  long now = time(NULL);
  assert(!before || now - before >= 5);
#else
  store(&told, time(NULL), rlx);
#endif
  return unused;
}

int main(void) {
#ifdef SLEEP
  time(NULL);
  store(&told, time(NULL), rlx);
  spawn(looks);
#elif defined TOLD
  spawn(looks);
  store(&told, time(NULL), rel);
#else
  pthread_t id;
  pthread_create(&id, NULL, looks, NULL);
  time_t now = time(NULL);
  pthread_join(id, NULL);
  assert(now < 80000 || load(&told, rlx) > 80000);
#endif
  return 0;
}
