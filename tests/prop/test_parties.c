// SPDX-License-Identifier: MIT
// Critical sections of threads that have nothing but mutexes in common
// (explore/fewer/sections.c), or semaphores and read-write locks that they use
// like mutexes. Random programs with these, explored with all orders of their
// sections and with those inside parties only. Executions that
// are equal but for the order of sections of different parties form a class:
// every class is explored, once, and what goes wrong goes wrong at the same
// places.
//
// Environment: HEDDLE_SEEDS=n (default 600), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "dice.h"
#include "search.h"
#include "unit/program.h"

enum {
  MAX_RUNNERS = 4, // threads besides main
  MUTEXES = 2,
  CELLS = 6,
  VALUE = 1, // slots
  SUM = 2,
  TEST_SLOT = 3,
  ARGS = 20,
  MAX_LOCKS = 32, // in one execution
  MAX_EXECUTIONS = 2000,
};

static uint64_t mutexes[MUTEXES], cells[CELLS];
static enum word_kind { MUTEX, SEMAPHORE, RWLOCK } kinds[MUTEXES];

// -- programs

static void mutex_call(enum builtin what, uint64_t mutex) {
  sys(what, 0, 0, k(mutex), 1);
}

static void put_args(const uint64_t *args, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    emit(OP_mov, ARGS + i, k(args[i]), 0, 0);
}

// Waits until the word is from `least` to `most` and adds `added`.
static void take(uint64_t word, int32_t least, int32_t most, int32_t added) {
  const uint64_t args[] = {word, (uint32_t)least, (uint32_t)most,
                           (uint32_t)added, TAKE_BACK};
  put_args(args, 5);
  sys(BI_take, 0, 0, ARGS, 5);
}

static void give(uint64_t word, int32_t added) {
  const uint64_t args[] = {word, (uint32_t)added, TAKE_BACK};
  put_args(args, 3);
  sys(BI_give, 0, 0, ARGS, 3);
}

static void enter(unsigned i, bool reads) {
  if (kinds[i] == MUTEX)
    mutex_call(BI_lock, mutexes[i]);
  else if (kinds[i] == SEMAPHORE)
    take(mutexes[i], 1, INT32_MAX, -1);
  else
    take(mutexes[i], 0, reads ? INT32_MAX : 0, reads ? 1 : -1);
}

static void leave(unsigned i, bool reads) {
  if (kinds[i] == MUTEX)
    mutex_call(BI_unlock, mutexes[i]);
  else
    give(mutexes[i], kinds[i] == RWLOCK && reads ? -1 : 1);
}

// Threads with neighbouring numbers share a cell more often than others.
static uint64_t some_cell(unsigned me) {
  return cells[below(8) ? me / 2 + (below(3) ? 0 : 2) : below(CELLS)];
}

static void use_cell(unsigned me, bool is_inside, bool reads) {
  uint64_t cell = some_cell(me);
  enum order order = is_inside && below(3) ? ORD_NA
                     : below(3)            ? ORD_RLX
                                           : ORD_SC;
  if (reads || below(2)) {
    emit(OP_load, VALUE, k(cell), 0, access_imm(4, order));
    emit(OP_add, SUM, SUM, VALUE, 32);
  } else {
    emit(OP_store, k(cell), k(1 + below(2)), 0, access_imm(4, order));
  }
}

// What must not be in a section, or makes mutexes visible.
static void something_rare(unsigned me, uint64_t mutex) {
  unsigned i = below(MUTEXES);
  uint64_t other = mutexes[i];
  uint32_t here = P->code.len;
  switch (below(6)) {
  case 0:
    if (other != mutex) {
      enter(i, false);
      leave(i, false);
    }
    break;
  case 1: // it waits for somebody
    emit(OP_load, VALUE, k(some_cell(me)), 0, access_imm(4, ORD_ACQ));
    emit(OP_eq, TEST_SLOT, VALUE, k(0), 32);
    emit(OP_br, TEST_SLOT, 0, 0, imm_targets(here, P->code.len + 1));
    break;
  case 2:
    emit(OP_load, VALUE, k(mutex), 0, access_imm(4, ORD_RLX));
    break;
  case 3:
    leave(i, below(2));
    break;
  case 4:
    emit(OP_ne, TEST_SLOT, SUM, k(2), 32);
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
    break;
  default:
    emit(OP_store, k(other), k(0), 0, access_imm(4, ORD_NA));
  }
}

static void section(unsigned me, unsigned rare) {
  unsigned i = below(4) ? 0 : below(MUTEXES);
  bool reads = below(3); // mostly, and sometimes it writes though
  enter(i, reads);
  for (unsigned n = below(3); n > 0; n--)
    use_cell(me, true, kinds[i] == RWLOCK && reads && below(8));
  if (rare && !below(rare))
    something_rare(me, mutexes[i]);
  if (!rare || below(4 * rare))
    leave(i, reads);
}

static void body(unsigned me, unsigned rare) {
  emit(OP_mov, SUM, k(0), 0, 0);
  for (unsigned n = 1 + below(2); n > 0; n--)
    section(me, rare);
  if (!below(3))
    use_cell(me, false, false);
  if (rare && !below(rare))
    something_rare(me, mutexes[0]);
}

static void random_program(uint64_t seed) {
  struct diag why;
  uint32_t funcs[MAX_RUNNERS + 1];
  dice = seed;
  unsigned n = 2 + below(3), rare = below(2) ? 0 : 3 + below(8);
  bool is_mixed = !below(6); // main takes part, or joins early
  begin();
  for (unsigned i = 0; i < MUTEXES; i++) {
    mutexes[i] = global("mutex", 4);
    kinds[i] = below(2) ? MUTEX : below(2) ? SEMAPHORE : RWLOCK;
  }
  for (unsigned i = 0; i < CELLS; i++)
    cells[i] = global("cell", 4);
  funcs[0] = func("main", 0, 1);
  for (unsigned t = 1; t <= n; t++)
    funcs[t] = func("thread", 1, 1);
  for (unsigned t = 1; t <= n; t++) {
    prog_begin_func(P, funcs[t]);
    body(t - 1, rare);
    ret(k(0));
  }
  prog_begin_func(P, funcs[0]);
  for (unsigned i = 0; i < MUTEXES; i++) // as an initialisation does
    if (kinds[i] == SEMAPHORE)
      store(mutexes[i], k(below(8) ? 1 + below(2) : 0), 4);
    else if (i == 0 && !below(3))
      store(mutexes[i], k(0), 4);
  for (unsigned t = 1; t <= n; t++) {
    emit(OP_mov, 4, k(prog_func_address(P, funcs[t])), 0, 0);
    emit(OP_mov, 5, k(0), 0, 0);
    sys(BI_spawn, 5 + t, 1, 4, 2);
    if (is_mixed && t == 2 && below(2))
      sys(BI_join, 4, 1, 5 + 1, 1);
    else if (is_mixed && t == 2)
      section(0, 0);
  }
  for (unsigned t = 1; t <= n && !is_mixed; t++)
    sys(BI_join, 4, 1, 5 + t, 1);
  if (!is_mixed && !below(3))
    store(mutexes[0], k(SYNC_DESTROYED), 4);
  ret(k(0));
  CHECK(prog_finish(P, &why), "%s", why.text);
}

// -- classes

// One execution: what does not depend on the order of sections, and who has
// taken which mutex, in this order.
struct found {
  uint64_t all; // its name
  uint64_t rest;
  uint64_t taken; // what was read of semaphores and read-write locks
  uint32_t nlocks;
  struct taken {
    uint8_t mutex, thread;
  } locks[MAX_LOCKS];
};

struct run {
  ARRAY(struct found) all;
  struct hashes errors;
  uint64_t executions;
  unsigned begun;
  bool is_complete, is_refuted, whole_takes;
  uint8_t parties[MAX_THREADS];
};

static int mutex_at(const struct vm *vm, loc_id l) {
  for (int i = 0; i < MUTEXES; i++)
    if (vm_location(vm, l)->address == mutexes[i])
      return i;
  return -1;
}

static uint64_t hash_of_events(const struct vm *vm, const struct graph *g,
                               uint64_t *taken) {
  uint64_t h = 1;
  *taken = 1;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 1; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      h = mix(mix(h, t), e->kind);
      if (e->kind != EV_READ)
        continue;
      const struct event *w = graph_event(g, e->rf);
      int mutex = mutex_at(vm, e->loc);
      bool is_taken = mutex >= 0 && kinds[mutex] != MUTEX;
      uint64_t *to = is_taken ? taken : &h;
      *to = mix(*to, e->value);
      if ((mutex < 0 || is_taken) && e->rf != INIT_EVENT)
        *to = mix(mix(*to, w->thread), w->index);
    }
  return h;
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  struct found f = {.all = graph_name(g)};
  f.rest = hash_of_events(vm, g, &f.taken);
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    int mutex = mutex_at(vm, l);
    uint64_t h = mix(3, vm_location(vm, l)->address);
    for (uint32_t i = 1; i < co->len; i++) {
      const struct event *w = graph_event(g, co->at[i]);
      bool is_call = w->flags & (EVF_EXCLUSIVE | EVF_UNLOCK);
      if (mutex < 0 || !is_call)
        h = mix(mix(h, w->thread), w->index);
      else if (f.nlocks < MAX_LOCKS && (w->flags & EVF_EXCLUSIVE))
        f.locks[f.nlocks++] =
            (struct taken){(uint8_t)mutex, (uint8_t)w->thread};
    }
    if (co->len > 1)
      f.rest += h; // locations have no order
  }
  if (!is_blocked)
    array_push(&r->all, f);
}

static void on_begin_again(void *arg) {
  struct run *r = arg;
  r->all.len = 0;
  r->begun++;
}

static void look_at(void *arg, const struct explore_result *result) {
  struct run *r = arg;
  r->executions = result->executions;
  r->is_complete = !result->limit;
  r->is_refuted = result->contention || !result->sections;
  r->whole_takes = result->whole_takes;
  memcpy(r->parties, result->parties, sizeof r->parties);
  errors_of(result, 1 << FIND_RACE, &r->errors);
}

static void explore_all(struct run *r, const char *model, bool all_orders,
                        bool is_told) {
  struct explore_config config = {
      .model = model_find(model),
      .on_execution = is_told ? on_execution : NULL,
      .on_begin_again = on_begin_again,
      .reductions = REDUCE_DEFAULT | (all_orders ? 0u : REDUCE_SECTIONS),
      .max_executions = MAX_EXECUTIONS,
      .max_events = 80,
      .all_errors = true,
      .arg = r};
  search(P, &config, look_at);
}

static void run_done(struct run *r) {
  array_done(&r->all);
  array_done(&r->errors);
}

static uint64_t party_of(const struct run *few, const struct taken *l) {
  if (few->whole_takes && kinds[l->mutex] != MUTEX)
    return 0; // all of them
  return few->parties[l->thread] ? few->parties[l->thread] : l->thread + 1u;
}

// The name of its class: of each mutex and party, who has taken it in turn.
static uint64_t class_of(const struct found *f, const struct run *few) {
  uint64_t h = few->whole_takes ? mix(f->rest, f->taken) : f->rest;
  if (few->is_refuted)
    return f->all;
  for (uint32_t i = 0; i < f->nlocks; i++) {
    uint64_t party = party_of(few, &f->locks[i]), place = 0;
    for (uint32_t j = 0; j < i; j++)
      place += f->locks[j].mutex == f->locks[i].mutex &&
               party_of(few, &f->locks[j]) == party;
    h += mix(mix(mix(mix(7, party), f->locks[i].mutex), place),
             f->locks[i].thread);
  }
  return h;
}

// Yields how many of them are met twice.
static unsigned find_classes(const struct run *r, const struct run *few,
                             struct hashes *ret) {
  for (uint32_t i = 0; i < r->all.len; i++)
    array_push(ret, class_of(&r->all.at[i], few));
  return hashes_sort(ret);
}

struct sums {
  uint64_t compared, begun, refuted, taken, errors, all, few;
};

static void compare(uint64_t s, const char *model, void *arg) {
  struct sums *sums = arg;
  struct run all = {0}, few = {0}, alone = {0};
  struct hashes classes = {0}, found = {0};
  explore_all(&all, model, /*all_orders=*/true, /*is_told=*/true);
  if (all.is_complete) {
    explore_all(&few, model, /*all_orders=*/false, /*is_told=*/true);
    explore_all(&alone, model, /*all_orders=*/false, /*is_told=*/false);
    find_classes(&all, &few, &classes);
    CHECK_EQ(find_classes(&few, &few, &found), 0,
             "seed %llu, %s: a class is met twice", (unsigned long long)s,
             model);
    CHECK(few.is_complete && found.len == classes.len &&
              !hashes_missing(&classes, &found),
          "seed %llu, %s: %u classes, %u explored", (unsigned long long)s,
          model, classes.len, found.len);
    classes.len = 0;
    find_classes(&all, &alone, &classes);
    CHECK_EQ(alone.executions, classes.len, "seed %llu, %s: nothing is told",
             (unsigned long long)s, model);
    CHECK(hashes_same(&all.errors, &few.errors) &&
              hashes_same(&all.errors, &alone.errors),
          "seed %llu, %s: other errors", (unsigned long long)s, model);
    sums->compared++;
    sums->begun += few.begun > 0;
    sums->refuted += alone.is_refuted;
    sums->taken += kinds[0] != MUTEX && !few.whole_takes && !few.is_refuted &&
                   few.executions < all.executions;
    sums->errors += few.errors.len;
    sums->all += all.executions;
    sums->few += alone.executions;
  }
  run_done(&all);
  run_done(&few);
  run_done(&alone);
  array_done(&classes);
  array_done(&found);
}

TEST(every_class_is_explored_once_and_no_error_is_lost) {
  struct sums sums = {0};
  uint64_t n =
      compare_random(600, &P, random_program, model_in_turn, compare, &sums);
  printf("# %llu programs, %llu begun again, %llu with all orders, %llu with "
         "fewer of semaphores or read-write locks; %llu executions, %llu "
         "explored; %llu errors\n",
         (unsigned long long)sums.compared, (unsigned long long)sums.begun,
         (unsigned long long)sums.refuted, (unsigned long long)sums.taken,
         (unsigned long long)sums.all, (unsigned long long)sums.few,
         (unsigned long long)sums.errors);
  CHECK(n < 300 ||
            (sums.compared > n / 2 && sums.begun > n / 10 &&
             sums.refuted * 3 < sums.compared * 2 && sums.taken > n / 30 &&
             sums.errors > n / 20 && sums.few * 5 < sums.all * 4),
        "too few");
}
