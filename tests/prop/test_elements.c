// SPDX-License-Identifier: MIT
// Equal threads whose arguments point to elements of an array, or are the
// numbers of elements of two (explore/reduce/elements.c). Random programs:
// threads write to their element, hand its address to each other, and write to
// those that they are handed; some look at where it is, or at another one, and
// main prepares the elements, not always all in the same way. With symmetry the
// explored executions stand for as many as there are without it, and what goes
// wrong is of the same kinds.
//
// Environment: HEDDLE_SEEDS=n (default 1500), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "dice.h"
#include "stands_for.h"

enum {
  MAX_RUNNERS = 3,
  ARGUMENT = 0, // slots
  OTHER = 1,
  VALUE = 2,
  PLACE = 3,
  TEST_SLOT = 4,
  SCALED = 5,
  OWN = 6,      // the element, if the argument is its number
  ELEMENT = 16, // bytes: a pointer and two numbers
};

static uint64_t elements, seconds, tail, slot, number, plain;
static bool by_number;

static enum order some_order(enum order stronger) {
  return below(2) ? stronger : ORD_RLX;
}

// The slot that points to the thread's element.
static unsigned self(void) {
  if (!by_number)
    return ARGUMENT;
  emit(OP_mul, SCALED, ARGUMENT, k(ELEMENT), 64);
  emit(OP_add, OWN, k(elements), SCALED, 64);
  return OWN;
}

// An element of the other array, where threads have numbers.
static void use_second(void) {
  if (!by_number)
    return;
  emit(OP_mul, SCALED, ARGUMENT, k(4), 64);
  emit(OP_add, PLACE, k(seconds), SCALED, 64);
  if (below(2))
    emit(OP_store, PLACE, k(1 + below(2)), 0, access_imm(4, ORD_RLX));
  else
    emit(OP_load, VALUE, PLACE, 0, access_imm(4, ORD_RLX));
}

static void place_of(unsigned element) {
  emit(OP_add, PLACE, element, k(8 + 4 * below(2)), 64);
}

static void write_to(unsigned element) {
  place_of(element);
  emit(OP_store, PLACE, k(1 + below(2)), 0,
       access_imm(4, below(6) ? some_order(ORD_REL) : ORD_NA));
}

static void read_from(unsigned element) {
  place_of(element);
  emit(OP_load, VALUE, PLACE, 0,
       access_imm(4, below(6) ? some_order(ORD_ACQ) : ORD_NA));
}

// Only if a pointer was handed over.
static void use_other(void) {
  emit(OP_ne, TEST_SLOT, OTHER, k(0), 64);
  uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), here = P->code.len;
  switch (below(3)) {
  case 0:
    write_to(OTHER);
    break;
  case 1:
    read_from(OTHER);
    break;
  default:
    emit(OP_store, OTHER, self(), 0, access_imm(8, ORD_REL));
  }
  P->code.at[br].imm = imm_targets(here, P->code.len);
}

// What tells elements apart.
static void something_rare(void) {
  switch (below(by_number ? 6 : 4)) {
  case 4:
    emit(OP_store, k(number), ARGUMENT, 0, access_imm(4, ORD_RLX));
    break;
  case 5:
    emit(OP_eq, TEST_SLOT, ARGUMENT, k(1), 64);
    emit(OP_store, k(number), TEST_SLOT, 0, access_imm(4, ORD_RLX));
    break;
  case 0: // the next one
    emit(OP_add, OTHER, self(), k(ELEMENT), 64);
    write_to(OTHER);
    break;
  case 1:
    emit(OP_sub, VALUE, self(), k(elements), 64);
    emit(OP_store, k(number), VALUE, 0, access_imm(4, ORD_RLX));
    break;
  case 2:
    emit(OP_load, OTHER, k(slot), 0, access_imm(8, ORD_RLX));
    emit(OP_eq, TEST_SLOT, OTHER, k(elements), 64);
    emit(OP_store, k(number), TEST_SLOT, 0, access_imm(4, ORD_RLX));
    break;
  default: // the first one, whoever has it
    emit(OP_mov, OTHER, k(elements), 0, 0);
    write_to(OTHER);
  }
}

static void action(void) {
  switch (below(9)) {
  case 8:
    use_second();
    break;
  case 0:
    write_to(self());
    break;
  case 1:
    read_from(self());
    break;
  case 2:
    emit(OP_rmw_load, OTHER, k(tail), 0, access_imm(8, ORD_ACQREL));
    emit(OP_rmw_store, k(tail), self(), 0, access_imm(8, ORD_ACQREL));
    break;
  case 3:
    emit(OP_store, k(slot), self(), 0, access_imm(8, some_order(ORD_REL)));
    break;
  case 4:
    emit(OP_load, OTHER, k(slot), 0, access_imm(8, some_order(ORD_ACQ)));
    break;
  case 5:
    place_of(self());
    emit(OP_rmw_load, VALUE, PLACE, 0, access_imm(4, ORD_RLX));
    emit(OP_add, VALUE, VALUE, k(1), 32);
    emit(OP_rmw_store, PLACE, VALUE, 0, access_imm(4, ORD_RLX));
    break;
  case 6:
    emit(OP_store, k(plain), k(1), 0, access_imm(4, ORD_NA));
    break;
  default:
    use_other();
  }
}

static void prepare(unsigned n, bool are_equal) {
  for (unsigned i = 0; i < n; i++) {
    uint64_t at = elements + i * ELEMENT;
    store(at + 8, k(are_equal ? 5 : 5 + i), 4);
    if (below(8) == 0)
      store(at + 12, k(3), 4); // perhaps not of all
  }
  if (!below(8))
    emit(OP_store, k(slot), k(elements), 0, access_imm(8, ORD_RLX));
}

static void random_program(uint64_t seed) {
  struct diag why;
  dice = seed;
  unsigned n = 2 + below(2);
  bool is_rare = !below(4), returns = below(2);
  by_number = below(2);
  begin();
  elements = global("elements", ELEMENT * MAX_RUNNERS);
  seconds = global("seconds", 4 * MAX_RUNNERS);
  tail = global("tail", 8);
  slot = global("slot", 8);
  number = global("number", 4);
  plain = global("plain", 4);
  if (!below(10))
    P->globals.at[0].bytes[below(ELEMENT * MAX_RUNNERS)] = 7;
  if (!below(10))
    memcpy(P->globals.at[2].bytes, &elements, sizeof elements);
  uint32_t main_func = func("main", 0, 1), runner = func("thread", 1, 1);
  prog_begin_func(P, runner);
  emit(OP_mov, OTHER, k(0), 0, 0);
  for (unsigned i = 2 + below(n == 2 ? 4 : 2); i > 0; i--)
    action();
  if (is_rare)
    something_rare();
  ret(returns ? ARGUMENT : k(0));
  prog_begin_func(P, main_func);
  if (below(2))
    prepare(n, below(6) != 0);
  for (unsigned t = 0; t < n; t++) {
    emit(OP_mov, 4, k(prog_func_address(P, runner)), 0, 0);
    emit(OP_mov, 5, k(by_number ? t : elements + t * ELEMENT), 0, 0);
    sys(BI_spawn, 6 + t, 1, 4, 2);
  }
  for (unsigned t = 0; t < n; t++)
    sys(BI_join, 4, 1, 6 + t, 1);
  if (!below(4))
    load(4, elements + 8, 4);
  ret(k(0));
  CHECK(prog_finish(P, &why), "%s", why.text);
}

TEST(executions_stand_for_all_of_them) {
  struct stands_for sum = {
      .config.limits = {.max_executions = 8000, .max_events = 80},
      .unplaced = ~UINT64_C(0)};
  check_stand_for(&sum, 1500, random_program);
}
