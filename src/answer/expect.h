// SPDX-License-Identifier: MIT
// What tests are expected to answer: tables of names and verdicts, as several
// tools write them, and logs of herd.
#pragma once

#include "answer/answer.h"

struct expectation {
  char *name;       // of the test, or of its file
  char verdict[12]; // Ok, No, Undef, Never, Sometimes, Always, Allowed,
                    // Forbidden
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
// What the test itself says in a comment, "Result: Never", "Never DATARACE" or
// "DEADLOCK"; NULL: nothing.
const char *expectation_of_text(const struct litmus *t);
bool expectation_is_met(const char *expected, const struct answer *o);
