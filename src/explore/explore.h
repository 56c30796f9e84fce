// SPDX-License-Identifier: MIT
// The search: every execution that the model allows, each exactly once.
#pragma once

#include "base/finding.h"
#include "graph/graph.h"
#include "model/model.h"
#include "vm/vm.h"

struct explore_result;
struct finding;

enum verdict {
  VERDICT_OK,         // all executions explored, no error
  VERDICT_ERROR,      // at least one finding that is not a warning
  VERDICT_INCOMPLETE, // a limit was hit and no error was found before
};

struct explore_config {
  const struct model *model;
  struct model_options model_options;
  bool all_errors;             // go on after the first finding
  bool disabled[FIND_COUNT];   // checks that are off
  bool warning[FIND_COUNT];    // findings that do not make an error verdict
  uint64_t max_executions;     // 0: no limit; complete and blocked together
  double max_seconds;          // 0: no limit (CPU time)
  uint64_t max_events;         // in one execution; 0: no limit
  uint64_t max_memory;         // bytes resident; 0: no limit
  // Set from outside (a signal handler) to stop; may be NULL.
  const volatile int *interrupted;
  // Called at the end of each execution (tests, --print-executions).
  void (*on_execution)(void *arg, const struct graph *g, bool is_blocked);
  // Called now and then (about every 2^12 executions) for progress.
  void (*on_progress)(void *arg, const struct explore_result *so_far);
  // Called at each new finding, while the graph still shows it (the report
  // builds its view there, which also serves all_errors).
  void (*on_finding)(void *arg, const struct graph *g, const struct finding *f);
  void *arg;
};

struct finding {
  enum finding_kind kind;
  bool is_warning;
  char message[512];
  thread_id thread; // who did it
  site_id site;     // where; NO_SITE if nowhere
  event_id event;   // the event, or NO_EVENT when the thread stopped before one
  event_id other;   // the other event of a race and the like, or NO_EVENT
  site_id other_site;
  thread_id other_thread;
};

struct explore_result {
  enum verdict verdict;
  uint64_t executions, blocked;
  uint64_t events_added, revisits;
  uint32_t max_graph;         // events of the largest execution
  const char *limit;          // which limit was hit, or NULL
  ARRAY(struct finding) findings;
};

struct explorer *explorer_new(const struct prog *p, struct vm *vm,
                              const struct explore_config *config);
void explorer_free(struct explorer *x);

// Runs to the end, to the first finding, or to a limit. On a finding the graph
// stays as it was there (explorer_graph), so that a report can show it.
const struct explore_result *explore(struct explorer *x);
const struct graph *explorer_graph(const struct explorer *x);
// Why thread t of that graph is where it is, for the report.
state_id explorer_state(const struct explorer *x, thread_id t);
