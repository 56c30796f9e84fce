// SPDX-License-Identifier: MIT
// A fill of much memory (memset) is a write to each of its cells, and most
// programs never look at most of these. So it is supposed that nobody does:
// only the first cell is written, and the rest is skipped. Who accesses a part
// of that, in any execution and in any way, refutes it for some memory around
// (twice as much each time, so that a loop over all of it does not take long to
// tell); that is learned, and the search begins again.
//
// Nothing is lost. In the search that goes through to its end no access is to a
// location of what was skipped. So the writes that are left out are read by
// nobody, have no other write before or behind them in co but the initial one,
// and race with nobody; a second fill of the same memory writes its own first
// cell there, or has the same first cell, and is skipped only in the same
// thread. They are related to others by program order alone, and stand in it
// right behind the first write, which was computed from the same values: so
// whatever is ordered by way of one of them is ordered by way of that one. The
// skipped bytes are in bounds of an object, and what ends that is compared with
// the first write. What is written holds no pointer, so nothing that leaks is
// reached by it; nor did what it overwrites, as nobody has written there.
//
// So what is left to search is another program, which fills less, and has the
// same executions but for these writes: whatever another reduction leaves out
// of it, is left out of the one that was given. What is skipped is part of that
// program: it depends on what was learned, on the fill, and on what its own
// thread has done before, which is in each graph that has the fill; not on what
// other threads have done so far (was_looked_at). A part of a search that moves
// follows its path from the root, so who takes it over meets the fills on it.
//
// That is asked of heap objects only, and under models that go by no more of
// program order than is said here: those with code of their own that follow no
// dependencies.
#include "explore/memory/memory.h"

enum { LEAST = 1024, MOST = 1 << 30, LEARN_FIRST = 512 };

static const char *why_not(const struct explorer *x) {
  const struct model *m = x->config.model;
  bool begins_again =
      !x->observer.on_execution || x->observer.on_begin_again || x->team;
  if (m->text || m->tracks_dependencies || m->justifier || m->filters)
    return "the model is a text, or follows dependencies";
  if (x->config.model_options.in_pieces)
    return "memory is in pieces";
  return begins_again ? NULL : "the search must not begin again";
}

static bool overlaps(const struct memory_range *r, uint64_t address,
                     uint64_t size) {
  return r->address < address + size && address < r->address + r->size;
}

// How many of the bytes are before the range?
static uint64_t before(uint64_t address, uint64_t bytes, uint64_t first,
                       uint64_t size) {
  if (first + size <= address || first >= address + bytes)
    return bytes;
  return first > address ? first - address : 0;
}

// How many of the bytes are in an object? (It may have been freed, by another
// thread and in one order only: the first write is told of that.)
static uint64_t bytes_in_object(const struct explorer *x, uint64_t address,
                                uint64_t bytes) {
  object_no o = vm_object_of_pointer(x->vm, address);
  if (o == NO_OBJECT || o >= x->g.objects.len)
    return 0;
  const struct graph_object *object = &x->g.objects.at[o];
  if (object->alloc == NO_EVENT)
    return 0;
  uint64_t at = address - vm_object_address(x->vm, o);
  uint64_t size = x->g.events[object->alloc].value;
  return at >= size ? 0 : before(address, bytes, address + (size - at), 1);
}

// How many of the bytes are before those that thread t has accessed, or that
// are accessed by what was learned?
static uint64_t bytes_before_looked(const struct explorer *x, thread_id t,
                                    uint64_t address, uint64_t bytes) {
  for (loc_id l = 0; l < x->g.locs.len; l++) {
    const struct location *where = vm_location(x->vm, l);
    if (x->g.locs.at[l].threads >> t & 1)
      bytes = before(address, bytes, where->address, where->size);
  }
  for (uint32_t i = 0; i < x->looked.len; i++)
    bytes =
        before(address, bytes, x->looked.at[i].address, x->looked.at[i].size);
  return bytes;
}

// As much before as behind: a loop may go either way.
static void learn(struct explorer *x, uint64_t address) {
  uint64_t more = LEARN_FIRST;
  for (uint32_t i = 0; i < x->looked.len; i++)
    if (pointer_object(x->looked.at[i].address) == pointer_object(address) &&
        more < MOST)
      more *= 2;
  address &= ~UINT64_C(15);
  array_push(&x->looked, (struct memory_range){.address = address - more / 2,
                                               .size = more});
  x->restart |= RESTART_WITH_MEMORY;
}

// What is left out must not depend on what other threads have done in this
// graph so far, since events are taken out and put back: who has accessed a
// part before refutes it for all graphs. True: that was so.
static bool was_looked_at(struct explorer *x, thread_id t, uint64_t address,
                          uint64_t bytes) {
  for (loc_id l = 0; l < x->g.locs.len; l++) {
    const struct location *where = vm_location(x->vm, l);
    if (!x->g.locs.at[l].threads ||
        before(address, bytes, where->address, where->size) == bytes)
      continue;
    learn(x, where->address);
    return true;
  }
  for (uint32_t i = 0; i < x->fills.len; i++) {
    const struct memory_range *r = &x->fills.at[i];
    if (r->thread == t || !overlaps(r, address, bytes))
      continue;
    learn(x, r->address > address ? r->address : address);
    return true;
  }
  return false;
}

static bool was_left_out(const struct explorer *x, thread_id t,
                         uint64_t address, uint64_t bytes) {
  for (uint32_t i = 0; i < x->fills.len; i++) {
    const struct memory_range *r = &x->fills.at[i];
    if (r->thread == t && r->address <= address &&
        address + bytes <= r->address + r->size)
      return true;
  }
  return false;
}

static bool fill_answer(struct explorer *x, thread_id t, const struct access *a,
                        uint64_t *ret) {
  uint64_t address = a->value, bytes = a->value2;
  bytes = bytes_in_object(x, address, bytes < MOST ? bytes : MOST);
  bytes = bytes_before_looked(x, t, address, bytes);
  if (bytes < LEAST) {
    // What is not left out is asked about again soon.
    *ret = cells_answer(x, address, a->value2 < LEAST ? a->value2 : LEAST / 2);
    return true;
  }
  if (was_looked_at(x, t, address, bytes))
    return false;
  if (!was_left_out(x, t, address, bytes))
    array_push(&x->fills, (struct memory_range){address, bytes, t});
  *ret = vm_cell_answer(CELL_SKIPPED, bytes);
  return true;
}

bool memory_answer(struct explorer *x, thread_id t, const struct access *a,
                   uint64_t *ret) {
  if ((a->flags & ACCF_FILL) && explore_reduces(x, REDUCE_FILLS))
    return fill_answer(x, t, a, ret);
  *ret = cells_answer(x, a->value, a->value2);
  return true;
}

bool fills_are_looked_at(struct explorer *x, event_id id) {
  const struct location *l = vm_location(x->vm, x->g.events[id].loc);
  for (uint32_t i = 0; i < x->fills.len; i++)
    if (overlaps(&x->fills.at[i], l->address, l->size)) {
      learn(x, l->address);
      return true;
    }
  return false;
}

const struct mechanism fills_hooks = {
    .why_not = why_not,
};
