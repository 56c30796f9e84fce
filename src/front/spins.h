// SPDX-License-Identifier: MIT
#pragma once

#include <llvm-c/Core.h>

// Makes loops of libraries short that look at a word before they sleep.
void spins_shorten(LLVMModuleRef m);
