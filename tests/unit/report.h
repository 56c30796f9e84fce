// SPDX-License-Identifier: MIT
// What tests of reports have in common.
#pragma once

#include "report/report.h"
#include "tap.h"

static const struct text_style plain = {.color = false, .width = 100};

// As a view that view_new has made.
static inline void text_of(struct view *v, struct text_style style,
                           struct str *out) {
  view_find_rows(v);
  view_mark_rows(v);
  execution_text(v, style, out);
}

static inline bool has(const struct str *text, const char *part) {
  return strstr(str_text(text), part) != NULL;
}
