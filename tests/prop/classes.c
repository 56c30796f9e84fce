// SPDX-License-Identifier: MIT
// See classes.h.
#include "classes.h"

#include "base/hash.h"

#include <string.h>

bool program_same_text(const struct program *p, unsigned t, unsigned u) {
  return p->len[t] == p->len[u] &&
         memcmp(p->ops[t], p->ops[u], p->len[t] * sizeof p->ops[t][0]) == 0;
}

// Of the threads that are created directly before operation i of main, the
// first that thread t is equal to, or t.
static unsigned first_equal(const struct program *p, unsigned i, unsigned t) {
  unsigned first = t;
  while (i-- > 0) {
    const struct action *a = &p->ops[0][i];
    if (a->kind == DO_ASSUME)
      continue; // makes no event
    if (a->kind != DO_SPAWN)
      break;
    if (program_same_text(p, a->thread, t))
      first = a->thread;
  }
  return first;
}

struct classes classes_of(const struct program *p) {
  struct classes c = {0};
  for (unsigned t = 0; t < PROGRAM_THREADS; t++)
    c.group[t] = (uint8_t)t;
  // Without a text, main creates all of them at once.
  for (unsigned t = 1; !p->len[0] && t < p->nthreads; t++)
    for (unsigned u = t; u-- > 1;)
      if (program_same_text(p, t, u))
        c.group[t] = c.group[u];
  for (unsigned i = 0; i < p->len[0]; i++)
    if (p->ops[0][i].kind == DO_SPAWN)
      c.group[p->ops[0][i].thread] =
          (uint8_t)first_equal(p, i, p->ops[0][i].thread);
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_LOCK)
        c.is_lock[p->ops[t][i].loc] = true;
  return c;
}

bool classes_are_trivial(const struct classes *c) {
  for (unsigned t = 0; t < PROGRAM_THREADS; t++)
    if (c->group[t] != t)
      return false;
  return true;
}

struct search {
  const struct classes *c;
  const struct picture *x;
  uint8_t to[PROGRAM_THREADS];
  struct picture *best;
  struct picture_hash least;
  bool has_any;
};

static struct picture_name rename_one(const struct search *s,
                                      struct picture_name n) {
  if (n.thread != PICTURE_INIT)
    n.thread = s->to[n.thread];
  return n;
}

static void permute(const struct search *s, struct picture *ret) {
  const struct picture *x = s->x;
  memset(ret, 0, sizeof *ret);
  ret->nthreads = x->nthreads;
  ret->nlocs = x->nlocs;
  for (unsigned t = 0; t < x->nthreads; t++)
    for (unsigned i = 0; i < x->len[t]; i++) {
      struct picture_event e = x->events[t][i];
      if (e.kind == PIC_READ)
        e.rf = rename_one(s, e.rf);
      if (e.kind <= PIC_WRITE && s->c->is_lock[e.loc] && e.value)
        e.value = s->to[e.value - 1] + 1u;
      picture_add(ret, s->to[t], e);
    }
  for (unsigned l = 0; l < x->nlocs; l++) {
    ret->co_len[l] = x->co_len[l];
    for (unsigned i = 0; i < x->co_len[l]; i++)
      ret->co[l][i] = rename_one(s, x->co[l][i]);
  }
}

static bool is_less(struct picture_hash a, struct picture_hash b) {
  return a.high != b.high ? a.high < b.high : a.low < b.low;
}

static void try_from(struct search *s, unsigned t, unsigned used) {
  if (t < s->x->nthreads) {
    for (unsigned u = 0; u < s->x->nthreads; u++)
      if (s->c->group[u] == s->c->group[t] && !(used >> u & 1)) {
        s->to[t] = (uint8_t)u;
        try_from(s, t + 1, used | 1u << u);
      }
    return;
  }
  struct picture now;
  permute(s, &now);
  struct picture_hash h = picture_hash(&now);
  if (s->has_any && !is_less(h, s->least))
    return;
  s->has_any = true;
  s->least = h;
  *s->best = now;
}

void class_of(const struct classes *c, const struct picture *x,
              struct picture *ret) {
  struct search s = {.c = c, .x = x, .best = ret};
  try_from(&s, 0, 0);
}

// -- programs

static bool has_thread_action(const struct program *p, unsigned t) {
  for (unsigned i = 0; i < p->len[t]; i++)
    if (p->ops[t][i].kind == DO_SPAWN || p->ops[t][i].kind == DO_JOIN)
      return true;
  return false;
}

// One more thread, which main creates after the others: threads are numbered in
// the order in which they are created.
static void add_thread(struct program *p) {
  unsigned at = p->len[0];
  for (unsigned t = 1; t < p->nthreads; t++)
    if (has_thread_action(p, t))
      return;
  while (at && p->ops[0][at - 1].kind != DO_SPAWN)
    at--;
  if (p->nthreads == PROGRAM_THREADS || (p->len[0] && !at) ||
      p->len[0] == PROGRAM_OPS)
    return;
  if (p->len[0]) {
    memmove(&p->ops[0][at + 1], &p->ops[0][at],
            (p->len[0] - at) * sizeof p->ops[0][0]);
    p->ops[0][at] = action_new(DO_SPAWN);
    p->ops[0][at].thread = p->nthreads;
    p->len[0]++;
  }
  p->nthreads++;
}

void program_make_equal(uint64_t seed, struct program *p) {
  uint64_t dice = hash_u64(seed ^ 0x9e3779b97f4a7c15u);
  unsigned source = 1 + (unsigned)(dice % (p->nthreads - 1u));
  unsigned threads = p->nthreads;
  if (has_thread_action(p, source))
    return;
  if (dice >> 8 & 1 && p->len[source] > 2)
    p->len[source] = 2;
  if ((dice >> 16) % 4 == 0)
    add_thread(p);
  for (unsigned t = 1; t < p->nthreads; t++)
    if ((t >= threads || dice >> (20 + t) & 3) && !has_thread_action(p, t)) {
      p->len[t] = p->len[source];
      memcpy(p->ops[t], p->ops[source], sizeof p->ops[t]);
    }
}
