// SPDX-License-Identifier: MIT
// x86-64 and AArch64 as inline assembly of C (front/) and litmus tests both
// read them: names of registers and conditions, and what is in the name of an
// instruction. What an instruction becomes is said by each of the two: an
// acquiring load is one of C11 there, and one of the machine here.
#pragma once

#include "bytecode/prog.h"

#include <stdbool.h>

// -- conditions

// What flags say after a was compared with b.
enum isa_test {
  ISA_EQUAL,
  ISA_LESS, // signed
  ISA_LESS_EQUAL,
  ISA_BELOW, // unsigned
  ISA_BELOW_EQUAL,
  ISA_NEGATIVE, // a - b
  ISA_OVERFLOW,
};

struct isa_condition {
  enum isa_test test;
  bool is_negated;
};

// "eq", "hs"; "e", "nae". False: it is none.
bool isa_arm_condition(const char *name, struct isa_condition *ret);
bool isa_x86_condition(const char *name, struct isa_condition *ret);

// -- registers

// "al", in capitals or not: yields "rax", and *width 8; NULL: it is none.
const char *isa_x86_register(const char *name, unsigned *width);
// "w3": 3, and *width 32. "xzr" is the last. False: it is none.
enum { ISA_ZERO_REGISTER = 31 };
bool isa_arm_register(const char *name, unsigned *number, unsigned *width);

// -- names of instructions

// The bits that the last letter of addl says: b, w, l, q; else 0.
unsigned isa_x86_width(char letter);

enum isa_order { ISA_PLAIN, ISA_ACQUIRE_PC, ISA_ACQUIRE, ISA_RELEASE };

// A load or store of one register, such as ldapursh.
struct isa_access {
  bool is_load, is_exclusive, is_signed;
  enum isa_order order;
  unsigned width; // of what is accessed, in bits; 0: as wide as the register
};
bool isa_arm_access(const char *name, struct isa_access *ret);

// An update in one instruction, such as ldclralb.
struct isa_update {
  enum op op; // OP_mov: an exchange, OP_cas_load: a compare-exchange,
              // OP_sle, OP_ule: the maximum, OP_slt, OP_ult: the minimum
  bool is_complement; // of what the register holds: ldclr
  bool is_store;      // stadd: what was there goes nowhere
  bool acquires, releases;
  unsigned width; // as above
};
bool isa_arm_update(const char *name, struct isa_update *ret);
// [a] [l] at `p`; yields what follows.
const char *isa_arm_letters(const char *p, bool *acquires, bool *releases);
