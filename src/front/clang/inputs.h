// SPDX-License-Identifier: MIT
// What the answer of the compiler depends on, as part of a cache entry: made
// from the records of watch.c, and compared with how things are now.
#pragma once

#include "base/str.h"

struct compiler_run;

// Appends the inputs of one run of the compiler. False: its answer must not be
// kept, because the records are not complete or because something may have
// changed meanwhile.
MUST_USE bool inputs_add(struct str *out, const struct compiler_run *run);

// Is everything between `at` and `end` as it was then?
bool inputs_unchanged(const char *at, const char *end);
