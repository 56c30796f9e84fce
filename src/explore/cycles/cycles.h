// SPDX-License-Identifier: MIT
// What an explorer knows of cycles of po ∪ rf: the cores that it begins with,
// and how it finds them (justify/).
#pragma once

#include "explore/cycles/justify/core.h"
#include "vm/vm.h"

// What was decided about a thread while it had so many events (forward.c).
struct pause {
  uint32_t length;
  uint32_t since;
};
struct pause_before {
  thread_id thread;
  struct pause pause;
};

// A set of names of graphs; 0 is none (names.c).
struct names {
  uint64_t *at;
  uint32_t len, cap;
};

struct cycles {
  struct core *start;            // the core that all begins with, or NULL
  const struct guesses *guesses; // NULL: there are none
  struct over *over; // what leads to nothing then, or NULL (feasible.c)
  struct pause paused[MAX_THREADS];
  ARRAY(struct pause_before) pauses; // to undo them
  struct names names;                // that were met (names.c)
  uint64_t most_guided;    // events that may be added with guesses; 0: any
  ARRAY(event_id) guessed; // guesses in the graph (guess_find_guessed)
  ARRAY(bool) marks;       // of events of a thread; scratch of promisable.c
  uint64_t frozen;         // threads that do nothing
  struct scout *scout;     // finds what is justified, as far as it was asked
  bool is_scout;       // explores for another explorer: findings do not count
  bool has_race;       // a read raced with what comes after it (justify.c),
  bool has_vain_races; // but nothing can come of that
  const char *gave_up; // why cores are not guessed although they should be
  // Are there instructions that pick a value (promise/pieces.c)?
  enum { PICKS_UNKNOWN, PICKS_NONE, PICKS_SOME } picks;
};
