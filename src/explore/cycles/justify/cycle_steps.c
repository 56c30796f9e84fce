// SPDX-License-Identifier: MIT
// Which guesses may be on a cycle that happens-before allows: asked of what
// threads could do alone (over.h), step by step (steps.h).
//
// A cycle that enters each thread once is a *ring* of steps: the write of one
// is read by the next. Two of its ways from step to step, at least, are open,
// as in hb_cycles.c. If it leaves two steps at one location, one of their
// writes is older, and may go on to the reader of the newer one: what was
// between is left out, and that is a smaller ring, of which the same is true.
// (It reads something newer than that write then, which belongs to its release
// sequence if the location is a chain; otherwise the way is open.) A ring of
// one step would be a cycle of coherence.
//
// And on each cycle there is a guess whose write is not bound to stay behind
// the read at which the cycle enters its thread (model/justify.h).
#include "explore/cycles/justify/steps.h"

enum { MOST_LENGTH = 6, MOST_TRIES = 300000 };

struct ring {
  const struct step *at[MOST_LENGTH];
  bool is_cut[MOST_LENGTH]; // something was left out behind the step
  uint32_t n;
};

struct search {
  const struct steps *steps;
  const struct guess *guess; // NULL: any write will do
  uint32_t tries;
};

// ---- is a ring possible?

static const struct step *after(const struct ring *r, uint32_t i) {
  return r->at[(i + 1) % r->n];
}

static bool is_open(const struct steps *c, const struct ring *r, uint32_t i) {
  return !(r->at[i]->flags & RELEASES) || !(after(r, i)->flags & ACQUIRES) ||
         (r->is_cut[i] && !c->chains.at[r->at[i]->out]);
}

// The steps behind the ith, up to the jth, which now leads on to the first of
// them.
static struct ring cut(const struct ring *r, uint32_t i, uint32_t j) {
  struct ring ret = {0};
  for (uint32_t k = (i + 1) % r->n;; k = (k + 1) % r->n) {
    ret.at[ret.n] = r->at[k];
    ret.is_cut[ret.n++] = r->is_cut[k] || k == j;
    if (k == j)
      return ret;
  }
}

static bool is_possible(const struct steps *c, const struct ring *r) {
  unsigned open = 0;
  for (uint32_t i = 0; i < r->n; i++)
    open += is_open(c, r, i);
  if (r->n < 2 || open < 2)
    return false;
  for (uint32_t i = 0; i < r->n; i++)
    for (uint32_t j = i + 1; j < r->n; j++) {
      if (r->at[i]->out != r->at[j]->out)
        continue;
      // Either of the writes may be the newer one.
      struct ring one = cut(r, i, j), other = cut(r, j, i);
      if (!is_possible(c, &one) && !is_possible(c, &other))
        return false;
    }
  return true;
}

// ---- rings

static bool follows(const struct steps *c, const struct step *s,
                    const struct step *next) {
  return s->out == next->in && s->to != next->from &&
         (c->chains.at[s->out] || s->writes == next->reads);
}

static bool has_thread(const struct ring *r, thread_id t) {
  for (uint32_t i = 0; i < r->n; i++)
    if (r->at[i]->from == t)
      return true;
  return false;
}

// Is there a ring that begins like this?
static bool closes(struct search *s, struct ring *r) {
  const struct steps *c = s->steps;
  const struct step *last = r->at[r->n - 1];
  if (follows(c, last, r->at[0]) && is_possible(c, r))
    return true;
  for (uint32_t i = c->first_step[last->out]; i < c->first_step[last->out + 1];
       i++) {
    const struct step *next = &c->all.at[i];
    if (++s->tries > MOST_TRIES)
      return true;
    if (!follows(c, last, next) || has_thread(r, next->from) ||
        (r->n == 1 && s->guess && next->from != s->guess->reader))
      continue;
    if (r->n == MOST_LENGTH)
      return true;
    r->at[r->n++] = next;
    bool found = closes(s, r);
    r->n--;
    if (found)
      return true;
  }
  return false;
}

// May the step end with the write of the guess?
static bool is_written(const struct search *s, const struct step *last) {
  const struct steps *c = s->steps;
  const struct guess *g = s->guess;
  uint64_t writers = 0;
  if (last->flags & BOUND)
    return false;
  if (!g)
    return true;
  for (unsigned o = 0; o <= ORD_SC; o++)
    writers |= g->writers[o];
  return (writers >> last->to & 1) && steps_place(c, g->loc) == last->out &&
         (c->chains.at[last->out] ||
          c->a->cells.at[last->writes].value == g->value);
}

static bool has_ring(const struct steps *c, const struct guess *guess) {
  struct search s = {.steps = c, .guess = guess};
  for (uint32_t i = 0; i < c->all.len; i++) {
    struct ring r = {.at = {&c->all.at[i]}, .n = 1};
    if (is_written(&s, r.at[0]) && closes(&s, &r))
      return true;
  }
  return c->is_too_much || c->has_crossings;
}

bool over_has_steps(const struct over *a, uint64_t threads) {
  struct steps c;
  steps_find(&c, a, threads, /*takes_last=*/false);
  bool found = c.is_too_much || c.has_crossings || has_ring(&c, NULL);
  steps_done(&c);
  return found;
}

void over_drop_vain(const struct over *a, struct guesses *g) {
  struct steps c;
  steps_find(&c, a, ~0ull, /*takes_last=*/false);
  for (uint32_t i = 0; i < g->len && !c.is_too_much && !c.has_crossings; i++)
    if (g->at[i].allowed && !has_ring(&c, &g->at[i]))
      g->at[i].allowed = 0;
  steps_done(&c);
}
