// SPDX-License-Identifier: MIT
// AArch64: what aarch64.c and aarch64_compute.c share.
#pragma once

#include "litmus/asm.h"

// Is it an instruction that computes in registers? *ret: was it lowered?
bool aarch64_try_compute(struct build *l, const struct asm_insn *in, bool *ret);
