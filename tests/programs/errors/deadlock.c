// SPDX-License-Identifier: MIT
// Two locks taken in two orders deadlock; in one order they do not.
// run: flags=-DFIRST=b flags=-DSECOND=a sc,rc11 error deadlock
// run: flags=-DFIRST=a flags=-DSECOND=b sc,rc11 ok 2
#include "../common.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *left(void *unused) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *right(void *unused) {
  pthread_mutex_lock(&FIRST);
  pthread_mutex_lock(&SECOND);
  pthread_mutex_unlock(&SECOND);
  pthread_mutex_unlock(&FIRST);
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, left, NULL);
  pthread_create(&ids[1], NULL, right, NULL);
  join(ids, 2);
  return 0;
}
