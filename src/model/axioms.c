// SPDX-License-Identifier: MIT
// Each relation is computed as the paper writes it, with no thought of speed.
#include "model/axioms_rel.h"
#include "model/deps.h"

#include <stdlib.h>
#include <string.h>

static bool is_release(const struct event *e) {
  return (e->kind == EV_WRITE || e->kind == EV_FENCE) &&
         order_releases(e->order);
}

static bool is_acquire(const struct event *e) {
  return (e->kind == EV_READ || e->kind == EV_FENCE) &&
         order_acquires(e->order);
}

static bool is_fence(const struct event *e) {
  return e->kind == EV_FENCE;
}

static bool is_atomic_read(const struct event *e) {
  return e->kind == EV_READ && e->order != ORD_NA;
}

static bool is_atomic_write(const struct event *e) {
  return e->kind == EV_WRITE && e->order != ORD_NA;
}

// Event `id` comes before `e` and all that this comes before.
static void put_before(const struct axioms *a, struct rel *po, event_id id,
                       uint32_t e) {
  uint32_t i = a->number[id];
  rel_add_row(po, i, po, e);
  rel_add(po, i, e);
}

// Events are numbered as they were added, so what comes after one is known when
// those before it are looked at.
static struct rel *find_po(struct axioms *a) {
  const struct graph *g = a->g;
  struct rel *po = new_rel(a);
  for (uint32_t i = a->n; i-- > 0;) {
    const struct event *e = event_at(a, i);
    if (e->index)
      put_before(a, po, graph_at(g, e->thread, e->index - 1), i);
    if ((e->kind == EV_START || e->kind == EV_JOIN) && e->rf != NO_EVENT)
      put_before(a, po, e->rf, i);
  }
  return po;
}

// loc, co and fr of one location. (Scratch: the first row of `rows` is for all
// accesses, the second one for the writes.)
static void relate(struct axioms *a, const struct graph_loc *l,
                   struct rel *rows) {
  memset(rows->bits, 0, 2 * rows->words * sizeof *rows->bits);
  for (uint32_t i = l->co.len; i-- > 1;) {
    uint32_t w = a->number[l->co.at[i]];
    rel_add_row(a->co, w, rows, 1);
    rel_add(rows, 1, w);
  }
  rel_add_row(rows, 0, rows, 1);
  for (uint32_t i = 0; i < l->reads.len; i++) {
    event_id id = l->reads.at[i], source = a->g->events[id].rf;
    uint32_t r = a->number[id];
    rel_add(rows, 0, r);
    if (source == INIT_EVENT)
      rel_add_row(a->fr, r, rows, 1);
    else
      rel_add_row(a->fr, r, a->co, a->number[source]);
  }
  for (uint32_t i = 1; i < l->co.len; i++)
    rel_add_row(a->loc, a->number[l->co.at[i]], rows, 0);
  for (uint32_t i = 0; i < l->reads.len; i++)
    rel_add_row(a->loc, a->number[l->reads.at[i]], rows, 0);
}

static void base_relations(struct axioms *a) {
  const struct graph *g = a->g;
  a->po = find_po(a);
  a->rf = new_rel(a);
  a->co = new_rel(a);
  a->fr = new_rel(a);
  a->rmw = new_rel(a);
  a->loc = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *e = event_at(a, i);
    if (e->kind == EV_READ && e->rf != INIT_EVENT)
      rel_add(a->rf, a->number[e->rf], i);
    event_id update_read = deps_update_read(g, a->events[i]);
    if (update_read != NO_EVENT)
      rel_add(a->rmw, a->number[update_read], i);
  }
  struct rel *rows = new_rel(a);
  for (uint32_t i = 0; i < g->locs.len; i++)
    if (g->locs.at[i].threads)
      relate(a, &g->locs.at[i], rows);
}

// C++11: the writes directly after the head in co, as long as they are by the
// same thread or part of an update.
static struct rel *c11_release_sequence(struct axioms *a) {
  struct rel *rs = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    const struct event *head = event_at(a, i);
    if (!is_atomic_write(head))
      continue;
    const struct event_list *co = &a->g->locs.at[head->loc].co;
    for (uint32_t k = head->co; k < co->len; k++) {
      const struct event *w = &a->g->events[co->at[k]];
      if (w->thread != head->thread && !(w->flags & EVF_EXCLUSIVE))
        break;
      rel_add(rs, i, a->number[co->at[k]]);
    }
  }
  return rs;
}

// C++20: rs = [W⊒rlx];(rf;rmw)*
static struct rel *release_sequence(struct axioms *a) {
  struct rel *chain = rel_plus(&a->rels, seq(a, a->rf, a->rmw));
  return seq(a, set_of(a, a->g->plain_syncs ? is_write : is_atomic_write),
             rel_optional(&a->rels, chain));
}

// What fences know is read (graph/hb.c).
static struct rel *seen_by_fences(struct axioms *a) {
  struct rel *seen = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < a->n; j++)
      if (rel_has(a->rf, i, j) && !(event_at(a, j)->flags & EVF_NORET) &&
          event_at(a, i)->thread != event_at(a, j)->thread)
        rel_add(seen, i, j);
  return seen;
}

// sw = [⊒rel];([F];po)?;rs;rf;[R⊒rlx];(po;[F])?;[⊒acq],  hb = (po ∪ sw)+
void axioms_add_hb(struct axioms *a) {
  a->eco = rel_plus(&a->rels, either(a, a->rf, either(a, a->co, a->fr)));
  struct rels *r = &a->rels;
  struct rel *fence = set_of(a, is_fence);
  struct rel *rs = a->options->c11_release_sequences ? c11_release_sequence(a)
                                                     : release_sequence(a);
  struct rel *before = rel_optional(r, seq(a, fence, a->po));
  struct rel *reads = set_of(a, a->g->plain_syncs ? is_read : is_atomic_read);
  struct rel *seen = a->g->skips_noret ? seen_by_fences(a) : a->rf;
  struct rel *after = either(a, seq(a, a->rf, reads),
                             seq(a, seq(a, seen, reads), seq(a, a->po, fence)));
  struct rel *sw = seq(a, set_of(a, is_release), before);
  a->sw = seq(a, seq(a, seq(a, sw, rs), after), set_of(a, is_acquire));
  a->hb = rel_plus(r, either(a, a->po, a->sw));
}

void axioms_init_base(struct axioms *a, const struct graph *g,
                      const struct model_options *options) {
  *a = (struct axioms){.g = g, .options = options};
  a->events = xcalloc(g->live, sizeof *a->events);
  a->number = xcalloc(g->nevents, sizeof *a->number);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    a->number[e] = a->n;
    a->events[a->n++] = e;
  }
  rels_init(&a->rels, a->n);
  base_relations(a);
}

void axioms_init(struct axioms *a, const struct graph *g,
                 const struct model_options *options) {
  axioms_init_base(a, g, options);
  axioms_add_hb(a);
}

void axioms_done(struct axioms *a) {
  rels_done(&a->rels);
  free(a->events);
  free(a->number);
}

// What holds of a piece holds of all its access.
static struct rel *whole(struct axioms *a, const struct rel *same,
                         const struct rel *r) {
  return seq(a, seq(a, same, r), same);
}

void axioms_put_together(struct axioms *a) {
  if (!a->options->in_pieces)
    return;
  struct rel *same = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    event_id first = graph_first_piece(a->g, a->events[i]);
    for (uint32_t j = 0; j < a->n; j++)
      if (graph_first_piece(a->g, a->events[j]) == first)
        rel_add(same, i, j);
  }
  a->loc = whole(a, same, a->loc);
  a->po = minus(a, whole(a, same, a->po), same);
  a->hb = rel_plus(&a->rels, either(a, a->po, whole(a, same, a->sw)));
}

bool axioms_race(struct axioms *a, event_id *one, event_id *other) {
  for (uint32_t i = 0; i < a->n; i++)
    for (uint32_t j = 0; j < i; j++) {
      const struct event *e = event_at(a, i), *f = event_at(a, j);
      if (rel_has(a->loc, i, j) &&
          (e->kind == EV_WRITE || f->kind == EV_WRITE) &&
          (e->order == ORD_NA || f->order == ORD_NA) &&
          e->thread != f->thread && !rel_has(a->hb, i, j) &&
          !rel_has(a->hb, j, i)) {
        *one = a->events[i];
        *other = a->events[j];
        return true;
      }
    }
  return false;
}
