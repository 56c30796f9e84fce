// SPDX-License-Identifier: MIT
// Hand-made programs for unit tests: short names for the prog_* calls.
#pragma once

#include "bytecode/prog.h"

// The program under construction; with PROGRAM_IS_SHARED, of several files.
#ifdef PROGRAM_IS_SHARED
extern struct prog *P;
#else
static struct prog *P;
#endif

static inline void begin(void) {
  P = prog_new();
}

static inline uint32_t func(const char *name, uint32_t params,
                            uint32_t results) {
  uint32_t f = prog_add_func(P, name, params, results);
  if (strcmp(name, "main") == 0)
    P->main_func = f;
  return f;
}

static inline uint64_t global(const char *name, uint64_t size) {
  return prog_global_address(P, prog_add_global(P, name, size, 8));
}

// An instruction; its source line is its pc, so that tests can tell places.
static inline uint32_t emit(enum op op, unsigned a, unsigned b, unsigned c,
                            uint64_t imm) {
  struct source from = {.file = prog_string(P, "test.c"),
                        .line = P->code.len + 1};
  return prog_emit(P, op, a, b, c, imm, from);
}

static inline unsigned k(uint64_t value) {
  return prog_const(P, value);
}

static inline uint64_t access_imm(unsigned size, enum order order) {
  return imm_access((struct imm_access){.size = (uint8_t)size,
                                        .order = (uint8_t)order,
                                        .order_fail = (uint8_t)order});
}

static inline uint32_t load(unsigned to, uint64_t address, unsigned size) {
  return emit(OP_load, to, k(address), 0, access_imm(size, ORD_NA));
}

static inline uint32_t store(uint64_t address, unsigned from, unsigned size) {
  return emit(OP_store, k(address), from, 0, access_imm(size, ORD_NA));
}

static inline uint32_t ret(unsigned slot) {
  return emit(OP_ret, slot, 1, 0, 0);
}

static inline uint32_t sys(enum builtin b, unsigned to, unsigned results,
                           unsigned from, unsigned args) {
  return emit(OP_sys, to, from, call_slots(args, results), b);
}

// main, funcs[0], creates threads that run the others, joins them and ends. Its
// slots from `slot` on are used.
static inline void create_and_join(const uint32_t *funcs, unsigned threads,
                                   unsigned slot) {
  prog_begin_func(P, funcs[0]);
  for (unsigned t = 1; t <= threads; t++) {
    emit(OP_mov, slot, k(prog_func_address(P, funcs[t])), 0, 0);
    emit(OP_mov, slot + 1, k(0), 0, 0);
    sys(BI_spawn, slot + 1 + t, 1, slot, 2);
  }
  for (unsigned t = 1; t <= threads; t++)
    sys(BI_join, slot, 1, slot + 1 + t, 1);
  ret(k(0));
}
