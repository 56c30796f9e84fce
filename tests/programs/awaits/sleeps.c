// SPDX-License-Identifier: MIT
// Waits that sleep for longer and longer, in the ways of several libraries: how
// long is nobody's business, so they are awaits.
// run: flags=-DHOW=1 all ok 1
// run: flags=-DHOW=2 all ok 1
// run: flags=-DHOW=3 all ok 1
// run: flags=-DHOW=4 all ok 1
// run: flags=-DHOW=5 args=--max-events args=100 sc incomplete
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;
static int slept;

static void delay(int round) {
#if HOW == 1
  if (round > 1)
    sched_yield();
#elif HOW == 2
  if (round == 1)
    sched_yield();
  else
    usleep((unsigned)(round * 10));
#elif HOW == 3
  struct timespec time = {0, round * 1000};
  nanosleep(&time, NULL);
#elif HOW == 4
  if (round == 0) {
  } else if (round == 1) {
    sched_yield();
  } else {
    struct timespec time = {.tv_nsec = round * 1000};
    nanosleep(&time, NULL);
  }
#else
  struct timespec time = {0, round * 1000};
  nanosleep(&time, NULL);
  slept += time.tv_nsec == 5000; // here it matters
#endif
}

static void *waiter(void *arg) {
  int round = 0;
  while (!atomic_load(&flag))
    delay(++round);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waiter, NULL);
  atomic_store(&flag, 1);
  pthread_join(t, NULL);
  return slept > 1;
}
