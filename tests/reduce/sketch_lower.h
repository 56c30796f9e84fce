// SPDX-License-Identifier: MIT
// What the files have in common that make bytecode of a sketch: where things
// are, and the few instructions that most steps are made of.
#pragma once

#include "sketch.h"

#include <string.h>

// The files make one program.
#define PROGRAM_IS_SHARED
#include "unit/program.h"

enum {
  ARGUMENT, // slots
  OWN,      // the element of the thread
  R,
  TEMP,
  TEST_SLOT,
  OLD,
  PLACE,  // that an address is computed to
  ROUND,  // of a loop that tries again; what one that waits has gathered
  LEFT,   // rounds of STEP_REPEAT
  KEPT,   // what a round that tries again has seen
  NUMBER, // a ticket of each lock
  COUNT = NUMBER + SKETCH_LOCKS,
  IDS,
  ARGS = IDS + SKETCH_THREADS,
  // An element: a word, what is plain, and what its thread tells.
  STRIDE = 16,
  PLAIN = 4,
  TOLD = 8,
  NODE_SIZE = 8,
  // What is too much (sketch_limit).
  MOST_CALLS = 24,
  MOST_STEPS = 3000,
  MOST_BYTES = 1 << 14,
};

struct lowering {
  const struct sketch *sketch;
  bool is_marked, is_unrolled;
  uint64_t words[3], elements, plain, locks[SKETCH_LOCKS], owners[SKETCH_LOCKS];
  uint64_t arrived, opened, mutex, waiting, woken, node;
  uint32_t deep, funcs[SKETCH_THREADS];
  bool was_created[SKETCH_THREADS];
};

static inline uint32_t here(void) {
  return P->code.len;
}

static inline uint64_t access(enum order order) {
  return access_imm(4, order);
}

static inline uint32_t if_set(void) {
  return emit(OP_br, TEST_SLOT, 0, 0, 0);
}

static inline void end_if(uint32_t br) {
  P->code.at[br].imm = imm_targets(br + 1, here());
}

static inline void go_back_if_set(uint32_t head) {
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

static inline void fail(void) {
  uint64_t none[4] = {0};
  sys(BI_assert_fail, 0, 0, prog_const_run(P, none, 4), 4);
}

static inline void fail_if(unsigned slot, uint64_t value) {
  emit(OP_eq, TEST_SLOT, slot, k(value), 32);
  uint32_t br = if_set();
  fail();
  end_if(br);
}

static inline unsigned address(const struct lowering *w, unsigned word) {
  if (word == WORD_BY_R) {
    emit(OP_and, OLD, R, k(1), 32);
    emit(OP_mul, OLD, OLD, k(STRIDE), 64);
    emit(OP_add, PLACE, k(w->elements), OLD, 64);
    return PLACE;
  }
  return word < WORD_OWN ? k(w->words[word])
         : word == WORD_OWN
             ? (unsigned)OWN
             : k(w->elements + STRIDE * (word - WORD_FIRST_ELEMENT));
}

static inline unsigned value_of(unsigned value, unsigned r) {
  switch (value) {
  case VALUE_R:
    return r;
  case VALUE_R_PLUS_1:
    emit(OP_add, TEMP, r, k(1), 32);
    return TEMP;
  case VALUE_R_EVEN:
    emit(OP_and, TEMP, r, k(UINT32_MAX - 1), 32);
    return TEMP;
  case VALUE_R_ODD:
    emit(OP_or, TEMP, r, k(1), 32);
    return TEMP;
  default:
    return k(value);
  }
}

static inline void get(unsigned at, enum order order) {
  emit(OP_load, R, at, 0, access(order));
}

static inline void put(unsigned at, unsigned value, enum order order) {
  emit(OP_store, at, value, 0, access(order));
}

static inline void add(unsigned to, unsigned at, int32_t n, enum order order) {
  emit(OP_rmw_load, to, at, 0, access(order));
  emit(OP_add, TEMP, to, k((uint32_t)n), 32);
  emit(OP_rmw_store, at, TEMP, 0, access(order));
}

static inline void swap(unsigned to, unsigned at, unsigned value,
                        enum order order) {
  emit(OP_rmw_load, to, at, 0, access(order));
  emit(OP_rmw_store, at, value, 0, access(order));
}

// TEST_SLOT: did it succeed?
static inline void compare_exchange(unsigned to, unsigned at, unsigned expected,
                                    unsigned value, const struct step *s,
                                    bool is_weak) {
  uint64_t imm = imm_access((struct imm_access){.size = 4,
                                                .order = s->order,
                                                .order_fail = s->order_fail,
                                                .is_weak = is_weak});
  emit(OP_cas_load, to, at, expected, imm);
  emit(OP_cas_store, at, value, expected, imm);
  emit(OP_cas_ok, TEST_SLOT, to, expected, 32);
}

static inline void call(enum builtin what, unsigned to, unsigned results,
                        const uint64_t *args, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    emit(OP_mov, ARGS + i, k(args[i]), 0, 0);
  sys(what, to, results, ARGS, n);
}

// -- locks, barriers and condition variables (sketch_locks.c)

// Yields the branch of a lock that is only tried, else 0.
uint32_t lower_enter(const struct lowering *w, const struct step *s);
void lower_leave(const struct lowering *w, const struct step *s);
void lower_meet(const struct lowering *w);
void lower_sleep(const struct lowering *w, const struct step *s);
void lower_wake(const struct lowering *w, const struct step *s);

// -- loops, also as ROUNDS rounds (sketch_loops.c)

void lower_retry(const struct lowering *w, const struct step *s);
void lower_poll(const struct lowering *w, const struct step *s);
void lower_wait(const struct lowering *w, const struct step *s, unsigned at);
void lower_gather(const struct lowering *w, const struct step *s);
void lower_count(const struct lowering *w, const struct step *s);
