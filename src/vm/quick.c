// SPDX-License-Identifier: MIT
// Most of what a thread computes between two accesses is simple: operands are
// defined, results exist, addresses are those of its own variables. This loop
// does such instructions and nothing else. Before any other it stops, and
// step.c, which knows what all of them mean, does that one. So nothing is ever
// raised, frozen or tracked here; test_random.c compares with step.c alone.
//
// What makes it fast: a byte of each instruction says where to go, so there is
// one indirect jump for each, and the usual widths have code of their own;
// a comparison and the branch on it are one; instructions are counted at jumps.
#include "vm/quick.h"

#include "vm/arith.h"
#include "vm/cold.h"

// The name of a kind is that of a label below.
#define KINDS(X)                                                               \
  X(care)                                                                      \
  X(mov)                                                                       \
  X(number)                                                                    \
  X(select)                                                                    \
  X(add)                                                                       \
  X(add32)                                                                     \
  X(sub)                                                                       \
  X(sub32)                                                                     \
  X(mul)                                                                       \
  X(udiv)                                                                      \
  X(urem)                                                                      \
  X(sdiv)                                                                      \
  X(srem)                                                                      \
  X(shl)                                                                       \
  X(lshr)                                                                      \
  X(ashr)                                                                      \
  X(and)                                                                       \
  X(or)                                                                        \
  X(xor)                                                                       \
  X(trunc)                                                                     \
  X(sext)                                                                      \
  X(eq)                                                                        \
  X(ne)                                                                        \
  X(ult)                                                                       \
  X(ule)                                                                       \
  X(slt)                                                                       \
  X(sle)                                                                       \
  X(jmp)                                                                       \
  X(br)                                                                        \
  X(eq_br)                                                                     \
  X(ne_br)                                                                     \
  X(ult_br)                                                                    \
  X(ule_br)                                                                    \
  X(slt_br)                                                                    \
  X(sle_br)                                                                    \
  X(slt32_br)                                                                  \
  X(sle32_br)                                                                  \
  X(load1)                                                                     \
  X(load2)                                                                     \
  X(load4)                                                                     \
  X(load8)                                                                     \
  X(store1)                                                                    \
  X(store2)                                                                    \
  X(store4)                                                                    \
  X(store8)

enum kind {
#define X(name) QUICK_##name,
  KINDS(X)
#undef X
};

// -- which instruction is of which kind

static bool is_fused(const struct insn *in) {
  return in[1].op == OP_br && in[1].a == in->a;
}

static enum kind kind_of_access(const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  bool is_load = in->op == OP_load;
  if (a.order != ORD_NA || a.how)
    return QUICK_care;
  switch (a.size) {
  case 1:
    return is_load ? QUICK_load1 : QUICK_store1;
  case 2:
    return is_load ? QUICK_load2 : QUICK_store2;
  case 4:
    return is_load ? QUICK_load4 : QUICK_store4;
  case 8:
    return is_load ? QUICK_load8 : QUICK_store8;
  default:
    return QUICK_care;
  }
}

static enum kind kind_of_computation(const struct insn *in) {
  bool is_32 = (in->imm & 0xff) == 32;
  switch ((enum op)in->op) {
#define SAME(name)                                                             \
  case OP_##name:                                                              \
    return QUICK_##name;
    SAME(mov)
    SAME(number)
    SAME(select)
    SAME(mul)
    SAME(udiv)
    SAME(urem)
    SAME(sdiv)
    SAME(srem)
    SAME(shl)
    SAME(lshr)
    SAME(ashr)
    SAME(and)
    SAME(or)
    SAME(xor)
    SAME(trunc)
    SAME(sext)
    SAME(eq)
    SAME(ne)
    SAME(ult)
    SAME(ule)
    SAME(slt)
    SAME(sle)
    SAME(jmp)
    SAME(br)
#undef SAME
  case OP_add:
    return is_32 ? QUICK_add32 : QUICK_add;
  case OP_sub:
    return is_32 ? QUICK_sub32 : QUICK_sub;
  case OP_pick:
    return QUICK_select;
  default:
    return QUICK_care;
  }
}

// A comparison whose result the next instruction branches on.
static enum kind kind_of_branch(const struct insn *in) {
  bool is_32 = (in->imm & 0xff) == 32;
  switch ((enum op)in->op) {
  case OP_eq:
    return QUICK_eq_br;
  case OP_ne:
    return QUICK_ne_br;
  case OP_ult:
    return QUICK_ult_br;
  case OP_ule:
    return QUICK_ule_br;
  case OP_slt:
    return is_32 ? QUICK_slt32_br : QUICK_slt_br;
  case OP_sle:
    return is_32 ? QUICK_sle32_br : QUICK_sle_br;
  default:
    return QUICK_care;
  }
}

static enum kind kind_of(const struct insn *in, bool is_last) {
  enum kind kind = QUICK_care;
  if (in->op == OP_load || in->op == OP_store)
    return kind_of_access(in);
  if (!is_last && is_fused(in))
    kind = kind_of_branch(in);
  return kind == QUICK_care ? kind_of_computation(in) : kind;
}

static uint64_t distance(uint32_t from, uint32_t to) {
  return (uint32_t)(((int32_t)to - (int32_t)from) *
                    (int32_t)sizeof(struct quick));
}

struct quick *quick_new(const struct prog *p) {
  struct quick *quick = xcalloc(p->code.len, sizeof *quick);
  for (uint32_t pc = 0; pc < p->code.len; pc++) {
    const struct insn *in = &p->code.at[pc];
    quick[pc] =
        (struct quick){.kind = (uint8_t)kind_of(in, pc + 1 == p->code.len),
                       .shift = (uint8_t)(64 - (in->imm & 0xff)),
                       .a = in->a,
                       .b = in->b,
                       .c = in->c,
                       .imm = in->imm};
    if (in->op == OP_jmp || in->op == OP_br)
      quick[pc].imm = distance(pc, (uint32_t)in->imm) |
                      distance(pc, (uint32_t)(in->imm >> 32)) << 32;
  }
  return quick;
}

// -- private memory

// The offset of an access to a variable of the thread itself, as memory_at
// finds it; UINT32_MAX: it needs care.
static inline uint32_t private_at(const struct thread *t, uint64_t address,
                                  unsigned size) {
  uint64_t number = (address >> POINTER_OFFSET_BITS) -
                    ((uint64_t)(t->id + 1) << POINTER_INDEX_BITS | INDEX_LOCAL);
  uint32_t offset = pointer_offset(address);
  if (number >= t->locals.len)
    return UINT32_MAX;
  const struct local *local = &t->locals.at[number];
  if (local->is_gone || local->size < size || offset > local->size - size)
    return UINT32_MAX;
  return local->first + offset;
}

// -- the loop

#define GO() goto *label[in->kind]
#define NEXT()                                                                 \
  do {                                                                         \
    in++;                                                                      \
    GO();                                                                      \
  } while (0)
#define PUT(result)                                                            \
  do {                                                                         \
    r[in->a] = (result);                                                       \
    u[in->a] = 0;                                                              \
    NEXT();                                                                    \
  } while (0)
#define UNARY()                                                                \
  const uint64_t x = r[in->b];                                                 \
  if (u[in->b])                                                                \
  goto care
#define BINARY()                                                               \
  const uint64_t x = r[in->b], y = r[in->c];                                   \
  if (u[in->b] | u[in->c])                                                     \
  goto care
#define COMPUTE(result)                                                        \
  do {                                                                         \
    BINARY();                                                                  \
    PUT(result);                                                               \
  } while (0)
// In the upper bits of 64 what overflows the width overflows 64 bits.
#define SIGNED(overflows, factor)                                              \
  do {                                                                         \
    BINARY();                                                                  \
    const unsigned shift = in->shift;                                          \
    int64_t exact;                                                             \
    if (overflows((int64_t)(x << shift), (int64_t)(factor), &exact) &&         \
        in->imm & IMM_NSW)                                                     \
      goto care;                                                               \
    PUT((uint64_t)exact >> shift);                                             \
  } while (0)
#define SIGNED_32(overflows)                                                   \
  do {                                                                         \
    BINARY();                                                                  \
    int32_t exact;                                                             \
    if (overflows((int32_t)x, (int32_t)y, &exact) && in->imm & IMM_NSW)        \
      goto care;                                                               \
    PUT((uint32_t)exact);                                                      \
  } while (0)
#define DIVISION(is_safe, result)                                              \
  do {                                                                         \
    BINARY();                                                                  \
    const unsigned w = in->imm & 0xff;                                         \
    if (cut(y, w) == 0 || !(is_safe))                                          \
      goto care;                                                               \
    PUT(result);                                                               \
  } while (0)
#define SHIFT(result)                                                          \
  do {                                                                         \
    BINARY();                                                                  \
    const unsigned w = in->imm & 0xff;                                         \
    if (y >= w)                                                                \
      goto care;                                                               \
    PUT(result);                                                               \
  } while (0)
#define SIGNED_LESS(operator)                                                  \
  ((int64_t)(x << in->shift) operator(int64_t)(y << in->shift))
// (`end` moves along: it is as far ahead as instructions are left.)
#define JUMP(bytes)                                                            \
  do {                                                                         \
    const int64_t by = (int32_t)(bytes);                                       \
    end += by - size;                                                          \
    in = (const struct quick *)((const char *)in + by);                        \
    if ((in == stop && t->slot[watch->probe] == watch->value) ||               \
        (intptr_t)in >= end)                                                   \
      goto care;                                                               \
    GO();                                                                      \
  } while (0)
#define BRANCH(condition)                                                      \
  do {                                                                         \
    BINARY();                                                                  \
    const bool is_true = (condition);                                          \
    r[in->a] = is_true;                                                        \
    u[in->a] = 0;                                                              \
    in++;                                                                      \
    JUMP(is_true ? in->imm : in->imm >> 32);                                   \
  } while (0)
#define LOAD(type)                                                             \
  do {                                                                         \
    type value, undef;                                                         \
    UNARY();                                                                   \
    const uint32_t at = private_at(t, x, sizeof value);                        \
    if (at == UINT32_MAX)                                                      \
      goto care;                                                               \
    memcpy(&undef, t->byte_undef + at, sizeof undef);                          \
    if (undef)                                                                 \
      goto care;                                                               \
    memcpy(&value, t->bytes + at, sizeof value);                               \
    PUT(value);                                                                \
  } while (0)
#define STORE(type)                                                            \
  do {                                                                         \
    const type value = (type)r[in->b], undef = 0;                              \
    if (u[in->a] | u[in->b])                                                   \
      goto care;                                                               \
    const uint32_t at = private_at(t, r[in->a], sizeof value);                 \
    if (at == UINT32_MAX)                                                      \
      goto care;                                                               \
    memcpy(t->bytes + at, &value, sizeof value);                               \
    memcpy(t->byte_undef + at, &undef, sizeof undef);                          \
    t->chunks.at[at / CHUNK] = NO_REF;                                         \
    t->chunks.at[(at + sizeof value - 1) / CHUNK] = NO_REF;                    \
    NEXT();                                                                    \
  } while (0)

uint64_t quick_run(struct thread *t, uint32_t *pc, uint64_t least,
                   const struct watch *watch) {
  static const void *const label[] = {
#define X(name) &&name,
      KINDS(X)
#undef X
  };
  const struct quick *const quick = t->vm->cold->quick;
  const struct quick *const stop =
      watch->mark == NO_MARK ? NULL : quick + watch->mark;
  uint64_t *const r = t->slot + thread_top(t)->base;
  uint64_t *const u = t->undef + thread_top(t)->base;
  const struct quick *in = quick + *pc;
  const intptr_t size = sizeof *in;
  intptr_t end = (intptr_t)in + (intptr_t)least * size;
  GO();

mov : {
  UNARY();
  PUT(x);
}
number:
  PUT(in->imm);
select : {
  UNARY();
  const unsigned chosen = x ? in->c : (unsigned)in->imm;
  if (u[chosen])
    goto care;
  PUT(r[chosen]);
}
add:
  SIGNED(__builtin_add_overflow, y << shift);
add32:
  SIGNED_32(__builtin_add_overflow);
sub:
  SIGNED(__builtin_sub_overflow, y << shift);
sub32:
  SIGNED_32(__builtin_sub_overflow);
mul:
  SIGNED(__builtin_mul_overflow, (int64_t)(y << shift) >> shift);
udiv:
  DIVISION(true, cut(x, w) / cut(y, w));
urem:
  DIVISION(true, cut(x, w) % cut(y, w));
sdiv:
  DIVISION(signed_of(y, w) != -1, signed_div(x, y, w));
srem:
  DIVISION(signed_of(y, w) != -1, signed_rem(x, y, w));
shl:
  SHIFT(cut(x << y, w));
lshr:
  SHIFT(x >> y);
ashr:
  SHIFT(cut((uint64_t)(signed_of(x, w) >> y), w));
  and : COMPUTE(x & y);
  or : COMPUTE(x | y);
  xor : COMPUTE(x ^ y);
trunc : {
  UNARY();
  PUT(x << in->shift >> in->shift);
}
sext : {
  UNARY();
  const uint64_t wide = (uint64_t)((int64_t)(x << in->shift) >> in->shift);
  PUT(cut(wide, in->imm >> 8 & 0xff));
}
eq:
  COMPUTE(x == y);
ne:
  COMPUTE(x != y);
ult:
  COMPUTE(x < y);
ule:
  COMPUTE(x <= y);
slt:
  COMPUTE(SIGNED_LESS(<));
sle:
  COMPUTE(SIGNED_LESS(<=));
jmp:
  JUMP(in->imm);
br:
  if (u[in->a])
    goto care;
  JUMP(r[in->a] ? in->imm : in->imm >> 32);
eq_br:
  BRANCH(x == y);
ne_br:
  BRANCH(x != y);
ult_br:
  BRANCH(x < y);
ule_br:
  BRANCH(x <= y);
slt_br:
  BRANCH(SIGNED_LESS(<));
sle_br:
  BRANCH(SIGNED_LESS(<=));
slt32_br:
  BRANCH((int32_t)x < (int32_t)y);
sle32_br:
  BRANCH((int32_t)x <= (int32_t)y);
load1:
  LOAD(uint8_t);
load2:
  LOAD(uint16_t);
load4:
  LOAD(uint32_t);
load8:
  LOAD(uint64_t);
store1:
  STORE(uint8_t);
store2:
  STORE(uint16_t);
store4:
  STORE(uint32_t);
store8:
  STORE(uint64_t);

care: // what `in` is was not done
  *pc = (uint32_t)(in - quick);
  return (uint64_t)((intptr_t)least - (end - (intptr_t)in) / size);
}
