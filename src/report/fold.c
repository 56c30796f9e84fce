// SPDX-License-Identifier: MIT
// Which rows a report leaves out unless it is asked for all: rows that say
// little (minor.c), and the middle of a long thread. Text, pages and pictures
// have the same folds.
#include "report/sentence.h"
#include "report/view.h"

#include <stdlib.h>
#include <string.h>

enum {
  SHOWN_FIRST = 10, // of a long thread: events at its start ...
  SHOWN_LAST = 50,  // ... and at its end
  LEAST_SKIP = 3,   // fewer events in a row are only left out if they are noise
};

// Notes the rows in the middle of a long thread, which are only counted; but
// where a thread comes from is always told.
static void find_middle(const struct view *v, const struct view_thread *th,
                        bool *ret) {
  uint32_t rows = 0, at = 0, end = th->first + th->count;
  for (uint32_t e = th->first; e < end; e++)
    rows += event_is_shown(v, e);
  for (uint32_t e = th->first; e < end; e++) {
    const struct view_event *ev = &v->events.at[e];
    if (!event_is_shown(v, e))
      continue;
    if (rows > SHOWN_FIRST + SHOWN_LAST + 10 && at >= SHOWN_FIRST &&
        at + SHOWN_LAST < rows && !ev->row_is_marked && !ev->row_matters &&
        ev->kind != EV_SPAWN)
      ret[e] = true;
    at++;
  }
}

// For each event, whether the table may leave it out: it is minor, or in the
// middle of a long thread. But what an event that stays has read from the
// middle of another thread stays too.
static bool *find_foldable(const struct view *v) {
  bool *at_first = xcalloc(v->events.len, sizeof *at_first);
  bool *may = xcalloc(v->events.len, sizeof *may);
  for (uint32_t t = 0; t < v->threads.len; t++)
    find_middle(v, &v->threads.at[t], at_first);
  for (uint32_t e = 0; e < v->events.len; e++)
    at_first[e] = may[e] = v->events.at[e].is_minor || at_first[e];
  for (uint32_t e = 0; e < v->events.len; e++) {
    const struct view_event *ev = &v->events.at[e];
    bool is_from_another = ev->kind == EV_READ && ev->rf < v->events.len &&
                           v->events.at[ev->rf].thread != ev->thread;
    uint32_t from = is_from_another ? v->events.at[ev->rf].row : VIEW_NOTHING;
    if (from < v->events.len && ev->row < v->events.len && !at_first[ev->row])
      may[from] = v->events.at[from].is_minor;
  }
  free(at_first);
  return may;
}

// Events of one thread that may be left out, with no row of any thread that
// stays between them.
struct run {
  uint32_t first, last, count;
};

static void end_runs(const struct view *v, struct run *runs, char *folds) {
  for (uint32_t c = 0; c < v->threads.len; c++) {
    struct run *r = &runs[c];
    if (r->count >= LEAST_SKIP) {
      memset(folds + r->first, FOLDED, r->last - r->first);
      folds[r->last] = FOLD_ENDS;
    }
    r->count = 0;
  }
}

// A fold ends where another thread has a row, so that it stands where its
// events are: above whatever comes after them. By event: enum fold.
char *view_folds(const struct view *v) {
  char *folds = xcalloc(v->events.len, sizeof *folds);
  bool *may = find_foldable(v);
  struct run *runs = xcalloc(v->threads.len, sizeof *runs);
  for (uint32_t i = 0; i < v->rows.len; i++) {
    uint32_t e = v->rows.at[i];
    if (!event_is_shown(v, e))
      continue;
    if (!may[e]) {
      end_runs(v, runs, folds);
      continue;
    }
    struct run *r = &runs[view_column(v, v->events.at[e].thread)];
    r->first = r->count ? r->first : e;
    r->last = e;
    r->count++;
  }
  end_runs(v, runs, folds);
  free(runs);
  free(may);
  return folds;
}
