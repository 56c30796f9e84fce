// SPDX-License-Identifier: MIT
// Grace periods for readers that are registered in a list, with fences.
// run: sc,tso,rc11,imm,armv8 ok
// run: ra error race
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define caa_likely(x) __builtin_expect(!!(x), 1)
#define CMM_LOAD_SHARED(p) __atomic_load_n(&(p), __ATOMIC_RELAXED)
#define CMM_STORE_SHARED(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELAXED)
#define cmm_smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define cmm_barrier() __asm__ __volatile__("" ::: "memory")
#define caa_cpu_relax() __asm__ __volatile__("rep; nop" : : : "memory")
#define rcu_dereference(p) __atomic_load_n(&(p), __ATOMIC_CONSUME)
#define rcu_assign_pointer(p, v) __atomic_store_n(&(p), (v), __ATOMIC_RELEASE)
#define RCU_GP_COUNT (1UL << 0)
#define RCU_GP_CTR_PHASE (1UL << 16)
#define RCU_GP_CTR_NEST_MASK (RCU_GP_CTR_PHASE - 1)
struct list {
  struct list *next, *prev;
};
struct rcu_reader {
  unsigned long ctr;
  struct list node;
  pthread_t tid;
} __attribute__((aligned(64)));
static unsigned long gp_ctr = RCU_GP_COUNT;
static struct list registry = {&registry, &registry};
static pthread_mutex_t gp_lock = PTHREAD_MUTEX_INITIALIZER;
static __thread struct rcu_reader self;
static void list_add(struct list *n, struct list *h) {
  h->next->prev = n;
  n->next = h->next;
  n->prev = h;
  h->next = n;
}
static void list_del(struct list *n) {
  n->next->prev = n->prev;
  n->prev->next = n->next;
}
#define container_of(p, t, m) ((t *)((char *)(p) - __builtin_offsetof(t, m)))
static void rcu_register_thread(void) {
  self.tid = pthread_self();
  pthread_mutex_lock(&gp_lock);
  list_add(&self.node, &registry);
  pthread_mutex_unlock(&gp_lock);
}
static void rcu_unregister_thread(void) {
  pthread_mutex_lock(&gp_lock);
  list_del(&self.node);
  pthread_mutex_unlock(&gp_lock);
}
static inline void rcu_read_lock(void) {
  cmm_barrier();
  unsigned long tmp = self.ctr;
  if (caa_likely(!(tmp & RCU_GP_CTR_NEST_MASK))) {
    CMM_STORE_SHARED(self.ctr, CMM_LOAD_SHARED(gp_ctr));
    cmm_smp_mb();
  } else
    CMM_STORE_SHARED(self.ctr, tmp + RCU_GP_COUNT);
}
static inline void rcu_read_unlock(void) {
  unsigned long tmp = self.ctr;
  cmm_smp_mb();
  CMM_STORE_SHARED(self.ctr, tmp - RCU_GP_COUNT);
  cmm_barrier();
}
static int ongoing(struct rcu_reader *r) {
  unsigned long v = CMM_LOAD_SHARED(r->ctr);
  return (v & RCU_GP_CTR_NEST_MASK) && ((v ^ gp_ctr) & RCU_GP_CTR_PHASE);
}
static void wait_for_readers(void) {
  for (struct list *p = registry.next; p != &registry; p = p->next)
    while (ongoing(container_of(p, struct rcu_reader, node)))
      caa_cpu_relax();
}
static void synchronize_rcu(void) {
  pthread_mutex_lock(&gp_lock);
  if (registry.next != &registry) {
    cmm_smp_mb();
    wait_for_readers();
    cmm_smp_mb();
    CMM_STORE_SHARED(gp_ctr, gp_ctr ^ RCU_GP_CTR_PHASE);
    cmm_smp_mb();
    wait_for_readers();
    cmm_smp_mb();
  }
  pthread_mutex_unlock(&gp_lock);
}
struct foo {
  int a;
};
static struct foo *ptr;
static void *reader(void *x) {
  rcu_register_thread();
  rcu_read_lock();
  struct foo *p = rcu_dereference(ptr);
  if (p)
    assert(p->a == 1 || p->a == 2);
  rcu_read_unlock();
  rcu_unregister_thread();
  return x;
}
static void *updater(void *x) {
  struct foo *n = malloc(sizeof *n);
  n->a = 2;
  struct foo *old = __atomic_exchange_n(&ptr, n, __ATOMIC_SEQ_CST);
  synchronize_rcu();
  old->a = 9;
  free(old);
  return x;
}
int main(void) {
  pthread_t r, u;
  ptr = malloc(sizeof *ptr);
  ptr->a = 1;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&u, NULL, updater, NULL);
  pthread_join(r, NULL);
  pthread_join(u, NULL);
  free(ptr);
}
