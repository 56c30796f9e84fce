// SPDX-License-Identifier: MIT
// Modules of rustc.
#pragma once

#include <llvm-c/Core.h>

#include <stdbool.h>

// Makes ready what is Rust's in a module. False: it is of another compiler.
bool rust_prepare(LLVMModuleRef m);
