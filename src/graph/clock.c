// SPDX-License-Identifier: MIT
#include "graph/clock.h"

#include <stdlib.h>
#include <string.h>

void clocks_init(struct clocks *c) {
  c->stride = 4;
  c->cap = 256;
  c->len = 1;
  c->at = xcalloc((size_t)c->cap * c->stride, sizeof *c->at);
}

void clocks_done(struct clocks *c) {
  free(c->at);
  c->at = NULL;
}

void clocks_need_threads(struct clocks *c, uint32_t threads) {
  if (threads <= c->stride)
    return;
  uint32_t stride = c->stride;
  while (stride < threads)
    stride *= 2;
  uint32_t *at = xcalloc((size_t)c->cap * stride, sizeof *at);
  for (uint32_t i = 0; i < c->len; i++)
    memcpy(at + (size_t)i * stride, c->at + (size_t)i * c->stride,
           c->stride * sizeof *at);
  free(c->at);
  c->at = at;
  c->stride = stride;
}

static clock_id clock_new(struct clocks *c) {
  if (c->len == c->cap) {
    check(c->cap < 1u << 31);
    c->cap *= 2;
    c->at = xrealloc(c->at, (size_t)c->cap * c->stride * sizeof *c->at);
  }
  return c->len++;
}

clock_id clock_with(struct clocks *c, clock_id a, unsigned thread,
                    uint32_t count) {
  if (clock_get(c, a, thread) >= count)
    return a;
  clock_id id = clock_new(c);
  uint32_t *to = c->at + (size_t)id * c->stride;
  memcpy(to, c->at + (size_t)a * c->stride, c->stride * sizeof *to);
  to[thread] = count;
  return id;
}

// Four entries at once; strides are multiples of four. (Counts are far below
// 2^31, and signed numbers are compared faster.)
typedef int32_t four __attribute__((vector_size(16), aligned(4), may_alias));
typedef int64_t two __attribute__((vector_size(16)));

static inline four *fours(const struct clocks *c, clock_id id) {
  return (four *)(c->at + (size_t)id * c->stride);
}

static inline bool any(four v) {
  two w = (two)v;
  return (w[0] | w[1]) != 0;
}

clock_id clock_join_different(struct clocks *c, clock_id a, clock_id b,
                              unsigned thread, uint32_t count) {
  // Often one of the two knows everything already.
  const four *x = fours(c, a), *y = fours(c, b);
  four a_lacks = {clock_get(c, a, thread) < count};
  four b_lacks = {clock_get(c, b, thread) < count};
  for (uint32_t i = 0; i < c->stride / 4; i++) {
    a_lacks |= x[i] < y[i];
    b_lacks |= y[i] < x[i];
  }
  if (!any(a_lacks))
    return a;
  if (!any(b_lacks))
    return b;
  clock_id id = clock_new(c);
  x = fours(c, a);
  y = fours(c, b);
  four *to = fours(c, id);
  for (uint32_t i = 0; i < c->stride / 4; i++) {
    four less = x[i] < y[i];
    to[i] = (y[i] & less) | (x[i] & ~less);
  }
  uint32_t *entry = c->at + (size_t)id * c->stride + thread;
  if (*entry < count)
    *entry = count;
  return id;
}
