// SPDX-License-Identifier: MIT
// How undefined bits travel through computations. Only called when an operand
// has some, so it need not be fast. The rules never call a bit defined that
// depends on an undefined one, except where C programs rely on it: an equality
// is decided by the bits that differ.
#include "vm/arith.h"
#include "vm/cold.h"

// A carry may take the lowest undefined bit all the way up.
static uint64_t smear_up(uint64_t undef) {
  return undef | (0 - undef);
}

static uint64_t undef_shift(const struct insn *in, uint64_t by, uint64_t ux,
                            uint64_t uy, unsigned w) {
  if (uy)
    return cut(ALL_UNDEF, w);
  if (by >= w)
    by = 0;
  return in->op == OP_shl    ? cut(ux << by, w)
         : in->op == OP_lshr ? ux >> by
                             : cut((uint64_t)(signed_of(ux, w) >> by), w);
}

uint64_t undef_after(const struct insn *in, uint64_t x, uint64_t y, uint64_t ux,
                     uint64_t uy) {
  unsigned w = in->imm & 0xff;
  uint64_t any = ux | uy;
  switch ((enum op)in->op) {
  case OP_mov:
    return ux;
  case OP_add:
  case OP_sub:
  case OP_mul:
  case OP_sadd_ov:
  case OP_uadd_ov:
  case OP_ssub_ov:
  case OP_usub_ov:
  case OP_smul_ov:
  case OP_umul_ov:
    return cut(smear_up(any), w);
  case OP_shl:
  case OP_lshr:
  case OP_ashr:
    return undef_shift(in, y, ux, uy, w);
  case OP_and:
    return (ux & uy) | (ux & y) | (uy & x);
  case OP_or:
    return (ux & uy) | (ux & ~y) | (uy & ~x);
  case OP_xor:
    return any;
  case OP_trunc:
    return cut(ux, w);
  case OP_sext:
    return cut((uint64_t)signed_of(ux, w), in->imm >> 8 & 0xff);
  case OP_bswap:
    return swap_bytes(ux, w);
  case OP_eq:
  case OP_ne:
  case OP_cas_ok:
    return ((x ^ y) & ~any) == 0;
  case OP_ult:
  case OP_ule:
  case OP_slt:
  case OP_sle:
  case OP_fcmp:
    return 1;
  default:
    return ALL_UNDEF;
  }
}

bool undef_is_all(const struct value *value, unsigned size) {
  const uint64_t all[2] = {ALL_UNDEF, ALL_UNDEF};
  return memcmp(value->undef, all, size) == 0;
}
