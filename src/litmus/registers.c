// SPDX-License-Identifier: MIT
// The names of registers. Views of one register (W1 and X1, EAX and RAX) have
// one canonical name, which is also the one that states are printed with.
#include "isa/isa.h"
#include "litmus/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// letter then a number below `count`
static bool is_numbered(const char *text, char letter, unsigned count,
                        unsigned *ret) {
  if (tolower((unsigned char)text[0]) != letter ||
      !isdigit((unsigned char)text[1]) || strlen(text) > 3)
    return false;
  char *end;
  *ret = (unsigned)strtoul(text + 1, &end, 10);
  return !*end && *ret < count;
}

static bool aarch64_register(const char *text, char out[32], unsigned *width) {
  unsigned n;
  *width = 64;
  if (strcasecmp(text, "SP") == 0)
    return snprintf(out, 32, "SP") > 0;
  if (!isa_arm_register(text, &n, width))
    return false;
  return n == ISA_ZERO_REGISTER ? snprintf(out, 32, "XZR") > 0
                                : snprintf(out, 32, "X%u", n) > 0;
}

static bool riscv_register(const char *text, char out[32], unsigned *width) {
  static const char *const abi[] = {
      "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
      "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
      "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
  unsigned n;
  *width = 64;
  if (is_numbered(text, 'x', 32, &n))
    return snprintf(out, 32, "x%u", n) > 0;
  for (n = 0; n < 32; n++)
    if (strcasecmp(text, abi[n]) == 0 ||
        (n == 8 && strcasecmp(text, "fp") == 0))
      return snprintf(out, 32, "x%u", n) > 0;
  return false;
}

static bool x86_register(const char *text, char out[32], unsigned *width) {
  text += *text == '%';
  const char *name = isa_x86_register(text, width);
  if (!name && (strcasecmp(text, "rip") == 0 || strcasecmp(text, "cs") == 0)) {
    *width = 64; // nothing writes them
    name = tolower((unsigned char)text[0]) == 'r' ? "rip" : "cs";
  }
  return name && snprintf(out, 32, "%s", name) > 0;
}

// ARM and POWER: r0 ... , a word each.
static bool word_register(const char *text, unsigned count, char out[32],
                          unsigned *width) {
  unsigned n;
  *width = 64; // a cell of memory holds a whole address
  if (!is_numbered(text, 'r', count, &n))
    return false;
  return snprintf(out, 32, "%c%u", count == 16 ? 'R' : 'r', n) > 0;
}

static bool arm_register(const char *text, char out[32], unsigned *width) {
  static const char *const names[] = {"sl", "fp", "ip", "sp", "lr", "pc"};
  for (unsigned i = 0; i < 6; i++)
    if (strcasecmp(text, names[i]) == 0) {
      *width = 64;
      return snprintf(out, 32, "R%u", 10 + i) > 0;
    }
  return word_register(text, 16, out, width);
}

// $2 or $v0; in tests also v0.
static bool mips_register(const char *text, char out[32], unsigned *width) {
  static const char *const abi[] = {
      "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2",
      "t3",   "t4", "t5", "t6", "t7", "s0", "s1", "s2", "s3", "s4", "s5",
      "s6",   "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra"};
  unsigned n;
  *width = 64;
  bool is_number = is_numbered(text, '$', 32, &n);
  text += *text == '$';
  for (unsigned i = 0; !is_number && i < LENGTH(abi); i++)
    if (strcasecmp(text, abi[i]) == 0 ||
        (i == 30 && strcasecmp(text, "s8") == 0)) {
      is_number = true;
      n = i;
    }
  return is_number && snprintf(out, 32, "$%u", n) > 0;
}

bool register_is_symbolic(enum arch a, const struct token *name) {
  return name->kind == TOK_NAME && name->len > 1 && name->at[0] == '%' &&
         a != ARCH_X86 && a != ARCH_X86_64 && !arch_is_language(a);
}

bool register_name(enum arch a, const char *text, char out[32],
                   unsigned *width) {
  // %x1: some register, which the test leaves open; W%x1 is its lower half.
  if (a == ARCH_AARCH64 && text[0] && strchr("WwXx", text[0]) &&
      text[1] == '%') {
    bool ok = register_name(a, text + 1, out, width);
    *width = tolower((unsigned char)text[0]) == 'w' ? 32 : 64;
    return ok;
  }
  if (text[0] == '%' && a != ARCH_X86 && a != ARCH_X86_64) {
    *width = 64;
    return text[1] && strlen(text) < 32 && snprintf(out, 32, "%s", text) > 0;
  }
  switch (a) {
  case ARCH_AARCH64:
    return aarch64_register(text, out, width);
  case ARCH_ARM:
    return arm_register(text, out, width);
  case ARCH_PPC:
    return word_register(text, 32, out, width);
  case ARCH_RISCV:
    return riscv_register(text, out, width);
  case ARCH_X86:
    if (!x86_register(text, out, width))
      return false;
    // Tests of 32 bits speak of EAX. A cell holds a whole address; AX and AL
    // are parts of it.
    if (out[1] != '1' && !isdigit((unsigned char)out[1]))
      out[0] = 'e';
    for (char *c = out; *c; c++)
      *c = (char)toupper((unsigned char)*c);
    *width = *width < 32 ? *width : 64;
    return true;
  case ARCH_X86_64:
    return x86_register(text, out, width);
  case ARCH_LISA:
    return word_register(text, 100, out, width);
  case ARCH_BPF:
    return word_register(text, 11, out, width);
  case ARCH_MIPS:
    return mips_register(text, out, width);
  case ARCH_C:
  case ARCH_JAVA:
    break;
  }
  return false;
}
