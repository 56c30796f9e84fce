// SPDX-License-Identifier: MIT
// Names of source files as reports say them, and where their text is: the same,
// but for a program that came from standard input.
#pragma once

#define STDIN_NAME "<stdin>"

// From now on the text of STDIN_NAME is in this file.
void source_keep_stdin(const char *path);
// What to open for a name; "-" is standard input too.
const char *source_path(const char *name);

// What begins in a line, so that a statement can be put before it.
enum line_start {
  LINE_OTHER,
  LINE_STATEMENT,
  LINE_END, // of a function that returns from elsewhere too
};
