// SPDX-License-Identifier: MIT
// Kinds of fences, shared by bytecode, vm, graph and models (fence.def).
#pragma once

#include <stdbool.h>

enum fence_kind {
  FENCE_C11, // of an order of C11, and nothing more
#define FENCE(id, set, acts) FENCE_##id,
#include "base/fence.def"
#undef FENCE
  FENCE_COUNT
};

enum fence_acts {
  FENCE_ACTS_NOTHING,
  FENCE_ACTS_ISB,
  FENCE_ACTS_STORES,
  FENCE_ACTS_DRAIN,
};

// Is it about a location, as a grace period of SRCU is?
static inline bool fence_has_location(enum fence_kind k) {
  return k == FENCE_SYNC_SRCU;
}

// The value of the event of a fence: its kind, and of a section of SRCU the
// number that srcu_read_lock gave.
static inline enum fence_kind fence_kind_of(unsigned long long value) {
  return (enum fence_kind)(value & 0xff);
}

// The name of the set of these fences in .cat files; "" for C11's.
static inline const char *fence_set(enum fence_kind k) {
  static const char *const set[] = {
      "",
#define FENCE(id, set, acts) set,
#include "base/fence.def"
#undef FENCE
  };
  return set[k];
}

static inline enum fence_acts fence_acts(enum fence_kind k) {
  static const unsigned char acts[] = {
      FENCE_ACTS_NOTHING,
#define FENCE(id, set, acts) FENCE_ACTS_##acts,
#include "base/fence.def"
#undef FENCE
  };
  return (enum fence_acts)acts[k];
}

// Does the fence with that value wait until earlier stores are done?
static inline bool fence_drains(unsigned long long value) {
  return fence_acts(fence_kind_of(value)) == FENCE_ACTS_DRAIN;
}
