// SPDX-License-Identifier: MIT
// Random programs in which something may go wrong. One of the programs without
// errors (program_random.c) gets assertions and waits behind its reads, one of
// its locations becomes an object that is freed somewhere, and now and then it
// loses a lock or an unlock. A few shapes publish an object that they have just
// allocated.
#include "program.h"
#include "rng.h"

#include <string.h>

static bool insert(struct program *p, unsigned t, unsigned at,
                   struct action a) {
  if (p->len[t] == PROGRAM_OPS)
    return false;
  memmove(&p->ops[t][at + 1], &p->ops[t][at],
          (p->len[t] - at) * sizeof p->ops[t][0]);
  p->ops[t][at] = a;
  p->len[t]++;
  return true;
}

// A condition on a register that thread t has set before operation `at`, else
// one that always holds.
static struct condition draw_condition(struct rng *r, const struct program *p,
                                       unsigned t, unsigned at) {
  uint8_t regs[PROGRAM_OPS];
  unsigned n = 0;
  for (unsigned i = 0; i < at; i++)
    if (p->ops[t][i].dst != NO_REGISTER)
      regs[n++] = p->ops[t][i].dst;
  if (!n)
    return (struct condition){0};
  return (struct condition){.comparison = chance(r, 60) ? CMP_EQ : CMP_NE,
                            .reg = regs[below(r, n)],
                            .than = (uint8_t)below(r, 3)};
}

static bool is_mutex(const struct program *p, unsigned loc) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_UNLOCK && p->ops[t][i].loc == loc)
        return true;
  return false;
}

// An assertion, or an assumption right behind a read.
static void add_conditions(struct rng *r, struct program *p, unsigned t) {
  for (unsigned i = 0; i < p->len[t]; i++) {
    bool is_read = i && p->ops[t][i - 1].kind == DO_LOAD;
    bool waits = is_read && chance(r, 25);
    if (!waits && !chance(r, 10))
      continue;
    struct action a = action_new(waits ? DO_ASSUME : DO_ASSERT);
    a.assumed = draw_condition(r, p, t, i);
    if (waits)
      a.assumed.reg = p->ops[t][i - 1].dst;
    if (a.assumed.comparison != CMP_ALWAYS && a.assumed.reg != NO_REGISTER)
      i += insert(p, t, i, a);
  }
}

static void add_free(struct rng *r, struct program *p, uint8_t loc) {
  unsigned t = below(r, p->nthreads);
  unsigned at = t ? below(r, p->len[t] + 1u) : p->len[t];
  struct action a = action_new(DO_FREE);
  a.loc = loc;
  if (chance(r, 40))
    a.guard = draw_condition(r, p, t, at);
  insert(p, t, at, a);
}

// Main allocates a location before anything else happens.
static void add_object(struct rng *r, struct program *p) {
  struct action a = action_new(DO_ALLOC);
  a.loc = (uint8_t)below(r, p->nlocs);
  if (is_mutex(p, a.loc) || !insert(p, 0, 0, a))
    return;
  add_free(r, p, a.loc);
  if (chance(r, 10))
    add_free(r, p, a.loc);
}

static void remove_one(struct rng *r, struct program *p,
                       enum action_kind kind) {
  for (unsigned t = below(r, p->nthreads); t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == kind) {
        p->len[t]--;
        memmove(&p->ops[t][i], &p->ops[t][i + 1],
                (p->len[t] - i) * sizeof p->ops[t][0]);
        return;
      }
}

// Shapes that publish an object, or take locks; % is an order.
static const char *const publications[] = {
    "alloc z; W% z 1; W% y 1 | r0=R% y; if(r0==1){r1=R% z; free z}",
    "alloc z; W% y 1 | r0=R% y; if(r0==1){W% z 1} | R% y",
    "alloc z; F%; W% y 1 | r0=R% y; if(r0==1){free z} |"
    "r0=R% y; if(r0==1){r1=R% z}",
    "alloc z; W% y 1 | r0=FADD% y 1; if(r0==1){W% z 1} |"
    "r0=R% y; if(r0==2){free z}",
};

static const char *const locks[] = {
    "lock x; lock y; W% z 1; unlock y; unlock x |"
    "lock y; lock x; R% z; unlock x; unlock y",
    "lock x; lock y; unlock y; unlock x | lock y; unlock y; lock x; unlock x",
    "lock x; W% z 1; unlock x | r0=R% z; if(r0==1){lock x; unlock x} |"
    "lock x; r0=R% z; unlock x",
    "lock x; W% z 1; W% w 1; unlock x | lock x; r0=R% z; unlock x; r1=R% w",
    "lock x; lock x; W% z 1; unlock x | lock x; unlock x",
};

enum {
  PUBLICATIONS = sizeof publications / sizeof *publications,
  LOCKS = sizeof locks / sizeof *locks,
};

static const char *draw_order(struct rng *r, char verb) {
  static const char *const of_read[] = {"rlx", "acq", "sc"};
  static const char *const of_write[] = {"rlx", "rel", "sc"};
  static const char *const of_both[] = {"acq", "rel", "acqrel", "sc"};
  return verb == 'R'   ? of_read[below(r, 3)]
         : verb == 'W' ? of_write[below(r, 3)]
                       : of_both[below(r, 4)];
}

static void draw_shape(struct rng *r, const char *shape, struct program *p) {
  struct str text = {0};
  struct diag why;
  char last = 0;
  for (const char *s = shape; *s; last = *s++)
    if (*s == '%')
      str_add(&text, "%s", draw_order(r, last));
    else
      str_add(&text, "%c", *s);
  check(program_parse(str_text(&text), p, &why));
  str_done(&text);
}

void program_random_wrong(uint64_t seed, unsigned max_ops,
                          struct program *ret) {
  struct rng r = {.state = seed * 0xd1342543de82ef95u + 3};
  bool has_object = chance(&r, 10), has_locks = chance(&r, 10);
  if (has_object)
    draw_shape(&r, publications[below(&r, PUBLICATIONS)], ret);
  else if (has_locks)
    draw_shape(&r, locks[below(&r, LOCKS)], ret);
  else if (chance(&r, 30))
    program_random_dependent(seed, max_ops, ret);
  else
    program_random(seed, max_ops, ret);
  for (unsigned t = 0; t < ret->nthreads; t++)
    add_conditions(&r, ret, t);
  if (!has_object && chance(&r, 50))
    add_object(&r, ret);
  if (chance(&r, 30))
    remove_one(&r, ret, DO_UNLOCK);
  if (chance(&r, 30))
    remove_one(&r, ret, DO_LOCK);
}
