// SPDX-License-Identifier: MIT
// What the answer of the compiler depends on, as part of a cache entry: made
// from the records of watch.c, and compared with how things are now.
#pragma once

#include "base/str.h"

#include <time.h>

// Appends the inputs of one run of the compiler on the file `source`. False:
// its answer must not be kept, because the records are not complete or because
// something changed meanwhile. `began` is when the compiler started.
MUST_USE bool inputs_add(struct str *out, const char *log, size_t len,
                         const char *source, struct timespec began);

// Is everything between `at` and `end` as it was then?
bool inputs_unchanged(const char *at, const char *end);
