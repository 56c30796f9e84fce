// SPDX-License-Identifier: MIT
// Bad input is data: a function that reads input returns false and fills a
// struct diag; only cmd/ prints it.
#pragma once

#include "base/fatal.h"

struct diag {
  char file[512]; // empty when no file is involved
  unsigned line;  // 0 when unknown
  unsigned column;
  char text[1536]; // what is wrong and what was expected
  char hint[512];  // what to do next; may be empty
};

// Fills `d` and returns false, so that `return diag_set(...)` reads well.
bool diag_set(struct diag *d, const char *file, unsigned line, const char *fmt,
              ...) PRINTF_LIKE(4, 5);
void diag_hint(struct diag *d, const char *fmt, ...) PRINTF_LIKE(2, 3);
