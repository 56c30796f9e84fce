// SPDX-License-Identifier: MIT
// Does an execution justify a graph with cycles (xmm.c)? Looks for an image of
// what is committed: an injective f that keeps threads and labels, carries rf,
// co, rpo and rmw over, and leaves edges that close cycles to races.
#include "model/deps.h"
#include "model/xmm_graph.h"

#include <stdlib.h>

enum { CHAINS = 64 };

struct witness {
  const struct graph *g;
  const struct buffering *buffering;
  uint64_t closes;   // reads that lead to their sources, see xmm_sign_closing
  bool is_looked_at; // what follows is known
  struct label *labels; // by event
  uint64_t *hashes;     // of them; the initial write has 0
  // The events by their hashes: the first of each chain, and what is next.
  event_id first[CHAINS], *next;
  struct signature has;
  // Scratch: of a commitment, by its places; and by event.
  ARRAY(event_id) f;
  bool *is_taken;
};

static bool is_same_label(const struct label *a, const struct label *b) {
  return a->kind == b->kind && a->thread == b->thread && a->order == b->order &&
         a->loc == b->loc && a->value == b->value;
}

static void sign_all(struct witness *w) {
  const struct graph *g = w->g;
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next) {
    const struct event *e = &g->events[id];
    xmm_sign(&w->has, e, w->hashes[id],
             e->kind == EV_READ ? w->hashes[e->rf] : 0);
  }
}

static uint64_t hash_event(const struct event *e) {
  struct label l = xmm_label(e);
  return xmm_hash_label(&l);
}

// Reads of rounds that are not there may lead to every write that they may
// read.
static void close_detours(struct witness *w) {
  const struct graph *g = w->g;
  const struct detours *d = w->buffering->detours;
  for (uint32_t i = 0; i < d->events.len; i++) {
    const struct event *r = &d->events.at[i];
    if (r->kind != EV_READ || r->loc >= g->locs.len)
      continue;
    const struct event_list *co = &g->locs.at[r->loc].co;
    for (uint32_t k = 1; k < co->len; k++)
      if (buffering_leads_from_detour(g, w->buffering, r, co->at[k]))
        w->closes |=
            xmm_sign_closing(hash_event(r), hash_event(&g->events[co->at[k]]));
  }
}

struct witness *xmm_witness_new(const struct graph *g,
                                const struct buffering *buffering) {
  struct witness *w = xcalloc(1, sizeof *w);
  w->g = g;
  w->buffering = buffering;
  for (uint32_t i = 0; i < buffering->reads.len; i++) {
    const struct event *r = &g->events[buffering->reads.at[i]];
    w->closes |= xmm_sign_closing(hash_event(r), hash_event(&g->events[r->rf]));
  }
  if (buffering->detours)
    close_detours(w);
  return w;
}

// Most executions have no edges that would close the cycles of anything. What
// else there is of them is found out when one has.
static void look_at(struct witness *w) {
  const struct graph *g = w->g;
  w->is_looked_at = true;
  w->labels = xrealloc(NULL, g->nevents * sizeof *w->labels);
  w->hashes = xrealloc(NULL, g->nevents * sizeof *w->hashes);
  w->next = xrealloc(NULL, g->nevents * sizeof *w->next);
  w->is_taken = xcalloc(g->nevents, sizeof *w->is_taken);
  w->hashes[INIT_EVENT] = 0;
  event_id *end[CHAINS];
  for (unsigned i = 0; i < CHAINS; i++)
    end[i] = &w->first[i];
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    w->labels[e] = xmm_label(&g->events[e]);
    w->hashes[e] = xmm_hash_label(&w->labels[e]);
    event_id **to = &end[w->hashes[e] % CHAINS];
    **to = e;
    *to = &w->next[e];
  }
  for (unsigned i = 0; i < CHAINS; i++)
    *end[i] = NO_EVENT;
  sign_all(w);
}

void xmm_witness_free(struct witness *w) {
  free(w->labels);
  free(w->hashes);
  free(w->next);
  array_done(&w->f);
  free(w->is_taken);
  free(w);
}

uint64_t xmm_marks(const struct witness *w) {
  return w->closes;
}

// Does the execution lead from the read to its source?
static bool leads(const struct witness *w, event_id read) {
  for (uint32_t i = 0; i < w->buffering->reads.len; i++)
    if (w->buffering->reads.at[i] == read)
      return true;
  return false;
}

// May a round that is not there have a fence between two events of a thread? It
// puts one before the other by rpo, also where nothing else does.
static bool has_fence_in_detour(const struct witness *w, event_id a,
                                event_id b) {
  const struct detours *d = w->buffering->detours;
  const struct event *e = &w->g->events[a], *f = &w->g->events[b];
  bool found = false;
  for (uint32_t i = 0; d && i < d->events.len && !found; i++)
    found =
        d->events.at[i].kind == EV_FENCE && d->events.at[i].thread == e->thread;
  return found && e->thread == f->thread && e->index < f->index;
}

// Has the execution this pair of one of the relations?
static bool carries(const struct witness *w, enum carried by, event_id a,
                    event_id b) {
  const struct graph *g = w->g;
  switch (by) {
  case CARRIES_RF:
    return g->events[b].rf == a;
  case CARRIES_CO:
    return g->events[a].co < g->events[b].co;
  case CARRIES_RMW:
    return deps_update_read(g, b) == a;
  case CARRIES_RPO:
  case CARRIED:
    break;
  }
  return xmm_is_rpo(g, a, b) || has_fence_in_detour(w, a, b);
}

// ---- f

struct embedding {
  struct witness *w;
  const struct cyclic *c;
  const struct commitment *way;
  event_id *f; // of the events of `way`, by their place there
};

// A read is committed with its source. If that closes a cycle, the other
// execution must lead from the read to it.
static bool reads_the_same(const struct embedding *m, uint32_t nth) {
  const struct axioms *k = &m->c->a;
  const struct graph *g = m->w->g;
  uint32_t read = m->way->at[nth].event;
  event_id source = event_at(k, read)->rf, image = g->events[m->f[nth]].rf;
  if (source == INIT_EVENT || image == INIT_EVENT)
    return source == image;
  struct label label = xmm_label(&m->c->g->events[source]);
  if (!is_same_label(&label, &m->w->labels[image]))
    return false;
  return !cyclic_porf(m->c, read, k->number[source]) || leads(m->w, m->f[nth]);
}

// Does the nth event fit to those before it? `from`: the first of its pairs.
static bool fits(const struct embedding *m, uint32_t nth, uint32_t from) {
  const struct committed *e = &m->way->at[nth];
  event_id image = m->f[nth];
  if (m->w->is_taken[image] || m->w->hashes[image] != e->hash ||
      !is_same_label(&e->label, &m->w->labels[image]))
    return false;
  for (uint32_t i = from; i < m->way->pairs.len; i++) {
    const struct carried_pair *p = &m->way->pairs.at[i];
    if (p->a > nth || p->b > nth)
      break;
    if (m->f[p->a] == NO_EVENT || m->f[p->b] == NO_EVENT)
      continue;
    if (!carries(m->w, p->by, m->f[p->a], m->f[p->b]))
      return false;
  }
  return e->label.kind != EV_READ || reads_the_same(m, nth);
}

// The first pair of the nth event, which is not among those before `from`.
static uint32_t skip_pairs(const struct embedding *m, uint32_t nth,
                           uint32_t from) {
  while (from < m->way->pairs.len && m->way->pairs.at[from].a < nth &&
         m->way->pairs.at[from].b < nth)
    from++;
  return from;
}

static bool embed(const struct embedding *m, uint32_t nth, uint32_t from);

// The rest, if the nth event goes there, where it fits.
static bool embed_behind(const struct embedding *m, uint32_t nth,
                         uint32_t from) {
  event_id image = m->f[nth];
  m->w->is_taken[image] = true;
  bool found = embed(m, nth + 1, from);
  m->w->is_taken[image] = false;
  return found;
}

// Where in its thread the image of the nth event may be: behind those that rpo
// puts before it, and before those that it puts behind it.
struct room {
  uint32_t first, end;
};

static struct room room_for(const struct embedding *m, uint32_t nth,
                            uint32_t from) {
  struct room r = {0, UINT32_MAX};
  for (uint32_t i = from; i < m->way->pairs.len; i++) {
    const struct carried_pair *p = &m->way->pairs.at[i];
    if (p->a > nth || p->b > nth)
      break;
    event_id other = m->f[p->a == nth ? p->b : p->a];
    if (other == NO_EVENT)
      continue;
    const struct event *e = &m->w->g->events[other];
    if (p->by != CARRIES_RPO || e->thread != m->way->at[nth].label.thread)
      continue;
    if (p->b == nth && e->index >= r.first)
      r.first = e->index + 1;
    if (p->a == nth && e->index < r.end)
      r.end = e->index;
  }
  return r;
}

// Of several places that fit, is the first one enough? It is for a fence F that
// acquires: let all be embedded with f(F) at a later place p, and let q be the
// first place that fits. Put F at q instead; the others stay where they are.
//   - Events of a thread are in a commitment in the order of po, but for reads
//     and what is read, which come first (commitment_of). So what comes after F
//     in the commitment and is of its thread, is behind F in po, and F, which
//     acquires, is before it by rpo. So its image is behind p, and behind q;
//     and q is free.
//   - What comes before F in the commitment fits to q: that is what was asked.
//   - What comes after F and is of another thread: if F is before it by rpo,
//     which is po between threads, its image comes after p by po, and so after
//     q. If it is before F by rpo, it is so by the start of F's thread, or by a
//     join before F in it. Both are committed with F, since they are before it
//     by rpo, and come before F in the commitment; so q is behind their images,
//     and behind what is before these.
//   - A fence is in none of the other relations.
static bool may_go_first(const struct label *l) {
  return l->kind == EV_FENCE && order_acquires(l->order);
}

// May the event be in a round that is not there? Then nothing is asked of it.
static bool is_in_detour(const struct witness *w, const struct committed *e) {
  const struct detours *d = w->buffering->detours;
  for (uint32_t i = 0; d && i < d->events.len; i++) {
    const struct label l = xmm_label(&d->events.at[i]);
    if (is_same_label(&l, &e->label))
      return true;
  }
  return false;
}

// If the nth event is read by one before it, it goes where that one reads.
static bool embed(const struct embedding *m, uint32_t nth, uint32_t from) {
  if (nth == m->way->n)
    return true;
  const struct witness *w = m->w;
  const struct committed *e = &m->way->at[nth];
  from = skip_pairs(m, nth, from);
  if (is_in_detour(w, e)) {
    m->f[nth] = NO_EVENT;
    if (embed(m, nth + 1, from))
      return true;
  }
  if (e->reader != NO_READER && m->f[e->reader] != NO_EVENT) {
    m->f[nth] = w->g->events[m->f[e->reader]].rf;
    return fits(m, nth, from) && embed_behind(m, nth, from);
  }
  const struct room room = room_for(m, nth, from);
  for (event_id id = w->first[e->hash % CHAINS]; id != NO_EVENT;
       id = w->next[id]) {
    uint32_t index = w->g->events[id].index;
    m->f[nth] = id;
    if (w->hashes[id] != e->hash || index < room.first || index >= room.end ||
        w->is_taken[id] || !fits(m, nth, from))
      continue;
    bool found = embed_behind(m, nth, from);
    if (found || may_go_first(&e->label))
      return found;
  }
  return false;
}

// The read at the same place of its thread in the other execution, if there is
// one.
static const struct event *same_place(const struct graph *g,
                                      const struct event *r) {
  if (r->thread >= g->nthreads || r->index >= graph_thread_length(g, r->thread))
    return NULL;
  const struct event *e = &g->events[graph_at(g, r->thread, r->index)];
  return e->kind == EV_READ && e->loc == r->loc ? e : NULL;
}

static void tell_edges(const struct embedding *m, struct justification *how) {
  for (uint32_t i = 0; i < m->way->n; i++) {
    const struct event *r = event_at(&m->c->a, m->way->at[i].event);
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        m->c->g->events[r->rf].thread == r->thread)
      continue;
    const struct event *w = &m->c->g->events[r->rf];
    array_push(&how->edges, (struct justified_edge){w->thread, w->index,
                                                    r->thread, r->index});
  }
}

static void tell_changes(const struct embedding *m, struct justification *how) {
  const struct axioms *k = &m->c->a;
  for (uint32_t i = 0; i < k->n; i++) {
    const struct event *r = event_at(k, i);
    if (r->kind != EV_READ || r->rf == INIT_EVENT ||
        m->c->g->events[r->rf].thread == r->thread ||
        !cyclic_porf(m->c, i, k->number[r->rf]))
      continue;
    const struct event *e = same_place(m->w->g, r);
    if (e && e->value != r->value)
      array_push(&how->changed,
                 (struct changed_read){r->thread, r->index, e->value});
  }
}

static void tell(const struct embedding *m, struct justification *how) {
  tell_edges(m, how);
  tell_changes(m, how);
  for (uint32_t i = 0; i < m->way->nthreads; i++)
    array_push(&how->threads, m->way->order[i]);
}

// May the execution have the events that are committed?
static bool may_have(struct witness *w, const struct commitment *way) {
  if (way->closes & ~w->closes)
    return false;
  if (!w->is_looked_at)
    look_at(w);
  for (unsigned b = 0; b < 8 && !w->buffering->detours; b++)
    if (way->needs.bits[b] & ~w->has.bits[b])
      return false;
  return way->n < w->g->nevents || w->buffering->detours;
}

// Is something committed that reads what rounds which are not there may have
// written? It may have read that, and there is no more to ask.
static bool is_up_to_detours(const struct witness *w,
                             const struct commitment *way) {
  const struct detours *d = w->buffering->detours;
  for (uint32_t i = 0; d && i < d->events.len; i++) {
    const struct event *e = &d->events.at[i];
    for (uint32_t k = 0; k < way->n && e->kind == EV_WRITE; k++)
      if (way->at[k].label.kind == EV_READ && way->at[k].label.loc == e->loc &&
          way->at[k].label.value == e->value)
        return true;
  }
  return false;
}

bool xmm_justifies(struct witness *w, const struct cyclic *c,
                   struct justification *how) {
  for (uint32_t i = 0; i < c->ways.len; i++) {
    struct embedding m = {.w = w, .c = c, .way = &c->ways.at[i]};
    if (!(m.way->closes & ~w->closes) && is_up_to_detours(w, m.way))
      return true;
    if (!may_have(w, m.way))
      continue;
    while (w->f.len < m.way->n)
      array_push(&w->f, NO_EVENT);
    m.f = w->f.at;
    if (!embed(&m, 0, 0))
      continue;
    if (how)
      tell(&m, how);
    return true;
  }
  return false;
}
