// SPDX-License-Identifier: MIT
// x86-64: names.
#include "isa/isa.h"

#include <string.h>
#include <strings.h>

const char *isa_x86_register(const char *name, unsigned *width) {
  static const char *const registers[][4] = {
      // of 64, 32, 16 and 8 bits
      {"rax", "eax", "ax", "al"},      {"rbx", "ebx", "bx", "bl"},
      {"rcx", "ecx", "cx", "cl"},      {"rdx", "edx", "dx", "dl"},
      {"rsi", "esi", "si", "sil"},     {"rdi", "edi", "di", "dil"},
      {"rbp", "ebp", "bp", "bpl"},     {"rsp", "esp", "sp", "spl"},
      {"r8", "r8d", "r8w", "r8b"},     {"r9", "r9d", "r9w", "r9b"},
      {"r10", "r10d", "r10w", "r10b"}, {"r11", "r11d", "r11w", "r11b"},
      {"r12", "r12d", "r12w", "r12b"}, {"r13", "r13d", "r13w", "r13b"},
      {"r14", "r14d", "r14w", "r14b"}, {"r15", "r15d", "r15w", "r15b"},
  };
  for (unsigned i = 0; i < LENGTH(registers); i++)
    for (unsigned k = 0; k < 4; k++)
      if (strcasecmp(name, registers[i][k]) == 0) {
        *width = 64u >> k;
        return registers[i][0];
      }
  return NULL;
}

unsigned isa_x86_width(char letter) {
  static const char letters[] = "bwlq";
  const char *at = letter ? strchr(letters, letter) : NULL;
  return at ? 8u << (at - letters) : 0;
}

bool isa_x86_condition(const char *name, struct isa_condition *ret) {
  static const struct {
    const char *names[3];
    enum isa_test test;
  } rows[] = {
      {{"e", "z"}, ISA_EQUAL},         {{"l", "nge"}, ISA_LESS},
      {{"le", "ng"}, ISA_LESS_EQUAL},  {{"b", "c", "nae"}, ISA_BELOW},
      {{"be", "na"}, ISA_BELOW_EQUAL}, {{"s"}, ISA_NEGATIVE},
      {{"o"}, ISA_OVERFLOW},
  };
  static const char *const opposites[][2] = {
      {"ge", "l"}, {"g", "le"}, {"ae", "b"}, {"a", "be"}};
  const char *other = *name == 'n' ? name + 1 : NULL;
  for (unsigned i = 0; i < LENGTH(opposites); i++)
    if (strcmp(name, opposites[i][0]) == 0)
      other = opposites[i][1];
  for (unsigned i = 0; i < LENGTH(rows); i++)
    for (unsigned k = 0; k < 3 && rows[i].names[k]; k++) {
      bool is_it = strcmp(name, rows[i].names[k]) == 0;
      if (is_it || (other && strcmp(other, rows[i].names[k]) == 0)) {
        *ret = (struct isa_condition){rows[i].test, !is_it};
        return true;
      }
    }
  return false;
}
