// SPDX-License-Identifier: MIT
// Searches in files: checkpoints of `heddle check`, and parts that other
// processes explore (parallel/frontier.h).
#pragma once

#include "cmd/run.h"

// What is written where.
struct saver {
  const struct run *run;
  const char *path;
  struct frontier_about about;
  uint64_t family;
  uint32_t part, parts;
  text_list command;   // by which a file was made that is gone on with
  uint64_t split_into; // > 0: that many files path.1, path.2, ...
  bool has_written;
  bool has_failed; // and said so
};

// What the search of a run that has begun is of.
struct frontier_about parts_about(const struct run *r);
// Does --checkpoint or --resume fit the other options and the model?
MUST_USE bool parts_fit(const struct options *o, struct diag *why);
// Prepares a run that has begun for what the options say: reads --resume, has
// checkpoints written by `s`.
MUST_USE bool parts_begin(struct run *r, struct saver *s, struct diag *why);
void parts_end(struct saver *s);
