// SPDX-License-Identifier: MIT
// What the text of a model flags in a complete execution: races by its own
// rule, accesses that are not ordered with the life of their object, and
// whatever else it calls wrong.
#include "explore/findings/findings.h"

#include <stdio.h>
#include <string.h>

static enum finding_kind kind_of(const char *name) {
  return strcmp(name, "free-race") == 0        ? FIND_FREE_RACE
         : strcmp(name, "alloc-race") == 0     ? FIND_ALLOC_RACE
         : strcmp(name, "data-race") == 0      ? FIND_RACE
         : strcmp(name, "mixed-accesses") == 0 ? FIND_MIXED_ACCESSES
                                               : FIND_FLAG;
}

static void describe(const struct explorer *x, const struct model_flag *flag,
                     struct finding *f) {
  const struct event *e = &x->g.events[flag->other];
  switch (f->kind) {
  case FIND_RACE:
    snprintf(f->message, sizeof f->message,
             "%s races with an access of thread %u: the model does not order "
             "them",
             e->kind == EV_WRITE ? "write" : "read", f->other_thread);
    return;
  case FIND_FREE_RACE:
  case FIND_ALLOC_RACE:
    snprintf(f->message, sizeof f->message,
             "the model does not order an access with the %s of its object",
             f->kind == FIND_FREE_RACE ? "free" : "allocation");
    return;
  default:
    snprintf(f->message, sizeof f->message, "the model raises its flag '%s'",
             flag->name);
  }
}

static enum outcome report(struct explorer *x, const struct model_flag *flag) {
  enum finding_kind kind = kind_of(flag->name);
  struct finding f = flag->other == NO_EVENT ? error_of_thread(x, kind, 0)
                                             : error_at(x, kind, flag->other);
  f.flag = flag->name;
  if (flag->one != NO_EVENT && flag->one != INIT_EVENT &&
      flag->one != flag->other)
    error_name_other(x, &f, flag->one);
  if (flag->other == NO_EVENT)
    snprintf(f.message, sizeof f.message, "the model raises its flag '%s'",
             flag->name);
  else
    describe(x, flag, &f);
  return error_add(x, f);
}

static bool is_there(const struct explorer *x, event_id id) {
  return id == NO_EVENT || id < x->g.nevents;
}

// The nth flag of the graph, with sections closed; it is told of the graph as
// it is.
static bool raises(struct explorer *x, uint32_t n, struct model_flag *flag) {
  const struct search_options *c = &x->config;
  struct closed closed = sections_close(x);
  bool ret = c->model->raises(c->model, &x->g, &c->model_options, n, flag);
  sections_open(x, &closed);
  return ret;
}

// A section of SRCU that has no end may get one by a thread that has stopped.
static bool may_be_lifted(const struct model_flag *flag) {
  return strcmp(flag->name, "unmatched-srcu-lock") == 0;
}

// (A flag about the end of a section that is not there is raised where the
// thread goes on.)
enum outcome flags_check(struct explorer *x, bool is_over) {
  enum outcome o = GO_ON;
  struct model_flag flag;
  if (x->tracks)
    deps_fill(x);
  for (loc_id l = 0; l < x->g.locs.len; l++)
    x->g.locs.at[l].object = vm_location(x->vm, l)->object;
  for (uint32_t n = 0; o == GO_ON && raises(x, n, &flag); n++)
    if (is_there(x, flag.one) && is_there(x, flag.other) &&
        (is_over || !may_be_lifted(&flag)))
      o = report(x, &flag);
  return o;
}
