// SPDX-License-Identifier: MIT
// heddle litmus: many small tests, answered one by one (answer/).
#include "answer/batch.h"

#include "cmd/run.h"
#include <string.h>

// What the batch asks of us: where answers go, and the models of architectures
// (found before, since its workers are threads).
static const char *const names[] = {"armv8", "armv7", "power", "riscv",
                                    "tso",   "rc11",  "lkmm"};
enum { NAMES = sizeof names / sizeof *names };

struct service {
  FILE *out;
  const struct model *models[NAMES]; // by the names above; NULL: not there
};

static bool print_answer(void *arg, const struct str *text) {
  const struct service *s = arg;
  return fwrite(str_text(text), 1, text->len, s->out) == text->len;
}

static const struct model *model_of_name(void *arg, const char *name) {
  const struct service *s = arg;
  for (unsigned i = 0; i < NAMES; i++)
    if (strcmp(names[i], name) == 0)
      return s->models[i];
  return NULL;
}

static void add_totals(const struct batch_result *r, struct str *out) {
  str_add(out, "%llu tests: %llu Ok, %llu No, %llu Undef, %llu errors",
          (unsigned long long)r->tests, (unsigned long long)r->ok,
          (unsigned long long)r->no, (unsigned long long)r->undef,
          (unsigned long long)r->errors);
  if (r->expected)
    str_add(out, "; %llu expected, %llu disagree",
            (unsigned long long)r->expected,
            (unsigned long long)r->disagreements);
  str_add(out, "\n");
}

static struct batch_config batch_config_of(const struct options *o,
                                           const struct expectations *e) {
  return (struct batch_config){
      .paths = o->files.at,
      .npaths = o->files.len,
      .style = o->json      ? BATCH_JSON
               : o->summary ? BATCH_LINES
               : e          ? BATCH_DISAGREEMENTS
                            : BATCH_TEXT,
      .expect = e,
      .answer = {.unroll = o->unroll.at,
                 .unrolls = o->unroll.len,
                 .max_executions = o->max_executions,
                 .max_events = o->max_events,
                 .max_memory = o->max_memory << 20,
                 .max_seconds = o->max_time,
                 .show = o->witness,
                 .interrupted = run_catch_signals()},
      .jobs = run_jobs(o),
      .print = print_answer,
      .find_model = model_of_name,
  };
}

static enum exit_code code_of(const struct batch_config *c,
                              const struct batch_result *r) {
  return r->disagreements                     ? EXIT_FINDING
         : r->errors                          ? EXIT_BAD_INPUT
         : atomic_load(c->answer.interrupted) ? EXIT_INCOMPLETE
                                              : EXIT_OK;
}

static enum exit_code answer_tests(const struct options *o,
                                   const struct expectations *e) {
  struct batch_config c = batch_config_of(o, e);
  struct batch_result r = {0};
  struct diag why, cut;
  struct str totals = {0};
  struct service s = {0};
  c.arg = &s;
  for (unsigned i = 0; i < NAMES; i++)
    if (!find_model(o, names[i], &s.models[i], &why))
      s.models[i] = NULL;
  if ((options_has(o, "model") && !find_model(o, o->model, &c.model, &why)) ||
      !open_output(o->output, &s.out, &why))
    return bad_input(&why);
  bool ok = batch_run(&c, &r, &why);
  if (ok && c.style != BATCH_TEXT && c.style != BATCH_JSON)
    add_totals(&r, &totals);
  bool is_written = finish_output(s.out, o->output, &totals, &cut);
  str_done(&totals);
  return !ok           ? bad_input(&why)
         : !is_written ? bad_input(&cut)
                       : code_of(&c, &r);
}

enum exit_code cmd_litmus(const struct options *o) {
  struct expectations e = {0};
  struct diag why;
  if (o->expect && !expectations_read(o->expect, &e, &why))
    return bad_input(&why);
  enum exit_code code = answer_tests(o, o->expect ? &e : NULL);
  expectations_done(&e);
  return code;
}
