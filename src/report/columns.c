// SPDX-License-Identifier: MIT
// An execution as a table: one column a thread, one row an event, in the
// reading order of row.c. Cells wrap between words. When the columns would
// get too narrow, each thread becomes a block of its own.
#include "report/report.h"
#include "report/sentence.h"

#include <stdlib.h>
#include <string.h>

enum {
  LEAST_COLUMN = 26, // a narrower column is no pleasure to read
  SHOWN_FIRST = 10,  // of a long thread: events at its start ...
  SHOWN_LAST = 50,   // ... and at its end
};
static const char separator[] = " | ";

struct cell {
  uint32_t column; // number of the thread in the view
  bool is_marked;
  char *label; // line number, may be ""
  char *text;
};

struct table {
  const struct view *v;
  struct text_style style;
  struct str *out;
  const char *main_file;
  ARRAY(struct cell) cells;
  unsigned *label_widths; // by column
  unsigned *widths;       // by column, without separator
};

// -- text measures

// Columns that a text takes: bytes that do not continue a UTF-8 sequence.
static unsigned display_width(const char *text, size_t len) {
  unsigned n = 0;
  for (size_t i = 0; i < len; i++)
    n += ((unsigned char)text[i] & 0xc0) != 0x80;
  return n;
}

// The bytes of the first line when `text` is filled into `width` columns. A
// word that is wider than a line stays whole.
static size_t first_line(const char *text, unsigned width) {
  size_t end = strcspn(text, " ");
  while (text[end]) {
    size_t next = end + 1 + strcspn(text + end + 1, " ");
    if (display_width(text, next) > width)
      break;
    end = next;
  }
  return end;
}

static unsigned longest_word(const char *text) {
  unsigned most = 0;
  while (*text) {
    size_t len = strcspn(text, " ");
    unsigned w = display_width(text, len);
    most = w > most ? w : most;
    text += len + (text[len] == ' ');
  }
  return most;
}

static char *take(struct str *s) {
  if (!s->at)
    str_add(s, "%s", "");
  char *text = s->at;
  *s = (struct str){0};
  return text;
}

// -- cells

static void add_cell(struct table *t, uint32_t column, bool is_marked,
                     struct str *label, struct str *text) {
  if (label->len > t->label_widths[column])
    t->label_widths[column] = label->len;
  array_push(&t->cells,
             (struct cell){column, is_marked, take(label), take(text)});
}

static uint32_t column_of(const struct view *v, unsigned thread) {
  uint32_t c = 0;
  while (c < v->threads.len && v->threads.at[c].id != thread)
    c++;
  check(c < v->threads.len);
  return c;
}

static void add_event_cell(struct table *t, uint32_t e) {
  const struct view_event *ev = &t->v->events.at[e];
  struct str label = {0}, text = {0};
  place_label(ev->place, t->main_file, &label);
  event_sentence(t->v, e, t->main_file, &text);
  bool update_marked = e > 0 && ev->kind == EV_WRITE &&
                       (ev->flags & EVF_EXCLUSIVE) && (ev - 1)->is_marked;
  add_cell(t, column_of(t->v, ev->thread), ev->is_marked || update_marked,
           &label, &text);
}

// In the middle of a long thread? Such events are only counted.
static bool is_skipped(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  const struct view_thread *th = &v->threads.at[column_of(v, ev->thread)];
  uint32_t at = e - th->first;
  return th->count > SHOWN_FIRST + SHOWN_LAST + 10 && at >= SHOWN_FIRST &&
         at + SHOWN_LAST < th->count && !ev->is_marked;
}

static void add_skip_cell(struct table *t, uint32_t column, uint32_t count) {
  struct str label = {0}, text = {0};
  str_add(&text, "... %u events not shown (--json has all)", count);
  add_cell(t, column, false, &label, &text);
}

static void add_event_cells(struct table *t) {
  uint32_t *skipped = xcalloc(t->v->threads.len, sizeof *skipped);
  for (uint32_t i = 0; i < t->v->rows.len; i++) {
    uint32_t e = t->v->rows.at[i];
    uint32_t c = column_of(t->v, t->v->events.at[e].thread);
    if (is_skipped(t->v, e)) {
      skipped[c]++;
      continue;
    }
    if (skipped[c])
      add_skip_cell(t, c, skipped[c]);
    skipped[c] = 0;
    if (event_is_shown(t->v, e))
      add_event_cell(t, e);
  }
  free(skipped);
}

static bool has_marked_event(const struct view *v,
                             const struct view_thread *th) {
  for (uint32_t i = 0; i < th->count; i++)
    if (v->events.at[th->first + i].is_marked)
      return true;
  return false;
}

static void add_end_cells(struct table *t) {
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    const struct view_thread *th = &t->v->threads.at[c];
    struct str label = {0}, text = {0};
    if (th->end != END_FINISHED)
      place_label(th->at, t->main_file, &label);
    str_add(&text, "%s", th->end_text);
    add_cell(t, c, th->end == END_ERROR && !has_marked_event(t->v, th), &label,
             &text);
  }
}

// -- drawing

// Width of everything left of a cell's text: mark, label, gap.
static unsigned gutter(const struct table *t, uint32_t column) {
  return 2 + t->label_widths[column] + 2;
}

static void header_text(const struct view_thread *th, struct str *out) {
  str_add(out, "T%u", th->id);
  if (*th->func)
    str_add(out, " %s", th->func);
}

static void paint(const struct table *t, const char *code) {
  if (t->style.color)
    str_add(t->out, "\033[%sm", code);
}

static void drop_trailing_spaces(struct str *s) {
  while (s->len && s->at[s->len - 1] == ' ')
    s->at[--s->len] = 0;
}

// Draws the part of a cell that fits one line; `rest` moves behind it. Yields
// the columns used.
static unsigned draw_line(struct table *t, const struct cell *c,
                          const char **rest, unsigned width) {
  bool is_first = *rest == c->text;
  if (c->is_marked)
    paint(t, "31;1");
  str_add(t->out, "%s%*s  ", c->is_marked && is_first ? "> " : "  ",
          (int)t->label_widths[c->column], is_first ? c->label : "");
  size_t len = first_line(*rest, width - gutter(t, c->column));
  str_add_bytes(t->out, *rest, len);
  if (c->is_marked)
    paint(t, "0");
  unsigned used = gutter(t, c->column) + display_width(*rest, len);
  *rest += len;
  *rest += **rest == ' ';
  return used;
}

static void draw_gap(struct table *t, unsigned used, uint32_t column) {
  unsigned width = t->widths[column];
  str_add(t->out, "%*s", used < width ? (int)(width - used) : 0, "");
  if (column + 1 < t->v->threads.len)
    str_add(t->out, "%s", separator);
}

static void end_line(struct table *t) {
  drop_trailing_spaces(t->out);
  str_add(t->out, "\n");
}

// A row: at most one cell in each column, NULL where there is none.
static void draw_row(struct table *t, const struct cell *const *row) {
  uint32_t n = t->v->threads.len;
  const char **rest = xcalloc(n, sizeof *rest);
  for (uint32_t c = 0; c < n; c++)
    rest[c] = row[c] ? row[c]->text : "";
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t c = 0; c < n; c++) {
      unsigned used =
          *rest[c] ? draw_line(t, row[c], &rest[c], t->widths[c]) : 0;
      draw_gap(t, used, c);
      more |= *rest[c] != 0;
    }
    end_line(t);
  }
  free(rest);
}

static void draw_header(struct table *t) {
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    struct str text = {0};
    header_text(&t->v->threads.at[c], &text);
    paint(t, "1");
    str_add(t->out, "  %s", str_text(&text));
    paint(t, "0");
    draw_gap(t, 2 + display_width(str_text(&text), text.len), c);
    str_done(&text);
  }
  end_line(t);
}

static void draw_columns(struct table *t) {
  uint32_t n = t->v->threads.len, ends = t->cells.len - n;
  const struct cell **row = xcalloc(n, sizeof(*row));
  draw_header(t);
  for (uint32_t i = 0; i < ends; i++) {
    memset(row, 0, n * sizeof *row);
    row[t->cells.at[i].column] = &t->cells.at[i];
    draw_row(t, row);
  }
  for (uint32_t c = 0; c < n; c++)
    row[c] = &t->cells.at[ends + c];
  draw_row(t, row);
  free(row);
}

static void draw_blocks(struct table *t) {
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    paint(t, "1");
    header_text(&t->v->threads.at[c], t->out);
    paint(t, "0");
    str_add(t->out, "\n");
    for (uint32_t i = 0; i < t->cells.len; i++) {
      const struct cell *cell = &t->cells.at[i];
      const char *rest = cell->text;
      while (cell->column == c && *rest) {
        draw_line(t, cell, &rest, t->style.width);
        end_line(t);
      }
    }
    if (c + 1 < t->v->threads.len)
      str_add(t->out, "\n");
  }
}

// -- widths

// Chooses a width for each column; false when columns do not fit.
static bool choose_widths(struct table *t) {
  uint32_t n = t->v->threads.len;
  unsigned total = (unsigned)(strlen(separator) * (n - 1)), wanted = total;
  unsigned *least = xcalloc(n, sizeof *least);
  for (uint32_t c = 0; c < n; c++) {
    struct str header = {0};
    header_text(&t->v->threads.at[c], &header);
    t->widths[c] = least[c] = 2 + display_width(str_text(&header), header.len);
    str_done(&header);
  }
  for (uint32_t i = 0; i < t->cells.len; i++) {
    const struct cell *c = &t->cells.at[i];
    unsigned left = gutter(t, c->column);
    unsigned all = left + display_width(c->text, strlen(c->text));
    unsigned word = left + longest_word(c->text);
    unsigned need = all < LEAST_COLUMN    ? all
                    : word > LEAST_COLUMN ? word
                                          : LEAST_COLUMN;
    if (all > t->widths[c->column])
      t->widths[c->column] = all;
    if (need > least[c->column])
      least[c->column] = need;
  }
  for (uint32_t c = 0; c < n; c++) {
    wanted += t->widths[c];
    total += least[c];
  }
  // Take from the widest column until everything fits.
  while (wanted > t->style.width && total <= t->style.width) {
    uint32_t widest = 0;
    for (uint32_t c = 1; c < n; c++)
      if (t->widths[c] - least[c] > t->widths[widest] - least[widest])
        widest = c;
    t->widths[widest]--;
    wanted--;
  }
  free(least);
  return wanted <= t->style.width;
}

void execution_text(const struct view *v, struct text_style style,
                    struct str *out) {
  struct table t = {.v = v,
                    .style = style,
                    .out = out,
                    .main_file = view_main_file(v),
                    .label_widths = xcalloc(v->threads.len, sizeof(unsigned)),
                    .widths = xcalloc(v->threads.len, sizeof(unsigned))};
  if (v->threads.len) {
    add_event_cells(&t);
    add_end_cells(&t);
    if (choose_widths(&t))
      draw_columns(&t);
    else
      draw_blocks(&t);
  }
  for (uint32_t i = 0; i < t.cells.len; i++) {
    free(t.cells.at[i].label);
    free(t.cells.at[i].text);
  }
  array_done(&t.cells);
  free(t.label_widths);
  free(t.widths);
}
