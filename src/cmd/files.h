// SPDX-License-Identifier: MIT
// Reports into files beside the one on standard output: --dot, --html,
// --sarif, --junit.
#pragma once

#include "cmd/cmd.h"
#include "report/report.h"

enum { FILES = 4 };

struct files {
  const struct options *options;
  FILE *at[FILES]; // NULL: not asked for
};

// Opens them all before the search: a long one must not end at a bad path.
MUST_USE bool files_open(struct files *f, const struct options *o,
                         struct diag *why);
// Makes and writes them. `sample` is an execution to show when there is no
// error, or NULL.
MUST_USE bool files_write(struct files *f, const struct report *r,
                          const struct view *sample, struct diag *why);

// --dot-relations as a set of 1 << enum edge_kind; false: there is another name
// in it.
MUST_USE bool dot_relations_of(const struct options *o, unsigned *ret,
                               struct diag *why);

// Do the files show more than the first error? Do they show something even
// when there is none?
bool files_want_all_errors(const struct options *o);
bool files_want_sample(const struct options *o);
