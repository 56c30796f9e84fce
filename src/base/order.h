// SPDX-License-Identifier: MIT
// C11 memory orders, shared by bytecode, vm, graph and models. consume is
// lowered to acquire. The numbers are ordered by strength except that ACQ and
// REL are incomparable, so use the two predicates.
#pragma once

#include <stdbool.h>

enum order {
  ORD_NA,  // non-atomic (volatile too)
  ORD_RLX, // relaxed
  ORD_ACQ,
  ORD_REL,
  ORD_ACQREL,
  ORD_SC,
};

static inline bool order_acquires(enum order o) {
  return o == ORD_ACQ || o >= ORD_ACQREL;
}

static inline bool order_releases(enum order o) {
  return o >= ORD_REL;
}

// Of an update with this order, only a part counts for its read, and only a
// part for its write: an acquire update writes as a relaxed store does.
static inline enum order order_reading(enum order o) {
  if (o == ORD_NA || o == ORD_SC)
    return o;
  return order_acquires(o) ? ORD_ACQ : ORD_RLX;
}

static inline enum order order_writing(enum order o) {
  if (o == ORD_NA || o == ORD_SC)
    return o;
  return order_releases(o) ? ORD_REL : ORD_RLX;
}

// The name in reports: "na", "rlx", "acq", "rel", "acq_rel", "sc".
static inline const char *order_name(enum order o) {
  static const char *const name[] = {"na",  "rlx",     "acq",
                                     "rel", "acq_rel", "sc"};
  return name[o];
}
