// SPDX-License-Identifier: MIT
// One program, explored with many sets of reductions, all of which must have
// the same answer as none at all.
//
// Findings and the verdict must be the same. So must be the number that
// executions stand for, but that rounds of loops that are left out make fewer:
// it is compared with that of the set without all other reductions.
#pragma once

#include "base/str.h"
#include "explore/explore.h"
#include "prop/hashes.h"

enum {
  COMPARE_SETS = 1024, // at most, of one program
};

struct found {
  uint32_t set;
  bool is_complete, is_cut;
  bool leaves_buffering, leaves_rounds;
  enum verdict verdict;
  struct hashes findings;
  uint64_t stands_for;
};

struct subject {
  const struct prog *prog;
  const struct model *model;
  bool disabled[FIND_COUNT];
  bool has_spies; // what is behind a race is not compared
  struct vm_config machine;
  uint64_t most;   // executions with no reduction; then it is not compared
  double seconds;  // the same for each set
  struct str *why; // what differs
  struct found known[COMPARE_SETS];
  unsigned len;
};

void subject_done(struct subject *s);
// What came out with this set and those that are kept.
const struct found *subject_find(struct subject *s, uint32_t set);
// With --unroll; the caller frees the findings.
struct found subject_unroll(const struct subject *s, uint32_t set,
                            uint32_t rounds);

// How the subject is explored, and what a finding is called in a comparison.
struct explore_config subject_config(const struct subject *s,
                                     const struct model *model, uint32_t set);
struct vm_config subject_machine(const struct subject *s);
uint64_t subject_finding(const struct subject *s, const struct finding *f);

// False: it differs, and `why` says how.
bool subject_agrees(struct subject *s, uint32_t set);
// With nothing but the text of the model, and by default.
bool subject_agrees_with_text(struct subject *s);
// `rf`, with all that are on by default, and with nothing but rounds left out.
bool subject_agrees_opt_in(struct subject *s);
// About `most` of the sets of one or two reductions that are on by default, and
// all of these.
bool subject_agrees_in_pairs(struct subject *s, unsigned most, uint64_t dice);
// Shared by several workers or ranks, in parts, and interrupted (ways.c): the
// answer, all counts, and the error that is reported are those of one explorer.
bool subject_agrees_in_all_ways(struct subject *s, uint32_t set, uint64_t dice);
// With limits of the search that may be hit, by this set: "No errors" is said
// only if it is true, and no error that is none. The search that stops at the
// first error has the same verdict.
bool subject_agrees_with_limits(struct subject *s, uint32_t set, uint64_t dice);
