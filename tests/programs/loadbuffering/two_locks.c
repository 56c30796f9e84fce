// SPDX-License-Identifier: MIT
// A counter under a mutex, and then under a read-write lock: that is a race,
// but nothing comes back to who read it, since who takes a lock has what was
// done under it behind it. To see that all threads have to be followed through
// both locks: otherwise what could be buffered is looked for without end.
// run: rc11,xmm error race
// run: args=--disable=race rc11,xmm ok 294
#include "../common.h"

#include <pthread.h>

static int counter;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *thread(void *unused) {
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
  pthread_rwlock_wrlock(&lock);
  counter++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  run(3, thread);
  return 0;
}
