// SPDX-License-Identifier: MIT
// Main returns and nobody joins the thread: where its assumption fails, that is
// no execution, although the program is over.
// expect: sc,tso,rc11,imm,armv8 ok 1+1
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *arg) {
  int one = atomic_load(&x), two = atomic_load(&x);
  heddle_assume(one + two == 1); // 0, 0 and 1, 1 fail
  return arg;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, run, NULL);
  pthread_detach(id);
  atomic_store(&x, 1);
}
