// SPDX-License-Identifier: MIT
// A first look before a loop that waits for the same thing, and a load that
// waits before an exchange (explore/loops/retry.c). Random programs in which
// something comes in between that leaves a trace or does not, with orders that
// are weaker or stronger than those of the loop: the outcomes that are reached
// when all rounds are explored are among those that are explored by default,
// and errors of the same kinds are found.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "lock_program.h"

static uint64_t word;

static enum order read_order(void) {
  return below(3) ? ORD_ACQ : below(4) ? ORD_RLX : ORD_SC;
}

static enum order write_order(void) {
  return below(3) ? ORD_REL : below(4) ? ORD_RLX : ORD_SC;
}

// Goes on behind what is emitted next, by `fill`, if VALUE is not 0.
static void unless_there(void (*fill)(void)) {
  emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
  uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), no = here();
  fill();
  P->code.at[br].imm = imm_targets(here(), no);
}

static void poll_flag(void) {
  uint32_t head = here();
  get(flag, read_order());
  emit(OP_eq, TEST_SLOT, VALUE, k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

static void try_word(uint64_t expected) {
  enum order order = below(2) ? ORD_ACQREL : ORD_RLX;
  emit(OP_cas_load, TEMP, k(word), k(expected), access_imm(4, order));
  emit(OP_cas_store, k(word), k(3), k(expected), access_imm(4, order));
}

// What comes between the first look and the loop: mostly something that leaves
// no trace.
static void between(void) {
  for (unsigned n = below(3); n; n--)
    switch (below(7)) {
    case 0:
    case 1:
      try_word(below(3));
      break;
    case 2:
      emit(OP_load, TEMP, k(data), 0, access_imm(4, read_order()));
      break;
    case 3:
      emit(OP_fence, 0, 0, 0, access_imm(4, below(2) ? ORD_SC : ORD_ACQ));
      break;
    case 4:
      put(more, 2, write_order());
      break;
    case 5: // this is not forgotten
      get(data, ORD_RLX);
      learn();
      break;
    default:
      emit(OP_load, TEMP, k(plain), 0, access_imm(4, ORD_NA));
    }
  poll_flag();
}

static void look_and_wait(void) {
  get(flag, read_order());
  unless_there(between);
  learn();
  if (below(4) == 0)
    get(flag, ORD_RLX);
}

static void again_if_taken(uint32_t head) {
  emit(OP_eq, TEST_SLOT, VALUE, k(1), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

// do while (load(&word) == 1); while (swap(&word, 1) == 1);
static void look_and_take(void) {
  uint32_t head = here();
  get(word, below(4) ? ORD_RLX : ORD_ACQ);
  if (below(4) == 0) // which one it was makes a difference
    emit(OP_mov, FREE_SLOT, VALUE, 0, 0);
  else
    emit(OP_mov, FREE_SLOT, k(0), 0, 0);
  again_if_taken(head);
  enum order order = below(4) ? ORD_ACQ : ORD_RLX;
  emit(OP_rmw_load, VALUE, k(word), 0, access_imm(4, order));
  emit(OP_rmw_store, k(word), k(1), 0, access_imm(4, order));
  again_if_taken(head);
  emit(OP_mov, VALUE, FREE_SLOT, 0, 0);
  learn();
  get(more, ORD_RLX);
  learn();
  put(more, 1 + below(3), ORD_RLX);
  if (below(8))
    put(word, 2 * below(2), below(8) ? ORD_REL : ORD_RLX);
}

static void set(void) {
  if (below(2))
    put(data, 1 + below(2), write_order());
  if (below(3) == 0)
    put(plain, 1, ORD_NA);
  if (below(3) == 0)
    put(word, below(3), write_order());
  put(flag, 1 + below(2), write_order());
  if (below(3) == 0)
    put(flag, below(3), write_order());
}

static bool takes;

static void random_body(unsigned me) {
  if (below(6) == 0)
    other();
  if (takes && below(4))
    look_and_take();
  else if (me == 1)
    look_and_wait();
  else
    set();
  if (below(4) == 0)
    other();
}

static void make_word(void) {
  word = global("word", 4);
}

static void random_program(uint64_t seed) {
  dice = seed;
  unsigned threads = 2 + below(2);
  takes = below(3) == 0;
  make_program(threads, make_word, random_body);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  if (!is_blocked)
    array_push(&r->outcomes, memory_of(vm, g));
}

TEST(no_outcome_is_lost_with_first_looks) {
  compare_seeds(random_program, &P, on_execution);
}
