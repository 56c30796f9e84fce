// SPDX-License-Identifier: MIT
// The report as one JSON object. docs/json.md describes it; programs rely on
// it, so members are only ever added, and SCHEMA counts incompatible changes.
#include "report/json_writer.h"
#include "report/progress.h"
#include "report/report.h"
#include "report/sentence.h"

#include <stdio.h>

enum { SCHEMA = 1 };

static void add_place(struct json *j, struct place p) {
  json_text(j, "file", p.file);
  json_number(j, "line", p.line);
  json_number(j, "column", p.column);
  json_text(j, "function", p.func);
}

// `accessed` is known for the finding whose execution is shown.
static void add_finding(struct json *j, const struct prog *p,
                        const struct finding *f, const char *accessed) {
  json_open(j, NULL, '{');
  json_text(j, "kind", finding_name(f->kind));
  json_text(j, "message", f->message);
  add_place(j, place_of_site(p, f->site));
  json_number(j, "thread", f->thread);
  if (*accessed)
    json_text(j, "location", accessed);
  if (f->other_site != NO_SITE) {
    json_open(j, "other", '{');
    add_place(j, place_of_site(p, f->other_site));
    json_number(j, "thread", f->other_thread);
    json_close(j, '}');
  }
  json_close(j, '}');
}

static void add_findings(struct json *j, const struct report *r,
                         const char *name, bool warnings) {
  const char *accessed = r->shown && !warnings ? r->shown->accessed : "";
  json_open(j, name, '[');
  for (uint32_t i = 0; i < r->result->findings.len; i++) {
    if (r->result->findings.at[i].is_warning != warnings)
      continue;
    add_finding(j, r->prog, &r->result->findings.at[i], accessed);
    accessed = "";
  }
  json_close(j, ']');
}

static void add_source_event(struct json *j, const struct view *v,
                             const struct view_event *e) {
  if (e->rf == VIEW_NOTHING)
    return;
  if (e->rf == VIEW_INIT) {
    json_text(j, "rf", "init");
    return;
  }
  json_open(j, "rf", '{');
  json_number(j, "thread", v->events.at[e->rf].thread);
  json_number(j, "index", v->events.at[e->rf].index);
  json_close(j, '}');
}

static void add_flags(struct json *j, const struct view_event *e) {
  static const struct {
    unsigned flag;
    const char *name;
  } names[] = {
      {EVF_EXCLUSIVE, "rmw"},
      {EVF_CAS, "cas"},
      {EVF_LOCK, "lock"},
      {EVF_UNLOCK, "unlock"},
      {EVF_UNINIT, "uninitialized"},
      {EVF_ZEROED, "zeroed"},
      {EVF_STACK, "stack"},
      {EVF_ISB, "isb"},
      {EVF_STORES, "stores"},
      {EVF_EXIT, "exit"},
      {EVF_AWAIT, "await"},
  };
  json_open(j, "flags", '[');
  for (unsigned i = 0; i < LENGTH(names); i++)
    if (e->flags & names[i].flag)
      json_text(j, NULL, names[i].name);
  json_close(j, ']');
}

// Dependencies stay in a thread, so the index of a read names it.
static void add_dependencies(struct json *j, const struct view *v,
                             const struct view_event *e) {
  static const char *const names[] = {
      [DEP_ADDR] = "addr", [DEP_DATA] = "data", [DEP_CTRL] = "ctrl"};
  ONE_FOR_EACH(names, DEP_KINDS);
  for (unsigned how = 0; how < DEP_KINDS; how++) {
    struct view_range from = e->deps[how];
    if (!from.count)
      continue;
    json_open(j, names[how], '[');
    for (uint32_t i = 0; i < from.count; i++) {
      uint32_t read = v->dep_events.at[from.first + i];
      json_number(j, NULL, v->events.at[read].index);
    }
    json_close(j, ']');
  }
}

static bool has_order(const struct view_event *e) {
  return e->kind == EV_READ || e->kind == EV_WRITE || e->kind == EV_FENCE;
}

static void add_row(struct json *j, const struct view *v,
                    const struct view_event *e) {
  if (e->row >= v->events.len || !*v->events.at[e->row].told)
    return;
  if (&v->events.at[e->row] != e) {
    json_number(j, "told_at", v->events.at[e->row].index);
    return;
  }
  struct wording words = {.main_file = view_main_file(v)};
  struct str text = {0};
  event_sentence(&words, v, e->row, &text);
  json_text(j, "told", str_text(&text));
  str_done(&text);
}

static void add_event(struct json *j, const struct view *v,
                      const struct view_event *e) {
  json_open(j, NULL, '{');
  json_number(j, "thread", e->thread);
  json_number(j, "index", e->index);
  json_text(j, "kind", event_kind_name(e->kind));
  if (has_order(e))
    json_text(j, "order", order_name(e->order));
  json_text(j, "location", e->location);
  json_text(j, "text", e->text);
  if (*e->call)
    json_text(j, "call", e->call);
  json_text(j, "value", e->value);
  if (*e->expected)
    json_text(j, "expected", e->expected);
  add_row(j, v, e);
  add_source_event(j, v, e);
  add_dependencies(j, v, e);
  add_flags(j, e);
  add_place(j, e->place);
  json_bool(j, "marked", e->is_marked);
  json_bool(j, "matters", e->matters);
  json_close(j, '}');
}

static void add_co(struct json *j, const struct view *v) {
  json_open(j, "co", '[');
  for (uint32_t i = 0; i < v->co.len; i++) {
    const struct view_co *c = &v->co.at[i];
    json_open(j, NULL, '{');
    json_text(j, "location", c->location);
    json_text(j, "initial", c->initial);
    json_open(j, "writes", '[');
    for (uint32_t k = 0; k < c->count; k++) {
      const struct view_event *e = &v->events.at[v->co_events.at[c->first + k]];
      json_open(j, NULL, '{');
      json_number(j, "thread", e->thread);
      json_number(j, "index", e->index);
      json_text(j, "value", e->value);
      json_close(j, '}');
    }
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void add_threads(struct json *j, const struct view *v) {
  json_open(j, "threads", '[');
  for (uint32_t i = 0; i < v->threads.len; i++) {
    const struct view_thread *t = &v->threads.at[i];
    json_open(j, NULL, '{');
    json_number(j, "thread", t->id);
    json_text(j, "runs", t->func);
    json_text(j, "end", end_kind_name(t->end));
    json_text(j, "explanation", t->end_text);
    add_place(j, t->at);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void add_reads(struct json *j, const char *name, const uint32_t *reads,
                      uint32_t n) {
  json_open(j, name, '[');
  for (uint32_t i = 0; i < n; i++)
    json_number(j, NULL, reads[i]);
  json_close(j, ']');
}

// What --replay takes.
static void add_name(struct json *j, const struct view *v, const char *tag) {
  char name[17], whole[32];
  snprintf(name, sizeof name, "%016llx", (unsigned long long)v->name);
  snprintf(whole, sizeof whole, "%s%s%s", name, tag ? "-" : "", tag ? tag : "");
  json_text(j, "execution", name);
  json_text(j, "replay", whole);
}

static void add_execution(struct json *j, const struct view *v,
                          const char *tag) {
  json_open(j, "events", '[');
  for (uint32_t i = 0; v && i < v->events.len; i++)
    add_event(j, v, &v->events.at[i]);
  json_close(j, ']');
  if (!v)
    return;
  add_name(j, v, tag);
  json_open(j, "reading_order", '[');
  for (uint32_t i = 0; i < v->rows.len; i++)
    json_number(j, NULL, v->rows.at[i]);
  json_close(j, ']');
  json_bool(j, "sequentially_consistent", v->is_interleaving);
  add_reads(j, "circle", v->circle.at, v->circle.len);
  add_reads(j, "justified", v->justified.at, v->justified.len);
  json_open(j, "executed_again", '[');
  for (uint32_t i = 0; i < v->again.len; i++)
    json_number(j, NULL, v->again.at[i]);
  json_close(j, ']');
  add_co(j, v);
  add_threads(j, v);
  json_open(j, "calls", '[');
  for (uint32_t i = 0; i < v->calls.len; i++) {
    json_open(j, NULL, '{');
    add_place(j, v->calls.at[i]);
    json_close(j, '}');
  }
  json_close(j, ']');
}

static void add_stats(struct json *j, const struct report *r) {
  json_open(j, "stats", '{');
#define COUNT(field, is_of_steps, name)                                        \
  if (name[0])                                                                 \
    json_number(j, name, r->result->field);
#include "explore/counts.def"
#undef COUNT
  json_number(j, "largest_execution", r->result->max_graph);
  json_number(j, "states", r->stats->states);
  json_number(j, "transient_states", r->stats->transient);
  json_number(j, "interpreted_steps", r->stats->misses);
  json_number(j, "state_bytes", r->stats->bytes);
  if (r->result->asymmetry)
    json_text(j, "asymmetry", r->result->asymmetry);
  else
    json_null(j, "asymmetry");
  static const char *const why[] = {"order", "trace", "private"};
  ONE_FOR_EACH(why, KEPT_PRIVATE + 1);
  json_open(j, "retries_explored", '[');
  for (uint32_t i = 0; i < r->result->nkept_loops; i++) {
    const struct kept_loop *l = &r->result->kept_loops[i];
    json_open(j, NULL, '{');
    add_place(j, place_of_site(r->prog, l->site));
    json_text(j, "why", why[l->why]);
    json_open(j, "because_of", '{');
    add_place(j, place_of_site(r->prog, l->because_of));
    json_close(j, '}');
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
}

void supposed_json(unsigned supposed, struct json *j) {
  static const char *const names[] = {
#define SUPPOSITION(id, name, sentence) name,
#include "bytecode/supposition.def"
  };
  json_open(j, "supposed", '[');
  for (unsigned s = 0; s < SUPPOSITIONS; s++)
    if (supposed & 1u << s)
      json_text(j, NULL, names[s]);
  json_close(j, ']');
}

void limits_json(const struct prog *p, const struct explore_result *x,
                 struct json *j) {
  if (explore_limit(x))
    json_text(j, "limit", explore_limit(x));
  else
    json_null(j, "limit");
  json_text(j, "detail", x->detail);
  supposed_json(p->supposed, j);
  if (x->drawn.is_sample) {
    json_open(j, "sample", '{');
    json_number(j, "executions", x->drawn.executions);
    json_number(j, "different", x->drawn.different);
    json_bool(j, "are_more", x->drawn.are_more);
    json_close(j, '}');
  }
  if (progress_is_known(x, &x->estimate) && x->limit) {
    json_open(j, "estimate", '{');
    json_estimate(j, "executions", progress_total(x, &x->estimate));
    json_estimate(j, "error", x->estimate.error);
    json_estimate(j, "blocked", x->estimate.blocked);
    json_close(j, '}');
  }
  json_number(j, "cuts", x->cuts);
  json_number(j, "net_waits", x->net_waits);
  json_number(j, "stale_cuts", x->stale_cuts);
  json_number(j, "bound_cuts", x->bound_cuts);
  json_number(j, "left_waiting", x->left_waiting);
  json_open(j, "left_at", '[');
  for (uint32_t i = 0; i < x->nleft_at; i++) {
    json_open(j, NULL, '{');
    add_place(j, place_of_site(p, x->left_at[i]));
    json_close(j, '}');
  }
  json_close(j, ']');
}

void report_json(const struct report *r, struct str *out) {
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_number(&j, "schema", SCHEMA);
  json_text(&j, "version", HEDDLE_VERSION);
  json_text(&j, "verdict", verdict_name(r->result->verdict));
  limits_json(r->prog, r->result, &j);
  if (r->non_sc)
    json_number(&j, "non_sc", *r->non_sc);
  json_text(&j, "model", r->model);
  json_number(&j, "executions", r->result->executions);
  json_number(&j, "stands_for", r->result->stands_for);
  bool ignores_co = (r->reductions & REDUCE_RF) && !r->result->co_counts;
  json_text(&j, "equivalence", ignores_co ? "rf" : "rf,co");
  json_open(&j, "up_to", '[');
  if (ignores_co)
    json_text(&j, NULL, "co");
  json_close(&j, ']');
  json_open(&j, "reductions", '[');
  for (unsigned i = 0; i < REDUCTIONS; i++)
    if (r->reductions >> i & 1)
      json_text(&j, NULL, reduce_name(i));
  json_close(&j, ']');
  json_number(&j, "blocked", r->result->blocked);
  json_number(&j, "failures", r->result->failures);
  json_seconds(&j, "seconds", r->seconds);
  json_number(&j, "max_rss_kb", r->max_rss_kb);
  add_findings(&j, r, "errors", /*warnings=*/false);
  add_findings(&j, r, "warnings", /*warnings=*/true);
  if (r->mend && *r->mend)
    json_text(&j, "mend", r->mend);
  add_execution(&j, r->shown, r->tag);
  if (r->stats)
    add_stats(&j, r);
  json_close(&j, '}');
  str_add(out, "\n");
}
