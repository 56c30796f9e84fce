// SPDX-License-Identifier: MIT
// Litmus tests made from cycles, as the tool diy does: each thread has two
// accesses with something between them that may order them (program order, a
// dependency, a fence, acquire and release), and each thread's second access is
// joined to the next one's first by rfe, fre or coe. A cycle is drawn from a
// seed and written twice: as a .litmus file in one of the languages of litmus
// tests, and as a program for the oracle.
#pragma once

#include "base/order.h"
#include "base/str.h"

#include <stdint.h>

enum { MAX_CYCLE = 3 };
enum edge { EDGE_RFE, EDGE_FRE, EDGE_COE };
enum link {
  LINK_PO,
  LINK_ADDR,
  LINK_DATA,
  LINK_CTRL,
  LINK_CTRL_ISB, // isync of POWER
  LINK_FULL,
  LINK_LOADS,  // reads before all
  LINK_STORES, // writes before writes
  LINK_RELEASE_FENCE,
  LINK_LIGHT, // all but a write before a read: lwsync, fence.tso
  LINK_SIDES, // a fence of RISC-V that C does not have
  LINKS
};
enum dialect {
  DIALECT_AARCH64,
  DIALECT_X86,
  DIALECT_X86_64,
  DIALECT_C,
  DIALECT_RISCV,
  DIALECT_PPC,
  DIALECT_ARM,
  DIALECTS
};

// How a write is made.
enum write_form { FORM_STORE, FORM_SWAP, FORM_LLSC, FORM_CAS };

struct spot {
  bool is_write;
  enum write_form form;
  unsigned expected; // FORM_CAS: it is a write only if that was there
  enum order order;
  unsigned loc, value; // written, or expected to be read
};

struct cycle {
  enum dialect dialect;
  unsigned threads;
  enum edge edge[MAX_CYCLE]; // from thread i to the next
  enum link link[MAX_CYCLE];
  unsigned sides[MAX_CYCLE]; // of LINK_SIDES: number in cycle_sides
  struct spot at[MAX_CYCLE][2];
};

// Fences of RISC-V that are none of C, "r.r" and so on; ends with NULL.
extern const char *const cycle_sides[];
extern const char *const cycle_locations[];

// The cycle of a seed.
void cycle_draw(uint64_t seed, struct cycle *ret);
// Does a test use load-linked and store-conditional?
bool cycle_has_llsc(const struct cycle *c);
void cycle_print_oracle(const struct cycle *c, struct str *out);
void cycle_print_litmus(const struct cycle *c, struct str *out);
