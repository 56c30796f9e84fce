// SPDX-License-Identifier: MIT
// The command line of clang.
#pragma once

#include "front/front.h"

// Arguments or an environment: heap memory each, NULL at the end where one is
// needed.
typedef ARRAY(char *) words;

void words_add(words *a, const char *text);
void words_done(words *a);

enum language {
  LANGUAGE_NONE, // no source text that clang compiles
  LANGUAGE_C,
  LANGUAGE_CXX,
};

// By the file's name, or by -x among the user's flags.
enum language command_language(const struct front_options *o, const char *file);

struct command {
  const struct front_options *options;
  const char *clang, *include, *file;
  enum language language;
  const char *headers; // flags before `include`
  const char *more;    // flags behind the user's
};

// Adds the arguments and a NULL.
void command_make(const struct command *c, words *ret);
