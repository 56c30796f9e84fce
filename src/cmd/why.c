// SPDX-License-Identifier: MIT
// heddle why: can a condition hold in the end? If so, an execution in which it
// does. If not, an execution that would do it and that the model refuses, with
// the axiom that forbids it and the cycle that shows it.
#include "answer/condition.h"
#include "cmd/collect.h"
#include "cmd/files.h"
#include "report/html.h"
#include "report/json_writer.h"
#include "report/refused.h"

#include <stdlib.h>
#include <unistd.h>

struct question {
  const struct options *options; // with the program's files alone
  const char *text;
  struct condition *condition;
  struct collector real, weak;
  struct refused refused; // what would fit
  struct model source;    // of such executions
};

// -- under the model

static bool is_answer(void *arg, uint32_t outcome, const struct graph *g,
                      struct vm *vm) {
  struct question *q = arg;
  (void)g, (void)vm;
  if (!condition_holds(q->condition, &q->real.outcomes, outcome))
    return false;
  run_stop(&q->real.run);
  return q->real.kept.len == 0;
}

// -- candidates

static bool is_candidate(void *arg, uint32_t outcome, const struct graph *g,
                         struct vm *vm) {
  struct question *q = arg;
  if (condition_holds(q->condition, &q->weak.outcomes, outcome) &&
      refused_consider(&q->refused, q->weak.run.prog, vm, g))
    run_stop(&q->weak.run);
  return false;
}

static bool find_candidate(struct question *q, struct diag *why) {
  const struct model *m = q->real.run.model;
  q->source = refused_source(m);
  q->weak.run.model = &q->source;
  q->weak.is_wanted = is_candidate;
  q->weak.arg = q;
  struct options *o = &q->weak.options;
  if (!collect_begin(&q->weak, q->options, NULL, why))
    return false;
  // What is an error in the weak program is none of the real one.
  for (unsigned k = 0; k < FIND_COUNT; k++)
    o->disable[k] = true;
  o->jobs = 1; // the same one is shown each time
  prog_weaken(q->weak.run.prog);
  q->refused =
      (struct refused){.prog = q->real.run.prog,
                       .model = m,
                       .options = model_options_of(q->options, m),
                       .is_all = q->real.result->verdict == VERDICT_OK};
  collect(&q->weak);
  refused_check(&q->refused, q->text);
  return true;
}

// -- answers

static const struct view *answer(const struct question *q) {
  return q->real.kept.len ? q->real.kept.at[0].view : NULL;
}

// Whether or not an error was found on the way.
static bool is_incomplete(const struct question *q) {
  return !answer(q) && explore_limit(q->real.result);
}

// Executions that do not come to their end, where the condition is asked.
static uint32_t errors_of(const struct question *q) {
  const struct explore_result *r = q->real.result;
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->findings.len; i++)
    n += !r->findings.at[i].is_warning;
  return n;
}

static void make_text(const struct question *q, struct str *out) {
  struct text_style style = text_style_of(STDOUT_FILENO, q->options->color);
  const char *model = q->real.run.model->name;
  style.is_full = q->options->full;
  supposed_text(q->real.run.prog->supposed, out);
  if (answer(q)) {
    str_add(out, "Yes: under %s there is an execution with %s.\n\n", model,
            q->text);
    execution_text(answer(q), style, out);
    return;
  }
  if (is_incomplete(q)) {
    str_add(out,
            "Unknown: a limit was hit (%s) before all executions under %s "
            "were explored; none of the %llu so far has %s.\n",
            explore_limit(q->real.result), model,
            (unsigned long long)q->real.result->executions, q->text);
    return;
  }
  str_add(out, "No: none of the %llu executions under %s has %s.\n",
          (unsigned long long)q->real.result->executions, model, q->text);
  if (errors_of(q))
    str_add(out,
            "Executions that end with an error are not among them; `heddle "
            "check` shows %s.\n",
            errors_of(q) == 1 ? "it" : "these errors");
  const struct view *v = q->refused.view;
  if (!v) {
    str_add(out, explore_limit(q->weak.result)
                     ? "A limit was hit before one was found that a weaker "
                       "model would allow.\n"
                 : q->refused.is_allowed
                     ? "No axiom forbids it: with such errors switched off "
                       "(--disable) it can hold.\n"
                     : "No coherent execution has it either: there is no axiom "
                       "to blame.\n");
    return;
  }
  str_add(out, "\nThis execution would have it, but %s forbids it.\n", model);
  refused_text(v, out);
  str_add(out, "\nThe execution (* is on the cycle):\n\n");
  execution_text(v, style, out);
}

static void make_json(const struct question *q, struct str *out) {
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_text(&j, "version", HEDDLE_VERSION);
  supposed_json(q->real.run.prog->supposed, &j);
  json_text(&j, "model", q->real.run.model->name);
  json_text(&j, "condition", q->text);
  json_text(&j, "answer",
            answer(q)          ? "yes"
            : is_incomplete(q) ? "unknown"
                               : "no");
  if (!answer(q) && errors_of(q))
    json_number(&j, "errors", errors_of(q));
  if (q->refused.view)
    refused_json(q->refused.view, &j);
  json_close(&j, '}');
  str_add(out, "\n");
}

static bool write_page(const struct question *q, FILE *file, struct diag *why) {
  struct str text = {0}, title = {0};
  const struct view *v = answer(q) ? answer(q) : q->refused.view;
  if (answer(q))
    str_add(&title, "%s", q->text);
  else if (is_incomplete(q))
    str_add(&title, "%s", q->text);
  else
    str_add(&title, "%s is forbidden by %s", q->text, q->real.run.model->name);
  struct page p = {.program = q->options->files.at[0],
                   .model = q->real.run.model->name,
                   .verdict =
                       is_incomplete(q) ? VERDICT_INCOMPLETE : VERDICT_OK,
                   .summary = answer(q)          ? "It can happen"
                              : is_incomplete(q) ? "Unknown: a limit was hit"
                                                 : "It cannot happen",
                   .is_full = q->options->full};
  if (v)
    array_push(
        &p.entries,
        (struct page_entry){.title = str_text(&title), .kind = "", .view = v});
  page_html(&p, &text);
  bool ok = finish_output(file, q->options->html, &text, why);
  array_done(&p.entries);
  str_done(&text);
  str_done(&title);
  return ok;
}

// -- the command

static bool find_out(struct question *q, struct diag *why) {
  q->real.is_wanted = is_answer;
  q->real.arg = q;
  if (!outputs_spare_sources(q->options, why) ||
      !can_write(q->options->html, why) || !can_write(q->options->dot, why) ||
      !collect_begin(&q->real, q->options, q->options->model, why))
    return false;
  q->condition = condition_read(q->text, q->real.run.prog, why);
  if (!q->condition)
    return false;
  collect(&q->real);
  if (!condition_was_clear(q->condition, &q->real.outcomes, why))
    return false;
  return answer(q) || is_incomplete(q) || find_candidate(q, why);
}

static void question_done(struct question *q) {
  collector_done(&q->real);
  collector_done(&q->weak);
  condition_free(q->condition);
  refused_done(&q->refused);
}

// The execution that is shown, for Graphviz.
static bool write_dot(const struct question *q, FILE *file, struct diag *why) {
  const struct view *v = answer(q) ? answer(q) : q->refused.view;
  struct str text = {0}, title = {0};
  unsigned relations;
  if (!dot_relations_of(q->options, &relations, why))
    return false;
  str_add(&title, "%s, %s by %s", q->text, answer(q) ? "allowed" : "forbidden",
          q->real.run.model->name);
  if (v)
    report_dot(v, str_text(&title), relations, q->options->full, &text);
  else
    str_add(&text, "digraph execution {\n  label=\"no execution\";\n}\n");
  bool ok = finish_output(file, q->options->dot, &text, why);
  str_done(&text);
  str_done(&title);
  return ok;
}

enum exit_code cmd_why(const struct options *o) {
  // A race says nothing about values, so it does not end an execution here.
  struct options mine = *o;
  mine.files.at = o->files.at + 1;
  mine.files.len = o->files.len - 1;
  mine.warn[FIND_RACE] = !o->error[FIND_RACE];
  struct question q = {.options = &mine, .text = o->files.at[0]};
  struct str text = {0};
  struct diag why;
  FILE *page, *dot;
  unsigned relations;
  if (are_litmus_tests(&mine))
    return why_litmus(&mine, o->files.at[0]);
  bool ok = dot_relations_of(o, &relations, &why) && find_out(&q, &why);
  if (ok && (o->json || o->format == FORMAT_JSON))
    make_json(&q, &text);
  else if (ok)
    make_text(&q, &text);
  ok = ok && (!o->html || (open_output(o->html, &page, &why) &&
                           write_page(&q, page, &why)));
  ok = ok && (!o->dot ||
              (open_output(o->dot, &dot, &why) && write_dot(&q, dot, &why)));
  enum exit_code code =
      ok ? print(o->output, &text,
                 is_incomplete(&q) ? EXIT_INCOMPLETE : EXIT_OK)
         : bad_input(&why);
  question_done(&q);
  return code;
}
