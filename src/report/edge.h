// SPDX-License-Identifier: MIT
// The arrows of a picture of an execution. A read-modify-write is one thing in
// a picture, so its arrows begin and end at its write.
#pragma once

#include "report/view.h"

enum edge_kind {
#define EDGE(id, name, color, meaning) EDGE_##id,
#include "report/edge.def"
#undef EDGE
  EDGE_KINDS
};

const char *edge_name(enum edge_kind k);
const char *edge_color(enum edge_kind k);
const char *edge_meaning(enum edge_kind k);
enum edge_kind edge_of_name(const char *name, size_t len); // or EDGE_KINDS

struct edge {
  enum edge_kind kind;
  uint32_t from, to; // events that are shown (sentence.h)
  const char *label; // the name of the kind, of the step of a cycle, or of a
                     // relation of the model
  const char *color; // of its kind, or of that relation
};

struct edges {
  ARRAY(struct edge) at;
};

// The edges of the kinds in `kinds`, a set of 1 << enum edge_kind: po, co and
// fr to the nearest only. The initial writes have no event, so nothing comes
// from them.
struct edges edges_of(const struct view *v, unsigned kinds);
// Draws each to and from nodes[event] instead, once.
void edges_unite(struct edges *all, const uint32_t *nodes);
void edges_done(struct edges *e);
