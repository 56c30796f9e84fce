// SPDX-License-Identifier: MIT
// heddle estimate: how many executions a program has, and how long a check of
// it would take. For a few seconds the check is made, for its speed, and sweeps
// beside it (explore/search/sweep.c), for its size.
#include "cmd/run.h"
#include "report/json_writer.h"
#include "report/report.h"

#include <math.h>

static const double HALF = 0.5; // of the time is for sweeps
enum { DEFAULT_SECONDS = 5 };

// What is known in the end.
struct size {
  double executions, error, blocked, seconds;
  bool is_known, is_exact;
};

static struct size size_of(const struct run *r,
                           const struct explore_result *x) {
  struct explore_estimate all = run_estimate(r);
  double done = (double)(x->executions + x->blocked), spent = run_seconds(r);
  if (!x->limit)
    return (struct size){.executions = (double)x->executions,
                         .blocked = (double)x->blocked,
                         .seconds = spent,
                         .is_known = true,
                         .is_exact = true};
  double total = progress_total(x, &all);
  return (struct size){
      .executions = total,
      .error = all.error,
      .blocked = fmax(all.blocked, (double)x->blocked),
      .seconds = done > 0 ? spent * (total + all.blocked) / done : INFINITY,
      .is_known = progress_is_known(x, &all),
      .is_exact = all.is_exact};
}

static void estimate_json(struct json *j, const char *name, double value,
                          const struct size *s) {
  if (s->is_known)
    json_estimate(j, name, value);
  else
    json_null(j, name);
}

static void make_json(const struct run *r, const struct explore_result *x,
                      const struct size *s, struct str *out) {
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_text(&j, "version", HEDDLE_VERSION);
  json_text(&j, "model", r->model->name);
  json_bool(&j, "is_exact", s->is_exact);
  json_bool(&j, "has_error",
            x->verdict == VERDICT_ERROR || run_estimate(r).has_error);
  estimate_json(&j, "executions", s->executions, s);
  estimate_json(&j, "error", s->error, s);
  estimate_json(&j, "blocked", s->blocked, s);
  if (s->is_known && isfinite(s->seconds))
    json_seconds(&j, "seconds", s->seconds);
  else
    json_null(&j, "seconds");
  json_number(&j, "explored", x->executions);
  supposed_json(r->prog->supposed, &j);
  json_close(&j, '}');
  str_add(out, "\n");
}

static void make_text(const struct run *r, const struct explore_result *x,
                      const struct size *s, struct str *out) {
  if (x->verdict == VERDICT_ERROR || run_estimate(r).has_error)
    str_add(out, "An error was met: a check ends there.\n");
  if (!s->is_known) {
    str_add(out, "Nothing can be said yet; more time (--max-wall) may help.\n");
    return;
  }
  bool is_many = s->executions >= EXPLORE_MANY;
  if (!s->is_exact)
    str_add(out, is_many ? "More than " : "About ");
  progress_add_number(out, s->executions);
  str_add(out, " executions");
  if (!s->is_exact && !is_many && s->error > 0.005 * s->executions) {
    str_add(out, " (give or take ");
    progress_add_number(out, 2 * s->error);
    str_add(out, ")");
  }
  if (s->blocked >= 1) {
    str_add(out, " and ");
    progress_add_number(out, s->blocked);
    str_add(out, " blocked");
  }
  str_add(out, " under %s.", r->model->name);
  if (!isfinite(s->seconds)) {
    str_add(out, " A check had none of them in that time.\n");
    return;
  }
  str_add(out, " A check takes %s",
          s->is_exact ? ""
          : is_many   ? "more than "
                      : "about ");
  progress_add_time(out, s->seconds);
  str_add(out, " with %u thread%s.\n", r->jobs, r->jobs == 1 ? "" : "s");
}

static enum exit_code report(const struct run *r,
                             const struct explore_result *x) {
  struct size s = size_of(r, x);
  struct str text = {0};
  if (r->options->json || r->options->format == FORMAT_JSON)
    make_json(r, x, &s, &text);
  else
    make_text(r, x, &s, &text);
  if (!r->options->json && r->options->format != FORMAT_JSON)
    supposed_text(r->prog->supposed, &text);
  return print(r->options->output, &text, EXIT_OK);
}

// (What may begin again decides what is left out, so that it must be as in a
// check.)
static void on_begin_again(void *arg) {
  (void)arg;
}

enum exit_code cmd_estimate(const struct options *given) {
  struct options o = *given;
  struct run r = {.estimate_share = HALF,
                  .on_begin_again = on_begin_again,
                  .on_earlier_error = on_begin_again};
  struct diag why;
  if (o.max_time <= 0 && o.max_wall <= 0)
    o.max_wall = DEFAULT_SECONDS;
  enum exit_code code =
      run_begin(&r, &o, &why) ? report(&r, run_explore(&r)) : bad_input(&why);
  run_end(&r);
  return code;
}
