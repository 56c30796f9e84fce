// SPDX-License-Identifier: MIT
// What a memory model is to the rest of Heddle: a row in model.def and the
// functions behind it. The search adds events one at a time at the end of a
// thread, so a model only answers questions about the newest ones; the graph
// without them is consistent already.
#pragma once

#include "base/bits.h"
#include "graph/graph.h"

// The order of seq_cst events: which rule (model/psc.c).
enum sc_rule { SC_OWN, SC_RC11, SC_C11 };

struct model_options {
  enum sc_rule sc_rule;       // of rc11 and c11; SC_OWN: the model's own
  bool c11_release_sequences; // C++11's rule instead of C++20's
  bool arm_ldar;              // armv8: acquire loads are LDAR, not LDAPR
  bool
      in_pieces; // atomic accesses that are made in pieces are judged as wholes
  bool arm_llsc; // armv8: updates are LDXR/STXR loops, not single instructions
  bool final_writes; // jam21: what is overwritten comes before the last write
};

// Which of these mean something to a model. (All models are given all of them.)
enum model_own_option {
  OWN_ARM = 1, // arm_ldar, arm_llsc
  OWN_FINAL_WRITES = 2,
  OWN_SC_RULE = 4,
};

struct refusal;
struct rel;

// What a model orders in a graph, as its text says for races by its own rule.
struct model_order {
  uint64_t *bits; // a row of `words` for each event that the model sees
  uint32_t words;
  uint32_t *number; // by event: of its row
};

// What the text of a model says about a complete graph, beside whether it is
// allowed: two events that are concerned, or NO_EVENT.
struct model_flag {
  const char *name;
  event_id one, other;
};
struct justifier;
struct diag;

struct model_pair {
  event_id from, to;
};
// Ends with free(at).
struct model_pairs {
  struct model_pair *at;
  uint32_t len, cap;
};

// What certainly orders a load before later writes of its thread: such a load
// never reads from what those lead to. Only makes the search for load buffering
// cheaper (explore/cycles/promise/promise.c); a model that says nothing is
// asked each time.
enum load_order {
  ORDER_ACQUIRE = 1, // a load that acquires comes before all that follows it
  ORDER_RELEASE = 2, // ... and any load before a later write that releases,
  ORDER_FENCE = 4,   // before what follows a fence of any C11 order,
  ORDER_DEPEND = 8,  // before a write that depends on it, or on an address or a
                     // branch that does,
  ORDER_UPDATE = 16, // the read of an update before its write,
  ORDER_HB = 32,     // and happens-before is coherent (irreflexive(hb;eco?));
  ORDER_THREAD = 64, // what is before the creation, end or join of a thread
                     // comes before what is after it
  // The first two hold of all accesses. (Else, of those that a compiler made,
  // not of instructions of litmus tests, and not within an update: its read
  // comes before what follows its write, its write after what its read
  // follows.)
  ORDER_ANY = 128,
  ORDER_FORWARD = 256, // a load before a write that depends on what was
                       // forwarded from one that depends on the load
  ORDER_ALL = 511,
};

// Creating, joining threads and their first and last events: where ORDER_THREAD
// holds, they order everything before with everything after, as a full fence
// does.
static inline bool model_is_thread_event(const struct event *e) {
  return e->kind == EV_START || e->kind == EV_SPAWN || e->kind == EV_END ||
         e->kind == EV_JOIN;
}

// What is known of a model and not proved from its text.
enum model_declared {
  // With stronger orders it allows nothing more; tests/unit/test_monotone.c
  // tries to refute that. Only the optimiser's speed rests on it: what it finds
  // is explored.
  MODEL_MONOTONE = 1,
  MODEL_NO_SEQUENCES = 2,  // it has no release sequences
  MODEL_NO_EXCLUSIVES = 4, // nor load-linked and store-conditional
  // With fewer dependencies, and the same events, it forbids nothing more (of
  // texts; of the others that is so).
  MODEL_FEWER_DEPENDENCIES = 8,
  // The read of an update that acquires comes before all that follows the
  // update, reads too, and behind an earlier read of its thread that reads
  // another write (of texts; explore/loops/retry.c).
  MODEL_ACQUIRES_ALL = 16,
  // The same of updates that do not release too: there is no barrier between
  // the two reads, which would make known only what the first one has read.
  MODEL_ACQUIRES_ALONE = 64,
  // Dependencies order later writes alone, and what a compare-exchange reads
  // comes before all of these.
  MODEL_ORDERS_WRITES = 32,
  // Of a location that is only accessed by threads that hold a lock, nothing is
  // read in a section before the one in which it is written, whatever else the
  // execution has (explore/cycles/justify/guarded.c).
  MODEL_SECTIONS_ORDER = 128,
  // What chains_order says of chains in which there are updates alone, each
  // thread's first of which acquires (explore/loops/rollback.c).
  MODEL_UPDATES_CHAIN = 256,
  // What its flags say of two events they say whether reads and fences are
  // there that are neither of the two, or are not; and there are no other
  // flags, but for those about events of one round of a loop
  // (explore/loops/round_races.c).
  MODEL_FLAGS_STAY = 512,
  // It answers litmus tests of its language alone: nobody has published how C
  // becomes that.
  MODEL_NO_PROGRAMS = 1024,
};

struct model {
  const char *name;         // "rc11"
  const char *title;        // one line for `heddle models`
  const char *tests;        // the language of litmus tests made for it, or NULL
  const char *answers;      // the languages whose tests it answers by default
  bool tracks_dependencies; // it needs g->deps, and po ∪ rf may have cycles
  // It tells dependencies by picks from none of the others (a text without
  // basic-addr and basic-data), and orders more than writes by them.
  bool mixes_picks;
  bool is_for_picks; // see model_for_picks
  // Will `consistent` look at g->deps of all events when it is asked about e?
  // NULL unless the model tracks dependencies.
  bool (*needs_deps)(struct graph *g, event_id e);
  uint16_t load_orders;       // enum load_order
  bool plain_syncs;           // as of struct graph
  bool skips_noret;           // likewise
  bool c11_release_sequences; // its own rule is C++11's, not C++20's
  bool is_language;           // it says what C programs do, not machines
  uint16_t declared;          // enum model_declared
  uint8_t own_options;        // enum model_own_option
  bool interleaves;           // an interleaving explains each execution
  bool co_keeps_porf;         // it forbids cycles of co ∪ po ∪ rf
  bool chains_order; // a chain of updates orders what its ends do, also without
                     // those in the middle (explore/loops/rollback.c)
  // Does it allow whatever is coherent and atomic, when an event of that order
  // is the newest one? NULL: it has to be asked.
  bool (*takes_all)(const struct graph *g, enum order order);
  // If the newest event of a graph, which is no write of an update, may read a
  // write, or come at a place in co, it may as well read any newer write, or
  // come at any later place.
  bool takes_newer;
  // An acquire, or an acquire fence, does not order a read with later writes:
  // it is no model for programs in C (but may be one for litmus tests).
  bool lacks_acquire;
  // Dependencies and rf may form cycles: what reads get may decide which events
  // there are. So cores are guessed (explore/justify), not promised.
  bool guesses_cores;
  // Of such a model, among atomic accesses: what orders a load before later
  // writes in an order that has no cycle, and has rf between threads
  // (explore/cycles/justify/feedback.c); as enum load_order.
  uint8_t cycle_orders;
  bool has_guards; // ctrl is what a branch guards, not all that comes after it
  // Not NULL: a graph with cycles of po ∪ rf needs another execution that
  // justifies it (model/justify.h).
  const struct justifier *justifier;
  // Could a graph whose newest events are `e` (and, at a revisit, `other`,
  // else NO_EVENT) be consistent? Coherence and atomicity hold already, they
  // are the same in all models (explore/search/step.c).
  bool (*consistent)(struct graph *g, event_id e, event_id other,
                     const struct model_options *options);
  // The same of accesses in pieces, which are wholes (whole.c); NULL: it does
  // not know what to think of them. (g->deps are known.)
  bool (*whole)(struct graph *g, event_id e, event_id other,
                const struct model_options *options);
  bool text_is_of_wholes; // its text says something of updates that is not true
                          // of the pieces of one (it has rmw^-1)
  bool takes_pieces; // a text: it says nothing of updates that is wrong of the
                     // pieces of one
  bool
      lifts; // a built-in text without fast code: rewritten (cat/eval/pieces.c)
             // it is right of accesses that are made in pieces

  // How a co is found (witness.c): the last axiom of the definition is about
  // the order of all accesses, or of seq_cst ones.
  bool finds_co, orders_memory, orders_sc;

  // Some axioms can only be judged when the graph is complete. The fast code
  // for them: is a graph, each step to which was consistent and to which
  // nothing will be added, one that the model allows? NULL: by the definition.
  bool filters;
  bool (*complete)(struct graph *g, const struct model_options *options);

  // Models that are texts (src/cat) have these instead of the functions above.
  const void *text; // NULL: it is none
  // The built-in model that the text defines word for word (cat/same.c). NULL:
  // none; then the search does what is proved of the text, and no more.
  const struct model *same_as;
  // Could the graph become consistent? (May keep what it learns in g->judge.)
  bool (*judge)(const struct model *m, struct graph *g,
                const struct model_options *options);
  // The same from scratch; `is_complete`: no event will be added.
  bool (*allows)(const struct model *m, const struct graph *g,
                 const struct model_options *options, bool is_complete);
  // The same of a complete graph each step to which was consistent.
  bool (*completes)(const struct model *m, struct graph *g,
                    const struct model_options *options);
  // Why it does not allow a complete graph (model_refuses).
  bool (*refuses)(const struct model *m, const struct graph *g,
                  const struct model_options *options, struct refusal *ret);
  // Is this the name of a relation in the text, or one that it starts from,
  // that can be told of executions of `m`?
  bool (*names_relation)(const struct model *text, const struct model *m,
                         const char *name, struct diag *why);
  // Its pairs, without initial writes.
  void (*relation)(const struct model *text, const struct graph *g,
                   const struct model_options *options, const char *name,
                   struct model_pairs *ret);
  // Adds to `to` the pairs of what its last axiom is about, but for co and fr;
  // `number`: of the graph's events there.
  void (*add_order)(const struct model *m, const struct graph *g,
                    const struct model_options *options, const uint32_t *number,
                    struct rel *to);
  // What it orders, for --races model; NULL: it does not say. (g->deps have to
  // be known if the model tracks them.)
  void (*order)(const struct model *m, const struct graph *g,
                const struct model_options *options, struct model_order *ret);
  // The nth flag that is raised; NULL: it has none. (g->locs know their
  // objects.)
  bool (*raises)(const struct model *m, const struct graph *g,
                 const struct model_options *options, uint32_t nth,
                 struct model_flag *ret);
  // Is neither such a flag nor an axiom that can only be judged when the graph
  // is complete about anything that is here, or by which threads end? The graph
  // was judged. NULL: it is not known (if there are such).
  bool (*is_idle)(const struct model *m, const struct graph *g,
                  const struct model_options *options);
  bool is_symmetric; // threads that are created alike may be exchanged
  bool has_races;    // it has a flag for races: C11's rule does not count
  bool has_lives;    // and one for accesses that race with the end of an object
  enum coherence coherence;
};

// Are cores with cycles of po ∪ rf found by guesses (explore/justify)?
static inline bool model_guesses(const struct model *m) {
  return m->justifier || m->guesses_cores;
}

// Those with which a model says what its own text does.
static inline struct model_options model_own_options(const struct model *m) {
  return (struct model_options){.c11_release_sequences =
                                    m->c11_release_sequences};
}

// Could the graph be consistent? See struct model.
static inline bool model_consistent(const struct model *m, struct graph *g,
                                    event_id e, event_id other,
                                    const struct model_options *options) {
  return m->text ? m->judge(m, g, options)
                 : m->consistent(g, e, other, options);
}

// The same where accesses are in pieces (options->in_pieces). Slow if the model
// is a text.
bool model_consistent_in_pieces(const struct model *m, struct graph *g,
                                event_id e, event_id other,
                                const struct model_options *options);

// The built-in model that it is, by its name or as a text; NULL: it is none.
static inline const struct model *model_builtin(const struct model *m) {
  return m->text ? m->same_as : m;
}

// All models, in the order of model.def; ends with NULL.
extern const struct model *const models[];
const struct model *model_find(const char *name); // NULL if there is none

// cat/definition.c: the text that defines a model with fast code, as a model of
// its own. `is_complete`: for graphs to which nothing will be added.
const struct model *model_definition(const struct model *m,
                                     const struct model_options *options,
                                     bool is_complete);

// The same for a search in which nothing but the text decides (--definition):
// each graph is judged by it from scratch, and nothing is known of it.
const struct model *model_by_text(const struct model *m,
                                  const struct model_options *options);
bool model_is_by_text(const struct model *m);
// cat/catalogue.c: what a built-in text says of programs with OP_pick, as a
// model of its own, if it has a variant for them; else the model.
const struct model *model_for_picks(const struct model *m);

// Judges a whole graph, which may still grow, by the definition. Slow.
bool model_allows(const struct model *m, const struct graph *g,
                  const struct model_options *options);
// The same for a graph to which nothing will be added.
bool model_allows_complete(const struct model *m, const struct graph *g,
                           const struct model_options *options);
// The same, of a graph each step to which was consistent; fast if the model has
// fast code for it.
bool model_completes(const struct model *m, struct graph *g,
                     const struct model_options *options);
// Why it does not allow a complete graph: fills `ret` (model/refusal.h), which
// the caller ends. False if it does. (If other executions have to justify
// cycles, none does so: the caller knows that.) Slow.
bool model_refuses(const struct model *m, const struct graph *g,
                   const struct model_options *options, struct refusal *ret);
// Does the text of the model name such a relation? `why` says if not.
bool model_names_relation(const struct model *m, const char *name,
                          struct diag *why);
// Its pairs in a complete graph; the name is one that the text has.
void model_relation(const struct model *m, const struct graph *g,
                    const struct model_options *options, const char *name,
                    struct model_pairs *ret);
// witness.c: is there a co with which the model allows the graph? Then the
// graph has one afterwards. Of all locations but `loc` it is known that their
// co is coherent (UINT32_MAX: of none). Only for models with finds_co, rc11
// with its own sc rule, updates that are not made in pieces or by reservations.
bool model_find_co(const struct model *m, struct graph *g,
                   const struct model_options *options, uint32_t loc);
// How many such co are there? No more than `most` are looked for.
uint64_t model_count_co(const struct model *m, struct graph *g,
                        const struct model_options *options, uint64_t most);
// Calls `look` with a co for each combination of last writes of the locations
// that the model allows, until it yields true; then the graph keeps that co.
bool model_each_end(const struct model *m, struct graph *g,
                    const struct model_options *options, const uint32_t *locs,
                    uint32_t n, bool (*look)(void *arg), void *arg);
// Everything that is coherent and whose updates are atomic: no model for
// programs, but a source of executions that other models refuse. It tracks
// dependencies, so that all models can judge its executions.
extern const struct model model_coherent;
// Could happens-before differ between C++11's release sequences and C++20's?
bool model_sequences_differ(const struct graph *g);
// The same, whatever reads there are, and wherever writes are in co?
bool model_sequences_may_differ(const struct graph *g);
// Which writes of a location carry more by C++11's sequences than by C++20's?
// A bit for each place in co, to be freed; false: none does, or all are of one
// thread.
bool model_longer_sequences(const struct graph *g, const struct graph_loc *l,
                            uint64_t **bits);
// Does a happen before b by the definition? Slow.
bool model_hb(const struct graph *g, const struct model_options *options,
              event_id a, event_id b);
// The text that says what a model orders where races are its own; NULL: none
// does, and they are those of C11 (or those that its text flags).
const struct model *model_with_order(const struct model *m,
                                     const struct model_options *options);
void model_order_done(struct model_order *o);
static inline bool model_order_has(const struct model_order *o, event_id a,
                                   event_id b) {
  return bit_has(o->bits + (size_t)o->number[a] * o->words, o->number[b]);
}

// Two accesses that race by the definition; false if there are none. Slow.
bool model_race(const struct graph *g, const struct model_options *options,
                event_id *one, event_id *other);
// Slow-check builds: `accepted` is what the fast code said of this graph, whose
// clocks must agree with the relations too. Stops loudly if not.
void model_verify(const struct model *m, const struct graph *g,
                  const struct model_options *options, bool accepted);
