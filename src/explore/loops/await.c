// SPDX-License-Identifier: MIT
// Awaits: loops that only wait for a write of another thread [VSync, ASPLOS'21,
// §1-2].
//
// A thread that comes back to a state in which it was before, without having
// done anything in between that anybody could notice, has made a failed round
// of an await, whatever the source looks like: its registers and private
// memory are the same (they are the state), and it only read, or wrote what
// was there already. The execution without that round is an execution too, so
// nothing is lost if the thread waits now. A later write may revisit what the
// round has read, as always; that is how the wait ends. So no two failed rounds
// are ever in one graph.
//
// With --net-effect-awaits, writes of the round may also cancel each other out
// (take and give back). A read of the last of them could as well read what
// was there before; but a write in between is a trace as soon as another thread
// reads it, or writes among them. Then the round was no wait, and the thread
// goes on. So whether it waits is asked of the graph at each step. Without that
// option the same holds of rounds whose writes are the thread's own affair:
// they store what is there already, or what the next round stores there again,
// in memory that no other thread uses meanwhile (a node that is made ready for
// the next try).
//
// If nothing can run any more, and what the round has read is still the newest,
// then no fair schedule ever ends the wait: the program hangs. If other waiting
// threads write what it reads, they may miss each other for ever (livelock.c).
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>

struct awaits {
  bool has_own_rounds; // some round of a thread changed nothing
};

static struct awaits *awaits_of(const struct explorer *x) {
  return x->state[REDUCTION_AWAITS];
}

static bool is_lock(const struct graph *g, const struct event *e) {
  return e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE) &&
         (trace_read_of(g, e)->flags & EVF_LOCK);
}

// A mutex that the round took, or gave back although it held it before.
struct passed {
  uint32_t loc;
  event_id unlock; // NO_EVENT: taken
  bool is_wait;    // given back by a timed wait
};
enum { MAX_PASSED = 8 };

// Notes a lock or unlock. False: this leaves a trace.
static bool pass_lock(const struct graph *g, event_id id, bool is_wait,
                      struct passed *passed, unsigned *n) {
  const struct event *e = &g->events[id];
  bool is_unlock = e->flags & EVF_UNLOCK;
  unsigned i = 0;
  while (i < *n && passed[i].loc != e->loc)
    i++;
  if (i < *n) {
    struct passed p = passed[i];
    passed[i] = passed[--*n];
    return is_unlock ? p.unlock == NO_EVENT
                     : p.is_wait || trace_read_of(g, e)->rf == p.unlock;
  }
  if (*n == MAX_PASSED)
    return false;
  passed[(*n)++] =
      (struct passed){e->loc, is_unlock ? id : NO_EVENT, is_unlock && is_wait};
  return true;
}

// A critical section of a round that only reads leaves no trace. Neither does
// a mutex that the thread held, gave back and took again, if no other had it in
// between. Nor does a timed wait that gave up, whichever thread had the mutex:
// if the thread comes back to the same wait, it could as well have waited on.
static bool locks_leave_no_trace(const struct explorer *x, unsigned t,
                                 uint32_t first, uint32_t end) {
  const struct graph *g = &x->g;
  struct passed passed[MAX_PASSED];
  unsigned n = 0;
  for (uint32_t i = first; i < end; i++) {
    event_id id = graph_at(g, t, i);
    const struct event *e = &g->events[id];
    if (!(e->kind == EV_WRITE && (e->flags & EVF_UNLOCK)) && !is_lock(g, e))
      continue;
    bool is_wait =
        i == first + 1 &&
        (vm_access(x->vm, g->events[graph_at(g, t, first)].pre)->flags &
         ACCF_TIMED);
    if (!pass_lock(g, id, is_wait, passed, &n))
      return false;
  }
  return n == 0;
}

// Locks and words aside, did the event leave no trace?
static bool may_leave_no_trace(const struct explorer *x, event_id id,
                               bool *has_words) {
  const struct event *e = &x->g.events[id];
  if (trace_is_none(&x->g, id))
    return true;
  *has_words = true;
  return e->kind == EV_WRITE && lock_word_is_one(x, e->loc);
}

// Did thread t make a round from state s back to s, by its events up to `end`?
static bool made_round_until(const struct explorer *x, thread_id t, state_id s,
                             uint32_t end, uint32_t kept, uint32_t *first) {
  const struct graph *g = &x->g;
  bool has_words = false;
  for (uint32_t i = end; i-- > 0;) {
    event_id id = graph_at(g, t, i);
    if (!may_leave_no_trace(x, id, &has_words))
      return false;
    if (g->events[id].pre == s && !kept--) {
      *first = i;
      return locks_leave_no_trace(x, t, i, end) &&
             (!has_words || lock_word_leaves_no_trace(x, t, i, end));
    }
  }
  return false;
}

// The same, up to its newest event, if it is one more than are kept.
static bool made_round(const struct explorer *x, thread_id t, state_id s,
                       uint32_t *first) {
  const struct graph *g = &x->g;
  return graph_newest_with(g, t, s) &&
         made_round_until(x, t, s, graph_thread_length(g, t),
                          x->cycles.kept_rounds, first);
}

bool await_is_back(const struct explorer *x, thread_id t, state_id s) {
  uint32_t first;
  return made_round(x, t, s, &first);
}

// ---- rounds that cancel out

// Reads another thread the write, other than to find a mutex held?
static bool is_seen(const struct graph *g, event_id write) {
  const struct event *w = &g->events[write];
  const struct event_list *reads = &g->locs.at[w->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (r->rf == write && r->thread != w->thread && !lock_waits(r))
      return true;
  }
  return false;
}

// Write w of a round that began at index `first` stands for all of the round's
// writes to its location: are they neighbours in co, the last one of which puts
// back the value before them, and none of the others seen by other threads?
static bool cancels_out(const struct explorer *x, const struct event *w,
                        uint32_t first) {
  const struct graph *g = &x->g;
  const struct event_list *co = &g->locs.at[w->loc].co;
  const struct event_list *mine = &g->locs.at[w->loc].by_thread[w->thread];
  uint32_t least = w->co, last = w->co, n = 0;
  for (uint32_t i = mine->len; i-- > 0;) {
    const struct event *e = &g->events[mine->at[i]];
    if (e->index < first)
      break;
    if (e->kind != EV_WRITE)
      continue;
    least = e->co < least ? e->co : least;
    last = e->co > last ? e->co : last;
    n++;
  }
  bool was_uninit, is_uninit;
  if (n != last - least + 1 ||
      event_value_of(x, w->loc, co->at[least - 1], &was_uninit) !=
          event_value_of(x, w->loc, co->at[last], &is_uninit) ||
      was_uninit || is_uninit)
    return false;
  for (uint32_t k = least; k < last; k++)
    if (is_seen(g, co->at[k]))
      return false;
  return true;
}

// Is the write before w in co the same one whatever co is, since all others
// happen before it? (w is the last one.)
static bool has_sure_neighbour(const struct graph *g, const struct event *w) {
  const struct event_list *co = &g->locs.at[w->loc].co;
  event_id before = co->at[w->co - 1];
  for (uint32_t k = 1; k < co->len; k++)
    if (k != w->co && co->at[k] != before && !graph_hb(g, co->at[k], before))
      return false;
  return true;
}

// Does the write store what is there already, and does everything that other
// threads did to its location happen before it? If the round begins with it
// (is_repeated) and leaves the location alone after that, it may change
// something: the next round begins with the same write, since the thread is in
// the same state, and it does not matter which of the two there is. (Behind a
// choice it need not: the next round may choose another way.) As long as no
// other thread comes to the location, all that is lost is an execution that is
// the same but for that.
static bool changes_nothing(const struct explorer *x, const struct event *w,
                            bool is_repeated) {
  const struct graph *g = &x->g;
  const struct graph_loc *l = &g->locs.at[w->loc];
  bool was_uninit;
  uint64_t before = event_value_of(x, w->loc, l->co.at[w->co - 1], &was_uninit);
  is_repeated =
      is_repeated && &g->events[*array_last(&l->by_thread[w->thread])] == w;
  if (((before != w->value || was_uninit) && !is_repeated) ||
      (w->flags &
       (EVF_EXCLUSIVE | EVF_UNLOCK | EVF_LINKED | EVF_PIECE | EVF_UNINIT)))
    return false;
  if (explore_ignores_co(x) && !has_sure_neighbour(g, w))
    return false;
  for (uint64_t rest = l->threads & ~(1ull << w->thread); rest;
       rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    if (g->events[*array_last(&l->by_thread[u])].index >=
        clock_get(&g->clocks, w->hb, u))
      return false;
  }
  return true;
}

// The event with which thread t, which comes to state s, was in it before,
// where rounds are kept so many times before that: 1 + its index; 0: there is
// none.
static uint32_t begin_of_rounds(const struct explorer *x, thread_id t,
                                state_id s) {
  const struct graph *g = &x->g;
  uint32_t i = graph_newest_with(g, t, s);
  for (uint32_t kept = x->cycles.kept_rounds; i && kept; kept--)
    do
      i--;
    while (i && g->events[graph_at(g, t, i - 1)].pre != s);
  return i;
}

// Did the newest event of a thread end a round that cancels out?
static bool cancels_round(const struct explorer *x, event_id id,
                          uint32_t *first) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  bool only_own = !explore_reduces(x, REDUCE_NET_ROUNDS), may_differ = false;
  if (!explore_reduces(x, REDUCE_AWAITS) ||
      (only_own && !explore_reduces(x, REDUCE_OWN_ROUNDS)) || !e->state ||
      (x->promises && x->config.unrolls) || // the loop is cut (why_needed)
      vm_access(x->vm, e->state)->kind == ACC_RMW_WRITE)
    return false;
  uint32_t newest = begin_of_rounds(x, e->thread, e->state);
  if (!newest || !vm_goes_back(x->vm, e->pre, e->state))
    return false;
  for (uint32_t i = *first = newest - 1; i <= e->index; i++) {
    const struct event *in = &g->events[graph_at(g, e->thread, i)];
    bool ok = in->kind == EV_READ || in->kind == EV_FENCE ||
              in->kind == EV_ANSWER || in->kind == EV_CHOICE;
    if (in->kind == EV_WRITE)
      ok = only_own ? changes_nothing(x, in, !may_differ)
                    : cancels_out(x, in, *first);
    if (!ok)
      return false;
    may_differ = may_differ || trace_decides(x, in);
  }
  return !x->config.unrolls ||
         trace_keeps_sections(x, e->thread, *first, e->index + 1);
}

static bool made_net_round(const struct explorer *x, event_id id,
                           uint32_t *first) {
  return (explore_reduces(x, REDUCE_NET_ROUNDS) ||
          awaits_of(x)->has_own_rounds) &&
         cancels_round(x, id, first);
}

bool await_is_futile(const struct explorer *x, event_id w) {
  const struct event *e = &x->g.events[w];
  uint32_t first;
  return w != INIT_EVENT &&
         await_waits(x, graph_tail(&x->g, e->thread), &first) &&
         e->index >= first;
}

// Where graphs with cycles are looked for (cycles/justify), what reads the
// write of a failed round reads another one in the graph without the round, of
// the same value, and whether what justifies the one justifies the other is not
// known.
static void look_at_source(struct explorer *x, const struct event *e) {
  if (x->cycles.guesses && e->kind == EV_READ && e->rf != INIT_EVENT &&
      x->g.events[e->rf].thread != e->thread && await_is_futile(x, e->rf))
    x->cycles.sees_rounds = true;
}

static void look_at_readers(struct explorer *x, thread_id t, uint32_t first) {
  for (uint32_t i = first;
       x->cycles.guesses && i < graph_thread_length(&x->g, t); i++) {
    event_id id = graph_at(&x->g, t, i);
    x->cycles.sees_rounds |=
        x->g.events[id].kind == EV_WRITE && is_seen(&x->g, id);
  }
}

// Why the execution without a round may be none (enum leaves_rounds). Without
// one that ends a section of RCU and begins the next one there is a longer
// section, which grace periods may not pass.
static uint8_t why_needed(struct explorer *x, thread_id t, uint32_t first) {
  uint32_t end = graph_thread_length(&x->g, t);
  bool are_kept = trace_keeps_sections(x, t, first, end);
  return round_changes(x, t, first) | (are_kept ? 0 : LEAVES_SECTIONS);
}

// If the newest event of its thread ends a failed round of an await, the thread
// waits.
static void look(struct explorer *x, event_id id) {
  struct event *e = &x->g.events[id];
  uint32_t first;
  bool is_take = vm_access(x->vm, e->pre)->kind == ACC_TAKE;
  look_at_source(x, e);
  if (!explore_reduces(x, REDUCE_AWAITS) && !is_take)
    return;
  if (!made_round(x, e->thread, e->state, &first)) {
    if (!vm_goes_back(x->vm, e->pre, e->state))
      return;
    lock_word_look(x, id);
    if (!awaits_of(x)->has_own_rounds && cancels_round(x, id, &first)) {
      awaits_of(x)->has_own_rounds = true;
      hooks_gather(x);
      x->restart |= x->team && !x->cycles.is_scout ? RESTART : 0u;
    }
    if (made_net_round(x, id, &first)) {
      x->result.leaves_rounds |= why_needed(x, e->thread, first);
      detour_note(x, e->thread, first);
      round_races_note(x, e->thread, first, /*is_retry=*/false);
      round_time_note(x, e->thread, first, e->index + 1);
    }
    return;
  }
  uint8_t why = why_needed(x, e->thread, first);
  if (why && x->config.unrolls)
    return; // the loop is cut
  x->result.leaves_rounds |= why;
  if (!is_take) {
    x->result.awaits++;
    detour_note(x, e->thread, first);
    round_races_note(x, e->thread, first, /*is_retry=*/false);
    round_time_note(x, e->thread, first, e->index + 1);
    look_at_readers(x, e->thread, first);
  } else if (vm_access(x->vm, e->pre)->flags & ACCF_UNDONE)
    x->result.undone++;
  e->state = 0;
  e->flags |= EVF_AWAIT;
  graph_set_state(&x->g, e->thread, 0);
}

bool await_has_own_rounds(const struct explorer *x) {
  return awaits_of(x)->has_own_rounds;
}

// Does thread t wait since its round cancelled out? That can change with what
// others read, so its state is kept.
static bool nets(const struct explorer *x, thread_id t) {
  uint32_t first;
  return graph_thread_length(&x->g, t) &&
         made_net_round(x, graph_tail(&x->g, t), &first);
}

bool await_waits(const struct explorer *x, event_id id, uint32_t *first) {
  const struct event *e = &x->g.events[id];
  if (made_net_round(x, id, first))
    return true;
  if (!(e->flags & EVF_AWAIT) || e->kind == EV_END)
    return false;
  state_id back = vm_step_undef(x->vm, e->pre, event_yield(e),
                                explore_undef_of(x->vm, &x->g, e));
  check(made_round(x, e->thread, back, first));
  return true;
}

// Does a thread wait for the mutex that `e` gave back? Then the round was not
// its last word.
static bool is_waited_for(const struct graph *g, const struct event *e) {
  if (e->kind != EV_WRITE || !(e->flags & EVF_UNLOCK))
    return false;
  for (unsigned t = 0; t < g->nthreads; t++) {
    if (!graph_thread_length(g, t))
      continue;
    const struct event *last = &g->events[graph_tail(g, t)];
    if (lock_waits(last) && last->loc == e->loc)
      return true;
  }
  return false;
}

// Does a round of another thread that waits too write what `e` reads? Then the
// two can miss each other for ever, or meet. (A thread that takes a mutex waits
// until it is free, so it misses nothing.)
static bool is_missed(const struct explorer *x, const struct event *e) {
  const struct graph *g = &x->g;
  const struct event_list *co = &g->locs.at[e->loc].co;
  if ((e->flags & EVF_LOCK) || lock_word_is_one(x, e->loc))
    return false;
  for (uint32_t k = 1; k < co->len; k++)
    if (g->events[co->at[k]].thread != e->thread &&
        await_is_futile(x, co->at[k]))
      return true;
  return false;
}

bool await_misses(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  uint32_t first;
  check(await_waits(x, id, &first));
  for (uint32_t i = first; i <= g->events[id].index; i++) {
    const struct event *e = &g->events[graph_at(g, g->events[id].thread, i)];
    if (e->kind == EV_READ && is_missed(x, e))
      return true;
  }
  return false;
}

bool await_is_old(const struct explorer *x, event_id read) {
  const struct event_list *co = &x->g.locs.at[x->g.events[read].loc].co;
  for (uint32_t k = graph_co_place(&x->g, read) + 1; k < co->len; k++)
    if (!await_is_futile(x, co->at[k]))
      return true;
  return false;
}

// Is what the read got what its thread would get now? Newer writes must belong
// to failed rounds, and have put back what was there; so the last one of the
// thread's own round counts as well.
static bool is_newest(const struct explorer *x, event_id read, uint32_t first) {
  const struct graph *g = &x->g;
  const struct event *r = &g->events[read];
  const struct event_list *co = &g->locs.at[r->loc].co;
  if (await_is_old(x, read))
    return false;
  if (r->rf != INIT_EVENT && g->events[r->rf].thread == r->thread &&
      g->events[r->rf].index >= first)
    return true; // it wrote that itself in the round
  bool is_uninit;
  return event_value_of(x, r->loc, co->at[co->len - 1], &is_uninit) == r->value;
}

bool await_is_stuck(const struct explorer *x, event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  uint32_t first;
  check(await_waits(x, id, &first));
  for (uint32_t i = first; i <= e->index; i++) {
    event_id r = graph_at(g, e->thread, i);
    if (g->events[r].kind == EV_CHOICE || is_waited_for(g, &g->events[r]) ||
        lock_word_is_waited_for(x, &g->events[r]))
      return false;
    if (g->events[r].kind == EV_READ && !is_newest(x, r, first))
      return false;
  }
  return true;
}

// ---- rounds that are kept
//
// An execution with a failed round that was kept (round_races.c) does not
// count, since the one without it does.

// Did the events of thread t from `first` up to `end` change nothing?
static bool changed_nothing(const struct explorer *x, thread_id t,
                            uint32_t first, uint32_t end) {
  bool may_differ = false;
  for (uint32_t i = first; i < end; i++) {
    const struct event *e = event_of(&x->g, t, i);
    if (e->kind == EV_WRITE ? !changes_nothing(x, e, !may_differ)
                            : e->kind != EV_READ && e->kind != EV_FENCE &&
                                  e->kind != EV_ANSWER && e->kind != EV_CHOICE)
      return false;
    may_differ = may_differ || trace_decides(x, e);
  }
  return true;
}

// Is the event at that index the last one of a failed round? It is asked what
// is asked when a thread comes back: an execution does not count only if it
// would not have been made.
static bool ends_round(const struct explorer *x, thread_id t, uint32_t index) {
  const struct graph *g = &x->g;
  state_id s = event_of(g, t, index)->state;
  uint32_t first;
  if (!s)
    return false;
  if (made_round_until(x, t, s, index + 1, /*kept=*/0, &first))
    return true;
  if (!explore_reduces(x, REDUCE_OWN_ROUNDS))
    return false;
  for (first = index; first && event_of(g, t, first)->pre != s; first--)
    ;
  return first && changed_nothing(x, t, first, index + 1);
}

// Has the thread made one, before those with which it waits?
static bool has_kept_round(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  uint32_t n = graph_thread_length(g, t), first;
  bool found = false;
  if (n && await_waits(x, graph_tail(g, t), &first))
    n = first;
  for (uint32_t i = 1; !found && i < n; i++)
    found = ends_round(x, t, i);
  return found;
}

static bool has_kept_rounds(struct explorer *x) {
  bool found = false;
  for (thread_id t = 0; x->cycles.kept_rounds && !x->cycles.is_scout &&
                        !found && t < x->g.nthreads;
       t++)
    found = has_kept_round(x, t);
  return found;
}

// ---- hooks

static void init(struct explorer *x) {
  x->state[REDUCTION_AWAITS] = xcalloc(1, sizeof(struct awaits));
}

static void done(struct explorer *x) {
  free(awaits_of(x));
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  awaits_of(x)->has_own_rounds = known && known->has_own_rounds;
}

static void tell(const struct explorer *x, struct assumptions *learned) {
  learned->has_own_rounds = awaits_of(x)->has_own_rounds;
}

const struct mechanism awaits_hooks = {
    .init = init,
    .done = done,
    .prepare = prepare,
    .tell = tell,
    .came_back = look,
    .counts_elsewhere = has_kept_rounds,
};

// An update that waits for a value does so whatever is switched off.
const struct mechanism takes_hooks = {
    .came_back = look,
};

// Which rounds cancel out is asked in cancels_round.
const struct mechanism own_rounds_hooks = {0};

static const char *why_none_nets(const struct explorer *x) {
  return explore_reduces(x, REDUCE_NET_ROUNDS) || awaits_of(x)->has_own_rounds
             ? NULL
             : "no round cancels out";
}

// (A revisit may take away what kept a round from cancelling out.)
static void look_at_held(struct explorer *x, bool is_blocked,
                         uint64_t stands_for) {
  (void)stands_for;
  uint32_t first;
  for (thread_id t = 0; is_blocked && x->promises && t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) &&
        x->g.events[graph_tail(&x->g, t)].kind != EV_END &&
        made_net_round(x, graph_tail(&x->g, t), &first))
      x->result.leaves_rounds |= why_needed(x, t, first);
}

const struct mechanism net_waits_hooks = {
    .why_not = why_none_nets,
    .holds_back = nets,
    .was_counted = look_at_held,
};

static void note_net_waits(struct explorer *x, bool is_blocked,
                           uint64_t stands_for) {
  bool any = false;
  (void)stands_for;
  for (thread_id t = 0; is_blocked && !any && t < x->g.nthreads; t++)
    any = graph_thread_length(&x->g, t) &&
          x->g.events[graph_tail(&x->g, t)].kind != EV_END && nets(x, t);
  x->result.net_waits += any;
}

const struct mechanism net_rounds_hooks = {
    .hides_graphs = true,
    .was_counted = note_net_waits,
};
