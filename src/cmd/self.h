// SPDX-License-Identifier: MIT
// Heddle as a child of itself: a server asks by the command line what users ask
// by it, so it has the same answers, and a check that breaks takes only itself
// with it.
#pragma once

#include "cmd/cmd.h"

#include <sys/types.h>

struct self {
  pid_t pid; // 0: none
  int out;   // to read what it prints
  int err;   // a file with its complaints
  struct str printed, complaints;
  int code; // once it is over; -1: it was ended by a signal
};

// Starts `heddle ARGS` in a folder (NULL: here), with `input` (NULL: nothing)
// as standard input.
MUST_USE bool self_start(struct self *s, const word_list *args,
                         const char *folder, const char *input,
                         struct diag *why);
// Takes what it has printed by now, waiting for that; false: it is over.
bool self_read(struct self *s);
// All of that, to its end.
MUST_USE bool self_run(struct self *s, const word_list *args,
                       const char *folder, const char *input, struct diag *why);
// Ends it, if it runs, and forgets what it said.
void self_done(struct self *s);
