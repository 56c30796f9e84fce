// SPDX-License-Identifier: MIT
// See campaign.h.
#include "campaign.h"
#include "setting.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  SECONDS_A_PROGRAM = 60, // of CPU; then the child is taken for stuck
  DAY_SEEDS = 1 << 20,    // so far apart are those of two days
};

static unsigned max_ops(const struct campaign *k) {
  return (unsigned)setting("HEDDLE_OPS", k->max_ops);
}

void campaign_count(struct totals *t, uint64_t n) {
  unsigned bits = n ? 64 - (unsigned)__builtin_clzll(n) : 0;
  t->buckets[bits < CAMPAIGN_BUCKETS ? bits : CAMPAIGN_BUCKETS - 1]++;
  t->executions += n;
}

// -- child processes

// Time of this process, so that nothing depends on what else the machine does.
static void limit_time(void) {
  struct itimerval limit = {.it_value.tv_sec = SECONDS_A_PROGRAM};
  check(setitimer(ITIMER_PROF, &limit, NULL) == 0);
}

// As fork does.
static pid_t child_new(void) {
  fflush(stdout);
  pid_t child = fork();
  check(child >= 0);
  return child;
}

static int child_status(pid_t child) {
  int status = 0;
  check(waitpid(child, &status, 0) == child);
  return status;
}

// Runs one program; the exit status of the child says how it went.
static int compare_in_child(const struct campaign *k, const struct program *p,
                            uint64_t seed, bool is_shown) {
  pid_t child = child_new();
  if (child == 0) {
    limit_time();
    if (!is_shown && !freopen("/dev/null", "w", stderr))
      _exit(2);
    struct totals unused = {0};
    struct str report = {0};
    enum agreement result =
        k->compare(k, p, seed, 50 * k->max_work, &unused, &report);
    if (is_shown)
      printf("%s", str_text(&report));
    fflush(stdout);
    _exit(result == DISAGREE);
  }
  return child_status(child);
}

static void run_seeds(const struct campaign *k, uint64_t first, uint64_t n,
                      struct totals *t) {
  for (t->seed = first; t->seed < first + n; t->seed++) {
    if (k->are_texts && t->seed % 8 && !getenv("HEDDLE_BRIEF"))
      continue;
    limit_time();
    struct program p;
    struct str report = {0};
    k->draw(t->seed, max_ops(k), &p);
    enum agreement result = k->compare(k, &p, t->seed, k->max_work, t, &report);
    str_done(&report);
    if (result == DISAGREE)
      _exit(1);
    t->seeds++;
    t->compared += result == AGREE;
    t->too_large += result == TOO_LARGE;
  }
  _exit(0);
}

// False: something is wrong at t->seed.
static bool run_seeds_in_child(const struct campaign *k, uint64_t first,
                               uint64_t n, struct totals *t) {
  pid_t child = child_new();
  if (child == 0)
    run_seeds(k, first, n, t);
  return child_status(child) == 0;
}

static struct totals *totals_new(void) {
  struct totals *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(t != MAP_FAILED);
  return t;
}

// -- failures

static void shrink(const struct campaign *k, struct program *p) {
  struct program smaller;
  for (unsigned i = 0; program_shrink(p, i, &smaller);) {
    if (memcmp(&smaller, p, sizeof *p) == 0 ||
        compare_in_child(k, &smaller, 0, /*is_shown=*/false) == 0) {
      i++;
      continue;
    }
    *p = smaller;
    i = 0;
  }
}

static void print_program(const struct program *p, const char *what) {
  struct str text = {0};
  program_print(p, &text);
  printf("# %s: %s\n", what, str_text(&text));
  str_done(&text);
}

static void explain(const struct campaign *k, uint64_t seed) {
  struct program p;
  k->draw(seed, max_ops(k), &p);
  printf("# HEDDLE_FIRST_SEED=%llu HEDDLE_SEEDS=1 repeats it\n",
         (unsigned long long)seed);
  print_program(&p, "program");
  shrink(k, &p);
  print_program(&p, "shrunk");
  int status = compare_in_child(k, &p, 0, /*is_shown=*/true);
  if (WIFSIGNALED(status))
    printf("#   killed by signal %d\n", WTERMSIG(status));
  else if (WEXITSTATUS(status) != 1)
    printf("#   exit status %d\n", WEXITSTATUS(status));
}

static void print_totals(const struct totals *t) {
  printf("# %u programs compared, %u too large for the oracle; "
         "%llu executions, %llu blocked\n",
         t->compared, t->too_large, (unsigned long long)t->executions,
         (unsigned long long)t->blocked);
  printf("# programs by executions (0, 1, 2-3, 4-7, ...):");
  for (unsigned i = 0; i < CAMPAIGN_BUCKETS; i++)
    printf(" %u", t->buckets[i]);
  printf("\n");
}

// The seeds of a day are those of a number that nobody has tried before.
static bool run_day(const struct campaign *k, uint64_t n, struct totals *t) {
  uint64_t day = setting_day();
  if (!day || getenv("HEDDLE_FIRST_SEED"))
    return true;
  printf("# HEDDLE_DAY=%llu\n", (unsigned long long)day);
  return run_seeds_in_child(k, day * DAY_SEEDS, n / 4, t);
}

bool campaign_run(const struct campaign *k, struct totals *ret) {
  *ret = (struct totals){0};
  if (getenv("HEDDLE_PROGRAM") || !k->models)
    return true;
  struct totals *t = totals_new();
  uint64_t n = setting_many("HEDDLE_SEEDS", 2000) / k->share;
  bool is_right = run_seeds_in_child(k, setting_first(2000), n ? n : 1, t) &&
                  run_day(k, n, t);
  print_totals(t);
  if (!is_right)
    explain(k, t->seed);
  *ret = *t;
  munmap(t, sizeof *t);
  return is_right;
}

static bool parse(const char *text, struct program *p) {
  struct diag why;
  bool ok = program_parse(text, p, &why);
  if (!ok)
    printf("# %s: %s\n", text, why.text);
  return ok;
}

bool campaign_text(const struct campaign *k, const char *text, uint64_t seed) {
  struct program p;
  return parse(text, &p) &&
         compare_in_child(k, &p, seed, /*is_shown=*/true) == 0;
}

static void run_texts(const struct campaign *k, const char *const *texts,
                      unsigned n, uint64_t step, struct totals *t) {
  uint64_t share = setting("HEDDLE_TEXTS", 1);
  for (; t->seeds < n; t->seeds++) {
    struct program p;
    struct str report = {0};
    if ((t->seeds + setting_day()) % share)
      continue;
    limit_time();
    if (!parse(texts[t->seeds], &p) ||
        k->compare(k, &p, step * (t->seeds + 1), 50 * k->max_work, t,
                   &report) == DISAGREE)
      _exit(1);
    str_done(&report);
  }
  _exit(0);
}

bool campaign_texts(const struct campaign *k, const char *const *texts,
                    unsigned n, uint64_t step) {
  struct totals *t = totals_new();
  pid_t child = child_new();
  if (child == 0)
    run_texts(k, texts, n, step, t);
  bool is_right = child_status(child) == 0;
  unsigned at = t->seeds;
  munmap(t, sizeof *t);
  check(!is_right || at == n);
  if (!is_right && campaign_text(k, texts[at], step * (at + 1)))
    printf("# only after those before it:\n");
  if (!is_right)
    printf("# %s\n", texts[at]);
  return is_right;
}
