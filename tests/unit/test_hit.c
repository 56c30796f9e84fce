// SPDX-License-Identifier: MIT
// The cheapest assignment that is below no bad one and above no blocked one
// (optimise/hit.c) is what trying all of them finds, on random sites, costs and
// bad assignments.
#include "optimise/optimise.h"
#include "setting.h"
#include "tap.h"

#include <string.h>

enum { SITES = 5, BADS = 10, BLOCKS = 2 };

static uint64_t state;

static uint32_t below(uint32_t n) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state % n);
}

static bool is_mode(enum site_kind k, mode m) {
  return mode_exists(k, m);
}

static mode random_mode(enum site_kind k) {
  mode m;
  do
    m = (mode)below(MODE_ALL + 1);
  while (!is_mode(k, m));
  return m;
}

// The least weight of an assignment of the sites from `i` on that fits;
// UINT64_MAX: there is none.
static uint64_t try_all(const struct hit *h, mode *x, uint32_t i) {
  uint32_t n = h->sites->at.len;
  if (i < n) {
    uint64_t least = UINT64_MAX;
    for (unsigned m = 0; m <= MODE_ALL; m++) {
      x[i] = (mode)m;
      bool is_allowed = is_mode(h->sites->at.at[i].kind, x[i]) &&
                        !(h->low[i] & ~m) && !(m & ~(unsigned)h->top[i]);
      uint64_t weight = is_allowed ? try_all(h, x, i + 1) : UINT64_MAX;
      least = weight < least ? weight : least;
    }
    return least;
  }
  for (uint32_t k = 0; k < h->bads->len; k++)
    if (modes_below(x, h->bads->at[k].most, n))
      return UINT64_MAX;
  for (uint32_t k = 0; k < h->blocks->len; k++)
    if (modes_below(h->blocks->at[k], x, n))
      return UINT64_MAX;
  return modes_weight(h->costs, h->sites, x);
}

// Weak in one site, and maybe in others, as what is learned from an execution.
static void fill_bad(const struct sites *s, mode *ret) {
  uint32_t weak = below(s->at.len);
  for (uint32_t i = 0; i < s->at.len; i++) {
    mode full = mode_full(s->at.at[i].kind);
    do
      ret[i] = i == weak || !below(3) ? random_mode(s->at.at[i].kind) : full;
    while (i == weak && ret[i] == full);
  }
}

static bool compare(uint64_t seed) {
  static const char *const tables[] = {"generic", "x86", "armv8", "power"};
  struct sites sites = {0};
  struct costs costs;
  struct diag why;
  mode low[SITES], top[SITES], bad[BADS][SITES], block[BLOCKS][SITES], x[SITES],
      got[SITES];
  bad_list bads = {0};
  mode_list blocks = {0};
  state = seed * 0x9e3779b97f4a7c15u + 1;
  CHECK(costs_read(tables[below(4)], &costs, &why), "%s", why.text);
  for (uint32_t i = 0; i < SITES; i++) {
    enum site_kind k = (enum site_kind)below(SITE_KINDS);
    array_push(&sites.at, (struct order_site){.kind = k});
    low[i] = 0;
    top[i] = below(20) ? mode_full(k) : random_mode(k);
  }
  for (uint32_t k = below(BADS) + 1; k-- > 0;) {
    fill_bad(&sites, bad[k]);
    array_push(&bads, (struct bad){.most = bad[k]});
  }
  for (uint32_t k = seed % 4 ? 0 : BLOCKS; k-- > 0;) {
    for (uint32_t i = 0; i < SITES; i++)
      block[k][i] = below(2) ? random_mode(sites.at.at[i].kind) : 0;
    array_push(&blocks, block[k]);
  }
  struct hit h = {&sites, &costs, low, top, &bads, &blocks};
  uint64_t want = try_all(&h, x, 0);
  bool found = hit_cheapest(&h, got);
  CHECK(found == (want != UINT64_MAX), "seed %llu: %d",
        (unsigned long long)seed, found);
  if (found)
    CHECK_EQ(modes_weight(&costs, &sites, got), want, "seed %llu",
             (unsigned long long)seed);
  array_done(&sites.at);
  array_done(&bads);
  array_done(&blocks);
  return found;
}

TEST(what_is_found_is_the_cheapest_of_all) {
  uint64_t n = setting_many("HEDDLE_SEEDS", 3000), found = 0;
  for (uint64_t seed = 1; seed <= n; seed++)
    found += compare(seed);
  printf("# %llu of %llu have one\n", (unsigned long long)found,
         (unsigned long long)n);
  CHECK(n < 100 || (found > n / 2 && found < n), "too easy");
}
