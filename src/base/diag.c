// SPDX-License-Identifier: MIT
// A diagnostic is formatted when it is made, since what it speaks of may be
// gone by the time it is printed.
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

bool diag_set(struct diag *d, const char *file, unsigned line, const char *fmt,
              ...) {
  va_list ap;
  va_start(ap, fmt);
  snprintf(d->file, sizeof d->file, "%s", file ? file : "");
  d->line = line;
  d->column = 0;
  d->hint[0] = 0;
  vsnprintf(d->text, sizeof d->text, fmt, ap);
  va_end(ap);
  return false;
}

void diag_hint(struct diag *d, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(d->hint, sizeof d->hint, fmt, ap);
  va_end(ap);
}
