// SPDX-License-Identifier: MIT
// Which mechanisms a search uses, and their functions, point by point.
//
// A reduction is used if it is on, not refuted, has nothing against the search
// itself (why_not), and if no other one that is used excludes it (pairs.def).
// What is no reduction is used unless it has something against it.
#include "explore/search/search.h"

#include <string.h>

#define REDUCTION(id, name, when, hooks, what)                                 \
  extern const struct mechanism hooks;
#define BESIDE(id, hooks) extern const struct mechanism hooks;
#include "explore/reduce.def"

const struct mechanism *const mechanisms[MECHANISMS] = {
#define REDUCTION(id, name, when, hooks, what) [REDUCTION_##id] = &hooks,
#define BESIDE(id, hooks) [MECHANISM_##id] = &hooks,
#include "explore/reduce.def"
};

static bool has_both(uint32_t set, uint32_t a, uint32_t b) {
  return (set & a) && (set & b);
}

// What is left of a set by what is known of pairs.
static uint32_t without_excluded(uint32_t set) {
#define EXCLUDES(a, b, why)                                                    \
  if (has_both(set, REDUCE_##a, REDUCE_##b))                                   \
    set &= ~(uint32_t)REDUCE_##b;
#define NEEDS(a, b, why)                                                       \
  if (!(set & REDUCE_##b))                                                     \
    set &= ~(uint32_t)REDUCE_##a;
#include "explore/pairs.def"
#define EXCLUDES(a, b, why) check(!has_both(set, REDUCE_##a, REDUCE_##b));
#define NEEDS(a, b, why) check(!(set & REDUCE_##a) || (set & REDUCE_##b));
#include "explore/pairs.def"
  return set;
}

static bool suits(const struct explorer *x, unsigned i) {
  return !mechanisms[i]->why_not || !mechanisms[i]->why_not(x);
}

static uint32_t used_reductions(const struct explorer *x) {
  uint32_t set = x->config.reductions & ~x->refuted;
  for (unsigned i = 0; i < REDUCTIONS; i++)
    if ((set >> i & 1) && !suits(x, i))
      set &= ~(UINT32_C(1) << i);
  return without_excluded(set);
}

static bool is_used(const struct explorer *x, unsigned i) {
  return i < REDUCTIONS ? x->active >> i & 1 : suits(x, i);
}

// Two rows may have one function.
#define ADD(name)                                                              \
  if (m->name) {                                                               \
    unsigned i = 0;                                                            \
    while (h->name[i] && h->name[i] != m->name)                                \
      i++;                                                                     \
    check(i < AT_A_POINT);                                                     \
    h->name[i] = m->name;                                                      \
  }

static void add(struct hooks *h, const struct mechanism *m) {
#define EACH(name, params, args) ADD(name)
#define ANY(name, params, args) ADD(name)
#define FIRST(name, params, args) ADD(name)
#define ONE(type, name, params)                                                \
  if (m->name) {                                                               \
    check(!h->name);                                                           \
    h->name = m->name;                                                         \
  }
#include "explore/hooks.def"
}

void hooks_gather(struct explorer *x) {
  x->active = used_reductions(x);
  memset(&x->hooks, 0, sizeof x->hooks);
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (is_used(x, i))
      add(&x->hooks, mechanisms[i]);
}

void hooks_init(struct explorer *x) {
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->init)
      mechanisms[i]->init(x);
  hooks_gather(x);
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->prepare)
      mechanisms[i]->prepare(x, x->assumed);
}

void hooks_done(struct explorer *x) {
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->done)
      mechanisms[i]->done(x);
}

void hooks_begin(struct explorer *x) {
  hooks_gather(x);
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->begin)
      mechanisms[i]->begin(x);
}

void hooks_restart(struct explorer *x, unsigned why) {
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->restarts)
      mechanisms[i]->restarts(x, why);
}

void hooks_forget_states(struct explorer *x) {
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->forgets_states)
      mechanisms[i]->forgets_states(x);
}

void hooks_tell(const struct explorer *x, struct assumptions *learned) {
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->tell)
      mechanisms[i]->tell(x, learned);
}

void hooks_refute(struct explorer *x, enum reduction which) {
  x->refuted |= which;
  hooks_gather(x);
}

bool hooks_hide_graphs(const struct explorer *x) {
  for (unsigned i = 0; i < MECHANISMS; i++)
    if (mechanisms[i]->hides_graphs && is_used(x, i))
      return true;
  return false;
}
