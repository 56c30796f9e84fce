// SPDX-License-Identifier: MIT
// What heddle optimize says: sites with what is written and what is needed, and
// for each order that stays the execution that goes wrong without it.
#include "cmd/optimize.h"

#include "report/json_writer.h"
#include "report/report.h"

#include <string.h>

static const char *literal_name(enum site_kind k, mode literal) {
  if (k == SITE_KERNEL_UPDATE && literal == MODE_SC)
    return "full order";
  if (k == SITE_OWN_BARRIER)
    return "barrier";
  if (k == SITE_BARRIER)
    return mode_name(k, literal == MODE_SC ? MODE_ALL : literal);
  return literal == MODE_SC        ? "seq_cst"
         : literal == MODE_ACQUIRE ? "acquire"
                                   : "release";
}

static const struct order_site *site_at(const struct optimizing *z,
                                        uint32_t i) {
  return &z->search.sites.at.at[i];
}

static unsigned long long cost_of(const struct optimizing *z, const mode *x) {
  return modes_cost(&z->costs, &z->search.sites, x);
}

// What there is to show: the solutions, or the best so far.
static uint32_t count_shown(const struct optimizing *z) {
  const struct search *s = &z->search;
  return s->solutions.len ? s->solutions.len : s->verified != NULL;
}

static const mode *shown_at(const struct optimizing *z, uint32_t k) {
  const struct search *s = &z->search;
  return s->solutions.len ? s->solutions.at[k] : s->verified;
}

// -- text

static void add_place(const struct order_site *site, struct str *out) {
  str_add(out, "%s:%u:%u", site->file, site->line, site->column);
}

static void add_operation(const struct order_site *site, struct str *out) {
  str_add(out, "%s%s%s", site_kind_name(site->kind), *site->text ? " " : "",
          site->is_place ? "" : site->text);
}

// Fences that were not written and are not needed are nothing.
static bool is_shown(const struct optimizing *z, const mode *x, uint32_t i) {
  return (!site_at(z, i)->is_place || (x && x[i])) &&
         !sites_is_other_choice(&z->search.sites, z->search.is_run, i);
}

static void pad_to(struct str *s, uint32_t width) {
  str_add(s, "%*s", s->len < width ? (int)(width - s->len) : 0, "");
}

// Where and what, in columns.
static void add_site(const struct optimizing *z, const mode *x, uint32_t i,
                     struct str *out) {
  uint32_t widths[2] = {0};
  struct str parts[2] = {0};
  for (uint32_t k = 0; k <= z->search.sites.at.len; k++) {
    str_clear(&parts[0]);
    str_clear(&parts[1]);
    bool is_mine = k == z->search.sites.at.len;
    if (!is_mine && !is_shown(z, x, k))
      continue;
    add_place(site_at(z, is_mine ? i : k), &parts[0]);
    add_operation(site_at(z, is_mine ? i : k), &parts[1]);
    for (unsigned c = 0; c < 2; c++)
      widths[c] = parts[c].len > widths[c] ? parts[c].len : widths[c];
  }
  for (unsigned c = 0; c < 2; c++) {
    pad_to(&parts[c], widths[c]);
    str_add(out, "  %s", str_text(&parts[c]));
    str_done(&parts[c]);
  }
}

static bool is_run(const struct optimizing *z, uint32_t i) {
  return !z->search.is_run || z->search.is_run[i];
}

// What is never executed has no say in the answer.
static void add_unused(const struct optimizing *z, struct str *out) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < z->search.sites.at.len; i++)
    n += !is_run(z, i) && site_at(z, i)->kind != SITE_CAS_FAIL &&
         !site_at(z, i)->is_place &&
         !sites_is_other_choice(&z->search.sites, z->search.is_run, i);
  if (n)
    str_add(out,
            "No client executes %u of the operations: nothing is known about "
            "%s order%s.\n",
            n, n == 1 ? "its" : "their", n == 1 ? "" : "s");
}

static void add_table(const struct optimizing *z, const mode *x,
                      struct str *out) {
  for (uint32_t i = 0; i < z->search.sites.at.len; i++) {
    const struct order_site *site = site_at(z, i);
    const char *from = mode_name(site->kind, site->source);
    const char *to = mode_name(site->kind, x[i]);
    if (!is_shown(z, x, i))
      continue;
    add_site(z, x, i, out);
    if (x[i] == site->source)
      str_add(out, "  %s", from);
    else
      str_add(out, "  %-7s -> %s%s", from, to,
              site->is_place ? " (insert a fence before it)"
              : site_is_fence(site->kind) && !x[i] ? " (remove the fence)"
                                                   : "");
    str_add(out, "%s\n", is_run(z, i) ? "" : " (not executed)");
  }
}

static void add_failure(const struct optimizing *z, const struct bad *b,
                        struct str *out) {
  str_add(out, "%s [%s], in %s", finding_message(&b->finding),
          finding_name(b->finding.kind),
          z->search.sites.clients.at[b->client].name);
}

static void add_execution(const struct optimizing *z, const struct bad *b,
                          struct str *out) {
  if (!z->options->quiet)
    str_add(out, "\n%s\n", b->execution);
}

// The literals of site i that stay because something goes wrong without them.
static mode needed(const struct optimizing *z, const mode *x, uint32_t i) {
  return mode_leaders(x[i]) & (mode)~z->search.low[i];
}

static void add_witnesses(struct optimizing *z, const mode *x,
                          struct str *out) {
  for (uint32_t i = 0; i < z->search.sites.at.len; i++)
    for (mode left = needed(z, x, i); left; left &= (mode)(left - 1)) {
      mode literal = left & (mode)-left;
      struct bad b;
      if (!search_explain(&z->search, x, i, literal, &b))
        continue;
      str_add(out, "%s %s ", literal_name(site_at(z, i)->kind, literal),
              site_at(z, i)->is_place ? "fence before" : "at");
      add_place(site_at(z, i), out);
      str_add(out, " is needed: without it, ");
      add_failure(z, &b, out);
      str_add(out, "\n");
      add_execution(z, &b, out);
      bad_done(&b);
    }
}

static void add_effort(const struct optimizing *z, struct str *out) {
  const struct search *s = &z->search;
  uint32_t n = s->sites.clients.len;
  str_add(
      out,
      "under %s with %u client%s; %llu check%s, %llu execution%s in %.2f s, "
      "%llu MB\n",
      s->model->name, n, n == 1 ? "" : "s", (unsigned long long)s->checks,
      s->checks == 1 ? "" : "s", (unsigned long long)s->executions,
      s->executions == 1 ? "" : "s", run_seconds(&z->runs[0]),
      (unsigned long long)max_rss_kb() / 1024);
}

static void add_solutions(struct optimizing *z, struct str *out) {
  const struct search *s = &z->search;
  uint32_t n = count_shown(z);
  for (uint32_t k = 0; k < n; k++) {
    const mode *x = shown_at(z, k);
    if (n > 1)
      str_add(out, "%sAssignment %u of %u, cost %llu:\n", k ? "\n" : "", k + 1,
              n, cost_of(z, x));
    add_table(z, x, out);
    str_add(out, "\n");
    if (!s->all)
      add_witnesses(z, x, out);
  }
}

static void add_limit(const struct optimizing *z, struct str *out) {
  if (z->search.is_incomplete)
    str_add(out, "A check did not come to its end: %s\n", z->limit);
}

static void add_verdict(const struct optimizing *z, struct str *out) {
  const struct search *s = &z->search;
  add_limit(z, out);
  add_unused(z, out);
  if (!count_shown(z)) {
    str_add(out, "Incomplete: no assignment was checked to its end, ");
  } else {
    unsigned long long cost = cost_of(z, shown_at(z, 0));
    const char *how = s->is_incomplete
                          ? "Incomplete, not proved the cheapest: the best so "
                            "far, cost"
                      : !s->is_proved ? "Found, not proved the cheapest: cost"
                      : s->all ? "All minimal assignments, the cheapest cost"
                               : "Cheapest: cost";
    str_add(out, "%s %llu (written: %llu", how, cost, cost_of(z, z->source));
    if (s->is_incomplete && s->bound)
      str_add(out, ", at least: %llu", (unsigned long long)s->bound);
    str_add(out, "), verified ");
  }
  add_effort(z, out);
}

static void add_weakest(const struct optimizing *z, struct str *out) {
  unsigned idle = 0;
  for (uint32_t i = 0; i < z->search.sites.at.len; i++) {
    const struct order_site *site = site_at(z, i);
    const struct weakest *w = &z->weakest[i];
    add_site(z, NULL, i, out);
    str_add(out, "  %-7s ", mode_name(site->kind, site->source));
    if (!is_run(z, i))
      str_add(out, "not executed\n");
    else if (!w->is_known)
      str_add(out, "not checked\n");
    else if (w->mode == site->source)
      str_add(out, "%s\n", w->mode ? "needed" : "cannot be weaker");
    else
      str_add(out, "%s is enough\n", mode_name(site->kind, w->mode));
    idle += w->is_known && !w->mode && site->source && is_run(z, i);
  }
  if (idle)
    str_add(out,
            "\nNo client depends on the order of %u site%s: they are stronger "
            "than needed while\nthe others stay, or the clients are weak.\n",
            idle, idle == 1 ? "" : "s");
  add_unused(z, out);
  str_add(out, "\n%s ",
          z->search.is_incomplete ? "Incomplete, checked"
                                  : "Each site alone, checked");
  add_effort(z, out);
}

// What some client supposes.
static unsigned supposing(const struct optimizing *z) {
  const struct sites *s = &z->search.sites;
  unsigned supposed = 0;
  for (uint32_t i = 0; i < s->clients.len; i++)
    supposed |= s->clients.at[i].prog->supposed;
  return supposed;
}

void optimize_text(struct optimizing *z, struct str *out) {
  const struct bad *b = optimize_failure(z);
  if (b) {
    bool can_repair = !z->options->repair && z->options->from == FROM_SOURCE;
    bool is_bound = z->options->keep_sites.len || z->options->weaken_only.len;
    str_add(out, can_repair ? "With the orders that are written: "
                 : is_bound ? "What may be changed does not help: "
                            : "Orders do not help, even with seq_cst "
                              "everywhere: ");
    add_failure(z, b, out);
    str_add(out, "\n");
    add_execution(z, b, out);
    str_add(out, can_repair
                     ? "Wrong as it is (--repair looks for stronger orders), "
                 : is_bound ? "Wrong with all orders that are allowed, "
                            : "Not a matter of memory orders, ");
    add_effort(z, out);
  } else if (z->weakest) {
    add_weakest(z, out);
  } else {
    add_solutions(z, out);
    add_verdict(z, out);
  }
  supposed_text(supposing(z), out);
}

// -- JSON

static void json_witness(const struct optimizing *z, struct json *j,
                         const char *name, const char *without,
                         const struct bad *b) {
  json_open(j, name, '{');
  if (without)
    json_text(j, "without", without);
  json_text(j, "client", z->search.sites.clients.at[b->client].name);
  json_text(j, "kind", finding_name(b->finding.kind));
  json_text(j, "message", finding_message(&b->finding));
  json_text(j, "execution", b->execution);
  json_close(j, '}');
}

static void json_site(const struct optimizing *z, struct json *j, uint32_t i) {
  const struct order_site *site = site_at(z, i);
  json_text(j, "file", site->file);
  json_number(j, "line", site->line);
  json_number(j, "column", site->column);
  json_text(j, "function", site->func);
  json_text(j, "operation", site_kind_name(site->kind));
  json_text(j, "variable", site->text);
  json_text(j, "from", mode_name(site->kind, site->source));
  json_bool(j, "executed", is_run(z, i));
}

static void json_solution(struct optimizing *z, struct json *j, const mode *x) {
  json_open(j, NULL, '{');
  json_number(j, "cost", cost_of(z, x));
  json_open(j, "sites", '[');
  for (uint32_t i = 0; i < z->search.sites.at.len; i++) {
    if (!is_shown(z, x, i))
      continue;
    json_open(j, NULL, '{');
    json_site(z, j, i);
    json_bool(j, "inserted", site_at(z, i)->is_place);
    json_text(j, "to", mode_name(site_at(z, i)->kind, x[i]));
    json_open(j, "witness", '[');
    for (mode left = needed(z, x, i); left; left &= (mode)(left - 1)) {
      mode literal = left & (mode)-left;
      struct bad b;
      if (!search_explain(&z->search, x, i, literal, &b))
        continue;
      json_witness(z, j, NULL, literal_name(site_at(z, i)->kind, literal), &b);
      bad_done(&b);
    }
    json_close(j, ']');
    json_close(j, '}');
  }
  json_close(j, ']');
  json_close(j, '}');
}

static void json_weakest(const struct optimizing *z, struct json *j) {
  json_open(j, "sites", '[');
  for (uint32_t i = 0; i < z->search.sites.at.len; i++) {
    json_open(j, NULL, '{');
    json_site(z, j, i);
    if (z->weakest[i].is_known)
      json_text(j, "weakest",
                mode_name(site_at(z, i)->kind, z->weakest[i].mode));
    else
      json_null(j, "weakest");
    json_close(j, '}');
  }
  json_close(j, ']');
}

void optimize_json(struct optimizing *z, struct str *out) {
  const struct search *s = &z->search;
  const struct bad *b = optimize_failure(z);
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_text(&j, "verdict",
            b                  ? "error"
            : s->is_incomplete ? "incomplete"
                               : "ok");
  if (s->is_incomplete)
    json_text(&j, "limit", z->limit);
  supposed_json(supposing(z), &j);
  json_text(&j, "model", s->model->name);
  json_open(&j, "clients", '[');
  for (uint32_t i = 0; i < s->sites.clients.len; i++)
    json_text(&j, NULL, s->sites.clients.at[i].name);
  json_close(&j, ']');
  json_number(&j, "written_cost", cost_of(z, z->source));
  if (b)
    json_witness(z, &j, "failure", NULL, b);
  if (z->weakest && !b) {
    json_weakest(z, &j);
  } else if (!z->weakest) {
    json_bool(&j, "proved", s->is_proved);
    json_number(&j, "bound", s->bound);
    if (s->algorithm == ALGORITHM_EXHAUSTIVE)
      json_bool(&j, "monotone", s->is_monotone);
    json_open(&j, "solutions", '[');
    for (uint32_t k = 0; k < count_shown(z); k++)
      json_solution(z, &j, shown_at(z, k));
    json_close(&j, ']');
  }
  json_number(&j, "checks", s->checks);
  json_number(&j, "executions", s->executions);
  json_number(&j, "judgements", s->judgements);
  json_seconds(&j, "seconds", run_seconds(&z->runs[0]));
  json_close(&j, '}');
  str_add(out, "\n");
}
