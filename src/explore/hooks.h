// SPDX-License-Identifier: MIT
// What the search does not know by name. A mechanism that leaves executions
// out, cuts loops or looks at what is explored is a table of functions, one for
// each point at which it has something to say (hooks.def); reduce.def has a row
// for each table. When a search begins, the functions of those that are used
// are gathered point by point: one that is empty costs a branch.
//
// What a mechanism knows is its own: x->state[its id], which its file makes
// (init) and frees (done).
#pragma once

#include "explore/reduce.h"
#include "graph/graph.h"
#include "vm/vm.h"

struct assumptions;
struct explorer;

// What became of a step or of an option.
enum outcome {
  GO_ON,   // more is to be added to the graph
  GO_BACK, // nothing comes of it, or its next event is a choice that was
           // opened: the next option is taken
  STOP,    // the search is over
};

// When a graph may be left: a read was added, or was revisited, and its thread
// has stopped there; or a thread has ended.
enum leave_when { LEAVE_STOPPED, LEAVE_REVISITED, LEAVE_ENDED };

// What depends on co at the end of an execution: what waiting threads poll;
// memory that may hold pointers.
enum depends_on { WAITS_DEPEND, MEMORY_DEPENDS };

struct mechanism {
  // Of every one, used or not: the explorer is new, or is freed; the machine
  // has no states yet, and this was learned before, or NULL; what was learned;
  // the search begins at its root; it begins again, for these reasons (enum
  // restart_why); the machine forgets its states.
  void (*init)(struct explorer *x);
  void (*done)(struct explorer *x);
  void (*prepare)(struct explorer *x, const struct assumptions *known);
  void (*tell)(const struct explorer *x, struct assumptions *learned);
  void (*begin)(struct explorer *x);
  void (*restarts)(struct explorer *x, unsigned why);
  void (*forgets_states)(struct explorer *x);
  // Why this search does not use it, although it is on; NULL: it does.
  const char *(*why_not)(const struct explorer *x);
  // Something else than the graph decides, or what is maximal is not the
  // newest: then slow checks do not find graphs again (refind.c).
  bool hides_graphs;

#define EACH(name, params, args) void(*name) params;
#define ANY(name, params, args) bool(*name) params;
#define FIRST(name, params, args) enum outcome(*name) params;
#define ONE(type, name, params) type(*name) params;
#include "explore/hooks.def"
};

// The functions of those that are used, up to NULL.
enum { AT_A_POINT = 4 };
struct hooks {
#define EACH(name, params, args) void(*name[AT_A_POINT + 1]) params;
#define ANY(name, params, args) bool(*name[AT_A_POINT + 1]) params;
#define FIRST(name, params, args) enum outcome(*name[AT_A_POINT + 1]) params;
#define ONE(type, name, params) type(*name) params;
#include "explore/hooks.def"
};

// Every mechanism, by id.
extern const struct mechanism *const mechanisms[MECHANISMS];

// Makes the state of each mechanism, and tells it what is known from the
// beginning; frees it.
void hooks_init(struct explorer *x);
void hooks_done(struct explorer *x);
// The search begins at its root: finds out which mechanisms are used, and
// gathers their functions.
void hooks_begin(struct explorer *x);
// The same without the first: one may be used from now on.
void hooks_gather(struct explorer *x);
// It begins again, for these reasons; the machine forgets its states.
void hooks_restart(struct explorer *x, unsigned why);
void hooks_forget_states(struct explorer *x);
// What was learned.
void hooks_tell(const struct explorer *x, struct assumptions *learned);
// The reduction does not hold of the program: it is not used any more.
void hooks_refute(struct explorer *x, enum reduction which);
// For slow checks: does one that is used hide graphs?
bool hooks_hide_graphs(const struct explorer *x);
