// SPDX-License-Identifier: MIT
// The rows of model.def as structs, and the questions that are the same for
// all.
#include "model/model.h"

#include "model/armv8.h"
#include "model/axioms.h"
#include "model/buffers.h"
#include "model/c11.h"
#include "model/imm.h"
#include "model/jam21.h"
#include "model/ra.h"
#include "model/rc11.h"
#include "model/refusal.h"
#include "model/sc.h"
#include "model/xmm.h"

#include <stdlib.h>
#include <string.h>

// What a model has to do with dependencies.
#define WHOLES(id) .whole = id##_whole
#define LANGUAGE(id)                                                           \
  WHOLES(id), .is_language = true, .finds_co = true, .chains_order = true,     \
              .takes_all = id##_takes_all,                                     \
              .declared = MODEL_MONOTONE | MODEL_NO_EXCLUSIVES
#define BUFFERS(id)                                                            \
  WHOLES(id), .finds_co = true, .orders_memory = true, .chains_order = true,   \
              .declared = MODEL_MONOTONE
// Stores of a thread come in order.
#define IN_ORDER(id) BUFFERS(id), .co_keeps_porf = true
#define INTERLEAVES(id) IN_ORDER(id), .interleaves = true
#define DEPS(id)                                                               \
  WHOLES(id), .tracks_dependencies = true, .needs_deps = id##_needs_deps,      \
              .plain_syncs = true, .chains_order = true
// Of the language's happens-before, ARMv8 misses one way: a load that is
// forwarded from the second of two updates may come before what the first one
// has read.
#define DEPS_ARM(id)                                                           \
  DEPS(id), .load_orders = ORDER_ALL & ~ORDER_HB,                              \
            .coherence = COHERENCE_EXTERNAL, .takes_newer = true,              \
            .skips_noret = true, .declared = MODEL_MONOTONE,                   \
            .own_options = OWN_ARM
// A read may be delayed beyond a release; non-atomic accesses are what they
// are.
#define DEPS_C11(id)                                                           \
  WHOLES(id),                                                                  \
      .is_language = true, .tracks_dependencies = true,                        \
      .needs_deps = id##_needs_deps,                                           \
      .load_orders = ORDER_ACQUIRE | ORDER_ANY | ORDER_DEPEND | ORDER_UPDATE | \
                     ORDER_HB | ORDER_THREAD | ORDER_FORWARD,                  \
      .c11_release_sequences = true, .text_is_of_wholes = true,                \
      .complete = id##_allows_complete, .own_options = OWN_SC_RULE,            \
      .takes_all = rc11_takes_all,                                             \
      .declared = MODEL_MONOTONE | MODEL_ORDERS_WRITES | MODEL_UPDATES_CHAIN
// Beyond coherence it minds nothing but sc events, of the newest event (imm.c).
#define DEPS_IMM(id)                                                           \
  DEPS(id),                                                                    \
      .load_orders = ORDER_ALL, .takes_all = rc11_takes_all,                   \
      .declared = MODEL_MONOTONE | MODEL_NO_EXCLUSIVES | MODEL_ORDERS_WRITES
#define LANGUAGE_SC(id)                                                        \
  LANGUAGE(id), .orders_sc = true, .complete = id##_allows_complete,           \
                .own_options = OWN_SC_RULE
// It has more to ask of complete graphs.
#define FILTERS(id)                                                            \
  .is_language = true, .filters = true, .text_is_of_wholes = true,             \
  .complete = id##_allows_complete,                                            \
  .declared = MODEL_MONOTONE | MODEL_NO_SEQUENCES,                             \
  .own_options = OWN_FINAL_WRITES
// Cycles are a question of other executions, not of dependencies; all else is
// as in RC11.
#define JUSTIFIED(id)                                                          \
  WHOLES(id), .is_language = true, .takes_all = rc11_takes_all,                \
              .finds_co = true, .orders_sc = true, .chains_order = true,       \
              .justifier = &id##_justifier
#define MODEL(id, model_name, deps, language, defaults, model_title)           \
  static const struct model id##_model = {.name = model_name,                  \
                                          .title = model_title,                \
                                          .tests = language,                   \
                                          .answers = defaults,                 \
                                          .consistent = id##_consistent,       \
                                          deps(id)};
#include "model/model.def"
#undef MODEL

const struct model *const models[] = {
#define MODEL(id, name, deps, tests, answers, title) &id##_model,
#include "model/model.def"
#undef MODEL
    NULL};

static bool always(struct graph *g, event_id e, event_id other,
                   const struct model_options *options) {
  (void)g, (void)e, (void)other, (void)options;
  return true;
}

static bool never_needs_deps(struct graph *g, event_id e) {
  (void)g, (void)e;
  return false;
}

const struct model model_coherent = {.name = "coherent",
                                     .title = "coherence and atomicity alone",
                                     .tracks_dependencies = true,
                                     .needs_deps = never_needs_deps,
                                     .consistent = always};

const struct model *model_find(const char *name) {
  for (const struct model *const *m = models; *m; m++)
    if (strcmp((*m)->name, name) == 0)
      return *m;
  return NULL;
}

// The text that defines it, which may be the model itself. (Whole accesses are
// judged by what is known of a built-in model.)
static const struct model *text_of(const struct model *m,
                                   const struct model_options *options,
                                   bool is_complete) {
  if (m->text && options->in_pieces && m->same_as)
    m = m->same_as;
  bool lifts = options->in_pieces && m->lifts;
  return m->text && !lifts ? m : model_definition(m, options, is_complete);
}

// Why it does not allow cycles of po | rf: the model that is the same but for
// that tells them.
static bool refuses_cycles(const struct graph *g,
                           const struct model_options *options,
                           struct refusal *ret) {
  const struct model *text =
      model_definition(model_find("rc11"), options, /*is_complete=*/true);
  if (!text->refuses(text, g, options, ret))
    return false;
  ret->axiom = "no other execution justifies the cycle";
  return true;
}

bool model_refuses(const struct model *m, const struct graph *g,
                   const struct model_options *options, struct refusal *ret) {
  const struct model *text = text_of(m, options, /*is_complete=*/true);
  *ret = (struct refusal){0};
  return text->refuses(text, g, options, ret) ||
         (m->justifier && refuses_cycles(g, options, ret));
}

bool model_names_relation(const struct model *m, const char *name,
                          struct diag *why) {
  struct model_options own = model_own_options(m);
  const struct model *text = text_of(m, &own, /*is_complete=*/true);
  return text->names_relation(text, m, name, why);
}

void model_relation(const struct model *m, const struct graph *g,
                    const struct model_options *options, const char *name,
                    struct model_pairs *ret) {
  const struct model *text = text_of(m, options, /*is_complete=*/true);
  text->relation(text, g, options, name, ret);
}

static bool is_allowed(const struct model *m, const struct graph *g,
                       const struct model_options *options, bool is_complete) {
  const struct model *text = text_of(m, options, is_complete);
  return text->allows(text, g, options, is_complete);
}

// C++11's release sequences are for complete graphs only.
static struct model_options while_growing(const struct model_options *options) {
  struct model_options now = *options;
  now.c11_release_sequences = false;
  return now;
}

bool model_allows(const struct model *m, const struct graph *g,
                  const struct model_options *options) {
  struct model_options now = while_growing(options);
  return is_allowed(m, g, &now, /*is_complete=*/false);
}

bool model_allows_complete(const struct model *m, const struct graph *g,
                           const struct model_options *options) {
  return is_allowed(m, g, options, /*is_complete=*/true);
}

bool model_consistent_in_pieces(const struct model *m, struct graph *g,
                                event_id e, event_id other,
                                const struct model_options *options) {
  return m->text ? model_allows(m, g, options) : m->whole(g, e, other, options);
}

bool model_completes(const struct model *m, struct graph *g,
                     const struct model_options *options) {
  if (m->completes && !g->has_linked && !options->in_pieces &&
      !options->c11_release_sequences)
    return m->completes(m, g, options);
  if (!m->complete || g->has_linked || options->in_pieces)
    return model_allows_complete(m, g, options);
  bool ok = m->complete(g, options);
#if HEDDLE_SLOW_CHECKS
  check(ok == model_allows_complete(m, g, options) ||
        (m->text_is_of_wholes && graph_has_pieces(g))); // see model_verify
#endif
  return ok;
}

// ---- C++11's release sequences

// What is known of the writes of a location up to a place in co.
struct stretch {
  uint32_t begin;  // all but updates from here on are of one thread
  uint32_t newest; // place of the newest that is no update
  uint32_t own[64], release[64]; // by thread: place of its newest (release)
};

// Does the write at `place`, which comes next, belong to the sequence of an
// earlier release of its thread, though not by C++20? (Updates read what is
// right before them, so they belong to both kinds of sequences. A write that
// releases, or has a release fence before it, begins a sequence itself, which
// makes all that is before it happen before its readers.)
static bool goes_on(struct stretch *s, const struct graph *g,
                    const struct event_list *co, uint32_t place) {
  const struct event *w = &g->events[co->at[place]];
  unsigned t = w->thread;
  bool longer = false;
  if (!ends_update(w)) {
    if (s->newest && g->events[co->at[s->newest]].thread != t)
      s->begin = s->newest + 1;
    s->newest = place;
    longer = !order_releases(w->order) &&
             (s->release[t] >= s->begin ||
              (w->order == ORD_NA && s->own[t] >= s->begin));
  }
  s->own[t] = place;
  if (order_releases(w->order))
    s->release[t] = place;
  return longer;
}

bool model_longer_sequences(const struct graph *g, const struct graph_loc *l,
                            uint64_t **bits) {
  struct stretch s;
  *bits = NULL;
  if (!(l->threads & (l->threads - 1)))
    return false; // of one thread, or none
  s.begin = 1;
  s.newest = 0;
  memset(s.own, 0, g->nthreads * sizeof *s.own);
  memset(s.release, 0, g->nthreads * sizeof *s.release);
  for (uint32_t place = 1; place < l->co.len; place++)
    if (goes_on(&s, g, &l->co, place)) {
      if (!*bits)
        *bits = xcalloc(l->co.len / 64 + 1, sizeof **bits);
      bit_add(*bits, place);
    }
  return *bits;
}

// Does another thread read a write that carries more, or an update that goes on
// from it?
static bool are_read_outside(const struct graph *g, const struct graph_loc *l,
                             const uint64_t *bits) {
  for (uint32_t i = 0; i < l->reads.len; i++) {
    const struct event *r = &g->events[l->reads.at[i]];
    uint32_t place = graph_co_place(g, l->reads.at[i]);
    while (place && ends_update(&g->events[l->co.at[place]]))
      place--;
    if (bit_has(bits, place) && g->events[l->co.at[place]].thread != r->thread)
      return true;
  }
  return false;
}

bool model_sequences_differ(const struct graph *g) {
  if (g->has_linked)
    return true; // that they are updates is not said of their writes
  bool differ = false;
  for (uint32_t i = 0; i < g->locs.len && !differ; i++) {
    uint64_t *bits;
    if (!model_longer_sequences(g, &g->locs.at[i], &bits))
      continue;
    differ = are_read_outside(g, &g->locs.at[i], bits);
    free(bits);
  }
  return differ;
}

static bool may_have_longer(const struct graph *g, const struct graph_loc *l,
                            unsigned t) {
  bool releases = false, writes = false;
  for (uint32_t i = 0; i < l->by_thread[t].len; i++) {
    const struct event *w = &g->events[l->by_thread[t].at[i]];
    if (w->kind != EV_WRITE)
      continue;
    if (!ends_update(w) && !order_releases(w->order) &&
        (releases || (w->order == ORD_NA && writes)))
      return true;
    releases |= order_releases(w->order);
    writes = true;
  }
  return false;
}

bool model_sequences_may_differ(const struct graph *g) {
  if (g->has_linked)
    return true;
  for (uint32_t i = 0; i < g->locs.len; i++)
    for (uint64_t rest = g->locs.at[i].threads; rest; rest &= rest - 1)
      if (may_have_longer(g, &g->locs.at[i], (unsigned)__builtin_ctzll(rest)))
        return true;
  return false;
}

bool model_hb(const struct graph *g, const struct model_options *options,
              event_id a, event_id b) {
  struct axioms x;
  if (!options->c11_release_sequences)
    return graph_hb(g, a, graph_last_piece(g, b)); // whole.c
  axioms_init(&x, g, options);
  axioms_put_together(&x);
  bool found = rel_has(x.hb, x.number[a], x.number[b]);
  axioms_done(&x);
  return found;
}

const struct model *model_with_order(const struct model *m,
                                     const struct model_options *options) {
  struct model_options now = while_growing(options);
  now.in_pieces = false; // each piece is an access of its own
  if (!m->order && m->same_as)
    m = m->same_as;
  const struct model *text = text_of(m, &now, /*is_complete=*/true);
  return text->order ? text : NULL;
}

void model_order_done(struct model_order *o) {
  free(o->bits);
  free(o->number);
}

bool model_race(const struct graph *g, const struct model_options *options,
                event_id *one, event_id *other) {
  struct axioms a;
  axioms_init(&a, g, options);
  axioms_put_together(&a);
  bool found = axioms_race(&a, one, other);
  axioms_done(&a);
  return found;
}

// The same of accesses in pieces.
static void verify_wholes(const struct model *m, const struct graph *g,
                          const struct model_options *options, bool accepted) {
  check(accepted == is_allowed(m, g, options, /*is_complete=*/false));
  struct axioms a;
  axioms_init(&a, g, options);
  axioms_put_together(&a);
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t j = 0; j < a.n; j++) {
      event_id x = a.events[i], y = graph_last_piece(g, a.events[j]);
      check(graph_last_piece(g, x) == y ||
            rel_has(a.hb, i, j) == graph_hb(g, x, y));
    }
  axioms_done(&a);
}

void model_verify(const struct model *m, const struct graph *g,
                  const struct model_options *options, bool accepted) {
  struct model_options now = while_growing(options);
  struct axioms a;
  if (options->in_pieces) {
    verify_wholes(m, g, &now, accepted);
    return;
  }
  // By the texts of c11 and jam21, pieces of an update need each other.
  if (m->text_is_of_wholes && graph_has_pieces(g))
    return;
  bool allowed = is_allowed(m, g, &now, /*is_complete=*/false);
  // Fast code may refuse earlier what the model would refuse in the end.
  check(accepted == allowed || (m->filters && !m->text && allowed &&
                                !model_allows_complete(m, g, options)));
  if (m->text)
    return;
  axioms_init(&a, g, &now);
  struct rel *porf = rel_plus(&a.rels, rel_or(&a.rels, a.po, a.rf));
  // Who knows a piece of a write knows all of it: then clocks know more.
  bool in_pieces = graph_has_pieces(g);
  for (uint32_t i = 0; i < a.n; i++)
    for (uint32_t j = 0; j < a.n; j++) {
      event_id x = a.events[i], y = a.events[j];
      check(i == j || rel_has(a.hb, i, j) == graph_hb(g, x, y) ||
            (in_pieces && graph_hb(g, x, y)));
      check(rel_has(porf, i, j) == graph_porf(g, x, y) ||
            (in_pieces && graph_porf(g, x, y)));
    }
  axioms_done(&a);
}
