// SPDX-License-Identifier: MIT
// Stopping loudly. A verifier that goes on from a broken state lies, so
// check() stays on in every build and ends the process with exit code 70.
// Out of memory is not a bug: it ends the process after telling what is known
// so far, with exit code 3 ("incomplete") unless an error is.
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#define MUST_USE __attribute__((warn_unused_result))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

enum exit_code {
  EXIT_OK = 0,         // no error found and the exploration is complete
  EXIT_FINDING = 1,    // an error was found
  EXIT_BAD_INPUT = 2,  // bad input or usage
  EXIT_INCOMPLETE = 3, // a limit was hit: nothing can be claimed
  EXIT_INTERNAL = 70,  // Heddle itself is broken
};

_Noreturn void fatal_internal(const char *file, int line, const char *what);
// Of several jobs that share nothing, one that is broken need not end the
// others: what fatal_internal would say about this thread goes to `what`, and
// the thread goes on behind its setjmp. What the job had is lost, so is its
// memory. NULL: fatal_internal ends the process again.
struct fatal_catch {
  jmp_buf to;
  char what[256];
};
void fatal_catch(struct fatal_catch *here);

_Noreturn void fatal_out_of_memory(size_t wanted);
// Ends the process in the same way: a limit was hit in the middle of something.
_Noreturn void fatal_limit(const char *limit);

// Called (once) when memory runs out or a limit ends the process, before it
// ends with what this returns, to report what is known so far in memory that
// was kept for that.
typedef enum exit_code tell_partial_result(void *, const char *limit);
void fatal_on_limit(tell_partial_result *tell, void *arg);

#define check(e)                                                               \
  (__builtin_expect(!!(e), 1) ? (void)0                                        \
                              : fatal_internal(__FILE__, __LINE__, #e))

// The build option -Dchecks=slow recomputes every incremental structure.
#ifndef HEDDLE_SLOW_CHECKS
#define HEDDLE_SLOW_CHECKS 0
#endif

void *xmalloc(size_t n) __attribute__((malloc, returns_nonnull));
void *xcalloc(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *xrealloc(void *p, size_t n) __attribute__((returns_nonnull));
