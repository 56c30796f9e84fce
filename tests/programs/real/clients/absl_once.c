// SPDX-License-Identifier: MIT
// Something that is made once by whoever comes first: the others wait for it,
// asleep if that takes long.
// run: rc11,imm,armv8 ok
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

enum {
  ONCE_INIT = 0,
  ONCE_RUNNING = 0x65C2937B,
  ONCE_WAITER = 0x05A308D2,
  ONCE_DONE = 221
};
typedef struct {
  atomic_uint control;
} once_flag_t;
typedef struct {
  uint32_t from, to;
  int done;
} transition;

static void spin_delay(int loop) {
  if (loop == 0) {
  } else if (loop == 1) {
    sched_yield();
  } else {
    struct timespec tm = {0, loop * 1000};
    nanosleep(&tm, NULL);
  }
}
static uint32_t spin_wait(atomic_uint *w, int n, const transition t[]) {
  int loop = 0;
  for (;;) {
    uint32_t v = atomic_load_explicit(w, memory_order_acquire);
    int i;
    for (i = 0; i != n && v != t[i].from; i++)
      ;
    if (i == n) {
      spin_delay(++loop);
    } else if (t[i].to == v || atomic_compare_exchange_strong_explicit(
                                   w, &v, t[i].to, memory_order_acquire,
                                   memory_order_relaxed)) {
      if (t[i].done)
        return v;
    }
  }
}
static void call_once_impl(once_flag_t *f, void (*fn)(void)) {
  static const transition trans[] = {{ONCE_INIT, ONCE_RUNNING, 1},
                                     {ONCE_RUNNING, ONCE_WAITER, 0},
                                     {ONCE_DONE, ONCE_DONE, 1}};
  uint32_t old = ONCE_INIT;
  if (atomic_compare_exchange_strong_explicit(&f->control, &old, ONCE_RUNNING,
                                              memory_order_relaxed,
                                              memory_order_relaxed) ||
      spin_wait(&f->control, 3, trans) == ONCE_INIT) {
    fn();
#ifdef WEAK
    atomic_exchange_explicit(&f->control, ONCE_DONE, memory_order_relaxed);
#else
    atomic_exchange_explicit(&f->control, ONCE_DONE, memory_order_release);
#endif
  }
}
static void call_once_flag(once_flag_t *f, void (*fn)(void)) {
  uint32_t s = atomic_load_explicit(&f->control, memory_order_acquire);
  if (s != ONCE_DONE)
    call_once_impl(f, fn);
}
static once_flag_t flag;
static int made;
static void make(void) {
  made++;
}
static void *run(void *arg) {
  call_once_flag(&flag, make);
  assert(made == 1);
  return arg;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, run, NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
}
