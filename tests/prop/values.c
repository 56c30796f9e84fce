// SPDX-License-Identifier: MIT
// See values.h. Guards, assumptions and comparisons are taken to go either way.
// With r+1 in a circle there would be no end to it; but no model here lets a
// value come from itself, so that a value is passed on at most once by every
// write of the program, and after that many rounds all of them are found.
#include "values.h"

struct finding {
  const struct program *p;
  struct values *ret;
  uint64_t regs[PROGRAM_THREADS][PROGRAM_OPS];
};

static uint64_t one(struct finding *f, uint64_t value) {
  if (value <= MOST_VALUE)
    return (uint64_t)1 << value;
  f->ret->has_larger = true;
  return 0;
}

static uint64_t of_operand(struct finding *f, unsigned t, struct operand o) {
  struct operand of_first = {
      .reg = 0, .plus = o.plus, .computation = o.computation};
  uint64_t from = o.reg == NO_REGISTER ? 1 : f->regs[t][o.reg], values = 0;
  for (unsigned v = 0; v <= MOST_VALUE; v++)
    if (from >> v & 1)
      values |= one(f, operand_value(of_first, &(struct runner){.regs = {v}}));
  return values;
}

static uint64_t of_location(const struct finding *f, unsigned loc) {
  uint64_t values = 1;
  for (unsigned t = 0; t < f->p->nthreads; t++)
    for (unsigned i = 0; i < f->p->len[t]; i++)
      if (action_may_access(&f->p->ops[t][i], loc))
        values |= f->ret->written[t][i];
  return values;
}

static uint64_t of_read(const struct finding *f, const struct action *a) {
  return of_location(f, a->loc) |
         (action_is_indexed(a) ? of_location(f, a->other) : 0);
}

static uint64_t sums(struct finding *f, uint64_t a, uint64_t b) {
  uint64_t values = 0;
  for (unsigned v = 0; v <= MOST_VALUE; v++)
    for (unsigned w = 0; w <= MOST_VALUE; w++)
      if ((a >> v & 1) && (b >> w & 1))
        values |= one(f, v + w);
  return values;
}

static uint64_t of_write(struct finding *f, unsigned t,
                         const struct action *a) {
  if (a->kind == DO_LOCK || a->kind == DO_UNLOCK)
    return one(f, action_result(a, t, &(struct runner){0}, 0));
  uint64_t values = of_operand(f, t, a->value);
  return a->kind == DO_ADD ? sums(f, values, of_read(f, a)) : values;
}

static void pass_on(struct finding *f, unsigned t, unsigned i) {
  const struct action *a = &f->p->ops[t][i];
  if (a->dst != NO_REGISTER && action_reads(a))
    f->regs[t][a->dst] |= of_read(f, a);
  if (a->dst != NO_REGISTER && a->kind == DO_CHOOSE)
    for (unsigned v = 0; v <= a->value.plus; v++)
      f->regs[t][a->dst] |= one(f, v);
  if (action_may_write(a))
    f->ret->written[t][i] |= of_write(f, t, a);
}

void values_find(const struct program *p, struct values *ret) {
  *ret = (struct values){0};
  struct finding f = {.p = p, .ret = ret};
  unsigned writes = 0;
  for (unsigned t = 0; t < p->nthreads; t++) {
    for (unsigned r = 0; r < PROGRAM_OPS; r++)
      f.regs[t][r] = 1; // they start with 0
    for (unsigned i = 0; i < p->len[t]; i++)
      writes += action_may_write(&p->ops[t][i]);
  }
  for (unsigned round = 0; round <= writes; round++)
    for (unsigned t = 0; t < p->nthreads; t++)
      for (unsigned i = 0; i < p->len[t]; i++)
        pass_on(&f, t, i);
}
