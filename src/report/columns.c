// SPDX-License-Identifier: MIT
// An execution as a table: one column per thread, one row per event, in the
// reading order of row.c. Cells wrap between words, but to two lines at most:
// when the columns would get narrower than that, the same is said in fewer
// words, then in three lines, and when that does not help either, each thread
// becomes a block of its own, whose events say their numbers in the reading
// order.
#include "report/report.h"
#include "report/sentence.h"

#include <stdlib.h>
#include <string.h>

// How a table is tried: words, lines of a cell, of how many cells one may wrap,
// and how wide columns must be for it.
static const struct attempt {
  bool is_short;
  unsigned lines, one_of, least;
} attempts[] = {{false, 2, 3, 0}, {true, 2, 2, 0}, {true, 3, 1, 24}};
static const char separator[] = " | ";

struct cell {
  uint32_t column; // number of the thread in the view
  char mark;       // '>': the finding is about it; '*': it led there; or ' '
  uint32_t step;   // number of its row; 0: it has none
  char *label;     // line number, may be ""
  char *text;
  unsigned width; // with all that is left of the text, in one line
};

struct columns {
  const struct view *v;
  struct text_style style;
  struct wording words;
  struct str *out;
  ARRAY(struct cell) cells;
  unsigned *label_widths; // by column
  unsigned *widths;       // by column, without separator
  unsigned step_width;    // 0: steps are not shown
  unsigned most_lines;    // of a cell
  bool is_blocks;         // each thread is a block of its own
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

// How many lines `text` takes in that many columns.
static unsigned lines_of(const char *text, unsigned width) {
  unsigned n = 0;
  do {
    size_t len = first_line(text, width);
    text += len + (text[len] == ' ');
    n++;
  } while (*text);
  return n;
}

static char *take(struct str *s) {
  if (!s->at)
    str_add(s, "%s", "");
  char *text = s->at;
  *s = (struct str){0};
  return text;
}

// -- cells

static void add_cell(struct columns *t, struct cell c, struct str *label,
                     struct str *text) {
  if (label->len > t->label_widths[c.column])
    t->label_widths[c.column] = label->len;
  c.label = take(label);
  c.text = take(text);
  array_push(&t->cells, c);
}

static char mark_of(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  return ev->row_is_marked ? '>' : ev->row_matters ? '*' : ' ';
}

static void add_event_cell(struct columns *t, uint32_t e, uint32_t step) {
  const struct view_event *ev = &t->v->events.at[e];
  struct str label = {0}, text = {0};
  place_label(&t->words, ev->place, &label);
  event_sentence(&t->words, t->v, e, &text);
  struct cell c = {.column = view_column(t->v, ev->thread),
                   .mark = mark_of(t->v, e),
                   .step = step};
  add_cell(t, c, &label, &text);
}

static void add_skip_cell(struct columns *t, uint32_t column, uint32_t *count) {
  struct str label = {0}, text = {0};
  if (!*count)
    return;
  str_add(&text,
          t->words.is_short ? "... %u more (--full)"
          : *count == 1     ? "... %u event not shown (--full shows it)"
                            : "... %u events not shown (--full shows them)",
          *count);
  add_cell(t, (struct cell){.column = column, .mark = ' '}, &label, &text);
  *count = 0;
}

// In a block, folds of a thread that follow each other are one.
static void add_event_cells(struct columns *t) {
  char *folds = t->style.is_full ? NULL : view_folds(t->v);
  uint32_t *count = xcalloc(t->v->threads.len, sizeof *count), step = 0;
  for (uint32_t i = 0; i < t->v->rows.len; i++) {
    uint32_t e = t->v->rows.at[i];
    uint32_t c = view_column(t->v, t->v->events.at[e].thread);
    if (!event_is_shown(t->v, e))
      continue;
    step++;
    if (folds && folds[e] != SHOWN) {
      count[c]++;
      if (folds[e] == FOLD_ENDS && !t->is_blocks)
        add_skip_cell(t, c, &count[c]);
      continue;
    }
    add_skip_cell(t, c, &count[c]);
    add_event_cell(t, e, step);
  }
  for (uint32_t c = 0; c < t->v->threads.len; c++)
    add_skip_cell(t, c, &count[c]);
  free(count);
  free(folds);
}

static bool has_marked_event(const struct view *v,
                             const struct view_thread *th) {
  for (uint32_t i = 0; i < th->count; i++)
    if (v->events.at[th->first + i].is_marked)
      return true;
  return false;
}

static void add_end_text(const struct wording *w, const char *text,
                         struct str *out) {
  static const char waits[] = "waits in ";
  size_t n = strncmp(text, waits, sizeof waits - 1) ? 0 : sizeof waits - 1;
  str_add(out, "%.*s%s", (int)n, text, call_in_words(w, text + n));
}

static void add_end_cells(struct columns *t) {
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    const struct view_thread *th = &t->v->threads.at[c];
    struct str label = {0}, text = {0};
    if (th->end != END_FINISHED)
      place_label(&t->words, th->at, &label);
    add_end_text(&t->words, th->end_text, &text);
    bool is_marked = th->end == END_ERROR && !has_marked_event(t->v, th);
    add_cell(t, (struct cell){.column = c, .mark = is_marked ? '>' : ' '},
             &label, &text);
  }
}

static void drop_cells(struct columns *t) {
  for (uint32_t i = 0; i < t->cells.len; i++) {
    free(t->cells.at[i].label);
    free(t->cells.at[i].text);
  }
  t->cells.len = 0;
  memset(t->label_widths, 0, t->v->threads.len * sizeof *t->label_widths);
}

static void make_cells(struct columns *t, const struct attempt *how) {
  drop_cells(t);
  t->words.is_short = how->is_short;
  t->most_lines = how->lines;
  add_event_cells(t);
  add_end_cells(t);
}

// -- drawing

// Width of everything left of a cell's text: mark, step, label, gap.
static unsigned gutter(const struct columns *t, uint32_t column) {
  unsigned step = t->step_width ? t->step_width + 3 : 0;
  return 2 + step + t->label_widths[column] + 2;
}

static void paint(const struct columns *t, const char *code) {
  if (t->style.color)
    str_add(t->out, "\033[%sm", code);
}

static void drop_trailing_spaces(struct str *s) {
  while (s->len && s->at[s->len - 1] == ' ')
    s->at[--s->len] = 0;
}

// Draws the part of a cell that fits one line; `rest` moves behind it. Yields
// the columns used.
static unsigned draw_line(struct columns *t, const struct cell *c,
                          const char **rest, unsigned width) {
  bool is_first = *rest == c->text;
  if (c->mark != ' ')
    paint(t, c->mark == '>' ? "31;1" : "33");
  str_add(t->out, "%c ", is_first ? c->mark : ' ');
  if (t->step_width && c->step && is_first)
    str_add(t->out, "%*u)  ", (int)t->step_width, c->step);
  else if (t->step_width)
    str_add(t->out, "%*s", (int)t->step_width + 3, "");
  str_add(t->out, "%*s  ", (int)t->label_widths[c->column],
          is_first ? c->label : "");
  size_t len = first_line(*rest, width - gutter(t, c->column));
  str_add_bytes(t->out, *rest, len);
  if (c->mark != ' ')
    paint(t, "0");
  unsigned used = gutter(t, c->column) + display_width(*rest, len);
  *rest += len;
  *rest += **rest == ' ';
  return used;
}

static void draw_gap(struct columns *t, unsigned used, uint32_t column) {
  unsigned width = t->widths[column];
  str_add(t->out, "%*s", used < width ? (int)(width - used) : 0, "");
  if (column + 1 < t->v->threads.len)
    str_add(t->out, "%s", separator);
}

static void end_line(struct columns *t) {
  drop_trailing_spaces(t->out);
  str_add(t->out, "\n");
}

// A row: at most one cell in each column, NULL where there is none.
static void draw_row(struct columns *t, const struct cell *const *row) {
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

static void draw_header(struct columns *t) {
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    struct str text = {0};
    thread_title(t->v, &t->v->threads.at[c], &text);
    paint(t, "1");
    str_add(t->out, "  %s", str_text(&text));
    paint(t, "0");
    draw_gap(t, 2 + display_width(str_text(&text), text.len), c);
    str_done(&text);
  }
  end_line(t);
}

static void draw_columns(struct columns *t) {
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

static void draw_blocks(struct columns *t) {
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    paint(t, "1");
    thread_title(t->v, &t->v->threads.at[c], t->out);
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

// The narrowest column in which the cell takes few enough lines.
static unsigned least_width(const struct columns *t, const struct cell *c) {
  unsigned left = gutter(t, c->column), width = longest_word(c->text);
  unsigned all = display_width(c->text, strlen(c->text));
  if (width < all / t->most_lines)
    width = all / t->most_lines;
  while (lines_of(c->text, width) > t->most_lines)
    width++;
  return left + width;
}

static void widen(unsigned *width, unsigned need) {
  *width = *width < need ? need : *width;
}

// Cells of a column that are exactly that wide: they wrap when it gets
// narrower.
static uint32_t cells_of_width(const struct columns *t, uint32_t column,
                               unsigned width) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < t->cells.len; i++)
    n += t->cells.at[i].column == column && t->cells.at[i].width == width;
  return n;
}

// Makes one column narrower by one: that in which the fewest cells wrap for
// it, and of those the one with the most room left. Yields how many wrap.
static uint32_t narrow_one(struct columns *t, const unsigned *least) {
  uint32_t best = UINT32_MAX, fewest = UINT32_MAX;
  for (uint32_t c = 0; c < t->v->threads.len; c++) {
    if (t->widths[c] == least[c])
      continue;
    uint32_t wraps = cells_of_width(t, c, t->widths[c]);
    bool has_more_room = wraps == fewest && t->widths[c] - least[c] >
                                                t->widths[best] - least[best];
    if (wraps < fewest || has_more_room) {
      best = c;
      fewest = wraps;
    }
  }
  t->widths[best]--;
  return fewest;
}

// The widths that the columns want and those below which they cannot go; the
// sums of both with the separators.
static void measure(struct columns *t, unsigned *least, unsigned *wanted,
                    unsigned *needed) {
  uint32_t n = t->v->threads.len;
  *wanted = *needed = (unsigned)(strlen(separator) * (n - 1));
  for (uint32_t c = 0; c < n; c++) {
    struct str header = {0};
    thread_title(t->v, &t->v->threads.at[c], &header);
    t->widths[c] = least[c] = 2 + display_width(str_text(&header), header.len);
    str_done(&header);
  }
  for (uint32_t i = 0; i < t->cells.len; i++) {
    struct cell *c = &t->cells.at[i];
    c->width = gutter(t, c->column) + display_width(c->text, strlen(c->text));
    widen(&t->widths[c->column], c->width);
    widen(&least[c->column], least_width(t, c));
  }
  for (uint32_t c = 0; c < n; c++) {
    *wanted += t->widths[c];
    *needed += least[c];
  }
}

// Chooses a width for each column; false when columns do not fit, or too many
// of the cells would wrap.
static bool choose_widths(struct columns *t, const struct attempt *how) {
  uint32_t n = t->v->threads.len;
  unsigned *least = xcalloc(n, sizeof *least);
  unsigned wanted, needed;
  uint32_t wrapped = 0, most = t->cells.len / how->one_of;
  measure(t, least, &wanted, &needed);
  bool fits = needed <= t->style.width && how->least * n <= t->style.width;
  for (; fits && wanted > t->style.width; wanted--) {
    wrapped += narrow_one(t, least);
    fits = wrapped <= most;
  }
  free(least);
  return fits;
}

// Do blocks of the cells as they are keep to the lines that a cell may have?
static bool blocks_fit(const struct columns *t) {
  for (uint32_t i = 0; i < t->cells.len; i++) {
    const struct cell *c = &t->cells.at[i];
    unsigned left = gutter(t, c->column);
    if (left >= t->style.width ||
        lines_of(c->text, t->style.width - left) > t->most_lines)
      return false;
  }
  return true;
}

static void draw_legend(struct columns *t) {
  struct str legend = {0};
  wording_legend(&t->words, &legend);
  if (legend.len)
    str_add(t->out, "(%s)\n", str_text(&legend));
  str_done(&legend);
}

static unsigned digits(uint32_t n) {
  return n < 10 ? 1 : 1 + digits(n / 10);
}

// A block loses the order of the rows, so its events carry their numbers.
static void show_steps(struct columns *t) {
  uint32_t most = 0;
  for (uint32_t i = 0; i < t->cells.len; i++)
    most = most < t->cells.at[i].step ? t->cells.at[i].step : most;
  if (t->v->threads.len > 1 && most)
    t->step_width = digits(most);
}

static void draw(struct columns *t) {
  for (unsigned i = 0; i < LENGTH(attempts); i++) {
    make_cells(t, &attempts[i]);
    if (choose_widths(t, &attempts[i])) {
      draw_legend(t);
      draw_columns(t);
      return;
    }
  }
  t->is_blocks = true;
  for (unsigned i = 0; i < 2; i++) {
    make_cells(t, &attempts[i]);
    show_steps(t);
    if (blocks_fit(t))
      break;
  }
  draw_legend(t);
  draw_blocks(t);
}

void execution_text(const struct view *v, struct text_style style,
                    struct str *out) {
  if (!v->threads.len)
    return;
  struct columns t = {.v = v,
                      .style = style,
                      .words = wording_of(v, false),
                      .out = out,
                      .label_widths = xcalloc(v->threads.len, sizeof(unsigned)),
                      .widths = xcalloc(v->threads.len, sizeof(unsigned))};
  draw(&t);
  drop_cells(&t);
  array_done(&t.cells);
  wording_done(&t.words);
  free(t.label_widths);
  free(t.widths);
}
