// SPDX-License-Identifier: MIT
// The reductions of the search as a set, and by their names (reduce.def).
#pragma once

#include "base/diag.h"
#include "base/str.h"

#include <stdint.h>

enum {
#define REDUCTION(id, name, when, what) REDUCTION_##id,
#include "explore/reduce.def"
  REDUCTIONS,
};

// Members of a set.
enum reduction {
#define REDUCTION(id, name, when, what) REDUCE_##id = 1 << REDUCTION_##id,
#include "explore/reduce.def"
};

enum reduce_when { REDUCE_WHEN_OPT_IN, REDUCE_WHEN_DEFAULT, REDUCE_WHEN_KEPT };

enum {
#define REDUCTION(id, name, when, what)                                        \
  | (REDUCE_WHEN_##when != REDUCE_WHEN_OPT_IN ? REDUCE_##id : 0)
  REDUCE_DEFAULT = 0
#include "explore/reduce.def"
  ,
#define REDUCTION(id, name, when, what)                                        \
  | (REDUCE_WHEN_##when == REDUCE_WHEN_KEPT ? REDUCE_##id : 0)
  REDUCE_KEPT = 0
#include "explore/reduce.def"
  ,
  // What the option --explore-retries takes out.
  REDUCE_ROUNDS = REDUCE_AWAITS | REDUCE_OWN_ROUNDS | REDUCE_RETRY |
                  REDUCE_ROLLBACK | REDUCE_LOCK_WORDS,
};

// The set of a list of names with commas between; `all` is every one that is
// not kept. False: there is no such name.
MUST_USE bool reduce_read(const char *option, const char *names, uint32_t *ret,
                          struct diag *why);

// Appends the names of a set, with commas between.
void reduce_print(uint32_t set, struct str *out);
const char *reduce_name(unsigned nth);
// The table, as docs/manual/reductions.md has it.
void reduce_markdown(struct str *out);
