// SPDX-License-Identifier: MIT
// Ranks as threads of one process: a carrier that delivers messages late, those
// of different ranks in any order, and the answer is that of one process.
#include "parallel/ranks.h"

#include "tap.h"
#include "unit/searches.h"

#include <pthread.h>

enum { MAX_RANKS = 6 };

// -- a carrier

struct letter {
  unsigned from;
  char *bytes;
  size_t n;
};

struct post {
  pthread_mutex_t lock;
  ARRAY(struct letter) boxes[MAX_RANKS];
};

struct local {
  struct carrier carrier; // comes first
  struct post *post;
  unsigned random;
};

static unsigned draw(struct local *l, unsigned n) {
  l->random = l->random * 1103515245u + 12345u;
  return (l->random >> 16) % n;
}

static void on_send(struct carrier *c, unsigned to, const char *bytes,
                    size_t n) {
  struct local *l = (struct local *)c;
  struct letter letter = {.from = c->rank, .bytes = xmalloc(n + 1), .n = n};
  memcpy(letter.bytes, bytes, n);
  letter.bytes[n] = 0;
  pthread_mutex_lock(&l->post->lock);
  array_push(&l->post->boxes[to], letter);
  pthread_mutex_unlock(&l->post->lock);
}

// The first letter of some rank, or none for now.
static bool on_receive(struct carrier *c, unsigned *from, char **bytes,
                       size_t *n) {
  struct local *l = (struct local *)c;
  bool is_late[MAX_RANKS] = {0}, found = false;
  pthread_mutex_lock(&l->post->lock);
  struct letter *box = l->post->boxes[c->rank].at;
  uint32_t len = l->post->boxes[c->rank].len;
  for (uint32_t i = 0; i < len && !found; i++) {
    struct letter x = box[i];
    found = !is_late[x.from] && draw(l, 3);
    is_late[x.from] = true;
    if (!found)
      continue;
    *from = x.from;
    *bytes = x.bytes;
    *n = x.n;
    memmove(&box[i], &box[i + 1], (len - i - 1) * sizeof *box);
    l->post->boxes[c->rank].len--;
  }
  pthread_mutex_unlock(&l->post->lock);
  return found;
}

// -- a search

struct told {
  unsigned findings, saved;
  uint32_t most_found;   // in what was saved
  struct frontier *kept; // where the first state that is saved is to go
  atomic_bool is_stopped;
};

struct rank {
  const struct prog *prog;
  struct local local;
  struct told *told; // of rank 0
  struct frontier *from;
  bool all_errors;
  unsigned jobs;
  struct explore_result result;
  pthread_t thread;
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

static void *explore_rank(void *arg) {
  struct rank *r = arg;
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
  bool is_root = r->local.carrier.rank == 0;
  struct parallel *search =
      parallel_new(r->prog, &vm, &config, r->jobs, is_root ? &saving : NULL,
                   is_root ? r->from : NULL);
  parallel_share(search, &r->local.carrier, 60);
  const struct explore_result *x = parallel_explore(search);
  r->result = *x;
  r->result.findings.at = NULL;
  parallel_free(search);
  return NULL;
}

static struct explore_result run_ranks(const struct prog *p, unsigned n,
                                       unsigned seed, bool all_errors,
                                       struct told *told,
                                       struct frontier *from) {
  struct post post = {0};
  struct rank ranks[MAX_RANKS] = {0};
  pthread_mutex_init(&post.lock, NULL);
  for (unsigned i = 0; i < n; i++) {
    ranks[i] = (struct rank){.prog = p,
                             .local = {.carrier = {.rank = i,
                                                   .ranks = n,
                                                   .send = on_send,
                                                   .receive = on_receive},
                                       .post = &post,
                                       .random = seed * MAX_RANKS + i},
                             .told = told,
                             .from = from,
                             .all_errors = all_errors,
                             .jobs = 1 + (seed + i) % 2};
    pthread_create(&ranks[i].thread, NULL, explore_rank, &ranks[i]);
  }
  for (unsigned i = 0; i < n; i++)
    pthread_join(ranks[i].thread, NULL);
  for (unsigned i = 0; i < n; i++) { // what nobody waits for
    while (post.boxes[i].len)
      free(array_pop(&post.boxes[i]).bytes);
    array_done(&post.boxes[i]);
  }
  pthread_mutex_destroy(&post.lock);
  return ranks[0].result;
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
  struct prog *p = adders(7);
  for (unsigned seed = 0; seed < 6; seed++) {
    struct frontier kept = {0};
    struct told first = {.kept = &kept}, second = {0};
    struct explore_result r = run_ranks(p, 3, seed, false, &first, NULL);
    CHECK(first.saved && r.limit, "it was interrupted");
    CHECK_STR(r.limit, "interrupted");
    r = run_ranks(p, 1 + seed, seed, false, &second, &kept);
    CHECK_EQ(r.verdict, VERDICT_OK, "seed %u", seed);
    CHECK_EQ(r.executions, 5040, "seed %u", seed);
  }
  prog_free(p);
}
