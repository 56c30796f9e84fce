// SPDX-License-Identifier: MIT
// In which order to read the events of an execution. An order that respects
// po, rf, co and fr explains every value: each read sees the newest write
// above it. Such an order exists exactly when the execution is sequentially
// consistent; taking ready events one by one finds it then. When nothing is
// ready that way, the rows keep only to po and rf (every read stands below its
// write), and the report says that no interleaving explains the execution. With
// load buffering even that has no beginning: then a read stands above its
// write.
//
// What a livelock repeats comes behind what comes before it, if that is such an
// order, too.
#include "report/view.h"

#include <stdlib.h>

struct sorter {
  struct view *v;
  bool *is_out;         // by event
  uint32_t *readers;    // by event: reads from it that are not out yet
  uint32_t *init_reads; // by location: the same for the initial value
  uint32_t *next;       // by thread: how many of its events are out
  uint32_t left[PARTS]; // events that are not out
  bool by_parts;
};

static bool reads_something(const struct view_event *e) {
  return e->kind == EV_READ && e->rf != VIEW_NOTHING;
}

static uint32_t *readers_of(const struct sorter *s, const struct view_event *e,
                            uint32_t write) {
  return write == VIEW_INIT ? &s->init_reads[e->loc] : &s->readers[write];
}

static bool is_out(const struct sorter *s, uint32_t e) {
  return e >= s->v->events.len || s->is_out[e];
}

static bool ready_by_porf(const struct sorter *s, uint32_t e) {
  return is_out(s, s->v->events.at[e].rf);
}

static bool is_of_turn(const struct sorter *s, const struct view_event *e) {
  for (unsigned p = PART_BEFORE; s->by_parts && p < e->part; p++)
    if (s->left[p])
      return false;
  return true;
}

static bool ready(const struct sorter *s, uint32_t e) {
  const struct view_event *ev = &s->v->events.at[e];
  if (!ready_by_porf(s, e) || !is_of_turn(s, ev))
    return false;
  if (ev->kind != EV_WRITE)
    return true;
  return is_out(s, ev->co_before) && *readers_of(s, ev, ev->co_before) == 0;
}

// The next event of thread t, or VIEW_NOTHING.
static uint32_t head(const struct sorter *s, uint32_t t) {
  const struct view_thread *th = &s->v->threads.at[t];
  return s->next[t] < th->count ? th->first + s->next[t] : VIEW_NOTHING;
}

// Stays with thread `from` as long as possible: fewer switches read better.
static uint32_t pick(const struct sorter *s, uint32_t from,
                     bool (*is_ready)(const struct sorter *, uint32_t)) {
  uint32_t n = s->v->threads.len;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t t = (from + i) % n, e = head(s, t);
    if (e != VIEW_NOTHING && is_ready(s, e))
      return t;
  }
  return VIEW_NOTHING;
}

static bool is_read(const struct sorter *s, uint32_t e) {
  return s->v->events.at[e].kind == EV_READ;
}

static void emit(struct sorter *s, uint32_t t) {
  uint32_t e = head(s, t);
  const struct view_event *ev = &s->v->events.at[e];
  s->is_out[e] = true;
  s->next[t]++;
  s->left[ev->part]--;
  if (reads_something(ev))
    --*readers_of(s, ev, ev->rf);
  array_push(&s->v->rows, e);
}

static void begin(struct sorter *s, uint32_t locs) {
  uint32_t n = s->v->events.len;
  s->is_out = xcalloc(n, sizeof *s->is_out);
  s->readers = xcalloc(n, sizeof *s->readers);
  s->init_reads = xcalloc(locs, sizeof *s->init_reads);
  s->next = xcalloc(s->v->threads.len, sizeof *s->next);
  s->v->rows.len = 0;
  s->v->is_interleaving = true;
  for (uint32_t e = 0; e < n; e++) {
    const struct view_event *ev = &s->v->events.at[e];
    s->left[ev->part]++;
    if (reads_something(ev))
      ++*readers_of(s, ev, ev->rf);
  }
}

static void end(struct sorter *s) {
  free(s->is_out);
  free(s->readers);
  free(s->init_reads);
  free(s->next);
}

// False: there is no such order by parts.
static bool order(struct view *v, uint32_t locs, bool by_parts) {
  struct sorter s = {.v = v, .by_parts = by_parts};
  begin(&s, locs);
  for (uint32_t t = 0; v->rows.len < v->events.len;) {
    uint32_t from = t;
    t = pick(&s, from, ready);
    if (t == VIEW_NOTHING) {
      v->is_interleaving = false;
      if (by_parts)
        break;
      t = pick(&s, /*from=*/0, ready_by_porf);
    }
    if (t == VIEW_NOTHING)
      t = pick(&s, /*from=*/0, is_read);
    check(t != VIEW_NOTHING); // a cycle of po and rf passes a read
    emit(&s, t);
  }
  end(&s);
  return v->is_interleaving;
}

void view_order_rows(struct view *v) {
  uint32_t locs = 0;
  bool has_parts = false;
  for (uint32_t e = 0; e < v->events.len; e++) {
    const struct view_event *ev = &v->events.at[e];
    has_parts |= ev->part != PART_BEFORE;
    if (ev->loc != NO_LOC && ev->loc >= locs)
      locs = ev->loc + 1;
  }
  if (!has_parts || !order(v, locs, /*by_parts=*/true))
    order(v, locs, /*by_parts=*/false);
}
