// SPDX-License-Identifier: MIT
// An execution for Graphviz: a cluster for each thread with its events from
// top to bottom, and the relations as coloured arrows. Only program order
// decides who is above whom, so that threads stay straight columns.
#include "report/edge.h"
#include "report/escape.h"
#include "report/report.h"
#include "report/sentence.h"

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

static void add_thread(const struct wording *w, const struct view *v,
                       const struct view_thread *th, struct str *out) {
  struct str title = {0};
  uint32_t last = VIEW_NOTHING;
  thread_title(v, th, &title);
  str_add(out, "  subgraph cluster_T%u {\n    label=", th->id);
  escape_dot(str_text(&title), out);
  str_add(out, ";\n    style=rounded; color=\"#c5c9d0\"; fontname=\"sans\";\n");
  for (uint32_t e = th->first; e < th->first + th->count; e++)
    if (event_is_shown(v, e)) {
      add_node(w, v, e, out);
      last = e;
    }
  add_end(th, last, out);
  str_add(out, "  }\n");
  str_done(&title);
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
                struct str *out) {
  struct wording words = wording_of(v, /*is_short=*/true);
  words.has_arrows = true;
  struct edges edges =
      edges_of(v, relations | 1U << EDGE_PO | 1U << EDGE_NAMED);
  str_add(out, "digraph execution {\n  label=");
  escape_dot(title, out);
  str_add(out,
          ";\n  labelloc=t; fontname=\"sans\"; nodesep=0.4; ranksep=0.35;\n"
          "  node [shape=box, style=rounded, fontname=\"monospace\", "
          "fontsize=11, height=0.3];\n"
          "  edge [fontname=\"sans\", fontsize=10];\n");
  for (uint32_t t = 0; t < v->threads.len; t++)
    add_thread(&words, v, &v->threads.at[t], out);
  for (uint32_t i = 0; i < edges.at.len; i++)
    add_edge(&edges.at.at[i], out);
  str_add(out, "}\n");
  edges_done(&edges);
  wording_done(&words);
}
