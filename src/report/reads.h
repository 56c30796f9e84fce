// SPDX-License-Identifier: MIT
// Which values each place of the source can read, and where they were written:
// gathered over executions, for `heddle explore --reads` and for editors.
#pragma once

#include "report/view.h"

struct json;

struct read_value {
  const char *value;
  struct place from; // line 0: the initial value
  uint64_t times;    // in all executions together
};

struct read_place {
  struct place at;
  const char *text; // the variable as the source says it
  enum order order;
  ARRAY(struct read_value) values;
};

struct reads {
  ARRAY(struct read_place) at;
  struct strings strings;
};

// Adds one execution. Reads inside of library functions are left out, and so
// are those that are not atomic.
void reads_add(struct reads *r, const struct view *v);
void reads_done(struct reads *r);
void reads_text(const struct reads *r, struct str *out);
void reads_json(const struct reads *r, struct json *j); // a member `reads`
