// SPDX-License-Identifier: MIT
// Readers of a read-write lock: the order in which they come and go is not
// explored, also if there are writers of the same data. What is explored is
// which of their sections come before which section of a writer.
//
// Let P be the program of the user. In P' each thread that ever read-locks has
// a copy of every read-write lock (vm_share). It read-locks its own copy; a
// writer takes all copies, the last one first, and gives them back, the first
// one first. So a reader is ordered with writers, and no reader with another.
// [Big-reader locks are built like that.] We explore P'.
//
// What P does, P' does. Let G be an execution of P. All that is done with the
// word of the lock are updates (asked below), so they form a chain. Let G' have
// on each copy those of its reader and of all writers, in the order of the
// chain; an event of a writer becomes one event per copy. Every thread does
// what it did: a reader's section and that of a writer do not overlap in the
// chain, so each finds its copy free; what else is in the word decides nothing.
// Every edge of G' (po, rf, co, fr, and what models make of them) comes from an
// edge or a path along the chain in G, or leads from one event of a writer to
// another that come from the same one. So a cycle of G' would be one of G, and
// the model allows G'. Happens-before of G', too, comes from that of G: G' has
// the values, failed assertions, races and ends of lives of G, and maybe more.
// If threads of G wait for ever, those that wait for the lock do so in G' as
// well: a writer, since a copy is never given back, after it has taken those
// that come before, whose readers do nothing more. So no error is lost.
//
// What P' does, P may not do: a writer that waits keeps readers out, and a
// reader does not acquire what another reader has released. So whatever is
// found is not shown: the search begins again with P (*refuted*). And of each
// complete execution G' we ask whether its events can happen one after the
// other, as in `sc` (is_sequential). Then so can those of P: a writer's updates
// of all copies can be moved to where the last copy is taken and to where the
// first one is given back, since nobody else does anything with the others in
// between; and every model allows what `sc` allows. If an execution is weaker
// than that, the search begins again with P: it could be one that only P' has.
// The same if threads still wait when the program is over, which is no error.
// So executions are counted once per class, and each class is one of P.
//
// Equal threads (symmetry.c) that read-lock would have copies of their own, in
// an order that writers take them in. So readers are in no group: if a thread
// of one read-locks what others do, too, the symmetry is refuted. For writers
// of a group there is nothing to be said: P' is as symmetric as P.
//
// What refutes it, besides: tries and timed locks, which look at all readers;
// and initialisation or destruction that is not ordered by creation and join
// with all else that is done with the lock, or while it is taken.
#include "explore/fewer/fewer.h"

#include <stdlib.h>

bool readers_are_possible(const struct explore_config *c) {
  return reduces(c, REDUCE_READERS) && !c->on_execution && !c->replay &&
         sections_suit(c);
}

void readers_begin(struct explorer *x) {
  uint64_t all = x->result.readers;
  x->shares_locks =
      x->splits_readers && !x->fixes_sections && (all & (all - 1)) != 0;
  vm_share(x->vm, x->shares_locks ? all : 0);
}

static enum outcome refute(struct explorer *x, const char *why) {
  x->splits_readers = false;
  x->result.overlap = why;
  x->again |= AGAIN | AGAIN_STATES;
  return STOP;
}

enum outcome readers_hide(struct explorer *x) {
  // What the vm warns of is noted once, and may not be true.
  x->vm->warnings.len = x->warnings = 0;
  return refute(x, "something was found, and is looked for again");
}

// ---- what is asked of an event

// Does nobody have a copy of this lock?
static bool is_free(const struct explorer *x, loc_id lock) {
  for (loc_id l = 0; l < x->g.locs.len; l++) {
    const struct event_list *co = &x->g.locs.at[l].co;
    if (co->len > 1 && vm_location(x->vm, l)->copied == lock &&
        x->g.events[co->at[co->len - 1]].value != 0)
      return false;
  }
  return true;
}

static bool is_used_well(struct explorer *x, const struct event *e) {
  bool has_copies = e->loc < x->mutexes.len && x->mutexes.at[e->loc];
  return sections_are_clean(x, e) && (!has_copies || is_free(x, e->loc));
}

static bool is_read_lock(const struct explorer *x, const struct event *e) {
  const struct access *a = vm_access(x->vm, e->pre);
  return e->kind == EV_READ && a->kind == ACC_TAKE && (a->flags & ACCF_SHARES);
}

// The threads that have read-locked this.
static uint64_t readers_of(const struct explorer *x, loc_id lock) {
  const struct graph_loc *l = &x->g.locs.at[lock];
  uint64_t readers = 0;
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    for (uint32_t i = 0; i < l->by_thread[t].len; i++)
      if (is_read_lock(x, &x->g.events[l->by_thread[t].at[i]]))
        readers |= UINT64_C(1) << t;
  }
  return readers;
}

// A thread has read-locked what is no copy. (Equal threads would too.)
static enum outcome learn(struct explorer *x, loc_id lock) {
  uint64_t all = x->result.readers | readers_of(x, lock);
  if (all & x->symmetry.grouped)
    return symmetry_refute(x, "equal threads read-lock");
  if (!(all & (all - 1)))
    return GO_ON; // one alone needs none
  x->result.readers = all;
  x->again |= AGAIN | AGAIN_STATES;
  return STOP;
}

enum outcome readers_look(struct explorer *x) {
  const struct event *e = &x->g.events[x->g.last];
  if (!is_access(e))
    return GO_ON;
  bool is_copy = vm_location(x->vm, e->loc)->copied != NO_LOC;
  if (!is_copy && is_read_lock(x, e))
    return learn(x, e->loc);
  x->result.reader_turns += is_copy;
  if (x->shares_locks && !is_used_well(x, e))
    return refute(x, "a lock is used in other ways than to wait for it");
  return GO_ON;
}

// ---- can the events happen one after the other?

struct sequence {
  const struct graph *g;
  uint32_t *length;  // per thread: its events that have happened
  uint32_t *place;   // per location: that of the newest write in co
  uint32_t *waiting; // per location: reads of it that have not happened
};

static uint32_t count_readers(const struct graph *g, uint32_t loc,
                              event_id write) {
  const struct event_list *reads = &g->locs.at[loc].reads;
  uint32_t n = 0;
  for (uint32_t i = 0; i < reads->len; i++)
    n += g->events[reads->at[i]].rf == write;
  return n;
}

static bool has_happened(const struct sequence *s, event_id id) {
  const struct event *e = &s->g->events[id];
  return id == NO_EVENT || e->index < s->length[e->thread];
}

static bool can_happen(const struct sequence *s, event_id id) {
  const struct event *e = &s->g->events[id];
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    return graph_co_place(s->g, id) == s->place[e->loc];
  case EV_WRITE:
    return e->co == s->place[e->loc] + 1 && !s->waiting[e->loc];
  case EV_START:
  case EV_JOIN:
    return has_happened(s, e->rf);
  default:
    return true;
  }
}

static void let_happen(struct sequence *s, event_id id) {
  const struct event *e = &s->g->events[id];
  s->length[e->thread]++;
  if (e->kind == EV_READ)
    s->waiting[e->loc]--;
  if (e->kind != EV_WRITE)
    return;
  s->place[e->loc] = e->co;
  s->waiting[e->loc] = count_readers(s->g, e->loc, id);
}

// Lets all happen that can, thread by thread. False: nothing could.
static bool go_on(struct sequence *s) {
  bool has_moved = false;
  for (thread_id t = 0; t < s->g->nthreads; t++)
    while (s->length[t] < graph_thread_length(s->g, t) &&
           can_happen(s, graph_at(s->g, t, s->length[t]))) {
      let_happen(s, graph_at(s->g, t, s->length[t]));
      has_moved = true;
    }
  return has_moved;
}

// What can happen once stays so until it happens, so any order will do.
static bool is_sequential(const struct graph *g) {
  struct sequence s = {.g = g,
                       .length = xcalloc(g->nthreads, sizeof *s.length),
                       .place = xcalloc(g->locs.len + 1, sizeof *s.place),
                       .waiting = xcalloc(g->locs.len + 1, sizeof *s.waiting)};
  for (uint32_t l = 0; l < g->locs.len; l++)
    s.waiting[l] = count_readers(g, l, INIT_EVENT);
  while (go_on(&s))
    ;
  bool is_over = true;
  for (thread_id t = 0; t < g->nthreads; t++)
    is_over &= s.length[t] == graph_thread_length(g, t);
  free(s.length);
  free(s.place);
  free(s.waiting);
  return is_over;
}

enum outcome readers_look_at_end(struct explorer *x, bool all_end) {
  if (!all_end)
    return refute(x, "threads wait when the program is over");
  if (!x->config.model_options.in_pieces && is_sequential(&x->g))
    return GO_ON;
  return refute(x, "an execution is weaker than a sequence of its events");
}

// ---- how many orders one stands for

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static bool is_of_reader(const struct explorer *x, const struct event *e) {
  return vm_access(x->vm, e->pre)->flags & ACCF_SHARES;
}

// How many updates of its own are on the copy from the nth section of a writer
// to the next? (A writer has two updates per section.)
static uint32_t count_turns(const struct explorer *x, loc_id copy,
                            uint32_t nth) {
  const struct event_list *co = &x->g.locs.at[copy].co;
  uint32_t n = 0, writers = 0;
  for (uint32_t i = 1; i < co->len; i++) {
    bool is_reader = is_of_reader(x, &x->g.events[co->at[i]]);
    n += is_reader && writers == 2 * nth;
    writers += !is_reader;
  }
  return n;
}

// Of each lock, and between any two sections of writers, the ways to interleave
// what the readers do there: a product of binomial coefficients, one factor per
// update. Each division leaves no remainder. (Some may not be possible, since
// something else orders readers.)
uint64_t readers_orders(const struct explorer *x) {
  uint64_t product = 1;
  for (loc_id lock = 0; x->shares_locks && lock < x->mutexes.len; lock++) {
    uint64_t longest = 0;
    for (loc_id l = 0; x->mutexes.at[lock] && l < x->g.locs.len; l++)
      if (vm_location(x->vm, l)->copied == lock &&
          x->g.locs.at[l].co.len > longest)
        longest = x->g.locs.at[l].co.len;
    for (uint32_t nth = 0; 2 * nth < longest; nth++) {
      uint64_t all = 0;
      for (loc_id l = 0; l < x->g.locs.len; l++) {
        uint32_t n =
            vm_location(x->vm, l)->copied == lock ? count_turns(x, l, nth) : 0;
        for (uint32_t i = 1; i <= n && product != UINT64_MAX; i++) {
          product = times(product, ++all);
          product = product == UINT64_MAX ? product : product / i;
        }
      }
    }
  }
  return product;
}
