// SPDX-License-Identifier: MIT
// What rt/ may ask about the program, so that a feature costs nothing where it
// is not used: an `extern const int __heddle_uses_NAME` is 1 if the user's
// files mention the function NAME or may use it without naming it,
// `__heddle_mentions_NAME` if they mention it, `__heddle_option_NAME` is an
// option, and `__heddle_has_destructors` is 1 if there are functions with the
// attribute destructor.
#include "front/stage.h"

#include <string.h>

static const char uses[] = "__heddle_uses_", mentions[] = "__heddle_mentions_",
                  option[] = "__heddle_option_", has[] = "__heddle_has_";

static bool has_prefix(LLVMValueRef global, const char *prefix) {
  size_t len;
  const char *name = LLVMGetValueName2(global, &len);
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

bool question_is(LLVMValueRef global) {
  return LLVMIsAGlobalVariable(global) && LLVMIsDeclaration(global) &&
         (has_prefix(global, uses) || has_prefix(global, mentions) ||
          has_prefix(global, option) || has_prefix(global, has));
}

bool question_mentions(const struct front *f, const char *function) {
  for (uint32_t i = 0; i < f->nmodules; i++)
    if (!f->modules[i].is_library &&
        LLVMGetNamedFunction(f->modules[i].llvm, function))
      return true;
  return false;
}

bool question_forces(const struct front *f) {
  return question_mentions(f, "__gxx_personality_v0") &&
         (question_mentions(f, "pthread_exit") ||
          question_mentions(f, "thrd_exit") ||
          question_mentions(f, "pthread_cancel"));
}

// Who asks for an option does what the answer with the verdict is about.
static bool option_answer(const struct front *f, const char *name) {
  bool is_clocks = strcmp(name, "still_clocks") == 0;
  check(is_clocks || strcmp(name, "spurious_wakeups") == 0);
  bool is_set =
      is_clocks ? f->options->still_clocks : f->options->spurious_wakeups;
  if (is_clocks)
    f->prog->has_clocks = true;
  else if (!is_set)
    f->prog->supposed |= 1 << SUPPOSES_SIGNALS;
  return is_set;
}

bool question_answer(const struct front *f, LLVMValueRef global) {
  size_t len;
  const char *name = LLVMGetValueName2(global, &len);
  if (has_prefix(global, option))
    return option_answer(f, name + strlen(option));
  if (has_prefix(global, has)) {
    check(strcmp(name + strlen(has), "destructors") == 0);
    return f->destructors.len > 0;
  }
  if (has_prefix(global, mentions))
    return question_mentions(f, name + strlen(mentions));
  // The host's headers may use a feature without naming its function.
  return f->options->system_headers || f->has_cxx ||
         question_mentions(f, name + strlen(uses));
}
