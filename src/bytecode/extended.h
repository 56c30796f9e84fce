// SPDX-License-Identifier: MIT
// Numbers of 80 bits: `long double` as x86 has it. In registers such a number
// is two slots, the significand and what is above it. What can be done with
// them is one builtin (extended) with these operations.
#pragma once

enum extended_op {
  EXTENDED_ADD,
  EXTENDED_SUB,
  EXTENDED_MUL,
  EXTENDED_DIV,
  EXTENDED_REM,
  EXTENDED_NEG,
  // Yields 0 or 1; added to it is how, as LLVM numbers it (LLVMRealPredicate).
  EXTENDED_COMPARE,
  EXTENDED_COMPARE_LAST = EXTENDED_COMPARE + 15,
  EXTENDED_FROM_SIGNED, // of 64 bits, as all integers here
  EXTENDED_FROM_UNSIGNED,
  EXTENDED_FROM_FLOAT,
  EXTENDED_FROM_DOUBLE,
  // The second operand is the width that it should fit into, and IMM_CHECKED or
  // IMM_POISON (prog.h).
  EXTENDED_TO_SIGNED,
  EXTENDED_TO_UNSIGNED,
  EXTENDED_TO_FLOAT,
  EXTENDED_TO_DOUBLE,
  EXTENDED_MATH = 64, // added to it is which function (enum math_function)
  EXTENDED_MATH_ERROR = 128, // likewise; the errno of that, 0 if there is none
};
