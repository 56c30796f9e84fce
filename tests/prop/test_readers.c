// SPDX-License-Identifier: MIT
// Readers of read-write locks (explore/fewer/readers.c). Random programs of
// threads that read-lock and write-lock, some of them equal, explored with all
// orders and with copies of the locks. Executions that are equal but for the
// order of readers between two writers form a class: as many executions are
// explored as there are classes, with symmetry they stand for as many, and what
// goes wrong goes wrong at the same places.
//
// Environment: HEDDLE_SEEDS=n (default 500), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "dice.h"
#include "search.h"
#include "unit/program.h"

enum {
  MAX_RUNNERS = 4, // threads besides main
  LOCKS = 2,
  CELLS = 3,
  VALUE = 1, // slots
  SUM = 2,
  TEST_SLOT = 3,
  REST = 18,
  ARGS = 20,
  MAX_EXECUTIONS = 4000,
};

static uint64_t locks[LOCKS], mutex, cells[CELLS];

// -- programs

static void call(enum builtin what, const uint64_t *args, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    emit(OP_mov, ARGS + i, k(args[i]), 0, 0);
  sys(what, 0, 0, ARGS, n);
}

// As rt/rwlock.c does it: a writer takes the word, or all copies of readers,
// the last one first, and gives them back, the first one first.
static void take_word(uint64_t lock, uint64_t most, uint64_t added,
                      uint64_t how) {
  call(BI_take, (uint64_t[]){lock, 0, most, added, TAKE_BACK | how}, 5);
}

static void give_word(uint64_t lock, uint64_t added, uint64_t how) {
  call(BI_give, (uint64_t[]){lock, added, TAKE_BACK | how}, 3);
}

static void write_word(uint64_t lock, bool takes, uint64_t how) {
  if (takes)
    take_word(lock, 0, (uint32_t)-1, how);
  else
    give_word(lock, 1, how);
}

// Emits a branch around what comes until `land`, unless the slot is not 0.
static uint32_t skip_if_zero(void) {
  uint32_t here = P->code.len;
  emit(OP_br, TEST_SLOT, 0, 0, 0);
  return here;
}

static void land(uint32_t branch) {
  P->code.at[branch].imm = imm_targets(branch + 1, P->code.len);
}

static void write_lock(uint64_t lock, bool takes) {
  sys(BI_sharers, REST, 1, k(lock), 1);
  emit(OP_eq, TEST_SLOT, REST, k(0), 64);
  uint32_t branch = skip_if_zero();
  write_word(lock, takes, 0);
  land(branch);
  for (unsigned i = 0; i <= MAX_RUNNERS; i++) {
    unsigned t = takes ? MAX_RUNNERS - i : i;
    emit(OP_and, TEST_SLOT, REST, k(UINT64_C(1) << t), 64);
    emit(OP_ne, TEST_SLOT, TEST_SLOT, k(0), 64);
    branch = skip_if_zero();
    write_word(lock, takes, (t + 1) * TAKE_OF);
    land(branch);
  }
}

static void enter(uint64_t lock, bool reads) {
  if (reads)
    take_word(lock, INT32_MAX - 1, 1, TAKE_SHARED);
  else
    write_lock(lock, true);
}

static void leave(uint64_t lock, bool reads) {
  if (reads)
    give_word(lock, (uint32_t)-1, TAKE_SHARED);
  else
    write_lock(lock, false);
}

static void use_cell(bool is_inside, bool reads) {
  uint64_t cell = cells[below(CELLS)];
  enum order order = is_inside && below(6) ? ORD_NA
                     : below(3)            ? ORD_RLX
                                           : ORD_SC;
  if (reads || below(2)) {
    emit(OP_load, VALUE, k(cell), 0, access_imm(4, order));
    emit(OP_add, SUM, SUM, VALUE, 32);
  } else {
    emit(OP_store, k(cell), k(1 + below(2)), 0, access_imm(4, order));
  }
}

static void something_rare(uint64_t lock) {
  uint64_t other = locks[below(LOCKS)];
  bool reads = below(2);
  uint32_t here = P->code.len;
  switch (below(8)) {
  case 0: // nested, and sometimes the same one once more
    if (other != lock || (reads && below(2))) {
      enter(other, reads);
      use_cell(true, reads);
      leave(other, reads);
    }
    break;
  case 1: // it waits for somebody
    emit(OP_load, VALUE, k(cells[below(CELLS)]), 0, access_imm(4, ORD_ACQ));
    emit(OP_eq, TEST_SLOT, VALUE, k(0), 32);
    emit(OP_br, TEST_SLOT, 0, 0, imm_targets(here, P->code.len + 1));
    break;
  case 2: // as a try does
    emit(OP_load, VALUE, k(lock), 0, access_imm(4, ORD_RLX));
    emit(OP_add, SUM, SUM, VALUE, 32);
    break;
  case 3: // twice, of which one is given back by chance
    if (reads && lock == other)
      enter(lock, true);
    break;
  case 4:
    emit(OP_ne, TEST_SLOT, SUM, k(2), 32);
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
    break;
  case 5:
    emit(OP_store, k(other), k(0), 0, access_imm(4, ORD_NA));
    break;
  case 6:
    sys(BI_lock, 0, 0, k(mutex), 1);
    use_cell(false, false);
    sys(BI_unlock, 0, 0, k(mutex), 1);
    break;
  default: { // an assertion on what was read
    emit(OP_eq, TEST_SLOT, SUM, k(3), 32);
    uint32_t branch = skip_if_zero();
    sys(BI_abort, 0, 0, 0, 0);
    land(branch);
  }
  }
}

static void section(unsigned rare) {
  uint64_t lock = locks[below(5) ? 0 : below(LOCKS)];
  bool reads = below(3); // mostly, and sometimes it writes though
  enter(lock, reads);
  for (unsigned n = below(3); n > 0; n--)
    use_cell(true, reads && below(16));
  if (rare && !below(rare))
    something_rare(lock);
  if (!rare || below(4 * rare))
    leave(lock, reads);
}

static void body(unsigned rare) {
  emit(OP_mov, SUM, k(0), 0, 0);
  for (unsigned n = 1 + !below(3); n > 0; n--)
    section(rare);
  if (!below(4))
    use_cell(false, false);
  if (rare && !below(rare))
    something_rare(locks[0]);
}

static void random_main(const uint32_t *runs, unsigned n) {
  bool is_mixed = !below(8); // main takes part, or does not join
  if (!below(3))
    store(locks[0], k(0), 4); // as an initialisation does
  for (unsigned t = 1; t <= n; t++) {
    emit(OP_mov, 4, k(prog_func_address(P, runs[t])), 0, 0);
    emit(OP_mov, 5, k(0), 0, 0);
    sys(BI_spawn, 5 + t, 1, 4, 2);
  }
  if (is_mixed && below(2))
    section(0);
  for (unsigned t = 1; t <= n && !is_mixed; t++)
    sys(BI_join, 4, 1, 5 + t, 1);
  if (!is_mixed && !below(3)) { // as a destruction does
    load(VALUE, locks[0], 4);
    store(locks[0], k(SYNC_DESTROYED), 4);
  }
  ret(k(0));
}

static void random_program(uint64_t seed) {
  struct diag why;
  uint32_t funcs[MAX_RUNNERS + 1], runs[MAX_RUNNERS + 1];
  dice = seed;
  unsigned n = 2 + below(MAX_RUNNERS - 1), rare = below(2) ? 0 : 3 + below(8);
  begin();
  for (unsigned i = 0; i < LOCKS; i++)
    locks[i] = global("lock", 4);
  mutex = global("mutex", 4);
  for (unsigned i = 0; i < CELLS; i++)
    cells[i] = global("cell", 4);
  funcs[0] = func("main", 0, 1);
  for (unsigned t = 1; t <= n; t++) {
    funcs[t] = func("thread", 1, 1);
    runs[t] = t > 1 && below(2) ? runs[t - 1] : funcs[t]; // equal ones
  }
  for (unsigned t = 1; t <= n; t++) {
    prog_begin_func(P, funcs[t]);
    body(rare);
    ret(k(0));
  }
  prog_begin_func(P, funcs[0]);
  random_main(runs, n);
  CHECK(prog_finish(P, &why), "%s", why.text);
}

// -- classes

struct run {
  struct hashes classes; // of all executions, if these are told,
  struct hashes coarse;  // and without co of the cells
  struct hashes errors;
  uint64_t executions, stands_for;
  bool is_complete, is_refuted, has_copies;
};

static bool is_lock(const struct vm *vm, loc_id l) {
  uint64_t address = vm_location(vm, l)->address;
  return address == locks[0] || address == locks[1];
}

static bool is_of_reader(const struct vm *vm, const struct event *e) {
  return vm_access(vm, e->pre)->flags & ACCF_SHARES;
}

// What the threads did, but for what locks were when they were taken.
static uint64_t hash_of_events(const struct vm *vm, const struct graph *g) {
  uint64_t h = 1;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 1; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      h = mix(mix(h, t), e->kind);
      if (e->kind != EV_READ || is_lock(vm, e->loc))
        continue;
      h = mix(h, e->value);
      if (e->rf != INIT_EVENT)
        h = mix(mix(h, graph_event(g, e->rf)->thread),
                graph_event(g, e->rf)->index);
    }
  return h;
}

// The order of writes; of a lock, which of a reader's come after how many of
// writers.
static uint64_t hash_of_place(const struct vm *vm, const struct graph *g,
                              loc_id l) {
  uint64_t h = mix(3, vm_location(vm, l)->address), readers = 0;
  uint32_t writers = 0;
  for (uint32_t i = 1; i < g->locs.at[l].co.len; i++) {
    const struct event *w = graph_event(g, g->locs.at[l].co.at[i]);
    uint64_t it = mix(mix(5, w->thread), w->index);
    if (is_lock(vm, l) && is_of_reader(vm, w)) {
      readers += mix(it, writers);
      continue;
    }
    h = mix(h, it);
    writers++;
  }
  return g->locs.at[l].co.len > 1 ? h + readers : 0;
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  uint64_t h = hash_of_events(vm, g), coarse = h;
  for (loc_id l = 0; l < g->locs.len; l++) { // these have no order
    h += hash_of_place(vm, g, l);
    coarse += is_lock(vm, l) ? hash_of_place(vm, g, l) : 0;
  }
  if (is_blocked)
    return;
  array_push(&r->classes, h);
  array_push(&r->coarse, coarse);
}

enum how { ALL_ORDERS, FEW, EQUAL, WITHOUT_CO }; // EQUAL: with symmetry

static void look_at(void *arg, const struct explore_result *result) {
  struct run *r = arg;
  r->executions = result->executions;
  r->stands_for = result->stands_for;
  r->is_complete = !result->limit;
  r->is_refuted = result->overlap != NULL;
  r->has_copies = result->reader_turns && !r->is_refuted;
  errors_of(result, 1 << FIND_RACE | 1 << FIND_DEADLOCK | 1 << FIND_HANG,
            &r->errors);
}

static uint32_t reductions_of(enum how how) {
  return REDUCE_DEFAULT | (how == ALL_ORDERS ? 0u : REDUCE_READERS) |
         (how == EQUAL ? REDUCE_SYMMETRY : 0u) |
         (how == WITHOUT_CO ? REDUCE_RF : 0u);
}

static void explore_all(struct run *r, const char *model, enum how how) {
  struct explore_config config = {.model = model_find(model),
                                  .on_execution =
                                      how == ALL_ORDERS ? on_execution : NULL,
                                  .reductions = reductions_of(how),
                                  .max_executions = MAX_EXECUTIONS,
                                  .max_events = 120,
                                  .all_errors = true,
                                  .arg = r};
  search(P, &config, look_at);
}

static void run_done(struct run *r) {
  array_done(&r->classes);
  array_done(&r->coarse);
  array_done(&r->errors);
}

struct sums {
  uint64_t compared, copied, refuted, errors, all, few, equal, without_co;
};

static void compare_without_co(uint64_t s, const char *model, struct run *all,
                               struct sums *sums) {
  struct run few = {0};
  explore_all(&few, model, WITHOUT_CO);
  hashes_sort(&all->coarse);
  if (few.has_copies)
    CHECK_EQ(few.executions, all->coarse.len, "seed %llu, %s: without co",
             (unsigned long long)s, model);
  CHECK(hashes_same(&all->errors, &few.errors),
        "seed %llu, %s: other errors without co", (unsigned long long)s, model);
  sums->without_co += few.has_copies;
  run_done(&few);
}

static void compare(uint64_t s, const char *model, void *arg) {
  struct sums *sums = arg;
  struct run all = {0}, few = {0}, equal = {0};
  explore_all(&all, model, ALL_ORDERS);
  if (all.is_complete) {
    explore_all(&few, model, FEW);
    explore_all(&equal, model, EQUAL);
    if (!model_find(model)->tracks_dependencies)
      compare_without_co(s, model, &all, sums);
    hashes_sort(&all.classes);
    CHECK_EQ(few.executions, few.has_copies ? all.classes.len : all.executions,
             "seed %llu, %s: classes", (unsigned long long)s, model);
    CHECK(hashes_same(&all.errors, &few.errors) &&
              hashes_same(&all.errors, &equal.errors),
          "seed %llu, %s: other errors", (unsigned long long)s, model);
    CHECK(few.errors.len || equal.stands_for == few.executions,
          "seed %llu, %s: %llu executions, %llu with symmetry",
          (unsigned long long)s, model, (unsigned long long)few.executions,
          (unsigned long long)equal.stands_for);
    sums->compared++;
    sums->copied += few.has_copies && few.executions < all.executions;
    sums->refuted += few.is_refuted;
    sums->errors += few.errors.len;
    sums->all += all.executions;
    sums->few += few.executions;
    sums->equal += equal.executions < few.executions;
  }
  run_done(&all);
  run_done(&few);
  run_done(&equal);
}

TEST(every_class_of_orders_of_readers_is_explored_once) {
  struct sums sums = {0};
  uint64_t n =
      compare_random(500, &P, random_program, model_in_turn, compare, &sums);
  printf("# %llu programs, %llu with copies, %llu with equal threads, "
         "%llu with all orders; %llu executions, %llu explored; %llu errors\n",
         (unsigned long long)sums.compared, (unsigned long long)sums.copied,
         (unsigned long long)sums.equal, (unsigned long long)sums.refuted,
         (unsigned long long)sums.all, (unsigned long long)sums.few,
         (unsigned long long)sums.errors);
  CHECK(n < 300 || (sums.compared > n / 2 && sums.copied > n / 10 &&
                    sums.equal > n / 30 && sums.without_co > n / 10 &&
                    sums.refuted > n / 20 && sums.errors > n / 20 &&
                    sums.few * 2 < sums.all),
        "too few");
}
