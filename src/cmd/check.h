// SPDX-License-Identifier: MIT
// A check of one program, for the commands that make several.
#pragma once

#include "cmd/cmd.h"
#include "parallel/frontier.h"

// What came out of it, without pointers: it crosses a pipe (suite.c).
struct check_outcome {
  bool has_verdict;    // false: bad input
  bool is_interrupted; // a signal has ended it
  enum verdict verdict;
  uint64_t executions, blocked;
  bool errors[FIND_COUNT]; // kinds that were found
  char message[512];       // of the first error, or of the limit
  unsigned supposed;       // as struct prog has it
  char left_waiting[256];  // where threads were, when main returned, or ""
  double seconds;
  bool is_of_suite; // given: one of several checks, of which few words are said
};

// Checks, reports as the options say, and fills `ret`.
enum exit_code check_program(const struct options *o,
                             struct check_outcome *ret);
// The same, from what a search has done and what is left of it; `from` is
// empty afterwards.
enum exit_code check_frontier(const struct options *o, struct frontier *from);
