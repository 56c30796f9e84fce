// SPDX-License-Identifier: MIT
// Barriers: in which order threads arrive is not explored.
//
// An arrival is an update of the barrier's counter, so N threads would arrive
// in N! orders. But a thread that has arrived does nothing until all have, and
// then all know of all: whatever the order was, the executions are the same
// but for the counter, and for who is told that it was the last one. So where
// nobody is told (nobody looks at what pthread_barrier_wait returns) and no
// more threads use a barrier than it waits for, one order stands for all: an
// arrival takes the newest write of the counter. So all arrivals before it are
// in its prefix, and its own write revisits none of them.
//
// Why nothing is lost. Let no more than N threads use a barrier for N. Then all
// of them take part in each round, and each execution G has one like it with
// any other order of arrivals in each round: the threads do the same, since the
// number that they draw decides only who opens the barrier; every read but
// those of the counter and of the opening reads the same; what happens before
// an event that is not an arrival or the wait behind one is the same, since
// whoever waits acquires from the opening, and that comes after all arrivals of
// the round; and no model orders two arrivals otherwise. (That a round is
// never completed, since somebody does not come, is as true in any order.) The
// search follows the scheduler to such an execution: where it comes to an
// arrival, the order that continues as the graph does is as good as that of G.
//
// Why nothing is met twice. In every graph the arrivals of a barrier read each
// other in the order in which they were added: it is so when they are added,
// and a revisit that leaves one leaves all before it, which are in its prefix.
// So each is maximal, and an arrival is to revisit.c what a fence is.
//
// If a thread too many comes, or one that is told, this is *refuted*: the
// search stops and begins again with all orders. The graph in which that
// happens is met, since nothing that leads to it is left out before.
//
// Equal threads (symmetry.c) would be sorted by the order of their arrivals,
// which is none here. So who arrives is in no group: the symmetry is refuted.
//
// Where cycles of po ∪ rf have to be justified (justify.c), one order stands
// for all as long as there are none (part.c): without a read that races with
// what comes after it. A race that one order has, all of them have: what comes
// after an event by po ∪ rf, past an arrival, does so past the opening of that
// round.
#include "explore/fewer/fewer.h"

bool arrive_is_possible(const struct explore_config *c) {
  return reduces(c, REDUCE_BARRIERS) && !c->model->tracks_dependencies &&
         !(c->model->justifier && c->team) && model_builtin(c->model) &&
         !c->model->filters && !c->model_options.c11_release_sequences &&
         !c->read_bound && !reduces(c, REDUCE_NET_ROUNDS) &&
         (!c->on_execution || c->on_begin_again || c->team);
}

static bool is_arrival(const struct explorer *x, event_id read) {
  return access_arrives(vm_access(x->vm, x->g.events[read].pre));
}

// How many threads have arrived here, with thread t?
static uint32_t count_threads(const struct explorer *x, uint32_t loc,
                              thread_id t) {
  const struct graph_loc *l = &x->g.locs.at[loc];
  uint32_t n = 1;
  for (uint64_t rest = l->threads & ~(1ull << t); rest; rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    bool has_arrived = false;
    for (uint32_t i = 0; !has_arrived && i < list->len; i++)
      has_arrived = x->g.events[list->at[i]].kind == EV_READ &&
                    is_arrival(x, list->at[i]);
    n += has_arrived;
  }
  return n;
}

enum outcome arrive_refute(struct explorer *x, const char *why) {
  x->fixes_arrivals = false;
  x->result.crowd = why;
  x->again |= AGAIN;
  return STOP;
}

enum outcome arrive_look(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  bool is_told = a.flags & ACCF_TOLD;
  if (!is_told && count_threads(x, a.loc, t) <= a.value2) {
    x->result.arrivals++;
    return x->symmetry.grouped >> t & 1
               ? symmetry_refute(x, "equal threads arrive at a barrier")
               : GO_ON;
  }
  return arrive_refute(x, is_told
                              ? "a thread is told that it came last"
                              : "more threads use a barrier than it waits for");
}

bool arrive_may_read(const struct explorer *x, uint32_t loc, uint32_t place) {
  const struct event_list *co = &x->g.locs.at[loc].co;
  if (place + 1 == co->len)
    return true;
  const struct event *next = &x->g.events[co->at[place + 1]];
  return !(next->flags & EVF_EXCLUSIVE) ||
         !is_arrival(x, graph_at(&x->g, next->thread, next->index - 1));
}
