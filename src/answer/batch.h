// SPDX-License-Identifier: MIT
// Many tests: files, folders and lists of files, on several processors. Answers
// come in the order of the tests. A test that cannot be answered is reported
// and counted, and the others go on.
#pragma once

#include "answer/contrast.h"
#include "answer/expect.h"

enum batch_style { BATCH_TEXT, BATCH_JSON, BATCH_LINES, BATCH_DISAGREEMENTS };

struct batch_config {
  const char *const *paths;
  uint32_t npaths;
  const struct model *model; // NULL: that of each test's language
  // (litmus_language); it may not fit the options
  bool (*find_model)(void *arg, const char *language, const struct model **ret,
                     struct diag *why);
  const struct model *other; // NULL, or each test is compared under `model`
                             // and this one; JSON, lines and text are of that
  enum batch_style style;
  struct expectations *expect; // NULL: none
  const char *asks;            // as of litmus_read
  struct answer_config answer; // but for the model
  unsigned jobs;
  // Called with what is to be printed, in order; false ends the run.
  bool (*print)(void *arg, const struct str *text);
  // If not NULL: gets the answers that have executions to show, in order, with
  // their tests. It owns both from then on.
  void (*keep)(void *arg, struct litmus *t, struct answer *o);
  // The same for comparisons that differ.
  void (*keep_contrast)(void *arg, struct contrast *c);
  // If not NULL: called after each test.
  void (*on_progress)(void *arg, uint64_t done, uint64_t all);
  void *arg;
};

// How many tests were answered under a model, and why under that.
struct batch_model {
  const struct model *model;
  const char *by;
  uint64_t tests;
};

enum { BATCH_MODELS = 16 };

struct batch_result {
  struct batch_model models[BATCH_MODELS];
  uint32_t nmodels;
  uint64_t tests, ok, no, undef;
  uint64_t unfinished;          // not all could be explored
  uint64_t errors;              // could not be answered,
  uint64_t broken;              // these because of a bug of ours
  uint64_t expected;            // of them there was an expectation,
  uint64_t disagreements;       // which was another
  uint64_t differ[DIFFERENCES]; // of two models
  uint64_t more[2];             // the one has states that the other has not:
  char least[2][256];           // the smallest of these tests
  uint32_t least_size[2];
};

// Reads one file. `path` is kept, and so is `asks` (litmus_read).
MUST_USE bool batch_read(const char *path, const char *asks,
                         struct litmus **ret, struct diag *why);
MUST_USE bool batch_run(const struct batch_config *c, struct batch_result *ret,
                        struct diag *why);
