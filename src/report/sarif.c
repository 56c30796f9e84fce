// SPDX-License-Identifier: MIT
// The report as SARIF 2.1.0, for editors and code review: each finding is a
// result, and the execution that shows it is a code flow with one thread flow
// for each thread. executionOrder is the reading order over all threads, so
// that a viewer can step through it.
#include "base/hash.h"
#include "report/escape.h"
#include "report/json_writer.h"
#include "report/report.h"
#include "report/sentence.h"

#include <ctype.h>
#include <string.h>

static const char schema[] = "https://json.schemastore.org/sarif-2.1.0.json";

// -- places

// A relative path is a relative URI; a viewer knows from where.
static void add_uri(struct json *j, const char *file) {
  struct str uri = {0};
  if (*file == '/')
    str_add(&uri, "file://");
  escape_uri(file, &uri);
  json_open(j, "artifactLocation", '{');
  json_text(j, "uri", str_text(&uri));
  json_close(j, '}');
  str_done(&uri);
}

static void add_message(struct json *j, const char *name, const char *text) {
  json_open(j, name, '{');
  json_text(j, "text", text);
  json_close(j, '}');
}

// The members of a location object; `message` may be NULL.
static void add_location(struct json *j, struct place p, const char *message) {
  if (p.line) {
    json_open(j, "physicalLocation", '{');
    add_uri(j, p.file);
    json_open(j, "region", '{');
    json_number(j, "startLine", p.line);
    if (p.column)
      json_number(j, "startColumn", p.column);
    json_close(j, '}');
    json_close(j, '}');
  }
  if (*p.func) {
    json_open(j, "logicalLocations", '[');
    json_open(j, NULL, '{');
    json_text(j, "name", p.func);
    json_text(j, "kind", "function");
    json_close(j, '}');
    json_close(j, ']');
  }
  if (message)
    add_message(j, "message", message);
}

// -- the execution

static const char *importance_of(const struct view_event *e) {
  if (e->row_is_marked || e->row_matters)
    return "essential";
  return e->is_minor ? "unimportant" : "important";
}

static void add_step(struct json *j, const struct wording *w,
                     const struct view *v, uint32_t e, uint32_t order) {
  struct str text = {0};
  str_add(&text, "T%u: ", v->events.at[e].thread);
  event_sentence(w, v, e, &text);
  json_open(j, NULL, '{');
  json_open(j, "location", '{');
  add_location(j, v->events.at[e].place, str_text(&text));
  json_close(j, '}');
  json_number(j, "executionOrder", order);
  json_text(j, "importance", importance_of(&v->events.at[e]));
  json_close(j, '}');
  str_done(&text);
}

// Where the thread is at the end, unless it simply finished.
static void add_last_step(struct json *j, const struct view_thread *th,
                          uint32_t order) {
  if (th->end == END_FINISHED || !th->at.line)
    return;
  struct str text = {0};
  str_add(&text, "T%u: %s", th->id, th->end_text);
  json_open(j, NULL, '{');
  json_open(j, "location", '{');
  add_location(j, th->at, str_text(&text));
  json_close(j, '}');
  json_number(j, "executionOrder", order);
  json_text(j, "importance",
            th->end == END_ERROR ? "essential" : "unimportant");
  json_close(j, '}');
  str_done(&text);
}

static void add_thread_flow(struct json *j, const struct wording *w,
                            const struct view *v, const struct view_thread *th,
                            const uint32_t *order) {
  struct str id = {0};
  str_add(&id, "T%u%s%s", th->id, *th->func ? " " : "", th->func);
  json_open(j, NULL, '{');
  json_text(j, "id", str_text(&id));
  json_open(j, "locations", '[');
  for (uint32_t e = th->first; e < th->first + th->count; e++)
    if (event_is_shown(v, e) && v->events.at[e].place.line)
      add_step(j, w, v, e, order[e] + 1);
  add_last_step(j, th, v->events.len + 1);
  json_close(j, ']');
  json_close(j, '}');
  str_done(&id);
}

// A thread flow needs at least one location.
static bool has_steps(const struct view *v, const struct view_thread *th) {
  if (th->end != END_FINISHED && th->at.line)
    return true;
  for (uint32_t e = th->first; e < th->first + th->count; e++)
    if (event_is_shown(v, e) && v->events.at[e].place.line)
      return true;
  return false;
}

static void add_code_flow(struct json *j, const struct view *v) {
  struct wording words = wording_of(v, /*is_short=*/false);
  uint32_t *order = xcalloc(v->events.len, sizeof *order);
  for (uint32_t i = 0; i < v->rows.len; i++)
    order[v->rows.at[i]] = i;
  json_open(j, "codeFlows", '[');
  json_open(j, NULL, '{');
  if (!v->is_interleaving)
    add_message(j, "message",
                "No interleaving of the threads gives these values: it takes "
                "weak memory.");
  json_open(j, "threadFlows", '[');
  for (uint32_t t = 0; t < v->threads.len; t++)
    if (has_steps(v, &v->threads.at[t]))
      add_thread_flow(j, &words, v, &v->threads.at[t], order);
  json_close(j, ']');
  json_close(j, '}');
  json_close(j, ']');
  free(order);
  wording_done(&words);
}

// -- results

static void add_related(struct json *j, const struct report *r,
                        const struct finding *f) {
  struct place other = place_of_site(r->prog, f->other_site);
  if (!other.line)
    return;
  struct str text = {0};
  str_add(&text, "the other side, thread T%u", f->other_thread);
  json_open(j, "relatedLocations", '[');
  json_open(j, NULL, '{');
  json_number(j, "id", 1);
  add_location(j, other, str_text(&text));
  json_close(j, '}');
  json_close(j, ']');
  str_done(&text);
}

// The same finding in another version of the file: what it is, in which
// functions, and the text of the lines, but not their numbers.
static uint64_t hash_place(uint64_t h, struct place p) {
  struct str line = {0};
  if (place_source_line(p, &line)) {
    const char *text = str_text(&line);
    text += strspn(text, " ");
    h = hash_mix(h, hash_bytes(text, strlen(text)));
  }
  str_done(&line);
  return hash_mix(h, hash_bytes(p.func, strlen(p.func)));
}

static void add_fingerprint(struct json *j, const struct report *r,
                            const struct finding *f) {
  const char *kind = finding_name(f->kind);
  uint64_t h = hash_bytes(kind, strlen(kind));
  h = hash_place(h, place_of_site(r->prog, f->site));
  h = hash_place(h, place_of_site(r->prog, f->other_site));
  h = hash_mix(h, hash_bytes(r->model, strlen(r->model)));
  struct str text = {0};
  str_add(&text, "%016llx", (unsigned long long)h);
  json_open(j, "partialFingerprints", '{');
  json_text(j, "heddleFinding/v1", str_text(&text));
  json_close(j, '}');
  str_done(&text);
}

static void add_result(struct json *j, const struct report *r,
                       const struct finding *f) {
  struct place at = place_of_site(r->prog, f->site);
  const struct view *v = report_view_of(r, f);
  json_open(j, NULL, '{');
  json_text(j, "ruleId", finding_name(f->kind));
  json_number(j, "ruleIndex", f->kind);
  json_text(j, "level", f->is_warning ? "warning" : "error");
  add_message(j, "message", finding_message(f));
  if (at.line) {
    json_open(j, "locations", '[');
    json_open(j, NULL, '{');
    add_location(j, at, NULL);
    json_close(j, '}');
    json_close(j, ']');
  }
  add_related(j, r, f);
  add_fingerprint(j, r, f);
  if (v)
    add_code_flow(j, v);
  json_open(j, "properties", '{');
  json_text(j, "model", r->model);
  json_number(j, "thread", f->thread);
  json_close(j, '}');
  json_close(j, '}');
}

const char *manual_url(void) {
  return HEDDLE_MANUAL; // meson.build
}

// What it means, then what to do about it.
static void add_rule_text(struct json *j, enum finding_kind k) {
  struct str full = {0}, page = {0};
  const char *meaning = finding_meaning(k);
  str_add(&full, "%c%s. %s", toupper((unsigned char)*meaning), meaning + 1,
          finding_advice(k));
  str_add(&page, "%s/kinds.md#%s", manual_url(), finding_name(k));
  add_message(j, "shortDescription", meaning);
  add_message(j, "fullDescription", str_text(&full));
  json_text(j, "helpUri", str_text(&page));
  str_done(&full);
  str_done(&page);
}

static void add_rules(struct json *j) {
  json_open(j, "rules", '[');
  for (unsigned k = 0; k < FIND_COUNT; k++) {
    json_open(j, NULL, '{');
    json_text(j, "id", finding_name((enum finding_kind)k));
    add_rule_text(j, (enum finding_kind)k);
    json_open(j, "defaultConfiguration", '{');
    json_text(j, "level",
              finding_is_warning((enum finding_kind)k) ? "warning" : "error");
    json_close(j, '}');
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void add_notification(struct json *j, const char *level,
                             struct str *text) {
  json_open(j, NULL, '{');
  json_text(j, "level", level);
  add_message(j, "message", str_text(text));
  json_close(j, '}');
  str_done(text);
}

static uint32_t without_execution(const struct report *r) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->result->findings.len; i++)
    n += !report_view_of(r, &r->result->findings.at[i]);
  return n;
}

// A run that hit a limit must not look like a clean one, nor a finding without
// its execution like one that has none.
static void add_invocation(struct json *j, const struct report *r) {
  bool is_cut = r->result->verdict == VERDICT_INCOMPLETE;
  uint32_t without = without_execution(r);
  struct str text = {0}, more = {0}, read = {0};
  json_open(j, "invocations", '[');
  json_open(j, NULL, '{');
  json_bool(j, "executionSuccessful", !is_cut);
  bool has_notifications = is_cut || without || r->prog->supposed;
  if (has_notifications)
    json_open(j, "toolExecutionNotifications", '[');
  if (is_cut) {
    str_add(&text, "Incomplete (%s): not every execution was explored.",
            explore_limit(r->result));
    add_notification(j, "error", &text);
  }
  if (without) {
    str_add(&more, "%u of %u findings have no execution here.", without,
            r->result->findings.len);
    add_notification(j, "note", &more);
  }
  if (r->prog->supposed) {
    supposed_sentences(r->prog->supposed, &read);
    add_notification(j, "note", &read);
  }
  if (has_notifications)
    json_close(j, ']');
  json_close(j, '}');
  json_close(j, ']');
}

void report_sarif(const struct report *r, struct str *out) {
  struct json j = {.out = out, .line_depth = 12};
  json_open(&j, NULL, '{');
  json_text(&j, "$schema", schema);
  json_text(&j, "version", "2.1.0");
  json_open(&j, "runs", '[');
  json_open(&j, NULL, '{');
  json_open(&j, "tool", '{');
  json_open(&j, "driver", '{');
  json_text(&j, "name", "Heddle");
  json_text(&j, "version", HEDDLE_VERSION);
  add_rules(&j);
  json_close(&j, '}');
  json_close(&j, '}');
  json_text(&j, "columnKind", "unicodeCodePoints");
  add_invocation(&j, r);
  json_open(&j, "results", '[');
  for (uint32_t i = 0; i < r->result->findings.len; i++)
    add_result(&j, r, &r->result->findings.at[i]);
  json_close(&j, ']');
  json_close(&j, '}');
  json_close(&j, ']');
  json_close(&j, '}');
  str_add(out, "\n");
}
