// SPDX-License-Identifier: MIT
// Several assignments at a time (--jobs). Wrong executions are found early if
// there are any, so a probe explores an assignment for a short while only, in
// a thread of its own: the cheapest one, and others that would be the cheapest
// if those before them failed. All that fail teach. One that does not fail is
// checked as usual afterwards, by all threads together (parallel/).
#include "optimise/learn.h"

#include <pthread.h>
#include <string.h>

struct probe {
  struct search s; // what it learns; the sites are shared, the code is not
  mode *x;
  enum verdict verdict;
  pthread_t thread;
};

static void copy_clients(struct probe *p, const struct search *s) {
  memset(&p->s.sites.clients, 0, sizeof p->s.sites.clients);
  for (uint32_t k = 0; k < s->sites.clients.len; k++) {
    struct client c = s->sites.clients.at[k];
    struct prog *copy = xmalloc(sizeof *copy);
    *copy = *c.prog;
    size_t size = copy->code.len * sizeof *copy->code.at;
    copy->code.at = memcpy(xmalloc(size + 1), c.prog->code.at, size);
    c.prog = copy;
    array_push(&p->s.sites.clients, c);
  }
}

static void probe_init(struct probe *p, const struct search *s) {
  p->s = *s;
  p->s.is_probe = true;
  p->s.on_progress = NULL;
  p->s.verified = NULL;
  p->s.is_run = xcalloc(s->sites.at.len + 1, sizeof *p->s.is_run);
  p->s.executions = p->s.judgements = 0;
  memset(&p->s.bads, 0, sizeof p->s.bads);
  memset(&p->s.passed, 0, sizeof p->s.passed);
  copy_clients(p, s);
}

static void probe_done(struct probe *p) {
  for (uint32_t k = 0; k < p->s.sites.clients.len; k++) {
    free(p->s.sites.clients.at[k].prog->code.at);
    free(p->s.sites.clients.at[k].prog);
  }
  array_done(&p->s.sites.clients);
  passed_done(&p->s);
  array_done(&p->s.bads);
  free(p->s.is_run);
  free(p->x);
}

static void *run_probe(void *arg) {
  struct probe *p = arg;
  p->verdict = check_assignment(&p->s, p->x);
  return NULL;
}

// Takes over what a probe learnt and where it passed.
static void merge(struct search *s, struct probe *p) {
  s->executions += p->s.executions;
  s->judgements += p->s.judgements;
  for (uint32_t i = 0; s->is_run && i < s->sites.at.len; i++)
    s->is_run[i] |= p->s.is_run[i];
  for (uint32_t k = 0; k < p->s.bads.len; k++)
    if (is_known_bad(s, p->s.bads.at[k].most))
      bad_done(&p->s.bads.at[k]);
    else
      array_push(&s->bads, p->s.bads.at[k]);
  for (uint32_t k = 0; k < p->s.passed.len; k++)
    for (uint32_t i = 0; i < p->s.passed.at[k].len; i++)
      note_passed(s, k, p->s.passed.at[k].at[i]);
  if (p->verdict == VERDICT_ERROR) {
    s->checks++;
    s->suspect = p->s.suspect;
  }
}

// Fills in what else to try beside x; yields how many assignments there are.
static unsigned propose(const struct hit *h, const mode *x, unsigned jobs,
                        struct probe *probes) {
  struct hit others = *h;
  bad_list bads = {0};
  uint32_t n = h->sites->at.len;
  unsigned count = 1;
  for (uint32_t k = 0; k < h->bads->len; k++)
    array_push(&bads, h->bads->at[k]);
  others.bads = &bads;
  probes[0].x = modes_copy(x, n);
  for (; count < jobs; count++) {
    array_push(&bads, (struct bad){.most = probes[count - 1].x});
    probes[count].x = xmalloc(n + 1);
    if (!hit_cheapest(&others, probes[count].x)) {
      free(probes[count].x);
      break;
    }
  }
  array_done(&bads);
  return count;
}

bool probe_fails(struct search *s, const struct hit *h, const mode *x) {
  struct probe *probes = xcalloc(s->jobs, sizeof *probes);
  unsigned count = propose(h, x, s->jobs, probes), started = 0;
  for (unsigned k = 0; k < count; k++)
    probe_init(&probes[k], s);
  while (started < count && pthread_create(&probes[started].thread, NULL,
                                           run_probe, &probes[started]) == 0)
    started++;
  for (unsigned k = 0; k < started; k++) {
    pthread_join(probes[k].thread, NULL);
    merge(s, &probes[k]);
  }
  for (unsigned k = 0; k < count; k++)
    probe_done(&probes[k]);
  free(probes);
  if (s->on_progress)
    s->on_progress(s->arg, s);
  return is_known_bad(s, x);
}
