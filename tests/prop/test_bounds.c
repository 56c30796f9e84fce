// SPDX-License-Identifier: MIT
// --bound on random programs: what is explored with a bound are the executions
// of the search without one whose number is within it, each once. The number is
// found here by its definition (explore/reduce/numbers.c): the cheapest order
// of all steps, each tried at each moment.
//
// Environment: HEDDLE_SEEDS=n (default 600), HEDDLE_FIRST_SEED=n,
// HEDDLE_MODEL=name.
#include "base/bound.h"
#include "lower.h"
#include "model/model.h"
#include "search.h"

#include <string.h>

enum {
  MAX_OPS = 9,
  MAX_N = 8,
  MAX_CUTS = 60000,
  MAX_RUNS = 400,
  TOO_MANY = 99
};

// ---- the number of an execution

struct orders {
  const struct graph *g;
  enum bounded what;
  bool interleaves;
  unsigned n;             // threads
  uint32_t length[MAX_N]; // events of each
  uint8_t *least;         // by cut and the thread that was last; 0: not known
};

static const struct event *at(const struct orders *o, unsigned t, uint32_t i) {
  return i < o->length[t] ? &o->g->events[graph_at(o->g, t, i)] : NULL;
}

static bool came(const uint32_t *cut, const struct event *e) {
  return e->index < cut[e->thread];
}

static const struct event *source_of(const struct orders *o,
                                     const struct event *e) {
  bool has = e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN;
  return has && e->rf != NO_EVENT && e->rf != INIT_EVENT ? &o->g->events[e->rf]
                                                         : NULL;
}

static bool is_update(const struct orders *o, const struct event *e) {
  const struct event *next = at(o, e->thread, e->index + 1);
  return e->kind == EV_READ && (e->flags & EVF_EXCLUSIVE) && next &&
         next->kind == EV_WRITE && (next->flags & EVF_EXCLUSIVE);
}

// Is b reached from a by po and rf?
static bool reaches(const struct orders *o, const struct event *a,
                    const struct event *b) {
  bool seen[MAX_N][64] = {{false}};
  seen[a->thread][a->index] = true;
  for (bool more = true; more;) {
    more = false;
    for (unsigned t = 0; t < o->n; t++)
      for (uint32_t i = 0; i < o->length[t]; i++) {
        const struct event *s = source_of(o, at(o, t, i));
        bool now = (i && seen[t][i - 1]) || (s && seen[s->thread][s->index]);
        more |= now && !seen[t][i];
        seen[t][i] |= now;
      }
  }
  return seen[b->thread][b->index];
}

// Would e go before something in co or fr that has come?
static bool is_passed(const struct orders *o, const uint32_t *cut,
                      const struct event *e) {
  if (e->kind != EV_READ && e->kind != EV_WRITE)
    return false;
  const struct event_list *co = &o->g->locs.at[e->loc].co;
  uint32_t place = e->kind == EV_WRITE   ? e->co
                   : e->rf == INIT_EVENT ? 0
                                         : o->g->events[e->rf].co;
  for (uint32_t i = place + 1; i < co->len; i++)
    if (came(cut, &o->g->events[co->at[i]]))
      return true;
  return false;
}

static bool may_come(const struct orders *o, const uint32_t *cut,
                     const struct event *e) {
  const struct event *s = source_of(o, e);
  bool waits = s && !came(cut, s);
  if (waits && e->kind != EV_READ)
    return false;
  if (o->what == BOUND_REORDERINGS)
    return true;
  if (waits && !reaches(o, e, s))
    return false;
  return !o->interleaves ||
         (!is_passed(o, cut, e) &&
          (!is_update(o, e) ||
           !is_passed(o, cut, at(o, e->thread, e->index + 1))));
}

static unsigned price_of(const struct orders *o, const uint32_t *cut,
                         unsigned last, const struct event *e) {
  if (o->what == BOUND_REORDERINGS) {
    const struct event *s = e->kind == EV_READ ? source_of(o, e) : NULL;
    return (s && !came(cut, s)) || is_passed(o, cut, e);
  }
  const struct event *left =
      last < o->n && last != e->thread ? at(o, last, cut[last]) : NULL;
  if (!left)
    return 0;
  const struct event *s = source_of(o, left);
  bool may_block = left->kind == EV_JOIN ||
                   (left->kind == EV_READ && (left->flags & EVF_LOCK));
  return !(may_block && s && !came(cut, s));
}

static uint8_t *cell(const struct orders *o, const uint32_t *cut,
                     unsigned last) {
  size_t k = 0;
  for (unsigned t = 0; t < o->n; t++)
    k = k * (o->length[t] + 1) + cut[t];
  return &o->least[k * (o->n + 1) + last];
}

static unsigned least(const struct orders *o, uint32_t *cut, unsigned last) {
  uint8_t *known = cell(o, cut, last);
  unsigned best = TOO_MANY;
  if (*known)
    return *known - 1u;
  if (memcmp(cut, o->length, o->n * sizeof *cut) == 0)
    best = 0;
  for (unsigned t = 0; t < o->n; t++) {
    const struct event *e = at(o, t, cut[t]);
    if (!e || !may_come(o, cut, e))
      continue;
    unsigned price = price_of(o, cut, last, e), steps = is_update(o, e) ? 2 : 1;
    cut[t] += steps;
    price += least(o, cut, t);
    cut[t] -= steps;
    if (price < best)
      best = price;
  }
  *known = (uint8_t)(best + 1);
  return best;
}

// TOO_MANY: there are too many orders.
static unsigned number_of(const struct graph *g, enum bounded what,
                          bool interleaves) {
  struct orders o = {
      .g = g, .what = what, .interleaves = interleaves, .n = g->nthreads};
  size_t cuts = 1;
  if (o.n > MAX_N)
    return TOO_MANY;
  for (unsigned t = 0; t < o.n; t++) {
    o.length[t] = graph_thread_length(g, t);
    cuts *= o.length[t] + 1;
    if (o.length[t] > 60 || cuts > MAX_CUTS)
      return TOO_MANY;
  }
  o.least = calloc(cuts * (o.n + 1), 1);
  uint32_t none[MAX_N] = {0};
  unsigned ret = least(&o, none, o.n);
  free(o.least);
  return ret;
}

// ---- searches

struct seen {
  const struct model *model;
  struct hashes of[BOUNDS][TOO_MANY]; // names, by number; of one with a bound,
  struct hashes all;                  // of all
  unsigned largest[BOUNDS];
  bool is_bounded, is_too_big;
  uint64_t cuts, twice;
  uint32_t executions;
  struct hashes errors;
};

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  struct seen *s = arg;
  (void)vm, (void)is_blocked;
  array_push(&s->all, graph_name(g));
  for (unsigned k = 0; !s->is_bounded && !s->is_too_big && k < BOUNDS; k++) {
    unsigned n = number_of(g, (enum bounded)k, s->model->interleaves);
    s->is_too_big |= n >= TOO_MANY;
    if (n >= TOO_MANY)
      return;
    array_push(&s->of[k][n], graph_name(g));
    if (n > s->largest[k])
      s->largest[k] = n;
  }
}

static void on_begin_again(void *arg) {
  struct seen *s = arg;
  for (unsigned k = 0; k < BOUNDS; k++) {
    for (unsigned n = 0; n < TOO_MANY; n++)
      s->of[k][n].len = 0;
    s->largest[k] = 0;
  }
  s->all.len = 0;
}

static void keep(void *arg, const struct explore_result *r) {
  struct seen *s = arg;
  s->twice = hashes_sort(&s->all);
  s->cuts = r->bound_cuts;
  s->is_too_big |= r->limit != NULL;
  errors_of(r, ~UINT64_C(0), &s->errors);
}

// (Blocked graphs are compared too, and those that others stand for are left
// unless an error waits for the end, as more do with a bound.)
static void explore_it(const struct prog *p, struct seen *s,
                       const uint32_t *bounds) {
  struct explore_config c = {
      .options.model = s->model,
      .options.reductions =
          REDUCE_DEFAULT &
          ~(uint32_t)(REDUCE_HAND_OVER | REDUCE_DOMINATED | REDUCE_NO_WRITERS),
      .options.all_errors = true,
      .limits.max_executions = MAX_RUNS,
      .observer.on_execution = on_execution,
      .observer.on_begin_again = on_begin_again,
      .observer.arg = s};
  if (bounds)
    memcpy(c.options.bounds, bounds, sizeof c.options.bounds);
  s->is_bounded = bounds;
  search(p, &c, keep);
}

static void forget(struct seen *s) {
  for (unsigned k = 0; k < BOUNDS; k++)
    for (unsigned n = 0; n < TOO_MANY; n++)
      array_done(&s->of[k][n]);
  array_done(&s->all);
  array_done(&s->errors);
}

struct sums {
  uint64_t programs, executions, bounded, left;
};

// The search with a bound of `most`, against the numbers of all executions.
static void compare(const struct prog *p, const struct seen *all, unsigned k,
                    unsigned most, uint64_t seed, struct sums *sums) {
  struct seen some = {.model = all->model};
  struct hashes wanted = {0};
  uint32_t bounds[BOUNDS] = {0};
  bounds[k] = most + 1;
  for (unsigned n = 0; n <= most; n++)
    for (uint32_t i = 0; i < all->of[k][n].len; i++)
      array_push(&wanted, all->of[k][n].at[i]);
  hashes_sort(&wanted);
  explore_it(p, &some, bounds);
  CHECK_EQ(hashes_missing(&wanted, &some.all), 0,
           "HEDDLE_MODEL=%s HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1, bound %u:%u",
           all->model->name, (unsigned long long)seed, k, most);
  CHECK_EQ(hashes_missing(&some.all, &wanted), 0,
           "HEDDLE_MODEL=%s HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1, bound %u:%u",
           all->model->name, (unsigned long long)seed, k, most);
  CHECK_EQ(some.twice, 0, "seed %llu", (unsigned long long)seed);
  CHECK(some.cuts || wanted.len == all->all.len,
        "seed %llu: left out in silence", (unsigned long long)seed);
  CHECK(!hashes_missing(&some.errors, &all->errors), "seed %llu: no such error",
        (unsigned long long)seed);
  CHECK(most < all->largest[k] || !hashes_missing(&all->errors, &some.errors),
        "seed %llu: an error is missing", (unsigned long long)seed);
  sums->bounded++;
  sums->left += wanted.len < all->all.len;
  array_done(&wanted);
  forget(&some);
}

static const char *model_of(uint64_t seed) {
  static const char *const names[] = {"sc",   "tso",  "pso",   "ra",
                                      "rc11", "sc",   "imm",   "armv8",
                                      "c11",  "rc11", "jam21", "xmm"};
  const char *only = getenv("HEDDLE_MODEL");
  return only ? only : names[seed % (sizeof names / sizeof *names)];
}

static void compare_all(uint64_t seed, const struct program *program,
                        struct sums *sums) {
  struct prog *p = lower_program(program, lower_can_spin(program));
  struct seen *all = calloc(1, sizeof *all);
  all->model = model_find(model_of(seed));
  explore_it(p, all, NULL);
  for (unsigned k = 0; !all->is_too_big && k < BOUNDS; k++)
    for (unsigned most = 0; most <= all->largest[k]; most++)
      compare(p, all, k, most, seed, sums);
  sums->programs += !all->is_too_big;
  sums->executions += all->all.len;
  forget(all);
  free(all);
  prog_free(p);
}

TEST(bounded_searches_have_the_executions_within_the_bound) {
  uint64_t first = setting_first(600), n = setting_many("HEDDLE_SEEDS", 600);
  struct sums sums = {0};
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct program p;
    if (seed / 12 % 3 == 2)
      program_random_dependent(seed, MAX_OPS, &p);
    else if (seed / 12 % 3 == 1)
      program_random_wrong(seed, MAX_OPS, &p);
    else
      program_random(seed, MAX_OPS, &p);
    compare_all(seed, &p, &sums);
  }
  printf("# %llu programs with %llu executions, %llu bounded searches, %llu of "
         "which left something out\n",
         (unsigned long long)sums.programs, (unsigned long long)sums.executions,
         (unsigned long long)sums.bounded, (unsigned long long)sums.left);
  CHECK(n < 100 || (sums.programs > n / 2 && sums.left > n / 10),
        "hardly anything was compared");
}
