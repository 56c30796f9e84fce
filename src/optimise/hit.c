// SPDX-License-Identifier: MIT
// The cheapest assignment that is below no bad one: a hitting set of minimal
// cost, exactly, by branch and bound. (There are a few dozen sites, and some
// hundred bad assignments; a solver would be a dependency for microseconds.)
//
// A branch makes one site stronger than the bad assignment that leaves the
// fewest ways out. The branches after it forbid that literal, so that no
// assignment is met twice. What is left costs at least the sum over bad
// assignments that have no way out in common.
#include "optimise/optimise.h"

#include <string.h>

struct branching {
  const struct hit *h;
  uint32_t n;
  mode *x, *banned; // per site: what it has, and may not have
  uint64_t cost;
  mode *best;
  uint64_t best_cost; // UINT64_MAX: none yet
  bool *seen;         // per site: scratch of lower_bound
};

static enum site_kind kind_at(const struct branching *b, uint32_t i) {
  return b->h->sites->at.at[i].kind;
}

static mode with(const struct branching *b, uint32_t i, mode literal) {
  return mode_join(kind_at(b, i), b->x[i],
                   literal & MODE_SC ? mode_full(kind_at(b, i)) : literal);
}

static uint64_t extra_cost(const struct branching *b, uint32_t i,
                           mode literal) {
  enum site_kind k = kind_at(b, i);
  return mode_weight(b->h->costs, k, with(b, i, literal)) -
         mode_weight(b->h->costs, k, b->x[i]);
}

// The literals of site i that make it stronger than `bad`, the weakest only.
static mode ways_out(const struct branching *b, const mode *bad, uint32_t i) {
  mode missing = mode_full(kind_at(b, i)) & (mode)~bad[i];
  mode weak = missing & (MODE_ACQUIRE | MODE_RELEASE), ret = 0;
  if (!weak && (missing & MODE_SC))
    weak = MODE_SC;
  for (mode left = weak; left; left &= (mode)(left - 1)) {
    mode literal = left & (mode)-left;
    ret |= with(b, i, literal) & b->banned[i] ? 0 : literal;
  }
  return ret;
}

static unsigned count_ways(const struct branching *b, const mode *bad) {
  unsigned count = 0;
  for (uint32_t i = 0; i < b->n; i++)
    count += (unsigned)__builtin_popcount(ways_out(b, bad, i));
  return count;
}

static uint64_t cheapest_way(const struct branching *b, const mode *bad) {
  uint64_t least = UINT64_MAX;
  for (uint32_t i = 0; i < b->n; i++)
    for (mode left = ways_out(b, bad, i); left; left &= (mode)(left - 1)) {
      uint64_t cost = extra_cost(b, i, left & (mode)-left);
      least = cost < least ? cost : least;
    }
  return least;
}

// Marks the sites of the ways out, if none was marked before.
static bool claim_sites(const struct branching *b, const mode *bad) {
  for (uint32_t i = 0; i < b->n; i++)
    if (b->seen[i] && ways_out(b, bad, i))
      return false;
  for (uint32_t i = 0; i < b->n; i++)
    b->seen[i] |= ways_out(b, bad, i) != 0;
  return true;
}

static uint64_t lower_bound(const struct branching *b) {
  uint64_t sum = 0;
  memset(b->seen, 0, b->n * sizeof *b->seen);
  for (uint32_t k = 0; k < b->h->bads->len; k++) {
    const mode *bad = b->h->bads->at[k].most;
    if (modes_below(b->x, bad, b->n) && claim_sites(b, bad))
      sum += cheapest_way(b, bad);
  }
  return sum;
}

static bool is_blocked(const struct branching *b) {
  for (uint32_t k = 0; k < b->h->blocks->len; k++)
    if (modes_below(b->h->blocks->at[k], b->x, b->n))
      return true;
  return false;
}

// The bad assignment above x with the fewest ways out; NULL if there is none.
static const mode *tightest(const struct branching *b, unsigned *ways) {
  const mode *ret = NULL;
  for (uint32_t k = 0; k < b->h->bads->len; k++) {
    const mode *bad = b->h->bads->at[k].most;
    if (!modes_below(b->x, bad, b->n))
      continue;
    unsigned count = count_ways(b, bad);
    if (!ret || count < *ways) {
      ret = bad;
      *ways = count;
    }
  }
  return ret;
}

static void branch(struct branching *b);

static void take_way(struct branching *b, uint32_t i, mode literal) {
  mode before = b->x[i];
  uint64_t cost = extra_cost(b, i, literal);
  b->x[i] = with(b, i, literal);
  b->cost += cost;
  branch(b);
  b->cost -= cost;
  b->x[i] = before;
}

static void branch(struct branching *b) {
  unsigned ways = 0;
  if (is_blocked(b))
    return;
  const mode *bad = tightest(b, &ways);
  if (!bad && b->cost < b->best_cost) {
    b->best_cost = b->cost;
    memcpy(b->best, b->x, b->n);
  }
  if (!bad || !ways || b->cost + lower_bound(b) >= b->best_cost)
    return;
  mode *before = xmalloc(b->n);
  memcpy(before, b->banned, b->n);
  for (uint32_t i = 0; i < b->n; i++)
    for (mode left = ways_out(b, bad, i); left; left &= (mode)(left - 1)) {
      mode literal = left & (mode)-left;
      take_way(b, i, literal);
      b->banned[i] |= literal;
    }
  memcpy(b->banned, before, b->n);
  free(before);
}

bool hit_cheapest(const struct hit *h, mode *ret) {
  uint32_t n = h->sites->at.len;
  struct branching b = {.h = h, .n = n, .best = ret, .best_cost = UINT64_MAX};
  b.x = xmalloc(n + 1);
  b.banned = xmalloc(n + 1);
  b.seen = xcalloc(n + 1, sizeof *b.seen);
  memcpy(b.x, h->low, n);
  for (uint32_t i = 0; i < n; i++)
    b.banned[i] = (mode)~h->top[i];
  b.cost = modes_weight(h->costs, h->sites, b.x);
  branch(&b);
  free(b.x);
  free(b.banned);
  free(b.seen);
  if (b.best_cost == UINT64_MAX)
    return false;
  // Its cost was added up on the way.
  check(b.best_cost == modes_weight(h->costs, h->sites, ret));
  check(modes_below(h->low, ret, n) && modes_below(ret, h->top, n));
  return true;
}
