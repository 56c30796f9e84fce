// SPDX-License-Identifier: MIT
// heddle check: explores a program and reports what was found.
#include "cmd/run.h"
#include "report/report.h"

#include <stdlib.h>

enum { RESERVE = 1 << 20 };

struct checking {
  struct run run;
  FILE *out;
  struct view *shown; // the execution of the first error
  uint64_t printed;   // by --print-executions
  void *reserve;      // memory for the report when there is no more
};

// The view is made while the graph is there: the search goes on after that.
static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct checking *c = arg;
  if (!c->shown && !f->is_warning)
    c->shown = view_new(c->run.prog, vm, g, f);
}

static struct text_style style_of(const struct checking *c) {
  struct text_style style =
      text_style_of(fileno(c->out), c->run.options->color);
  style.is_full = c->run.options->full;
  return style;
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct checking *c = arg;
  struct view *v = view_new(c->run.prog, vm, g, NULL);
  struct str text = {0};
  str_add(&text, "Execution %llu%s:\n", (unsigned long long)++c->printed,
          is_blocked ? " (blocked)" : "");
  execution_text(v, style_of(c), &text);
  fprintf(c->out, "%s\n", str_text(&text));
  str_done(&text);
  view_free(v);
}

static void make_report(const struct checking *c,
                        const struct explore_result *x, struct str *text) {
  const struct options *o = c->run.options;
  struct vm_stats stats = parallel_vm_stats(c->run.search);
  struct report report = {
      .prog = c->run.prog,
      .result = x,
      .model = c->run.model->name,
      .shown = c->shown,
      .seconds = run_seconds(&c->run),
      .max_rss_kb = max_rss_kb(),
      .stats = o->stats ? &stats : NULL,
      .is_quiet = o->quiet,
  };
  if (o->json)
    report_json(&report, text);
  else
    report_text(&report, style_of(c), text);
}

// Out of memory: what is known so far, made in the memory kept for that.
static void report_partial_result(void *arg) {
  struct checking *c = arg;
  struct explore_result so_far = {0};
  struct str text = {0};
  struct diag why;
  fatal_on_out_of_memory(NULL, NULL);
  free(c->reserve);
  if (c->run.so_far)
    so_far = *c->run.so_far;
  so_far.verdict = VERDICT_INCOMPLETE;
  so_far.limit = "out of memory";
  make_report(c, &so_far, &text);
  if (!finish_output(c->out, c->run.options->output, &text, &why))
    bad_input(&why);
}

static enum exit_code explore_and_report(struct checking *c) {
  c->reserve = xmalloc(RESERVE);
  fatal_on_out_of_memory(report_partial_result, c);
  const struct explore_result *result = run_explore(&c->run);
  struct str text = {0};
  struct diag why;
  make_report(c, result, &text);
  enum exit_code code = exit_code_of(result->verdict);
  if (!finish_output(c->out, c->run.options->output, &text, &why))
    code = bad_input(&why);
  str_done(&text);
  fatal_on_out_of_memory(NULL, NULL);
  free(c->reserve);
  return code;
}

enum exit_code cmd_check(const struct options *o) {
  struct checking c = {
      .run = {.on_finding = on_finding,
              .on_execution = o->print_executions ? on_execution : NULL}};
  struct diag why;
  c.run.arg = &c;
  if (o->json && o->print_executions) {
    diag_set(&why, NULL, 0, "--json and --print-executions exclude each other");
    return bad_input(&why);
  }
  // The output is opened last: bad input must not destroy an older report.
  enum exit_code code =
      run_begin(&c.run, o, &why) && open_output(o->output, &c.out, &why)
          ? explore_and_report(&c)
          : bad_input(&why);
  view_free(c.shown);
  run_end(&c.run);
  return code;
}
