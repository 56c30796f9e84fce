// SPDX-License-Identifier: MIT
// Rounds that take ticket locks and give them back (explore/loops/ticket.c).
// Random programs with such loops, of several forms and orders, in which others
// may look at the numbers, try the lock, keep a number or forget to give the
// lock back: the outcomes that are reached within some rounds, when all rounds
// are explored, are among those that are explored by default, and errors of the
// same kinds are found. What the two words are in the end does not count.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "lock_program.h"

enum {
  LOCKS = 2,
  MINE = FREE_SLOT,
  TURN,
  KEPT,
};

static uint64_t next[LOCKS], owner[LOCKS];
static unsigned size; // of the words of locks

// -- locks

static enum order some_order(enum order mostly) {
  return below(6) ? mostly : below(3) ? ORD_RLX : ORD_SC;
}

// MINE := *at, *at += by
static void update(uint64_t at, uint64_t by, enum order order) {
  emit(OP_rmw_load, MINE, k(at), 0, access_imm(size, order));
  emit(OP_add, TEMP, MINE, k(by), 8 * size);
  emit(OP_rmw_store, k(at), TEMP, 0, access_imm(size, order));
}

static void take(unsigned lock, enum order order) {
  update(next[lock], 1, below(3) ? ORD_RLX : ORD_ACQREL);
  uint32_t head = here();
  emit(OP_load, TURN, k(owner[lock]), 0, access_imm(size, order));
  bool turned = below(2), first = below(2);
  emit(turned ? OP_eq : OP_ne, TEST_SLOT, first ? TURN : MINE,
       first ? MINE : TURN, 32);
  emit(OP_br, TEST_SLOT, 0, 0,
       turned ? imm_targets(here() + 1, head) : imm_targets(head, here() + 1));
}

// By an update, with what is there, or with the number that was kept.
static void give(unsigned lock, enum order order) {
  unsigned form = below(12);
  if (form < 4) {
    update(owner[lock], 1, order);
    return;
  }
  if (form < 11)
    emit(OP_load, MINE, k(owner[lock]), 0, access_imm(size, ORD_RLX));
  emit(OP_add, TURN, MINE, k(1), 8 * size);
  emit(OP_store, k(owner[lock]), TURN, 0, access_imm(size, order));
}

// -- threads

// do { take; look; give } while (!flag);
static void poll(void) {
  unsigned lock = below(8) == 0;
  uint32_t head = here();
  bool keeps = below(6) == 0;
  take(lock, some_order(ORD_ACQ));
  if (keeps)
    emit(OP_mov, KEPT, MINE, 0, 0);
  if (below(8) == 0)
    get(data, ORD_RLX);
  if (below(16) == 0)
    put(data, 3, ORD_RLX); // this leaves a trace
  get(flag, ORD_RLX);
  if (below(16))
    give(lock, some_order(ORD_REL));
  emit(OP_eq, TEST_SLOT, VALUE, k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
  if (keeps || below(8) == 0) { // the number, too
    emit(OP_mov, VALUE, keeps ? KEPT : MINE, 0, 0);
    learn();
  }
}

// Each section has something that another one looks at.
static void section(unsigned me) {
  unsigned lock = below(8) == 0;
  take(lock, below(8) ? ORD_ACQ : ORD_RLX);
  put(me % 2 ? data : more, me, ORD_RLX);
  get(me % 2 ? more : data, ORD_RLX);
  learn();
  if (below(2))
    put(flag, 1, ORD_RLX);
  if (below(12))
    give(lock, below(8) ? ORD_REL : ORD_RLX);
  if (below(12) == 0) {
    emit(OP_mov, VALUE, MINE, 0, 0);
    learn();
  }
}

// What a lock is not for, now and then.
static void meddle(void) {
  switch (below(4)) {
  case 0: // look at it
    emit(OP_load, VALUE, k(below(2) ? next[0] : owner[0]), 0,
         access_imm(size, ORD_ACQ));
    learn();
    break;
  case 1: // try it
    emit(OP_load, VALUE, k(owner[0]), 0, access_imm(size, ORD_RLX));
    emit(OP_add, TEMP, VALUE, k(1), 8 * size);
    emit(OP_cas_load, MINE, k(next[0]), VALUE, access_imm(size, ORD_ACQ));
    emit(OP_cas_store, k(next[0]), TEMP, VALUE, access_imm(size, ORD_ACQ));
    emit(OP_eq, TEST_SLOT, MINE, VALUE, 32);
    emit(OP_br, TEST_SLOT, 0, 0, imm_targets(here() + 1, here() + 2));
    emit(OP_store, k(owner[0]), TEMP, 0, access_imm(size, ORD_REL));
    break;
  case 2: // let the next one go ahead
    update(owner[0], 1, ORD_RLX);
    break;
  default: // take two numbers
    update(next[0], 2, ORD_RLX);
    emit(OP_mov, VALUE, MINE, 0, 0);
    learn();
  }
  put(flag, 1, ORD_RLX);
}

static bool meddles;

static void random_body(unsigned me) {
  if (below(6) == 0)
    other();
  if (me == 1 || (!meddles && me == 2 && below(4) == 0))
    poll();
  else if (meddles && me == 2)
    meddle();
  else
    section(me);
  if (below(6) == 0)
    other();
}

static void make_locks(void) {
  for (unsigned i = 0; i < LOCKS; i++) {
    next[i] = global("next", size);
    owner[i] = global("owner", size);
  }
}

static void random_program(uint64_t of) {
  dice = of;
  size = 1u << below(3); // comparisons have 32 bits
  unsigned threads = 2 + below(2);
  meddles = below(3) == 0;
  make_program(threads, make_locks, random_body);
}

// Without the words of locks.
static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  uint64_t sum = memory_of(vm, g);
  if (is_blocked)
    return;
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    uint64_t address = vm_location(vm, l)->address;
    if (co->len > 1 && (address == next[0] || address == owner[0] ||
                        address == next[1] || address == owner[1]))
      sum -= mix(mix(2, address), graph_event(g, co->at[co->len - 1])->value);
  }
  array_push(&r->outcomes, sum);
}

TEST(no_outcome_is_lost_with_rounds_that_take_tickets) {
  compare_seeds(random_program, &P, on_execution);
}

static void take_with(enum order order) {
  update(next[0], 1, ORD_RLX);
  uint32_t wait = here();
  emit(OP_load, TURN, k(owner[0]), 0, access_imm(size, order));
  emit(OP_ne, TEST_SLOT, TURN, MINE, 8 * size);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(wait, here() + 1));
}

static void give_with(enum order order, bool by_update) {
  if (by_update) {
    update(owner[0], 1, order);
    return;
  }
  emit(OP_load, MINE, k(owner[0]), 0, access_imm(size, ORD_RLX));
  emit(OP_add, TURN, MINE, k(1), 8 * size);
  emit(OP_store, k(owner[0]), TURN, 0, access_imm(size, order));
}

// Two threads poll under the lock for what the third one, if there is one,
// writes there.
static void polling_body(unsigned me) {
  uint32_t head = here();
  take_with(ORD_ACQ);
  if (me < 3)
    get(flag, ORD_NA);
  else
    put(flag, 1, ORD_NA);
  give_with(ORD_REL, me == 2);
  emit(OP_eq, TEST_SLOT, me < 3 ? VALUE : k(1), k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

static void check_polling(const char *model) {
  for (unsigned threads = 2; threads <= 3; threads++) {
    struct run r = {0};
    make_program(threads, make_locks, polling_body);
    run_program(&r, P, model, /*all_rounds=*/false, on_execution);
    prog_free(P);
    bool has_end = threads == 3;
    CHECK(r.is_complete && r.executions == (has_end ? 2 : 0),
          "%s: %llu executions with words of %u bytes", model,
          (unsigned long long)r.executions, size);
    CHECK(r.kinds[FIND_HANG] == !has_end, "%s: a hang is %s", model,
          has_end ? "claimed" : "missed");
    array_done(&r.outcomes);
  }
}

TEST(polling_with_a_ticket_lock_waits) {
  static const char *const names[] = {"sc",   "tso", "pso",  "ra",
                                      "rc11", "imm", "armv8"};
  for (size = 1; size <= 8; size *= 2)
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
      check_polling(names[i]);
}

// The first thread looks under the lock until both others have been there. They
// do not know of each other if a round of it comes in between that is not
// strong enough.
static enum order take_order, give_order;
static bool gives_by_update;

static void weak_body(unsigned me) {
  if (me == 1) {
    uint32_t head = here();
    take_with(take_order);
    get(flag, ORD_RLX);
    give_with(give_order, gives_by_update);
    emit(OP_ne, TEST_SLOT, VALUE, k(2), 32); // the last round is behind both
    emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
    return;
  }
  take_with(ORD_ACQ);
  put(me == 2 ? data : more, 1, ORD_RLX);
  get(me == 2 ? more : data, ORD_RLX);
  learn();
  give_with(ORD_REL, false);
  count_up(flag);
}

TEST(rounds_that_hide_what_they_know_are_explored) {
  struct compared c = {0};
  size = 4;
  for (unsigned i = 0; i < 8; i++) {
    take_order = i & 1 ? ORD_RLX : ORD_ACQ;
    give_order = i & 2 ? ORD_RLX : ORD_REL;
    gives_by_update = i & 4;
    make_program(3, make_locks, weak_body);
    compare_rounds(&c, P, "rc11", i, on_execution);
    prog_free(P);
  }
  CHECK(c.programs == 8, "only %u were compared", (unsigned)c.programs);
}
