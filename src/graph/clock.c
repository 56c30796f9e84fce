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

clock_id clock_join(struct clocks *c, clock_id a, clock_id b, unsigned thread,
                    uint32_t count) {
  if (a == b || !b)
    return clock_with(c, a, thread, count);
  if (!a)
    return clock_with(c, b, thread, count);
  // Counts are far below 2^31, and signed numbers are faster as vectors.
  const int32_t *x = (const int32_t *)(c->at + (size_t)a * c->stride);
  const int32_t *y = (const int32_t *)(c->at + (size_t)b * c->stride);
  // Often one of the two knows everything already. (No early exit: this loop
  // is short, and faster as vector code.)
  int32_t a_lacks = x[thread] < (int32_t)count;
  int32_t b_lacks = y[thread] < (int32_t)count;
  for (uint32_t i = 0; i < c->stride; i++) {
    a_lacks |= x[i] < y[i];
    b_lacks |= y[i] < x[i];
  }
  if (!a_lacks)
    return a;
  if (!b_lacks)
    return b;
  clock_id id = clock_new(c);
  x = (const int32_t *)(c->at + (size_t)a * c->stride);
  y = (const int32_t *)(c->at + (size_t)b * c->stride);
  int32_t *to = (int32_t *)(c->at + (size_t)id * c->stride);
  for (uint32_t i = 0; i < c->stride; i++)
    to[i] = x[i] > y[i] ? x[i] : y[i];
  if (to[thread] < (int32_t)count)
    to[thread] = (int32_t)count;
  return id;
}
