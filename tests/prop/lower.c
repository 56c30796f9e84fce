// SPDX-License-Identifier: MIT
// See lower.h. A thread is a function; register r of a thread is slot
// FIRST_REGISTER + r, set to 0 at the start. Guards become branches around the
// operation; to models that know what a branch guards, that is all they guard.
#include "lower.h"

#include "classes.h"

enum {
  FIRST_REGISTER = 1, // slot 0 is the argument of the thread function
  SLOT_TEST = FIRST_REGISTER + PROGRAM_OPS,
  SLOT_VALUE,
  SLOT_EXPECTED,
  SLOT_ADDRESS,
  SLOT_READ,
  SLOT_UNUSED,
  SLOT_BRANCHES,
  WIDTH = 32,
  SIZE = 4,
};

struct lowering {
  const struct program *p;
  struct prog *out;
  uint32_t funcs[PROGRAM_THREADS];
  bool spins, joins;
  const uint8_t *loops; // of each thread, where one begins; or NULL
};

static uint32_t emit(struct lowering *w, enum op op, unsigned a, unsigned b,
                     unsigned c, uint64_t imm) {
  return prog_emit(w->out, op, a, b, c, imm, (struct source){0});
}

static unsigned constant(struct lowering *w, uint64_t value) {
  return prog_const(w->out, value);
}

// Objects of a thread are numbered in the order of its allocations.
static uint64_t object_address(const struct program *p, unsigned loc) {
  unsigned t = program_allocates(p, loc), nth = 0;
  for (unsigned i = 0; p->ops[t][i].kind != DO_ALLOC || p->ops[t][i].loc != loc;
       i++)
    nth += p->ops[t][i].kind == DO_ALLOC;
  return pointer_make(t + 1, INDEX_SHARED + nth, 0);
}

static uint64_t location_address(const struct lowering *w, unsigned loc) {
  return program_allocates(w->p, loc) == PROGRAM_THREADS
             ? prog_global_address(w->out, loc)
             : object_address(w->p, loc);
}

static unsigned location(struct lowering *w, unsigned loc) {
  return constant(w, location_address(w, loc));
}

static enum fence_kind fence_of(const struct action *a) {
  static const enum fence_kind kernel[] = {
      [KERNEL_RMB] = FENCE_RMB,
      [KERNEL_WMB] = FENCE_WMB,
      [KERNEL_BEFORE_ATOMIC] = FENCE_BEFORE_ATOMIC,
      [KERNEL_AFTER_ATOMIC] = FENCE_AFTER_ATOMIC,
      [KERNEL_RCU_LOCK] = FENCE_RCU_LOCK,
      [KERNEL_RCU_UNLOCK] = FENCE_RCU_UNLOCK,
      [KERNEL_SYNC_RCU] = FENCE_SYNC_RCU,
  };
  return a->kind == DO_ISB      ? FENCE_ISB
         : a->kind == DO_STORES ? FENCE_STORES
         : a->kind == DO_KERNEL ? kernel[a->value.plus]
                                : FENCE_C11;
}

static uint64_t access_of(const struct action *a) {
  return imm_access((struct imm_access){.size = SIZE,
                                        .order = a->order,
                                        .order_fail = a->order_fail,
                                        .how = a->is_pick ? HOW_PICK : 0,
                                        .fence = (uint8_t)fence_of(a)});
}

// The slot of an operand; `slot` is used if it has to be computed.
static unsigned lower_operand(struct lowering *w, struct operand o,
                              unsigned slot) {
  if (o.reg == NO_REGISTER)
    return constant(w, o.plus);
  unsigned reg = FIRST_REGISTER + (unsigned)o.reg;
  if (o.computation == COMPUTE_OR) {
    emit(w, OP_or, slot, reg, constant(w, o.plus), 0);
    return slot;
  }
  if (o.computation == COMPUTE_PICK) {
    emit(w, OP_pick, slot, reg, constant(w, o.plus), constant(w, 0));
    return slot;
  }
  if (o.computation == COMPUTE_ZERO) {
    emit(w, OP_xor, slot, reg, reg, 0);
    reg = slot;
  }
  if (!o.plus)
    return reg;
  emit(w, OP_add, slot, reg, constant(w, o.plus), WIDTH);
  return slot;
}

// The slot of the address of an access. One location with an index is that
// location plus (index ^ index), two are selected from.
static unsigned address(struct lowering *w, const struct action *a) {
  unsigned loc = location(w, a->loc);
  if (!action_is_indexed(a))
    return loc;
  unsigned index = lower_operand(w, a->index, SLOT_ADDRESS);
  if (a->other == a->loc) {
    emit(w, OP_xor, SLOT_ADDRESS, index, index, 0);
    emit(w, OP_add, SLOT_ADDRESS, loc, SLOT_ADDRESS, 64);
  } else {
    emit(w, OP_and, SLOT_ADDRESS, index, constant(w, 1), 0);
    emit(w, OP_select, SLOT_ADDRESS, SLOT_ADDRESS, location(w, a->other), loc);
  }
  return SLOT_ADDRESS;
}

// SLOT_TEST := does c hold?
static void lower_condition(struct lowering *w, struct condition c) {
  unsigned reg = FIRST_REGISTER + (unsigned)c.reg, than = constant(w, c.than);
  switch ((enum comparison)c.comparison) {
  case CMP_ALWAYS:
    emit(w, OP_mov, SLOT_TEST, constant(w, 1), 0, 0);
    break;
  case CMP_EQ:
    emit(w, OP_eq, SLOT_TEST, reg, than, WIDTH);
    break;
  case CMP_NE:
    emit(w, OP_ne, SLOT_TEST, reg, than, WIDTH);
    break;
  case CMP_LT:
    emit(w, OP_ult, SLOT_TEST, reg, than, WIDTH);
    break;
  case CMP_GE:
    emit(w, OP_ule, SLOT_TEST, than, reg, WIDTH);
    break;
  }
}

static void lower_update(struct lowering *w, const struct action *a,
                         unsigned dst) {
  unsigned value = lower_operand(w, a->value, SLOT_VALUE);
  unsigned where = address(w, a);
  emit(w, OP_rmw_load, SLOT_READ, where, 0, access_of(a));
  if (a->kind == DO_ADD) {
    emit(w, OP_add, SLOT_VALUE, SLOT_READ, value, WIDTH);
    value = SLOT_VALUE;
  }
  emit(w, OP_rmw_store, where, value, 0, access_of(a));
  emit(w, OP_mov, dst, SLOT_READ, 0, 0); // dst may be an operand, too
}

static void lower_cas(struct lowering *w, const struct action *a,
                      unsigned dst) {
  unsigned value = lower_operand(w, a->value, SLOT_VALUE);
  unsigned expected = lower_operand(w, a->expected, SLOT_EXPECTED);
  unsigned where = address(w, a);
  emit(w, OP_cas_load, SLOT_READ, where, expected, access_of(a));
  emit(w, OP_cas_store, where, value, expected, access_of(a));
  emit(w, OP_mov, dst, SLOT_READ, 0, 0);
}

// Calls a builtin with constant arguments.
static void lower_builtin(struct lowering *w, enum builtin b, unsigned dst,
                          unsigned results, const uint64_t *args, unsigned n) {
  unsigned first = prog_const_run(w->out, args, n);
  emit(w, OP_sys, dst, first, call_slots(n, results), b);
}

// Threads of the same text run the same function.
static uint32_t func_of(const struct lowering *w, unsigned t) {
  unsigned u = 1;
  while (!program_same_text(w->p, u, t))
    u++;
  return w->funcs[u];
}

static void lower_thread_action(struct lowering *w, const struct action *a) {
  if (a->kind == DO_SPAWN) {
    uint64_t args[] = {prog_func_address(w->out, func_of(w, a->thread)), 0};
    lower_builtin(w, BI_spawn, SLOT_UNUSED, 1, args, 2);
  } else {
    uint64_t args[] = {a->thread};
    lower_builtin(w, BI_join, SLOT_UNUSED, 1, args, 1);
  }
}

static void lower_mutex(struct lowering *w, const struct action *a) {
  uint64_t args[] = {prog_global_address(w->out, a->loc)};
  lower_builtin(w, a->kind == DO_LOCK ? BI_lock : BI_unlock, SLOT_UNUSED, 0,
                args, 1);
}

bool lower_can_spin(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (program_awaited(p, t, i) >= 0)
        return true;
  return false;
}

static void lower_await(struct lowering *w, const struct action *a,
                        uint32_t again) {
  lower_condition(w, a->assumed);
  uint32_t branch = emit(w, OP_br, SLOT_TEST, 0, 0, 0);
  w->out->code.at[branch].imm = imm_targets(branch + 1, again);
}

static void lower_assume(struct lowering *w, const struct action *a) {
  lower_condition(w, a->assumed);
  emit(w, OP_sys, SLOT_UNUSED, SLOT_TEST, call_slots(1, 0), BI_assume);
}

static void lower_assert(struct lowering *w, const struct action *a) {
  lower_condition(w, a->assumed);
  uint32_t branch = emit(w, OP_br, SLOT_TEST, 0, 0, 0);
  lower_builtin(w, BI_assert_fail, SLOT_UNUSED, 0, (uint64_t[]){0, 0, 0, 0}, 4);
  w->out->code.at[branch].imm = imm_targets(w->out->code.len, branch + 1);
}

static void lower_life(struct lowering *w, const struct action *a) {
  if (a->kind == DO_ALLOC)
    lower_builtin(w, BI_calloc, SLOT_UNUSED, 1, (uint64_t[]){SIZE}, 1);
  else
    lower_builtin(w, BI_free, SLOT_UNUSED, 0,
                  (uint64_t[]){location_address(w, a->loc)}, 1);
}

static void lower_action(struct lowering *w, const struct action *a) {
  unsigned dst =
      a->dst == NO_REGISTER ? SLOT_UNUSED : FIRST_REGISTER + (unsigned)a->dst;
  switch ((enum action_kind)a->kind) {
  case DO_LOAD:
    emit(w, OP_load, dst, address(w, a), 0, access_of(a));
    break;
  case DO_STORE: {
    unsigned value = lower_operand(w, a->value, SLOT_VALUE);
    emit(w, OP_store, address(w, a), value, 0, access_of(a));
    break;
  }
  case DO_ADD:
  case DO_EXCHANGE:
    lower_update(w, a, dst);
    break;
  case DO_CAS:
    lower_cas(w, a, dst);
    break;
  case DO_LOCK:
  case DO_UNLOCK:
    lower_mutex(w, a);
    break;
  case DO_FENCE:
  case DO_ISB:
  case DO_STORES:
  case DO_KERNEL:
    emit(w, OP_fence, 0, 0, 0, access_of(a));
    break;
  case DO_CHOOSE: {
    uint64_t args[] = {0, a->value.plus};
    lower_builtin(w, BI_choose, dst, 1, args, 2);
    break;
  }
  case DO_ASSUME:
    lower_assume(w, a);
    break;
  case DO_SPAWN:
  case DO_JOIN:
    lower_thread_action(w, a);
    break;
  case DO_ASSERT:
    lower_assert(w, a);
    break;
  case DO_ALLOC:
  case DO_FREE:
    lower_life(w, a);
    break;
  }
}

static void lower_guarded(struct lowering *w, const struct action *a) {
  if (a->guard.comparison == CMP_ALWAYS) {
    lower_action(w, a);
    return;
  }
  emit(w, OP_sys, SLOT_BRANCHES, 0, call_slots(0, 1), BI_ctrl_save);
  lower_condition(w, a->guard);
  uint32_t branch = emit(w, OP_br, SLOT_TEST, 0, 0, 0);
  lower_action(w, a);
  w->out->code.at[branch].imm = imm_targets(branch + 1, w->out->code.len);
  emit(w, OP_sys, 0, SLOT_BRANCHES, call_slots(1, 0), BI_ctrl_restore);
}

// Does a thread (main alone, if `by_main`) create or join thread t, whatever
// happens?
static bool has_thread_action(const struct program *p, enum action_kind kind,
                              unsigned t, bool by_main) {
  for (unsigned u = 0; u < (by_main ? 1 : p->nthreads); u++)
    for (unsigned i = 0; i < p->len[u]; i++)
      if (p->ops[u][i].kind == kind && p->ops[u][i].thread == t &&
          p->ops[u][i].guard.comparison == CMP_ALWAYS)
        return true;
  return false;
}

static void lower_end(struct lowering *w, unsigned t) {
  // Not by a return from main: threads that wait then would go with the
  // program.
  if (!w->joins)
    lower_builtin(w, BI_thread_exit, SLOT_UNUSED, 0, (uint64_t[]){0, 1}, 2);
  for (unsigned u = 1; w->joins && t == 0 && u < w->p->nthreads; u++)
    if (!has_thread_action(w->p, DO_JOIN, u, /*by_main=*/false))
      lower_builtin(w, BI_join, SLOT_UNUSED, 1, (uint64_t[]){u}, 1);
  emit(w, OP_ret, constant(w, 0), 1, 0, 0);
}

// Where the loop begins that operation i ends, or -1.
static int loop_of(const struct lowering *w, unsigned t, unsigned i) {
  const struct action *a = &w->p->ops[t][i];
  if (w->spins)
    return program_awaited(w->p, t, i);
  bool ends_loop = w->loops && a->kind == DO_ASSUME &&
                   a->guard.comparison == CMP_ALWAYS && i > w->loops[t];
  return ends_loop ? w->loops[t] : -1;
}

static void lower_thread(struct lowering *w, unsigned t) {
  prog_begin_func(w->out, w->funcs[t]);
  for (unsigned r = 0; r < PROGRAM_OPS; r++)
    emit(w, OP_mov, FIRST_REGISTER + r, constant(w, 0), 0, 0);
  uint32_t start[PROGRAM_OPS];
  for (unsigned i = 0; i < w->p->len[t]; i++) {
    start[i] = w->out->code.len;
    int first = loop_of(w, t, i);
    if (first >= 0)
      lower_await(w, &w->p->ops[t][i], start[first]);
    else
      lower_guarded(w, &w->p->ops[t][i]);
  }
  lower_end(w, t);
}

static struct prog *lower(struct lowering w) {
  const struct program *p = w.p;
  w.out = prog_new();
  for (unsigned l = 0; l < p->nlocs; l++) {
    char name[] = {"xyzwvu"[l], '\0'};
    uint32_t global = prog_add_global(w.out, name, SIZE, SIZE);
    check(global == l);
  }
  for (unsigned t = 0; t < p->nthreads; t++) {
    char name[] = {'T', (char)('0' + t), '\0'};
    w.funcs[t] = prog_add_func(w.out, t ? name : "main", t ? 1 : 0, 1);
  }
  w.out->main_func = w.funcs[0];
  for (unsigned t = 0; t < p->nthreads; t++)
    lower_thread(&w, t);
  struct diag why;
  if (!prog_finish(w.out, &why))
    fatal_internal(__FILE__, __LINE__, why.text);
  return w.out;
}

struct prog *lower_program(const struct program *p, bool spins) {
  return lower((struct lowering){.p = p, .spins = spins});
}

struct prog *lower_looping(const struct program *p, const uint8_t *loops) {
  return lower((struct lowering){.p = p, .loops = loops});
}

struct prog *lower_joining(const struct program *p) {
  for (unsigned t = 1; t < p->nthreads; t++)
    if (!has_thread_action(p, DO_SPAWN, t, /*by_main=*/true))
      return NULL;
  return lower((struct lowering){.p = p, .joins = true});
}
