// SPDX-License-Identifier: MIT
// Two threads that undo each other's work for ever: each announces itself, finds
// the other, and takes it back; or each overwrites what the other waits for.
// Found without a bound for loops. With BREAKS one of them gives way and nothing
// is wrong.
// expect: sc,tso,rc11 error livelock
// run: flags=-DOVERWRITE sc,rc11 error livelock
// run: flags=-DBREAKS sc ok
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag[2], turn;

#ifdef OVERWRITE
static void run(int me) {
  do
    atomic_store(&turn, 1 + me); // BUG
  while (atomic_load(&turn) != 2 - me); // BUG
}
#elif defined BREAKS
static void run(int me) {
  atomic_store(&flag[me], 1);
  if (me)
    while (atomic_load(&flag[0]))
      ;
  atomic_store(&flag[me], 0);
}
#else
static void run(int me) {
  for (;;) {
    atomic_store(&flag[me], 1); // BUG
    if (!atomic_load(&flag[!me])) // BUG
      break;
    atomic_store(&flag[me], 0); // BUG
  }
  atomic_store(&flag[me], 0);
}
#endif

static void *one(void *arg) {
  run(0);
  return arg;
}

static void *two(void *arg) {
  run(1);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, one, 0);
  pthread_create(&u, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
