// SPDX-License-Identifier: MIT
// Running other programs: compilers.
#pragma once

#include "front/clang/command.h"

// What a child process wrote, and how it ended.
struct outcome {
  struct bitcode out, err;
  struct bitcode log; // what it looked at (watched.h), when that was asked for
  int status;         // as of waitpid
};

void outcome_done(struct outcome *r);

// Runs argv[0] to its end; with `watch` (a descriptor of watch.so, or -1) also
// says what it looked at. False: it could not be started (errno says why).
bool child_run(char *const *argv, int watch, struct outcome *ret);

// The first executable file of that name on $PATH (a name with a slash is
// taken as it is).
bool child_find(const char *name, struct str *ret);

// The next one on a path, which begins as child_path and is what is left of it
// then.
const char *child_path(void);
bool child_next(const char *name, const char **path, struct str *ret);

// All of `fd` from its start. The NUL after the end is not counted.
bool child_read(int fd, struct bitcode *ret);
