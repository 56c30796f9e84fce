// SPDX-License-Identifier: MIT
// What Heddle does not have, in code that may never run: a call of a function
// that are not defined, assembly that it does not know. The program stops there
// if an execution comes to it, and the check ends without a verdict; code that
// no execution reaches does no harm.
#include "front/lower/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// What to do about functions of the operating system, by how their names begin.
static const struct {
  const char *names; // with a blank after each; `*`: and whatever follows
  const char *advice;
} advices[] = {
    {"fopen* fdopen freopen fread fgets fgetc getc getchar gets ungetc fscanf "
     "scanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc23_scanf "
     "__isoc23_fscanf getline getdelim "
     "fseek ftell rewind fclose fileno tmpfile remove "
     "rename creat read pread write pwrite readv writev lseek close fstat "
     "unlink mkdir readdir pipe pipe2 dup dup2 fcntl ioctl reading_a_file ",
     "there are no files: let the program have its data in memory"},
    {"reading_stdin_without_the_option_stdin ",
     "--stdin FILE gives the program its input"},
    {"socket bind listen accept connect send recv sendto recvfrom sendmsg "
     "recvmsg getaddrinfo select poll epoll_* eventfd ",
     "there is no network and no other process: write a function of that name "
     "that yields what it may"},
    {"fork vfork exec* posix_spawn* wait waitpid system popen kill ",
     "a check is about one process: call the child's code in a thread"},
    {"signal sigaction sigprocmask pthread_sigmask sigwait pthread_kill alarm "
     "setitimer timer_* raise_of_a_signal_* ",
     "there are no signals: call the handler in a thread"},
    {"dlopen dlsym dlclose ",
     "there are no shared libraries: give their source files too"},
    {"__VERIFIER_hp_* __VERIFIER_hazptr_* ",
     "write the hazard pointers out, as in examples/hazard-pointers.c"},
};

static bool is_named(const char *names, const char *name) {
  for (const char *at = names; *at;) {
    size_t n = strcspn(at, " ");
    bool rest = at[n - 1] == '*';
    if (strncmp(at, name, n - rest) == 0 && (rest || name[n] == 0))
      return true;
    at += n + 1;
  }
  return false;
}

static const char *advice_for(const char *function, const char *otherwise) {
  for (size_t i = 0; i < LENGTH(advices); i++)
    if (is_named(advices[i].names, function))
      return advices[i].advice;
  return otherwise;
}

// The message, and after a line end the advice, is a string of the program.
static void stop_here(struct lowering *l, const char *message,
                      const char *advice) {
  struct str text = {0};
  str_add(&text, "%s%s%s", message, *advice ? "\n" : "", advice);
  vreg argument = lower_number(l, prog_string(l->f->prog, str_text(&text)));
  lower_emit(l, OP_sys, 0, argument, call_slots(1, 0), BI_unsupported);
  str_done(&text);
}

void lower_unsupported(struct lowering *l, const char *fmt, ...) {
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  stop_here(l, text, "");
  LLVMTypeRef t = LLVMTypeOf(l->inst);
  if (type_slots(t))
    lower_undef(l, lower_result(l, l->inst), t);
}

static void stop_at_function(struct lowering *l, const char *mangled) {
  char text[512];
  const char *name = prog_text(l->f->prog, demangle(l->f, mangled));
  static const char ours[] = "__heddle_unsupported_"; // so rt/ says it
  if (strncmp(name, ours, sizeof ours - 1) != 0) {
    snprintf(text, sizeof text, "unknown external function `%s`", name);
    stop_here(l, text,
              runtime_lacks_libcxx(l->f, mangled)
                  ? WITHOUT_LIBCXX
                  : advice_for(name, "give the source file that defines it "
                                     "too, or write a function of that name "
                                     "that does what matters"));
    return;
  }
  name += sizeof ours - 1;
  snprintf(text, sizeof text, "%s is not supported", name);
  for (char *p = text; *p; p++)
    *p = *p == '_' ? ' ' : *p;
  stop_here(l, text, advice_for(name, ""));
}

void lower_unknown_call(struct lowering *l, LLVMValueRef call,
                        const char *name) {
  stop_at_function(l, name);
  LLVMTypeRef t = LLVMTypeOf(call);
  if (type_slots(t))
    lower_undef(l, lower_result(l, call), t);
}

void lower_unknown_function(struct lowering *l) {
  stop_at_function(l, prog_text(l->f->prog, l->c->name));
  uint32_t results = l->c->results;
  vreg result = code_regs(l->c, results ? results : 1);
  for (uint32_t i = 0; i < results; i++)
    lower_emit(l, OP_undef, result + i, 0, 0, 64);
  lower_emit(l, OP_ret, result, results, 0, 0);
}
