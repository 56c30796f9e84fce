// SPDX-License-Identifier: MIT
// What clang says about a program that it does not accept.
#pragma once

#include "base/diag.h"
#include "base/str.h"

// Fills `why` from clang's messages (which are made printable) and how it ended
// (as of waitpid); yields false.
bool complaint_set(struct diag *why, const char *clang, const char *file,
                   char *text, int status);
// May the host's headers have what is missing?
bool complaint_asks_for_more(const struct diag *why);
// Is it about a function without a declaration?
bool complaint_is_undeclared(const struct diag *why);
// Adds flags that declare the names of other checkers which it is about; false:
// there are no new ones.
bool complaint_needs_names(const struct diag *why, struct str *flags);
// Says what to do about a header that is not found, or a function without a
// declaration.
void complaint_advise(struct diag *why);
