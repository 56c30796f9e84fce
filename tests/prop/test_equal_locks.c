// SPDX-License-Identifier: MIT
// Equal threads that take locks of the program's own making: words that are
// free or taken, queues of nodes that are elements of an array, and a word with
// the number of the last one in a queue in its upper half
// (explore/reduce/elements.c). Random programs, in which locks may be too weak
// or not given back: with symmetry the explored executions stand for as many as
// there are without it, and what goes wrong is the same, at the same places
// (but for races).
//
// Environment: HEDDLE_SEEDS=n (default 600), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "dice.h"
#include "stands_for.h"

enum {
  MAX_RUNNERS = 3,
  NUMBER = 0, // slots: the argument, a number or a pointer
  OWN = 1,    // the thread's node
  VALUE = 2,
  PLACE = 3,
  TEST_SLOT = 4,
  BEFORE = 5, // the node before it, or its code
  CODE = 6,
  SCALED = 7,
  NODE = 16, // bytes: a pointer, whether it must wait, and a number
  SHIFT = 16,
};

enum form { SWAP, LOOK_AND_SWAP, CAS, LOOK_AND_CAS, CLH, MCS, CODED, FORMS };
enum argument { A_NUMBER, A_POINTER, NOTHING };

static uint64_t nodes, first, tail, word, data, slot;
static enum argument argument;
static enum order take_order, give_order;

static uint32_t here(void) {
  return P->code.len;
}

static void go_back_unless_zero(unsigned value, uint32_t to) {
  emit(OP_ne, TEST_SLOT, value, k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(to, here() + 1));
}

static void swap(uint64_t address, unsigned to, unsigned from, unsigned size,
                 enum order order) {
  emit(OP_rmw_load, to, k(address), 0, access_imm(size, order));
  emit(OP_rmw_store, k(address), from, 0, access_imm(size, order));
}

static void cas(uint64_t address, unsigned expected, unsigned to, unsigned size,
                enum order order) {
  emit(OP_cas_load, VALUE, k(address), expected, access_imm(size, order));
  emit(OP_cas_store, k(address), to, expected, access_imm(size, order));
  emit(OP_cas_ok, VALUE, VALUE, expected, size * 8);
}

// -- locks

static void look(void) {
  uint32_t head = here();
  emit(OP_load, VALUE, k(word), 0, access_imm(4, ORD_RLX));
  go_back_unless_zero(VALUE, head);
}

static void take_word(enum form form) {
  uint32_t head = here();
  if (form == LOOK_AND_SWAP || form == LOOK_AND_CAS)
    look();
  if (form == SWAP || form == LOOK_AND_SWAP) {
    swap(word, VALUE, k(1), 4, take_order);
    go_back_unless_zero(VALUE, head);
    return;
  }
  cas(word, k(0), k(1), 4, take_order);
  emit(OP_br, VALUE, 0, 0, imm_targets(here() + 1, head));
}

static void flag_of(unsigned node) {
  emit(OP_add, PLACE, node, k(8), 64);
}

static void wait_for(unsigned node) {
  flag_of(node);
  uint32_t head = here();
  emit(OP_load, VALUE, PLACE, 0, access_imm(4, take_order));
  go_back_unless_zero(VALUE, head);
}

static void set_flag(unsigned node, uint64_t value, enum order order) {
  flag_of(node);
  emit(OP_store, PLACE, k(value), 0, access_imm(4, order));
}

// Emits `fill` such that it is done only if the slot is not 0.
static void if_any(unsigned value, void (*fill)(void)) {
  emit(OP_ne, TEST_SLOT, value, k(0), 64);
  uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), yes = here();
  fill();
  P->code.at[br].imm = imm_targets(yes, here());
}

static void link_and_wait(void) {
  emit(OP_store, BEFORE, OWN, 0, access_imm(8, give_order));
  wait_for(OWN);
}

// From its code, the node of the thread that was last.
static void find_and_wait(void) {
  emit(OP_lshr, BEFORE, BEFORE, k(SHIFT), 32);
  emit(OP_sub, BEFORE, BEFORE, k(1), 32);
  emit(OP_mul, BEFORE, BEFORE, k(NODE), 64);
  emit(OP_add, BEFORE, BEFORE, k(nodes), 64);
  wait_for(BEFORE);
}

static void take_in_queue(enum form form) {
  set_flag(OWN, 1, ORD_RLX);
  switch (form) {
  case CLH:
    swap(tail, BEFORE, OWN, 8, ORD_ACQREL);
    wait_for(BEFORE);
    break;
  case MCS:
    emit(OP_store, OWN, k(0), 0, access_imm(8, ORD_RLX));
    swap(tail, BEFORE, OWN, 8, ORD_ACQREL);
    if_any(BEFORE, link_and_wait);
    break;
  default: // the code, and something in the lower half
    emit(OP_add, CODE, NUMBER, k(1), 32);
    emit(OP_shl, CODE, CODE, k(SHIFT), 32);
    swap(word, BEFORE, CODE, 4, ORD_ACQREL);
    if_any(BEFORE, find_and_wait);
  }
}

static void hand_over(void) {
  set_flag(VALUE, 0, give_order);
}

static void give_in_queue(enum form form) {
  if (form != MCS) {
    set_flag(OWN, 0, give_order);
    return;
  }
  // next = load(); if (!next) { if (cas()) return; while (!(next = load())); }
  emit(OP_load, VALUE, OWN, 0, access_imm(8, take_order));
  emit(OP_ne, TEST_SLOT, VALUE, k(0), 64);
  uint32_t found = emit(OP_br, TEST_SLOT, 0, 0, 0), none = here();
  cas(tail, OWN, k(0), 8, give_order);
  uint32_t done = emit(OP_br, VALUE, 0, 0, 0), head = here();
  emit(OP_load, VALUE, OWN, 0, access_imm(8, take_order));
  emit(OP_eq, TEST_SLOT, VALUE, k(0), 64);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
  P->code.at[found].imm = imm_targets(here(), none);
  hand_over();
  P->code.at[done].imm = imm_targets(here(), head);
}

// -- threads

static void find_node(void) {
  if (argument == A_POINTER) {
    emit(OP_mov, OWN, NUMBER, 0, 0);
    return;
  }
  emit(OP_mul, SCALED, NUMBER, k(NODE), 64);
  emit(OP_add, OWN, k(nodes), SCALED, 64);
}

static void something(bool has_node) {
  switch (below(has_node ? 6 : 4)) {
  case 0:
    emit(OP_load, VALUE, k(data), 0, access_imm(4, ORD_RLX));
    break;
  case 1:
    emit(OP_store, k(data), k(1 + below(2)), 0, access_imm(4, ORD_RLX));
    break;
  case 2:
    emit(OP_rmw_load, VALUE, k(data), 0, access_imm(4, ORD_RLX));
    emit(OP_add, VALUE, VALUE, k(1), 32);
    emit(OP_rmw_store, k(data), VALUE, 0, access_imm(4, ORD_RLX));
    break;
  case 3:
    emit(OP_load, VALUE, k(data), 0, access_imm(4, ORD_ACQ));
    emit(OP_store, k(data), VALUE, 0, access_imm(4, ORD_REL));
    break;
  case 4:
    emit(OP_add, PLACE, OWN, k(12), 64);
    emit(OP_store, PLACE, k(2), 0, access_imm(4, ORD_RLX));
    break;
  default: // tells them apart if the numbers are looked at
    emit(OP_store, k(slot), below(4) ? OWN : NUMBER, 0, access_imm(8, ORD_RLX));
  }
}

// Takes the lock, counts, and gives it back. In a function of its own, which is
// passed the number, or not.
static void section(enum form form, bool gives) {
  bool has_node = form >= CLH;
  if (has_node)
    find_node();
  if (form < CLH)
    take_word(form);
  else
    take_in_queue(form);
  enum order plainly = below(6) ? ORD_NA : ORD_RLX;
  emit(OP_load, VALUE, k(data), 0, access_imm(4, plainly));
  emit(OP_add, VALUE, VALUE, k(1), 32);
  emit(OP_store, k(data), VALUE, 0, access_imm(4, plainly));
  if (!gives)
    return;
  if (form < CLH)
    emit(OP_store, k(word), k(0), 0, access_imm(4, give_order));
  else
    give_in_queue(form);
  if (has_node && below(3) == 0)
    something(true);
}

static void make_globals(enum form form) {
  nodes = global("nodes", NODE * MAX_RUNNERS);
  first = global("first", NODE);
  tail = global("tail", 8);
  word = global("word", 4);
  data = global("data", 4);
  slot = global("slot", 8);
  if (form == CLH)
    memcpy(P->globals.at[2].bytes, &first, sizeof first);
  if (below(16) == 0) // the lower half of a word may be in use
    P->globals.at[3].bytes[below(4)] = 1;
}

static void random_program(uint64_t seed) {
  struct diag why;
  dice = seed;
  unsigned n = 2 + below(2);
  enum form form = below(FORMS);
  argument = form == CODED ? A_NUMBER : below(form >= CLH ? 2 : 3);
  take_order = below(8) ? ORD_ACQ : ORD_RLX;
  give_order = below(8) ? ORD_REL : ORD_RLX;
  bool calls = below(2), gives = below(12) != 0;
  begin();
  make_globals(form);
  uint32_t main_func = func("main", 0, 1), runner = func("thread", 1, 1);
  uint32_t callee = func("section", 1, 1);
  prog_begin_func(P, callee);
  section(form, gives);
  ret(k(0));
  prog_begin_func(P, runner);
  if (n == 2 && below(2))
    something(false);
  if (calls) {
    emit(OP_mov, VALUE, NUMBER, 0, 0);
    emit(OP_call, PLACE, VALUE, call_slots(1, 1), callee);
  } else {
    section(form, gives);
  }
  if (below(3) == 0)
    something(false);
  ret(below(2) ? NUMBER : k(0));
  prog_begin_func(P, main_func);
  for (unsigned t = 0; t < n; t++) {
    uint64_t at = nodes + t * NODE;
    emit(OP_mov, 4, k(prog_func_address(P, runner)), 0, 0);
    emit(OP_mov, 5,
         k(argument == A_NUMBER    ? t
           : argument == A_POINTER ? at
                                   : 0),
         0, 0);
    sys(BI_spawn, 6 + t, 1, 4, 2);
  }
  for (unsigned t = 0; t < n; t++)
    sys(BI_join, 4, 1, 6 + t, 1);
  if (below(2))
    load(4, data, 4);
  ret(k(0));
  CHECK(prog_finish(P, &why), "%s", why.text);
}

TEST(executions_of_locks_stand_for_all_of_them) {
  struct stands_for sum = {
      .config.limits = {.max_executions = 4000, .max_events = 100},
      .unplaced = 1 << FIND_HANG | 1 << FIND_RACE};
  sum.config.options.disabled[FIND_LIVELOCK] = true;
  check_stand_for(&sum, 600, random_program);
}
