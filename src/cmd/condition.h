// SPDX-License-Identifier: MIT
// A condition over the final values of global variables, such as
// `r1 == 1 && (r2 == 0 || a[1].b != 3)`. Litmus notation is understood too:
// `=`, `/\`, `\/`, `~`.
#pragma once

#include "cmd/cmd.h"
#include "report/outcome.h"

struct condition;

// NULL if the text is no condition, or names no global variable of the program.
MUST_USE struct condition *
condition_read(const char *text, const struct prog *p, struct diag *why);
void condition_free(struct condition *c);
// Does it hold in the outcome? The program of `o` may be another one that was
// made from the same source.
bool condition_holds(const struct condition *c, const struct outcomes *o,
                     uint32_t outcome);
