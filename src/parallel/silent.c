// SPDX-License-Identifier: MIT
// Ranks that do not answer: killed, stopped, or behind a network that is gone.
// MPI tells of the first at most. So each rank tells rank 0 every second what
// it has counted, and rank 0 tells all others that it is there. Who has said
// nothing for long (--mpi-patience) is taken for dead. Without it the search
// never stands still again (ranks.c), so all that is left is to end it as
// incomplete with what is known, or with an error that is known; what a
// checkpoint holds is whole. Taking one for dead that is only slow costs the
// answer, but makes none wrong.
#include "parallel/rank.h"

#include <stdio.h>
#include <time.h>

// A rank that is interrupted is often killed a second later.
static const double last_words = 0.6, short_wait = 0.2;

void ranks_heard(struct ranks *r, unsigned from) {
  r->heard[from] = parallel_now();
}

// Words of others wait unread while this process itself stands still.
void ranks_note_time(struct ranks *r) {
  double now = parallel_now();
  if (now > r->turned + r->patience / 2)
    for (unsigned i = 0; i < r->carrier->ranks; i++)
      r->heard[i] = now;
  r->turned = now;
}

void ranks_tell_life(struct ranks *r) { // rank 0
  if (parallel_now() < r->told_known + ranks_word_every(r))
    return;
  ranks_send_kind_to_all(r, MESSAGE_ALIVE);
  r->told_known = parallel_now();
}

static bool end_workers(struct ranks *r, double seconds) {
  double end = parallel_now() + seconds;
  struct timespec t = {.tv_nsec = 1000000};
  queue_stop(&r->p->queue);
  while (r->p->running && parallel_now() < end) {
    ranks_serve_workers(r); // who waits for a number
    nanosleep(&t, NULL);
  }
  if (r->p->running)
    return false;
  ranks_end_workers(r);
  return true;
}

// What this rank has found, and the error that another has told the place of.
static void show_found(struct parallel *p) {
  struct frontier f = {0};
  struct explore_place error = p->error;
  bool is_here = false, has_error = p->has_error;
  for (uint32_t i = 0; i < p->result.findings.len; i++) {
    frontier_add_finding(&f, &p->result.findings.at[i], &p->places.at[i]);
    is_here |= parallel_ends_with(p, &p->result.findings.at[i]);
  }
  p->error = (struct explore_place){0};
  p->has_error = false;
  parallel_forget_findings(p, /*but_warnings=*/false);
  for (uint32_t i = 0; i < f.found.len; i++)
    parallel_show_again(p, &f.found.at[i].finding, &f.found.at[i].place);
  if (has_error && !is_here)
    parallel_show_again(p, NULL, &error);
  array_done(&error.path);
  frontier_done(&f);
}

// All that is known, without what was lost.
static void report_loss(struct ranks *r, const char *limit, double wait) {
  struct parallel *p = r->p;
  bool has_ended = end_workers(r, wait);
  pthread_mutex_lock(&p->lock);
  workers_add_up(p);
  result_add(&p->result, &p->elsewhere);
  p->result.limit = limit;
  p->result.verdict = VERDICT_INCOMPLETE;
  pthread_mutex_unlock(&p->lock);
  if (has_ended) {
    show_found(p);
    p->result.verdict = explore_verdict(&p->result);
  }
  r->is_over = r->is_lost = true;
}

static const char *about_rank(struct ranks *r, const char *when,
                              unsigned rank) {
  char text[80];
  snprintf(text, sizeof text, "%srank %u does not answer", when, rank);
  return ranks_keep_text(r, text);
}

// Does the search not come to a stand after an interruption?
static bool is_stuck(const struct ranks *r) {
  const struct search_limits *l = &r->p->config.limits;
  return r->is_gathering && l->interrupted && *l->interrupted &&
         parallel_now() - r->gathering_since > last_words;
}

void ranks_look_for_silence(struct ranks *r) { // rank 0
  unsigned silent = 0;
  for (unsigned i = 1; i < r->carrier->ranks && !silent; i++)
    if (parallel_now() > r->heard[i] + r->patience)
      silent = i;
  if (silent) {
    report_loss(r, about_rank(r, "", silent), r->patience);
  } else if (is_stuck(r)) {
    for (unsigned i = 1; i < r->carrier->ranks && !silent; i++)
      if (!r->states[i].is_in)
        silent = i;
    report_loss(r,
                silent ? about_rank(r, "interrupted, and ", silent)
                       : "interrupted, and a rank does not answer",
                short_wait);
  }
}

// Rank 0 is gone if it says nothing, or never what comes of an interruption.
void ranks_look_for_root(struct ranks *r) {
  const struct search_limits *l = &r->p->config.limits;
  double now = parallel_now();
  if (r->interrupted <= 0 && l->interrupted && *l->interrupted)
    r->interrupted = now;
  if (now <= r->heard[0] + r->patience &&
      (r->interrupted <= 0 || now <= r->interrupted + 10 * last_words))
    return;
  fprintf(stderr, "heddle: rank %u: rank 0 does not answer\n",
          r->carrier->rank);
  r->carrier->abandon(r->carrier, EXIT_INCOMPLETE);
}
