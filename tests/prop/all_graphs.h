// SPDX-License-Identifier: MIT
// All consistent graphs of a small program whose threads run side by side, but
// for cycles of po | rf: what XMM (reexec.h) has to choose from. Written from
// the definitions of papers/000, sections 2.3, 2.4 and 5, and nothing else; so
// nothing but the notation of programs is shared with the oracle (oracle.h),
// which is slower and knows more.
#pragma once

#include "base/diag.h"
#include "program.h"
#include "relation.h"

enum { ALL_EVENTS = 28, ALL_INIT = 0xff };

enum all_kind { ALL_READ, ALL_WRITE, ALL_FENCE };

struct all_event {
  uint8_t kind;  // enum all_kind
  uint8_t order; // as of a read, of a write or of a fence
  uint8_t thread, loc, value;
  bool is_update; // of a WRITE: together with the READ before it
};

struct all_graph {
  uint8_t n;
  struct all_event at[ALL_EVENTS]; // thread by thread, in po
  uint8_t rf[ALL_EVENTS];          // of a READ: its source, or ALL_INIT
  uint8_t mo[ALL_EVENTS];          // of a WRITE: its place, from 1
};

// Without initial writes, which are before everything.
struct all_relations {
  struct relation po, rf, mo, rmw, hb;
};

struct all_relations all_relations(const struct all_graph *g);

// Calls `found` with each. False: the program is not of that kind, or has too
// many of them: more than `most` were looked at.
MUST_USE bool all_graphs(const struct program *p, uint64_t most,
                         void (*found)(void *arg, const struct all_graph *g,
                                       const struct all_relations *r),
                         void *arg);
