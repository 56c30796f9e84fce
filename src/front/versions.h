// SPDX-License-Identifier: MIT
// What differs between the versions of LLVM that Heddle is built with, 19 to
// 22. Nothing else in front/ asks which version it is.
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm/Config/llvm-config.h>

#include <stdbool.h>

_Static_assert(LLVM_VERSION_MAJOR >= 19 && LLVM_VERSION_MAJOR <= 22,
               "the versions of LLVM that are known here");

#define VERSION_TEXT_OF(x) #x
#define VERSION_TEXT(x) VERSION_TEXT_OF(x)
#define LLVM_MAJOR VERSION_TEXT(LLVM_VERSION_MAJOR)

// Flags of clang for what it has become eager about: a call of modf stays one,
// and is no intrinsic that returns two numbers.
#define LLVM_OWN_FLAGS "-fno-builtin-modf -fno-builtin-modff -fno-builtin-modfl"

// A constant outside of an enumeration: from clang 20 on nothing switches that
// error off.
#if LLVM_VERSION_MAJOR < 20
#define ENUM_LIKE_GXX "-Wno-error=enum-constexpr-conversion "
#else
#define ENUM_LIKE_GXX ""
#endif

// Puts what a module says about the variables of its functions into the form
// that the next functions expect.
void versions_prepare(LLVMModuleRef m);

// Is this a call that only describes a variable?
bool versions_is_debug_call(LLVMValueRef inst);

// What `inst`, or what stands before it, says about variables: the alloca or
// parameter that holds one, and the variable.
typedef void variable_found(void *context, LLVMValueRef holder,
                            LLVMMetadataRef variable);
void versions_variables(LLVMValueRef inst, variable_found *found,
                        void *context);

// The value with which a switch goes to its successor `i`; the first successor,
// of index 0, is the default.
LLVMValueRef versions_case_value(LLVMValueRef inst, unsigned i);

// The object whose life a call of llvm.lifetime.start or .end is about.
LLVMValueRef versions_lifetime_object(LLVMValueRef call);
