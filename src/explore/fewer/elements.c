// SPDX-License-Identifier: MIT
// Elements of an array, one for each of the threads that main creates: threads
// whose arguments are &a[0], &a[1], ... may be interchangeable (symmetry.c) if
// a permutation of them renames what is in a with them. From then on an element
// is to its thread what an object is that the thread has made, and everything
// that symmetry.c says of those, and asks, holds of elements too: nobody can
// come by the address of one but by its thread, since steps that compute an
// address from another one, or from a number, do not commute with renaming.
//
// What is different is that elements are there before their threads. So when a
// thread is created we ask
//   - that the elements begin with the same contents, and that main wrote the
//     same to them since then, in the same order: then a permutation renames
//     these writes too, and a thread that reads what main wrote to its element
//     does what its twin does that reads the same write of its own;
//   - that nothing else that main wrote points to an element, nor anything that
//     memory begins with (that is asked when it is read), and that main itself
//     has no such pointer when it has created the threads.
#include "explore/fewer/fewer.h"

#include <string.h>

enum { MAX_SIZE = 1 << 16 }; // of an element, in bytes

// What is at the same place of another element; NO_LOC: nobody was there.
static loc_id image_of(const struct explorer *x, loc_id l, uint64_t from,
                       uint64_t to) {
  const struct location *at = vm_location(x->vm, l);
  loc_id image = vm_known_location(x->vm, at->address - from + to, at->size);
  return image != NO_LOC && image < x->g.locs.len ? image : NO_LOC;
}

// Did main alone access these two, and write the same to both?
static bool are_prepared_alike(const struct graph *g, loc_id l, loc_id m) {
  const struct graph_loc *a = &g->locs.at[l], *b = &g->locs.at[m];
  if (a->threads > 1 || b->threads > 1 || a->co.len != b->co.len)
    return false;
  for (uint32_t i = 1; i < a->co.len; i++) {
    const struct event *v = &g->events[a->co.at[i]];
    const struct event *w = &g->events[b->co.at[i]];
    if (v->value != w->value || v->order != w->order || v->flags != w->flags)
      return false;
  }
  return true;
}

// Is everything in the first range in the second as well?
static bool is_prepared_like(const struct explorer *x, uint64_t one,
                             uint64_t other, uint64_t size) {
  for (loc_id l = 0; l < x->g.locs.len; l++) {
    const struct location *at = vm_location(x->vm, l);
    if (!x->g.locs.at[l].threads || at->address - one >= size)
      continue;
    loc_id m = image_of(x, l, one, other);
    if (at->address - one + at->size > size || at->overlaps || m == NO_LOC ||
        !are_prepared_alike(&x->g, l, m))
      return false;
  }
  return true;
}

// Does something that main wrote point to the element of one of the threads?
static bool is_pointed_to(const struct explorer *x, uint64_t threads) {
  const struct graph *g = &x->g;
  for (uint32_t i = 0; i < graph_thread_length(g, 0); i++) {
    const struct event *e = &g->events[graph_at(g, 0, i)];
    if (e->kind == EV_WRITE &&
        (vm_value_names(x->vm, e->value, vm_location(x->vm, e->loc)->size) &
         threads))
      return true;
  }
  return false;
}

static void give(struct explorer *x, thread_id t, uint64_t size) {
  x->symmetry.element[t] = size;
  vm_give_element(x->vm, t, x->symmetry.argument[t], size);
}

bool elements_give(struct explorer *x, thread_id t, thread_id u) {
  const struct symmetry *s = &x->symmetry;
  uint64_t one = s->argument[t], other = s->argument[u], size = s->element[t];
  if (!size && !(s->grouped >> t & 1))
    size = other - one;
  if (!size || size > MAX_SIZE || other - one != size || s->element[u] ||
      !vm_begin_equal(x->vm, one, other, size) ||
      !is_prepared_like(x, one, other, size) ||
      !is_prepared_like(x, other, one, size))
    return false;
  bool is_first = !s->element[t];
  give(x, t, size);
  give(x, u, size);
  bool is_fine = !is_pointed_to(x, UINT64_C(1) << t | UINT64_C(1) << u);
  if (!is_fine)
    elements_take(x, u);
  if (!is_fine && is_first)
    elements_take(x, t);
  return is_fine;
}

void elements_take(struct explorer *x, thread_id t) {
  give(x, t, 0);
}

void elements_forget(struct explorer *x) {
  for (thread_id t = 0; t < MAX_THREADS; t++)
    if (x->symmetry.element[t])
      elements_take(x, t);
}
