// SPDX-License-Identifier: MIT
// What the vm keeps besides the hot states.
#pragma once

#include "base/table.h"
#include "bytecode/analysis/dead.h"
#include "bytecode/analysis/undo.h"
#include "vm/deps.h"
#include "vm/pool.h"
#include "vm/thread.h"

struct words { // an ARRAY(uint32_t) with a name
  uint32_t *at;
  uint32_t len, cap;
};

// Transitions of a state beyond the first.
struct transition {
  uint64_t value;
  undef_id undef;
  state_id next;
};

struct transitions {
  ARRAY(struct transition) list;
  struct table table; // indices of the list; empty while that is short
  state_id weak;      // see vm_weak, 0: not asked yet
};

struct overlap {
  loc_id other;
  uint32_t next; // index + 1
};

// Whether interning pays off for a thread, see state.c.
struct monitor {
  uint64_t window_start; // vm->steps when the window began
  uint64_t misses;       // in this window
  uint64_t bypass_until; // vm->steps up to which states are transient
  uint64_t pause;        // length of the last bypass
};

// How many frames, chunks and steps of dependencies were transient before this
// state was made.
struct transient_state {
  uint32_t frames, chunks, deps;
};

// Steps of dependencies that were taken: what they depend on -> what was next.
struct deps_steps {
  struct pool keys;
  ARRAY(deps_id) next;
};

// The automaton of deps.c.
struct dependencies {
  struct sets sets;
  struct pool tuples;                   // a deps_id is an id of it
  struct deps_steps lasting, transient; // by the kind of their state
  uint64_t needed;                      // bytes, see vm_deps_settle
};

struct vm_cold {
  struct vm_config config;
  struct thread thread; // the one that is running
  struct strings texts;
  struct decisions *decisions; // of a blind step (unknown.c), or NULL

  struct parts states; // a lasting id is the state_id
  struct parts frames, chunks;
  ARRAY(struct transitions) more;
  state_id main_state; // 0: main has not started
  struct pool spawned; // (function, argument, thread) -> first state
  ARRAY(state_id) spawned_state;

  uint32_t capacity; // states of each half; transient ids start there
  ARRAY(struct transient_state) transient; // parallel to states.transient
  struct monitor monitor[MAX_THREADS];
  bool is_full;            // interned memory reached its cap
  struct words scratch[3]; // tuples under construction
  struct words watched;    // a state of the running thread, for endless.c
  struct dependencies deps;

  struct pool locations_by_place; // (address, size) -> loc_id
  ARRAY(struct location) locations;
  ARRAY(struct overlap) overlaps;
  bool has_cuts;       // some location is made in pieces (vm_cut)
  struct pool objects; // object_id -> object_no
  struct pool wide;    // 16-byte values; handle 0 is all zero

  struct elements {
    uint64_t threads;    // that have one
    uint64_t least, end; // all of them are in between
    uint64_t at[MAX_THREADS], size[MAX_THREADS];
  } elements[ELEMENT_ARRAYS];
  struct {
    uint64_t params, slots; // which hold the same; 0: not asked yet
  } * idle;                 // per function: see rename.c; or NULL

  struct quick *quick;   // per pc, see quick.c; NULL: all are done with care
  struct undo *undo_at;  // per pc, see access.c; NULL: all rounds are made
  bool gives_up;         // see tries.c
  bool tries_differ;     // likewise
  uint32_t *dead_at;     // per pc: 1 + where its runs begin, 0: not asked yet
  struct dead_runs dead; // each list ends with a run of size 0

  uint32_t *tls_at;   // per global: offset in private memory
  uint32_t tls_bytes; // private memory that thread-locals take
};

// -- location.c
loc_id vm_find_location(struct vm *vm, uint64_t address, uint32_t size);

// -- freeze.c
// Tuples of frames: this, then slots, then their masks of undefined bits.
enum {
  FRAME_FUNC,
  FRAME_PC,
  FRAME_BELOW,
  FRAME_LOCALS,
  FRAME_VA,
  FRAME_UNDEF,
  FRAME_HEAD
};
// Tuples of states.
enum {
  STATE_ACCESS, // struct access
  STATE_THREAD = sizeof(struct access) / sizeof(uint32_t),
  STATE_SMALL,
  STATE_LARGE,
  STATE_FRAME,
  STATE_DEPTH,
  STATE_BULK,   // is there a struct bulk (1) or a struct pieces (2)?
  STATE_LOCALS, // how many; their sizes are the first words of the list
  STATE_CHUNKS, // how many; their refs are the others
  STATE_HEAD,   // the list follows, see freeze.c
};

// Freezes the running thread; its parts last if `keep`. Leaves the state's
// tuple in scratch[0] and says whether the state can last.
bool freeze_thread(struct vm *vm, bool keep);
void thaw_thread(struct vm *vm, state_id s);
// The list of a state: it is unfolded into scratch[2], or folded out of it and
// added to `out`; false: some part of it is transient.
const uint32_t *state_list(const struct vm *vm, const uint32_t *state);
bool state_put_list(struct vm *vm, struct words *out, bool keep);
// Puts a frozen frame on top of an empty frame stack.
void thaw_frame(struct thread *t, uint32_t ref);
// The tuple of a state: head of struct access, then see freeze.c.
const uint32_t *state_tuple(const struct vm *vm, state_id s);
// Frames of a frozen thread, innermost first.
uint32_t state_top_frame(const struct vm *vm, state_id s);
// Is a frame neither in rt/ nor in a header of the library?
static inline bool frame_is_users(const struct prog *p, uint32_t func,
                                  uint32_t pc) {
  return !p->funcs.at[func].is_library &&
         prog_outside(p, &p->source.at[pc])->header != IN_HEADER;
}

void frozen_frame(const struct vm *vm, uint32_t ref, uint32_t *func,
                  uint32_t *pc, uint32_t *below);

// Terminal states need no memory and no slots: nothing will run again. (Behind
// a failed assertion something may.)
static inline bool is_over(const struct access *a) {
  return a->kind == ACC_BLOCK || a->kind == ACC_CUT || a->kind == ACC_END ||
         a->kind == ACC_EXIT ||
         (a->kind == ACC_ERROR && a->value != FIND_ASSERTION);
}

// -- deps.c
void deps_init(struct dependencies *deps);
void deps_done(struct dependencies *deps);
// Forgets all steps.
void deps_forget(struct dependencies *deps);
// Forgets the youngest steps out of transient states.
void deps_release(struct dependencies *deps, uint32_t count);

// -- unknown.c
// The branch, or switch, depends on something unknown: finds where to go on, or
// stops the thread and yields false.
bool unknown_branch(struct thread *t, const struct insn *in, uint32_t *pc);
bool unknown_switch(struct thread *t, const struct insn *in, uint32_t *pc);
// Does the call of a builtin depend on it? Stops the thread then.
bool unknown_stops(struct thread *t, const struct insn *in);
static inline bool vm_is_blind(const struct vm *vm) {
  return vm->cold->config.is_blind;
}

// -- state.c
bool state_is_transient(const struct vm *vm, state_id s);
// The state of the running thread, which has just stopped.
state_id state_of_thread(struct vm *vm, bool keep);
// The state of this tuple, which lasts, as do its parts.
state_id state_of_tuple(struct vm *vm, const uint32_t *words, uint32_t len);
// The state after a step that was taken before, else 0.
state_id state_known_step(const struct vm *vm, state_id s, uint64_t value,
                          undef_id undef);
void transitions_done(struct transitions *m);
// The step as the code has it, after the pending access got these flags.
state_id state_plain_step(struct vm *vm, state_id s, uint32_t flags,
                          uint64_t value, undef_id undef);

// -- tries.c
// The pending compare-exchange of `s` has yielded that, and led to `next`:
// where it leads if tries are counted.
state_id tries_step(struct vm *vm, state_id s, uint64_t value, undef_id undef,
                    state_id next);
// How many failures in a row that step stands for; 1 for all but those.
uint32_t tries_in_step(struct vm *vm, state_id s, uint64_t value,
                       undef_id undef);
