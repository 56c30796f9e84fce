// SPDX-License-Identifier: MIT
#include "model/model.h"

#include "model/armv8.h"
#include "model/axioms.h"
#include "model/buffers.h"
#include "model/c11.h"
#include "model/imm.h"
#include "model/ra.h"
#include "model/rc11.h"
#include "model/sc.h"

#include <string.h>

// What a model has to do with dependencies.
#define NO_DEPS(id)
#define IN_ORDER(id) .co_keeps_porf = true
#define DEPS(id)                                                               \
  .tracks_dependencies = true, .needs_deps = id##_needs_deps,                  \
  .load_orders = ORDER_ALL, .plain_syncs = true
// A read may be delayed beyond a release; non-atomic accesses are what they
// are.
#define DEPS_C11(id)                                                           \
  .tracks_dependencies = true, .needs_deps = id##_needs_deps,                  \
  .load_orders = ORDER_ACQUIRE | ORDER_DEPEND | ORDER_HB,                      \
  .c11_release_sequences = true
#define DEPS_NO_HB(id) DEPS(id), .ignores_hb = true
#define MODEL(id, model_name, deps, model_title)                               \
  static const struct model id##_model = {.name = model_name,                  \
                                          .title = model_title,                \
                                          .consistent = id##_consistent,       \
                                          .axioms = axioms_##id,               \
                                          deps(id)};
#include "model/model.def"
#undef MODEL

const struct model *const models[] = {
#define MODEL(id, name, deps, title) &id##_model,
#include "model/model.def"
#undef MODEL
    NULL};

static bool always(struct graph *g, event_id e, event_id other,
                   const struct model_options *options) {
  (void)g, (void)e, (void)other, (void)options;
  return true;
}

static bool never_needs_deps(const struct graph *g, event_id e) {
  (void)g, (void)e;
  return false;
}

const struct model model_coherent = {.name = "coherent",
                                     .title = "coherence and atomicity alone",
                                     .tracks_dependencies = true,
                                     .needs_deps = never_needs_deps,
                                     .consistent = always,
                                     .axioms = axioms_coherent};

const struct model *model_find(const char *name) {
  for (const struct model *const *m = models; *m; m++)
    if (strcmp((*m)->name, name) == 0)
      return *m;
  return NULL;
}

// A text says only whether it refuses. What is in no order of all accesses is
// the most likely reason.
static bool text_refuses(const struct model *m, const struct graph *g,
                         const struct model_options *options,
                         struct refusal *ret) {
  struct axioms a;
  if (m->allows(m, g, options, /*is_complete=*/true))
    return false;
  axioms_init_base(&a, g, options);
  a.refusal = ret;
  (void)axioms_sc(&a);
  ret->axiom = "an axiom of the model file";
  axioms_done(&a);
  return true;
}

bool model_refuses(const struct model *m, const struct graph *g,
                   const struct model_options *options, struct refusal *ret) {
  struct axioms a;
  *ret = (struct refusal){0};
  if (m->text)
    return text_refuses(m, g, options, ret);
  axioms_init_base(&a, g, options);
  a.refusal = ret;
  if (!m->ignores_hb)
    axioms_add_hb(&a);
  bool ok = m->axioms(&a);
  check(ok == !ret->axiom);
  axioms_done(&a);
  return !ok;
}

static bool axioms_allow(const struct model *m, const struct graph *g,
                         const struct model_options *options) {
  struct axioms a;
  axioms_init_base(&a, g, options);
  if (!m->ignores_hb)
    axioms_add_hb(&a);
  bool ok = m->axioms(&a);
  axioms_done(&a);
  return ok;
}

// C++11's release sequences are for complete graphs only.
static struct model_options while_growing(const struct model_options *options) {
  struct model_options now = *options;
  now.c11_release_sequences = false;
  return now;
}

bool model_allows(const struct model *m, const struct graph *g,
                  const struct model_options *options) {
  if (m->text)
    return m->allows(m, g, options, /*is_complete=*/false);
  struct model_options now = while_growing(options);
  return axioms_allow(m, g, &now);
}

bool model_allows_complete(const struct model *m, const struct graph *g,
                           const struct model_options *options) {
  return m->text ? m->allows(m, g, options, /*is_complete=*/true)
                 : axioms_allow(m, g, options);
}

// Does the write at `place` in co belong to the sequence of an earlier release
// of its thread, though not by C++20? (Updates read what is right before them,
// so they belong to both kinds of sequences. A write that releases, or has a
// release fence before it, begins a sequence itself, which makes all that is
// before it happen before its readers.)
static bool goes_on(const struct graph *g, const struct event_list *co,
                    uint32_t place) {
  const struct event *w = &g->events[co->at[place]];
  if ((w->flags & EVF_EXCLUSIVE) || order_releases(w->order))
    return false;
  while (place-- > 1) {
    const struct event *before = &g->events[co->at[place]];
    bool is_own = before->thread == w->thread;
    if (is_own && (order_releases(before->order) || w->order == ORD_NA))
      return true;
    if (!is_own && !(before->flags & EVF_EXCLUSIVE))
      return false;
  }
  return false;
}

bool model_sequences_differ(const struct graph *g) {
  if (g->has_linked)
    return true; // that they are updates is not said of their writes
  for (uint32_t i = 0; i < g->locs.len; i++) {
    const struct graph_loc *l = &g->locs.at[i];
    if (!(l->threads & (l->threads - 1)))
      continue; // of one thread, or none
    for (uint32_t place = 2; place < l->co.len; place++)
      if (goes_on(g, &l->co, place))
        return true;
  }
  return false;
}

bool model_hb(const struct graph *g, const struct model_options *options,
              event_id a, event_id b) {
  struct axioms x;
  axioms_init(&x, g, options);
  bool found = rel_has(x.hb, x.number[a], x.number[b]);
  axioms_done(&x);
  return found;
}

bool model_race(const struct graph *g, const struct model_options *options,
                event_id *one, event_id *other) {
  struct axioms a;
  axioms_init(&a, g, options);
  bool found = axioms_race(&a, one, other);
  axioms_done(&a);
  return found;
}

void model_verify(const struct model *m, const struct graph *g,
                  const struct model_options *options, bool accepted) {
  if (m->text) {
    check(m->allows(m, g, options, /*is_complete=*/false) == accepted);
    return;
  }
  struct model_options now = while_growing(options);
  struct axioms a;
  axioms_init(&a, g, &now);
  check(m->axioms(&a) == accepted);
  struct rel *porf = rel_plus(&a.rels, rel_or(&a.rels, a.po, a.rf));
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t j = 0; j < a.n; j++)
      if (i != j) {
        check(rel_has(a.hb, i, j) == graph_hb(g, a.events[i], a.events[j]));
        // Where po ∪ rf may have cycles, no clock can say what it is.
        check(m->tracks_dependencies ||
              rel_has(porf, i, j) == graph_porf(g, a.events[i], a.events[j]));
      }
  axioms_done(&a);
}
