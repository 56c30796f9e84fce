// SPDX-License-Identifier: MIT
// Rounds of loops that are left out, where executions justify others. An
// execution without its failed rounds stands for the one with them: the threads
// do the same in both (await.c). But the one with them may justify
// more: a read of the round races, or leads from its source to what follows the
// round.
//
//   T1: while (!x) (void)z;  a = v;  if (!a) fence(rel);  y = 1
//   T2: if (y) { z = 1;  fence(acq);  v = 1 }               T3: x = 1
//
// (relaxed) That a = 1 is justified by an execution in which T1 reads z = 0 in
// a failed round, and by no other. So executions alone do not say that nothing
// justifies a candidate. Who is asked is each of them with *detours*: a failed
// round may have been wherever its thread is where one begins, any number of
// times, with all the events that rounds of that thread have. Why that is
// enough: let G+ justify something, and G be G+ without its failed rounds, or
// an execution that is explored of which that is the beginning (more events
// justify no less). Each round of G+ begins where some round that was left out
// begins, and its events have the labels of such (rounds within it were left
// out too, and their events count for the thread). What leads from event to
// event in G+ does so in G with detours (graph/buffering.h), since more happens
// before in G+, and so less races, but for what comes after a read by the edges
// of rounds. What is committed has its images in G, or has the label of an
// event of a round: then that counts as justified (xmm_justify.c). A fence of a
// round also orders what is before the round and what is behind it.
//
// (What is justified has no failed rounds itself: without them there is less to
// be committed.)
//
// Nothing is accepted by this. If an execution with detours justifies a
// candidate, all is explored once more with rounds, one of each loop in a row
// (justify.c). If that does not justify it either, it is not known whether more
// rounds do: the search is incomplete.
#include "explore/cycles/justify/justify.h"

#include "graph/buffering.h"

#include <stdlib.h>

const char rounds_may_justify[] =
    "load buffering that rounds of a loop that waits may justify";

static bool is_same_label(const struct event *a, const struct event *b) {
  return a->kind == b->kind && a->thread == b->thread && a->order == b->order &&
         a->loc == b->loc && a->value == b->value;
}

static void add_event(struct left_rounds *l, const struct event *e) {
  for (uint32_t i = 0; i < l->detours.events.len; i++)
    if (is_same_label(&l->detours.events.at[i], e))
      return;
  l->noted++;
  array_push(&l->detours.events, *e);
}

static void add_begin(struct left_rounds *l, thread_id t, site_id site) {
  for (uint32_t i = 0; i < l->begins.len; i++)
    if (l->begins.at[i].thread == t && l->begins.at[i].site == site)
      return;
  l->noted++;
  array_push(&l->begins, (struct round_begin){t, site});
}

static site_id site_of(const struct explorer *x, state_id s) {
  site_id site;
  return s && vm_backtrace(x->vm, s, &site, 1) ? site : NO_SITE;
}

// They may lead to cores, for which was looked already (part.c).
void detours_exist(struct explorer *x) {
  if (!x->cycles.has_detours && x->cycles.has_passed)
    x->restart |= RESTART;
  x->cycles.has_detours = true;
}

void detour_note(struct explorer *x, thread_id t, uint32_t first) {
  struct left_rounds *l = x->cycles.left;
  detours_exist(x);
  if (!l)
    return;
  add_begin(l, t, site_of(x, x->g.events[graph_at(&x->g, t, first)].pre));
  for (uint32_t i = first; i < graph_thread_length(&x->g, t); i++)
    add_event(l, &x->g.events[graph_at(&x->g, t, i)]);
}

void detour_note_vain(struct explorer *x, thread_id t,
                      const struct event *round, unsigned n) {
  struct left_rounds *l = x->cycles.left;
  detours_exist(x);
  if (!l)
    return;
  add_begin(l, t, site_of(x, x->g.threads[t].state));
  for (unsigned i = 0; i < n; i++)
    add_event(l, &round[i]);
}

uint32_t detours_known(const struct explorer *x) {
  const struct left_rounds *l = x->cycles.left;
  return l ? l->noted : 0;
}

const struct detours *detours_of(const struct explorer *x) {
  struct left_rounds *l = x->cycles.left;
  const struct graph *g = &x->g;
  l->detours.places.len = 0;
  for (uint32_t i = 0; i < l->begins.len; i++) {
    thread_id t = l->begins.at[i].thread;
    for (uint32_t k = 1; t < g->nthreads && k < graph_thread_length(g, t); k++)
      if (site_of(x, g->events[graph_at(g, t, k)].pre) == l->begins.at[i].site)
        array_push(&l->detours.places, graph_at(g, t, k));
  }
  return l->detours.places.len ? &l->detours : NULL;
}

void detours_forget(struct explorer *x) {
  struct left_rounds *l = x->cycles.left;
  if (!l)
    return;
  l->begins.len = l->detours.events.len = 0;
}

void detours_free(struct explorer *x) {
  struct left_rounds *l = x->cycles.left;
  if (!l)
    return;
  array_done(&l->begins);
  array_done(&l->detours.places);
  array_done(&l->detours.events);
  free(l);
  x->cycles.left = NULL;
}
