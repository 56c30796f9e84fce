// SPDX-License-Identifier: MIT
// The slots of a judge: what it remembers of a graph, and how that follows the
// graph. See judge.h.
#include "cat/judge/judge.h"

#include "cat/eval/sets.h"
#include "model/deps.h"

#include <stdlib.h>
#include <string.h>

enum { SCRATCH = 8 };

// -- memory

static void judge_free(void *judge) {
  struct judge *j = judge;
  free(j->slots);
  free(j->col);
  free(j->row);
  free(j->all_col);
  free(j->all_row);
  free(j->set);
  free(j->led);
  free(j->dirty);
  free(j->class_at);
  free(j->todo);
  free(j->active);
  free(j->initials);
  free(j->scratch);
  for (unsigned i = 0; i < 3; i++)
    free(j->near[i]);
  array_done(&j->slot_of);
  array_done(&j->initial);
  array_done(&j->of_loc);
  array_done(&j->of_thread);
  array_done(&j->log);
  array_done(&j->queue);
  array_done(&j->edges);
  refuter_done(&j->refuter);
  free(j);
}

// Room for that many slots; what was known is forgotten.
static void resize(struct judge *j, uint32_t cap) {
  size_t steps = j->plan->steps.len;
  check(cap && cap % 64 == 0);
  j->cap = cap;
  j->words = cap / 64;
  j->n = 0;
  j->log.len = 0;
  j->is_broken = false;
  size_t size = steps * j->cap * j->words * sizeof(uint64_t);
  j->slots = xrealloc(j->slots, j->cap * sizeof *j->slots);
  j->col = xrealloc(j->col, size);
  j->row = xrealloc(j->row, size);
  memset(j->col, 0, size);
  memset(j->row, 0, size);
  free(j->all_col);
  free(j->all_row);
  size_t all = j->plan->tests.len * j->cap * j->words;
  j->all_col = xcalloc(all, sizeof *j->all_col);
  j->all_row = xcalloc(all, sizeof *j->all_row);
  free(j->set);
  free(j->led);
  free(j->initials);
  free(j->class_at);
  j->class_at = xcalloc(j->cap, sizeof *j->class_at);
  j->set = xcalloc(steps * j->words, sizeof *j->set);
  j->led = xcalloc(steps * j->words, sizeof *j->led);
  j->initials = xcalloc(j->words, sizeof *j->initials);
  j->scratch = xrealloc(j->scratch, SCRATCH * j->words * sizeof *j->scratch);
  for (unsigned i = 0; i < 3; i++)
    j->near[i] = xrealloc(j->near[i], j->words * sizeof *j->near[i]);
  j->dirty =
      xrealloc(j->dirty, (size_t)j->cap * j->dirty_words * sizeof *j->dirty);
  j->initial.len = j->of_loc.len = j->of_thread.len = 0;
  for (unsigned t = 0; t < sizeof j->last / sizeof *j->last; t++)
    j->last[t] = NO_NUMBER;
}

struct judge *judge_of(const struct cat_model *m, struct graph *g) {
  if (g->judge)
    return g->judge;
  struct judge *j = xcalloc(1, sizeof *j);
  j->plan = &m->plan;
  j->model = m;
  j->sc = model_find("sc");
  j->tso = model_find("tso");
  j->bound.sets[j->bound.n++] = cat_initial_sets();
  j->uses_deps = m->analysis.uses_dependencies;
  j->dirty_words = m->plan.words;
  j->todo = xcalloc(j->dirty_words, sizeof *j->todo);
  j->active = xcalloc(j->dirty_words, sizeof *j->active);
  j->present = judge_class_of(j, cat_initial_sets());
  plan_find_active(j->plan, j->present, j->active);
  refuter_init(&j->refuter, m->cat, m->plan.axioms, m->store);
  g->judge = j; // most graphs of small programs need no slots
  g->judge_done = judge_free;
  return j;
}

// -- slots

// What step s has at event e; nothing is left there.
static void forget_at(struct judge *j, uint32_t s, uint32_t e) {
  const struct plan_step *step = &j->plan->steps.at[s];
  uint64_t *col = judge_col(j, s, e), *row = judge_row(j, s, e);
  if (step->is_set) {
    bit_clear(judge_set(j, s), e);
    return;
  }
  if (!step->is_virtual) {
    EACH_BIT(y, row, j->words) {
      bit_clear(judge_col(j, s, y), e);
    }
  }
  if (step->keeps_rows) {
    EACH_BIT(x, col, j->words) {
      bit_clear(judge_row(j, s, x), e);
    }
  }
  bits_clear(j, col);
  bits_clear(j, row);
  bit_clear(judge_led(j, s), e);
}

static void forget_newest(struct judge *j) {
  check(j->n);
  uint32_t e = j->n - 1;
  const struct slot *s = &j->slots[e];
  while (j->log.len > s->log) {
    struct judge_pair p = array_pop(&j->log);
    if (j->plan->steps.at[p.step].is_set) {
      bit_clear(judge_set(j, p.step), p.x);
    } else {
      bit_clear(judge_col(j, p.step, p.y), p.x);
      bit_clear(judge_row(j, p.step, p.x), p.y);
      judge_take_off_pair(j, p.step, p.x, p.y);
    }
  }
  EACH_BIT(step, j->dirty + (size_t)e * j->dirty_words, j->dirty_words) {
    forget_at(j, step, e);
  }
  judge_take_off(j);
  if (s->loc != NO_NUMBER)
    bit_clear(j->of_loc.at + (size_t)s->loc * j->words, e);
  if (s->id == INIT_EVENT) {
    j->initial.at[s->loc] = NO_NUMBER;
    bit_clear(j->initials, e);
  } else {
    unsigned thread = s->thread;
    bit_clear(j->of_thread.at + (size_t)thread * j->words, e);
    j->last[thread] = s->last;
  }
  j->n--;
  j->is_broken = false;
}

// The flags that count (the rest is the search's business).
static uint32_t flags_of(const struct event *e) {
  return e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_UNLOCK |
                     EVF_LINKED | EVF_NORET | EVF_PICK | EVF_ISA | EVF_PAIR |
                     EVF_SPIN | EVF_UPDATE | EVF_SRCU | EVF_ISB | EVF_STORES);
}

static uint32_t fence_of(const struct event *e) {
  return e->kind == EV_FENCE ? (uint32_t)e->value : 0;
}

static uint32_t loc_of(const struct event *e) {
  return cat_has_location(e) ? e->loc : NO_NUMBER;
}

static event_id co_before(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  if (e->kind != EV_WRITE)
    return NO_EVENT;
  const event_id *co = g->locs.at[e->loc].co.at;
  uint32_t i = e->co - 1;
  while (co[i] > id)
    i--;
  return co[i];
}

// Is the slot still what is in the graph?
static bool agrees(const struct judge *j, const struct graph *g,
                   const struct slot *s, event_id id) {
  const struct event *e = &g->events[id];
  if (s->id != id || s->kind != e->kind || s->order != e->order ||
      s->thread != e->thread || s->flags != flags_of(e) ||
      s->index != e->index || s->rf != e->rf || s->loc != loc_of(e) ||
      s->fence != fence_of(e) || s->co != co_before(g, id))
    return false;
  if (!j->uses_deps)
    return true;
  const struct event_deps *d = &g->deps[id];
  return s->deps[0] == d->addr && s->deps[1] == d->data &&
         s->deps[2] == d->ctrl && s->deps[3] == d->after;
}

// -- adding slots

static void need_bits(uint64_t **at, uint32_t *len, uint32_t *cap,
                      uint32_t want) {
  struct {
    uint64_t *at;
    uint32_t len, cap;
  } a = {*at, *len, *cap};
  if (a.len < want)
    (void)array_extend(&a, want - a.len);
  *at = a.at;
  *len = a.len;
  *cap = a.cap;
}

static void need_room(struct judge *j, uint32_t loc, unsigned thread) {
  if (loc != NO_NUMBER) {
    need_bits(&j->of_loc.at, &j->of_loc.len, &j->of_loc.cap,
              (loc + 1) * j->words);
    while (j->initial.len <= loc)
      array_push(&j->initial, NO_NUMBER);
  }
  need_bits(&j->of_thread.at, &j->of_thread.len, &j->of_thread.cap,
            (thread + 1) * j->words);
}

static void begin_slot(struct judge *j, struct slot s) {
  check(j->n < j->cap);
  s.log = j->log.len;
  j->slots[j->n++] = s;
  if (s.loc != NO_NUMBER)
    bit_add(j->of_loc.at + (size_t)s.loc * j->words, j->n - 1);
}

static void add_initial(struct judge *j, const struct graph *g,
                        const struct model_options *options, uint32_t loc,
                        uint32_t undo) {
  begin_slot(j, (struct slot){.id = INIT_EVENT,
                              .loc = loc,
                              .rf = NO_EVENT,
                              .sets = cat_initial_sets(),
                              .last = NO_NUMBER,
                              .undo = undo});
  j->initial.at[loc] = j->n - 1;
  bit_add(j->initials, j->n - 1);
  judge_extend(j, g, options, false);
}

static void add_event(struct judge *j, const struct graph *g,
                      const struct model_options *options, event_id id,
                      uint32_t undo, bool is_known) {
  const struct event *e = &g->events[id];
  struct slot s = {.id = id,
                   .kind = e->kind,
                   .order = e->order,
                   .thread = e->thread,
                   .flags = flags_of(e),
                   .index = e->index,
                   .loc = loc_of(e),
                   .rf = e->rf,
                   .fence = fence_of(e),
                   .co = co_before(g, id),
                   .sets = cat_sets_of(e, options),
                   .last = j->last[e->thread],
                   .undo = undo,
                   .is_update =
                       is_access(e) && e->flags & (EVF_EXCLUSIVE | EVF_LINKED)};
  if (j->uses_deps) {
    const struct event_deps *d = &g->deps[id];
    s.deps[0] = d->addr;
    s.deps[1] = d->data;
    s.deps[2] = d->ctrl;
    s.deps[3] = d->after;
  }
  need_room(j, s.loc, e->thread);
  if (s.loc != NO_NUMBER && j->initial.at[s.loc] == NO_NUMBER)
    add_initial(j, g, options, s.loc, undo);
  begin_slot(j, s);
  while (j->slot_of.len <= id)
    array_push(&j->slot_of, NO_NUMBER);
  j->slot_of.at[id] = j->n - 1;
  bit_add(j->of_thread.at + (size_t)e->thread * j->words, j->n - 1);
  j->last[e->thread] = j->n - 1;
  if (!j->is_broken)
    judge_extend(j, g, options, is_known || judge_is_quiet(j, g, id));
}

// Forgets what no longer agrees with the graph; yields the first event that has
// to be added.
static event_id synchronise(struct judge *j, const struct graph *g) {
  uint32_t i = 0;
  event_id id = g->events[INIT_EVENT].next;
  for (; id != NO_EVENT && i < j->n; id = g->events[id].next) {
    if (!cat_sees(&g->events[id]))
      continue;
    uint32_t at = i + (j->slots[i].id == INIT_EVENT);
    if (at == j->n || !agrees(j, g, &j->slots[at], id))
      break;
    i = at + 1;
  }
  while (j->n > i)
    forget_newest(j);
  return id;
}

// What was undone is forgotten, and with it what a graph of some length was
// told (judge_needs_deps), which need not have been judged then: a later one
// may be as long. Has the graph only grown since the last slot, or since it was
// judged? Then the rest is as it was.
static bool has_only_grown(struct judge *j, struct graph *g) {
  j->harmless = 0;
  while (j->n && j->slots[j->n - 1].undo > g->undone_to)
    forget_newest(j);
  if (g->undone_to < j->seen)
    j->seen = g->undone_to >= j->grown ? g->undone_to : 0;
  g->undone_to = UINT32_MAX;
  const struct slot *last = j->n ? &j->slots[j->n - 1] : NULL;
  return graph_only_grew(g,
                         last && last->undo > j->seen ? last->undo : j->seen);
}

// The first event that has no slot, and the first of them that was not judged
// before, in a graph that has only grown.
static event_id find_new(const struct judge *j, const struct graph *g,
                         event_id *unseen) {
  event_id first = g->events[j->n ? j->slots[j->n - 1].id : INIT_EVENT].next;
  *unseen = !j->seen                ? INIT_EVENT
            : j->seen < g->undo.len ? g->undo.at[j->seen].event
                                    : NO_EVENT;
  if (*unseen < first)
    *unseen = first;
  return first;
}

// The same of any graph; slots that do not agree with it go.
static event_id follow_graph(struct judge *j, struct graph *g,
                             event_id *unseen) {
  if (has_only_grown(j, g))
    return find_new(j, g, unseen);
  j->seen = 0;
  return *unseen = synchronise(j, g);
}

// -- judging

static event_id last_loud(const struct judge *j, struct graph *g,
                          event_id first) {
  event_id id = g->last;
  while (id > first && (!cat_sees(&g->events[id]) || judge_is_quiet(j, g, id)))
    id = g->events[id].prev;
  return id;
}

// Are the steps that are kept all that matter with this event, too? If it is
// the first in some set, there may be more of them from now on, and the slots
// that there are do not know these.
static bool are_all_active(struct judge *j, const struct event *e,
                           const struct model_options *options) {
  uint64_t in = judge_class_of(j, cat_sets_of(e, options));
  size_t size = j->plan->words * sizeof *j->active;
  if (!(in & ~j->present))
    return true;
  j->present |= in;
  plan_find_active(j->plan, j->present, j->todo);
  bool is_same = memcmp(j->active, j->todo, size) == 0;
  memcpy(j->active, j->todo, size);
  return is_same || !j->n;
}

// Adds events up to the last one that is not quiet. A slot lasts as long as the
// graph is not undone to before its event, so events that come back in many
// graphs get theirs once. False: there was no room, or there is more to know,
// and there are no slots any more.
static bool add_events(struct judge *j, struct graph *g,
                       const struct model_options *options, event_id *id,
                       event_id unseen) {
  event_id last = last_loud(j, g, *id);
  uint32_t at = graph_growth(g);
  for (; *id != NO_EVENT && *id <= last && !j->is_broken;
       *id = g->events[*id].next) {
    if (!cat_sees(&g->events[*id]))
      continue;
    bool has_room = j->n + 2 <= j->cap;
    if (!has_room || !are_all_active(j, &g->events[*id], options)) {
      resize(j, has_room ? j->cap : j->cap + 64);
      return false;
    }
    // It is among the records unless it was there before they began.
    uint32_t found = at;
    while (found < g->undo.len && g->undo.at[found].event != *id)
      found++;
    at = found < g->undo.len ? found + 1 : at;
    add_event(j, g, options, *id, at, *id < unseen);
  }
  return true;
}

bool judge_needs_deps(struct judge *j, struct graph *g) {
  event_id unseen;
  if (!j->has_options || !has_only_grown(j, g))
    return true;
  (void)find_new(j, g, &unseen);
  j->harm = judge_first_harm(j, g, unseen);
  j->harmless = g->undo.len;
  return j->harm != NO_EVENT;
}

// Do the axioms that are judged here hold, by the definition?
static bool hold_by_definition(const struct judge *j, const struct graph *g) {
  const struct cat *c = j->model->cat;
  struct cat_world w;
  struct cat_values v;
  bool ok = true;
  cat_world_init(&w, c, g, &j->options, /*has_lives=*/false);
  cat_values_init(&v, c, &w);
  for (uint64_t left = j->plan->axioms; ok && left; left &= left - 1)
    ok = cat_axiom_holds(&v, &c->axioms.at[__builtin_ctzll(left)]);
  cat_values_done(&v);
  cat_world_done(&w);
  return ok;
}

enum answer { ANSWER_UNKNOWN, ANSWER_YES, ANSWER_NO };

// What routes tell of the events from `first` on. What is asked first is what
// gave the last answer: in one program most answers are the same.
static enum answer ask_routes(struct judge *j, struct graph *g,
                              event_id first) {
  enum answer a = ANSWER_UNKNOWN;
  refuter_begin(&j->refuter);
  for (unsigned i = 0; i < 2 && a == ANSWER_UNKNOWN; i++) {
    if (j->is_mostly_clear == (i == 0) && judge_are_clear(j, g, first))
      a = ANSWER_YES;
    else if (j->is_mostly_clear == (i == 1) &&
             refutes(&j->refuter, g, g->last, &j->options))
      a = ANSWER_NO;
  }
  check(!HEDDLE_SLOW_CHECKS || a == ANSWER_UNKNOWN ||
        hold_by_definition(j, g) == (a == ANSWER_YES));
  if (a != ANSWER_UNKNOWN)
    j->is_mostly_clear = a == ANSWER_YES;
  return a;
}

bool judge_graph(struct judge *j, struct graph *g,
                 const struct model_options *options, bool *is_sure) {
  bool was_asked =
      g->undone_to == UINT32_MAX && j->harmless && j->harmless == g->undo.len;
  event_id unseen, id = follow_graph(j, g, &unseen);
  *is_sure = true;
  j->options = *options;
  j->has_options = true;
  j->needs_scratch = false;
  event_id harm = was_asked ? j->harm : judge_first_harm(j, g, unseen);
  bool is_done = harm == NO_EVENT;
  if (!is_done) {
    enum answer a = ask_routes(j, g, harm);
    // What was not judged before is not judged now.
    if (a == ANSWER_NO)
      return false;
    is_done = a == ANSWER_YES;
  }
  while (!is_done && !(is_done = add_events(j, g, options, &id, unseen)))
    id = g->events[INIT_EVENT].next;
  if (!j->seen)
    j->grown = graph_growth(g);
  j->seen = g->undo.len;
  // What was broken on the way may be whole at the end, where what is taken
  // away is not known yet on the way.
  if (j->needs_scratch ||
      (j->plan->is_fragile && j->is_broken && id != NO_EVENT))
    *is_sure = false;
  if (j->needs_scratch)
    resize(j, j->cap);
  return !j->is_broken;
}
