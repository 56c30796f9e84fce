// SPDX-License-Identifier: MIT
// Sites and values are found by a walk over lists: a program has few of them.
#include "report/reads.h"

#include "report/json_writer.h"

#include <stdlib.h>
#include <string.h>

static bool is_same_place(struct place a, struct place b) {
  return a.line == b.line && a.column == b.column &&
         strcmp(a.file, b.file) == 0;
}

static const char *keep(struct reads *r, const char *text) {
  return strings_get(&r->strings, strings_add(&r->strings, text));
}

static struct place keep_place(struct reads *r, struct place p) {
  return (struct place){keep(r, p.file), keep(r, p.func), p.line, p.column};
}

static struct read_place *place_of(struct reads *r,
                                   const struct view_event *e) {
  for (uint32_t i = 0; i < r->at.len; i++)
    if (is_same_place(r->at.at[i].at, e->place))
      return &r->at.at[i];
  struct read_place p = {.at = keep_place(r, e->place), .order = e->order};
  p.text = keep(r, *e->text ? e->text : e->location);
  array_push(&r->at, p);
  return array_last(&r->at);
}

static void add_value(struct reads *r, const struct view *v,
                      const struct view_event *e) {
  struct read_place *p = place_of(r, e);
  struct place from = {.file = "", .func = ""};
  if (e->rf < VIEW_NOTHING)
    from = v->events.at[e->rf].place;
  for (uint32_t i = 0; i < p->values.len; i++) {
    struct read_value *known = &p->values.at[i];
    if (is_same_place(known->from, from) &&
        strcmp(known->value, e->value) == 0) {
      known->times++;
      return;
    }
  }
  struct read_value value = {keep(r, e->value), keep_place(r, from), 1};
  array_push(&p->values, value);
}

void reads_add(struct reads *r, const struct view *v) {
  for (uint32_t i = 0; i < v->events.len; i++) {
    const struct view_event *e = &v->events.at[i];
    if (e->kind == EV_READ && e->place.line && e->order != ORD_NA &&
        !*e->call && !e->is_nothing)
      add_value(r, v, e);
  }
}

void reads_done(struct reads *r) {
  for (uint32_t i = 0; i < r->at.len; i++)
    array_done(&r->at.at[i].values);
  array_done(&r->at);
  strings_done(&r->strings);
}

// -- in the order of the source

static int by_place(const void *a, const void *b) {
  const struct read_place *x = *(const struct read_place *const *)a;
  const struct read_place *y = *(const struct read_place *const *)b;
  int files = strcmp(x->at.file, y->at.file);
  if (files)
    return files;
  if (x->at.line != y->at.line)
    return x->at.line < y->at.line ? -1 : 1;
  return x->at.column < y->at.column ? -1 : x->at.column > y->at.column;
}

static const struct read_place **sorted(const struct reads *r) {
  const struct read_place **all = xcalloc(r->at.len + 1, sizeof *all);
  for (uint32_t i = 0; i < r->at.len; i++)
    all[i] = &r->at.at[i];
  qsort(all, r->at.len, sizeof *all, by_place);
  return all;
}

void reads_text(const struct reads *r, struct str *out) {
  const struct read_place **all = sorted(r);
  for (uint32_t i = 0; i < r->at.len; i++) {
    const struct read_place *p = all[i];
    str_add(out, "%s:%u: %s (%s) can read", p->at.file, p->at.line, p->text,
            order_name(p->order));
    for (uint32_t k = 0; k < p->values.len; k++) {
      const struct read_value *v = &p->values.at[k];
      str_add(out, "%s %s", k ? "," : "", v->value);
      if (v->from.line)
        str_add(out, " (from line %u)", v->from.line);
      else
        str_add(out, " (the initial value)");
    }
    str_add(out, "\n");
  }
  free(all);
}

static void add_place(struct json *j, struct place p) {
  json_text(j, "file", p.file);
  json_number(j, "line", p.line);
  json_number(j, "column", p.column);
  json_text(j, "function", p.func);
}

void reads_json(const struct reads *r, struct json *j) {
  const struct read_place **all = sorted(r);
  json_open(j, "reads", '[');
  for (uint32_t i = 0; i < r->at.len; i++) {
    json_open(j, NULL, '{');
    add_place(j, all[i]->at);
    json_text(j, "text", all[i]->text);
    json_text(j, "order", order_name(all[i]->order));
    json_open(j, "values", '[');
    for (uint32_t k = 0; k < all[i]->values.len; k++) {
      const struct read_value *v = &all[i]->values.at[k];
      json_open(j, NULL, '{');
      json_text(j, "value", v->value);
      json_number(j, "times", v->times);
      if (v->from.line) {
        json_open(j, "from", '{');
        add_place(j, v->from);
        json_close(j, '}');
      } else {
        json_null(j, "from");
      }
      json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
  free(all);
}
