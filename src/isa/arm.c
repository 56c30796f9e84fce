// SPDX-License-Identifier: MIT
// AArch64: names. Those of accesses and updates are a stem, the letters of the
// order, and the letters of the size.
#include "isa/isa.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool isa_arm_condition(const char *name, struct isa_condition *ret) {
  static const struct {
    const char *name, *opposite;
    enum isa_test test;
  } rows[] = {
      {"eq", "ne", ISA_EQUAL},      {"lt", "ge", ISA_LESS},
      {"le", "gt", ISA_LESS_EQUAL}, {"lo", "hs", ISA_BELOW},
      {"cc", "cs", ISA_BELOW},      {"ls", "hi", ISA_BELOW_EQUAL},
      {"mi", "pl", ISA_NEGATIVE},   {"vs", "vc", ISA_OVERFLOW},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    bool is_opposite = strcasecmp(name, rows[i].opposite) == 0;
    if (!is_opposite && strcasecmp(name, rows[i].name) != 0)
      continue;
    *ret = (struct isa_condition){rows[i].test, is_opposite};
    return true;
  }
  return false;
}

bool isa_arm_register(const char *name, unsigned *number, unsigned *width) {
  char letter = (char)tolower((unsigned char)name[0]), *end;
  if (letter != 'w' && letter != 'x')
    return false;
  *width = letter == 'w' ? 32 : 64;
  *number = ISA_ZERO_REGISTER;
  if (strcasecmp(name + 1, "zr") == 0)
    return true;
  if (!isdigit((unsigned char)name[1]) || strlen(name) > 3)
    return false;
  *number = (unsigned)strtoul(name + 1, &end, 10);
  return !*end && *number < ISA_ZERO_REGISTER;
}

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// b, h, or of loads sb, sh, sw; nothing: as wide as the register.
static bool read_size(const char *p, bool *is_signed, unsigned *width) {
  *is_signed = *p == 's';
  p += *is_signed;
  *width = *p == 'b' ? 8 : *p == 'h' ? 16 : *p == 'w' && *is_signed ? 32 : 0;
  return *width ? !p[1] : !*p && !*is_signed;
}

bool isa_arm_access(const char *name, struct isa_access *ret) {
  static const struct {
    const char *stem;
    bool is_load, is_exclusive;
    enum isa_order order;
  } rows[] = {
      {"ldr", true, false, ISA_PLAIN},
      {"ldur", true, false, ISA_PLAIN},
      {"ldtr", true, false, ISA_PLAIN},
      {"ldar", true, false, ISA_ACQUIRE},
      {"ldlar", true, false, ISA_ACQUIRE},
      {"ldapr", true, false, ISA_ACQUIRE_PC},
      {"ldapur", true, false, ISA_ACQUIRE_PC},
      {"ldxr", true, true, ISA_PLAIN},
      {"ldaxr", true, true, ISA_ACQUIRE},
      {"str", false, false, ISA_PLAIN},
      {"stur", false, false, ISA_PLAIN},
      {"sttr", false, false, ISA_PLAIN},
      {"stlr", false, false, ISA_RELEASE},
      {"stlur", false, false, ISA_RELEASE},
      {"stllr", false, false, ISA_RELEASE},
      {"stxr", false, true, ISA_PLAIN},
      {"stlxr", false, true, ISA_RELEASE},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    struct isa_access a = {.is_load = rows[i].is_load,
                           .is_exclusive = rows[i].is_exclusive,
                           .order = rows[i].order};
    if (!begins(name, rows[i].stem) ||
        !read_size(name + strlen(rows[i].stem), &a.is_signed, &a.width) ||
        (a.is_signed && (!a.is_load || a.is_exclusive)))
      continue;
    *ret = a;
    return true;
  }
  return false;
}

const char *isa_arm_letters(const char *p, bool *acquires, bool *releases) {
  *acquires = *p == 'a';
  p += *acquires;
  *releases = *p == 'l';
  return p + *releases;
}

bool isa_arm_update(const char *name, struct isa_update *ret) {
  static const struct {
    const char *stem;
    enum op op;
  } rows[] = {
      {"swp", OP_mov},    {"cas", OP_cas_load}, {"ldadd", OP_add},
      {"ldset", OP_or},   {"ldclr", OP_and},    {"ldeor", OP_xor},
      {"ldsmax", OP_sle}, {"ldsmin", OP_slt},   {"ldumax", OP_ule},
      {"ldumin", OP_ult},
  };
  bool is_store = begins(name, "st"), is_signed;
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    bool has_store = begins(rows[i].stem, "ld");
    const char *stem = rows[i].stem + (is_store && has_store ? 2 : 0);
    const char *rest = name + (is_store && has_store ? 2 : 0);
    if (!begins(rest, stem))
      continue;
    *ret = (struct isa_update){.op = rows[i].op,
                               .is_complement = rows[i].op == OP_and,
                               .is_store = is_store};
    rest = isa_arm_letters(rest + strlen(stem), &ret->acquires, &ret->releases);
    return read_size(rest, &is_signed, &ret->width) && !is_signed;
  }
  return false;
}
