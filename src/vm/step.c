// SPDX-License-Identifier: MIT
// The interpreter. thread_run executes instructions until the thread stops: at
// an access to shared memory, at a finding, at its end. thread_resume gives
// the pending access its value and runs on. Nothing here knows other threads.
#include "bytecode/operand.h"
#include "vm/arith.h"
#include "vm/cold.h"
#include "vm/quick.h"

// -- control; each yields true when the thread goes on (at the top frame's pc)

static bool is_label(const struct prog *p, uint32_t pc) {
  uint32_t low = 0, high = p->labels.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->labels.at[middle] < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->labels.len && p->labels.at[low] == pc;
}

static bool do_ijmp(struct thread *t, const struct insn *in) {
  const struct prog *p = t->vm->prog;
  struct frame *top = thread_top(t);
  const struct func *f = &p->funcs.at[top->func];
  uint64_t address = *thread_slot(t, in->a);
  uint32_t pc = pointer_offset(address);
  if (thread_raise_undef(t, *thread_undef(t, in->a), "a goto"))
    return false;
  if (address >> POINTER_OFFSET_BITS != INDEX_CODE || pc < f->first ||
      pc >= f->end || !is_label(p, pc)) {
    thread_raise(t, FIND_BAD_CALL,
                 "goto to an address that is no label of `%s`",
                 prog_text(p, f->name));
    return false;
  }
  top->pc = pc;
  return true;
}

static uint32_t switch_target(const struct prog *p, const struct insn *in,
                              uint64_t value) {
  const struct switch_table *table = &p->tables.at[in->imm];
  uint32_t low = table->first, end = table->first + table->cases, high = end;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (p->cases.at[middle].value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && p->cases.at[low].value == value ? p->cases.at[low].target
                                                      : table->other;
}

// What is wrong with a call through a pointer, or NULL.
static const char *bad_call(const struct thread *t, const struct insn *in,
                            uint64_t pointer, uint32_t func) {
  if (pointer == 0)
    return "call through a null pointer";
  if (func == UINT32_MAX)
    return "call through a pointer that is no function";
  const struct func *f = &t->vm->prog->funcs.at[func];
  unsigned args = call_args(in);
  if (args < f->params || (args > f->params && !f->is_vararg))
    return "call through a pointer with wrong arguments";
  if (call_results(in) > f->results)
    return "call through a pointer with another result type";
  return NULL;
}

static bool do_callr(struct thread *t, const struct insn *in) {
  const struct prog *p = t->vm->prog;
  unsigned reg = (unsigned)in->imm;
  uint64_t pointer = *thread_slot(t, reg);
  if (thread_raise_undef(t, *thread_undef(t, reg), "a call"))
    return false;
  uint32_t func = prog_func_of_address(p, pointer);
  const char *wrong = bad_call(t, in, pointer, func);
  if (!wrong)
    return thread_call(t, func, in->b, call_args(in));
  bool is_func = func != UINT32_MAX;
  thread_raise(t, FIND_BAD_CALL, "%s%s%s%s", wrong, is_func ? " (of `" : "",
               is_func ? prog_text(p, p->funcs.at[func].name) : "",
               is_func ? "`)" : "");
  return false;
}

static void do_trap(struct thread *t, const struct insn *in) {
  enum finding_kind kind = (enum finding_kind)in->imm;
  if (!thread_raise(t, kind, "%s", finding_meaning(kind)))
    thread_block(t);
}

// -- undefined arithmetic

static bool overflows(struct thread *t, const struct insn *in, uint64_t x,
                      uint64_t y, char sign) {
  unsigned w = in->imm & 0xff;
  return thread_raise(
      t, FIND_OVERFLOW, "%lld %c %lld does not fit into %u bits",
      (long long)signed_of(x, w), sign, (long long)signed_of(y, w), w);
}

static bool divides_by_zero(struct thread *t, uint64_t y) {
  return y == 0 && thread_raise(t, FIND_DIV_BY_ZERO, "division by zero");
}

static bool division_overflows(struct thread *t) {
  return thread_raise(t, FIND_DIV_OVERFLOW,
                      "the smallest number divided by -1 does not fit");
}

static bool bad_shift(struct thread *t, uint64_t amount, unsigned w) {
  return thread_raise(t, FIND_SHIFT, "shift of a %u-bit number by %lld", w,
                      (long long)signed_of(amount, w));
}

// Is the result undefined, and no more than that?
static bool is_poison(const struct thread *t, const struct insn *in,
                      enum finding_kind kind) {
  return in->imm & IMM_POISON && thread_is_error(t, kind);
}

static bool bad_conversion(struct thread *t, const struct insn *in, double d) {
  return in->imm & IMM_CHECKED &&
         thread_raise(t, FIND_CONVERSION,
                      "%g does not fit into %s integer of %u bits", d,
                      in->op == OP_fptosi ? "a signed" : "an unsigned",
                      (unsigned)(in->imm >> 8 & 0xff));
}

static bool bad_count(struct thread *t, const struct insn *in) {
  return in->imm & IMM_CHECKED &&
         thread_raise(t, FIND_BAD_ARGUMENT, "%s of 0 has no result",
                      in->op == OP_clz ? "__builtin_clz" : "__builtin_ctz");
}

// -- the dispatch

// Puts a result with its undefined bits and goes on. Slots may move in a call,
// so r and u are taken afresh whenever a frame was pushed or popped.
#define PUT(result)                                                            \
  do {                                                                         \
    uint64_t put = (result), undef = 0;                                        \
    if (ux | uy) {                                                             \
      undef = undef_after(in, x, y, ux, uy);                                   \
      put &= is_blind ? ~undef : ALL_UNDEF;                                    \
    }                                                                          \
    u[in->a] = undef;                                                          \
    r[in->a] = put;                                                            \
    goto next;                                                                 \
  } while (0)
#define PUT2(result, flag)                                                     \
  do {                                                                         \
    bool is_undef = (ux | uy) != 0;                                            \
    r[in->a + 1] = (flag) && !(is_blind && is_undef);                          \
    u[in->a + 1] = is_undef;                                                   \
    PUT(result);                                                               \
  } while (0)
#define PUT_POISON(width)                                                      \
  do {                                                                         \
    r[in->a] = 0;                                                              \
    u[in->a] = cut(ALL_UNDEF, width);                                          \
    goto next;                                                                 \
  } while (0)
#define PUT_DEFINED(result)                                                    \
  do {                                                                         \
    r[in->a] = (result);                                                       \
    u[in->a] = 0;                                                              \
    goto next;                                                                 \
  } while (0)
#define UNARY()                                                                \
  const uint64_t x = r[in->b], y = 0, ux = u[in->b], uy = 0;                   \
  const unsigned w = in->imm & 0xff;                                           \
  (void)w
#define BINARY()                                                               \
  const uint64_t x = r[in->b], y = r[in->c], ux = u[in->b], uy = u[in->c];     \
  const unsigned w = in->imm & 0xff;                                           \
  (void)w
// Signed arithmetic that may overflow.
#define SIGNED(operation, sign)                                                \
  do {                                                                         \
    BINARY();                                                                  \
    __int128 exact = operation(x, y, w);                                       \
    if (in->imm & IMM_NSW && !fits_signed(exact, w)) {                         \
      if (is_poison(t, in, FIND_OVERFLOW))                                     \
        PUT_POISON(w);                                                         \
      if (overflows(t, in, x, y, sign))                                        \
        goto stopped;                                                          \
    }                                                                          \
    PUT(cut((uint64_t)exact, w));                                              \
  } while (0)
#define SIGNED_OVERFLOW(operation)                                             \
  do {                                                                         \
    BINARY();                                                                  \
    __int128 exact = operation(x, y, w);                                       \
    PUT2(cut((uint64_t)exact, w), !fits_signed(exact, w));                     \
  } while (0)
// Operands are cut to their width, so that the divisor is 0 in all forms or in
// none.
#define DIVISION(result, undefined)                                            \
  do {                                                                         \
    const unsigned w = in->imm & 0xff;                                         \
    const uint64_t x = cut(r[in->b], w), y = cut(r[in->c], w);                 \
    const uint64_t ux = u[in->b], uy = u[in->c];                               \
    if (thread_raise_undef(t, uy, "a division") || divides_by_zero(t, y) ||    \
        ((undefined) && division_overflows(t)))                                \
      goto stopped;                                                            \
    PUT(y == 0 ? 0 : (result));                                                \
  } while (0)
#define SHIFT(result)                                                          \
  do {                                                                         \
    BINARY();                                                                  \
    if (y >= w) {                                                              \
      if (is_poison(t, in, FIND_SHIFT))                                        \
        PUT_POISON(w);                                                         \
      if (!(in->imm & IMM_POISON) && bad_shift(t, y, w))                       \
        goto stopped;                                                          \
    }                                                                          \
    const unsigned by = y < w ? (unsigned)y : 0;                               \
    PUT(result);                                                               \
  } while (0)
#define COMPUTE(result)                                                        \
  do {                                                                         \
    BINARY();                                                                  \
    PUT(result);                                                               \
  } while (0)
#define CONVERT(result)                                                        \
  do {                                                                         \
    UNARY();                                                                   \
    unsigned to = in->imm >> 8 & 0xff;                                         \
    (void)to;                                                                  \
    PUT(result);                                                               \
  } while (0)
#define COUNT(result)                                                          \
  do {                                                                         \
    UNARY();                                                                   \
    if (x == 0 && !ux) {                                                       \
      if (is_poison(t, in, FIND_BAD_ARGUMENT))                                 \
        PUT_POISON(w);                                                         \
      if (bad_count(t, in))                                                    \
        goto stopped;                                                          \
    }                                                                          \
    PUT(result);                                                               \
  } while (0)
#define TO_INTEGER(result, is_signed)                                          \
  do {                                                                         \
    UNARY();                                                                   \
    unsigned to = in->imm >> 8 & 0xff;                                         \
    if (!ux && !float_fits(float_of(x, w), to, is_signed)) {                   \
      if (is_poison(t, in, FIND_CONVERSION))                                   \
        PUT_POISON(to);                                                        \
      if (bad_conversion(t, in, float_of(x, w)))                               \
        goto stopped;                                                          \
    }                                                                          \
    PUT(result);                                                               \
  } while (0)
#define EFFECT(done)                                                           \
  do {                                                                         \
    if (!(done))                                                               \
      goto stopped;                                                            \
    goto next;                                                                 \
  } while (0)

void thread_run(struct thread *t) {
  const struct prog *p = t->vm->prog;
  struct watch watch;
  uint64_t left = watch_begin(t, &watch);
  const struct insn *in;
  uint32_t pc;
  uint64_t *r;
  uint64_t *u;
  const bool is_tracked = t->track.on, is_blind = vm_is_blind(t->vm);
  const struct quick *quick =
      is_tracked || is_blind ? NULL : t->vm->cold->quick;
  t->is_bulk = t->is_pieces = false;

frame: // a frame was entered or left: its pc is where it goes on
  pc = thread_top(t)->pc;
  r = t->slot + thread_top(t)->base;
  u = t->undef + thread_top(t)->base;

jumped: // to a place that others jump to, perhaps in circles
  if (watch.mark != NO_MARK && watch_looks(t, &watch, pc))
    return;

again:
  if (quick && quick[pc].kind && watch.mark != ANY_MARK) {
    uint64_t done = quick_run(t, &pc, left, &watch);
    left -= done < left ? done : left;
    if (pc == watch.mark && watch_looks(t, &watch, pc))
      return;
  }
  in = &p->code.at[pc];
  thread_top(t)->pc = pc; // for what is raised here
  if (left-- == 0) {
    left = watch_next(t, &watch);
    if (left-- == 0)
      return;
  }
  if (is_tracked)
    track_insn(t, in);
  switch ((enum op)in->op) {
  case OP_mov: {
    UNARY();
    PUT(x);
  }
  case OP_movn:
    memmove(r + in->a, r + in->b, in->c * sizeof *r);
    memmove(u + in->a, u + in->b, in->c * sizeof *u);
    goto next;
  case OP_own:
    PUT_DEFINED(r[thread_is_own(t, r[in->b]) ? in->c : in->imm]);
  case OP_select:
  case OP_pick: {
    unsigned from = r[in->b] ? in->c : (unsigned)in->imm;
    unsigned other = r[in->b] ? (unsigned)in->imm : in->c;
    uint64_t undef = u[from] | (u[in->b] ? u[other] | (r[from] ^ r[other]) : 0);
    r[in->a] = is_blind ? r[from] & ~undef : r[from];
    u[in->a] = undef;
    goto next;
  }
  case OP_number:
    r[in->a] = in->imm;
    u[in->a] = 0;
    goto next;
  case OP_undef:
    r[in->a] = 0;
    u[in->a] = in->imm ? cut(ALL_UNDEF, (unsigned)in->imm) : ALL_UNDEF;
    goto next;

  case OP_add:
    SIGNED(signed_add, '+');
  case OP_sub:
    SIGNED(signed_sub, '-');
  case OP_mul:
    SIGNED(signed_mul, '*');
  case OP_udiv:
    DIVISION(x / y, false);
  case OP_sdiv:
    DIVISION(signed_div(x, y, w), is_min_by_minus_one(x, y, w));
  case OP_urem:
    DIVISION(x % y, false);
  case OP_srem:
    DIVISION(signed_rem(x, y, w), is_min_by_minus_one(x, y, w));
  case OP_shl:
    SHIFT(cut(x << by, w));
  case OP_lshr:
    SHIFT(x >> by);
  case OP_ashr:
    SHIFT(cut((uint64_t)(signed_of(x, w) >> by), w));
  case OP_and:
    COMPUTE(x & y);
  case OP_or:
    COMPUTE(x | y);
  case OP_xor:
    COMPUTE(x ^ y);
  case OP_trunc:
    CONVERT(cut(x, w));
  case OP_sext:
    CONVERT(cut((uint64_t)signed_of(x, w), to));
  case OP_popcount:
    CONVERT((uint64_t)__builtin_popcountll(x));
  case OP_clz:
    COUNT(leading_zeros(x, w));
  case OP_ctz:
    COUNT(trailing_zeros(x, w));
  case OP_bswap:
    CONVERT(swap_bytes(x, w));
  case OP_sadd_ov:
    SIGNED_OVERFLOW(signed_add);
  case OP_ssub_ov:
    SIGNED_OVERFLOW(signed_sub);
  case OP_smul_ov:
    SIGNED_OVERFLOW(signed_mul);
  case OP_uadd_ov: {
    BINARY();
    PUT2(cut(x + y, w), cut(x + y, w) < x);
  }
  case OP_usub_ov: {
    BINARY();
    PUT2(cut(x - y, w), x < y);
  }
  case OP_umul_ov: {
    BINARY();
    PUT2(cut(x * y, w), multiply_high(x, y) || cut(x * y, w) != x * y);
  }
  case OP_umulh:
    COMPUTE(multiply_high(x, y));

  case OP_eq:
    COMPUTE(x == y);
  case OP_ne:
    COMPUTE(x != y);
  case OP_ult:
    COMPUTE(x < y);
  case OP_ule:
    COMPUTE(x <= y);
  case OP_slt:
    COMPUTE(signed_of(x, w) < signed_of(y, w));
  case OP_sle:
    COMPUTE(signed_of(x, w) <= signed_of(y, w));

  case OP_fadd:
  case OP_fsub:
  case OP_fmul:
  case OP_fdiv:
  case OP_frem:
    COMPUTE(float_op((enum op)in->op, x, y, w));
  case OP_fneg:
    CONVERT(x ^ UINT64_C(1) << (w - 1));
  case OP_fcmp: {
    BINARY();
    PUT(float_compare(in->imm >> 8 & 0xff, x, y, w));
  }
  case OP_fptosi:
    TO_INTEGER(float_to_signed(x, w, to), true);
  case OP_fptoui:
    TO_INTEGER(float_to_unsigned(x, w, to), false);
  case OP_sitofp:
    CONVERT(signed_to_float(x, w, to));
  case OP_uitofp:
    CONVERT(unsigned_to_float(x, to));
  case OP_fpconv:
    CONVERT(float_bits(float_of(x, w), to));

  case OP_jmp:
    pc = (uint32_t)in->imm;
    goto jumped;
  case OP_br:
    if (u[in->a] && is_blind) {
      if (!unknown_branch(t, in, &pc))
        goto stopped;
      goto jumped;
    }
    if (thread_raise_undef(t, u[in->a], "a branch"))
      goto stopped;
    pc = (uint32_t)(r[in->a] ? in->imm : in->imm >> 32);
    goto jumped;
  case OP_switch:
    if (u[in->a] && is_blind) {
      if (!unknown_switch(t, in, &pc))
        goto stopped;
      goto jumped;
    }
    if (thread_raise_undef(t, u[in->a], "a switch"))
      goto stopped;
    pc = switch_target(p, in, r[in->a]);
    goto jumped;
  case OP_ijmp:
    if (!do_ijmp(t, in))
      goto stopped;
    goto frame;
  case OP_call:
    thread_top(t)->pc = pc;
    if (!thread_call(t, (uint32_t)in->imm, in->b, call_args(in)))
      return;
    goto frame;
  case OP_callr:
    thread_top(t)->pc = pc;
    if (!do_callr(t, in))
      return;
    goto frame;
  case OP_landing:
    PUT_DEFINED(0);
  case OP_ret:
    if (!thread_return(t, in->a, in->b))
      goto stopped;
    thread_top(t)->pc++;
    goto frame;
  case OP_trap:
    do_trap(t, in);
    goto stopped;

  case OP_load:
  case OP_rmw_load:
  case OP_cas_load:
    EFFECT(access_load(t, in));
  case OP_store:
  case OP_rmw_store:
    EFFECT(access_store(t, in));
  case OP_cas_store:
    EFFECT(access_cas_store(t, in));
  case OP_cas_ok:
    if (t->cas_fails || (t->cas_wins && is_blind))
      PUT_DEFINED(t->cas_wins);
    if ((in->imm & 0xff) == 128) {
      const struct value x = {
          {r[in->b], r[in->b + 1]}, {u[in->b], u[in->b + 1]}, 0};
      const struct value y = {
          {r[in->c], r[in->c + 1]}, {u[in->c], u[in->c + 1]}, 0};
      u[in->a] = undef_of_equal(&x, &y);
      r[in->a] =
          x.v[0] == y.v[0] && x.v[1] == y.v[1] && !(is_blind && u[in->a]);
      goto next;
    }
    COMPUTE(x == y);
  case OP_fence:
    EFFECT(access_fence(t, in));
  case OP_fence_at:
    EFFECT(access_fence_at(t, in));
  case OP_local:
    if (thread_raise_undef(t, u[in->b], "the size of a variable"))
      goto stopped;
    EFFECT(access_local(t, in));
  case OP_scope:
    EFFECT(access_scope(t, in));
  case OP_stack_new:
    if (thread_raise_undef(t, u[in->b], "the size of a variable"))
      goto stopped;
    EFFECT(sys_alloc(t, in, r[in->b], ACCF_STACK, 0));
  case OP_stack_end:
    EFFECT(access_stack_end(t, in));
  case OP_tls:
    PUT_DEFINED(pointer_make(t->id + 1,
                             INDEX_TLS + p->globals.at[in->imm].tls_index, 0));
  case OP_copy:
    EFFECT(bulk_copy(t, in));
  case OP_disjoint:
    if (!(is_blind && (u[in->a] | u[in->b] | u[in->c])) &&
        bulk_overlaps(r[in->a], r[in->b], r[in->c]) &&
        thread_raise(t, FIND_BAD_ARGUMENT,
                     "copy of %llu bytes between memory that overlaps",
                     (unsigned long long)r[in->c]))
      goto stopped;
    goto next;
  case OP_fill:
    EFFECT(bulk_fill(t, in));
  case OP_va_start:
    EFFECT(access_va_start(t, in));
  case OP_sys:
    if (in->imm == BI_unwind && !thread_lands(t))
      goto next;
    if (in->imm == BI_longjmp || in->imm == BI_unwind) {
      if (!(in->imm == BI_unwind ? sys_unwind(t, in) : sys_longjmp(t, in)))
        goto stopped;
      thread_top(t)->pc++;
      goto frame;
    }
    EFFECT(sys_call(t, in));
  case OP_COUNT:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "unknown instruction");

next:
  pc++;
  goto again;
stopped:
  if (is_tracked)
    track_stopped(t, in);
}

// -- resuming

void thread_resume(struct thread *t, uint64_t value, undef_id undef) {
  const struct insn *in = &t->vm->prog->code.at[thread_top(t)->pc];
  t->cas_fails = t->cas_wins = false;
  bool is_done = t->is_bulk     ? bulk_resume(t, value, undef)
                 : t->is_pieces ? pieces_resume(t, in, value, undef)
                                : access_complete(t, in, value, undef);
  if (!is_done)
    return;
  thread_top(t)->pc++;
  thread_run(t);
}
