// SPDX-License-Identifier: MIT
// Silence: no thread will write any more, or end the life of what others read.
// Then nothing is revisited, and a thread that has stopped, in an await or
// since an assumption does not hold, goes no further in all that comes of the
// graph. If it stopped with something old, the graph is left.
//
// Let D come of such a graph, T be the thread that has stopped, and r be a read
// that is not of the newest value, such that T only read from r on. Take out of
// D what T did from r on, and let T read the newest values instead, until it
// stops again or ends. This is an execution too: no thread noticed what was
// taken out, and what reads the newest may always be added. All that goes wrong
// in D goes wrong in it as well: the others do what they did, and what they do
// from now on is in no conflict with what was taken out, since they neither
// write nor end a life. (Not so with flags, which may be about anything in a
// complete graph. T itself does not hang in D: what it polls is not the
// newest.) It may have to be left for the sake of another thread; each time,
// one thread less has stopped with something old.
//
// Where co does not count (rf_equivalence.c), old is what is old in every co.
// So D has a co in which r does not have the newest value, and the other
// execution has the same; T may hang in D unless something that it polls is
// old.
//
// Whether a thread writes, or frees, is asked of its code alone
// (bytecode/analysis/writes.c).
#include "explore/loops/loops.h"
#include "explore/memory/memory.h"
#include "explore/reduce/classes.h"

static bool has_stopped(const struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  return s ? vm_access(x->vm, s)->kind == ACC_BLOCK
           : x->g.events[graph_tail(&x->g, t)].flags &
                     (EVF_AWAIT | EVF_RETRY) &&
                 x->g.events[graph_tail(&x->g, t)].kind == EV_READ;
}

static bool is_old(struct explorer *x, event_id read) {
  const struct event *e = &x->g.events[read];
  return explore_ignores_co(x) ? rf_is_old(x, e->loc, e->rf)
                               : await_is_old(x, read);
}

// Could the thread, which waits with its last event, wait for ever?
static bool may_hang(struct explorer *x, event_id last) {
  const struct graph *g = &x->g;
  thread_id t = g->events[last].thread;
  if (!explore_ignores_co(x))
    return await_is_stuck(x, last);
  uint32_t first;
  check(await_waits(x, last, &first));
  for (; first < graph_thread_length(g, t); first++)
    if (event_of(g, t, first)->kind == EV_READ &&
        is_old(x, graph_at(g, t, first)))
      return false;
  return true;
}

// Did the thread, which has stopped, read something old and nothing but read
// since then?
static bool stopped_with_old(struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  event_id last = graph_tail(g, t);
  if ((g->events[last].flags & EVF_AWAIT) && may_hang(x, last))
    return false;
  for (uint32_t i = graph_thread_length(g, t); i-- > 1;) {
    event_id id = graph_at(g, t, i);
    const struct event *e = &g->events[id];
    if (e->kind == EV_READ ? e->flags & (EVF_EXCLUSIVE | EVF_LOCK)
                           : e->kind != EV_FENCE && e->kind != EV_ANSWER)
      return false;
    if (e->kind == EV_READ && is_old(x, id))
      return true;
  }
  return false;
}

// Will no thread write any more, and has one stopped with something old?
static bool is_over(struct explorer *x, event_id id, enum leave_when when) {
  bool any = false;
  (void)id;
  // What is newer in every co may be part of a failed round.
  if (when == LEAVE_REVISITED || explore_has_put_off(x) ||
      (explore_ignores_co(x) && await_has_own_rounds(x)))
    return false;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    if (has_stopped(x, t))
      any = any || stopped_with_old(x, t);
    else if (x->g.threads[t].state &&
             (memory_writes(x, t) || x->memory.has_thread_locals))
      return false;
  }
  x->result.silences += any;
  return any;
}

static const char *why_not(const struct explorer *x) {
  if (explore_judges_at_end(x))
    return "not every graph has a continuation";
  if (x->config.model->raises)
    return "the model raises flags on complete graphs";
  return x->config.model_options.in_pieces ? "what is read is in pieces" : NULL;
}

const struct mechanism no_writers_hooks = {
    .why_not = why_not,
    .leaves = is_over,
};
