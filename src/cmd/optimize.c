// SPDX-License-Identifier: MIT
// heddle optimize: the cheapest memory orders with which all clients are right.
#include "cmd/optimize.h"

#include "report/report.h"

#include <string.h>
#include <unistd.h>

// -- progress

static bool shows_progress(const struct options *o) {
  return o->progress == SHOW_JSON ||
         (o->progress == SHOW_AUTO && !o->quiet && isatty(STDERR_FILENO));
}

static void print_progress(struct optimizing *z, uint64_t executions) {
  const struct search *s = &z->search;
  struct str best = {0};
  bool is_json = z->options->progress == SHOW_JSON;
  if (s->verified)
    str_add(&best, "%llu",
            (unsigned long long)modes_cost(&z->costs, &s->sites, s->verified));
  else
    str_add(&best, is_json ? "null" : "none");
  z->has_line = !is_json;
  fprintf(
      stderr,
      is_json ? "{\"checks\": %llu, \"learned\": %u, \"bound\": %llu, "
                "\"best\": %s, \"executions\": %llu, "
                "\"solutions\": %u}\n"
              : "\r%llu checks, %u learned, cost at least %llu, best so far "
                "%s, %llu executions, %u solutions ",
      (unsigned long long)s->checks, s->bads.len, (unsigned long long)s->bound,
      str_text(&best), (unsigned long long)executions, s->solutions.len);
  str_done(&best);
}

static void show_progress(struct optimizing *z, uint64_t executions) {
  double now = run_seconds(&z->runs[0]);
  if (!shows_progress(z->options) || now < (double)PROGRESS_FIRST_SECONDS ||
      now < z->shown + 0.5)
    return;
  z->shown = now;
  print_progress(z, executions);
}

static void on_progress(void *arg, const struct search *s) {
  show_progress(arg, s->executions);
}

// -- what the search asks for

static void note_limit(struct optimizing *z, const struct explore_result *x,
                       uint32_t client) {
  const char *limit = explore_limit(x), *what = limit ? limit : "";
  for (uint32_t i = 0; i < x->findings.len; i++)
    if (x->findings.at[i].kind == FIND_UNSUPPORTED)
      what = x->findings.at[i].message;
  snprintf(z->limit, sizeof z->limit, "%.300s%s%.200s in %.60s", what,
           *x->detail ? ": " : "", x->detail, z->options->files.at[client]);
}

enum { PROBE_EXECUTIONS = 1000, FEW_EXECUTIONS = 8 };

// An exploration while it runs.
struct exploring {
  struct optimizing *z;
  struct exploration *e;
  struct run *r;
  uint64_t executions, first;   // first: at the first finding
  bool has_found, found_before; // before it began again
};

static void give_up(struct optimizing *z, struct run *r) {
  z->budget = 1; // what comes now ends at once, too
  z->search.is_incomplete = true;
  run_stop(r);
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct exploring *x = arg;
  if (x->z->most_events && g->nevents > x->z->most_events)
    give_up(x->z, x->r);
  if (!x->has_found && !f->is_warning) {
    x->has_found = true;
    x->first = x->executions;
  }
  x->e->on_finding(x->e->arg, vm, g, f);
  if (x->has_found && x->first < FEW_EXECUTIONS)
    run_stop(x->r);
}

// One execution of those that are left.
static void spend(struct optimizing *z, struct run *r) {
  if (z->budget && --z->budget == 0)
    give_up(z, r);
}

// Wrong executions are often near each other: where the first was not found at
// once, it goes on for as long again.
static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct exploring *x = arg;
  (void)is_blocked;
  x->executions++;
  x->e->on_execution(x->e->arg, vm, g);
  if (x->has_found && x->e->goes_on && x->executions > 2 * x->first)
    run_stop(x->r);
  spend(x->z, x->r);
}

// What was told stays true: those were executions up to where the sizes differ.
static void on_begin_again(void *arg) {
  struct exploring *x = arg;
  x->found_before |= x->has_found;
  x->has_found = false;
  x->executions = x->first = 0;
}

static void while_exploring(void *arg, const struct explore_result *so_far) {
  struct exploring *x = arg;
  show_progress(x->z,
                x->z->search.executions + so_far->executions + so_far->blocked);
}

static enum verdict explore_now(struct optimizing *z, struct run *r,
                                struct options *o, struct exploration *e) {
  struct exploring now = {.z = z, .e = e, .r = r};
  o->shortest = e->goes_on; // that is: all findings
  r->on_finding = on_finding;
  r->on_execution = on_execution;
  r->on_begin_again = on_begin_again;
  r->on_progress = e->is_probe ? NULL : while_exploring;
  r->arg = &now;
  spend(z, r); // to begin costs something, too
  const struct explore_result *x = run_explore(r);
  enum verdict v = x->verdict;
  if (v == VERDICT_INCOMPLETE && now.found_before)
    v = VERDICT_ERROR; // to stop was asked for then
  e->executions = x->executions + x->blocked;
  if (v == VERDICT_INCOMPLETE && !e->is_probe)
    note_limit(z, x, e->client);
  parallel_free(r->search);
  r->search = NULL;
  r->stop = false;
  return v;
}

// Probes run at a time, so each has a run of its own.
static enum verdict explore_probe(struct optimizing *z, struct exploration *e) {
  struct run r = {.model = z->search.model,
                  .prog = e->prog,
                  .reductions = z->runs[e->client].reductions,
                  .start = z->runs[e->client].start,
                  .progress = progress_of_style(PROGRESS_NONE)};
  struct options o = *z->runs[e->client].options;
  r.options = &o;
  o.jobs = 1;
  if (!o.max_executions || o.max_executions > PROBE_EXECUTIONS)
    o.max_executions = PROBE_EXECUTIONS;
  return explore_now(z, &r, &o, e);
}

static enum verdict explore_client(void *arg, struct exploration *e) {
  struct optimizing *z = arg;
  return e->is_probe ? explore_probe(z, e)
                     : explore_now(z, &z->runs[e->client],
                                   &z->client_options[e->client], e);
}

static char *show_execution(void *arg, uint32_t client, struct vm *vm,
                            const struct graph *g, const struct finding *f) {
  struct optimizing *z = arg;
  struct str text = {0};
  pthread_mutex_lock(&z->showing);
  struct view *v = view_new(z->runs[client].prog, vm, g, f);
  view_hide_inner(v);
  execution_text(v, (struct text_style){.width = 100}, &text);
  view_free(v);
  pthread_mutex_unlock(&z->showing);
  if (!text.at)
    str_add(&text, "%s", "");
  return text.at;
}

// -- clients

// Nothing is supposed of a model of which it is not known that weaker orders
// allow more: one order after the other becomes weaker, and each step is
// explored.
static bool choose_algorithm(struct optimizing *z, struct diag *why) {
  const struct options *o = z->options;
  struct search *s = &z->search;
  s->algorithm = (enum algorithm)o->algorithm;
  if (model_is_monotone(s->model, &s->model_options) ||
      s->algorithm != ALGORITHM_HIT)
    return true;
  if (o->all || o->top || options_has(o, "algorithm")) {
    diag_set(why, NULL, 0,
             "--all, --top and --algorithm hit need a model of which it is "
             "known that weaker orders allow more; that is not known of '%s'%s",
             s->model->name,
             s->model_options.c11_release_sequences
                 ? " with --release-sequences c11"
                 : "");
    diag_hint(why, "without them one order after the other is made weaker; "
                   "--algorithm exhaustive tries all assignments");
    return false;
  }
  s->algorithm = ALGORITHM_DESCENT;
  return true;
}

static bool options_agree(const struct options *o, struct diag *why) {
  if (o->repair &&
      (o->check_only || options_has(o, "from") || o->weaken_only.len))
    return diag_set(why, NULL, 0,
                    "--repair makes what is written stronger: it excludes "
                    "--from, --weaken-only and --check-only");
  if (o->check_only && o->insert_fences)
    return diag_set(why, NULL, 0,
                    "--check-only changes nothing: it excludes "
                    "--insert-fences");
  if (o->check_only && (o->all || o->top || options_has(o, "from") ||
                        options_has(o, "algorithm")))
    return diag_set(why, NULL, 0,
                    "--check-only weakens one order at a time: it excludes "
                    "--all, --top, --from and --algorithm");
  if ((o->all || o->top) && o->algorithm == ALGORITHM_DESCENT)
    return diag_set(why, NULL, 0,
                    "--algorithm descent finds one assignment: it excludes "
                    "--all and --top");
  if (o->diff && (o->json || o->check_only || o->all || o->top))
    return diag_set(why, NULL, 0,
                    "--diff is about one solution, as a patch: it excludes "
                    "--json, --check-only, --all and --top");
  return true;
}

static bool are_programs(const struct options *o, struct diag *why) {
  for (uint32_t i = 0; i < o->files.len; i++) {
    const char *dot = strrchr(o->files.at[i], '.');
    if (dot && strcmp(dot, ".litmus") == 0)
      return diag_set(why, o->files.at[i], 0,
                      "heddle optimize expects C programs, not litmus tests");
  }
  return true;
}

// Every file is a program of its own.
static bool add_client(struct optimizing *z, uint32_t i, struct diag *why) {
  struct options *o = &z->client_options[i];
  struct run *r = &z->runs[i];
  *o = *z->options;
  o->files.at = &z->options->files.at[i];
  o->files.len = 1;
  bool ok = run_begin(r, o, why);
  r->options = o;
  r->progress = progress_of_style(PROGRESS_NONE);
  if (ok) {
    z->search.sites.is_kernel = r->model->has_guards;
    sites_add_client(&z->search.sites, z->options->files.at[i], r->prog,
                     &z->options->wrapper);
  }
  return ok;
}

static void end_clients(struct optimizing *z) {
  for (uint32_t i = 0; i < z->options->files.len; i++) {
    struct run *r = &z->runs[i];
    if (i < z->search.sites.clients.len)
      r->prog = NULL; // it is the search's now
    run_end(r);
  }
  free(z->runs);
  free(z->client_options);
}

static bool begin(struct optimizing *z, struct diag *why) {
  const struct options *o = z->options;
  struct search *s = &z->search;
  if (!options_agree(o, why) || !are_programs(o, why) ||
      !costs_read(o->cost, &z->costs, why))
    return false;
  for (uint32_t i = 0; i < o->files.len; i++)
    if (!add_client(z, i, why))
      return false;
  sites_sort(&s->sites);
  s->model = z->runs[0].model;
  s->model_options = model_options_of(o, s->model);
  s->races_by_model = o->races == RACES_MODEL;
  s->costs = &z->costs;
  s->jobs = run_jobs(o);
  s->all = o->all || o->top;
  s->top_count = o->top;
  s->explore = explore_client;
  s->show = show_execution;
  s->on_progress = on_progress;
  s->arg = z;
  if (!choose_algorithm(z, why) || !optimize_bounds(z, why))
    return false;
  if (s->algorithm == ALGORITHM_EXHAUSTIVE && search_size(s) > MOST_ASSIGNMENTS)
    return diag_set(why, NULL, 0,
                    "--algorithm exhaustive tries at most %d assignments, and "
                    "%u sites have more",
                    MOST_ASSIGNMENTS, s->sites.at.len);
  return true;
}

// -- a program that was checked

bool optimize_program(struct optimizing *z, const struct run *checked,
                      struct prog *copy, struct diag *why) {
  struct search *s = &z->search;
  z->runs = xcalloc(1, sizeof *z->runs);
  z->client_options = xcalloc(1, sizeof *z->client_options);
  z->client_options[0] = *z->options;
  z->runs[0] = (struct run){.options = &z->client_options[0],
                            .model = checked->model,
                            .prog = copy,
                            .reductions = checked->reductions,
                            .progress = progress_of_style(PROGRESS_NONE)};
  clock_gettime(CLOCK_MONOTONIC, &z->runs[0].start);
  s->sites.is_kernel = checked->model->has_guards;
  sites_add_client(&s->sites, z->options->files.at[0], copy,
                   &z->options->wrapper);
  sites_sort(&s->sites);
  s->model = checked->model;
  s->model_options = model_options_of(z->options, s->model);
  s->races_by_model = z->options->races == RACES_MODEL;
  s->costs = &z->costs;
  s->jobs = 1;
  s->explore = explore_client;
  s->show = show_execution;
  s->arg = z;
  if (!s->sites.at.len || !costs_read("generic", &z->costs, why) ||
      !optimize_bounds(z, why))
    return false;
  search_run(s);
  return true;
}

void optimize_program_done(struct optimizing *z) {
  if (z->search.sites.clients.len)
    z->search.sites.clients.at[0].prog = NULL; // it is the caller's
  search_done(&z->search);
  free(z->runs);
  free(z->client_options);
  free(z->source);
}

// -- the command

static void run_check_only(struct optimizing *z) {
  struct search *s = &z->search;
  z->weakest = xcalloc(s->sites.at.len + 1, sizeof *z->weakest);
  if (search_check(s, s->top) != VERDICT_OK)
    return;
  for (uint32_t i = 0; i < s->sites.at.len; i++)
    z->weakest[i].is_known = search_weakest(s, i, &z->weakest[i].mode);
}

const struct bad *optimize_failure(const struct optimizing *z) {
  const struct search *s = &z->search;
  return !s->verified && !s->is_incomplete && s->bads.len
             ? &s->bads.at[s->bads.len - 1]
             : NULL;
}

static enum exit_code optimize(struct optimizing *z) {
  struct str text = {0};
  if (z->options->check_only)
    run_check_only(z);
  else
    search_run(&z->search);
  if (z->has_line)
    fputs("\r\x1b[K", stderr);
  if (z->options->json)
    optimize_json(z, &text);
  else if (z->options->diff && z->search.solutions.len)
    optimize_diff(z, z->search.solutions.at[0], &text);
  else
    optimize_text(z, &text);
  enum exit_code code = optimize_failure(z)       ? EXIT_FINDING
                        : z->search.is_incomplete ? EXIT_INCOMPLETE
                                                  : EXIT_OK;
  return print(z->options->output, &text, code);
}

enum exit_code cmd_optimize(const struct options *o) {
  struct optimizing z = {.options = o, .showing = PTHREAD_MUTEX_INITIALIZER};
  struct diag why;
  z.runs = xcalloc(o->files.len, sizeof *z.runs);
  z.client_options = xcalloc(o->files.len, sizeof *z.client_options);
  enum exit_code code = outputs_spare_sources(o, &why) && begin(&z, &why)
                            ? optimize(&z)
                            : bad_input(&why);
  end_clients(&z);
  search_done(&z.search);
  free(z.weakest);
  free(z.source);
  return code;
}
