// SPDX-License-Identifier: MIT
// Findings: what was found wrong in a graph, or cannot be known, and whether
// the search goes on.
#include "explore/findings/findings.h"
#include "explore/reduce/classes.h"

#include <stdio.h>
#include <string.h>

struct finding error_at(const struct explorer *x, enum finding_kind kind,
                        event_id id) {
  const struct event *e = &x->g.events[id];
  return (struct finding){.kind = kind,
                          .thread = e->thread,
                          .site = vm_site(x->vm, e->pre),
                          .event = id,
                          .other = NO_EVENT,
                          .other_site = NO_SITE};
}

struct finding error_of_thread(const struct explorer *x, enum finding_kind kind,
                               thread_id t) {
  event_id last = graph_tail(&x->g, t);
  state_id at = x->g.threads[t].state;
  return (struct finding){.kind = kind,
                          .thread = t,
                          .site =
                              vm_site(x->vm, at ? at : x->g.events[last].pre),
                          .event = at ? NO_EVENT : last,
                          .other = NO_EVENT,
                          .other_site = NO_SITE};
}

void error_name_other(const struct explorer *x, struct finding *f,
                      event_id id) {
  const struct event *e = &x->g.events[id];
  f->other = id;
  f->other_site = vm_site(x->vm, e->pre);
  f->other_thread = e->thread;
}

static bool is_same_flag(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

bool finding_is_same(const struct finding *a, const struct finding *b) {
  return a->kind == b->kind && a->site == b->site &&
         a->other_site == b->other_site && is_same_flag(a->flag, b->flag);
}

static bool is_known(const struct explorer *x, const struct finding *f) {
  for (uint32_t i = 0; i < x->result.findings.len; i++)
    if (finding_is_same(&x->result.findings.at[i], f))
      return true;
  return false;
}

static void keep_cut(struct explorer *x, const char *why) {
  if (!explore_is_cut(&x->result))
    snprintf(x->result.cut, sizeof x->result.cut, "%s", why);
}

void error_note_cut(struct explorer *x, const char *why) {
  x->result.cuts++;
  keep_cut(x, why);
}

void error_note_left_out(struct explorer *x, const char *why) {
  keep_cut(x, why);
}

void error_note_sample(struct explorer *x, const char *function) {
  if (!x->result.sampled[0])
    snprintf(x->result.sampled, sizeof x->result.sampled,
             "the values of %s were sampled", function);
}

// A graph that may never become consistent does not count before it is
// complete. (One with guesses is no execution, but what was not found because
// of the cut could have been one.)
void error_meet_cut(struct explorer *x, const struct access *a) {
  if (!explore_judges_at_end(x) && !x->config.model_options.in_pieces)
    keep_cut(x, vm_text(x->vm, a->value));
}

// Nothing is defined after the finding, but it does not end the search.
static void note_undefined(struct explorer *x, enum finding_kind k) {
  char why[80];
  snprintf(why, sizeof why, "nothing is defined after %s", finding_name(k));
  error_note_cut(x, why);
}

// An error that ends a part is always told: of the same one in several parts,
// the first counts (parallel.c).
static enum outcome show_finding(struct explorer *x, struct finding f) {
  bool ends = !f.is_warning && !x->config.all_errors;
  bool is_new = !is_known(x, &f);
  bool is_told = is_new || ends || x->config.repeats;
  if (is_told || x->config.replay) {
    bool is_shown = explore_shows(x, &x->g);
    if (is_shown && is_new) {
      array_push(&x->result.findings, f);
      array_last(&x->result.findings)->again = NULL; // it does not last
    }
    if (x->tracks)
      deps_fill(x); // for the report
    f.how = x->cycles.start ? &x->cycles.start->how : NULL;
    if (is_shown && is_told && x->observer.on_finding)
      x->observer.on_finding(x->observer.arg, x->vm, &x->g, &f);
    if (!is_shown)
      return GO_ON;
  }
  return ends ? STOP : GO_ON;
}

// Does its thread come to the event behind a failed assertion? It is there for
// what others read before that fails (core.c, replay.c); what it does is not
// defined any more.
static bool is_behind_assertion(const struct explorer *x, event_id id) {
  if (id == NO_EVENT || !event_has_stopped(x, x->g.events[id].thread))
    return false;
  const struct event *e = &x->g.events[id];
  for (uint32_t i = 0; i < e->index; i++)
    if (event_is_failed_assertion(
            x, x->g.events[graph_at(&x->g, e->thread, i)].state))
      return true;
  return false;
}

// The finding is one of a graph that is known to be consistent.
static enum outcome add_finding(struct explorer *x, struct finding f) {
  if (x->cycles.is_scout)
    return GO_ON;
  if (x->restart)
    return STOP; // it will be found again, if it is one
  f.is_warning = x->config.warning[f.kind];
  if (finding_is_final(f.kind) && (x->config.disabled[f.kind] || f.is_warning))
    note_undefined(x, f.kind);
  return x->config.disabled[f.kind] ? GO_ON : show_finding(x, f);
}

// Does the model allow the graph as it is?
static bool is_complete(struct explorer *x) {
  if (x->tracks)
    deps_fill(x);
  struct closed closed = sections_close(x);
  bool ret = event_outcomes_are_right(x) &&
             model_completes(x->config.model, &x->g, &x->config.model_options);
  sections_open(x, &closed);
  return ret;
}

enum outcome error_add(struct explorer *x, struct finding f) {
  if (is_behind_assertion(x, f.event) || is_behind_assertion(x, f.other))
    return GO_ON;
  // The graph may never become consistent; if it does, the error is found again
  // when it is complete.
  bool waits = explore_judges_at_end(x) && !is_complete(x);
  if (waits || hooks_is_out_of_bounds(x)) {
    x->put_off.has_errors = true;
    return GO_ON;
  }
  return add_finding(x, f);
}

enum outcome error_add_last(struct explorer *x, struct finding f) {
  return error_add(x, f) == STOP ? STOP : GO_BACK;
}

enum outcome error_refuse(struct explorer *x, struct finding f) {
  add_finding(x, f);
  if (x->cycles.is_scout)
    x->result.limit = "something that is not supported";
  return STOP;
}

enum outcome error_add_warnings(struct explorer *x) {
  enum outcome o = GO_ON;
  while (x->warnings < x->vm->warnings.len) {
    const struct vm_warning *w = &x->vm->warnings.at[x->warnings++];
    struct finding f = {.kind = w->kind,
                        .thread = w->thread,
                        .site = w->site,
                        .event = NO_EVENT,
                        .other = NO_EVENT,
                        .other_site = NO_SITE};
    snprintf(f.message, sizeof f.message, "%s", vm_text(x->vm, w->text));
    // (It is told once: not by a graph that counts, perhaps.)
    if ((explore_is_bounded(&x->config) ? add_finding(x, f)
                                        : error_add(x, f)) == STOP)
      o = STOP;
  }
  return o;
}
