// SPDX-License-Identifier: MIT
// Ranks as threads of one process (post.h): the answer is that of one process.
#include "parallel/post.h"
#include "tap.h"
#include "unit/searches.h"

// -- a search

struct told {
  unsigned findings, saved;
  uint32_t most_found;   // in what was saved
  struct frontier *kept; // where the first state that is saved is to go
  atomic_bool is_stopped;
};

struct ranks_run {
  const struct prog *prog;
  struct told *told; // of rank 0
  struct frontier *from;
  bool all_errors;
  unsigned seed;
  struct explore_result result; // of rank 0
};

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  struct told *told = arg;
  (void)vm, (void)g, (void)f;
  told->findings++;
}

static void on_earlier(void *arg) {
  (void)arg;
  CHECK(false, "errors are told at the end");
}

// By its text, as from a file.
static void on_save(void *arg, struct frontier *f) {
  struct told *told = arg;
  struct str text = {0};
  struct diag why;
  told->saved++;
  if (f->found.len > told->most_found)
    told->most_found = f->found.len;
  if (!told->kept || f->is_done || told->saved > 1)
    return;
  f->part = f->parts = 1;
  frontier_write(f, &text);
  CHECK(frontier_read(told->kept, "kept", text.at, text.len, &why), "%s",
        why.text);
  str_done(&text);
  told->is_stopped = true;
}

static struct parallel *begin_rank(void *arg, unsigned rank) {
  struct ranks_run *r = arg;
  struct vm_config vm = vm_config_default();
  struct explore_config config = {.options.model = model_find("rc11"),
                                  .options.reductions = REDUCE_DEFAULT,
                                  .options.all_errors = r->all_errors,
                                  .limits.interrupted = &r->told->is_stopped,
                                  .observer.on_finding = on_finding,
                                  .observer.on_earlier_error = on_earlier,
                                  .observer.arg = r->told};
  struct parallel_saving saving = {
      .every = 0.001, .save = on_save, .arg = r->told};
  return parallel_new(r->prog, &vm, &config, 1 + (r->seed + rank) % 2,
                      rank ? NULL : &saving, rank ? NULL : r->from);
}

static void end_rank(void *arg, unsigned rank, const struct explore_result *x) {
  struct ranks_run *r = arg;
  if (rank)
    return;
  r->result = *x;
  r->result.findings.at = NULL;
}

static struct explore_result run_ranks(const struct prog *p, unsigned n,
                                       unsigned seed, bool all_errors,
                                       struct told *told,
                                       struct frontier *from) {
  struct ranks_run r = {.prog = p,
                        .told = told,
                        .from = from,
                        .all_errors = all_errors,
                        .seed = seed};
  post_run(n, seed, begin_rank, end_rank, &r);
  return r.result;
}

static struct explore_result run_one(const struct prog *p) {
  struct vm_config vm = vm_config_default();
  struct explore_config config = {.options.model = model_find("rc11"),
                                  .options.reductions = REDUCE_DEFAULT};
  struct parallel *search = parallel_new(p, &vm, &config, 1, NULL, NULL);
  struct explore_result r = *parallel_explore(search);
  parallel_free(search);
  return r;
}

static void same_for_any_ranks(struct prog *p, uint64_t executions) {
  struct explore_result one = run_one(p);
  CHECK_EQ(one.executions, executions, "alone");
  for (unsigned n = 1; n <= MAX_RANKS; n++)
    for (unsigned seed = 0; seed < 3; seed++) {
      struct told told = {0};
      struct explore_result r = run_ranks(p, n, seed, false, &told, NULL);
      CHECK_EQ(r.verdict, VERDICT_OK, "%u ranks", n);
      CHECK_EQ(r.executions, executions, "%u ranks, seed %u", n, seed);
      CHECK_EQ(r.events_added, one.events_added, "%u ranks", n);
      CHECK_EQ(r.revisits, one.revisits, "%u ranks", n);
      CHECK(told.saved, "with checkpoints");
    }
  prog_free(p);
}

TEST(any_number_of_ranks_finds_the_same) {
  same_for_any_ranks(adders(7), 5040);
}

TEST(ranks_agree_on_the_numbers_of_threads) {
  same_for_any_ranks(families(4), 24 * 6);
}

TEST(ranks_report_an_error_once) {
  struct prog *p = failing();
  for (unsigned i = 0; i < 24; i++)
    for (unsigned all = 0; all < 2; all++) {
      struct told told = {0};
      unsigned n = 1 + i % 4;
      struct explore_result r = run_ranks(p, n, i, all, &told, NULL);
      CHECK_EQ(r.verdict, VERDICT_ERROR, "%u ranks", n);
      CHECK_EQ(r.findings.len, 1, "%u ranks", n);
      CHECK_EQ(told.findings, 1, "%u ranks", n);
      CHECK_EQ(told.most_found, 1, "%u ranks, in a checkpoint", n);
    }
  prog_free(p);
}

// Other ranks go on from a checkpoint, and count nothing twice.
TEST(ranks_go_on_from_a_checkpoint) {
  struct prog *p = adders(8);
  for (unsigned seed = 0; seed < 6; seed++) {
    struct frontier kept = {0};
    struct told first = {.kept = &kept}, second = {0};
    struct explore_result r = run_ranks(p, 3, seed, false, &first, NULL);
    CHECK(first.saved && r.limit, "it was interrupted");
    CHECK_STR(r.limit, "interrupted");
    r = run_ranks(p, 1 + seed, seed, false, &second, &kept);
    CHECK_EQ(r.verdict, VERDICT_OK, "seed %u", seed);
    CHECK_EQ(r.executions, 40320, "seed %u", seed);
  }
  prog_free(p);
}
