// SPDX-License-Identifier: MIT
// Several programs with what is expected of each: checked side by side, each in
// a process of its own, and reported as one table with one exit code.
#pragma once

#include "cmd/check.h"

struct expectation {
  enum verdict verdict;
  enum finding_kind kind; // of an error; FIND_COUNT: any
  bool has_count;
  uint64_t executions; // if has_count
};

struct suite_test {
  char *file;
  char *name;             // for people: the file, and the options of its line
  struct options options; // of its check
  struct expectation expected;
  text_list texts; // that the options refer to; freed with the test
};

struct suite {
  ARRAY(struct suite_test) tests;
  uint32_t without; // files that say nothing
};

// Is it the name of a C or C++ file?
bool suite_is_source(const char *name);
// Adds the tests that `path` describes in its `// heddle:` lines (lines.c); a
// folder stands for the C and C++ files below it. A file without such lines is
// no test, unless it was named itself: then it must have no errors.
MUST_USE bool suite_add_path(struct suite *s, const struct options *o,
                             const char *path, struct diag *why);
// Adds one file that must have no errors.
MUST_USE bool suite_add_file(struct suite *s, const struct options *o,
                             const char *path, struct diag *why);
// The words before `expect` of the first line of a file that expects no error,
// if there is one; they belong to the caller.
void suite_words_of(const char *path, text_list *ret);
// What is expected, in words: "error assertion".
void expectation_text(const struct expectation *e, struct str *out);

enum exit_code suite_run(struct suite *s, const struct options *o);
void suite_done(struct suite *s);
