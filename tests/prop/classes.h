// SPDX-License-Identifier: MIT
// Pictures up to a permutation of equal threads: those of the same text that
// main creates one after the other.
#pragma once

#include "picture.h"

struct classes {
  uint8_t group[PROGRAM_THREADS]; // the first thread of its group
  bool is_lock[PROGRAM_LOCS];     // its values say who has it
};

struct classes classes_of(const struct program *p);
bool classes_are_trivial(const struct classes *c);
// The picture of a class is the same whichever of its members is given.
void class_of(const struct classes *c, const struct picture *x,
              struct picture *ret);

// Makes some threads of a random program equal, so that there are classes.
void program_make_equal(uint64_t seed, struct program *p);
bool program_same_text(const struct program *p, unsigned t, unsigned u);
