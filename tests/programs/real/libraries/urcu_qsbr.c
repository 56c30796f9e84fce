// SPDX-License-Identifier: MIT
// User-space RCU by quiescent states: readers count, a writer waits until each
// has seen the new grace period.
// run: sc,rc11,imm ok
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#define CMM_LOAD_SHARED(p) __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define CMM_STORE_SHARED(p, v) __atomic_store_n(&(p), v, __ATOMIC_RELAXED)
#define cmm_smp_mb() __sync_synchronize()
#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_CONSUME)
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), v, __ATOMIC_RELEASE)

struct urcu_reader {
  unsigned long ctr;
};
static unsigned long gp_ctr = 1;
static struct urcu_reader readers[2];
static pthread_mutex_t gp_lock = PTHREAD_MUTEX_INITIALIZER;

static void rcu_online(struct urcu_reader *r) {
  CMM_STORE_SHARED(r->ctr, CMM_LOAD_SHARED(gp_ctr));
  cmm_smp_mb();
}

static void rcu_offline(struct urcu_reader *r) {
  __atomic_store_n(&r->ctr, 0, __ATOMIC_RELEASE);
}

static void synchronize_rcu(void) {
  pthread_mutex_lock(&gp_lock);
  cmm_smp_mb();
  CMM_STORE_SHARED(gp_ctr, gp_ctr + 1);
  cmm_smp_mb();
  for (unsigned i = 0; i < sizeof readers / sizeof *readers; i++) {
    unsigned wait_loops = 0;
    for (;;) {
      unsigned long v = __atomic_load_n(&readers[i].ctr, __ATOMIC_ACQUIRE);
      if (!v || v == gp_ctr)
        break;
      if (++wait_loops >= 100)
        sched_yield();
      else
        __builtin_ia32_pause();
    }
  }
  cmm_smp_mb();
  pthread_mutex_unlock(&gp_lock);
}

struct config {
  int a, b;
};
static struct config *current;

static void *reader(void *arg) {
  struct urcu_reader *me = arg;
  rcu_online(me);
  struct config *c = rcu_dereference(current);
  assert(c->a == c->b);
  rcu_offline(me);
  return NULL;
}

static void *writer(void *arg) {
  (void)arg;
  struct config *c = malloc(sizeof *c), *old = current;
  c->a = c->b = 2;
  rcu_assign_pointer(current, c);
  synchronize_rcu();
  free(old);
  return NULL;
}

int main(void) {
  pthread_t r[2], w;
  current = malloc(sizeof *current);
  current->a = current->b = 1;
  for (int i = 0; i < 2; i++)
    pthread_create(&r[i], NULL, reader, &readers[i]);
  pthread_create(&w, NULL, writer, NULL);
  for (int i = 0; i < 2; i++)
    pthread_join(r[i], NULL);
  pthread_join(w, NULL);
  free(current);
  return 0;
}
