// SPDX-License-Identifier: MIT
// Vector clocks. A clock says for each thread how many of its first events
// come before; the thread that owns an event needs no entry, since program
// order says it. So events without new knowledge share their predecessor's
// clock, and a clock is made only where threads meet. Clocks are immutable and
// live on a stack: undoing drops the newest.
#pragma once

#include "base/fatal.h"

#include <stdint.h>

typedef uint32_t clock_id; // 0 is the empty clock

struct clocks {
  uint32_t *at;    // clock c: at[c * stride ...]
  uint32_t stride; // threads in a clock
  uint32_t len, cap;
};

void clocks_init(struct clocks *c);
void clocks_done(struct clocks *c);
void clocks_need_threads(struct clocks *c, uint32_t threads);

static inline uint32_t clock_get(const struct clocks *c, clock_id id,
                                 unsigned thread) {
  return c->at[(size_t)id * c->stride + thread];
}

static inline bool clock_knows(const struct clocks *c, clock_id id,
                               unsigned thread, uint32_t index) {
  return clock_get(c, id, thread) > index;
}

// Clock `a` with the entry of `thread` set to at least `count`.
clock_id clock_with(struct clocks *c, clock_id a, unsigned thread,
                    uint32_t count);
clock_id clock_join_different(struct clocks *c, clock_id a, clock_id b,
                              unsigned thread, uint32_t count);
// The least clock above both, with entry `thread` at least `count`. Yields an
// existing clock when one of the two already is that.
static inline clock_id clock_join(struct clocks *c, clock_id a, clock_id b,
                                  unsigned thread, uint32_t count) {
  if (a != b && a && b)
    return clock_join_different(c, a, b, thread, count);
  a = a ? a : b;
  return clock_get(c, a, thread) >= count ? a : clock_with(c, a, thread, count);
}
