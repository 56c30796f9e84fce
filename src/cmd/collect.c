// SPDX-License-Identifier: MIT
// Outcomes are counted as executions come in. Executions are kept as views up
// to a limit, half of it for the first one of each outcome; a search that
// begins again forgets all.
#include "cmd/collect.h"

enum { MOST_SHOWN = 100 }; // executions of findings; each is as large as any

static struct view *take_view(struct collector *c, struct vm *vm,
                              const struct graph *g, const struct finding *f) {
  struct view *v = view_new(c->run.prog, vm, g, f);
  if (!c->run.options->full)
    view_hide_inner(v);
  view_add_sync(v, g);
  view_add_memory(v, c->run.prog, vm, g);
  return v;
}

static void note_reads(struct collector *c, struct vm *vm,
                       const struct graph *g, const struct finding *f) {
  if (!c->options.reads)
    return;
  struct view *v = view_new(c->run.prog, vm, g, f);
  reads_add(&c->reads, v);
  view_free(v);
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct collector *c = arg;
  note_reads(c, vm, g, f);
  bool is_shown = c->findings.len < MOST_SHOWN;
  struct view *v = is_shown ? take_view(c, vm, g, f) : NULL;
  array_push(&c->findings, (struct shown){*f, v});
}

// The first of an outcome is always worth more than another of a known one, so
// those get only half of the room.
static bool has_room(const struct collector *c, bool is_new) {
  return is_new ? c->kept.len < c->most : c->kept.len < c->most / 2;
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct collector *c = arg;
  if (is_blocked)
    return;
  note_reads(c, vm, g, NULL);
  uint32_t before = c->outcomes.at.len;
  uint32_t outcome = outcomes_add(&c->outcomes, vm, g);
  bool is_new = c->outcomes.at.len > before;
  if (c->is_wanted ? c->is_wanted(c->arg, outcome, g, vm) : has_room(c, is_new))
    array_push(&c->kept, (struct kept){outcome, take_view(c, vm, g, NULL)});
}

static void forget(struct collector *c) {
  for (uint32_t i = 0; i < c->kept.len; i++)
    view_free(c->kept.at[i].view);
  for (uint32_t i = 0; i < c->findings.len; i++)
    view_free(c->findings.at[i].view);
  array_done(&c->kept);
  array_done(&c->findings);
  outcomes_done(&c->outcomes);
  reads_done(&c->reads);
  c->reads = (struct reads){0};
}

static void on_begin_again(void *arg) {
  struct collector *c = arg;
  forget(c);
  outcomes_init(&c->outcomes, c->run.prog);
}

bool collect_begin(struct collector *c, const struct options *o,
                   const char *model, struct diag *why) {
  c->options = *o;
  if (are_litmus_tests(o)) {
    diag_set(why, o->files.at[0], 0,
             "the final state of a litmus test is in "
             "registers, which programs do not have");
    diag_hint(why, "`heddle litmus` counts its outcomes, also under another "
                   "--model");
    return false;
  }
  if (model)
    c->options.model = model;
  c->options.all_errors = true;
  c->run.on_finding = on_finding;
  c->run.on_execution = on_execution;
  c->run.on_begin_again = on_begin_again;
  c->run.arg = c;
  if (!run_begin(&c->run, &c->options, why))
    return false;
  outcomes_init(&c->outcomes, c->run.prog);
  return true;
}

void collect(struct collector *c) {
  c->result = run_explore(&c->run);
}

void collector_done(struct collector *c) {
  forget(c);
  run_end(&c->run);
}

const struct view *collected_view(const struct collector *c, uint32_t outcome) {
  for (uint32_t i = 0; i < c->kept.len; i++)
    if (c->kept.at[i].outcome == outcome)
      return c->kept.at[i].view;
  return NULL;
}

static struct report report_of(const struct collector *c) {
  return (struct report){.prog = c->run.prog,
                         .result = c->result,
                         .model = c->run.model->name,
                         .seconds = run_seconds(&c->run),
                         .max_rss_kb = max_rss_kb()};
}

void collected_verdict(const struct collector *c, struct str *out) {
  struct report r = report_of(c);
  verdict_line(&r, out);
}

void collected_notes(const struct collector *c, struct str *out) {
  struct report r = report_of(c);
  limits_text(&r, out);
}
