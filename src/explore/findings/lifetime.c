// SPDX-License-Identifier: MIT
// The lives of objects: an access must happen after the allocation and before
// the end, which is a free, the return from a local's function, or the end of
// the thread. Bounds are checked here too, since the size of an object is known
// to its allocation alone.
#include "explore/findings/findings.h"

#include <stdio.h>

// What uses an object must know that it exists: the pointer alone orders
// nothing.
enum outcome lifetime_check_alloc(struct explorer *x, event_id id,
                                  object_no object) {
  const struct graph *g = &x->g;
  event_id alloc = g->objects.at[object].alloc;
  if (x->config.model->has_lives)
    return GO_ON; // flags.c
  if (alloc == NO_EVENT || explore_orders(x, alloc, id))
    return GO_ON;
  struct finding f = error_at(x, FIND_ALLOC_RACE, id);
  error_name_other(x, &f, alloc);
  snprintf(f.message, sizeof f.message,
           "%s is not ordered with the allocation of the object by thread %u",
           g->events[id].kind == EV_FREE ? "free" : "access", f.other_thread);
  return error_add(x, f);
}

// ---- the ends of lives

// The thread whose thread-local variable a location is in, or NO_THREAD.
static thread_id owner_of(const struct location *l) {
  unsigned region = object_region(pointer_object(l->address));
  return region && l->object == NO_OBJECT ? region - 1 : NO_THREAD;
}

// The EV_END of a thread; NO_EVENT if there is none, or if the program ended.
static event_id end_of_thread(const struct explorer *x, thread_id t) {
  uint32_t n = t < x->g.nthreads ? graph_thread_length(&x->g, t) : 0;
  event_id last = n ? graph_at(&x->g, t, n - 1) : NO_EVENT;
  return n && x->g.events[last].kind == EV_END &&
                 !(x->g.events[last].flags & EVF_EXIT)
             ? last
             : NO_EVENT;
}

// Did the thread leave its functions without a return, by pthread_exit?
static bool is_early(const struct explorer *x, event_id end) {
  return vm_access(x->vm, x->g.events[end].pre)->flags & ACCF_EARLY;
}

// A return from main ends the program: nothing of main's dies before.
static event_id end_of_thread_locals(const struct explorer *x, thread_id t) {
  event_id end = end_of_thread(x, t);
  return end != NO_EVENT && (t != 0 || is_early(x, end)) ? end : NO_EVENT;
}

// Its free, or the end of a thread that left the function of a local.
static event_id end_of_object(const struct explorer *x,
                              const struct graph_object *o) {
  const struct event *alloc = &x->g.events[o->alloc];
  if (o->free != NO_EVENT || !(alloc->flags & EVF_STACK))
    return o->free;
  event_id end = end_of_thread(x, alloc->thread);
  return end != NO_EVENT && is_early(x, end) ? end : NO_EVENT;
}

// In a new core the end may be older than what comes before it. What the model
// orders may excuse an access; the kind of an error goes by happens-before,
// which what comes later does not change, as co may change what a model orders.
static enum outcome check_not_gone(struct explorer *x, event_id id,
                                   event_id end) {
  if (end == NO_EVENT || explore_orders(x, id, end))
    return GO_ON;
  bool after = explore_happens_before(x, end, id);
  bool is_free = x->g.events[end].kind == EV_FREE;
  if (!after && is_free && x->config.model->has_lives)
    return GO_ON; // flags.c
  struct finding f =
      error_at(x, after ? FIND_USE_AFTER_FREE : FIND_FREE_RACE, id);
  error_name_other(x, &f, end);
  if (is_free && x->g.events[end].flags & EVF_STACK)
    snprintf(f.message, sizeof f.message,
             after ? "access to a variable of thread %u whose block has ended"
                   : "access to a variable of thread %u is not ordered before "
                     "the end of its block",
             f.other_thread);
  else if (is_free)
    snprintf(f.message, sizeof f.message,
             after ? "access to an object that is gone (freed by thread %u)"
                   : "access is not ordered before the free of its object by "
                     "thread %u",
             f.other_thread);
  else
    snprintf(f.message, sizeof f.message,
             after ? "access to a variable of thread %u, which has ended"
                   : "access to a variable of thread %u is not ordered before "
                     "the end of that thread",
             f.other_thread);
  return error_add(x, f);
}

static enum outcome check_object(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  const struct location *l = vm_location(x->vm, e->loc);
  if (l->object == NO_OBJECT)
    return GO_ON;
  graph_need_object(&x->g, l->object);
  const struct graph_object *o = &x->g.objects.at[l->object];
  if (o->alloc == NO_EVENT) {
    struct finding f = error_at(x, FIND_WILD_ACCESS, id);
    snprintf(f.message, sizeof f.message,
             "access through a pointer to no object");
    return error_add(x, f);
  }
  uint64_t size = x->g.events[o->alloc].value;
  uint64_t offset = l->address - vm_object_address(x->vm, l->object);
  if (offset + l->size > size) {
    struct finding f = error_at(x, FIND_OUT_OF_BOUNDS, id);
    error_name_other(x, &f, o->alloc);
    snprintf(f.message, sizeof f.message,
             "access of %u bytes at offset %llu of an object of %llu bytes",
             l->size, (unsigned long long)offset, (unsigned long long)size);
    return error_add(x, f);
  }
  return check_not_gone(x, id, end_of_object(x, o));
}

enum outcome lifetime_check_access(struct explorer *x, event_id id) {
  const struct location *l = vm_location(x->vm, x->g.events[id].loc);
  if (l->object != NO_OBJECT)
    return check_object(x, id);
  return owner_of(l) == NO_THREAD
             ? GO_ON
             : check_not_gone(x, id, end_of_thread_locals(x, owner_of(l)));
}

// Sorts locations that are new since the last time into their objects.
static void sort_locations(struct explorer *x) {
  for (; x->memory.locs_known < vm_location_count(x->vm);
       x->memory.locs_known++) {
    const struct location *l = vm_location(x->vm, x->memory.locs_known);
    if (owner_of(l) != NO_THREAD)
      array_push(&x->memory.thread_locs, x->memory.locs_known);
    if (l->object == NO_OBJECT)
      continue;
    while (x->memory.object_locs.len <= l->object)
      array_push(&x->memory.object_locs, (struct event_list){0});
    array_push(&x->memory.object_locs.at[l->object], x->memory.locs_known);
  }
}

// An access to the location that nothing orders with its end, or NO_EVENT. (In
// a new core there may be accesses behind the end, which are looked at
// themselves.) What happens before an access happens before the end with it;
// but a model may order an access, and not an earlier one of the same thread.
static event_id find_late(struct explorer *x, loc_id loc, event_id end) {
  const struct graph *g = &x->g;
  if (loc >= g->locs.len)
    return NO_EVENT;
  if (x->config.model->has_lives && g->events[end].kind == EV_FREE)
    return NO_EVENT; // flags.c
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint64_t rest = l->threads; rest; rest &= rest - 1) {
    const struct event_list *list = &l->by_thread[__builtin_ctzll(rest)];
    for (uint32_t i = list->len;
         i-- > 0 && !explore_happens_before(x, list->at[i], end);)
      if (!explore_orders(x, list->at[i], end) &&
          !explore_orders(x, end, list->at[i]))
        return list->at[i];
  }
  return NO_EVENT;
}

static event_id find_late_in(struct explorer *x, object_no o, event_id end) {
  event_id late = NO_EVENT;
  if (o < x->memory.object_locs.len)
    for (uint32_t k = 0;
         late == NO_EVENT && k < x->memory.object_locs.at[o].len; k++)
      late = find_late(x, x->memory.object_locs.at[o].at[k], end);
  return late;
}

static enum outcome report_late(struct explorer *x, event_id late,
                                event_id end) {
  if (late == NO_EVENT)
    return GO_ON;
  bool is_free = x->g.events[end].kind == EV_FREE;
  struct finding f = error_at(x, FIND_FREE_RACE, end);
  error_name_other(x, &f, late);
  bool is_block = is_free && x->g.events[end].flags & EVF_STACK;
  snprintf(f.message, sizeof f.message,
           "%s is not ordered with an access to %s by thread %u",
           is_block  ? "the end of the block"
           : is_free ? "free"
                     : "the end of the thread",
           is_free && !is_block ? "the object" : "its variable",
           f.other_thread);
  return error_add(x, f);
}

// ---- addresses that would be used again

// The heap object that a pointer leads into if it is in the graph, or NULL.
static const struct graph_object *heap_object(struct explorer *x,
                                              uint64_t pointer) {
  const struct graph *g = &x->g;
  object_no n = vm_object_of_pointer(x->vm, pointer);
  const struct graph_object *o = n < g->objects.len ? &g->objects.at[n] : NULL;
  return o && o->alloc != NO_EVENT && !(g->events[o->alloc].flags & EVF_STACK)
             ? o
             : NULL;
}

// Here no two objects of an execution have the same address. A compare-exchange
// that fails because it finds a pointer to an object which was allocated when
// the one that it expects may have been freed could have succeeded elsewhere:
// the two pointers differ in nothing but the object (what counts versions in
// other bits tells them apart). A failed round that was left out (retry.c) is
// nothing to note: with the new pointer the thread would have come to the same
// state.
void lifetime_compare(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  const struct access *a = vm_access(x->vm, e->pre);
  const uint64_t objects = (((uint64_t)1 << POINTER_BITS) - POINTER_WINDOW);
  if (x->result.meets_freed || vm_location(x->vm, e->loc)->size != 8 ||
      a->kind != ACC_CAS_READ || a->value == e->value ||
      (a->value ^ e->value) & ~objects)
    return;
  const struct graph_object *old = heap_object(x, a->value & objects);
  const struct graph_object *new = heap_object(x, e->value & objects);
  if (!old || !new)
    return;
  x->met.pointers = true;
  x->result.meets_freed = old->free != NO_EVENT &&
                          !explore_happens_before(x, id, old->free) &&
                          !explore_happens_before(x, new->alloc, old->free);
}

enum outcome lifetime_check_free(struct explorer *x, event_id id) {
  object_no object = x->g.events[id].loc;
  if (x->met.pointers)
    for (event_id e = x->g.events[INIT_EVENT].next; e != NO_EVENT;
         e = x->g.events[e].next)
      if ((x->g.events[e].flags & (EVF_CAS | EVF_EXCLUSIVE)) == EVF_CAS)
        lifetime_compare(x, e);
  explore_forget_order(x);
  sort_locations(x);
  enum outcome o = lifetime_check_alloc(x, id, object);
  return o == GO_ON ? report_late(x, find_late_in(x, object, id), id) : o;
}

// With a thread go its thread-local variables, and its locals too if it never
// returned from their functions.
enum outcome lifetime_check_end(struct explorer *x, event_id id) {
  thread_id t = x->g.events[id].thread;
  event_id late = NO_EVENT;
  if (!x->memory.has_thread_locals && !is_early(x, id))
    return GO_ON;
  explore_forget_order(x);
  sort_locations(x);
  if (end_of_thread_locals(x, t) == id)
    for (uint32_t i = 0; late == NO_EVENT && i < x->memory.thread_locs.len; i++)
      if (owner_of(vm_location(x->vm, x->memory.thread_locs.at[i])) == t)
        late = find_late(x, x->memory.thread_locs.at[i], id);
  if (end_of_thread(x, t) == id && is_early(x, id))
    for (object_no o = 0; late == NO_EVENT && o < x->g.objects.len; o++)
      if (x->g.objects.at[o].alloc != NO_EVENT &&
          end_of_object(x, &x->g.objects.at[o]) == id)
        late = find_late_in(x, o, id);
  return report_late(x, late, id);
}
