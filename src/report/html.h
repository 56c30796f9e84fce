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
  uint32_t group;    // of the page, if it has groups
  const struct view *view;
  const char *mend; // what would mend it, NULL or "": not known
};

// Executions with the same outcome.
struct page_group {
  const char *title;
  uint64_t executions; // in all; the page may have fewer
};

// A row of a table: what is in it, and entries that show it.
enum { PAGE_COLUMNS = 3 };
struct page_row {
  const char *head, *cells[PAGE_COLUMNS];
  uint32_t first, count; // of the entries
};

struct page {
  const char *program; // its files
  const char *model;
  enum verdict verdict;
  bool is_full;                     // nothing is folded at first
  const char *summary;              // the verdict in words
  ARRAY(struct page_entry) entries; // by group
  ARRAY(struct page_group) groups;  // none: a list of entries is enough
  const char *heads[PAGE_COLUMNS];  // of a table instead
  ARRAY(struct page_row) rows;
};

void page_html(const struct page *p, struct str *out);
