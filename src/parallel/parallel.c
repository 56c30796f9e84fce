// SPDX-License-Identifier: MIT
// Work stealing over the branches of the search. TruSt needs no set of visited
// graphs [POPL'22], so branches share nothing; a worker that runs dry gets the
// oldest open choice of another one as a path (explore/search/task.c) and
// follows it in its own graph. Every count is a sum over branches, and the
// branches are the same in any explorer.
//
// So is the error that is reported: the one that a single explorer comes to
// first. When a worker has found one, what comes before it in the order of the
// search (explore_place) is explored to its end, and the rest is dropped.
//
// A checkpoint is the moment when all that is left is in the queue: the workers
// bring back their open choices as tasks, the last one that comes has the
// search as a value (frontier.h), and they go on from there.
//
// Worker 0 is the calling thread and starts with the whole search. What begins
// with cores (explore/search/part.c) is a task that waits until all others are
// done.
#include "parallel/workers.h"

#include <time.h>

static const double scout_looks_every = 0.02;

// -- what workers tell while they explore

// Is all that is left of x of no interest any more?
static bool is_dropped(struct parallel *p, const struct explorer *x) {
  if (!p->has_error)
    return false;
  pthread_mutex_lock(&p->lock);
  bool ret = explorer_is_after(x, &p->error);
  pthread_mutex_unlock(&p->lock);
  return ret;
}

// Asks for a checkpoint if it is time for one. (Ranks stand still as one.)
static void look_at_clock(struct parallel *p) {
  bool is_saved = p->saving.every > 0 && !p->ranks;
  if (is_saved && !p->late)
    p->late = explore_is_late(&p->config.limits);
  if (is_saved && (p->late || parallel_now() - p->saved >= p->saving.every))
    queue_gather(&p->queue);
}

// While cores are looked for, nothing is given away.
static void on_pause_of_scout(struct worker *w, struct explorer *scout) {
  struct parallel *p = w->all;
  if (parallel_now() >= w->looked + scout_looks_every) {
    w->looked = parallel_now();
    pthread_mutex_lock(&p->lock);
    look_at_clock(p);
    pthread_mutex_unlock(&p->lock);
  }
  if (queue_is_stopped(&p->queue) || is_dropped(p, w->explorer) ||
      (queue_is_gathering(&p->queue) && !queue_stand_by(&p->queue, w->task)))
    explorer_stop(scout);
}

static void on_pause(void *arg, struct explorer *x) {
  struct worker *w = arg;
  if (x != w->explorer) {
    on_pause_of_scout(w, x);
  } else if (queue_is_stopped(&w->all->queue) || is_dropped(w->all, x)) {
    explorer_stop(x);
  } else if (queue_is_gathering(&w->all->queue)) {
    explorer_leave(x, true);
  } else if (queue_is_hungry(&w->all->queue)) {
    struct explore_task *t = explorer_give(x);
    if (t)
      queue_put(&w->all->queue, t);
  }
}

// The sum of what was done before and what the workers have told.
void workers_add_up(struct parallel *p) {
  struct explore_result *sum = &p->result;
#define COUNT(field, ...) sum->field = 0;
#include "explore/counts.def"
#undef COUNT
  sum->stands_for = sum->witnesses = sum->free_orders = 0;
  result_add(sum, &p->before.done);
  for (unsigned i = 0; i < p->jobs; i++)
    result_add(sum, &p->workers[i].known);
}

double parallel_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void on_progress(void *arg, const struct explore_result *so_far) {
  struct worker *w = arg;
  struct parallel *p = w->all;
  pthread_mutex_lock(&p->lock);
  w->known = *so_far;
  workers_add_up(p);
  if (p->config.observer.on_progress) {
    p->told = p->result;
    result_add(&p->told, &p->elsewhere);
    p->config.observer.on_progress(p->config.observer.arg, &p->told);
  }
  look_at_clock(p);
  pthread_mutex_unlock(&p->lock);
}

// Is there nothing new in f?
static bool is_known(const struct parallel *p, const struct finding *f) {
  for (uint32_t i = 0; i < p->result.findings.len; i++)
    if (finding_is_same(&p->result.findings.at[i], f))
      return true;
  return false;
}

bool parallel_ends_with(const struct parallel *p, const struct finding *f) {
  return !f->is_warning && !p->config.options.all_errors;
}

void parallel_forget_findings(struct parallel *p, bool but_warnings) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < p->result.findings.len; i++) {
    if (but_warnings && p->result.findings.at[i].is_warning) {
      p->result.findings.at[kept] = p->result.findings.at[i];
      p->places.at[kept++] = p->places.at[i];
    } else {
      array_done(&p->places.at[i].path);
    }
  }
  p->result.findings.len = p->places.len = kept;
}

void parallel_keep_finding(struct parallel *p, const struct finding *f,
                           const struct explorer *x) {
  array_push(&p->result.findings, *f);
  array_last(&p->result.findings)->how = NULL; // they do not last
  array_last(&p->result.findings)->again = NULL;
  explorer_place(x, array_extend(&p->places, 1));
}

// The error that was told last is none of the answer.
static void forget_error(struct parallel *p) {
  parallel_forget_findings(p, /*but_warnings=*/true);
  if (!p->ranks)
    p->config.observer.on_earlier_error(p->config.observer.arg);
  array_done(&p->error.path);
  p->has_error = false;
}

bool parallel_is_first_error(struct parallel *p,
                             const struct explore_place *place) {
  if (p->is_in_vain)
    return false;
  if (p->has_error && (p->config.options.any_error ||
                       explore_place_compare(place, &p->error) >= 0))
    return false;
  if (p->has_error)
    forget_error(p);
  place_copy(&p->error, place);
  p->has_error = true;
  return true;
}

// The error of a worker that ends the search. True: it is the first one that is
// known so far, and has taken the place of the one before.
static bool is_first_error(struct parallel *p, const struct worker *w) {
  struct explore_place here;
  explorer_place(w->explorer, &here);
  bool ret = parallel_is_first_error(p, &here);
  array_done(&here.path);
  return ret;
}

static void on_finding(void *arg, struct vm *vm, const struct graph *g,
                       const struct finding *f) {
  const struct worker *w = arg;
  struct parallel *p = w->all;
  pthread_mutex_lock(&p->lock);
  bool is_new =
      parallel_ends_with(p, f) ? is_first_error(p, w) : !is_known(p, f);
  if (is_new)
    parallel_keep_finding(p, f, w->explorer);
  if ((is_new || p->config.options.repeats) && p->config.observer.on_finding &&
      !p->ranks) // these are told at the end
    p->config.observer.on_finding(p->config.observer.arg, vm, g, f);
  pthread_mutex_unlock(&p->lock);
}

static void on_execution(void *arg, struct vm *vm, const struct graph *g,
                         bool is_blocked) {
  const struct worker *w = arg;
  struct parallel *p = w->all;
  pthread_mutex_lock(&p->lock);
  p->config.observer.on_execution(p->config.observer.arg, vm, g, is_blocked);
  pthread_mutex_unlock(&p->lock);
}

// -- workers

static struct explore_config config_of_worker(struct worker *w) {
  struct explore_config c = w->all->config;
  if (!w->all->team)
    return c;
  c.observer.on_progress = on_progress;
  c.observer.on_finding = on_finding;
  c.observer.on_execution = c.observer.on_execution ? on_execution : NULL;
  c.observer.on_pause = on_pause;
  c.observer.on_begin_again = NULL; // the caller is told when all have stopped
  c.team = w->all->team;
  c.assumed = &w->all->assumed;
  c.observer.arg = w;
  if (w->all->ranks || // who stands still to end
      (w->all->saving.save && w->all->saving.every > 0)) { // it ends with one
    c.limits.is_timed = c.limits.max_time > 0 || c.limits.max_wall > 0;
    c.limits.max_time = c.limits.max_wall = 0;
    c.limits.max_memory = 0;
    c.limits.interrupted = NULL;
  }
  return c;
}

static void hire(struct worker *w) {
  struct explore_config c = config_of_worker(w);
  w->vm = vm_new(w->all->prog, &w->all->vm);
  w->explorer = explorer_new(w->all->prog, w->vm, &c);
}

// Is the search over although something is left: an error that may be any, a
// limit, something that all have to know?
bool workers_end_early(struct parallel *p, const struct explorer *x) {
  return explorer_result(x)->limit || explorer_begins_again(x) ||
         (p->has_error && p->config.options.any_error);
}

void parallel_know_core(struct parallel *p, struct core *c) {
  pthread_mutex_lock(&p->lock);
  cores_know(&p->cores, c);
  pthread_mutex_unlock(&p->lock);
}

struct core *parallel_core(struct parallel *p, uint32_t number) {
  pthread_mutex_lock(&p->lock);
  struct core *ret = cores_find(&p->cores, number);
  pthread_mutex_unlock(&p->lock);
  return ret;
}

static bool is_too_late(struct parallel *p, const struct explore_task *t) {
  if (!t || !p->has_error)
    return false;
  pthread_mutex_lock(&p->lock);
  bool ret = explore_task_is_after(t, &p->error);
  pthread_mutex_unlock(&p->lock);
  return ret;
}

void workers_put_cores(struct parallel *p) {
  if (p->team && model_guesses(p->config.options.model))
    queue_put_last(&p->queue, explore_task_of_core(NULL));
}

void workers_bring_back(struct worker *w) {
  struct explore_task *t;
  while ((t = explorer_give_core(w->explorer)) != NULL) {
    parallel_know_core(w->all, t->core);
    queue_put(&w->all->queue, t);
  }
  while (explorer_is_leaving(w->explorer) &&
         (t = explorer_give(w->explorer)) != NULL)
    queue_put(&w->all->queue, t);
  explorer_leave(w->explorer, false);
}

// One explorer alone would have come to this place first, and have begun again,
// or to the error, and have stopped there. False: the latter.
static bool begins_again_first(struct parallel *p, const struct explorer *x) {
  struct explore_place here;
  if (p->is_part || p->config.options.any_error)
    return true;
  explorer_place(x, &here);
  pthread_mutex_lock(&p->lock);
  bool ret = !p->has_error || explore_place_compare(&here, &p->error) < 0;
  if (ret && p->has_error)
    forget_error(p);
  p->is_in_vain |= ret;
  pthread_mutex_unlock(&p->lock);
  array_done(&here.path);
  return ret;
}

// What it has learned is about what comes after the error.
static void hire_another(struct worker *w) {
  explorer_free(w->explorer);
  vm_free(w->vm);
  hire(w);
}

// By all, as far as that is known here.
static uint64_t events_added(struct parallel *p) {
  pthread_mutex_lock(&p->lock);
  workers_add_up(p);
  uint64_t ret = p->result.events_added + p->elsewhere.events_added;
  pthread_mutex_unlock(&p->lock);
  return ret;
}

void workers_work(struct worker *w, struct explore_task *t) {
  if (is_too_late(w->all, t)) {
    explore_task_free(t);
    return;
  }
  w->task = t;
  if (t && explore_task_finds_cores(t))
    explorer_note_work(w->explorer, events_added(w->all));
  if (!explore_part(w->explorer, t)) {
    if (explorer_begins_again(w->explorer) &&
        !begins_again_first(w->all, w->explorer))
      hire_another(w);
    else if (workers_end_early(w->all, w->explorer))
      queue_stop(&w->all->queue);
  }
  explore_task_free(t);
  w->task = NULL;
  workers_bring_back(w);
  pthread_mutex_lock(&w->all->lock);
  w->known = *explorer_result(w->explorer);
  pthread_mutex_unlock(&w->all->lock);
}

static void *run_worker(void *arg) {
  struct worker *w = arg;
  struct explore_task *t;
  if (w->begins) {
    workers_put_cores(w->all);
    workers_work(w, NULL);
  }
  w->begins = false;
  while ((t = queue_take(&w->all->queue)))
    workers_work(w, t);
  w->all->running--;
  return NULL;
}

// Where the system gives no more threads, fewer workers do it as well.
static void start_worker(struct worker *w) {
  w->all->running++;
  w->is_started = pthread_create(&w->thread, NULL, run_worker, w) == 0;
  if (w->is_started)
    return;
  w->all->running--;
  queue_leave(&w->all->queue);
}

void workers_start(struct parallel *p, unsigned first) {
  for (unsigned i = first; i < p->jobs; i++)
    start_worker(&p->workers[i]);
}

void workers_join(struct parallel *p) {
  for (unsigned i = 0; i < p->jobs; i++) {
    if (p->workers[i].is_started)
      pthread_join(p->workers[i].thread, NULL);
    p->workers[i].is_started = false;
  }
}

// What all explorers have learned that took part so far, each for itself.
static assumption_list gather_learned(const struct parallel *p) {
  assumption_list all = {0};
  for (unsigned i = 0; i < p->jobs; i++)
    array_push(&all, explorer_learned(p->workers[i].explorer));
  for (uint32_t i = 0; i < p->before.learned.len; i++)
    assume_join(array_extend(&all, 1), &p->before.learned.at[i]);
  return all;
}

static void learned_done(assumption_list *all) {
  for (uint32_t i = 0; i < all->len; i++)
    assume_done(&all->at[i]);
  array_done(all);
}

// -- checkpoints

void parallel_freeze(struct parallel *p, struct frontier *ret) {
  *ret = (struct frontier){.done = p->result, .learned = gather_learned(p)};
  assume_join(&ret->assumed, &p->assumed);
  explore_team_threads(p->team, &ret->threads);
  for (uint32_t i = 0; i < p->result.findings.len; i++)
    frontier_add_finding(ret, &p->result.findings.at[i], &p->places.at[i]);
  for (uint32_t i = 0; i < p->queue.ready.len; i++)
    array_push(&ret->tasks, p->queue.ready.at[i]);
  if (p->queue.last)
    array_push(&ret->tasks, p->queue.last);
  for (uint32_t i = 0; i < p->queue.held.len; i++)
    array_push(&ret->tasks, (struct explore_task *)p->queue.held.at[i]);
  for (uint32_t i = 0; i < p->cores.len; i++)
    array_push(&ret->cores, core_share(p->cores.at[i]));
}

void parallel_save(struct parallel *p, bool is_done) {
  struct frontier f;
  parallel_freeze(p, &f);
  f.is_done = is_done;
  if (is_done)
    f.tasks.len = 0;
  p->saving.save(p->saving.arg, &f);
  array_done(&f.tasks); // they stay where they are
  frontier_done(&f);
}

static void on_gathered(void *arg) {
  struct parallel *p = arg;
  pthread_mutex_lock(&p->lock);
  workers_add_up(p);
  bool is_left = p->queue.ready.len || p->queue.last || p->queue.held.len;
  if (is_left && !p->has_error)
    parallel_save(p, /*is_done=*/false);
  if (p->late && is_left)
    p->queue.is_stopped = true;
  p->saved = parallel_now();
  pthread_mutex_unlock(&p->lock);
}

void workers_hire(struct parallel *p) {
  const struct frontier *b = &p->before;
  if (p->jobs > 1 || p->saving.save || p->is_resumed || p->ranks)
    p->team =
        explore_team_new(&b->threads, b->done.executions + b->done.blocked);
  p->workers = xcalloc(p->jobs, sizeof *p->workers);
  queue_init(&p->queue, p->jobs);
  p->running = 0;
  if (p->ranks)
    ranks_agree(p->ranks);
  p->queue.gathered = on_gathered;
  p->queue.arg = p;
  for (unsigned i = 0; i < p->jobs; i++) {
    struct worker *w = &p->workers[i];
    w->all = p;
    hire(w);
  }
}

void workers_dismiss(struct parallel *p) {
  for (unsigned i = 0; i < p->jobs; i++) {
    explorer_free(p->workers[i].explorer);
    vm_free(p->workers[i].vm);
  }
  free(p->workers);
  explore_team_free(p->team);
  queue_done(&p->queue);
}

static bool knows_all(const assumption_list *learned,
                      const struct assumptions *all) {
  bool ret = true;
  for (uint32_t i = 0; i < learned->len; i++)
    ret &= assume_knows(&learned->at[i], all);
  return ret;
}

// If those who came before did not all know what they have learned together,
// what they have done is in vain. (Of a part, or of what has ended, nothing
// begins again: the ways to its places and findings are those of the search
// that it comes from, which has begun with less.)
static void resume(struct parallel *p, struct frontier *from) {
  struct assumptions all = {0};
  assume_join(&p->assumed, &from->assumed);
  assume_join(&all, &p->assumed);
  for (uint32_t i = 0; i < from->learned.len; i++)
    assume_join(&all, &from->learned.at[i]);
  p->is_part = from->parts > 1;
  bool has_ended = p->is_part || from->is_done;
  p->is_resumed = has_ended || knows_all(&from->learned, &all);
  if (!has_ended)
    assume_join(&p->assumed, &all);
  assume_done(&all);
  array_push(&p->texts, from->texts); // assumptions point to them
  from->texts = (struct strings){0};
  for (uint32_t i = 0; p->is_resumed && i < from->cores.len; i++)
    parallel_know_core(p, from->cores.at[i]);
  if (p->is_resumed)
    p->before = *from;
  else
    frontier_done(from);
  *from = (struct frontier){0};
}

struct parallel *parallel_new(const struct prog *p, const struct vm_config *vm,
                              const struct explore_config *config,
                              unsigned jobs, const struct parallel_saving *s,
                              struct frontier *from) {
  check(jobs >= 1 && jobs <= MAX_JOBS);
  struct parallel *all = xcalloc(1, sizeof *all);
  all->prog = p;
  all->vm = *vm;
  all->vm.sharers = jobs;
  all->config = *config;
  all->config.options.any_error |= !config->observer.on_earlier_error;
  explore_start_clocks(&all->config.limits);
  all->jobs = jobs;
  if (s)
    all->saving = *s;
  all->saved = parallel_now();
  if (config->assumed)
    assume_join(&all->assumed, config->assumed);
  pthread_mutex_init(&all->lock, NULL);
  if (from)
    resume(all, from);
  workers_hire(all);
  return all;
}

void parallel_free(struct parallel *p) {
  workers_dismiss(p);
  ranks_free(p->ranks);
  assume_done(&p->assumed);
  array_done(&p->error.path);
  pthread_mutex_destroy(&p->lock);
  parallel_forget_findings(p, /*but_warnings=*/false);
  array_done(&p->result.findings);
  array_done(&p->places);
  frontier_done(&p->before);
  cores_drop(&p->cores);
  for (uint32_t i = 0; i < p->texts.len; i++)
    strings_done(&p->texts.at[i]);
  array_done(&p->texts);
  free(p);
}

void workers_take_up(struct parallel *p) {
  for (uint32_t i = 0; i < p->before.tasks.len; i++) {
    struct explore_task *t = p->before.tasks.at[i];
    if (explore_task_finds_cores(t))
      queue_put_last(&p->queue, t);
    else
      queue_put(&p->queue, t);
  }
  p->before.tasks.len = 0;
}

static void explore_together(struct parallel *p) {
  bool is_whole = !p->is_resumed;
  workers_take_up(p);
  workers_start(p, 1);
  p->workers[0].begins = is_whole;
  p->running++;
  run_worker(&p->workers[0]);
  workers_join(p);
  workers_add_up(p);
}

// Is there nothing more to find?
bool parallel_is_over(const struct parallel *p) {
  return p->result.limit || (explore_verdict(&p->result) == VERDICT_ERROR &&
                             !p->config.options.all_errors);
}

bool parallel_join_learned(struct parallel *p, const assumption_list *learned,
                           bool begins_again, bool is_over) {
  struct assumptions all = {0};
  assume_join(&all, &p->assumed);
  for (uint32_t i = 0; i < learned->len; i++)
    assume_join(&all, &learned->at[i]);
  bool is_again = !is_over && (begins_again || !knows_all(learned, &all));
  check(!is_again || // else it has no end
        assume_size(&all) > assume_size(&p->assumed));
  p->result.asymmetry = all.asymmetry;
  if (!is_over)
    assume_join(&p->assumed, &all);
  assume_done(&all);
  return is_again;
}

bool parallel_learn(struct parallel *p) {
  assumption_list learned = gather_learned(p);
  bool begins_again = false;
  for (unsigned i = 0; i < p->jobs; i++)
    begins_again |= explorer_begins_again(p->workers[i].explorer);
  bool is_again =
      parallel_join_learned(p, &learned, begins_again, parallel_is_over(p));
  learned_done(&learned);
  return is_again;
}

// All is counted anew. What was found with equal threads stays found; what was
// told of executions, or with rounds left out or memory cut otherwise, is told
// once more.
void parallel_begin_again(struct parallel *p) {
  struct explore_result kept = {.findings = {p->result.findings.at,
                                             p->result.findings.len,
                                             p->result.findings.cap}};
  // (Places of findings, by which other ranks and later runs find them, mean
  // nothing any more.)
  if (p->config.observer.on_execution || p->ranks || p->saving.save ||
      assume_refutes_symmetry(&p->assumed)) {
    if (p->config.observer.on_begin_again)
      p->config.observer.on_begin_again(p->config.observer.arg);
    parallel_forget_findings(p, /*but_warnings=*/false);
    kept.findings.len = 0;
  }
  p->result = kept;
  array_done(&p->error.path);
  cores_drop(&p->cores);
  frontier_done(&p->before); // its part is in vain, too
  p->is_resumed = false;
  p->has_error = p->is_in_vain = false;
  workers_dismiss(p);
  workers_hire(p);
}

const struct explore_result *parallel_explore(struct parallel *p) {
  if (p->ranks)
    return ranks_explore(p);
  if (!p->team)
    return explore(p->workers[0].explorer);
  for (uint32_t i = 0; i < p->before.found.len; i++)
    parallel_show_again(p, &p->before.found.at[i].finding,
                        &p->before.found.at[i].place);
  explore_together(p);
  while (!p->is_part && parallel_learn(p)) {
    parallel_begin_again(p);
    explore_together(p);
  }
  if (p->is_part)
    p->result.asymmetry = p->assumed.asymmetry;
  if (p->queue.is_stopped && p->late && !p->result.limit)
    p->result.limit = p->late;
  if (p->saving.save && !p->result.limit)
    parallel_save(p, /*is_done=*/true);
  p->result.verdict = explore_verdict(&p->result);
  return &p->result;
}

struct assumptions parallel_learned(const struct parallel *p) {
  if (!p->team)
    return explorer_learned(p->workers[0].explorer);
  struct assumptions all = {0};
  assume_join(&all, &p->assumed);
  return all;
}

struct vm_stats parallel_vm_stats(const struct parallel *p) {
  struct vm_stats sum = {0};
  for (unsigned i = 0; i < p->jobs; i++) {
    struct vm_stats s = vm_stats(p->workers[i].vm);
    sum.states += s.states;
    sum.transient += s.transient;
    sum.misses += s.misses;
    sum.bytes += s.bytes;
  }
  return sum;
}
