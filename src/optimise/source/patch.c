// SPDX-License-Identifier: MIT
// Changes of a text as a unified diff.
#include "optimise/source/source.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT = 3 };

void patch_edit(struct source_file *f, uint32_t start, uint32_t end,
                const char *text) {
  struct edit e = {.start = start, .end = end};
  snprintf(e.text, sizeof e.text, "%s", text);
  array_push(&f->edits, e);
  for (uint32_t k = f->edits.len - 1; k; k--) {
    struct edit *two = &f->edits.at[k - 1], swap = two[0];
    if (two[0].start <= two[1].start)
      break;
    two[0] = two[1];
    two[1] = swap;
  }
}

bool patch_remove_statement(struct source_file *f, const struct call *c) {
  const struct str *s = &f->text;
  uint32_t start = c->start, end = c->close + 1;
  if (end >= s->len || s->at[end] != ';' ||
      memchr(s->at + start, '\n', end - start))
    return false;
  uint32_t left = start, right = end + 1;
  while (left && (s->at[left - 1] == ' ' || s->at[left - 1] == '\t'))
    left--;
  bool is_alone = (!left || s->at[left - 1] == '\n') && s->at[right] == '\n';
  // The body of an `if` without braces must stay a statement.
  const struct span before = source_trimmed(s, 0, start);
  bool is_statement =
      before.end && strchr(";{}", s->at[before.end - 1]) != NULL;
  if (is_alone && is_statement)
    patch_edit(f, left, right + 1, "");
  else if (is_statement)
    patch_edit(f, start, right, "");
  else
    patch_edit(f, start, end, "(void)0");
  return true;
}

// A path that `patch -p1` finds from here.
static const char *relative(const char *path) {
  char here[4096];
  size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
  return n && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1
                                                            : path;
}

static void add_lines(const struct str *s, uint32_t start, uint32_t end,
                      char mark, struct str *out) {
  while (start < end) {
    const char *newline = memchr(s->at + start, '\n', end - start);
    uint32_t next = newline ? (uint32_t)(newline - s->at) + 1 : end;
    str_add(out, "%c%.*s%s", mark, (int)(next - start), s->at + start,
            newline ? "" : "\n\\ No newline at end of file\n");
    start = next;
  }
}

static uint32_t count_lines(const struct str *s, uint32_t start, uint32_t end) {
  uint32_t n = 0;
  for (uint32_t i = start; i < end; i++)
    n += s->at[i] == '\n' || i + 1 == end;
  return n;
}

static uint32_t line_start(const struct str *s, uint32_t at) {
  while (at && s->at[at - 1] != '\n')
    at--;
  return at;
}

static uint32_t line_end(const struct str *s, uint32_t at) {
  while (at < s->len && s->at[at] != '\n')
    at++;
  return at < s->len ? at + 1 : at;
}

// Lines of context: so many before or after.
static uint32_t lines_up(const struct str *s, uint32_t at, unsigned n) {
  for (; n && at; n--)
    at = line_start(s, at - 1);
  return at;
}

static uint32_t lines_down(const struct str *s, uint32_t at, unsigned n) {
  for (; n && at < s->len; n--)
    at = line_end(s, at);
  return at;
}

// Does it add whole lines?
static bool is_insertion(const struct str *s, const struct edit *e) {
  size_t n = strlen(e->text);
  return e->start == e->end && line_start(s, e->start) == e->start && n &&
         e->text[n - 1] == '\n';
}

// The lines of an edit, as a range of the text. One that takes whole lines
// ends where the next begins.
static struct span lines_of(const struct str *s, const struct edit *e) {
  if (is_insertion(s, e))
    return (struct span){e->start, e->start};
  bool is_whole = e->end > e->start && s->at[e->end - 1] == '\n';
  return (struct span){line_start(s, e->start),
                       is_whole ? e->end : line_end(s, e->end)};
}

// The text of a range after the edits k.. of it; yields the edit after them.
static uint32_t edited(const struct source_file *f, struct span range,
                       uint32_t k, struct str *out) {
  uint32_t at = range.start;
  for (; k < f->edits.len; k++) {
    const struct edit *e = &f->edits.at[k];
    bool is_here = range.start == range.end && e->start == range.start &&
                   is_insertion(&f->text, e);
    if (e->start >= range.end && !is_here)
      break;
    str_add_bytes(out, f->text.at + at, e->start - at);
    str_add(out, "%s", e->text);
    at = e->end;
  }
  str_add_bytes(out, f->text.at + at, range.end - at);
  return k;
}

// One hunk: all edits from k on whose contexts touch. Yields the edit after it.
static uint32_t add_hunk(const struct source_file *f, uint32_t k, int *shift,
                         struct str *out) {
  const struct str *s = &f->text;
  struct span now = lines_of(s, &f->edits.at[k]);
  uint32_t first = lines_up(s, now.start, CONTEXT), at = first, last;
  struct str body = {0};
  uint32_t removed = 0, added = 0;
  do {
    struct str text = {0};
    uint32_t next = k + 1;
    for (; next < f->edits.len && f->edits.at[next].start < now.end; next++)
      now.end = lines_of(s, &f->edits.at[next]).end;
    add_lines(s, at, now.start, ' ', &body);
    add_lines(s, now.start, now.end, '-', &body);
    k = edited(f, now, k, &text);
    add_lines(&text, 0, text.len, '+', &body);
    removed += count_lines(s, now.start, now.end);
    added += count_lines(&text, 0, text.len);
    str_done(&text);
    at = now.end;
    last = lines_down(s, at, CONTEXT);
    if (k < f->edits.len)
      now = lines_of(s, &f->edits.at[k]);
  } while (k < f->edits.len && lines_up(s, now.start, CONTEXT) <= last);
  add_lines(s, at, last, ' ', &body);
  uint32_t line = count_lines(s, 0, first) + 1;
  uint32_t length = count_lines(s, first, last);
  str_add(out, "@@ -%u,%u +%d,%u @@\n%s", line, length, (int)line + *shift,
          length - removed + added, str_text(&body));
  *shift += (int)added - (int)removed;
  str_done(&body);
  return k;
}

void patch_print(const struct source_file *f, struct str *out) {
  const char *path = relative(f->path);
  int shift = 0;
  if (f->edits.len)
    str_add(out, "--- a/%s\n+++ b/%s\n", path, path);
  for (uint32_t k = 0; k < f->edits.len;)
    k = add_hunk(f, k, &shift, out);
}
