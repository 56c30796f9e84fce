// SPDX-License-Identifier: MIT
// A thread that is cancelled while it runs the function of pthread_once has not
// run it: the next one does.
// expect: all ok 1
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static sem_t permits;
static int begun, done;

static void init(void) {
  begun++;
  sem_wait(&permits); // cancelled here
  done++;
}

static void *thread(void *unused) {
  pthread_once(&once, init);
  return unused;
}

int main(void) {
  pthread_t id;
  sem_init(&permits, 0, 0);
  pthread_create(&id, NULL, thread, NULL);
  pthread_cancel(id);
  void *result;
  pthread_join(id, &result);
  assert(result == PTHREAD_CANCELED && begun == 1 && done == 0);
  sem_post(&permits);
  pthread_create(&id, NULL, thread, NULL);
  pthread_join(id, NULL);
  assert(begun == 2 && done == 1);
  return 0;
}
