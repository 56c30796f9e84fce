// SPDX-License-Identifier: MIT
// What a search supposes of the program. Each mechanism that leaves something
// out supposes that the program is of some kind, watches for what refutes that,
// and learns; the search then begins again. What was learned is a value of its
// own here, in terms that mean the same to every machine for the program
// (addresses, not numbers of locations). It only grows, and what several
// explorers have learned can be joined:
//
//   do each explorer runs, beginning with what is known;
//      what they have learned is joined
//   while one of them does not know all of that
//
// So all of them have supposed the same in the end, which is what one explorer
// alone would have found out.
#pragma once

#include "base/array.h"

#include <stdint.h>

// An array, an element of which each thread that runs the function finds by the
// number that is its argument (explore/reduce/elements.c).
struct numbered {
  uint64_t function, first, stride; // the element of number 0, and their size
};
enum { MAX_NUMBERED = 4 };
struct numbered_arrays {
  struct numbered at[MAX_NUMBERED];
  uint32_t len;
};
// True: it was not there, and there was room for it.
bool numbered_add(struct numbered_arrays *all, struct numbered a);

// How memory is cut (memory/cells.c).
struct assumed_cell {
  uint64_t address;
  uint32_t size;
  uint32_t cuts; // accesses are in pieces (struct location)
  bool is_used;  // copies are cut by this location
};

// Memory that a fill leaves out, or must not (memory/fills.c).
struct memory_range {
  uint64_t address, size;
  uint32_t thread; // of who fills
};
typedef ARRAY(struct memory_range) memory_range_list;

// A word that the program uses as a lock (loops/lock_word.c).
enum { MAX_HELD = 8 };
struct assumed_lock {
  uint64_t address;
  uint32_t size;
  bool is_refuted;
  bool is_weak;  // some take does not acquire, or some give does not release
  bool releases; // some write does
  bool is_asked; // there were threads that take it
  uint64_t free, held[MAX_HELD];
  uint32_t nheld;
};

// A word that updates are tried on and undone (loops/rollback.c).
enum { MAX_KNOWN = 32, MAX_TRIED = 8 };
struct tried {
  int32_t least, most;
  int32_t wait_least, wait_most;
  uint32_t add;
};
struct rollback_word {
  bool is_seen;     // by a thread that is not known to ignore its value
  uint32_t threads; // that there were when all values were looked at
  uint32_t values[MAX_KNOWN], nvalues;
  struct tried tried[MAX_TRIED];
  uint32_t ntried;
};
struct assumed_rollback {
  uint64_t address;
  uint32_t size;
  struct rollback_word word;
};

// What failed rounds access that begin there, or what may race with that
// (loops/round_races.c): the former once for each other thread.
enum round_access_kind {
  ROUND_READS,
  ROUND_WRITES,
  ROUND_FREES,
  ROUND_ENDS,
  ROUND_PASSES // `address`, an instruction at which others may begin
};
enum { ROUND_OF_ANY = UINT32_MAX }; // threads are not told apart (symmetry.c)
struct round_access {
  uint32_t thread, begin; // and instruction
  uint32_t kind, is_plain;
  uint32_t races; // it is one of the latter
  uint32_t owner; // 1 + the thread with which it ends
  uint32_t other; // the thread that may race with it,
  uint32_t index; // the events of which come before it; or which event races
  uint64_t address, size;
};
struct round_access_list {
  struct round_access *at;
  uint32_t len, cap;
};
// True: it was not there, or the index is one that counts more.
bool round_access_add(struct round_access_list *all, struct round_access a);
void round_access_join(struct round_access_list *into,
                       const struct round_access_list *more);
// What is made by rounds that begin on the way of others is made by these, too.
// True: that is new.
bool round_accesses_nest(struct round_access_list *begins,
                         struct round_access_list *made);
// May one of the first race with one of the others? (of_any: of those in which
// threads are not told apart.)
bool round_accesses_race(const struct round_access_list *made,
                         const struct round_access_list *exposed, bool of_any);
extern const char round_asymmetry[]; // why threads are not equal then

struct assumptions {
  uint32_t refuted;      // reductions that do not hold of the program
  const char *asymmetry; // why threads that looked equal are not, or NULL
  const char *gave_up;   // why cores are promised, not guessed; NULL: as ever
  bool in_pieces;      // atomic accesses are judged as wholes (memory/mixed.c)
  bool has_own_rounds; // some round of a thread changed nothing (await.c)
  bool keeps_rounds;   // failed rounds may race with what comes of their end
  bool asks_clocks;    // some execution looks at one (loops/round_races.c);
  bool spares_time;    // something was left out as none was known to
  bool has_race;    // a read raced with what comes after it (justify/guess.c)
  bool has_detours; // rounds were left out that may justify (justify/detours.c)
  struct numbered_arrays numbered;
  // Of all explorers the first is known, and the others are compared.
  struct round_access_list round_begins, rounds_made, rounds_exposed;
  ARRAY(struct assumed_cell) cells;
  memory_range_list looked; // at parts of what was filled
  ARRAY(struct assumed_lock) locks;
  ARRAY(struct assumed_rollback) rollbacks;
};

typedef ARRAY(struct assumptions) assumption_list;

// Adds what was learned. Of the rollbacks together it is asked whether they
// hold.
void assume_join(struct assumptions *into, const struct assumptions *learned);
// Has an explorer that knew this in the end supposed nothing that all of it
// refutes?
bool assume_knows(const struct assumptions *one, const struct assumptions *all);
// How much that is: more, if something was joined that was not known.
uint64_t assume_size(const struct assumptions *a);
// Is something known that no equal threads are proved with?
bool assume_refutes_symmetry(const struct assumptions *a);
void assume_done(struct assumptions *a);

// rollback_word.c: the word was seen to have this value.
void rollback_word_add(struct rollback_word *w, uint32_t value);
// Do its values and the tries not refute that rounds may be left out?
bool rollback_word_holds(const struct rollback_word *w);
void rollback_word_join(struct rollback_word *into,
                        const struct rollback_word *w);
