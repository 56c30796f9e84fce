// SPDX-License-Identifier: MIT
// heddle why: can a condition hold in the end? If so, an execution in which it
// does. If not, an execution that would do it and that the model refuses, with
// the axiom that refuses it and the cycle that shows it.
//
// Such executions come from the same program with all its atomic accesses
// relaxed and its fences taken away, under coherence alone. Nearly everything
// that any model could refuse is among them; they are judged with the orders
// that the program really has. Of those that fit, the one with the shortest
// cycle explains best.
#include "cmd/collect.h"
#include "cmd/condition.h"
#include "model/axioms.h"
#include "report/html.h"
#include "report/json_writer.h"
#include "report/sentence.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_CANDIDATES = 200 }; // that fit, before the best of them is good

struct question {
  const struct options *options; // with the program's files alone
  const char *text;
  struct condition *condition;
  struct collector real, weak;
  // Of the best candidate: why it is refused, as events of its view.
  const char *axiom;
  ARRAY(struct refusal_step) cycle;
  struct view *candidate;
  unsigned candidates; // that fit and are refused
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

// Takes the order away from what the program itself says; the library keeps
// its own, or locks would not be locks.
static void weaken(struct prog *p) {
  for (uint32_t f = 0; f < p->funcs.len; f++)
    for (uint32_t i = p->funcs.at[f].first;
         i < p->funcs.at[f].end && !p->funcs.at[f].is_library; i++) {
      struct insn *in = &p->code.at[i];
      if (op_info(in->op)->imm != IMM_ACCESS)
        continue;
      struct imm_access a = imm_access_of(in->imm);
      if (a.order == ORD_NA)
        continue;
      a.order = ORD_RLX;
      a.order_fail = ORD_RLX;
      in->imm = imm_access(a);
    }
}

// The order that the program gives to the event.
static uint8_t real_order(const struct question *q, struct vm *vm,
                          const struct event *e) {
  site_id site = e->pre ? vm_site(vm, e->pre) : NO_SITE;
  const struct prog *p = q->real.run.prog;
  if (site == NO_SITE || site >= p->code.len ||
      op_info(p->code.at[site].op)->imm != IMM_ACCESS)
    return e->order;
  struct imm_access a = imm_access_of(p->code.at[site].imm);
  bool failed =
      (e->flags & EVF_CAS) && !(e->flags & (EVF_EXCLUSIVE | EVF_PIECE));
  return failed ? a.order_fail : a.order;
}

// Judges the graph with the orders of the program. They are put in for that
// time only: the graph is the search's own.
static bool is_refused(const struct question *q, const struct graph *g,
                       struct vm *vm, struct refusal *ret) {
  uint8_t *weak = xcalloc(g->nevents, sizeof *weak);
  struct event *events = g->events;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next) {
    weak[e] = events[e].order;
    events[e].order = real_order(q, vm, &events[e]);
  }
  const struct model *m = q->real.run.model;
  struct model_options options = model_options_of(q->options, m);
  bool refused = model_refuses(m, g, &options, ret);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    events[e].order = weak[e];
  free(weak);
  return refused;
}

// The view of the candidate, with the real orders and the cycle marked.
static void keep_candidate(struct question *q, const struct graph *g,
                           struct vm *vm, const struct refusal *why) {
  const struct prog *p = q->weak.run.prog;
  view_free(q->candidate);
  struct view *v = q->candidate = view_new(p, vm, g, NULL);
  view_add_memory(v, p, vm, g);
  uint32_t *first = xcalloc(g->nthreads, sizeof *first);
  for (uint32_t t = 0; t < v->threads.len; t++)
    first[v->threads.at[t].id] = v->threads.at[t].first;
  for (uint32_t e = 0; e < v->events.len; e++) {
    struct view_event *ev = &v->events.at[e];
    event_id id = graph_at(g, ev->thread, ev->index);
    ev->order = real_order(q, vm, graph_event(g, id));
  }
  q->axiom = why->axiom;
  q->cycle.len = 0;
  for (uint32_t i = 0; i < why->len; i++) {
    const struct event *a = graph_event(g, why->at[i].from);
    const struct event *b = graph_event(g, why->at[i].to);
    struct refusal_step s = {first[a->thread] + a->index,
                             first[b->thread] + b->index, why->at[i].relation};
    v->events.at[s.from].matters = true;
    array_push(&q->cycle, s);
  }
  view_find_minor(v);
  free(first);
}

static bool is_candidate(void *arg, uint32_t outcome, const struct graph *g,
                         struct vm *vm) {
  struct question *q = arg;
  struct refusal why = {0};
  if (!condition_holds(q->condition, &q->weak.outcomes, outcome))
    return false;
  if (is_refused(q, g, vm, &why)) {
    q->candidates++;
    if (!q->candidate || why.len < q->cycle.len)
      keep_candidate(q, g, vm, &why);
  }
  free(why.at);
  if (q->candidates >= MOST_CANDIDATES)
    run_stop(&q->weak.run);
  return false;
}

static bool find_candidate(struct question *q, struct diag *why) {
  q->weak.run.model = &model_coherent;
  q->weak.is_wanted = is_candidate;
  q->weak.arg = q;
  struct options *o = &q->weak.options;
  if (!collect_begin(&q->weak, q->options, NULL, why))
    return false;
  // What is an error in the weak program is none of the real one.
  for (unsigned k = 0; k < FIND_COUNT; k++)
    o->disable[k] = true;
  o->jobs = 1; // the graph is changed for a while
  weaken(q->weak.run.prog);
  collect(&q->weak);
  return true;
}

// -- words

static const char *meaning_of(const char *relation) {
  static const char *const words[][2] = {
      {"po", "program order"},
      {"rf", "reads from: it takes its value from there"},
      {"co", "coherence: the later write to the same location"},
      {"fr", "from read: it does not see that write"},
      {"sync", "synchronises with"},
      {"rmw", "the other half of the same read-modify-write"},
      {"bob", "kept in order by a barrier, or by acquire and release"},
      {"ppo", "kept in order by dependencies"},
      {"dob", "kept in order by a dependency"},
      {"detour", "the value comes back from another thread"},
      {"sc fences", "in the order of seq_cst fences"},
  };
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i][0], relation) == 0)
      return words[i][1];
  return relation;
}

static void add_event(const struct question *q, const struct wording *w,
                      uint32_t e, struct str *out) {
  struct str text = {0}, where = {0};
  const struct view *v = q->candidate;
  event_sentence(w, v, e, &text);
  event_reference(w, v, e, &where);
  str_add(out, "  %-12s  %s\n", str_text(&where), str_text(&text));
  str_done(&text);
  str_done(&where);
}

static void add_cycle(const struct question *q, struct str *out) {
  struct wording w = wording_of(q->candidate, /*is_short=*/false);
  for (uint32_t i = 0; i < q->cycle.len; i++) {
    const struct refusal_step *s = &q->cycle.at[i];
    add_event(q, &w, s->from, out);
    str_add(out, "      %s: %s\n", s->relation, meaning_of(s->relation));
  }
  if (q->cycle.len) {
    struct str first = {0};
    event_reference(&w, q->candidate, q->cycle.at[0].from, &first);
    str_add(out, "  ... and that is %s again.\n", str_text(&first));
    str_done(&first);
  }
  wording_done(&w);
}

static const struct view *answer(const struct question *q) {
  return q->real.kept.len ? q->real.kept.at[0].view : NULL;
}

static bool is_incomplete(const struct question *q) {
  return !answer(q) && q->real.result->verdict == VERDICT_INCOMPLETE;
}

static void make_text(const struct question *q, struct str *out) {
  struct text_style style = text_style_of(STDOUT_FILENO, q->options->color);
  const char *model = q->real.run.model->name;
  style.is_full = q->options->full;
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
            q->real.result->limit ? q->real.result->limit : "stopped early",
            model, (unsigned long long)q->real.result->executions, q->text);
    return;
  }
  str_add(out, "No: none of the %llu executions under %s has %s.\n",
          (unsigned long long)q->real.result->executions, model, q->text);
  if (!q->candidate) {
    str_add(out, q->weak.result->verdict == VERDICT_INCOMPLETE
                     ? "A limit was hit before one was found that a weaker "
                       "model would allow.\n"
                     : "No coherent execution has it either: there is no axiom "
                       "to blame.\n");
    return;
  }
  str_add(out,
          "\nThis execution would have it, but %s refuses it.\n  %s\n\n"
          "The cycle:\n",
          model, q->axiom);
  add_cycle(q, out);
  str_add(out, "\nThe execution (* is on the cycle):\n\n");
  execution_text(q->candidate, style, out);
}

static void make_json(const struct question *q, struct str *out) {
  struct json j = {.out = out};
  json_open(&j, NULL, '{');
  json_text(&j, "version", HEDDLE_VERSION);
  json_text(&j, "model", q->real.run.model->name);
  json_text(&j, "condition", q->text);
  json_text(&j, "answer",
            answer(q)          ? "yes"
            : is_incomplete(q) ? "unknown"
                               : "no");
  if (q->candidate) {
    struct wording w = wording_of(q->candidate, /*is_short=*/false);
    json_text(&j, "axiom", q->axiom);
    json_open(&j, "cycle", '[');
    for (uint32_t i = 0; i < q->cycle.len; i++) {
      struct str text = {0};
      const struct view_event *e =
          &q->candidate->events.at[q->cycle.at[i].from];
      event_sentence(&w, q->candidate, q->cycle.at[i].from, &text);
      json_open(&j, NULL, '{');
      json_number(&j, "thread", e->thread);
      json_number(&j, "line", e->place.line);
      json_text(&j, "event", str_text(&text));
      json_text(&j, "relation", q->cycle.at[i].relation);
      json_close(&j, '}');
      str_done(&text);
    }
    json_close(&j, ']');
    wording_done(&w);
  }
  json_close(&j, '}');
  str_add(out, "\n");
}

static bool write_page(const struct question *q, FILE *file, struct diag *why) {
  struct str text = {0}, title = {0};
  const struct view *v = answer(q) ? answer(q) : q->candidate;
  if (answer(q))
    str_add(&title, "%s", q->text);
  else
    str_add(&title, "%s is refused by %s. %s", q->text, q->real.run.model->name,
            q->axiom ? q->axiom : "");
  struct page p = {.program = q->options->files.at[0],
                   .model = q->real.run.model->name,
                   .verdict =
                       is_incomplete(q) ? VERDICT_INCOMPLETE : VERDICT_OK,
                   .summary = answer(q) ? "It can happen" : "It cannot happen"};
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
      !collect_begin(&q->real, q->options, q->options->model, why))
    return false;
  q->condition = condition_read(q->text, q->real.run.prog, why);
  if (!q->condition)
    return false;
  collect(&q->real);
  return answer(q) || is_incomplete(q) || find_candidate(q, why);
}

static void question_done(struct question *q) {
  collector_done(&q->real);
  collector_done(&q->weak);
  condition_free(q->condition);
  view_free(q->candidate);
  array_done(&q->cycle);
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
  FILE *page;
  bool ok = find_out(&q, &why);
  if (ok && (o->json || o->format == FORMAT_JSON))
    make_json(&q, &text);
  else if (ok)
    make_text(&q, &text);
  ok = ok && (!o->html || (open_output(o->html, &page, &why) &&
                           write_page(&q, page, &why)));
  enum exit_code code =
      ok ? print(o->output, &text,
                 is_incomplete(&q) ? EXIT_INCOMPLETE : EXIT_OK)
         : bad_input(&why);
  question_done(&q);
  return code;
}
