// SPDX-License-Identifier: MIT
// Hazard pointers by GenMC's names (<genmc.h>). What is retired is freed at
// once unless a hazard pointer has announced it: one of another thread keeps it
// for good, one of the same thread until it is cleared. So a program that uses
// what it has not protected meets a free that nothing orders.
//
// Who protects announces what it has read and reads again; that it has changed
// would only mean to begin anew, so such executions are left out. The fences
// are those of the algorithm: either the scan of who retires sees the
// announcement, or the second read sees that the object was taken out.
#include <genmc.h>

#include "builtin.h"

static struct __VERIFIER_hp *all;

// Those that are too late to be freed: kept, so that they are no leak.
struct kept {
  void *object;
  struct kept *next;
};
static struct kept *kept;

static void join_all(struct __VERIFIER_hp *h) {
  if (h->owner)
    return;
  h->owner = (int)__heddle_self() + 1;
  h->next = __atomic_load_n(&all, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&all, &h->next, h, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    ;
}

__VERIFIER_hp_t *__VERIFIER_hp_alloc(void) {
  return __heddle_calloc(sizeof(__VERIFIER_hp_t));
}

void *__VERIFIER_hp_protect(__VERIFIER_hp_t *h, void *at) {
  void **from = at;
  join_all(h);
  if (h->retired)
    __VERIFIER_hp_clear(h);
  void *object = __atomic_load_n(from, __ATOMIC_ACQUIRE);
  __atomic_store_n(&h->object, object, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  __heddle_assume(__atomic_load_n(from, __ATOMIC_ACQUIRE) == object);
  return object;
}

void __VERIFIER_hp_clear(__VERIFIER_hp_t *h) {
  void *retired = h->retired;
  __atomic_store_n(&h->object, NULL, __ATOMIC_RELEASE);
  h->retired = NULL;
  __VERIFIER_hp_retire(retired);
}

void __VERIFIER_hp_free(__VERIFIER_hp_t *h) {
  if (h->owner)
    __VERIFIER_hp_clear(h); // the list keeps it
  else
    __heddle_free(h);
}

static void keep(void *object) {
  struct kept *k = __heddle_malloc(sizeof *k);
  k->object = object;
  k->next = __atomic_load_n(&kept, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&kept, &k->next, k, 0, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED))
    ;
}

void __VERIFIER_hp_retire(void *object) {
  if (!object)
    return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  struct __VERIFIER_hp *h = __atomic_load_n(&all, __ATOMIC_ACQUIRE);
  while (h && __atomic_load_n(&h->object, __ATOMIC_ACQUIRE) != object)
    h = h->next;
  if (!h)
    __heddle_free(object);
  else if (h->owner == (int)__heddle_self() + 1)
    h->retired = object;
  else
    keep(object);
}
