// SPDX-License-Identifier: MIT
// Events that do no harm: nothing leads from them to an older one, or they are
// on no cycle that could break an axiom. They need no slot.
#include "cat/eval/sets.h"
#include "cat/facts/prove.h"
#include "cat/judge/judge.h"
#include "model/deps.h"

// Is the write of an update right behind what its read reads? (That of others
// always is.)
static bool is_atomic(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind != EV_WRITE || !(e->flags & (EVF_EXCLUSIVE | EVF_LINKED)))
    return true;
  event_id read = deps_update_read(g, id);
  return read != NO_EVENT && graph_co_place(g, read) + 1 == e->co;
}

// May other events be between its read and this write of an update? When it
// comes, what its read is may change (release, say), and so what those are
// related to.
static bool ends_apart(const struct event *e) {
  return e->kind == EV_WRITE && (e->flags & EVF_LINKED);
}

bool judge_is_quiet(const struct judge *j, const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (!j->plan->is_lazy || ends_apart(e))
    return false;
  if (!is_access(e))
    return true;
  const struct event_list *co = &g->locs.at[e->loc].co;
  for (uint32_t i = graph_co_place(g, id) + 1; i < co->len; i++)
    if (co->at[i] < id)
      return false;
  return is_atomic(g, id);
}

// The event's sets, for what is proved of the axioms.
static void learn_sets(struct judge_bound *b, cat_sets sets) {
  enum { MOST = sizeof b->sets / sizeof *b->sets };
  for (uint32_t i = 0; i < b->n && i < MOST; i++)
    if (b->sets[i] == sets)
      return;
  if (b->n < MOST)
    b->sets[b->n] = sets;
  b->n += b->n <= MOST;
  b->is_known = false;
}

// Was an event learned that is in the same sets?
static bool is_like_another(struct judge *j, const struct event *e) {
  enum { LIKE = LENGTH(j->bound.like) };
  uint64_t key = cat_sets_key(e, &j->options);
  uint64_t *like =
      &j->bound.like[(key * UINT64_C(0x9e3779b97f4a7c15) >> 40) % LIKE];
  bool is = key && *like == key;
  *like = key;
  return is;
}

static enum cat_bounded find_bound(struct judge *j) {
  struct judge_bound *b = &j->bound;
  if (!b->is_known)
    b->is = (uint8_t)store_bounded(
        j->model->store, j->model->cat, &j->model->analysis.proved,
        &(struct cat_bound){j->plan->axioms, b->sets, b->n});
  b->is_known = true;
  return (enum cat_bounded)b->is;
}

// The fast code of TSO takes what it is asked about for the last of its thread.
static event_id last_of_thread(const struct graph *g, event_id id) {
  unsigned t = g->events[id].thread;
  return graph_at(g, t, graph_thread_length(g, t) - 1);
}

// Is it the read of an update whose write is next, and the last? Then every
// cycle through it leads through the write as well, which is asked too: what
// comes after the read in co comes after the write.
static bool is_read_of_newest(const struct graph *g, event_id id,
                              event_id last) {
  return g->events[id].kind == EV_READ && g->events[last].kind == EV_WRITE &&
         g->events[id].index + 1 == g->events[last].index &&
         deps_update_read(g, last) == id && is_atomic(g, last);
}

static bool explains_tso(const struct judge *j, struct graph *g, event_id id) {
  static const struct model_options none = {0};
  event_id last = last_of_thread(g, id);
  return last == id ? j->tso->consistent(g, id, NO_EVENT, &none)
                    : is_read_of_newest(g, id, last);
}

// Is there nothing from this index on but ends of threads and who waits for
// them?
static bool only_ends(const struct graph *g, unsigned t, uint32_t index) {
  for (; index < graph_thread_length(g, t); index++) {
    const struct event *e = &g->events[graph_at(g, t, index)];
    event_id join = g->threads[t].join;
    if (e->kind != EV_END && e->kind != EV_JOIN)
      return false;
    if (e->kind == EV_END && join != NO_EVENT) {
      t = g->events[join].thread;
      index = g->events[join].index;
    }
  }
  return true;
}

// Does nothing lead on from the write but co?
static bool is_last(const struct graph *g, event_id write) {
  const struct event *w = &g->events[write];
  const struct graph_loc *l = &g->locs.at[w->loc];
  for (uint32_t i = 0; i < l->reads.len; i++)
    if (g->events[l->reads.at[i]].rf == write)
      return false;
  return only_ends(g, w->thread, w->index + 1);
}

// Is the write the last of its thread, and are all writes behind it in co the
// last of theirs, and does nobody read them? Then it is on no cycle.
static bool leads_nowhere(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  const struct event_list *co = &g->locs.at[e->loc].co;
  if (e->kind != EV_WRITE || !is_atomic(g, id) || !is_last(g, id))
    return false;
  for (uint32_t i = e->co + 1; i < co->len; i++)
    if (!is_last(g, co->at[i]))
      return false;
  return true;
}

// Does no cycle of po | rf | co | fr lead through the event (and older ones)?
// Most axioms are only broken by such a cycle, or only by one of what TSO has
// of them.
//
// A read may be older than its source w: a write that revisited it, or one that
// was promised to it.
//   - Whatever is between a revisited read and w is in the prefix of w. So if
//     that has an older write after w in co, w is on a cycle itself; and if
//     not, what the read leads to is newer than both.
//   - Promises are in cores (explore/cycles/promise/promise.c). These are
//   judged by the
//     definition, so of their events nothing is asked; what comes after them
//     breaks an axiom only by a cycle that it is on.
//   - The same holds of TSO, since from a write to a write it has po | rf.
static bool is_harmless(struct judge *j, struct graph *g, event_id id) {
  static const struct model_options none = {0};
  if (judge_is_quiet(j, g, id))
    return true;
  if (!j->plan->is_lazy || ends_apart(&g->events[id]))
    return false;
  enum cat_bounded is = find_bound(j);
  if (is != BOUNDED_NOT && leads_nowhere(g, id))
    return true;
  return is != BOUNDED_NOT && ((is == BOUNDED_TSO && explains_tso(j, g, id)) ||
                               j->sc->consistent(g, id, NO_EVENT, &none));
}

event_id judge_first_harm(struct judge *j, struct graph *g, event_id first) {
  for (event_id id = first; id != NO_EVENT; id = g->events[id].next)
    if (cat_sees(&g->events[id]) && !is_like_another(j, &g->events[id]))
      learn_sets(&j->bound, cat_sets_of(&g->events[id], &j->options));
  for (event_id id = first; id != NO_EVENT; id = g->events[id].next)
    if (cat_sees(&g->events[id]) && !is_harmless(j, g, id))
      return id;
  return NO_EVENT;
}

bool judge_are_clear(struct judge *j, struct graph *g, event_id first) {
  for (event_id id = first; id != NO_EVENT; id = g->events[id].next) {
    const struct event *e = &g->events[id];
    if (!cat_sees(e) || (id != first && is_harmless(j, g, id)))
      continue;
    if (ends_apart(e) || !clears(&j->refuter, g, id, &j->options))
      return false;
  }
  return true;
}
