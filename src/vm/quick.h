// SPDX-License-Identifier: MIT
// The instructions that step.c does one at a time, in a tight loop as long as
// nothing about them needs care. See quick.c.
#pragma once

#include "vm/thread.h"

// What the loop knows of an instruction. (16 bytes, as the instruction.)
struct quick {
  uint8_t kind;  // how the loop does it (quick.c); 0: step.c has to
  uint8_t shift; // 64 - width
  uint16_t a, b, c;
  uint64_t imm; // of the instruction; of jumps: how many bytes there are to the
                // targets, as two numbers of 32 bits
};

// One for each instruction of the program.
struct quick *quick_new(const struct prog *p);
// Runs the top frame from *pc on and stops before an instruction that needs
// care, behind a jump to the mark if the state might be the one of the watch,
// and behind the first jump when `least` instructions were done. Yields how
// many were; *pc is what comes next.
uint64_t quick_run(struct thread *t, uint32_t *pc, uint64_t least,
                   const struct watch *watch);
