// SPDX-License-Identifier: MIT
// Two threads found a mutex held, and its holder went on with something old
// that it saw. That they wait with what the mutex was is no deadlock: it is
// free now. (The holder does hang where it sees only the newest.)
// run: args=--disable=hang sc,rc11,imm ok
// run: sc,rc11 error hang
#include "../common.h"

static atomic_int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *unused) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  return unused;
}

static void *holds(void *unused) {
  pthread_mutex_lock(&m);
  while (load(&x, rlx) != 1) // BUG
    continue;
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, waits, NULL);
  pthread_create(&t[1], NULL, waits, NULL);
  pthread_create(&t[2], NULL, holds, NULL);
  store(&x, 1, rlx);
  store(&x, 2, rlx);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  return 0;
}
