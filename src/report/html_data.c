// SPDX-License-Identifier: MIT
// What the script of the page needs to know about executions: it draws the
// picture, so this is the execution itself, in as few bytes as is reasonable
// (10,000 events are less than a megabyte). An event is a list, in the order
// of reading; what is missing at its end is 0:
//   id, thread (place in `threads`), text, class (a letter), mark and fold,
//   line, file, 1 + location, 1 + id of the row that it reads from, oddity,
//   write [shared, place in co], floors [shared, place, ...]
// page.js (`unpack`) is the other side of it.
#include "report/html_parts.h"

#include "report/edge.h"
#include "report/escape.h"
#include "report/json_writer.h"
#include "report/sentence.h"

#include <stdlib.h>
#include <string.h>

// Which shared location and which place in its co each write is.
struct placing {
  uint32_t shared, place; // shared UINT32_MAX: none
};

struct walk {
  const struct view *v;
  const struct page_files *files;
  uint32_t *steps; // by event: in the order of reading, from 1; 0: no row
  struct placing *placings;
  uint32_t *place_in_co; // by event: of a write, from 1
  bool *is_done;
  uint32_t *newest;       // by location: place in co of the newest write so far
  const char **oddity_of; // by event
  char *folds;            // NULL: none
};

static uint32_t *find_steps(const struct view *v) {
  uint32_t *steps = xcalloc(v->events.len + 1, sizeof *steps), n = 0;
  for (uint32_t i = 0; i < v->rows.len; i++)
    if (event_is_shown(v, v->rows.at[i]))
      steps[v->rows.at[i]] = ++n;
  return steps;
}

static struct placing *place_writes(const struct view *v) {
  struct placing *at = xmalloc((v->events.len + 1) * sizeof *at);
  for (uint32_t e = 0; e < v->events.len; e++)
    at[e] = (struct placing){UINT32_MAX, 0};
  for (uint32_t s = 0; s < v->shared.len; s++)
    for (uint32_t i = 0; i < v->shared.at[s].count; i++)
      at[v->co_events.at[v->shared.at[s].first + i]] =
          (struct placing){s, i + 1};
  return at;
}

// Follows the writes of each location from the first on.
static uint32_t *find_places_in_co(const struct view *v) {
  uint32_t n = v->events.len;
  uint32_t *place = xcalloc(n + 1, sizeof *place);
  uint32_t *next = xmalloc((n + 1) * sizeof *next);
  for (uint32_t e = 0; e < n; e++)
    next[e] = VIEW_NOTHING;
  for (uint32_t e = 0; e < n; e++)
    if (v->events.at[e].kind == EV_WRITE && v->events.at[e].co_before < n)
      next[v->events.at[e].co_before] = e;
  for (uint32_t e = 0; e < n; e++) {
    bool is_first =
        v->events.at[e].kind == EV_WRITE && v->events.at[e].co_before >= n;
    uint32_t nth = 0;
    for (uint32_t w = is_first ? e : n; w < n; w = next[w])
      place[w] = ++nth;
  }
  free(next);
  return place;
}

static void add_pair(struct json *j, const char *name, uint32_t a, uint32_t b) {
  json_open(j, name, '[');
  json_number(j, NULL, a);
  json_number(j, NULL, b);
  json_close(j, ']');
}

// Does the read see something else than what a memory that does one access
// after the other would hold at this step?
static const char *oddity(const struct walk *w, const struct view_event *e) {
  if (e->kind != EV_READ || e->rf == VIEW_NOTHING || e->loc == NO_LOC)
    return NULL;
  if (e->rf < w->v->events.len && !w->is_done[e->rf])
    return "future";
  uint32_t place = e->rf < w->v->events.len ? w->place_in_co[e->rf] : 0;
  return place != w->newest[e->loc] ? "old" : NULL;
}

// Goes through the events in reading order. A write that is older in co than
// what is there already does not become the newest.
static void find_oddities(struct walk *w) {
  for (uint32_t i = 0; i < w->v->rows.len; i++) {
    uint32_t e = w->v->rows.at[i];
    const struct view_event *ev = &w->v->events.at[e];
    w->oddity_of[e] = oddity(w, ev);
    w->is_done[e] = true;
    if (ev->kind == EV_WRITE && ev->loc != NO_LOC &&
        w->place_in_co[e] > w->newest[ev->loc])
      w->newest[ev->loc] = w->place_in_co[e];
  }
}

// -- events

// The first of the events that a step stands for: events that have no step of
// their own, such as the read of an update, go with the next one that has. The
// start of a thread goes with its creation (add_start).
static uint32_t first_of_step(const struct walk *w, uint32_t e) {
  const struct view_event *at = w->v->events.at;
  uint32_t first = e;
  while (first > 0 && at[first - 1].thread == at[e].thread &&
         at[first - 1].kind != EV_START && !w->steps[first - 1])
    first--;
  return first;
}

static char class_of(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  const struct view_event *first = event_is_second_half(v, e) ? ev - 1 : ev;
  if (*ev->told || (ev->flags | first->flags) & (EVF_LOCK | EVF_UNLOCK))
    return 'l';
  if (first != ev)
    return 'u';
  return ev->kind == EV_READ ? 'r' : ev->kind == EV_WRITE ? 'w' : 'o';
}

static unsigned mark_of(const struct view_event *e) {
  return e->row_is_marked ? 3 : e->row_matters ? 2 : e->is_minor ? 1 : 0;
}

// What the events from `first` to `last` leave their thread to see; of a
// location the last pair counts. What the thread itself writes is not said.
static void add_floors(const struct view *v, uint32_t first, uint32_t last,
                       struct placing own, struct str *out) {
  // The floors of a thread stand in the order of its events.
  struct view_range end = v->events.at[last].floors;
  const char *before = "";
  for (uint32_t i = v->events.at[first].floors.first; i < end.first + end.count;
       i++) {
    const struct view_floor *f = &v->floors.at[i];
    if (f->shared == own.shared && f->place == own.place)
      continue;
    str_add(out, "%s%u,%u", before, f->shared, f->place);
    before = ",";
  }
}

// The row that an event takes its value from, 1 + its id; 0: none.
static uint32_t source_row(const struct walk *w, uint32_t e) {
  const struct view *v = w->v;
  const struct view_event *ev = &v->events.at[e];
  const struct view_event *read = event_is_second_half(v, e) ? ev - 1 : ev;
  if (*ev->told || read->kind != EV_READ || read->rf >= v->events.len)
    return 0;
  uint32_t row = v->events.at[read->rf].row;
  return row < v->events.len ? row + 1 : 0;
}

// Drops ",0" and ",[]" at the end.
static void drop_nothing(struct str *s, uint32_t from) {
  for (;;) {
    if (s->len > from + 2 && memcmp(s->at + s->len - 2, ",0", 2) == 0)
      s->len -= 2;
    else if (s->len > from + 3 && memcmp(s->at + s->len - 3, ",[]", 3) == 0)
      s->len -= 3;
    else
      break;
  }
  s->at[s->len] = 0;
}

static void add_event(const struct walk *w, const struct wording *words,
                      uint32_t thread, uint32_t e, struct str *out) {
  const struct view *v = w->v;
  const struct view_event *ev = &v->events.at[e];
  const char *odd = w->oddity_of[event_is_second_half(v, e) ? e - 1 : e];
  bool has_loc = ev->loc != NO_LOC && !*ev->told &&
                 (ev->kind == EV_READ || ev->kind == EV_WRITE);
  struct str text = {0};
  event_sentence(words, v, e, &text);
  str_add(out, "[%u,%u,", e, thread);
  escape_json(str_text(&text), out);
  str_done(&text);
  uint32_t from = out->len;
  str_add(out, ",\"%c\",%u,%u,%u,%u,%u,%u", class_of(v, e),
          mark_of(ev) + 4 * (w->folds ? (unsigned)w->folds[e] : 0),
          ev->place.line,
          ev->place.line ? page_file_number(w->files, ev->place.file) : 0,
          has_loc ? ev->loc + 1 : 0, source_row(w, e),
          !odd          ? 0
          : *odd == 'f' ? 2
                        : 1);
  struct placing at = w->placings[e];
  str_add(out, ",[");
  if (at.shared != UINT32_MAX)
    str_add(out, "%u,%u", at.shared, at.place);
  str_add(out, "],[");
  add_floors(v, first_of_step(w, e), e, at, out);
  str_add(out, "]");
  drop_nothing(out, from);
  str_add(out, "]");
}

// Arrows by kind: the id of the beginning, as the difference to that of the
// arrow before, and the end, as the difference to the beginning. Steps of a
// cycle have their names, relations of the model a name and a colour.
static void add_edges(struct json *j, const struct view *v) {
  struct edges edges = edges_of(v, ~(1U << EDGE_PO));
  for (unsigned k = EDGE_RF; k < EDGE_KINDS; k++) {
    uint32_t last = 0;
    json_open(j, edge_name(k), '[');
    for (uint32_t i = 0; i < edges.at.len; i++) {
      const struct edge *e = &edges.at.at[i];
      if (e->kind != k)
        continue;
      json_signed(j, NULL, (int64_t)e->from - last);
      json_signed(j, NULL, (int64_t)e->to - e->from);
      if (k == EDGE_CYCLE || k == EDGE_NAMED)
        json_text(j, NULL, e->label);
      if (k == EDGE_NAMED)
        json_text(j, NULL, e->color);
      last = e->from;
    }
    json_close(j, ']');
  }
  edges_done(&edges);
}

static void add_memory(struct json *j, const struct view *v) {
  json_open(j, "shared", '[');
  for (uint32_t s = 0; s < v->shared.len; s++) {
    const struct view_co *c = &v->shared.at[s];
    json_open(j, NULL, '{');
    json_text(j, "name", c->location);
    json_open(j, "values", '[');
    json_text(j, NULL, *c->initial ? c->initial : "uninitialized");
    for (uint32_t i = 0; i < c->count; i++)
      json_text(j, NULL, v->events.at[v->co_events.at[c->first + i]].value);
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
}

// From which step on the thread is there, and what it can see then. The threads
// that no thread of the view creates are there from the beginning.
static void add_start(struct json *j, const struct walk *w,
                      const struct view_thread *th) {
  const struct view_event *start = &w->v->events.at[th->first];
  if (!th->count || start->kind != EV_START)
    return;
  if (start->rf < w->v->events.len)
    json_number(j, "created", w->steps[start->rf]);
  json_open(j, "floors", '[');
  for (uint32_t i = 0; i < start->floors.count; i++) {
    const struct view_floor *f = &w->v->floors.at[start->floors.first + i];
    json_number(j, NULL, f->shared);
    json_number(j, NULL, f->place);
  }
  json_close(j, ']');
}

static void add_threads(struct json *j, const struct walk *w) {
  const struct view *v = w->v;
  json_open(j, "threads", '[');
  for (uint32_t t = 0; t < v->threads.len; t++) {
    const struct view_thread *th = &v->threads.at[t];
    json_open(j, NULL, '{');
    struct str label = {0};
    thread_label(v, th->id, &label);
    json_number(j, "id", th->id);
    json_text(j, "label", str_text(&label));
    str_done(&label);
    json_text(j, "name", th->func);
    json_text(j, "end", th->end_text);
    json_bool(j, "error", th->end == END_ERROR);
    add_start(j, w, th);
    if (th->at.line)
      add_pair(j, "line", page_file_number(w->files, th->at.file), th->at.line);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static uint32_t locations(const struct view *v) {
  uint32_t n = 0;
  for (uint32_t e = 0; e < v->events.len; e++)
    if (v->events.at[e].loc != NO_LOC && v->events.at[e].loc >= n)
      n = v->events.at[e].loc + 1;
  return n;
}

static void add_events(struct json *j, const struct walk *w) {
  const struct view *v = w->v;
  struct wording words = wording_of(v, /*is_short=*/true);
  words.has_arrows = true;
  json_open(j, "events", '[');
  const char *before = "\n";
  for (uint32_t i = 0; i < v->rows.len; i++) {
    uint32_t e = v->rows.at[i];
    if (!w->steps[e])
      continue;
    str_add(j->out, "%s", before);
    add_event(w, &words, view_column(v, v->events.at[e].thread), e, j->out);
    before = ",\n";
  }
  json_close(j, ']');
  wording_done(&words);
}

static void walk_done(struct walk *w) {
  free(w->steps);
  free(w->placings);
  free(w->place_in_co);
  free(w->is_done);
  free(w->newest);
  free(w->oddity_of);
  free(w->folds);
}

static void add_entry(struct json *j, const struct page *p,
                      const struct page_entry *entry,
                      const struct page_files *files) {
  const struct view *v = entry->view;
  struct walk w = {.v = v,
                   .files = files,
                   .steps = find_steps(v),
                   .placings = place_writes(v),
                   .place_in_co = find_places_in_co(v),
                   .is_done = xcalloc(v->events.len + 1, sizeof *w.is_done),
                   .newest = xcalloc(locations(v) + 1, sizeof *w.newest),
                   .oddity_of = xcalloc(v->events.len + 1, sizeof *w.oddity_of),
                   .folds = p->is_full ? NULL : view_folds(v)};
  find_oddities(&w);
  json_open(j, NULL, '{');
  json_bool(j, "interleaving", v->is_interleaving);
  add_events(j, &w);
  add_edges(j, v);
  add_memory(j, v);
  add_threads(j, &w);
  if (entry->at.line)
    add_pair(j, "at", page_file_number(files, entry->at.file), entry->at.line);
  if (entry->also.line)
    add_pair(j, "also", page_file_number(files, entry->also.file),
             entry->also.line);
  json_close(j, '}');
  walk_done(&w);
}

void page_add_data(const struct page *p, const struct page_files *files,
                   struct str *out) {
  struct json j = {.out = out, .is_line = true};
  json_open(&j, NULL, '{');
  json_open(&j, "entries", '[');
  for (uint32_t i = 0; i < p->entries.len; i++)
    add_entry(&j, p, &p->entries.at[i], files);
  json_close(&j, ']');
  json_close(&j, '}');
}
