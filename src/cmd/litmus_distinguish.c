// SPDX-License-Identifier: MIT
// heddle litmus --distinguish: the smallest tests on which two models differ.
// Cycles are tried in the order of their size, and the search ends with the
// first size that has a difference that can be seen: in the verdict, the
// final states or the flags.
#include "cmd/litmus.h"
#include "cmd/run.h"
#include "report/json_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SHOWN = 50 };

struct difference_found {
  unsigned weight; // what is special about its cycle
  struct made_test test;
  struct contrast contrast;
  char *file; // as the test was read
};

struct distinguishing {
  const struct options *options;
  struct contrast_config config;
  struct made_tests made;
  edge_list edges;
  bool is_folder;
  ARRAY(struct difference_found) found;
  uint64_t tried, differ, errors, unfinished;
  uint64_t at_size, of_size; // of the size at hand: done, all
  struct diag error;         // the first
  struct diag broken;        // of what cannot be written
  bool is_broken;
  struct run clock;
  struct progress progress;
};

// -- the language

// What the search takes for edges if nothing else is said: neighbours on two
// locations, and barriers where they could order something.
static const char *const own_edges[DIALECTS] = {
    [DIALECT_AARCH64] =
        "Rfe Fre Coe Pod** DpAddrd* DpDatad* DpCtrld* DpCtrlIsbd* DMB.SYd** "
        "DMB.LDdR* DMB.STdWW A Q L",
    [DIALECT_ARM] = "Rfe Fre Coe Pod** Dp*d? DMBd** DMB.STdWW",
    [DIALECT_PPC] = "Rfe Fre Coe Pod** Dp*d? Syncd** LwSyncd** EieiodWW",
    [DIALECT_RISCV] = "Rfe Fre Coe Pod** Dp*d? Fence.rw.rwd** Fence.rw.wd*W "
                      "Fence.r.rwdR* Fence.w.wdWW Fence.tsod** Aq Rl",
    [DIALECT_X86] = "Rfe Fre Coe Pod** MFenced**",
    [DIALECT_X86_64] = "Rfe Fre Coe Pod** MFenced**",
    [DIALECT_C] = "Rfe Fre Coe Pod** Dp*d? FenceScd** FenceAcqdR* FenceReld*W "
                  "Acq Rel Sc",
    [DIALECT_LKMM] = "Rfe Fre Coe Pod** Dp*d? FenceMbd** FenceRmbdRR "
                     "FenceWmbdWW Acquire Release",
};

static const struct model *known_model(const struct model *m) {
  return model_builtin(m) ? model_builtin(m) : m;
}

static bool dialect_of_model(const struct model *m, enum dialect *ret) {
  const char *language = known_model(m)->tests;
  struct diag unknown;
  return language && dialect_find(language, ret, &unknown);
}

// Every language has tests of interleavings, so the other model decides.
static bool find_dialect(struct distinguishing *d, struct diag *why) {
  enum dialect of[2];
  bool has[2];
  if (d->options->generate)
    return dialect_find(d->options->generate, &d->made.dialect, why);
  for (unsigned m = 0; m < 2; m++)
    has[m] = dialect_of_model(d->config.models[m], &of[m]);
  for (unsigned m = 0; m < 2; m++)
    if (known_model(d->config.models[m])->interleaves && has[!m])
      of[m] = of[!m];
  if (has[0] && (!has[1] || of[0] == of[1])) {
    d->made.dialect = of[0];
    return true;
  }
  if (has[1] && !has[0]) {
    d->made.dialect = of[1];
    return true;
  }
  diag_set(why, NULL, 0, "in which language are the tests to be?");
  diag_hint(why, "--generate says it: AArch64, ARM, PPC, RISCV, X86, X86_64, C "
                 "or LKMM");
  return false;
}

// -- trying

static void show_progress(struct distinguishing *d) {
  struct str text = {0};
  progress_show_tests(&d->progress, d->at_size, d->of_size,
                      run_seconds(&d->clock), &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

static void end_progress(struct distinguishing *d) {
  struct str text = {0};
  progress_end(&d->progress, &text);
  fputs(str_text(&text), stderr);
  str_done(&text);
}

static bool can_be_seen(enum difference x) {
  return x >= DIFFERS_FLAGS;
}

static void note_error(struct distinguishing *d, const struct diag *why,
                       bool is_unfinished) {
  if (!d->errors && !d->unfinished)
    d->error = *why;
  if (is_unfinished)
    d->unfinished++;
  else
    d->errors++;
}

// Of two tests of one size, the one with fewer marks, barriers and dependencies
// says more.
static unsigned weight_of(const struct cycle_edges *e) {
  unsigned weight = 0;
  for (unsigned i = 0; i < e->len; i++) {
    const struct cycle_edge *x = &e->at[i];
    weight += x->kind == CYCLE_LINK && x->link != LINK_PO;
    weight += x->from != ANY_ORDER && x->from != ORD_RLX; // each access once
  }
  return weight;
}

static void difference_done(struct difference_found *f) {
  contrast_done(&f->contrast);
  made_test_done(&f->test);
  free(f->file);
}

// Takes the test over: the lightest are kept.
static void keep(struct distinguishing *d, struct difference_found f) {
  uint32_t at = d->found.len;
  d->differ++;
  if (d->is_folder && !write_test(d->options, &f.test, &d->broken))
    d->is_broken = true;
  while (at && d->found.at[at - 1].weight > f.weight)
    at--;
  array_push(&d->found, f);
  for (uint32_t i = d->found.len; --i > at;)
    d->found.at[i] = d->found.at[i - 1];
  d->found.at[at] = f;
  if (d->found.len > MOST_SHOWN) {
    struct difference_found heaviest = array_pop(&d->found);
    difference_done(&heaviest);
  }
}

// Takes the test over if it tells the models apart.
static bool try_test(struct distinguishing *d, struct made_test *t,
                     unsigned weight) {
  struct litmus *test = NULL;
  struct contrast c;
  struct diag why;
  bool is_unfinished = false;
  struct str file = {0};
  str_add(&file, "%s.litmus", str_text(&t->name));
  bool ok = litmus_read(str_text(&file), str_text(&t->text), t->text.len, NULL,
                        &test, &why);
  if (!ok || !contrast_of(test, &d->config, &c, &is_unfinished, &why)) {
    note_error(d, &why, is_unfinished);
    if (test)
      litmus_free(test);
    str_done(&file);
    return false;
  }
  if (can_be_seen(c.difference)) {
    keep(d, (struct difference_found){weight, *t, c, file.at});
    return true;
  }
  contrast_done(&c);
  str_done(&file);
  return false;
}

static bool on_cycle(void *arg, const struct cycle_edges *e,
                     const struct cycle *c) {
  struct distinguishing *d = arg;
  struct made_test t;
  struct diag why;
  (void)c;
  d->at_size++;
  d->tried++;
  if (!make_test(&d->made, e, &t, &why))
    note_error(d, &why, false);
  else if (!try_test(d, &t, weight_of(e)))
    made_test_done(&t);
  show_progress(d);
  return !d->is_broken && !atomic_load(d->config.answer.interrupted);
}

static bool on_count(void *arg, const struct cycle_edges *e,
                     const struct cycle *c) {
  struct distinguishing *d = arg;
  (void)e, (void)c;
  d->of_size++;
  return !atomic_load(d->config.answer.interrupted);
}

// The last size that was tried.
static unsigned try_sizes(struct distinguishing *d) {
  unsigned size = 2;
  for (; size <= d->options->size; size++) {
    struct cycle_search s = {.dialect = d->made.dialect,
                             .edges = &d->edges,
                             .size = size,
                             .found = on_count,
                             .arg = d};
    d->at_size = d->of_size = 0;
    bool ok = cycle_search(&s);
    s.found = on_cycle;
    ok = ok && cycle_search(&s);
    if (!ok || d->differ)
      return size;
  }
  return size - 1;
}

// -- what came of it

static void add_found(const struct distinguishing *d, struct str *out) {
  contrast_head(d->config.models, out);
  for (uint32_t i = 0; i < d->found.len; i++)
    contrast_line(&d->found.at[i].contrast, out);
  unsigned long long others = d->differ - d->found.len;
  if (others)
    str_add(out, "... and %llu others\n", others);
  const struct difference_found *first = &d->found.at[0];
  if (d->options->summary)
    return;
  str_add(out, "\n%s\n", str_text(&first->test.text));
  contrast_text(&first->contrast, out);
}

static void add_totals(const struct distinguishing *d, unsigned size,
                       bool is_whole, struct str *out) {
  const char *a = d->config.models[0]->name, *b = d->config.models[1]->name;
  if (d->differ)
    str_add(out, "%llu tests tell %s from %s, all from cycles of %u edges; ",
            (unsigned long long)d->differ, a, b, size);
  else
    str_add(out, "No test tells %s from %s; ", a, b);
  str_add(out, "%llu cycles of up to %u edges were tried",
          (unsigned long long)d->tried, size);
  if (!is_whole)
    str_add(out, ", not all that there are");
  unsigned long long unanswered = d->errors + d->unfinished;
  if (unanswered)
    str_add(out, "; %llu could not be answered, the first because: %s",
            unanswered, d->error.text);
  str_add(out, "\n");
}

static void make_json(const struct distinguishing *d, unsigned size,
                      bool is_whole, struct str *out) {
  struct json j = {.out = out, .is_line = true};
  for (uint32_t i = 0; i < d->found.len; i++)
    contrast_json(&d->found.at[i].contrast, out);
  json_open(&j, NULL, '{');
  json_number(&j, "tried", d->tried);
  json_number(&j, "size", size);
  json_number(&j, "differ", d->differ);
  json_bool(&j, "complete", is_whole && !d->errors && !d->unfinished);
  json_open(&j, "edges", '[');
  for (uint32_t i = 0; i < d->found.len; i++)
    json_text(&j, NULL, str_text(&d->found.at[i].test.edges));
  json_close(&j, ']');
  json_open(&j, "tests", '[');
  for (uint32_t i = 0; i < d->found.len; i++)
    json_text(&j, NULL, str_text(&d->found.at[i].test.text));
  json_close(&j, ']');
  json_close(&j, '}');
  str_add(out, "\n");
}

static void distinguishing_done(struct distinguishing *d) {
  for (uint32_t i = 0; i < d->found.len; i++)
    difference_done(&d->found.at[i]);
  array_done(&d->found);
  array_done(&d->edges);
  strings_done(&d->made.names);
}

// "A,B", or A with B as the only other word.
static bool find_models(struct distinguishing *d, struct diag *why) {
  const struct options *o = d->options;
  struct str both = {0};
  bool is_apart = !strchr(o->distinguish, ',') && o->files.len == 1;
  if (o->files.len && !is_apart)
    return diag_set(why, o->files.at[0], 0,
                    "--distinguish makes tests and reads none");
  str_add(&both, "%s%s%s", o->distinguish, is_apart ? "," : "",
          is_apart ? o->files.at[0] : "");
  bool ok =
      find_two_models(o, "distinguish", str_text(&both), d->config.models, why);
  str_done(&both);
  return ok;
}

static bool options_fit_search(const struct options *o, struct diag *why) {
  static const char *const others[] = {"model", "compare", "expect",  "html",
                                       "dot",   "why",     "witness", "cycles"};
  for (unsigned i = 0; i < LENGTH(others); i++)
    if (options_has(o, others[i]))
      return diag_set(why, NULL, 0,
                      "--%s cannot be combined with --distinguish", others[i]);
  return size_fits(o, why);
}

static bool begin(struct distinguishing *d, struct diag *why) {
  const struct options *o = d->options;
  clock_gettime(CLOCK_MONOTONIC, &d->clock.start);
  d->progress = progress_of_style(run_progress_style(o));
  d->config.answer = litmus_answer_config(o);
  if (!options_fit_search(o, why) || !find_models(d, why) ||
      !reductions_of(o, &d->config.answer.reductions, why) ||
      !find_dialect(d, why) || !begin_folder(o, &d->is_folder, why))
    return false;
  const char *edges = o->relax ? o->relax : own_edges[d->made.dialect];
  return cycle_edges_select(d->made.dialect, edges, &d->edges, why);
}

enum exit_code distinguish_models(const struct options *o) {
  struct distinguishing d = {.options = o};
  struct str text = {0};
  struct diag why;
  if (!begin(&d, &why)) {
    distinguishing_done(&d);
    return bad_input(&why);
  }
  unsigned size = try_sizes(&d);
  end_progress(&d);
  bool is_whole = !atomic_load(d.config.answer.interrupted);
  if (o->json)
    make_json(&d, size, is_whole, &text);
  else if (d.differ)
    add_found(&d, &text);
  if (!o->json)
    add_totals(&d, size, is_whole, &text);
  enum exit_code code = d.differ                    ? EXIT_FINDING
                        : d.errors                  ? EXIT_BAD_INPUT
                        : d.unfinished || !is_whole ? EXIT_INCOMPLETE
                                                    : EXIT_OK;
  why = d.broken;
  bool is_broken = d.is_broken;
  bool is_folder = d.is_folder;
  distinguishing_done(&d);
  if (is_broken) {
    str_done(&text);
    return bad_input(&why);
  }
  return print(is_folder ? NULL : o->output, &text, code);
}
