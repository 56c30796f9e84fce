// SPDX-License-Identifier: MIT
// A family of locks behind one interface, with wrapped atomics and awaits, in
// the style of verified synchronisation libraries: test-and-set, tickets, CLH.
// run: flags=-DLOCK=tas all ok
// run: flags=-DLOCK=ticket all ok
// run: flags=-DLOCK=clh all ok
// run: flags=-DLOCK=tas flags=-DRELAXED all error race
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#ifndef await_while
#include <genmc.h>
#endif

typedef struct {
  volatile uint32_t v;
} __attribute__((aligned(4))) vatomic32_t;
typedef struct {
  void *volatile v;
} __attribute__((aligned(8))) vatomicptr_t;

#define vread_acq(a) __atomic_load_n(&(a)->v, __ATOMIC_ACQUIRE)
#define vread_rlx(a) __atomic_load_n(&(a)->v, __ATOMIC_RELAXED)
#define vwrite_rlx(a, x) __atomic_store_n(&(a)->v, x, __ATOMIC_RELAXED)
#ifdef RELAXED
#define vwrite_rel(a, x) vwrite_rlx(a, x)
#else
#define vwrite_rel(a, x) __atomic_store_n(&(a)->v, x, __ATOMIC_RELEASE)
#endif
#define vxchg_acq(a, x) __atomic_exchange_n(&(a)->v, x, __ATOMIC_ACQUIRE)
#define vxchg(a, x) __atomic_exchange_n(&(a)->v, x, __ATOMIC_ACQ_REL)
#define vget_inc_rlx(a) __atomic_fetch_add(&(a)->v, 1, __ATOMIC_RELAXED)

// -- test and set
typedef struct {
  vatomic32_t word;
} tas_t;
typedef struct {
  int unused;
} tas_context_t;
static inline void tas_acquire(tas_t *l, tas_context_t *c) {
  (void)c;
  do {
    await_while(vread_rlx(&l->word)) {}
  } while (vxchg_acq(&l->word, 1));
}
static inline void tas_release(tas_t *l, tas_context_t *c) {
  (void)c;
  vwrite_rel(&l->word, 0);
}

// -- tickets
typedef struct {
  vatomic32_t next, owner;
} ticket_t;
typedef struct {
  int unused;
} ticket_context_t;
static inline void ticket_acquire(ticket_t *l, ticket_context_t *c) {
  (void)c;
  uint32_t ticket = vget_inc_rlx(&l->next);
  await_while(vread_acq(&l->owner) != ticket) {}
}
static inline void ticket_release(ticket_t *l, ticket_context_t *c) {
  (void)c;
  uint32_t owner = vread_rlx(&l->owner);
  vwrite_rel(&l->owner, owner + 1);
}

// -- CLH
typedef struct {
  vatomic32_t locked;
} clh_node_t;
typedef struct {
  vatomicptr_t tail;
  clh_node_t first;
} clh_t;
typedef struct {
  clh_node_t node, *mine, *before;
} clh_context_t;
static inline void clh_acquire(clh_t *l, clh_context_t *c) {
  c->mine = &c->node;
  vwrite_rlx(&c->mine->locked, 1);
  void *before = vxchg(&l->tail, c->mine);
  c->before = before ? before : &l->first;
  await_while(vread_acq(&c->before->locked)) {}
}
static inline void clh_release(clh_t *l, clh_context_t *c) {
  (void)l;
  vwrite_rel(&c->mine->locked, 0);
}

#define PASTE(a, b) a##b
#define NAME(lock, what) PASTE(lock, what)

static NAME(LOCK, _t) lock;
static NAME(LOCK, _context_t) context[2];
static unsigned x, y;

static void *run(void *arg) {
  NAME(LOCK, _context_t) *c = &context[(uintptr_t)arg];
  NAME(LOCK, _acquire)(&lock, c);
  x++; // BUG
  y++; // BUG
  NAME(LOCK, _release)(&lock, c);
  return NULL;
}

int main(void) {
  pthread_t t[2];
  for (uintptr_t i = 0; i < 2; i++)
    pthread_create(&t[i], NULL, run, (void *)i);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], NULL);
  assert(x == 2 && x == y);
  return 0;
}
