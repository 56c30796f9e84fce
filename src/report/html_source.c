// SPDX-License-Identifier: MIT
// The source pane of the page: the files in which something happens, short
// ones as a whole, of long ones what is around the lines that take part.
#include "report/html_parts.h"

#include "base/source.h"
#include "report/escape.h"

#include <stdio.h>
#include <string.h>

enum {
  WHOLE = 400,  // lines of a file that is shown as a whole
  CONTEXT = 8,  // lines around one that takes part
  LONGEST = 400 // characters of a line
};

static void note_place(struct page_files *files, struct place p) {
  uint32_t f = 0;
  if (!p.line)
    return;
  while (f < files->len && strcmp(files->at[f].name, p.file) != 0)
    f++;
  if (f == files->len)
    array_push(files, (struct page_file){.name = p.file});
  array_push(&files->at[f].lines, p.line);
}

void page_find_files(const struct page *p, struct page_files *ret) {
  for (uint32_t i = 0; i < p->entries.len; i++) {
    const struct view *v = p->entries.at[i].view;
    note_place(ret, p->entries.at[i].at);
    for (uint32_t e = 0; e < v->events.len; e++)
      if (v->events.at[e].row != VIEW_NOTHING)
        note_place(ret, v->events.at[e].place);
    for (uint32_t t = 0; t < v->threads.len; t++)
      note_place(ret, v->threads.at[t].at);
  }
}

uint32_t page_file_number(const struct page_files *files, const char *name) {
  uint32_t f = 0;
  while (f < files->len && strcmp(files->at[f].name, name) != 0)
    f++;
  return f;
}

void page_files_done(struct page_files *files) {
  for (uint32_t f = 0; f < files->len; f++)
    array_done(&files->at[f].lines);
  array_done(files);
}

static bool is_near(const struct page_file *f, unsigned line) {
  for (uint32_t i = 0; i < f->lines.len; i++)
    if (f->lines.at[i] <= line + CONTEXT && line <= f->lines.at[i] + CONTEXT)
      return true;
  return false;
}

static unsigned count_lines(FILE *f) {
  unsigned n = 0;
  for (int c; (c = getc(f)) != EOF;)
    n += c == '\n';
  rewind(f);
  return n;
}

static void add_line(uint32_t file, unsigned number, char *text, size_t len,
                     struct str *out) {
  while (len && (text[len - 1] == '\n' || text[len - 1] == '\r'))
    text[--len] = 0;
  for (size_t i = 0; i < len; i++)
    text[i] = text[i] ? text[i] : ' ';
  if (len > LONGEST)
    text[LONGEST] = 0;
  str_add(out,
          "<div class=\"row\" id=\"f%u-%u\"><span class=\"number\">%u</span>"
          "<code>",
          file, number, number);
  escape_xml(text, out);
  str_add(out, "</code></div>\n");
}

static void add_file(const struct page_file *f, uint32_t number,
                     struct str *out) {
  str_add(out, "<div class=\"of-file\" data-file=\"%u\"><h3>", number);
  escape_xml(f->name, out);
  str_add(out, "</h3>\n<div class=\"file\">\n");
  FILE *in = fopen(source_path(f->name), "r");
  if (!in)
    str_add(out, "<p>The source cannot be read.</p>\n");
  bool is_whole = in && count_lines(in) <= WHOLE;
  char *line = NULL;
  size_t cap = 0;
  bool is_gap = false;
  ssize_t len;
  for (unsigned n = 1; in && (len = getline(&line, &cap, in)) >= 0; n++) {
    if (!is_whole && !is_near(f, n)) {
      if (!is_gap)
        str_add(out, "<div class=\"gap\" aria-hidden=\"true\">...</div>\n");
      is_gap = true;
      continue;
    }
    is_gap = false;
    add_line(number, n, line, (size_t)len, out);
  }
  free(line);
  if (in)
    fclose(in);
  str_add(out, "</div></div>\n");
}

void page_add_source(const struct page_files *files, struct str *out) {
  for (uint32_t f = 0; f < files->len; f++)
    add_file(&files->at[f], f, out);
}
