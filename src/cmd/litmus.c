// SPDX-License-Identifier: MIT
// heddle litmus: many small tests, answered one by one (answer/).
#include "cmd/litmus.h"
#include "cat/catalogue.h"
#include "cmd/files.h"
#include "cmd/run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// An answer that has executions to show.
struct shown_answer {
  struct litmus *test;
  struct answer *answer;
};

// The model of a language, once a test has asked for it.
struct found_model {
  const char *language;
  const struct model *model; // NULL: it does not fit the options
  struct diag why;
};

// What the batch asks of us.
struct service {
  const struct options *options;
  FILE *out;
  ARRAY(struct found_model) models;
  pthread_mutex_t mutex; // for them: workers are threads
  ARRAY(struct shown_answer) shown;
  struct comparisons comparisons;
  struct relation_names relations;
  struct run clock;
  struct progress progress;
};

static void end_progress(struct service *s) {
  struct str text = {0};
  progress_end(&s->progress, &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

static bool print_answer(void *arg, const struct str *text) {
  struct service *s = arg;
  end_progress(s);
  return fwrite(str_text(text), 1, text->len, s->out) == text->len;
}

static void on_progress(void *arg, uint64_t done, uint64_t all) {
  struct service *s = arg;
  struct str text = {0};
  progress_show_tests(&s->progress, done, all, run_seconds(&s->clock), &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

// Reading a model that is a text takes longer than most tests, so it is done
// only when one needs it.
static bool model_of_language(void *arg, const char *language,
                              const struct model **ret, struct diag *why) {
  struct service *s = arg;
  uint32_t i = 0;
  pthread_mutex_lock(&s->mutex);
  while (i < s->models.len && strcmp(s->models.at[i].language, language) != 0)
    i++;
  if (i == s->models.len) {
    struct found_model m = {.language = language};
    const char *name = catalogue_of_language(language);
    if (!find_model(s->options, name, &m.model, &m.why))
      m.model = NULL;
    array_push(&s->models, m);
  }
  *ret = s->models.at[i].model;
  *why = s->models.at[i].why;
  pthread_mutex_unlock(&s->mutex);
  return *ret;
}

static void keep_answer(void *arg, struct litmus *t, struct answer *o) {
  struct service *s = arg;
  array_push(&s->shown, (struct shown_answer){t, o});
}

static void keep_contrast(void *arg, struct contrast *c) {
  struct service *s = arg;
  array_push(&s->comparisons.at, c);
}

static void add_models(const struct batch_result *r, struct str *out) {
  for (uint32_t i = 0; i < r->nmodels; i++)
    str_add(out, "Under %s: %llu (%s)\n", r->models[i].model->name,
            (unsigned long long)r->models[i].tests, r->models[i].by);
}

static void add_totals(const struct service *s, const struct batch_result *r,
                       struct str *out) {
  if (s->comparisons.models[0]) {
    comparisons_totals(&s->comparisons, r, out);
    return;
  }
  str_add(out, "%llu tests: %llu Ok, %llu No, %llu Undef, %llu errors",
          (unsigned long long)r->tests, (unsigned long long)r->ok,
          (unsigned long long)r->no, (unsigned long long)r->undef,
          (unsigned long long)r->errors);
  if (r->unfinished)
    str_add(out, ", %llu not finished", (unsigned long long)r->unfinished);
  if (r->expected)
    str_add(out, "; %llu expected, %llu disagree",
            (unsigned long long)r->expected,
            (unsigned long long)r->disagreements);
  str_add(out, "\n");
}

// Tests that are expected and were not there. (Objects are of tests.)
static void add_missing(const struct batch_config *c, struct str *totals) {
  struct str missing = {0};
  uint32_t n = c->expect && !atomic_load(c->answer.interrupted)
                   ? expectations_missing(c->expect, &missing)
                   : 0;
  if (n && c->style == BATCH_JSON)
    fputs(str_text(&missing), stderr);
  else if (n)
    str_add(totals, "%s", str_text(&missing));
  str_done(&missing);
}

// -- pictures

// "MP+dmb.sy+addr: forbidden by armv8"
static void add_title(const struct answer *o, const struct view *v,
                      struct str *out) {
  str_add(out, "%s: ", o->test->name);
  if (v == o->refused.view)
    str_add(out, "forbidden by %s", o->model->name);
  else
    str_add(out, "an execution under %s", o->model->name);
}

void page_add_entry(struct page *p, struct strings *texts, struct str *title,
                    const struct view *v) {
  array_push(&p->entries, (struct page_entry){
                              .title = strings_get(
                                  texts, strings_add(texts, str_text(title))),
                              .kind = "",
                              .view = v});
  str_done(title);
}

// The executions of an answer: witnesses, or the one that is refused.
static void add_executions(const struct answer *o, struct page *p,
                           struct strings *texts) {
  for (uint32_t i = 0; i <= o->witnesses.len; i++) {
    const struct view *v =
        i < o->witnesses.len ? o->witnesses.at[i] : o->refused.view;
    struct str title = {0};
    if (!v)
      continue;
    add_title(o, v, &title);
    page_add_entry(p, texts, &title, v);
  }
}

static void add_entries(const struct service *s, struct page *p,
                        struct strings *texts) {
  for (uint32_t a = 0; a < s->shown.len; a++)
    add_executions(s->shown.at[a].answer, p, texts);
  comparisons_page(&s->comparisons, p, texts);
}

static void make_dot(const struct service *s, const struct page *p,
                     struct str *out) {
  unsigned relations;
  struct diag why;
  check(dot_relations_of(s->options, &relations, &why));
  for (uint32_t i = 0; i < p->entries.len; i++)
    report_dot(p->entries.at[i].view, p->entries.at[i].title, relations,
               s->options->full, out);
}

static void make_html(const struct service *s, const struct batch_result *r,
                      struct page *p, struct str *out) {
  struct str program = {0}, summary = {0};
  for (uint32_t i = 0; i < s->options->files.len; i++)
    str_add(&program, "%s%s", i ? " " : "", s->options->files.at[i]);
  add_totals(s, r, &summary);
  p->program = str_text(&program);
  p->model = "";
  p->verdict = r->errors || r->unfinished ? VERDICT_INCOMPLETE : VERDICT_OK;
  p->summary = str_text(&summary);
  p->is_full = s->options->full;
  page_html(p, out);
  str_done(&program);
  str_done(&summary);
}

static bool write_pictures(const struct service *s,
                           const struct batch_result *r, struct diag *why) {
  const struct options *o = s->options;
  struct str page = {0}, dot = {0};
  struct page p = {0};
  struct strings texts = {0};
  FILE *file;
  bool ok = true;
  if (o->html || o->dot)
    add_entries(s, &p, &texts);
  if (o->html) {
    make_html(s, r, &p, &page);
    ok = open_output(o->html, &file, why) &&
         finish_output(file, o->html, &page, why);
  }
  if (ok && o->dot) {
    make_dot(s, &p, &dot);
    ok = open_output(o->dot, &file, why) &&
         finish_output(file, o->dot, &dot, why);
  }
  array_done(&p.entries);
  page_table_done(&p);
  strings_done(&texts);
  str_done(&page);
  str_done(&dot);
  return ok;
}

// -- the command

struct answer_config litmus_answer_config(const struct options *o) {
  struct text_style style = text_style_of(STDOUT_FILENO, o->color);
  style.is_full = o->full;
  return (struct answer_config){.unroll = o->unroll.at,
                                .unrolls = o->unroll.len,
                                .max_executions = o->max_executions,
                                .max_events = o->max_events,
                                .max_memory = o->max_memory << 20,
                                .max_time = o->max_time,
                                .max_wall =
                                    o->timeout > 0 ? o->timeout : o->max_wall,
                                .style = style,
                                .interrupted = run_catch_signals()};
}

static struct batch_config batch_config_of(const struct options *o,
                                           struct expectations *e) {
  bool has_pictures = o->html || o->dot;
  struct batch_config c = {
      .paths = o->files.at,
      .npaths = o->files.len,
      .style = o->json      ? BATCH_JSON
               : o->summary ? BATCH_LINES
               : e          ? BATCH_DISAGREEMENTS
                            : BATCH_TEXT,
      .expect = e,
      .answer = litmus_answer_config(o),
      .jobs = run_jobs(o),
      .print = print_answer,
      .find_model = model_of_language,
      .keep = has_pictures ? keep_answer : NULL,
      .keep_contrast = has_pictures ? keep_contrast : NULL,
      .on_progress = on_progress,
  };
  c.answer.witnesses = o->witness ? o->witness : o->show_one;
  c.answer.why =
      (o->why || (has_pictures && !c.answer.witnesses)) && !o->compare;
  return c;
}

static enum exit_code code_of(const struct batch_config *c,
                              const struct batch_result *r) {
  bool is_stopped = atomic_load(c->answer.interrupted);
  bool differ = c->other &&
                r->differ[DIFFERS_NOT] + r->errors + r->unfinished != r->tests;
  return r->broken                     ? EXIT_INTERNAL
         : r->disagreements || differ  ? EXIT_FINDING
         : r->errors                   ? EXIT_BAD_INPUT
         : r->unfinished || is_stopped ? EXIT_INCOMPLETE
                                       : EXIT_OK;
}

// Is there an option that only means something to programs, or to cycles?
// (`heddle check` has a limit of time with another name.)
static bool options_fit_tests(const struct options *o, struct diag *why) {
  static const char *const of_cycles[] = {"cycles", "relax", "size"};
  unsigned relations;
  for (unsigned i = 0; i < LENGTH(of_cycles); i++)
    if (options_has(o, of_cycles[i]))
      return diag_set(why, NULL, 0,
                      "--%s says which tests --generate and --distinguish make",
                      of_cycles[i]);
  const char *of_programs = options_beyond(o, COMMAND_LITMUS);
  if (of_programs && strcmp(of_programs, "max-wall") != 0)
    return diag_set(why, NULL, 0, "--%s is for programs, not for litmus tests",
                    of_programs);
  return compare_fits(o, why) && dot_relations_of(o, &relations, why) &&
         outputs_spare_sources(o, why) && can_write(o->html, why) &&
         can_write(o->dot, why);
}

static bool begin_service(struct service *s, const struct options *o,
                          struct batch_config *c, struct diag *why) {
  bool prints_all = c->style != BATCH_DISAGREEMENTS && isatty(STDOUT_FILENO);
  enum progress_style style = run_progress_style(o);
  *s = (struct service){.options = o};
  s->progress = progress_of_style(
      prints_all && style == PROGRESS_LINE ? PROGRESS_NONE : style);
  clock_gettime(CLOCK_MONOTONIC, &s->clock.start);
  c->arg = s;
  pthread_mutex_init(&s->mutex, NULL);
  const struct model **two = s->comparisons.models;
  if (o->compare && !find_two_models(o, "compare", o->compare, two, why))
    return false;
  c->model = two[0];
  c->other = two[1];
  if (options_has(o, "model") && !find_model(o, o->model, &c->model, why))
    return false;
  const struct model *const known[2] = {c->model, c->other};
  if (!relations_read(o, known, &s->relations, why))
    return false;
  c->answer.relations = s->relations.at.at;
  c->answer.nrelations = s->relations.at.len;
  return open_output(o->output, &s->out, why);
}

// Of the table of differences.
static void print_head(struct service *s) {
  struct str head = {0};
  contrast_head(s->comparisons.models, &head);
  fputs(str_text(&head), s->out);
  str_done(&head);
}

static void service_done(struct service *s) {
  for (uint32_t i = 0; i < s->shown.len; i++) {
    answer_done(s->shown.at[i].answer);
    free(s->shown.at[i].answer);
    litmus_free(s->shown.at[i].test);
  }
  array_done(&s->shown);
  array_done(&s->models);
  comparisons_done(&s->comparisons);
  relations_done(&s->relations);
  pthread_mutex_destroy(&s->mutex);
}

static enum exit_code answer_tests(const struct options *o,
                                   struct expectations *e, const char *asks) {
  struct batch_config c = batch_config_of(o, e);
  struct batch_result r = {0};
  struct diag why, cut;
  struct str totals = {0};
  struct service s;
  c.asks = asks;
  c.answer.why |= asks != NULL;
  if (!options_fit_tests(o, &why) ||
      !reductions_of(o, &c.answer.reductions, &why) ||
      !begin_service(&s, o, &c, &why))
    return bad_input(&why);
  if (c.other && c.style == BATCH_LINES)
    print_head(&s);
  bool ok = batch_run(&c, &r, &why);
  end_progress(&s);
  if (ok)
    add_missing(&c, &totals);
  if (ok && c.style == BATCH_LINES)
    add_models(&r, &totals);
  if (ok && c.style != BATCH_JSON && (c.style != BATCH_TEXT || c.other))
    add_totals(&s, &r, &totals);
  bool is_written = finish_output(s.out, o->output, &totals, &cut) &&
                    (!ok || write_pictures(&s, &r, &cut));
  str_done(&totals);
  service_done(&s);
  return !ok           ? bad_input(&why)
         : !is_written ? bad_input(&cut)
                       : code_of(&c, &r);
}

enum exit_code cmd_litmus(const struct options *o) {
  struct expectations e = {0};
  struct diag why;
  if (o->distinguish)
    return distinguish_models(o);
  if (o->generate)
    return generate_tests(o);
  if (o->expect && !expectations_read(o->expect, &e, &why))
    return bad_input(&why);
  enum exit_code code = answer_tests(o, o->expect ? &e : NULL, NULL);
  expectations_done(&e);
  return code;
}

enum exit_code why_litmus(const struct options *o, const char *condition) {
  return answer_tests(o, NULL, condition);
}
