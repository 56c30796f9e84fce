// SPDX-License-Identifier: MIT
// Annotations for GitHub: workflow commands that put each finding at its line
// of a pull request. The report for people follows in a group that the log
// folds away.
#include "report/report.h"

#include <string.h>

// Workflow commands are lines, and their parameters end at commas and colons.
static void add_escaped(const char *text, const char *special,
                        struct str *out) {
  for (const char *p = text; *p; p++)
    if (*p == '%' || *p == '\r' || *p == '\n' || strchr(special, *p))
      str_add(out, "%%%02X", (unsigned char)*p);
    else
      str_add_bytes(out, p, 1);
}

static void add_parameter(const char *intro, const char *value,
                          struct str *out) {
  str_add(out, "%s", intro);
  add_escaped(value, ",:", out);
}

static void add_annotation(const struct report *r, const struct finding *f,
                           struct str *out) {
  struct place p = place_of_site(r->prog, f->site);
  struct place other = place_of_site(r->prog, f->other_site);
  struct str text = {0};
  str_add(&text, "%s (thread T%u, model %s)", finding_message(f), f->thread,
          r->model);
  if (other.line)
    str_add(&text, "\nand %s:%u, thread T%u", other.file, other.line,
            f->other_thread);
  str_add(out, "::%s ", f->is_warning ? "warning" : "error");
  if (p.line) {
    add_parameter("file=", p.file, out);
    str_add(out, ",line=%u,", p.line);
    if (p.column)
      str_add(out, "col=%u,", p.column);
  }
  add_parameter("title=Heddle: ", finding_name(f->kind), out);
  str_add(out, "::");
  add_escaped(str_text(&text), "", out);
  str_add(out, "\n");
  str_done(&text);
}

void report_github(const struct report *r, struct text_style style,
                   struct str *out) {
  for (uint32_t i = 0; i < r->result->findings.len; i++)
    add_annotation(r, &r->result->findings.at[i], out);
  if (r->result->verdict == VERDICT_INCOMPLETE)
    str_add(out,
            "::warning title=Heddle: incomplete::%s: not every execution "
            "was explored\n",
            explore_limit(r->result));
  struct str text = {0}, token = {0};
  report_text(r, style, &text);
  // A line of the program that looks like a command must not become one.
  str_add(&token, "heddle-report");
  while (strstr(str_text(&text), str_text(&token)))
    str_add(&token, "-");
  str_add(out,
          "::group::Heddle: %s\n::stop-commands::%s\n%s::%s::\n"
          "::endgroup::\n",
          verdict_name(r->result->verdict), str_text(&token), str_text(&text),
          str_text(&token));
  str_done(&text);
  str_done(&token);
}
