// SPDX-License-Identifier: MIT
// heddle compare: what a program can do under several models, side by side,
// and for each difference an execution that shows it.
#include "cmd/collect.h"
#include "report/html.h"
#include "report/json_writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_MODELS = 16 };

// A thing that can happen: an outcome, or an error.
struct row {
  const char *text; // "r1 = 1, r2 = 0", "error: assertion, line 12"
  bool is_error;
  uint64_t executions[MOST_MODELS]; // by model; of an error 1 or 0
  const struct view *view;          // one of them, or NULL
  unsigned shown_by;                // the model of the view
};

struct comparison {
  const struct options *options;
  unsigned n;
  char *names[MOST_MODELS];
  struct collector models[MOST_MODELS];
  ARRAY(struct row) rows;
  struct strings texts;
  struct text_style style;
};

// -- reading the models

static char *copy_of(const char *text, size_t len) {
  char *copy = xmalloc(len + 1);
  memcpy(copy, text, len);
  copy[len] = 0;
  return copy;
}

static bool split_models(struct comparison *c, const char *list,
                         struct diag *why) {
  for (const char *at = list; *at;) {
    size_t len = strcspn(at, ",");
    if (c->n == MOST_MODELS)
      return diag_set(why, NULL, 0, "--models: no more than %d models",
                      MOST_MODELS);
    if (len)
      c->names[c->n++] = copy_of(at, len);
    at += len + (at[len] == ',');
  }
  if (c->n >= 2)
    return true;
  diag_set(why, NULL, 0, "--models needs at least two models to compare");
  diag_hint(why, "for example: --models sc,tso,rc11");
  return false;
}

static void all_models(struct comparison *c) {
  for (; models[c->n] && c->n < MOST_MODELS; c->n++)
    c->names[c->n] = copy_of(models[c->n]->name, strlen(models[c->n]->name));
}

// -- rows

static struct row *row_of(struct comparison *c, struct str *text,
                          bool is_error) {
  const char *kept =
      strings_get(&c->texts, strings_add(&c->texts, str_text(text)));
  str_done(text);
  for (uint32_t i = 0; i < c->rows.len; i++)
    if (c->rows.at[i].text == kept)
      return &c->rows.at[i];
  array_push(&c->rows, (struct row){.text = kept, .is_error = is_error});
  return array_last(&c->rows);
}

// Do the outcomes differ in this variable, within a model or between two?
static bool is_interesting(const struct comparison *c, const char *name) {
  const char *seen = NULL;
  for (unsigned m = 0; m < c->n; m++) {
    const struct outcomes *o = &c->models[m].outcomes;
    for (uint32_t v = 0; v < o->variables.len; v++) {
      if (strcmp(o->variables.at[v].name, name) != 0)
        continue;
      if (outcomes_differ(o, v))
        return true;
      if (!o->at.len)
        continue;
      if (seen && strcmp(seen, outcome_text(o, 0, v)) != 0)
        return true;
      seen = outcome_text(o, 0, v);
    }
  }
  return false;
}

// What `name` holds in the outcome; its initial value when the model knows no
// execution that changes it.
static const char *value_of(const struct comparison *c,
                            const struct outcomes *o, uint32_t outcome,
                            const char *name) {
  for (uint32_t v = 0; v < o->variables.len; v++)
    if (strcmp(o->variables.at[v].name, name) == 0)
      return outcome_text(o, outcome, v);
  for (unsigned m = 0; m < c->n; m++)
    for (uint32_t v = 0; v < c->models[m].outcomes.variables.len; v++)
      if (strcmp(c->models[m].outcomes.variables.at[v].name, name) == 0)
        return c->models[m].outcomes.variables.at[v].initial;
  return "";
}

struct name_list {
  ARRAY(const char *) at;
};

static struct name_list interesting_names(const struct comparison *c) {
  struct name_list names = {0};
  for (unsigned m = 0; m < c->n; m++)
    for (uint32_t v = 0; v < c->models[m].outcomes.variables.len; v++) {
      const char *name = c->models[m].outcomes.variables.at[v].name;
      uint32_t i = 0;
      while (i < names.at.len && strcmp(names.at.at[i], name) != 0)
        i++;
      if (i == names.at.len && is_interesting(c, name))
        array_push(&names.at, name);
    }
  return names;
}

static void add_outcomes(struct comparison *c, unsigned m,
                         const struct name_list *names) {
  const struct outcomes *o = &c->models[m].outcomes;
  for (uint32_t i = 0; i < o->at.len; i++) {
    struct str text = {0};
    for (uint32_t k = 0; k < names->at.len; k++)
      str_add(&text, "%s%s = %s", k ? ", " : "", names->at.at[k],
              value_of(c, o, i, names->at.at[k]));
    if (!names->at.len)
      str_add(&text, "always the same");
    struct row *r = row_of(c, &text, /*is_error=*/false);
    r->executions[m] += o->at.at[i].executions;
    if (!r->view) {
      r->view = collected_view(&c->models[m], i);
      r->shown_by = m;
    }
  }
}

static void add_errors(struct comparison *c, unsigned m) {
  const struct collector *k = &c->models[m];
  for (uint32_t i = 0; i < k->findings.len; i++) {
    const struct finding *f = &k->findings.at[i].finding;
    struct place p = place_of_site(k->run.prog, f->site);
    struct str text = {0};
    str_add(&text, "%s %s", f->is_warning ? "warning" : "error",
            finding_name(f->kind));
    if (p.line)
      str_add(&text, ", line %u", p.line);
    struct row *r = row_of(c, &text, /*is_error=*/true);
    r->executions[m] = 1;
    if (!r->view) {
      r->view = k->findings.at[i].view;
      r->shown_by = m;
    }
  }
}

static int by_kind_and_text(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  if (x->is_error != y->is_error)
    return x->is_error ? 1 : -1;
  return strverscmp(x->text, y->text);
}

static void make_rows(struct comparison *c) {
  struct name_list names = interesting_names(c);
  for (unsigned m = 0; m < c->n; m++)
    add_outcomes(c, m, &names);
  for (unsigned m = 0; m < c->n; m++)
    add_errors(c, m);
  if (c->rows.len)
    qsort(c->rows.at, c->rows.len, sizeof *c->rows.at, by_kind_and_text);
  array_done(&names.at);
}

static bool is_difference(const struct comparison *c, const struct row *r) {
  for (unsigned m = 1; m < c->n; m++)
    if (!r->executions[m] != !r->executions[0])
      return true;
  return false;
}

// "tso, rc11", those that have it or those that do not.
static void add_names(const struct comparison *c, const struct row *r,
                      bool have_it, struct str *out) {
  unsigned n = 0;
  for (unsigned m = 0; m < c->n; m++)
    if (!!r->executions[m] == have_it)
      str_add(out, "%s%s", n++ ? ", " : "", c->names[m]);
}

// -- text

static unsigned first_width(const struct comparison *c) {
  size_t most = strlen("executions");
  for (uint32_t i = 0; i < c->rows.len; i++) {
    size_t n = strlen(c->rows.at[i].text);
    most = n > most ? n : most;
  }
  return (unsigned)most;
}

static void add_line(const struct comparison *c, const char *head,
                     const char *const *cells, bool is_marked,
                     struct str *out) {
  str_add(out, "%c %-*s", is_marked ? '*' : ' ', (int)first_width(c), head);
  for (unsigned m = 0; m < c->n; m++) {
    int width = (int)strlen(c->names[m]);
    str_add(out, "  %*s", width > 10 ? width : 10, cells[m]);
  }
  str_add(out, "\n");
}

static void add_counts(const struct comparison *c, const char *head,
                       const uint64_t *counts, bool is_marked,
                       struct str *out) {
  char text[MOST_MODELS][24];
  const char *cells[MOST_MODELS];
  for (unsigned m = 0; m < c->n; m++) {
    snprintf(text[m], sizeof text[m], "%llu", (unsigned long long)counts[m]);
    cells[m] = counts[m] ? text[m] : "-";
  }
  add_line(c, head, cells, is_marked, out);
}

static void add_row(const struct comparison *c, const struct row *r,
                    struct str *out) {
  const char *cells[MOST_MODELS];
  for (unsigned m = 0; m < c->n; m++)
    cells[m] = r->executions[m] ? "yes" : "-";
  if (r->is_error)
    add_line(c, r->text, cells, is_difference(c, r), out);
  else
    add_counts(c, r->text, r->executions, is_difference(c, r), out);
}

static void add_table(const struct comparison *c, struct str *out) {
  const char *verdicts[MOST_MODELS];
  uint64_t executions[MOST_MODELS], blocked[MOST_MODELS];
  for (unsigned m = 0; m < c->n; m++) {
    verdicts[m] = verdict_name(c->models[m].result->verdict);
    executions[m] = c->models[m].result->executions;
    blocked[m] = c->models[m].result->blocked;
  }
  add_line(c, "", (const char *const *)c->names, false, out);
  add_line(c, "verdict", verdicts, false, out);
  add_counts(c, "executions", executions, false, out);
  add_counts(c, "blocked", blocked, false, out);
  str_add(out, "\n");
  for (uint32_t i = 0; i < c->rows.len; i++)
    add_row(c, &c->rows.at[i], out);
}

static void add_difference(const struct comparison *c, const struct row *r,
                           struct str *out) {
  str_add(out, "\n%s: ", r->text);
  add_names(c, r, true, out);
  str_add(out, "; not ");
  add_names(c, r, false, out);
  if (!r->view) {
    str_add(out, "\n");
    return;
  }
  str_add(out, ". An execution under %s:\n\n", c->names[r->shown_by]);
  execution_text(r->view, c->style, out);
}

static uint32_t differences(const struct comparison *c) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < c->rows.len; i++)
    n += is_difference(c, &c->rows.at[i]);
  return n;
}

// What is supposed under some model.
static unsigned supposing(const struct comparison *c) {
  unsigned supposed = 0;
  for (unsigned m = 0; m < c->n; m++)
    supposed |= c->models[m].run.prog->supposed;
  return supposed;
}

static bool is_limited(const struct comparison *c) {
  for (unsigned m = 0; m < c->n; m++)
    if (explore_limit(c->models[m].result))
      return true;
  return false;
}

static void make_text(const struct comparison *c, struct str *out) {
  uint32_t n = differences(c);
  add_table(c, out);
  for (uint32_t i = 0; i < c->rows.len && !c->options->quiet; i++)
    if (is_difference(c, &c->rows.at[i]))
      add_difference(c, &c->rows.at[i], out);
  if (n)
    str_add(out, "\n%u difference%s (*).\n", n, n == 1 ? "" : "s");
  else
    str_add(out, "\nThe models allow the same outcomes%s.\n",
            is_limited(c) ? " so far" : "");
  for (unsigned m = 0; m < c->n; m++) {
    const char *limit = explore_limit(c->models[m].result);
    if (limit)
      str_add(out, "Incomplete under %s (%s): it may allow more.\n",
              c->names[m], limit);
  }
  supposed_text(supposing(c), out);
}

// -- JSON

static void make_json(const struct comparison *c, struct str *out) {
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_text(&j, "version", HEDDLE_VERSION);
  supposed_json(supposing(c), &j);
  json_open(&j, "models", '[');
  for (unsigned m = 0; m < c->n; m++) {
    const struct explore_result *x = c->models[m].result;
    json_open(&j, NULL, '{');
    json_text(&j, "model", c->names[m]);
    json_text(&j, "verdict", verdict_name(x->verdict));
    if (explore_limit(x))
      json_text(&j, "limit", explore_limit(x));
    else
      json_null(&j, "limit");
    json_number(&j, "executions", x->executions);
    json_number(&j, "blocked", x->blocked);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_open(&j, "rows", '[');
  for (uint32_t i = 0; i < c->rows.len; i++) {
    const struct row *r = &c->rows.at[i];
    json_open(&j, NULL, '{');
    json_text(&j, r->is_error ? "error" : "outcome", r->text);
    json_bool(&j, "differs", is_difference(c, r));
    json_open(&j, "executions", '{');
    for (unsigned m = 0; m < c->n; m++)
      json_number(&j, c->names[m], r->executions[m]);
    json_close(&j, '}');
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  str_add(out, "\n");
}

// -- the page

static const char *kept(struct comparison *c, const char *text) {
  return strings_get(&c->texts, strings_add(&c->texts, text));
}

static void add_page_row(struct comparison *c, struct page *p, const char *head,
                         const char *const *cells, bool is_marked,
                         uint32_t entry) {
  const char *own[MOST_MODELS];
  for (unsigned m = 0; m < c->n; m++)
    own[m] = kept(c, cells[m]);
  struct page_row *r = page_add_row(p, kept(c, head), own);
  r->is_marked = is_marked;
  r->first = entry;
  r->count = entry != UINT32_MAX;
}

static void add_page_counts(struct comparison *c, struct page *p,
                            const char *head, const uint64_t *counts,
                            bool is_error, bool is_marked, uint32_t entry) {
  char text[MOST_MODELS][24];
  const char *cells[MOST_MODELS];
  for (unsigned m = 0; m < c->n; m++) {
    snprintf(text[m], sizeof text[m], "%llu", (unsigned long long)counts[m]);
    cells[m] = !counts[m] ? "-" : is_error ? "yes" : text[m];
  }
  add_page_row(c, p, head, cells, is_marked, entry);
}

// The table of the text.
static void add_page_table(struct comparison *c, struct page *p) {
  const char *verdicts[MOST_MODELS];
  uint64_t executions[MOST_MODELS], blocked[MOST_MODELS];
  uint32_t entry = 0;
  for (unsigned m = 0; m < c->n; m++) {
    verdicts[m] = verdict_name(c->models[m].result->verdict);
    executions[m] = c->models[m].result->executions;
    blocked[m] = c->models[m].result->blocked;
  }
  page_begin_table(p, (const char *const *)c->names, c->n);
  add_page_row(c, p, "verdict", verdicts, false, UINT32_MAX);
  add_page_counts(c, p, "executions", executions, false, false, UINT32_MAX);
  add_page_counts(c, p, "blocked", blocked, false, false, UINT32_MAX);
  for (uint32_t i = 0; i < c->rows.len; i++) {
    const struct row *r = &c->rows.at[i];
    bool is_shown = is_difference(c, r) && r->view;
    add_page_counts(c, p, r->text, r->executions, r->is_error,
                    is_difference(c, r), is_shown ? entry : UINT32_MAX);
    entry += is_shown;
  }
}

static void make_html(struct comparison *c, struct str *out) {
  struct str summary = {0}, names = {0};
  for (unsigned m = 0; m < c->n; m++)
    str_add(&names, "%s%s", m ? ", " : "", c->names[m]);
  str_add(&summary, "%u difference%s between %s", differences(c),
          differences(c) == 1 ? "" : "s", str_text(&names));
  if (supposing(c)) {
    str_add(&summary, ". ");
    supposed_sentences(supposing(c), &summary);
  }
  struct page p = {.program = c->options->files.at[0],
                   .model = str_text(&names),
                   .verdict = VERDICT_OK,
                   .summary = str_text(&summary),
                   .is_full = c->options->full};
  for (uint32_t i = 0; i < c->rows.len; i++) {
    const struct row *r = &c->rows.at[i];
    if (!is_difference(c, r) || !r->view)
      continue;
    struct str title = {0};
    str_add(&title, "%s: ", r->text);
    add_names(c, r, true, &title);
    str_add(&title, "; not ");
    add_names(c, r, false, &title);
    array_push(&p.entries,
               (struct page_entry){
                   .title = strings_get(
                       &c->texts, strings_add(&c->texts, str_text(&title))),
                   .kind = "",
                   .view = r->view});
    str_done(&title);
  }
  add_page_table(c, &p);
  page_html(&p, out);
  array_done(&p.entries);
  page_table_done(&p);
  str_done(&summary);
  str_done(&names);
}

// -- the command

static bool name_models(struct comparison *c, struct diag *why) {
  const struct options *o = c->options;
  if (!o->model_a && !o->model_b && o->models)
    return split_models(c, o->models, why);
  if (!o->model_a && !o->model_b) {
    all_models(c);
    return true;
  }
  if (!o->model_a || !o->model_b || o->models)
    return diag_set(why, NULL, 0,
                    "--model-a and --model-b go together, without --models");
  c->names[c->n++] = copy_of(o->model_a, strlen(o->model_a));
  c->names[c->n++] = copy_of(o->model_b, strlen(o->model_b));
  return true;
}

// Bad input of any model first, then all the work.
static bool run_all(struct comparison *c, struct diag *why) {
  const struct options *o = c->options;
  if (!name_models(c, why))
    return false;
  for (unsigned m = 0; m < c->n; m++) {
    c->models[m].most = (uint32_t)(o->keep < 10000 ? o->keep : 10000);
    const struct model *unused;
    if (!find_model(o, c->names[m], &unused, why))
      return false;
  }
  for (unsigned m = 0; m < c->n; m++) {
    if (!collect_begin(&c->models[m], o, c->names[m], why))
      return false;
    collect(&c->models[m]);
  }
  return true;
}

static enum exit_code code_of(const struct comparison *c) {
  enum exit_code code = EXIT_OK;
  for (unsigned m = 0; m < c->n; m++) {
    enum exit_code mine = exit_code_of(c->models[m].result->verdict);
    if (mine == EXIT_FINDING || (mine == EXIT_INCOMPLETE && code == EXIT_OK))
      code = mine;
  }
  return code;
}

static bool write_page(struct comparison *c, FILE *page, struct diag *why) {
  struct str text = {0};
  make_html(c, &text);
  bool ok = finish_output(page, c->options->html, &text, why);
  str_done(&text);
  return ok;
}

enum exit_code cmd_compare(const struct options *o) {
  struct comparison *c = xcalloc(1, sizeof *c);
  struct str text = {0};
  struct diag why;
  FILE *page = NULL;
  c->options = o;
  c->style = text_style_of(STDOUT_FILENO, o->color);
  c->style.is_full = o->full;
  bool ok = outputs_spare_sources(o, &why) && run_all(c, &why);
  if (ok) {
    make_rows(c);
    if (o->json || o->format == FORMAT_JSON)
      make_json(c, &text);
    else
      make_text(c, &text);
    ok = !o->html ||
         (open_output(o->html, &page, &why) && write_page(c, page, &why));
  }
  enum exit_code code =
      ok ? print(o->output, &text, code_of(c)) : bad_input(&why);
  for (unsigned m = 0; m < c->n; m++) {
    collector_done(&c->models[m]);
    free(c->names[m]);
  }
  array_done(&c->rows);
  strings_done(&c->texts);
  free(c);
  return code;
}
