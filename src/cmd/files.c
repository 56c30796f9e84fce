// SPDX-License-Identifier: MIT
// One function per format makes the whole text in memory; files are written at
// the end, beside their place, and renamed (output.c).
#include "cmd/files.h"

#include "base/suggest.h"
#include "report/edge.h"
#include "report/html.h"
#include "report/junit.h"

#include <string.h>

// What the writers are made from.
struct material {
  const struct options *options;
  const struct report *report;
  const struct view *sample;
};

static const char *path_of(const struct options *o, unsigned file) {
  const char *const paths[FILES] = {o->dot, o->html, o->sarif, o->junit};
  return paths[file];
}

bool files_want_all_errors(const struct options *o) {
  return o->sarif || o->html;
}

bool files_want_sample(const struct options *o) {
  return o->dot || o->html;
}

// -- dot

// A comma list of names.
bool dot_relations_of(const struct options *o, unsigned *ret,
                      struct diag *why) {
  *ret = 0;
  for (const char *at = o->dot_relations;; at++) {
    size_t len = strcspn(at, ",");
    enum edge_kind k = edge_of_name(at, len);
    if (k == EDGE_KINDS) {
      struct str all = {0};
      for (unsigned i = 0; i < EDGE_KINDS; i++)
        str_add(&all, "%s%s", i ? ", " : "", edge_name(i));
      diag_set(why, NULL, 0, "--dot-relations: there is no relation '%.*s'",
               (int)(len < 60 ? len : 60), at);
      diag_hint(why, "the relations are: %s", str_text(&all));
      str_done(&all);
      return false;
    }
    *ret |= 1U << k;
    at += len;
    if (!*at)
      return true;
  }
}

static void make_dot(const struct material *m, struct str *out) {
  const struct report *r = m->report;
  const struct view *v = r->shown ? r->shown : m->sample;
  struct str title = {0};
  unsigned relations;
  struct diag why;
  check(dot_relations_of(m->options, &relations, &why));
  if (r->shown)
    for (uint32_t i = 0; i < r->result->findings.len && !title.len; i++) {
      const struct finding *f = &r->result->findings.at[i];
      if (!f->is_warning)
        str_add(&title, "%s [%s], under %s", finding_message(f),
                finding_name(f->kind), r->model);
    }
  else if (v)
    str_add(&title, "an execution of %s under %s (%s)", m->options->files.at[0],
            r->model, verdict_name(r->result->verdict));
  if (v)
    report_dot(v, str_text(&title), relations, m->options->full, out);
  else
    str_add(out, "digraph execution {\n  label=\"no execution\";\n}\n");
  str_done(&title);
}

// -- html

static void add_program(const struct options *o, struct str *out) {
  for (uint32_t i = 0; i < o->files.len; i++)
    str_add(out, "%s%s", i ? " " : "", o->files.at[i]);
}

static void add_page_finding(struct page *p, const struct report *r,
                             const struct finding *f) {
  const struct view *v = report_view_of(r, f);
  bool is_mended = v && v == r->shown && r->mend && *r->mend;
  if (v)
    array_push(&p->entries,
               (struct page_entry){
                   .title = finding_message(f),
                   .kind = finding_name(f->kind),
                   .at = place_of_site(r->prog, f->site),
                   .thread = f->thread,
                   .also = place_of_site(r->prog, f->other_site),
                   .also_thread = f->other_thread,
                   .view = v,
                   .mend = is_mended ? r->mend : report_advice(r, f, v)});
}

static void make_html(const struct material *m, struct str *out) {
  const struct report *r = m->report;
  struct str program = {0}, summary = {0};
  add_program(m->options, &program);
  verdict_line(r, &summary);
  struct page p = {.program = str_text(&program),
                   .model = r->model,
                   .verdict = r->result->verdict,
                   .is_full = m->options->full};
  // Errors before warnings.
  for (unsigned warnings = 0; warnings < 2; warnings++)
    for (uint32_t i = 0; i < r->result->findings.len; i++)
      if (r->result->findings.at[i].is_warning == warnings)
        add_page_finding(&p, r, &r->result->findings.at[i]);
  bool has_supposed = r->prog->supposed;
  if (has_supposed) {
    str_add(&summary, ". ");
    supposed_sentences(r->prog->supposed, &summary);
  }
  if (p.entries.len && p.entries.len < r->result->findings.len)
    str_add(&summary, "%s This page has %u of %u findings.",
            has_supposed ? "" : ".", p.entries.len, r->result->findings.len);
  p.summary = str_text(&summary);
  if (!p.entries.len && m->sample)
    array_push(&p.entries, (struct page_entry){.title = "One of the executions",
                                               .kind = "",
                                               .view = m->sample});
  page_html(&p, out);
  array_done(&p.entries);
  str_done(&program);
  str_done(&summary);
}

// -- the others

static void make_sarif(const struct material *m, struct str *out) {
  report_sarif(m->report, out);
}

// The files of one program are one test.
static void make_junit(const struct material *m, struct str *out) {
  const struct report *r = m->report;
  struct str name = {0}, detail = {0};
  add_program(m->options, &name);
  report_text(r, (struct text_style){.width = 100}, &detail);
  enum verdict verdict = r->result->verdict;
  const char *message = "";
  for (uint32_t i = r->result->findings.len; i-- > 0;)
    if (!r->result->findings.at[i].is_warning)
      message = finding_message(&r->result->findings.at[i]);
  if (verdict == VERDICT_INCOMPLETE)
    message = explore_limit(r->result);
  struct test_case c = {.name = str_text(&name),
                        .suite = r->model,
                        .status = verdict == VERDICT_OK      ? CASE_PASSED
                                  : verdict == VERDICT_ERROR ? CASE_FAILED
                                                             : CASE_ERROR,
                        .seconds = r->seconds,
                        .message = message,
                        .supposed = r->prog->supposed,
                        .detail = str_text(&detail)};
  report_junit(&c, 1, out);
  str_done(&name);
  str_done(&detail);
}

// -- all of them

bool files_open(struct files *f, const struct options *o, struct diag *why) {
  unsigned relations;
  f->options = o;
  if (!dot_relations_of(o, &relations, why))
    return false;
  for (unsigned i = 0; i < FILES; i++)
    if (path_of(o, i) && !open_output(path_of(o, i), &f->at[i], why))
      return false;
  return true;
}

bool files_write(struct files *f, const struct report *r,
                 const struct view *sample, struct diag *why) {
  static void (*const make[FILES])(const struct material *, struct str *) = {
      make_dot, make_html, make_sarif, make_junit};
  struct material m = {f->options, r, sample};
  bool ok = true;
  for (unsigned i = 0; i < FILES; i++) {
    struct str text = {0};
    if (!f->at[i])
      continue;
    make[i](&m, &text);
    ok = finish_output(f->at[i], path_of(f->options, i), &text, why) && ok;
    str_done(&text);
  }
  return ok;
}
