// SPDX-License-Identifier: MIT
// A condition over the final values of global variables and of what threads
// observed (heddle_observe), such as `r1 == 1 && (T2:r2 == 0 || a[1].b != 3)`.
// Litmus notation is understood too: `=`, `/\`, `\/`, `~`.
#pragma once

#include "base/diag.h"
#include "report/outcome.h"

struct condition;

// NULL if the text is no condition, or names what is no global variable of the
// program, which observes nothing either.
MUST_USE struct condition *
condition_read(const char *text, const struct prog *p, struct diag *why);
void condition_free(struct condition *c);
// Does it hold in the outcome? It does not if something that it names was not
// observed. The program of `o` may be another one that was made from the same
// source.
bool condition_holds(struct condition *c, const struct outcomes *o,
                     uint32_t outcome);
// After the search: did each name that is observed mean one thing? False if two
// threads observed it, or if there are executions and none did in any.
MUST_USE bool condition_was_clear(const struct condition *c,
                                  const struct outcomes *o, struct diag *why);
