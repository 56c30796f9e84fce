// SPDX-License-Identifier: MIT
// The memory models by their definitions in models/, evaluated over explicit
// relations: nothing here is shared with src/model.
#pragma once

#include "base/diag.h"
#include "base/order.h"
#include "relation.h"

enum oracle_model {
  ORACLE_SC,
  ORACLE_TSO,
  ORACLE_PSO,
  ORACLE_RA,
  ORACLE_RC11,
  ORACLE_RC11_C11,  // RC11 with C++11's release sequences
  ORACLE_RC11_SC11, // RC11 with C++11's order of seq_cst events
  ORACLE_JAM21,
  ORACLE_JAM21_ORDERS, // the same by trying all orders of what pushes
  ORACLE_JAM21_FINAL,  // so, with --final-writes
  ORACLE_PER_THREAD,   // per-thread.cat: without happens-before
  ORACLE_LOOSE,        // loose.cat: no location is coherent
  ORACLE_IMM,
  ORACLE_ARM,           // LDAPR, single-instruction RMWs
  ORACLE_ARM_LDAR,      // --arm-acquire ldar
  ORACLE_ARM_LLSC,      // --arm-rmw llsc
  ORACLE_ARM_LDAR_LLSC, // both
  ORACLE_ARMV7,
  ORACLE_POWER,
  ORACLE_RISCV,
  ORACLE_C11,
  ORACLE_LKMM,
  ORACLE_XMM,        // axioms.c: but for its cycles in po | rf (xmm.h)
  ORACLE_C11_PSC,    // C11 with RC11's
  ORACLE_HAZARDS,    // hazards.cat: loads of one location overtake each other
  ORACLE_BRANCHLESS, // branchless.cat: branches order nothing
  ORACLE_TEXT,       // of axioms_use
  ORACLE_MODELS
};

// The models (as bits) that allow cycles in po | rf.
enum {
  ORACLE_CYCLIC = (1 << ORACLE_MODELS) - (1 << ORACLE_IMM),
  ORACLE_KERNEL = 1 << ORACLE_LKMM, // it has programs of its own
  // Accesses of one location by one thread may go against co.
  ORACLE_INCOHERENT =
      1 << ORACLE_LOOSE | 1 << ORACLE_HAZARDS | 1 << ORACLE_TEXT,
};

enum candidate_kind {
  CAND_INIT, // the initial write of a location
  CAND_READ,
  CAND_WRITE,
  CAND_FENCE,
  CAND_ISB,
  CAND_STORES, // a store-store barrier
  CAND_KERNEL, // what else the Linux kernel has
  CAND_THREAD, // creates or joins a thread
  CAND_LOCAL,  // touches no memory: a choice
  CAND_ALLOC,
  CAND_FREE,
};

enum { NO_CANDIDATE = 0xff };

struct candidate_event {
  uint8_t kind;   // enum candidate_kind
  uint8_t order;  // enum order
  uint8_t loc;    // of INIT, READ, WRITE, ALLOC, FREE
  uint8_t thread; // INIT: one that no other event has
  uint8_t rf;     // of a READ: its write
  uint8_t rmw;    // of the WRITE of an RMW: its READ, else NO_CANDIDATE
  uint8_t co;     // of INIT (0) and WRITE: position in co
  bool is_locked; // of a READ or WRITE: by an RMW or a CAS, even a failed one
  // Of instructions: accesses, their whole order, a load-linked on its own;
  // what a fence orders (enum fence_sides; 0: it is one of C).
  bool is_isa, is_linked;
  bool is_amo; // of an update that is one instruction
  uint8_t isa_order, sides;
  uint8_t fence; // of KERNEL: enum kernel_fence
  bool is_mutex; // by taking or releasing a lock
  uint64_t value;
  // The reads that its address, its value and (of a CAS's READ) the value that
  // it expects were computed from, and those that decided branches before it;
  // of the latter, those that guard it (or that no branch ends).
  event_set addr, data, casdep, ctrl, guards;
  event_set basic_addr, basic_data; // the same, without picks
};

// A graph that may or may not be an execution.
struct candidate {
  unsigned n;
  struct candidate_event events[RELATION_EVENTS];
  struct relation po; // transitive; with creation, join and initial writes
};

// From now on, ORACLE_TEXT is what this text says.
MUST_USE bool axioms_use(const char *text, struct diag *why);
// The models (as bits) among `wanted` that allow x.
unsigned axioms_allow(const struct candidate *x, unsigned wanted);
// Does the kernel's model call something in it a race?
bool axioms_race_in_kernel(const struct candidate *x);
// Does the text of the model say what it orders where races are its own?
bool axioms_have_order(enum oracle_model m);
// What is wrong in x whoever allows it, as bits 1 << enum finding_kind: races
// and the lives of objects (findings.cat), where what model `own`, which allows
// x, orders is ordered too. ORACLE_MODELS: there is none.
uint64_t axioms_findings(const struct candidate *x, enum oracle_model own);
