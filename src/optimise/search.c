// SPDX-License-Identifier: MIT
// The search for assignments: by hitting sets (optimise.h has the idea), one
// site after the other as other tools do it (for comparison), and by trying all
// assignments, which assumes nothing and tests the rest.
#include "optimise/learn.h"

#include <string.h>

// Solutions are within the bounds, and none is above another: it would not be
// minimal, or one was met twice.
static void add_solution(struct search *s, const mode *x) {
  uint32_t n = s->sites.at.len;
  check(modes_below(s->low, x, n) && modes_below(x, s->top, n));
  for (uint32_t k = 0; k < s->solutions.len; k++)
    check(!modes_below(s->solutions.at[k], x, n) &&
          !modes_below(x, s->solutions.at[k], n));
  array_push(&s->solutions, modes_copy(x, s->sites.at.len));
}

// -- hitting sets

// When this much was explored without a solution, the strongest orders are
// checked, so that there is something to show if the search is ended.
enum { EXECUTIONS_BEFORE_TOP = 5000 };

static bool has_answer(const struct search *s) {
  return s->is_incomplete ||
         (s->solutions.len &&
          (!s->all || (s->top_count && s->solutions.len >= s->top_count)));
}

static bool wants_top(const struct search *s) {
  return !s->verified && s->executions > EXECUTIONS_BEFORE_TOP;
}

static void run_hit(struct search *s) {
  struct hit h = {.sites = &s->sites,
                  .costs = s->costs,
                  .low = s->low,
                  .top = s->top,
                  .bads = &s->bads,
                  .blocks = &s->solutions};
  mode *x = xmalloc(s->sites.at.len + 1);
  uint64_t least = 0;
  while (!has_answer(s) && hit_cheapest(&h, x)) {
    check(!is_known_bad(s, x));
    // What is bad, and what is above a solution, only becomes more.
    uint64_t weight = modes_weight(s->costs, &s->sites, x);
    check(weight >= least);
    least = weight;
    s->bound = modes_cost(s->costs, &s->sites, x);
    if (wants_top(s) && search_check(s, s->top) != VERDICT_OK)
      break;
    if (s->jobs > 1 && probe_fails(s, &h, x))
      continue;
    enum verdict v = search_check(s, x);
    check(v != VERDICT_ERROR || is_known_bad(s, x));
    if (v == VERDICT_OK)
      add_solution(s, x);
  }
  free(x);
  // Nothing helps: then the strongest orders do not, and they are shown.
  if (!s->solutions.len && !s->is_incomplete && !s->verified)
    check(search_check(s, s->top) != VERDICT_OK);
  s->is_proved = !s->is_incomplete;
}

// -- one site after the other

// The modes of site i between low and high, cheapest first; yields how many.
static unsigned modes_between(const struct search *s, uint32_t i, mode low,
                              mode high, mode *ret) {
  enum site_kind k = s->sites.at.at[i].kind;
  unsigned n = 0;
  for (mode m = 0; m <= MODE_ALL; m++) {
    if (!mode_exists(k, m) || (low & ~m) || (m & ~high))
      continue;
    unsigned at = n++;
    for (; at &&
           mode_weight(s->costs, k, ret[at - 1]) > mode_weight(s->costs, k, m);
         at--)
      ret[at] = ret[at - 1];
    ret[at] = m;
  }
  return n;
}

static void run_descent(struct search *s) {
  mode *x = modes_copy(s->top, s->sites.at.len), tries[MODE_ALL + 1];
  for (uint32_t i = 0; i < s->sites.at.len; i++) {
    mode before = x[i];
    unsigned n = modes_between(s, i, s->low[i], before, tries);
    for (unsigned k = 0; k < n && !s->is_incomplete; k++) {
      x[i] = tries[k];
      if (x[i] == before ||
          (!is_known_bad(s, x) && search_check(s, x) == VERDICT_OK))
        break;
      x[i] = before;
    }
  }
  if (!s->is_incomplete)
    add_solution(s, x);
  free(x);
}

// -- all of them

// The next assignment, as a number of several digits; false after the last.
static bool next_assignment(const struct search *s, mode *x) {
  mode digits[MODE_ALL + 1];
  for (uint32_t i = 0; i < s->sites.at.len; i++) {
    unsigned n = modes_between(s, i, s->low[i], s->top[i], digits), k = 0;
    while (k < n && digits[k] != x[i])
      k++;
    check(k < n);
    x[i] = digits[k + 1 < n ? k + 1 : 0];
    if (k + 1 < n)
      return true;
  }
  return false;
}

static bool is_minimal(const mode_list *good, const mode *x, uint32_t n) {
  for (uint32_t k = 0; k < good->len; k++)
    if (modes_below(good->at[k], x, n) && memcmp(good->at[k], x, n) != 0)
      return false;
  return true;
}

// Appends the minimal ones, cheapest first.
static void add_minimal(struct search *s, const mode_list *good) {
  for (uint32_t k = 0; k < good->len; k++) {
    if (!is_minimal(good, good->at[k], s->sites.at.len))
      continue;
    add_solution(s, good->at[k]);
    for (uint32_t at = s->solutions.len - 1; at; at--) {
      mode **two = &s->solutions.at[at - 1], *swap = two[0];
      if (modes_weight(s->costs, &s->sites, two[0]) <=
          modes_weight(s->costs, &s->sites, two[1]))
        break;
      two[0] = two[1];
      two[1] = swap;
    }
  }
}

// What the other algorithms take for granted.
static bool is_monotone(const struct search *s, const mode_list *good) {
  for (uint32_t k = 0; k < good->len; k++)
    if (is_known_bad(s, good->at[k]))
      return false;
  return true;
}

static void run_exhaustive(struct search *s) {
  mode_list good = {0};
  mode *x = modes_copy(s->low, s->sites.at.len);
  do
    if (search_check(s, x) == VERDICT_OK)
      array_push(&good, modes_copy(x, s->sites.at.len));
  while (!s->is_incomplete && next_assignment(s, x));
  free(x);
  add_minimal(s, &good);
  s->is_monotone = is_monotone(s, &good);
  for (uint32_t k = 0; k < good.len; k++)
    free(good.at[k]);
  array_done(&good);
  while (s->solutions.len > 1 &&
         (!s->all || (s->top_count && s->solutions.len > s->top_count)))
    free(array_pop(&s->solutions));
  s->is_proved = !s->is_incomplete;
}

// -- what is common to them

// Are the strongest orders right? The others begin with them.
static bool top_passes(struct search *s) {
  enum verdict v = search_check(s, s->top);
  s->is_proved = v == VERDICT_ERROR; // that there is nothing
  return v == VERDICT_OK;
}

void search_run(struct search *s) {
  if (s->algorithm == ALGORITHM_HIT)
    run_hit(s);
  else if (top_passes(s))
    (s->algorithm == ALGORITHM_DESCENT ? run_descent : run_exhaustive)(s);
}

uint64_t search_size(const struct search *s) {
  mode modes[MODE_ALL + 1];
  uint64_t size = 1;
  for (uint32_t i = 0; i < s->sites.at.len && size < UINT32_MAX; i++)
    size *= modes_between(s, i, s->low[i], s->top[i], modes);
  return size;
}

// Every mode of the site alone, cheapest first, until one passes. The answer is
// looked up where it is known already.
bool search_weakest(struct search *s, uint32_t i, mode *ret) {
  mode *x = modes_copy(s->top, s->sites.at.len), tries[MODE_ALL + 1];
  unsigned n = modes_between(s, i, 0, s->top[i], tries);
  bool found = false;
  for (unsigned k = 0; k < n && !found && !s->is_incomplete; k++) {
    x[i] = *ret = tries[k];
    found = tries[k] == s->top[i] ||
            (!is_known_bad(s, x) && search_check(s, x) == VERDICT_OK);
  }
  free(x);
  return found;
}

void bad_done(struct bad *b) {
  free(b->most);
  free(b->execution);
}

void passed_done(struct search *s) {
  for (uint32_t k = 0; k < s->passed.len; k++) {
    for (uint32_t i = 0; i < s->passed.at[k].len; i++)
      free(s->passed.at[k].at[i]);
    array_done(&s->passed.at[k]);
  }
  array_done(&s->passed);
}

void search_done(struct search *s) {
  for (uint32_t k = 0; k < s->bads.len; k++)
    bad_done(&s->bads.at[k]);
  for (uint32_t k = 0; k < s->solutions.len; k++)
    free(s->solutions.at[k]);
  array_done(&s->bads);
  array_done(&s->solutions);
  passed_done(s);
  free(s->verified);
  free(s->is_run);
  free(s->low);
  free(s->top);
  sites_done(&s->sites);
}
