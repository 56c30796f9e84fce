// SPDX-License-Identifier: MIT
// Whoever looks into a mutex that it holds sees that it is taken, although the
// sections have nothing else to do with each other.
// run: all ok 2
// run: flags=-DFREE all error assertion
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *own) {
  pthread_mutex_lock(&mutex);
  int word = *(int *)&mutex;
#ifdef FREE
  assert(word == 0); // BUG
#else
  assert(word != 0);
#endif
  *(int *)own = word;
  pthread_mutex_unlock(&mutex);
  return NULL;
}

int main(void) {
  int own[2];
  pthread_t ids[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&ids[i], NULL, run, &own[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(ids[i], NULL);
}
