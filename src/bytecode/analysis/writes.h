// SPDX-License-Identifier: MIT
// From where on a program writes no shared memory any more and ends no object's
// life, or writes only so many bytes at once.
#pragma once

#include "bytecode/prog.h"

// What a write may be, the widest first: an atomic one of so many bytes, which
// are aligned; one of which less is known, or that is made in a new thread.
enum width {
  WRITES_NOTHING,
  WRITES_LOCKS, // of the library; or ends the life of an object
  WRITES_16,
  WRITES_8,
  WRITES_4,
  WRITES_2,
  WRITES_1,
  WRITES_ANY = WRITES_1,
};
static inline enum width width_of(uint32_t bytes) {
  return bytes == 16  ? WRITES_16
         : bytes == 8 ? WRITES_8
         : bytes == 4 ? WRITES_4
         : bytes == 2 ? WRITES_2
                      : WRITES_1;
}

// For each instruction, the least that code which runs from there to the end of
// its function may write to shared memory (enum width). For the caller to free.
uint8_t *prog_find_writes(const struct prog *p);
