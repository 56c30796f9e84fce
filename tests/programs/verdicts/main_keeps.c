// SPDX-License-Identifier: MIT
// Main returns with a mutex for which a thread waits: the program is over, and
// so is the thread. If main only ends itself, the thread waits for ever.
// run: all ok
// run: flags=-DEXITS all error deadlock
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg) {
  pthread_mutex_lock(&mutex); // BUG
  return arg;
}

int main(void) {
  pthread_t id;
  pthread_mutex_lock(&mutex);
  pthread_create(&id, NULL, run, NULL);
  pthread_detach(id);
#ifdef EXITS
  pthread_exit(NULL);
#endif
}
