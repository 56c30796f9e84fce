// SPDX-License-Identifier: MIT
// Explorer against oracle, on one program: the executions, and whether there is
// a race.
#pragma once

#include "oracle.h"

enum agreement { AGREE, DISAGREE, TOO_LARGE };

#define ALL_OPTIONS UINT64_MAX

struct compare_run {
  unsigned models;  // among comparable_models: compare under these
  bool skips_texts; // not under models without fast code
  bool symmetric;   // explore with symmetry: classes are compared (classes.h)
  bool ignores_co;  // explore with --equivalence rf: (po, rf) is compared
  bool is_brief;    // each model explores it once, no option is tried
  // Options of the search that make no difference to the executions: one of
  // them by this number, 0 none.
  uint64_t option;
  uint64_t max_work; // of the oracle
  // What is compared with, instead of oracle_run; it may be for some models
  // only. NULL: that.
  bool (*reference)(const struct program *p, const struct oracle_query *q);
  // Filled: executions per model of the oracle (of those that were compared),
  // and what the explorer counted as blocked in all of them.
  uint64_t executions[ORACLE_MODELS];
  uint64_t blocked;
  uint64_t pairings; // bits: which were compared (pairing.h)
  unsigned racy;     // models with a race
  uint64_t classes;  // with symmetry: how many, of how many executions,
  uint64_t members;
  unsigned refuted; // and how often the threads turned out to be different
  // Filled when they disagree: which graphs are missing, extra or there twice.
  struct str report;
};

// From now on, the text is ORACLE_TEXT, and `for_oracle` says the same. False:
// it is refused.
MUST_USE bool compare_use_text(const char *text, const char *for_oracle,
                               struct diag *why);
// The models that the explorer has, as bits 1 << enum oracle_model; only those
// of that name unless it is NULL.
unsigned comparable_models(const char *name);
// Those of HEDDLE_MODEL, or all, that --equivalence rf is for.
unsigned coarse_models(void);
// Compares under those of c->models that matter for this program. Afterwards
// str_done(&c->report).
enum agreement compare(const struct program *p, struct compare_run *c);
// The same; what disagrees is printed, and nothing is left of the report.
bool compare_agrees(const struct program *p, struct compare_run *c);
