// SPDX-License-Identifier: MIT
// A search as a value: what it has done, what it has learned of the program,
// and what is left of it. A checkpoint is a frontier in a file; so is a part of
// a search that another process explores, and what became of it.
//
// Nothing in it depends on the process: a task is a path of choices
// (explore/search/task.c), threads have the numbers that the team has given
// them, and what was learned goes by addresses. It does depend on the very
// program, model, options and build; `about` tells them.
#pragma once

#include "base/diag.h"
#include "base/str.h"
#include "explore/cycles/justify/core.h"
#include "explore/explore.h"

// Digests of what the search is of; all must be the same.
struct frontier_about {
  uint64_t build, program, model, options;
};

// A finding and where in the search it was met.
struct frontier_finding {
  struct finding finding;
  struct explore_place place;
};

struct frontier {
  struct frontier_about about;
  text_list command;    // the words of the command line
  uint64_t family;      // the same for all parts of one search
  uint32_t part, parts; // this is part 1 to `parts`
  bool is_done;         // nothing is left, or an error has ended the search
  struct assumptions assumed; // what the search has begun with
  assumption_list learned;    // by each explorer so far
  thread_list threads;        // numbers of threads
  struct explore_result done; // its counts, without findings
  ARRAY(struct frontier_finding) found;
  struct cores cores; // that tasks and places begin with
  ARRAY(struct explore_task *) tasks;
  struct strings texts; // what the fields above point to
};

void frontier_done(struct frontier *f);
void frontier_add_finding(struct frontier *f, const struct finding *finding,
                          const struct explore_place *place);
// Adds what was counted elsewhere; findings are left out.
void result_add(struct explore_result *sum, const struct explore_result *r);
void place_copy(struct explore_place *to, const struct explore_place *from);

// The file format is described in docs/checkpoints.md.
void frontier_write(const struct frontier *f, struct str *out);
// `text` is what the file of that name holds. False: it is no frontier, or it
// is damaged.
MUST_USE bool frontier_read(struct frontier *f, const char *name, char *text,
                            size_t length, struct diag *why);
// Which of the digests differ, in words; "" if none does.
const char *frontier_difference(const struct frontier_about *a,
                                const struct frontier_about *b);

// Is each execution that is left below one task alone? Else it would be counted
// twice.
bool frontier_is_disjoint(const struct frontier *f);
// Deals out all that is left of f to n parts, by what is known
// of the size of the branches; what is done goes to the first one.
void frontier_split(struct frontier *f, uint32_t n, struct frontier *parts);
// Adds what `part` has done, learned and found. False: they cannot be of
// one search, since a thread has two numbers.
MUST_USE bool frontier_join(struct frontier *f, const struct frontier *part);
// Of errors that each end the search, the first one counts; what several parts
// have found counts once.
void frontier_keep_first_error(struct frontier *f, bool all_errors);
