// SPDX-License-Identifier: MIT
// What the script of the page needs to know about executions: the order of the
// steps, where each event is in the source, and what it does to memory.
#include "report/html_parts.h"

#include "report/json_writer.h"
#include "report/picture.h"
#include "report/sentence.h"

// Which shared location and which place in its co each write is.
struct placing {
  uint32_t shared, place; // shared UINT32_MAX: none
};

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

static void add_pair(struct json *j, const char *name, uint32_t a, uint32_t b) {
  json_open(j, name, '[');
  json_number(j, NULL, a);
  json_number(j, NULL, b);
  json_close(j, ']');
}

// What the events from `first` to `last` leave their thread to see; of a
// location the last pair counts.
static void add_floors(struct json *j, const struct view *v, uint32_t first,
                       uint32_t last) {
  // The floors of a thread stand in the order of its events.
  uint32_t begin = v->events.at[first].floors.first;
  struct view_range final = v->events.at[last].floors;
  if (begin == final.first + final.count)
    return;
  json_open(j, "floors", '[');
  for (uint32_t i = begin; i < final.first + final.count; i++)
    add_pair(j, NULL, v->floors.at[i].shared, v->floors.at[i].place);
  json_close(j, ']');
}

// Does the read see something else than what a memory that does one access
// after the other would hold at this step? `newest` is that, by location.
static const char *oddity(const struct view_event *e, const bool *is_done,
                          const uint32_t *newest) {
  if (e->kind != EV_READ || e->rf == VIEW_NOTHING || e->loc == NO_LOC)
    return NULL;
  if (e->rf != VIEW_INIT && !is_done[e->rf])
    return "future";
  return e->rf != newest[e->loc] ? "old" : NULL;
}

struct walk {
  const struct view *v;
  const struct page_files *files;
  const uint32_t *steps;
  const struct placing *placings;
  bool *is_done;
  uint32_t *newest;       // by location: the newest write in co so far
  const char **oddity_of; // by event
};

// Is `write` before `other` in co?
static bool is_before_in_co(const struct view *v, uint32_t write,
                            uint32_t other) {
  while (other < v->events.len && other != write)
    other = v->events.at[other].co_before;
  return other == write;
}

// Goes through the events in reading order. A write that is older in co than
// what is there already does not become the newest.
static void find_oddities(struct walk *w) {
  for (uint32_t i = 0; i < w->v->rows.len; i++) {
    uint32_t e = w->v->rows.at[i];
    const struct view_event *ev = &w->v->events.at[e];
    w->oddity_of[e] = oddity(ev, w->is_done, w->newest);
    w->is_done[e] = true;
    if (ev->kind == EV_WRITE && ev->loc != NO_LOC &&
        !is_before_in_co(w->v, e, w->newest[ev->loc]))
      w->newest[ev->loc] = e;
  }
}

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

static void add_event(struct json *j, const struct walk *w,
                      const struct wording *words, uint32_t e) {
  const struct view *v = w->v;
  const struct view_event *ev = &v->events.at[e];
  bool is_update = event_is_second_half(v, e);
  const struct view_event *read = is_update ? ev - 1 : ev;
  const char *odd = w->oddity_of[is_update ? e - 1 : e];
  struct str text = {0};
  event_sentence(words, v, e, &text);
  json_open(j, NULL, '{');
  json_number(j, "id", e);
  json_number(j, "thread", ev->thread);
  json_number(j, "step", w->steps[e]);
  json_text(j, "text", str_text(&text));
  json_text(j, "kind", is_update ? "update" : event_kind_name(ev->kind));
  if (ev->loc != NO_LOC && (ev->kind == EV_READ || ev->kind == EV_WRITE))
    json_number(j, "loc", ev->loc);
  if (ev->place.line)
    add_pair(j, "line", page_file_number(w->files, ev->place.file),
             ev->place.line);
  if (read->kind == EV_READ && read->rf < v->events.len)
    json_number(j, "rf", read->rf);
  if (w->placings[e].shared != UINT32_MAX)
    add_pair(j, "writes", w->placings[e].shared, w->placings[e].place);
  add_floors(j, v, first_of_step(w, e), e);
  if (odd)
    json_text(j, "odd", odd);
  json_close(j, '}');
  str_done(&text);
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
// that nobody in the view creates are there from the beginning.
static void add_start(struct json *j, const struct walk *w,
                      const struct view_thread *th) {
  const struct view_event *start = &w->v->events.at[th->first];
  if (!th->count || start->kind != EV_START)
    return;
  if (start->rf < w->v->events.len)
    json_number(j, "created", w->steps[start->rf]);
  add_floors(j, w->v, th->first, th->first);
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

static void add_entry(struct json *j, const struct page_entry *entry,
                      const struct page_files *files) {
  const struct view *v = entry->view;
  struct wording words = wording_of(v, /*is_short=*/false);
  uint32_t *steps = picture_steps(v), locs = locations(v);
  struct placing *placings = place_writes(v);
  struct walk w = {
      .v = v, .files = files, .steps = steps, .placings = placings};
  w.is_done = xcalloc(v->events.len + 1, sizeof *w.is_done);
  w.newest = xmalloc((locs + 1) * sizeof *w.newest);
  w.oddity_of = xcalloc(v->events.len + 1, sizeof *w.oddity_of);
  for (uint32_t l = 0; l < locs; l++)
    w.newest[l] = VIEW_INIT;
  find_oddities(&w);
  json_open(j, NULL, '{');
  json_bool(j, "interleaving", v->is_interleaving);
  json_open(j, "events", '[');
  for (uint32_t i = 0; i < v->rows.len; i++)
    if (steps[v->rows.at[i]])
      add_event(j, &w, &words, v->rows.at[i]);
  json_close(j, ']');
  add_memory(j, v);
  add_threads(j, &w);
  if (entry->at.line)
    add_pair(j, "at", page_file_number(files, entry->at.file), entry->at.line);
  json_close(j, '}');
  wording_done(&words);
  free(steps);
  free(placings);
  free(w.is_done);
  free(w.newest);
  free(w.oddity_of);
}

void page_add_data(const struct page *p, const struct page_files *files,
                   struct str *out) {
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_open(&j, "entries", '[');
  for (uint32_t i = 0; i < p->entries.len; i++)
    add_entry(&j, &p->entries.at[i], files);
  json_close(&j, ']');
  json_close(&j, '}');
}
