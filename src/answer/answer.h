// SPDX-License-Identifier: MIT
// What `heddle litmus` does with a test: explores it, gathers its final states,
// answers its question, and prints that as herd does, since other tools read
// that format.
#pragma once

#include "explore/explore.h"
#include "litmus/litmus.h"

enum litmus_verdict { LITMUS_OK, LITMUS_NO, LITMUS_UNDEF };
enum observation { SEEN_NEVER, SEEN_SOMETIMES, SEEN_ALWAYS };

struct answer {
  const struct litmus *test;
  const struct model *model;
  uint64_t positive, negative; // executions with and without the proposition
  bool is_racy;                // C: there is a data race, so all is undefined
  bool is_cut;                 // a loop was cut
  ARRAY(const char *) flags;   // that the model raises; they undo nothing
  double seconds;
  uint32_t width;         // values of a state
  ARRAY(uint64_t) values; // the distinct states, sorted
  struct str shown;       // executions that were asked for (--show)
};

struct answer_config {
  const struct model *model;
  const struct loop_bound *unroll;
  uint32_t unrolls;
  uint64_t max_executions, max_events, max_memory;
  double max_seconds;
  uint64_t show; // so many executions that satisfy the proposition
  const atomic_bool *interrupted;
};

// False: it cannot be answered; `why` says for what reason.
MUST_USE bool answer_of(const struct litmus *t, const struct answer_config *c,
                        struct answer *ret, struct diag *why);
void answer_done(struct answer *o);

static inline uint32_t answer_states(const struct answer *o) {
  return o->width ? o->values.len / o->width : o->positive + o->negative != 0;
}
enum litmus_verdict answer_verdict(const struct answer *o);
enum observation answer_observation(const struct answer *o);
const char *litmus_verdict_name(enum litmus_verdict v);
const char *observation_name(enum observation o);

// herd's block.
void answer_text(const struct answer *o, struct str *out);
// One JSON object in a line.
void answer_json(const struct answer *o, struct str *out);
void answer_error_json(const char *file, const char *name,
                       const struct diag *why, struct str *out);
// One line.
void answer_line(const struct answer *o, struct str *out);
