// SPDX-License-Identifier: MIT
// Ranks as threads of one process: a carrier that delivers messages late, those
// of different ranks in any order.
#pragma once

#include "parallel/ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 6 };

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

static inline unsigned post_draw(struct local *l, unsigned n) {
  l->random = l->random * 1103515245u + 12345u;
  return (l->random >> 16) % n;
}

static inline void post_send(struct carrier *c, unsigned to, const char *bytes,
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
static inline bool post_receive(struct carrier *c, unsigned *from, char **bytes,
                                size_t *n) {
  struct local *l = (struct local *)c;
  bool is_late[MAX_RANKS] = {0}, found = false;
  pthread_mutex_lock(&l->post->lock);
  struct letter *box = l->post->boxes[c->rank].at;
  uint32_t len = l->post->boxes[c->rank].len;
  for (uint32_t i = 0; i < len && !found; i++) {
    struct letter x = box[i];
    found = !is_late[x.from] && post_draw(l, 3);
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

// A rank: what it explores, and who takes its result before it is freed.
struct post_rank {
  struct local local;
  struct parallel *search;
  void (*on_end)(void *arg, unsigned rank, const struct explore_result *r);
  void *arg;
  pthread_t thread;
};

static inline void *post_run_rank(void *arg) {
  struct post_rank *r = arg;
  parallel_share(r->search, &r->local.carrier, /*patience=*/60);
  const struct explore_result *x = parallel_explore(r->search);
  r->on_end(r->arg, r->local.carrier.rank, x);
  parallel_free(r->search);
  return NULL;
}

// One search by n ranks; begin yields what each of them explores.
static inline void post_run(unsigned n, unsigned seed,
                            struct parallel *(*begin)(void *arg, unsigned rank),
                            void (*on_end)(void *arg, unsigned rank,
                                           const struct explore_result *r),
                            void *arg) {
  struct post post = {0};
  struct post_rank ranks[MAX_RANKS] = {0};
  pthread_mutex_init(&post.lock, NULL);
  for (unsigned i = 0; i < n; i++) {
    ranks[i] =
        (struct post_rank){.local = {.carrier = {.rank = i,
                                                 .ranks = n,
                                                 .send = post_send,
                                                 .receive = post_receive},
                                     .post = &post,
                                     .random = seed * MAX_RANKS + i},
                           .search = begin(arg, i),
                           .on_end = on_end,
                           .arg = arg};
    check(pthread_create(&ranks[i].thread, NULL, post_run_rank, &ranks[i]) ==
          0);
  }
  for (unsigned i = 0; i < n; i++)
    pthread_join(ranks[i].thread, NULL);
  for (unsigned i = 0; i < n; i++) { // what nobody waits for
    while (post.boxes[i].len)
      free(array_pop(&post.boxes[i]).bytes);
    array_done(&post.boxes[i]);
  }
  pthread_mutex_destroy(&post.lock);
}
