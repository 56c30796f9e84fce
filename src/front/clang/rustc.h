// SPDX-License-Identifier: MIT
// Programs of Rust.
#pragma once

#include "front/front.h"

// One file with main, and the library of Rust in the same bitcode.
MUST_USE bool rustc_compile(const struct front_options *o, const char *file,
                            struct bitcode *ret, struct diag *why);
