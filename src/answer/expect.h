// SPDX-License-Identifier: MIT
// What tests are expected to answer: tables of names and verdicts, as several
// tools write them, and logs of herd.
#pragma once

#include "answer/answer.h"

struct expectation {
  char *name;       // of the test, or of its file
  char verdict[12]; // Ok, No, Undef, Never, Sometimes, Always, Allowed,
                    // Forbidden
  bool is_met;      // there was such a test, whatever its answer
};

struct expectations {
  ARRAY(struct expectation) list; // sorted by name
};

// Lines "name verdict", separated by blanks or a comma; 1 is Ok and 0 is No.
// Or a log of herd: its lines "Observation name ..." count.
MUST_USE bool expectations_read(const char *path, struct expectations *ret,
                                struct diag *why);
void expectations_done(struct expectations *e);

// What is expected of a test; NULL: nothing.
const char *expectations_find(const struct expectations *e,
                              const struct litmus *t);
// There is a test of that name, in that file.
void expectations_meet(struct expectations *e, const char *name,
                       const char *file);
// Says which of them no test met (of many, the first ones). Yields how many.
uint32_t expectations_missing(const struct expectations *e, struct str *out);
// What the test itself says in a comment, "Result: Never", "Never DATARACE" or
// "DEADLOCK"; NULL: nothing.
const char *expectation_of_text(const struct litmus *t);
bool expectation_is_met(const char *expected, const struct answer *o);
