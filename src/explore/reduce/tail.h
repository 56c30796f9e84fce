// SPDX-License-Identifier: MIT
// Inside explore/: the ends of threads, and joins before the end of main.
#pragma once

#include "explore/search/search.h"

// Does the result of thread t make no difference to main, as far as is known?
bool tail_ignores(const struct explorer *x, thread_id t, uint64_t result);
// Has the model nothing to say of complete graphs alone that is about anything
// in this one? (Where that is not known, the tail is added.)
bool tail_is_idle(const struct explorer *x);
// Does nothing but the tail follow, with status 0, if the next event of thread
// t leads to a plain end with such a result? Then the length of the tail.
bool tail_follows(struct explorer *x, thread_id t, uint32_t *events);
