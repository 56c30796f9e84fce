// SPDX-License-Identifier: MIT
// Parts of heddle litmus.
#pragma once

#include "answer/batch.h"
#include "cmd/cmd.h"
#include "report/html.h"

// -- litmus.c

// Adds an execution to a page; the title is kept in `texts`, and freed.
void page_add_entry(struct page *p, struct strings *texts, struct str *title,
                    const struct view *v);

// -- litmus_compare.c

// --compare: the two models, and the tests on which they differ, if pictures
// are made of them.
struct comparisons {
  const struct model *models[2]; // NULL: nothing is compared
  ARRAY(struct contrast *) at;
};

// Reads "A,B" and finds the models.
MUST_USE bool find_two_models(const struct options *o, const char *option,
                              const char *text, const struct model *ret[2],
                              struct diag *why);
// Does --compare go together with the other options?
MUST_USE bool compare_fits(const struct options *o, struct diag *why);
// "4 tests: 3 the same, ..."
void comparisons_totals(const struct comparisons *c,
                        const struct batch_result *r, struct str *out);
// Executions and a table for the page.
void comparisons_page(const struct comparisons *c, struct page *p,
                      struct strings *texts);
void comparisons_done(struct comparisons *c);
