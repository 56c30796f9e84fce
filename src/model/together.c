// SPDX-License-Identifier: MIT
// Atomic accesses of different size to the same bytes. Each is made in pieces,
// events of their own, of which every model knows what to think; but an access
// is one. So a complete graph is judged by relations in which the pieces of an
// access stand together: x is before y if a piece of x is before a piece of y.
//
// How much that orders is the model's own affair. Where accesses reach memory
// in one order (sc, tso), an access has one place in it. Where they do not
// (rc11), coherence is still about one location at a time: eco is what its
// pieces say, and it only must not lead from one access to another and back,
// else that one would see a part of it. (A thread may see what it wrote itself
// before others do, so that is left out there.) (Flur et al.: Mixed-size
// Concurrency, POPL 2017, has the machines; Alglave et al.: Armed Cats, TOPLAS
// 2021, §4, the relation si of ARM's model, which is the same idea.)
#include "model/axioms_rel.h"

static struct rel *same_access(struct axioms *a) {
  struct rel *same = new_rel(a);
  for (uint32_t i = 0; i < a->n; i++) {
    event_id first = graph_first_piece(a->g, a->events[i]);
    for (uint32_t j = 0; j < a->n; j++)
      if (graph_first_piece(a->g, a->events[j]) == first)
        rel_add(same, i, j);
  }
  return same;
}

bool axioms_put_together(struct axioms *a) {
  if (!a->options->in_pieces)
    return true;
  struct rel *same = a->same = same_access(a);
  struct rel *rfe = minus(a, a->rf, a->po), *com = either(a, a->co, a->fr);
  struct rel *seen = rel_plus(&a->rels, either(a, rfe, com));
  struct rel **all[] = {&a->po, &a->rf,  &a->co,  &a->fr, &a->rmw,
                        &a->sw, &a->loc, &a->eco, NULL};
  a->is_together = true;
  for (struct rel ***r = all; *r; r++)
    if (**r)
      **r = seq(a, seq(a, same, **r), same);
  a->po = minus(a, a->po, same);
  if (!a->hb)
    return true;
  a->hb = rel_plus(&a->rels, either(a, a->po, a->sw));
  seen = seq(a, seq(a, same, seen), same);
  struct rel *torn = both(a, seen, rel_inverse(&a->rels, seen));
  if (rel_is_empty(torn))
    return true;
  axioms_refuse_pair(a, "an atomic access is seen as a whole, or not at all",
                     seen, PARTS({"rf", a->rf}, {"co", a->co}, {"fr", a->fr}),
                     seen, PARTS({"rf", a->rf}, {"co", a->co}, {"fr", a->fr}));
  return false;
}
