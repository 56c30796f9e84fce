// SPDX-License-Identifier: MIT
// A deadlock is told where its circle is, not on the way into it: thread 1 waits
// for thread 2, but thread 2 waits for itself.
// run: args=--disable args=relock sc,rc11,imm error deadlock
#include "../common.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;

static atomic_int is_taken;

static void *once(void *unused) {
  while (!atomic_load(&is_taken))
    ;
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  return unused;
}

static void *twice(void *unused) {
  pthread_mutex_lock(&a);
  atomic_store(&is_taken, 1);
  pthread_mutex_lock(&a); // BUG
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&a);
  return unused;
}

int main(void) {
  pthread_t ids[2];
  pthread_create(&ids[0], NULL, once, NULL);
  pthread_create(&ids[1], NULL, twice, NULL);
  join(ids, 2);
  return 0;
}
