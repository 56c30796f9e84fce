// SPDX-License-Identifier: MIT
// Parts of heddle litmus.
#pragma once

#include "answer/batch.h"
#include "cmd/cmd.h"
#include "litmus/cycle.h"
#include "report/html.h"

// -- litmus.c

// What the options say of how a test is answered, but for the model.
struct answer_config litmus_answer_config(const struct options *o);
// Adds an execution to a page; the title is kept in `texts`, and freed.
void page_add_entry(struct page *p, struct strings *texts, struct str *title,
                    const struct view *v);

// -- litmus_relations.c

// The names of --show-relations, taken apart.
struct relation_names {
  struct strings texts;
  ARRAY(const char *) at;
};
// Also asks whether they can be shown, and named by a model where these are
// known already (NULL: not).
MUST_USE bool relations_read(const struct options *o,
                             const struct model *const two[2],
                             struct relation_names *ret, struct diag *why);
void relations_done(struct relation_names *r);

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

// -- litmus_generate.c

// --generate and --distinguish.
enum exit_code generate_tests(const struct options *o);
enum exit_code distinguish_models(const struct options *o);

// Tests that are made from cycles, with names of which none is used twice.
struct made_tests {
  enum dialect dialect;
  struct strings names;
};

struct made_test {
  struct str name, edges, text;
};

// False: the language cannot have this test.
MUST_USE bool make_test(struct made_tests *m, const struct cycle_edges *e,
                        struct made_test *ret, struct diag *why);
void made_test_done(struct made_test *t);
// Do the options leave a size that can be searched?
MUST_USE bool size_fits(const struct options *o, struct diag *why);
// Does the file name say that tests go into a folder? Then it is there
// afterwards.
MUST_USE bool begin_folder(const struct options *o, bool *is_folder,
                           struct diag *why);
// Writes a test into the folder of -o.
MUST_USE bool write_test(const struct options *o, const struct made_test *t,
                         struct diag *why);
