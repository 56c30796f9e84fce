// SPDX-License-Identifier: MIT
// heddle optimize: the cheapest memory orders with which all clients are right.
#include "cmd/optimize.h"

#include "report/report.h"

#include <string.h>
#include <unistd.h>

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

static enum verdict explore_client(void *arg, uint32_t client,
                                   finding_fn *on_finding, void *finding_arg,
                                   uint64_t *executions) {
  struct optimizing *z = arg;
  struct run *r = &z->runs[client];
  r->on_finding = on_finding;
  r->arg = finding_arg;
  const struct explore_result *x = run_explore(r);
  enum verdict v = x->verdict;
  *executions = x->executions + x->blocked;
  if (v == VERDICT_INCOMPLETE)
    note_limit(z, x, client);
  parallel_free(r->search);
  r->search = NULL;
  return v;
}

static char *show_execution(void *arg, uint32_t client, struct vm *vm,
                            const struct graph *g, const struct finding *f) {
  struct optimizing *z = arg;
  struct view *v = view_new(z->runs[client].prog, vm, g, f);
  struct str text = {0};
  execution_text(v, (struct text_style){.width = 100}, &text);
  view_free(v);
  if (!text.at)
    str_add(&text, "%s", "");
  return text.at;
}

// -- progress

static bool shows_progress(const struct options *o) {
  return o->progress == SHOW_JSON ||
         (o->progress == SHOW_AUTO && !o->quiet && isatty(STDERR_FILENO));
}

static void on_progress(void *arg, const struct search *s) {
  struct optimizing *z = arg;
  double now = run_seconds(&z->runs[0]);
  if (now < (double)PROGRESS_FIRST_SECONDS || now < z->shown + 0.5)
    return;
  bool is_json = z->options->progress == SHOW_JSON;
  z->shown = now;
  z->has_line = !is_json;
  fprintf(stderr,
          is_json ? "{\"checks\": %llu, \"learned\": %u, \"executions\": %llu, "
                    "\"solutions\": %u}\n"
                  : "\r%llu checks, %u learned, %llu executions, %u solutions "
                    "so far ",
          (unsigned long long)s->checks, s->bads.len,
          (unsigned long long)s->executions, s->solutions.len);
}

// -- clients

// Models of which the tests know that weaker orders allow more.
static bool is_monotone(const struct options *o, const struct model *m,
                        struct diag *why) {
  static const char *const known[] = {"sc",   "tso", "pso",  "ra",
                                      "rc11", "imm", "armv8"};
  bool found = o->release_sequences != RELEASE_C11;
  for (unsigned i = 0; found && i < sizeof known / sizeof *known; i++)
    if (!m->text && strcmp(m->name, known[i]) == 0)
      return true;
  diag_set(why, NULL, 0,
           "heddle optimize needs a model of which it is known that weaker "
           "orders allow more; that is not known of '%s'%s",
           m->name, found ? "" : " with --release-sequences c11");
  diag_hint(why, "the models are: sc, tso, pso, ra, rc11, imm, armv8");
  return false;
}

static bool options_agree(const struct options *o, struct diag *why) {
  if (o->repair && (o->check_only || options_has(o, "from")))
    return diag_set(why, NULL, 0,
                    "--repair makes what is written stronger: it excludes "
                    "--from and --check-only");
  if (o->check_only && (o->all || o->top || options_has(o, "from") ||
                        options_has(o, "algorithm")))
    return diag_set(why, NULL, 0,
                    "--check-only looks at the written orders one by one: it "
                    "excludes --all, --top, --from and --algorithm");
  if (o->all && o->algorithm == ALGORITHM_DESCENT)
    return diag_set(why, NULL, 0,
                    "--algorithm descent finds one assignment: it excludes "
                    "--all");
  if (o->diff && (o->json || o->check_only || o->all))
    return diag_set(why, NULL, 0,
                    "--diff is about one solution, as a patch: it excludes "
                    "--json, --check-only and --all");
  return !o->top || o->all || diag_set(why, NULL, 0, "--top needs --all");
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
  struct options *o = xmalloc(sizeof *o);
  struct run *r = &z->runs[i];
  *o = *z->options;
  r->refuses_pieces = true;
  o->files.at = &z->options->files.at[i];
  o->files.len = 1;
  bool ok = run_begin(r, o, why) && is_monotone(z->options, r->model, why);
  r->options = o; // freed by end_clients
  r->progress = progress_of_style(PROGRESS_NONE);
  if (ok)
    sites_add_client(&z->search.sites, z->options->files.at[i], r->prog);
  return ok;
}

static void end_clients(struct optimizing *z) {
  for (uint32_t i = 0; i < z->options->files.len; i++) {
    struct run *r = &z->runs[i];
    if (i < z->search.sites.clients.len)
      r->prog = NULL; // it is the search's now
    run_end(r);
    free((void *)r->options);
  }
  free(z->runs);
}

static void set_bounds(struct optimizing *z) {
  struct search *s = &z->search;
  uint32_t n = s->sites.at.len;
  s->low = xcalloc(n + 1, 1);
  s->top = xcalloc(n + 1, 1);
  z->source = xcalloc(n + 1, 1);
  bool is_strong = z->options->repair || z->options->from == FROM_SC;
  for (uint32_t i = 0; i < n; i++) {
    const struct order_site *site = &s->sites.at.at[i];
    z->source[i] = site->source;
    s->top[i] = is_strong ? mode_full(site->kind) : site->source;
    s->low[i] = z->options->repair ? site->source : 0;
  }
}

static bool begin(struct optimizing *z, struct diag *why) {
  const struct options *o = z->options;
  struct search *s = &z->search;
  if (!options_agree(o, why) || !are_programs(o, why))
    return false;
  for (uint32_t i = 0; i < o->files.len; i++)
    if (!add_client(z, i, why))
      return false;
  s->model = z->runs[0].model;
  s->model_options = model_options_of(o, s->model);
  s->algorithm = (enum algorithm)o->algorithm;
  s->cost = (enum cost_table)o->cost;
  s->all = o->all;
  s->top_count = o->top;
  s->explore = explore_client;
  s->show = show_execution;
  s->on_progress = shows_progress(o) ? on_progress : NULL;
  s->arg = z;
  set_bounds(z);
  if (s->algorithm == ALGORITHM_EXHAUSTIVE && search_size(s) > MOST_ASSIGNMENTS)
    return diag_set(why, NULL, 0,
                    "--algorithm exhaustive tries at most %d assignments, and "
                    "%u sites have more",
                    MOST_ASSIGNMENTS, s->sites.at.len);
  return true;
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
  struct optimizing z = {.options = o};
  struct diag why;
  z.runs = xcalloc(o->files.len, sizeof *z.runs);
  enum exit_code code = outputs_spare_sources(o, &why) && begin(&z, &why)
                            ? optimize(&z)
                            : bad_input(&why);
  end_clients(&z);
  search_done(&z.search);
  free(z.weakest);
  free(z.source);
  return code;
}
