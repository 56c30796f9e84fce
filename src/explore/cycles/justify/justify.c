// SPDX-License-Identifier: MIT
// Models in which a graph with cycles of po ∪ rf is an execution only if
// another execution justifies it (model/justify.h). The *core* of a graph is
// what comes before its cycles by po ∪ rf; a graph is an execution iff its core
// is one, and the search above a core is the ordinary one with the core left
// alone (promise.c has more about that). So all that is to be found is the set
// of the cores, and nothing is met twice.
//
// What justifies a core has an edge of rf on each of its cycles, with the same
// labels: some thread reads a value there that another one writes. These pairs
// of labels are the *guesses*. So, until nothing is new:
//   1. every core that is known is explored, the empty one first. Of each
//      execution the guesses are kept that it may give (find_guesses), and the
//      candidates are tried that are not justified so far (try_candidates);
//   2. with the guesses, the program is explored again (guess.c), which yields
//      all graphs in which each cycle has an edge that was guessed. Their cores
//      are the candidates.
// What justifies something is an execution itself, by induction; and each core
// that is justified is found: its guesses are those of the execution that
// justifies it, so it is a candidate, and is tried with that execution.
//
// Where what threads could do alone says which guesses there could be at all,
// and they are few, 2. comes first (foresee), and all candidates are known from
// the beginning. Then executions are there only to be tried, as long as there
// are candidates. If there are none, nothing is justified, and graphs may go on
// to stand for others (part.c). If there turns out to be too much to explore,
// or memory has to be looked at in another way, all of this begins anew without
// foresight.
//
// In other models (model.h: guesses_cores) nothing has to justify a core: all
// values that could be written are guesses (thin.c), 2. yields all candidates,
// and the definition of the model says which of them are cores.
//
// A scout does all this (scout.c), for groups of threads (groups.c).
#include "explore/cycles/justify/candidates.h"
#include "explore/cycles/justify/groups.h"
#include "explore/cycles/justify/guesses.h"
#include "explore/cycles/justify/orders.h"
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"

#include "model/justify.h"

#include <stdlib.h>

// So many events may be added with guesses that were foreseen, and so many for
// each of the program itself.
enum { MOST_FORESEEN = 60000, TIMES_FORESEEN = 2 };
// The same of guesses that were learned, unless the time is limited: then that
// is the limit. What may come of a graph is asked half as often, at most.
enum { MOST_LEARNED = 10000000, TIMES_LEARNED = 100, EVENTS_PER_QUESTION = 2 };
// The same where rounds of loops are asked for, each of the two times, and of
// one exploration with guesses; and what it costs to ask an execution: the
// square of its length, as so many events.
enum { MOST_KEPT = 1000000, MOST_KEPT_GUIDED = MOST_KEPT / 4, PER_EVENT = 64 };
// So often a guess may be in one graph if there may be any number of it.
enum { MOST_IN_ROUNDS = 4 };

struct open {
  uint32_t candidate;
  uint64_t needs;       // marks of who justifies it
  bool may_need_rounds; // an execution may, with rounds that were left out
};

// A core that is one.
struct known {
  struct core *core;
  bool is_explored;
  uint32_t tried; // candidates that were there when it was explored last
};

struct justify {
  struct explorer *x, *scout; // the scout is for x
  uint64_t threads;           // that are looked at
  bool is_foreseen;           // there are no other guesses
  const struct justifier *by; // NULL: the definition alone decides
  struct guesses guesses;
  bool has_new_guesses;
  const struct uses *uses;
  struct guesses edges;  // all of the executions (orders.c),
  bool has_all_edges;    // as long as they are known
  bool may_have_cycles;  // some order of the threads has
  bool has_left_guesses; // since none had, some were not explored
  struct candidates candidates;
  ARRAY(struct open) open; // candidates that are not justified
  ARRAY(struct known) cores;
  struct known *exploring;    // NULL: with guesses
  bool is_satisfied;          // it was explored far enough
  bool looks_at_detours;      // executions stand for those with more rounds
  bool keeps_rounds;          // they are explored
  uint64_t most_kept;         // events that may be added for either
  struct buffering buffering; // of the execution that is looked at,
  struct buffering detoured;  // and with rounds
  uint64_t guided, guided_runs, descriptors;
};

// That were added without cores.
static uint64_t events_of_program(const struct justify *j) {
  uint64_t own = j->x->result.events_added, all = j->x->cycles.work;
  return own > all ? own : all;
}

static void find_guesses(struct justify *j, const struct graph *g,
                         const struct buffering *b) {
  bool is_uninitialised = false;
  j->has_new_guesses |=
      guesses_learn(&j->guesses, j->by, g, b, &is_uninitialised);
  if (is_uninitialised)
    error_note_cut(j->scout, "load buffering of an uninitialised value");
}

// ---- 1. what is justified

static void forget(const struct justify *j, struct candidate *c) {
  if (c->cyclic) // then something justifies it
    j->by->cyclic_free(c->cyclic);
  c->cyclic = NULL;
  if (c->g)
    graph_done(c->g);
  free(c->g);
  c->g = NULL;
}

static void accept(struct justify *j, struct candidate *c) {
  forget(j, c);
  uint32_t at = j->exploring ? (uint32_t)(j->exploring - j->cores.at) : 0;
  array_push(&j->cores, (struct known){.core = c->core});
  if (j->exploring)
    j->exploring = &j->cores.at[at];
}

static void try_candidates(struct justify *j, const struct graph *g) {
  struct witness *w = j->by->witness_new(g, &j->buffering);
  uint64_t marks = j->by->marks(w);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < j->open.len; i++) {
    const struct open o = j->open.at[i];
    struct candidate *c = &j->candidates.at[o.candidate];
    if (!(o.needs & ~marks) && j->by->justifies(w, c->cyclic, &c->core->how))
      accept(j, c);
    else
      j->open.at[kept++] = o;
  }
  j->open.len = kept;
  j->by->witness_free(w);
}

// The same with rounds that were left out: nothing is accepted.
static void try_with_detours(struct justify *j, const struct graph *g) {
  struct witness *w = j->by->witness_new(g, &j->detoured);
  for (uint32_t i = 0; i < j->open.len; i++) {
    struct open *o = &j->open.at[i];
    o->may_need_rounds =
        o->may_need_rounds ||
        j->by->justifies(w, j->candidates.at[o->candidate].cyclic, NULL);
  }
  j->by->witness_free(w);
}

// ---- 2. cores of graphs with guesses

static void add_candidate(struct justify *j, const struct bound *b) {
  const struct search_options *config = &j->scout->config;
  struct candidate *c = candidates_add(&j->candidates, b);
  if (!c)
    return;
  if (!j->by) {
    c->core = bound_script(b);
    return;
  }
  c->g = xcalloc(1, sizeof *c->g);
  bound_copy(j->scout->vm, b, c->g);
  c->cyclic = j->by->cyclic_new(config->model, c->g, &config->model_options);
  if (!c->cyclic) {
    forget(j, c);
    return;
  }
  // What may be left out are ways to justify it.
  if (j->by->is_cut(c->cyclic))
    error_note_cut(j->scout, "an execution with too many ways to justify it");
  c->core = bound_script(b);
  array_push(&j->open, (struct open){.candidate = j->candidates.len - 1,
                                     .needs = j->by->needs(c->cyclic)});
}

// Finds a write for each guess from the nth on, in all ways. It comes after the
// guess even without the edges to other guesses: if one of those is on each
// cycle of this guess, there is a graph without it that has the same core.
static void bind(struct justify *j, struct bound *b, uint32_t nth) {
  if (nth == b->reads.len) {
    bound_find_core(b);
    add_candidate(j, b);
    return;
  }
  const struct graph *g = b->g;
  const struct guess *k = &j->guesses.at[g->events[b->reads.at[nth]].loc];
  const struct event_list *co = &g->locs.at[k->loc].co;
  for (uint32_t i = 1; i < co->len; i++) {
    if (!guess_may_read(j->scout, b->reads.at[nth], co->at[i]))
      continue;
    b->writes.at[nth] = co->at[i];
    j->scout->cycles.sees_rounds |= await_is_futile(j->scout, co->at[i]);
    bind(j, b, nth + 1);
  }
}

static void find_candidates(struct justify *j, const struct graph *g) {
  struct bound b = {.g = g};
  for (event_id id = g->events[INIT_EVENT].next; id != NO_EVENT;
       id = g->events[id].next)
    if (event_is_guess(&g->events[id])) {
      array_push(&b.reads, id);
      array_push(&b.writes, NO_EVENT);
    }
  if (b.reads.len) {
    j->guided++;
    bind(j, &b, 0);
  }
  array_done(&b.reads);
  array_done(&b.writes);
}

// ---- until nothing is new

// It is not known what else is justified. What was found before counts.
static void give_up(struct justify *j, const char *why) {
  error_note_cut(j->scout, why);
  j->is_satisfied = true;
  explorer_stop(j->scout);
}

static void look_at_detours(struct justify *j, const struct graph *g,
                            bool learns) {
  const struct detours *d = j->looks_at_detours && (j->open.len || learns)
                                ? detours_of(j->scout)
                                : NULL;
  if (!d)
    return;
  if (!buffering_find(g, j->exploring->core, d, &j->detoured)) {
    give_up(j, rounds_may_justify);
    return;
  }
  uint64_t cost = (uint64_t)g->live * g->live / PER_EVENT;
  j->most_kept -= cost < j->most_kept ? cost : j->most_kept - 1;
  j->scout->cycles.most_added = j->most_kept;
  if (learns)
    find_guesses(j, g, &j->detoured);
  if (j->open.len)
    try_with_detours(j, g);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  (void)vm, (void)is_blocked;
  struct justify *j = arg;
  if (graph_has_pieces(g)) {
    error_note_cut(j->scout, "load buffering of accesses of different size");
    return;
  }
  if (!j->exploring) {
    find_candidates(j, g);
    return;
  }
  if (!buffering_find(g, j->exploring->core, NULL, &j->buffering)) {
    give_up(j, "load buffering among too many races");
    return;
  }
  bool learns = !j->exploring->is_explored && !j->is_foreseen;
  if (learns)
    find_guesses(j, g, &j->buffering);
#if HEDDLE_SLOW_CHECKS
  bool learns_edges = true; // for verify_cores
#else
  bool learns_edges = learns;
#endif
  if (learns_edges && j->has_all_edges)
    j->has_all_edges = guesses_learn_edges(&j->edges, g);
  if (j->open.len && j->buffering.reads.len)
    try_candidates(j, g);
  look_at_detours(j, g, learns);
  if (!j->open.len && !learns) {
    j->is_satisfied = true;
    explorer_stop(j->scout);
  }
}

static void on_pause(void *arg, struct explorer *scout) {
  const struct justify *j = arg;
  j->x->observer.on_pause(j->x->observer.arg, scout);
}

// Where rounds are of interest, they are explored, or noted when they are left
// out.
static void set_reductions(struct explorer *x, bool looks_at_detours) {
  uint32_t off = REDUCE_RETRY;
  if (x->cycles.kept_rounds)
    off |= REDUCE_HAND_OVER | REDUCE_DOMINATED | REDUCE_NO_WRITERS;
  x->refuted =
      (x->refuted & ~(uint32_t)(REDUCE_RETRY | REDUCE_HAND_OVER |
                                REDUCE_DOMINATED | REDUCE_NO_WRITERS)) |
      (looks_at_detours ? off : 0);
}

static void set_budget(struct justify *j) {
  struct explorer *x = j->scout;
  if (!j->looks_at_detours)
    return; // run_guided's caller does
  uint64_t most = x->result.events_added + MOST_KEPT_GUIDED;
  x->cycles.most_added =
      j->exploring || j->most_kept < most ? j->most_kept : most;
}

// If there was too much to explore or to ask, it is not known what rounds
// justify. What was found before counts.
static void look_at_budget(struct justify *j) {
  struct explorer *x = j->scout;
  if (j->looks_at_detours && !x->is_complete && !j->is_satisfied &&
      x->result.events_added > x->cycles.most_added) {
    error_note_cut(x, rounds_may_justify);
    j->is_satisfied = true;
  }
}

// Explores with the scout. False: not to the end.
static bool run(struct justify *j, struct known *k) {
  struct explorer *x = j->scout;
  bool keeps = !j->by && j->x->cycles.kept_rounds; // what is found is judged
  x->cycles.kept_rounds = k ? j->keeps_rounds : keeps;
  set_reductions(x, k ? j->looks_at_detours : keeps);
  j->exploring = k;
  j->is_satisfied = false;
  set_budget(j);
  x->cycles.guesses = k ? NULL : &j->guesses;
  x->cycles.start = k ? k->core : NULL;
  explore_from_root(x);
  while (x->restart && !x->result.limit && !j->is_foreseen) {
    if (j->guesses.len) { // they speak of memory as it was cut before
      x->result.limit = "load buffering of accesses of different size";
      break;
    }
    explore_restart(x);
    detours_forget(x);
    explore_from_root(x);
  }
  look_at_budget(j);
  x->cycles.start = NULL;
  x->cycles.guesses = NULL;
  return !x->result.limit && !x->restart && (x->is_complete || j->is_satisfied);
}

static bool has_work(const struct justify *j, const struct known *k) {
  if (!k->is_explored && !j->is_foreseen)
    return true;
  for (uint32_t i = k->tried; i < j->candidates.len; i++)
    if (j->candidates.at[i].cyclic)
      return true;
  return false;
}

static bool explore_known(struct justify *j, bool *moved) {
  for (uint32_t i = 0; i < j->cores.len; i++) {
    if (!has_work(j, &j->cores.at[i]))
      continue;
    *moved = true;
    uint32_t tried = j->candidates.len;
    if (!run(j, &j->cores.at[i]))
      return false;
    j->cores.at[i].is_explored = true;
    j->cores.at[i].tried = tried;
  }
  return true;
}

// Leaves out guesses that are in vain; how many are left?
static uint32_t choose_guesses(struct justify *j, struct over *a) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < j->guesses.len; i++) {
    j->guesses.at[i].allowed = j->guesses.at[i].most;
    j->guesses.at[i].stands_in = false;
  }
  if (a)
    over_choose(a, &j->guesses);
  for (uint32_t i = 0; i < j->guesses.len; i++) {
    struct guess *k = &j->guesses.at[i];
    k->is_cut = k->allowed == ANY_NUMBER;
    if (k->is_cut)
      k->allowed = MOST_IN_ROUNDS;
    n += k->allowed > 0;
  }
  return n;
}

// Explores with the guesses; `a` is what threads could do alone with them, or
// NULL, and is freed. False: not to the end.
static bool run_guided(struct justify *j, struct over *a) {
  struct explorer *x = j->scout;
  struct vm_mark root = x->vm_root;
  bool ok = true;
  x->vm_root = vm_mark(x->vm); // the states of `a` stay
  uint32_t n = choose_guesses(j, a);
  if (n) {
    if (a)
      over_aim(a, &j->guesses);
    x->cycles.over = a;
    j->guided_runs++;
    j->descriptors += n;
    ok = run(j, NULL);
    x->cycles.over = NULL;
  }
  plans_forget(&j->guesses);
  x->vm_root = root;
  over_free(a);
  return ok;
}

static uint64_t most_learned(const struct justify *j) {
  const struct search_limits *l = &j->x->limits;
  return l->is_timed || l->max_time > 0 || l->max_wall > 0
             ? 0
             : MOST_LEARNED + TIMES_LEARNED * events_of_program(j);
}

// With the guesses that executions have given.
static bool run_learned(struct justify *j) {
  struct explorer *x = j->scout;
  uint64_t before = x->result.events_added, most = most_learned(j);
  x->cycles.most_added = most ? before + most : 0;
  x->cycles.asked = 0;
  x->cycles.most_asked = most ? most / EVENTS_PER_QUESTION : 0;
  bool ok = run_guided(j, over_new(x, &j->guesses));
  bool is_too_much = x->result.events_added > before + most ||
                     x->cycles.asked > x->cycles.most_asked;
  x->cycles.most_added = x->cycles.most_asked = 0;
  if (ok || !most || !is_too_much || x->result.limit)
    return ok;
  x->result.limit = "too many values that loads may know too early; "
                    "--max-time sets another limit";
  return false;
}

// Could what is known, without rounds that were left out, justify anything?
// With more executions more could.
static bool may_have_cycles(struct justify *j) {
  j->may_have_cycles =
      j->may_have_cycles || j->looks_at_detours || !j->has_all_edges ||
      orders_may_have_cycles(j->scout, j->threads, &j->edges, j->uses);
  return j->may_have_cycles;
}

static bool find_all(struct justify *j) {
  for (bool moved = true; moved;) {
    moved = false;
    if (!explore_known(j, &moved))
      return false;
    if (j->has_new_guesses) {
      j->has_new_guesses = false;
      j->has_left_guesses = !may_have_cycles(j);
      moved = true;
      if (!j->has_left_guesses && !run_learned(j))
        return false;
    }
  }
  return true;
}

static void explore_again(struct justify *j) {
  for (uint32_t i = 0; i < j->cores.len; i++)
    j->cores.at[i] = (struct known){.core = j->cores.at[i].core};
}

// What is open, or was not even guessed, is asked of executions with rounds
// that were left out (detours.c), as long as more of these are met.
static bool close_with_detours(struct justify *j) {
  uint32_t known = UINT32_MAX;
  while (j->scout->cycles.has_detours && detours_known(j->scout) != known &&
         (j->open.len || !j->is_foreseen)) {
    known = detours_known(j->scout);
    j->looks_at_detours = true;
    j->has_new_guesses |= j->has_left_guesses;
    explore_again(j);
    bool ok = find_all(j);
    j->scout->cycles.most_added = 0;
    if (!ok)
      return false;
  }
  return true;
}

static bool may_need_rounds(const struct justify *j) {
  bool found = false;
  for (uint32_t i = 0; i < j->open.len; i++)
    found |= j->open.at[i].may_need_rounds;
  return found;
}

// If that may justify something, rounds are explored, one of each loop in a
// row.
static bool close(struct justify *j) {
  struct explorer *x = j->scout;
  if (!find_all(j))
    return false;
  j->most_kept = x->result.events_added + MOST_KEPT;
  if (!close_with_detours(j))
    return false;
  if (!may_need_rounds(j))
    return true;
  j->keeps_rounds = true;
  j->most_kept = x->result.events_added + MOST_KEPT;
  explore_again(j);
  bool ok = find_all(j) && close_with_detours(j);
  x->cycles.most_added = 0;
  if (ok && may_need_rounds(j))
    error_note_cut(x, rounds_may_justify);
  return ok;
}

// Finds all guesses that there could be, and the candidates with them. With the
// values that are guessed, threads could do more; nothing is left to be guessed
// if nothing new comes of that. False: it is not known, or would be too much.
static bool foresee(struct justify *j, struct over *all) {
  struct explorer *x = j->scout;
  if (!all || over_foresee(all, j->threads, &j->guesses).is_too_much)
    return false;
  struct over *a = over_new(x, &j->guesses);
  struct foresight more = {.is_new = true};
  if (a)
    more = over_foresee(a, j->threads, &j->guesses);
  if (more.is_new || more.is_too_much) {
    over_free(a);
    return false;
  }
  j->is_foreseen = true;
  x->cycles.most_added = x->result.events_added + MOST_FORESEEN +
                         TIMES_FORESEEN * events_of_program(j);
  bool ok = run_guided(j, a);
  x->cycles.most_added = 0;
  return ok;
}

// ---- by the definition alone

static bool close_by_definition(struct justify *j) {
  struct explorer *x = j->scout;
  struct over *a =
      over_new_thin(x, j->threads, &j->guesses, &j->x->cycles.gave_up);
  j->is_foreseen = true;
  if (a && !run_guided(j, a))
    return false;
  for (uint32_t i = 0; i < j->candidates.len; i++) {
    explore_go_to_root(x);
    core_build(x, j->candidates.at[i].core);
    if (explore_allows_by_definition(x))
      accept(j, &j->candidates.at[i]);
  }
  explore_go_to_root(x);
  return true;
}

static void done(struct justify *j) {
  for (uint32_t i = 0; i < j->candidates.len; i++) {
    struct candidate *c = &j->candidates.at[i];
    forget(j, c);
    core_drop(c->core);
  }
  candidates_done(&j->candidates);
  array_done(&j->open);
  plans_free(&j->guesses);
  array_done(&j->guesses);
  array_done(&j->edges);
  array_done(&j->cores);
  buffering_done(&j->buffering);
  buffering_done(&j->detoured);
}

// Nothing is known of what could be justified among these threads.
static void begin(struct justify *j) {
  struct justify now = {
      .x = j->x,
      .scout = j->scout,
      .by = j->by,
      .threads = j->threads,
      .uses = j->uses,
      .has_all_edges = true,
  };
  done(j);
  *j = now;
  array_push(&j->cores, (struct known){0});
  if (j->scout->restart)
    explore_restart(j->scout);
}

static void look_at(struct justify *j) {
  j->scout->cycles.frozen = ~j->threads;
  j->scout->observer.arg = j;
}

#if HEDDLE_SLOW_CHECKS
// Would cores have been looked for if their guesses had not been foreseen?
static void verify_cores(struct justify *j) {
  explore_go_to_root(j->scout);
  check(j->cores.len <= 1 || !j->has_all_edges ||
        orders_may_have_cycles(j->scout, j->threads, &j->edges, j->uses));
}
#endif

bool group_find(struct justify *j, struct cores *ret) {
  uint32_t others = ret->len;
  look_at(j);
  bool ok = j->by ? close(j) : close_by_definition(j);
  if (!ok && j->by && j->is_foreseen && !j->scout->result.limit) {
    begin(j);
    ok = close(j);
  }
#if HEDDLE_SLOW_CHECKS
  if (ok && j->by)
    verify_cores(j);
#endif
  // Graphs without these rounds are candidates: they read other writes.
  if (j->by && j->open.len && j->scout->cycles.sees_rounds)
    error_note_cut(j->scout, rounds_may_justify);
  if (j->by && j->cores.len > 1 && j->scout->cycles.left_races)
    error_note_cut(j->scout, "races of rounds of a loop that waits with what "
                             "load buffering leads to");
  for (uint32_t i = 1; ok && i < j->cores.len; i++) {
    struct core *c = j->cores.at[i].core;
    array_push(ret, core_share(c));
    for (uint32_t k = 0; k < others; k++)
      array_push(ret, core_join(ret->at[k], c));
  }
  struct explore_result *r = &j->x->result;
  r->guesses += j->guesses.len;
  r->guided += j->guided;
  r->guided_runs += j->guided_runs;
  r->descriptors += j->descriptors;
  r->candidates += j->candidates.len;
  r->leaves_rounds |= j->scout->result.leaves_rounds;
  return ok;
}

struct justify *group_new(struct explorer *x, struct explorer *scout,
                          uint64_t threads, const struct uses *uses) {
  struct justify *j = xcalloc(1, sizeof *j);
  const struct model *m = x->config.model;
  *j = (struct justify){.x = x,
                        .scout = scout,
                        .by = m->guesses_cores ? NULL : m->justifier,
                        .threads = threads,
                        .uses = uses};
  begin(j);
  return j;
}

void group_foresee(struct justify *j, struct over *a) {
  look_at(j);
  if (!foresee(j, a))
    begin(j);
}

bool group_is_open(const struct justify *j) {
  return !j->is_foreseen || j->open.len;
}

void group_free(struct justify *j) {
  done(j);
  free(j);
}

struct observer group_observer(const struct explorer *x) {
  return (struct observer){.on_execution = on_execution,
                           .on_pause = x->observer.on_pause ? on_pause : NULL,
                           .arg = x->observer.arg};
}
