// SPDX-License-Identifier: MIT
// Livelocks: threads that change something in every round, so that none of
// their loops is an await, and yet get nowhere, such as two that overwrite each
// other's mark.
//
// We look for a part of an execution that could happen again: a *prefix*, then
// a *suffix* of one round for each thread that can run. Each of these threads
// comes back to the state it was in; the suffix reads only what it wrote itself
// or what the prefix wrote last; nothing in the prefix depends on the suffix;
// and memory has the values that it had. Then the suffix can follow itself. All
// edges between two copies lead forward, so a cycle would be within one copy,
// where there is none: the longer graph is consistent in every model whose
// axioms forbid cycles, with any number of copies. Every thread moves in each
// copy and sees what the one before wrote last; no fairness ends that.
//
// That is asked of every execution that has such rounds, as soon as some thread
// has come back to a state without having waited there (await.c). Most have
// none: a round that finds a value, and then another one that is no part of any
// round, does not find the first one again. So whether there are rounds at all
// is asked before the last events are added, for which nothing else may look
// (reduce/leaf.c, tail.c): these are in no round, but the next event of a
// thread tells whether one ends before it. Not all rounds are tried. This finds
// livelocks; it proves no absence.
//
// Threads that only back off in C++'s std::lock, which is there so that nobody
// waits for ever, are a kind of their own: they would have to stay in step.
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_ROUNDS = 8, // the newest of a thread that are tried
  MAX_TRIES = 256,
  ACCESSES = 16,
};

enum part { PREFIX, SUFFIX, REST };

// The rounds of a thread that are tried, the newest first.
struct rounds {
  uint32_t first[MAX_ROUNDS], end[MAX_ROUNDS], n;
  uint32_t least;      // first
  uint32_t first_join; // or its length
};

struct tries {
  struct rounds of[MAX_THREADS];
  struct repeated split;    // the suffix that is tried
  struct repeated back_off; // the first livelock that is only one of std::lock
  bool has_back_off;
  uint32_t n;
};

static enum part part_of(const struct graph *g, const struct repeated *s,
                         event_id id) {
  const struct event *e = &g->events[id];
  if (id == INIT_EVENT || e->index < s->first[e->thread])
    return PREFIX;
  return e->index < s->end[e->thread] ? SUFFIX : REST;
}

// The last writes to `loc` of the prefix and before the rest. False: co goes
// back from the suffix to the prefix.
static bool find_last(const struct graph *g, const struct repeated *s,
                      uint32_t loc, event_id *before, event_id *after) {
  const struct event_list *co = &g->locs.at[loc].co;
  *before = *after = INIT_EVENT;
  for (uint32_t k = 1; k < co->len; k++) {
    enum part p = part_of(g, s, co->at[k]);
    if (p == REST)
      continue;
    if (p == PREFIX && *before != *after)
      return false;
    *after = co->at[k];
    if (p == PREFIX)
      *before = co->at[k];
  }
  return true;
}

// May the event of the suffix happen again?
static bool repeats(const struct explorer *x, const struct repeated *s,
                    event_id id) {
  const struct graph *g = &x->g;
  const struct event *e = &g->events[id];
  event_id before, after;
  if (e->kind == EV_FENCE || e->kind == EV_ANSWER)
    return true;
  if (!is_access(e) || !find_last(g, s, e->loc, &before, &after))
    return false;
  // Who only waits for a lock that others take again and again gets it some
  // time.
  if (lock_word_is_locked_out(x, id))
    return false;
  bool was_uninit, is_uninit;
  return (e->kind == EV_WRITE || e->rf == before ||
          part_of(g, s, e->rf) == SUFFIX) &&
         event_value_of(x, e->loc, before, &was_uninit) ==
             event_value_of(x, e->loc, after, &is_uninit) &&
         !was_uninit && !is_uninit;
}

static bool has_later_source(const struct graph *g, const struct repeated *s,
                             const struct event *e, enum part of) {
  bool has_source =
      e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN;
  return has_source && e->rf != NO_EVENT && part_of(g, s, e->rf) > of;
}

// May the suffix happen again, and does it write?
static bool repeats_suffix(const struct explorer *x, const struct repeated *s) {
  const struct graph *g = &x->g;
  bool writes = false;
  for (thread_id t = 0; t < g->nthreads; t++)
    for (uint32_t i = s->first[t]; i < s->end[t]; i++) {
      event_id id = graph_at(g, t, i);
      const struct event *e = &g->events[id];
      if (has_later_source(g, s, e, SUFFIX) || !repeats(x, s, id))
        return false;
      writes |= e->kind == EV_WRITE && !lock_word_is_one(x, e->loc);
    }
  return writes;
}

// Is the split what the head of this file says?
static bool is_livelock(const struct explorer *x, const struct repeated *s) {
  const struct graph *g = &x->g;
  if (!repeats_suffix(x, s))
    return false;
  for (event_id id = g->last; id != INIT_EVENT; id = g->events[id].prev)
    if (part_of(g, s, id) == PREFIX &&
        has_later_source(g, s, &g->events[id], PREFIX))
      return false;
  return true;
}

// Has thread t not ended, as far as the split goes?
static bool is_unfinished(const struct graph *g, const struct repeated *s,
                          thread_id t) {
  uint32_t length = graph_thread_length(g, t);
  return length &&
         (s->end[t] < length || g->events[graph_tail(g, t)].kind != EV_END);
}

// Threads without a round in the suffix must have a reason: they have ended, or
// join one that has not. False: this one has none. (It joins none before the
// event at index i.)
static bool find_still(const struct explorer *x, struct repeated *s,
                       thread_id t, uint32_t i) {
  const struct graph *g = &x->g;
  uint32_t length = graph_thread_length(g, t);
  for (; i < length; i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->kind == EV_JOIN && is_unfinished(g, s, e->loc))
      break;
  }
  s->first[t] = s->end[t] = i;
  if (length && i == length && schedule_ends_program(x, t))
    return false; // the program is over
  if (i < length || !is_unfinished(g, s, t))
    return true;
  state_id now = g->threads[t].state;
  const struct access *a = vm_access(x->vm, now);
  return now && a->kind == ACC_JOIN && a->value < g->nthreads &&
         is_unfinished(g, s, (thread_id)a->value);
}

static bool is_in_std_lock(const struct explorer *x, event_id id) {
  enum { MOST = 32 };
  site_id sites[MOST];
  unsigned n = vm_backtrace(x->vm, x->g.events[id].pre, sites, MOST);
  for (unsigned i = 0; i < n; i++) {
    const struct source *s = &x->prog->source.at[sites[i]];
    if (s->header == IN_HEADER &&
        strcmp(prog_text(x->prog, s->func), "std::lock") == 0)
      return true;
  }
  return false;
}

// Does std::lock alone write in the rounds?
static bool is_back_off(const struct explorer *x, const struct repeated *s) {
  for (thread_id t = 0; t < x->g.nthreads; t++)
    for (uint32_t i = s->first[t]; i < s->end[t]; i++) {
      event_id id = graph_at(&x->g, t, i);
      if (x->g.events[id].kind == EV_WRITE && !is_in_std_lock(x, id))
        return false;
    }
  return true;
}

static enum outcome report(struct explorer *x, const struct repeated *s) {
  char threads[4 * MAX_THREADS];
  size_t n = 0;
  unsigned count = 0;
  event_id event = NO_EVENT;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (s->first[t] == s->end[t])
      continue;
    n += (size_t)snprintf(threads + n, sizeof threads - n, "%s%u",
                          count++ ? ", " : "", t);
    if (event == NO_EVENT)
      event = graph_at(&x->g, t, s->first[t]);
  }
  struct finding f =
      error_at(x, is_back_off(x, s) ? FIND_BACK_OFF : FIND_LIVELOCK, event);
  snprintf(f.message, sizeof f.message,
           "thread%s %s can repeat this round for ever: it writes, and leaves "
           "everything as it was",
           count == 1 ? "" : "s", threads);
  f.again = s;
  return error_add(x, f);
}

// Tries the rounds of thread t, counted down, with those of the ones below it:
// a thread only joins those that it created, which have higher numbers. One
// that is only a back-off is kept, and the others are still tried.
static bool try_from(struct explorer *x, struct tries *all, thread_id t) {
  struct repeated *s = &all->split;
  if (all->n > MAX_TRIES)
    return false;
  if (t == 0) {
    all->n++;
    if (!is_livelock(x, s))
      return false;
    if (!is_back_off(x, s))
      return true;
    if (!all->has_back_off)
      all->back_off = *s;
    all->has_back_off = true;
    return false;
  }
  t--;
  const struct rounds *r = &all->of[t];
  for (uint32_t k = 0; k < r->n; k++) {
    s->first[t] = r->first[k];
    s->end[t] = r->end[k];
    if (try_from(x, all, t))
      return true;
  }
  return find_still(x, s, t, r->first_join) && try_from(x, all, t);
}

static void add_round(struct rounds *r, uint32_t first, uint32_t end) {
  if (r->n == MAX_ROUNDS)
    return;
  r->least = r->n && r->least < first ? r->least : first;
  r->first[r->n] = first;
  r->end[r->n++] = end;
}

// The newest rounds of thread t; with the next event to come, also that which
// ends where it is now.
static void find_rounds(const struct explorer *x, thread_id t, bool with_next,
                        struct rounds *r) {
  const struct graph *g = &x->g;
  uint32_t length = graph_thread_length(g, t);
  state_id now = with_next ? g->threads[t].state : 0;
  uint32_t newest = now ? graph_newest_with(g, t, now) : 0;
  r->n = 0;
  r->first_join = length;
  if (newest && vm_access(x->vm, now)->kind != ACC_RMW_WRITE)
    add_round(r, newest - 1, length);
  const event_id *po = g->threads[t].events.at;
  const struct event *events = g->events;
  for (uint32_t i = length; i-- > 0;) {
    const struct event *e = &events[po[i]];
    if (e->kind == EV_JOIN)
      r->first_join = i;
    else if (e->same && !(e->kind == EV_WRITE && (e->flags & EVF_EXCLUSIVE)))
      add_round(r, e->same - 1, i);
  }
}

// Is the event in no round of its thread? Then it is in the prefix if anything
// in a suffix reads it, and the last write there.
static bool is_in_none(const struct graph *g, const struct tries *all,
                       event_id id) {
  const struct event *e = &g->events[id];
  const struct rounds *r = &all->of[e->thread];
  return id == INIT_EVENT || !r->n || e->index < r->least ||
         e->index >= r->end[0];
}

// By location, as many as there is room for: the last access of a thread, and
// its last read of a write that is in no round.
struct accesses {
  event_id last[ACCESSES], read[ACCESSES];
  uint32_t has_read; // bits
};

// The next event of a thread in its rounds is `id`. Where does a round begin at
// the earliest that it is in? Before a read of a write that is in no round are
// only reads of the same write: coherence has all that others read, or wrote,
// before that one, and so before the suffix.
static uint32_t may_begin(const struct graph *g, const struct tries *all,
                          struct accesses *a, event_id id) {
  const struct event *e = &g->events[id];
  if (!is_access(e))
    return e->kind == EV_FENCE || e->kind == EV_ANSWER ? 0 : e->index + 1;
  unsigned at = e->loc % ACCESSES;
  event_id last = a->last[at];
  const struct event *before = &g->events[last];
  bool is_first = last == INIT_EVENT || before->loc != e->loc;
  a->last[at] = id;
  if (is_first)
    a->has_read &= ~(1u << at);
  if (e->kind != EV_READ || !is_in_none(g, all, e->rf))
    return 0;
  a->read[at] = id;
  a->has_read |= 1u << at;
  bool is_same = before->kind == EV_READ && before->rf == e->rf;
  return is_first || is_same ? 0 : before->index + 1;
}

// Do rounds of other threads than t write the location?
static bool others_write(const struct graph *g, const struct tries *all,
                         thread_id t, uint32_t loc) {
  const struct event_list *co = &g->locs.at[loc].co;
  for (uint32_t k = co->len; k-- > 1;)
    if (g->events[co->at[k]].thread != t && !is_in_none(g, all, co->at[k]))
      return true;
  return false;
}

// Does the round of thread t that begins there, and ends with these accesses,
// leave another value than it found, where no other round writes?
static bool leaves_another(const struct graph *g, const struct tries *all,
                           const struct accesses *a, thread_id t,
                           uint32_t first) {
  for (uint32_t rest = a->has_read; rest; rest &= rest - 1) {
    unsigned i = (unsigned)__builtin_ctz(rest);
    const struct event *r = &g->events[a->read[i]];
    const struct event *w = &g->events[a->last[i]];
    if (w->kind == EV_WRITE && w->value != r->value && r->index >= first &&
        !others_write(g, all, t, w->loc))
      return true;
  }
  return false;
}

// Leaves out rounds of thread t that cannot be part of a suffix. (The newest
// one, which ends last, is the first of them.)
static bool drop_rounds(const struct graph *g, struct tries *all, thread_id t) {
  const struct rounds old = all->of[t];
  struct accesses a = {.last = {INIT_EVENT}};
  uint32_t begin = 0, i = old.least;
  bool is_kept[MAX_ROUNDS];
  for (uint32_t k = old.n; k-- > 0;) {
    for (; i < old.end[k]; i++) {
      uint32_t least = may_begin(g, all, &a, graph_at(g, t, i));
      begin = least > begin ? least : begin;
    }
    is_kept[k] =
        old.first[k] >= begin && !leaves_another(g, all, &a, t, old.first[k]);
  }
  all->of[t].n = 0;
  for (uint32_t k = 0; k < old.n; k++)
    if (is_kept[k])
      add_round(&all->of[t], old.first[k], old.end[k]);
  return all->of[t].n < old.n;
}

// Finds the rounds that a suffix could be made of. False: there are none.
// (Without coherence none is left out.)
static bool find_all_rounds(const struct explorer *x, bool with_next,
                            struct tries *all) {
  uint64_t have = 0;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    find_rounds(x, t, with_next, &all->of[t]);
    have |= (uint64_t)(all->of[t].n != 0) << t;
  }
  bool is_coherent = x->g.coherence != COHERENCE_NONE && !explore_ignores_co(x);
  uint64_t todo = is_coherent ? have : 0;
  while (todo) {
    thread_id t = (thread_id)__builtin_ctzll(todo);
    uint64_t bit = UINT64_C(1) << t;
    todo &= ~bit;
    if (!drop_rounds(&x->g, all, t))
      continue;
    if (!all->of[t].n)
      have &= ~bit;
    todo |= have & ~bit; // something is in no round now
  }
  return have;
}

static bool is_asked(const struct explorer *x) {
  return !x->config.disabled[FIND_LIVELOCK] && !explore_judges_at_end(x) &&
         !x->config.model_options.in_pieces;
}

// Can the threads repeat for ever what they did in this execution?
static enum outcome look(struct explorer *x) {
  struct tries all;
  if (!is_asked(x))
    return GO_ON;
  all.n = 0;
  all.has_back_off = false;
  if (find_all_rounds(x, /*with_next=*/false, &all)) {
    if (try_from(x, &all, x->g.nthreads))
      return report(x, &all.split);
    if (all.has_back_off)
      return report(x, &all.back_off);
  }
#if HEDDLE_SLOW_CHECKS
  for (thread_id t = 0; t < x->g.nthreads; t++)
    find_rounds(x, t, /*with_next=*/false, &all.of[t]);
  all.n = 0;
  check(!try_from(x, &all, x->g.nthreads) && !all.has_back_off);
#endif
  return GO_ON;
}

// Threads that wait come back to where their rounds began as well; what they
// wrote in between may be what the others only just miss. (A thread joins those
// that it created, which have higher numbers.)
enum outcome livelock_look_at_waits(struct explorer *x) {
  struct repeated s = {0};
  const struct graph *g = &x->g;
  if (x->config.disabled[FIND_LIVELOCK] ||
      x->config.model_options.c11_release_sequences ||
      x->config.model_options.in_pieces)
    return GO_ON;
  for (thread_id t = g->nthreads; t-- > 0;) {
    uint32_t length = graph_thread_length(g, t);
    if (length && await_waits(x, graph_tail(g, t), &s.first[t]))
      s.end[t] = length;
    else if (!find_still(x, &s, t, 0))
      return GO_ON;
  }
  return is_livelock(x, &s) ? report(x, &s) : GO_ON;
}

// ---- hooks

// Some thread came back to a state, and did not wait.
struct livelocks {
  bool are_expected;
};

static struct livelocks *livelocks_of(const struct explorer *x) {
  return x->state[MECHANISM_LIVELOCK];
}

static void init(struct explorer *x) {
  x->state[MECHANISM_LIVELOCK] = xcalloc(1, sizeof(struct livelocks));
}

static void done(struct explorer *x) {
  free(livelocks_of(x));
}

// A thread is in a state in which it was before, and does not wait (await.c is
// asked first): there may be a round that could be repeated for ever, in this
// execution or another one.
static void expect(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (livelocks_of(x)->are_expected || !e->state ||
      (!explore_reduces(x, REDUCE_AWAITS) &&
       vm_access(x->vm, e->pre)->kind != ACC_TAKE))
    return;
  livelocks_of(x)->are_expected = true;
  hooks_gather(x);
}

static const char *why_not(const struct explorer *x) {
  return x->config.disabled[FIND_LIVELOCK] ? "the check is off" : NULL;
}

const struct mechanism livelock_hooks = {
    .init = init,
    .done = done,
    .why_not = why_not,
    .came_back = expect,
    .too_long = look,
};

static const char *why_not_next(const struct explorer *x) {
  return livelocks_of(x)->are_expected ? why_not(x) : "no thread came back";
}

static bool are_next(struct explorer *x, uint32_t n) {
  struct tries all;
  (void)n;
  return is_asked(x) && find_all_rounds(x, /*with_next=*/true, &all);
}

const struct mechanism repeats_hooks = {
    .why_not = why_not_next,
    .wants_whole = are_next,
    .at_end = look,
};
