// SPDX-License-Identifier: MIT
// heddle check: explores a program and reports what was found.
#include "cmd/check.h"
#include "cmd/files.h"
#include "cmd/mpi.h"
#include "cmd/optimize.h"
#include "cmd/parts.h"
#include "cmd/replay.h"
#include "cmd/run.h"
#include "cmd/suite.h"

#include <stdlib.h>
#include <string.h>

enum {
  RESERVE = 8 << 20,      // bytes of address space, for a report without memory
  MOST_SHOWN = 100,       // executions that are kept with --all-errors
  MORE_EXECUTIONS = 1000, // --shortest looks at so many more
};

struct checking {
  struct run run;
  char tag[REPLAY_TAG]; // of names of executions
  FILE *out;
  struct files files;
  ARRAY(struct shown)
  shown;                 // executions of findings, that of the first error
                         // among them
  struct view *first;    // which belongs to it, NULL if there is none
  struct view *sample;   // some execution, if a file wants one
  struct view *replayed; // what --replay asked for, if it has no error
  bool replayed_is_blocked;
  bool sample_is_blocked;
  uint64_t printed;          // by --print-executions
  uint64_t non_sc;           // executions that no interleaving explains,
  struct view *first_non_sc; // and the first of them, or NULL
  uint64_t more;             // executions since the first error
  bool has_stopped;          // because --shortest has looked long enough
  void *reserve;             // memory for the report when there is no more
  bool is_cut_off;           // the process ends, whatever it was doing
  struct saver saver;
  char part[80]; // which part of a search this was, or ""
  struct check_outcome *outcome;
};

static struct view *take_view(const struct checking *c, struct vm *vm,
                              const struct graph *g, const struct finding *f) {
  struct view *v = view_new(c->run.prog, vm, g, f);
  if (!c->run.options->full)
    view_hide_inner(v);
  if (files_want_sample(c->run.options))
    view_add_sync(v, g);
  if (c->run.options->html)
    view_add_memory(v, c->run.prog, vm, g);
  return v;
}

// -- the shortest execution

// Fewer events; of as many, fewer changes from one thread to another.
static uint64_t length_of(const struct view *v) {
  uint64_t events = 0, changes = 0;
  unsigned last = UINT32_MAX;
  for (uint32_t i = 0; i < v->rows.len; i++) {
    const struct view_event *e = &v->events.at[v->rows.at[i]];
    events++;
    changes += e->thread != last;
    last = e->thread;
  }
  return events << 32 | changes;
}

// Another execution that shows a known finding.
static void keep_if_shorter(struct checking *c, struct vm *vm,
                            const struct graph *g, const struct finding *f) {
  struct shown *s = c->shown.at;
  while (s < c->shown.at + c->shown.len && !finding_is_same(&s->finding, f))
    s++;
  if (s == c->shown.at + c->shown.len || g->live - 1 > s->view->events.len)
    return;
  struct view *v = take_view(c, vm, g, f);
  bool is_shorter = length_of(v) < length_of(s->view);
  if (is_shorter && c->first == s->view)
    c->first = v;
  view_free(is_shorter ? s->view : v);
  if (is_shorter)
    *s = (struct shown){*f, v};
}

static void stop_in_time(struct checking *c) {
  bool is_over = c->more++ >= MORE_EXECUTIONS;
  if (!c->first || !is_over || c->run.options->all_errors)
    return;
  c->has_stopped = true;
  run_stop(&c->run);
}

// -- what is seen of the search

static bool is_shown(const struct checking *c, const struct finding *f) {
  for (uint32_t i = 0; i < c->shown.len; i++)
    if (finding_is_same(&c->shown.at[i].finding, f))
      return true;
  return false;
}

// The view is made while the graph is there: the search goes on after that.
static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct checking *c = arg;
  bool is_first = !c->first && !f->is_warning;
  bool is_wanted =
      files_want_all_errors(c->run.options) && c->shown.len < MOST_SHOWN;
  if (c->run.options->shortest)
    stop_in_time(c);
  if (is_shown(c, f)) {
    keep_if_shorter(c, vm, g, f);
    return;
  }
  if (!is_first && !is_wanted)
    return;
  struct view *v = take_view(c, vm, g, f);
  array_push(&c->shown, (struct shown){*f, v});
  if (is_first) {
    c->first = v;
    c->more = 0;
  }
}

static struct text_style style_of(const struct checking *c) {
  struct text_style style =
      text_style_of(fileno(c->out), c->run.options->color);
  style.is_full = c->run.options->full;
  return style;
}

static void print_execution(struct checking *c, struct vm *vm,
                            const struct graph *g, bool is_blocked) {
  struct view *v = view_new(c->run.prog, vm, g, NULL);
  struct str text = {0};
  if (!c->run.options->full)
    view_hide_inner(v);
  str_add(&text, "Execution %llu%s, --replay %016llx-%s:\n",
          (unsigned long long)++c->printed, is_blocked ? " (blocked)" : "",
          (unsigned long long)v->name, c->tag);
  execution_text(v, style_of(c), &text);
  fprintf(c->out, "%s\n", str_text(&text));
  str_done(&text);
  view_free(v);
}

// The first execution is as good as any; a complete one is better than one
// that is blocked.
static void keep_sample(struct checking *c, struct vm *vm,
                        const struct graph *g, bool is_blocked) {
  if (c->sample && (is_blocked || !c->sample_is_blocked))
    return;
  view_free(c->sample);
  c->sample = take_view(c, vm, g, NULL);
  c->sample_is_blocked = is_blocked;
}

static void note_if_non_sc(struct checking *c, struct vm *vm,
                           const struct graph *g) {
  static const struct model_options none;
  if (model_allows(model_find("sc"), g, &none))
    return;
  if (c->non_sc++)
    return;
  c->first_non_sc = view_new(c->run.prog, vm, g, NULL);
  if (!c->run.options->full)
    view_hide_inner(c->first_non_sc);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct checking *c = arg;
  if (c->run.options->replay && !c->replayed) {
    c->replayed = take_view(c, vm, g, NULL);
    c->replayed_is_blocked = is_blocked;
  }
  if (c->run.options->note_non_sc && !is_blocked)
    note_if_non_sc(c, vm, g);
  if (c->run.options->shortest)
    stop_in_time(c);
  if (c->run.options->print_executions)
    print_execution(c, vm, g, is_blocked);
  if (files_want_sample(c->run.options))
    keep_sample(c, vm, g, is_blocked);
}

static void forget(struct checking *c) {
  for (uint32_t i = 0; i < c->shown.len; i++)
    view_free(c->shown.at[i].view);
  array_done(&c->shown);
  view_free(c->sample);
  view_free(c->replayed);
  view_free(c->first_non_sc);
  c->first = c->sample = c->replayed = c->first_non_sc = NULL;
  c->non_sc = c->printed = 0;
}

// Another error is the first one of the search.
static void on_earlier_error(void *arg) {
  struct checking *c = arg;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < c->shown.len; i++) {
    if (c->shown.at[i].finding.is_warning)
      c->shown.at[kept++] = c->shown.at[i];
    else
      view_free(c->shown.at[i].view);
  }
  c->shown.len = kept;
  c->first = NULL;
}

static void on_begin_again(void *arg) {
  struct checking *c = arg;
  forget(c);
  if (c->run.options->print_executions)
    fprintf(c->out, "Memory is accessed in pieces of other sizes: the list "
                    "begins again.\n\n");
}

// -- the report

static bool is_json(const struct options *o) {
  return o->json || o->format == FORMAT_JSON;
}

static void add_non_sc(const struct checking *c, const struct explore_result *x,
                       struct str *text) {
  if (!c->non_sc) {
    str_add(text, "An interleaving explains each of these executions.\n");
    return;
  }
  str_add(text, "No interleaving explains %llu of %llu complete executions.",
          (unsigned long long)c->non_sc, (unsigned long long)x->executions);
  if (c->run.options->quiet) {
    str_add(text, "\n");
    return;
  }
  str_add(text, " The first of them, --replay %016llx-%s:\n",
          (unsigned long long)c->first_non_sc->name, c->tag);
  execution_text(c->first_non_sc, style_of(c), text);
}

static void add_replayed(const struct checking *c, struct str *text) {
  text->len = 0; // one execution says nothing about the others
  str_add(text, "Execution %016llx%s, which has no error:\n",
          (unsigned long long)c->replayed->name,
          c->replayed_is_blocked ? " (blocked)" : "");
  execution_text(c->replayed, style_of(c), text);
}

// Was what --replay asks for not among all executions?
static bool replay_failed(const struct checking *c,
                          const struct explore_result *x, struct diag *why) {
  const struct options *o = c->run.options;
  if (!o->replay || c->replayed || c->first || x->limit)
    return false;
  struct str how = {0};
  replay_differences(o->replay, c->tag, &how);
  diag_set(why, NULL, 0, "no execution has the name %s%s%s", o->replay,
           how.len ? ": it was given " : "", str_text(&how));
  diag_hint(why, "names hold for the same program and model, and for the same "
                 "options about what is checked (--all-errors among them)");
  str_done(&how);
  return true;
}

// The name may be found all the same: what has changed may not matter to it.
static void warn_of_other_tag(const struct checking *c) {
  struct str how = {0};
  if (c->run.options->replay)
    replay_differences(c->run.options->replay, c->tag, &how);
  if (how.len)
    fprintf(stderr,
            "heddle: note: the name %s was given %s; it may mean another "
            "execution here, or none\n",
            c->run.options->replay, how.at);
  str_done(&how);
}

// Looks for what would mend the error that is shown, if a report would say it.
static void find_mend(const struct checking *c, const struct explore_result *x,
                      struct str *out) {
  const struct options *o = c->run.options;
  bool is_told = !o->quiet && !is_json(o) && !c->outcome->is_of_suite;
  if (!c->first || x->verdict != VERDICT_ERROR || c->is_cut_off ||
      !(o->mend == MEND_ON || (o->mend == MEND_AUTO && (is_told || o->html))))
    return;
  for (uint32_t i = 0; i < c->shown.len; i++)
    if (c->shown.at[i].view == c->first)
      mend_text(&c->run, &c->shown.at[i].finding, c->first, out);
}

// `files` may be NULL: they are not written then.
static bool make_report(const struct checking *c,
                        const struct explore_result *x, struct files *files,
                        struct str *text, struct diag *why) {
  const struct options *o = c->run.options;
  double seconds = run_seconds(&c->run); // without what follows
  struct str mend = {0};
  find_mend(c, x, &mend);
  struct vm_stats stats =
      c->run.search ? parallel_vm_stats(c->run.search) : (struct vm_stats){0};
  struct model_options options = model_options_of(o, c->run.model);
  struct report report = {
      .prog = c->run.prog,
      .result = x,
      .model = c->run.model->name,
      .is_language = c->run.model->is_language,
      // (Which reads the text of the model: a check without errors need not.)
      .has_race_order =
          c->shown.len && model_with_order(c->run.model, &options),
      .races_by_model = o->races == RACES_MODEL,
      .tag = c->tag,
      .is_justified = c->run.model->justifier,
      .is_guessed = model_guesses(c->run.model),
      .reductions = c->run.reductions,
      .shown = c->first ? c->first : c->replayed,
      .all = c->shown.at,
      .nall = c->shown.len,
      .seconds = seconds,
      .max_rss_kb = max_rss_kb(),
      .stats = o->stats ? &stats : NULL,
      .non_sc = o->note_non_sc ? &c->non_sc : NULL,
      .is_quiet = o->quiet,
      .mend = str_text(&mend),
  };
  if (is_json(o))
    report_json(&report, text);
  else if (o->format == FORMAT_GITHUB)
    report_github(&report, style_of(c), text);
  else
    report_text(&report, style_of(c), text);
  if (o->note_non_sc && o->format == FORMAT_TEXT && !is_json(o))
    add_non_sc(c, x, text);
  if (c->replayed && !c->first && o->format == FORMAT_TEXT && !is_json(o))
    add_replayed(c, text);
  bool ok = !files || files_write(files, &report, c->sample, why);
  str_done(&mend);
  return ok;
}

// Counts are told now and then, findings at once.
static struct explore_result known_so_far(const struct checking *c,
                                          const char *limit) {
  struct explore_result ret = {0};
  if (c->run.so_far)
    ret = *c->run.so_far;
  ret.findings.at = NULL; // they stay those of the search
  ret.findings.len = ret.findings.cap = 0;
  for (uint32_t i = 0; i < c->shown.len; i++)
    array_push(&ret.findings, c->shown.at[i].finding);
  for (uint32_t i = 0; c->run.so_far && i < c->run.so_far->findings.len; i++)
    if (!is_shown(c, &c->run.so_far->findings.at[i]))
      array_push(&ret.findings, c->run.so_far->findings.at[i]);
  ret.limit = limit;
  ret.verdict = explore_verdict(&ret);
  return ret;
}

// What is known so far, made in the memory that is kept for lack of it.
static enum exit_code report_partial_result(void *arg, const char *limit) {
  struct checking *c = arg;
  struct str text = {0};
  struct diag why;
  fatal_on_limit(NULL, NULL);
  free(c->reserve);
  c->is_cut_off = true;
  struct explore_result so_far = known_so_far(c, limit);
  bool ok = make_report(c, &so_far, &c->files, &text, &why);
  if (!finish_output(c->out, c->run.options->output, &text, &why) || !ok)
    return bad_input(&why);
  return exit_code_of(so_far.verdict);
}

// The check came to something that is not supported, and found no error before.
static const struct finding *refusal_of(const struct explore_result *x) {
  for (uint32_t i = 0; i < x->findings.len; i++)
    if (x->verdict == VERDICT_INCOMPLETE &&
        x->findings.at[i].kind == FIND_UNSUPPORTED)
      return &x->findings.at[i];
  return NULL;
}

static enum exit_code refuse(const struct prog *p, const struct finding *f) {
  struct source at = f->site == NO_SITE
                         ? (struct source){0}
                         : *prog_outside(p, &p->source.at[f->site]);
  const char *advice = strchr(f->message, '\n');
  struct diag why;
  diag_set(&why, prog_text(p, at.file), at.line, "%.*s",
           (int)strcspn(f->message, "\n"), f->message);
  why.column = at.column;
  if (advice)
    diag_hint(&why, "%s", advice + 1);
  return bad_input(&why);
}

static void fill_outcome(const struct checking *c,
                         const struct explore_result *x,
                         struct check_outcome *ret) {
  ret->has_verdict = true;
  ret->is_interrupted = run_was_interrupted();
  ret->verdict = x->verdict;
  ret->executions = x->stands_for;
  ret->blocked = x->blocked;
  ret->seconds = run_seconds(&c->run);
  ret->supposed = c->run.prog->supposed;
  for (uint32_t i = x->findings.len; i-- > 0;) {
    const struct finding *f = &x->findings.at[i];
    if (f->is_warning)
      continue;
    ret->errors[f->kind] = true;
    snprintf(ret->message, sizeof ret->message, "%s", finding_message(f));
  }
  struct str left = {0};
  left_waiting_text(c->run.prog, x, &left);
  snprintf(ret->left_waiting, sizeof ret->left_waiting, "%s", str_text(&left));
  str_done(&left);
  if (x->verdict == VERDICT_INCOMPLETE)
    snprintf(ret->message, sizeof ret->message, "%s",
             x->limit ? x->limit : "stopped early");
}

// One part of several, explored to its end, has no verdict of its own: the
// report says so, and the exit code lets a batch of parts go on.
static bool is_whole_part(struct checking *c, struct explore_result *found) {
  const struct saver *s = &c->saver;
  if (s->parts < 2 || found->limit ||
      (found->verdict != VERDICT_OK && found->executions))
    return false;
  snprintf(c->part, sizeof c->part,
           "part %u of %u is explored; `heddle merge` reports all", s->part,
           s->parts);
  found->limit = c->part;
  found->verdict = VERDICT_INCOMPLETE;
  return true;
}

// A limit ended the search with a bound; one with a smaller bound was made
// before.
static void tell_bound(const struct checking *c, struct explore_result *found) {
  struct str name = {0};
  bounds_name(c->run.bound_done, &name);
  if (name.len && found->limit && !found->detail[0])
    snprintf(found->detail, sizeof found->detail,
             "All executions within %s were explored before", str_text(&name));
  str_done(&name);
}

static enum exit_code explore_and_report(struct checking *c) {
  replay_tag(c->run.options, c->run.model, c->tag);
  warn_of_other_tag(c);
  c->reserve = xmalloc(RESERVE);
  fatal_on_limit(report_partial_result, c);
  struct explore_result found = *run_explore(&c->run);
  const struct explore_result *result = &found;
  if (!found.drawn.is_sample)
    found.estimate = run_estimate(&c->run);
  if (c->has_stopped)
    found.limit = NULL; // as after any first error
  if (c->run.is_bounded)
    snprintf(found.detail, sizeof found.detail,
             "Executions get big; this was found with --unroll 2, which "
             "--replay needs too");
  tell_bound(c, &found);
  bool is_part = is_whole_part(c, &found);
  struct str text = {0};
  struct diag why;
  if (c->replayed && !c->first) {
    found.verdict = VERDICT_OK; // of this execution
    found.limit = NULL;
  }
  if (replay_failed(c, result, &why)) {
    fatal_on_limit(NULL, NULL);
    free(c->reserve);
    return bad_input(&why);
  }
  bool ok = make_report(c, result, &c->files, &text, &why);
  fill_outcome(c, result, c->outcome);
  const struct finding *refusal = refusal_of(result);
  enum exit_code code = refusal   ? refuse(c->run.prog, refusal)
                        : is_part ? EXIT_OK
                                  : exit_code_of(result->verdict);
  if (refusal && !is_json(c->run.options))
    text.len = 0; // the message says it all
  if (!finish_output(c->out, c->run.options->output, &text, &why) || !ok)
    code = bad_input(&why);
  str_done(&text);
  fatal_on_limit(NULL, NULL);
  free(c->reserve);
  return code;
}

static bool formats_fit(const struct options *o, struct diag *why) {
  if (o->json && options_has(o, "format") && o->format != FORMAT_JSON)
    return diag_set(why, NULL, 0, "--json and --format exclude each other");
  if (o->print_executions && (is_json(o) || o->format != FORMAT_TEXT))
    return diag_set(why, NULL, 0,
                    "--print-executions is text: it excludes --json and "
                    "--format");
  if (o->replay && (o->print_executions || o->note_non_sc || o->shortest))
    return diag_set(why, NULL, 0,
                    "--replay shows one execution: it excludes "
                    "--print-executions, --note-non-sc and --shortest");
  if (o->note_non_sc && o->format != FORMAT_TEXT && !is_json(o))
    return diag_set(why, NULL, 0,
                    "--note-non-sc is told in text and JSON only");
  return true;
}

// Files are opened last: bad input must not destroy an older report.
static bool open_all(struct checking *c, const struct options *o,
                     struct diag *why) {
  return parts_begin(&c->run, &c->saver, why) &&
         files_open(&c->files, o, why) && open_output(o->output, &c->out, why);
}

// All ranks do, if there are several.
static enum exit_code check_with_all(struct checking *c,
                                     const struct options *o) {
  struct diag why;
  bool ok = run_begin(&c->run, o, &why) &&
            (mpi_is_helper(&c->run) || open_all(c, o, &why));
  if (!mpi_agree(&c->run, ok, &why))
    return why.text[0] ? bad_input(&why) : EXIT_BAD_INPUT;
  if (!mpi_is_helper(&c->run))
    return explore_and_report(c);
  mpi_help(&c->run);
  return EXIT_OK;
}

static enum exit_code check_from(const struct options *given,
                                 struct frontier *from,
                                 struct check_outcome *ret) {
  struct options mine = *given;
  mine.all_errors |= replay_goes_on(given);
  const struct options *o = &mine;
  bool sees_all = o->print_executions || o->note_non_sc || o->shortest ||
                  o->replay || files_want_sample(o);
  struct checking c = {.run = {.on_finding = on_finding,
                               .on_execution = sees_all ? on_execution : NULL,
                               .on_begin_again = on_begin_again,
                               .on_earlier_error = on_earlier_error},
                       .outcome = ret};
  struct diag why;
  c.run.arg = &c;
  if (from) {
    c.run.from = *from;
    c.run.is_resumed = true;
    *from = (struct frontier){0};
  }
  enum exit_code code =
      formats_fit(o, &why) && parts_fit(o, &why) && mpi_fits(o, &why) &&
              outputs_spare_sources(o, &why) && mpi_begin(&c.run, o, &why)
          ? check_with_all(&c, o)
          : bad_input(&why);
  mpi_end(&c.run, code);
  forget(&c);
  run_end(&c.run);
  parts_end(&c.saver);
  return code;
}

enum exit_code check_program(const struct options *o,
                             struct check_outcome *ret) {
  return check_from(o, NULL, ret);
}

enum exit_code check_frontier(const struct options *o, struct frontier *from) {
  struct check_outcome unused = {0};
  return check_from(o, from, &unused);
}

// -- several programs

static bool separate_fits(const struct options *o, struct diag *why) {
  static const char *const of_one[] = {
      "dot",         "html",  "sarif", "print-executions",
      "note-non-sc", "stats", "replay"};
  for (unsigned i = 0; i < LENGTH(of_one); i++)
    if (options_has(o, of_one[i]))
      return diag_set(why, NULL, 0,
                      "--%s is about one program and --separately about "
                      "several",
                      of_one[i]);
  return true;
}

static enum exit_code check_separately(const struct options *o) {
  struct suite s = {0};
  struct diag why;
  bool ok = separate_fits(o, &why);
  for (uint32_t i = 0; ok && i < o->files.len; i++)
    ok = suite_add_file(&s, o, o->files.at[i], &why);
  enum exit_code code = ok ? suite_run(&s, o) : bad_input(&why);
  suite_done(&s);
  return code;
}

enum exit_code cmd_check(const struct options *o) {
  struct check_outcome unused = {0};
  if (are_litmus_tests(o))
    return cmd_litmus(o);
  return o->separately ? check_separately(o) : check_program(o, &unused);
}
