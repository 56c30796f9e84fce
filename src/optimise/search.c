// SPDX-License-Identifier: MIT
// The search for assignments: by hitting sets (optimise.h has the idea), one
// site after the other as other tools do it (for comparison), and by trying all
// assignments, which assumes nothing and tests the rest.
#include "optimise/learn.h"

#include <string.h>

// -- checks

// What is seen of one exploration.
struct looking {
  struct search *s;
  uint32_t client;
  const mode *x;
  bool learns, has_found, has_learnt;
  struct finding first;
  char *execution;
};

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct looking *l = arg;
  if (f->is_warning || l->has_found)
    return;
  l->has_found = true;
  l->first = *f;
  l->execution = l->s->show(l->s->arg, l->client, vm, g, f);
  if (l->learns)
    l->has_learnt =
        learn_from_graph(l->s, l->client, l->x, vm, g, f, l->execution);
}

static enum verdict explore_client(struct search *s, struct looking *l) {
  uint64_t executions = 0;
  sites_apply(&s->sites.clients.at[l->client], &s->sites, l->x);
  enum verdict v = s->explore(s->arg, l->client, on_finding, l, &executions);
  s->executions += executions;
  return v;
}

// Is client k still wrong under x? What ends early counts as right.
static bool is_wrong(struct search *s, uint32_t client, const mode *x) {
  struct looking l = {.s = s, .client = client, .x = x};
  enum verdict v = explore_client(s, &l);
  s->is_incomplete |= v == VERDICT_INCOMPLETE;
  free(l.execution);
  return v == VERDICT_ERROR;
}

// An execution that cannot be judged again: the client is explored instead.
static mode *grow_by_exploring(struct search *s, const struct looking *l) {
  uint32_t n = s->sites.at.len;
  mode *x = modes_copy(l->x, n);
  for (uint32_t i = 0; i < n; i++) {
    mode full = mode_full(s->sites.at.at[i].kind);
    mode tries[] = {full, x[i] | MODE_ACQUIRE, x[i] | MODE_RELEASE};
    for (unsigned k = 0; k < 3 && x[i] != full && !s->is_incomplete; k++) {
      mode before = x[i];
      x[i] = (mode)(before | tries[k]);
      if ((tries[k] & ~full) || !is_wrong(s, l->client, x))
        x[i] = before;
    }
  }
  return x;
}

static enum verdict check_client(struct search *s, uint32_t client,
                                 const mode *x) {
  struct looking l = {.s = s, .client = client, .x = x};
  l.learns = s->algorithm == ALGORITHM_HIT;
  enum verdict v = explore_client(s, &l);
  check(v != VERDICT_ERROR || l.has_found);
  if (v == VERDICT_ERROR && !l.has_learnt) {
    mode *most =
        l.learns ? grow_by_exploring(s, &l) : modes_copy(x, s->sites.at.len);
    learn_bad(s, most, client, &l.first, l.execution);
  }
  free(l.execution);
  return v;
}

enum verdict search_check(struct search *s, const mode *x) {
  enum verdict v = VERDICT_OK;
  s->checks++;
  for (uint32_t k = 0; k < s->sites.clients.len && v == VERDICT_OK; k++)
    v = check_client(s, k, x);
  s->is_incomplete |= v == VERDICT_INCOMPLETE;
  if (v == VERDICT_OK &&
      (!s->verified || modes_cost(s->cost, &s->sites, x) <
                           modes_cost(s->cost, &s->sites, s->verified))) {
    free(s->verified);
    s->verified = modes_copy(x, s->sites.at.len);
  }
  if (s->on_progress)
    s->on_progress(s->arg, s);
  return v;
}

static bool is_known_bad(const struct search *s, const mode *x) {
  for (uint32_t k = 0; k < s->bads.len; k++)
    if (modes_below(x, s->bads.at[k].most, s->sites.at.len))
      return true;
  return false;
}

static void add_solution(struct search *s, const mode *x) {
  array_push(&s->solutions, modes_copy(x, s->sites.at.len));
}

static bool has_enough(const struct search *s) {
  return s->solutions.len &&
         (!s->all || (s->top_count && s->solutions.len >= s->top_count));
}

// -- hitting sets

static void run_hit(struct search *s) {
  struct hit h = {.sites = &s->sites,
                  .cost = s->cost,
                  .low = s->low,
                  .top = s->top,
                  .bads = &s->bads,
                  .blocks = &s->solutions};
  mode *x = xmalloc(s->sites.at.len + 1);
  while (!s->is_incomplete && !has_enough(s) && hit_cheapest(&h, x)) {
    check(!is_known_bad(s, x));
    enum verdict v = search_check(s, x);
    check(v != VERDICT_ERROR || is_known_bad(s, x));
    if (v == VERDICT_OK)
      add_solution(s, x);
  }
  s->is_proved = !s->is_incomplete;
  free(x);
}

// -- one site after the other

// The modes of site i between low and high, cheapest first; yields how many.
static unsigned modes_between(const struct search *s, uint32_t i, mode low,
                              mode high, mode *ret) {
  enum site_kind k = s->sites.at.at[i].kind;
  unsigned n = 0;
  for (mode m = 0; m <= MODE_ALL; m++) {
    if ((m & MODE_SC ? m != mode_full(k) : m & ~mode_full(k)) || (low & ~m) ||
        (m & ~high))
      continue;
    unsigned at = n++;
    for (; at && mode_cost(s->cost, k, ret[at - 1]) > mode_cost(s->cost, k, m);
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
    while (digits[k] != x[i])
      k++;
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
      if (modes_cost(s->cost, &s->sites, two[0]) <=
          modes_cost(s->cost, &s->sites, two[1]))
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

void search_run(struct search *s) {
  enum verdict v = search_check(s, s->top);
  if (v == VERDICT_ERROR)
    s->is_proved = true; // that there is nothing
  if (v != VERDICT_OK)
    return;
  switch (s->algorithm) {
  case ALGORITHM_HIT:
    run_hit(s);
    break;
  case ALGORITHM_DESCENT:
    run_descent(s);
    break;
  case ALGORITHM_EXHAUSTIVE:
    run_exhaustive(s);
    break;
  }
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

void search_done(struct search *s) {
  for (uint32_t k = 0; k < s->bads.len; k++)
    bad_done(&s->bads.at[k]);
  for (uint32_t k = 0; k < s->solutions.len; k++)
    free(s->solutions.at[k]);
  array_done(&s->bads);
  array_done(&s->solutions);
  free(s->verified);
  free(s->low);
  free(s->top);
  sites_done(&s->sites);
}

mode mode_leaders(mode m) {
  return m & MODE_SC ? MODE_SC : m;
}

void bad_done(struct bad *b) {
  free(b->most);
  free(b->execution);
}

static bool explore_without(struct search *s, const mode *y, struct bad *ret) {
  uint64_t executions = s->executions; // they are no part of the search
  for (uint32_t k = 0; k < s->sites.clients.len; k++) {
    struct looking l = {.s = s, .client = k, .x = y};
    bool found = explore_client(s, &l) == VERDICT_ERROR;
    s->executions = executions;
    if (found) {
      *ret = (struct bad){.most = modes_copy(y, s->sites.at.len),
                          .client = k,
                          .finding = l.first,
                          .execution = l.execution};
      return true;
    }
    free(l.execution);
  }
  return false;
}

static bool recall(const struct search *s, const mode *y, struct bad *ret) {
  for (uint32_t k = 0; k < s->bads.len; k++) {
    const struct bad *b = &s->bads.at[k];
    if (!modes_below(y, b->most, s->sites.at.len))
      continue;
    *ret = *b;
    ret->most = modes_copy(b->most, s->sites.at.len);
    ret->execution = text_copy(b->execution);
    return true;
  }
  return false;
}

bool search_explain(struct search *s, const mode *x, uint32_t i, mode literal,
                    struct bad *ret) {
  mode *y = modes_copy(x, s->sites.at.len);
  y[i] &= (mode)~literal;
  bool found =
      (!s->is_incomplete && explore_without(s, y, ret)) || recall(s, y, ret);
  free(y);
  return found;
}
