// SPDX-License-Identifier: MIT
// Rounds that begin with stores to a node of the thread's own
// (explore/loops/await.c), as those of queued locks do. Random programs with
// such loops, in which others may look at the nodes or write to them: the
// outcomes that are reached within some rounds, when all rounds are explored,
// are among those that are explored by default, and errors of the same kinds
// are found.
//
// Environment: HEDDLE_SEEDS=n (default 400), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "dice.h"
#include "rounds.h"
#include "unit/program.h"

enum {
  THREADS = 3, // besides main
  VALUE = 1,   // slots
  TEST_SLOT = 2,
};

static uint64_t lock, data, node[THREADS + 1];

// -- programs

static enum order some_order(void) {
  return below(3) ? ORD_RLX : ORD_REL;
}

static void put(uint64_t address, uint64_t value, enum order order) {
  emit(OP_store, k(address), k(value), 0, access_imm(4, order));
}

static void get(uint64_t address, enum order order) {
  emit(OP_load, VALUE, k(address), 0, access_imm(4, order));
}

// do { node = ...; } while (!cas(&lock, 0, me));
static void take(unsigned me) {
  uint32_t head = P->code.len;
  if (below(5) == 0)
    get(data, ORD_RLX);
  put(node[me], 1, some_order());
  if (below(4) == 0)
    put(node[me], 2, some_order());
  if (below(4) == 0)
    get(node[1 + below(THREADS)], ORD_RLX);
  emit(OP_cas_load, VALUE, k(lock), k(0), access_imm(4, ORD_ACQ));
  emit(OP_cas_store, k(lock), k(me), k(0), access_imm(4, ORD_ACQ));
  emit(OP_cas_ok, TEST_SLOT, VALUE, k(0), 32);
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(P->code.len + 1, head));
}

static void other(void) {
  unsigned who = 1 + below(THREADS);
  switch (below(4)) {
  case 0:
    get(node[who], ORD_RLX);
    emit(OP_store, k(data), VALUE, 0, access_imm(4, ORD_RLX));
    break;
  case 1:
    put(node[who], below(3), some_order());
    break;
  case 2:
    get(data, ORD_ACQ);
    break;
  default:
    put(data, 7, some_order());
  }
}

static void thread_body(unsigned me) {
  if (below(3) == 0)
    other();
  if (below(5)) {
    take(me);
    if (below(2))
      other();
    if (below(12))
      put(lock, 0, ORD_REL);
  }
  if (below(3) == 0)
    other();
  emit(OP_ret, k(0), 1, 0, 0);
}

static void random_program(uint64_t of) {
  static const char *const names[] = {"", "a", "b", "c"};
  struct diag why;
  uint32_t funcs[THREADS + 1];
  dice = of;
  unsigned threads = 2 + below(4) / 3;
  begin();
  lock = global("lock", 4);
  data = global("data", 4);
  for (unsigned t = 1; t <= THREADS; t++)
    node[t] = global(names[t], 4);
  funcs[0] = func("main", 0, 1);
  for (unsigned t = 1; t <= threads; t++)
    funcs[t] = func("thread", 1, 1);
  for (unsigned t = 1; t <= threads; t++) {
    prog_begin_func(P, funcs[t]);
    thread_body(t);
  }
  create_and_join(funcs, threads, 4);
  CHECK(prog_finish(P, &why), "%s", why.text);
}

// -- outcomes

// What was read behind the loops, and what memory is in the end.
static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  uint64_t h = 1;
  if (is_blocked)
    return;
  for (unsigned t = 1; t < g->nthreads; t++) {
    uint64_t last = 0;
    for (uint32_t i = graph_thread_length(g, t); i-- > 1;) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (e->kind == EV_READ && (e->flags & EVF_CAS))
        break;
      if (e->kind == EV_READ)
        last = mix(mix(last, t), e->value);
    }
    h = mix(h, last);
  }
  array_push(&r->outcomes, h + memory_of(vm, g));
}

TEST(no_outcome_is_lost_with_rounds_that_begin_alike) {
  compare_seeds(random_program, &P, on_execution);
}
