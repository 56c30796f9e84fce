// SPDX-License-Identifier: MIT
// How long each branch of a search takes, for tests/bench/ranks.py:
//
//     branches BRANCHES check FILE [OPTIONS] [-- CLANG-FLAGS]
//
// explores the beginning of the search, until so many branches are left, then
// each of these by itself. A line for each: its seconds, then the rank of each
// option on the way to it.
#include "cmd/run.h"

#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct measuring {
  struct run run;
  struct explorer *explorer;
};

static void measure(struct explorer *x, const struct explore_task *t,
                    uint32_t nth) {
  struct explore_task one = *t;
  one.options.at = &t->options.at[nth];
  one.options.len = 1;
  one.rank = t->rank + nth;
  double before = now();
  if (!explore_part(x, &one))
    exit(EXIT_INCOMPLETE);
  printf("%.9f", now() - before);
  for (uint32_t i = 0; i < t->path.len; i++)
    printf(" %u", t->path.at[i].rank);
  printf(" %u\n", one.rank);
}

static void on_save(void *arg, struct frontier *f) {
  struct measuring *m = arg;
  struct explore_config c = m->run.config;
  c.observer = (struct observer){0};
  c.team = explore_team_new(&f->threads, 0);
  struct vm *vm = vm_new(m->run.prog, &m->run.vm);
  m->explorer = explorer_new(m->run.prog, vm, &c);
  for (uint32_t i = 0; i < f->tasks.len; i++)
    for (uint32_t k = f->tasks.at[i]->options.len; k-- > 0;)
      measure(m->explorer, f->tasks.at[i], k);
  explorer_free(m->explorer);
  vm_free(vm);
  explore_team_free(c.team);
}

static void on_nothing(void *arg) {
  (void)arg;
}

int main(int argc, char **argv) {
  struct measuring m = {
      .run = {.on_begin_again = on_nothing, .on_earlier_error = on_nothing}};
  struct options o;
  struct diag why;
  if (argc < 4 || !options_parse(argc - 1, argv + 1, &o, &why) ||
      !run_begin(&m.run, &o, &why)) {
    fprintf(stderr, "branches BRANCHES check FILE [OPTIONS]\n");
    return EXIT_BAD_INPUT;
  }
  m.run.saving = (struct parallel_saving){.save = on_save, .arg = &m};
  run_split(&m.run, strtoull(argv[1], NULL, 10));
  run_end(&m.run);
  options_done(&o);
  return EXIT_OK;
}
