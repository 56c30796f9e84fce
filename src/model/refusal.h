// SPDX-License-Identifier: MIT
// Why a model refuses an execution: the axiom, and a cycle of events that shows
// it, each step by a relation that is named as people say it.
#pragma once

#include "base/str.h"
#include "graph/graph.h"

struct refusal_step {
  event_id from, to;
  const char *relation;
  const char *part_of; // what the model calls that of which it is a part, or ""
};

struct refusal {
  const char *axiom; // in words; NULL: nothing was refused
  struct refusal_step *at;
  uint32_t len, cap; // of the steps, which may be none
  struct strings texts;
};

// Keeps a text as long as the refusal lives.
static inline const char *refusal_keep(struct refusal *r, const char *text) {
  return strings_get(&r->texts, strings_add(&r->texts, text));
}

static inline void refusal_done(struct refusal *r) {
  free(r->at);
  strings_done(&r->texts);
  *r = (struct refusal){0};
}
