// SPDX-License-Identifier: MIT
// Keeps the depth and whether a comma is due; nothing is ever written twice.
#include "report/json_writer.h"

#include "report/escape.h"

#include <string.h>

// A long array stays readable with one item of the outer levels a line.
static unsigned line_depth(const struct json *j) {
  return j->is_line ? 0 : j->line_depth ? j->line_depth : 2;
}

static void begin_item(struct json *j, const char *name) {
  if (j->has_items[j->depth])
    str_add(j->out, ",");
  if (j->depth && j->depth <= line_depth(j))
    str_add(j->out, "\n%*s", (int)j->depth * 2, "");
  else if (j->has_items[j->depth])
    str_add(j->out, " ");
  j->has_items[j->depth] = true;
  if (name) {
    escape_json(name, j->out);
    str_add(j->out, ": ");
  }
}

void json_open(struct json *j, const char *name, char bracket) {
  begin_item(j, name);
  str_add_bytes(j->out, &bracket, 1);
  j->depth++;
  check(j->depth < sizeof j->has_items / sizeof *j->has_items);
  j->has_items[j->depth] = false;
}

void json_close(struct json *j, char bracket) {
  check(j->depth > 0);
  j->depth--;
  if (j->depth < line_depth(j) && j->has_items[j->depth + 1])
    str_add(j->out, "\n%*s", (int)j->depth * 2, "");
  str_add_bytes(j->out, &bracket, 1);
}

void json_text(struct json *j, const char *name, const char *value) {
  begin_item(j, name);
  escape_json(value, j->out);
}

void json_number(struct json *j, const char *name, uint64_t value) {
  begin_item(j, name);
  str_add(j->out, "%llu", (unsigned long long)value);
}

void json_estimate(struct json *j, const char *name, double value) {
  begin_item(j, name);
  str_add(j->out, "%.0f", value);
}

void json_seconds(struct json *j, const char *name, double value) {
  begin_item(j, name);
  str_add(j->out, "%.6f", value);
}

void json_bool(struct json *j, const char *name, bool value) {
  begin_item(j, name);
  str_add(j->out, value ? "true" : "false");
}

void json_signed(struct json *j, const char *name, int64_t value) {
  begin_item(j, name);
  str_add(j->out, "%lld", (long long)value);
}

void json_null(struct json *j, const char *name) {
  begin_item(j, name);
  str_add(j->out, "null");
}

void json_raw(struct json *j, const char *name, const char *json) {
  size_t n = strlen(json);
  begin_item(j, name);
  while (n && (json[n - 1] == '\n' || json[n - 1] == ' '))
    n--;
  for (size_t i = 0; i < n; i++) // a line break is never inside of a string
    str_add_bytes(j->out, json[i] == '\n' && j->is_line ? " " : &json[i], 1);
}
