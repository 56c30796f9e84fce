// SPDX-License-Identifier: MIT
// Dependencies: from which of its earlier events a thread computed the address
// and the value of an access, and on which ones it branched before.
//
// They depend on the path of the thread, not on its state: two paths may meet
// in one state (r ^ r is 0 whatever r is) with different dependencies. So they
// are no part of a state but an automaton of their own beside it, asked only
// by those who need it: a deps_id names, for a thread that stopped at an
// access, the sets of this access and of everything alive in the thread.
// Stepping it is a table look-up once that step was taken before; the first
// time the interpreter runs again, with a set beside every slot and every byte
// of private memory.
//
// An element of a set is the place of an event in its thread, as the search
// that drives the automaton counts them (vm_deps_step gets it).
#pragma once

#include "base/sets.h"
#include "vm/vm.h"

typedef uint32_t deps_id; // 0 is none

struct deps {
  set_id addr;  // what the address was computed from
  set_id data;  // the value that is written, freed, ...; of a CAS_READ what the
                // expected value came from; of an ERROR what the assertion
                // looked at, and if the path began with vm_deps_observing,
                // what the instruction did
  set_id ctrl;  // what branches before it depended on, locks that were taken
  set_id after; // the same, with what ctrl_restore takes out of ctrl
  set_id observed; // what assertions branched on since the access before, if
                   // the path began with vm_deps_observing
};

// Of the first access of a thread, whatever its state: nothing to depend on.
deps_id vm_deps_first(struct vm *vm);
// The same for a path along which `observed` is known. That tells more paths
// apart than a search needs.
deps_id vm_deps_observing(struct vm *vm);
// The pending access of `s`, to which `d` belongs, was event `place` of the
// thread and yielded `value`; vm_step (vm_step_undef) says where the thread is
// then. Questions (OBJECT_SIZE, CELL_SIZE) are steps too, and no source:
// their place does not matter.
deps_id vm_deps_step(struct vm *vm, deps_id d, state_id s, uint64_t value,
                     undef_id undef, uint32_t place);
struct deps vm_deps(const struct vm *vm, deps_id d);
// The same, but from here on it is noted of all in the thread whether it is
// written.
deps_id vm_deps_touching(struct vm *vm, deps_id d);
// Was some of what is alive now written since then?
bool vm_deps_has_touched(const struct vm *vm, deps_id d);
// The same of what depends there, or in `other`, which belongs to the same
// state, on an event for which `asks` says so (by its place).
typedef bool vm_asks_place(void *arg, uint32_t place);
bool vm_deps_touched_place(const struct vm *vm, deps_id other, deps_id d,
                           vm_asks_place *asks, void *arg);
// Does, in `less`, everything that is alive, the pending access and what
// follows depend on nothing that it does not depend on in `more`, or on what
// another place stands for there? (One that stands for itself need not be
// there.) They belong to the same state.
typedef bool vm_stands_for(void *arg, uint32_t other, uint32_t place);
bool vm_deps_within_but(const struct vm *vm, deps_id less, deps_id more,
                        vm_stands_for *stands, void *arg);
// The same where none does. (writes: only the access counts, which is the same
// write.)
bool vm_deps_within(const struct vm *vm, deps_id less, deps_id more,
                    bool writes);
// Do they take so much memory that they should be forgotten if possible? Then
// no deps_id and no set_id is valid any more.
bool vm_deps_are_many(const struct vm *vm);
void vm_deps_forget(struct vm *vm);
// Those that there are now are needed: there are many when there is more than
// twice as much.
void vm_deps_settle(struct vm *vm);
uint64_t vm_deps_bytes(const struct vm *vm);
// The sets; the caller may make more of them.
struct sets *vm_sets(struct vm *vm);
