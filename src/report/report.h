// SPDX-License-Identifier: MIT
// What the user gets to see: the verdict with its numbers, the findings, and
// the execution that shows the first error; as text or as JSON.
#pragma once

#include "report/view.h"

// A finding and the execution that shows it.
struct shown {
  struct finding finding;
  struct view *view;
};

struct report {
  const struct prog *prog;
  const struct explore_result *result;
  const char *model;        // its name
  bool is_language;         // it says what C programs do, not machines
  bool has_race_order;      // it says what it orders by itself,
  bool races_by_model;      // and that counts for races
  const char *tag;          // of names of executions for --replay, or NULL
  bool is_justified;        // the model has executions that others justify
  bool is_guessed;          // or that are found by guesses
  const struct view *shown; // the execution of the first error, or NULL
  const struct shown *all;  // those of all findings, if they were kept
  uint32_t nall;
  double seconds;
  uint64_t max_rss_kb;
  const struct vm_stats *stats; // NULL: not asked for
  // Complete executions that no interleaving explains; NULL: not asked for.
  const uint64_t *non_sc;
  bool is_quiet;
  const char *mend;    // what would mend the first error, or ""
  uint32_t reductions; // that were on (explore/reduce.h)
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
void report_sarif(const struct report *r, struct str *out);
void report_github(const struct report *r, struct text_style style,
                   struct str *out);
// `relations` is a set of 1 << enum edge_kind (edge.h).
void report_dot(const struct view *v, const char *title, unsigned relations,
                bool is_full, struct str *out);

// The execution that shows the finding, NULL if it was not kept.
const struct view *report_view_of(const struct report *r,
                                  const struct finding *f);
// The text of a source line without its line end; false when the file cannot be
// read.
bool place_source_line(struct place p, struct str *out);
// Where the manual is; kinds.md there has a heading for each kind of finding.
const char *manual_url(void);
// What is wrong, in one line.
const char *finding_message(const struct finding *f);

// "1 error, after 2 executions (0 blocked) under rc11 in 0.26 s, 6 MB".
void verdict_line(const struct report *r, struct str *out);
// What else there is to know, in lines of their own (notes.c); and only what
// was not explored or is left open.
void notes_text(const struct report *r, struct str *out);
void limits_text(const struct report *r, struct str *out);
// "2 threads were waiting when main returned, at a.c:7 and a.c:9", or nothing.
void left_waiting_text(const struct prog *p, const struct explore_result *x,
                       struct str *out);
// What was supposed of the program that C does not promise (`supposed` of
// struct prog), as sentences in a row, as lines, and as a member.
void supposed_sentences(unsigned supposed, struct str *out);
void supposed_text(unsigned supposed, struct str *out);
struct json;
void supposed_json(unsigned supposed, struct json *j);
// The members about that, and about what was not explored.
void limits_json(const struct prog *p, const struct explore_result *x,
                 struct json *j);
const char *verdict_name(enum verdict v); // "ok", "error", "incomplete"

// What to do about an error whose execution is shown, or "" (advice.c).
const char *report_advice(const struct report *r, const struct finding *f,
                          const struct view *v);

// One execution: a column for each thread when that fits, else a block for
// each (columns.c).
void execution_text(const struct view *v, struct text_style style,
                    struct str *out);
