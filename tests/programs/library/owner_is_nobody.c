// SPDX-License-Identifier: MIT
// A lock that its owner may take again notes the owner; nobody is 0, which is
// no thread's id, not even that of main.
// run: sc,rc11,armv8 ok
// run: flags=-DC11 sc,rc11 ok
// run: flags=-DZERO rc11 error thread-misuse
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_ulong owner;
static int depth, shared;

#ifdef C11
#define SELF() ((unsigned long)thrd_current())
#else
#define SELF() ((unsigned long)pthread_self())
#endif

static void take(void) {
  unsigned long self = SELF(), nobody = 0;
  if (atomic_load_explicit(&owner, memory_order_relaxed) != self)
    while (!atomic_compare_exchange_weak_explicit(
        &owner, &nobody, self, memory_order_acquire, memory_order_relaxed))
      nobody = 0;
  depth++;
}

static void give(void) {
  if (--depth == 0)
    atomic_store_explicit(&owner, 0, memory_order_release);
}

static void twice(void) {
  take();
  take();
  shared++;
  give();
  give();
}

static void *work(void *unused) {
  twice();
  return unused;
}

static int work_c11(void *unused) {
  (void)unused;
  twice();
  return 3;
}

int main(void) {
#ifdef ZERO
  pthread_t none = 0;
  pthread_join(none, NULL); // BUG
#endif
#ifdef C11
  thrd_t t;
  int result;
  thrd_create(&t, work_c11, NULL);
  twice();
  thrd_join(t, &result);
  assert(result == 3);
  (void)work;
#else
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  assert(!pthread_equal(t, pthread_self()));
  twice();
  pthread_join(t, NULL);
  (void)work_c11;
#endif
  assert(shared == 2);
  return 0;
}
