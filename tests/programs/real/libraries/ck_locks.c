// SPDX-License-Identifier: MIT
// Lock families over assembly, each with lock, trylock and unlock: by exchange
// with a loop that only reads, by tickets, by a queue of waiters.
// run: flags=-DFAS all ok
// run: flags=-DTICKET all ok
// run: flags=-DMCS all ok
// run: flags=-DFAS flags=-DTRY all ok
// run: flags=-DTICKET flags=-DTRY all ok
// run: flags=-DMCS flags=-DTRY all ok
// run: flags=-DFAS flags=-DEARLY all error race
#include "ck_style.h"

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#ifdef FAS
struct lock {
  unsigned value;
};
#define CONTEXT
static bool try_lock(struct lock *l) {
  return pr_fas_uint(&l->value, 1) == 0;
}
static void lock(struct lock *l) {
  while (pr_fas_uint(&l->value, 1)) {
    do {
      pr_stall();
    } while (pr_load_uint(&l->value));
  }
}
static void unlock(struct lock *l) {
  pr_store_uint(&l->value, 0);
}
#elif defined TICKET
struct lock {
  unsigned next, position;
};
#define CONTEXT
static bool try_lock(struct lock *l) {
  unsigned position = pr_load_uint(&l->position);
  if (pr_load_uint(&l->next) != position)
    return false;
  return pr_cas_uint(&l->next, position, position + 1);
}
static void lock(struct lock *l) {
  unsigned mine = pr_faa_uint(&l->next, 1);
  while (pr_load_uint(&l->position) != mine)
    pr_stall();
}
static void unlock(struct lock *l) {
  pr_store_uint(&l->position, pr_load_uint(&l->position) + 1);
}
#else
struct node {
  unsigned locked;
  struct node *next;
};
struct lock {
  struct node *tail;
};
#define CONTEXT , &node
static bool try_lock(struct lock *l, struct node *n) {
  pr_store_uint(&n->locked, 1);
  pr_store_ptr((void **)&n->next, NULL);
  return pr_cas_ptr(&l->tail, NULL, n);
}
static void lock(struct lock *l, struct node *n) {
  pr_store_uint(&n->locked, 1);
  pr_store_ptr((void **)&n->next, NULL);
  struct node *before = pr_fas_ptr(&l->tail, n);
  if (!before)
    return;
  pr_store_ptr((void **)&before->next, n);
  while (pr_load_uint(&n->locked))
    pr_stall();
}
static void unlock(struct lock *l, struct node *n) {
  struct node *next = pr_load_ptr((void *const *)&n->next);
  if (!next) {
    if (pr_cas_ptr(&l->tail, n, NULL))
      return;
    while (!(next = pr_load_ptr((void *const *)&n->next)))
      pr_stall();
  }
  pr_store_uint(&next->locked, 0);
}
#endif

static struct lock the_lock;
static int shared, taken = 1;

static void *work(void *arg) {
#ifdef MCS
  struct node node;
#endif
#ifdef TRY
  if (arg && !try_lock(&the_lock CONTEXT)) {
    taken = 0;
    return NULL;
  }
  if (!arg)
    lock(&the_lock CONTEXT);
#else
  (void)try_lock;
  lock(&the_lock CONTEXT);
#endif
#ifdef EARLY
  unlock(&the_lock CONTEXT);
  shared++; // BUG
#else
  shared++;
  unlock(&the_lock CONTEXT);
#endif
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, &the_lock);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(shared == 1 + taken);
  return 0;
}
