// SPDX-License-Identifier: MIT
// Slow-check builds only. Going back restores the graph, all of it, and where
// the threads were; dependencies that were found step by step are those that
// are found at once; two graphs in which the threads did the same have one
// shape.
#include "explore/search/search.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

// ---- going back

// A thread that was cut (unroll.c) may be restored to before that: it is cut
// again when its turn comes.
static state_id state_of(const struct explorer *x, thread_id t) {
  state_id s = x->g.threads[t].state;
  bool is_cut = s && vm_access(x->vm, s)->kind == ACC_CUT;
  return s && !is_cut ? s : x->g.events[graph_tail(&x->g, t)].state;
}

uint64_t verify_hash(const struct explorer *x, thread_id but) {
  uint64_t h = hash_mix(graph_hash(&x->g), x->core);
  for (thread_id t = 0; t < x->g.nthreads; t++)
    if (t != but && graph_thread_length(&x->g, t))
      h = hash_mix(h, (uint64_t)t << 32 | state_of(x, t));
  return h;
}

// ---- dependencies

void verify_deps(struct explorer *x) {
  struct graph *g = &x->g;
  if (!x->tracks)
    return;
  deps_fill(x);
  struct event_deps *found = xcalloc(g->nevents, sizeof *found);
  memcpy(found, g->deps, g->nevents * sizeof *found);
  for (thread_id t = 0; t < g->nthreads; t++)
    g->threads[t].known = 0;
  deps_fill(x);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    check(found[e].addr == g->deps[e].addr &&
          found[e].data == g->deps[e].data && found[e].ctrl == g->deps[e].ctrl);
  free(found);
}

// ---- the parent of a core

// Its position.
static uint64_t name_of(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  return id == INIT_EVENT || id == NO_EVENT
             ? id
             : (uint64_t)(e->thread + 1) << 32 | e->index;
}

uint64_t verify_shape(const struct explorer *x, thread_id t) {
  const struct graph *g = &x->g;
  uint64_t h = 0;
  for (thread_id u = 0; u < g->nthreads; u++)
    for (uint32_t i = 0; i < graph_thread_length(g, u); i++) {
      event_id id = graph_at(g, u, i);
      const struct event *e = &g->events[id];
      if (u == t && id == graph_tail(g, u) && e->kind == EV_READ &&
          (e->flags & EVF_EXCLUSIVE))
        continue;
      h = hash_mix(h, name_of(g, id));
      h = hash_mix(h, (uint64_t)e->loc << 32 | e->kind);
      h = hash_mix(hash_mix(h, e->value), e->pre);
      h = hash_mix(h, e->kind == EV_WRITE ? e->co : name_of(g, e->rf));
    }
  return h;
}
