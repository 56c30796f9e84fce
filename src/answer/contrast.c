// SPDX-License-Identifier: MIT
// Both models answer the test. Where a final state belongs to one of them, or
// where the states are the same but not the executions, an execution is looked
// for that the one allows and the other refuses; of those the one with the
// shortest cycle (report/refused.h). The sums of the names of all executions
// tell whether the sets are the same.
#include "answer/contrast.h"

#include "report/json_writer.h"
#include "report/refused.h"

#include <stdlib.h>
#include <string.h>

// -- what differs

static int compare_rows(const uint64_t *a, const uint64_t *b, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (a[i] != b[i])
      return (int64_t)a[i] < (int64_t)b[i] ? -1 : 1;
  return 0;
}

// The states are sorted.
static void find_own_states(struct contrast *c) {
  const struct answer *a = &c->of[0], *b = &c->of[1];
  uint32_t i = 0, k = 0, n = answer_states(a), m = answer_states(b);
  while (a->width && (i < n || k < m)) {
    int order = i == n   ? 1
                : k == m ? -1
                         : compare_rows(answer_state_at(a, i),
                                        answer_state_at(b, k), a->width);
    if (order < 0)
      array_push(&c->only[0], i);
    else if (order > 0)
      array_push(&c->only[1], k);
    i += order <= 0;
    k += order >= 0;
  }
}

static bool has_flag(const struct answer *o, const char *name) {
  for (uint32_t i = 0; i < o->flags.len; i++)
    if (strcmp(o->flags.at[i], name) == 0)
      return true;
  return false;
}

static bool has_flags_of(const struct answer *o, const struct answer *other) {
  for (uint32_t i = 0; i < other->flags.len; i++)
    if (!has_flag(o, other->flags.at[i]))
      return false;
  return true;
}

static enum difference difference_of(const struct contrast *c) {
  const struct answer *a = &c->of[0], *b = &c->of[1];
  if (answer_verdict(a) != answer_verdict(b) ||
      answer_observation(a) != answer_observation(b))
    return DIFFERS_VERDICT;
  if (c->only[0].len || c->only[1].len)
    return DIFFERS_STATES;
  if (!has_flags_of(a, b) || !has_flags_of(b, a))
    return DIFFERS_FLAGS;
  return a->names != b->names || a->positive != b->positive ||
                 a->negative != b->negative
             ? DIFFERS_EXECUTIONS
             : DIFFERS_NOT;
}

// -- executions that show it

struct wish {
  const struct contrast *c;
  unsigned by;       // the model that has the states
  bool is_any;       // whatever the state
  bool is_asked_for; // what the test asks for, if only that model has it
  uint64_t *row;     // room for a printed state
};

static bool is_own_state(const struct wish *w, const struct litmus *t,
                         const uint64_t *state) {
  const struct answer *o = &w->c->of[w->by];
  for (uint32_t i = 0; i < o->width; i++)
    w->row[i] = state[t->shown.at[i]];
  for (uint32_t i = 0; i < w->c->only[w->by].len; i++)
    if (compare_rows(answer_state_at(o, w->c->only[w->by].at[i]), w->row,
                     o->width) == 0)
      return true;
  return false;
}

static bool is_wanted(void *arg, const struct litmus *t,
                      const uint64_t *state) {
  const struct wish *w = arg;
  return litmus_holds(t, t->filter, state) &&
         (w->is_any || is_own_state(w, t, state)) &&
         (!w->is_asked_for || litmus_holds(t, t->condition, state));
}

// Could the one model judge executions as the other sees them?
static bool judge_alike(const struct model *a, const struct model *b) {
  return a->has_guards == b->has_guards && !a->justifier && !b->justifier;
}

// Can the other judge executions of this model, as this one sees them? They may
// have fewer dependencies than the other would see, which only makes it refuse
// less; but not more, or nothing could be said.
static bool can_judge(const struct model *other, const struct model *mine) {
  return (!other->tracks_dependencies || mine->tracks_dependencies) &&
         (!other->has_guards || mine->has_guards);
}

// Where executions come from: each way is tried until one has something.
enum way { COHERENT, OWN, OWN_UNJUDGED };

static bool try_way(enum way w, const struct answer_quest *wanted,
                    const struct contrast_config *config, struct contrast *c,
                    unsigned by, struct diag *why) {
  const struct model *mine = c->of[by].model;
  struct answer_quest q = *wanted;
  bool is_alike = judge_alike(mine, q.model);
  bool is_any = !c->only[by].len;
  if (c->shown[by].view || (w == OWN && !can_judge(q.model, mine)) ||
      (is_any && (w == COHERENT ? !is_alike : w == OWN_UNJUDGED)))
    return true;
  q.takes_any = w == OWN_UNJUDGED;
  q.allowed_by = is_alike && w == COHERENT ? mine : NULL;
  q.source = w == COHERENT ? NULL : mine;
  q.is_all &= w == COHERENT;
  c->is_allowed[by] = is_alike || w != COHERENT;
  answer_refused_done(&c->shown[by]);
  return answer_find_refused(&q, &config->answer, &c->shown[by], why);
}

static bool show(struct contrast *c, const struct contrast_config *config,
                 unsigned by, struct diag *why) {
  const struct answer *mine = &c->of[by], *other = &c->of[!by];
  bool is_state = c->only[by].len;
  struct wish w = {.c = c,
                   .by = by,
                   .is_any = !is_state,
                   .is_asked_for =
                       is_state && mine->positive && !other->positive,
                   .row = xcalloc(mine->width + 1, sizeof *w.row)};
  struct answer_quest q = {.test = c->test,
                           .model = other->model,
                           .is_all =
                               is_state && !other->is_cut && !other->is_racy,
                           .is_wanted = is_wanted,
                           .arg = &w};
  bool own_first = !judge_alike(mine->model, other->model);
  bool ok = try_way(own_first ? OWN : COHERENT, &q, config, c, by, why) &&
            try_way(own_first ? COHERENT : OWN, &q, config, c, by, why) &&
            try_way(OWN_UNJUDGED, &q, config, c, by, why);
  free(w.row);
  return ok;
}

// Both ways only where each has a state of its own, or where nothing but the
// executions differs: then that is how one learns which model has more.
static bool show_all(struct contrast *c, const struct contrast_config *config,
                     struct diag *why) {
  bool by_states = c->only[0].len || c->only[1].len;
  for (unsigned m = 0; m < 2; m++) {
    bool is_wished =
        by_states ? c->only[m].len != 0 : c->difference == DIFFERS_EXECUTIONS;
    if (is_wished && !show(c, config, m, why))
      return false;
  }
  return true;
}

bool contrast_of(struct litmus *t, const struct contrast_config *config,
                 struct contrast *ret, bool *is_unfinished, struct diag *why) {
  *ret = (struct contrast){.test = t};
  *is_unfinished = false;
  for (unsigned m = 0; m < 2; m++) {
    struct answer_config c = config->answer;
    c.model = config->models[m];
    c.wants_names = true;
    if (answer_of(t, &c, &ret->of[m], why))
      continue;
    *is_unfinished = ret->of[m].is_unfinished;
    struct diag said = *why;
    diag_set(why, said.file, said.line, "under %s: %s", c.model->name,
             said.text);
    diag_hint(why, "%s", said.hint);
    if (m)
      answer_done(&ret->of[0]);
    return false;
  }
  find_own_states(ret);
  ret->difference = difference_of(ret);
  if (show_all(ret, config, why))
    return true;
  ret->test = NULL;
  contrast_done(ret);
  return false;
}

void contrast_done(struct contrast *c) {
  for (unsigned m = 0; m < 2; m++) {
    answer_done(&c->of[m]);
    answer_refused_done(&c->shown[m]);
    array_done(&c->only[m]);
  }
  if (c->test)
    litmus_free(c->test);
}

// -- in words

const char *difference_name(enum difference d) {
  static const char *const names[DIFFERENCES] = {[DIFFERS_NOT] = "same",
                                                 [DIFFERS_EXECUTIONS] =
                                                     "executions",
                                                 [DIFFERS_FLAGS] = "flags",
                                                 [DIFFERS_STATES] = "states",
                                                 [DIFFERS_VERDICT] = "verdict"};
  return names[d];
}

void contrast_answer(const struct answer *o, struct str *out) {
  str_add(out, "%s%s %llu %llu", o->is_racy ? "Undef " : "",
          observation_name(answer_observation(o)),
          (unsigned long long)o->positive, (unsigned long long)o->negative);
  for (uint32_t i = 0; i < o->flags.len; i++)
    str_add(out, " %s", o->flags.at[i]);
}

enum { COLUMN = 20 };

void contrast_head(const struct model *const of[2], struct str *out) {
  str_add(out, "%-10s  %-*s  %-*s  test\n", "difference", COLUMN, of[0]->name,
          COLUMN, of[1]->name);
}

void contrast_line(const struct contrast *c, struct str *out) {
  struct str one = {0}, other = {0};
  contrast_answer(&c->of[0], &one);
  contrast_answer(&c->of[1], &other);
  str_add(out, "%-10s  %-*s  %-*s  %s\n", difference_name(c->difference),
          COLUMN, str_text(&one), COLUMN, str_text(&other), c->test->name);
  str_done(&one);
  str_done(&other);
}

static void add_own_states(const struct contrast *c, unsigned m,
                           struct str *out) {
  for (uint32_t i = 0; i < c->only[m].len; i++) {
    str_add(out, "  only %s: ", c->of[m].model->name);
    answer_print_state(&c->of[m], answer_state_at(&c->of[m], c->only[m].at[i]),
                       out);
    str_add(out, "\n");
  }
}

static void add_shown(const struct contrast *c, unsigned by, struct str *out) {
  const struct answer_refused *r = &c->shown[by];
  const char *mine = c->of[by].model->name, *other = c->of[!by].model->name;
  if (!r->view) {
    if (c->only[by].len)
      str_add(out,
              "\nNo execution that shows what only %s allows was found%s.\n",
              mine, r->is_settled ? "" : " in time");
    return;
  }
  if (!*r->view->axiom) {
    str_add(out,
            "\n%s allows this execution. %s allows none that ends so; which "
            "axiom refuses this one is not known, for the two see other "
            "dependencies.\n\n",
            mine, other);
    execution_text(r->view, c->of[by].style, out);
    return;
  }
  if (c->is_allowed[by])
    str_add(out, "\n%s allows this execution, %s forbids it.\n", mine, other);
  else
    str_add(out,
            "\n%s has an execution that ends like this one, %s forbids it.\n",
            mine, other);
  refused_text(r->view, out);
  str_add(out, "\nThe execution (* is on the cycle):\n\n");
  execution_text(r->view, c->of[by].style, out);
}

void contrast_text(const struct contrast *c, struct str *out) {
  str_add(out, "Test %s: %s\n", c->test->name,
          c->difference == DIFFERS_VERDICT  ? "another verdict"
          : c->difference == DIFFERS_STATES ? "other states"
          : c->difference == DIFFERS_FLAGS  ? "other flags"
                                            : "other executions");
  for (unsigned m = 0; m < 2; m++) {
    str_add(out, "  %s: ", c->of[m].model->name);
    contrast_answer(&c->of[m], out);
    str_add(out, "\n");
  }
  for (unsigned m = 0; m < 2; m++)
    add_own_states(c, m, out);
  for (unsigned m = 0; m < 2; m++)
    add_shown(c, m, out);
  str_add(out, "\n");
}

void contrast_title(const struct contrast *c, unsigned by, struct str *out) {
  const char *axiom = c->shown[by].view->axiom;
  str_add(out, "%s: %s %s, %s %s%s", c->test->name, c->of[by].model->name,
          c->is_allowed[by] ? "allows it" : "can end so",
          c->of[!by].model->name, *axiom ? "forbids it. " : "cannot end so",
          axiom);
}

// -- JSON

static void answer_members(const struct answer *o, struct json *j) {
  json_open(j, NULL, '{');
  json_text(j, "model", o->model->name);
  json_text(j, "verdict", litmus_verdict_name(answer_verdict(o)));
  json_text(j, "observation", observation_name(answer_observation(o)));
  json_number(j, "positive", o->positive);
  json_number(j, "negative", o->negative);
  json_number(j, "states", answer_states(o));
  json_open(j, "flags", '[');
  if (o->is_racy)
    json_text(j, NULL, "data-race");
  for (uint32_t i = 0; i < o->flags.len; i++)
    json_text(j, NULL, o->flags.at[i]);
  json_close(j, ']');
  json_close(j, '}');
}

static void only_members(const struct contrast *c, struct json *j) {
  json_open(j, "only", '[');
  for (unsigned m = 0; m < 2; m++) {
    json_open(j, NULL, '[');
    for (uint32_t i = 0; i < c->only[m].len; i++)
      answer_state_json(&c->of[m], NULL,
                        answer_state_at(&c->of[m], c->only[m].at[i]), j);
    json_close(j, ']');
  }
  json_close(j, ']');
}

// The final state of an execution that is shown.
static void shown_state(const struct contrast *c, unsigned by, struct json *j) {
  const struct answer *o = &c->of[by];
  uint64_t *row = xcalloc(o->width + 1, sizeof *row);
  for (uint32_t i = 0; i < o->width; i++)
    row[i] = c->shown[by].state[c->test->shown.at[i]];
  answer_state_json(o, "state", row, j);
  free(row);
}

void contrast_json(const struct contrast *c, struct str *out) {
  struct json j = {.out = out, .is_line = true};
  json_open(&j, NULL, '{');
  json_text(&j, "name", c->test->name);
  json_text(&j, "file", c->test->file);
  json_text(&j, "arch", arch_name(c->test->arch));
  json_text(&j, "differs", difference_name(c->difference));
  json_open(&j, "models", '[');
  for (unsigned m = 0; m < 2; m++)
    answer_members(&c->of[m], &j);
  json_close(&j, ']');
  only_members(c, &j);
  json_open(&j, "shown", '[');
  for (unsigned m = 0; m < 2; m++) {
    if (!c->shown[m].view)
      continue;
    json_open(&j, NULL, '{');
    json_text(&j, c->is_allowed[m] ? "allowed_by" : "state_of",
              c->of[m].model->name);
    json_text(&j, "refused_by", c->of[!m].model->name);
    shown_state(c, m, &j);
    if (*c->shown[m].view->axiom)
      refused_json(c->shown[m].view, &j);
    json_close(&j, '}');
  }
  json_close(&j, ']');
  json_close(&j, '}');
  str_add(out, "\n");
}
