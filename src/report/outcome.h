// SPDX-License-Identifier: MIT
// The final states of executions: what the global variables hold in the end,
// and what threads observed last (heddle_observe).
// Executions with the same final state have the same outcome; this counts them.
// A variable that holds its initial value is not part of a state, so that it
// does not matter whether it was ever touched.
#pragma once

#include "base/table.h"
#include "report/view.h"

struct variable {
  uint64_t address;     // of a global
  const char *observed; // what a thread observes, NULL: it is a global
  unsigned thread;      // that observes it
  uint32_t size;
  const char *name;    // "x", "T1:r1"
  const char *initial; // printed
  uint64_t bits;       // of the initial value, sign extended
  bool differs;        // between outcomes
};

// A variable that does not hold its initial value.
struct final_value {
  uint32_t variable, text; // text: of outcomes.strings
  uint64_t bits;           // sign extended
};

struct outcome {
  uint32_t first, count; // range of values, by variable
  uint64_t executions;
};

struct outcomes {
  const struct prog *prog;
  ARRAY(struct variable) variables;
  ARRAY(struct outcome) at;
  ARRAY(struct final_value) values;
  struct strings strings;
  ARRAY(struct final_value) scratch;
  struct table table;
};

void outcomes_init(struct outcomes *o, const struct prog *p);
void outcomes_done(struct outcomes *o);

// Counts the execution in `g`; the number of its outcome.
uint32_t outcomes_add(struct outcomes *o, struct vm *vm, const struct graph *g);

// What a variable holds in an outcome.
const char *outcome_text(const struct outcomes *o, uint32_t outcome,
                         uint32_t variable);
uint64_t outcome_bits(const struct outcomes *o, uint32_t outcome,
                      uint32_t variable);
// Has the variable another value than its initial one? Of what is observed: was
// it?
bool outcome_has(const struct outcomes *o, uint32_t outcome, uint32_t variable);
// Do the outcomes differ in this variable?
bool outcomes_differ(const struct outcomes *o, uint32_t variable);
// "r1 = 1, r2 = 0": the variables in which outcomes differ, or all that are not
// as they were at first when there is one outcome only.
void outcome_state(const struct outcomes *o, uint32_t outcome, struct str *out);
// The order in which to list outcomes: by their states. The caller frees it.
uint32_t *outcomes_order(const struct outcomes *o);
