// SPDX-License-Identifier: MIT
// A trylock can fail: it comes before, inside or after the other critical
// section.
// run: sc,rc11 ok 3
// run: flags=-DSURE sc,rc11 error assertion
#include "../common.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *locker(void *unused) {
  pthread_mutex_lock(&mutex);
  data++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *trier(void *unused) {
  int failed = pthread_mutex_trylock(&mutex);
#ifdef SURE
  assert(!failed); // BUG
#endif
  if (!failed) {
    data++;
    pthread_mutex_unlock(&mutex);
  }
  return unused;
}

int main(void) {
  spawn(locker);
  spawn(trier);
  return 0;
}
