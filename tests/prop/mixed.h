// SPDX-License-Identifier: MIT
// Random programs with accesses of different size to the same bytes, the same
// as bytecode, what Heddle finds in them, and how they are made smaller.
#pragma once

#include "explore/explore.h"
#include "setting.h"
#include "tap.h"
#include "unit/program.h"

#include <stdlib.h>

enum { THREADS = 3, OPS = 3, BYTES = 4, MAX_SEEN = 20000 };

enum what { LOAD, STORE, ADD, EXCHANGE, FENCE, CAS, WHATS };

struct action {
  enum what what;
  unsigned at, size;
  uint32_t value, expected;
  enum order order, order_fail;
};

struct program {
  unsigned threads, len[THREADS];
  struct action ops[THREADS][OPS];
};

// ---- sets of numbers

struct seen {
  uint64_t at[MAX_SEEN];
  unsigned len;
};

static inline bool has(const struct seen *s, uint64_t x) {
  for (unsigned i = 0; i < s->len; i++)
    if (s->at[i] == x)
      return true;
  return false;
}

static inline bool add_new(struct seen *s, uint64_t x) {
  if (has(s, x))
    return false;
  check(s->len < MAX_SEEN);
  s->at[s->len++] = x;
  return true;
}

// ---- random programs

static uint64_t random_state;

static inline unsigned below(unsigned n) {
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(random_state >> 33) % n;
}

static inline enum order random_order(enum what what) {
  static const enum order loads[] = {ORD_RLX, ORD_ACQ, ORD_SC},
                          stores[] = {ORD_RLX, ORD_REL, ORD_SC},
                          updates[] = {ORD_RLX, ORD_ACQ, ORD_REL, ORD_ACQREL,
                                       ORD_SC};
  if (what != FENCE && below(2))
    return ORD_RLX;
  return what == LOAD    ? loads[below(3)]
         : what == STORE ? stores[below(3)]
         : what == FENCE ? ORD_SC
                         : updates[below(5)];
}

// Programs on the first bytes only, and with the first kinds of actions only,
// half of them with more than loads and stores (or few).
struct limits {
  unsigned bytes, whats;
  bool half;
};

static inline struct program random_program(uint64_t seed, struct limits l) {
  struct program p = {.threads = 2 + (seed % 4 == 0)};
  random_state = seed * 977 + 13;
  for (unsigned t = 0; t < p.threads; t++) {
    p.len[t] = 1 + below(p.threads == 3 ? 2 : OPS);
    for (unsigned i = 0; i < p.len[t]; i++) {
      struct action *o = &p.ops[t][i];
      o->what = below(l.half && seed % 2 ? 1 : 2) ? below(2) : below(l.whats);
      o->size = 1u << below(l.bytes == 4 ? 3 : 2);
      o->at = below(l.bytes / o->size) * o->size;
      o->value = (t + 1) * 0x01010101u * (i + 1) &
                 (uint32_t)((1ull << 8 * o->size) - 1);
      o->expected =
          below(2) ? 0
                   : p.ops[0][0].value & (uint32_t)((1ull << 8 * o->size) - 1);
      o->order = random_order(o->what);
      o->order_fail = below(2) ? ORD_RLX : ORD_ACQ;
    }
  }
  return p;
}

static inline void show(const struct program *p) {
  static const char *const names[] = {"load",     "store", "add",
                                      "exchange", "fence", "cas"};
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct action *o = &p->ops[t][i];
      printf("#   T%u: %s %u+%u value %x expected %x order %d/%d\n", t + 1,
             names[o->what], o->at, o->size, o->value, o->expected, o->order,
             o->order_fail);
    }
}

// What a thread computes from what it has read.
static inline uint64_t mix(uint64_t result, uint64_t value) {
  return (result * 1000003) ^ (value + 1);
}

// ---- the same program as bytecode

enum { RESULT = 1, VALUE, SUM, ALL };

static inline uint64_t imm_of(const struct action *o) {
  return imm_access((struct imm_access){.size = (uint8_t)o->size,
                                        .order = (uint8_t)o->order,
                                        .order_fail = (uint8_t)o->order_fail});
}

// result := mix(result, value)
static inline void emit_mix(unsigned result, unsigned value) {
  emit(OP_add, SUM, value, k(1), 64);
  emit(OP_mul, result, result, k(1000003), 64);
  emit(OP_xor, result, result, SUM, 0);
}

static inline void emit_op(uint64_t word, const struct action *o) {
  unsigned where = k(word + o->at), value = k(o->value);
  switch (o->what) {
  case LOAD:
    emit(OP_load, VALUE, where, 0, imm_of(o));
    break;
  case STORE:
    emit(OP_store, where, value, 0, imm_of(o));
    return;
  case FENCE:
    emit(OP_fence, 0, 0, 0, imm_of(o));
    return;
  case CAS:
    emit(OP_cas_load, VALUE, where, k(o->expected), imm_of(o));
    emit(OP_cas_store, where, value, k(o->expected), imm_of(o));
    break;
  default:
    emit(OP_rmw_load, VALUE, where, 0, imm_of(o));
    if (o->what == ADD) {
      emit(OP_add, SUM, VALUE, value, 8 * o->size);
      value = SUM;
    }
    emit(OP_rmw_store, where, value, 0, imm_of(o));
  }
  emit_mix(RESULT, VALUE);
}

// Main creates the threads; yields the address of the memory.
static inline uint64_t lower_threads(const struct program *p) {
  uint32_t funcs[THREADS];
  begin();
  uint64_t word = global("word", BYTES);
  for (unsigned t = 0; t < p->threads; t++) {
    funcs[t] = func("thread", 1, 1);
    emit(OP_mov, RESULT, k(0), 0, 0);
    for (unsigned i = 0; i < p->len[t]; i++)
      emit_op(word, &p->ops[t][i]);
    ret(RESULT);
  }
  func("main", 0, 1);
  for (unsigned t = 0; t < p->threads; t++) {
    uint64_t args[] = {prog_func_address(P, funcs[t]), 0};
    sys(BI_spawn, VALUE, 1, prog_const_run(P, args, 2), 2);
  }
  return word;
}

// It joins them, and looks at the memory.
static inline void lower(const struct program *p) {
  uint64_t word = lower_threads(p);
  emit(OP_mov, ALL, k(0), 0, 0);
  for (unsigned t = 0; t < p->threads; t++) {
    uint64_t args[] = {t + 1};
    sys(BI_join, RESULT + 4 + t, 1, prog_const_run(P, args, 1), 1);
  }
  load(ALL, word, BYTES);
  for (unsigned t = 0; t < p->threads; t++)
    emit_mix(ALL, RESULT + 4 + t);
  ret(ALL);
  struct diag why;
  CHECK(prog_finish(P, &why), "%s", why.text);
}

// ---- what Heddle finds

struct found {
  struct seen outcomes, executions;
  bool is_twice;
  bool is_cut; // load buffering was left out, by name
};

static inline uint64_t name_of(const struct graph *g, event_id id) {
  const struct event *e = &g->events[id];
  return id == INIT_EVENT ? 0 : e->thread * 1000u + e->index;
}

static inline void on_execution(void *arg, struct vm *vm, const struct graph *g,
                                bool is_blocked) {
  struct found *f = arg;
  uint64_t all = 0;
  (void)vm;
  if (is_blocked)
    return;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      all = mix(all, e->kind == EV_READ    ? name_of(g, e->rf)
                     : e->kind == EV_WRITE ? e->co
                                           : e->kind);
    }
  f->is_twice |= !add_new(&f->executions, all);
  add_new(&f->outcomes, graph_event(g, graph_tail(g, 0))->value);
}

static inline void forget(void *arg) {
  struct found *f = arg;
  f->outcomes.len = f->executions.len = 0;
  f->is_twice = false;
}

static inline void explore_by(const struct program *p,
                              const struct model *model,
                              bool c11_release_sequences, struct found *f) {
  forget(f);
  lower(p);
  struct vm_config vc = vm_config_default();
  struct vm *vm = vm_new(P, &vc);
  struct explore_config config = {
      .options.model = model,
      .options.reductions = REDUCE_DEFAULT,
      .observer.on_execution = on_execution,
      .observer.on_begin_again = forget,
      .options.disabled = {[FIND_MIXED_SIZE] = true},
      .observer.arg = f};
  config.options.model_options.c11_release_sequences = c11_release_sequences;
  struct explorer *x = explorer_new(P, vm, &config);
  const struct explore_result *r = explore(x);
  f->is_cut = r->leaves_buffering && !r->limit && !r->findings.len;
  bool ok = r->verdict == VERDICT_OK || f->is_cut;
  if (!ok)
    printf("# %s: %s\n", model->name,
           r->findings.len ? r->findings.at[0].message : "incomplete");
  explorer_free(x);
  vm_free(vm);
  prog_free(P);
  CHECK(ok, "no verdict");
  CHECK(!f->is_twice, "an execution twice under %s", model->name);
}

static inline void explore_with(const struct program *p, const char *model,
                                bool c11_release_sequences, struct found *f) {
  explore_by(p, model_find(model), c11_release_sequences, f);
}

static inline void explore_under(const struct program *p, const char *model,
                                 struct found *f) {
  explore_with(p, model, model_find(model)->c11_release_sequences, f);
}

static inline bool is_subset(const struct seen *a, const struct seen *b) {
  for (unsigned i = 0; i < a->len; i++)
    if (!has(b, a->at[i]))
      return false;
  return true;
}

// Does the program show a mistake? (What is wrong was printed then.)
typedef void (*check_program)(const struct program *p);

static inline bool is_wrong(const struct program *p, check_program judge) {
  jmp_buf leave;
  volatile bool wrong = true;
  memcpy(leave, tap_leave, sizeof leave);
  if (!setjmp(tap_leave)) {
    judge(p);
    wrong = false;
  }
  memcpy(tap_leave, leave, sizeof leave);
  return wrong;
}

// Takes operations out as long as the mistake stays.
static inline void shrink(struct program *p, check_program judge) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->len[t];) {
      struct program less = *p;
      less.len[t]--;
      memmove(&less.ops[t][i], &less.ops[t][i + 1],
              (less.len[t] - i) * sizeof **less.ops);
      if (is_wrong(&less, judge))
        *p = less;
      else
        i++;
    }
}

// HEDDLE_SEEDS of them. (What is wrong was printed.)
static inline uint64_t check_seeds(struct limits limits, check_program judge) {
  uint64_t seed = setting_first(400), n = setting_many("HEDDLE_SEEDS", 400),
           end = seed + n;
  for (; seed < end; seed++) {
    struct program p = random_program(seed, limits);
    if (getenv("HEDDLE_SHOW"))
      show(&p);
    if (!is_wrong(&p, judge))
      continue;
    shrink(&p, judge);
    printf("# made smaller:\n");
    show(&p);
    is_wrong(&p, judge);
    CHECK(false, "seed %llu", (unsigned long long)seed);
  }
  return n;
}
