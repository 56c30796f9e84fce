// SPDX-License-Identifier: MIT
// The explorer finds exactly the executions that the oracle finds, each once,
// on random programs. Models that track dependencies have tests of their own,
// on smaller programs: the oracle has many more graphs to try for them.
// Environment:
//   HEDDLE_SEEDS=n        how many programs (default 2000)
//   HEDDLE_FIRST_SEED=n   the first of them (default 0)
//   HEDDLE_PROGRAM=text   compare on this program instead (see program.h)
//   HEDDLE_MODEL=name     compare under this model only
//   HEDDLE_OPS=n          how many operations a program has at most
// The work is done in child processes, so that a crash is a result like
// another: it is traced to its seed and shrunk.
#include "compare.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MAX_WORK = 100000,
  SECONDS_A_PROGRAM = 60, // then the child is taken for stuck
  BUCKETS = 12,           // of executions, by powers of two
};

// Which models are compared, on programs of which size.
struct campaign {
  void (*draw)(uint64_t seed, unsigned max_ops, struct program *ret);
  unsigned models, max_ops;
  bool are_texts; // models without fast code: every eighth program is compared
};

static const struct campaign acyclic = {.draw = program_random,
                                        .models = (1 << ORACLE_MODELS) - 1 -
                                                  ORACLE_CYCLIC,
                                        .max_ops = 12};
static const struct campaign cyclic = {.draw = program_random_dependent,
                                       .models = ORACLE_CYCLIC - ORACLE_KERNEL,
                                       .max_ops = 8};

static const struct campaign kernel = {.draw = program_random_kernel,
                                       .models = ORACLE_KERNEL,
                                       .max_ops = 7,
                                       .are_texts = true};

static unsigned wanted_models(void) {
  return comparable_models(getenv("HEDDLE_MODEL"));
}

static unsigned models_of(const struct campaign *k) {
  return k->models & wanted_models();
}

struct totals {
  uint64_t seed; // the current one
  unsigned compared, too_large, racy;
  unsigned buckets[BUCKETS];
  uint64_t executions, blocked;
};

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 0) : otherwise;
}

static unsigned max_ops(const struct campaign *k) {
  return (unsigned)setting("HEDDLE_OPS", k->max_ops);
}

// The number of bits of n: 0, 1, 2, 2, 3, ...
static unsigned bucket_of(uint64_t n) {
  unsigned b = n ? 64 - (unsigned)__builtin_clzll(n) : 0;
  return b < BUCKETS ? b : BUCKETS - 1;
}

// Under the weakest model that was compared.
static uint64_t most_executions(const struct compare_run *c) {
  uint64_t most = 0;
  for (unsigned m = 0; m < ORACLE_MODELS; m++)
    most = c->executions[m] > most ? c->executions[m] : most;
  return most;
}

// -- child processes

// Runs one program; the exit status of the child says how it went.
static int compare_in_child(const struct program *p, unsigned models,
                            bool is_shown) {
  fflush(stdout);
  pid_t child = fork();
  check(child >= 0);
  if (child == 0) {
    alarm(SECONDS_A_PROGRAM);
    if (!is_shown && !freopen("/dev/null", "w", stderr))
      _exit(2);
    struct compare_run c = {.models = models, .max_work = 50 * MAX_WORK};
    enum agreement result = compare(p, &c);
    if (is_shown)
      printf("%s", str_text(&c.report));
    fflush(stdout);
    _exit(result == DISAGREE);
  }
  int status = 0;
  check(waitpid(child, &status, 0) == child);
  return status;
}

static void run_seeds(const struct campaign *k, uint64_t first, uint64_t n,
                      struct totals *t) {
  for (t->seed = first; t->seed < first + n; t->seed++) {
    bool skips_texts = !getenv("HEDDLE_MODEL") && t->seed % 8;
    if (k->are_texts && skips_texts)
      continue;
    alarm(SECONDS_A_PROGRAM);
    struct program p;
    k->draw(t->seed, max_ops(k), &p);
    struct compare_run c = {.models = models_of(k),
                            .skips_texts = skips_texts,
                            .max_work = MAX_WORK};
    enum agreement result = compare(&p, &c);
    str_done(&c.report);
    if (result == DISAGREE)
      _exit(1);
    if (result == TOO_LARGE) {
      t->too_large++;
      continue;
    }
    t->compared++;
    t->blocked += c.blocked;
    t->racy += c.racy > 0;
    t->executions += most_executions(&c);
    t->buckets[bucket_of(most_executions(&c))]++;
  }
  _exit(0);
}

// False: something is wrong at t->seed.
static bool run_seeds_in_child(const struct campaign *k, uint64_t first,
                               uint64_t n, struct totals *t) {
  fflush(stdout);
  pid_t child = fork();
  check(child >= 0);
  if (child == 0)
    run_seeds(k, first, n, t);
  int status = 0;
  check(waitpid(child, &status, 0) == child);
  return status == 0;
}

// -- failures

static void shrink(struct program *p, unsigned models) {
  struct program smaller;
  for (unsigned i = 0; program_shrink(p, i, &smaller);) {
    if (memcmp(&smaller, p, sizeof *p) == 0 ||
        compare_in_child(&smaller, models, /*is_shown=*/false) == 0) {
      i++;
      continue;
    }
    *p = smaller;
    i = 0;
  }
}

static void print_failure(const struct program *p, const char *what) {
  struct str text = {0};
  program_print(p, &text);
  printf("# %s: %s\n", what, str_text(&text));
  str_done(&text);
}

static void explain(const struct campaign *k, uint64_t seed) {
  struct program p;
  k->draw(seed, max_ops(k), &p);
  printf("# seed %llu\n", (unsigned long long)seed);
  print_failure(&p, "program");
  shrink(&p, models_of(k));
  print_failure(&p, "shrunk");
  int status = compare_in_child(&p, models_of(k), /*is_shown=*/true);
  if (WIFSIGNALED(status))
    printf("#   killed by signal %d\n", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 1)
    printf("#   exit status %d\n", WEXITSTATUS(status));
}

static void print_totals(const struct totals *t) {
  printf("# %u programs compared, %u too large for the oracle; "
         "%llu executions, %llu blocked, %u programs with races\n",
         t->compared, t->too_large, (unsigned long long)t->executions,
         (unsigned long long)t->blocked, t->racy);
  printf("# programs by executions (0, 1, 2-3, 4-7, ...):");
  for (unsigned i = 0; i < BUCKETS; i++)
    printf(" %u", t->buckets[i]);
  printf("\n");
}

static void run_campaign(const struct campaign *k) {
  if (getenv("HEDDLE_PROGRAM") || !models_of(k))
    return;
  struct totals *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(t != MAP_FAILED);
  uint64_t n = setting("HEDDLE_SEEDS", 2000);
  bool is_right = run_seeds_in_child(k, setting("HEDDLE_FIRST_SEED", 0), n, t);
  print_totals(t);
  if (!is_right)
    explain(k, t->seed);
  CHECK(is_right, "HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1 repeats it",
        (unsigned long long)t->seed);
  // A comparison of trivial programs would prove little.
  unsigned dull = t->buckets[0] + t->buckets[1];
  unsigned tried = t->compared + t->too_large;
  CHECK(n < 1000 || (t->too_large < tried / 5 && dull < tried / 5),
        "%u too large, %u with at most one execution", t->too_large, dull);
  munmap(t, sizeof *t);
}

TEST(random_programs_have_the_executions_of_the_oracle) {
  run_campaign(&acyclic);
}

TEST(random_programs_with_dependencies_have_the_executions_of_the_oracle) {
  run_campaign(&cyclic);
}

TEST(random_programs_of_the_kernel_have_the_executions_of_the_oracle) {
  run_campaign(&kernel);
}

// -- known shapes, and a program from outside

static const struct {
  const char *name;
  int sc, tso, ra, rc11, imm;
  const char *text;
} rows[] = {
#include "litmus_rows.def"
};

static const struct {
  const char *name;
  int imm, arm, arm_ldar, arm_llsc;
  const char *text;
} dependency_rows[] = {
#include "dependency_rows.def"
};

static void compare_text(const char *text) {
  struct program p;
  struct diag why;
  CHECK(program_parse(text, &p, &why), "%s: %s", text, why.text);
  int status = compare_in_child(&p, wanted_models(), /*is_shown=*/true);
  CHECK_EQ(status, 0, "%s", text);
}

TEST(known_shapes_have_the_executions_of_the_oracle) {
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    compare_text(rows[i].text);
  for (unsigned i = 0; i < sizeof dependency_rows / sizeof *dependency_rows;
       i++)
    compare_text(dependency_rows[i].text);
}

static const char *const once_wrong[] = {
#include "once_wrong.def"
};

TEST(programs_that_were_wrong_once_have_the_executions_of_the_oracle) {
  for (unsigned i = 0; i < sizeof once_wrong / sizeof *once_wrong; i++)
    compare_text(once_wrong[i]);
}

TEST(program_from_the_environment) {
  const char *text = getenv("HEDDLE_PROGRAM");
  if (text)
    compare_text(text);
}
