// SPDX-License-Identifier: MIT
// XMM by its definition, rule T [thesis of papers/000, chapters 2 and 5, and
// the Coq development that it is about], on whole graphs: a reference that
// shares nothing with src/explore and src/model.
//
// A graph with a cycle of po | rf is an execution if another one, which is
// known to be an execution, *justifies* it. Which edges of rf have to be
// justified (are *committed*) is a question of an order of the threads: those
// that go against it. See xmm.c.
#pragma once

#include "axioms.h"
#include "base/array.h"

// Graphs to which nothing can be added, complete or blocked, that are
// consistent but for cycles of po | rf.
struct xmm_graphs {
  ARRAY(struct candidate) at;
  // Of each: do all threads end? Is it an execution? (The latter is filled in.)
  ARRAY(bool) is_complete;
  ARRAY(bool) is_reached;
};

void xmm_add(struct xmm_graphs *g, const struct candidate *x, bool is_complete);
// Finds out which of them are executions.
void xmm_close(struct xmm_graphs *g);
void xmm_done(struct xmm_graphs *g);
// Is there a cycle of po | rf?
bool xmm_is_cyclic(const struct candidate *x);
// Is there a load-buffering race?
bool xmm_has_race(const struct candidate *x);
