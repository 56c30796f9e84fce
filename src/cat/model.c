// SPDX-License-Identifier: MIT
// Fills in the functions and facts that the search asks for: which axioms can
// be tested while a graph grows, and what prove.c has shown of the text.
#include "cat/model.h"
#include "cat/eval/named.h"
#include "cat/eval/refusal.h"
#include "cat/judge/judge.h"
#include "cat/judge/rows.h"
#include "cat/judge/store.h"
#include "cat/same.h"

#include <string.h>

enum { MAX_AXIOMS = 64 };

static const struct cat_model *cat_model(const struct model *m) {
  return m->text;
}

// The same by the definition.
static bool hold_in_world(const struct cat_model *m, const struct graph *g,
                          const struct model_options *options,
                          uint64_t axioms) {
  struct cat_world w;
  struct cat_values v;
  bool ok = true;
  cat_world_init(&w, m->cat, g, options, /*has_lives=*/false);
  cat_values_init(&v, m->cat, &w);
  for (; ok && axioms; axioms &= axioms - 1)
    ok = cat_axiom_holds(&v, &m->cat->axioms.at[__builtin_ctzll(axioms)]);
  cat_values_done(&v);
  cat_world_done(&w);
  return ok;
}

// All events of a graph, by rows; false if only the definition can tell.
static bool open_rows(const struct cat_model *m, const struct graph *g,
                      const struct model_options *options, bool has_lives,
                      struct part *part, struct rows *r) {
  if (!m->rows->is_possible)
    return false;
  if (part_init(part, g, options, NULL, has_lives)) {
    rows_init(r, m->rows, part);
    return true;
  }
  part_done(part);
  return false;
}

static void close_rows(struct part *part, struct rows *r) {
  rows_done(r);
  part_done(part);
}

// Judges by some of the axioms.
static bool hold(const struct cat_model *m, const struct graph *g,
                 const struct model_options *options, uint64_t axioms) {
  struct part part;
  struct rows r;
  bool ok = true;
  if (!open_rows(m, g, options, /*has_lives=*/false, &part, &r))
    return hold_in_world(m, g, options, axioms);
  for (uint64_t left = axioms; ok && left; left &= left - 1)
    ok = rows_hold(&r, &m->cat->axioms.at[__builtin_ctzll(left)]);
  check(!HEDDLE_SLOW_CHECKS || ok == hold_in_world(m, g, options, axioms));
  close_rows(&part, &r);
  return ok;
}

static bool allows(const struct model *m, const struct graph *g,
                   const struct model_options *options, bool is_complete) {
  const struct cat_model *c = cat_model(m);
  return hold(c, g, options, is_complete ? c->checks : c->pruning);
}

static void add_order(const struct model *m, const struct graph *g,
                      const struct model_options *options,
                      const uint32_t *number, struct rel *to) {
  const struct cat *c = cat_model(m)->cat;
  struct cat_world w;
  struct cat_values v;
  cat_world_init(&w, c, g, options, /*has_lives=*/false);
  w.base[CAT_co] = rel_new(&w.rels);
  w.base[CAT_fr] = rel_new(&w.rels);
  cat_values_init(&v, c, &w);
  const struct rel *r = cat_value(&v, c->axioms.at[c->axioms.len - 1].node);
  for (uint32_t i = 0; i < w.n; i++)
    for (uint32_t j = 0; j < w.n && w.events[i].id != INIT_EVENT; j++)
      if (w.events[j].id != INIT_EVENT && rel_has(r, i, j))
        rel_add(to, number[w.events[i].id], number[w.events[j].id]);
  cat_values_done(&v);
  cat_world_done(&w);
}

// What the text orders, if races are the model's own.
static void order(const struct model *m, const struct graph *g,
                  const struct model_options *options,
                  struct model_order *ret) {
  const struct cat *c = cat_model(m)->cat;
  struct cat view = *c;
  struct cat_world w;
  struct cat_values v;
  view.uses = c->order_needs;
  cat_world_init(&w, &view, g, options, /*has_lives=*/true);
  cat_values_init(&v, c, &w);
  const struct rel *r = cat_value(&v, c->race_order);
  *ret = (struct model_order){
      .bits = xcalloc((size_t)r->n * r->words, sizeof *r->bits),
      .words = r->words,
      .number = xcalloc(g->nevents, sizeof(uint32_t)),
  };
  memcpy(ret->bits, r->bits, sizeof *r->bits * r->n * r->words);
  for (uint32_t i = 0; i < w.n; i++)
    if (w.events[i].id != INIT_EVENT)
      ret->number[w.events[i].id] = i;
  cat_values_done(&v);
  cat_world_done(&w);
}

static bool judge(const struct model *m, struct graph *g,
                  const struct model_options *options) {
  const struct cat_model *c = cat_model(m);
  bool is_sure;
  bool ok = judge_graph(judge_of(c, g), g, options, &is_sure);
  return is_sure ? ok : allows(m, g, options, /*is_complete=*/false);
}

// Of a graph each step to which was consistent: what the search prunes with is
// judged already, or soon is.
static bool completes(const struct model *m, struct graph *g,
                      const struct model_options *options) {
  const struct cat_model *c = cat_model(m);
  bool ok = judge(m, g, options);
  uint64_t rest = c->checks & ~c->pruning;
  if (ok && rest)
    rest &= ~(judge_idle(g->judge, c->rows, g, options) & c->content);
  ok = ok && (!rest || hold(c, g, options, rest));
  check(!HEDDLE_SLOW_CHECKS ||
        ok == allows(m, g, options, /*is_complete=*/true));
  return ok;
}

// Two events of the relation; the others do not matter.
static void find_pair_in_world(const struct cat_world *w, const struct rel *r,
                               struct model_flag *ret) {
  for (uint32_t i = 0; i < w->n; i++)
    for (uint32_t j = 0; j < w->n; j++)
      if (rel_has(r, i, j) && w->events[j].id != INIT_EVENT) {
        ret->one = w->events[i].id;
        ret->other = w->events[j].id;
        return;
      }
}

static bool is_raised(const struct cat_axiom *a, bool holds) {
  return a->mode != MODE_CHECK && holds == (a->mode == MODE_FLAG);
}

static bool raises_in_world(const struct cat_model *c, const struct graph *g,
                            const struct model_options *options, uint32_t nth,
                            struct model_flag *ret) {
  struct cat_world w;
  struct cat_values v;
  bool found = false;
  cat_world_init(&w, c->cat, g, options, /*has_lives=*/true);
  cat_values_init(&v, c->cat, &w);
  for (uint32_t i = 0; !found && i < c->cat->axioms.len; i++) {
    const struct cat_axiom *a = &c->cat->axioms.at[i];
    if (a->mode == MODE_CHECK || !is_raised(a, cat_axiom_holds(&v, a)) || nth--)
      continue;
    found = true;
    *ret = (struct model_flag){a->name, NO_EVENT, NO_EVENT};
    find_pair_in_world(&w, cat_value(&v, a->node), ret);
  }
  cat_values_done(&v);
  cat_world_done(&w);
  return found;
}

// The oldest two; initial writes are older than all else.
static void find_pair(struct rows *r, node_id node, struct model_flag *ret) {
  const struct cat_event *events = r->part->events;
  bool is_set = node_type(r->nodes, node) == TYPE_SET;
  for (uint32_t x = 0; x < r->n; x++)
    for (uint32_t y = 0; y < r->n; y++) {
      event_id one = events[x].id, other = events[y].id;
      bool is_older = ret->other == NO_EVENT || one < ret->one ||
                      (one == ret->one && other < ret->other);
      if (other == INIT_EVENT || !is_older ||
          !(is_set ? x == y && rows_is_in(r, node, x)
                   : rows_has(r, node, x, y)))
        continue;
      ret->one = one;
      ret->other = other;
    }
}

static bool raises(const struct model *m, const struct graph *g,
                   const struct model_options *options, uint32_t nth,
                   struct model_flag *ret) {
  const struct cat_model *c = cat_model(m);
  struct part part;
  struct rows r;
  bool found = false;
  uint32_t asked = nth;
  uint64_t idle = g->judge ? judge_idle(g->judge, c->rows, g, options) : 0;
  bool is_idle = !(c->flags & ~(idle & c->content));
  if (is_idle && !HEDDLE_SLOW_CHECKS)
    return false;
  if (!open_rows(c, g, options, /*has_lives=*/true, &part, &r))
    return raises_in_world(c, g, options, nth, ret);
  for (uint32_t i = 0; !found && i < c->cat->axioms.len; i++) {
    const struct cat_axiom *a = &c->cat->axioms.at[i];
    if (a->mode == MODE_CHECK || !is_raised(a, rows_hold(&r, a)) || nth--)
      continue;
    found = true;
    *ret = (struct model_flag){a->name, NO_EVENT, NO_EVENT};
    find_pair(&r, a->node, ret);
  }
  struct model_flag defined = *ret;
  check(!HEDDLE_SLOW_CHECKS ||
        (raises_in_world(c, g, options, asked, &defined) == found &&
         !(is_idle && found) &&
         (!found || (defined.one == ret->one && defined.other == ret->other))));
  close_rows(&part, &r);
  return found;
}

static bool is_idle(const struct model *m, const struct graph *g,
                    const struct model_options *options) {
  const struct cat_model *c = cat_model(m);
  uint64_t rest = (c->checks & ~c->pruning) | c->flags;
  if (!g->judge)
    return !rest;
  return !(rest & ~(judge_idle(g->judge, c->rows, g, options) & c->content));
}

// (Where only writes are ordered by them, a branch orders these too.)
static bool mixes_picks(const struct cat *c) {
  const uint64_t all = UINT64_C(1) << CAT_addr | UINT64_C(1) << CAT_data;
  const uint64_t basic = UINT64_C(1) << CAT_basic_addr | UINT64_C(1)
                                                             << CAT_basic_data;
  return (c->uses & all) && !(c->uses & basic);
}

static bool has_flag(const struct cat *c, const char *name) {
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (c->axioms.at[i].mode != MODE_CHECK &&
        (!name || strcmp(c->axioms.at[i].name, name) == 0))
      return true;
  return false;
}

// (In long executions the sets of dependencies are what takes most memory.)
static bool needs_deps(struct graph *g, event_id e) {
  (void)e;
  return !g->judge || judge_needs_deps(g->judge, g);
}

static node_id base(struct cat *c, enum node_type type, enum cat_base b) {
  c->uses |= UINT64_C(1) << b;
  return node_make(&c->nodes, NODE_BASE, type, b, NO_NODE);
}

static node_id make(struct cat *c, enum node_kind kind, node_id a, node_id b) {
  return node_make(&c->nodes, kind, TYPE_RELATION, a, b);
}

// a; b?
static node_id maybe_then(struct cat *c, node_id a, node_id b) {
  return make(c, NODE_SEQUENCE, a, make(c, NODE_OPTIONAL, b, NO_NODE));
}

static void add_axiom(struct cat *c, node_id acyclic) {
  array_push(&c->axioms, (struct cat_axiom){.name = "no-thin-air",
                                            .test = TEST_ACYCLIC,
                                            .mode = MODE_CHECK,
                                            .node = acyclic});
}

// No value is computed from itself: that is all that the search with guesses
// needs (explore/cycles/justify/thin.c).
//   acyclic addr | data | rf
static void forbid_own_values(struct cat *c) {
  node_id both = make(c, NODE_UNION, base(c, TYPE_RELATION, CAT_addr),
                      base(c, TYPE_RELATION, CAT_data));
  add_axiom(c, make(c, NODE_UNION, both, base(c, TYPE_RELATION, CAT_rf)));
}

// Dependencies and reads-from must form no cycle, where all that follows a
// branch or an address depends on it, in other threads as well: the search goes
// by this order (explore/cycles/promise/promise.c) where guesses will not do.
//   acyclic addr; po? | ctrl; ([THREAD]; po)? | data | casdep | rf
static void forbid_thin_air(struct cat *c) {
  enum cat_base branch = cat_branches(c);
  static const enum cat_base others[] = {CAT_data, CAT_casdep, CAT_rf};
  node_id po = base(c, TYPE_RELATION, CAT_po);
  node_id threads = base(c, TYPE_SET, CAT_THREAD);
  node_id beyond =
      make(c, NODE_SEQUENCE, make(c, NODE_IDENTITY, threads, NO_NODE), po);
  node_id all =
      make(c, NODE_UNION, maybe_then(c, base(c, TYPE_RELATION, CAT_addr), po),
           maybe_then(c, base(c, TYPE_RELATION, branch), beyond));
  for (unsigned i = 0; i < LENGTH(others); i++)
    all = make(c, NODE_UNION, all, base(c, TYPE_RELATION, others[i]));
  add_axiom(c, all);
}

// May what reads get decide which events there are, although the model does not
// order them? (Guesses read what other threads write: that is right only where
// a thread does not read its own later writes, or those of who joins it.)
static bool guesses_cores(const struct cat_analysis *a) {
  return !a->proved.has_no_thin_air && a->proved.po_is_coherent;
}

// Loads may take what comes after them, and a thread may see its own writes in
// another order: how promises are found (explore/cycles/promise/promise.c) is
// proved for neither.
static bool refuse_incoherent(const struct cat *c, struct diag *why) {
  cat_fail(&c->tree, c->axioms.at[0].at, why,
           "the axioms do not show that a thread sees its own writes to a "
           "location in order, nor that po | rf has no cycle");
  diag_hint(why, "Heddle explores models with one of these: add, for example, "
                 "`acyclic [W]; po-loc | po-loc; [W] | rf | co | fr` or "
                 "`acyclic po | rf`");
  return false;
}

bool cat_model_of(struct cat *c, struct cat_model **ret, struct diag *why) {
  struct cat_model *m = xcalloc(1, sizeof *m);
  m->cat = c;
  cat_analyse(&m->analysis, c);
  if (!c->known && !m->analysis.proved.has_no_thin_air) {
    if (guesses_cores(&m->analysis))
      forbid_own_values(c);
    else
      forbid_thin_air(c);
    m->adds_axiom = true;
    c->known = NULL; // of the text as it was
    cat_analysis_done(&m->analysis);
    cat_analyse(&m->analysis, c);
  }
  const struct cat_analysis *a = &m->analysis;
  bool tracks = a->uses_dependencies || !a->proved.porf_is_acyclic;
  bool ok = c->known || a->proved.porf_is_acyclic ||
            a->proved.writes_are_coherent || refuse_incoherent(c, why);
  if (c->axioms.len > MAX_AXIOMS)
    ok = diag_set(why, c->file, 0, "more than %d axioms", MAX_AXIOMS);
  if (!ok) {
    cat_model_free(m);
    return false;
  }
  for (uint32_t i = 0; i < c->axioms.len; i++) {
    const struct cat_axiom *x = &c->axioms.at[i];
    bool is_check = x->mode == MODE_CHECK;
    m->content |=
        (uint64_t)(is_check ? !x->is_negated : !is_raised(x, !x->is_negated))
        << i;
    m->flags |= (uint64_t)!is_check << i;
    if (!is_check)
      continue;
    m->checks |= UINT64_C(1) << i;
    m->pruning |= (uint64_t)cat_prunes(a, i) << i;
  }
  uint64_t tests = m->pruning & ~a->proved.given;
  plan_init(&m->plan, c, tests);
  m->model = (struct model){
      .name = c->file,
      .title = c->title,
      .tracks_dependencies = tracks,
      .needs_deps = tracks ? needs_deps : NULL,
      .mixes_picks = mixes_picks(c),
      .is_symmetric =
          !tracks && a->proved.thread_is_coherent && a->proved.is_symmetric,
      .co_keeps_porf = a->proved.co_keeps_porf,
      .load_orders = tracks ? a->proved.load_orders : 0,
      .text = m,
      .judge = judge,
      .allows = allows,
      .completes = completes,
      .refuses = cat_refuses,
      .names_relation = cat_names_relation,
      .relation = cat_relation,
      .add_order = add_order,
      .filters = m->pruning != m->checks,
      // (Where the text says what races are, it is not asked who synchronises.)
      .lacks_acquire = tracks && !a->proved.barriers_order &&
                       !(has_flag(c, "data-race") && has_flag(c, "free-race")),
      .order = c->race_order == NO_NODE ? NULL : order,
      .raises = has_flag(c, NULL) ? raises : NULL,
      .is_idle = is_idle,
      .has_races = has_flag(c, "data-race"),
      .has_lives = has_flag(c, "free-race"),
      .guesses_cores = guesses_cores(a),
      .cycle_orders = guesses_cores(a) ? a->proved.cycle_orders : 0,
      .has_guards = cat_has_guards(c),
      .coherence = a->proved.hb_is_coherent       ? COHERENCE_HB
                   : a->proved.po_is_coherent     ? COHERENCE_PO
                   : a->proved.thread_is_coherent ? COHERENCE_THREAD
                                                  : COHERENCE_NONE,
  };
  m->rows = rows_plan_new(c);
  m->store = xmalloc(sizeof *m->store);
  store_init(m->store);
  if (c->same_as)
    cat_model_is(m, c->same_as);
  *ret = m;
  return true;
}

void cat_model_free(struct cat_model *m) {
  if (!m)
    return;
  plan_done(&m->plan);
  rows_plan_free(m->rows);
  if (m->store)
    store_done(m->store);
  free(m->store);
  cat_analysis_done(&m->analysis);
  free(m->shown);
  cat_free(m->cat);
  free(m);
}
