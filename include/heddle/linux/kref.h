// SPDX-License-Identifier: MIT
// An object's count of references, with the function that releases it.
#pragma once

#include <linux/refcount.h>

struct kref {
  refcount_t refcount;
};
#define KREF_INIT(n)                                                           \
  { REFCOUNT_INIT(n) }

static inline void kref_init(struct kref *k) {
  refcount_set(&k->refcount, 1);
}

static inline unsigned kref_read(const struct kref *k) {
  return refcount_read(&k->refcount);
}

static inline void kref_get(struct kref *k) {
  refcount_inc(&k->refcount);
}

static inline int kref_get_unless_zero(struct kref *k) {
  return refcount_inc_not_zero(&k->refcount);
}

static inline int kref_put(struct kref *k, void (*release)(struct kref *k)) {
  if (!refcount_dec_and_test(&k->refcount))
    return 0;
  release(k);
  return 1;
}
