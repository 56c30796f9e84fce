// SPDX-License-Identifier: MIT
// See retry_program.h.
#include "retry_program.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

// ---- random programs

struct rng {
  uint64_t state;
};

static unsigned below(struct rng *r, unsigned n) {
  return (unsigned)(hash_u64(++r->state) % n);
}

static enum order pick(struct rng *r, const enum order *from, unsigned n) {
  return from[below(r, n)];
}

static const enum order reads[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_SC};
static const enum order writes[] = {ORD_RLX, ORD_REL, ORD_SC};
static const enum order updates[] = {ORD_RLX, ORD_ACQ, ORD_REL, ORD_ACQREL,
                                     ORD_SC};

static struct item random_loop(struct rng *r) {
  return (struct item){.kind = LOOP,
                       .order = pick(r, reads, 4),
                       .order_cas = pick(r, updates, 5),
                       .order_fail = pick(r, reads, 4),
                       .loc = below(r, 4) == 0,
                       .value = 1 + below(r, 2),
                       .loads_inside = below(r, 3) == 0,
                       .reads_own = below(r, 8) == 0,
                       .writes_own = below(r, 3) == 0,
                       .reads_other = below(r, 3) == 0,
                       .gives_up = below(r, 4) == 0,
                       .gives_up_at = below(r, 4)};
}

static struct item random_loop_in_memory(struct rng *r) {
  struct item i = random_loop(r);
  i.in_memory = true;
  i.loads_inside = i.reads_own = i.writes_own = false;
  return i;
}

static struct item random_loop_that_counts(struct rng *r) {
  struct item i = random_loop(r);
  i.counts = true;
  i.reads_own = i.writes_own = i.gives_up = false;
  return i;
}

static struct item random_item(struct rng *r) {
  static const enum order fences[] = {ORD_ACQ, ORD_REL, ORD_SC};
  struct item i = {.kind = (enum item_kind)below(r, FENCE + 1),
                   .loc = below(r, LOCS),
                   .value = below(r, 4)};
  i.order = i.kind == STORE  ? pick(r, writes, 3)
            : i.kind == ADD  ? pick(r, updates, 5)
            : i.kind == LOAD ? pick(r, reads, 4)
                             : pick(r, fences, 3);
  return i;
}

static struct item random_some_loop(struct rng *r) {
  unsigned which = below(r, 8);
  return which == 0   ? random_loop_in_memory(r)
         : which == 1 ? random_loop_that_counts(r)
                      : random_loop(r);
}

void retry_program_random(uint64_t seed, struct program *p) {
  struct rng r = {seed << 20};
  memset(p, 0, sizeof *p);
  p->nthreads = 3 + (below(&r, 3) == 0);
  for (unsigned t = 1; t < p->nthreads; t++) {
    unsigned n = 1 + below(&r, p->nthreads == 3 ? ITEMS - 1 : 2);
    unsigned loop = below(&r, 5) ? below(&r, n) : n;
    for (unsigned i = 0; i < n; i++)
      p->items[t][p->len[t]++] =
          i != loop ? random_item(&r) : random_some_loop(&r);
  }
}

void retry_program_add_spies(uint64_t seed, struct program *p) {
  struct rng r = {seed << 20 ^ 0x5f5f5f};
  for (unsigned t = 1; t < p->nthreads; t++) {
    unsigned whom = 1 + below(&r, p->nthreads - 1);
    if (whom == t || p->len[t] == ITEMS)
      continue;
    unsigned at = below(&r, p->len[t] + 1);
    memmove(&p->items[t][at + 1], &p->items[t][at],
            (p->len[t] - at) * sizeof *p->items[t]);
    p->items[t][at] =
        (struct item){.kind = SPY, .loc = below(&r, LOCS), .value = whom};
    p->len[t]++;
  }
}

void retry_program_make_equal(struct program *p) {
  p->is_equal = true;
  for (unsigned i = 0; i < p->len[1]; i++) {
    struct item *n = &p->items[1][i];
    n->reads_own = n->writes_own = n->in_memory = false;
  }
  for (unsigned t = 2; t < p->nthreads; t++) {
    p->len[t] = p->len[1];
    memcpy(p->items[t], p->items[1], sizeof p->items[t]);
  }
}

// ---- as bytecode

enum { R = 1, E, NEW, READ, OK, COUNT, UNUSED };

struct lowering {
  struct prog *out;
  unsigned thread;
  struct item *item;
};

static uint32_t emit(struct lowering *w, enum op op, unsigned a, unsigned b,
                     unsigned c, uint64_t imm) {
  return prog_emit(w->out, op, a, b, c, imm, (struct source){0});
}

static unsigned number(struct lowering *w, uint64_t n) {
  return prog_const(w->out, n);
}

static unsigned address(struct lowering *w, unsigned global) {
  return number(w, prog_global_address(w->out, global));
}

static uint64_t access(enum order order, enum order fail) {
  return imm_access((struct imm_access){.size = SIZE,
                                        .order = (uint8_t)order,
                                        .order_fail = (uint8_t)fail,
                                        .fence = FENCE_C11});
}

static void lower_load(struct lowering *w) {
  w->item->pc_load = emit(w, OP_load, R, address(w, w->item->loc), 0,
                          access(w->item->order, 0));
}

static void lower_round(struct lowering *w) {
  struct item *i = w->item;
  unsigned where = address(w, i->loc);
  emit(w, OP_add, NEW, R, number(w, i->value), WIDTH);
  if (i->reads_own) {
    i->pc_own =
        emit(w, OP_load, E, address(w, LOCS + w->thread), 0, access(ORD_NA, 0));
    emit(w, OP_add, NEW, NEW, E, WIDTH);
  }
  if (i->writes_own)
    emit(w, OP_store, address(w, LOCS + w->thread), R, 0, access(ORD_NA, 0));
  if (i->reads_other) {
    i->pc_other =
        emit(w, OP_load, E, address(w, !i->loc), 0, access(i->order, 0));
    emit(w, OP_add, NEW, NEW, E, WIDTH);
  }
  emit(w, OP_and, NEW, NEW, number(w, MASK), 0);
  i->pc_cas =
      emit(w, OP_cas_load, READ, where, R, access(i->order_cas, i->order_fail));
  emit(w, OP_cas_store, where, NEW, R, access(i->order_cas, i->order_fail));
  emit(w, OP_cas_ok, OK, READ, R, WIDTH);
}

static void lower_loop(struct lowering *w) {
  struct item *i = w->item;
  unsigned own = address(w, LOCS + w->thread);
  if (i->counts)
    emit(w, OP_mov, COUNT, number(w, 0), 0, 0);
  if (!i->loads_inside)
    lower_load(w);
  if (i->in_memory)
    i->pc_first = emit(w, OP_store, own, R, 0, access(ORD_NA, 0));
  uint32_t head = w->out->code.len;
  if (i->loads_inside)
    lower_load(w);
  if (i->in_memory)
    emit(w, OP_load, R, own, 0, access(ORD_NA, 0));
  lower_round(w);
  uint32_t done = emit(w, OP_br, OK, 0, 0, 0), up = UINT32_MAX;
  if (i->counts) {
    emit(w, OP_add, COUNT, COUNT, number(w, 1), WIDTH);
    emit(w, OP_eq, OK, COUNT, number(w, 2), WIDTH);
    up = emit(w, OP_br, OK, 0, 0, 0);
  } else if (i->gives_up) {
    emit(w, OP_eq, OK, READ, number(w, i->gives_up_at), WIDTH);
    up = emit(w, OP_br, OK, 0, 0, 0);
  }
  if (i->in_memory)
    emit(w, OP_store, own, READ, 0, access(ORD_NA, 0));
  else if (!i->loads_inside)
    emit(w, OP_mov, R, READ, 0, 0);
  emit(w, OP_jmp, 0, 0, 0, head);
  uint32_t end = i->pc_end = w->out->code.len;
  w->out->code.at[done].imm = imm_targets(end, done + 1);
  if (up != UINT32_MAX)
    w->out->code.at[up].imm = imm_targets(end, up + 1);
}

static void lower_item(struct lowering *w) {
  struct item *i = w->item;
  unsigned where = address(w, i->loc);
  switch (i->kind) {
  case STORE:
    emit(w, OP_store, where, number(w, i->value), 0, access(i->order, 0));
    break;
  case ADD:
    emit(w, OP_rmw_load, READ, where, 0, access(i->order, 0));
    emit(w, OP_add, NEW, READ, number(w, i->value), WIDTH);
    emit(w, OP_and, NEW, NEW, number(w, MASK), 0);
    emit(w, OP_rmw_store, where, NEW, 0, access(i->order, 0));
    break;
  case LOAD: // its value is published, so that it matters
    emit(w, OP_load, R, where, 0, access(i->order, 0));
    emit(w, OP_store, address(w, !i->loc), R, 0, access(ORD_RLX, 0));
    break;
  case FENCE:
    emit(w, OP_fence, 0, 0, 0, access(i->order, 0));
    break;
  case LOOP:
    lower_loop(w);
    break;
  case SPY: // looks at what another thread owns
    emit(w, OP_load, R, address(w, LOCS + i->value), 0, access(ORD_NA, 0));
    emit(w, OP_store, where, R, 0, access(ORD_RLX, 0));
    break;
  }
}

static void lower_main(struct lowering *w, const struct program *p,
                       const uint32_t *funcs) {
  for (unsigned t = 1; t < p->nthreads; t++) {
    uint32_t func = funcs[p->is_equal ? 1 : t];
    uint64_t args[] = {prog_func_address(w->out, func), 0};
    emit(w, OP_sys, UNUSED, prog_const_run(w->out, args, 2), call_slots(2, 1),
         BI_spawn);
  }
}

struct prog *retry_program_lower(struct program *p) {
  struct lowering w = {.out = prog_new()};
  uint32_t funcs[THREADS] = {0};
  for (unsigned l = 0; l < LOCS + p->nthreads; l++) {
    char name[] = {(char)('a' + l), '\0'};
    check(prog_add_global(w.out, name, SIZE, SIZE) == l);
  }
  for (unsigned t = 0; t < p->nthreads; t++) {
    char name[] = {'T', (char)('0' + t), '\0'};
    funcs[t] = prog_add_func(w.out, t ? name : "main", t ? 1 : 0, 1);
  }
  w.out->main_func = funcs[0];
  for (unsigned t = 0; t < p->nthreads; t++) {
    prog_begin_func(w.out, funcs[t]);
    w.thread = t;
    if (t == 0)
      lower_main(&w, p, funcs);
    for (unsigned i = 0; i < p->len[t]; i++) {
      w.item = &p->items[t][i];
      lower_item(&w);
    }
    emit(&w, OP_ret, number(&w, 0), 1, 0, 0);
  }
  struct diag why;
  if (!prog_finish(w.out, &why))
    fatal_internal(__FILE__, __LINE__, why.text);
  return w.out;
}

// ---- for people

void retry_program_show(const struct program *p) {
  static const char *const names[] = {"store", "add", "load",
                                      "fence", "",    "spy"};
  for (unsigned t = 1; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct item *n = &p->items[t][i];
      if (n->kind != LOOP) {
        printf("#   T%u %s %c %u %s\n", t, names[n->kind], 'a' + (int)n->loc,
               n->value, order_name(n->order));
        continue;
      }
      printf("#   T%u loop %c +%u %s %s/%s%s%s%s%s", t, 'a' + (int)n->loc,
             n->value, order_name(n->order), order_name(n->order_cas),
             order_name(n->order_fail),
             n->counts         ? " counts"
             : n->in_memory    ? " memory"
             : n->loads_inside ? " inside"
                               : "",
             n->reads_own ? " reads" : "", n->writes_own ? " own" : "",
             n->reads_other ? " other" : "");
      if (n->gives_up)
        printf(" up at %u", n->gives_up_at);
      printf("\n");
    }
}
