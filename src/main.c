// SPDX-License-Identifier: MIT
// Heddle's pipeline in order: command line, C to bytecode, exploration,
// report, exit code. Only this file prints and only this file ends the process
// with an ordinary exit code.
#include "base/fatal.h"
#include "base/options.h"
#include "base/suggest.h"
#include "bytecode/prog.h"
#include "explore/explore.h"
#include "front/front.h"
#include "model/model.h"
#include "parallel/parallel.h"
#include "report/progress.h"
#include "report/report.h"
#include "vm/vm.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Set by SIGINT and SIGTERM; the exploration looks at it.
static atomic_bool interrupted;

enum { RESERVE = 1 << 20 };

// A check from the command line to the report.
struct run {
  const struct options *options;
  const struct model *model;
  FILE *out;
  struct prog *prog;
  struct parallel *search;
  struct view *shown; // the execution of the first error
  struct timespec start;
  const struct explore_result *so_far; // NULL at first
  void *reserve;    // memory for the report when there is no more
  uint64_t printed; // by --print-executions
  struct progress progress;
};

static enum exit_code bad_input(const struct diag *d) {
  fflush(stdout);
  fprintf(stderr, "heddle: ");
  if (*d->file)
    fprintf(stderr, "%s:", d->file);
  if (d->line)
    fprintf(stderr, "%u:", d->line);
  if (d->line && d->column)
    fprintf(stderr, "%u:", d->column);
  fprintf(stderr, "%serror: %s\n", *d->file ? " " : "", d->text);
  if (*d->hint)
    fprintf(stderr, "heddle: hint: %s\n", d->hint);
  return EXIT_BAD_INPUT;
}

static double seconds_since(struct timespec start) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - start.tv_sec) +
         (double)(now.tv_nsec - start.tv_nsec) / 1e9;
}

// Not ru_maxrss: that one survives exec, so it would show what the process
// that started Heddle used.
static uint64_t max_rss_kb(void) {
  FILE *f = fopen("/proc/self/status", "r");
  char line[128];
  unsigned long long kb = 0;
  while (f && !kb && fgets(line, sizeof line, f))
    sscanf(line, "VmHWM: %llu", &kb);
  if (f)
    fclose(f);
  return kb;
}

// -- output

static bool open_output(const char *path, FILE **ret, struct diag *why) {
  *ret = path ? fopen(path, "w") : stdout;
  if (*ret)
    return true;
  return diag_set(why, path, 0, "cannot write: %s", strerror(errno));
}

// Writes everything or says why not: a cut report must not look complete.
static bool finish_output(FILE *out, const char *path, const struct str *text,
                          struct diag *why) {
  size_t n = fwrite(str_text(text), 1, text->len, out);
  bool ok = n == text->len && fflush(out) == 0;
  if (path)
    ok &= fclose(out) == 0;
  return ok || diag_set(why, path ? path : "standard output", 0,
                        "cannot write: %s", strerror(errno));
}

static enum exit_code print(const char *path, struct str *text,
                            enum exit_code code) {
  FILE *out;
  struct diag why;
  bool ok =
      open_output(path, &out, &why) && finish_output(out, path, text, &why);
  str_done(text);
  return ok ? code : bad_input(&why);
}

// -- commands without a program

static enum exit_code help(const struct options *o) {
  enum command topic = o->command == COMMAND_HELP ? COMMAND_NONE : o->command;
  struct diag why;
  if (o->command == COMMAND_HELP && o->files.len &&
      !options_command(o->files.at[0], &topic, &why))
    return bad_input(&why);
  struct str text = {0};
  options_help(&text, topic);
  return print(NULL, &text, EXIT_OK);
}

static enum exit_code list_models(void) {
  struct str text = {0};
  for (unsigned i = 0; models[i]; i++)
    str_add(&text, "%-8s %s\n", models[i]->name, models[i]->title);
  return print(NULL, &text, EXIT_OK);
}

static enum exit_code print_doc(const struct options *o) {
  struct str text = {0};
  struct diag why;
  if (strcmp(o->files.at[0], "man") == 0)
    options_man(&text);
  else if (strcmp(o->files.at[0], "options") == 0)
    options_markdown(&text);
  else
    return diag_set(&why, NULL, 0, "'heddle doc' prints 'man' or 'options'"),
           bad_input(&why);
  return print(NULL, &text, EXIT_OK);
}

// -- programs

static bool load(const struct options *o, struct prog **ret, struct diag *why) {
  struct front_options f = {
      .files = o->files.at,
      .nfiles = o->files.len,
      .clang_flags = o->clang_flags.at,
      .nflags = o->clang_flags.len,
      .system_headers = o->system_headers,
      .use_cache = !o->no_cache,
      .spurious_wakeups = o->spurious_wakeups,
      .volatile_is_relaxed = o->volatiles == VOLATILE_RELAXED,
      .assume_atomic = o->assume_atomic.at,
      .nassume_atomic = o->assume_atomic.len,
  };
  return front_load(&f, ret, why);
}

static enum exit_code dump(const struct options *o) {
  struct prog *p;
  struct diag why;
  if (!load(o, &p, &why))
    return bad_input(&why);
  struct str text = {0};
  prog_print(p, &text);
  prog_free(p);
  return print(o->output, &text, EXIT_OK);
}

static bool find_model(const char *name, const struct model **ret,
                       struct diag *why) {
  *ret = model_find(name);
  if (*ret)
    return true;
  struct suggestion s = {.wanted = name};
  struct str all = {0};
  for (unsigned i = 0; models[i]; i++) {
    suggest_consider(&s, models[i]->name);
    str_add(&all, "%s%s", i ? ", " : "", models[i]->name);
  }
  diag_set(why, NULL, 0, "there is no model '%s'", name);
  if (s.best)
    diag_hint(why, "did you mean '%s'? The models are: %s", s.best,
              str_text(&all));
  else
    diag_hint(why, "the models are: %s", str_text(&all));
  str_done(&all);
  return false;
}

// Options that mean something to one model only.
static bool options_fit(const struct options *o, const struct model *m,
                        struct diag *why) {
  static const char *const of_armv8[] = {"arm-acquire", "arm-rmw"};
  for (unsigned i = 0; i < sizeof of_armv8 / sizeof *of_armv8; i++)
    if (options_has(o, of_armv8[i]) && strcmp(m->name, "armv8") != 0) {
      diag_set(why, NULL, 0, "--%s means nothing to the model '%s'",
               of_armv8[i], m->name);
      diag_hint(why, "it belongs to --model armv8");
      return false;
    }
  return true;
}

// -- while exploring

static void on_signal(int sig) {
  (void)sig;
  interrupted = true;
}

// The first signal asks the exploration to end; a second one kills as usual.
static void catch_signals(void) {
  struct sigaction a = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &a, NULL);
  sigaction(SIGTERM, &a, NULL);
}

static void on_progress(void *arg, const struct explore_result *so_far) {
  struct run *r = arg;
  r->so_far = so_far;
  if (r->progress.style == PROGRESS_NONE)
    return;
  struct str text = {0};
  progress_show(&r->progress, so_far, seconds_since(r->start), &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

// The view is made while the graph is there: the search goes on after that.
static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct run *r = arg;
  if (!r->shown && !f->is_warning)
    r->shown = view_new(r->prog, vm, g, f);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct run *r = arg;
  struct text_style style = text_style_of(fileno(r->out), r->options->color);
  struct view *v = view_new(r->prog, vm, g, NULL);
  struct str text = {0};
  str_add(&text, "Execution %llu%s:\n", (unsigned long long)++r->printed,
          is_blocked ? " (blocked)" : "");
  execution_text(v, style, &text);
  fprintf(r->out, "%s\n", str_text(&text));
  str_done(&text);
  view_free(v);
}

static struct explore_config explore_config_of(struct run *r) {
  const struct options *o = r->options;
  struct explore_config c = {
      .model = r->model,
      .model_options = {.c11_release_sequences =
                            o->release_sequences == RELEASE_C11,
                        .arm_ldar = o->arm_acquire == ACQUIRE_LDAR,
                        .arm_llsc = o->arm_rmw == RMW_LLSC},
      .all_errors = o->all_errors,
      .net_effect_awaits = o->net_effect_awaits,
      .explore_retries = o->explore_retries,
      .unroll = o->unroll.at,
      .unrolls = o->unroll.len,
      .read_bound = o->read_bound,
      .max_executions = o->max_executions,
      .max_seconds = o->max_time,
      .max_events = o->max_events,
      .max_memory = o->max_memory << 20,
      .on_execution = o->print_executions ? on_execution : NULL,
      .on_progress = on_progress,
      .on_finding = on_finding,
      .interrupted = &interrupted,
      .arg = r,
  };
  memcpy(c.disabled, o->disable, sizeof c.disabled);
  c.disabled[FIND_HANG] |= o->no_await_check;
  c.disabled[FIND_LIVELOCK] |= o->no_await_check;
  for (unsigned k = 0; k < FIND_COUNT; k++)
    c.warning[k] = (o->warn[k] || finding_is_warning((enum finding_kind)k)) &&
                   !o->error[k];
  return c;
}

// -- check

static enum exit_code exit_code_of(enum verdict v) {
  switch (v) {
  case VERDICT_OK:
    return EXIT_OK;
  case VERDICT_ERROR:
    return EXIT_FINDING;
  case VERDICT_INCOMPLETE:
    return EXIT_INCOMPLETE;
  }
  return EXIT_INTERNAL;
}

static void make_report(const struct run *r, const struct explore_result *x,
                        struct str *text) {
  struct vm_stats stats = parallel_vm_stats(r->search);
  struct report report = {
      .prog = r->prog,
      .result = x,
      .model = r->model->name,
      .shown = r->shown,
      .seconds = seconds_since(r->start),
      .max_rss_kb = max_rss_kb(),
      .stats = r->options->stats ? &stats : NULL,
      .is_quiet = r->options->quiet,
  };
  if (r->options->json)
    report_json(&report, text);
  else
    report_text(&report, text_style_of(fileno(r->out), r->options->color),
                text);
}

// Out of memory: what is known so far, made in the memory kept for that.
static void report_partial_result(void *arg) {
  struct run *r = arg;
  struct explore_result so_far = {0};
  struct str text = {0};
  struct diag why;
  fatal_on_out_of_memory(NULL, NULL);
  free(r->reserve);
  if (r->so_far)
    so_far = *r->so_far;
  so_far.verdict = VERDICT_INCOMPLETE;
  so_far.limit = "out of memory";
  make_report(r, &so_far, &text);
  if (!finish_output(r->out, r->options->output, &text, &why))
    bad_input(&why);
}

static unsigned jobs_of(const struct options *o) {
  uint64_t n = o->jobs ? o->jobs : (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
  return n < MAX_JOBS ? (unsigned)n : MAX_JOBS;
}

// The check came to something that is not supported and found no error before:
// then there is no verdict.
static const struct finding *refusal_of(const struct explore_result *x) {
  const struct finding *refusal = NULL;
  for (uint32_t i = 0; i < x->findings.len; i++) {
    const struct finding *f = &x->findings.at[i];
    if (f->kind == FIND_UNSUPPORTED)
      refusal = f;
    else if (!f->is_warning)
      return NULL;
  }
  return refusal;
}

static enum exit_code refuse(const struct prog *p, const struct finding *f) {
  struct source at =
      f->site == NO_SITE ? (struct source){0} : p->source.at[f->site];
  const char *advice = strchr(f->message, '\n');
  struct diag why;
  diag_set(&why, prog_text(p, at.file), at.line, "%.*s",
           (int)strcspn(f->message, "\n"), f->message);
  why.column = at.column;
  if (advice)
    diag_hint(&why, "%s", advice + 1);
  return bad_input(&why);
}

static enum exit_code explore_and_report(struct run *r) {
  struct vm_config v = vm_config_default();
  struct explore_config c = explore_config_of(r);
  memcpy(v.disabled, c.disabled, sizeof v.disabled);
  memcpy(v.warned, c.warning, sizeof v.warned);
  r->search = parallel_new(r->prog, &v, &c, jobs_of(r->options));
  r->reserve = xmalloc(RESERVE);
  fatal_on_out_of_memory(report_partial_result, r);
  catch_signals();
  const struct explore_result *result = parallel_explore(r->search);
  struct str text = {0};
  progress_end(&r->progress, &text);
  fputs(str_text(&text), stderr);
  text.len = 0;
  struct diag why;
  make_report(r, result, &text);
  const struct finding *refusal = refusal_of(result);
  enum exit_code code = exit_code_of(result->verdict);
  if (refusal)
    code = refuse(r->prog, refusal);
  else if (!finish_output(r->out, r->options->output, &text, &why))
    code = bad_input(&why);
  str_done(&text);
  free(r->reserve);
  view_free(r->shown);
  parallel_free(r->search);
  return code;
}

static enum progress_style progress_style_of(const struct options *o) {
  if (o->progress == SHOW_AUTO && !o->quiet && !o->print_executions &&
      isatty(STDERR_FILENO))
    return PROGRESS_LINE;
  return o->progress == SHOW_JSON ? PROGRESS_JSON : PROGRESS_NONE;
}

static enum exit_code check_program(const struct options *o) {
  struct run r = {.options = o,
                  .progress = progress_of_style(progress_style_of(o))};
  struct diag why;
  clock_gettime(CLOCK_MONOTONIC, &r.start);
  if (o->json && o->print_executions) {
    diag_set(&why, NULL, 0, "--json and --print-executions exclude each other");
    return bad_input(&why);
  }
  if (!find_model(o->model, &r.model, &why) || !options_fit(o, r.model, &why) ||
      !load(o, &r.prog, &why))
    return bad_input(&why);
  // Only now: bad input must not destroy an older report.
  enum exit_code code = open_output(o->output, &r.out, &why)
                            ? explore_and_report(&r)
                            : bad_input(&why);
  prog_free(r.prog);
  return code;
}

static enum exit_code run_command(const struct options *o) {
  if (o->version) {
    struct str text = {0};
    str_add(&text, "heddle %s\n", HEDDLE_VERSION);
    return print(NULL, &text, EXIT_OK);
  }
  if (o->help)
    return help(o);
  switch (o->command) {
  case COMMAND_CHECK:
    return check_program(o);
  case COMMAND_MODELS:
    return list_models();
  case COMMAND_DUMP:
    return dump(o);
  case COMMAND_DOC:
    return print_doc(o);
  case COMMAND_HELP:
  case COMMAND_NONE:
    break;
  }
  return help(o);
}

int main(int argc, char **argv) {
  struct options o;
  struct diag why;
  if (!options_parse(argc, argv, &o, &why))
    return (int)bad_input(&why);
  enum exit_code code = run_command(&o);
  options_done(&o);
  return (int)code;
}
