// SPDX-License-Identifier: MIT
// The parts of the page (html.c puts them together).
#pragma once

#include "report/html.h"

// A file in which something happens, and the lines where.
struct page_file {
  const char *name;
  ARRAY(unsigned) lines; // in no order, with repetitions
};
struct page_files {
  struct page_file *at;
  uint32_t len, cap;
};

// html_source.c
void page_find_files(const struct page *p, struct page_files *ret);
uint32_t page_file_number(const struct page_files *files, const char *name);
void page_files_done(struct page_files *files);
void page_add_source(const struct page_files *files, struct str *out);

// html_data.c: what the script needs to know, as JSON.
void page_add_data(const struct page *p, const struct page_files *files,
                   struct str *out);
