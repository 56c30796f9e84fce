// SPDX-License-Identifier: MIT
// Readers that announce when they are quiescent, and a writer that waits for
// all of them before it frees what it replaced.
// run: rc11,imm ok
// run: flags=-DWEAK rc11 error free-race
// run: flags=-DSTAYS rc11 error free-race
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#define CMM_LOAD_SHARED(p) __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define CMM_STORE_SHARED(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELAXED)
#define cmm_smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define caa_cpu_relax() __builtin_ia32_pause()
#define rcu_dereference(p)                                                     \
  ({                                                                           \
    __typeof__(p) _p = __atomic_load_n(&(p), __ATOMIC_CONSUME);                \
    _p;                                                                        \
  })
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)
#define RCU_GP_ONLINE 1ul
#define RCU_GP_CTR 2ul

struct rcu_reader {
  unsigned long ctr;
  struct rcu_reader *next;
};
static struct { unsigned long ctr; } rcu_gp = {RCU_GP_ONLINE};
static pthread_mutex_t rcu_gp_lock = PTHREAD_MUTEX_INITIALIZER;
static struct rcu_reader *registry;
static __thread struct rcu_reader urcu_reader;

static void rcu_quiescent_state(void) {
  unsigned long gp_ctr = CMM_LOAD_SHARED(rcu_gp.ctr);
  if (gp_ctr == urcu_reader.ctr)
    return;
#ifndef WEAK
  cmm_smp_mb();
#endif
  CMM_STORE_SHARED(urcu_reader.ctr, gp_ctr);
#ifndef WEAK
  cmm_smp_mb();
#endif
}
static void rcu_thread_offline(void) {
  cmm_smp_mb();
  CMM_STORE_SHARED(urcu_reader.ctr, 0);
}
static void rcu_thread_online(void) {
  CMM_STORE_SHARED(urcu_reader.ctr, CMM_LOAD_SHARED(rcu_gp.ctr));
  cmm_smp_mb();
}
static void rcu_register_thread(void) {
  pthread_mutex_lock(&rcu_gp_lock);
  urcu_reader.next = registry;
  registry = &urcu_reader;
  pthread_mutex_unlock(&rcu_gp_lock);
  rcu_thread_online();
}
static void rcu_unregister_thread(void) {
  rcu_thread_offline();
  pthread_mutex_lock(&rcu_gp_lock);
  registry = urcu_reader.next;
  pthread_mutex_unlock(&rcu_gp_lock);
}
static void synchronize_rcu(void) {
  cmm_smp_mb();
  pthread_mutex_lock(&rcu_gp_lock);
  CMM_STORE_SHARED(rcu_gp.ctr, rcu_gp.ctr + RCU_GP_CTR);
  cmm_smp_mb();
  for (struct rcu_reader *r = registry; r; r = r->next) {
    unsigned long v;
    while ((v = CMM_LOAD_SHARED(r->ctr)) && v != rcu_gp.ctr)
      caa_cpu_relax();
  }
  pthread_mutex_unlock(&rcu_gp_lock);
  cmm_smp_mb();
}

struct config {
  int a, b;
};
static struct config *current;
static int registered;

static void *reader(void *arg) {
  rcu_register_thread();
  __atomic_store_n(&registered, 1, __ATOMIC_RELEASE);
  for (int i = 0; i < 2; i++) {
    struct config *c = rcu_dereference(current);
    assert(c->a == c->b);
    rcu_quiescent_state();
  }
#ifdef STAYS
  rcu_thread_offline();
#else
  rcu_unregister_thread();
#endif
  return arg;
}
int main(void) {
  pthread_t t;
  struct config *old = malloc(sizeof *old), *new = malloc(sizeof *new);
  *old = (struct config){1, 1};
  current = old;
  pthread_create(&t, NULL, reader, NULL);
  while (!__atomic_load_n(&registered, __ATOMIC_ACQUIRE))
    caa_cpu_relax();
  *new = (struct config){2, 2};
  rcu_assign_pointer(current, new);
  synchronize_rcu();
  free(old);
  pthread_join(t, NULL);
  free(new);
  return 0;
}
