// SPDX-License-Identifier: MIT
// The ways out: a failed check(), lack of memory, and the point to which a
// caller that answers for many inputs returns instead.
#include "base/fatal.h"

#include "base/patience.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static tell_partial_result *tell_partial;
static void *tell_arg;

void fatal_on_limit(tell_partial_result *tell, void *arg) {
  tell_partial = tell;
  tell_arg = arg;
}

static _Thread_local struct fatal_catch *caught_by;

void fatal_catch(struct fatal_catch *here) {
  caught_by = here;
}

_Noreturn void fatal_internal(const char *file, int line, const char *what) {
  struct fatal_catch *here = caught_by;
  if (here) {
    snprintf(here->what, sizeof here->what, "%s:%d: %s", file, line, what);
    caught_by = NULL;
    longjmp(here->to, 1);
  }
  fprintf(stderr,
          "heddle: internal error at %s:%d: %s\n"
          "heddle: this is a bug in Heddle, not in your program; no verdict "
          "can be given. Please report it with the input file.\n",
          file, line, what);
  fflush(NULL);
  _Exit(EXIT_INTERNAL);
}

// Several threads may come here at once; one of them tells and ends the
// process, which may fail for want of memory once more. The others stand still,
// also those that want memory only then: what is left is for the report.
static atomic_bool is_told;
static _Thread_local bool is_me; // who tells

static void stand_still(void) {
  while (atomic_load_explicit(&is_told, memory_order_relaxed) && !is_me)
    pause();
}

static void wait_for_others(void) {
  if (!is_me)
    is_me = !atomic_exchange(&is_told, true);
  stand_still();
}

static _Noreturn void end_incomplete(const char *limit) {
  enum exit_code code =
      tell_partial ? tell_partial(tell_arg, limit) : EXIT_INCOMPLETE;
  fflush(NULL);
  _Exit((int)code);
}

_Noreturn void fatal_out_of_memory(size_t wanted) {
  wait_for_others();
  fprintf(stderr,
          "heddle: out of memory (wanted %zu more bytes); the result "
          "is incomplete\n",
          wanted);
  end_incomplete("out of memory");
}

_Noreturn void fatal_limit(const char *limit) {
  wait_for_others();
  if (!tell_partial)
    fprintf(stderr, "heddle: stopped (%s); the result is incomplete\n", limit);
  end_incomplete(limit);
}

void *xmalloc(size_t n) {
  patience_ask();
  stand_still();
  void *p = malloc(n ? n : 1);
  if (!p)
    fatal_out_of_memory(n);
  return p;
}

void *xcalloc(size_t n, size_t size) {
  patience_ask();
  stand_still();
  void *p = calloc(n ? n : 1, size ? size : 1);
  if (!p)
    fatal_out_of_memory(n * size);
  return p;
}

void *xrealloc(void *old, size_t n) {
  patience_ask();
  stand_still();
  void *p = realloc(old, n ? n : 1);
  if (!p)
    fatal_out_of_memory(n);
  return p;
}
