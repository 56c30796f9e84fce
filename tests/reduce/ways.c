// SPDX-License-Identifier: MIT
// One search in all ways to share and interrupt it: several workers; ranks,
// which are threads here and get their messages late (parallel/post.h); parts,
// some of them interrupted; runs that go on from each other's checkpoints, of
// workers or ranks. Each has the counts and findings of one explorer, and of
// the errors that end a search the one that it comes to first, at the same
// place.
//
// Programs are small, so that there are many of them. So all is looked at every
// few steps (search_limits.every), and cut there.
#include "compare.h"

#include "base/hash.h"
#include "parallel/parallel.h"
#include "parallel/post.h"

#include <stdio.h>

enum { MOST_RUNS = 5, MOST_PARTS = 7, MOST_LEARNED = 8 };

// What came out.
struct answer {
  struct explore_result counts; // no findings, and no text but these:
  char limit[200], cut[200], bound[60];
  struct hashes findings;
  bool has_error;
  struct finding error; // that ends the search,
  bool has_place;       // and
  struct explore_place place;
  uint64_t supposed; // of the program, when it was found
};

// One of the ways.
struct way {
  const struct subject *s;
  struct explore_config config;
  struct vm_config machine;
  struct assumptions assumed;  // what parts before have learned
  ARRAY(struct strings) texts; // of parts; what is assumed points to them
  const char *name;
  uint64_t dice;
  // Of the run that goes on: it ends after so many looks, if they are not 0.
  atomic_uint_fast64_t looks;
  uint64_t most_looks;
  atomic_bool is_interrupted;
  double every;    // checkpoints, in seconds; 0: one in the end
  struct str text; // the last one, if there is one
  uint32_t part, parts;
  unsigned jobs;
  struct answer answer;
};

static uint64_t draw(struct way *w, uint64_t n) {
  w->dice = hash_u64(w->dice + 1);
  return w->dice % n;
}

// -- answers

static void answer_done(struct answer *a) {
  array_done(&a->findings);
  array_done(&a->place.path);
  *a = (struct answer){0};
}

static void note(struct way *w, const struct explore_result *r) {
  struct answer *a = &w->answer;
  answer_done(a);
  a->counts = *r;
  a->counts.findings.at = NULL;
  a->counts.limit = NULL;
  snprintf(a->limit, sizeof a->limit, "%s", r->limit ? r->limit : "");
  snprintf(a->cut, sizeof a->cut, "%s", r->cut);
  snprintf(a->bound, sizeof a->bound, "%s", r->bound);
  for (uint32_t i = 0; i < r->findings.len; i++) {
    array_push(&a->findings, subject_finding(w->s, &r->findings.at[i]));
    if (!r->findings.at[i].is_warning && !w->config.options.all_errors) {
      a->has_error = true;
      a->error = r->findings.at[i];
    }
  }
  hashes_sort(&a->findings);
}

// Where rounds of loops may race, which begins the search again, is told by two
// accesses of different executions (loops/round_races.c). One explorer may have
// met both before the error; of several, each may have met one.
static bool is_split(const struct frontier *f) {
  bool ret = false;
  for (uint32_t i = 0; i < f->learned.len; i++)
    ret |= f->learned.at[i].rounds_made.len ||
           f->learned.at[i].round_begins.len ||
           f->learned.at[i].rounds_exposed.len;
  return ret && f->learned.len > 1;
}

// The last checkpoint has the place of the error, too.
static void note_place(struct way *w, const struct frontier *f) {
  if (is_split(f))
    return;
  for (uint32_t i = 0; i < f->found.len; i++) {
    if (f->found.at[i].finding.is_warning || w->config.options.all_errors)
      continue;
    array_done(&w->answer.place.path);
    w->answer.has_place = true;
    w->answer.supposed = assume_size(&f->assumed);
    w->answer.place = (struct explore_place){.core = f->found.at[i].place.core};
    for (uint32_t k = 0; k < f->found.at[i].place.path.len; k++)
      array_push(&w->answer.place.path, f->found.at[i].place.path.at[k]);
  }
}

static void name_way(struct way *w) {
  str_add(w->s->why, "%s, %s, %s, looks every %llu, ", w->s->model->name,
          w->name, w->config.options.all_errors ? "all errors" : "first error",
          (unsigned long long)w->config.limits.every);
  reduce_print(w->config.options.reductions & ~(uint32_t)REDUCE_KEPT,
               w->s->why);
}

static bool differ(struct way *w, const char *what, uint64_t got,
                   uint64_t alone) {
  name_way(w);
  str_add(w->s->why, ": %s is %llu, alone %llu\n", what,
          (unsigned long long)got, (unsigned long long)alone);
  return false;
}

static bool is_same_text(struct way *w, const char *what, const char *got,
                         const char *alone) {
  if (strcmp(got, alone) == 0)
    return true;
  name_way(w);
  str_add(w->s->why, ": %s is \"%s\", alone \"%s\"\n", what, got, alone);
  return false;
}

static bool is_same_error(struct way *w, const struct answer *alone) {
  const struct answer *a = &w->answer;
  if (a->has_error != alone->has_error)
    return differ(w, "an error", a->has_error, alone->has_error);
  if (!a->has_error)
    return true;
  if (!finding_is_same(&a->error, &alone->error))
    return differ(w, "the kind of error", a->error.kind, alone->error.kind);
  // (One of several may learn what begins the search again, before another one
  // comes to the error that is in front of that.)
  if (a->has_place && alone->has_place && a->supposed == alone->supposed &&
      explore_place_compare(&a->place, &alone->place) != 0)
    return differ(w, "the length of the way to the error", a->place.path.len,
                  alone->place.path.len);
  return true;
}

static bool is_same(struct way *w, const struct answer *alone) {
  const struct explore_result *x = &w->answer.counts, *y = &alone->counts;
  // Who justifies executions may know less of memory than others did when it
  // begins; what it does not look at for that is told.
  if (w->s->model->justifier && strcmp(w->answer.limit, alone->limit) != 0)
    return true;
  if (x->verdict != y->verdict)
    return differ(w, "the verdict", x->verdict, y->verdict);
  if (!is_same_text(w, "the limit", w->answer.limit, alone->limit))
    return false;
  if (alone->has_error || w->answer.has_error)
    return is_same_error(w, alone); // who has come how far then, is not
  if (!hashes_same(&w->answer.findings, &alone->findings))
    return differ(w, "how many are found", w->answer.findings.len,
                  alone->findings.len);
#define COUNT(field, ...)                                                      \
  if (x->field != y->field)                                                    \
    return differ(w, #field, x->field, y->field);
#include "explore/counts.def"
#undef COUNT
  if (x->stands_for != y->stands_for)
    return differ(w, "stands_for", x->stands_for, y->stands_for);
  if (x->max_graph != y->max_graph)
    return differ(w, "max_graph", x->max_graph, y->max_graph);
  if (x->leaves_buffering != y->leaves_buffering)
    return differ(w, "leaves_buffering", x->leaves_buffering,
                  y->leaves_buffering);
  if (x->leaves_rounds != y->leaves_rounds)
    return differ(w, "leaves_rounds", x->leaves_rounds, y->leaves_rounds);
  if (x->left_waiting != y->left_waiting || x->nleft_at != y->nleft_at)
    return differ(w, "left_waiting", x->left_waiting, y->left_waiting);
  return is_same_text(w, "the bound", w->answer.bound, alone->bound) &&
         (!w->answer.cut[0] == !alone->cut[0] ||
          is_same_text(w, "the cut", w->answer.cut, alone->cut));
}

// -- runs

static void on_progress(void *arg, const struct explore_result *so_far) {
  struct way *w = arg;
  (void)so_far;
  if (++w->looks == w->most_looks)
    w->is_interrupted = true;
}

static void on_nothing(void *arg) {
  (void)arg;
}

static void on_save(void *arg, struct frontier *f) {
  struct way *w = arg;
  f->part = w->part;
  f->parts = w->parts;
  str_done(&w->text);
  frontier_write(f, &w->text);
}

static void read_text(const struct str *text, struct frontier *ret) {
  struct diag why;
  if (!frontier_read(ret, "a frontier", text->at, text->len, &why))
    fatal_internal(__FILE__, __LINE__, why.text);
}

// From the text, if there is one.
static struct parallel *begin(struct way *w, unsigned jobs) {
  struct frontier from = {0};
  struct parallel_saving saving = {
      .every = w->every, .save = on_save, .arg = w};
  bool is_saved = !model_guesses(w->s->model);
  if (w->text.len)
    read_text(&w->text, &from);
  w->config.assumed = &w->assumed;
  w->config.limits.interrupted = &w->is_interrupted;
  w->looks = 0;
  w->is_interrupted = false;
  return parallel_new(w->s->prog, &w->machine, &w->config, jobs,
                      is_saved ? &saving : NULL, w->text.len ? &from : NULL);
}

static void end(struct way *w, const struct explore_result *r) {
  note(w, r);
  if (w->text.len && !r->limit) {
    struct frontier f;
    read_text(&w->text, &f);
    note_place(w, &f);
    frontier_done(&f);
  }
}

static void run_jobs(struct way *w, unsigned jobs) {
  struct parallel *p = begin(w, jobs);
  end(w, parallel_explore(p));
  parallel_free(p);
}

static struct parallel *begin_rank(void *arg, unsigned rank) {
  struct way *w = arg;
  if (!rank)
    return begin(w, w->jobs);
  return parallel_new(w->s->prog, &w->machine, &w->config,
                      1 + (w->jobs + rank) % 2, NULL, NULL);
}

static void end_rank(void *arg, unsigned rank, const struct explore_result *r) {
  if (!rank)
    end(arg, r);
}

static void run_ranks(struct way *w, unsigned ranks, unsigned jobs) {
  w->jobs = jobs;
  post_run(ranks, (unsigned)draw(w, 1000), begin_rank, end_rank, w);
}

// ---- the ways

// Until one comes to the end; the last one shows that again.
static void in_runs(struct way *w, uint64_t looks) {
  for (unsigned i = 0; i <= MOST_RUNS; i++) {
    w->most_looks =
        i < MOST_RUNS && draw(w, 6) ? 1 + draw(w, 1 + looks / 2) : 0;
    w->every = draw(w, 2) ? 1e-9 : 3600;
    if (draw(w, 3))
      run_jobs(w, 1 + (unsigned)draw(w, 3));
    else
      run_ranks(w, 2 + (unsigned)draw(w, 2), 1 + (unsigned)draw(w, 2));
  }
}

struct parts {
  struct frontier all[MOST_PARTS];
  uint32_t n;
};

static void part_done(struct way *w, struct frontier *f) {
  array_push(&w->texts, f->texts);
  f->texts = (struct strings){0};
  frontier_done(f);
}

static void parts_done(struct way *w, struct parts *p) {
  for (uint32_t i = 0; i < p->n; i++)
    part_done(w, &p->all[i]);
}

// False: it was over before, or an error was met, not always the first: then
// the command makes a check of it, too.
static bool split(struct way *w, struct parts *ret) {
  struct frontier f;
  str_done(&w->text);
  w->most_looks = 0;
  w->every = 0;
  w->part = w->parts = 1;
  struct parallel *p = begin(w, 1);
  parallel_split(p, 1 + draw(w, draw(w, 2) ? 8 : 400));
  parallel_free(p);
  if (!w->text.len) {
    run_jobs(w, 1);
    return false;
  }
  read_text(&w->text, &f);
  ret->n = 1 + (uint32_t)draw(w, MOST_PARTS);
  frontier_split(&f, ret->n, ret->all);
  part_done(w, &f);
  return true;
}

static void run_part(struct way *w, struct frontier *part, uint64_t looks) {
  w->part = part->part;
  w->parts = part->parts;
  str_done(&w->text);
  frontier_write(part, &w->text);
  frontier_done(part);
  while (draw(w, 3) == 0) {
    w->most_looks = 1 + draw(w, 1 + looks / 4);
    w->every = draw(w, 2) ? 1e-9 : 3600;
    run_jobs(w, 1 + (unsigned)draw(w, 2));
  }
  w->most_looks = 0;
  run_jobs(w, 1 + (unsigned)draw(w, 2));
  read_text(&w->text, part);
  check(part->is_done);
}

// What all have learned; false: some did not know it.
static bool learn(struct way *w, const struct frontier *whole) {
  bool is_known = true;
  for (uint32_t i = 0; i < whole->learned.len; i++)
    assume_join(&w->assumed, &whole->learned.at[i]);
  for (uint32_t i = 0; i < whole->learned.len; i++)
    is_known &= assume_knows(&whole->learned.at[i], &w->assumed);
  return is_known;
}

// As `heddle merge`: the whole is a search that is over.
static bool merge(struct way *w, struct parts *p) {
  struct frontier whole = {0};
  bool ok = true;
  for (uint32_t i = 0; i < p->n; i++)
    ok &= frontier_join(&whole, &p->all[i]);
  if (!ok) {
    frontier_done(&whole);
    fatal_internal(__FILE__, __LINE__, "threads have two numbers");
  }
  frontier_keep_first_error(&whole, w->config.options.all_errors);
  bool is_known = learn(w, &whole);
  whole.is_done = true;
  w->part = w->parts = 1;
  str_done(&w->text);
  frontier_write(&whole, &w->text);
  frontier_done(&whole);
  if (is_known)
    run_jobs(w, 1);
  return is_known;
}

static void in_parts(struct way *w, uint64_t looks) {
  bool is_known = false;
  for (unsigned i = 0; i < MOST_LEARNED && !is_known; i++) {
    struct parts p = {0};
    if (!split(w, &p))
      return;
    for (uint32_t k = p.n; k-- > 0;) {
      struct frontier *other = &p.all[draw(w, k + 1)], part = p.all[k];
      p.all[k] = *other;
      *other = part;
      run_part(w, &p.all[k], looks);
    }
    is_known = merge(w, &p);
    parts_done(w, &p);
  }
  check(is_known);
}

static struct way way_begin(const struct subject *s, uint32_t set,
                            uint64_t dice) {
  struct way w = {.s = s,
                  .config = subject_config(s, s->model, set),
                  .machine = subject_machine(s),
                  .dice = dice,
                  .part = 1,
                  .parts = 1};
  w.config.options.all_errors = dice & 1;
  w.config.limits.every = (uint64_t[]){1, 2, 5, 16}[dice >> 1 & 3];
  w.config.limits.max_time = 0;
  w.config.observer.on_progress = on_progress;
  w.config.observer.on_begin_again = on_nothing;
  w.config.observer.on_earlier_error = on_nothing;
  return w;
}

static bool way_end(struct way *w, const struct answer *alone) {
  bool ok = is_same(w, alone);
  answer_done(&w->answer);
  assume_done(&w->assumed);
  for (uint32_t i = 0; i < w->texts.len; i++)
    strings_done(&w->texts.at[i]);
  array_done(&w->texts);
  str_done(&w->text);
  return ok;
}

// The place of an error is told by checkpoints alone.
static bool explore_alone(const struct subject *s, uint32_t set, uint64_t dice,
                          struct answer *ret, uint64_t *looks) {
  struct way w = way_begin(s, set, dice), saved = way_begin(s, set, dice);
  struct vm *vm = vm_new(s->prog, &w.machine);
  w.config.observer.arg = &w;
  struct explorer *x = explorer_new(s->prog, vm, &w.config);
  note(&w, explore(x));
  explorer_free(x);
  vm_free(vm);
  *looks = w.looks;
  *ret = w.answer;
  if (model_guesses(s->model))
    return true;
  saved.name = "alone, saved";
  saved.config.observer.arg = &saved;
  run_jobs(&saved, 1);
  ret->has_place = saved.answer.has_place;
  ret->place = saved.answer.place;
  saved.answer.place = (struct explore_place){0};
  saved.answer.has_place = false;
  return way_end(&saved, ret);
}

bool subject_agrees_in_all_ways(struct subject *s, uint32_t set,
                                uint64_t dice) {
  struct answer alone;
  uint64_t looks;
  bool ok = explore_alone(s, set, dice, &alone, &looks);
  bool is_shared = !model_guesses(s->model);
  for (unsigned i = 0; ok && i < (is_shared ? 6 : 3); i++) {
    static const char *const names[] = {"2 jobs", "3 jobs", "5 jobs",
                                        "ranks",  "parts",  "runs"};
    struct way w = way_begin(s, set, hash_mix(dice, i));
    w.config.options.all_errors = dice & 1;
    w.config.observer.arg = &w;
    w.name = names[i];
    if (i < 3)
      run_jobs(&w, (unsigned[]){2, 3, 5}[i]);
    else if (i == 3)
      run_ranks(&w, 2 + (unsigned)draw(&w, 2), 1 + (unsigned)draw(&w, 2));
    else if (i == 4)
      in_parts(&w, looks);
    else
      in_runs(&w, looks);
    ok = way_end(&w, &alone);
  }
  answer_done(&alone);
  return ok;
}
