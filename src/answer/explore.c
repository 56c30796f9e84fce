// SPDX-License-Identifier: MIT
// One litmus test from its program to its answer: explore everything, keep each
// distinct final state once, and count how often the condition holds.
#include "answer/answer.h"
#include "base/hash.h"
#include "base/table.h"
#include "bytecode/analysis/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct gathering {
  const struct litmus *t;
  struct answer *o;
  uint64_t *state;    // of the execution at hand, by var
  struct table table; // of the distinct states
  const struct answer_config *config;
  uint64_t left_to_keep; // of witnesses
  struct finding error;
  bool has_error;
};

// -- states

// Is a part of the cell at the address written by itself, or in pieces?
static bool has_parts(struct vm *vm, const struct graph *g, uint64_t address) {
  for (loc_id i = 0; i < g->locs.len; i++) {
    const struct location *o = vm_location(vm, i);
    uint64_t at = o->address - address;
    if (at < 8 && (o->cuts || (at && g->locs.at[i].co.len > 1)))
      return true;
  }
  return false;
}

// What is written is a whole cell, unless a type says that there is less, or
// parts are written. 0: it is that cell.
static uint64_t bytes_of(const struct litmus *t, struct vm *vm,
                         const struct graph *g, const struct litmus_var *v,
                         uint64_t address) {
  return arch_has_sizes(t->arch) && v->type.size  ? v->type.size
         : t->is_big || has_parts(vm, g, address) ? sizeof(uint64_t)
                                                  : 0;
}

static uint64_t memory_value(const struct litmus *t, struct vm *vm,
                             const struct graph *g,
                             const struct litmus_var *v) {
  const struct litmus_location *l = &t->locations.at[v->location];
  uint64_t offset = (uint64_t)v->element * l->element;
  uint64_t address = prog_global_address(t->prog, l->global) + offset;
  uint64_t value = 0, size = bytes_of(t, vm, g, v, address);
  memcpy(&value, t->prog->globals.at[l->global].bytes + offset, l->element);
  for (loc_id i = 0; i < g->locs.len; i++) {
    const struct event_list *co = &g->locs.at[i].co;
    const struct location *o = vm_location(vm, i);
    if (co->len < 2)
      continue;
    uint64_t last = g->events[co->at[co->len - 1]].value;
    if (!size && o->address == address) // the rest of a word is as it began
      return o->size < 4 ? last | (value & (UINT32_MAX << 8 * o->size)) : last;
    // The bytes that both have: a write may begin before what is asked for.
    for (uint64_t k = 0; k < size; k++)
      if (address + k - o->address < o->size)
        memcpy((unsigned char *)&value + k,
               (unsigned char *)&last + (address + k - o->address), 1);
  }
  value >>= 8 * litmus_turned(t, v->type.size);
  bool is_word = size && !arch_has_sizes(t->arch) && !v->type.size;
  return is_word ? (uint64_t)(int32_t)(uint32_t)value
                 : litmus_cut(value, v->type);
}

// Registers of a thread, from the pairs that are its result (litmus/build.c).
static void unpack_registers(const struct litmus *t, struct vm *vm,
                             const struct graph *g, unsigned thread,
                             uint64_t *state) {
  const struct event *end = &g->events[graph_tail(g, thread + 1)];
  uint64_t pairs = end->value;
  for (uint32_t i = t->vars.len; i-- > 0;) {
    const struct litmus_var *v = &t->vars.at[i];
    if (v->is_register && v->thread == thread)
      vm_wide_get(vm, pairs, &pairs, &state[i]);
  }
}

void answer_state(const struct litmus *t, struct vm *vm, const struct graph *g,
                  uint64_t *state) {
  for (unsigned i = 0; i < t->threads.len; i++)
    unpack_registers(t, vm, g, i, state);
  for (uint32_t i = 0; i < t->vars.len; i++)
    if (!t->vars.at[i].is_register)
      state[i] = memory_value(t, vm, g, &t->vars.at[i]);
}

bool answer_is_final(const struct litmus *t, const struct graph *g) {
  for (unsigned i = 0; i < t->threads.len; i++)
    if (g->events[graph_tail(g, i + 1)].kind != EV_END)
      return false;
  return true;
}

bool answer_is_asked_for(const struct litmus *t, const uint64_t *state) {
  return litmus_holds(t, t->filter, state) &&
         litmus_holds(t, t->condition, state) == (t->ask != ASK_FORALL);
}

// Adds the state unless it is there.
// Is the state known? If not, its number is that of the next.
static bool has_state(struct gathering *a, const uint64_t *row) {
  const struct answer *o = a->o;
  size_t size = o->width * sizeof *row;
  uint32_t hash = (uint32_t)hash_bytes(row, size);
  for (uint32_t at = hash, i;
       (i = table_next(&a->table, hash, &at)) != TABLE_NONE;)
    if (memcmp(o->values.at + (size_t)i * o->width, row, size) == 0)
      return true;
  table_add(&a->table, hash, answer_states(o));
  return false;
}

static void note_state(struct gathering *a) {
  struct answer *o = a->o;
  uint64_t shown[64], *row = shown;
  uint32_t n = 0;
  if (o->width > 64)
    row = xcalloc(o->width, sizeof *row);
  for (; n < o->width; n++)
    row[n] = a->state[a->t->shown.at[n]];
  if (n && !has_state(a, row))
    memcpy(array_extend(&o->values, n), row, n * sizeof *row);
  if (row != shown)
    free(row);
}

static void keep_witness(struct gathering *a, struct vm *vm,
                         const struct graph *g) {
  struct view *v = view_new(a->t->prog, vm, g, NULL);
  view_add_memory(v, a->t->prog, vm, g);
  view_add_relations(v, g, a->o->model, a->config->relations,
                     a->config->nrelations);
  array_push(&a->o->witnesses, v);
  a->left_to_keep--;
}

// Is the thread in a loop that has nothing but barriers in it? No thread can
// end that. (The search takes it for a wait: its rounds change nothing.)
static bool loops_over_barriers(struct vm *vm, const struct graph *g,
                                thread_id t) {
  uint32_t i = graph_thread_length(g, t);
  const struct event *last = &g->events[graph_tail(g, t)];
  if (!i || last->kind != EV_FENCE)
    return false;
  state_id now = vm_step(vm, last->pre, 0);
  while (i-- > 0) {
    const struct event *e = &g->events[graph_at(g, t, i)];
    if (e->kind != EV_FENCE)
      return false;
    if (e->pre == now)
      return true;
  }
  return false;
}

static void look_for_endless_loops(struct gathering *a, struct vm *vm,
                                   const struct graph *g) {
  for (thread_id t = 1; !a->has_error && t <= a->t->threads.len; t++) {
    if (!loops_over_barriers(vm, g, t))
      continue;
    a->has_error = true;
    a->error =
        (struct finding){.kind = FIND_ENDLESS_LOOP,
                         .message = "a loop that only has barriers in "
                                    "it comes back to the state it was "
                                    "in",
                         .thread = t,
                         .site = vm_site(vm, g->events[graph_tail(g, t)].pre),
                         .other_site = NO_SITE};
  }
}

static void note_flag(struct answer *o, const char *name) {
  for (uint32_t i = 0; i < o->flags.len; i++)
    if (strcmp(o->flags.at[i], name) == 0)
      return;
  array_push(&o->flags, name);
}

static bool is_lock(const struct graph *g, const struct graph_loc *l) {
  uint32_t flags = 0;
  for (uint32_t i = 0; i < l->reads.len; i++)
    flags |= g->events[l->reads.at[i]].flags & (EVF_LOCK | EVF_SPIN);
  for (uint32_t i = 1; i < l->co.len; i++)
    flags |= g->events[l->co.at[i]].flags & EVF_UNLOCK;
  return flags;
}

// Is the test about what is in a lock at the end? The kernel's definition flags
// that, whatever its text says of executions.
static void look_for_locks(struct gathering *a, struct vm *vm,
                           const struct graph *g) {
  for (uint32_t i = 0; i < a->t->vars.len; i++) {
    const struct litmus_var *v = &a->t->vars.at[i];
    const struct litmus_location *l = &a->t->locations.at[v->location];
    if (v->is_register)
      continue;
    uint64_t address = prog_global_address(a->t->prog, l->global) +
                       (uint64_t)v->element * l->element;
    for (loc_id k = 0; k < g->locs.len; k++)
      if (vm_location(vm, k)->address == address && is_lock(g, &g->locs.at[k]))
        note_flag(a->o, "lock-final");
  }
}

static void refuse_byte(struct gathering *a, const struct litmus_location *l) {
  a->has_error = true;
  a->error = (struct finding){
      .kind = FIND_UNSUPPORTED, .site = NO_SITE, .other_site = NO_SITE};
  snprintf(a->error.message, sizeof a->error.message,
           "a byte or half behind the word of %s",
           strings_get(&a->t->strings, l->name));
}

// A cell has eight bytes, so that a word holds an address. Nobody may see those
// that the word does not have: is there a piece of its own behind the fourth?
static void look_behind_words(struct gathering *a, struct vm *vm,
                              const struct graph *g) {
  for (uint32_t i = 0; i < a->t->locations.len; i++) {
    const struct litmus_location *l = &a->t->locations.at[i];
    uint64_t address = prog_global_address(a->t->prog, l->global);
    for (loc_id k = 0; k < g->locs.len && !l->count && l->number.size != 8;
         k++) {
      const struct location *o = vm_location(vm, k);
      uint64_t at = o->address - address, end = at + o->size;
      if (at < 8 && (at > 4 || (end > 4 && end < 8)))
        refuse_byte(a, l);
    }
  }
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct gathering *a = arg;
  bool has_cells = !arch_has_sizes(a->t->arch) && !arch_is_language(a->t->arch);
  if (has_cells && !a->t->has_words)
    look_behind_words(a, vm, g);
  if (is_blocked || !answer_is_final(a->t, g)) {
    look_for_endless_loops(a, vm, g);
    return;
  }
  answer_state(a->t, vm, g, a->state);
  if (!litmus_holds(a->t, a->t->filter, a->state))
    return;
  if (a->t->is_kernel && a->o->model->raises)
    look_for_locks(a, vm, g);
  bool is_positive = litmus_holds(a->t, a->t->condition, a->state);
  a->o->positive += is_positive;
  a->o->negative += !is_positive;
  if (a->config->wants_names)
    a->o->names += graph_name(g);
  if (a->left_to_keep && is_positive == (a->t->ask != ASK_FORALL))
    keep_witness(a, vm, g);
  note_state(a);
}

// Have all threads of a complete graph ended?
static bool has_ended(const struct graph *g) {
  for (unsigned t = 1; t < g->nthreads; t++)
    if (!graph_thread_length(g, t) ||
        graph_event(g, graph_tail(g, t))->kind != EV_END)
      return false;
  return true;
}

// Is the execution, in which a flag was raised, one that counts?
static bool is_counted(struct gathering *a, struct vm *vm,
                       const struct graph *g) {
  if (!has_ended(g))
    return false;
  answer_state(a->t, vm, g, a->state);
  return litmus_holds(a->t, a->t->filter, a->state);
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct gathering *a = arg;
  if (f->flag) {
    if (is_counted(a, vm, g))
      note_flag(a->o, f->flag);
  } else if (f->kind == FIND_RACE && a->t->arch != ARCH_JAVA) {
    a->o->is_racy = true;
  } else if (!a->has_error) {
    a->has_error = true;
    a->error = *f;
  }
}

static void begin_gathering(struct gathering *a,
                            const struct answer_config *c) {
  a->left_to_keep = c->why && !c->witnesses ? 1 : c->witnesses;
  a->config = c;
  a->has_error = false;
}

// Nothing counts so far.
static void on_begin_again(void *arg) {
  struct gathering *a = arg;
  struct answer *o = a->o;
  for (uint32_t i = 0; i < o->witnesses.len; i++)
    view_free(o->witnesses.at[i]);
  o->witnesses.len = o->values.len = o->flags.len = 0;
  o->positive = o->negative = o->names = 0;
  o->is_racy = false;
  table_clear(&a->table);
  begin_gathering(a, a->config);
}

// -- sorting

static int compare_values(uint64_t a, uint64_t b) {
  return (int64_t)a < (int64_t)b ? -1 : (int64_t)a > (int64_t)b;
}

static int compare_states(const void *a, const void *b, void *width) {
  const uint64_t *x = a, *y = b;
  for (uint32_t i = 0; i < *(const uint32_t *)width; i++)
    if (x[i] != y[i])
      return compare_values(x[i], y[i]);
  return 0;
}

// -- exploring

// What would be an error in a program: only races mean something in a test, and
// only to models of C and to those that have a flag for them. What makes a test
// meaningless still is one.
static void choose_checks(const struct litmus *t, struct explore_config *e) {
  static const enum finding_kind meaningless[] = {
      FIND_NULL_ACCESS,  FIND_WILD_ACCESS,     FIND_OUT_OF_BOUNDS,
      FIND_MISALIGNED,   FIND_UNSUPPORTED,     FIND_DIV_BY_ZERO,
      FIND_DIV_OVERFLOW, FIND_SHIFT,           FIND_ENDLESS_LOOP,
      FIND_BAD_ARGUMENT, FIND_UNLOCK_NOT_HELD, FIND_READ_ONLY,
  };
  memset(e->options.disabled, true, sizeof e->options.disabled);
  for (unsigned i = 0; i < LENGTH(meaningless); i++)
    e->options.disabled[meaningless[i]] = false;
  bool has_flags = e->options.model->raises;
  e->options.disabled[FIND_RACE] =
      !(arch_is_language(t->arch) && !t->is_kernel &&
        e->options.model->is_language) &&
      !(t->arch == ARCH_C && has_flags) && !e->options.model->has_races;
  e->options.disabled[FIND_FLAG] = !has_flags;
  e->options.disabled[FIND_MIXED_ACCESSES] = !(t->arch == ARCH_C && has_flags);
  e->options.warning[FIND_RACE] = e->options.warning[FIND_FLAG] = true;
  e->options.warning[FIND_MIXED_ACCESSES] = true;
}

static bool has_store_conditional(const struct litmus *t) {
  for (uint32_t i = 0; i < t->prog->code.len; i++)
    if (t->prog->code.at[i].op == OP_store &&
        imm_access_of(t->prog->code.at[i].imm).how & HOW_LINKED)
      return true;
  return false;
}

static bool fits(const struct litmus *t, const struct model *m,
                 struct diag *why) {
  if (!(m->declared & MODEL_NO_EXCLUSIVES) || !has_store_conditional(t))
    return true;
  diag_set(why, t->file, 0,
           "the model '%s' has no load-linked and store-conditional", m->name);
  diag_hint(why, "without --model, a test gets the model of its architecture");
  return false;
}

static bool explain_error(const struct gathering *a, struct diag *why) {
  const struct finding *f = &a->error;
  const struct prog *p = a->t->prog;
  unsigned line = f->site == NO_SITE ? 0 : p->source.at[f->site].line;
  if (f->kind == FIND_UNSUPPORTED && f->other_site != NO_SITE)
    return diag_set(why, a->t->file, line,
                    "mixed-size tests are not supported: P%u accesses bytes "
                    "that P%u accesses with another size in line %u",
                    f->thread - 1, f->other_thread - 1,
                    p->source.at[f->other_site].line);
  if (f->kind == FIND_RACE) // in Java it has a meaning, which is not ours
    return diag_set(
        why, a->t->file, line,
        "plain accesses of Java that race are not supported: P%u "
        "and P%u, in line %u",
        f->thread - 1, f->other_thread - 1,
        f->other_site == NO_SITE ? 0 : p->source.at[f->other_site].line);
  if (f->kind == FIND_MISALIGNED)
    return diag_set(why, a->t->file, line,
                    "misaligned accesses are not supported: P%u has an %s",
                    f->thread - 1, f->message);
  if (f->kind == FIND_UNSUPPORTED)
    return diag_set(why, a->t->file, line, "not supported: %.*s",
                    (int)strcspn(f->message, "\n"), f->message);
  return diag_set(why, a->t->file, line, "P%u does what has no meaning: %s",
                  f->thread - 1, f->message);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

// The search leaves some load buffering out (promise/pieces.c). Tests are small
// enough to make every candidate.
static bool wants_candidates(const struct answer_search *s,
                             const struct explore_result *r) {
  return (r->leaves_buffering || s->config->enumerates) && !r->limit &&
         !explore_is_cut(r) && !r->findings.len && s->on_begin_again;
}

// The line of the first loop, 0 if there is none.
static unsigned loop_line(const struct prog *p) {
  for (uint32_t pc = 0; pc < p->code.len; pc++) {
    struct loop_range loop = loop_around(p, pc);
    if (loop.first <= loop.last)
      return p->source.at[pc].line;
  }
  return 0;
}

// Whatever ran out: if a loop may go on for ever, there will never be enough.
static bool give_up(const struct answer_search *s, const char *limit,
                    struct diag *why) {
  bool is_stopped = s->stop && atomic_load(s->stop);
  unsigned line =
      s->config->unrolls || is_stopped ? 0 : loop_line(s->test->prog);
  if (!line)
    return diag_set(why, s->test->file, 0, "not finished: %s", limit);
  return diag_set(why, s->test->file, 0,
                  "not finished: %s (the loop in line %u has no bound: "
                  "--unroll N ends it after N rounds)",
                  limit, line);
}

static bool finish(const struct answer_search *s, struct explorer *x,
                   const struct explore_result *r, struct answer_loops *ret,
                   struct diag *why) {
  *ret = (struct answer_loops){.is_retried = (r->retries || r->awaits) &&
                                             has_store_conditional(s->test)};
  if (wants_candidates(s, r)) {
    s->on_begin_again(s->arg);
    return explore_candidates(x) ||
           give_up(s,
                   "too many candidates, or loops, where accesses have "
                   "different size or a select decides on what a store depends",
                   why);
  }
  // Executions with more rounds of a loop do not count; others would.
  ret->is_cut = strcmp(r->cut, "--unroll") == 0;
  const char *limit = ret->is_cut && !r->limit ? NULL : explore_limit(r);
  bool is_vacuous = limit && strcmp(limit, "vacuous") == 0;
  if (!limit || is_vacuous)
    return true;
  return r->limit ? give_up(s, limit, why)
                  : diag_set(why, s->test->file, 0, "not finished: %s", limit);
}

bool answer_explore(const struct answer_search *s, struct answer_loops *ret,
                    struct diag *why) {
  const struct answer_config *c = s->config;
  struct explore_config e = {
      .options.model = s->model,
      .options.model_options = model_own_options(s->model),
      .options.all_errors = !s->on_finding,
      .options.repeats = s->test->props.at[s->test->filter].op != PROP_TRUE,
      .options.reductions = c->reductions,
      .options.unroll = c->unroll,
      .options.unrolls = c->unrolls,
      .limits.max_executions = c->max_executions,
      .limits.max_time = c->max_time,
      .limits.max_wall = c->max_wall,
      .limits.max_events = c->max_events,
      .limits.max_memory = c->max_memory,
      .observer.on_execution = s->on_execution,
      .observer.on_finding = s->on_finding,
      .observer.on_begin_again = s->on_begin_again,
      .limits.interrupted = s->stop,
      .observer.arg = s->arg,
  };
  choose_checks(s->test, &e);
  struct vm_config v = vm_config_default();
  memcpy(v.disabled, e.options.disabled, sizeof v.disabled);
  memcpy(v.warned, e.options.warning, sizeof v.warned);
  struct vm *vm = vm_new(s->test->prog, &v);
  struct explorer *x = explorer_new(s->test->prog, vm, &e);
  const struct explore_result *r = explore(x);
  bool ok = finish(s, x, r, ret, why);
  explorer_free(x);
  vm_free(vm);
  return ok;
}

static bool explore_test(struct gathering *a, const struct answer_config *c,
                         struct diag *why) {
  struct answer_search s = {.test = a->t,
                            .model = a->o->model,
                            .config = c,
                            .on_execution = on_execution,
                            .on_finding = on_finding,
                            .on_begin_again = on_begin_again,
                            .stop = c->interrupted,
                            .arg = a};
  struct answer_loops loops;
  bool ok = answer_explore(&s, &loops, why);
  a->o->is_cut = loops.is_cut;
  a->o->is_retried = loops.is_retried;
  a->o->is_unfinished = !ok && !a->has_error;
  return a->has_error ? explain_error(a, why) : ok;
}

bool answer_of(const struct litmus *t, const struct answer_config *c,
               struct answer *ret, struct diag *why) {
  *ret = (struct answer){
      .test = t, .model = c->model, .model_by = c->model_by, .style = c->style};
  if (prog_has_op(t->prog, OP_pick))
    ret->model = model_for_picks(c->model);
  ret->width = t->shown.len;
  if (!fits(t, c->model, why))
    return false;
  double start = seconds_now();
  struct gathering a = {.t = t, .o = ret};
  begin_gathering(&a, c);
  a.state = xcalloc(t->vars.len + 1, sizeof *a.state);
  bool ok = explore_test(&a, c, why);
  ok = ok && (!c->why || ret->witnesses.len || answer_explain(ret, c, why));
  free(a.state);
  table_done(&a.table);
  if (ret->values.len)
    qsort_r(ret->values.at, answer_states(ret),
            ret->width * sizeof *ret->values.at, compare_states, &ret->width);
  ret->seconds = seconds_now() - start;
  if (!ok)
    answer_done(ret);
  return ok;
}

void answer_done(struct answer *o) {
  array_done(&o->values);
  for (uint32_t i = 0; i < o->witnesses.len; i++)
    view_free(o->witnesses.at[i]);
  array_done(&o->witnesses);
  answer_refused_done(&o->refused);
  array_done(&o->flags);
}
