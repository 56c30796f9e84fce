// SPDX-License-Identifier: MIT
// Many random programs, one after the other: on each of them the explorer and
// the oracle must agree about something. The work is done in child processes,
// so that a crash is a result like another: it is traced to its seed, and the
// program is made smaller. Environment:
//   HEDDLE_SEEDS=n        how many programs (default 2000)
//   HEDDLE_FIRST_SEED=n   the first of them (default 0)
//   HEDDLE_DAY=n          a quarter as many again, which are those of day n
//                         since 1970 (default today, 0 none); not if the first
//                         seed is given
//   HEDDLE_SHARE=n        one of n of all these (setting.h)
//   HEDDLE_TEXTS=n        one of n of the known programs, others each day
//   HEDDLE_PROGRAM=text   nothing of that: see campaign_text
//   HEDDLE_OPS=n          how many operations a program has at most
//   HEDDLE_BRIEF=1        many programs: every model, also those without fast
//                         code, explores each of them once
#pragma once

#include "compare.h"

enum {
  CAMPAIGN_COUNTS = 64,
  CAMPAIGN_BUCKETS = 12, // of executions, by powers of two
};

// What was done; shared with the child.
struct totals {
  uint64_t seed; // the current one
  unsigned seeds, compared, too_large;
  unsigned buckets[CAMPAIGN_BUCKETS];
  uint64_t executions, blocked;
  unsigned counts[CAMPAIGN_COUNTS]; // as the campaign likes
};

struct campaign {
  void (*draw)(uint64_t seed, unsigned max_ops, struct program *ret);
  unsigned max_ops;
  unsigned share;    // one of so many seeds is drawn
  uint64_t max_work; // of the oracle
  unsigned models;   // of the oracle, as bits
  bool are_texts;    // without fast code: every eighth program is compared
  // Compares on one program; `seed` may decide how thoroughly, and 0 is
  // thorough. A report says how they disagree.
  enum agreement (*compare)(const struct campaign *k, const struct program *p,
                            uint64_t seed, uint64_t max_work, struct totals *t,
                            struct str *report);
};

// Runs it. False: they disagree, and it was printed how. *ret is what was done.
MUST_USE bool campaign_run(const struct campaign *k, struct totals *ret);
// The same on one program, as if it had that seed.
MUST_USE bool campaign_text(const struct campaign *k, const char *text,
                            uint64_t seed);
// The same on n programs, in one child process as long as all is right. The
// first has seed `step`, the next twice that, and so on.
MUST_USE bool campaign_texts(const struct campaign *k, const char *const *texts,
                             unsigned n, uint64_t step);
// An execution count goes to its bucket.
void campaign_count(struct totals *t, uint64_t executions);
