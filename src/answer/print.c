// SPDX-License-Identifier: MIT
// An answer in herd's words, as text and as JSON.
#include "answer/answer.h"
#include "report/refused.h"

#include <stdlib.h>

enum litmus_verdict answer_verdict(const struct answer *o) {
  bool ok = o->test->ask == ASK_EXISTS   ? o->positive != 0
            : o->test->ask == ASK_FORALL ? o->negative == 0
                                         : o->positive == 0;
  return o->is_racy ? LITMUS_UNDEF : ok ? LITMUS_OK : LITMUS_NO;
}

enum observation answer_observation(const struct answer *o) {
  return !o->positive ? SEEN_NEVER : o->negative ? SEEN_SOMETIMES : SEEN_ALWAYS;
}

const char *litmus_verdict_name(enum litmus_verdict v) {
  return v == LITMUS_OK ? "Ok" : v == LITMUS_NO ? "No" : "Undef";
}

const char *observation_name(enum observation o) {
  return o == SEEN_NEVER       ? "Never"
         : o == SEEN_SOMETIMES ? "Sometimes"
                               : "Always";
}

static const char *quantifier_name(enum quantifier q, bool is_json) {
  switch (q) {
  case ASK_EXISTS:
    return is_json ? "exists" : "Allowed";
  case ASK_NOT_EXISTS:
    return is_json ? "not-exists" : "Forbidden";
  case ASK_FORALL:
    return is_json ? "forall" : "Required";
  }
  return "";
}

// An array that is printed whole is one thing: where it begins and ends.
static bool goes_on(const struct answer *o, uint32_t i) {
  const struct litmus *t = o->test;
  const struct litmus_var *v = &t->vars.at[t->shown.at[i]];
  const struct litmus_var *w = i ? &t->vars.at[t->shown.at[i - 1]] : v;
  return i && !v->is_register && !w->is_register && v->is_whole &&
         w->is_whole && v->location == w->location;
}

static bool ends(const struct answer *o, uint32_t i) {
  return i + 1 == o->width || !goes_on(o, i + 1);
}

void answer_print_state(const struct answer *o, const uint64_t *values,
                        struct str *out) {
  const struct litmus *t = o->test;
  for (uint32_t i = 0; i < o->width; i++) {
    const struct litmus_var *v = &t->vars.at[t->shown.at[i]];
    if (goes_on(o, i)) {
      str_add(out, ",");
    } else {
      litmus_print_var(t, v, out);
      str_add(out, v->is_whole ? "={" : "=");
    }
    litmus_print_value(t, values[i], v->type, out);
    if (ends(o, i))
      str_add(out, "%s;%s", v->is_whole ? "}" : "",
              i + 1 < o->width ? " " : "");
  }
}

static void add_executions(const struct answer *o, struct str *out) {
  for (uint32_t i = 0; i < o->witnesses.len; i++) {
    execution_text(o->witnesses.at[i], o->style, out);
    str_add(out, "\n");
  }
  if (o->refused.view) {
    str_add(out,
            "This execution would satisfy the condition, but %s forbids it.\n",
            o->model->name);
    refused_text(o->refused.view, out);
    str_add(out, "\nThe execution (* is on the cycle):\n\n");
    execution_text(o->refused.view, o->style, out);
    str_add(out, "\n");
  } else if (o->refused.is_settled) {
    str_add(out, "No coherent execution has this outcome: there is no axiom to "
                 "blame.\n\n");
  } else if (o->refused.weak) {
    str_add(out,
            "The reason was not found: a limit was hit, or accesses are of "
            "different size.\n\n");
  }
}

static bool is_vacuous(const struct answer *o) {
  return !o->positive && !o->negative;
}

void answer_text(const struct answer *o, struct str *out) {
  const struct litmus *t = o->test;
  const char *seen = observation_name(answer_observation(o));
  unsigned long long p = o->positive, n = o->negative;
  // Witnesses speak for the answer that is wanted: of ~exists, those without.
  bool is_swapped = t->ask == ASK_NOT_EXISTS;
  str_add(out, "Test %s %s\nStates %u\n", t->name,
          quantifier_name(t->ask, false), answer_states(o));
  for (uint32_t s = 0; s < answer_states(o); s++) {
    answer_print_state(o, answer_state_at(o, s), out);
    str_add(out, "\n");
  }
  str_add(out, "%s%s\nWitnesses\nPositive: %llu Negative: %llu\n",
          o->is_cut ? "Loop " : "", litmus_verdict_name(answer_verdict(o)),
          is_swapped ? n : p, is_swapped ? p : n);
  if (o->is_racy)
    str_add(out, "Flag data-race\n");
  for (uint32_t i = 0; i < o->flags.len; i++)
    str_add(out, "Flag %s\n", o->flags.at[i]);
  if (o->is_retried)
    str_add(out, "Loop without bound: rounds that fail are left out, none is "
                 "cut\n");
  str_add(out, "Condition ");
  litmus_print_condition(t, out);
  str_add(out, "\nObservation %s %s %llu %llu\nTime %s %.2f\n\n", t->name, seen,
          p, n, t->name, o->seconds);
  if (is_vacuous(o))
    str_add(out,
            "No execution of this test is allowed by %s, or none passes "
            "its filter: the answer says nothing.\n\n",
            o->model->name);
  add_executions(o, out);
}

static void json_value(struct json *j, const char *name, const char *text) {
  if (*text == '-')
    json_signed(j, name, strtoll(text, NULL, 10));
  else if (*text >= '0' && *text <= '9')
    json_number(j, name, strtoull(text, NULL, 10));
  else
    json_text(j, name, text);
}

void answer_state_json(const struct answer *o, const char *name,
                       const uint64_t *values, struct json *j) {
  const struct litmus *t = o->test;
  struct str var = {0}, value = {0};
  json_open(j, name, '{');
  for (uint32_t i = 0; i < o->width; i++) {
    const struct litmus_var *v = &t->vars.at[t->shown.at[i]];
    var.len = value.len = 0;
    litmus_print_var(t, v, &var);
    litmus_print_value(t, values[i], v->type, &value);
    if (v->is_whole && !goes_on(o, i))
      json_open(j, str_text(&var), '[');
    json_value(j, v->is_whole ? NULL : str_text(&var), str_text(&value));
    if (v->is_whole && ends(o, i))
      json_close(j, ']');
  }
  json_close(j, '}');
  str_done(&var);
  str_done(&value);
}

static void json_states(const struct answer *o, struct json *j) {
  json_open(j, "states", '[');
  for (uint32_t s = 0; s < answer_states(o); s++)
    answer_state_json(o, NULL, answer_state_at(o, s), j);
  json_close(j, ']');
}

void answer_json(const struct answer *o, struct str *out) {
  const struct litmus *t = o->test;
  struct json j = {.out = out, .is_line = true};
  json_open(&j, NULL, '{');
  json_text(&j, "name", t->name);
  json_text(&j, "file", t->file);
  json_text(&j, "arch", arch_name(t->arch));
  json_text(&j, "model", o->model->name);
  if (o->model_by)
    json_text(&j, "model_by", o->model_by);
  json_text(&j, "kind", quantifier_name(t->ask, true));
  json_text(&j, "verdict", litmus_verdict_name(answer_verdict(o)));
  json_text(&j, "observation", observation_name(answer_observation(o)));
  json_states(o, &j);
  json_number(&j, "positive", o->positive);
  json_number(&j, "negative", o->negative);
  json_open(&j, "flags", '[');
  if (o->is_racy)
    json_text(&j, NULL, "data-race");
  for (uint32_t i = 0; i < o->flags.len; i++)
    json_text(&j, NULL, o->flags.at[i]);
  if (o->is_cut)
    json_text(&j, NULL, "loop");
  json_close(&j, ']');
  if (o->is_retried)
    json_bool(&j, "loop_without_bound", true);
  if (o->refused.view)
    refused_json(o->refused.view, &j);
  json_seconds(&j, "seconds", o->seconds);
  json_close(&j, '}');
  str_add(out, "\n");
}

void answer_error_json(const char *file, const char *name,
                       const struct diag *why, bool is_unfinished,
                       struct str *out) {
  struct json j = {.out = out, .is_line = true};
  json_open(&j, NULL, '{');
  if (name)
    json_text(&j, "name", name);
  json_text(&j, "file", file);
  if (is_unfinished)
    json_text(&j, "verdict", "incomplete");
  json_text(&j, "error", why->text);
  json_number(&j, "line", why->line);
  json_close(&j, '}');
  str_add(out, "\n");
}

void answer_line(const struct answer *o, struct str *out) {
  str_add(out, "%-5s %-9s %s %llu %llu%s",
          litmus_verdict_name(answer_verdict(o)),
          observation_name(answer_observation(o)), o->test->name,
          (unsigned long long)o->positive, (unsigned long long)o->negative,
          o->is_racy ? " data-race" : "");
  for (uint32_t i = 0; i < o->flags.len; i++)
    str_add(out, " %s", o->flags.at[i]);
  str_add(out, "%s", o->is_retried ? " loop without bound" : "");
  str_add(out, is_vacuous(o) ? " no execution\n" : "\n");
}
