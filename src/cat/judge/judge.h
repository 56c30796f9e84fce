// SPDX-License-Identifier: MIT
// Judges a graph that grows, by what it was before: the relations of a model's
// axioms are kept, and a new event adds one row and one column to each.
//
// Events are numbered (slots) in the order in which they were added to the
// graph. When the graph has changed in between (the search has gone back, or
// revisited a read), what still agrees stays and the rest is done again; that
// is found by comparing, so it need not be told.
//
// Most events are *harmless*: nothing leads from them to an older one, or only
// without a cycle of po | rf | co | fr, or of what TSO has of these. If no
// axiom that the search prunes with can be broken by such an event (see
// analyse.c and bounded.c), it gets no slot before one comes that may do harm;
// often it is gone by then.
#pragma once

#include "base/bits.h"
#include "cat/eval/eval.h"
#include "cat/judge/refute.h"
#include "cat/model.h"

// An event, and all that the base relations make of it. Two graphs that agree
// in these agree in their relations.
struct slot {
  event_id id; // INIT_EVENT: the initial write of `loc`
  uint8_t kind, order, thread;
  bool is_update; // it may be a half of one
  uint32_t index; // in its thread
  uint32_t loc;   // NO_NUMBER: none
  event_id rf;    // as in the graph
  event_id co;    // WRITE: the last write before it in co that is older
  uint32_t fence; // FENCE: its value
  uint32_t flags; // those that count
  set_id deps[4]; // addr, data, ctrl, after
  uint64_t sets;  // see sets.h
  uint32_t last;  // slot that was the last of its thread before
  uint32_t undo;  // length of the graph's undo log when it was added
  uint32_t log;   // length of the log before it was added
};

// Two events became related when a third was added (x = y: in a set, perhaps).
struct judge_pair {
  uint32_t step, x, y;
};

struct judge {
  const struct plan *plan;
  bool uses_deps, uses_casdep;
  uint32_t n, cap, words; // slots, room for them, words of a row
  struct slot *slots;
  // Step s, slot e: who leads to e, and where e leads to (see `keeps_rows`).
  uint64_t *col, *row;
  // By test for cycles and slot: the same of the union of its leaves.
  uint64_t *all_col, *all_row;
  uint64_t *set;      // by step: its members
  uint64_t *led;      // by step: slots to which something may lead
  uint64_t *dirty;    // by slot: steps that have something there
  uint64_t *class_at; // by slot, also beyond n: static sets, by ordinal
  uint64_t *todo;     // steps
  // Static sets that some event was in, by ordinal; steps that can matter then.
  uint64_t present, *active;
  uint32_t dirty_words;
  ARRAY(uint32_t) slot_of;   // by event_id
  ARRAY(uint32_t) initial;   // by location: slot of the initial write
  ARRAY(uint64_t) of_loc;    // by location: slots
  ARRAY(uint64_t) of_thread; // by thread: slots
  uint32_t last[64];         // by thread: slot with the highest index
  uint64_t *initials;        // slots of initial writes
  uint64_t *scratch;         // a few rows
  uint64_t *near[3];         // by loc, int, ext: who is that to the newest slot
  ARRAY(struct judge_pair) log;   // to undo
  ARRAY(struct judge_pair) queue; // to follow
  ARRAY(struct judge_pair) edges; // of tests that are about cycles
  bool is_broken;                 // a test fails, since the newest slot
  // Which static sets events with these base sets are in: a cache.
  struct judge_class {
    uint64_t sets, in;
  } classes[64];
  // Combinations of sets that some event was in, and what is proved of the
  // axioms if there are no others (enum cat_bounded).
  struct judge_bound {
    uint64_t sets[64];
    uint32_t n;        // 65: there are more
    uint64_t like[16]; // cat_sets_key of events whose sets are among them
    bool is_known;
    uint8_t is;
  } bound;
  struct judge_idle {
    uint64_t sets[64];   // combinations of sets that some event was in
    uint32_t n, learned; // `learned` of those above are among them
    bool has_lives;      // some object began or ended
    bool is_known;
    uint64_t axioms; // bits of those that are about nothing then
  } idle;
  bool has_options;   // they are known
  bool needs_scratch; // something was taken away that should have stayed
  // Up to this length of the graph's undo log all events were judged, or
  // nothing is known (0); it only grew since it had the other length.
  uint32_t seen, grown;
  // At this length it is known which new event may do harm first, if any; 0: it
  // is not known.
  uint32_t harmless;
  event_id harm;
  bool is_mostly_clear; // the last answer of routes was yes
  struct refuter refuter;
  const struct cat_model *model;
  struct model_options options;
  // Their fast code finds cycles of po | rf | co | fr, or fewer.
  const struct model *sc, *tso;
};

// The model's judge of this graph.
struct judge *judge_of(const struct cat_model *m, struct graph *g);
// Will judge_graph look at dependencies? Events without slots need none.
bool judge_needs_deps(struct judge *j, struct graph *g);
// Could the graph be consistent? *is_sure: false if only the definition can
// tell.
bool judge_graph(struct judge *j, struct graph *g,
                 const struct model_options *options, bool *is_sure);

// idle.c: axioms that are about nothing in this graph (bits, not
// necessarily all), since no event is in some set.
uint64_t judge_idle(struct judge *j, const struct rows_plan *rows,
                    const struct graph *g, const struct model_options *options);

// harmless.c: does nothing lead from the event to an older one?
bool judge_is_quiet(const struct judge *j, const struct graph *g, event_id id);
// The first event, from `first` on, that may be on a cycle that matters.
event_id judge_first_harm(struct judge *j, struct graph *g, event_id first);
// Does no forbidden cycle lead through any of the events from `first` on, of
// which that is not known yet?
bool judge_are_clear(struct judge *j, struct graph *g, event_id first);

// x and y are related by step s; if that is new, it will be followed.
void judge_insert(struct judge *j, uint32_t s, uint32_t x, uint32_t y);

// All of `from` lead to all of `to`, but for the newest.
void judge_insert_all(struct judge *j, uint32_t s, const uint64_t *from,
                      const uint64_t *to);
// Follows what was inserted wherever it is used.
void judge_follow(struct judge *j);

// Which static sets has an event with these base sets, by ordinal?
uint64_t judge_class_of(struct judge *j, uint64_t sets);
// extend.c: extends all relations by the newest slot, and tests, unless
// it is known to break nothing.
void judge_extend(struct judge *j, const struct graph *g,
                  const struct model_options *options, bool is_quiet);

// test.c: adds up what the leaves of tests have at the newest slot.
void judge_add_up(struct judge *j);
// The newest slot goes, or a pair of older ones, which leaf s had.
void judge_take_off(struct judge *j);
void judge_take_off_pair(struct judge *j, uint32_t s, uint32_t x, uint32_t y);
// Notes in is_broken what the newest slot breaks.
void judge_test(struct judge *j);

// base.c: fills j->near.
void judge_find_near(struct judge *j);
// Could step s, a base relation, have something at the newest slot?
bool judge_base_may_have(const struct judge *j, uint32_t s);
// The column and the row of step s, a base relation, at the newest slot.
void judge_base(struct judge *j, const struct graph *g,
                const struct model_options *options, uint32_t s, uint64_t *col,
                uint64_t *row);

// For each i in a set of bits; the body is in braces and has no break.
#define EACH_BIT(i, bits, words)                                               \
  for (uint32_t i##_word = 0; i##_word < (words); i##_word++)                  \
    for (uint64_t i##_rest = (bits)[i##_word]; i##_rest;                       \
         i##_rest &= i##_rest - 1)                                             \
      for (uint32_t i = i##_word * 64 + (uint32_t)__builtin_ctzll(i##_rest),   \
                    i##_once = 1;                                              \
           i##_once; i##_once = 0)

static inline uint64_t *judge_col(const struct judge *j, uint32_t s,
                                  uint32_t e) {
  return j->col + ((size_t)s * j->cap + e) * j->words;
}

static inline uint64_t *judge_row(const struct judge *j, uint32_t s,
                                  uint32_t e) {
  return j->row + ((size_t)s * j->cap + e) * j->words;
}

static inline uint64_t *judge_all_col(const struct judge *j, uint32_t test,
                                      uint32_t e) {
  return j->all_col + ((size_t)test * j->cap + e) * j->words;
}

static inline uint64_t *judge_all_row(const struct judge *j, uint32_t test,
                                      uint32_t e) {
  return j->all_row + ((size_t)test * j->cap + e) * j->words;
}

static inline bool bits_none(const struct judge *j, const uint64_t *bits) {
  for (uint32_t w = 0; w < j->words; w++)
    if (bits[w])
      return false;
  return true;
}

static inline bool bits_meet(const struct judge *j, const uint64_t *a,
                             const uint64_t *b) {
  for (uint32_t w = 0; w < j->words; w++)
    if (a[w] & b[w])
      return true;
  return false;
}

static inline void bits_unite(const struct judge *j, uint64_t *to,
                              const uint64_t *from) {
  for (uint32_t w = 0; w < j->words; w++)
    to[w] |= from[w];
}

static inline void bits_clear(const struct judge *j, uint64_t *bits) {
  for (uint32_t w = 0; w < j->words; w++)
    bits[w] = 0;
}

static inline uint64_t *judge_set(const struct judge *j, uint32_t s) {
  return j->set + (size_t)s * j->words;
}

static inline bool judge_member(const struct judge *j, uint32_t s, uint32_t x) {
  return bit_has(judge_set(j, s), x);
}

static inline bool slot_is_initial(const struct slot *s) {
  return s->id == INIT_EVENT;
}

// Are two events of one location or thread (or not, by ext)?
static inline bool judge_is_near(const struct judge *j, enum cat_base b,
                                 uint32_t x, uint32_t y) {
  const struct slot *s = &j->slots[x], *t = &j->slots[y];
  if (b == CAT_loc)
    return s->loc != NO_NUMBER && s->loc == t->loc;
  bool is_int = x == y || (!slot_is_initial(s) && !slot_is_initial(t) &&
                           s->thread == t->thread);
  return is_int == (b == CAT_int);
}

// Who is that to the newest slot?
static inline const uint64_t *judge_near(const struct judge *j,
                                         enum cat_base b) {
  return j->near[b == CAT_loc ? 0 : b == CAT_int ? 1 : 2];
}

static inline bool judge_has(const struct judge *j, uint32_t s, uint32_t x,
                             uint32_t y) {
  const struct plan_step *step = &j->plan->steps.at[s];
  if (step->is_near)
    return judge_is_near(j, (enum cat_base)step->a, x, y);
  if (step->is_set)
    return x == y && judge_member(j, s, x);
  return step->is_virtual && y < x ? bit_has(judge_row(j, s, x), y)
                                   : bit_has(judge_col(j, s, y), x);
}

static inline uint64_t *judge_led(const struct judge *j, uint32_t s) {
  return j->led + (size_t)s * j->words;
}

// Adds to `to` where x leads by step s.
static inline void judge_unite_row(const struct judge *j, uint32_t s,
                                   uint32_t x, uint64_t *to) {
  bits_unite(j, to, judge_row(j, s, x));
  if (j->plan->steps.at[s].keeps_rows)
    return;
  EACH_BIT(y, judge_led(j, s), j->words) {
    if (bit_has(judge_col(j, s, y), x))
      bit_add(to, y);
  }
}

static inline uint64_t *judge_scratch(const struct judge *j, unsigned i) {
  return j->scratch + (size_t)i * j->words;
}
