// SPDX-License-Identifier: MIT
// Updates that are tried, and undone when they fail (explore/loops/rollback.c).
// Random programs with read-write locks, semaphores and the like of that kind,
// explored with all rounds and without: the same outcomes (everything that is
// read but the word itself, and what memory is in the end), and errors of the
// same kind. Some look at the word, store into it, or give back more than they
// took.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "cat/catalogue.h"
#include "dice.h"
#include "search.h"
#include "unit/program.h"

enum {
  THREADS = 3, // besides main
  BIAS = 8,
  VALUE = 1, // slots
  TEMP = 2,
  TEST_SLOT = 3,
  MAX_EXECUTIONS = 4000,
};

static uint64_t word, data, plain;

static uint32_t k32(int32_t n) {
  return k((uint32_t)n);
}

// -- programs

static void update(uint64_t address, int32_t add, enum order order) {
  emit(OP_rmw_load, VALUE, k(address), 0, access_imm(4, order));
  emit(OP_add, TEMP, VALUE, k32(add), 32);
  emit(OP_rmw_store, k(address), TEMP, 0, access_imm(4, order));
}

static void get(uint64_t address, enum order order) {
  emit(OP_load, VALUE, k(address), 0, access_imm(4, order));
}

struct lock {
  int32_t add;
  bool is_exact; // only `least` passes, else everything from it on
  int32_t least;
};

static void test_value(const struct lock *l) {
  if (l->is_exact)
    emit(OP_ne, TEST_SLOT, VALUE, k32(l->least), 32);
  else
    emit(OP_slt, TEST_SLOT, VALUE, k32(l->least), 32);
}

static void take(const struct lock *l) {
  enum order order = below(16) ? ORD_ACQ : ORD_RLX;
  update(word, l->add, order);
  uint32_t head = P->code.len;
  test_value(l);
  uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), fail = P->code.len;
  update(word, below(20) ? -l->add : 1, below(2) ? ORD_RLX : ORD_REL);
  uint32_t wait = P->code.len;
  get(word, ORD_RLX);
  test_value(l);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(wait, P->code.len + 1));
  update(word, l->add, order);
  emit(OP_jmp, 0, 0, 0, head);
  P->code.at[br].imm = imm_targets(fail, P->code.len);
}

static void use_data(void) {
  uint64_t where = below(3) ? data : plain;
  enum order order = where == plain ? ORD_NA : ORD_RLX;
  if (below(2)) {
    get(where, order);
  } else {
    emit(OP_store, k(where), k(1 + below(2)), 0, access_imm(4, order));
  }
}

// A section; now and then it gives back something else, or never.
static void section(const struct lock *l) {
  take(l);
  use_data();
  unsigned how = below(24);
  if (how)
    update(word, how == 1 ? -l->add - 1 : -l->add,
           below(4) ? ORD_REL : ORD_RLX);
}

// What makes the rounds visible to somebody.
static void look(void) {
  switch (below(4)) {
  case 0:
    get(word, ORD_RLX);
    emit(OP_store, k(data), VALUE, 0, access_imm(4, ORD_RLX));
    break;
  case 1:
    update(word, 1, ORD_RLX);
    emit(OP_store, k(data), VALUE, 0, access_imm(4, ORD_RLX));
    break;
  case 2:
    emit(OP_store, k(word), k(BIAS), 0, access_imm(4, ORD_RLX));
    break;
  default:
    update(word, below(2) ? 1 : -1, ORD_RLX); // nobody asks
  }
}

static const struct lock locks[] = {
    {-1, false, 1},        // a reader
    {-BIAS, true, BIAS},   // a writer
    {-1, false, BIAS - 1}, // at most two
    {1, true, BIAS},       // the other direction
    {-1, true, BIAS - 1},  // passes because of the failure of another
};

static void random_body(void) {
  unsigned looks = below(10);
  section(&locks[below(below(3) ? 2 : 5)]);
  if (looks == 0)
    look();
  else if (looks < 3)
    use_data();
}

// Threads with random bodies; `only`: with a section of that lock.
static void make_program(unsigned threads, const struct lock *only) {
  struct diag why;
  uint32_t funcs[THREADS + 1];
  begin();
  word = global("word", 4);
  data = global("data", 4);
  plain = global("plain", 4);
  P->globals.at[0].bytes[0] = BIAS;
  funcs[0] = func("main", 0, 1);
  for (unsigned t = 1; t <= threads; t++)
    funcs[t] = func("thread", 1, 1);
  for (unsigned t = 1; t <= threads; t++) {
    prog_begin_func(P, funcs[t]);
    if (only)
      take(only);
    else
      random_body();
    emit(OP_ret, k(0), 1, 0, 0);
  }
  create_and_join(funcs, threads, 4);
  CHECK(prog_finish(P, &why), "%s", why.text);
}

static void random_program(uint64_t of) {
  dice = of;
  make_program(2 + below(4) / 3, NULL);
}

// -- outcomes

struct run {
  struct hashes outcomes;
  struct hashes errors; // their kinds
  uint64_t executions, begun;
  bool is_complete;
  bool passed; // a thread came to its end
};

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  uint64_t h = 1;
  for (unsigned t = 1; t < g->nthreads; t++)
    r->passed |= graph_event(g, graph_tail(g, t))->kind == EV_END;
  if (is_blocked)
    return;
  for (unsigned t = 1; t < g->nthreads; t++)
    for (uint32_t i = 1; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (e->kind == EV_READ && vm_location(vm, e->loc)->address != word)
        h = mix(mix(h, t), e->value);
    }
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    uint64_t address = vm_location(vm, l)->address;
    uint64_t last = co->len > 1 ? graph_event(g, co->at[co->len - 1])->value
                    : address == word ? BIAS
                                      : 0;
    if (co->len > 1 || address == word)
      h += mix(mix(2, address), last); // locations have no order
  }
  array_push(&r->outcomes, h);
}

static void on_begin_again(void *arg) {
  struct run *r = arg;
  r->outcomes.len = 0;
  r->begun++;
}

static void look_at(void *arg, const struct explore_result *result) {
  struct run *r = arg;
  r->executions = result->executions;
  r->is_complete = !result->limit;
  errors_of(result, /*unplaced=*/~UINT64_C(0), &r->errors);
}

static const struct model *find_model(const char *name) {
  static struct catalogue all;
  const struct model *m;
  struct diag why;
  if (!all.is_ready)
    catalogue_init(&all, &(struct options){0});
  CHECK(catalogue_find(&all, name, &m, &why), "no model %s", name);
  return m;
}

static void explore_all(struct run *r, const char *model,
                        bool skips_rollbacks) {
  struct explore_config config = {.options.model = find_model(model),
                                  .observer.on_execution = on_execution,
                                  .observer.on_begin_again = on_begin_again,
                                  .options.reductions =
                                      REDUCE_DEFAULT &
                                      ~(skips_rollbacks ? 0u : REDUCE_ROLLBACK),
                                  .limits.max_executions = MAX_EXECUTIONS,
                                  .limits.max_events = 60,
                                  .options.all_errors = true,
                                  .observer.arg = r};
  config.options.disabled[FIND_LIVELOCK] = true;
  search(P, &config, look_at);
}

// Those of model_mostly_rc11, and now and then one of the other models.
static const char *model_of(uint64_t seed) {
  static const char *const others[] = {"c11", "riscv", "power"};
  const char *only = getenv("HEDDLE_MODEL");
  return only || seed % 12 ? model_mostly_rc11(seed) : others[seed / 12 % 3];
}

static void run_done(struct run *r) {
  array_done(&r->outcomes);
  array_done(&r->errors);
}

struct sums {
  uint64_t compared, all, few, again, errors;
};

static void compare(uint64_t seed, const char *model, void *arg) {
  struct sums *sums = arg;
  struct run all = {0}, few = {0};
  explore_all(&all, model, /*skips_rollbacks=*/false);
  if (all.is_complete) {
    explore_all(&few, model, /*skips_rollbacks=*/true);
    hashes_sort(&all.outcomes);
    hashes_sort(&few.outcomes);
    CHECK(few.is_complete && hashes_same(&all.outcomes, &few.outcomes),
          "seed %llu, %s: %u outcomes, %u with all rounds",
          (unsigned long long)seed, model, few.outcomes.len, all.outcomes.len);
    CHECK(hashes_same(&all.errors, &few.errors), "seed %llu, %s: other errors",
          (unsigned long long)seed, model);
    sums->compared++;
    sums->again += few.begun > 0;
    sums->all += all.executions;
    sums->few += few.executions;
    sums->errors += few.errors.len;
  }
  run_done(&all);
  run_done(&few);
}

TEST(no_outcome_is_lost_with_rounds_that_undo_themselves) {
  struct sums sums = {0};
  uint64_t n =
      compare_random(400, &P, random_program, model_of, compare, &sums);
  printf("# %llu programs, %llu begun again; %llu executions, %llu explored; "
         "%llu errors\n",
         (unsigned long long)sums.compared, (unsigned long long)sums.again,
         (unsigned long long)sums.all, (unsigned long long)sums.few,
         (unsigned long long)sums.errors);
  CHECK(n < 400 || (sums.compared > n / 4 && sums.again > 5 &&
                    sums.errors > 10 && sums.few * 3 < sums.all * 2),
        "too few");
}

// Nobody passes first; but one does because of the failure of the other.
TEST(a_failed_try_may_help_another) {
  struct run r = {0};
  dice = 1; // whatever take() asks is the same for both
  make_program(2, &locks[4]);
  explore_all(&r, "rc11", /*skips_rollbacks=*/true);
  CHECK_EQ(r.begun, 1, "the search does not begin again");
  CHECK(r.passed, "nobody passes");
  run_done(&r);
  prog_free(P);
}
