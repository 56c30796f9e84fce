// SPDX-License-Identifier: MIT
// Shared searches: the same executions, whoever explores which part.
#include "parallel/estimate.h"
#include "parallel/parallel.h"

#include "base/hash.h"
#include "base/patience.h"
#include "tap.h"
#include "unit/searches.h"

#include <math.h>

// -- what was explored

struct seen {
  uint64_t count, sum; // of the executions' signatures
};

// A number that names an execution, the same in every vm.
static uint64_t signature(const struct graph *g) {
  uint64_t h = 0;
  for (unsigned t = 0; t < g->nthreads; t++)
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++) {
      const struct event *e = graph_event(g, graph_at(g, t, i));
      h = hash_mix(h, t << 16 | i);
      h = hash_mix(h, e->kind);
      h = hash_mix(h, e->value);
      if (e->kind == EV_WRITE)
        h = hash_mix(h, e->co);
      if (e->kind == EV_READ)
        h = hash_mix(h, graph_co_place(g, graph_at(g, t, i)));
    }
  return h;
}

static void look(void *arg, struct vm *vm, const struct graph *g,
                 bool is_blocked) {
  struct seen *seen = arg;
  (void)vm;
  CHECK(!is_blocked, "nothing blocks here");
  seen->count++;
  seen->sum += signature(g);
}

static struct explore_result run(const struct prog *p, unsigned jobs,
                                 uint64_t limit, struct seen *seen) {
  struct vm_config vm = vm_config_default();
  struct explore_config config = {.options.model = model_find("rc11"),
                                  .options.reductions = REDUCE_DEFAULT,
                                  .observer.on_execution = look,
                                  .limits.max_executions = limit,
                                  .observer.arg = seen};
  struct parallel *search = parallel_new(p, &vm, &config, jobs, NULL, NULL);
  struct explore_result r = *parallel_explore(search);
  parallel_free(search);
  return r;
}

static void same_for_any_jobs(struct prog *p, uint64_t executions) {
  struct seen one = {0};
  struct explore_result first = run(p, 1, 0, &one);
  CHECK_EQ(first.executions, executions, "with one job");
  for (unsigned jobs = 2; jobs <= 5; jobs++) {
    struct seen seen = {0};
    struct explore_result r = run(p, jobs, 0, &seen);
    CHECK_EQ(r.verdict, VERDICT_OK, "%u jobs", jobs);
    CHECK_EQ(r.executions, executions, "%u jobs", jobs);
    CHECK_EQ(r.events_added, first.events_added, "%u jobs", jobs);
    CHECK_EQ(r.revisits, first.revisits, "%u jobs", jobs);
    CHECK_EQ(seen.count, executions, "%u jobs", jobs);
    CHECK_EQ(seen.sum, one.sum, "%u jobs", jobs);
  }
  prog_free(p);
}

TEST(any_number_of_jobs_finds_the_same) {
  same_for_any_jobs(adders(7), 5040);
}

TEST(threads_have_the_same_numbers_everywhere) {
  same_for_any_jobs(families(4), 24 * 6);
}

TEST(a_limit_is_about_all_workers) {
  struct prog *p = adders(7);
  for (unsigned jobs = 1; jobs <= 4; jobs++) {
    struct seen seen = {0};
    struct explore_result r = run(p, jobs, 1000, &seen);
    CHECK_EQ(r.verdict, VERDICT_INCOMPLETE, "%u jobs", jobs);
    CHECK_STR(r.limit, "executions");
    CHECK_EQ(r.executions, 1000, "%u jobs", jobs);
  }
  prog_free(p);
}

// -- tasks by hand

struct giver {
  ARRAY(struct explore_task *) tasks;
  struct seen seen;
};

static void give(void *arg, struct explorer *x) {
  struct giver *g = arg;
  struct explore_task *t = explorer_give(x);
  if (t)
    array_push(&g->tasks, t);
}

static void look_too(void *arg, struct vm *vm, const struct graph *g,
                     bool is_blocked) {
  struct giver *giver = arg;
  look(&giver->seen, vm, g, is_blocked);
}

// One explorer gives everything away that it can; two others, which never saw
// the beginning, take turns, and give away as well.
TEST(parts_add_up_to_the_whole) {
  struct prog *p = adders(6);
  struct giver g = {0};
  struct vm_config v = vm_config_default();
  struct explore_config c = {.options.model = model_find("rc11"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_execution = look_too,
                             .observer.on_pause = give,
                             .team = explore_team_new(&(thread_list){0}, 0),
                             .observer.arg = &g};
  struct vm *vm[3];
  struct explorer *x[3];
  for (unsigned i = 0; i < 3; i++)
    x[i] = explorer_new(p, vm[i] = vm_new(p, &v), &c);
  CHECK(explore_part(x[0], NULL), "to the end");
  CHECK(g.seen.count < 720 && g.tasks.len, "something was given away");
  for (unsigned n = 0; g.tasks.len; n++) {
    struct explore_task *t = array_pop(&g.tasks);
    CHECK(explore_part(x[1 + n % 2], t), "to the end");
    explore_task_free(t);
  }
  CHECK_EQ(g.seen.count, 720, "all parts");
  struct seen whole = {0};
  run(p, 1, 0, &whole);
  CHECK_EQ(g.seen.sum, whole.sum, "the same executions");
  for (unsigned i = 0; i < 3; i++) {
    explorer_free(x[i]);
    vm_free(vm[i]);
  }
  explore_team_free(c.team);
  array_done(&g.tasks);
  prog_free(p);
}

// -- parts of long paths

// A thread writes, and main reads so many times: as many executions, one more.
static struct prog *readers(unsigned n) {
  begin();
  uint64_t x = global("x", 4);
  uint32_t writer = func("writer", 1, 1);
  emit(OP_store, k(x), k(1), 0, access_imm(4, ORD_RLX));
  ret(k(0));
  func("main", 2, 1);
  spawn(writer, 0);
  for (unsigned i = 0; i < n; i++)
    emit(OP_load, 0, k(x), 0, access_imm(4, ORD_RLX));
  ret(k(0));
  return finished();
}

struct steps {
  uint64_t pauses; // one in 64 steps
  uint64_t parts;
  ARRAY(struct explore_task *) given;
};

static void on_step(void *arg, struct explorer *x) {
  struct steps *s = arg;
  s->pauses++;
  struct explore_task *t = s->given.len ? NULL : explorer_give(x);
  if (t)
    array_push(&s->given, t);
}

static uint64_t pauses_alone(struct prog *p) {
  struct vm_config v = vm_config_default();
  struct steps s = {0};
  struct explore_config c = {.options.model = model_find("rc11"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_pause = on_step,
                             .observer.arg = &s};
  struct vm *vm = vm_new(p, &v);
  array_push(&s.given, NULL); // it keeps all
  struct explorer *x = explorer_new(p, vm, &c);
  CHECK_EQ(explore(x)->executions, 401, "alone");
  explorer_free(x);
  vm_free(vm);
  array_done(&s.given);
  return s.pauses;
}

// Two explorers take over from each other what is left of a long path. They do
// not follow all of it each time.
TEST(the_way_to_a_part_begins_where_the_last_one_went) {
  struct prog *p = readers(400);
  struct vm_config v = vm_config_default();
  struct steps s = {0};
  struct explore_config c = {.options.model = model_find("rc11"),
                             .options.reductions = REDUCE_DEFAULT,
                             .observer.on_pause = on_step,
                             .team = explore_team_new(&(thread_list){0}, 0),
                             .observer.arg = &s};
  struct vm *vm[2];
  struct explorer *x[2];
  for (unsigned i = 0; i < 2; i++)
    x[i] = explorer_new(p, vm[i] = vm_new(p, &v), &c);
  CHECK(explore_part(x[0], NULL), "to the end");
  for (; s.given.len; s.parts++) {
    struct explore_task *t = array_pop(&s.given);
    CHECK(explore_part(x[!(s.parts % 2)], t), "to the end");
    explore_task_free(t);
  }
  CHECK(s.parts > 100, "%llu parts", (unsigned long long)s.parts);
  CHECK_EQ(explorer_result(x[0])->executions +
               explorer_result(x[1])->executions,
           401, "together");
  uint64_t alone = pauses_alone(p);
  CHECK(s.pauses * 100 < alone * 110, "%llu pauses, not %llu",
        (unsigned long long)s.pauses, (unsigned long long)alone);
  for (unsigned i = 0; i < 2; i++) {
    explorer_free(x[i]);
    vm_free(vm[i]);
  }
  explore_team_free(c.team);
  array_done(&s.given);
  prog_free(p);
}

// -- how large a search is

static struct prog *writing(unsigned n, unsigned times) {
  begin();
  uint64_t x = global("x", 4);
  uint32_t writer = func("writer", 1, 1);
  for (unsigned i = 0; i < times; i++)
    emit(OP_store, k(x), k(1), 0, access_imm(4, ORD_RLX));
  ret(k(0));
  func("main", 2, 1);
  for (unsigned i = 0; i < n; i++)
    spawn(writer, 0);
  ret(k(0));
  return finished();
}

static struct prog *writers(unsigned n) {
  return writing(n, 1);
}

static struct prog *adding(unsigned n, unsigned times) {
  begin();
  uint64_t x = global("x", 4);
  uint32_t adder = func("adder", 1, 1);
  for (unsigned i = 0; i < times; i++)
    add_one(x);
  ret(k(0));
  func("main", 2, 1);
  for (unsigned i = 0; i < n; i++)
    spawn(adder, 0);
  ret(k(0));
  return finished();
}

// Sweeps until there were so many.
static struct explore_estimate size_of(struct prog *p, uint64_t sweeps,
                                       uint64_t seed) {
  struct vm_config vm = vm_config_default();
  struct explore_config config = {.options.model = model_find("rc11"),
                                  .options.reductions =
                                      REDUCE_DEFAULT & ~REDUCE_SYMMETRY};
  struct estimator *e = estimator_new(p, &vm, &config, seed);
  estimator_run(e, /*seconds=*/600, sweeps);
  struct explore_estimate ret = estimator_read(e);
  estimator_free(e);
  prog_free(p);
  return ret;
}

TEST(small_searches_are_swept_whole) {
  struct explore_estimate all = size_of(writers(4), 1000, 1);
  CHECK(all.is_exact, "%llu sweeps", (unsigned long long)all.sweeps);
  CHECK(all.executions == 24 && all.error == 0, "%f", all.executions);
}

// All options of a step are alike: each sweep is right.
TEST(even_trees_are_known_at_once) {
  struct explore_estimate all = size_of(writers(14), 3, 1);
  const double right = 87178291200; // 14!
  CHECK(!all.is_exact && all.executions > 0.999 * right &&
            all.executions < 1.001 * right,
        "%f", all.executions);
}

// There are 124! / 2!^62 executions, 10^188, and then 372! / 6!^62, 10^619: the
// squares, and then the numbers, are more than a double holds.
TEST(no_number_is_too_large) {
  struct explore_estimate all = size_of(writing(62, 2), 3, 1);
  CHECK(!all.is_exact && all.executions > 1e170 && all.executions < 1e206, "%g",
        all.executions);
  CHECK(isfinite(all.error), "%g", all.error);
  all = size_of(writing(62, 6), 3, 1);
  CHECK(!all.is_exact && all.executions >= EXPLORE_MANY, "%g", all.executions);
  CHECK(isfinite(all.executions) && isfinite(all.error), "%g, %g",
        all.executions, all.error);
}

// Sweeps are made beside a search, so that they look at limits says nothing of
// how long a step of the search takes.
TEST(sweeps_do_not_answer_for_the_search) {
  atomic_store(&patience_is_asked, true);
  size_of(writers(7), 40, 1);
  CHECK(atomic_load(&patience_is_asked), "a sweep was heard");
  atomic_store(&patience_is_asked, false);
}

// Nearly all options lead nowhere here. The mean over many seeds is that of all
// executions, 12! / 3!^4, and so is each estimate, more or less.
TEST(uneven_trees_are_known_well) {
  double sum = 0;
  const unsigned seeds = 8;
  for (unsigned seed = 1; seed <= seeds; seed++) {
    struct explore_estimate all = size_of(adding(4, 3), 32, seed);
    CHECK(!all.is_exact, "seed %u", seed);
    CHECK(all.executions > 369600 / 2.5 && all.executions < 369600 * 2.5,
          "seed %u: %f", seed, all.executions);
    sum += all.executions;
  }
  CHECK(sum / seeds > 0.8 * 369600 && sum / seeds < 1.25 * 369600, "%f",
        sum / seeds);
}

// -- errors

static void count_finding(void *arg, struct vm *vm, const struct graph *g,
                          const struct finding *f) {
  unsigned *n = arg;
  (void)vm;
  CHECK(f->event == NO_EVENT || f->event < g->nevents, "of this graph");
  ++*n;
}

TEST(an_error_is_found_once) {
  struct prog *p = failing();
  struct vm_config vm = vm_config_default();
  for (unsigned jobs = 1; jobs <= 4; jobs++)
    for (unsigned all = 0; all < 2; all++) {
      unsigned told = 0;
      struct explore_config config = {.options.model = model_find("rc11"),
                                      .options.reductions = REDUCE_DEFAULT,
                                      .options.all_errors = all,
                                      .observer.on_finding = count_finding,
                                      .observer.arg = &told};
      struct parallel *search = parallel_new(p, &vm, &config, jobs, NULL, NULL);
      const struct explore_result *r = parallel_explore(search);
      CHECK_EQ(r->verdict, VERDICT_ERROR, "%u jobs", jobs);
      CHECK_EQ(r->findings.len, 1, "%u jobs", jobs);
      CHECK_EQ(r->findings.at[0].kind, FIND_RACE, "%u jobs", jobs);
      CHECK_EQ(told, 1, "%u jobs", jobs);
      parallel_free(search);
    }
  prog_free(p);
}
