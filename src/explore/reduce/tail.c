// SPDX-License-Identifier: MIT
// The tail of an execution: threads end, main joins them and ends. No thread
// can notice when that happens, so it is put off until nothing else can happen;
// then it is known how it goes, and the execution counts without it. In short
// programs most events would be such: they need not be added, and revisits need
// not take them out and have them added again.
//
// The scheduler may put off what it wants, as long as that is a function of the
// graph (schedule.c). What it puts off:
//   - The end of a thread, if main is quiet, that is, would only join threads
//     and end from here on if they all have the result 0. (A guess is enough.
//     If main does something else, ends and joins are added as they come, since
//     executions share them then.)
//   - The joins and the end of main, if it is quiet.
// Once a thread has stopped, in an await or with an assumption that does not
// hold, ends are added as they come too: what no_writers.c finds out, it finds
// out when threads end.
//
// If nothing but that is left, and it goes well (tail_is_over), its events tell
// nothing new: they are no accesses, so no model has anything to say about
// them (a text whose axioms are all such that no newest event breaks them has
// not, cat/facts/analyse.c; nor has one whose other axioms and flags are about
// sets that no event here is in, cat/judge/idle.c); nothing is revisited; no
// variable of a thread dies that others can reach. An observer of complete
// graphs has them added after all, and so has a search in which an error may
// have had to wait for the end, as under C++11's release sequences. (The order
// is the same then, so that what is found with an error can be found again.)
#include "explore/reduce/tail.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>
#include <string.h>

struct tail {
  state_id from, end;  // where main joins and ends, if all results are 0
  uint64_t joins;      // the threads that it joins in between
  bool is_quiet;       // it does nothing else
  uint64_t counted[2]; // threads that end and are joined, of a tail
  uint32_t length;     // that is so long
  // Results of threads that make no difference to main in that state.
  state_id ignored_by;
  uint64_t ignored[MAX_THREADS];
  uint32_t looked;      // how often such were looked for
  ARRAY(uint8_t) known; // by state of main: is that so?
  state_id asked;       // the last one of them,
  bool answer;          // and what it was
};

static struct tail *tail_of(const struct explorer *x) {
  return x->state[REDUCTION_TAIL];
}

static void init(struct explorer *x) {
  x->state[REDUCTION_TAIL] = xcalloc(1, sizeof(struct tail));
}

static void done(struct explorer *x) {
  array_done(&tail_of(x)->known);
  free(tail_of(x));
}

// States may have been forgotten.
static void begin(struct explorer *x) {
  struct tail *tail = tail_of(x);
  tail->from = tail->asked = tail->known.len = 0;
  tail->ignored_by = tail->looked = 0;
}

static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  if (c->model->text && c->model->filters && !c->model->is_idle)
    return "an axiom is about complete graphs";
  if (c->model->raises && !c->model->is_idle)
    return "the model raises flags on complete graphs";
  if (x->memory.has_thread_locals)
    return "a variable of a thread that others can reach dies with it";
  return c->all_errors || (c->model->filters && !c->model->is_idle) ||
                 x->chooses_outcomes || explore_is_bounded(c)
             ? "errors wait for the end"
             : NULL;
}

// Notes what main would do from state s on if all results were 0.
static void look_ahead(struct explorer *x, state_id s) {
  struct tail *tail = tail_of(x);
  const struct access *a = vm_access(x->vm, s);
  tail->from = s;
  tail->joins = 0;
  while (a->kind == ACC_JOIN && a->value && a->value < MAX_THREADS &&
         !(tail->joins >> a->value & 1)) {
    tail->joins |= UINT64_C(1) << a->value;
    s = vm_guess(x->vm, s, 0);
    a = vm_access(x->vm, s);
  }
  tail->is_quiet = access_ends_plainly(a);
  tail->end = s;
}

// The same once for each state. (The numbers of transient states are used
// again.)
static bool is_quiet(struct explorer *x, state_id s) {
  enum { UNKNOWN, YES, NO };
  struct tail *tail = tail_of(x);
  if (s >= x->g.transient_states) {
    look_ahead(x, s);
    return tail->is_quiet;
  }
  while (s >= tail->known.len)
    array_push(&tail->known, UNKNOWN);
  if (tail->known.at[s] == UNKNOWN) {
    look_ahead(x, s);
    tail->known.at[s] = tail->is_quiet ? YES : NO;
  }
  return tail->known.at[s] == YES;
}

static bool asks_main(struct explorer *x, state_id s) {
  const struct event *last = &x->g.events[graph_tail(&x->g, 0)];
  if (!s)
    return last->kind == EV_END && !(last->flags & EVF_EXIT);
  const struct access *a = vm_access(x->vm, s);
  return (a->kind == ACC_JOIN || a->kind == ACC_END) && is_quiet(x, s);
}

// Is main quiet? The answer is kept. (The caller has it mostly.)
__attribute__((noinline)) static bool main_is_quiet(struct explorer *x) {
  state_id s = x->g.threads[0].state;
  tail_of(x)->answer = asks_main(x, s);
  tail_of(x)->asked = s < x->g.transient_states ? s : 0;
  return tail_of(x)->answer;
}

// Has one of these threads stopped with what it read?
__attribute__((noinline)) static bool one_has_stopped(const struct explorer *x,
                                                      uint64_t threads) {
  for (uint64_t rest = threads; rest; rest &= rest - 1) {
    event_id last = graph_tail(&x->g, (thread_id)__builtin_ctzll(rest));
    if (x->g.events[last].kind == EV_READ && advance_stops(x, last))
      return true;
  }
  return false;
}

// Has a thread? (If none ever has, none has here, and it is not asked; but
// promises make threads do something else.)
static bool has_stopped(const struct explorer *x) {
  uint64_t threads = (x->g.started & ~x->g.active) | x->at.block;
  return threads && one_has_stopped(x, threads);
}

static bool is_put_off(struct explorer *x) {
  const struct tail *tail = tail_of(x);
  state_id main = x->g.threads[0].state;
  bool is_known = main && main == tail->asked;
  if (!(is_known ? tail->answer : main_is_quiet(x)))
    return false;
#if HEDDLE_SLOW_CHECKS
  check(x->met.stop || x->tracks || !has_stopped(x));
#endif
  return !((x->met.stop || x->tracks) && has_stopped(x));
}

// ---- without adding it

// The threads of a group are joined all, or none of them, and main tells none
// from the others by its result.
static bool fits_symmetry(const struct explorer *x, bool all_are_0) {
  return !x->grouped || (all_are_0 && !equal_are_split(x, tail_of(x)->joins));
}

// Has thread t ended, or is it about to, without other consequences?
static bool ends_plainly(const struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  const struct event *last = &x->g.events[graph_tail(&x->g, t)];
  if (s)
    return access_ends_plainly(vm_access(x->vm, s));
  return last->kind == EV_END &&
         access_ends_plainly(vm_access(x->vm, last->pre));
}

static uint64_t result_of(const struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  return s ? vm_access(x->vm, s)->value
           : x->g.events[graph_tail(&x->g, t)].value;
}

static bool can_be_joined(const struct graph *g, thread_id t) {
  return graph_thread_length(g, t) && g->threads[t].join == NO_EVENT &&
         !g->threads[t].is_detached;
}

// Where main ends with the results that there are; 0: it does something else.
static state_id end_of_main(struct explorer *x, bool all_are_0) {
  state_id s = tail_of(x)->from;
  if (all_are_0)
    return tail_of(x)->end;
  uint64_t left = tail_of(x)->joins;
  while (vm_access(x->vm, s)->kind == ACC_JOIN) {
    uint64_t whom = vm_access(x->vm, s)->value;
    if (whom >= MAX_THREADS || !(left >> whom & 1))
      return 0;
    left &= ~(UINT64_C(1) << whom);
    s = vm_step(x->vm, s, result_of(x, (thread_id)whom));
  }
  return !left && access_ends_plainly(vm_access(x->vm, s)) ? s : 0;
}

// Finds out which of the results make no difference: each is joined as if it
// were 0, or never.
static void look_at_results(struct explorer *x) {
  enum { OFTEN = 256 };
  struct tail *tail = tail_of(x);
  if (tail->from >= x->g.transient_states || tail->looked++ > OFTEN)
    return;
  if (tail->ignored_by != tail->from)
    memset(tail->ignored, 0, sizeof tail->ignored);
  tail->ignored_by = tail->from;
  for (thread_id t = 1; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) && !(tail->joins >> t & 1))
      tail->ignored[t] = result_of(x, t);
  state_id s = tail->from;
  while (vm_access(x->vm, s)->kind == ACC_JOIN) {
    thread_id whom = (thread_id)vm_access(x->vm, s)->value;
    state_id with_0 = vm_guess(x->vm, s, 0);
    if (vm_guess(x->vm, s, result_of(x, whom)) == with_0)
      tail->ignored[whom] = result_of(x, whom);
    s = with_0;
  }
}

bool tail_ignores(const struct explorer *x, thread_id t, uint64_t result) {
  const struct tail *tail = tail_of(x);
  return !result || (tail->ignored_by == x->g.threads[0].state &&
                     tail->ignored[t] == result);
}

// Does one of the threads that are at their ends have a result that main may
// look at?
static bool has_result(const struct explorer *x) {
  for (uint64_t rest = x->at.result; rest; rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (!tail_ignores(x, t, vm_access(x->vm, x->g.threads[t].state)->value))
      return true;
  }
  return false;
}

// The usual case: all threads (but these) stand before their ends, and no
// result makes a difference.
static bool all_end_alike(const struct explorer *x, uint64_t but) {
  const struct graph *g = &x->g;
  return (g->active & ~x->at.end) == but && g->started == g->active &&
         !g->has_detached && !x->grouped && !has_result(x);
}

// How many events the ends of all threads are, and the joins of main.
static uint32_t length_of(struct tail *tail, uint64_t threads) {
  if (tail->counted[0] != threads || tail->counted[1] != tail->joins) {
    tail->counted[0] = threads;
    tail->counted[1] = tail->joins;
    tail->length = (uint32_t)(__builtin_popcountll(threads) +
                              __builtin_popcountll(tail->joins));
  }
  return tail->length;
}

bool tail_is_idle(const struct explorer *x) {
  const struct model *m = x->config.model;
  return (!m->raises && !m->filters) || !m->is_idle ||
         m->is_idle(m, &x->g, &x->config.model_options);
}

// Is there an observer that has to see the tail, or an error that may be
// reported with it?
static bool is_looked_at(const struct explorer *x) {
  return x->cycles.frozen || x->observer.on_execution || x->config.replay ||
         (explore_judges_at_end(x) &&
          (x->put_off.may_race || x->put_off.has_errors)) ||
         !tail_is_idle(x);
}

bool tail_follows(struct explorer *x, thread_id t, uint32_t *events) {
  struct graph *g = &x->g;
  if (!t || !all_end_alike(x, UINT64_C(1) << t) || g->moved ||
      is_looked_at(x) || !is_put_off(x))
    return false;
  state_id main = g->threads[0].state;
  if (main && tail_of(x)->from != main)
    look_ahead(x, main);
  if (!main || (tail_of(x)->joins & ~g->active) ||
      vm_access(x->vm, tail_of(x)->end)->value)
    return false;
  *events = length_of(tail_of(x), g->active);
  return true;
}

// Has each thread ended, or is it about to, and can it be joined if it has to?
static bool all_end_plainly(const struct explorer *x, uint64_t joins,
                            bool *all_are_0, uint32_t *events) {
  const struct graph *g = &x->g;
  for (thread_id t = 1; t < g->nthreads; t++) {
    if ((joins >> t & 1) && !can_be_joined(g, t))
      return false;
    if (!graph_thread_length(g, t))
      continue;
    if (!ends_plainly(x, t))
      return false;
    *all_are_0 &= result_of(x, t) == 0;
    *events += g->threads[t].state != 0;
  }
  return !(joins >> 1 >> (g->nthreads - 1)) && fits_symmetry(x, *all_are_0);
}

static bool is_over(struct explorer *x, int *status, uint32_t *events) {
  const struct graph *g = &x->g;
  bool all_are_0 = true;
  if (!g->threads[0].state)
    return false;
  if (tail_of(x)->from != g->threads[0].state)
    look_ahead(x, g->threads[0].state);
  uint64_t joins = tail_of(x)->joins;
  if (is_looked_at(x))
    return false;
  bool is_usual = all_end_alike(x, 0) && !(joins & ~g->active);
  if (!is_usual && !all_end_plainly(x, joins, &all_are_0, events))
    return false;
  state_id end = end_of_main(x, is_usual || all_are_0);
  if (!end)
    return false;
  if (!is_usual && !all_are_0)
    look_at_results(x);
  *status = (int)vm_access(x->vm, end)->value;
  *events = is_usual ? length_of(tail_of(x), g->active)
                     : *events + (uint32_t)__builtin_popcountll(joins) + 1;
  return !x->limits.max_events || g->live + *events <= x->limits.max_events;
}

const struct mechanism tail_hooks = {
    .init = init,
    .done = done,
    .begin = begin,
    .why_not = why_not,
    .puts_off_ends = is_put_off,
    .leaves_out_ends = is_over,
};
