// SPDX-License-Identifier: MIT
// Writing JSON into a string: commas and escapes are its business. Strings are
// always valid UTF-8: a byte that does not fit becomes U+FFFD.
#pragma once

#include "base/str.h"

struct json {
  struct str *out;
  bool is_line; // all in one line
  unsigned depth;
  unsigned line_depth; // items up to this depth have a line each; 0: 2
  bool has_items[16];  // by depth: a comma is due
};

// `name` is the member's name inside an object, NULL inside an array.
void json_open(struct json *j, const char *name, char bracket); // '{' or '['
void json_close(struct json *j, char bracket);                  // '}' or ']'
void json_text(struct json *j, const char *name, const char *value);
void json_number(struct json *j, const char *name, uint64_t value);
// Of any size: a search may have more executions than a uint64_t counts.
void json_estimate(struct json *j, const char *name, double value);
void json_signed(struct json *j, const char *name, int64_t value);
void json_seconds(struct json *j, const char *name, double value);
void json_bool(struct json *j, const char *name, bool value);
void json_null(struct json *j, const char *name);
// What is JSON already; blanks at its end are left out.
void json_raw(struct json *j, const char *name, const char *json);
