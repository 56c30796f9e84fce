// SPDX-License-Identifier: MIT
// One test under two models: what each of them allows that the other does not,
// and an execution that shows it, with the axiom for which it is refused.
#pragma once

#include "answer/answer.h"

// In what the answers differ, if in several things the last of these.
enum difference {
  DIFFERS_NOT,
  DIFFERS_EXECUTIONS, // another set of executions
  DIFFERS_FLAGS,
  DIFFERS_STATES,
  DIFFERS_VERDICT,
  DIFFERENCES
};

struct contrast_config {
  const struct model *models[2];
  struct answer_config answer; // but for the model
};

struct contrast {
  struct litmus *test; // owned
  struct answer of[2];
  enum difference difference;
  ARRAY(uint32_t) only[2]; // numbers of states that the other does not have
  // An execution that this model allows and the other refuses; without a view
  // if there is none, or none was found.
  struct answer_refused shown[2];
  bool is_allowed[2]; // it is known that this model allows just that one
};

// Answers `t` under both models. False: `why` says for what reason not, and
// under which of them; `is_unfinished` if that is a limit. `t` is taken over if
// there is an answer.
MUST_USE bool contrast_of(struct litmus *t, const struct contrast_config *c,
                          struct contrast *ret, bool *is_unfinished,
                          struct diag *why);
void contrast_done(struct contrast *c);

const char *difference_name(enum difference d);
// What differs, with the executions that show it.
void contrast_text(const struct contrast *c, struct str *out);
// A line of the table of differences; its head.
void contrast_line(const struct contrast *c, struct str *out);
void contrast_head(const struct model *const of[2], struct str *out);
// "Sometimes 1 3", "Undef Never 0 4 data-race"
void contrast_answer(const struct answer *o, struct str *out);
// One JSON object in a line.
void contrast_json(const struct contrast *c, struct str *out);
// "SB: tso allows it, sc refuses it. ..."
void contrast_title(const struct contrast *c, unsigned by, struct str *out);
