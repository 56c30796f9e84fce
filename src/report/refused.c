// SPDX-License-Identifier: MIT
// Candidates come from the search over the weakened program; each is judged by
// the text of the model, and the shortest cycle of a failing axiom is kept.
#include "report/refused.h"

#include "model/refusal.h"
#include "report/sentence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 200 }; // before the best of them is good

void prog_weaken(struct prog *p) {
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
static uint8_t real_order(const struct refused *r, struct vm *vm,
                          const struct event *e) {
  site_id site = e->pre ? vm_access_site(vm, e->pre) : NO_SITE;
  const struct prog *p = r->prog;
  if (site == NO_SITE || site >= p->code.len ||
      op_info(p->code.at[site].op)->imm != IMM_ACCESS)
    return e->order;
  struct imm_access a = imm_access_of(p->code.at[site].imm);
  bool failed =
      (e->flags & EVF_CAS) && !(e->flags & (EVF_EXCLUSIVE | EVF_PIECE));
  return failed ? a.order_fail : a.order;
}

// What the models say of a graph.
enum judgement { TAKEN, REFUSED, REFUSED_BY_BOTH };

// The graph with the orders of the program; its events are the caller's.
static struct graph with_real_orders(const struct refused *r,
                                     const struct graph *g, struct vm *vm) {
  struct graph real = *g;
  real.events = xmalloc(g->nevents * sizeof *real.events);
  memcpy(real.events, g->events, g->nevents * sizeof *real.events);
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    real.events[e].order = real_order(r, vm, &g->events[e]);
  return real;
}

static enum judgement judge(const struct refused *r, const struct graph *g,
                            struct vm *vm, struct refusal *ret) {
  struct graph real = with_real_orders(r, g, vm);
  enum judgement said =
      model_refuses(r->model, &real, &r->options, ret) ? REFUSED : TAKEN;
  if (said == REFUSED && r->allowed_by) {
    struct model_options own = model_own_options(r->allowed_by);
    struct refusal unused = {0};
    if (model_refuses(r->allowed_by, &real, &own, &unused))
      said = REFUSED_BY_BOTH;
    refusal_done(&unused);
  }
  free(real.events);
  return said;
}

static const char *keep(struct view *v, const char *text) {
  return strings_get(&v->strings, strings_add(&v->strings, text));
}

static void mark_cycle(struct view *v, const struct graph *g,
                       const struct refusal *why) {
  v->axiom = keep(v, why->axiom);
  for (uint32_t i = 0; i < why->len; i++) {
    struct view_step s = {view_event_of(v, g, why->at[i].from),
                          view_event_of(v, g, why->at[i].to),
                          keep(v, why->at[i].relation),
                          keep(v, why->at[i].part_of)};
    if (s.from == VIEW_NOTHING || s.to == VIEW_NOTHING)
      continue;
    v->events.at[s.from].matters = v->events.at[s.to].matters = true;
    array_push(&v->cycle, s);
  }
  view_mark_rows(v);
  view_find_minor(v);
}

// The view of the candidate, with the real orders and the cycle marked.
static void take(struct refused *r, const struct prog *weak, struct vm *vm,
                 const struct graph *g, const struct refusal *why) {
  view_free(r->view);
  struct view *v = r->view = view_new(weak, vm, g, NULL);
  view_add_memory(v, weak, vm, g);
  for (uint32_t e = 0; e < v->events.len; e++) {
    struct view_event *ev = &v->events.at[e];
    event_id id = graph_at(g, ev->thread, ev->index);
    ev->order = real_order(r, vm, graph_event(g, id));
  }
  view_add_sync_by_orders(v);
  if (r->nrelations) {
    struct graph real = with_real_orders(r, g, vm);
    view_add_relations(v, &real, r->model, r->relations, r->nrelations);
    free(real.events);
  }
  mark_cycle(v, g, why);
}

// No steps are the worst explanation.
static uint32_t length_of(uint32_t steps) {
  return steps ? steps : UINT32_MAX;
}

bool refused_consider(struct refused *r, const struct prog *weak, struct vm *vm,
                      const struct graph *g) {
  struct refusal why = {.axiom = ""};
  if (r->takes_any) {
    take(r, weak, vm, g, &why);
    return true;
  }
  enum judgement said = judge(r, g, vm, &why);
  if (said == REFUSED) {
    r->candidates++;
    if (!r->view || length_of(why.len) < length_of(r->view->cycle.len))
      take(r, weak, vm, g, &why);
  } else if (said == TAKEN && !graph_has_pieces(g)) {
    *(r->is_all ? &r->is_lost : &r->is_allowed) = true;
  }
  refusal_done(&why);
  return r->is_lost || r->candidates >= MOST_CANDIDATES;
}

struct model refused_source(const struct model *m) {
  struct model source = model_coherent;
  source.has_guards = m->has_guards;
  return source;
}

void refused_check(const struct refused *r, const char *what) {
  char text[600];
  if (!r->is_lost)
    return;
  snprintf(text, sizeof text,
           "the definition of the model '%s' allows an execution with %s, and "
           "the search has not found it; please report the command line too%s",
           r->model->name, what,
           model_builtin(r->model) ? "" : ", and the model");
  fatal_internal(__FILE__, __LINE__, text);
}

void refused_done(struct refused *r) {
  view_free(r->view);
}

// -- words

static const char *meaning_of(const char *relation) {
  static const char *const words[][2] = {
      {"po", "program order"},
      {"po-loc", "program order, on one location"},
      {"rf", "reads from: it takes its value from there"},
      {"rfe", "reads from: another thread takes its value from there"},
      {"rfi", "reads from: it takes its value from its own thread"},
      {"co", "coherence: the later write to the same location"},
      {"coe", "coherence: the later write to the same location, by another "
              "thread"},
      {"coi", "coherence: the later write to the same location, by its own "
              "thread"},
      {"fr", "from read: it does not see that write"},
      {"fre", "from read: it does not see that write of another thread"},
      {"fri", "from read: it does not see that later write of its own thread"},
      {"sync", "synchronises with"},
      {"sw", "synchronises with"},
      {"rmw", "the other half of the same read-modify-write"},
      {"rmw^-1", "back to the other half of the same read-modify-write"},
      {"addr", "address dependency: the address was computed from it"},
      {"basic-addr", "address dependency: the address was computed from it"},
      {"data", "data dependency: the value was computed from it"},
      {"basic-data", "data dependency: the value was computed from it"},
      {"pick", "pick dependency: it decided on the access, or on its value"},
      {"ctrl", "control dependency: the thread branched on it"},
      {"bob", "kept in order by a barrier, or by acquire and release"},
      {"ppo", "kept in order by dependencies"},
      {"dob", "kept in order by a dependency"},
      {"pob", "kept in order by a pick dependency"},
      {"aob", "kept in order by a read-modify-write"},
      {"detour", "the value comes back from another thread"},
  };
  for (unsigned i = 0; i < LENGTH(words); i++)
    if (strcmp(words[i][0], relation) == 0)
      return words[i][1];
  return "";
}

static void add_event(const struct wording *w, const struct view *v, uint32_t e,
                      struct str *out) {
  struct str text = {0}, where = {0};
  event_sentence(w, v, e, &text);
  event_reference(w, v, e, &where);
  str_add(out, "  %-12s  %s\n", str_text(&where), str_text(&text));
  str_done(&text);
  str_done(&where);
}

static void add_step(const struct wording *w, const struct view *v,
                     const struct view_step *s, struct str *out) {
  // Of program order it says more what keeps it.
  const char *kept =
      strcmp(s->relation, "po") == 0 ? meaning_of(s->part_of) : "";
  const char *meaning = *kept ? kept : meaning_of(s->relation);
  add_event(w, v, s->from, out);
  str_add(out, "      %s", s->relation);
  if (*s->part_of)
    str_add(out, ", part of %s", s->part_of);
  str_add(out, "%s%s\n", *meaning ? ": " : "", meaning);
}

void refused_text(const struct view *v, struct str *out) {
  struct wording w = wording_of(v, /*is_short=*/false);
  str_add(out, "  %s\n", v->axiom);
  if (v->cycle.len) {
    const struct view_step *last = array_last(&v->cycle);
    bool is_closed = last->to == v->cycle.at[0].from;
    str_add(out, "\n%s:\n", is_closed ? "The cycle" : "The pair");
    for (uint32_t i = 0; i < v->cycle.len; i++)
      add_step(&w, v, &v->cycle.at[i], out);
    if (is_closed) {
      struct str first = {0};
      event_reference(&w, v, last->to, &first);
      str_add(out, "  ... and that is %s again.\n", str_text(&first));
      str_done(&first);
    } else {
      add_event(&w, v, last->to, out);
    }
  }
  wording_done(&w);
}

void refused_json(const struct view *v, struct json *j) {
  struct wording w = wording_of(v, /*is_short=*/false);
  json_text(j, "axiom", v->axiom);
  json_open(j, "cycle", '[');
  for (uint32_t i = 0; i < v->cycle.len; i++) {
    const struct view_step *s = &v->cycle.at[i];
    const struct view_event *e = &v->events.at[s->from];
    struct str text = {0};
    event_sentence(&w, v, s->from, &text);
    json_open(j, NULL, '{');
    json_number(j, "thread", e->thread - v->is_litmus);
    json_number(j, "line", e->place.line);
    json_text(j, "event", str_text(&text));
    json_text(j, "relation", s->relation);
    if (*s->part_of)
      json_text(j, "part_of", s->part_of);
    json_close(j, '}');
    str_done(&text);
  }
  json_close(j, ']');
  wording_done(&w);
}
