// SPDX-License-Identifier: MIT
// Verdicts of several programs as JUnit XML, which CI systems show as tests.
#pragma once

#include "base/str.h"

enum case_status {
  CASE_PASSED,
  CASE_FAILED,  // another verdict than the expected one
  CASE_ERROR,   // no verdict: bad input, out of limits
  CASE_SKIPPED, // a signal came first
  CASE_STATUSES,
};

struct test_case {
  const char *name;  // the program
  const char *suite; // the model
  enum case_status status;
  double seconds;
  const char *message; // one line: why it did not pass; "" if it did
  unsigned supposed;   // as struct prog has it
  const char *detail;  // the report
};

void report_junit(const struct test_case *cases, uint32_t n, struct str *out);
