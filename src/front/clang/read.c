// SPDX-License-Identifier: MIT
// From bytes to a module of LLVM. What clang made for us just now is trusted.
// LLVM trusts its input too: damaged bitcode may well end the process, or keep
// it busy for ever. So a file that the user gives as bitcode or assembly is
// read in a child process first, within limits, and LLVM's verifier has to
// accept it; the lowering then relies on what the verifier guarantees.
#include "front/stage.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/IRReader.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// LLVM's own handler prints and exits; ours keeps the first message.
static void keep_message(LLVMDiagnosticInfoRef info, void *ctx) {
  struct str *text = ctx;
  if (text->len || LLVMGetDiagInfoSeverity(info) != LLVMDSError)
    return;
  char *message = LLVMGetDiagInfoDescription(info);
  str_add(text, "%s", message);
  LLVMDisposeMessage(message);
}

static LLVMModuleRef parse(LLVMContextRef context, const char *file,
                           const struct bitcode *b, struct str *message) {
  LLVMContextSetDiagnosticHandler(context, keep_message, message);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
      b->bytes, b->len, file, /*RequiresNullTerminator=*/b->is_text);
  LLVMModuleRef m = NULL;
  bool bad;
  if (b->is_text) { // takes the buffer
    char *text = NULL;
    bad = LLVMParseIRInContext(context, buffer, &m, &text);
    if (bad)
      str_add(message, "%s", text ? text : "");
    LLVMDisposeMessage(text);
  } else {
    bad = LLVMParseBitcodeInContext2(context, buffer, &m);
    LLVMDisposeMemoryBuffer(buffer);
  }
  LLVMContextSetDiagnosticHandler(context, NULL, NULL);
  return bad ? NULL : m;
}

// Takes the module away when it is not well-formed.
static LLVMModuleRef verify(LLVMModuleRef m, struct str *message) {
  char *text = NULL;
  bool bad = LLVMVerifyModule(m, LLVMReturnStatusAction, &text);
  if (bad)
    str_add(message, "%.*s", (int)strcspn(text, "\n"), text);
  LLVMDisposeMessage(text);
  if (bad)
    LLVMDisposeModule(m);
  return bad ? NULL : m;
}

// -- in a child process

// Generous: LLVM reads some ten megabytes in a second.
static rlim_t seconds_for(const struct bitcode *b) {
  return 5 + b->len / 1000000;
}

static void limit(__rlimit_resource_t what, rlim_t most) {
  struct rlimit r;
  if (getrlimit(what, &r) != 0)
    return;
  if (r.rlim_max == RLIM_INFINITY || r.rlim_max > most)
    r.rlim_max = most;
  r.rlim_cur = r.rlim_max;
  setrlimit(what, &r);
}

static LLVMModuleRef read_verified(struct front *f, const char *file,
                                   const struct bitcode *b,
                                   struct str *message) {
  LLVMModuleRef m = parse(f->context, file, b, message);
  return m ? verify(m, message) : NULL;
}

static void try(struct front *f, const char *file, const struct bitcode *b) {
  struct str message = {0};
  struct sigaction usual = {.sa_handler = SIG_DFL};
  sigaction(SIGXCPU, &usual, NULL);
  limit(RLIMIT_CPU, seconds_for(b));
  limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__ // which reserves more than any limit
  limit(RLIMIT_AS, (rlim_t)4 << 30);
#endif
  read_verified(f, file, b, &message);
  _exit(0);
}

// What becomes of a process that reads this; NULL: no harm. A refusal does
// none.
static const char *harm(struct front *f, const char *file,
                        const struct bitcode *b) {
  pid_t child = fork();
  if (child == 0)
    try(f, file, b);
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (child < 0)
    return "there is no process to try it in";
  if (WIFSIGNALED(status) &&
      (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL))
    return "the file is damaged: reading it takes too long";
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    return "the file is damaged: LLVM crashes on it";
  return NULL;
}

// LLVM prints what it thinks of debug information straight to stderr. Returns
// what takes that back.
static int hush(void) {
  int old = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  int none = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (old >= 0 && none >= 0)
    dup2(none, STDERR_FILENO);
  if (none >= 0)
    close(none);
  return old;
}

static void unhush(int old) {
  if (old < 0)
    return;
  dup2(old, STDERR_FILENO);
  close(old);
}

// Whether LLVM survives may depend on where things lie in memory. The child and
// we do the very same from the very same state, so what did it no harm does
// none to us.
static LLVMModuleRef read_foreign(struct front *f, const char *file,
                                  const struct bitcode *b,
                                  struct str *message) {
  int old = hush();
  LLVMModuleRef m = NULL;
  const char *danger = harm(f, file, b);
  if (danger)
    str_add(message, "%s", danger);
  else
    m = read_verified(f, file, b, message);
  unhush(old);
  return m;
}

bool module_is_foreign(const char *file) {
  const char *dot = strrchr(file, '.');
  return dot && (strcmp(dot, ".bc") == 0 || strcmp(dot, ".ll") == 0);
}

bool module_is_optimised(const char *file) {
  const char *dot = strrchr(file, '.');
  return module_is_foreign(file) || (dot && strcmp(dot, ".rs") == 0);
}

static void refuse(struct front *f, const char *file, const char *message) {
  f->failed = true;
  diag_set(f->why, file, 0, "not a module that LLVM %d can read: %s",
           LLVM_VERSION_MAJOR, message);
  diag_hint(f->why,
            "bitcode of a newer clang or rustc? use one of LLVM %d, or give "
            "the source file",
            LLVM_VERSION_MAJOR);
}

LLVMModuleRef module_read(struct front *f, const char *file,
                          const struct bitcode *b) {
  struct str message = {0};
  LLVMModuleRef m = module_is_foreign(file)
                        ? read_foreign(f, file, b, &message)
                        : parse(f->context, file, b, &message);
  if (!m)
    refuse(f, file, str_text(&message));
  str_done(&message);
  return m;
}
