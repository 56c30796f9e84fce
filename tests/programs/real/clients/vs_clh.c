// SPDX-License-Identifier: MIT
// A queue lock whose threads wait at the node of the one before them, behind
// wrappers of the builtins.
// run: rc11,imm,armv8 ok 6
// run: flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef WEAK
#define REL __ATOMIC_RELAXED
#else
#define REL __ATOMIC_RELEASE
#endif

typedef struct {
  uint32_t _v;
} __attribute__((aligned(4))) vatomic32_t;
typedef struct {
  void *_v;
} __attribute__((aligned(8))) vatomicptr_t;

static inline uint32_t vatomic32_read_acq(const vatomic32_t *a) {
  return __atomic_load_n(&a->_v, __ATOMIC_ACQUIRE);
}
static inline void vatomic32_write_rel(vatomic32_t *a, uint32_t v) {
  __atomic_store_n(&a->_v, v, REL);
}
static inline void vatomic32_write_rlx(vatomic32_t *a, uint32_t v) {
  __atomic_store_n(&a->_v, v, __ATOMIC_RELAXED);
}
static inline void *vatomicptr_xchg(vatomicptr_t *a, void *v) {
  return __atomic_exchange_n(&a->_v, v, __ATOMIC_SEQ_CST);
}
static inline uint32_t vatomic32_await_eq_acq(const vatomic32_t *a,
                                              uint32_t v) {
  uint32_t cur;
  while ((cur = vatomic32_read_acq(a)) != v)
    __builtin_ia32_pause();
  return cur;
}

typedef struct clh_qnode_s {
  vatomic32_t locked;
} clh_qnode_t;
typedef struct clh_node_s {
  clh_qnode_t *pred;
  clh_qnode_t *qnode;
  clh_qnode_t _qnode;
} clh_node_t;
typedef struct {
  vatomicptr_t tail;
  clh_qnode_t initial;
} clhlock_t;

static void clhlock_node_init(clh_node_t *n) {
  n->qnode = &n->_qnode;
  n->pred = NULL;
  vatomic32_write_rlx(&n->_qnode.locked, 0);
}
static void clhlock_init(clhlock_t *l) {
  vatomic32_write_rlx(&l->initial.locked, 0);
  l->tail._v = &l->initial;
}
static void clhlock_acquire(clhlock_t *l, clh_node_t *n) {
  vatomic32_write_rlx(&n->qnode->locked, 1);
  n->pred = vatomicptr_xchg(&l->tail, n->qnode);
  vatomic32_await_eq_acq(&n->pred->locked, 0);
}
static void clhlock_release(clh_node_t *n) {
  clh_qnode_t *mine = n->qnode;
  n->qnode = n->pred;
  vatomic32_write_rel(&mine->locked, 0);
}

#ifndef NTHREADS
#define NTHREADS 3
#endif
static clhlock_t lock;
static clh_node_t nodes[NTHREADS];
static uint32_t g_cs_x, g_cs_y;

static void *run(void *arg) {
  uint32_t tid = (uint32_t)(uintptr_t)arg;
  clhlock_node_init(&nodes[tid]);
  clhlock_acquire(&lock, &nodes[tid]);
  g_cs_x++;
  g_cs_y++;
  clhlock_release(&nodes[tid]);
  return NULL;
}

int main(void) {
  pthread_t t[NTHREADS];
  clhlock_init(&lock);
  for (uintptr_t i = 0; i < NTHREADS; i++)
    (void)pthread_create(&t[i], 0, run, (void *)i);
  for (uintptr_t i = 0; i < NTHREADS; i++)
    (void)pthread_join(t[i], NULL);
  assert(g_cs_x == g_cs_y && g_cs_x == NTHREADS);
  return 0;
}
