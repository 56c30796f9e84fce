// SPDX-License-Identifier: MIT
// No execution is visited twice: real programs, larger than the oracle can
// take, are explored under every model, and every complete execution must be a
// new one. An execution is the events of each thread with what they read from
// and where their writes are in co; 128 bits of hash stand for it.
#include "base/hash.h"
#include "bytecode/prog.h"
#include "explore/explore.h"
#include "front/front.h"
#include "setting.h"
#include "tap.h"

#include <stdlib.h>

struct name {
  uint64_t high, low;
};

struct executions {
  ARRAY(struct name) names;
  struct vm *vm;
};

static void add(struct name *n, uint64_t x) {
  n->high = hash_mix(n->high, x);
  n->low = hash_mix(n->low, ~x ^ n->high);
}

static void add_event(struct name *n, const struct graph *g,
                      const struct event *e) {
  add(n, e->kind | (uint64_t)e->order << 8 | (uint64_t)e->loc << 32);
  add(n, e->value);
  if (e->kind == EV_WRITE)
    add(n, e->co);
  if (e->kind == EV_READ && e->rf != NO_EVENT) {
    const struct event *w = graph_event(g, e->rf);
    add(n, e->rf == INIT_EVENT ? 0 : 1 + w->thread + ((uint64_t)w->index << 8));
  }
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  (void)vm;
  struct executions *found = arg;
  if (is_blocked)
    return;
  struct name n = {0};
  for (unsigned t = 0; t < g->nthreads; t++) {
    add(&n, graph_thread_length(g, t));
    for (uint32_t i = 0; i < graph_thread_length(g, t); i++)
      add_event(&n, g, graph_event(g, graph_at(g, t, i)));
  }
  array_push(&found->names, n);
}

// What was found so far is found again.
static void on_begin_again(void *arg) {
  struct executions *found = arg;
  found->names.len = 0;
}

static int compare(const void *a, const void *b) {
  return memcmp(a, b, sizeof(struct name));
}

// How many executions of the program were visited before.
static unsigned repeated(const struct prog *p, const struct model *model,
                         unsigned *total) {
  struct vm_config vm_config = vm_config_default();
  struct executions found = {.vm = vm_new(p, &vm_config)};
  struct explore_config config = {.options.model = model,
                                  .options.reductions = REDUCE_DEFAULT,
                                  .options.disabled[FIND_RACE] = true,
                                  // Justifications take long on some programs.
                                  .limits.max_time = model->justifier ? 3 : 0,
                                  .observer.on_execution = on_execution,
                                  .observer.on_begin_again = on_begin_again,
                                  .observer.arg = &found};
  struct explorer *x = explorer_new(p, found.vm, &config);
  const struct explore_result *result = explore(x);
  CHECK(result->verdict == VERDICT_OK ||
            (model->justifier && result->verdict == VERDICT_INCOMPLETE),
        "verdict %d under %s", result->verdict, model->name);
  CHECK_EQ(result->executions, found.names.len, "under %s", model->name);
  explorer_free(x);
  vm_free(found.vm);

  unsigned n = 0;
  *total = found.names.len;
  qsort(found.names.at, found.names.len, sizeof(struct name), compare);
  for (uint32_t i = 1; i < found.names.len; i++)
    n += compare(&found.names.at[i - 1], &found.names.at[i]) == 0;
  array_done(&found.names);
  return n;
}

static void visit(const char *file, const char *const *flags, unsigned nflags) {
  char path[512];
  snprintf(path, sizeof path, "%s/%s", TEST_PROGRAMS, file);
  struct front_options o = {.files = (const char *const[]){path},
                            .nfiles = 1,
                            .clang_flags = flags,
                            .nflags = nflags,
                            .use_cache = true};
  struct prog *p;
  struct diag why;
  CHECK(front_load(&o, &p, &why), "%s: %s", file, why.text);
  for (unsigned m = 0; models[m]; m++) {
    unsigned total;
    if ((m + setting_day()) % setting("HEDDLE_TEXTS", 1))
      continue;
    CHECK_EQ(repeated(p, models[m], &total), 0, "%s under %s, %u in all", file,
             models[m]->name, total);
  }
  prog_free(p);
}

// Recomputing everything at each step takes its time: smaller programs then.
#if HEDDLE_SLOW_CHECKS
#define SIZE(normal, slow) slow
#else
#define SIZE(normal, slow) normal
#endif

// Without assertions: some of them hold in the stronger models only.
#define PROGRAM(name, file, ...)                                               \
  TEST(name) {                                                                 \
    static const char *const flags[] = {"-DNDEBUG", __VA_ARGS__};              \
    visit(file, flags, sizeof flags / sizeof *flags);                          \
  }

PROGRAM(fib, "counts/fib.c", SIZE("-DN=4", "-DN=3"))
PROGRAM(coa, "counts/coa.c", "-DK=3")
PROGRAM(big, "counts/big.c", "-DK=2")
PROGRAM(casw, "counts/casw.c", "-DN=4")
PROGRAM(eratosthenes, "counts/eratosthenes.c", "-DN=6")
PROGRAM(lastzero, "counts/lastzero.c", SIZE("-DN=10", "-DN=8"))
PROGRAM(indexer, "counts/indexer.c", SIZE("-DN=14", "-DN=12"))
PROGRAM(lockinc, "counts/lockinc.c", "-DN=5")
PROGRAM(sigma, "counts/sigma.c", "-DN=5")
PROGRAM(lamport, "mutex/lamport.c", SIZE("-DN=3", "-DN=2"))
PROGRAM(peterson, "mutex/peterson.c", "-DW=rel", "-DR=acq")
PROGRAM(szymanski, "mutex/szymanski.c", "-DROUNDS=1")
PROGRAM(dekker2, "mutex/dekker2.c", "-DN=4")
PROGRAM(spinlock, "mutex/spinlock.c", "-DN=3")
PROGRAM(ttaslock, "mutex/ttaslock.c", "-DN=3")
PROGRAM(twalock, "mutex/twalock.c", "-DN=3")
PROGRAM(rwlock, "mutex/rwlock.c", "-DW=1", "-DR=2", SIZE("-DB=1", "-DB=0"))
PROGRAM(treiber, "structures/treiber.c", "-DW=2", "-DR=2")
PROGRAM(msqueue, "structures/msqueue.c", "-DW=2", "-DR=1", "-DB=0")
PROGRAM(queue_once, "structures/queue_once.c", "-DN=0")
PROGRAM(mpmc, "structures/mpmc.c", "-DW=2", "-DR=1")
PROGRAM(bufring, "structures/bufring.c", SIZE("-DN=3", "-DN=2"))
PROGRAM(chaselev, "structures/chaselev.c", "-DA=2", "-DB=1", "-DC=1", "-DT=2",
        "-DSTEALS=2")
