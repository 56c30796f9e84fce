// SPDX-License-Identifier: MIT
// The commands of the command line, and what they share: reading programs,
// finding models, writing output. Only this folder prints, and each command
// yields the exit code of the process.
#pragma once

#include "base/fatal.h"
#include "base/options.h"
#include "base/str.h"
#include "bytecode/prog.h"
#include "model/model.h"

#include <stdio.h>

enum exit_code cmd_check(const struct options *o);    // check.c
enum exit_code cmd_estimate(const struct options *o); // estimate.c
enum exit_code cmd_split(const struct options *o);    // parts.c
enum exit_code cmd_run(const struct options *o);      // parts.c
enum exit_code cmd_merge(const struct options *o);    // parts.c
enum exit_code cmd_compare(const struct options *o);  // compare.c
enum exit_code cmd_explore(const struct options *o);  // explore.c
enum exit_code cmd_test(const struct options *o);     // test.c
enum exit_code cmd_why(const struct options *o);      // why.c
enum exit_code cmd_help(const struct options *o);     // info.c
enum exit_code cmd_litmus(const struct options *o);   // litmus.c
// The same for a question of one's own; the files are litmus tests.
enum exit_code why_litmus(const struct options *o, const char *condition);
enum exit_code cmd_optimize(const struct options *o); // optimize.c
enum exit_code cmd_models(const struct options *o);   // info.c
enum exit_code cmd_dump(const struct options *o);     // info.c
enum exit_code cmd_lsp(const struct options *o);      // lsp.c
enum exit_code cmd_mcp(const struct options *o);      // mcp.c
enum exit_code cmd_doctor(const struct options *o);   // doctor.c
enum exit_code cmd_doc(const struct options *o);      // info.c
enum exit_code cmd_version(void);                     // info.c

// -- output.c

// Says on standard error what is wrong; EXIT_BAD_INPUT.
enum exit_code bad_input(const struct diag *d);
// A report must not replace the program.
MUST_USE bool outputs_spare_sources(const struct options *o, struct diag *why);
// The file of that name, or standard output when it is NULL.
MUST_USE bool open_output(const char *path, FILE **ret, struct diag *why);
// Can the file (NULL: none) be written? To be asked before a long search; it
// changes nothing in a file that is there.
MUST_USE bool can_write(const char *path, struct diag *why);
// Writes everything and closes, or says why not: a cut report must not look
// complete.
MUST_USE bool finish_output(FILE *out, const char *path, const struct str *text,
                            struct diag *why);
// Opens, writes `text`, frees it; `code`, or bad input when that fails.
enum exit_code print(const char *path, struct str *text, enum exit_code code);

// -- program.c

// Are the files litmus tests?
bool are_litmus_tests(const struct options *o);

MUST_USE bool load_program(const struct options *o, const struct model *m,
                           struct prog **ret, struct diag *why);
// The model of that name, or in the file of that name.
MUST_USE bool find_model(const struct options *o, const char *name,
                         const struct model **ret, struct diag *why);
// The reductions of the search (explore/reduce.h) that the options leave on.
MUST_USE bool reductions_of(const struct options *o, uint32_t *ret,
                            struct diag *why);
// Do the options that mean something to one model only fit this one?
MUST_USE bool options_fit(const struct options *o, const struct model *m,
                          uint32_t reductions, struct diag *why);
// Is every function that --unroll names one of the program?
MUST_USE bool unroll_fits(const struct options *o, const struct prog *p,
                          struct diag *why);
