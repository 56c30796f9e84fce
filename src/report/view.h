// SPDX-License-Identifier: MIT
// One execution as a person or a program wants to see it: every name resolved,
// every value printed, nothing that refers to the graph or the vm any more.
// Text and JSON reports are both made from it, so they say the same.
#pragma once

#include "base/order.h"
#include "base/str.h"
#include "explore/explore.h"

struct model;

// Where something is in the source; line 0: nowhere.
struct place {
  const char *file, *func;
  unsigned line, column;
};

// Special values of view_event.rf.
#define VIEW_INIT UINT32_MAX          // the initial value
#define VIEW_NOTHING (UINT32_MAX - 1) // reads from nothing

// How an event depends on earlier reads of its thread.
enum view_dep { DEP_ADDR, DEP_DATA, DEP_CTRL, DEP_KINDS };

struct view_range {
  uint32_t first, count;
};

// Of a livelock: what comes before it, what is repeated, what comes behind.
enum view_part { PART_BEFORE, PART_AGAIN, PART_REST, PARTS };

struct view_event {
  enum event_kind kind;
  enum order order;
  unsigned flags; // enum event_flags
  unsigned thread, index;
  const char *text;     // the variable as the source says it, or ""
  const char *call;     // the library function it happens in, or ""
  const char *location; // location, object, thread, what is observed; or ""
  const char *value;    // or ""
  const char *expected; // of a failed compare-exchange, else ""
  const char *told;     // of a row that is a library call (library.c), or ""
  uint32_t with[2];     // the events that \1 and \2 in it stand for
  uint32_t row;         // the event in whose row it is told, or VIEW_NOTHING
  uint32_t rf;          // the event it takes its value from, see VIEW_*
  uint32_t co_before;   // of a write: the write before it in co, see VIEW_*
  struct view_range deps[DEP_KINDS]; // of dep_events
  struct view_range floors;          // of floors: see view_add_memory
  loc_id loc;                        // of a read or write: to compare
  bool is_marked;                    // the finding is about this event
  bool matters; // what led to the finding was computed from it (cause.c)
  bool row_is_marked, row_matters; // the same of what its row tells
  bool is_minor;                   // says little about the execution (minor.c)
  bool is_nothing; // no row: what the program did not say, or REST (view.c)
  enum view_part part;
  bool is_inside; // of the code of a library's header, such as std::vector's
  struct place place;
};

enum end_kind {
  END_FINISHED,
  END_ERROR,   // stopped at the finding
  END_LOCK,    // waits for a mutex
  END_JOIN,    // waits for a thread
  END_SPIN,    // waits in a loop for another value
  END_ASSUME,  // an assumption does not hold
  END_CUT,     // a limit was hit
  END_EXITED,  // called exit()
  END_STOPPED, // could go on, but the execution is not followed further
  END_KINDS
};

struct view_thread {
  unsigned id;
  const char *func;      // what it runs, "" if unknown
  uint32_t first, count; // its events, in program order
  enum end_kind end;
  const char *end_text; // "waits for mutex m, held by T2"
  uint32_t whom;        // the thread that has the lock, or that it joins
  const char *call;     // the function of the library that it waits in, or ""
  struct place at;      // where it is then
};

// The writes of one location in coherence order, after the initial value.
struct view_co {
  const char *location;
  const char *initial;   // printed, "" when there is none
  uint32_t first, count; // range of co_events
};

// From here on its thread sees nothing older of a location than this place in
// co (0: the initial value).
struct view_floor {
  uint32_t shared, place;
};

struct view_edge {
  uint32_t from, to; // events
};

// A step of the cycle for which a model refuses the execution.
struct view_step {
  uint32_t from, to;              // events
  const char *relation, *part_of; // as of struct refusal_step
};

// A pair of a relation that was asked for.
struct view_pair {
  uint32_t from, to; // events
  uint32_t number;   // of the relation
  const char *name;
};

// A read and the value that it has in another execution.
struct view_change {
  uint32_t event;
  const char *value;
};

struct view {
  uint64_t name;                   // of the execution (graph_name)
  ARRAY(struct view_event) events; // by thread, then program order
  ARRAY(struct view_thread) threads;
  ARRAY(struct view_co) co;     // locations that several threads write
  ARRAY(uint32_t) co_events;    // events
  ARRAY(uint32_t) dep_events;   // reads that other events depend on
  ARRAY(struct view_edge) sync; // see view_add_sync
  ARRAY(struct view_co) shared; // see view_add_memory
  ARRAY(struct view_floor) floors;
  ARRAY(uint32_t) rows; // all events in an order to read them: see row.c
  ARRAY(struct view_step) cycle; // see refused.h; none: it is allowed
  const char *axiom;             // that refuses it, or ""
  ARRAY(struct view_pair) pairs; // see view_add_relations
  bool is_litmus; // threads are P0, P1, ...; the one that starts them is none
  bool is_interleaving; // the rows explain every value (the execution is SC)
  // Reads of a cycle of po and rf, if there is one (cycle.c), and those whose
  // sources were taken from another execution that justifies it; how that is
  // different; and in which order threads are executed again.
  ARRAY(uint32_t) circle;
  ARRAY(uint32_t) justified;
  ARRAY(struct view_change) changed;
  ARRAY(uint32_t) again;
  const char *accessed;      // location that the finding is about, or ""
  ARRAY(struct place) calls; // of the finding: its callers, innermost first
  struct strings strings;
};

const char *end_kind_name(enum end_kind k); // "finished", "error", ...
const char *event_kind_name(enum event_kind k);

struct place place_of_site(const struct prog *p, site_id s);

// The execution in `g`. `f` may be NULL; its events are marked.
struct view *view_new(const struct prog *p, struct vm *vm,
                      const struct graph *g, const struct finding *f);
void view_free(struct view *v);

// Fills sync: where an event of one thread happens before one of another, to
// the nearest only. Costs events times threads; pictures want it.
void view_add_sync(struct view *v, const struct graph *g);

// The same by the orders of the view alone, for an execution that was explored
// with others: from a release, or what updates make of it, to an acquire.
void view_add_sync_by_orders(struct view *v);

// Fills shared and floors: the locations that several threads access and at
// least one writes (not locks, nor what the library keeps for itself), and how
// each event narrows what its thread can still see of them. Costs events times
// locations.
void view_add_memory(struct view *v, const struct prog *p, struct vm *vm,
                     const struct graph *g);

// Fills row of the events that are told as they are (library.c).
void view_find_rows(struct view *v);
struct names;
// Fills row and told, and what threads that wait in the library do at the end
// (library.c).
void view_tell_calls(struct view *v, struct vm *vm, const struct graph *g,
                     const struct names *names);
// Is it an access to a word of the library, which only rows of calls explain?
bool event_is_of_library(const struct view *v, uint32_t e);

// Is it an access to a pointer to a virtual table?
bool event_is_of_table(const struct view_event *e);

// Is it an access to a pointer or reference that std::thread hands over to the
// thread, such as a lambda has captured?
bool event_is_capture(const struct view_event *e);

// Is it of C++: an access to a pointer to a virtual table, to the inside of an
// object of its library, or to what std::thread keeps for its thread (minor.c)?
bool event_is_of_cxx(const struct view *v, uint32_t e);

// Fills pairs (relation.c) with those of these relations that the text of the
// model names. Of one without cycles, only the pairs that do not follow from
// others.
void view_add_relations(struct view *v, const struct graph *g,
                        const struct model *m, const char *const *names,
                        uint32_t n);

// An event of the graph in the view; VIEW_NOTHING: none is (relation.c).
uint32_t view_event_of(const struct view *v, const struct graph *g,
                       event_id id);

// The number of the thread among those of the view.
uint32_t view_column(const struct view *v, unsigned thread);

// Fills rows and is_interleaving (row.c).
void view_order_rows(struct view *v);
// Fills circle (cycle.c); after view_order_rows.
void view_find_cycle(struct view *v);
// Fills is_minor (minor.c).
void view_find_minor(struct view *v);
// Takes the rows of what the library of C++ does for itself (minor.c).
void view_hide_inner(struct view *v);
// Which events are left out, and behind which of them the row stands that
// counts them (fold.c): an enum fold for each event. The caller frees it.
enum fold { SHOWN, FOLDED, FOLD_ENDS };
char *view_folds(const struct view *v);
// Fills row_is_marked and row_matters.
void view_mark_rows(struct view *v);
// Fills matters (cause.c). `view_of` says which event of the view each event
// of the graph is.
void view_find_causes(struct view *v, struct vm *vm, const struct graph *g,
                      const struct finding *f, const uint32_t *view_of);
