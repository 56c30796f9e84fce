// SPDX-License-Identifier: MIT
// SC and TSO as machines: threads take turns on one memory, with a buffer of
// stores each for TSO, until no new state is met. Knows nothing of graphs, rf,
// co and reductions; loops are loops, locks are words. So it says what the
// search under sc and tso has to find, also in programs that wait.
#pragma once

#include "prop/hashes.h"
#include "vm/vm.h"

struct machine_answer {
  bool is_complete;         // false: too many states
  bool has_deadlock;        // all threads have ended or wait, and main waits
  struct hashes assertions; // that fail: their lines
};

struct machine_answer machine_run(const struct prog *p,
                                  const struct vm_config *config,
                                  bool has_buffers);
