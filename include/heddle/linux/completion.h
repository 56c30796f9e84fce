// SPDX-License-Identifier: MIT
// One thread waits until another has done something: complete() releases,
// waiting acquires. Nobody waits with a time-out, or may be interrupted.
#pragma once

#include <linux/compiler.h>

struct completion {
  int done; // how many threads may go on
};
#define COMPLETION_INITIALIZER(name)                                           \
  { 0 }
#define DECLARE_COMPLETION(name)                                               \
  struct completion name = COMPLETION_INITIALIZER(name)
#define DECLARE_COMPLETION_ONSTACK(name) DECLARE_COMPLETION(name)
#define init_completion(c) ((void)((c)->done = 0))
#define reinit_completion(c) WRITE_ONCE((c)->done, 0)

void complete(struct completion *c);
void complete_all(struct completion *c);
void wait_for_completion(struct completion *c);
bool try_wait_for_completion(struct completion *c);
bool completion_done(struct completion *c);
