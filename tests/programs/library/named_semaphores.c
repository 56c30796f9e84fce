// SPDX-License-Identifier: MIT
// Semaphores with names, and attributes of threads that can be asked for. Who
// opens and closes in which order is an execution each: of the six orders of two
// threads, one is impossible for each order of the two waits.
// expect: all ok 10
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int counter;

static void *count(void *unused) {
  sem_t *turn = sem_open("/turn", 0);
  sem_wait(turn);
  counter++;
  sem_post(turn);
  sem_close(turn);
  return unused;
}

static void attributes(pthread_attr_t *attr) {
  static char stack[1 << 16];
  size_t size;
  void *at;
  int scope;
  pthread_attr_init(attr);
  pthread_attr_setstacksize(attr, PTHREAD_STACK_MIN + 4096);
  pthread_attr_getstacksize(attr, &size);
  assert(size == PTHREAD_STACK_MIN + 4096);
  pthread_attr_setscope(attr, PTHREAD_SCOPE_SYSTEM);
  pthread_attr_getscope(attr, &scope);
  assert(scope == PTHREAD_SCOPE_SYSTEM);
  pthread_attr_setstack(attr, stack, sizeof stack);
  pthread_attr_getstack(attr, &at, &size);
  assert(at == stack && size == sizeof stack);
}

int main(void) {
  pthread_t threads[2];
  pthread_attr_t attr;
  setlinebuf(stdout);
  assert(sem_open("/turn", 0) == SEM_FAILED && errno == ENOENT);
  sem_t *turn = sem_open("/turn", O_CREAT | O_EXCL, 0600, 1);
  assert(turn != SEM_FAILED);
  assert(sem_open("/turn", O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED &&
         errno == EEXIST);
  attributes(&attr);
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], &attr, count, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
  assert(counter == 2);
  assert(sem_unlink("/turn") == 0 && sem_unlink("/turn") == -1);
  assert(sem_close(turn) == 0);
  pthread_attr_destroy(&attr);
}
