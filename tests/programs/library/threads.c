// SPDX-License-Identifier: MIT
// Results of threads, attributes, errno and thread-local variables of the
// library, with our headers and with the host's.
// expect: sc,rc11 ok 1
// run: args=--system-headers rc11 ok 1
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

static __thread int private_value = 3;

static void *square(void *n) {
  private_value += 1;
  strtol("99999999999999999999", NULL, 10);
  assert(errno == ERANGE && private_value == 4);
  sched_yield();
  usleep(10);
  return (void *)((long)n * (long)n);
}

static void *leaves(void *unused) {
  pthread_exit((void *)5);
  return unused;
}

int main(void) {
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
  pthread_t t[3];
  void *result;
  assert(pthread_create(&t[0], NULL, square, (void *)7) == 0);
  assert(pthread_create(&t[1], &attr, square, (void *)8) == 0);
  assert(pthread_create(&t[2], NULL, leaves, NULL) == 0);
  pthread_attr_destroy(&attr);
  assert(pthread_join(t[0], &result) == 0 && result == (void *)49);
  assert(pthread_join(t[2], &result) == 0 && result == (void *)5);
  assert(errno == 0 && private_value == 3);
  assert(pthread_equal(pthread_self(), pthread_self()));
  assert(!pthread_equal(t[0], t[1]));
}
