// SPDX-License-Identifier: MIT
// An execution for Graphviz: a cluster for each thread with its events from
// top to bottom, and the relations as coloured arrows. Only program order
// decides who is above whom, so that threads stay straight columns.
#include "report/edge.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/sentence.h"

#include <stdlib.h>

static void add_node(const struct wording *w, const struct view *v, uint32_t e,
                     struct str *out) {
  const struct view_event *ev = &v->events.at[e];
  struct str text = {0}, label = {0};
  place_label(w, ev->place, &label);
  if (label.len)
    str_add(&text, "%s: ", str_text(&label));
  event_sentence(w, v, e, &text);
  str_add(out, "    e%u [label=", e);
  escape_dot(str_text(&text), out);
  if (ev->row_is_marked)
    str_add(out, ", color=\"#c2323f\", fontcolor=\"#c2323f\", penwidth=2");
  else if (ev->row_matters)
    str_add(out, ", color=\"#b8651b\", penwidth=2");
  str_add(out, "];\n");
  str_done(&text);
  str_done(&label);
}

static void add_end(const struct view_thread *th, uint32_t last,
                    struct str *out) {
  str_add(out, "    end%u [shape=plaintext, label=", th->id);
  escape_dot(th->end_text, out);
  if (th->end == END_ERROR)
    str_add(out, ", fontcolor=\"#c2323f\"");
  str_add(out, "];\n");
  if (last != VIEW_NOTHING)
    str_add(out, "    e%u -> end%u [style=dotted, arrowhead=none];\n", last,
            th->id);
}

// Rows that are folded are one node: that of the last of them.
struct folding {
  char *folds;     // enum fold by event, NULL: none
  uint32_t *nodes; // by event: the event whose node it is in
  uint32_t *count; // by event at which a fold ends: its rows
};

static struct folding fold(const struct view *v, bool is_full) {
  struct folding f = {.folds = is_full ? NULL : view_folds(v),
                      .nodes = xcalloc(v->events.len + 1, sizeof *f.nodes),
                      .count = xcalloc(v->events.len + 1, sizeof *f.count)};
  uint32_t end = VIEW_NOTHING;
  for (uint32_t e = v->events.len; e-- > 0;) { // in a thread, folds are runs
    enum fold how = f.folds ? (enum fold)f.folds[e] : SHOWN;
    end = how == FOLD_ENDS                       ? e
          : how == SHOWN && event_is_shown(v, e) ? VIEW_NOTHING
                                                 : end;
    bool is_in = how != SHOWN && end != VIEW_NOTHING;
    f.nodes[e] = is_in ? end : e;
    if (is_in && event_is_shown(v, e))
      f.count[end]++;
  }
  return f;
}

static void folding_done(struct folding *f) {
  free(f->folds);
  free(f->nodes);
  free(f->count);
}

static void add_thread(const struct wording *w, const struct view *v,
                       const struct view_thread *th, const struct folding *f,
                       struct str *out) {
  struct str title = {0};
  uint32_t first = VIEW_NOTHING, last = VIEW_NOTHING;
  thread_title(v, th, &title);
  str_add(out, "  subgraph cluster_T%u {\n    label=", th->id);
  escape_dot(str_text(&title), out);
  str_add(out, ";\n    style=rounded; color=\"#c5c9d0\"; fontname=\"sans\";\n");
  for (uint32_t e = th->first; e < th->first + th->count; e++) {
    if (!event_is_shown(v, e) || f->nodes[e] != e)
      continue;
    if (f->count[e])
      str_add(out, "    e%u [label=\"... %u events\", style=dashed];\n", e,
              f->count[e]);
    else
      add_node(w, v, e, out);
    first = first == VIEW_NOTHING ? e : first;
    last = e;
  }
  add_end(th, last, out);
  str_add(out, "  }\n");
  if (first != VIEW_NOTHING)
    str_add(out, "  top%u -> e%u [style=invis];\n", th->id, first);
  str_done(&title);
}

// Threads from left to right, as everywhere: by points above them.
static void add_order(const struct view *v, struct str *out) {
  str_add(out, "  { rank=same; node [shape=point, style=invis];");
  for (uint32_t t = 0; t < v->threads.len; t++)
    str_add(out, " top%u;", v->threads.at[t].id);
  str_add(out, " }\n");
  for (uint32_t t = 1; t < v->threads.len; t++)
    str_add(out, "  top%u -> top%u [style=invis];\n", v->threads.at[t - 1].id,
            v->threads.at[t].id);
}

static void add_edge(const struct edge *e, struct str *out) {
  const char *color = e->color;
  struct str label = {0};
  escape_dot(e->label, &label);
  str_add(out, "  e%u -> e%u [", e->from, e->to);
  if (e->kind == EDGE_PO)
    str_add(out, "weight=20, color=\"%s\", arrowsize=0.5", color);
  else
    str_add(out, "constraint=false, color=\"%s\", fontcolor=\"%s\", label=%s%s",
            color, color, str_text(&label),
            e->kind == EDGE_CYCLE   ? ", penwidth=3"
            : e->kind == EDGE_NAMED ? ", penwidth=2"
            : e->kind >= EDGE_ADDR  ? ", style=dashed"
                                    : "");
  str_add(out, "];\n");
  str_done(&label);
}

void report_dot(const struct view *v, const char *title, unsigned relations,
                bool is_full, struct str *out) {
  struct wording words = wording_of(v, /*is_short=*/true);
  words.has_arrows = true;
  struct edges edges =
      edges_of(v, relations | 1U << EDGE_PO | 1U << EDGE_NAMED);
  struct folding f = fold(v, is_full);
  str_add(out, "digraph execution {\n  label=");
  escape_dot(title, out);
  str_add(out, ";\n  labelloc=t; fontname=\"sans\"; nodesep=0.4; "
               "ranksep=0.35;\n"
               "  node [shape=box, style=rounded, fontname=\"monospace\", "
               "fontsize=11, height=0.3];\n"
               "  edge [fontname=\"sans\", fontsize=10];\n");
  add_order(v, out);
  for (uint32_t t = 0; t < v->threads.len; t++)
    add_thread(&words, v, &v->threads.at[t], &f, out);
  edges_unite(&edges, f.nodes);
  for (uint32_t i = 0; i < edges.at.len; i++)
    add_edge(&edges.at.at[i], out);
  folding_done(&f);
  str_add(out, "}\n");
  edges_done(&edges);
  wording_done(&words);
}
