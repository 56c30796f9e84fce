// SPDX-License-Identifier: MIT
// Races of failed rounds with what comes of their end. An execution without its
// failed rounds stands for the one with them (await.c, retry.c), and what a
// round does is looked at when it is made: its thread stops behind it, and the
// others go on. But some of what they do comes of what the thread does when it
// goes on, so that is never in one graph with the round:
//
//   T1: while (!x) if (d == 5) break;  y = 1    T2: x = 1    T3: if (y) d = 1
//
// (x and y relaxed, d plain.) Nothing orders the write of d behind the round in
// which T1 has read x = 0 and d; without that round T1 does not read d.
//
// Let a be an access of a failed round that thread T makes before its event e,
// and W an access, a free or an end of another thread that conflicts with a. If
// e is not before W by po ∪ rf, W is in a graph with the round, and T has
// stopped. If e happens before W, so does a. Otherwise, in the graph without
// the round, e is before W by po ∪ rf and does not happen before it: W is
// *exposed* there. So what rounds have accessed, by the place in the code where
// they begin, is compared with what is exposed before such places, in whichever
// graphs, for the latter in those to which nothing of interest can be added:
// complete ones, and ones that are left since a thread has stopped. (W may be
// in a failed round itself, or before an assumption that does not hold: tests/
// programs/awaits/round_meets_round.c.) A failed round is also looked at when
// it is made, since what it has read may be handed another write (hand_over.c).
//
// Each round that makes a may have events of W's thread before a. If W is one
// of them, that would be a cycle of po ∪ rf through a, so nothing is lost by W.
// (There are cycles in some models. But what decides on the end of the round is
// a branch, so it is promised nothing of what comes behind that, and another
// source of the other reads leaves the race as it is.) But the round may be
// before a cycle that W needs. Where cores are promised they are found in
// graphs with rounds, too. Where they are guessed, and judged by the text
// alone, guided runs keep rounds then; where other executions justify them
// (xmm), guided runs have none, and the search is incomplete if there is a core
// (part.c; tests/programs/loadbuffering/round_races.c). A loop that a thread
// comes to before a cycle need not be in any graph but these: so it is, too, if
// guided runs leave out rounds that may race, and there is a core (justify.c;
// round_inside.c there).
//
// (Where equal threads are exchanged for each other, and elements of arrays
// with them, the two graphs need not name them alike: then the place in the
// code and the kinds of accesses alone are compared.)
//
// Rounds may be inside others. Take all failed rounds out of an execution with
// such a race that may be taken out without a (closed ways from a state back to
// it), until none is left that has not a in it. If there is one still, take
// that which ends first (and begins last). T has come to no state twice before
// its end, so in some graph T stops there, and a is known of where it begins,
// say in state s. Take it out: T goes on from s. What is closed now was so
// before, with a in it, and so with the whole round; it begins before that and
// ends later, and passes s. So it is known too, without a, of a round that
// begins elsewhere, in s', on the way of which others begin in s; and W may be
// exposed at s' alone: T need not come to s any more if that round is taken
// out, too. So what rounds make that begin in s is made by those that begin in
// s', and so on (round_accesses_nest; tests/programs/awaits/round_nested.c). In
// the end either W is not behind what begins in the last of these states, and
// is in a graph with the round, or it is exposed there.
//
// Where the text of a model says itself what a race is (lkmm), its order is not
// known here: W is exposed if e is before it. It may be of the same thread
// then, where a marked access and a plain one are warned of. One kept round is
// enough for that as well: what is flagged is a pair of events of one location,
// related by co, fr or rf, or near each other in po, if none of some orders
// has it; without the other rounds there are fewer of these, which are made of
// what there is and of no differences but with sets, identity or one thread
// (MODEL_FLAGS_STAY). What flags of other texts say may be of any events of a
// round, and of several rounds: if one is left out, the search is incomplete
// by name (tests/cli/test_models.py).
//
// If there is a conflict, the search begins again, keeps one failed round of
// each loop (cycles.kept_rounds), and leaves out none of loops that try again.
// One is enough: without the others the execution has no fewer races. With
// rounds taken out as above, those that are left all have a in them. So T
// comes to each state at most once on the way to a, and once behind it, and
// stops only where it has been twice before; other threads come to no state
// twice, but for the last event of one that stops. (Writes that change nothing
// are nothing else in a round that follows another one: where two rounds in
// turn are known as one that changes nothing, either of them is.) If the
// round cannot be there, nothing more is found; executions with kept rounds do
// not count (await.c).
//
// Time. A look at a clock says no less than those before it in po and rf
// (search/event.c), and reads of a failed round may be all that orders it
// behind one of these: without the round it would say less. So a round that
// brings time is kept as well. One is enough: of several, that which brings the
// most. (One in which the thread has looked itself, and seen more time pass
// than before, does not come back to its state. Reads of a failed update of
// rollback.c bring none that the update does not which takes the word at last,
// since all are in one chain.)
//
// That the program looks at clocks is learned: it is supposed that no execution
// does, and the first look lets the search begin again, if something was left
// out. Were there an execution with a look that is not met, take for each look
// an error: this program looks at no clock, the search is the same up to its
// first look, so the mechanisms are sound here, and would lose an error. (What
// a scout meets is learned by nobody, so where cores are guessed a program that
// may look does.)
//
// What a round does to the location with which it begins is none of these, as
// long as that races with whatever races with it (is_begun_with): what the
// thread does instead begins with the same access, e, which W is not before
// either, so the graph without the round has a race if that with it has one.
// (An atomic read does not race with the plain read that a plain write or an
// update later in the round races with: tests/programs/awaits/round_begins.c.)
// Not so by a text's own rule: what orders e before W, as an acquire or what
// depends on it, need not order the access of the round (tests/programs/kernel/
// round_depends.c). Nor is a plain store of retry.c, which is made again at
// once.
#include "explore/loops/loops.h"
#include "explore/reduce/classes.h"

#include <stdlib.h>

struct round_races {
  struct round_access_list begins, made, exposed; // (explore/assume.h)
  bool keeps, has_plain; // some round has made a plain access
  uint32_t places_of;    // scratch: 1 + a thread,
  ARRAY(uint32_t) at;    // its events before which rounds may begin
};

static struct round_races *races_of(const struct explorer *x) {
  return x->state[MECHANISM_ROUND_RACES];
}

static site_id site_of(const struct explorer *x, state_id s) {
  site_id site;
  return s && vm_backtrace(x->vm, s, &site, 1) ? site : NO_SITE;
}

static void begin_again(struct explorer *x) {
  x->restart |= RESTART;
}

// ---- what rounds access

// 1 + the thread with which what is there ends: it is thread-local, or of a
// function from which the thread may never return. 0: there is none.
static uint32_t owner_of(const struct explorer *x, const struct location *l) {
  if (l->object == NO_OBJECT)
    return object_region(pointer_object(l->address));
  event_id alloc = l->object < x->g.objects.len
                       ? x->g.objects.at[l->object].alloc
                       : NO_EVENT;
  return alloc != NO_EVENT && (x->g.events[alloc].flags & EVF_STACK)
             ? x->g.events[alloc].thread + 1u
             : 0;
}

static uint32_t name_of(const struct explorer *x, thread_id t) {
  return explore_reduces(x, REDUCE_SYMMETRY) ? ROUND_OF_ANY : t;
}

static struct round_access access_of(const struct explorer *x, thread_id t,
                                     site_id begin, const struct event *e) {
  struct round_access a = {.thread = name_of(x, t), .begin = begin};
  if (e->kind == EV_FREE) {
    a.address = vm_object_address(x->vm, e->loc);
    a.size = x->g.events[x->g.objects.at[e->loc].alloc].value;
    a.kind = ROUND_FREES;
  } else if (e->kind == EV_END) {
    a.owner = e->thread + 1u;
    a.kind = ROUND_ENDS;
  } else {
    const struct location *l = vm_location(x->vm, e->loc);
    a.address = l->address;
    a.size = l->size;
    a.owner = owner_of(x, l);
    a.kind = e->kind == EV_WRITE ? ROUND_WRITES : ROUND_READS;
    a.is_plain = e->order == ORD_NA;
  }
  return a;
}

// (of_any: threads are not told apart.)
static void ask(struct explorer *x, bool of_any) {
  struct round_races *r = races_of(x);
  if (!round_accesses_race(&r->made, &r->exposed, of_any))
    return;
  if (of_any) {
    symmetry_refute(x, round_asymmetry);
    return;
  }
  r->keeps = true;
  begin_again(x);
}

// True: it was not known.
static bool add(struct explorer *x, struct round_access_list *list,
                struct round_access a) {
  if (a.thread == ROUND_OF_ANY) {
    a.other = a.index = 0;
    a.owner = a.owner != 0;
    a.address = 0;
    a.size = UINT64_MAX;
  }
  bool is_new = !races_of(x)->keeps && round_access_add(list, a);
  if (is_new)
    ask(x, a.thread == ROUND_OF_ANY);
  return is_new;
}

// Does the model warn of marked and plain accesses of one thread?
static bool has_mixed(const struct explorer *x) {
  return x->config.model->has_races && !x->config.disabled[FIND_MIXED_ACCESSES];
}

// What comes before the access in each of its rounds cannot come of their end.
static bool add_made(struct explorer *x, struct round_access a,
                     const struct event *e) {
  struct round_races *r = races_of(x);
  bool any = false;
  for (thread_id u = 0; u < x->threads.len; u++) {
    if (u == e->thread && !has_mixed(x))
      continue;
    a.other = u;
    a.index = u == e->thread ? 0 : clock_get(&x->g.clocks, e->porf, u);
    any |= add(x, &r->made, a);
  }
  return any;
}

// A round of the thread that begins at `site` passes these, where rounds inside
// it may begin.
static bool add_passed(struct explorer *x, thread_id t, uint32_t first,
                       site_id site) {
  bool any = false;
  for (uint32_t i = first + 1; i < graph_thread_length(&x->g, t); i++) {
    struct round_access a = {.thread = name_of(x, t),
                             .begin = site,
                             .kind = ROUND_PASSES,
                             .address = site_of(x, event_of(&x->g, t, i)->pre)};
    any |= a.address != site && round_access_add(&races_of(x)->made, a);
  }
  return any;
}

// What such rounds make, it makes as well.
static void nest(struct explorer *x, thread_id t) {
  struct round_races *r = races_of(x);
  uint32_t begins = r->begins.len;
  if (!round_accesses_nest(&r->begins, &r->made))
    return;
  if (r->begins.len > begins)
    begin_again(x);
  ask(x, name_of(x, t) == ROUND_OF_ANY);
}

// Does the text say what a race is? Then nothing but what comes before a round
// is known not to race with it.
static bool has_own_rule(const struct explorer *x) {
  return x->config.model->has_races || x->config.model->has_lives;
}

// Does the first access of a round race with whatever event `e` of it races
// with? An update that always writes is a write, too.
static bool is_begun_with(const struct explorer *x, const struct event *begin,
                          const struct event *e) {
  bool writes = begin->kind == EV_WRITE ||
                ((begin->flags & EVF_EXCLUSIVE) && !(begin->flags & EVF_CAS));
  return !has_own_rule(x) && is_access(begin) && e->loc == begin->loc &&
         (begin->order == ORD_NA || e->order != ORD_NA) &&
         (writes || e->kind == EV_READ);
}

// Has the round an access that may race with what comes of its end?
static bool may_race(const struct explorer *x, thread_id t, uint32_t first) {
  const struct graph *g = &x->g;
  const struct event *begin = &g->events[graph_at(g, t, first)];
  bool found = false;
  for (uint32_t i = first; !found && i < graph_thread_length(g, t); i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    found = is_access(e) && !is_begun_with(x, begin, e);
  }
  return found;
}

// ---- what is exposed

static bool may_be_raced_with(const struct explorer *x, const struct event *w) {
  const bool *off = x->config.disabled;
  return is_access(w)
             ? !off[FIND_RACE] && (w->order == ORD_NA || races_of(x)->has_plain)
             : (w->kind == EV_FREE || w->kind == EV_END) &&
                   !(off[FIND_FREE_RACE] && off[FIND_USE_AFTER_FREE]);
}

static bool begins_here(const struct explorer *x, thread_id t, site_id site) {
  const struct round_races *r = races_of(x);
  for (uint32_t i = 0; i < r->begins.len; i++)
    if (r->begins.at[i].thread == name_of(x, t) &&
        r->begins.at[i].begin == site)
      return true;
  return false;
}

static bool has_begins(const struct explorer *x, thread_id t) {
  const struct round_races *r = races_of(x);
  bool found = false;
  for (uint32_t i = 0; !found && i < r->begins.len; i++)
    found = r->begins.at[i].thread == name_of(x, t);
  return found;
}

// Before which events of the thread may a round begin?
static void find_places(struct explorer *x, thread_id t) {
  struct round_races *r = races_of(x);
  r->places_of = t + 1u;
  r->at.len = 0;
  for (uint32_t i = 1; i < graph_thread_length(&x->g, t); i++) {
    state_id pre = x->g.events[graph_at(&x->g, t, i)].pre;
    if (begins_here(x, t, site_of(x, pre)))
      array_push(&r->at, i);
  }
}

// Is `w` exposed to rounds of the thread?
static void expose(struct explorer *x, thread_id t, const struct event *w) {
  struct round_races *r = races_of(x);
  const struct graph *g = &x->g;
  uint32_t before = has_own_rule(x) ? 0 : clock_get(&g->clocks, w->hb, t),
           end = w->thread == t ? w->index : clock_get(&g->clocks, w->porf, t);
  if (before < end && r->places_of != t + 1u)
    find_places(x, t);
  for (uint32_t k = 0; before < end && k < r->at.len; k++)
    if (r->at.at[k] >= before && r->at.at[k] < end) {
      state_id pre = g->events[graph_at(g, t, r->at.at[k])].pre;
      struct round_access a = access_of(x, t, site_of(x, pre), w);
      a.races = true;
      a.other = w->thread;
      a.index = w->index;
      add(x, &r->exposed, a);
    }
}

static void expose_to_all(struct explorer *x, const struct event *w) {
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if ((t != w->thread || has_mixed(x)) && has_begins(x, t))
      expose(x, t, w);
}

void round_races_look(struct explorer *x, thread_id t, uint32_t first) {
  const struct graph *g = &x->g;
  struct round_races *r = races_of(x);
  r->places_of = 0;
  for (uint32_t i = first; !x->cycles.is_scout && !r->keeps && r->begins.len &&
                           i < graph_thread_length(g, t);
       i++) {
    const struct event *w = &g->events[graph_at(g, t, i)];
    if (may_be_raced_with(x, w))
      expose_to_all(x, w);
  }
}

void round_flags_note(struct explorer *x) {
  const struct model *m = x->config.model;
  bool are_looked_at = !x->config.disabled[FIND_FLAG] ||
                       (has_own_rule(x) && !x->config.disabled[FIND_RACE]);
  x->result.leaves_flags |=
      m->raises && are_looked_at && !(m->declared & MODEL_FLAGS_STAY);
}

bool round_may_take_time(struct explorer *x) {
  x->spares_time |= x->prog->has_clocks && !x->asks_clocks;
  return x->asks_clocks;
}

void round_time_note(struct explorer *x, thread_id t, uint32_t first,
                     uint32_t end) {
  const struct graph *g = &x->g;
  struct round_races *r = races_of(x);
  if (x->cycles.is_scout || r->keeps || !round_may_take_time(x) ||
      first == end ||
      event_time_known(x, graph_at(g, t, end - 1)) <=
          event_time_known(x, graph_at(g, t, first - 1)))
    return;
  r->keeps = true;
  begin_again(x);
}

void round_races_note(struct explorer *x, thread_id t, uint32_t first,
                      bool is_retry) {
  const struct graph *g = &x->g;
  struct round_races *r = races_of(x);
  round_flags_note(x);
  const struct event *begin = &g->events[graph_at(g, t, first)];
  site_id site = site_of(x, begin->pre);
  x->cycles.left_races |= x->cycles.guesses && may_race(x, t, first);
  bool is_new =
      !x->cycles.is_scout && !r->keeps && add_passed(x, t, first, site);
  round_races_look(x, t, first);
  for (uint32_t i = first;
       !x->cycles.is_scout && !r->keeps && i < graph_thread_length(g, t); i++) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (!is_access(e) || is_begun_with(x, begin, e) ||
        (is_retry && e->kind == EV_WRITE && e->order == ORD_NA))
      continue;
    struct round_access a = access_of(x, t, site, e);
    if (round_access_add(&r->begins,
                         (struct round_access){.thread = a.thread,
                                               .begin = site,
                                               .is_plain = a.is_plain}))
      begin_again(x);
    r->has_plain |= a.is_plain;
    is_new |= add_made(x, a, e);
  }
  if (is_new && !r->keeps)
    nest(x, t);
}

// (Its places are found once for each thread, or, if few events matter, for
// each of these.)
static enum outcome look(struct explorer *x) {
  const struct graph *g = &x->g;
  struct round_races *r = races_of(x);
  uint32_t n = r->has_plain ? g->nthreads : 1;
  r->places_of = 0;
  for (thread_id t = 0; !r->keeps && t < n; t++)
    for (event_id e = g->events[INIT_EVENT].next;
         !r->keeps && e != NO_EVENT && (!r->has_plain || has_begins(x, t));
         e = g->events[e].next) {
      const struct event *w = &g->events[e];
      if (!may_be_raced_with(x, w))
        continue;
      if (!r->has_plain)
        expose_to_all(x, w);
      else if (w->thread != t || has_mixed(x))
        expose(x, t, w);
    }
  return x->restart ? STOP : GO_ON;
}

// (What begins again does so once the search is back in its loop.)
static void look_at_left(struct explorer *x) {
  (void)look(x);
}

// ---- hooks

static void init(struct explorer *x) {
  x->state[MECHANISM_ROUND_RACES] = xcalloc(1, sizeof(struct round_races));
}

static void done(struct explorer *x) {
  struct round_races *r = races_of(x);
  array_done(&r->begins);
  array_done(&r->made);
  array_done(&r->exposed);
  array_done(&r->at);
  free(r);
}

static void prepare(struct explorer *x, const struct assumptions *known) {
  struct round_races *r = races_of(x);
  if (!known)
    return;
  r->keeps = known->keeps_rounds;
  round_access_join(&r->begins, &known->round_begins);
  round_access_join(&r->made, &known->rounds_made);
  round_access_join(&r->exposed, &known->rounds_exposed);
  for (uint32_t i = 0; i < r->begins.len; i++)
    r->has_plain |= r->begins.at[i].is_plain;
}

static void tell(const struct explorer *x, struct assumptions *learned) {
  const struct round_races *r = races_of(x);
  learned->keeps_rounds = r->keeps;
  round_access_join(&learned->round_begins, &r->begins);
  round_access_join(&learned->rounds_made, &r->made);
  round_access_join(&learned->rounds_exposed, &r->exposed);
}

// A leaf is not there to be looked at. It is no plain access, so that does not
// matter as long as rounds make none: then what was there before is looked at.
static bool look_before_leaf(struct explorer *x, uint32_t n) {
  (void)n;
  if (!x->at.ends_only)
    look(x);
  return false;
}

static void begin(struct explorer *x) {
  const struct round_races *r = races_of(x);
  if (x->cycles.is_scout)
    return;
  if (r->keeps || r->has_plain)
    hooks_refute(x, REDUCE_LEAF);
  if (!r->keeps)
    return;
  x->cycles.kept_rounds = 1;
  hooks_refute(x, REDUCE_RETRY);
}

static const char *why_not(const struct explorer *x) {
  const struct round_races *r = races_of(x);
  return x->cycles.is_scout || r->keeps || !r->begins.len
             ? "no round is left out"
             : NULL;
}

const struct mechanism round_races_hooks = {
    .init = init,
    .done = done,
    .prepare = prepare,
    .tell = tell,
    .begin = begin,
    .why_not = why_not,
    .was_left = look_at_left,
    .wants_whole = look_before_leaf,
    .at_whole = look,
};
