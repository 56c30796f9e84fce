// SPDX-License-Identifier: MIT
// Does an assignment pass? The clients are a ladder, small ones first, but the
// one that failed last comes before all others: it is likely to fail again,
// and a failure is found soon. Clients that passed with weaker orders are left
// out until nothing else is left to try. What passes in the end was explored
// under every client.
#include "optimise/learn.h"

#include <string.h>

// -- one exploration

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct looking *l = arg;
  if (f->is_warning)
    return;
  if (!l->has_found) {
    l->has_found = true;
    l->first = *f;
    l->execution = l->s->show(l->s->arg, l->client, vm, g, f);
  }
  if (l->learns && !l->s->is_incomplete)
    l->has_learnt |= learn_from_graph(l->s, l->client, l->x, vm, g, f);
}

static void on_execution(void *arg, const struct vm *vm,
                         const struct graph *g) {
  const struct looking *l = arg;
  sites_mark(&l->s->sites.clients.at[l->client], &l->s->sites, vm, g,
             l->s->is_run);
}

enum verdict look(struct looking *l) {
  struct search *s = l->s;
  struct client *c = &s->sites.clients.at[l->client];
  struct exploration e = {.client = l->client,
                          .prog = c->prog,
                          .is_probe = s->is_probe,
                          .goes_on = l->learns,
                          .on_finding = on_finding,
                          .on_execution = on_execution,
                          .arg = l};
  if (!s->is_run)
    s->is_run = xcalloc(s->sites.at.len + 1, sizeof *s->is_run);
  sites_apply(c, &s->sites, l->x);
  enum verdict v = s->explore(s->arg, &e);
  s->executions += e.executions;
  return v;
}

// Is the client still wrong under x? What ends early counts as right.
static bool is_wrong(struct search *s, uint32_t client, const mode *x) {
  struct looking l = {.s = s, .client = client, .x = x};
  enum verdict v = look(&l);
  s->is_incomplete |= v == VERDICT_INCOMPLETE;
  free(l.execution);
  return v == VERDICT_ERROR;
}

// An execution that cannot be judged again: the client is explored instead.
static mode *grow_by_exploring(struct search *s, const struct looking *l) {
  uint32_t n = s->sites.at.len;
  mode *x = modes_copy(l->x, n);
  for (uint32_t i = 0; i < n; i++) {
    enum site_kind kind = s->sites.at.at[i].kind;
    mode full = mode_full(kind);
    mode tries[] = {full, MODE_ACQUIRE, MODE_RELEASE};
    for (unsigned k = 0; k < 3 && x[i] != full && !s->is_incomplete; k++) {
      mode before = x[i];
      x[i] = (mode)(before | tries[k]);
      if (!mode_exists(kind, x[i]) || !is_wrong(s, l->client, x))
        x[i] = before;
    }
  }
  return x;
}

// -- what is known

static mode_list *passed(struct search *s, uint32_t client) {
  while (s->passed.len <= client)
    array_push(&s->passed, (mode_list){0});
  return &s->passed.at[client];
}

static bool has_passed(struct search *s, uint32_t client, const mode *x) {
  const mode_list *all = passed(s, client);
  for (uint32_t k = 0; k < all->len; k++)
    if (memcmp(all->at[k], x, s->sites.at.len) == 0)
      return true;
  return false;
}

// Does it follow from what passed that this does?
static bool must_pass(struct search *s, uint32_t client, const mode *x) {
  const mode_list *all = passed(s, client);
  for (uint32_t k = 0; k < all->len && s->algorithm == ALGORITHM_HIT; k++)
    if (modes_below(all->at[k], x, s->sites.at.len))
      return true;
  return false;
}

bool is_known_bad(const struct search *s, const mode *x) {
  for (uint32_t k = 0; k < s->bads.len; k++)
    if (modes_below(x, s->bads.at[k].most, s->sites.at.len))
      return true;
  return false;
}

void note_passed(struct search *s, uint32_t client, const mode *x) {
  array_push(passed(s, client), modes_copy(x, s->sites.at.len));
}

// -- one assignment

static enum verdict check_client(struct search *s, uint32_t client,
                                 const mode *x) {
  struct looking l = {.s = s, .client = client, .x = x};
  uint32_t before = s->bads.len;
  l.learns = s->algorithm == ALGORITHM_HIT;
  enum verdict v = look(&l);
  check(v != VERDICT_ERROR || l.has_found);
  // Nothing new was learnt if x was known to be bad; but what was learnt from
  // weaker orders shows those.
  if (v == VERDICT_ERROR && s->bads.len == before) {
    bool grows = l.learns && !s->is_probe && !l.has_learnt;
    mode *most =
        grows ? grow_by_exploring(s, &l) : modes_copy(x, s->sites.at.len);
    learn_bad(s, most, client, &l.first, text_copy(l.execution));
  }
  if (v == VERDICT_OK)
    note_passed(s, client, x);
  else
    s->suspect = client;
  free(l.execution);
  return v;
}

static enum verdict check_doubtful(struct search *s, const mode *x) {
  uint32_t n = s->sites.clients.len;
  enum verdict v = VERDICT_OK;
  if (s->algorithm == ALGORITHM_HIT && s->suspect < n &&
      !must_pass(s, s->suspect, x))
    v = check_client(s, s->suspect, x);
  for (uint32_t k = 0; k < n && v == VERDICT_OK; k++)
    if (!has_passed(s, k, x) && !must_pass(s, k, x))
      v = check_client(s, k, x);
  return v;
}

enum verdict check_assignment(struct search *s, const mode *x) {
  enum verdict v = check_doubtful(s, x);
  for (uint32_t k = 0; k < s->sites.clients.len && v == VERDICT_OK; k++)
    if (!has_passed(s, k, x))
      v = check_client(s, k, x);
  return v;
}

enum verdict search_check(struct search *s, const mode *x) {
  s->checks++;
  enum verdict v = check_assignment(s, x);
  s->is_incomplete |= v == VERDICT_INCOMPLETE;
  if (v == VERDICT_OK &&
      (!s->verified || modes_weight(s->costs, &s->sites, x) <
                           modes_weight(s->costs, &s->sites, s->verified))) {
    free(s->verified);
    s->verified = modes_copy(x, s->sites.at.len);
  }
  if (s->on_progress)
    s->on_progress(s->arg, s);
  return v;
}
