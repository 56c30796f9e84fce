// SPDX-License-Identifier: MIT
// Inside explore/: executions with cycles that other executions justify.
#pragma once

#include "explore/search/search.h"

// What a read may read although it was not written yet (guess.c).
struct guess {
  thread_id reader;
  uint8_t order; // of the read, as of a load (order_reading)
  uint32_t loc;
  uint64_t value;
  uint64_t
      writers[ORD_SC + 1]; // threads that wrote it, by the order of the store
  uint32_t most;           // so often in one execution, or ANY_NUMBER
  uint32_t allowed;        // 0: it would be in vain (over.c)
  bool stands_in;          // for others, which are not allowed
  bool is_cut;             // it may be there more often than is allowed
};
enum { ANY_NUMBER = 1 << 20 };
struct guesses {
  struct guess *at;
  uint32_t len, cap;
  struct plans *plans; // of those that were learned; NULL: there are none
};

// Why the search is incomplete if it is not known what rounds of loops justify
// (detours.c).
extern const char rounds_may_justify[];

// guess.c: appends the values that the next event of thread t, a read, may get
// without a source; and takes the nth guess.
void guess_find(struct explorer *x, thread_id t);
enum outcome guess_take(struct explorer *x, thread_id t, uint32_t nth);
// Finds the guesses that are in the graph. May the nth be added to them?
void guess_find_guessed(struct explorer *x);
bool guess_may_be_added(const struct explorer *x, uint32_t nth);
// May guess r read the write w of its location, which comes after it? If not,
// that does not change when more is added.
bool guess_may_read(const struct explorer *x, event_id r, event_id w);
// The next event of thread t is a write: notes in x->cycles.has_race whether
// reads before it race with it.
void guess_look(struct explorer *x, thread_id t, uint32_t loc);
static inline bool event_is_guess(const struct event *e) {
  return e->kind == EV_CHOICE && (e->flags & EVF_GUESS);
}

// plans.c: which guesses an execution has together. Adds those of one; true:
// that is new.
struct planned {
  uint32_t guess, count; // so often,
  uint32_t sources;      // by so many writes,
  uint64_t writers;      // of these threads
};
bool plans_add(struct guesses *g, const struct planned *all, uint32_t n);
// From now on everything is planned; true: that is new.
bool plans_allow_all(struct guesses *g);
// What was added so far counts no more: it was explored.
void plans_forget(struct guesses *g);
void plans_free(struct guesses *g);
// May all of these come from one execution that has not been explored?
struct wanted {
  uint32_t guess;
  uint32_t sources; // all of the same guess need so many writes
  uint64_t closers; // of these threads
};
// Says how many it has looked at.
bool plans_allow(const struct guesses *g, const struct wanted *all, uint32_t n,
                 uint32_t *looked_at);

// pause.c: threads stop, go on or wait while graphs with guesses are found.
// What was decided about thread t where it is now; NULL: nothing.
#define PAUSE_GOES 0u
#define PAUSE_STOPS UINT32_MAX
const struct pause *pause_of(const struct explorer *x, thread_id t);
void pause_set(struct explorer *x, thread_id t, uint32_t since);
// May the newest event of thread t be its last one in a core?
bool pause_may_stop(const struct explorer *x, thread_id t);
bool pause_has_stopped(const struct explorer *x, thread_id t);
// Thread t may read only what is newer than that event; INIT_EVENT: anything.
event_id pause_waits_since(const struct explorer *x, thread_id t);
// May thread t run, which could otherwise?
bool pause_may_run(const struct explorer *x, thread_id t);

// Does a thread in this state go on behind a failed assertion? What comes
// behind it may be why it fails (core.c).
bool pause_passes(const struct explorer *x, state_id s);

// forward.c: the search with guesses. Thread t is next: is it to be asked
// whether it stops here? Asks.
bool forward_asks(const struct explorer *x, thread_id t);
enum outcome forward_ask(struct explorer *x, thread_id t);
enum outcome forward_pause(struct explorer *x, thread_id t, uint32_t option);
// Thread t is at a read. Appends the guesses that it may make, and the option
// to wait for another write of the location; takes one of these.
#define GUESS_WAIT UINT32_MAX
void forward_find(struct explorer *x, thread_id t);
enum outcome forward_guess(struct explorer *x, thread_id t, uint32_t option);
// No thread can run.
enum outcome forward_end(struct explorer *x);

// feasible.c: could what the graph lacks still come? And if thread t stops? Is
// nothing of thread t from here on part of a core?
bool feasible_is_left(struct explorer *x);
bool feasible_lets_stop(struct explorer *x, thread_id t);
bool feasible_is_useless(struct explorer *x, thread_id t);
// Thread t is at a read of the location, and guesses or sources of that are the
// options from `first` on. Leaves those of which something may come. After
// guesses: does something come of it if the thread waits for another write?
bool feasible_choose_guesses(struct explorer *x, thread_id t, uint32_t first);
void feasible_choose_sources(struct explorer *x, thread_id t, uint32_t loc,
                             uint32_t first);

// core.c: does in the graph, in which only main has started, what the core
// says.
enum outcome core_build(struct explorer *x, const struct core *c);

// detours.c: rounds that were left out (cycles.h). How much is known of them?
// Where could some be in the graph? NULL: nowhere.
uint32_t detours_known(const struct explorer *x);
const struct detours *detours_of(const struct explorer *x);
void detours_forget(struct explorer *x);
void detours_free(struct explorer *x);

// names.c: was the graph met before, as a core or as an execution?
void names_note(struct explorer *x, bool is_core);
void names_forget(struct explorer *x);

// scout.c: an explorer that explores for x, with what is known, and tells what
// it meets to the observer alone. What it knows about threads and limits counts
// for x too.
struct explorer *scout_for(const struct explorer *x,
                           const struct assumptions *known,
                           const struct observer *observer);
void scout_tell(struct explorer *x, const struct explorer *scout);

// groups.c: could there be cores that have to be justified, as far as is
// known? Finds all those that are justified; false: a limit was hit. (They are
// to be dropped.)
bool justify_is_possible(struct explorer *x);
bool justify_find(struct explorer *x, struct cores *ret);
// The states of threads have changed: nothing is known any more.
void justify_forget(struct explorer *x);
