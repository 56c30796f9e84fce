// SPDX-License-Identifier: MIT
// What orders cost. Every literal costs something, so that a cheapest
// assignment has no order that it does not need.
#include "optimise/optimise.h"

static uint32_t generic(enum site_kind k, mode m) {
  uint32_t each = k == SITE_FENCE ? 3 : 1;
  if (m & MODE_SC)
    return k == SITE_FENCE ? 16 : 6;
  return (m & MODE_ACQUIRE ? each : 0) + (m & MODE_RELEASE ? each : 0);
}

// Only stores and fences that are seq_cst are other instructions there (xchg,
// mfence); what costs nothing is compared by the generic table.
static uint32_t x86(enum site_kind k, mode m) {
  bool costs = m & MODE_SC && (k == SITE_STORE || k == SITE_FENCE);
  return (costs ? 10000 : 0) + generic(k, m);
}

uint32_t mode_cost(enum cost_table t, enum site_kind k, mode m) {
  return t == COST_X86 ? x86(k, m) : generic(k, m);
}

uint32_t modes_cost(enum cost_table t, const struct sites *s, const mode *x) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < s->at.len; i++)
    sum += mode_cost(t, s->at.at[i].kind, x[i]);
  return sum;
}
