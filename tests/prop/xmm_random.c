// SPDX-License-Identifier: MIT
// See xmm_random.h.
#include "xmm_random.h"

#include "base/hash.h"

struct draw {
  uint64_t state;
  struct program *p;
  unsigned left;    // operations
  bool has_counter; // location 0 is written by updates alone, the others never
  bool looks_back;  // threads read what they write, and add to it
};

static unsigned below(struct draw *d, unsigned n) {
  d->state = hash_u64(d->state + 0x9e3779b97f4a7c15u);
  return (unsigned)(d->state >> 33) % n;
}

static bool chance(struct draw *d, unsigned percent) {
  return below(d, 100) < percent;
}

static uint8_t draw_order(struct draw *d, bool reads, bool writes) {
  if (chance(d, 85))
    return ORD_RLX;
  if (chance(d, 20))
    return ORD_SC;
  if (reads && writes)
    return chance(d, 50) ? ORD_ACQREL : ORD_ACQ;
  return reads ? ORD_ACQ : ORD_REL;
}

static struct operand draw_value(struct draw *d, unsigned nregs) {
  struct operand o = {.reg = NO_REGISTER, .plus = (uint8_t)(1 + chance(d, 25))};
  if (!nregs || chance(d, 55))
    return o;
  o.reg = (uint8_t)below(d, nregs);
  o.plus = (uint8_t)below(d, 2);
  o.computation = chance(d, 30) ? COMPUTE_ZERO : COMPUTE_SUM;
  return o;
}

// Location 0 is a counter, or a word that is exchanged, and mostly
// synchronises; the others are written as they are.
static void make_counter(struct draw *d, struct action *a) {
  static const uint8_t kinds[] = {DO_ADD, DO_ADD, DO_EXCHANGE, DO_CAS};
  static const uint8_t orders[] = {ORD_RLX, ORD_ACQ, ORD_REL, ORD_ACQREL};
  if (a->kind == DO_FENCE)
    return;
  if (a->loc) {
    a->kind = DO_STORE;
    a->order = chance(d, 85) ? ORD_RLX : ORD_REL;
  } else {
    a->kind = kinds[below(d, 4)];
    a->order = orders[below(d, 4)];
  }
}

static struct action draw_access(struct draw *d, unsigned nregs) {
  static const uint8_t kinds[] = {DO_STORE, DO_STORE,    DO_STORE, DO_STORE,
                                  DO_ADD,   DO_EXCHANGE, DO_CAS,   DO_FENCE};
  struct action a = action_new((enum action_kind)kinds[below(d, 8)]);
  a.loc = a.other = (uint8_t)below(d, d->p->nlocs);
  a.order = draw_order(d, a.kind != DO_STORE, true);
  a.order_fail = ORD_RLX;
  a.value = draw_value(d, nregs);
  a.expected = (struct operand){.reg = NO_REGISTER, .plus = 0};
  if (a.kind == DO_FENCE) {
    static const uint8_t orders[] = {ORD_ACQ, ORD_REL, ORD_ACQREL, ORD_SC};
    a.order = orders[below(d, 4)];
  }
  if (d->has_counter)
    make_counter(d, &a);
  return a;
}

static void add(struct draw *d, unsigned t, struct action a) {
  if (d->p->len[t] < PROGRAM_OPS && d->left) {
    d->p->ops[t][d->p->len[t]++] = a;
    d->left--;
  }
}

static void draw_load(struct draw *d, unsigned t, unsigned *nregs) {
  struct action a = action_new(DO_LOAD);
  a.loc = a.other = (uint8_t)below(d, d->p->nlocs);
  a.order = draw_order(d, true, false);
  a.dst = (uint8_t)(*nregs)++;
  add(d, t, a);
}

// A write, perhaps under a condition; perhaps the same again if it fails.
static void draw_write(struct draw *d, unsigned t, unsigned nregs) {
  struct action a = draw_access(d, nregs);
  if (nregs && chance(d, 45)) {
    a.guard = (struct condition){.comparison = CMP_EQ,
                                 .reg = (uint8_t)below(d, nregs),
                                 .than = (uint8_t)below(d, 2)};
    add(d, t, a);
    if (chance(d, 50))
      return;
    a.guard.comparison = CMP_NE;
    if (chance(d, 30))
      a = draw_access(d, nregs);
  }
  add(d, t, a);
}

static void draw_thread(struct draw *d, unsigned t, unsigned n) {
  unsigned nregs = 0;
  if (chance(d, 85))
    draw_load(d, t, &nregs);
  while (d->p->len[t] < n && d->left) {
    if (nregs < 3 && chance(d, 25))
      draw_load(d, t, &nregs);
    else
      draw_write(d, t, nregs);
  }
}

static void draw_program(uint64_t seed, unsigned max_ops, bool has_counter,
                         struct program *ret) {
  *ret = (struct program){0};
  struct draw d = {
      .state = seed, .p = ret, .left = max_ops, .has_counter = has_counter};
  ret->nthreads = (uint8_t)(3 + (chance(&d, 45) ? 1 + chance(&d, 20) : 0));
  ret->nlocs = (uint8_t)(2 + chance(&d, 25));
  for (unsigned t = 1; t < ret->nthreads; t++) {
    struct action a = action_new(DO_SPAWN);
    a.thread = (uint8_t)t;
    ret->ops[0][ret->len[0]++] = a;
  }
  for (unsigned t = 1; t < ret->nthreads; t++)
    draw_thread(&d, t, 2 + below(&d, max_ops / (ret->nthreads - 1u)));
  if (chance(&d, 15)) {
    struct action a = action_new(DO_JOIN);
    a.thread = (uint8_t)(1 + below(&d, ret->nthreads - 1u));
    ret->ops[0][ret->len[0]++] = a;
    d.left = 1;
    draw_write(&d, 0, 0);
  }
}

void program_random_buffering(uint64_t seed, unsigned max_ops,
                              struct program *ret) {
  draw_program(seed, max_ops, /*has_counter=*/false, ret);
}

void program_random_counter(uint64_t seed, unsigned max_ops,
                            struct program *ret) {
  draw_program(seed, max_ops, /*has_counter=*/true, ret);
}

// Threads 1 and 2, and 3 and 4, have nothing in common.
void program_random_pairs(uint64_t seed, unsigned max_ops,
                          struct program *ret) {
  struct program half[2];
  unsigned n = 0;
  *ret = (struct program){.nthreads = 5, .nlocs = 4};
  for (uint64_t s = seed * 1000; n < 2; s++) {
    program_random_buffering(s, max_ops / 2 + 1, &half[n]);
    n += half[n].nthreads == 3 && half[n].nlocs == 2 && half[n].len[0] == 2;
  }
  for (unsigned t = 1; t < 5; t++) {
    const struct program *p = &half[(t - 1) / 2];
    unsigned from = (t - 1) % 2 + 1, shift = (t - 1) / 2 * 2;
    struct action a = action_new(DO_SPAWN);
    a.thread = (uint8_t)t;
    ret->ops[0][ret->len[0]++] = a;
    ret->len[t] = p->len[from];
    for (unsigned i = 0; i < p->len[from]; i++) {
      ret->ops[t][i] = p->ops[from][i];
      ret->ops[t][i].loc = (uint8_t)(ret->ops[t][i].loc + shift);
      ret->ops[t][i].other = (uint8_t)(ret->ops[t][i].other + shift);
    }
  }
}

// ---- values that go round

// A location that other threads write: location l is of thread 1 + l % threads.
static uint8_t draw_foreign(struct draw *d, unsigned t) {
  unsigned threads = d->p->nthreads - 1u, loc;
  do
    loc = below(d, d->p->nlocs);
  while (loc % threads == t - 1 && chance(d, 90));
  return (uint8_t)loc;
}

static uint8_t draw_own(struct draw *d, unsigned t) {
  unsigned threads = d->p->nthreads - 1u, loc;
  do
    loc = below(d, d->p->nlocs);
  while (loc % threads != t - 1 && chance(d, 90));
  return (uint8_t)loc;
}

static void draw_hop_from(struct draw *d, unsigned t, unsigned *nregs,
                          struct condition guard) {
  struct action a = action_new(chance(d, 95) ? DO_LOAD : DO_ADD);
  bool is_own = d->looks_back && chance(d, 50);
  a.loc = a.other = is_own ? draw_own(d, t) : draw_foreign(d, t);
  a.order = chance(d, 93) ? ORD_RLX : draw_order(d, true, a.kind == DO_ADD);
  a.value = (struct operand){.reg = NO_REGISTER, .plus = 0};
  a.dst = (uint8_t)(*nregs)++;
  a.guard = guard;
  add(d, t, a);
}

static void draw_hop_to(struct draw *d, unsigned t, unsigned nregs,
                        struct condition guard) {
  static const uint8_t others[] = {DO_EXCHANGE, DO_CAS, DO_FENCE, DO_STORE};
  struct action a = action_new(
      chance(d, 90) ? DO_STORE : (enum action_kind)others[below(d, 4)]);
  a.loc = a.other = draw_own(d, t);
  a.order = chance(d, 93) ? ORD_RLX : draw_order(d, a.kind != DO_STORE, true);
  a.order_fail = ORD_RLX;
  a.guard = guard;
  a.value = (struct operand){.reg = NO_REGISTER, .plus = 1};
  a.expected = (struct operand){.reg = NO_REGISTER, .plus = 0};
  if (nregs && chance(d, 50)) {
    a.value.reg = (uint8_t)(chance(d, 60) ? nregs - 1 : below(d, nregs));
    a.value.plus = d->looks_back && chance(d, 40);
  }
  if (a.kind == DO_FENCE)
    a.order = chance(d, 50) ? ORD_ACQ : ORD_REL;
  add(d, t, a);
}

static void draw_hops(struct draw *d, unsigned t, unsigned n, unsigned *nregs,
                      struct condition guard) {
  bool reads = chance(d, 70);
  for (; n && d->left; n--, reads = chance(d, reads ? 20 : 75)) {
    if (reads && *nregs < PROGRAM_OPS)
      draw_hop_from(d, t, nregs, guard);
    else
      draw_hop_to(d, t, *nregs, guard);
  }
}

static void draw_crossing_thread(struct draw *d, unsigned t, unsigned n) {
  unsigned nregs = 0;
  while (d->p->len[t] < n && d->left) {
    struct condition guard = {0};
    if (!nregs || chance(d, 65)) {
      draw_hops(d, t, 2, &nregs, guard);
      continue;
    }
    guard = (struct condition){.comparison = CMP_EQ,
                               .reg = (uint8_t)below(d, nregs),
                               .than = (uint8_t)below(d, 2)};
    draw_hops(d, t, 1 + below(d, 3), &nregs, guard);
    guard.comparison = CMP_NE;
    if (chance(d, 60))
      draw_hops(d, t, 1 + below(d, 3), &nregs, guard);
  }
}

static void draw_crossing(uint64_t seed, unsigned max_ops, bool looks_back,
                          struct program *ret) {
  *ret = (struct program){0};
  struct draw d = {.state = seed ^ 0xc2055u,
                   .p = ret,
                   .left = max_ops,
                   .looks_back = looks_back};
  ret->nthreads = (uint8_t)(3 + (max_ops > 5 && chance(&d, 40)));
  ret->nlocs = (uint8_t)(ret->nthreads - 1u + below(&d, 3));
  for (unsigned t = 1; t < ret->nthreads; t++) {
    struct action a = action_new(DO_SPAWN);
    a.thread = (uint8_t)t;
    ret->ops[0][ret->len[0]++] = a;
  }
  for (unsigned t = 1; t < ret->nthreads; t++)
    draw_crossing_thread(&d, t, (max_ops + 1) / (ret->nthreads - 1u));
}

void program_random_crossing(uint64_t seed, unsigned max_ops,
                             struct program *ret) {
  draw_crossing(seed, max_ops, /*looks_back=*/false, ret);
}

void program_random_sums(uint64_t seed, unsigned max_ops, struct program *ret) {
  draw_crossing(seed, max_ops, /*looks_back=*/true, ret);
}
