// SPDX-License-Identifier: MIT
// One search in several processes. Each rank has workers and a queue of its
// own, and one thread, the one that called, that answers messages:
//
// - A rank that has run dry asks another one, at random, for a task, and gets
//   one or is told that there is none; nothing stands between them.
// - When all have run dry, none knows it; a token goes round and adds up the
//   tasks that were sent and arrived [Safra, EWD 998]. That is only a hint.
// - Whatever is to happen to all of the search happens while it stands still:
//   rank 0 has all of them bring back what they have, gets it as a frontier
//   from each, and waits until as many tasks have arrived as were sent. Then
//   the frontiers together are the search as a value, as in a checkpoint of one
//   process. Rank 0 writes it to a file; or all go on; or there is nothing left
//   in it and it is the result; or one did not know what others have
//   learned, and all begin again (an *epoch*), knowing it.
//
// So a task is in one frontier, in a message, or with a worker, and a search is
// over only if all of them were seen to have none. If a rank is lost, the
// search never stands still again, and rank 0 can only end as incomplete
// (silent.c); what was saved before is whole.
//
// The numbers of threads, on which all must agree (explore/search/team.c), are
// given by rank 0. A message of an epoch that has not begun here waits for it.
#include "parallel/rank.h"

#include <stdio.h>
#include <time.h>

static const double late_every = 0.02;

// ---- messages

void ranks_send(struct ranks *r, unsigned to, struct message *m) {
  struct str text = {0};
  m->epoch = r->epoch;
  message_write(m, &text);
  r->carrier->send(r->carrier, to, text.at, text.len);
  str_done(&text);
}

void ranks_send_kind(struct ranks *r, unsigned to, enum message_kind kind) {
  ranks_send(r, to, &(struct message){.kind = kind});
}

void ranks_send_all(struct ranks *r, struct message *m) {
  for (unsigned i = 0; i < r->carrier->ranks; i++)
    if (i != r->carrier->rank)
      ranks_send(r, i, m);
}

void ranks_send_kind_to_all(struct ranks *r, enum message_kind kind) {
  ranks_send_all(r, &(struct message){.kind = kind});
}

// ---- the numbers of threads

// Called by workers; waits for the thread that answers messages.
static void on_agree(void *arg, struct child c) {
  struct ranks *r = arg;
  pthread_mutex_lock(&r->lock);
  array_push(&r->wanted, c);
  while (!explore_team_knows(r->p->team, c))
    pthread_cond_wait(&r->agreed, &r->lock);
  pthread_mutex_unlock(&r->lock);
}

void ranks_agree(struct ranks *r) {
  explore_team_agree(r->p->team, on_agree, r);
}

static void learn_threads(struct ranks *r, const thread_list *all) {
  pthread_mutex_lock(&r->lock);
  explore_team_learn(r->p->team, all);
  pthread_cond_broadcast(&r->agreed);
  pthread_mutex_unlock(&r->lock);
}

// Rank 0 gives the next number to a thread that has none.
static void number_thread(struct ranks *r, struct child c,
                          thread_list *threads) {
  explore_team_threads(r->p->team, threads);
  if (explore_team_knows(r->p->team, c))
    return;
  array_push(threads, c);
  learn_threads(r, threads);
}

void ranks_serve_workers(struct ranks *r) {
  pthread_mutex_lock(&r->lock);
  thread_list wanted = r->wanted;
  r->wanted = (thread_list){0};
  pthread_mutex_unlock(&r->lock);
  for (uint32_t i = 0; i < wanted.len; i++) {
    struct child c = wanted.at[i];
    thread_list threads = {0};
    if (ranks_is_root(r))
      number_thread(r, c, &threads);
    else
      ranks_send(
          r, 0,
          &(struct message){.kind = MESSAGE_CHILD, .a = c.parent, .b = c.nth});
    array_done(&threads);
  }
  array_done(&wanted);
}

static void answer_child(struct ranks *r, unsigned from,
                         const struct message *m) {
  struct message answer = {.kind = MESSAGE_THREADS};
  struct child c = {.parent = (thread_id)m->a, .nth = (uint32_t)m->b};
  number_thread(r, c, &answer.more.threads);
  ranks_send(r, from, &answer);
  frontier_done(&answer.more);
}

// ---- epochs

void ranks_end_workers(struct ranks *r) {
  queue_stop(&r->p->queue);
  workers_join(r->p);
}

static void start_workers(struct ranks *r) {
  struct parallel *p = r->p;
  queue_hold(&p->queue);
  workers_take_up(p);
  workers_start(p, 0);
}

// What is about one epoch alone.
static void forget_epoch(struct ranks *r) {
  r->is_gathering = r->is_still = false;
  r->has_told_halt = r->has_told_error = false;
  r->has_token = ranks_is_root(r);
  r->is_black = false;
  r->is_token_black = true; // rank 0 sends it round first
  r->token = 0;
  r->askers.len = 0;
  r->wants_gathering = false;
  r->p->elsewhere = (struct explore_result){0};
  array_done(&r->told_error.path);
}

const char *ranks_keep_text(struct ranks *r, const char *text) {
  struct strings texts = {0};
  const char *ret = strings_get(&texts, strings_add(&texts, text));
  array_push(&r->p->texts, texts);
  return ret;
}

void ranks_keep_texts(struct ranks *r, struct frontier *f) {
  if (!f->texts.text.len)
    return;
  array_push(&r->p->texts, f->texts);
  f->texts = (struct strings){0};
}

static void tell_begin(struct ranks *r) {
  struct message m = {.kind = MESSAGE_BEGIN};
  assume_join(&m.more.assumed, &r->p->assumed);
  explore_team_threads(r->p->team, &m.more.threads);
  ranks_send_all(r, &m);
  frontier_done(&m.more);
}

// Errors of the run that is gone on with: what comes after them is dropped.
static void note_errors_before(struct parallel *p) {
  for (uint32_t i = 0; i < p->before.found.len; i++)
    if (parallel_ends_with(p, &p->before.found.at[i].finding))
      parallel_is_first_error(p, &p->before.found.at[i].place);
}

void ranks_begin(struct ranks *r) { // rank 0
  r->epoch++;
  forget_epoch(r);
  note_errors_before(r->p);
  tell_begin(r);
  r->p->workers[0].begins = !r->p->is_resumed;
  start_workers(r);
}

static void join_epoch(struct ranks *r, struct message *m) {
  struct parallel *p = r->p;
  if (r->epoch)
    ranks_end_workers(r);
  check(m->epoch == r->epoch + 1);
  r->epoch = m->epoch;
  forget_epoch(r);
  assume_done(&p->assumed);
  assume_join(&p->assumed, &m->more.assumed);
  ranks_keep_texts(r, &m->more);
  p->is_resumed = false;
  parallel_begin_again(p);
  explore_team_learn(p->team, &m->more.threads);
  start_workers(r);
}

// ---- what ends it, or has to be told

// Something ends the search here: a limit, an error that may be any, or it has
// to begin again.
static bool tell_halt(struct ranks *r) {
  const struct search_limits *l = &r->p->config.limits;
  const char *late = NULL;
  if ((l->interrupted && *l->interrupted) ||
      parallel_now() >= r->looked + late_every) { // looking reads a file
    r->looked = parallel_now();
    late = explore_is_late(l);
  }
  if (r->has_told_halt || !r->epoch ||
      (!late && !queue_is_stopped(&r->p->queue)))
    return false;
  r->has_told_halt = true;
  if (ranks_is_root(r)) {
    r->late = late ? late : r->late;
    r->wants_gathering = true;
    return true;
  }
  struct message m = {.kind = MESSAGE_HALT};
  snprintf(m.text, sizeof m.text, "%s", late ? late : "");
  ranks_send(r, 0, &m);
  return true;
}

static void note_halt(struct ranks *r, const struct message *m) {
  r->wants_gathering = true;
  if (m->text[0] && !r->late)
    r->late = ranks_keep_text(r, m->text);
}

static void tell_error(struct ranks *r) {
  struct parallel *p = r->p;
  struct message m = {.kind = MESSAGE_ERROR};
  pthread_mutex_lock(&p->lock);
  bool is_new = p->has_error && ranks_others(r) &&
                (!r->has_told_error ||
                 explore_place_compare(&p->error, &r->told_error) != 0);
  if (is_new) {
    array_done(&r->told_error.path);
    place_copy(&r->told_error, &p->error);
    r->has_told_error = true;
    frontier_add_finding(&m.more, &(struct finding){0}, &p->error);
  }
  pthread_mutex_unlock(&p->lock);
  if (is_new)
    ranks_send_all(r, &m);
  frontier_done(&m.more);
}

// Of an error elsewhere all is known but what it is. It need not be told
// again.
static void note_error(struct ranks *r, const struct message *m) {
  struct parallel *p = r->p;
  pthread_mutex_lock(&p->lock);
  if (parallel_is_first_error(p, &m->more.found.at[0].place)) {
    array_done(&r->told_error.path);
    place_copy(&r->told_error, &p->error);
    r->has_told_error = true;
  }
  pthread_mutex_unlock(&p->lock);
}

static void tell_known(struct ranks *r) {
  struct parallel *p = r->p;
  if (parallel_now() < r->told_known + ranks_word_every(r))
    return;
  struct message m = {.kind = MESSAGE_KNOWN};
  pthread_mutex_lock(&p->lock);
  workers_add_up(p);
  m.more.done = p->result;
  pthread_mutex_unlock(&p->lock);
  ranks_send(r, 0, &m);
  frontier_done(&m.more);
  r->told_known = parallel_now();
}

static void note_known(struct ranks *r, unsigned from, struct message *m) {
  struct parallel *p = r->p;
  r->known[from] = m->more.done;
  r->known[from].asymmetry = NULL; // its text does not last
  pthread_mutex_lock(&p->lock);
  p->elsewhere = (struct explore_result){0};
  for (unsigned i = 1; i < r->carrier->ranks; i++)
    result_add(&p->elsewhere, &r->known[i]);
  pthread_mutex_unlock(&p->lock);
}

// ---- the thread that answers messages

static void handle(struct ranks *r, unsigned from, struct message *m);

static void begin_here(struct ranks *r, struct message *m) {
  join_epoch(r, m);
  struct message *at = r->later.at;
  uint32_t n = r->later.len;
  r->later.at = NULL;
  r->later.len = r->later.cap = 0;
  for (uint32_t i = 0; i < n; i++) {
    handle(r, (unsigned)at[i].from, &at[i]);
    frontier_done(&at[i].more);
  }
  free(at);
}

// It was sent before the search began again.
static void handle_old(struct ranks *r, unsigned from, struct message *m) {
  check(m->kind != MESSAGE_TASK && m->kind != MESSAGE_CHILD);
  if (m->kind == MESSAGE_ASK)
    ranks_send_kind(r, from, MESSAGE_NONE);
  else if (m->kind == MESSAGE_NONE)
    ranks_note_refusal(r);
  else if (m->kind == MESSAGE_HALT && m->text[0])
    note_halt(r, m);
}

static void handle(struct ranks *r, unsigned from, struct message *m) {
  if (m->kind == MESSAGE_BEGIN) {
    begin_here(r, m);
    return;
  }
  if (m->epoch > r->epoch) {
    m->from = from;
    array_push(&r->later, *m);
    m->more = (struct frontier){0};
    return;
  }
  if (m->epoch < r->epoch) {
    handle_old(r, from, m);
    return;
  }
  switch (m->kind) {
  case MESSAGE_GATHER:
    r->gathering = m->a;
    r->is_gathering = true;
    r->is_still = false;
    queue_gather(&r->p->queue);
    break;
  case MESSAGE_GO_ON:
    r->is_gathering = false;
    queue_go_on(&r->p->queue);
    break;
  case MESSAGE_END:
    r->is_over = true;
    ranks_end_workers(r);
    break;
  case MESSAGE_THREADS:
    learn_threads(r, &m->more.threads);
    break;
  case MESSAGE_STATE:
    ranks_note_state(r, from, m);
    break;
  case MESSAGE_KNOWN:
    note_known(r, from, m);
    break;
  case MESSAGE_HALT:
    note_halt(r, m);
    break;
  case MESSAGE_CHILD:
    answer_child(r, from, m);
    break;
  case MESSAGE_ASK:
    array_push(&r->askers, (struct asker){from, parallel_now()});
    break;
  case MESSAGE_NONE:
    ranks_note_refusal(r);
    break;
  case MESSAGE_TASK:
    ranks_take(r, m);
    break;
  case MESSAGE_ERROR:
    note_error(r, m);
    break;
  case MESSAGE_TOKEN:
    r->has_token = true;
    r->token = m->a;
    r->is_token_black = m->b;
    break;
  case MESSAGE_ALIVE:
    break;
  case MESSAGE_BEGIN:
  case MESSAGE_KINDS:
    check(false);
  }
}

static bool receive(struct ranks *r) {
  char *bytes;
  size_t n;
  unsigned from;
  bool ret = false;
  while (!r->is_over && r->carrier->receive(r->carrier, &from, &bytes, &n)) {
    struct message m;
    ranks_heard(r, from);
    message_read(&m, bytes, n);
    free(bytes);
    handle(r, from, &m);
    frontier_done(&m.more);
    ret = true;
  }
  return ret;
}

// Following the paths to where all were takes time as well: if standing still
// takes longer than was thought, it is done less often, or nothing else is.
static bool is_save_due(const struct ranks *r) {
  const struct parallel *p = r->p;
  double since = parallel_now() - p->saved;
  return p->saving.save && p->saving.every > 0 && !p->has_error &&
         since >= p->saving.every && since >= 20 * r->gathering_took;
}

static bool lead(struct ranks *r) { // rank 0
  if (r->is_gathering && ranks_all_still(r)) {
    ranks_decide(r);
    return true;
  }
  if (!r->is_gathering && (r->wants_gathering || is_save_due(r))) {
    ranks_gather(r);
    return true;
  }
  ranks_look_for_silence(r);
  return false;
}

static bool turn(struct ranks *r) {
  ranks_note_time(r);
  bool ret = receive(r);
  if (r->is_over || !r->epoch)
    return ret;
  ranks_serve_workers(r);
  tell_error(r);
  if (ranks_is_root(r))
    ranks_tell_life(r);
  else
    tell_known(r);
  ret |= tell_halt(r);
  ret |= ranks_tell_state(r);
  ret |= ranks_serve(r);
  ret |= ranks_ask(r);
  ret |= ranks_pass_token(r);
  return (ranks_is_root(r) && lead(r)) || ret;
}

static void nap(struct ranks *r) {
  bool is_short = r->is_gathering || r->askers.len || ranks_is_dry(r);
  struct timespec t = {.tv_nsec = is_short ? 100000 : 1000000};
  nanosleep(&t, NULL);
}

const struct explore_result *ranks_explore(struct parallel *p) {
  struct ranks *r = p->ranks;
  if (ranks_is_root(r))
    ranks_begin(r);
  while (!r->is_over) {
    if (!turn(r))
      nap(r);
    if (!ranks_is_root(r))
      ranks_look_for_root(r);
  }
  return &p->result;
}

// ---- beginning and end

void parallel_share(struct parallel *p, struct carrier *c, double patience) {
  struct ranks *r = xcalloc(1, sizeof *r);
  r->p = p;
  r->carrier = c;
  r->random = c->rank;
  r->states = xcalloc(c->ranks, sizeof *r->states);
  r->known = xcalloc(c->ranks, sizeof *r->known);
  r->heard = xcalloc(c->ranks, sizeof *r->heard);
  r->patience = patience;
  ranks_note_time(r);
  pthread_mutex_init(&r->lock, NULL);
  pthread_cond_init(&r->agreed, NULL);
  workers_dismiss(p);
  p->ranks = r;
  workers_hire(p);
}

bool parallel_has_lost(const struct parallel *p) {
  return p->ranks && p->ranks->is_lost;
}

void ranks_free(struct ranks *r) {
  if (!r)
    return;
  for (uint32_t i = 0; i < r->later.len; i++)
    frontier_done(&r->later.at[i].more);
  array_done(&r->later);
  array_done(&r->askers);
  array_done(&r->wanted);
  array_done(&r->told_error.path);
  for (unsigned i = 0; i < r->carrier->ranks; i++)
    frontier_done(&r->states[i].f);
  free(r->states);
  free(r->known);
  free(r->heard);
  pthread_cond_destroy(&r->agreed);
  pthread_mutex_destroy(&r->lock);
  free(r);
}
