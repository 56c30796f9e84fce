// SPDX-License-Identifier: MIT
// Leaves of the search: the last event before the tail of an execution. If all
// threads but one stand before their ends, and the next event of that one leads
// to its end as well, then each source that it may read from, and each place
// that it may take in co, is one execution. There are more of these than of all
// other events together, so they are counted without adding the event.
//
// That is done only if nothing could notice: the tail itself would not be added
// (tail.c); nothing can be wrong with the event (it is no access to memory that
// comes and goes, that others overlap, or that may race, also as justify.c has
// it); it ends no round of a loop; no load buffering is missed that is told of
// whole graphs (promise/pieces.c); and the model allows it, which is asked
// unless the model takes everything, or whatever is newer than what it has
// allowed. Where C++11's release sequences may be longer than C++20's, the
// whole graph is judged, with the event; no error waits for that (tail.c).
// Where the event may break an axiom that only complete graphs are asked about,
// or raise a flag, and where it is not like that for another reason, it is left
// to the search. So are the executions that are looked at now and then
// (rounds.c), or for their rounds (livelock.c). Revisits are choices of their
// own, and stay.
//
// An explorer that follows a path (task.c) finds all options, and takes the one
// of the path.
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"
#include "explore/reduce/tail.h"

#include <stdlib.h>

enum { MAX_MISSES = 2 };

// By state: how often none of its options was a leaf.
struct leaf {
  ARRAY(uint8_t) misses;
};

static struct leaf *leaf_of(const struct explorer *x) {
  return x->state[REDUCTION_LEAF];
}

static void init(struct explorer *x) {
  x->state[REDUCTION_LEAF] = xcalloc(1, sizeof(struct leaf));
}

static void done(struct explorer *x) {
  array_done(&leaf_of(x)->misses);
  free(leaf_of(x));
}

static void begin(struct explorer *x) {
  leaf_of(x)->misses.len = 0;
}

// Slow checks look whether an execution was met before (names.c).
static bool names_all(const struct model *m) {
  return HEDDLE_SLOW_CHECKS && m->justifier;
}

static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  if (c->read_bound)
    return "--read-bound";
  if (explore_is_bounded(c))
    return "--bound";
  if (x->limits.max_executions || x->observer.on_execution || c->replay)
    return "executions are looked at one by one";
  return names_all(c->model) ? "slow checks name all executions" : NULL;
}

static bool is_simple_kind(const struct explorer *x, thread_id t,
                           const struct access *a) {
  uint32_t special = ACCF_LINKED | ACCF_PIECE | ACCF_PICK | ACCF_UNINIT;
  switch ((enum access_kind)a->kind) {
  case ACC_READ:
  case ACC_WRITE:
    return !(a->flags & special);
  case ACC_CAS_READ:
    return !(a->flags & (ACCF_TRYLOCK | ACCF_PICK));
  case ACC_RMW_WRITE:
    return !(a->flags & special) &&
           !(x->g.events[graph_tail(&x->g, t)].flags & (EVF_LOCK | EVF_SPIN));
  default:
    return false;
  }
}

// Is there nothing to be found out about the memory?
static bool is_simple_place(const struct explorer *x, const struct access *a) {
  const struct location *l = vm_location(x->vm, a->loc);
  bool may_race = !x->config.disabled[FIND_RACE] &&
                  (a->order == ORD_NA || x->g.locs.at[a->loc].na);
  return l->object == NO_OBJECT && !l->overlaps && !may_race;
}

// May the next access of thread t be the last event before a tail, which has so
// many?
static bool is_leaf(struct explorer *x, thread_id t, const struct access *a,
                    uint32_t *events) {
  const struct search_options *c = &x->config;
  return x->follows.mode == SEARCH && tail_follows(x, t, events) &&
         is_simple_kind(x, t, a) && is_simple_place(x, a) &&
         !promise_asks_whole(x) &&
         (c->disabled[FIND_LEAK] || !x->g.objects.len) &&
         (!x->limits.max_events ||
          x->g.live + 1 + *events <= x->limits.max_events);
}

// Does thread t end, with a result that does not matter, when its access yields
// this value?
static bool ends(struct explorer *x, thread_id t, uint64_t value,
                 state_id *next) {
  state_id pre = x->g.threads[t].state;
  uint64_t withheld = x->vm->withheld;
  vm_try_begin(x->vm);
  *next = vm_step(x->vm, pre, value);
  vm_try_end(x->vm);
  const struct access *a = vm_access(x->vm, *next);
  return x->vm->withheld == withheld && access_ends_plainly(a) &&
         tail_ignores(x, t, a->value);
}

static bool is_read(const struct access *a) {
  return a->kind == ACC_READ || a->kind == ACC_CAS_READ;
}

// Does thread t end if it reads that, or writes there?
static bool ends_with(struct explorer *x, thread_id t, const struct access *a,
                      uint32_t option) {
  state_id next;
  bool is_uninit;
  if (!is_read(a))
    return ends(x, t, 0, &next);
  uint64_t value = event_value_of(x, a->loc, option, &is_uninit);
  return !is_uninit && !(a->kind == ACC_CAS_READ && cas_succeeds(a, value)) &&
         ends(x, t, value, &next) && !retry_may_stop(x, t, a->loc, value, next);
}

// Is the complete graph judged by C++11's release sequences? Not if these could
// not be longer than C++20's, whatever is read and wherever the event comes in
// co: no thread has written to a location after it has released there. (A store
// that comes last is read by nobody.)
static bool judges_sequences(const struct explorer *x) {
  return x->config.model_options.c11_release_sequences &&
         (x->config.model->text || model_sequences_may_differ(&x->g));
}

// Does the model allow the event with this source or place? is_complete: the
// graph may be judged as it is complete then. is_unsure: the complete graph has
// to be asked whether that tells anything more.
static bool is_allowed(struct explorer *x, thread_id t, const struct access *a,
                       uint32_t option, bool is_complete, bool *is_unsure) {
  struct graph_mark mark = graph_mark(&x->g);
  uint64_t added = x->result.events_added;
  if (is_read(a))
    event_make_read(x, t, option);
  event_id id =
      is_read(a) ? graph_add_next(&x->g) : event_add_write(x, t, option);
  bool ok = advance_is_allowed(x, id, NO_EVENT) &&
            (!is_complete || end_is_execution(x));
  *is_unsure = ok && !tail_is_idle(x);
  graph_undo_to(&x->g, mark);
  x->result.events_added = added;
  return ok;
}

// Are the writes that are later in co than the event, and those that read them,
// all the last ones of their threads? Every order of a model leads from the
// event to these, and from these nowhere else, so that it is on no cycle. (What
// texts say may be of another kind.)
static bool leads_nowhere(const struct explorer *x, const struct access *a,
                          uint32_t option) {
  const struct graph *g = &x->g;
  const struct event_list *co = &g->locs.at[a->loc].co,
                          *reads = &g->locs.at[a->loc].reads;
  uint32_t later = is_read(a) ? g->events[option].co + 1 : option;
  if (x->config.model->text)
    return false;
  for (uint32_t i = later; i < co->len; i++)
    if (graph_tail(g, g->events[co->at[i]].thread) != co->at[i])
      return false;
  for (uint32_t i = 0; later < co->len && i < reads->len; i++) {
    const struct event *r = &g->events[reads->at[i]];
    if (g->events[r->rf].co >= later &&
        graph_tail(g, r->thread) != reads->at[i])
      return false;
  }
  return true;
}

// The place of what the event reads, or its own.
static uint32_t place_of(const struct explorer *x, const struct access *a,
                         uint32_t option) {
  return is_read(a) ? x->g.events[option].co : option;
}

static void count(struct explorer *x, uint32_t events) {
  struct explore_result *r = &x->result;
  if (x->g.live + 1 + events > r->max_graph)
    r->max_graph = x->g.live + 1 + events;
  r->executions++;
  r->stands_for += r->stands_for != UINT64_MAX;
  r->extensions += x->cycles.start != NULL;
}

// Whether one of its options ends the thread is a question of values; a state
// that has none again and again is asked no more.
static void note_miss(struct explorer *x, state_id s, bool is_miss) {
  struct leaf *leaf = leaf_of(x);
  if (s >= x->g.transient_states || (!is_miss && s >= leaf->misses.len))
    return;
  while (s >= leaf->misses.len)
    array_push(&leaf->misses, 0);
  leaf->misses.at[s] = is_miss ? (uint8_t)(leaf->misses.at[s] + 1) : 0;
}

static bool misses_always(const struct explorer *x, state_id s) {
  const struct leaf *leaf = leaf_of(x);
  return s < leaf->misses.len && leaf->misses.at[s] >= MAX_MISSES;
}

// The options from `first` on are those of the next event of thread t, and all
// others are at their ends. If the event is the last one before the tail,
// counts the executions that come of them, and takes them off.
static void count_options(struct explorer *x, thread_id t, uint32_t first) {
  state_id pre = x->g.threads[t].state;
  const struct model *m = x->config.model;
  uint32_t kept = first, events;
  bool is_miss = true;
  if (x->options.len == first || misses_always(x, pre))
    return;
  const struct access a = *vm_access(x->vm, pre);
  if (!is_leaf(x, t, &a, &events))
    return;
  enum order order =
      (enum order)(a.kind == ACC_CAS_READ ? a.order_fail : a.order);
  bool judges = false, may_take = !x->g.has_linked;
  bool takes_all = may_take && m->takes_all && m->takes_all(&x->g, order);
  bool are_looked_at = false;
  uint32_t allowed = UINT32_MAX; // the oldest place that the model has allowed
  for (uint32_t i = first; i < x->options.len; i++) {
    uint32_t option = x->options.at[i];
    bool is_last = ends_with(x, t, &a, option);
    if (is_last && is_miss) {
      are_looked_at = hooks_wants_whole(x, x->options.len - i);
      // (Only now: who looks at the graph for events that end nothing takes
      // quadratic time in long threads.)
      if (judges_sequences(x)) {
        judges = true;
        may_take = takes_all = false;
      }
      is_miss = false;
    }
    if (!is_last || are_looked_at) {
      x->options.at[kept++] = option;
      continue;
    }
    uint32_t place = place_of(x, &a, option);
    bool takes =
        takes_all || (may_take && (leads_nowhere(x, &a, option) ||
                                   (m->takes_newer && place >= allowed)));
    bool is_unsure = false;
#if HEDDLE_SLOW_CHECKS
    check(!takes ||
          is_allowed(x, t, &a, option, /*is_complete=*/true, &is_unsure));
#endif
    x->result.events_added++;
    if (!takes && !is_allowed(x, t, &a, option, judges, &is_unsure))
      continue;
    if (is_unsure) {
      x->options.at[kept++] = option;
      continue;
    }
    count(x, events);
    allowed = place < allowed ? place : allowed;
  }
  note_miss(x, pre, is_miss);
  x->options.len = kept;
}

const struct mechanism leaf_hooks = {
    .init = init,
    .done = done,
    .begin = begin,
    .why_not = why_not,
    .at_last = count_options,
};
