// SPDX-License-Identifier: MIT
// See compare.h. The explorer's graphs are drawn as pictures; then both sets
// must be equal, and the explorer must not have met a picture twice, whatever
// the options of the search. If the program has plain accesses, it is explored
// again, for races.
#include "compare.h"

#include "cat/catalogue.h"
#include "classes.h"
#include "explore/explore.h"
#include "lower.h"
#include "pairing.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 3 }; // graphs of each kind in a report

#define OWN_TEXT "text"

static const struct pairing pairings[] = {
    {"sc", "", ORACLE_SC, {0}, false},
    {"tso", "", ORACLE_TSO, {0}, false},
    {"pso", "", ORACLE_PSO, {0}, false},
    {"ra", "", ORACLE_RA, {0}, false},
    {"rc11", "", ORACLE_RC11, {0}, false},
    {"rc11",
     " (C++11 sequences)",
     ORACLE_RC11_C11,
     {.c11_release_sequences = true},
     false},
    {"rc11",
     " (C++11's sc order)",
     ORACLE_RC11_SC11,
     {.sc_rule = SC_C11},
     false},
    {"jam21", "", ORACLE_JAM21, {0}, false},
    {"jam21",
     " (final writes)",
     ORACLE_JAM21_FINAL,
     {.final_writes = true},
     false},
    {"imm", "", ORACLE_IMM, {0}, false},
    {"armv8", "", ORACLE_ARM, {0}, false},
    {"armv8", " (ldar)", ORACLE_ARM_LDAR, {.arm_ldar = true}, false},
    {"armv8", " (llsc)", ORACLE_ARM_LLSC, {.arm_llsc = true}, false},
    {"armv8",
     " (ldar, llsc)",
     ORACLE_ARM_LDAR_LLSC,
     {.arm_ldar = true, .arm_llsc = true},
     false},
    {"armv7", "", ORACLE_ARMV7, {0}, true},
    {"power", "", ORACLE_POWER, {0}, true},
    {"riscv", "", ORACLE_RISCV, {0}, true},
    {"c11", "", ORACLE_C11, {.c11_release_sequences = true}, false},
    {"lkmm", "", ORACLE_LKMM, {0}, true},
    {"xmm", "", ORACLE_XMM, {0}, false},
    {"c11",
     " (RC11's sc order)",
     ORACLE_C11_PSC,
     {.sc_rule = SC_RC11, .c11_release_sequences = true},
     false},
    // The same from their files.
    {MODELS_DIR "/sc.cat", "", ORACLE_SC, {0}, true},
    {PROP_DIR "/per-thread.cat", "", ORACLE_PER_THREAD, {0}, true},
    {PROP_DIR "/loose.cat", "", ORACLE_LOOSE, {0}, true},
    {PROP_DIR "/hazards.cat", "", ORACLE_HAZARDS, {0}, true},
    {OWN_TEXT, "", ORACLE_TEXT, {0}, true},
    {PROP_DIR "/branchless.cat", "", ORACLE_BRANCHLESS, {0}, true},
    {MODELS_DIR "/tso.cat", "", ORACLE_TSO, {0}, true},
    {MODELS_DIR "/pso.cat", "", ORACLE_PSO, {0}, true},
    {MODELS_DIR "/ra.cat", "", ORACLE_RA, {0}, true},
    {MODELS_DIR "/rc11.cat", "", ORACLE_RC11, {0}, true},
    {MODELS_DIR "/imm.cat", "", ORACLE_IMM, {0}, true},
    {MODELS_DIR "/c11.cat", "", ORACLE_C11, {0}, true},
    {MODELS_DIR "/jam21.cat", "", ORACLE_JAM21, {0}, true},
    {MODELS_DIR "/armv8.cat", "", ORACLE_ARM, {0}, true},
};

enum { PAIRINGS = sizeof pairings / sizeof *pairings };

static struct cat_model *own_text; // compare_use_text

static const struct model *find_model(const char *name) {
  if (strcmp(name, OWN_TEXT) == 0)
    return own_text ? &own_text->model : NULL;
  static struct catalogue all;
  const struct model *m;
  struct diag why;
  if (!all.is_ready)
    catalogue_init(&all, &(struct options){0});
  all.is_literal = true; // what is proved of texts is tested here
  return catalogue_find(&all, name, &m, &why) ? m : NULL;
}

// Where values could come from themselves, Heddle forbids it.
static const char no_thin_air[] =
    "acyclic addr; po? | ctrl; ([THREAD]; po)? | data | casdep | rf as air\n";

static const char no_own_values[] = "acyclic addr | data | rf as air\n";

bool compare_use_text(const char *text, const char *for_oracle,
                      struct diag *why) {
  struct cat *cat;
  cat_model_free(own_text);
  own_text = NULL;
  if (!cat_load_text(OWN_TEXT, text, strlen(text), NULL, &cat, why) ||
      !cat_model_of(cat, &own_text, why))
    return false;
  struct str own = {0};
  str_add(&own, "%s%s", for_oracle,
          !own_text->adds_axiom           ? ""
          : own_text->model.guesses_cores ? no_own_values
                                          : no_thin_air);
  if (!axioms_use(str_text(&own), why))
    fatal_internal(why->file, (int)why->line, why->text);
  str_done(&own);
  return true;
}

const struct pairing *pairing_at(unsigned i) {
  return i < PAIRINGS ? &pairings[i] : NULL;
}

const struct model *pairing_model(const struct pairing *m) {
  return find_model(m->name);
}

static bool has_plain_accesses(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct action *a = &p->ops[t][i];
      if (action_is_access(a) && a->order == ORD_NA)
        return true;
    }
  return false;
}

// Does the way matter in which acquire loads, or RMWs, are done on ARM?
static bool has_acquire_loads(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++)
      if (p->ops[t][i].kind == DO_LOAD && p->ops[t][i].order == ORD_ACQ)
        return true;
  return false;
}

static bool has_strong_updates(const struct program *p) {
  for (unsigned t = 0; t < p->nthreads; t++)
    for (unsigned i = 0; i < p->len[t]; i++) {
      const struct action *a = &p->ops[t][i];
      if (action_reads(a) && action_may_write(a) && a->order >= ORD_ACQREL)
        return true;
    }
  return false;
}

// C++11 does not say what a plain store does to the release sequence of an
// atomic location: it has no such stores.
static bool is_comparable(const struct pairing *m, const struct compare_run *c,
                          const struct program *p) {
  const struct model_options *o = &m->options;
  return (c->models >> m->oracle & 1) && !(m->is_text && c->skips_texts) &&
         !(o->c11_release_sequences && has_plain_accesses(p)) &&
         (!o->arm_ldar || has_acquire_loads(p)) &&
         (!o->arm_llsc || has_strong_updates(p));
}

// Where explore/reduce/symmetry.c says that it is proved.
static bool has_symmetry(const struct pairing *m, bool in_parts) {
  const struct model *model = find_model(m->name);
  return !model->filters && !(model->justifier && in_parts) &&
         (!model->text || model->is_symmetric) &&
         !model->c11_release_sequences && !m->options.c11_release_sequences;
}

// -- the oracle's side

struct oracle_sets {
  struct picture_set of[ORACLE_MODELS];
  const struct classes *classes; // NULL: nobody asks for them
  bool ignores_co;               // an execution is (po, rf)
  struct picture_set without_co[ORACLE_MODELS];
  struct picture_set classes_of[ORACLE_MODELS];
};

static void drop_co(struct picture *x) {
  memset(x->co_len, 0, sizeof x->co_len);
  memset(x->co, 0, sizeof x->co);
}

static void add_to_sets(void *arg, unsigned allowed, const struct picture *x) {
  struct oracle_sets *s = arg;
  struct picture drawn = *x, class;
  if (s->ignores_co)
    drop_co(&drawn);
  if (s->classes)
    class_of(s->classes, &drawn, &class);
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    if (allowed >> m & 1) {
      picture_set_add(&s->of[m], x);
      if (s->ignores_co)
        picture_set_add(&s->without_co[m], &drawn);
      if (s->classes)
        picture_set_add(&s->classes_of[m], &class);
    }
}

// -- the explorer's side

// A way to explore: options that change no execution.
struct way {
  const char *name;
  bool in_parts;  // now and then the oldest choice is given away for later
  bool is_unseen; // nobody looks at executions: they are counted without tails
  bool all_errors, net_effect_awaits;
  uint32_t read_bound, unroll; // 0: none
  bool explore_retries;        // executions with failed rounds come on top
};

static const struct way ways[] = {
    {.name = ""},
    {.name = " in parts", .in_parts = true},
    {.name = " unseen", .is_unseen = true},
    // Those above always, one of those below.
    {.name = " --read-bound 1", .read_bound = 1},
    {.name = " --unroll 1", .unroll = 1},
    {.name = " --net-effect-awaits", .net_effect_awaits = true},
    {.name = " --explore-retries --unroll 2",
     .explore_retries = true,
     .unroll = 2},
    {.name = " --all-errors, all of it in parts",
     .in_parts = true,
     .all_errors = true,
     .net_effect_awaits = true,
     .read_bound = 2,
     .unroll = 3},
};

enum { WAYS = sizeof ways / sizeof *ways, UNSEEN = 2, ALWAYS = 3 };

struct exploration {
  const struct program *p;
  const struct prog *prog;
  struct vm *vm;
  struct picture_set found;
  struct picture_set drawn; // with symmetry and without co: what they are of,
                            // as a class may have several (symmetry.c)
  // When a report is written: show what is not in `known`.
  const struct picture_set *known;
  struct str *report;
  unsigned shown;
  const struct way *way;
  bool finds_races;
  const struct classes *classes; // with symmetry: these are found
  bool ignores_co;               // (po, rf) are found
  bool is_symmetric;             // as far as it was not refuted,
  bool is_refuted;               // and it was
  bool begins_again;             // parts turned out to be of another search
  struct assumptions learned;    // by them
  struct explorer *explorer;
  ARRAY(struct explore_task *) parts;
};

static uint8_t location_of(const struct exploration *x, uint32_t loc) {
  uint64_t address = vm_location(x->vm, loc)->address;
  for (unsigned l = 0; l < x->p->nlocs; l++)
    if (prog_global_address(x->prog, l) == address)
      return (uint8_t)l;
  fatal_internal(__FILE__, __LINE__, "an event at an unknown location");
}

static bool is_drawn(const struct event *e) {
  return e->kind == EV_READ || e->kind == EV_WRITE || e->kind == EV_FENCE ||
         (e->kind == EV_CHOICE && !(e->flags & EVF_PICK));
}

// Threads, START and END are not in pictures, so positions are counted anew.
static struct picture_name name_of(const struct graph *g, event_id e) {
  if (e == INIT_EVENT)
    return (struct picture_name){PICTURE_INIT, 0};
  const struct event *x = graph_event(g, e);
  uint8_t index = 0;
  for (uint32_t i = 0; i < x->index; i++)
    index += is_drawn(graph_event(g, graph_at(g, x->thread, i)));
  return (struct picture_name){x->thread, index};
}

static struct picture_event draw_event(const struct exploration *x,
                                       const struct graph *g,
                                       const struct event *e) {
  struct picture_event drawn = {0};
  switch (e->kind) {
  case EV_READ:
    drawn.kind = PIC_READ;
    drawn.order = (uint8_t)order_of_read((enum order)e->order);
    drawn.loc = location_of(x, e->loc);
    drawn.rf = name_of(g, e->rf);
    drawn.value = e->value;
    break;
  case EV_WRITE:
    drawn.kind = PIC_WRITE;
    drawn.order = (uint8_t)order_of_write((enum order)e->order);
    drawn.loc = location_of(x, e->loc);
    drawn.value = e->value;
    break;
  case EV_FENCE:
    drawn.kind = PIC_FENCE;
    drawn.order = e->order;
    break;
  default:
    check(e->kind == EV_CHOICE);
    drawn.kind = PIC_CHOICE;
    drawn.value = e->value;
  }
  return drawn;
}

static void draw(const struct exploration *x, const struct graph *g,
                 struct picture *pic) {
  memset(pic, 0, sizeof *pic);
  pic->nthreads = x->p->nthreads;
  pic->nlocs = x->p->nlocs;
  for (unsigned t = 0; t < x->p->nthreads && t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      if (is_drawn(e))
        picture_add(pic, t, draw_event(x, g, e));
    }
  for (uint32_t loc = 0; loc < g->locs.len; loc++) {
    const struct graph_loc *l = &g->locs.at[loc];
    if (l->co.len < 2)
      continue;
    unsigned at = location_of(x, loc);
    for (uint32_t i = 1; i < l->co.len; i++)
      pic->co[at][pic->co_len[at]++] = name_of(g, l->co.at[i]);
  }
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  (void)vm;
  struct exploration *x = arg;
  struct explore_task *part =
      x->way->in_parts && !x->begins_again ? explorer_give(x->explorer) : NULL;
  if (part)
    array_push(&x->parts, part);
  if (is_blocked)
    return;
  struct picture pic, drawn;
  draw(x, g, &drawn);
  if (x->ignores_co)
    drop_co(&drawn);
  pic = drawn;
  if (x->classes && x->is_symmetric)
    class_of(x->classes, &drawn, &pic);
  picture_set_add(&x->found, &pic);
  if (x->ignores_co && x->is_symmetric)
    picture_set_add(&x->drawn, &drawn);
  if (!x->known || x->shown == SHOWN ||
      picture_set_has(x->known, picture_hash(&pic)))
    return;
  x->shown++;
  str_add(x->report, "#   extra:\n");
  picture_print(&pic, x->report);
}

static void on_begin_again(void *arg) {
  struct exploration *x = arg;
  x->found.hashes.len = x->drawn.hashes.len = 0;
}

struct run_result {
  enum verdict verdict;
  bool has_findings;
  uint64_t executions, blocked, stands_for;
};

static void begin_explorer(struct exploration *x,
                           const struct explore_config *config) {
  struct vm_config vm_config = vm_config_default();
  x->vm = vm_new(x->prog, &vm_config);
  x->explorer = explorer_new(x->prog, x->vm, config);
}

// What it has come to, with all its parts.
static void end_explorer(struct exploration *x, struct run_result *result) {
  const struct explore_result *r = explorer_result(x->explorer);
  result->has_findings |= r->findings.len > 0;
  if (r->findings.len)
    result->verdict = VERDICT_INCOMPLETE;
  result->executions += r->executions;
  result->blocked += r->blocked;
  result->stands_for += r->stands_for;
  x->is_refuted |= r->asymmetry != NULL;
  x->begins_again |= explorer_begins_again(x->explorer);
  struct assumptions learned = explorer_learned(x->explorer);
  assume_join(&x->learned, &learned);
  assume_done(&learned);
  explorer_free(x->explorer);
  vm_free(x->vm);
}

// Each explorer takes some parts, one after the other: the later ones branch
// off the way to those before them.
static struct run_result run_parts(struct exploration *x,
                                   const struct explore_config *config) {
  enum { PARTS = 3 };
  struct run_result result = {.verdict = VERDICT_OK};
  struct explore_task *part = NULL;
  bool is_over = false;
  if (config->team && model_guesses(config->options.model)) // these come last
    array_push(&x->parts, explore_task_of_core(NULL));
  while (!is_over) {
    begin_explorer(x, config);
    for (unsigned i = 0; i < PARTS && !is_over; i++) {
      bool is_complete = explore_part(x->explorer, part);
      if (!is_complete)
        result.verdict = VERDICT_INCOMPLETE;
      explore_task_free(part);
      while ((part = explorer_give_core(x->explorer)) != NULL)
        array_push(&x->parts, part);
      part = x->parts.len ? array_pop(&x->parts) : NULL;
      is_over = !part;
      if (!is_complete)
        break;
    }
    end_explorer(x, &result);
  }
  if (!result.executions)
    result.verdict = VERDICT_INCOMPLETE;
  array_done(&x->parts);
  return result;
}

// All of it, as --jobs does it (parallel.c): with what was learned, until
// nothing is new.
static struct run_result run_team(struct exploration *x,
                                  struct explore_config config) {
  struct run_result result;
  struct assumptions known = {0};
  config.assumed = &known;
  do {
    x->begins_again = false;
    on_begin_again(x);
    if (x->way->in_parts)
      config.team = explore_team_new(&(thread_list){0}, 0);
    result = run_parts(x, &config);
    explore_team_free(config.team);
    assume_join(&known, &x->learned);
  } while (x->begins_again);
  assume_done(&known);
  assume_done(&x->learned);
  x->learned = (struct assumptions){0};
  return result;
}

static uint32_t reductions_of(const struct exploration *x) {
  uint32_t set = REDUCE_DEFAULT;
  if (x->way->explore_retries)
    set &= ~(uint32_t)REDUCE_ROUNDS;
  return set | (x->classes ? REDUCE_SYMMETRY : 0u) |
         (x->ignores_co ? REDUCE_RF : 0u) |
         (x->way->net_effect_awaits ? REDUCE_NET_ROUNDS : 0u);
}

static struct run_result run_explorer(const struct pairing *m,
                                      struct exploration *x) {
  struct loop_bound unroll = {.rounds = x->way->unroll};
  struct explore_config config = {.options.model = find_model(m->name),
                                  .options.model_options = m->options,
                                  .options.reductions = reductions_of(x),
                                  .options.all_errors = x->way->all_errors,
                                  .options.read_bound = x->way->read_bound,
                                  .options.unroll = &unroll,
                                  .options.unrolls = unroll.rounds > 0,
                                  .observer.on_execution =
                                      x->way->is_unseen ? NULL : on_execution,
                                  .observer.on_begin_again = on_begin_again,
                                  .observer.arg = x};
  memset(config.options.disabled, true, sizeof config.options.disabled);
  config.options.disabled[FIND_RACE] = !x->finds_races;
  x->is_symmetric = x->classes && has_symmetry(m, x->way->in_parts);
  struct run_result result = run_team(x, config);
  if (x->is_refuted) { // all of it again
    x->is_symmetric = false;
    config.options.reductions &= ~(uint32_t)REDUCE_SYMMETRY;
    result = run_team(x, config);
  }
  return result;
}

// -- both

struct missing {
  const struct classes *classes; // NULL: executions are compared,
  bool ignores_co;               // or these without co
  enum oracle_model model;
  const struct picture_set *found;
  struct str *report;
  unsigned shown;
};

static void show_missing(void *arg, unsigned allowed, const struct picture *x) {
  struct missing *m = arg;
  struct picture drawn = *x, class;
  if (m->ignores_co)
    drop_co(&drawn);
  class = drawn;
  if (m->classes)
    class_of(m->classes, &drawn, &class);
  if (!(allowed >> m->model & 1) || m->shown == SHOWN ||
      picture_set_has(m->found, picture_hash(&class)))
    return;
  m->shown++;
  str_add(m->report, "#   missing:\n");
  picture_print(x, m->report);
}

static void exploration_done(struct exploration *x) {
  picture_set_done(&x->found);
  picture_set_done(&x->drawn);
}

static bool run_reference(const struct compare_run *c, const struct program *p,
                          const struct oracle_query *q) {
  return c->reference ? c->reference(p, q) : oracle_run(p, q);
}

static void report(const struct program *p, const struct pairing *m,
                   const struct exploration *first,
                   const struct picture_set *expected, uint32_t twice,
                   struct compare_run *c) {
  struct str *out = &c->report;
  str_add(out,
          "#   %s%s%s: %u executions, the oracle has %u; %u visited twice\n",
          m->name, m->variant, first->way->name, first->found.hashes.len,
          expected->hashes.len, twice);
  struct exploration again = {.p = p,
                              .prog = first->prog,
                              .way = first->way,
                              .classes = first->classes,
                              .ignores_co = first->ignores_co,
                              .known = expected,
                              .report = out};
  run_explorer(m, &again);
  exploration_done(&again);
  struct missing missing = {.classes =
                                first->is_symmetric ? first->classes : NULL,
                            .ignores_co = first->ignores_co,
                            .model = m->oracle,
                            .found = &first->found,
                            .report = out};
  struct oracle_query q = {
      .models = 1u << m->oracle, .found = show_missing, .arg = &missing};
  check(run_reference(c, p, &q));
}

static bool agree_on(const struct program *p, const struct prog *prog,
                     const struct way *way, const struct pairing *m,
                     const struct oracle_sets *sets, struct compare_run *c) {
  struct exploration x = {.p = p,
                          .prog = prog,
                          .way = way,
                          .classes = sets->classes,
                          .ignores_co = sets->ignores_co};
  struct run_result r = run_explorer(m, &x);
  bool by_class = x.is_symmetric || x.ignores_co;
  bool has_several = x.is_symmetric && x.ignores_co;
  const struct picture_set *all =
      x.ignores_co ? &sets->without_co[m->oracle] : &sets->of[m->oracle];
  const struct picture_set *expected =
      x.is_symmetric ? &sets->classes_of[m->oracle] : all;
  uint64_t visited = way->is_unseen ? expected->hashes.len : x.found.hashes.len;
  if (has_several && way->is_unseen)
    visited = r.executions;
  uint32_t twice = picture_set_sort(&x.found);
  if (has_several)
    twice = picture_set_sort(&x.drawn);
  bool same = way->is_unseen ||
              (!twice &&
               (way->explore_retries ? picture_set_contains(&x.found, expected)
                                     : picture_set_equal(&x.found, expected)));
  if (!same)
    report(p, m, &x, expected, twice, c);
  // Without an execution the answer is vacuous.
  if (r.verdict != (visited ? VERDICT_OK : VERDICT_INCOMPLETE) ||
      r.executions != visited ||
      (!way->explore_retries && r.stands_for != all->hashes.len)) {
    str_add(&c->report,
            "#   %s%s%s: verdict %d, %llu executions counted, not %llu, that "
            "stand for %llu\n",
            m->name, m->variant, way->name, r.verdict,
            (unsigned long long)r.executions, (unsigned long long)visited,
            (unsigned long long)r.stands_for);
    same = false;
  }
  c->blocked += way == ways ? r.blocked : 0;
  c->classes += by_class ? visited : 0;
  c->members += by_class ? sets->of[m->oracle].hashes.len : 0;
  c->refuted += x.is_refuted;
  exploration_done(&x);
  return same;
}

// Most options concern loops: without those they are all tried at once, on one
// of some programs.
static bool is_tried(const struct compare_run *c, bool spins, unsigned way) {
  unsigned one = ALWAYS + (unsigned)(c->option % (WAYS - ALWAYS));
  if (c->is_brief)
    return way == 0;
  return way < ALWAYS || c->option == ALL_OPTIONS ||
         (c->option && way == one && (spins || way == WAYS - 1));
}

static bool agree(const struct program *p, const struct prog *prog, bool spins,
                  const struct pairing *m, const struct oracle_sets *sets,
                  struct compare_run *c) {
  for (unsigned i = 0; i < WAYS; i++)
    if (is_tried(c, spins, i) && !agree_on(p, prog, &ways[i], m, sets, c))
      return false;
  return true;
}

// As above where main joins all threads, so that their ends, and most last
// events before these, are counted without being added.
static bool agree_on_tails(const struct program *p, const struct prog *joining,
                           const struct pairing *m,
                           const struct oracle_sets *sets,
                           struct compare_run *c) {
  return !joining || agree_on(p, joining, &ways[UNSEEN], m, sets, c);
}

// The oracle knows complete executions only: in one that is blocked, there may
// be a race that is nowhere else.
static bool agree_on_race(const struct program *p, const struct prog *prog,
                          const struct pairing *m,
                          const struct oracle_sets *sets, bool is_racy,
                          struct compare_run *c) {
  struct exploration x = {.p = p,
                          .prog = prog,
                          .way = &ways[c->option % 2 ? UNSEEN : 0],
                          .finds_races = true,
                          .classes = sets->classes,
                          .ignores_co = sets->ignores_co};
  struct run_result r = run_explorer(m, &x);
  exploration_done(&x);
  if (r.has_findings == is_racy || (r.has_findings && c->blocked))
    return true;
  str_add(&c->report, "#   %s%s: %s, the oracle has %s\n", m->name, m->variant,
          r.has_findings ? "a race" : "no race", is_racy ? "one" : "none");
  return false;
}

unsigned comparable_models(const char *name) {
  unsigned found = 0;
  for (unsigned i = 0; i < PAIRINGS; i++) {
    const struct pairing *m = &pairings[i];
    // Some are for smaller programs: test_xmm.c and test_incoherent.c have
    // them.
    unsigned others = ORACLE_INCOHERENT | 1u << ORACLE_XMM;
    bool is_wanted =
        name ? strcmp(m->name, name) == 0 : !(others >> m->oracle & 1);
    if (is_wanted && find_model(m->name))
      found |= 1u << m->oracle;
  }
  return found;
}

unsigned coarse_models(void) {
  unsigned most = 1u << ORACLE_SC | 1u << ORACLE_TSO | 1u << ORACLE_PSO |
                  1u << ORACLE_RA | 1u << ORACLE_RC11;
  return most & comparable_models(getenv("HEDDLE_MODEL"));
}

enum agreement compare(const struct program *p, struct compare_run *c) {
  struct classes classes = classes_of(p);
  struct oracle_sets sets = {.classes = c->symmetric ? &classes : NULL,
                             .ignores_co = c->ignores_co};
  unsigned racy = 0;
  bool may_race = has_plain_accesses(p);
  struct oracle_query q = {.max_work = c->max_work,
                           .found = add_to_sets,
                           .arg = &sets,
                           .racy = may_race ? &racy : NULL};
  for (unsigned i = 0; i < PAIRINGS; i++)
    if (is_comparable(&pairings[i], c, p))
      q.models |= 1u << pairings[i].oracle;
  enum agreement result = run_reference(c, p, &q) ? AGREE : TOO_LARGE;
  if (result == AGREE) {
    struct prog *prog = lower_program(p, /*spins=*/false);
    struct prog *spinning = lower_can_spin(p) && !c->is_brief
                                ? lower_program(p, /*spins=*/true)
                                : NULL;
    struct prog *joining = c->is_brief ? NULL : lower_joining(p);
    for (unsigned i = 0; i < PAIRINGS; i++) {
      const struct pairing *m = &pairings[i];
      if (!is_comparable(m, c, p))
        continue;
      struct picture_set *expected = &sets.of[m->oracle];
      c->pairings |= UINT64_C(1) << i;
      check(picture_set_sort(expected) == 0);
      c->executions[m->oracle] = expected->hashes.len;
      picture_set_sort(&sets.without_co[m->oracle]);
      picture_set_sort(&sets.classes_of[m->oracle]);
      if (!agree(p, prog, false, m, &sets, c) ||
          (spinning && !agree(p, spinning, true, m, &sets, c)) ||
          !agree_on_tails(p, joining, m, &sets, c) ||
          (may_race &&
           !agree_on_race(p, c->option % 2 && joining ? joining : prog, m,
                          &sets, racy >> m->oracle & 1, c)))
        result = DISAGREE;
      c->racy += racy >> m->oracle & 1;
    }
    prog_free(prog);
    if (spinning)
      prog_free(spinning);
    if (joining)
      prog_free(joining);
  }
  for (unsigned m = 0; m < ORACLE_MODELS; m++) {
    picture_set_done(&sets.of[m]);
    picture_set_done(&sets.without_co[m]);
    picture_set_done(&sets.classes_of[m]);
  }
  return result;
}

bool compare_agrees(const struct program *p, struct compare_run *c) {
  enum agreement result = compare(p, c);
  if (result == DISAGREE) {
    struct str text = {0};
    program_print(p, &text);
    printf("# %s\n%s", str_text(&text), str_text(&c->report));
    str_done(&text);
  }
  str_done(&c->report);
  return result != DISAGREE;
}
