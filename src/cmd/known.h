// SPDX-License-Identifier: MIT
// Tests that passed before, for heddle test --changed.
#pragma once

#include "cmd/check.h"

// Stands for everything that the outcome of a check depends on.
struct known_key {
  uint64_t a, b;
};

// False: it cannot be said (it does not compile, or it writes files).
MUST_USE bool known_key_of(const struct options *o, struct known_key *ret);
// What came out of it before, if that was kept.
MUST_USE bool known_find(struct known_key key, struct check_outcome *ret);
void known_keep(struct known_key key, const struct check_outcome *outcome);
