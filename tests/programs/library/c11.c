// SPDX-License-Identifier: MIT
// All of <threads.h>: a queue of one place between two threads.
// run: sc,rc11 ok
// run: flags=-DTIMED sc,rc11 ok
// run: flags=-DLOST sc,rc11 error deadlock
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static int item;

static void init(void) {
  assert(mtx_init(&mutex, mtx_plain) == thrd_success);
  assert(cnd_init(&changed) == thrd_success);
}

static void wait_for(int wanted) {
  while ((item != 0) != wanted) {
#ifdef TIMED
    int result = cnd_timedwait(&changed, &mutex, &(struct timespec){0});
    assert(result == thrd_success || result == thrd_timedout);
#else
    assert(cnd_wait(&changed, &mutex) == thrd_success); // BUG
#endif
  }
}

static int producer(void *unused) {
  (void)unused;
  call_once(&flag, init);
  for (int i = 1; i <= 2; i++) {
    mtx_lock(&mutex);
    wait_for(0);
    item = i;
#ifdef LOST
    if (i == 1)
#endif
      cnd_signal(&changed);
    mtx_unlock(&mutex);
  }
  thrd_exit(5);
}

int main(void) {
  thrd_t id;
  int result;
  assert(thrd_create(&id, producer, NULL) == thrd_success);
  call_once(&flag, init);
  assert(!thrd_equal(id, thrd_current()));
  for (int i = 1; i <= 2; i++) {
    mtx_lock(&mutex);
    assert(mtx_trylock(&mutex) == thrd_busy);
    wait_for(1);
    assert(item == i);
    item = 0;
    cnd_broadcast(&changed);
    mtx_unlock(&mutex);
  }
  thrd_yield();
  assert(thrd_join(id, &result) == thrd_success && result == 5);
  cnd_destroy(&changed);
  mtx_destroy(&mutex);
}
