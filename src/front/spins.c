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
// So do those of the crate crossbeam, which says how often they did only if it
// is asked (is_completed): whether to sleep is decided by that.
static const char *const crossbeam[] = {
    "15crossbeam_utils7backoff7Backoff4spin17h",
    "15crossbeam_utils7backoff7Backoff6snooze17h", NULL};
static const char *const asks_crossbeam[] = {
    "15crossbeam_utils7backoff7Backoff12is_completed17h", NULL};
// std::atomic::wait and its kin count up to 64 after the first look.
static const char *const polls[] = {"__libcpp_thread_poll_with_backoff", NULL};

// The next function behind g, the first one if g is NULL, with such a name.
static LLVMValueRef next_of(LLVMModuleRef m, LLVMValueRef g,
                            const char *const *list) {
  size_t n;
  g = g ? LLVMGetNextFunction(g) : LLVMGetFirstFunction(m);
  while (g && !is_one_of(LLVMGetValueName2(g, &n), list))
    g = LLVMGetNextFunction(g);
  return g;
}

static const char *name_of_user(LLVMValueRef user) {
  size_t n;
  return LLVMIsAInstruction(user)
             ? LLVMGetValueName2(
                   LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)), &n)
             : "";
}

// Does anything ask a back-off of crossbeam how often it passed the time, other
// than to print it?
static bool is_asked(LLVMModuleRef m) {
  for (LLVMValueRef g = NULL; (g = next_of(m, g, asks_crossbeam));)
    for (LLVMUseRef u = LLVMGetFirstUse(g); u; u = LLVMGetNextUse(u))
      if (!strstr(name_of_user(LLVMGetUser(u)), "fmt..Debug"))
        return true;
  return false;
}

// A function that rustc optimised may be in code into which it put the
// question, where nothing is seen of it. If so, the look at the count is no
// call.
static bool is_as_written(LLVMValueRef function) {
  static const char *const get[] = {"4cell", NULL};
  size_t n;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i) &&
          is_one_of(LLVMGetValueName2(LLVMGetCalledValue(i), &n), get))
        return true;
  return false;
}

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
  for (LLVMValueRef f = NULL; (f = next_of(m, f, crossbeam)) && !is_asked(m);)
    if (is_as_written(f))
      replace(m, f, "heddle_rust_back_off");
}
