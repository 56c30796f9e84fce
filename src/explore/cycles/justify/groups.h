// SPDX-License-Identifier: MIT
// Groups of threads in which cores are looked for. justify.c finds them,
// groups.c says which groups there are.
#pragma once

#include "explore/cycles/justify/justify.h"
#include "explore/cycles/justify/over.h"

struct justify;
// A group of which nothing is known; the scout explores it for x.
struct justify *group_new(struct explorer *x, struct explorer *scout,
                          uint64_t threads, const struct uses *uses);
void group_free(struct justify *j);
// What the scout of x tells, while it looks at a group.
struct observer group_observer(const struct explorer *x);
// Finds all candidates at once, if `a`, what threads could do alone, says
// enough.
void group_foresee(struct justify *j, struct over *a);
// May there be a core?
bool group_is_open(const struct justify *j);
// Appends the cores, and each of them together with each of those that are
// there already, of other threads. False: a limit was hit.
bool group_find(struct justify *j, struct cores *ret);
