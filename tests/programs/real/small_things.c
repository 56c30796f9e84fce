// SPDX-License-Identifier: MIT
// Small things that real code asks for: headers that the host keeps apart by
// machine, also for another one; a pointer that tells threads apart.
// expect: sc,rc11 ok
// run: flags=--target=aarch64-linux-gnu sc,rc11 ok
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>

static void *mine;

static void *other(void *arg) {
  assert(__builtin_thread_pointer() != mine);
  assert(__builtin_thread_pointer() == __builtin_thread_pointer());
  return arg;
}

int main(void) {
  pthread_t t;
  mine = __builtin_thread_pointer();
  assert(mine && SYS_futex > 0 && poll(0, 0, 1) == 0);
  pthread_create(&t, 0, other, 0);
  pthread_join(t, 0);
  return 0;
}
