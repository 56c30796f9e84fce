// SPDX-License-Identifier: MIT
// Rounds that take locks of the program's own making and give them back
// (explore/loops/lock_word.c). Random programs with such loops, with locks of
// several forms and orders, in which others may try a lock, look at it or store
// into it: the outcomes that are reached within some rounds, when all rounds
// are explored, are among those that are explored by default, and errors of the
// same kinds are found.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "lock_program.h"

enum { WORDS = 2 };

static uint64_t word[WORDS];

static void exchange(uint64_t address, uint64_t value, enum order order) {
  emit(OP_rmw_load, VALUE, k(address), 0, access_imm(4, order));
  emit(OP_rmw_store, k(address), k(value), 0, access_imm(4, order));
}

static void compare_exchange(uint64_t address, uint64_t value,
                             enum order order) {
  emit(OP_cas_load, VALUE, k(address), k(0), access_imm(4, order));
  emit(OP_cas_store, k(address), k(value), k(0), access_imm(4, order));
}

// Goes back to `to` unless VALUE is zero.
static void again_unless_zero(uint32_t to) {
  emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(to, here() + 1));
}

// -- locks

enum form { EXCHANGE, CAS, TEST_FIRST, FAST_PATH, FORMS };

static void take(uint64_t lock, enum form form, uint64_t mark,
                 enum order order) {
  uint32_t head = here();
  switch (form) {
  case EXCHANGE:
    exchange(lock, mark, order);
    break;
  case CAS:
    compare_exchange(lock, mark, order);
    break;
  case TEST_FIRST:
    get(lock, ORD_RLX);
    again_unless_zero(head);
    exchange(lock, mark, order);
    break;
  default: { // if (!cas()) do while (load()) {} while (!cas())
    compare_exchange(lock, mark, order);
    emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
    uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0);
    head = here();
    get(lock, ORD_RLX);
    again_unless_zero(head);
    compare_exchange(lock, mark, order);
    again_unless_zero(head);
    P->code.at[br].imm = imm_targets(head, here());
    return;
  }
  }
  again_unless_zero(head);
}

static void give(uint64_t lock, bool by_update, enum order order) {
  if (by_update)
    exchange(lock, 0, order);
  else
    put(lock, 0, order);
}

static enum order some_order(enum order mostly) {
  return below(5) ? mostly : below(3) ? ORD_RLX : ORD_SC;
}

// -- threads

// do { take; look; give } while (!flag);
static void poll(unsigned me) {
  uint64_t lock = word[below(8) == 0];
  uint64_t inner = below(12) == 0 ? word[lock == word[0]] : 0;
  uint64_t mark = below(3) ? 1 : me;
  uint32_t head = here();
  take(lock, below(FORMS), mark, some_order(ORD_ACQ));
  if (inner)
    take(inner, below(FORMS), 1, ORD_ACQ);
  if (below(8) == 0)
    get(data, ORD_RLX);
  if (below(16) == 0)
    put(data, 3, ORD_RLX); // this leaves a trace
  get(flag, ORD_RLX);
  emit(OP_mov, TEMP, VALUE, 0, 0);
  if (inner)
    give(inner, below(2), ORD_REL);
  give(lock, below(3) == 0, some_order(ORD_REL));
  emit(OP_eq, TEST_SLOT, TEMP, k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

// Each section has something that another one looks at.
static void section(unsigned me) {
  uint64_t lock = word[below(8) == 0];
  take(lock, below(FORMS), me, below(8) ? ORD_ACQ : ORD_RLX);
  put(me % 2 ? data : more, me, ORD_RLX);
  get(me % 2 ? more : data, ORD_RLX);
  learn();
  if (below(2))
    put(flag, 1, ORD_RLX);
  if (below(12))
    give(lock, below(3) == 0, below(8) ? ORD_REL : ORD_RLX);
}

// What a lock is not for, now and then.
static void meddle(void) {
  uint64_t lock = word[0];
  switch (below(4)) {
  case 0: { // try it
    exchange(lock, 1, ORD_ACQ);
    learn();
    emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
    uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), yes = here();
    put(lock, 0, ORD_REL);
    P->code.at[br].imm = imm_targets(here(), yes);
    get(lock, ORD_RLX);
    learn();
    break;
  }
  case 1:
    get(lock, ORD_ACQ);
    learn();
    get(lock, ORD_ACQ);
    learn();
    break;
  case 2:
    put(lock, below(2), ORD_RLX);
    break;
  default:
    exchange(lock, 0, ORD_RLX);
    learn();
  }
  put(flag, 1, ORD_RLX);
}

static bool meddles;

static void random_body(unsigned me) {
  if (below(6) == 0)
    other();
  if (me == 1)
    poll(me);
  else if (meddles && me == 2)
    meddle();
  else
    section(me);
  if (below(6) == 0)
    other();
}

static void make_locks(void) {
  word[0] = global("lock", 4);
  word[1] = global("other", 4);
}

static void random_program(uint64_t of) {
  dice = of;
  unsigned threads = 2 + below(2);
  meddles = below(3) == 0;
  make_program(threads, make_locks, random_body);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  if (!is_blocked)
    array_push(&r->outcomes, memory_of(vm, g));
}

TEST(no_outcome_is_lost_with_rounds_that_take_and_give_back) {
  compare_seeds(random_program, &P, on_execution);
}

// The first thread looks under the lock until both others have been there. They
// do not know of each other if a round of it comes in between that is not
// strong enough.
static enum order take_order, give_order;

static void weak_body(unsigned me) {
  if (me == 1) {
    uint32_t head = here();
    take(word[0], EXCHANGE, 1, take_order);
    get(flag, ORD_RLX);
    emit(OP_mov, TEMP, VALUE, 0, 0);
    give(word[0], false, give_order);
    emit(OP_ne, TEST_SLOT, TEMP, k(2), 32); // the last round is behind both
    emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
    return;
  }
  take(word[0], EXCHANGE, 1, ORD_ACQ);
  put(me == 2 ? data : more, 1, ORD_RLX);
  get(me == 2 ? more : data, ORD_RLX);
  learn();
  give(word[0], false, ORD_REL);
  count_up(flag);
}

TEST(rounds_that_hide_what_they_know_are_explored) {
  struct compared c = {0};
  for (unsigned i = 0; i < 4; i++) {
    take_order = i & 1 ? ORD_RLX : ORD_ACQ;
    give_order = i & 2 ? ORD_RLX : ORD_REL;
    make_program(3, make_locks, weak_body);
    compare_rounds(&c, P, "rc11", i, on_execution);
    prog_free(P);
  }
  CHECK(c.programs, "nothing was compared");
}
