// SPDX-License-Identifier: MIT
// Errors that need the graph: races, locks, deadlocks (lifetime.c has those of
// objects). Each check looks at a new event against what is in the graph;
// whatever comes later in the search is checked when it comes.
#include "explore/internal.h"

#include <stdio.h>

struct finding error_at(const struct explorer *x, enum finding_kind kind,
                        event_id id) {
  const struct event *e = &x->g.events[id];
  return (struct finding){.kind = kind,
                          .thread = e->thread,
                          .site = vm_site(x->vm, e->pre),
                          .event = id,
                          .other = NO_EVENT,
                          .other_site = NO_SITE};
}

struct finding error_of_thread(const struct explorer *x, enum finding_kind kind,
                               thread_id t) {
  event_id last = graph_tail(&x->g, t);
  state_id at = x->g.threads[t].state;
  return (struct finding){.kind = kind,
                          .thread = t,
                          .site =
                              vm_site(x->vm, at ? at : x->g.events[last].pre),
                          .event = at ? NO_EVENT : last,
                          .other = NO_EVENT,
                          .other_site = NO_SITE};
}

void error_name_other(const struct explorer *x, struct finding *f,
                      event_id id) {
  const struct event *e = &x->g.events[id];
  f->other = id;
  f->other_site = vm_site(x->vm, e->pre);
  f->other_thread = e->thread;
}

bool finding_is_same(const struct finding *a, const struct finding *b) {
  return a->kind == b->kind && a->site == b->site &&
         a->other_site == b->other_site;
}

static bool is_known(const struct explorer *x, const struct finding *f) {
  for (uint32_t i = 0; i < x->result.findings.len; i++)
    if (finding_is_same(&x->result.findings.at[i], f))
      return true;
  return false;
}

// Nothing is defined after the finding, but it does not end the search.
static void note_undefined(struct explorer *x, enum finding_kind k) {
  char why[80];
  snprintf(why, sizeof why, "nothing is defined after %s", finding_name(k));
  explore_note_cut(x, why);
}

// The finding is one of a graph that is known to be consistent.
static void add_finding(struct explorer *x, struct finding f) {
  f.is_warning = x->config.warning[f.kind];
  if (finding_is_final(f.kind) && (x->config.disabled[f.kind] || f.is_warning))
    note_undefined(x, f.kind);
  if (x->config.disabled[f.kind])
    return;
  bool is_new = !is_known(x, &f);
  if (is_new)
    array_push(&x->result.findings, f);
  if (is_new || x->config.repeats) {
    if (x->tracks)
      deps_fill(x); // for the report
    if (x->config.on_finding)
      x->config.on_finding(x->config.arg, x->vm, &x->g, &f);
  }
  if (!x->config.all_errors && !f.is_warning)
    x->running = false;
}

void error_add(struct explorer *x, struct finding f) {
  // The graph may never become consistent; if it does, the error is found again
  // when it is complete.
  if (explore_judges_at_end(x) && x->tracks)
    deps_fill(x);
  if (!explore_judges_at_end(x) ||
      model_allows_complete(x->config.model, &x->g, &x->config.model_options))
    add_finding(x, f);
}

void error_add_warnings(struct explorer *x) {
  while (x->warnings < x->vm->warnings.len) {
    const struct vm_warning *w = &x->vm->warnings.at[x->warnings++];
    struct finding f = {.kind = w->kind,
                        .thread = w->thread,
                        .site = w->site,
                        .event = NO_EVENT,
                        .other = NO_EVENT,
                        .other_site = NO_SITE};
    snprintf(f.message, sizeof f.message, "%s", vm_text(x->vm, w->text));
    error_add(x, f);
  }
}

// ---- races

static bool conflict(const struct event *a, const struct event *b) {
  return (a->kind == EV_WRITE || b->kind == EV_WRITE) &&
         (a->order == ORD_NA || b->order == ORD_NA);
}

static void report_race(struct explorer *x, event_id id, event_id other) {
  const struct event *e = &x->g.events[id], *o = &x->g.events[other];
  struct finding f = error_at(x, FIND_RACE, id);
  error_name_other(x, &f, other);
  snprintf(f.message, sizeof f.message,
           "%s %s races with %s %s of thread %u: nothing orders them",
           e->order == ORD_NA ? "non-atomic" : "atomic",
           e->kind == EV_WRITE ? "write" : "read",
           o->order == ORD_NA ? "non-atomic" : "atomic",
           o->kind == EV_WRITE ? "write" : "read", o->thread);
  error_add(x, f);
}

// What happens before by the clocks does so by C++11's longer sequences too.
bool explore_hb(const struct explorer *x, event_id a, event_id b) {
  const struct model_options *o = &x->config.model_options;
  return graph_hb(&x->g, a, b) ||
         (o->c11_release_sequences && model_sequences_differ(&x->g) &&
          model_hb(&x->g, o, a, b));
}

// Looks for a race of `id` with the accesses of location `loc`, which has bytes
// in common with its own. True: there is one, and it was reported.
static bool find_race(struct explorer *x, event_id id, loc_id loc) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  const struct graph_loc *l = &g->locs.at[loc];
  if (x->config.disabled[FIND_RACE])
    return false;
  for (uint64_t rest = l->threads & ~(1ull << e->thread); rest;
       rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    const struct event_list *list = &l->by_thread[u];
    uint32_t ordered = clock_get(&g->clocks, e->hb, u);
    for (uint32_t i = list->len; i-- > 0;) {
      const struct event *o = &g->events[list->at[i]];
      if (o->index < ordered)
        break;
      if (!conflict(e, o) || graph_hb(g, id, list->at[i]))
        continue;
      report_race(x, id, list->at[i]);
      return true;
    }
  }
  return false;
}

// By the clocks, which know C++20's release sequences.
static void check_race_by_clocks(struct explorer *x, event_id id) {
  loc_id loc = x->g.events[id].loc;
  if (x->g.locs.at[loc].na)
    find_race(x, id, loc);
}

static void check_race(struct explorer *x, event_id id) {
  if (!x->config.model_options.c11_release_sequences)
    check_race_by_clocks(x, id);
}

void error_check_races_at_end(struct explorer *x) {
  event_id one, other;
  if (x->config.disabled[FIND_RACE])
    return;
  if (model_sequences_differ(&x->g)) {
    if (model_race(&x->g, &x->config.model_options, &one, &other))
      report_race(x, one, other);
    return;
  }
  for (event_id e = x->g.events[INIT_EVENT].next; x->running && e != NO_EVENT;
       e = x->g.events[e].next)
    if (is_access(&x->g.events[e]))
      check_race_by_clocks(x, e);
}

// ---- memory

static unsigned line_of(const struct explorer *x, site_id site) {
  return site == NO_SITE ? 0 : x->vm->prog->source.at[site].line;
}

// Two accesses of different size to the same bytes: what a read of them yields
// cannot be said by one write that it reads from. The search ends, whatever the
// model thinks of the graph so far, because the values in it are wrong.
static void refuse_mixed_size(struct explorer *x, event_id id, loc_id other) {
  const struct event *e = &x->g.events[id];
  const struct graph_loc *l = &x->g.locs.at[other];
  const struct event_list *list = &l->by_thread[__builtin_ctzll(l->threads)];
  if (cells_learn(x, id, list->at[0]))
    return;
  struct finding f = error_at(x, FIND_UNSUPPORTED, id);
  error_name_other(x, &f, list->at[0]);
  const struct location *one = vm_location(x->vm, e->loc),
                        *two = vm_location(x->vm, other);
  snprintf(f.message, sizeof f.message,
           "this access of %u byte%s (thread %u) overlaps the access of %u "
           "byte%s in line %u (thread %u); Heddle does not support accesses of "
           "different size to the same memory\n"
           "give both of them the same type, or copy the whole object with "
           "memcpy into a local variable and take it apart there%s",
           one->size, one->size == 1 ? "" : "s", e->thread, two->size,
           two->size == 1 ? "" : "s", line_of(x, f.other_site), f.other_thread,
           x->config.team ? "; without --jobs more of this is understood" : "");
  add_finding(x, f);
  x->running = false;
}

// An access of other size to the same bytes is in the graph. If nothing orders
// the two, that is a race like any other.
static void check_mixed_size(struct explorer *x, event_id id) {
  loc_id loc = x->g.events[id].loc, found = NO_LOC;
  for (loc_id o = vm_next_overlap(x->vm, loc, NO_LOC); o != NO_LOC;
       o = vm_next_overlap(x->vm, loc, o)) {
    if (o >= x->g.locs.len || !x->g.locs.at[o].threads)
      continue;
    found = o;
    if (!x->config.model_options.c11_release_sequences && find_race(x, id, o) &&
        !x->running)
      return;
  }
  if (found != NO_LOC)
    refuse_mixed_size(x, id, found);
}

void error_check_access(struct explorer *x, event_id id) {
  const struct location *l = vm_location(x->vm, x->g.events[id].loc);
  if (l->object != NO_OBJECT || x->has_thread_locals)
    lifetime_check_access(x, id);
  if (x->running && l->overlaps)
    check_mixed_size(x, id);
  if (x->running)
    check_race(x, id);
  // A race with what the object was filled with says more.
  if (x->running && l->object != NO_OBJECT)
    lifetime_check_alloc(x, id, l->object);
}

// ---- locks

void error_check_lock(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (!lock_waits(e) ||
      (e->value != e->thread + 1u && e->value != SYNC_DESTROYED))
    return;
  bool is_gone = e->value == SYNC_DESTROYED;
  struct finding f = error_at(x, is_gone ? FIND_SYNC_MISUSE : FIND_RELOCK, id);
  error_name_other(x, &f, e->rf);
  snprintf(f.message, sizeof f.message, "lock of a mutex that %s",
           is_gone ? "was destroyed" : "this thread holds already");
  error_add(x, f);
}

// An unlock must follow the lock of the same thread, in co of the mutex.
void error_check_unlock(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  event_id before = x->g.locs.at[e->loc].co.at[e->co - 1];
  bool is_uninit;
  uint64_t word = step_value_of(x, e->loc, before, &is_uninit);
  if (word == e->thread + 1u)
    return;
  bool is_gone = word == SYNC_DESTROYED;
  struct finding f =
      error_at(x, is_gone ? FIND_SYNC_MISUSE : FIND_UNLOCK_NOT_HELD, id);
  if (before != INIT_EVENT)
    error_name_other(x, &f, before);
  if (is_gone)
    snprintf(f.message, sizeof f.message,
             "unlock of a mutex that was destroyed");
  else if (word == 0)
    snprintf(f.message, sizeof f.message,
             "unlock of a mutex that nobody holds");
  else
    snprintf(f.message, sizeof f.message,
             "unlock of a mutex that thread %llu holds",
             (unsigned long long)word - 1);
  error_add(x, f);
}

void error_check_all(struct explorer *x) {
  for (event_id e = x->g.events[INIT_EVENT].next; x->running && e != NO_EVENT;
       e = x->g.events[e].next) {
    const struct event *event = &x->g.events[e];
    if (is_access(event))
      error_check_access(x, e);
    if (x->running && event->kind == EV_FREE)
      lifetime_check_free(x, e);
    if (x->running && event->kind == EV_END)
      lifetime_check_end(x, e);
    if (x->running && event->kind == EV_READ)
      error_check_lock(x, e);
    if (x->running && event->kind == EV_WRITE && (event->flags & EVF_UNLOCK))
      error_check_unlock(x, e);
  }
}

// ---- deadlocks and hangs

enum wait {
  WAIT_NONE,    // the thread has ended
  WAIT_ASSUME,  // an assumption does not hold: the execution does not count
  WAIT_LOCK,    // for a lock that *whom holds
  WAIT_TAKE,    // in the library, for what nobody will do
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
  if (retry_stopped(last))
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
    if (waiting->kind != ACC_TAKE)
      return await_misses(x, id) ? WAIT_CHANCE : WAIT_AWAIT;
    return waiting->flags & ACCF_TIMED ? WAIT_ASSUME : WAIT_TAKE;
  }
  const struct access *a = vm_access(x->vm, g->threads[t].state);
  if (unroll_was_cut(x, t) || a->kind != ACC_JOIN)
    return WAIT_ASSUME; // or an error that is put off (--all-errors)
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
    if (step_value_of(x, e->loc, co->at[co->len - 1], &is_uninit) != e->value)
      return false;
  }
  return true;
}

static void report_hang(struct explorer *x, thread_id t) {
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
           "thread %u spins here for ever: what it reads is the newest value, "
           "and nobody will write another one",
           t);
  error_add(x, f);
}

// The library function to which the event belongs.
static const char *called_at(const struct explorer *x, event_id id) {
  site_id site = vm_site(x->vm, x->g.events[id].pre);
  return site == NO_SITE ? "the library"
                         : prog_text(x->prog, x->prog->source.at[site].text);
}

// Threads wait for each other, for a lock whose holder has ended, or for a call
// that nobody will make: names the chain that starts with t.
static void report_deadlock(struct explorer *x, thread_id t) {
  struct finding f = error_of_thread(x, FIND_DEADLOCK, t);
  size_t n = 0;
  thread_id u = t, whom;
  for (uint32_t steps = 0; steps < x->g.nthreads; steps++) {
    enum wait w = waits_for(x, u, &whom);
    if (w == WAIT_TAKE)
      snprintf(f.message + n, sizeof f.message - n,
               "%sthread %u waits in %s for what no thread will do any more",
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
  error_add(x, f);
}

bool error_only_waits(const struct explorer *x) {
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

// No thread can run. If an assumption stopped one, this end says nothing; if
// one waits with an old state, it is an error only if the threads can come back
// to it for ever [awaits: 5.5].
void error_check_blocked(struct explorer *x) {
  thread_id lock = NO_THREAD, spin = NO_THREAD, whom;
  bool is_open = false;
  if (explore_main_has_returned(x))
    return;
  for (thread_id t = x->g.nthreads; t-- > 0;) {
    if (!graph_thread_length(&x->g, t))
      continue;
    switch (waits_for(x, t, &whom)) {
    case WAIT_ASSUME:
      return;
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
    livelock_look_at_waits(x);
  else if (spin != NO_THREAD)
    report_hang(x, spin);
  else if (lock != NO_THREAD)
    report_deadlock(x, lock);
}
