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
  case OP_fptosi:
  case OP_fptoui:
  case OP_sitofp:
  case OP_uitofp:
  case OP_fpconv:
    return cut(ALL_UNDEF, in->imm >> 8 & 0xff);
  case OP_umulh:
    return ALL_UNDEF;
  default:
    return cut(ALL_UNDEF, w);
  }
}

uint64_t undef_of_equal(const struct value *x, const struct value *y) {
  uint64_t any = 0, differ = 0;
  for (unsigned i = 0; i < 2; i++) {
    uint64_t undef = x->undef[i] | y->undef[i];
    any |= undef;
    differ |= (x->v[i] ^ y->v[i]) & ~undef;
  }
  return any && !differ;
}

// Bits beyond the value do not count, so that equal masks have equal names.
undef_id undef_pack(struct vm *vm, unsigned size, const struct value *value) {
  const uint64_t all[2] = {ALL_UNDEF, ALL_UNDEF};
  uint64_t mask[2] = {0, 0};
  if (!(value->undef[0] | value->undef[1]))
    return UNDEF_NONE;
  memcpy(mask, value->undef, size);
  if (memcmp(mask, all, size) == 0)
    return UNDEF_ALL;
  return (undef_id)vm_wide_make(vm, mask[0], mask[1]);
}

void undef_unpack(const struct vm *vm, unsigned size, undef_id undef,
                  struct value *out) {
  uint64_t mask[2] = {ALL_UNDEF, ALL_UNDEF};
  if (undef != UNDEF_ALL)
    vm_wide_get(vm, undef, &mask[0], &mask[1]);
  memcpy(out->undef, mask, size);
}
