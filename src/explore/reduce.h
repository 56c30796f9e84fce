// SPDX-License-Identifier: MIT
// The reductions of the search as a set, and by their names (reduce.def).
#pragma once

#include "base/diag.h"
#include "base/str.h"

#include <stdint.h>

enum {
#define REDUCTION(id, name, when, hooks, what) REDUCTION_##id,
#include "explore/reduce.def"
  REDUCTIONS,
  // Mechanisms of the search that are none have the numbers after these.
  BEFORE_OTHERS = REDUCTIONS - 1,
#define BESIDE(id, hooks) MECHANISM_##id,
#include "explore/reduce.def"
  MECHANISMS,
};

// Members of a set.
enum reduction {
#define REDUCTION(id, name, when, hooks, what)                                 \
  REDUCE_##id = 1 << REDUCTION_##id,
#include "explore/reduce.def"
};

_Static_assert(REDUCTIONS < 32, "a set of reductions is no uint32_t");

enum reduce_when { REDUCE_WHEN_OPT_IN, REDUCE_WHEN_DEFAULT, REDUCE_WHEN_KEPT };

enum {
#define REDUCTION(id, name, when, hooks, what)                                 \
  | (REDUCE_WHEN_##when != REDUCE_WHEN_OPT_IN ? REDUCE_##id : 0)
  REDUCE_DEFAULT = 0
#include "explore/reduce.def"
  ,
#define REDUCTION(id, name, when, hooks, what)                                 \
  | (REDUCE_WHEN_##when == REDUCE_WHEN_KEPT ? REDUCE_##id : 0)
  REDUCE_KEPT = 0
#include "explore/reduce.def"
  ,
  // What the option --explore-retries takes out.
  REDUCE_ROUNDS = REDUCE_AWAITS | REDUCE_OWN_ROUNDS | REDUCE_COUNTED_TRIES |
                  REDUCE_RETRY | REDUCE_ROLLBACK | REDUCE_LOCK_WORDS,
};

// The set of a list of names with commas between; `all` is every one that is
// not kept. False: there is no such name.
MUST_USE bool reduce_read(const char *option, const char *names, uint32_t *ret,
                          struct diag *why);

// Appends the names of a set, with commas between.
void reduce_print(uint32_t set, struct str *out);
const char *reduce_name(unsigned nth);

// What is known of two reductions together (pairs.def).
enum pair_kind {
  PAIR_TESTED,
  PAIR_PROVED,
  PAIR_PARTLY,
  PAIR_NEEDS,    // the first needs the second
  PAIR_EXCLUDES, // where the first is used the second is not
};
struct known_pair {
  enum pair_kind kind;
  unsigned first, second;
  const char *why; // NULL: TESTED
};
struct known_pair reduce_pair(unsigned a, unsigned b);

// Reductions and pairs, as docs/manual/reductions.md has them.
void reduce_markdown(struct str *out);
