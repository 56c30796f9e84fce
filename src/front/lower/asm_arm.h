// SPDX-License-Identifier: MIT
// Instructions of AArch64 in inline assembly: what asm_arm.c and asm_arm_wide.c
// share.
#pragma once

#include "front/lower/asm.h"

struct arm {
  struct assembly *a;
  // The exclusive load that waits for its store.
  bool is_exclusive, is_stored; // stored: done as a compare-exchange
  enum order order;
};

// Where a word points; false: nowhere.
bool arm_place(struct arm *m, const char *word, struct asm_place *ret);
// The zero register swallows what is put there.
void arm_put(struct arm *m, const struct asm_place *to, vreg value,
             unsigned width);
// Is it a branch?
bool arm_leaves(const struct asm_statement *s);
// Are the load at `i` and the store to the same place a loop that ends when the
// store succeeds, and of which failed rounds can be left out? If not, says why.
bool arm_is_loop(struct arm *m, unsigned i, unsigned store);
// The order of an update of these two.
enum order arm_pair_order(enum order load, enum order store);
// The order of an update in one instruction.
enum order arm_order(bool acquires, bool releases);

// asm_arm_wide.c: is it ldxp or its like, or stxp? Lowers them, and casp.
bool arm_is_pair(const char *op, bool is_load);
bool arm_load_pair(struct arm *m, unsigned i);
bool arm_store_pair(struct arm *m, const struct asm_statement *s);
bool arm_casp(struct arm *m, const struct asm_statement *s);
