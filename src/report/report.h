// SPDX-License-Identifier: MIT
// What the user gets to see: the verdict with its numbers, the findings, and
// the execution that shows the first error; as text or as JSON.
#pragma once

#include "report/view.h"

struct report {
  const struct prog *prog;
  const struct explore_result *result;
  const char *model;        // its name
  const struct view *shown; // the execution to show, or NULL
  double seconds;
  uint64_t max_rss_kb;
  const struct vm_stats *stats; // NULL: not asked for
  bool is_quiet;
};

// How text is laid out.
struct text_style {
  bool color;
  bool is_full;   // minor events and the middle of long threads too
  unsigned width; // columns of the terminal
};

// The style for a stream; `color` is COLOR_AUTO, ... of base/options.h.
struct text_style text_style_of(int fd, unsigned color);

void report_text(const struct report *r, struct text_style style,
                 struct str *out);
void report_json(const struct report *r, struct str *out);

const char *verdict_name(enum verdict v); // "ok", "error", "incomplete"

// One execution: a column for each thread when that fits, else a block for
// each (columns.c).
void execution_text(const struct view *v, struct text_style style,
                    struct str *out);
