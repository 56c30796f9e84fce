// SPDX-License-Identifier: MIT
// Loops that poll under a mutex are awaits: critical sections that only read
// can be left out. A flag that nobody sets is a hang.
// run: flags=-DOUTSIDE sc,tso,ra,rc11 ok 1
// run: flags=-DINSIDE sc,tso,ra,rc11 ok 2
// run: flags=-DTRY sc,tso,ra,rc11 ok 2
// run: flags=-DOUTSIDE flags=-DNEVER sc,rc11 error hang
// run: flags=-DINSIDE flags=-DNEVER sc,rc11 error hang
// run: flags=-DINSIDE flags=-DNEEDS_READY sc,rc11 ok 2
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag, ready, polls;

static void *setter(void *unused) {
  pthread_mutex_lock(&mutex);
#ifdef NEEDS_READY
  while (!ready) {
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
#endif
#ifndef NEVER
  flag = 1;
#endif
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, setter, NULL);
#if defined OUTSIDE
  for (int done = 0; !done;) {
    pthread_mutex_lock(&mutex); // BUG
    done = flag;                // BUG
    pthread_mutex_unlock(&mutex);
    sched_yield();
  }
#elif defined INSIDE
  pthread_mutex_lock(&mutex);
  ready = 1;
  while (!flag) { // BUG
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
  }
  pthread_mutex_unlock(&mutex);
#elif defined TRY
  while (pthread_mutex_trylock(&mutex) != 0)
    ;
  polls++;
  pthread_mutex_unlock(&mutex);
#endif
  pthread_join(id, NULL);
  assert(polls <= 1);
}
