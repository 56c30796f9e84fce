// SPDX-License-Identifier: MIT
// What `heddle litmus` does with a test: explores it, gathers its final states,
// answers its question, and prints that as herd does, since other tools read
// that format.
#pragma once

#include "litmus/litmus.h"
#include "report/report.h"

enum litmus_verdict { LITMUS_OK, LITMUS_NO, LITMUS_UNDEF };
enum observation { SEEN_NEVER, SEEN_SOMETIMES, SEEN_ALWAYS };

// An execution that is wanted and that a model refuses.
struct answer_refused {
  struct view *view;   // NULL: there is none
  struct litmus *weak; // it is an execution of this: the test, weaker orders
  uint64_t *state;     // its final values, by var
  bool is_settled;     // the above is all that can be said
};

struct answer {
  const struct litmus *test;
  const struct model *model;
  const char *model_by;        // why that one
  uint64_t positive, negative; // executions with and without the proposition
  uint64_t names;              // sum of their names, if it was wanted
  bool is_racy;                // C: there is a data race, so all is undefined
  bool is_cut;                 // a loop was cut
  // A loop of load-linked and store-conditional: failed rounds are left out,
  // where herd cuts the loop.
  bool is_retried;
  bool is_unfinished;        // not all was explored, so there is no answer
  ARRAY(const char *) flags; // that the model raises; they undo nothing
  double seconds;
  uint32_t width;         // values of a state
  ARRAY(uint64_t) values; // the distinct states, sorted
  // Executions that the test asks for (of forall: that break it), if they were
  // wanted. If there are none: one that the model refuses; if there is no such
  // either, not even coherence allows it.
  ARRAY(struct view *) witnesses;
  struct answer_refused refused;
  struct text_style style;
};

struct answer_config {
  const struct model *model;
  const char *model_by; // why that one; may be NULL
  const struct loop_bound *unroll;
  uint32_t unrolls;
  uint64_t max_executions, max_events, max_memory;
  double max_time, max_wall;
  uint32_t reductions;          // of the search (explore/reduce.h)
  uint64_t witnesses;           // so many are kept
  bool enumerates;              // every candidate is made, instead of a search
  bool why;                     // at least one, or why there is none
  bool wants_names;             // of executions
  const char *const *relations; // to be shown in pictures of executions
  uint32_t nrelations;
  struct text_style style; // of executions
  const atomic_bool *interrupted;
};

// False: it cannot be answered; `why` says for what reason.
MUST_USE bool answer_of(const struct litmus *t, const struct answer_config *c,
                        struct answer *ret, struct diag *why);
void answer_done(struct answer *o);

static inline uint32_t answer_states(const struct answer *o) {
  return o->width ? o->values.len / o->width : o->positive + o->negative != 0;
}
static inline const uint64_t *answer_state_at(const struct answer *o,
                                              uint32_t i) {
  return o->values.at + (size_t)i * o->width;
}
enum litmus_verdict answer_verdict(const struct answer *o);
enum observation answer_observation(const struct answer *o);
const char *litmus_verdict_name(enum litmus_verdict v);
const char *observation_name(enum observation o);

// How an answer is found (explore.c, why.c).

// Explores a test under that model, for who wants to see its executions; fills
// `why` and is false if a limit is hit.
struct answer_search {
  const struct litmus *test;
  const struct model *model;
  const struct answer_config *config;
  void (*on_execution)(void *arg, struct vm *vm, const struct graph *g,
                       bool is_blocked);
  void (*on_finding)(void *arg, struct vm *vm, const struct graph *g,
                     const struct finding *f); // NULL: errors do not matter
  void (*on_begin_again)(void *arg); // all that was told comes once more
  const atomic_bool *stop;
  void *arg;
};
struct answer_loops {
  bool is_cut, is_retried; // as of struct answer
};
MUST_USE bool answer_explore(const struct answer_search *s,
                             struct answer_loops *ret, struct diag *why);
// Have all threads come to their end? One that waits for ever has no final
// state, and neither has its execution, although main has returned.
bool answer_is_final(const struct litmus *t, const struct graph *g);
// The final values of the test's variables.
void answer_state(const struct litmus *t, struct vm *vm, const struct graph *g,
                  uint64_t *state);
// Is it a state that the test asks for?
bool answer_is_asked_for(const struct litmus *t, const uint64_t *state);
// Looks for an execution that is asked for and refused by the model.
MUST_USE bool answer_explain(struct answer *o, const struct answer_config *c,
                             struct diag *why);

// The same for any wish.
struct answer_quest {
  const struct litmus *test;
  const struct model *model; // that refuses it
  // Executions of this model, with the orders of the test; NULL: of the weaker
  // test, under coherence alone.
  const struct model *source;
  const struct model *allowed_by; // as of struct refused, and so are
  bool is_all, takes_any;
  bool (*is_wanted)(void *arg, const struct litmus *t, const uint64_t *state);
  void *arg;
};
MUST_USE bool answer_find_refused(const struct answer_quest *q,
                                  const struct answer_config *c,
                                  struct answer_refused *ret, struct diag *why);
void answer_refused_done(struct answer_refused *r);

// herd's block.
void answer_text(const struct answer *o, struct str *out);
// One JSON object in a line.
void answer_json(const struct answer *o, struct str *out);
void answer_error_json(const char *file, const char *name,
                       const struct diag *why, bool is_unfinished,
                       struct str *out);
// "1:X0=0; 1:X2=1;"
void answer_print_state(const struct answer *o, const uint64_t *values,
                        struct str *out);
// A state as a JSON object.
struct json;
void answer_state_json(const struct answer *o, const char *name,
                       const uint64_t *values, struct json *j);
// One line.
void answer_line(const struct answer *o, struct str *out);
