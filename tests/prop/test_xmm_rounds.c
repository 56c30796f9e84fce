// SPDX-License-Identifier: MIT
// XMM, loops that wait or try again, against the reference (xmm.h) of the same
// programs with a few rounds in a row, and no loop. What is in memory at the
// end of one of their executions is found by the search, which leaves failed
// rounds out, too; or it says that not all was explored.
//   HEDDLE_SEEDS=n        how many random programs (default 1500)
//   HEDDLE_FIRST_SEED=n   the first of them
//   HEDDLE_ROUNDS=n       rounds in a row (default 2)
#include "lower.h"
#include "oracle.h"
#include "rng.h"
#include "search.h"

#include <limits.h>
#include <string.h>

enum { X, Y, Z, LOCATIONS = 4, NO_LOOP = PROGRAM_OPS, MAX_WORK = 60000 };

struct looping {
  struct program p; // assumptions end loops
  uint8_t loops[PROGRAM_THREADS];
};

// -- programs

struct draw {
  struct rng r;
  struct looping *l;
  unsigned t, nregs;
};

static struct action *add(struct draw *d, enum action_kind kind, unsigned loc) {
  struct program *p = &d->l->p;
  check(p->len[d->t] < PROGRAM_OPS);
  struct action *a = &p->ops[d->t][p->len[d->t]++];
  *a = action_new(kind);
  a->loc = a->other = (uint8_t)loc;
  a->order = ORD_RLX;
  return a;
}

static void add_load(struct draw *d, unsigned loc) {
  struct action *a = add(d, DO_LOAD, loc);
  a->dst = (uint8_t)d->nregs++;
  a->order = chance(&d->r, 92) ? ORD_RLX : chance(&d->r, 70) ? ORD_ACQ : ORD_SC;
}

static void add_store(struct draw *d, unsigned loc) {
  struct action *a = add(d, DO_STORE, loc);
  a->order = chance(&d->r, 92) ? ORD_RLX : chance(&d->r, 70) ? ORD_REL : ORD_SC;
  a->value.plus = (uint8_t)(1 + chance(&d->r, 15));
  if (!d->nregs || chance(&d->r, 45))
    return;
  a->value.plus = chance(&d->r, 10);
  a->value.reg =
      (uint8_t)(chance(&d->r, 70) ? d->nregs - 1 : below(&d->r, d->nregs));
}

// Thread 1 mostly reads x and writes y, 2 the other way around.
static unsigned source(struct draw *d) {
  return chance(&d->r, 85) ? (d->t + 1) % 2 : below(&d->r, 2);
}

static unsigned target(struct draw *d) {
  return chance(&d->r, 85) ? d->t % 2 : below(&d->r, LOCATIONS);
}

static void guard(struct draw *d, uint8_t reg, uint8_t than) {
  struct program *p = &d->l->p;
  p->ops[d->t][p->len[d->t] - 1].guard =
      (struct condition){.comparison = CMP_EQ, .reg = reg, .than = than};
}

static void add_hop(struct draw *d) {
  if (chance(&d->r, 45)) {
    add_load(d, source(d));
  } else {
    add_store(d, target(d));
    if (d->nregs && chance(&d->r, 15))
      guard(d, (uint8_t)below(&d->r, d->nregs), (uint8_t)below(&d->r, 2));
  }
}

// The last operation of a round, and as long as what the round is for has not
// come. (It is the last one since a round that follows is guarded by it.)
static void add_end(struct draw *d, uint8_t reg) {
  unsigned kind = below(&d->r, 10);
  bool is_equal = false;
  struct action *a;
  if (kind < 7) {
    a = add(d, DO_LOAD, Z);
    a->order = chance(&d->r, 75) ? ORD_RLX : ORD_ACQ;
  } else if (kind < 9) { // takes a lock
    a = add(d, kind == 7 ? DO_CAS : DO_EXCHANGE, Z);
    a->expected.plus = 0;
    a->value.plus = 1;
    a->order = chance(&d->r, 60) ? ORD_RLX : ORD_ACQ;
    a->order_fail = ORD_RLX;
    is_equal = true;
  } else { // takes away what is there
    a = add(d, DO_EXCHANGE, Z);
    a->order = chance(&d->r, 60) ? ORD_RLX : ORD_ACQ;
  }
  a->dst = reg;
  a = add(d, DO_ASSUME, 0);
  a->assumed =
      (struct condition){.comparison = is_equal ? CMP_EQ : CMP_NE, .reg = reg};
}

static void add_loop(struct draw *d) {
  uint8_t reg = (uint8_t)d->nregs++;
  bool looks_first = chance(&d->r, 40); // while (!z) ..., not do
  if (looks_first) {
    add_load(d, Z);
    d->l->p.ops[d->t][d->l->p.len[d->t] - 1].dst = reg;
    d->nregs--;
  }
  unsigned first = d->l->p.len[d->t];
  d->l->loops[d->t] = (uint8_t)first;
  for (unsigned n = below(&d->r, 3); n; n--)
    if (chance(&d->r, 65))
      add_load(d, source(d));
    else
      add_store(d, target(d));
  if (chance(&d->r, 8))
    add(d, DO_FENCE, 0)->order = chance(&d->r, 50) ? ORD_ACQ : ORD_REL;
  if (!looks_first) {
    add_end(d, reg);
    return;
  }
  struct action *a = add(d, DO_LOAD, Z);
  *a = d->l->p.ops[d->t][first - 1];
  for (struct action *b = &d->l->p.ops[d->t][first]; b <= a; b++)
    b->guard = (struct condition){.comparison = CMP_EQ, .reg = reg};
  add(d, DO_ASSUME, 0)->assumed =
      (struct condition){.comparison = CMP_NE, .reg = reg};
}

static void draw_thread(struct draw *d, unsigned t) {
  d->t = t;
  d->nregs = 0;
  d->l->loops[t] = NO_LOOP;
  if (t == 3) {
    add_store(d, Z);
    return;
  }
  for (unsigned n = below(&d->r, 2); n; n--)
    add_hop(d);
  if (t == 1 || chance(&d->r, 15)) {
    add_loop(d);
  } else {
    if (chance(&d->r, 35))
      add_store(d, Z);
    add_load(d, source(d));
  }
  for (unsigned n = 1 + below(&d->r, 2); n; n--)
    add_hop(d);
  if (d->nregs && chance(&d->r, 60)) {
    struct action *a = add(d, DO_STORE, 3);
    a->value = (struct operand){.reg = (uint8_t)below(&d->r, d->nregs)};
  }
  if (t == 2 && chance(&d->r, d->l->p.nthreads == 3 ? 60 : 5))
    add_store(d, Z);
}

static void draw(uint64_t seed, struct looping *ret) {
  struct draw d = {.r = {.state = seed}, .l = ret};
  memset(ret, 0, sizeof *ret);
  ret->loops[0] = NO_LOOP;
  ret->p.nthreads = (uint8_t)(3 + chance(&d.r, 40));
  ret->p.nlocs = LOCATIONS;
  for (unsigned t = 1; t < ret->p.nthreads; t++) {
    d.t = 0;
    add(&d, DO_SPAWN, 0)->thread = (uint8_t)t;
  }
  for (unsigned t = 1; t < ret->p.nthreads; t++)
    draw_thread(&d, t);
}

// Each round but the first happens if the one before it has failed. False: it
// is too long.
static bool put_in_a_row(const struct looping *l, unsigned rounds,
                         struct program *ret) {
  *ret = l->p;
  for (unsigned t = 1; t < l->p.nthreads; t++) {
    const struct action *ops = l->p.ops[t];
    unsigned first = l->loops[t], n = 0, last = first;
    if (first == NO_LOOP)
      continue;
    while (ops[last].kind != DO_ASSUME)
      last++;
    struct condition failed = ops[last].assumed;
    failed.comparison = failed.comparison == CMP_EQ ? CMP_NE : CMP_EQ;
    unsigned len = l->p.len[t] + (rounds - 1) * (last - first);
    if (len > PROGRAM_OPS)
      return false;
    struct action *to = ret->ops[t];
    for (unsigned i = 0; i < last; i++)
      to[n++] = ops[i];
    for (unsigned k = 1; k < rounds; k++)
      for (unsigned i = first; i < last; i++) {
        to[n] = ops[i];
        to[n++].guard = failed;
      }
    for (unsigned i = last; i < l->p.len[t]; i++)
      to[n++] = ops[i];
    ret->len[t] = (uint8_t)n;
  }
  return true;
}

// -- what is in memory in the end

static uint64_t mix_memory(const uint64_t *values) {
  uint64_t sum = 1;
  for (unsigned l = 0; l < LOCATIONS; l++)
    sum = mix(sum, values[l] + 1);
  return sum;
}

struct listed {
  struct hashes outcomes;
  bool is_weaker; // than under rc11
};

static void add_picture(void *arg, unsigned allowed, const struct picture *x) {
  struct listed *all = arg;
  uint64_t values[LOCATIONS] = {0};
  for (unsigned l = 0; l < LOCATIONS; l++)
    if (x->co_len[l]) {
      struct picture_name w = x->co[l][x->co_len[l] - 1];
      values[l] = x->events[w.thread][w.index].value;
    }
  if (!(allowed >> ORACLE_XMM & 1))
    return;
  array_push(&all->outcomes, mix_memory(values));
  all->is_weaker |= !(allowed >> ORACLE_RC11 & 1);
}

struct searched {
  struct hashes outcomes;
  bool is_complete;
  const struct prog *prog;
};

static void add_execution(void *arg, struct vm *vm, const struct graph *g,
                          bool is_blocked) {
  struct searched *s = arg;
  uint64_t values[LOCATIONS] = {0};
  if (is_blocked)
    return;
  for (uint32_t i = 0; i < g->locs.len; i++) {
    const struct event_list *co = &g->locs.at[i].co;
    for (unsigned l = 0; l < LOCATIONS && co->len > 1; l++)
      if (vm_location(vm, i)->address == prog_global_address(s->prog, l))
        values[l] = graph_event(g, co->at[co->len - 1])->value;
  }
  array_push(&s->outcomes, mix_memory(values));
}

static void forget(void *arg) {
  ((struct searched *)arg)->outcomes.len = 0;
}

static void keep(void *arg, const struct explore_result *r) {
  struct searched *s = arg;
  s->is_complete = !r->limit && !explore_is_cut(r) && !r->leaves_rounds &&
                   r->verdict != VERDICT_INCOMPLETE;
}

static void search_loops(const struct looping *l, uint32_t reductions,
                         struct searched *ret) {
  *ret = (struct searched){.prog = lower_looping(&l->p, l->loops)};
  struct explore_config config = {.options.model = model_find("xmm"),
                                  .observer.on_execution = add_execution,
                                  .observer.on_begin_again = forget,
                                  .observer.arg = ret,
                                  .options.reductions = reductions,
                                  .options.all_errors = true,
                                  .limits.max_executions = 3000,
                                  .limits.max_events = 150,
                                  .limits.max_time = .5};
  config.options.disabled[FIND_LIVELOCK] = true;
  search(ret->prog, &config, keep);
  hashes_sort(&ret->outcomes);
  prog_free((struct prog *)ret->prog);
}

// -- the comparison

struct totals {
  unsigned compared, incomplete, weaker, more;
};

enum answer { SKIPPED, SAME, LOST };

static enum answer compare_one(const struct looping *l, unsigned rounds,
                               uint32_t reductions, struct totals *t) {
  struct program row;
  struct listed all = {0};
  struct oracle_query q = {.models = 1u << ORACLE_RC11 | 1u << ORACLE_XMM,
                           .max_work = MAX_WORK,
                           .found = add_picture,
                           .arg = &all};
  enum answer answer = SKIPPED;
  if (put_in_a_row(l, rounds, &row) && oracle_run(&row, &q)) {
    struct searched s;
    search_loops(l, reductions, &s);
    hashes_sort(&all.outcomes);
    bool is_lost = s.is_complete && hashes_missing(&all.outcomes, &s.outcomes);
    answer = is_lost ? LOST : s.is_complete ? SAME : SKIPPED;
    t->compared += s.is_complete;
    t->incomplete += !s.is_complete;
    t->more += s.is_complete && hashes_missing(&s.outcomes, &all.outcomes) > 0;
    t->weaker += s.is_complete && all.is_weaker;
    array_done(&s.outcomes);
  }
  array_done(&all.outcomes);
  return answer;
}

// Makes a program smaller, as long as something is lost.
static void explain(struct looping *l, unsigned rounds, uint32_t reductions) {
  struct totals unused = {0};
  for (unsigned t = 1, i = 0; t < l->p.nthreads; i++) {
    struct looping smaller = *l;
    struct action *ops = smaller.p.ops[t];
    if (i >= l->p.len[t]) {
      t++;
      i = UINT_MAX;
      continue;
    }
    if (ops[i].kind == DO_ASSUME)
      continue;
    memmove(&ops[i], &ops[i + 1], (l->p.len[t] - i - 1) * sizeof *ops);
    smaller.p.len[t]--;
    if (smaller.loops[t] != NO_LOOP && i < smaller.loops[t])
      smaller.loops[t]--;
    if (compare_one(&smaller, rounds, reductions, &unused) == LOST) {
      *l = smaller;
      t = 1;
      i = UINT_MAX;
    }
  }
  struct str text = {0};
  program_print(&l->p, &text);
  printf("# %s\n", str_text(&text));
  for (unsigned t = 1; t < l->p.nthreads; t++)
    if (l->loops[t] != NO_LOOP)
      printf("# the loop of thread %u begins at operation %u\n", t,
             l->loops[t]);
  str_done(&text);
}

TEST(what_a_few_rounds_lead_to_is_found) {
  unsigned rounds = (unsigned)setting("HEDDLE_ROUNDS", 2);
  uint64_t n = setting_many("HEDDLE_SEEDS", 1500);
  uint64_t first = setting_first(1500);
  struct totals t = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    uint32_t sets[] = {REDUCE_DEFAULT, REDUCE_KEPT};
    uint32_t set = sets[seed % 4 == 3];
    struct looping l;
    draw(seed, &l);
    bool is_lost = compare_one(&l, rounds, set, &t) == LOST;
    if (is_lost)
      explain(&l, rounds, set);
    CHECK(!is_lost, "seed %llu", (unsigned long long)seed);
  }
  printf("# %u programs, %u weaker than under rc11, %u with more outcomes; %u "
         "incomplete\n",
         t.compared, t.weaker, t.more, t.incomplete);
  CHECK(n < 64 || t.compared > n / 8, "only %u were compared", t.compared);
}
