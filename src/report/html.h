// SPDX-License-Identifier: MIT
// The report as one web page that needs nothing else: the source, pictures of
// executions, and a script that steps through them. It works from a file,
// without a network; without the script it is still a report.
#pragma once

#include "report/report.h"

// One execution of the page.
struct page_entry {
  const char *title; // what is wrong, or the outcome
  const char *kind;  // of the finding, or ""
  struct place at;   // of the finding; line 0: nowhere
  unsigned thread;   // that did it
  struct place also; // the other access of a race; line 0: there is none
  unsigned also_thread;
  uint32_t group; // of the page, if it has groups
  const struct view *view;
  const char *mend; // what would mend it, or advice; NULL or "": not known
};

// Executions with the same outcome.
struct page_group {
  const char *title;
  uint64_t executions; // in all; the page may have fewer
};

// A row of the table that a page may have: what models say, for instance.
struct page_row {
  const char *head, **cells; // page.columns of them
  bool is_marked;
  uint32_t first, count; // of the entries that show it
};

struct page {
  const char *program; // its files
  const char *model;
  enum verdict verdict;
  bool is_full;                     // nothing is folded at first
  const char *summary;              // the verdict in words
  ARRAY(struct page_entry) entries; // by group
  ARRAY(struct page_group) groups;  // none: a list of entries is enough
  const char **heads;               // of the columns of the table
  uint32_t columns;                 // 0: there is no table
  ARRAY(struct page_row) rows;
};

// Begins a table of n columns, and adds a row of as many cells. The arrays are
// copied and the page's, the texts are the caller's.
void page_begin_table(struct page *p, const char *const *heads, uint32_t n);
struct page_row *page_add_row(struct page *p, const char *head,
                              const char *const *cells);
void page_table_done(struct page *p);

void page_html(const struct page *p, struct str *out);
