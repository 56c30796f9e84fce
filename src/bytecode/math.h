// SPDX-License-Identifier: MIT
// The functions of math.def, numbered. The builtin `math` computes those of
// double and, with MATH_SINGLE added, of float; `extended` those of long
// double.
#pragma once

enum math_function {
#define MATH1(name) MATH_##name,
#define MATH2(name) MATH_##name,
#include "bytecode/math.def"
#undef MATH1
#undef MATH2
  MATH_COUNT,
  MATH_SINGLE = 64,
};

// Added to a conversion of printf: the flag #.
enum { FORMAT_ALTERNATE = 256 };
