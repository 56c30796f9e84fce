// SPDX-License-Identifier: MIT
// What leads to an event at all: by po, rf, co and fr, of which all steps of
// routes are made, or from the write of an update back to its read. Of a thread
// that is a prefix. Most threads have gone on since anyone looked at what they
// did, so what a walk would look at there is left out: it could not come back.
#include "cat/judge/refute.h"
#include "model/deps.h"

#include <string.h>

struct search {
  struct refuter *r;
  const struct graph *g;
  uint64_t todo;     // threads
  uint32_t done[64]; // by thread: so many events were looked at
};

static void need(struct search *s, unsigned t, uint32_t n) {
  if (n <= s->r->limit[t])
    return;
  s->r->limit[t] = n;
  s->todo |= UINT64_C(1) << t;
}

static void need_event(struct search *s, event_id id) {
  const struct event *e = &s->g->events[id];
  if (id != INIT_EVENT)
    need(s, e->thread, e->index + 1);
}

// A write at that place in co: by co and fr all that is before it leads there.
static void need_before(struct search *s, uint32_t loc, uint32_t place) {
  const struct graph_loc *l = &s->g->locs.at[loc];
  uint32_t *seen = &s->r->seen.at[loc];
  if (place <= *seen)
    return;
  for (uint32_t i = *seen; i < place; i++)
    need_event(s, l->co.at[i]);
  *seen = place;
  for (uint32_t i = 0; i < l->reads.len; i++)
    if (s->g->events[l->reads.at[i]].rf != NO_EVENT &&
        graph_co_place(s->g, l->reads.at[i]) < place)
      need_event(s, l->reads.at[i]);
}

// The write of an update leads back to its read.
static void need_update(struct search *s, const struct event *e) {
  uint32_t n = graph_thread_length(s->g, e->thread);
  if (e->flags & (EVF_LINKED | EVF_UPDATE))
    need(s, e->thread, n);
  else if ((e->flags & EVF_EXCLUSIVE) && e->index + 1 < n)
    need(s, e->thread, e->index + 2);
}

static void look_at(struct search *s, event_id id) {
  const struct event *e = &s->g->events[id];
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    if (e->rf != NO_EVENT)
      need_event(s, e->rf);
    need_update(s, e);
    return;
  case EV_WRITE:
    need_before(s, e->loc, e->co);
    return;
  case EV_START:
  case EV_JOIN:
    if (e->rf != NO_EVENT)
      need_event(s, e->rf);
    return;
  default:
    return;
  }
}

void walk_limit(struct refuter *r, const struct graph *g, event_id to) {
  struct search s = {.r = r, .g = g};
  r->seen.len = 0;
  memset(array_extend(&r->seen, g->locs.len), 0,
         g->locs.len * sizeof(uint32_t));
  memset(r->limit, 0, sizeof r->limit);
  need_event(&s, to);
  while (s.todo) {
    unsigned t = (unsigned)__builtin_ctzll(s.todo);
    s.todo &= s.todo - 1;
    while (s.done[t] < r->limit[t])
      look_at(&s, graph_at(g, t, s.done[t]++));
  }
}
