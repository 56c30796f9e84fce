// SPDX-License-Identifier: MIT
// What tests of dependencies have in common: each steps main by hand, and says
// what the accesses of the thread were computed from. An event's place is its
// number, from 0.
#pragma once

#include "unit/machine.h"
#include "vm/deps.h"

static state_id S;
static deps_id D;
static uint32_t places;

static inline void run(void) {
  start();
  S = vm_main(V);
  D = vm_deps_first(V);
  places = 0;
}

static inline void step(uint64_t value) {
  state_id next = vm_step(V, S, value);
  D = vm_deps_step(V, D, S, value, UNDEF_NONE, places++);
  S = next;
}

// A question (how large is the cell?), which is no event.
static inline void answer(uint64_t value) {
  CHECK_EQ(at(S)->kind, ACC_CELL_SIZE, "a question");
  step(value);
  places--;
}

static inline void add_set(struct str *out, set_id set) {
  for (uint32_t i = 0; i < set_len(vm_sets(V), set); i++)
    str_add(out, "%s%s%u", i ? " " : "",
            set_is_pick(vm_sets(V), set, i) ? "?" : "",
            set_at(vm_sets(V), set, i));
  str_add(out, ";");
}

// Expects that the thread is at such an access, and its sets:
// "addr;data;after;" with the places in rising order, and ? before what is
// there by pick.
#define AT(access, sets)                                                       \
  do {                                                                         \
    struct str got = {0};                                                      \
    CHECK_EQ(at(S)->kind, ACC_##access, "access %u", places);                  \
    struct deps deps = vm_deps(V, D);                                          \
    add_set(&got, deps.addr);                                                  \
    add_set(&got, deps.data);                                                  \
    add_set(&got, deps.after);                                                 \
    CHECK_STR(str_text(&got), sets);                                           \
    str_done(&got);                                                            \
  } while (0)

// Expects what guards that access.
#define GUARDED(set)                                                           \
  do {                                                                         \
    struct str got = {0};                                                      \
    add_set(&got, vm_deps(V, D).ctrl);                                         \
    CHECK_STR(str_text(&got), set);                                            \
    str_done(&got);                                                            \
  } while (0)

static uint64_t x, y, z;

static inline void begin_shared(void) {
  begin();
  x = global("x", 64);
  y = global("y", 64);
  z = global("z", 64);
  func("main", 0, 1);
}
