// SPDX-License-Identifier: MIT
// Events are placed in the order of the report's rows, each below its
// predecessor and below what it reads from or synchronises with.
#include "report/picture.h"

#include "report/edge.h"
#include "report/escape.h"
#include "report/sentence.h"

#include <stdlib.h>
#include <string.h>

enum {
  MARGIN = 16,
  HEADER = 46, // from the top to the first event
  BOX = 26,    // height of an event
  PITCH = 46,  // from one event to the next
  GAP = 96,    // between lanes: room for arrows
  LEAST_LANE = 110,
  PADDING = 12,    // left and right of an event's text
  MOST_NAMES = 12, // of arrows beside po, before they only show on demand
  CHARACTER = 7, // width at the font size of the page, and a bit (see width_of)
};

struct spot {
  bool is_placed;
  uint32_t lane, level;
};

struct lane {
  int x, width, label_width;
};

struct picture {
  const struct view *v;
  const char *id;
  struct wording words;
  struct edges edges;
  struct spot *spots;               // by event
  uint32_t *steps;                  // by event
  uint32_t *first_edge, *next_edge; // lists of those from an event, 1 + number
  struct lane *lanes;               // by thread
  uint32_t levels;
  struct str *out;
};

// -- layout

// 7.25 pixels a character.
static int width_of(const char *text) {
  int n = 0;
  for (const char *p = text; *p; p++)
    n += ((unsigned char)*p & 0xc0) != 0x80;
  return CHARACTER * n + n / 4;
}

uint32_t *picture_steps(const struct view *v) {
  uint32_t *steps = xcalloc(v->events.len + 1, sizeof *steps), n = 0;
  for (uint32_t i = 0; i < v->rows.len; i++)
    if (event_is_shown(v, v->rows.at[i]))
      steps[v->rows.at[i]] = ++n;
  return steps;
}

static void list_edges(struct picture *p) {
  p->first_edge = xcalloc(p->v->events.len + 1, sizeof *p->first_edge);
  p->next_edge = xcalloc(p->edges.at.len + 1, sizeof *p->next_edge);
  for (uint32_t k = 0; k < p->edges.at.len; k++) {
    uint32_t *first = &p->first_edge[p->edges.at.at[k].from];
    p->next_edge[k] = *first;
    *first = k + 1;
  }
}

static uint32_t max_of(uint32_t a, uint32_t b) {
  return a > b ? a : b;
}

// An event stands below everything that it comes after by po, rf and sync. In
// the order of reading, what comes before has its level already; an arrow from
// something later (load buffering) points upwards.
static void find_levels(struct picture *p) {
  const struct view *v = p->v;
  uint32_t *next = xcalloc(v->threads.len, sizeof *next);
  for (uint32_t i = 0; i < v->rows.len; i++) {
    uint32_t e = v->rows.at[i];
    struct spot *s = &p->spots[e];
    if (!p->steps[e])
      continue;
    s->level = max_of(s->level, next[s->lane]);
    s->is_placed = true;
    next[s->lane] = s->level + 1;
    p->levels = max_of(p->levels, s->level + 1);
    for (uint32_t k = p->first_edge[e]; k; k = p->next_edge[k - 1]) {
      const struct edge *d = &p->edges.at.at[k - 1];
      bool is_down = d->kind == EDGE_RF || d->kind == EDGE_SYNC;
      if (is_down && !p->spots[d->to].is_placed)
        p->spots[d->to].level = max_of(p->spots[d->to].level, s->level + 1);
    }
  }
  free(next);
}

static void event_label(const struct picture *p, uint32_t e, struct str *out) {
  event_sentence(&p->words, p->v, e, out);
}

static void find_lanes(struct picture *p) {
  int x = MARGIN + (p->v->cycle.len ? GAP / 2 : 0);
  for (uint32_t t = 0; t < p->v->threads.len; t++) {
    const struct view_thread *th = &p->v->threads.at[t];
    struct lane *l = &p->lanes[t];
    struct str text = {0};
    thread_title(p->v, th, &text);
    int most = width_of(str_text(&text)), end = width_of(th->end_text);
    for (uint32_t e = th->first; e < th->first + th->count; e++) {
      p->spots[e].lane = t;
      if (!p->steps[e])
        continue;
      str_clear(&text);
      place_label(&p->words, p->v->events.at[e].place, &text);
      int label = width_of(str_text(&text)) + PADDING;
      l->label_width = label > l->label_width ? label : l->label_width;
      str_clear(&text);
      event_label(p, e, &text);
      int width = width_of(str_text(&text));
      most = width > most ? width : most;
    }
    str_done(&text);
    most += l->label_width;
    most = end > most ? end : most;
    l->x = x;
    l->width =
        most + 2 * PADDING < LEAST_LANE ? LEAST_LANE : most + 2 * PADDING;
    x += l->width + GAP;
  }
}

static int top_of(uint32_t level) {
  return MARGIN + HEADER + PITCH * (int)level;
}

// -- arrows

struct point {
  int x, y;
};

// Arrows of different kinds leave a box at different heights.
static int port(enum edge_kind k) {
  static const int offset[EDGE_KINDS] = {
      [EDGE_RF] = -5,   [EDGE_CO] = 6,     [EDGE_FR] = 2,
      [EDGE_SYNC] = -9, [EDGE_CYCLE] = -1, [EDGE_ADDR] = 0,
      [EDGE_DATA] = 4,  [EDGE_CTRL] = -4,  [EDGE_NAMED] = 9};
  return BOX / 2 + offset[k];
}

// A way of at most two curves with a straight line between them.
struct way {
  struct point from, bend[2], to; // the first curve
  bool is_long;                   // the rest is there too
  struct point across, bend_again[2], end;
};

// Within a lane an arrow goes round the boxes: dependencies on the left, the
// rest on the right. Those of a cycle stay away from its arrows to other lanes.
static struct way way_within(const struct picture *p, const struct edge *e) {
  const struct spot *a = &p->spots[e->from], *b = &p->spots[e->to];
  const struct lane *l = &p->lanes[a->lane];
  int ya = top_of(a->level) + port(e->kind);
  int yb = top_of(b->level) + port(e->kind);
  bool is_left = e->kind == EDGE_CYCLE
                     ? a->lane == 0
                     : e->kind != EDGE_NAMED && e->kind >= EDGE_ADDR;
  int span = abs((int)a->level - (int)b->level);
  int bend = 18 + 6 * span + 4 * (int)e->kind;
  bend = bend > GAP - 10 ? GAP - 10 : bend;
  int x = is_left ? l->x : l->x + l->width;
  int far = is_left ? x - bend : x + bend;
  return (struct way){
      .from = {x, ya}, .bend = {{far, ya}, {far, yb}}, .to = {x, yb}};
}

static void curve(struct point from, struct point to, struct point bend[2]) {
  int middle = (from.x + to.x) / 2;
  bend[0] = (struct point){middle, from.y};
  bend[1] = (struct point){middle, to.y};
}

// Between lanes it is a curve; lanes on the way are crossed between two of
// their boxes.
static struct way way_between(const struct picture *p, const struct edge *e) {
  const struct spot *a = &p->spots[e->from], *b = &p->spots[e->to];
  const struct lane *from = &p->lanes[a->lane], *to = &p->lanes[b->lane];
  bool is_right = b->lane > a->lane;
  struct way w = {.from = {is_right ? from->x + from->width : from->x,
                           top_of(a->level) + port(e->kind)}};
  struct point end = {is_right ? to->x : to->x + to->width,
                      top_of(b->level) + port(e->kind)};
  w.is_long = abs((int)a->lane - (int)b->lane) > 1;
  w.to = end;
  if (w.is_long) {
    const struct lane *first = &p->lanes[is_right ? a->lane + 1 : a->lane - 1];
    const struct lane *last = &p->lanes[is_right ? b->lane - 1 : b->lane + 1];
    int y = top_of(b->level) - (PITCH - BOX) / 2 + port(e->kind) - BOX / 2;
    w.to = (struct point){is_right ? first->x : first->x + first->width, y};
    w.across = (struct point){is_right ? last->x + last->width : last->x, y};
    w.end = end;
    curve(w.across, w.end, w.bend_again);
  }
  curve(w.from, w.to, w.bend);
  return w;
}

// Where the name of an arrow stands on its first curve: names of different
// kinds at different places, since arrows cross in the middle.
static struct point name_point(const struct way *w, const struct edge *e) {
  static const int percent[EDGE_KINDS] = {
      [EDGE_RF] = 30,   [EDGE_CO] = 50,    [EDGE_FR] = 62,
      [EDGE_SYNC] = 42, [EDGE_CYCLE] = 50, [EDGE_ADDR] = 40,
      [EDGE_DATA] = 50, [EDGE_CTRL] = 60,  [EDGE_NAMED] = 70};
  // A step of a cycle stands where its relation does, a little further.
  enum edge_kind k =
      e->kind == EDGE_CYCLE ? edge_of_name(e->label, 2) : e->kind;
  int further = e->kind == EDGE_CYCLE && k != EDGE_KINDS ? 8 : 0;
  k = k == EDGE_KINDS || k == EDGE_PO ? EDGE_CYCLE : k;
  double t = (percent[k] + further) / 100.0, s = 1 - t;
  double c[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  return (struct point){(int)(c[0] * w->from.x + c[1] * w->bend[0].x +
                              c[2] * w->bend[1].x + c[3] * w->to.x),
                        (int)(c[0] * w->from.y + c[1] * w->bend[0].y +
                              c[2] * w->bend[1].y + c[3] * w->to.y)};
}

static void add_curve(struct str *out, const struct point bend[2],
                      struct point to) {
  str_add(out, "C%d %d %d %d %d %d", bend[0].x, bend[0].y, bend[1].x, bend[1].y,
          to.x, to.y);
}

static void add_edge_title(struct picture *p, const struct edge *e) {
  struct wording full = {.main_file = p->words.main_file};
  struct str title = {0};
  str_add(&title, "%s: ", e->label);
  event_reference(&full, p->v, e->from, &title);
  str_add(&title, " to ");
  event_reference(&full, p->v, e->to, &title);
  str_add(&title, ". %s", edge_meaning(e->kind));
  str_add(p->out, "<title>");
  escape_xml(str_text(&title), p->out);
  str_add(p->out, "</title>");
  str_done(&title);
}

// A step of a cycle has its name already.
static bool has_name(const struct picture *p, const struct edge *e) {
  for (uint32_t i = 0; i < p->edges.at.len && e->kind != EDGE_CYCLE; i++) {
    const struct edge *o = &p->edges.at.at[i];
    if (o->kind == EDGE_CYCLE && o->from == e->from && o->to == e->to &&
        strncmp(o->label, e->label, 2) == 0)
      return false;
  }
  return true;
}

static void add_edge(struct picture *p, const struct edge *e) {
  const char *name = edge_name(e->kind);
  bool is_within = p->spots[e->from].lane == p->spots[e->to].lane;
  struct way w = is_within ? way_within(p, e) : way_between(p, e);
  struct point at = name_point(&w, e);
  str_add(p->out, "<g class=\"edge %s\" data-from=\"%u\" data-to=\"%u\"", name,
          e->from, e->to);
  if (e->kind == EDGE_NAMED)
    str_add(p->out, " style=\"--kind:%s\"", e->color);
  str_add(p->out, ">");
  add_edge_title(p, e);
  str_add(p->out, "<path d=\"M%d %d", w.from.x, w.from.y);
  add_curve(p->out, w.bend, w.to);
  if (w.is_long) {
    str_add(p->out, "H%d", w.across.x);
    add_curve(p->out, w.bend_again, w.end);
  }
  str_add(p->out,
          "\" marker-end=\"url(#arrow-%s)\"/><text x=\"%d\" "
          "y=\"%d\">",
          name, at.x, at.y + 4);
  if (has_name(p, e))
    escape_xml(e->label, p->out);
  str_add(p->out, "</text></g>\n");
}

// Program order is the line of the lane; everything else is an arrow.
static void add_edges(struct picture *p) {
  for (uint32_t i = 0; i < p->edges.at.len; i++) {
    const struct edge *e = &p->edges.at.at[i];
    if (e->kind != EDGE_PO)
      add_edge(p, e);
  }
}

// -- lanes and events

static const char *class_of(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  const struct view_event *first = event_is_second_half(v, e) ? ev - 1 : ev;
  if (*ev->told || (ev->flags | first->flags) & (EVF_LOCK | EVF_UNLOCK))
    return "lock";
  if (first != ev)
    return "update";
  return event_kind_name(ev->kind);
}

static const char *mark_of(const struct view *v, uint32_t e) {
  const struct view_event *ev = &v->events.at[e];
  if (ev->row_is_marked)
    return " marked";
  if (ev->row_matters)
    return " matters";
  return ev->is_minor ? " minor" : "";
}

static void add_event(struct picture *p, uint32_t e) {
  const struct view_event *ev = &p->v->events.at[e];
  const struct spot *s = &p->spots[e];
  const struct lane *l = &p->lanes[s->lane];
  int y = top_of(s->level);
  struct str text = {0}, label = {0};
  event_label(p, e, &text);
  place_label(&p->words, ev->place, &label);
  str_add(
      p->out,
      "<g class=\"event %s%s\" id=\"%s-%u\" data-event=\"%u\" tabindex=\"0\" "
      "role=\"button\" aria-label=\"",
      class_of(p->v, e), mark_of(p->v, e), p->id, e, e);
  thread_label(p->v, ev->thread, p->out);
  if (ev->place.line)
    str_add(p->out, ", line %u", ev->place.line);
  str_add(p->out, ": ");
  escape_xml(str_text(&text), p->out);
  str_add(p->out,
          "\"><rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>"
          "<rect class=\"stripe\" x=\"%d\" y=\"%d\" width=\"4\" height=\"%d\" "
          "rx=\"2\"/><text class=\"line\" x=\"%d\" y=\"%d\">",
          l->x, y, l->width, BOX, l->x + 3, y + 4, BOX - 8,
          l->x + PADDING + l->label_width - PADDING, y + 17);
  escape_xml(str_text(&label), p->out);
  str_add(p->out, "</text><text class=\"what\" x=\"%d\" y=\"%d\">",
          l->x + PADDING + l->label_width, y + 17);
  escape_xml(str_text(&text), p->out);
  str_add(p->out, "</text></g>\n");
  str_done(&text);
  str_done(&label);
}

static void add_lane(struct picture *p, uint32_t t) {
  const struct view_thread *th = &p->v->threads.at[t];
  const struct lane *l = &p->lanes[t];
  uint32_t below = 0;
  struct str title = {0};
  for (uint32_t e = th->first; e < th->first + th->count; e++)
    if (p->steps[e])
      below = max_of(below, p->spots[e].level + 1);
  int middle = l->x + l->width / 2, end = top_of(below) + 14;
  str_add(p->out,
          "<g class=\"lane\"><line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>"
          "<text class=\"thread\" x=\"%d\" y=\"%d\">",
          middle, MARGIN + 24, middle, end - 12, middle, MARGIN + 14);
  thread_title(p->v, th, &title);
  escape_xml(str_text(&title), p->out);
  str_done(&title);
  str_add(p->out, "</text><text class=\"end%s\" x=\"%d\" y=\"%d\">",
          th->end == END_ERROR ? " error" : "", middle, end + 2);
  escape_xml(th->end_text, p->out);
  str_add(p->out, "</text></g>\n");
}

static void draw(struct picture *p) {
  const struct lane *last = &p->lanes[p->v->threads.len - 1];
  int width = last->x + last->width + MARGIN + GAP / 2;
  int height = top_of(p->levels) + PITCH;
  uint32_t arrows = 0;
  for (uint32_t i = 0; i < p->edges.at.len; i++)
    arrows += p->edges.at.at[i].kind != EDGE_PO;
  bool is_crowded = arrows > MOST_NAMES;
  str_add(
      p->out,
      "<svg class=\"picture%s\" id=\"%s\" viewBox=\"0 0 %d %d\" width=\"%d\" "
      "height=\"%d\" role=\"group\" aria-label=\"The execution: a lane for "
      "each thread\">\n<g class=\"lanes\">\n",
      is_crowded ? " crowded" : "", p->id, width, height, width, height);
  for (uint32_t t = 0; t < p->v->threads.len; t++)
    add_lane(p, t);
  str_add(p->out, "</g>\n<g class=\"edges\" aria-hidden=\"true\">\n");
  add_edges(p);
  str_add(p->out, "</g>\n<g class=\"events\">\n");
  for (uint32_t i = 0; i < p->v->rows.len; i++)
    if (p->steps[p->v->rows.at[i]])
      add_event(p, p->v->rows.at[i]);
  str_add(p->out, "</g>\n</svg>\n");
}

void picture_svg(const struct view *v, const char *id, struct str *out) {
  if (!v->threads.len)
    return;
  struct picture p = {.v = v,
                      .id = id,
                      .words = wording_of(v, /*is_short=*/true),
                      .edges = edges_of(v, ~0U),
                      .spots = xcalloc(v->events.len + 1, sizeof *p.spots),
                      .steps = picture_steps(v),
                      .lanes = xcalloc(v->threads.len, sizeof *p.lanes),
                      .out = out};
  p.words.has_arrows = true;
  list_edges(&p);
  find_lanes(&p);
  find_levels(&p);
  draw(&p);
  wording_done(&p.words);
  edges_done(&p.edges);
  free(p.first_edge);
  free(p.next_edge);
  free(p.spots);
  free(p.steps);
  free(p.lanes);
}
