// SPDX-License-Identifier: MIT
// A value that comes later: made by a thread, cached by others, given up on
// after some time.
// run: rc11,imm ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

typedef struct future {
  mtx_t mutex;
  cnd_t ready;
  atomic_bool is_set;
  double value;
} future;
static future *shared;
static once_flag once = ONCE_FLAG_INIT;
static tss_t cache;
static thread_local int hits;

static void setup(void) {
  assert(tss_create(&cache, free) == thrd_success);
}
static void future_set(future *f, double v) {
  mtx_lock(&f->mutex);
  f->value = v;
#ifdef WEAK
  atomic_store_explicit(&f->is_set, true, memory_order_relaxed);
#else
  atomic_store_explicit(&f->is_set, true, memory_order_release);
#endif
  cnd_broadcast(&f->ready);
  mtx_unlock(&f->mutex);
}
static int future_get(future *f, double *v) {
  if (!atomic_load_explicit(&f->is_set, memory_order_acquire)) {
    struct timespec until;
    timespec_get(&until, TIME_UTC);
    until.tv_sec += 1;
    mtx_lock(&f->mutex);
    while (!f->is_set)
      if (cnd_timedwait(&f->ready, &f->mutex, &until) == thrd_timedout) {
        mtx_unlock(&f->mutex);
        return ETIMEDOUT;
      }
    mtx_unlock(&f->mutex);
  }
  *v = f->value;
  return 0;
}
static int user(void *arg) {
  double v;
  call_once(&once, setup);
  (void)arg;
  if (future_get(shared, &v) == 0) {
    double *mine = malloc(sizeof *mine);
    *mine = v;
    tss_set(cache, mine);
    hits++;
    assert(fabs(*(double *)tss_get(cache) - exp(1)) < 1e-9);
  }
  return hits;
}
static int maker(void *arg) {
  future_set(arg, pow(M_E, 1.0));
  return 0;
}
int main(void) {
  thrd_t t[2];
  shared = calloc(1, sizeof *shared);
  mtx_init(&shared->mutex, mtx_timed);
  cnd_init(&shared->ready);
  thrd_create(&t[0], user, NULL);
  thrd_create(&t[1], maker, shared);
  thrd_join(t[0], NULL);
  thrd_join(t[1], NULL);
  cnd_destroy(&shared->ready);
  mtx_destroy(&shared->mutex);
  free(shared);
}
