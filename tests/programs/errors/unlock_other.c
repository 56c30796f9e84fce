// SPDX-License-Identifier: MIT
// A thread unlocks what another one holds.
// expect: sc,rc11 error unlock-not-held
#include "../common.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused) {
  pthread_mutex_unlock(&mutex); // BUG
  return unused;
}

int main(void) {
  pthread_mutex_lock(&mutex);
  run(1, thread);
  pthread_mutex_unlock(&mutex);
  return 0;
}
