// SPDX-License-Identifier: MIT
// LLVM's intrinsic functions, one row each. Those that only inform the
// optimiser are nothing here.
#include "front/lower/lower.h"

#include "base/finding.h"

#include <stdio.h>
#include <string.h>

static LLVMValueRef argument(LLVMValueRef call, unsigned i) {
  return LLVMGetOperand(call, i);
}

// Of a vector, one lane.
static vreg arg(struct lowering *l, LLVMValueRef call, unsigned i) {
  LLVMValueRef v = argument(call, i);
  return lower_value(l, v) + (type_is_lanes(LLVMTypeOf(v)) ? l->lane : 0);
}

static vreg result(struct lowering *l, LLVMValueRef call) {
  return lower_result(l, call) + l->lane;
}

static unsigned call_width(LLVMValueRef call) {
  LLVMTypeRef t = LLVMTypeOf(argument(call, 0));
  return type_width(type_is_lanes(t) ? LLVMGetElementType(t) : t);
}

static bool narrow(struct lowering *l, LLVMValueRef call) {
  return call_width(call) <= 64 ||
         lower_refuse(l, "this operation on 128-bit integers is not supported");
}

static void set(struct lowering *l, LLVMValueRef call, vreg value) {
  lower_move(l, lower_result(l, call), value, type_slots(LLVMTypeOf(call)));
}

static void do_nothing(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)l, (void)call, (void)how;
}

// Yields its first argument.
static void do_identity(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  set(l, call, arg(l, call, 0));
}

static void do_unary(struct lowering *l, LLVMValueRef call, uint64_t op) {
  if (narrow(l, call))
    lower_emit(l, (enum op)op, result(l, call), arg(l, call, 0), 0,
               call_width(call));
}

// Neighbours change places: bits, pairs of them, halves of bytes; then bytes.
static void do_bitreverse(struct lowering *l, LLVMValueRef call, uint64_t how) {
  static const uint64_t low[] = {0x5555555555555555, 0x3333333333333333,
                                 0x0f0f0f0f0f0f0f0f};
  (void)how;
  if (!narrow(l, call))
    return;
  vreg x = arg(l, call, 0);
  for (unsigned i = 0; i < 3; i++) {
    vreg mask = lower_number(l, low[i]), by = lower_number(l, 1u << i);
    vreg down = lower_op(l, OP_and, lower_op(l, OP_lshr, x, by, 64), mask, 0);
    vreg up = lower_op(l, OP_shl, lower_op(l, OP_and, x, mask, 0), by, 64);
    x = lower_op(l, OP_or, down, up, 0);
  }
  x = lower_op(l, OP_bswap, x, 0, 64);
  lower_emit(l, OP_lshr, result(l, call), x,
             lower_number(l, 64 - call_width(call)), 64);
}

// Is the result only needed to choose between it and another one? So clang
// counts for __builtin_ffs: first, and then it asks whether there are ones.
static bool may_be_dropped(LLVMValueRef v) {
  LLVMUseRef use = LLVMGetFirstUse(v);
  if (!use || LLVMGetNextUse(use))
    return false;
  LLVMValueRef user = LLVMGetUser(use);
  return LLVMIsASelectInst(user) ||
         ((LLVMIsACastInst(user) || LLVMIsABinaryOperator(user)) &&
          may_be_dropped(user));
}

// How many zeros there are before or after the ones; of 0, it may be said that
// this has no result.
static void do_count(struct lowering *l, LLVMValueRef call, uint64_t op) {
  bool has_none = LLVMConstIntGetZExtValue(argument(call, 1)) != 0;
  uint64_t how = may_be_dropped(call) ? IMM_POISON : l->no_result;
  if (narrow(l, call))
    lower_emit(l, (enum op)op, result(l, call), arg(l, call, 0), 0,
               call_width(call) | (has_none ? how : 0));
}

static void do_overflow(struct lowering *l, LLVMValueRef call, uint64_t op) {
  bool is_done =
      call_width(call) > 64 && lower_wide_overflow(l, call, (enum op)op);
  if (is_done || !narrow(l, call))
    return;
  vreg b = arg(l, call, 0), c = arg(l, call, 1);
  lower_emit(l, (enum op)op, lower_result(l, call), b, c, call_width(call));
}

// min and max: `how` is the comparison that makes the first one win.
static void do_extremum(struct lowering *l, LLVMValueRef call, uint64_t how) {
  if (!narrow(l, call))
    return;
  bool max = how & 256;
  vreg b = arg(l, call, 0), c = arg(l, call, 1);
  vreg less = lower_op(l, (enum op)(how & 255), b, c, call_width(call));
  lower_emit(l, OP_select, result(l, call), less, max ? c : b, max ? b : c);
}

// Unsigned sums and differences that stop at the largest number and at 0.
static void do_saturate(struct lowering *l, LLVMValueRef call, uint64_t op) {
  if (!narrow(l, call))
    return;
  unsigned width = call_width(call);
  vreg b = arg(l, call, 0), c = arg(l, call, 1);
  vreg all = lower_op(l, (enum op)op, b, c, width);
  uint64_t most = UINT64_MAX >> (64 - width);
  bool adds = op == OP_add;
  vreg over = lower_op(l, OP_ult, adds ? all : b, adds ? b : c, width);
  lower_emit(l, OP_select, result(l, call), over,
             lower_number(l, adds ? most : 0), all);
}

static void do_abs(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  if (!narrow(l, call))
    return;
  unsigned width = call_width(call);
  bool min_is_poison = LLVMConstIntGetZExtValue(argument(call, 1)) != 0;
  vreg x = arg(l, call, 0), zero = lower_number(l, 0);
  vreg negative = lower_op(l, OP_slt, x, zero, width);
  // Only a negative number is negated: -MIN is an overflow.
  vreg magnitude = lower_op(l, OP_select, negative, x, zero);
  vreg negated = lower_op(l, OP_sub, zero, magnitude,
                          width | (min_is_poison ? IMM_NSW : 0u) |
                              (l->no_result & IMM_POISON));
  lower_emit(l, OP_select, result(l, call), negative, negated, x);
}

static uint64_t sign_bit(unsigned width) {
  return (uint64_t)1 << (width - 1);
}

static void do_fabs(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  lower_emit(l, OP_and, result(l, call), arg(l, call, 0),
             lower_number(l, sign_bit(call_width(call)) - 1), 0);
}

static void do_copysign(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  uint64_t sign = sign_bit(call_width(call));
  vreg size =
      lower_op(l, OP_and, arg(l, call, 0), lower_number(l, sign - 1), 0);
  vreg from = lower_op(l, OP_and, arg(l, call, 1), lower_number(l, sign), 0);
  lower_emit(l, OP_or, result(l, call), size, from, 0);
}

static void do_fmuladd(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  unsigned width = call_width(call);
  vreg product = lower_op(l, OP_fmul, arg(l, call, 0), arg(l, call, 1), width);
  lower_emit(l, OP_fadd, result(l, call), product, arg(l, call, 2), width);
}

// Rotations by a multiple of the width are allowed, shifts are not.
static void do_funnel(struct lowering *l, LLVMValueRef call, uint64_t left) {
  if (!narrow(l, call))
    return;
  unsigned width = call_width(call);
  vreg high = arg(l, call, 0), low = arg(l, call, 1);
  vreg n = lower_op(l, OP_urem, arg(l, call, 2), lower_number(l, width), width);
  vreg rest = lower_op(l, OP_sub, lower_number(l, width - 1), n, width);
  vreg one = lower_number(l, 1), kept, moved;
  if (left) {
    kept = lower_op(l, OP_shl, high, n, width);
    moved = lower_op(l, OP_lshr, lower_op(l, OP_lshr, low, one, width), rest,
                     width);
  } else {
    kept = lower_op(l, OP_lshr, low, n, width);
    moved =
        lower_op(l, OP_shl, lower_op(l, OP_shl, high, one, width), rest, width);
  }
  lower_emit(l, OP_or, result(l, call), kept, moved, 0);
}

static void do_ptrmask(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  vreg pointer = arg(l, call, 0), mask = arg(l, call, 1);
  lower_emit(l, OP_and, lower_result(l, call), pointer, mask, 0);
}

static void do_lifetime(struct lowering *l, LLVMValueRef call, uint64_t how) {
  lower_lifetime(l, call, /*begins=*/how != 0);
}

static void do_memcpy(struct lowering *l, LLVMValueRef call, uint64_t how) {
  lower_memcpy(l, call, /*may_overlap=*/how != 0);
}

static void do_memset(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  lower_memset(l, call);
}

// (On x86-64.)
enum { VA_LIST_SIZE = 24 };

static bool is_in_private_memory(const struct lowering *l, LLVMValueRef p) {
  while (LLVMIsAGetElementPtrInst(p))
    p = LLVMGetOperand(p, 0);
  return LLVMIsAAllocaInst(p) && lower_place(l, p) == PLACE_PRIVATE;
}

// OP_va_start writes to private memory; others get what it has written.
static void do_va_start(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  const char *triple = LLVMGetTarget(LLVMGetGlobalParent(l->fn->llvm));
  vreg to = arg(l, call, 0);
  if (variadic_is_arm(l->fn)) {
    variadic_start_arm(l, to);
    return;
  }
  if (*triple && strncmp(triple, "x86_64", 6) != 0) {
    lower_unsupported(l, "va_start in code for %s is not supported", triple);
    return;
  }
  bool direct = is_in_private_memory(l, LLVMGetOperand(call, 0));
  vreg list =
      direct ? to : lower_op(l, OP_local, lower_number(l, VA_LIST_SIZE), 0, 16);
  lower_emit(l, OP_va_start, list, 0, 0,
             variadic_parameters(l->f, l->fn->llvm));
  const uint64_t word = imm_access((struct imm_access){.size = 8});
  for (uint64_t at = 0; !direct && at < VA_LIST_SIZE; at += 8) {
    vreg value = lower_op(l, OP_load, lower_offset(l, list, at), 0, word);
    lower_emit(l, OP_store, lower_offset(l, to, at), value, 0, word);
  }
}

// What each of them is: as in lower_asm.c.
static void do_fence(struct lowering *l, LLVMValueRef call, uint64_t order) {
  (void)call;
  lower_fence_of(l, (enum order)order, FENCE_C11);
}

static void do_va_copy(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  vreg to = arg(l, call, 0), from = arg(l, call, 1);
  uint64_t size = variadic_is_arm(l->fn) ? ARM_VA_LIST_SIZE : VA_LIST_SIZE;
  lower_emit(l, OP_copy, to, from, lower_number(l, size), 0);
}

static void do_trap(struct lowering *l, LLVMValueRef call, uint64_t finding) {
  (void)call;
  lower_emit(l, OP_trap, 0, 0, 0, finding);
  code_place(l->c, code_label(l->c)); // what follows is a new block
}

// Questions to which the optimiser would know more.
static void do_constant(struct lowering *l, LLVMValueRef call, uint64_t value) {
  unsigned width = type_width(LLVMTypeOf(call));
  if (width < 64)
    value &= ((uint64_t)1 << width) - 1;
  set(l, call, lower_number(l, value));
}

vreg lower_self(struct lowering *l) {
  vreg self = code_reg(l->c);
  lower_emit(l, OP_sys, self, self, call_slots(0, 1), BI_self);
  return lower_op(l, OP_add, self, lower_number(l, 1), 64);
}

vreg lower_thread_pointer(struct lowering *l) {
  return lower_op(l, OP_shl, lower_self(l), lower_number(l, 12), 64);
}

static void do_thread_pointer(struct lowering *l, LLVMValueRef call,
                              uint64_t how) {
  (void)how;
  set(l, call, lower_thread_pointer(l));
}

static void do_frameaddress(struct lowering *l, LLVMValueRef call,
                            uint64_t how) {
  (void)how;
  if (LLVMConstIntGetZExtValue(argument(call, 0)))
    lower_unsupported(l, "__builtin_frame_address of another frame than this "
                         "function's is not supported");
  else
    set(l, call, l->frame);
}

// The size of an object is unknown: -1, or 0 when the minimum is asked for.
static void do_objectsize(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  bool minimum = LLVMConstIntGetZExtValue(argument(call, 1)) != 0;
  do_constant(l, call, minimum ? 0 : UINT64_MAX);
}

// llvm.is.fpclass: which kinds of numbers are asked for, one bit each.
enum {
  CLASS_SIGNALING_NAN = 1,
  CLASS_QUIET_NAN = 2,
  CLASS_NEG_INF = 1 << 2,
  CLASS_POS_INF = 1 << 9,
  CLASS_NEG_NORMAL = 1 << 3,
  CLASS_POS_NORMAL = 1 << 8,
  CLASS_NEG_SUBNORMAL = 1 << 4,
  CLASS_POS_SUBNORMAL = 1 << 7,
  CLASS_NEG_ZERO = 1 << 5,
  CLASS_POS_ZERO = 1 << 6,
};

struct fpclass {
  unsigned width;
  uint64_t mask; // what is asked for
  vreg magnitude, is_negative;
  vreg answer; // so far
};

// Adds the numbers whose magnitude is in [from, to).
static void add_class(struct lowering *l, struct fpclass *c, uint64_t from,
                      uint64_t to, uint64_t negative, uint64_t positive) {
  bool wants_negative = c->mask & negative, wants_positive = c->mask & positive;
  if (!wants_negative && !wants_positive)
    return;
  vreg zero = lower_number(l, 0);
  vreg low = lower_op(l, OP_ule, lower_number(l, from), c->magnitude, c->width);
  vreg high = lower_op(l, OP_ult, c->magnitude, lower_number(l, to), c->width);
  vreg in = lower_op(l, OP_and, low, high, 0);
  if (!wants_positive)
    in = lower_op(l, OP_select, c->is_negative, in, zero);
  if (!wants_negative)
    in = lower_op(l, OP_select, c->is_negative, zero, in);
  c->answer = lower_op(l, OP_or, c->answer, in, 0);
}

// The magnitude of a number of 80 bits in 64: its exponent, the upper bits of
// its significand, and whether there are others. Its order is that of the
// numbers, and zero and infinity are told from what is next to them.
static vreg extended_magnitude(struct lowering *l, vreg x) {
  vreg exponent = lower_op(l, OP_and, x + 1, lower_number(l, 0x7fff), 0);
  vreg rest = lower_op(l, OP_and, x, lower_number(l, 0xffff), 0);
  vreg upper = lower_op(l, OP_lshr, x, lower_number(l, 16), 64);
  vreg has_rest = lower_op(l, OP_ne, rest, lower_number(l, 0), 64);
  vreg top = lower_op(l, OP_shl, exponent, lower_number(l, 48), 64);
  return lower_op(l, OP_or, top, lower_op(l, OP_or, upper, has_rest, 0), 0);
}

static void do_fpclass(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  unsigned width = call_width(call);
  uint64_t mask = LLVMConstIntGetZExtValue(argument(call, 1));
  vreg x = arg(l, call, 0), zero = lower_number(l, 0);
  uint64_t normal, infinity, sign, quiet;
  struct fpclass c;
  if (width == 80) {
    normal = (uint64_t)1 << 48;
    infinity = (uint64_t)0x7fff8 << 44;
    quiet = infinity + ((uint64_t)1 << 46);
    sign = (uint64_t)1 << 63; // above all
    c = (struct fpclass){
        64, mask, extended_magnitude(l, x),
        lower_op(l, OP_ule, lower_number(l, 0x8000), x + 1, 64), zero};
  } else {
    normal = (uint64_t)1 << (width == 32 ? 23 : 52);
    infinity = width == 32 ? 0x7f800000 : (uint64_t)0x7ff << 52;
    quiet = infinity + normal / 2; // the highest bit of the fraction
    sign = sign_bit(width);
    c = (struct fpclass){
        width, mask, lower_op(l, OP_and, x, lower_number(l, sign - 1), 0),
        lower_op(l, OP_ule, lower_number(l, sign), x, width), zero};
  }
  add_class(l, &c, 0, 1, CLASS_NEG_ZERO, CLASS_POS_ZERO);
  add_class(l, &c, 1, normal, CLASS_NEG_SUBNORMAL, CLASS_POS_SUBNORMAL);
  add_class(l, &c, normal, infinity, CLASS_NEG_NORMAL, CLASS_POS_NORMAL);
  add_class(l, &c, infinity, infinity + 1, CLASS_NEG_INF, CLASS_POS_INF);
  add_class(l, &c, infinity + 1, quiet, CLASS_SIGNALING_NAN,
            CLASS_SIGNALING_NAN);
  add_class(l, &c, quiet, sign, CLASS_QUIET_NAN, CLASS_QUIET_NAN);
  set(l, call, c.answer);
}

// Functions of <math.h> that clang turns into intrinsics.
static const struct library {
  const char *name, *function;
} library[] = {
    {"llvm.floor", "floor"},
    {"llvm.ceil", "ceil"},
    {"llvm.trunc", "trunc"},
    {"llvm.round", "round"},
    {"llvm.rint", "rint"},
    {"llvm.nearbyint", "nearbyint"},
    {"llvm.minnum", "fmin"},
    {"llvm.maxnum", "fmax"},
    {"llvm.sqrt", "sqrt"},
    {"llvm.lround.i64", "lround"},
    {"llvm.llround.i64", "llround"},
    {"llvm.lrint.i64", "lrint"},
    {"llvm.llrint.i64", "llrint"},
    {"llvm.ldexp", "ldexp"},
    {"llvm.fma", "fma"},
    {"llvm.pow", "pow"},
    {"llvm.exp", "exp"},
    {"llvm.exp2", "exp2"},
    {"llvm.exp10", "exp10"},
    {"llvm.log", "log"},
    {"llvm.log2", "log2"},
    {"llvm.log10", "log10"},
    {"llvm.sin", "sin"},
    {"llvm.cos", "cos"},
    {"llvm.tan", "tan"},
};

// Those that are simple for other numbers, but not for ones of 80 bits.
static const struct library extended_library[] = {
    {"llvm.fabs", "fabs"},
    {"llvm.copysign", "copysign"},
};

// The suffix of the type is that of the function: floorf, floor, floorl.
static LLVMValueRef find_library(struct front *f, const char *name,
                                 const struct library *rows, size_t nrows) {
  for (size_t i = 0; i < nrows; i++) {
    size_t n = strlen(rows[i].name);
    if (strncmp(name, rows[i].name, n) != 0 || name[n] != '.')
      continue;
    bool is_single = strncmp(name + n, ".f32", 4) == 0,
         is_extended = strncmp(name + n, ".f80", 4) == 0;
    if (!is_single && !is_extended && strncmp(name + n, ".f64", 4) != 0)
      return NULL; // of a vector
    char function[32];
    snprintf(function, sizeof function, "%s%s", rows[i].function,
             is_single     ? "f"
             : is_extended ? "l"
                           : "");
    return module_find(f, function);
  }
  return NULL;
}

LLVMValueRef intrinsic_function(struct front *f, LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
    return NULL;
  size_t len;
  const char *name = LLVMGetValueName2(callee, &len);
  bool is_extended = type_width(LLVMTypeOf(argument(call, 0))) == 80;
  LLVMValueRef found = find_library(f, name, library, LENGTH(library));
  return found || !is_extended ? found
                               : find_library(f, name, extended_library,
                                              LENGTH(extended_library));
}

struct intrinsic {
  const char *name; // up to the type suffix
  void (*lower)(struct lowering *l, LLVMValueRef call, uint64_t how);
  uint64_t how;
};

// Of vectors, each lane is done for itself.
static const struct intrinsic by_lane[] = {
    {"llvm.ctpop", do_unary, OP_popcount},
    {"llvm.ctlz", do_count, OP_clz},
    {"llvm.cttz", do_count, OP_ctz},
    {"llvm.bswap", do_unary, OP_bswap},
    {"llvm.bitreverse", do_bitreverse, 0},
    {"llvm.smin", do_extremum, OP_slt},
    {"llvm.umin", do_extremum, OP_ult},
    {"llvm.smax", do_extremum, OP_slt | 256},
    {"llvm.umax", do_extremum, OP_ult | 256},
    {"llvm.uadd.sat", do_saturate, OP_add},
    {"llvm.usub.sat", do_saturate, OP_sub},
    {"llvm.abs", do_abs, 0},
    {"llvm.fabs", do_fabs, 0},
    {"llvm.copysign", do_copysign, 0},
    {"llvm.fmuladd", do_fmuladd, 0},
    {"llvm.fshl", do_funnel, /*left=*/1},
    {"llvm.fshr", do_funnel, /*left=*/0},
};

static void do_typeid(struct lowering *l, LLVMValueRef call, uint64_t how) {
  (void)how;
  lower_typeid(l, call);
}

static const struct intrinsic intrinsics[] = {
    {"llvm.eh.typeid.for", do_typeid, 0},
    {"llvm.dbg.", do_nothing, 0},
    {"llvm.lifetime.start", do_lifetime, 1},
    {"llvm.lifetime.end", do_lifetime, 0},
    {"llvm.assume", do_nothing, 0},
    {"llvm.prefetch", do_nothing, 0},
    {"llvm.donothing", do_nothing, 0},
    {"llvm.sideeffect", do_nothing, 0},
    {"llvm.va_end", do_nothing, 0},
    {"llvm.stackrestore", do_nothing, 0},
    {"llvm.experimental.noalias.scope.decl", do_nothing, 0},
    {"llvm.x86.sse2.pause", do_nothing, 0},
    {"llvm.x86.sse2.clflush", do_nothing, 0},
    {"llvm.x86.sse2.mfence", do_fence, ORD_SC},
    {"llvm.x86.sse2.lfence", do_fence, ORD_ACQ},
    {"llvm.x86.sse.sfence", do_fence, ORD_REL},
    {"llvm.aarch64.hint", do_nothing, 0},
    {"llvm.readcyclecounter", do_constant, 0},
    {"llvm.x86.rdtsc", do_constant, 0},
    {"llvm.stacksave", do_constant, 0},
    {"llvm.returnaddress", do_constant, 0},
    {"llvm.frameaddress", do_frameaddress, 0},
    {"llvm.is.constant", do_constant, 0},
    {"llvm.objectsize", do_objectsize, 0},
    {"llvm.expect", do_identity, 0},
    {"llvm.launder.invariant.group", do_identity, 0},
    {"llvm.strip.invariant.group", do_identity, 0},
    {"llvm.thread.pointer", do_thread_pointer, 0},
    {"llvm.threadlocal.address", do_identity, 0},
    {"llvm.annotation", do_identity, 0},
    {"llvm.ptr.annotation", do_identity, 0},
    {"llvm.var.annotation", do_nothing, 0},
    {"llvm.sadd.with.overflow", do_overflow, OP_sadd_ov},
    {"llvm.uadd.with.overflow", do_overflow, OP_uadd_ov},
    {"llvm.ssub.with.overflow", do_overflow, OP_ssub_ov},
    {"llvm.usub.with.overflow", do_overflow, OP_usub_ov},
    {"llvm.smul.with.overflow", do_overflow, OP_smul_ov},
    {"llvm.umul.with.overflow", do_overflow, OP_umul_ov},
    {"llvm.is.fpclass", do_fpclass, 0},
    {"llvm.ptrmask", do_ptrmask, 0},
    {"llvm.memcpy", do_memcpy, 0},
    {"llvm.memmove", do_memcpy, 1},
    {"llvm.memset", do_memset, 0},
    {"llvm.va_start", do_va_start, 0},
    {"llvm.va_copy", do_va_copy, 0},
    {"llvm.trap", do_trap, FIND_ABORT},
    {"llvm.debugtrap", do_trap, FIND_ABORT},
    {"llvm.ubsantrap", do_trap, FIND_ABORT},
};

static const struct intrinsic *
find_intrinsic(const char *name, const struct intrinsic *rows, size_t nrows) {
  for (size_t i = 0; i < nrows; i++) {
    size_t n = strlen(rows[i].name);
    if (strncmp(name, rows[i].name, n) == 0 &&
        (rows[i].name[n - 1] == '.' || name[n] == 0 || name[n] == '.'))
      return &rows[i];
  }
  return NULL;
}

void lower_intrinsic(struct lowering *l, LLVMValueRef call, const char *name) {
  LLVMValueRef function = intrinsic_function(l->f, call);
  if (function) {
    lower_call_function(l, call, front_function(l->f, function));
    return;
  }
  if (lower_reduction(l, call, name))
    return;
  LLVMTypeRef t = LLVMTypeOf(call);
  bool has_lanes =
      type_is_lanes(t) || type_is_lanes(LLVMTypeOf(LLVMGetOperand(call, 0)));
  const struct intrinsic *row = find_intrinsic(name, by_lane, LENGTH(by_lane));
  unsigned lanes = row && has_lanes ? LLVMGetVectorSize(t) : 1;
  if (!row && !has_lanes)
    row = find_intrinsic(name, intrinsics, LENGTH(intrinsics));
  if (!row) {
    lower_unsupported(l, "the intrinsic %s is not supported", name);
    return;
  }
  for (l->lane = 0; l->lane < lanes; l->lane++)
    row->lower(l, call, row->how);
  l->lane = 0;
}
