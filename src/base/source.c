// SPDX-License-Identifier: MIT
// The file with the text of standard input is kept by name for the whole run.
#include "base/source.h"

#include <stdbool.h>
#include <string.h>

static const char *stdin_path;

void source_keep_stdin(const char *path) {
  stdin_path = path;
}

const char *source_path(const char *name) {
  bool is_stdin = strcmp(name, STDIN_NAME) == 0 || strcmp(name, "-") == 0;
  return is_stdin && stdin_path ? stdin_path : name;
}
