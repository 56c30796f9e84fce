// SPDX-License-Identifier: MIT
// Programs from seeds. Uniformly random programs are mostly dull (nobody reads
// what others write, nothing synchronises), so a seed first picks a profile:
// either a mix of operations that makes one feature dense (fences, RMW chains,
// release sequences, one contested location, ...) or a classical shape whose
// orders are drawn anew and which is then varied a little.
#include "program.h"
#include "rng.h"

#include <string.h>

// The index of one of n weights, drawn by weight.
static unsigned draw(struct rng *r, const uint8_t *weight, unsigned n) {
  unsigned sum = 0;
  for (unsigned i = 0; i < n; i++)
    sum += weight[i];
  unsigned at = below(r, sum);
  for (unsigned i = 0;; i++) {
    if (at < weight[i])
      return i;
    at -= weight[i];
  }
}

// How strong an access is; which order that is depends on what it does.
enum strength { STRENGTH_RLX, STRENGTH_SYNC, STRENGTH_SC, STRENGTH_NA };
enum { STRENGTHS = 4, DRAWN_KINDS = DO_STORES + 1 };

struct profile {
  uint8_t weight;
  uint8_t kinds[DRAWN_KINDS]; // weights by enum action_kind
  uint8_t strengths[STRENGTHS];
  uint8_t max_locs, min_threads, max_threads;
  // Percentages: operations that are guarded, values computed from registers,
  // assumptions after a read, threads that take a lock, fences that are sc,
  // (in shapes) places between two accesses that get a fence, and accesses
  // whose address depends on a register.
  uint8_t guarded, computed, assumed, locked, sc_fences, fenced, indexed;
};

static const struct profile profiles[] = {
#include "program_profiles.def"
};

enum { PROFILES = sizeof profiles / sizeof *profiles };

// Does a profile make dependencies of all kinds?
static bool is_dependent(const struct profile *f) {
  return f->indexed;
}

static const struct profile *draw_profile(struct rng *r, bool dependent) {
  uint8_t weights[PROFILES];
  for (unsigned i = 0; i < PROFILES; i++)
    weights[i] =
        dependent && !is_dependent(&profiles[i]) ? 0 : profiles[i].weight;
  return &profiles[draw(r, weights, PROFILES)];
}

// Shapes to draw orders for. Half of all seeds start from one of them.
static const char *const shapes[] = {
    "Wrlx x 1; Rrlx y | Wrlx y 1; Rrlx x",
    "Wrlx x 1; Wrlx y 1 | Rrlx y; Rrlx x",
    "Rrlx x; Wrlx y 1 | Rrlx y; Wrlx x 1",
    "Wrlx x 1; Wrlx y 2 | Wrlx y 1; Wrlx x 2",
    "Wrlx x 1; Wrlx y 1 | Wrlx y 2; Rrlx x",
    "Wrlx x 2; Wrlx y 1 | Rrlx y; Wrlx x 1",
    "Wrlx x 1 | Rrlx x; Rrlx y | Rrlx y; Rrlx x | Wrlx y 1",
    "Wrlx x 1 | Rrlx x; Wrlx y 1 | Rrlx y; Rrlx x",
    "Wrlx x 1 | Rrlx x; Rrlx y | Wrlx y 1; Rrlx x",
    "Wrlx x 1; Wrlx y 1 | Rrlx y; Wrlx z 1 | Rrlx z; Rrlx x",
    "Wrlx x 1; Wrlx y 1 | Rrlx y; Wrlx z 1 | Wrlx z 2; Rrlx x",
    "Wrlx x 1; Wrlx z 1 | Rrlx z; Rrlx y | Wrlx y 1; Rrlx x",
    "Wrlx x 1; Rrlx y | Wrlx y 1; Rrlx z | Wrlx z 1; Rrlx x",
    "Wrlx x 1; Wrlx y 2 | Wrlx y 1; Wrlx z 2 | Wrlx z 1; Wrlx x 2",
    "Rrlx x; Wrlx y 1 | Rrlx y; Wrlx z 1 | Rrlx z; Wrlx x 1",
    "Wrlx x 1; Wrlx y 1 | FADDrlx y 1 | Rrlx y; Rrlx x",
    "Wrlx x 1; Wrlx y 1 | XCHGrlx y 2 | FADDrlx y 3 | Rrlx y; Rrlx x",
    "Wrlx x 1; Wrlx y 1; Wrlx y 2 | CAS(y,2,3)rlx/rlx | Rrlx y; Rrlx x",
    "Wrlx x 1; Wrlx y 1 | FADDrlx y 1; Rrlx y | Wrlx y 3; Rrlx x",
    "Rrlx x; Rrlx y | Wrlx x 1; Wrlx x 2 | Wrlx y 1; Rrlx x",
    "Wrlx x 1; Rrlx x; Rrlx y | Wrlx y 1; Rrlx y; Rrlx x",
    "Wrlx x 1 | Wrlx x 2 | Rrlx x; Rrlx x | Rrlx x; Rrlx x",
    "Wrlx x 1; Wrlx y 1; Rrlx z | Wrlx z 1; Rrlx y | Wrlx y 2; Rrlx x",
    "Wrlx x 1; XCHGrlx y 1; Rrlx z | Wrlx z 1; XCHGrlx y 2; Rrlx x",
    "Rrlx y; CAS(x,0,1)rlx/rlx | CAS(x,0,2)rlx/rlx; Wrlx y 1 | Rrlx x; Rrlx y",
    "Wrlx z 1; CAS(x,0,1)rlx/rlx; Rrlx y | Wrlx y 1; FADDrlx x 2; Rrlx z",
};

enum { SHAPES = sizeof shapes / sizeof *shapes };

// The same for profiles with dependencies: shapes in which dependencies decide,
// mostly on whether reads can come from what follows them.
static const char *const dependent_shapes[] = {
#include "program_shapes_dependent.def"
};

enum { DEPENDENT_SHAPES = sizeof dependent_shapes / sizeof *dependent_shapes };

static enum order draw_sync(struct rng *r, enum action_kind kind) {
  static const enum order update[] = {ORD_ACQ, ORD_REL, ORD_ACQREL};
  switch (kind) {
  case DO_LOAD:
    return ORD_ACQ;
  case DO_STORE:
    return ORD_REL;
  default:
    return update[below(r, 3)];
  }
}

static void draw_order(struct rng *r, const struct profile *f,
                       struct action *a) {
  enum action_kind kind = (enum action_kind)a->kind;
  enum strength s = (enum strength)draw(r, f->strengths, STRENGTHS);
  bool is_plain = kind == DO_LOAD || kind == DO_STORE;
  if (s == STRENGTH_NA && !is_plain)
    s = STRENGTH_RLX;
  if (kind == DO_FENCE) // a relaxed one would be nothing
    s = chance(r, f->sc_fences) ? STRENGTH_SC : STRENGTH_SYNC;
  if (kind == DO_ISB || kind == DO_STORES)
    s = STRENGTH_NA;
  a->order = (uint8_t)(s == STRENGTH_NA    ? ORD_NA
                       : s == STRENGTH_RLX ? ORD_RLX
                       : s == STRENGTH_SC  ? ORD_SC
                                           : draw_sync(r, kind));
  static const enum order fail[] = {ORD_RLX, ORD_ACQ, ORD_SC};
  if (kind == DO_CAS)
    a->order_fail = (uint8_t)fail[below(r, 3)];
}

// A value that thread t has before operation `end` as a register, or
// NO_REGISTER.
static uint8_t draw_register(struct rng *r, const struct program *p, unsigned t,
                             unsigned end) {
  uint8_t found[PROGRAM_OPS];
  unsigned n = 0;
  for (unsigned i = 0; i < end; i++)
    if (p->ops[t][i].dst != NO_REGISTER)
      found[n++] = p->ops[t][i].dst;
  return n ? found[below(r, n)] : NO_REGISTER;
}

static struct operand draw_operand(struct rng *r, const struct profile *f,
                                   const struct program *p, unsigned t,
                                   unsigned end) {
  struct operand o = {.reg = NO_REGISTER};
  if (chance(r, f->computed))
    o.reg = draw_register(r, p, t, end);
  if (o.reg != NO_REGISTER && chance(r, 40))
    o.computation = chance(r, 60) ? COMPUTE_ZERO : COMPUTE_OR;
  bool is_sum = o.reg != NO_REGISTER && o.computation == COMPUTE_SUM;
  o.plus = (uint8_t)(is_sum ? below(r, 2) : 1 + below(r, 3));
  return o;
}

// Sometimes lets the address of an access depend on a register.
static void draw_index(struct rng *r, const struct profile *f,
                       const struct program *p, unsigned t, unsigned end,
                       struct action *a) {
  a->other = a->loc;
  if (!action_is_access(a) || !chance(r, f->indexed))
    return;
  a->index = (struct operand){.reg = draw_register(r, p, t, end),
                              .plus = (uint8_t)below(r, 2)};
  if (action_is_indexed(a) && chance(r, 50))
    a->other = (uint8_t)below(r, p->nlocs);
}

static struct condition draw_condition(struct rng *r, const struct program *p,
                                       unsigned t, unsigned end) {
  struct condition c = {.reg = draw_register(r, p, t, end)};
  if (c.reg == NO_REGISTER)
    return c;
  static const enum comparison some[] = {CMP_EQ, CMP_NE, CMP_LT, CMP_GE};
  c.comparison = (uint8_t)some[below(r, 4)];
  c.than = (uint8_t)(below(r, 3) + (c.comparison >= CMP_LT));
  return c;
}

static void append(struct program *p, unsigned t, struct action a) {
  if (p->len[t] == PROGRAM_OPS)
    return;
  if (a.dst == NO_REGISTER && (action_reads(&a) || a.kind == DO_CHOOSE))
    a.dst = p->len[t];
  p->ops[t][p->len[t]++] = a;
}

static void append_random(struct rng *r, const struct profile *f,
                          struct program *p, unsigned t,
                          struct condition guard) {
  struct action a =
      action_new((enum action_kind)draw(r, f->kinds, DRAWN_KINDS));
  draw_order(r, f, &a);
  a.loc = (uint8_t)below(r, p->nlocs);
  a.guard = guard;
  a.value = draw_operand(r, f, p, t, p->len[t]);
  draw_index(r, f, p, t, p->len[t], &a);
  if (a.kind == DO_CAS) {
    a.expected = draw_operand(r, f, p, t, p->len[t]);
    if (a.expected.reg == NO_REGISTER)
      a.expected.plus = (uint8_t)below(r, 3);
  }
  if (a.kind == DO_ADD && a.value.reg == NO_REGISTER)
    a.value.plus = (uint8_t)below(r, 2); // adding 0 writes as well
  if (a.kind == DO_CHOOSE)
    a.value = (struct operand){.reg = NO_REGISTER, .plus = 1};
  if (action_reads(&a) && is_dependent(f) && chance(r, 30)) // two ways meet
    a.dst = draw_register(r, p, t, p->len[t]);
  append(p, t, a);
}

static void append_assume(struct rng *r, struct program *p, unsigned t) {
  struct action a = action_new(DO_ASSUME);
  a.assumed = draw_condition(r, p, t, p->len[t]);
  if (a.assumed.comparison != CMP_ALWAYS)
    append(p, t, a);
}

// Appends `n` operations to thread t: straight on, or as `if`s and `else`s.
static void append_body(struct rng *r, const struct profile *f,
                        struct program *p, unsigned t, unsigned n) {
  struct condition guard = {0};
  unsigned left = 0; // of the guarded block
  for (unsigned i = 0; i < n; i++) {
    if (!left) {
      bool is_else = guard.comparison == CMP_EQ && chance(r, 50);
      if (is_else)
        guard.comparison = CMP_NE;
      else
        guard = chance(r, f->guarded) ? draw_condition(r, p, t, p->len[t])
                                      : (struct condition){0};
      left = 1 + below(r, 2);
    }
    append_random(r, f, p, t, guard);
    left--;
    if (!left && chance(r, f->assumed))
      append_assume(r, p, t);
  }
}

// A mutex is a location that nothing else uses. There are two of them, behind
// the other locations; they are counted when the program is complete.
enum { MUTEXES = 2 };

static bool is_of_mutex(const struct program *p, const struct action *a) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_UNLOCK && p->ops[t][i].loc == a->loc)
        return true;
  return false;
}

static struct action mutex_action(const struct program *p,
                                  enum action_kind kind, unsigned mutex) {
  struct action a = action_new(kind);
  a.loc = (uint8_t)(p->nlocs + mutex);
  a.order = kind == DO_UNLOCK ? ORD_REL : ORD_ACQ;
  return a;
}

// trylock: what follows happens only if the lock was free.
static void append_try(struct rng *r, const struct profile *f,
                       struct program *p, unsigned t, unsigned n,
                       unsigned mutex) {
  struct action a = mutex_action(p, DO_CAS, mutex);
  a.order_fail = ORD_RLX;
  a.expected.plus = 0;
  a.value.plus = (uint8_t)(t + 1);
  struct condition taken = {.comparison = CMP_EQ, .reg = p->len[t]};
  append(p, t, a);
  for (unsigned i = 0; i < n; i++)
    append_random(r, f, p, t, taken);
  a = mutex_action(p, DO_UNLOCK, mutex);
  a.guard = taken;
  append(p, t, a);
}

// lock; n operations (sometimes with the other mutex inside); unlock
static void append_critical(struct rng *r, const struct profile *f,
                            struct program *p, unsigned t, unsigned n) {
  unsigned mutex = chance(r, 25);
  if (chance(r, 20)) {
    append_try(r, f, p, t, n, mutex);
    return;
  }
  append(p, t, mutex_action(p, DO_LOCK, mutex));
  bool is_nested = chance(r, 15);
  if (is_nested)
    append(p, t, mutex_action(p, DO_LOCK, !mutex));
  append_body(r, f, p, t, n);
  if (is_nested)
    append(p, t, mutex_action(p, DO_UNLOCK, !mutex));
  append(p, t, mutex_action(p, DO_UNLOCK, mutex));
}

// Appends `n` operations to thread t, some of them in critical sections.
static void append_sections(struct rng *r, const struct profile *f,
                            struct program *p, unsigned t, unsigned n) {
  while (f->locked && n) {
    unsigned part = below(r, n < 3 ? n + 1 : 3);
    if (chance(r, f->locked))
      append_critical(r, f, p, t, part);
    else
      append_body(r, f, p, t, part);
    n -= part ? part : 1; // an empty section is enough of a step
  }
  append_body(r, f, p, t, n);
}

static void random_threads(struct rng *r, const struct profile *f,
                           unsigned max_ops, struct program *p) {
  p->nlocs = (uint8_t)(1 + below(r, f->max_locs));
  if (p->nlocs == 1 && f->max_locs > 2)
    p->nlocs = 2;
  unsigned span = f->max_threads - f->min_threads + 1u;
  p->nthreads = (uint8_t)(1 + f->min_threads + below(r, span));
  unsigned threads = p->nthreads - 1u;
  if ((p->nlocs == 1 || f->locked) && max_ops > 8)
    max_ops = 8; // else there are too many executions
  unsigned total = threads + 1 + below(r, max_ops - threads);
  for (unsigned t = 1; t <= threads; t++) {
    unsigned n = total / threads + (t <= total % threads);
    append_sections(r, f, p, t, n < 6 ? n : 6);
  }
}

// -- variations of a shape

static void insert(struct program *p, unsigned t, unsigned at,
                   struct action a) {
  if (p->len[t] == PROGRAM_OPS)
    return;
  memmove(&p->ops[t][at + 1], &p->ops[t][at],
          (p->len[t] - at) * sizeof p->ops[t][0]);
  p->ops[t][at] = a;
  p->len[t]++;
}

static void vary_action(struct rng *r, struct action *a) {
  if (a->kind == DO_STORE && chance(r, 12))
    a->kind = chance(r, 50) ? DO_EXCHANGE : DO_ADD;
  else if (a->kind == DO_LOAD && chance(r, 8)) {
    a->kind = DO_CAS;
    a->value.plus = 2;
    a->expected.plus = (uint8_t)below(r, 2);
  }
}

// Lets operation i of thread t depend on what was read before it.
static void add_dependencies(struct rng *r, const struct profile *f,
                             struct program *p, unsigned t, unsigned i) {
  struct action *a = &p->ops[t][i];
  if (action_reads(a))
    a->dst = (uint8_t)i;
  draw_index(r, f, p, t, i, a);
  if (chance(r, f->guarded))
    a->guard = draw_condition(r, p, t, i);
  struct operand value = draw_operand(r, f, p, t, i);
  if (a->kind == DO_STORE && value.reg != NO_REGISTER)
    a->value = value;
}

// A fence of C, or now and then a barrier of the profile.
static struct action draw_fence(struct rng *r, const struct profile *f) {
  static const enum action_kind kinds[] = {DO_FENCE, DO_ISB, DO_STORES};
  uint8_t weights[] = {(uint8_t)(f->kinds[DO_FENCE] + 1), f->kinds[DO_ISB],
                       f->kinds[DO_STORES]};
  struct action fence = action_new(kinds[draw(r, weights, 3)]);
  draw_order(r, f, &fence);
  return fence;
}

static void vary_thread(struct rng *r, const struct profile *f,
                        struct program *p, unsigned t) {
  for (unsigned i = 0; i < p->len[t]; i++) {
    vary_action(r, &p->ops[t][i]);
    draw_order(r, f, &p->ops[t][i]);
    if (is_dependent(f))
      add_dependencies(r, f, p, t, i);
    if (i && chance(r, f->fenced))
      insert(p, t, i++, draw_fence(r, f));
  }
  if (chance(r, 15))
    append_random(r, f, p, t, (struct condition){0});
}

static void random_shape(struct rng *r, const struct profile *f,
                         struct program *p) {
  struct diag why;
  const char *text = is_dependent(f)
                         ? dependent_shapes[below(r, DEPENDENT_SHAPES)]
                         : shapes[below(r, SHAPES)];
  check(program_parse(text, p, &why));
  p->len[0] = 0; // main is made later
  for (unsigned t = 1; t < p->nthreads; t++)
    vary_thread(r, f, p, t);
}

// -- what main does

static void append_thread(struct program *p, unsigned t, enum action_kind kind,
                          unsigned which) {
  struct action a = action_new(kind);
  a.thread = (uint8_t)which;
  append(p, t, a);
}

static void append_accesses(struct rng *r, const struct profile *f,
                            struct program *p, unsigned t, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    append_random(r, f, p, t, (struct condition){0});
}

static bool uses_lock(const struct program *p, unsigned t) {
  for (unsigned i = 0; i < p->len[t]; i++)
    if (p->ops[t][i].kind == DO_LOCK)
      return true;
  return false;
}

// Thread t creates t + 1, and so on.
static void spawn_chain(struct rng *r, struct program *p) {
  append_thread(p, 0, DO_SPAWN, 1);
  for (unsigned t = 1; t + 1 < p->nthreads; t++) {
    struct action a = action_new(DO_SPAWN);
    a.thread = (uint8_t)(t + 1);
    insert(p, t, below(r, p->len[t] + 1u), a);
  }
}

static void random_main(struct rng *r, const struct profile *f,
                        struct program *p) {
  unsigned last = p->nthreads - 1u, style = below(r, 20);
  if (style < 3)
    append_accesses(r, f, p, 0, 1);
  bool is_room = true;
  for (unsigned t = 1; t <= last; t++)
    is_room &= p->len[t] < PROGRAM_OPS && !uses_lock(p, t);
  if (style == 3 && is_room)
    spawn_chain(r, p);
  else
    for (unsigned t = 1; t <= last; t++) {
      append_thread(p, 0, DO_SPAWN, t);
      if (style == 4)
        append_accesses(r, f, p, 0, 1);
    }
  if (style == 5 || style == 6)
    append_accesses(r, f, p, 0, 1 + below(r, 2));
  if (style == 7 && is_room) { // one thread waits for another one
    struct action a = action_new(DO_JOIN);
    a.thread = 1;
    insert(p, last, below(r, p->len[last] + 1u), a);
  }
  if (style >= 8 && style < 12) {
    unsigned joined = 1 + below(r, last);
    for (unsigned t = 1; t <= joined; t++)
      append_thread(p, 0, DO_JOIN, t);
    append_accesses(r, f, p, 0, 1 + below(r, 2));
  }
}

// `shaped` percent of the programs are shapes; 0: as is best for the profile.
static void draw_program(uint64_t seed, unsigned max_ops, bool dependent,
                         unsigned shaped, struct program *ret) {
  struct rng r = {.state = seed * 0x2545f4914f6cdd1du + 1};
  struct program p = {.nthreads = 1};
  const struct profile *f = draw_profile(&r, dependent);
  if (!shaped)
    shaped = is_dependent(f) ? 70 : 50;
  if (chance(&r, shaped) && !f->locked)
    random_shape(&r, f, &p);
  else
    random_threads(&r, f, max_ops, &p);
  random_main(&r, f, &p);
  if (f->locked)
    p.nlocs = (uint8_t)(p.nlocs + MUTEXES);
  *ret = p;
}

void program_random(uint64_t seed, unsigned max_ops, struct program *ret) {
  draw_program(seed, max_ops, /*dependent=*/false, 0, ret);
}

void program_random_dependent(uint64_t seed, unsigned max_ops,
                              struct program *ret) {
  draw_program(seed, max_ops, /*dependent=*/true, 0, ret);
}

// Accesses move to where their thread was last.
void program_random_forwarding(uint64_t seed, unsigned max_ops,
                               struct program *ret) {
  struct rng r = {.state = seed * 0x9e6c63d0876a9a47u + 5};
  draw_program(seed, max_ops, /*dependent=*/true, 25, ret);
  for (unsigned t = 1; t < ret->nthreads; t++) {
    int last = -1;
    for (unsigned i = 0; i < ret->len[t]; i++) {
      struct action *a = &ret->ops[t][i];
      bool is_free = action_is_access(a) && !is_of_mutex(ret, a);
      if (is_free && last >= 0 && chance(&r, 40))
        a->loc = a->other = (uint8_t)last;
      if (is_free)
        last = a->loc;
    }
  }
}

// -- the Linux kernel

static struct action kernel_fence(enum kernel_fence k) {
  struct action a = action_new(DO_KERNEL);
  a.value.plus = (uint8_t)k;
  return a;
}

// Some of the fences become the kernel's, and some stretches sections of RCU.
void program_random_kernel(uint64_t seed, unsigned max_ops, struct program *p) {
  struct rng r = {seed * 7919 + 1};
  program_random_dependent(seed, max_ops, p);
  for (unsigned t = 0; t < p->nthreads; t++) {
    for (unsigned i = 0; i < p->len[t]; i++)
      if (action_is_fence(&p->ops[t][i]) && chance(&r, 70)) {
        static const enum kernel_fence fences[] = {
            KERNEL_RMB,      KERNEL_WMB,           KERNEL_SYNC_RCU,
            KERNEL_SYNC_RCU, KERNEL_BEFORE_ATOMIC, KERNEL_AFTER_ATOMIC};
        p->ops[t][i] = kernel_fence(fences[below(&r, 6)]);
      }
    if (p->len[t] < 2 || p->len[t] + 2 > PROGRAM_OPS || !chance(&r, 40))
      continue;
    unsigned first = below(&r, p->len[t]);
    unsigned end = first + 1 + below(&r, p->len[t] - first);
    insert(p, t, end, kernel_fence(KERNEL_RCU_UNLOCK));
    insert(p, t, first, kernel_fence(KERNEL_RCU_LOCK));
  }
}
