// SPDX-License-Identifier: MIT
// A state is a row of interned values by variable; equal rows are found by
// their hash and counted.
#include "report/outcome.h"

#include "base/hash.h"
#include "bytecode/pointer.h"
#include "report/name.h"

#include <stdlib.h>
#include <string.h>

void outcomes_init(struct outcomes *o, const struct prog *p) {
  *o = (struct outcomes){.prog = p};
}

void outcomes_done(struct outcomes *o) {
  array_done(&o->variables);
  array_done(&o->at);
  array_done(&o->values);
  array_done(&o->scratch);
  table_done(&o->table);
  strings_done(&o->strings);
}

// -- variables

static uint64_t extended(uint64_t value, uint32_t size) {
  if (size >= 8)
    return value;
  unsigned unused = 64 - 8 * size;
  return (uint64_t)((int64_t)(value << unused) >> unused);
}

static uint32_t keep(struct outcomes *o, struct str *text) {
  uint32_t id = strings_add(&o->strings, str_text(text));
  str_done(text);
  return id;
}

static uint32_t find_variable(struct outcomes *o, const struct names *n,
                              loc_id l) {
  const struct location *where = vm_location(n->vm, l);
  for (uint32_t i = 0; i < o->variables.len; i++)
    if (!o->variables.at[i].observed &&
        o->variables.at[i].address == where->address &&
        o->variables.at[i].size == where->size)
      return i;
  struct str name = {0}, initial = {0};
  name_location(n, l, &name);
  name_initial(n, l, &initial);
  struct variable v = {.address = where->address,
                       .size = where->size,
                       .bits = extended(where->initial, where->size)};
  v.name = strings_get(&o->strings, keep(o, &name));
  v.initial = strings_get(&o->strings, keep(o, &initial));
  array_push(&o->variables, v);
  return o->variables.len - 1;
}

static uint32_t find_observed(struct outcomes *o, unsigned thread,
                              const char *what) {
  for (uint32_t i = 0; i < o->variables.len; i++)
    if (o->variables.at[i].observed && o->variables.at[i].thread == thread &&
        strcmp(o->variables.at[i].observed, what) == 0)
      return i;
  struct str name = {0};
  struct variable v = {.thread = thread, .size = 8, .initial = "-"};
  v.observed = strings_get(&o->strings, strings_add(&o->strings, what));
  str_add(&name, "T%u:%s", thread, what);
  v.name = strings_get(&o->strings, keep(o, &name));
  array_push(&o->variables, v);
  return o->variables.len - 1;
}

// A global of the program itself: not on the heap, not the library's, no lock.
static bool is_state(const struct names *n, loc_id l) {
  const struct location *where = vm_location(n->vm, l);
  const struct event_list *co = &n->graph->locs.at[l].co;
  if (co->len < 2 || where->object != NO_OBJECT)
    return false;
  object_id object = pointer_object(where->address);
  uint32_t g = object_region(object) ? UINT32_MAX
                                     : prog_global_of_object(n->prog, object);
  if (g == UINT32_MAX || n->prog->globals.at[g].is_anonymous ||
      n->prog->globals.at[g].is_library)
    return false;
  struct str name = {0};
  name_location(n, l, &name);
  bool is_library =
      strncmp(str_text(&name), "__", 2) == 0 || strstr(str_text(&name), ".__");
  str_done(&name);
  for (uint32_t i = 1; i < co->len; i++)
    is_library |= (graph_event(n->graph, co->at[i])->flags &
                   (EVF_LOCK | EVF_UNLOCK)) != 0;
  const struct event_list *reads = &n->graph->locs.at[l].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    is_library |= (graph_event(n->graph, reads->at[i])->flags & EVF_LOCK) != 0;
  return !is_library;
}

// -- outcomes

static int by_variable(const void *a, const void *b) {
  const struct final_value *x = a, *y = b;
  return (x->variable > y->variable) - (x->variable < y->variable);
}

// What is observed last counts.
static void note_observed(struct outcomes *o, struct vm *vm,
                          const struct event *e) {
  const struct access *a = vm_access(vm, e->pre);
  uint32_t variable = find_observed(o, e->thread, vm_text(vm, a->value));
  struct str text = {0};
  str_add(&text, "%lld", (long long)a->value2);
  struct final_value v = {variable, keep(o, &text), a->value2};
  for (uint32_t i = 0; i < o->scratch.len; i++)
    if (o->scratch.at[i].variable == variable) {
      o->scratch.at[i] = v;
      return;
    }
  array_push(&o->scratch, v);
}

static void find_observations(struct outcomes *o, const struct names *n) {
  const struct graph *g = n->graph;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (e->kind == EV_OUTPUT && vm_observes(n->vm, e->pre))
        note_observed(o, n->vm, e);
    }
}

// Puts the state at the end of the execution into `scratch`.
static void find_state(struct outcomes *o, const struct names *n) {
  o->scratch.len = 0;
  find_observations(o, n);
  for (loc_id l = 0; l < n->graph->locs.len; l++) {
    if (!is_state(n, l))
      continue;
    const struct event_list *co = &n->graph->locs.at[l].co;
    const struct event *last = graph_event(n->graph, co->at[co->len - 1]);
    uint32_t variable = find_variable(o, n, l);
    struct str text = {0};
    if (last->flags & EVF_UNINIT)
      str_add(&text, "uninitialized");
    else
      name_value(n, l, last->value, &text);
    uint32_t id = keep(o, &text);
    if (strcmp(strings_get(&o->strings, id),
               o->variables.at[variable].initial) == 0)
      continue;
    uint64_t bits = extended(last->value, o->variables.at[variable].size);
    array_push(&o->scratch, (struct final_value){variable, id, bits});
  }
  if (o->scratch.len)
    qsort(o->scratch.at, o->scratch.len, sizeof *o->scratch.at, by_variable);
}

static bool is_same(const struct outcomes *o, const struct outcome *x) {
  if (x->count != o->scratch.len)
    return false;
  for (uint32_t i = 0; i < x->count; i++) {
    const struct final_value *a = &o->values.at[x->first + i];
    if (a->variable != o->scratch.at[i].variable ||
        a->text != o->scratch.at[i].text)
      return false;
  }
  return true;
}

static const struct final_value *value_of(const struct outcomes *o,
                                          uint32_t outcome, uint32_t variable) {
  const struct outcome *x = &o->at.at[outcome];
  for (uint32_t i = 0; i < x->count; i++)
    if (o->values.at[x->first + i].variable == variable)
      return &o->values.at[x->first + i];
  return NULL;
}

const char *outcome_text(const struct outcomes *o, uint32_t outcome,
                         uint32_t variable) {
  const struct final_value *v = value_of(o, outcome, variable);
  return v ? strings_get(&o->strings, v->text)
           : o->variables.at[variable].initial;
}

// The new outcome is what `scratch` has.
static uint32_t add_outcome(struct outcomes *o) {
  uint32_t i = o->at.len;
  array_push(&o->at, (struct outcome){o->values.len, o->scratch.len, 0});
  for (uint32_t k = 0; k < o->scratch.len; k++)
    array_push(&o->values, o->scratch.at[k]);
  for (uint32_t v = 0; v < o->variables.len; v++)
    o->variables.at[v].differs |=
        strcmp(outcome_text(o, i, v), outcome_text(o, 0, v)) != 0;
  return i;
}

static uint32_t hash_state(const struct final_value *values, uint32_t n) {
  uint64_t h = n;
  for (uint32_t i = 0; i < n; i++)
    h = hash_mix(hash_mix(h, values[i].variable), values[i].text);
  return (uint32_t)h;
}

static uint32_t find_outcome(const struct outcomes *o, uint32_t hash) {
  for (uint32_t at = hash, i;
       (i = table_next(&o->table, hash, &at)) != TABLE_NONE;)
    if (is_same(o, &o->at.at[i]))
      return i;
  return TABLE_NONE;
}

uint32_t outcomes_add(struct outcomes *o, struct vm *vm,
                      const struct graph *g) {
  // Names of heap objects are of no use here, so this is not names_init.
  struct names names = {.prog = o->prog, .vm = vm, .graph = g};
  find_state(o, &names);
  uint32_t hash = hash_state(o->scratch.at, o->scratch.len);
  uint32_t i = find_outcome(o, hash);
  if (i == TABLE_NONE) {
    i = add_outcome(o);
    table_add(&o->table, hash, i);
  }
  o->at.at[i].executions++;
  return i;
}

uint64_t outcome_bits(const struct outcomes *o, uint32_t outcome,
                      uint32_t variable) {
  const struct final_value *v = value_of(o, outcome, variable);
  return v ? v->bits : o->variables.at[variable].bits;
}

bool outcome_has(const struct outcomes *o, uint32_t outcome,
                 uint32_t variable) {
  return value_of(o, outcome, variable) != NULL;
}

bool outcomes_differ(const struct outcomes *o, uint32_t variable) {
  return o->variables.at[variable].differs;
}

void outcome_state(const struct outcomes *o, uint32_t outcome,
                   struct str *out) {
  uint32_t before = out->len;
  for (uint32_t v = 0; v < o->variables.len; v++)
    if (outcomes_differ(o, v) || (o->at.len == 1 && value_of(o, outcome, v)))
      str_add(out, "%s%s = %s", out->len > before ? ", " : "",
              o->variables.at[v].name, outcome_text(o, outcome, v));
  if (out->len == before)
    str_add(out, "nothing changed");
}

struct sort_key {
  uint32_t outcome;
  char *state;
};

static int by_state(const void *a, const void *b) {
  const struct sort_key *x = a, *y = b;
  return strverscmp(x->state, y->state);
}

uint32_t *outcomes_order(const struct outcomes *o) {
  struct sort_key *keys = xcalloc(o->at.len + 1, sizeof *keys);
  uint32_t *order = xcalloc(o->at.len + 1, sizeof *order);
  for (uint32_t i = 0; i < o->at.len; i++) {
    struct str state = {0};
    outcome_state(o, i, &state);
    keys[i] = (struct sort_key){i, state.at};
  }
  qsort(keys, o->at.len, sizeof *keys, by_state);
  for (uint32_t i = 0; i < o->at.len; i++) {
    order[i] = keys[i].outcome;
    free(keys[i].state);
  }
  free(keys);
  return order;
}
