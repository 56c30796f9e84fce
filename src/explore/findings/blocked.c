// SPDX-License-Identifier: MIT
// Executions in which threads wait for ever: deadlocks and hangs.
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"

#include <stdio.h>

enum wait {
  WAIT_NONE,    // the thread has ended
  WAIT_ASSUME,  // an assumption does not hold: the execution does not count
  WAIT_LOCK,    // for a lock that *whom holds
  WAIT_TAKE,    // in the library, for what no thread will do
  WAIT_JOIN,    // for the end of *whom
  WAIT_AWAIT,   // in a spin loop that never ends
  WAIT_CHANCE,  // for what other waiting threads do in between
  WAIT_NOTHING, // with an old state; the newer one is explored elsewhere
};

static enum wait waits_for(const struct explorer *x, thread_id t,
                           thread_id *whom) {
  const struct graph *g = &x->g;
  event_id id = graph_tail(g, t);
  const struct event *last = &g->events[id];
  uint32_t first;
  if (last->kind == EV_END)
    return WAIT_NONE;
  if (event_stops(last))
    return WAIT_NOTHING;
  if (lock_waits(last)) {
    const struct event_list *co = &g->locs.at[last->loc].co;
    *whom = (thread_id)last->value - 1;
    if (*whom >= g->nthreads || !graph_thread_length(g, *whom))
      *whom = t; // the lock word was overwritten
    return last->rf == co->at[co->len - 1] ? WAIT_LOCK : WAIT_NOTHING;
  }
  if (await_waits(x, id, &first)) {
    const struct access *waiting = vm_access(x->vm, last->pre);
    if (!await_is_stuck(x, id))
      return WAIT_NOTHING;
    if (waiting->kind != ACC_TAKE || (waiting->flags & ACCF_UNDONE))
      return await_misses(x, id) ? WAIT_CHANCE : WAIT_AWAIT;
    return waiting->flags & ACCF_TIMED ? WAIT_ASSUME : WAIT_TAKE;
  }
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  if (a->kind != ACC_JOIN || misuse_is_next(x, t))
    return WAIT_ASSUME; // a cut, or an error that is put off (--all-errors)
  *whom = (thread_id)a->value;
  return WAIT_JOIN;
}

// What the report of a hang claims, asked of the graph itself: whatever the
// round has read from elsewhere is the newest value.
static bool reads_newest_values(const struct explorer *x, thread_id t,
                                uint32_t first) {
  const struct graph *g = &x->g;
  for (uint32_t i = first; i < graph_thread_length(g, t); i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->kind != EV_READ ||
        (g->events[e->rf].thread == t && e->rf != INIT_EVENT &&
         g->events[e->rf].index >= first))
      continue;
    const struct event_list *co = &g->locs.at[e->loc].co;
    bool is_uninit;
    if (event_value_of(x, e->loc, co->at[co->len - 1], &is_uninit) != e->value)
      return false;
  }
  return true;
}

static enum outcome report_hang(struct explorer *x, thread_id t) {
  struct finding f = error_of_thread(x, FIND_HANG, t);
  uint32_t first;
  check(await_waits(x, graph_tail(&x->g, t), &first));
  check(reads_newest_values(x, t, first));
  // The loop waits for what its first read polls, mutexes aside.
  event_id tail = graph_tail(&x->g, t), r = graph_at(&x->g, t, first);
  while (r != tail &&
         (x->g.events[r].kind != EV_READ || (x->g.events[r].flags & EVF_LOCK)))
    r = graph_at(&x->g, t, ++first);
  const struct event *e = &x->g.events[r];
  if (e->kind == EV_READ) {
    f.event = r;
    f.site = vm_site(x->vm, e->pre);
    if (e->rf != INIT_EVENT)
      error_name_other(x, &f, e->rf);
  }
  snprintf(f.message, sizeof f.message,
           "thread %u spins here for ever: it reads the newest value, and no "
           "thread will write another",
           t);
  return error_add(x, f);
}

// The library function to which the event belongs.
static const char *called_at(const struct explorer *x, event_id id) {
  site_id site = vm_site(x->vm, x->g.events[id].pre);
  return site == NO_SITE ? "the library"
                         : prog_text(x->prog, x->prog->source.at[site].text);
}

// Where to begin to tell why t waits: if it is not part of the cycle that it
// leads to, with a thread that is, else with t itself.
static thread_id circle_of(const struct explorer *x, thread_id t) {
  thread_id u = t;
  for (uint32_t steps = 0; steps < x->g.nthreads; steps++) {
    enum wait w = waits_for(x, u, &u);
    if (w != WAIT_LOCK && w != WAIT_JOIN)
      return t;
  }
  return u;
}

// Threads wait for each other, for a lock whose holder has ended, or for a call
// that no thread will make: names the chain that starts with t, or the cycle.
static enum outcome report_deadlock(struct explorer *x, thread_id t) {
  t = circle_of(x, t);
  struct finding f = error_of_thread(x, FIND_DEADLOCK, t);
  size_t n = 0;
  thread_id u = t, whom;
  for (uint32_t steps = 0; steps < x->g.nthreads; steps++) {
    enum wait w = waits_for(x, u, &whom);
    if (w == WAIT_TAKE)
      snprintf(f.message + n, sizeof f.message - n,
               "%sthread %u waits in %s, and no thread will wake it",
               n ? "; " : "", u, called_at(x, graph_tail(&x->g, u)));
    if (w != WAIT_LOCK && w != WAIT_JOIN)
      break;
    bool gone = waits_for(x, whom, &(thread_id){0}) == WAIT_NONE;
    int more = snprintf(f.message + n, sizeof f.message - n,
                        "%sthread %u waits for %s thread %u%s", n ? "; " : "",
                        u, w == WAIT_JOIN ? "the end of" : "a lock held by",
                        whom, gone ? ", which has ended" : "");
    n += (size_t)more < sizeof f.message - n ? (size_t)more : 0;
    u = whom;
    if (u == t || gone)
      break;
  }
  return error_add(x, f);
}

bool blocked_only_waits(const struct explorer *x) {
  thread_id whom;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (!graph_thread_length(&x->g, t))
      continue;
    enum wait w = waits_for(x, t, &whom);
    if (w == WAIT_ASSUME || w == WAIT_NOTHING)
      return false;
  }
  return true;
}

void explore_leave_waiting(struct explore_result *r, uint32_t threads,
                           site_id at) {
  uint32_t i = 0;
  if (threads > r->left_waiting)
    r->left_waiting = threads;
  while (i < r->nleft_at && r->left_at[i] != at)
    i++;
  if (i == r->nleft_at && i < MAX_LEFT_AT)
    r->left_at[r->nleft_at++] = at;
}

void blocked_note_left(struct explorer *x) {
  uint32_t n = 0;
  thread_id whom;
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) && waits_for(x, t, &whom) != WAIT_NONE)
      explore_leave_waiting(&x->result, ++n,
                            error_of_thread(x, FIND_HANG, t).site);
}

// No thread can run. If an assumption stopped one, this end says nothing; if
// one waits with an old state, it is an error only if the threads can come back
// to it for ever [awaits: 5.5], which they cannot once main has returned.
// (Then, only such ends come here.)
enum outcome blocked_check(struct explorer *x) {
  thread_id lock = NO_THREAD, spin = NO_THREAD, whom;
  bool is_open = false;
  for (thread_id t = x->g.nthreads; t-- > 0;) {
    if (!graph_thread_length(&x->g, t))
      continue;
    switch (waits_for(x, t, &whom)) {
    case WAIT_ASSUME:
      return GO_ON;
    case WAIT_NOTHING:
    case WAIT_CHANCE:
      is_open = true;
      break;
    case WAIT_AWAIT:
      spin = t;
      break;
    case WAIT_LOCK:
    case WAIT_TAKE:
      lock = t;
      break;
    case WAIT_JOIN:
      // Joining a thread that is stuck is a consequence, unless it is a cycle.
      if (lock == NO_THREAD)
        lock = t;
      break;
    case WAIT_NONE:
      break;
    }
  }
  if (is_open)
    return livelock_look_at_waits(x);
  if (spin != NO_THREAD)
    return report_hang(x, spin);
  return lock == NO_THREAD ? GO_ON : report_deadlock(x, lock);
}
