// SPDX-License-Identifier: MIT
// The threads and mutexes of C11.
// run: sc,rc11 ok 2
// run: flags=-DNO_LOCK sc,rc11 error race
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static int count;

static int thread(void *amount) {
#ifndef NO_LOCK
  mtx_lock(&mutex);
#endif
  count += *(int *)amount;
#ifndef NO_LOCK
  mtx_unlock(&mutex);
#endif
  return 5;
}

#define ADD 2

int main(void) {
  int amount = ADD;
  thrd_t a, b;
  int result;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(thrd_create(&a, thread, &amount) == thrd_success);
  assert(thrd_create(&b, thread, &amount) == thrd_success);
  assert(thrd_join(a, &result) == thrd_success);
  assert(result == 5);
  thrd_join(b, NULL);
  assert(count == 2 * ADD);
  mtx_destroy(&mutex);
  return 0;
}
