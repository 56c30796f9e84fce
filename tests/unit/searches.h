// SPDX-License-Identifier: MIT
// Programs with many executions, for searches that several explorers share.
#pragma once

#include "tap.h"
#include "unit/program.h"

static inline uint32_t spawn(uint32_t function, unsigned to) {
  uint64_t arguments[] = {prog_func_address(P, function), 0};
  return emit(OP_sys, to, prog_const_run(P, arguments, 2), call_slots(2, 1),
              BI_spawn);
}

static inline void add_one(uint64_t address) {
  uint64_t how = access_imm(4, ORD_RLX);
  emit(OP_rmw_load, 0, k(address), 0, how);
  emit(OP_add, 1, 0, k(1), 32);
  emit(OP_rmw_store, k(address), 1, 0, how);
}

static inline struct prog *finished(void) {
  struct diag why;
  CHECK(prog_finish(P, &why), "%s", why.text);
  return P;
}

// So many threads add one to the same counter: n! executions.
static inline struct prog *adders(unsigned n) {
  begin();
  uint64_t x = global("x", 4);
  uint32_t adder = func("adder", 1, 1);
  add_one(x);
  ret(k(0));
  func("main", 2, 1);
  for (unsigned i = 0; i < n; i++)
    spawn(adder, 0);
  ret(k(0));
  return finished();
}

// Parents that start a child unless they come first: which children come up,
// and in which order, depends on the branch. n! * (n - 1)! executions.
static inline struct prog *families(unsigned n) {
  begin();
  uint64_t x = global("x", 4), y = global("y", 4);
  uint32_t child = func("child", 1, 1);
  add_one(y);
  ret(k(0));
  uint32_t parent = func("parent", 1, 1);
  add_one(x);
  uint32_t pc = P->code.len;
  emit(OP_br, 0, 0, 0, imm_targets(pc + 1, pc + 2));
  spawn(child, 1);
  ret(k(0));
  func("main", 2, 1);
  for (unsigned i = 0; i < n; i++)
    spawn(parent, 0);
  ret(k(0));
  return finished();
}

// Threads that race.
static inline struct prog *failing(void) {
  begin();
  uint64_t x = global("x", 4);
  uint32_t racer = func("racer", 1, 1);
  add_one(x);
  store(global("plain", 4), k(1), 4);
  ret(k(0));
  func("main", 2, 1);
  for (unsigned i = 0; i < 5; i++)
    spawn(racer, 0);
  ret(k(0));
  return finished();
}
