// SPDX-License-Identifier: MIT
// Constants. Addresses of globals and functions are known before any code is
// lowered, so every constant expression is just a number; only the addresses
// of labels (computed goto) are filled in after assembly.
#include "base/half.h"
#include "front/stage.h"

#include <string.h>

static uint64_t truncated(uint64_t x, unsigned width) {
  return width < 64 ? x & (((uint64_t)1 << width) - 1) : x;
}

// LLVM-C has no access to the words of a wide integer, but prints it.
static void wide_integer(LLVMValueRef v, uint64_t *out) {
  char *text = LLVMPrintValueToString(v);
  const char *at = strchr(text, ' ');
  check(at);
  bool negative = at[1] == '-';
  unsigned width = type_width(LLVMTypeOf(v)), n = type_slots(LLVMTypeOf(v));
  memset(out, 0, n * sizeof *out);
  for (at += 1 + negative; *at >= '0' && *at <= '9'; at++) {
    unsigned __int128 x = (unsigned)(*at - '0');
    for (unsigned i = 0; i < n; i++, x >>= 64) {
      x += (unsigned __int128)out[i] * 10;
      out[i] = (uint64_t)x;
    }
  }
  LLVMDisposeMessage(text);
  bool carry = negative;
  for (unsigned i = 0; negative && i < n; i++) {
    out[i] = ~out[i] + carry;
    carry = carry && !out[i];
  }
  out[n - 1] = truncated(out[n - 1], (width - 1) % 64 + 1);
}

// So it does one of 80 bits: 0xK and the digits of all bits.
static void extended_real(LLVMValueRef v, uint64_t out[2]) {
  char *text = LLVMPrintValueToString(v);
  const char *at = strstr(text, "0xK");
  char top[5] = {0};
  check(at && strlen(at) >= 23);
  memcpy(top, at + 3, 4);
  out[1] = strtoull(top, NULL, 16);
  out[0] = strtoull(at + 7, NULL, 16);
  LLVMDisposeMessage(text);
}

static uint64_t real_bits(LLVMValueRef v) {
  LLVMBool loses;
  double d = LLVMConstRealGetDouble(v, &loses);
  LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(v));
  if (kind == LLVMHalfTypeKind)
    return half_bits(d);
  if (kind == LLVMFloatTypeKind) {
    float single = (float)d;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
  }
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static bool number(struct front *f, LLVMValueRef v, uint64_t *ret);

static bool gep_number(struct front *f, LLVMValueRef v, uint64_t *ret) {
  uint64_t base, offset;
  if (!number(f, LLVMGetOperand(v, 0), &base) ||
      !type_gep_offset(f, v, &offset))
    return false;
  *ret = base + offset;
  return true;
}

static bool expression_number(struct front *f, LLVMValueRef v, uint64_t *ret) {
  uint64_t a, b = 0;
  if (LLVMGetConstOpcode(v) == LLVMGetElementPtr)
    return gep_number(f, v, ret);
  if (!number(f, LLVMGetOperand(v, 0), &a) ||
      (LLVMGetNumOperands(v) > 1 && !number(f, LLVMGetOperand(v, 1), &b)))
    return false;
  unsigned width = type_width(LLVMTypeOf(v));
  switch ((int)LLVMGetConstOpcode(v)) {
  case LLVMAdd:
    *ret = truncated(a + b, width);
    return true;
  case LLVMSub:
    *ret = truncated(a - b, width);
    return true;
  case LLVMMul:
    *ret = truncated(a * b, width);
    return true;
  case LLVMXor:
    *ret = a ^ b;
    return true;
  case LLVMTrunc:
  case LLVMPtrToInt:
  case LLVMIntToPtr:
  case LLVMBitCast:
  case LLVMAddrSpaceCast:
    *ret = truncated(a, width);
    return true;
  default:
    return false;
  }
}

static bool number(struct front *f, LLVMValueRef v, uint64_t *ret) {
  if (LLVMIsAConstantInt(v)) {
    if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
      return false;
    *ret = LLVMConstIntGetZExtValue(v);
  } else if (LLVMIsAConstantFP(v)) {
    *ret = real_bits(v);
  } else if (LLVMIsNull(v) && !LLVMIsAGlobalValue(v)) {
    *ret = 0;
  } else if (LLVMIsAGlobalAlias(v)) {
    LLVMValueRef target = module_resolve(f, v);
    return target && number(f, target, ret);
  } else if (ptrmap_find(&f->absent, v)) {
    *ret = 0;
  } else if (LLVMIsAFunction(v) || ptrmap_find(&f->function_of, v)) {
    // Rust declares functions that may be missing as weak variables.
    *ret = prog_func_address(f->prog, front_function(f, v));
  } else if (LLVMIsAGlobalVariable(v)) {
    if (LLVMIsThreadLocal(v))
      return false;
    *ret =
        prog_global_address(f->prog, front_global(f, v)) + section_offset(f, v);
  } else if (LLVMIsAConstantExpr(v)) {
    return expression_number(f, v, ret);
  } else {
    return false;
  }
  return true;
}

// Is it the same bits as another constant, one of the two being a vector?
static bool is_vector_cast(LLVMValueRef v) {
  return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMBitCast &&
         (type_is_lanes(LLVMTypeOf(v)) ||
          type_is_lanes(LLVMTypeOf(LLVMGetOperand(v, 0))));
}

// The bytes of each slot of a type that is an integer, or a vector of some.
static size_t slot_bytes(LLVMTypeRef t) {
  return type_is_lanes(t) ? type_width(LLVMGetElementType(t)) / 8 : 8;
}

static bool cast_slots(struct front *f, LLVMValueRef v, uint64_t *out) {
  LLVMValueRef from = LLVMGetOperand(v, 0);
  LLVMTypeRef t = LLVMTypeOf(v), source = LLVMTypeOf(from);
  uint64_t slots[MAX_LANES] = {0};
  uint8_t bytes[MAX_LANES * 8] = {0};
  size_t n = slot_bytes(source), m = slot_bytes(t);
  if (!type_supported(source) || !type_supported(t) || !n || !m ||
      !constant_slots(f, from, slots))
    return false;
  for (uint32_t i = 0; i < type_slots(source); i++)
    memcpy(bytes + i * n, &slots[i], n);
  for (uint32_t i = 0; i < type_slots(t); i++) {
    out[i] = 0;
    memcpy(&out[i], bytes + i * m, m);
  }
  return true;
}

bool constant_slots(struct front *f, LLVMValueRef v, uint64_t *out) {
  LLVMTypeRef t = LLVMTypeOf(v);
  if (is_vector_cast(v))
    return cast_slots(f, v, out);
  if (LLVMIsNull(v) && !LLVMIsAGlobalValue(v)) {
    memset(out, 0, type_slots(t) * sizeof *out);
    return true;
  }
  if (type_is_aggregate(t)) {
    for (unsigned i = 0; i < type_fields(t); i++) {
      LLVMValueRef part = LLVMGetAggregateElement(v, i);
      if (!part || LLVMIsUndef(part) || !constant_slots(f, part, out))
        return false;
      out += type_slots(type_field(t, i));
    }
    return true;
  }
  if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(t) > 64) {
    wide_integer(v, out);
    return true;
  }
  if (LLVMIsAConstantFP(v) && type_width(t) > 64) {
    extended_real(v, out);
    return true;
  }
  return number(f, v, out);
}

// -- first contents of globals

// On macOS, mutexes and the like that are initialised statically begin with a
// word that says what they are. Here they begin with 0, as rt/ expects.
static bool is_macos_signature(struct front *f, LLVMValueRef v) {
  static const uint64_t known[] = {0x32AAABA7, 0x3CB0B1BB, 0x2DA8B3B4,
                                   0x30B1BCBA};
  static const char prefix[] = "struct._opaque_pthread_";
  LLVMTypeRef t = LLVMTypeOf(v);
  if (LLVMGetTypeKind(t) != LLVMStructTypeKind || LLVMIsLiteralStruct(t) ||
      !LLVMGetStructName(t) ||
      strncmp(LLVMGetStructName(t), prefix, sizeof prefix - 1) != 0)
    return false;
  LLVMValueRef first = LLVMGetAggregateElement(v, 0);
  if (!first || !LLVMIsAConstantInt(first) || LLVMIsNull(first))
    return false;
  for (size_t i = 0; i < LENGTH(known); i++)
    if (LLVMConstIntGetZExtValue(first) == known[i])
      return true;
  return !front_refuse(f, NULL,
                       "a static initialiser of %s with another kind than the "
                       "default is not supported",
                       LLVMGetStructName(t) + strlen("struct._opaque_"));
}

static void put_bytes(struct front *f, uint32_t global, uint64_t offset,
                      LLVMValueRef v) {
  if (f->failed || LLVMIsUndef(v) || (LLVMIsNull(v) && !LLVMIsAGlobalValue(v)))
    return;
  LLVMTypeRef t = LLVMTypeOf(v);
  uint8_t *bytes = f->prog->globals.at[global].bytes + offset;
  if (LLVMIsAConstantDataArray(v) && LLVMIsConstantString(v)) {
    size_t len;
    const char *text = LLVMGetAsString(v, &len);
    memcpy(bytes, text, len);
    return;
  }
  if (is_macos_signature(f, v))
    return;
  uint64_t lanes[MAX_LANES];
  if (is_vector_cast(v) && type_is_lanes(t) && type_supported(t) &&
      constant_slots(f, v, lanes)) {
    for (uint32_t i = 0; i < type_slots(t); i++)
      memcpy(bytes + i * slot_bytes(t), &lanes[i], slot_bytes(t));
    return;
  }
  if (type_is_aggregate(t) && !is_vector_cast(v)) {
    for (unsigned i = 0; i < type_fields(t); i++)
      put_bytes(f, global, offset + type_field_offset(f, t, i),
                LLVMGetAggregateElement(v, i));
    return;
  }
  if (LLVMIsABlockAddress(v)) {
    uint32_t owner = front_function(f, LLVMGetBlockAddressFunction(v));
    f->functions.at[owner].code.keeps_labels = true;
    array_push(&f->fixups, (struct code_fixup){global, offset, v});
    return;
  }
  uint64_t slots[MAX_CALL_SLOTS] = {0};
  if (!type_supported(t) || !constant_slots(f, v, slots)) {
    char *text = LLVMPrintTypeToString(t);
    front_refuse(f, NULL, "the initial value of `%s` (%s) is not supported",
                 prog_text(f->prog, f->prog->globals.at[global].name), text);
    LLVMDisposeMessage(text);
    return;
  }
  memcpy(bytes, slots, (type_width(t) + 7) / 8);
}

void constant_globals(struct front *f) {
  for (uint32_t i = 0; i < f->globals.len; i++) {
    LLVMValueRef g = f->globals.at[i];
    if (!g || !f->prog->globals.at[i].bytes)
      continue; // a section; too large, as prog_finish will say
    module_enter(f, g);
    if (question_is(g))
      f->prog->globals.at[i].bytes[0] = question_answer(f, g);
    else
      put_bytes(f, i, 0, LLVMGetInitializer(g));
  }
  for (uint32_t i = 0; i < f->members.len; i++) {
    const struct section_member *m = &f->members.at[i];
    module_enter(f, m->global);
    if (f->prog->globals.at[m->object].bytes)
      put_bytes(f, m->object, m->offset, LLVMGetInitializer(m->global));
  }
}

void constant_fixups(struct front *f) {
  for (uint32_t i = 0; i < f->fixups.len; i++) {
    const struct code_fixup *x = &f->fixups.at[i];
    const struct function *fn = &f->functions.at[front_function(
        f, LLVMGetBlockAddressFunction(x->block_address))];
    const uint32_t *label = ptrmap_find(
        &fn->labels, LLVMGetBlockAddressBasicBlock(x->block_address));
    check(label);
    uint64_t address = prog_code_address(fn->label_pc[*label]);
    memcpy(f->prog->globals.at[x->global].bytes + x->offset, &address,
           sizeof address);
  }
}
