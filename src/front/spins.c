// SPDX-License-Identifier: MIT
// Before a thread sleeps, libraries look at a word many times, and go on as
// soon as it has changed. A few looks do as well: what a look sees but the last
// is forgotten, one that is left out orders nothing, and one that is added can
// read what the one before it has read. So their numbers are made small here,
// in the functions that are known to do so, by the names they have in Rust 1.85
// and in libc++ 19. Where they have other names nothing is wrong, but there is
// more to explore.
#include "front/spins.h"

#include <stdbool.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *list) {
  while (*list && !strstr(name, *list))
    list++;
  return *list;
}

static bool is_number(LLVMValueRef v, unsigned long long n) {
  return LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) == n;
}

// Each operand `from` of an instruction of that kind becomes `to`.
static void set_count(LLVMValueRef function, LLVMOpcode kind,
                      unsigned long long from, unsigned long long to) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      for (int k = 0;
           LLVMGetInstructionOpcode(i) == kind && k < LLVMGetNumOperands(i);
           k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (is_number(operand, from))
          LLVMSetOperand(i, (unsigned)k,
                         LLVMConstInt(LLVMTypeOf(operand), to, false));
      }
}

// Locks of Rust count down from 100 to 0 after the first look; the number is
// what the count begins with.
static const char *const locks[] = {"5mutex5futex5Mutex14lock_contended",
                                    "6rwlock5futex6RwLock14read_contended",
                                    "6rwlock5futex6RwLock15write_contended",
                                    NULL};
// Channels of Rust pass the time between two looks, and count how often they
// did, for no others.
static const char *const back_offs[] = {
    "4mpmc5utils7Backoff10spin_light", "4mpmc5utils7Backoff10spin_heavy", NULL};
// std::atomic::wait and its kin count up to 64 after the first look.
static const char *const polls[] = {"__libcpp_thread_poll_with_backoff", NULL};

static void replace(LLVMModuleRef m, LLVMValueRef g, const char *by) {
  LLVMValueRef other = LLVMGetNamedFunction(m, by);
  LLVMReplaceAllUsesWith(
      g, other ? other : LLVMAddFunction(m, by, LLVMGlobalGetValueType(g)));
}

void spins_shorten(LLVMModuleRef m) {
  size_t n;
  for (LLVMValueRef g = LLVMGetFirstFunction(m); g;
       g = LLVMGetNextFunction(g)) {
    const char *name = LLVMGetValueName2(g, &n);
    if (strncmp(name, "_ZN", 3) != 0)
      continue;
    if (is_one_of(name, polls))
      set_count(g, LLVMICmp, 64, 0);
    else if (is_one_of(name, locks))
      set_count(g, LLVMPHI, 100, 1);
    else if (is_one_of(name, back_offs))
      replace(m, g, "heddle_rust_back_off");
  }
}
