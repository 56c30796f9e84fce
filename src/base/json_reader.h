// SPDX-License-Identifier: MIT
// JSON as a tree: compile_commands.json, and the messages that editors and
// agents send.
#pragma once

#include "base/diag.h"

#include <stddef.h>
#include <stdint.h>

enum json_kind {
  JSON_NULL,
  JSON_BOOL,
  JSON_NUMBER,
  JSON_STRING,
  JSON_ARRAY,
  JSON_OBJECT,
};

struct json_value {
  enum json_kind kind;
  bool truth;    // of a bool
  double number; // of a number
  char *text;    // of a string, as UTF-8; U+FFFD stands for U+0000
  // Of an array or an object: what is in it, and the names in an object.
  struct json_value *items;
  char **names;
  uint32_t count, cap;
};

// NULL: it is no JSON, and `why` says in which line and column.
MUST_USE struct json_value *json_read(const char *text, size_t len,
                                      struct diag *why);
void json_free(struct json_value *v);

// A member of an object; NULL if there is none, or if `v` is NULL or no object.
// Of several with that name it is the last.
const struct json_value *json_member(const struct json_value *v,
                                     const char *name);
// Its text; NULL if it is missing or no string.
const char *json_string(const struct json_value *v, const char *name);
// Its value; `otherwise` if it is missing or no whole number.
int64_t json_whole(const struct json_value *v, const char *name,
                   int64_t otherwise);
