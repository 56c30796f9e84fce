// SPDX-License-Identifier: MIT
// Random programs with loops that try again, for test_retry.c.
#pragma once

#include "bytecode/prog.h"

enum {
  THREADS = 4, // main too
  ITEMS = 4,
  LOCS = 2, // shared; each thread has one of its own
  MASK = 3, // values wrap around, so that they come back
  WIDTH = 32,
  SIZE = 4,
};

enum item_kind { STORE, ADD, LOAD, FENCE, LOOP, SPY };

// (in_memory: r is kept in what the thread owns, and a failure stores into it.)
// (counts: the second failure ends the loop.)
// A loop: r = load(x); do { own = r; e = load(y);
//   } while (!cas(x, r, (r + e + add) & MASK)), where a failure refreshes r, or
// (loads_inside) the load is in the loop.
struct item {
  enum item_kind kind;
  enum order order, order_cas, order_fail;
  unsigned loc, value;
  bool counts, in_memory, loads_inside, reads_own, writes_own, reads_other,
      gives_up;
  unsigned gives_up_at; // a failure with this value ends the loop
  uint32_t pc_load, pc_first, pc_own, pc_other, pc_cas, pc_end;
};

struct program {
  bool tracks;        // the model tracks dependencies,
  bool orders_writes; // and these order later writes alone
  bool is_equal;      // all threads run the function of the first
  unsigned nthreads;
  unsigned len[THREADS];
  struct item items[THREADS][ITEMS];
};

// The program of a seed.
void retry_program_random(uint64_t seed, struct program *p);
// Threads look at what others own, and so race with them, in failed rounds too.
void retry_program_add_spies(uint64_t seed, struct program *p);
// All threads do what the first does, and own nothing.
void retry_program_make_equal(struct program *p);
// As bytecode; notes in the items where it is. Free with prog_free.
struct prog *retry_program_lower(struct program *p);
void retry_program_show(const struct program *p);
