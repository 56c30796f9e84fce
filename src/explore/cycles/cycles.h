// SPDX-License-Identifier: MIT
// What an explorer knows of cycles of po ∪ rf: the cores that it begins with,
// and how it finds them (justify/).
#pragma once

#include "explore/cycles/justify/core.h"
#include "graph/buffering.h"
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

// Rounds of loops that were left out, for who asks what they could justify
// (justify/detours.c).
struct round_begin {
  thread_id thread;
  site_id site;
};
struct left_rounds {
  uint32_t noted; // how many things, also those that were forgotten
  ARRAY(struct round_begin) begins;
  struct detours detours; // their events; places are those of one graph
};

struct explorer;
// Rounds are left out from now on.
void detours_exist(struct explorer *x);
// A round of thread t, from its event `first` on, is left out.
void detour_note(struct explorer *x, thread_id t, uint32_t first);
// So is one of which thread t, which would begin it now, makes no event.
void detour_note_vain(struct explorer *x, thread_id t,
                      const struct event *round, unsigned n);

struct cycles {
  struct core *start; // the core that all begins with, or NULL
  uint64_t work;      // events that others have added
  struct cores found; // of a team: that are not given away so far
  bool has_passed; // of a team: cores were not looked for, as nothing had raced
                   // and no round was left out
  const struct guesses *guesses; // NULL: there are none
  struct over *over; // what leads to nothing then, or NULL (feasible.c)
  struct pause paused[MAX_THREADS];
  ARRAY(struct pause_before) pauses; // to undo them
  struct names names;                // that were met (names.c)
  uint64_t most_added;               // events that a scout may add; 0: any
  uint64_t asked, most_asked; // the same of questions what may come of a graph
  ARRAY(event_id) guessed;    // guesses in the graph (guess_find_guessed)
  ARRAY(bool) marks;          // of events of a thread; scratch of promisable.c
  uint64_t frozen;            // threads that do nothing
  struct scout *scout;        // finds what is justified, as far as it was asked
  bool is_scout;       // explores for another explorer: findings do not count
  bool has_race;       // a read raced with what comes after it (justify.c),
  bool has_vain_races; // but nothing can come of that
  bool has_detours;    // rounds were left out (detours.c),
  bool sees_rounds;    // with guesses, a thread read what such a round wrote
  struct left_rounds *left; // which; NULL: not asked
  uint32_t kept_rounds;     // so many in a row are not left out (await.c)
  bool left_races;          // with guesses, rounds were left out that may race
  const char *gave_up;      // why cores are not guessed although they should be
  // Are there instructions that pick a value, also of two that depend on reads
  // (promise/pieces.c)?
  enum { PICKS_UNKNOWN, PICKS_NONE, PICKS_ANY, PICKS_READS } picks;
};
