// SPDX-License-Identifier: MIT
// Entries are compared and joined four at a time.
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

__attribute__((noinline)) static void grow(struct clocks *c) {
  check(c->cap < 1u << 31);
  c->cap *= 2;
  c->at = xrealloc(c->at, (size_t)c->cap * c->stride * sizeof *c->at);
}

static inline clock_id clock_new(struct clocks *c) {
  if (c->len == c->cap)
    grow(c);
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
_Static_assert(sizeof(four) == 4 * sizeof(uint32_t), "not four entries");

static inline four *fours(const struct clocks *c, clock_id id) {
  return (four *)(c->at + (size_t)id * c->stride);
}

static inline bool any(four v) {
  two w = (two)v;
  return (w[0] | w[1]) != 0;
}

clock_id clock_join_different(struct clocks *c, clock_id a, clock_id b,
                              unsigned thread, uint32_t count) {
  clock_id id = clock_new(c); // or one of the two knows everything already
  const four *x = fours(c, a), *y = fours(c, b);
  four *to = fours(c, id), a_lacks = {0}, b_lacks = {0};
  for (uint32_t n = c->stride / 4; n; n--, x++, y++, to++) {
    four less = *x < *y;
    a_lacks |= less;
    b_lacks |= *y < *x;
    *to = (*y & less) | (*x & ~less);
  }
  bool a_knows = !any(a_lacks) && clock_get(c, a, thread) >= count;
  bool b_knows = !any(b_lacks) && clock_get(c, b, thread) >= count;
  if (a_knows || b_knows) {
    c->len--;
    return a_knows ? a : b;
  }
  uint32_t *entry = c->at + (size_t)id * c->stride + thread;
  if (*entry < count)
    *entry = count;
  return id;
}
