// SPDX-License-Identifier: MIT
// From edges to accesses. An external edge begins another thread. An edge
// between two locations begins another location, so each location has a run of
// neighbours on the cycle; if there is no such edge, all accesses are to one
// location, and an edge within a thread is where that run begins and ends: the
// one that coherence would have to break. Along a run values only grow: a write
// adds the next one, a read has what was there.
#include "litmus/cycle.h"

#include <string.h>

struct builder {
  enum dialect dialect;
  const struct cycle_edges *e;
  struct cycle *c;
  struct spot *spot[MOST_EDGES]; // where edge i begins
  struct diag *why;
};

static const struct cycle_edge *edge_before(const struct cycle_edges *e,
                                            unsigned i) {
  return &e->at[(i + e->len - 1) % e->len];
}

// -- what fits together

// "ONE <middle> TWO<end>"
static bool refuse_pair(const struct builder *b, const struct cycle_edge *one,
                        const struct cycle_edge *two, const char *middle,
                        const char *end) {
  struct str first = {0}, second = {0};
  cycle_edge_print(b->dialect, one, &first);
  cycle_edge_print(b->dialect, two, &second);
  diag_set(b->why, NULL, 0, "%s %s %s, which follows, %s", str_text(&first),
           middle, str_text(&second), end);
  str_done(&first);
  str_done(&second);
  return false;
}

static bool ends_meet(const struct builder *b) {
  for (unsigned i = 0; i < b->e->len; i++) {
    const struct cycle_edge *one = edge_before(b->e, i), *two = &b->e->at[i];
    if (one->to_write != two->from_write)
      return one->to_write ? refuse_pair(b, one, two, "ends with a write, and",
                                         "begins with a read")
                           : refuse_pair(b, one, two, "ends with a read, and",
                                         "begins with a write");
    if (one->to != ANY_ORDER && two->from != ANY_ORDER && one->to != two->from)
      return refuse_pair(b, one, two, "and",
                         "mark the access between them in different ways");
  }
  return true;
}

static bool has_a_shape(const struct builder *b) {
  unsigned external = 0, changes = 0, inner = 0;
  for (unsigned i = 0; i < b->e->len; i++) {
    const struct cycle_edge *e = &b->e->at[i];
    external += e->is_external;
    changes += !e->is_same;
    inner += e->kind == CYCLE_LINK && e->link != LINK_UPDATE;
  }
  if (b->e->len < 2 || external < 2)
    return diag_set(b->why, NULL, 0,
                    "a cycle has at least two edges between threads (Rfe, Fre, "
                    "Coe), or it does not come back to where it began");
  if (external > MOST_THREADS)
    return diag_set(b->why, NULL, 0, "a test has at most %d threads",
                    MOST_THREADS);
  if (changes == 1)
    return diag_set(b->why, NULL, 0,
                    "only one edge leads to another location, and none back");
  if (!changes && !inner)
    return diag_set(b->why, NULL, 0,
                    "nothing but communication: no test shows that");
  return true;
}

// -- accesses

static unsigned first_thread_start(const struct cycle_edges *e) {
  unsigned i = 0;
  while (!edge_before(e, i)->is_external)
    i++;
  return i;
}

static enum order order_at(const struct builder *b, unsigned i) {
  const struct cycle_edge *one = edge_before(b->e, i), *two = &b->e->at[i];
  int said = one->to != ANY_ORDER ? one->to : two->from;
  return said == ANY_ORDER ? ORD_RLX : (enum order)said;
}

static bool place_spots(struct builder *b) {
  unsigned start = first_thread_start(b->e);
  struct cycle *c = b->c;
  for (unsigned n = 0; n < b->e->len; n++) {
    unsigned i = (start + n) % b->e->len;
    const struct cycle_edge *in = edge_before(b->e, i);
    c->threads += in->is_external;
    unsigned t = c->threads - 1;
    if (c->len[t] == MOST_SPOTS)
      return diag_set(b->why, NULL, 0, "a thread has at most %d accesses",
                      MOST_SPOTS);
    struct spot *s = &c->at[t][c->len[t]++];
    *s = (struct spot){.is_write = b->e->at[i].from_write,
                       .order = order_at(b, i)};
    if (!in->is_external) {
      s->link = in->kind == CYCLE_LINK ? in->link : LINK_PO;
      s->fence = in->fence;
      s->form = in->form;
      s->is_same = in->is_same;
    }
    b->spot[i] = s;
  }
  return true;
}

// Does a run of one location begin behind this edge?
static bool ends_run(const struct cycle_edge *e, bool has_changes) {
  return has_changes ? !e->is_same
                     : e->kind == CYCLE_LINK && e->link != LINK_UPDATE;
}

static void give_locations(struct builder *b) {
  struct cycle *c = b->c;
  unsigned n = b->e->len, start = 0, value = 0;
  bool has_changes = false;
  for (unsigned i = 0; i < n; i++)
    has_changes |= !b->e->at[i].is_same;
  while (!ends_run(edge_before(b->e, start), has_changes))
    start++;
  for (unsigned k = 0; k < n; k++) {
    unsigned i = (start + k) % n;
    if (!k || (has_changes && !edge_before(b->e, i)->is_same)) {
      c->locs++;
      value = 0;
    }
    struct spot *s = b->spot[i];
    s->loc = c->locs - 1;
    s->expected = value;
    value += s->is_write;
    s->value = value;
    c->writes[s->loc] = value;
  }
}

// The first location of the test is that of its first access, and so on.
static void sort_locations(struct cycle *c) {
  unsigned number[MOST_EDGES], writes[MOST_EDGES] = {0}, n = 0;
  memset(number, 0xff, sizeof number);
  for (unsigned t = 0; t < c->threads; t++)
    for (unsigned k = 0; k < c->len[t]; k++) {
      struct spot *s = &c->at[t][k];
      if (number[s->loc] >= MOST_EDGES)
        number[s->loc] = n++;
      writes[number[s->loc]] = c->writes[s->loc];
      s->loc = number[s->loc];
    }
  memcpy(c->writes, writes, sizeof writes);
}

// -- marks

static const struct cycle_order *order_row(enum dialect d, enum order o) {
  for (const struct cycle_order *m = cycle_orders; m->mark; m++)
    if (m->dialect == d && m->order == o)
      return m;
  return NULL;
}

static bool marks_fit(const struct builder *b) {
  const struct cycle *c = b->c;
  for (unsigned t = 0; t < c->threads; t++)
    for (unsigned k = 0; k < c->len[t]; k++) {
      const struct spot *s = &c->at[t][k];
      bool is_update = s->link == LINK_UPDATE ||
                       (k + 1 < c->len[t] && s[1].link == LINK_UPDATE);
      const struct cycle_order *m = order_row(b->dialect, s->order);
      char kind = s->is_write ? (is_update ? 'w' : 'W') : is_update ? 'r' : 'R';
      if (m && !strchr(m->accesses, kind))
        return diag_set(b->why, NULL, 0, "no %s%s is marked %s",
                        s->is_write ? "write" : "read",
                        is_update ? " of an update" : "", m->mark);
      if (s->link == LINK_UPDATE && k && s[-1].link == LINK_UPDATE)
        return diag_set(b->why, NULL, 0, "an update is one read and one write");
    }
  return true;
}

bool cycle_of_edges(enum dialect d, const struct cycle_edges *e,
                    struct cycle *ret, struct diag *why) {
  struct builder b = {.dialect = d, .e = e, .c = ret, .why = why};
  *ret = (struct cycle){.dialect = d};
  if (!e->len)
    return diag_set(why, NULL, 0, "a cycle needs edges");
  if (!ends_meet(&b) || !has_a_shape(&b) || !place_spots(&b))
    return false;
  give_locations(&b);
  sort_locations(ret);
  for (unsigned x = 0; x < ret->locs; x++)
    if (ret->writes[x] > MOST_SPOTS)
      return diag_set(why, NULL, 0, "a location has at most %d writes",
                      MOST_SPOTS);
  return marks_fit(&b);
}
