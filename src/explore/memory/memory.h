// SPDX-License-Identifier: MIT
// Inside explore/: how memory is cut into locations.
#pragma once

#include "explore/search/search.h"

// cells.c: the size of the cell that the graph has at an address. If there is
// none but one begins within the next bytes, what is left before that one:
// the caller must not run over it. 0: nothing near is in use. (With the
// number of bytes that this holds for, see vm_cell_answer.)
uint64_t cells_answer(const struct explorer *x, uint64_t address,
                      uint64_t bytes);
// Two events overlap. True: it was learned how to cut their memory, and the
// search has to begin again.
bool cells_learn(struct explorer *x, event_id id, event_id other);
// Cuts the accesses of two locations that have some bytes in common where those
// of the other begin or end. Yields whether they were not yet.
bool cells_cut(struct explorer *x, loc_id l, loc_id other);

// May the search begin again?
bool cells_may_begin_again(const struct explorer *x);
// What is known from the beginning; what is known now (assume.h).
void cells_take(struct explorer *x, const struct assumptions *a);
void cells_tell(const struct explorer *x, struct assumptions *a);

// fills.c: the same; a fill may leave something out (CELL_SKIPPED). False: it
// was learned that it may not, and the search has to begin again.
bool memory_answer(struct explorer *x, thread_id t, const struct access *a,
                   uint64_t *ret);
// Was the memory that the event accesses left out? Then that was learned, and
// the search has to begin again.
bool fills_are_looked_at(struct explorer *x, event_id id);

// late.c: what thread t may still write, by its code (bytecode/analysis/
// writes.h).
unsigned memory_writes(struct explorer *x, thread_id t);
// The next access of thread t is the first piece that an update writes, and too
// late. Will it stay so?
bool late_stays(struct explorer *x, thread_id t);

// mixed.c: access `e` was added, to a location that others overlap.
enum outcome mixed_check_overlap(struct explorer *x, event_id e);
enum outcome mixed_check_order(struct explorer *x, event_id e);
// From now on whole accesses are judged. False: that is not known how to.
MUST_USE bool mixed_judge(struct explorer *x);
// torn.c: of the options from `first` on, which are sources of the next access
// of thread t (or places in co, if it is a write), leaves out those with which
// a part of an access would be seen.
void torn_leave_out(struct explorer *x, thread_id t, uint32_t first);
// With anything newer than what piece `id` of an access has in Prev
// (revisit.c), would a part of an access be seen? (False: perhaps.)
bool torn_is_newest(const struct explorer *x, thread_id t, clock_id prefix,
                    event_id id);
