// SPDX-License-Identifier: MIT
// Programs in which threads use locks of the program's own making: what they
// have besides the locks. Each thread adds up what it learns and stores that.
#pragma once

#include "dice.h"
#include "rounds.h"
#include "unit/program.h"

enum {
  THREADS = 3, // besides main
  VALUE = 1,   // slots
  TEMP = 2,
  TEST_SLOT = 3,
  SEEN = 4,      // what the thread has learned so far
  FREE_SLOT = 6, // from here on others may be used
};

static uint64_t flag, data, more, plain, result[THREADS + 1];

static inline uint32_t here(void) {
  return P->code.len;
}

static inline void put(uint64_t address, uint64_t value, enum order order) {
  emit(OP_store, k(address), k(value), 0, access_imm(4, order));
}

static inline void get(uint64_t address, enum order order) {
  emit(OP_load, VALUE, k(address), 0, access_imm(4, order));
}

static inline void learn(void) {
  emit(OP_mul, SEEN, SEEN, k(31), 32);
  emit(OP_add, SEEN, SEEN, VALUE, 32);
}

// Something that has nothing to do with the locks.
static inline void other(void) {
  switch (below(4)) {
  case 0:
    get(plain, ORD_NA);
    learn();
    break;
  case 1:
    put(plain, 5, ORD_NA);
    break;
  case 2:
    get(data, ORD_ACQ);
    learn();
    break;
  default:
    put(data, 7, ORD_REL);
  }
}

// One more has been where it wanted to be.
static inline void count_up(uint64_t counter) {
  emit(OP_rmw_load, VALUE, k(counter), 0, access_imm(4, ORD_RLX));
  emit(OP_add, TEMP, VALUE, k(1), 32);
  emit(OP_rmw_store, k(counter), TEMP, 0, access_imm(4, ORD_RLX));
}

static inline void make_program(unsigned threads, void (*make_locks)(void),
                                void (*body)(unsigned me)) {
  struct diag why;
  uint32_t funcs[THREADS + 1];
  begin();
  make_locks();
  flag = global("flag", 4);
  data = global("data", 4);
  more = global("more", 4);
  plain = global("plain", 4);
  for (unsigned t = 1; t <= THREADS; t++)
    result[t] = global("result", 4);
  funcs[0] = func("main", 0, 1);
  for (unsigned t = 1; t <= threads; t++)
    funcs[t] = func("thread", 1, 1);
  for (unsigned t = 1; t <= threads; t++) {
    prog_begin_func(P, funcs[t]);
    emit(OP_mov, SEEN, k(0), 0, 0);
    body(t);
    emit(OP_store, k(result[t]), SEEN, 0, access_imm(4, ORD_RLX));
    emit(OP_ret, k(0), 1, 0, 0);
  }
  create_and_join(funcs, threads, 5);
  CHECK(prog_finish(P, &why), "%s", why.text);
}
