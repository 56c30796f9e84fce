// SPDX-License-Identifier: MIT
// All executions of a small program, by the definition of the model alone:
// every candidate is made and judged. That is slow, and it knows nothing of
// what the search relies on; so it is good for what the search leaves out (some
// load buffering, promise/pieces.c), and as an oracle.
//
// What a thread does is a function of the values that it reads, so it has a
// trace for each choice of values among those that could be written at all
// (which are found by doing that again and again: no value is computed from
// itself, so it has gone through each write once at most). A candidate is a
// trace for each thread, with a source of the same value for each read, and an
// order of the writes of each location. What one location says is tried first:
// a thread must see it in order (every model that is asked here wants that).
//
// Threads that main creates at first, their accesses, fences and choices are
// known here. Loops, locks and the like are not, nor are candidates without
// end: then the caller is told so.
#include "explore/memory/memory.h"
#include "explore/search/search.h"

#include <stdlib.h>

enum {
  MOST_STEPS = 64,    // of a trace
  MOST_TRACES = 4096, // of a thread
  MOST_VALUES = 64,   // of a location
  MOST_ACCESSES = 64, // of a candidate
  MOST_WAYS = 20000,  // of a location in a candidate
  MOST_CANDIDATES = 200000,
  MOST_TRIES = 2000000, // choices of traces
};

struct step {
  state_id pre, next;
  uint64_t value; // that was read or chosen
};

struct trace {
  uint32_t first, len; // in steps
};

struct thread_traces {
  ARRAY(struct step) steps;
  ARRAY(struct trace) at;
  uint32_t writes; // of a trace, at most
};

struct values {
  ARRAY(uint64_t) at;
  uint32_t known; // before this round
  bool is_used;
};

// A read or write of a candidate.
struct one {
  thread_id thread;
  uint32_t nth; // among the steps of its thread
  loc_id loc;
  uint64_t value;
  bool is_write;
  uint32_t place;  // in co of its location, or that of the source; 0: initial
  uint32_t source; // of a read: a number of a write; NO_ONE: initial
  event_id id;
};
#define NO_ONE UINT32_MAX

// A way in which one location may be seen: `place` and `source` of its accesses
// in turn.
struct way {
  uint32_t place, source;
};

struct location_ways {
  uint32_t of[MOST_ACCESSES]; // accesses of the location, by their numbers
  uint32_t n, writes;
  ARRAY(struct way) ways; // n for each
};

struct candidates {
  struct explorer *x;
  uint32_t nthreads;
  struct thread_traces threads[MAX_THREADS];
  state_id first[MAX_THREADS];
  ARRAY(struct values) values; // by location
  bool has_new_values;
  const struct trace *now[MAX_THREADS]; // the candidate at hand
  struct one ones[MOST_ACCESSES];
  uint32_t nones;
  ARRAY(struct location_ways) locs;
  uint64_t judged, tried;
  struct step path[MOST_STEPS];
};

// -- traces

static struct values *values_of(struct candidates *c, loc_id l) {
  while (c->values.len <= l) {
    struct values *v = array_extend(&c->values, 1);
    *v = (struct values){.known = 1};
    array_push(&v->at, vm_location(c->x->vm, c->values.len - 1)->initial);
  }
  return &c->values.at[l];
}

static bool add_value(struct candidates *c, loc_id l, uint64_t value) {
  struct values *v = values_of(c, l);
  for (uint32_t i = 0; i < v->at.len; i++)
    if (v->at.at[i] == value)
      return true;
  array_push(&v->at, value);
  c->has_new_values = true;
  return v->at.len <= MOST_VALUES;
}

static bool go_on(struct candidates *c, thread_id t, state_id s,
                  uint32_t depth);

static bool take_step(struct candidates *c, thread_id t, state_id s,
                      uint64_t value, uint32_t depth) {
  state_id next = vm_step(c->x->vm, s, value);
  c->path[depth] = (struct step){s, next, value};
  return go_on(c, t, next, depth + 1);
}

static bool end_trace(struct candidates *c, thread_id t, state_id s,
                      uint32_t depth) {
  struct thread_traces *all = &c->threads[t];
  array_push(&all->at, (struct trace){all->steps.len, depth + 1});
  c->path[depth] = (struct step){.pre = s};
  uint32_t writes = 0;
  for (uint32_t i = 0; i <= depth; i++) {
    const struct access *a = vm_access(c->x->vm, c->path[i].pre);
    writes += access_has_location(a) && !access_reads(a);
    array_push(&all->steps, c->path[i]);
  }
  all->writes = writes > all->writes ? writes : all->writes;
  return all->at.len <= MOST_TRACES;
}

// All that the thread does from state s on. False: that is too much, or nothing
// that is known here.
static bool go_on(struct candidates *c, thread_id t, state_id s,
                  uint32_t depth) {
  const struct access a = *vm_access(c->x->vm, s);
  if (depth + 1 >= MOST_STEPS)
    return false;
  if (access_has_location(&a))
    values_of(c, a.loc)->is_used = true;
  switch ((enum access_kind)a.kind) {
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
    for (uint32_t i = 0; i < values_of(c, a.loc)->known; i++)
      if (!take_step(c, t, s, values_of(c, a.loc)->at.at[i], depth))
        return false;
    return true;
  case ACC_WRITE:
  case ACC_RMW_WRITE:
    return !(a.flags & ACCF_UNINIT) && add_value(c, a.loc, a.value) &&
           take_step(c, t, s, 0, depth);
  case ACC_CHOOSE:
    for (uint64_t v = a.value; v <= a.value2; v++)
      if (!take_step(c, t, s, v, depth))
        return false;
    return true;
  case ACC_FENCE:
    return take_step(c, t, s, 0, depth);
  case ACC_END:
    return end_trace(c, t, s, depth);
  case ACC_BLOCK:
    return true; // no such execution is complete
  default:
    return false;
  }
}

static bool find_traces(struct candidates *c) {
  uint32_t writes = 0, rounds = 0;
  do {
    c->has_new_values = false;
    writes = 0;
    for (uint32_t l = 0; l < c->values.len; l++)
      c->values.at[l].known = c->values.at[l].at.len;
    for (thread_id t = 1; t < c->nthreads; t++) {
      c->threads[t].at.len = c->threads[t].steps.len = 0;
      if (!go_on(c, t, c->first[t], 0))
        return false;
      writes += c->threads[t].writes;
    }
  } while (c->has_new_values && rounds++ < writes);
  return true;
}

// The search has cut accesses where others begin or end that it has met. Those
// in what it leaves out may have others.
static bool cut_overlaps(struct candidates *c) {
  struct vm *vm = c->x->vm;
  bool any = false, is_new = false;
  for (loc_id l = 0; l < c->values.len; l++)
    for (loc_id o = vm_next_overlap(vm, l, NO_LOC); o != NO_LOC;
         o = vm_next_overlap(vm, l, o))
      if (c->values.at[l].is_used && o < c->values.len &&
          c->values.at[o].is_used) {
        is_new |= cells_cut(c->x, l, o);
        any = true;
      }
  check(any == is_new);
  return any;
}

static void forget_values(struct candidates *c) {
  for (uint32_t i = 0; i < c->values.len; i++)
    array_done(&c->values.at[i].at);
  c->values.len = 0;
}

// -- what one location says

static bool is_before(const struct one *a, const struct one *b) {
  return a->thread == b->thread && a->nth < b->nth;
}

// Do two accesses of a location, the first before the second in po, see it in
// order?
static bool is_in_order(const struct one *a, const struct one *b) {
  return b->is_write ? a->place < b->place : a->place <= b->place;
}

static bool fits(const struct candidates *c, const struct location_ways *l,
                 uint32_t n) {
  const struct one *now = &c->ones[l->of[n]];
  for (uint32_t i = 0; i < n; i++) {
    const struct one *o = &c->ones[l->of[i]];
    if (o->is_write && now->is_write && o->place == now->place)
      return false;
    if ((is_before(o, now) && !is_in_order(o, now)) ||
        (is_before(now, o) && !is_in_order(now, o)))
      return false;
  }
  return true;
}

// Chooses for the access n of the location, writes first, and those behind it.
static bool choose(struct candidates *c, struct location_ways *l, uint32_t n) {
  if (n == l->n) {
    for (uint32_t i = 0; i < n; i++)
      array_push(&l->ways, (struct way){c->ones[l->of[i]].place,
                                        c->ones[l->of[i]].source});
    return l->ways.len <= MOST_WAYS;
  }
  struct one *o = &c->ones[l->of[n]];
  for (uint32_t i = 0; i <= l->writes; i++) {
    // Writes get a place, reads a source: the write i of the location, or the
    // initial one.
    bool is_initial = i == l->writes;
    const struct one *w = is_initial ? NULL : &c->ones[l->of[i]];
    if (o->is_write
            ? is_initial
            : (w ? w->value : c->values.at[o->loc].at.at[0]) != o->value)
      continue;
    o->place = o->is_write ? i + 1 : w ? w->place : 0;
    o->source = w ? l->of[i] : NO_ONE;
    if (fits(c, l, n) && !choose(c, l, n + 1))
      return false;
  }
  return true;
}

// -- candidates

static event_id add_step(struct candidates *c, thread_id t,
                         const struct step *s, const struct one *o) {
  struct explorer *x = c->x;
  struct graph *g = &x->g;
  const struct access a = *vm_access(x->vm, s->pre);
  graph_set_state(g, t, s->pre);
  if (o && o->is_write) {
    uint32_t place = 1;
    for (uint32_t i = 0; i < c->nones; i++)
      place += c->ones[i].is_write && c->ones[i].id != NO_EVENT &&
               c->ones[i].loc == o->loc && c->ones[i].place < o->place;
    event_id id = event_add_write(x, t, place);
    g->events[id].state = s->next;
    graph_set_state(g, t, s->next);
    return id;
  }
  if (o) {
    struct event e = {.kind = EV_READ,
                      .thread = (uint8_t)t,
                      .loc = a.loc,
                      .rf = INIT_EVENT,
                      .value = o->value,
                      .pre = s->pre,
                      .state = s->next};
    e.flags = event_read_flags(&a, o->value, false, &e.order);
    return graph_add(g, e);
  }
  if (a.kind == ACC_FENCE)
    event_add_plain(x, t, EV_FENCE, a.loc, NO_EVENT, 0);
  else if (a.kind == ACC_CHOOSE)
    event_add_value(x, t, EV_CHOICE, s->value);
  else
    event_add_end(x, t, 0);
  return g->last;
}

static struct one *access_at(struct candidates *c, thread_id t, uint32_t nth) {
  for (uint32_t i = 0; i < c->nones; i++)
    if (c->ones[i].thread == t && c->ones[i].nth == nth)
      return &c->ones[i];
  return NULL;
}

// Tells the candidate with the ways that were chosen, if the model allows it.
static void judge(struct candidates *c) {
  struct explorer *x = c->x;
  struct graph *g = &x->g;
  struct graph_mark mark = graph_mark(g);
  for (uint32_t i = 0; i < c->nones; i++)
    c->ones[i].id = NO_EVENT;
  for (thread_id t = 1; t < c->nthreads; t++)
    for (uint32_t i = 0; i < c->now[t]->len; i++) {
      struct one *o = access_at(c, t, i);
      event_id id =
          add_step(c, t, &c->threads[t].steps.at[c->now[t]->first + i], o);
      if (o)
        o->id = id;
    }
  for (uint32_t i = 0; i < c->nones; i++)
    if (!c->ones[i].is_write && c->ones[i].source != NO_ONE)
      graph_point(g, c->ones[i].id, c->ones[c->ones[i].source].id);
  graph_renew_clocks(g);
  if (graph_keeps_reservations(g) && explore_allows_by_definition(x)) {
    x->result.executions++;
    x->observer.on_execution(x->observer.arg, x->vm, g, /*is_blocked=*/false);
  }
  graph_undo_to(g, mark);
}

// Each choice of a way for each location from l on.
static bool choose_ways(struct candidates *c, uint32_t l) {
  if (l == c->locs.len) {
    judge(c);
    return ++c->judged < MOST_CANDIDATES;
  }
  const struct location_ways *loc = &c->locs.at[l];
  for (uint32_t i = 0; i < loc->ways.len; i += loc->n) {
    for (uint32_t k = 0; k < loc->n; k++) {
      c->ones[loc->of[k]].place = loc->ways.at[i + k].place;
      c->ones[loc->of[k]].source = loc->ways.at[i + k].source;
    }
    if (!choose_ways(c, l + 1))
      return false;
  }
  return true;
}

static bool gather_accesses(struct candidates *c) {
  c->nones = 0;
  for (thread_id t = 1; t < c->nthreads; t++)
    for (uint32_t i = 0; i < c->now[t]->len; i++) {
      const struct step *s = &c->threads[t].steps.at[c->now[t]->first + i];
      const struct access *a = vm_access(c->x->vm, s->pre);
      if (!access_has_location(a))
        continue;
      if (c->nones == MOST_ACCESSES)
        return false;
      bool is_write = !access_reads(a);
      c->ones[c->nones++] =
          (struct one){.thread = t,
                       .nth = i,
                       .loc = a->loc,
                       .is_write = is_write,
                       .value = is_write ? a->value : s->value};
    }
  return true;
}

static void put_into_location(struct candidates *c, uint32_t number) {
  uint32_t l = 0;
  while (l < c->locs.len &&
         c->ones[c->locs.at[l].of[0]].loc != c->ones[number].loc)
    l++;
  if (l == c->locs.len)
    *array_extend(&c->locs, 1) = (struct location_ways){0};
  struct location_ways *loc = &c->locs.at[l];
  loc->of[loc->n++] = number;
  loc->writes += c->ones[number].is_write;
}

static void forget_locations(struct candidates *c) {
  for (uint32_t l = 0; l < c->locs.len; l++)
    array_done(&c->locs.at[l].ways);
  c->locs.len = 0;
}

// The traces of a candidate are chosen.
static bool try_traces(struct candidates *c) {
  bool ok = ++c->tried < MOST_TRIES && gather_accesses(c), is_possible = true;
  forget_locations(c);
  for (unsigned writes = 2; ok && writes-- > 0;) // first
    for (uint32_t i = 0; i < c->nones; i++)
      if (c->ones[i].is_write == writes)
        put_into_location(c, i);
  for (uint32_t l = 0; ok && is_possible && l < c->locs.len; l++) {
    graph_need_loc(&c->x->g, c->ones[c->locs.at[l].of[0]].loc);
    ok = choose(c, &c->locs.at[l], 0);
    is_possible = c->locs.at[l].ways.len;
  }
  return ok && (!is_possible || choose_ways(c, 0));
}

static bool choose_traces(struct candidates *c, thread_id t) {
  if (t == c->nthreads)
    return try_traces(c);
  for (uint32_t i = 0; i < c->threads[t].at.len; i++) {
    c->now[t] = &c->threads[t].at.at[i];
    if (!choose_traces(c, t + 1))
      return false;
  }
  return true;
}

// Main creates the threads and ends.
static bool begin(struct candidates *c) {
  struct explorer *x = c->x;
  struct graph *g = &x->g;
  for (c->nthreads = 1;; c->nthreads++) {
    state_id s = g->threads[0].state;
    if (vm_access(x->vm, s)->kind != ACC_SPAWN || c->nthreads == MAX_THREADS)
      break;
    graph_need_threads(g, c->nthreads + 1);
    c->first[c->nthreads] = vm_spawned(x->vm, s, c->nthreads);
    event_add_plain(x, 0, EV_SPAWN, c->nthreads, NO_EVENT, c->nthreads);
    graph_add(g, (struct event){.kind = EV_START,
                                .thread = (uint8_t)c->nthreads,
                                .rf = g->last,
                                .state = c->first[c->nthreads]});
  }
  if (vm_access(x->vm, g->threads[0].state)->kind != ACC_END)
    return false;
  event_add_end(x, 0, 0);
  return true;
}

static bool begin_again(struct explorer *x) {
  x->restart |= RESTART_WITH_MEMORY;
  explore_restart(x);
  return mixed_judge(x);
}

// No two accesses of the traces have only a part of their bytes in common.
static bool find_whole_traces(struct candidates *c) {
  bool ok = begin(c) && find_traces(c);
  while (ok && cut_overlaps(c)) {
    forget_values(c);
    ok = begin_again(c->x) && begin(c) && find_traces(c);
  }
  return ok;
}

bool explore_candidates(struct explorer *x) {
  struct candidates *c = xcalloc(1, sizeof *c);
  c->x = x;
  explore_go_to_root(x);
  x->result.executions = 0;
  bool ok = find_whole_traces(c) && choose_traces(c, 1);
  explore_go_to_root(x);
  forget_locations(c);
  array_done(&c->locs);
  forget_values(c);
  array_done(&c->values);
  for (thread_id t = 0; t < MAX_THREADS; t++) {
    array_done(&c->threads[t].steps);
    array_done(&c->threads[t].at);
  }
  free(c);
  return ok;
}
