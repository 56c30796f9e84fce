// SPDX-License-Identifier: MIT
// Names, colours and meanings of the kinds of arrows, and the list of all
// arrows of a view, from which pictures and JSON take what they show.
#include "report/edge.h"

#include "report/sentence.h"

#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name, *color, *meaning;
} kinds_of_edges[] = {
#define EDGE(id, name, color, meaning) {name, color, meaning},
#include "report/edge.def"
#undef EDGE
};

const char *edge_name(enum edge_kind k) {
  return kinds_of_edges[k].name;
}

const char *edge_color(enum edge_kind k) {
  return kinds_of_edges[k].color;
}

const char *edge_meaning(enum edge_kind k) {
  return kinds_of_edges[k].meaning;
}

enum edge_kind edge_of_name(const char *name, size_t len) {
  unsigned k = 0;
  while (k < EDGE_KINDS &&
         (strlen(edge_name(k)) != len || strncmp(edge_name(k), name, len) != 0))
    k++;
  return k;
}

struct collector {
  const struct view *v;
  struct edges all;
  unsigned kinds;
};

// The event that stands for `e` in a picture; VIEW_NOTHING: none does.
static uint32_t shown_as(const struct view *v, uint32_t e) {
  return e < v->events.len ? v->events.at[e].row : VIEW_NOTHING;
}

static void add(struct collector *c, enum edge_kind kind, uint32_t from,
                uint32_t to) {
  from = shown_as(c->v, from);
  to = shown_as(c->v, to);
  if (from == VIEW_NOTHING || to == VIEW_NOTHING || from == to)
    return;
  if (c->kinds >> kind & 1)
    array_push(&c->all.at, (struct edge){kind, from, to, edge_name(kind),
                                         edge_color(kind)});
}

static void add_po(struct collector *c) {
  for (uint32_t t = 0; t < c->v->threads.len; t++) {
    const struct view_thread *th = &c->v->threads.at[t];
    uint32_t last = VIEW_NOTHING;
    for (uint32_t e = th->first; e < th->first + th->count; e++)
      if (shown_as(c->v, e) == e) {
        add(c, EDGE_PO, last, e);
        last = e;
      }
  }
}

// The write that comes right after `write` in co; VIEW_NOTHING: none.
static uint32_t *co_successors(const struct view *v, uint32_t **of_init,
                               uint32_t *locs) {
  *locs = 0;
  uint32_t *next = xmalloc((v->events.len + 1) * sizeof *next);
  for (uint32_t e = 0; e < v->events.len; e++) {
    next[e] = VIEW_NOTHING;
    if (v->events.at[e].loc != NO_LOC && v->events.at[e].loc >= *locs)
      *locs = v->events.at[e].loc + 1;
  }
  *of_init = xmalloc((*locs + 1) * sizeof **of_init);
  for (uint32_t l = 0; l < *locs; l++)
    (*of_init)[l] = VIEW_NOTHING;
  for (uint32_t e = 0; e < v->events.len; e++) {
    const struct view_event *ev = &v->events.at[e];
    if (ev->kind != EV_WRITE)
      continue;
    if (ev->co_before == VIEW_INIT)
      (*of_init)[ev->loc] = e;
    else
      next[ev->co_before] = e;
  }
  return next;
}

static void add_memory(struct collector *c) {
  uint32_t *of_init, locs;
  uint32_t *next = co_successors(c->v, &of_init, &locs);
  for (uint32_t e = 0; e < c->v->events.len; e++) {
    const struct view_event *ev = &c->v->events.at[e];
    if (ev->kind == EV_WRITE)
      add(c, EDGE_CO, ev->co_before, e);
    if (ev->kind != EV_READ || ev->rf == VIEW_NOTHING)
      continue;
    add(c, EDGE_RF, ev->rf, e);
    uint32_t missed = ev->rf == VIEW_INIT ? of_init[ev->loc] : next[ev->rf];
    // In its own thread it could not see that write yet.
    if (missed < c->v->events.len &&
        c->v->events.at[missed].thread != ev->thread)
      add(c, EDGE_FR, e, missed);
  }
  free(next);
  free(of_init);
}

// Threads are created and joined; the rest comes from clocks (sync.c). What
// starts a thread is drawn to its first event that is shown.
static void add_sync(struct collector *c) {
  for (uint32_t e = 0; e < c->v->events.len; e++) {
    const struct view_event *ev = &c->v->events.at[e];
    if (ev->rf >= c->v->events.len)
      continue;
    uint32_t first = e + 1, last = ev->rf;
    while (first < c->v->events.len && shown_as(c->v, first) != first &&
           c->v->events.at[first].thread == ev->thread)
      first++;
    while (last > 0 && shown_as(c->v, last) != last)
      last--;
    if (ev->kind == EV_START && first < c->v->events.len &&
        c->v->events.at[first].thread == ev->thread)
      add(c, EDGE_SYNC, ev->rf, first);
    if (ev->kind == EV_JOIN &&
        c->v->events.at[last].thread == c->v->events.at[ev->rf].thread)
      add(c, EDGE_SYNC, last, e);
  }
  for (uint32_t i = 0; i < c->v->sync.len; i++)
    add(c, EDGE_SYNC, c->v->sync.at[i].from, c->v->sync.at[i].to);
}

static void add_dependencies(struct collector *c) {
  static const enum edge_kind kind[] = {
      [DEP_ADDR] = EDGE_ADDR, [DEP_DATA] = EDGE_DATA, [DEP_CTRL] = EDGE_CTRL};
  ONE_FOR_EACH(kind, DEP_KINDS);
  for (uint32_t e = 0; e < c->v->events.len; e++)
    for (unsigned how = 0; how < DEP_KINDS; how++) {
      struct view_range from = c->v->events.at[e].deps[how];
      for (uint32_t i = 0; i < from.count; i++)
        add(c, kind[how], c->v->dep_events.at[from.first + i], e);
    }
}

static void add_cycle(struct collector *c) {
  for (uint32_t i = 0; i < c->v->cycle.len; i++) {
    const struct view_step *s = &c->v->cycle.at[i];
    uint32_t before = c->all.at.len;
    add(c, EDGE_CYCLE, s->from, s->to);
    if (c->all.at.len > before)
      array_last(&c->all.at)->label = s->relation;
  }
}

static int compare_edges(const void *a, const void *b) {
  const struct edge *x = a, *y = b;
  if (x->kind != y->kind)
    return x->kind < y->kind ? -1 : 1;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return strcmp(x->label, y->label);
}

// Events that are told in one row have their arrows together. Steps of a cycle
// come last, in their order.
static void drop_doubles(struct edges *all) {
  uint32_t n = all->at.len, kept = 0;
  if (n)
    qsort(all->at.at, n, sizeof *all->at.at, compare_edges);
  for (uint32_t i = 0; i < n; i++)
    if (!kept || compare_edges(&all->at.at[kept - 1], &all->at.at[i]) != 0)
      all->at.at[kept++] = all->at.at[i];
  all->at.len = kept;
}

void edges_unite(struct edges *all, const uint32_t *nodes) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all->at.len; i++) {
    struct edge e = all->at.at[i];
    e.from = nodes[e.from];
    e.to = nodes[e.to];
    if (e.from != e.to)
      all->at.at[kept++] = e;
  }
  all->at.len = kept;
  drop_doubles(all);
}

// Each relation has a colour of its own, as far as they go.
static void add_named(struct collector *c) {
  static const char *const colors[] = {"#0f7f8c", "#7a5c00", "#5b3fd1",
                                       "#a8326e", "#3f7d20", "#5a6472"};
  for (uint32_t i = 0; i < c->v->pairs.len; i++) {
    const struct view_pair *p = &c->v->pairs.at[i];
    uint32_t before = c->all.at.len;
    add(c, EDGE_NAMED, p->from, p->to);
    if (c->all.at.len == before)
      continue;
    array_last(&c->all.at)->label = p->name;
    array_last(&c->all.at)->color = colors[p->number % LENGTH(colors)];
  }
}

struct edges edges_of(const struct view *v, unsigned kinds) {
  struct collector c = {.v = v, .kinds = kinds};
  add_po(&c);
  add_memory(&c);
  add_sync(&c);
  add_dependencies(&c);
  drop_doubles(&c.all);
  add_cycle(&c);
  add_named(&c);
  return c.all;
}

void edges_done(struct edges *e) {
  array_done(&e->at);
}
