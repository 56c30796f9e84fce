// SPDX-License-Identifier: MIT
// The environment is memory of the program: who changes it while another thread
// looks at it has a race, and what getenv gave ends with the next change.
// run: sc,rc11 ok
// run: flags=-DRACE sc,rc11 error race
// run: flags=-DKEPT sc,rc11 error use-after-free
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *look(void *arg) {
#ifndef RACE
  pthread_mutex_lock(&lock);
#endif
  const char *value = getenv("LEVEL");
  assert(!value || strcmp(value, "3") == 0);
#ifndef RACE
  pthread_mutex_unlock(&lock);
#endif
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, look, NULL);
  pthread_mutex_lock(&lock);
  setenv("LEVEL", "3", 1);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  const char *old = getenv("LEVEL");
  setenv("LEVEL", "4", 1);
#ifndef KEPT
  old = getenv("LEVEL");
#endif
  assert(old[0] == '4');
  return 0;
}
