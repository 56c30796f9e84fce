// SPDX-License-Identifier: MIT
// Equal threads, and what is beside them: threads of another kind that have a
// pointer to one element, or its number, created before, between and behind the
// equal ones; main that looks at one element, or signals it, before, between
// and behind the joins; locks of every kind, of the library and of the
// program's own making; loops that try again, with masks, beside writers.
// Random programs, explored with symmetry and without it, where all else is
// left out that can be: what goes wrong is the same at the same places, and as
// many executions are stood for. Outcomes are compared by assertions that fail
// in some of them.
//
// Environment: HEDDLE_SEEDS=n (default 3000), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name, HEDDLE_RF=1 (without co where that can be; 0: never).
#include "dice.h"
#include "setting.h"
#include "stands_for.h"

enum {
  MAX_EQUAL = 3,
  ARGUMENT = 0, // slots
  OWN = 1,      // the element that it has or was given
  VALUE = 2,
  TEMP = 3,
  TEST_SLOT = 4,
  SCALED = 5,
  SEEN = 6, // what was read, added up
  NUMBER = 7,
  ARGS = 10,
  CELLS = 2,
};

enum lock {
  NO_LOCK,
  MUTEX,
  SEMAPHORE,
  READS,
  WRITES,
  SWAP,
  LOOK_AND_SWAP,
  CAS,
  TICKET,
  UNDONE,
  LOCKS
};
enum argument { POINTER, INDEX, NOTHING };

static uint64_t elements, cells[CELLS], word, owner, counter, early, flag;
static enum argument argument;
static enum lock lock;
static unsigned nequal;
static bool is_weak;

// -- accesses

static uint32_t here(void) {
  return P->code.len;
}

static enum order read_order(void) {
  return is_weak && below(2) ? ORD_RLX : below(3) ? ORD_ACQ : ORD_SC;
}

static enum order write_order(void) {
  return is_weak && below(2) ? ORD_RLX : below(3) ? ORD_REL : ORD_SC;
}

static enum order update_order(void) {
  return is_weak && below(2) ? ORD_RLX : below(3) ? ORD_ACQREL : ORD_SC;
}

static void get(uint64_t at) {
  emit(OP_load, VALUE, k(at), 0, access_imm(4, read_order()));
}

static void learn(void) {
  emit(OP_mul, SEEN, SEEN, k(3), 32);
  emit(OP_add, SEEN, SEEN, VALUE, 32);
}

static void put(uint64_t at, unsigned slot) {
  emit(OP_store, k(at), slot, 0, access_imm(4, write_order()));
}

static void add(uint64_t at, int32_t n) {
  enum order order = update_order();
  emit(OP_rmw_load, VALUE, k(at), 0, access_imm(4, order));
  emit(OP_add, TEMP, VALUE, k((uint32_t)n), 32);
  emit(OP_rmw_store, k(at), TEMP, 0, access_imm(4, order));
}

static uint64_t element(unsigned i) {
  return elements + 4 * i;
}

// Jumps back while TEST_SLOT is not 0.
static void go_back(uint32_t head) {
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

static uint32_t if_set(void) {
  return emit(OP_br, TEST_SLOT, 0, 0, 0);
}

static void end_if(uint32_t br) {
  P->code.at[br].imm = imm_targets(br + 1, here());
}

// Fails if the slot has this value.
static void never(unsigned slot, uint64_t value) {
  emit(OP_eq, TEST_SLOT, slot, k(value), 32);
  uint32_t br = if_set();
  sys(BI_abort, 0, 0, 0, 0);
  end_if(br);
}

// -- locks

static void call(enum builtin what, const uint64_t *args, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    emit(OP_mov, ARGS + i, k(args[i]), 0, 0);
  sys(what, 0, 0, ARGS, n);
}

static void take_word(int32_t least, int32_t most, int32_t added) {
  call(BI_take,
       (uint64_t[]){word, (uint32_t)least, (uint32_t)most, (uint32_t)added, 0},
       5);
}

static void give_word(int32_t added) {
  call(BI_give, (uint64_t[]){word, (uint32_t)added}, 2);
}

static void swap_in(void) {
  enum order order = update_order();
  emit(OP_rmw_load, VALUE, k(word), 0, access_imm(4, order));
  emit(OP_rmw_store, k(word), k(1), 0, access_imm(4, order));
}

static void spin(void) {
  uint32_t head = here();
  if (lock == LOOK_AND_SWAP) {
    get(word);
    emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
    go_back(head);
  }
  if (lock == CAS) {
    uint64_t imm = access_imm(4, update_order());
    emit(OP_cas_load, VALUE, k(word), k(0), imm);
    emit(OP_cas_store, k(word), k(1), k(0), imm);
  } else {
    swap_in();
  }
  emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
  go_back(head);
}

static void take_ticket(void) {
  add(word, 1);
  emit(OP_mov, NUMBER, VALUE, 0, 0);
  uint32_t head = here();
  get(owner);
  emit(OP_ne, TEST_SLOT, VALUE, NUMBER, 32);
  go_back(head);
}

static void take_undone(void) {
  add(word, 1);
  uint32_t head = here();
  emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
  uint32_t br = if_set();
  add(word, -1);
  uint32_t wait = here();
  get(word);
  emit(OP_ne, TEST_SLOT, VALUE, k(0), 32);
  go_back(wait);
  add(word, 1);
  emit(OP_jmp, 0, 0, 0, head);
  end_if(br);
}

static void enter(void) {
  switch (lock) {
  case MUTEX:
    sys(BI_lock, 0, 0, k(word), 1);
    break;
  case SEMAPHORE:
    take_word(1, INT32_MAX, -1);
    break;
  case READS:
    take_word(0, INT32_MAX - 1, 1);
    break;
  case WRITES:
    take_word(0, 0, -1);
    break;
  case SWAP:
  case LOOK_AND_SWAP:
  case CAS:
    spin();
    break;
  case TICKET:
    take_ticket();
    break;
  case UNDONE:
    take_undone();
    break;
  default:
    break;
  }
}

static void leave(void) {
  switch (lock) {
  case MUTEX:
    sys(BI_unlock, 0, 0, k(word), 1);
    break;
  case SEMAPHORE:
  case WRITES:
    give_word(1);
    break;
  case READS:
    give_word(-1);
    break;
  case SWAP:
  case LOOK_AND_SWAP:
  case CAS:
    put(word, k(0));
    break;
  case TICKET:
    emit(OP_add, TEMP, NUMBER, k(1), 32);
    put(owner, TEMP);
    break;
  case UNDONE:
    add(word, -1);
    break;
  default:
    break;
  }
}

// -- what threads do

static uint64_t some_cell(void) {
  return cells[below(CELLS)];
}

// v = load(x); while (!cas(x, &v, v & mask)); a look at what came before.
static void try_again(void) {
  static const uint32_t masks[] = {~0u, ~3u, ~1u, 0};
  uint64_t at = cells[0], imm = access_imm(4, update_order());
  emit(OP_load, VALUE, k(at), 0, access_imm(4, read_order()));
  uint32_t head = here();
  emit(OP_and, TEMP, VALUE, k(masks[below(4)]), 32);
  if (!below(3))
    emit(OP_or, TEMP, TEMP, k(1 + below(2)), 32);
  emit(OP_cas_load, SCALED, k(at), VALUE, imm);
  emit(OP_cas_store, k(at), TEMP, VALUE, imm);
  emit(OP_cas_ok, TEST_SLOT, SCALED, VALUE, 32);
  uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), failed = here();
  emit(OP_mov, VALUE, SCALED, 0, 0);
  emit(OP_jmp, 0, 0, 0, head);
  P->code.at[br].imm = imm_targets(here(), failed);
  learn();
  if (below(3))
    return;
  emit(OP_eq, TEST_SLOT, VALUE, k(below(2)), 32);
  br = if_set();
  get(cells[1]);
  emit(OP_eq, TEST_SLOT, VALUE, k(below(2)), 32);
  uint32_t inner = if_set();
  put(early, k(1));
  end_if(inner);
  end_if(br);
}

static void use_cell(void) {
  switch (below(5)) {
  case 0:
    put(some_cell(), k(below(2) ? 3 : below(3)));
    break;
  case 1:
    add(some_cell(), 1);
    break;
  case 2: { // once
    uint64_t imm = access_imm(4, update_order());
    emit(OP_cas_load, VALUE, k(cells[0]), k(below(2)), imm);
    emit(OP_cas_store, k(cells[0]), k(8), k(below(2)), imm);
    P->code.at[here() - 1].c = P->code.at[here() - 2].c;
    learn();
    break;
  }
  default:
    get(some_cell());
    learn();
  }
}

static void use_own(unsigned at) {
  enum order order = below(12) ? write_order() : ORD_NA;
  if (below(3)) {
    emit(OP_store, at, below(2) ? SEEN : k(1 + below(2)), 0,
         access_imm(4, order));
  } else {
    emit(OP_load, VALUE, at, 0,
         access_imm(4, order == ORD_NA ? ORD_NA : read_order()));
    learn();
  }
}

// Its turn: how many came before.
static void note_turn(void) {
  add(counter, 1);
  if (argument != NOTHING)
    emit(OP_store, OWN, TEMP, 0, access_imm(4, write_order()));
  else
    learn();
}

static void wait_for_signal(void) {
  uint32_t head = here();
  if (argument != NOTHING && below(2))
    emit(OP_load, VALUE, OWN, 0, access_imm(4, read_order()));
  else
    get(flag);
  emit(OP_eq, TEST_SLOT, VALUE, k(0), 32);
  go_back(head);
}

// The same, with a look in each of some sections.
static void poll_in_sections(void) {
  uint32_t head = here();
  enter();
  get(flag);
  emit(OP_mov, SCALED, VALUE, 0, 0);
  leave();
  emit(OP_eq, TEST_SLOT, SCALED, k(0), 32);
  go_back(head);
}

static void section(void) {
  enter();
  for (unsigned n = 1 + below(2); n > 0; n--)
    if (below(2))
      note_turn();
    else
      use_cell();
  if (below(20))
    leave();
}

static void act(bool is_equal) {
  switch (below(10)) {
  case 0:
  case 1:
    try_again();
    break;
  case 2:
  case 3:
    section();
    break;
  case 4:
    if (is_equal && argument != NOTHING)
      use_own(OWN);
    else
      use_cell();
    break;
  case 5:
    note_turn();
    break;
  case 6:
    if (!below(3))
      poll_in_sections();
    else if (!below(4))
      wait_for_signal();
    break;
  case 7:
    if (!below(8)) {
      emit(OP_ne, TEST_SLOT, SEEN, k(below(3)), 32);
      sys(BI_assume, 0, 0, TEST_SLOT, 1);
    }
    break;
  case 8:
    if (!below(4))
      never(SEEN, below(4));
    break;
  default:
    use_cell();
  }
}

static void find_own(void) {
  if (argument == POINTER)
    emit(OP_mov, OWN, ARGUMENT, 0, 0);
  if (argument == INDEX) {
    emit(OP_mul, SCALED, ARGUMENT, k(4), 64);
    emit(OP_add, OWN, k(elements), SCALED, 64);
  }
}

static void equal_thread(uint32_t f) {
  prog_begin_func(P, f);
  emit(OP_mov, SEEN, k(0), 0, 0);
  find_own();
  for (unsigned n = 1 + below(nequal == 2 ? 3 : 2); n > 0; n--)
    act(true);
  ret(below(4) ? k(0) : below(2) ? ARGUMENT : SEEN);
}

// A thread of another kind. It may be given one element, or its number.
static void other_thread(uint32_t f, bool has_pointer) {
  prog_begin_func(P, f);
  emit(OP_mov, SEEN, k(0), 0, 0);
  if (!has_pointer && below(2)) {
    emit(OP_mul, SCALED, ARGUMENT, k(4), 64);
    emit(OP_add, OWN, k(elements), SCALED, 64);
  } else {
    emit(OP_mov, OWN, has_pointer ? ARGUMENT : k(flag), 0, 0);
  }
  bool is_late = below(2);
  for (unsigned n = 1 + below(2); n > 0; n--) {
    if (is_late)
      act(false);
    if (below(2))
      use_own(OWN);
    if (!is_late)
      act(false);
  }
  if (!below(4))
    put(flag, k(1));
  if (!below(3))
    never(VALUE, below(4));
  ret(k(0));
}

// -- main

enum { SLOT_IDS = 20 }; // of main

static void create(unsigned id, uint32_t f, uint64_t arg) {
  emit(OP_mov, ARGS, k(prog_func_address(P, f)), 0, 0);
  emit(OP_mov, ARGS + 1, k(arg), 0, 0);
  sys(BI_spawn, SLOT_IDS + id, 1, ARGS, 2);
}

static void join(unsigned id) {
  sys(BI_join, TEMP, 1, SLOT_IDS + id, 1);
}

static void look_at_one(void) {
  uint64_t at = element(below(nequal));
  switch (below(4)) {
  case 0:
    put(at, k(1));
    break;
  case 1:
    put(flag, k(1));
    break;
  case 2:
    put(flag, k(1));
    __attribute__((fallthrough));
  default:
    emit(OP_load, VALUE, k(at), 0, access_imm(4, read_order()));
    never(VALUE, below(4));
  }
}

static uint64_t argument_of(unsigned i) {
  return argument == POINTER ? element(i) : argument == INDEX ? i : 0;
}

static void prepare(void) {
  uint64_t value = 1 + below(2);
  for (unsigned i = 0; i < nequal; i++)
    store(element(i), k(value), 4);
}

// Something that all outcomes are looked at with.
static void look_at_all(void) {
  emit(OP_mov, SEEN, k(0), 0, 0);
  for (unsigned i = 0; i < CELLS; i++) {
    get(cells[i]);
    learn();
  }
  get(early);
  learn();
  if (!below(3)) {
    get(element(below(nequal)));
    learn();
  }
  never(SEEN, below(24));
}

static void random_main(uint32_t equal, uint32_t other, bool has_pointer) {
  enum { BEFORE, BETWEEN, BEHIND, NEVER };
  unsigned when = below(5), looks = below(8);
  uint64_t arg = has_pointer ? element(below(nequal)) : below(nequal);
  if (!below(3))
    prepare();
  if (lock == SEMAPHORE)
    store(word, k(1 + below(2)), 4);
  for (unsigned i = 0; i < nequal; i++) {
    if (when == (i ? BETWEEN : BEFORE) && i < 2)
      create(MAX_EQUAL, other, arg);
    create(i, equal, argument_of(i));
  }
  if (when == BEHIND)
    create(MAX_EQUAL, other, arg);
  if (looks == 0)
    look_at_one();
  for (unsigned i = 0; i < nequal; i++) {
    join(i);
    if (looks == 1 && !i)
      look_at_one();
  }
  if (looks == 2)
    look_at_one();
  if (when < NEVER)
    join(MAX_EQUAL);
  if (looks < 6)
    look_at_all();
  ret(k(0));
}

static void random_program(uint64_t seed) {
  struct diag why;
  dice = seed;
  begin();
  elements = global("elements", 4 * MAX_EQUAL);
  for (unsigned i = 0; i < CELLS; i++)
    cells[i] = global("cell", 4);
  word = global("word", 4);
  owner = global("owner", 4);
  counter = global("counter", 4);
  early = global("early", 4);
  flag = global("flag", 4);
  nequal = below(4) ? 2 : 3;
  argument = below(5) ? below(2) : NOTHING;
  lock = below(LOCKS);
  is_weak = below(2);
  bool has_pointer = below(2);
  uint32_t main_func = func("main", 0, 1), equal = func("equal", 1, 1),
           other = func("other", 1, 1);
  equal_thread(equal);
  other_thread(other, has_pointer);
  prog_begin_func(P, main_func);
  random_main(equal, other, has_pointer);
  CHECK(prog_finish(P, &why), "%s", why.text);
}

// -- both

static const uint64_t unplaced =
    1 << FIND_HANG | 1 << FIND_RACE | 1 << FIND_DEADLOCK;

// Those that symmetry may meet: all that are on by default, or some of them;
// and without co.
static uint32_t some_reductions(bool ignores_co) {
  uint32_t set = REDUCE_DEFAULT;
  for (unsigned i = 0, left_out = below(2) ? below(6) : 0; i < left_out; i++)
    set &= ~(UINT32_C(1) << below(REDUCTIONS)) | REDUCE_KEPT;
  return ignores_co ? set | REDUCE_RF : set;
}

static struct explore_config some_config(bool ignores_co) {
  struct explore_config c = {.limits.max_executions = 2000,
                             .limits.max_events = 100,
                             .options.reductions = some_reductions(ignores_co)};
  c.options.disabled[FIND_LIVELOCK] = true;
  c.options.disabled[FIND_RACE] = below(2);
  return c;
}

static void compare(uint64_t seed, const char *model, void *arg) {
  struct stands_for *sum = arg;
  uint64_t rf = setting("HEDDLE_RF", seed % 3 == 0);
  sum->config = some_config(rf && model_find(model)->finds_co);
  compare_equal(seed, model, arg);
}

TEST(equal_threads_beside_others_stand_for_all_of_them) {
  struct stands_for sum = {.unplaced = unplaced};
  uint64_t n =
      compare_random(3000, &P, random_program, model_in_turn, compare, &sum);
  stands_for_say(&sum);
  CHECK(n < 500 || (sum.programs * 2 > n && sum.fewer * 10 > n &&
                    sum.refuted * 10 > n && sum.errors * 10 > n),
        "too few");
}
