// SPDX-License-Identifier: MIT
// See jam21.h. Events are those of Java: an RMW is one, which both reads and
// writes and goes by the number of its read; initial writes are not among them.
#include "jam21.h"

struct jam {
  const struct candidate *x;
  unsigned n;
  event_set events, reads, writes, fences;
  uint8_t write_of[RELATION_EVENTS]; // the event that is the write of an RMW
  struct relation po, rf, into, push;
  event_set pushing;      // domain(push)
  struct relation before; // (po | rf)+
};

static unsigned event_of(const struct candidate *x, unsigned i) {
  const struct candidate_event *e = &x->events[i];
  return e->kind == CAND_WRITE && e->rmw != NO_CANDIDATE ? e->rmw : i;
}

static bool acquires(const struct candidate_event *e) {
  return e->order == ORD_ACQ || e->order == ORD_ACQREL || e->order == ORD_SC;
}

static bool releases(const struct candidate_event *e) {
  return e->order == ORD_REL || e->order == ORD_ACQREL || e->order == ORD_SC;
}

static void add_event(struct jam *j, unsigned i) {
  const struct candidate_event *e = &j->x->events[i];
  unsigned at = event_of(j->x, i);
  event_set bit = (event_set)1 << at;
  if (e->kind == CAND_READ)
    j->reads |= bit;
  if (e->kind == CAND_WRITE)
    j->writes |= bit;
  if (e->kind == CAND_WRITE)
    j->write_of[at] = (uint8_t)i;
  if (e->kind == CAND_FENCE)
    j->fences |= bit;
  if (e->kind != CAND_INIT)
    j->events |= bit;
}

// Is event b the last write of its location?
static bool is_final(const struct candidate *x, unsigned b) {
  const struct candidate_event *e = &x->events[b];
  for (unsigned i = 0; i < x->n; i++)
    if (x->events[i].kind == CAND_WRITE && x->events[i].loc == e->loc &&
        x->events[i].co > e->co)
      return false;
  return e->kind == CAND_WRITE;
}

static void add_relations(struct jam *j, bool final_writes) {
  const struct candidate *x = j->x;
  struct relation to_final = rel_empty(x->n);
  for (unsigned a = 0; a < x->n; a++)
    for (unsigned b = 0; b < x->n; b++) {
      unsigned from = event_of(x, a), to = event_of(x, b);
      if (x->events[a].kind == CAND_INIT || from == to)
        continue;
      if (rel_has(&x->po, a, b))
        rel_add(&j->po, from, to);
      if (x->events[b].kind == CAND_READ && x->events[b].rf == a)
        rel_add(&j->rf, from, to);
      if (final_writes && x->events[a].kind == CAND_WRITE && is_final(x, b) &&
          x->events[a].loc == x->events[b].loc)
        rel_add(&to_final, from, to);
    }
  j->before = rel_plus(rel_or(rel_or(j->po, j->rf), to_final));
}

// The events of which some part has a property.
static event_set events_that(const struct jam *j, event_set among,
                             bool (*is)(const struct candidate_event *),
                             bool as_write) {
  event_set found = 0;
  for (unsigned i = 0; i < j->n; i++)
    if (event_set_has(among, i) &&
        is(&j->x->events[as_write ? j->write_of[i] : i]))
      found |= (event_set)1 << i;
  return found;
}

static bool is_sc(const struct candidate_event *e) {
  return e->order == ORD_SC;
}

static void add_modes(struct jam *j) {
  event_set all = j->events;
  event_set rel = events_that(j, j->writes, releases, true);
  event_set acq = events_that(j, j->reads, acquires, false);
  event_set frel = events_that(j, j->fences, releases, false);
  event_set facq = events_that(j, j->fences, acquires, false);
  event_set fsc = events_that(j, j->fences, is_sc, false);
  event_set sc = events_that(j, j->writes, is_sc, true) |
                 events_that(j, j->reads, is_sc, false) | fsc;
  struct relation po = j->po;
  struct relation svo = rel_or(
      rel_seq(rel_between(all, po, frel), rel_between(all, po, j->writes)),
      rel_seq(rel_between(j->reads, po, facq), po));
  event_set java = j->reads | j->writes | j->fences;
  struct relation spush =
      rel_seq(rel_between(java, po, fsc), rel_between(all, po, java));
  struct relation volint = rel_between(sc, po, sc);
  struct relation ra =
      rel_or(rel_between(all, po, rel), rel_between(acq, po, all));
  j->push = rel_or(spush, volint);
  j->into = rel_or(rel_or(svo, ra), j->push);
  // Creation and join.
  for (unsigned a = 0; a < j->n; a++)
    for (unsigned b = 0; b < j->n; b++)
      if (rel_has(&po, a, b) &&
          j->x->events[a].thread != j->x->events[b].thread)
        rel_add(&j->into, a, b);
  for (unsigned a = 0; a < j->n; a++)
    if (j->push.row[a])
      j->pushing |= (event_set)1 << a;
}

// Is event w, a write, before the one with place `co` in the location's order?
static bool is_before(const struct jam *j, unsigned w, unsigned loc,
                      unsigned co) {
  const struct candidate_event *e = &j->x->events[j->write_of[w]];
  return e->loc == loc && e->co < co;
}

static bool is_of(const struct jam *j, unsigned w, unsigned loc) {
  return j->x->events[j->write_of[w]].loc == loc;
}

// coww, cowr and corw of w vo e.
static bool agrees_with_co(const struct jam *j, unsigned w, unsigned e) {
  const struct candidate *x = j->x;
  unsigned loc = x->events[j->write_of[w]].loc;
  if (event_set_has(j->writes, e) && is_of(j, e, loc) &&
      !is_before(j, w, loc, x->events[j->write_of[e]].co))
    return false;
  if (event_set_has(j->reads, e) && x->events[e].loc == loc) {
    unsigned source = x->events[e].rf;
    if (source != j->write_of[w] && !is_before(j, w, loc, x->events[source].co))
      return false;
  }
  for (unsigned v = 0; v < j->n; v++)
    if (event_set_has(j->writes & j->po.row[e], v) && v != w &&
        is_of(j, v, loc) && !is_before(j, w, loc, x->events[j->write_of[v]].co))
      return false;
  return true;
}

// Under one order of what pushes: to.row[a] are those after a.
static bool order_is_right(const struct jam *j, const struct relation *to) {
  struct relation vo =
      rel_plus(rel_or(rel_or(j->into, j->rf), rel_seq(*to, j->push)));
  for (unsigned w = 0; w < j->n; w++)
    for (unsigned e = 0; e < j->n; e++)
      if (event_set_has(j->writes, w) && w != e && rel_has(&vo, w, e) &&
          !agrees_with_co(j, w, e))
        return false;
  return true;
}

// Tries all ways to go on with an order that has `placed`.
static bool some_order_is_right(const struct jam *j, event_set placed,
                                struct relation *to) {
  event_set left = j->pushing & ~placed;
  if (!left)
    return order_is_right(j, to);
  for (event_set rest = left; rest; rest &= rest - 1) {
    unsigned next = (unsigned)__builtin_ctzll(rest);
    bool is_first = true;
    for (unsigned a = 0; a < j->n; a++)
      is_first &= !(event_set_has(left, a) && rel_has(&j->before, a, next));
    if (!is_first)
      continue;
    to->row[next] = left & ~((event_set)1 << next);
    if (some_order_is_right(j, placed | (event_set)1 << next, to))
      return true;
  }
  return false;
}

// A thread sees the writes of a location in one order.
static bool threads_are_coherent(const struct jam *j) {
  for (unsigned a = 0; a < j->n; a++)
    for (unsigned b = 0; b < j->n; b++) {
      const struct candidate_event *e = &j->x->events[a], *f = &j->x->events[b];
      if (!rel_has(&j->po, a, b) || e->loc != f->loc ||
          !event_set_has(j->reads | j->writes, a) ||
          !event_set_has(j->reads | j->writes, b))
        continue;
      if (event_set_has(j->writes, a) && !agrees_with_co(j, a, b))
        return false;
      if (event_set_has(j->reads & ~j->writes, a)) {
        unsigned seen = j->x->events[e->rf].co;
        if (event_set_has(j->reads, b) && j->x->events[f->rf].co < seen)
          return false;
        if (event_set_has(j->writes, b) &&
            j->x->events[j->write_of[b]].co <= seen)
          return false;
      }
    }
  return true;
}

static bool updates_are_atomic(const struct jam *j) {
  for (unsigned i = 0; i < j->n; i++) {
    const struct candidate_event *e = &j->x->events[i];
    if (event_set_has(j->reads & j->writes, i) &&
        j->x->events[e->rf].co + 1 != j->x->events[j->write_of[i]].co)
      return false;
  }
  return true;
}

bool jam21_allows(const struct candidate *x, bool final_writes) {
  struct relation none = rel_empty(x->n);
  struct jam j = {.x = x, .n = x->n, .po = none, .rf = none};
  for (unsigned i = 0; i < x->n; i++)
    add_event(&j, i);
  add_relations(&j, final_writes);
  add_modes(&j);
  struct relation to = none;
  return rel_is_irreflexive(rel_plus(rel_or(j.po, j.rf))) &&
         updates_are_atomic(&j) && threads_are_coherent(&j) &&
         some_order_is_right(&j, 0, &to);
}
