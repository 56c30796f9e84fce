// SPDX-License-Identifier: MIT
// Loops that read an old write again and again (--read-bound N). Memory is
// live: a new write reaches every thread at some time, but no model says when.
// So a loop that is no await, since each round changes something, may read the
// old write any number of times. As CDSChecker does [Norris and Demsky,
// TOPLAS'16, §10], the user says how often is enough.
//
// One place of the program (an instruction with its chain of calls) that a
// thread comes to more than once is in a loop. When the place has read one
// write N times in a row, the thread gives way: all others go as far as they
// can first (explore.c). If there is a newer write then, the thread may read
// that one; reading the old one once more is cut. If there is none, it goes on.
// A newer write that could only come after some of the reads, because it
// depends on them, does not make those old.
//
// So every execution in which no place reads one write more than N times in a
// row is explored. The read that is cut is not maximal (revisit.c), hence what
// is lost with it has the read too, and came from this graph: by going on, or
// by a revisit that deletes the newer write. In the latter case the execution
// has no old read, but a thread that could run had to wait for N rounds: the
// bound is one on fairness too.
//
// A loop that yields gives way by its own will, so there N is 1.
#include "explore/loops/loops.h"

#include <string.h>

enum { MAX_CHAIN = 32 };

static bool is_same_place(const struct explorer *x, state_id a, state_id b) {
  if (a == b)
    return true;
  site_id one[MAX_CHAIN], other[MAX_CHAIN];
  unsigned n = vm_backtrace(x->vm, a, one, MAX_CHAIN);
  return n == vm_backtrace(x->vm, b, other, MAX_CHAIN) &&
         memcmp(one, other, n * sizeof *one) == 0;
}

static uint64_t bound_at(const struct explorer *x, state_id s) {
  site_id chain[MAX_CHAIN];
  unsigned n = vm_backtrace(x->vm, s, chain, MAX_CHAIN);
  for (unsigned i = 0; i < n; i++) {
    if (loop_yields(x->prog, loop_around(x->prog, chain[i])))
      return 1;
  }
  return x->config.read_bound;
}

// Did the read miss a newer write that was there to be read?
static bool is_old(const struct graph *g, event_id read) {
  const struct event_list *co = &g->locs.at[g->events[read].loc].co;
  for (uint32_t k = graph_co_place(g, read) + 1; k < co->len; k++)
    if (!graph_porf(g, read, co->at[k]))
      return true;
  return false;
}

// How many of the newest reads of `loc` by thread t, at the place of state s,
// have one source; `only_old`: those that missed a newer write.
static uint32_t reads_in_a_row(const struct explorer *x, thread_id t,
                               state_id s, uint32_t loc, bool only_old) {
  const struct graph *g = &x->g;
  if (loc >= g->locs.len || !(g->locs.at[loc].threads >> t & 1))
    return 0;
  const struct event_list *list = &g->locs.at[loc].by_thread[t];
  event_id source = NO_EVENT;
  uint32_t n = 0;
  for (uint32_t i = list->len; i-- > 0;) {
    const struct event *e = &g->events[list->at[i]];
    if (e->kind != EV_READ || !is_same_place(x, e->pre, s))
      continue;
    if (source == NO_EVENT)
      source = e->rf;
    if (e->rf != source || (only_old && !is_old(g, list->at[i])))
      break;
    n++;
  }
  return n;
}

// How often in a row the place where thread t stands has read one write of the
// location that it reads next; 0 if that is still less than the bound.
static uint32_t reads_before(const struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct access *a = vm_access(x->vm, s);
  if (a->kind != ACC_READ && a->kind != ACC_CAS_READ)
    return 0;
  uint32_t n = reads_in_a_row(x, t, s, a->loc, false);
  return n && n >= bound_at(x, s) ? n : 0;
}

// Did the newest event of its thread read an old write once too often?
static bool cuts_read(struct explorer *x, event_id read) {
  const struct event *e = &x->g.events[read];
  if (e->flags & (EVF_EXCLUSIVE | EVF_LOCK))
    return false;
  uint32_t n = reads_in_a_row(x, e->thread, e->pre, e->loc, true);
  bool is_cut = n > 1 && n > bound_at(x, e->pre);
  x->result.stale_cuts += is_cut;
  return is_cut;
}

static const char *why_not(const struct explorer *x) {
  return x->config.read_bound ? NULL : "no option asks for it";
}

const struct mechanism read_bound_hooks = {
    .why_not = why_not,
    .hides_graphs = true,
    .puts_off = reads_before,
    .cuts_read = cuts_read,
};
