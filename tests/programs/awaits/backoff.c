// SPDX-License-Identifier: MIT
// Locks that back off. Nobody asks for the delay but the loop that lets it
// pass, so N threads have N! executions, as without it.
// run: flags=-DFORM=0 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DFORM=1 sc,tso,pso,ra,rc11,imm,armv8 ok 6
// run: flags=-DFORM=2 sc,tso,rc11,imm ok 6
// run: flags=-DFORM=3 sc,tso,rc11,imm ok 6
// run: flags=-DFORM=4 sc,tso,rc11,imm ok 6
// run: flags=-DFORM=5 sc,tso,rc11,imm ok 6
// run: flags=-DFORM=6 sc,tso,rc11,imm ok 6
// The state of the back-off is behind a pointer, in a function of its own.
// run: flags=-DFORM=9 sc,tso,rc11,imm,armv8 ok 6
// run: flags=-DFORM=10 sc,tso,rc11,imm ok 6
// run: flags=-DFORM=10 flags=-DFREE=rlx sc,rc11,imm error race
// run: flags=-DFORM=1 flags=-DFREE=rlx sc,tso,ra,rc11,imm,armv8 error race
// run: flags=-DFORM=1 flags=-DSTUCK sc,rc11,imm,armv8 error livelock
// Here somebody asks: how long it was, or whether it ends.
// run: flags=-DFORM=1 flags=-DASKS sc,rc11 error assertion
// run: flags=-DFORM=7 sc,rc11,imm error endless-loop
// run: flags=-DFORM=8 args=--error args=overflow sc,rc11 error overflow
#include "../common.h"

#include <sched.h>
#include <unistd.h>

#ifndef FREE
#define FREE rel
#endif
#ifdef ASKS
#define SEEN(delay) assert((delay) < 4)
#else
#define SEEN(delay)
#endif

static atomic_int lock;
static int x;

static void pause(void) {
  __asm__ volatile("pause");
}

static void wait_longer(unsigned *ceiling) {
  volatile unsigned i;
  unsigned n = *ceiling;
  for (i = 0; i < n; i++)
    continue;
  *ceiling = n <<= n < 1024;
}

struct waiting {
  unsigned short spins;
  int delay;
};

static void wait_more(struct waiting *w) {
  for (int i = 0; i < w->delay; i++)
    pause();
  if (++w->spins >= 3) {
    w->spins = 0;
    sched_yield();
  }
  w->delay = w->delay > 50 ? 1 : w->delay + 7;
}

static void take(void) {
#if FORM == 0
  while (swap(&lock, 1, acq))
    pause();
#elif FORM == 1
  int delay = 1;
  while (swap(&lock, 1, acq)) { // BUG
    for (int i = 0; i < delay; i++)
      pause();
    if (delay < 64)
      delay *= 2;
    SEEN(delay); // BUG
  }
#elif FORM == 2
  unsigned spins = 0;
  while (swap(&lock, 1, acq))
    if (++spins > 3) {
      sched_yield();
      spins = 0;
    }
#elif FORM == 3
  int spins = 0;
  while (swap(&lock, 1, acq))
    if (++spins > 3)
      usleep(1);
#elif FORM == 4
  unsigned delay = 1;
  for (;;) {
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&lock, &expected, 1, acq, rlx))
      break;
    for (volatile unsigned i = 0; i < delay; i++)
      continue;
    delay = delay * 2 > 64 ? 64 : delay * 2;
  }
#elif FORM == 5
  long delay = 1;
  while (swap(&lock, 1, acq)) {
    long left = delay;
    while (left--)
      pause();
    delay += 3;
    if (delay > 9)
      delay = 1;
  }
#elif FORM == 6
  int delay = 2, rounds = 0;
  while (swap(&lock, 1, acq)) {
    if (delay > 4)
      for (int i = delay; i > 0; i--)
        pause();
    delay *= 2;
    if (delay > 100)
      delay = 100;
    rounds++;
  }
#elif FORM == 7
  int delay = 2;
  while (swap(&lock, 1, acq)) {
    for (unsigned char i = 1; i != delay; i += 2) // BUG
      pause();
    delay += 2;
  }
#elif FORM == 8
  int delay = 1 << 28;
  while (swap(&lock, 1, acq))
    delay *= 2; // BUG
#elif FORM == 9
  unsigned ceiling = 1 << 4;
  while (swap(&lock, 1, acq))
    wait_longer(&ceiling);
#elif FORM == 10
  struct waiting w = {.delay = 1};
  while (swap(&lock, 1, acq))
    wait_more(&w);
#endif
  (void)wait_longer, (void)wait_more;
}

static void *locks(void *unused) {
  take();
  x++; // BUG
#ifndef STUCK
  store(&lock, 0, FREE);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[MAX_THREADS];
  start(threads, 3, locks);
  join(threads, 3);
  assert(x == 3);
  return 0;
}
