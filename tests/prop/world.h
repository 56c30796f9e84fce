// SPDX-License-Identifier: MIT
// A program in the middle of a run, for the oracle: what its threads did, and
// the guesses that they still depend on. A value, so that a search copies it.
//
// A thread that comes to a read waits until its source was guessed and has run.
// Threads that wait for each other in a circle would be a cycle in po | rf; one
// of them may be promised a value then, which its source has to write later.
#pragma once

#include "axioms.h"
#include "program.h"

enum { NOT_RUN = NO_CANDIDATE };

enum source_state {
  SOURCE_NONE,
  SOURCE_INIT,
  SOURCE_ACTION,   // wait for it
  SOURCE_PROMISED, // it will write `value`
};

// Where a pending read was guessed to read from.
struct source_guess {
  uint8_t state; // enum source_state
  uint8_t thread, action;
  uint64_t value;
};

enum thread_status { THREAD_ABSENT, THREAD_RUNS, THREAD_BLOCKED, THREAD_ENDED };

// Why a thread is blocked.
enum stop { STOP_NONE, STOP_ASSUMPTION, STOP_ASSERTION, STOP_LOCK };

struct world {
  const struct program *p;
  struct candidate x;
  // For a reason that all models share, or because it is too large.
  bool is_impossible, is_too_large;
  struct runner run[PROGRAM_THREADS];
  uint8_t status[PROGRAM_THREADS];     // enum thread_status
  uint8_t stop[PROGRAM_THREADS];       // enum stop
  uint8_t created_by[PROGRAM_THREADS]; // event
  uint8_t joined_by[PROGRAM_THREADS];  // event or NO_CANDIDATE
  struct source_guess guess[PROGRAM_THREADS];
  // The events of operations, or NOT_RUN.
  uint8_t write_of[PROGRAM_THREADS][PROGRAM_OPS];
  uint8_t read_of[PROGRAM_THREADS][PROGRAM_OPS];
  // Of a READ whose rf is NOT_RUN: what it was promised.
  struct source_guess promised[RELATION_EVENTS];
  // The reads that registers were computed from, and that branches depended on.
  event_set from[PROGRAM_THREADS][PROGRAM_OPS];
  event_set basic[PROGRAM_THREADS][PROGRAM_OPS]; // of these, not by pick
  event_set branched[PROGRAM_THREADS];
  event_set unended[PROGRAM_THREADS]; // those of no guarded operation
};

// Before the first step.
void world_init(struct world *w, const struct program *p);
// Runs all threads until each has ended, waits, or has to be told where to read
// from or what to choose.
void world_run(struct world *w);
// The operation that thread t is stopped at.
const struct action *world_next(struct world *w, unsigned t);
// It chooses `value`.
void world_choose(struct world *w, unsigned t, uint64_t value);
// Can thread t no longer run its operation `action`?
bool world_was_passed(const struct world *w, unsigned t, unsigned action);
// A guess or a promise can no longer come true.
bool world_is_refuted(const struct world *w, bool is_coherent);
// Does every read have its source? Not if a promise was never kept.
bool world_has_sources(const struct world *w);
// The program order of a world in which no thread goes on.
void world_add_po(struct world *w);
