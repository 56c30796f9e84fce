// SPDX-License-Identifier: MIT
// Inside explore/: executions with cycles that other executions justify.
#pragma once

#include "explore/internal.h"

// What a read may read although nobody wrote it yet (guess.c).
struct guess {
  thread_id reader;
  uint8_t order; // of the read
  uint32_t loc;
  uint64_t value;
  uint64_t
      writers[ORD_SC + 1]; // threads that wrote it, by the order of the write
  uint32_t most;           // so often in one graph
  uint32_t allowed;        // 0: it would be in vain (alone.c)
  bool stands_in;          // for others, which are not allowed
};
// How often one execution has each guess.
struct guess_set {
  uint32_t *at;
  uint32_t len, cap;
};
struct guesses {
  struct guess *at;
  uint32_t len, cap;
  ARRAY(struct guess_set) together;
};

// guess.c: appends the values that the next event of thread t, a read, may get
// without a source; and takes the nth guess.
void guess_find(struct explorer *x, thread_id t);
enum outcome guess_take(struct explorer *x, thread_id t, uint32_t nth);
// The next event of thread t is a write: notes in x->has_race whether reads
// before it race with it.
void guess_look(struct explorer *x, thread_id t, uint32_t loc);
static inline bool event_is_guess(const struct event *e) {
  return e->kind == EV_CHOICE && (e->flags & EVF_GUESS);
}

// core.c: does in the graph, in which only main has started, what the core
// says.
enum outcome core_build(struct explorer *x, const struct core *c);

// names.c: was the graph met before, as a core or as an execution?
void names_note(struct explorer *x, bool is_core);
void names_forget(struct explorer *x);

// justify.c: finds all cores that have to be justified and are; false: a limit
// was hit. (They are to be dropped.)
struct cores {
  struct core **at;
  uint32_t len, cap;
};
bool justify_find(struct explorer *x, struct cores *ret);
