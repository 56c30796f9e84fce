// SPDX-License-Identifier: MIT
// Elements of an array, one for each of the threads that main creates: threads
// whose arguments are &a[0], &a[1], ... may be interchangeable (symmetry.c) if
// a permutation of them renames what is in a with them. From then on an element
// is to its thread what an object is that the thread has made, and everything
// that symmetry.c says of those, and asks, holds of elements too: no thread can
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
//
// The argument may also be the number of an element, of one array or several.
// Which arrays these are is not known before a thread computes the address of
// an element: then it points to another place than its twin would, and if the
// two places are as far from each other as elements with their numbers, the
// array is known, and the search begins again (symmetry_of(x)->arrays). The
// elements are the threads' own from then on. Nothing else is different: the
// number is a name where it is only copied, and computed with (vm/rename.c),
// and a step that does anything else with it does not commute with renaming.
//
// A word may also have the number of a thread in its upper bits (Linux's queued
// spin lock has there who is last in the queue), 1 added to it or not. Such
// words are learned in the same way, and are to their thread what addresses of
// elements of an array would be that begins at 1 << shift: a function that
// finds one in a word knows its thread, and a step that asks for more than
// which thread it is does not commute. There is no memory at such addresses, so
// nothing is to be asked of contents; what main wrote, and what memory begins
// with, may not be such a word.
#include "explore/reduce/classes.h"

#include <string.h>

enum {
  MAX_SIZE = 1 << 16, // of an element, in bytes
  MAX_NUMBER = 1 << 16,
};

// What is at the same place of another element; NO_LOC: it was not used.
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

// No address but a code: nothing that a program has is there.
static bool is_code(uint64_t at) {
  return pointer_object(at) == 0;
}

// Do two elements begin alike, and is the same in both when threads begin?
static bool are_alike(const struct explorer *x, uint64_t one, uint64_t other,
                      uint64_t size) {
  if (is_code(one))
    return is_code(other) && one >= size && other >= size; // 0 has no owner
  return vm_begin_equal(x->vm, one, other, size) &&
         is_prepared_like(x, one, other, size) &&
         is_prepared_like(x, other, one, size);
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
  symmetry_of(x)->element[t] = size;
  vm_give_element(x->vm, 0, t, symmetry_of(x)->argument[t], size);
}

bool elements_give(struct explorer *x, thread_id t, thread_id u) {
  const struct symmetry *s = symmetry_of(x);
  uint64_t one = s->argument[t], other = s->argument[u], size = s->element[t];
  if (!size && !(x->grouped >> t & 1))
    size = other - one;
  if (!size || size > MAX_SIZE || other - one != size || s->element[u] ||
      !are_alike(x, one, other, size))
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

// ---- by number

_Static_assert((int)MAX_NUMBERED < (int)ELEMENT_ARRAYS,
               "one array is for elements that are pointed to");

static bool learn_place(struct explorer *x, thread_id t, int64_t apart,
                        uint64_t one, uint64_t other) {
  const struct symmetry *s = symmetry_of(x);
  int64_t bytes = (int64_t)(other - one), stride = bytes / apart;
  if (bytes % apart || stride <= 0 || stride > MAX_SIZE)
    return false;
  // The array begins where its object does, as far as one can see.
  uint64_t first = one - s->argument[t] * (uint64_t)stride;
  first -= pointer_offset(first) % (uint64_t)stride;
  return numbered_add(
      &symmetry_of(x)->arrays,
      (struct numbered){s->function[t], first, (uint64_t)stride});
}

static bool learn_code(struct explorer *x, thread_id t, int64_t apart,
                       uint64_t one, uint64_t other) {
  const struct symmetry *s = symmetry_of(x);
  uint64_t stride = (uint64_t)((int64_t)(other - one) / apart);
  uint64_t first = (one / stride - s->argument[t]) * stride;
  return numbered_add(&symmetry_of(x)->arrays,
                      (struct numbered){s->function[t], first, stride});
}

bool elements_learn(struct explorer *x, thread_id t, thread_id u, state_id here,
                    state_id there) {
  const struct symmetry *s = symmetry_of(x);
  int64_t apart = (int64_t)(s->argument[u] - s->argument[t]);
  uint64_t one, other;
  if (!apart || s->function[t] != s->function[u] ||
      s->argument[t] > MAX_NUMBER || s->argument[u] > MAX_NUMBER)
    return false;
  return (vm_find_places(x->vm, here, there, &one, &other) &&
          learn_place(x, t, apart, one, other)) ||
         (vm_find_codes(x->vm, here, there, apart, &one, &other) &&
          learn_code(x, t, apart, one, other));
}

static uint64_t numbered_at(const struct explorer *x, uint32_t k, thread_id t) {
  const struct numbered *a = &symmetry_of(x)->arrays.at[k];
  return a->first + a->stride * symmetry_of(x)->argument[t];
}

static bool is_free(const struct explorer *x, uint32_t k, thread_id t) {
  uint64_t at = numbered_at(x, k, t),
           size = symmetry_of(x)->arrays.at[k].stride;
  unsigned owner = vm_element_owner(x->vm, at);
  unsigned last = vm_element_owner(x->vm, at + size - 1);
  return (owner == NO_THREAD_HAS || owner == t) &&
         (last == NO_THREAD_HAS || last == t);
}

static bool number(struct explorer *x, uint32_t k, thread_id t, thread_id u) {
  uint64_t one = numbered_at(x, k, t), other = numbered_at(x, k, u);
  uint64_t size = symmetry_of(x)->arrays.at[k].stride;
  if (symmetry_of(x)->argument[t] > MAX_NUMBER ||
      symmetry_of(x)->argument[u] > MAX_NUMBER || !is_free(x, k, t) ||
      !is_free(x, k, u) || !are_alike(x, one, other, size))
    return false;
  vm_give_element(x->vm, k + 1, t, one, size);
  vm_give_element(x->vm, k + 1, u, other, size);
  return true;
}

bool elements_number(struct explorer *x, thread_id t, thread_id u) {
  struct symmetry *s = symmetry_of(x);
  uint64_t two = UINT64_C(1) << t | UINT64_C(1) << u;
  bool had = s->numbered >> t & 1, is_fine = true, any = false;
  for (uint32_t k = 0; is_fine && k < symmetry_of(x)->arrays.len; k++) {
    uint64_t function = symmetry_of(x)->arrays.at[k].function;
    if (s->function[t] != function || s->function[u] != function)
      continue;
    any = true;
    is_fine = number(x, k, t, u);
  }
  s->numbered |= two;
  if (any && is_fine && !is_pointed_to(x, two))
    return true;
  elements_unnumber(x, u);
  if (!had)
    elements_unnumber(x, t);
  return false;
}

void elements_unnumber(struct explorer *x, thread_id t) {
  for (unsigned k = 0; k < MAX_NUMBERED; k++)
    vm_give_element(x->vm, k + 1, t, 0, 0);
  symmetry_of(x)->numbered &= ~(UINT64_C(1) << t);
}

void elements_forget(struct explorer *x) {
  for (thread_id t = 0; t < MAX_THREADS; t++)
    if (symmetry_of(x)->numbered >> t & 1)
      elements_unnumber(x, t);
  for (thread_id t = 0; t < MAX_THREADS; t++)
    if (symmetry_of(x)->element[t])
      elements_take(x, t);
}
