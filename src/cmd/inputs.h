// SPDX-License-Identifier: MIT
// What clang is given: the files, with standard input as a file of its own, and
// the flags, with those of a compilation database.
#pragma once

#include "cmd/cmd.h"

struct inputs {
  word_list files, flags;
  text_list own; // that these refer to, beside those of the options
  bool has_stdin;
};

MUST_USE bool inputs_make(struct inputs *in, const struct options *o,
                          struct diag *why);
void inputs_done(struct inputs *in);
// Calls the file of standard input by its name in what clang said.
void inputs_name_stdin(char *text, size_t size);

// -- database.c

// Adds what compile_commands.json says about the files of `o`, as far as it is
// about what the program means.
MUST_USE bool database_add(struct inputs *in, const struct options *o,
                           struct diag *why);
// Is there such a file in that folder?
bool database_is_in(const char *folder);
