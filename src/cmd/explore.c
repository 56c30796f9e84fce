// SPDX-License-Identifier: MIT
// heddle explore: which outcomes a program has, how many executions lead to
// each, and some of them to look at.
#include "cmd/collect.h"
#include "report/html.h"
#include "report/json_writer.h"

#include <stdlib.h>
#include <string.h>

enum { BAR = 40 }; // the longest, in characters

static uint64_t most_executions(const struct outcomes *o) {
  uint64_t most = 1;
  for (uint32_t i = 0; i < o->at.len; i++)
    most = o->at.at[i].executions > most ? o->at.at[i].executions : most;
  return most;
}

// By variable: of its column. The caller frees it.
static int *widths_of(const struct outcomes *o) {
  int *widths = xcalloc(o->variables.len + 1, sizeof *widths);
  for (uint32_t v = 0; v < o->variables.len; v++) {
    size_t most = strlen(o->variables.at[v].name);
    for (uint32_t i = 0; i < o->at.len; i++) {
      size_t n = strlen(outcome_text(o, i, v));
      most = n > most ? n : most;
    }
    widths[v] = (int)most;
  }
  return widths;
}

static bool is_column(const struct outcomes *o, uint32_t variable) {
  return o->at.len < 2 || outcomes_differ(o, variable);
}

static void add_head(const struct outcomes *o, const int *widths,
                     struct str *out) {
  str_add(out, "%12s", "executions");
  for (uint32_t v = 0; v < o->variables.len; v++)
    if (is_column(o, v))
      str_add(out, "  %*s", widths[v], o->variables.at[v].name);
  str_add(out, "\n");
}

static void add_outcome(const struct outcomes *o, uint32_t i, uint64_t most,
                        const int *widths, struct str *out) {
  uint64_t n = o->at.at[i].executions;
  str_add(out, "%12llu", (unsigned long long)n);
  for (uint32_t v = 0; v < o->variables.len; v++)
    if (is_column(o, v))
      str_add(out, "  %*s", widths[v], outcome_text(o, i, v));
  str_add(out, "  ");
  double share = (double)n / (double)most * (double)BAR;
  for (unsigned k = 0; k == 0 || k < (unsigned)share; k++)
    str_add(out, "#");
  str_add(out, "\n");
}

static void add_constants(const struct outcomes *o, struct str *out) {
  unsigned n = 0;
  for (uint32_t v = 0; v < o->variables.len && o->at.len; v++)
    if (!is_column(o, v))
      str_add(out, "%s%s = %s",
              n++ ? ", " : "Always: ", o->variables.at[v].name,
              outcome_text(o, 0, v));
  if (n)
    str_add(out, "\n");
}

static void make_text(const struct collector *c, struct str *out) {
  const struct outcomes *o = &c->outcomes;
  uint32_t *order = outcomes_order(o);
  uint64_t most = most_executions(o);
  if (o->at.len) {
    int *widths = widths_of(o);
    add_head(o, widths, out);
    for (uint32_t i = 0; i < o->at.len; i++)
      add_outcome(o, order[i], most, widths, out);
    free(widths);
    add_constants(o, out);
    str_add(out, "\n");
  }
  for (uint32_t i = 0; i < c->result->findings.len; i++) {
    const struct finding *f = &c->result->findings.at[i];
    struct place p = place_of_site(c->run.prog, f->site);
    if (p.line)
      str_add(out, "%s:%u: ", p.file, p.line);
    str_add(out, "%s: %s [%s]\n", f->is_warning ? "warning" : "error",
            finding_message(f), finding_name(f->kind));
  }
  if (c->options.reads)
    reads_text(&c->reads, out);
  str_add(out, "%u outcome%s. ", o->at.len, o->at.len == 1 ? "" : "s");
  collected_verdict(c, out);
  str_add(out, "\n");
  collected_notes(c, out);
  free(order);
}

static void make_json(const struct collector *c, struct str *out) {
  const struct outcomes *o = &c->outcomes;
  uint32_t *order = outcomes_order(o);
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_text(&j, "version", HEDDLE_VERSION);
  json_text(&j, "model", c->run.model->name);
  json_text(&j, "verdict", verdict_name(c->result->verdict));
  limits_json(c->run.prog, c->result, &j);
  json_number(&j, "executions", c->result->executions);
  json_number(&j, "blocked", c->result->blocked);
  json_open(&j, "outcomes", '[');
  for (uint32_t i = 0; i < o->at.len; i++) {
    json_open(&j, NULL, '{');
    json_number(&j, "executions", o->at.at[order[i]].executions);
    json_open(&j, "state", '{');
    for (uint32_t v = 0; v < o->variables.len; v++)
      json_text(&j, o->variables.at[v].name, outcome_text(o, order[i], v));
    json_close(&j, '}');
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_open(&j, "errors", '[');
  for (uint32_t i = 0; i < c->result->findings.len; i++)
    if (!c->result->findings.at[i].is_warning)
      json_text(&j, NULL, finding_name(c->result->findings.at[i].kind));
  json_close(&j, ']');
  if (c->options.reads)
    reads_json(&c->reads, &j);
  json_close(&j, '}');
  str_add(out, "\n");
  free(order);
}

// -- the page

// Those whose executions were kept; the summary says if these are not all.
static void add_findings(const struct collector *c, struct page *p,
                         struct str *summary) {
  uint32_t shown = 0;
  for (uint32_t i = 0; i < c->findings.len; i++) {
    const struct finding *f = &c->findings.at[i].finding;
    if (!c->findings.at[i].view)
      continue;
    shown++;
    array_push(
        &p->entries,
        (struct page_entry){.title = finding_message(f),
                            .kind = finding_name(f->kind),
                            .at = place_of_site(c->run.prog, f->site),
                            .thread = f->thread,
                            .also = place_of_site(c->run.prog, f->other_site),
                            .also_thread = f->other_thread,
                            .group = p->groups.len,
                            .view = c->findings.at[i].view});
  }
  if (c->findings.len)
    array_push(&p->groups, (struct page_group){"findings", c->findings.len});
  if (shown < c->findings.len)
    str_add(summary, ". This page has %u of %u findings.", shown,
            c->findings.len);
  if (c->run.prog->supposed) {
    str_add(summary, "%s ", shown < c->findings.len ? "" : ".");
    supposed_sentences(c->run.prog->supposed, summary);
  }
  p->summary = str_text(summary);
}

static void make_html(const struct collector *c, const char *program,
                      struct str *out) {
  const struct outcomes *o = &c->outcomes;
  uint32_t *order = outcomes_order(o);
  struct strings texts = {0};
  struct str summary = {0};
  collected_verdict(c, &summary);
  struct page p = {.program = program,
                   .model = c->run.model->name,
                   .verdict = c->result->verdict,
                   .is_full = c->run.options->full};
  for (uint32_t i = 0; i < o->at.len; i++) {
    struct str state = {0};
    outcome_state(o, order[i], &state);
    const char *title =
        strings_get(&texts, strings_add(&texts, str_text(&state)));
    str_done(&state);
    for (uint32_t k = 0; k < c->kept.len; k++)
      if (c->kept.at[k].outcome == order[i])
        array_push(&p.entries, (struct page_entry){.title = title,
                                                   .kind = "",
                                                   .group = p.groups.len,
                                                   .view = c->kept.at[k].view});
    array_push(&p.groups,
               (struct page_group){title, o->at.at[order[i]].executions});
  }
  add_findings(c, &p, &summary);
  page_html(&p, out);
  array_done(&p.entries);
  array_done(&p.groups);
  strings_done(&texts);
  str_done(&summary);
  free(order);
}

// -- the command

static bool write_page(const struct collector *c, const struct options *o,
                       FILE *page, struct diag *why) {
  struct str text = {0}, program = {0};
  for (uint32_t i = 0; i < o->files.len; i++)
    str_add(&program, "%s%s", i ? " " : "", o->files.at[i]);
  make_html(c, str_text(&program), &text);
  bool ok = finish_output(page, o->html, &text, why);
  str_done(&text);
  str_done(&program);
  return ok;
}

enum exit_code cmd_explore(const struct options *o) {
  struct collector c = {.most = (uint32_t)(o->keep < 10000 ? o->keep : 10000)};
  struct diag why;
  struct str text = {0};
  FILE *page = NULL;
  // A bad path is worth knowing before a long search.
  bool ok = outputs_spare_sources(o, &why) &&
            collect_begin(&c, o, o->model, &why) &&
            (!o->html || open_output(o->html, &page, &why));
  if (ok)
    collect(&c);
  if (ok && (o->json || o->format == FORMAT_JSON))
    make_json(&c, &text);
  else if (ok)
    make_text(&c, &text);
  ok = ok && (!page || write_page(&c, o, page, &why));
  enum exit_code code =
      ok ? print(o->output, &text, exit_code_of(c.result->verdict))
         : bad_input(&why);
  collector_done(&c);
  return code;
}
