// SPDX-License-Identifier: MIT
// How a cycle of po ∪ rf may go through threads (hb_cycles.c, cycle_steps.c):
// it enters one with a read and leaves it with a write. Found from what threads
// could do alone.
#pragma once

#include "explore/cycles/justify/over_graph.h"

enum step_flags {
  ACQUIRES = 1, // after the read: what comes now is behind the writer's release
  RELEASES = 2, // and then: what it reads is before what reads the next write
  BOUND = 4,    // the write stays behind the read (model/justify.h)
};

enum { MOST_PLACES = 64 };

struct step {
  thread_id from, to; // of the read and the write: one may create the other
  uint32_t in, out;   // places of their locations
  // What is read; what is written, and of a chain the node behind it. NONE:
  // any.
  uint32_t reads, writes, node;
  unsigned flags;
};

struct steps {
  const struct over *a;
  uint64_t group;  // threads that count
  bool takes_last; // of the reads and writes of a chain
  bool is_too_much;
  bool has_crossings; // a step may begin in one thread and end in another
  ARRAY(const struct chain *) chains; // by place: NULL, it is none
  ARRAY(struct step) all;             // by place where they begin
  uint32_t first_step[MOST_PLACES + 1];
  uint64_t *readers, *writers;  // threads, by cell
  uint32_t *first, *moves;      // by where they begin
  uint32_t *first_read, *reads; // those that read, by cell
  uint32_t *places;             // of the locations of labels
  ARRAY(uint32_t) todo;         // scratch: node * STATES + flags
  uint32_t *seen, turn;         // the last search that met that
  uint32_t visits;
  uint32_t newest; // the first of those that begin with the same read
};

// Finds the steps of these threads. If the last reads and writes of chains are
// taken, no other read of the chain is between, the values count, and steps
// that come back to their location are left out; otherwise all are there, and
// of a chain every value will do.
void steps_find(struct steps *s, const struct over *a, uint64_t threads,
                bool takes_last);
void steps_done(struct steps *s);
// The place of a location that is written.
uint32_t steps_place(const struct steps *s, uint32_t loc);
