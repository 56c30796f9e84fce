// SPDX-License-Identifier: MIT
// Mutexes whose kind is in their initialiser.
// run: flags=-DKIND=RECURSIVE sc,rc11 ok 1
// run: flags=-DKIND=ERRORCHECK sc,rc11 ok 1
// run: args=--system-headers flags=-DKIND=RECURSIVE rc11 ok 1
// run: args=--system-headers flags=-DKIND=ERRORCHECK rc11 ok 1
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

#define RECURSIVE 0
#define ERRORCHECK EDEADLK

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

int main(void) {
  pthread_mutex_t *mutex = KIND == RECURSIVE ? &recursive : &errorcheck;
  assert(pthread_mutex_lock(mutex) == 0);
  assert(pthread_mutex_lock(mutex) == KIND);
  assert(pthread_mutex_unlock(mutex) == 0);
  assert(pthread_mutex_unlock(mutex) == (KIND ? EPERM : 0));
}
