// SPDX-License-Identifier: MIT
// Some events of a graph, all or an interval of each thread, and the base
// relations of a model among them, one event at a time: who is related to it is
// told when it is asked for, and nothing is kept for every pair. (world.c makes
// matrices of them instead: the definition.)
#pragma once

#include "cat/eval/eval.h"
#include "cat/eval/sets.h"

// Pairs of a base relation that has few of them, by both ends.
struct part_pairs {
  bool is_known;
  uint32_t *first[2]; // by number, and one more: where its partners begin
  uint32_t *to[2];
};

// Of thread t: events with an index from `from` on and before `end`.
struct part_range {
  uint32_t from, end;
};

struct part {
  const struct graph *g;
  const struct model_options *options;
  uint32_t n, words;
  uint32_t initial; // numbers below are initial writes
  bool has_lives;   // objects begin or end among the events
  struct cat_event *events;
  uint32_t *number; // by event id
  // Events of thread t have the numbers from first[t] on and before end[t], in
  // program order.
  uint32_t nthreads, *first, *end;
  // Beginnings and joins of threads divide these into segments, which know how
  // far the other threads are before them (by segment and thread, numbers).
  uint32_t nsegments, *segment, *begin, *before;
  // Numbers by location, and where each event's location begins and ends there.
  uint32_t *same_loc, *loc_first, *loc_end;
  struct part_pairs pairs[CAT_BASE];
  // At most 64 different combinations of sets, and who has which.
  uint32_t nclasses;
  cat_sets class_sets[64];
  uint8_t *class_of;
};

// False: there are too many combinations of sets. `ranges` NULL: everything,
// initial writes too. `has_lives`: allocation and free are events.
MUST_USE bool part_init(struct part *p, const struct graph *g,
                        const struct model_options *options,
                        const struct part_range *ranges, bool has_lives);
void part_done(struct part *p);

bool part_has(struct part *p, enum cat_base b, uint32_t x, uint32_t y);
// Adds to `row` where x leads to by b, or (`is_back`) from where.
void part_add_row(struct part *p, enum cat_base b, uint32_t x, bool is_back,
                  uint64_t *row);
