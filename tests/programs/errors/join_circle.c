// SPDX-License-Identifier: MIT
// A thread that waits for the end of main, which waits for its end; or, if
// main ends without that, does not.
// run: all error deadlock
// run: flags=-DEXITS all ok
#include <pthread.h>

static pthread_t main_id;

static void *run(void *arg) {
  pthread_join(main_id, NULL); // BUG
  return arg;
}

int main(void) {
  pthread_t id;
  main_id = pthread_self();
  pthread_create(&id, NULL, run, NULL);
#ifdef EXITS
  pthread_exit(NULL);
#endif
  pthread_join(id, NULL);
}
