// SPDX-License-Identifier: MIT
// Programs have few combinations of sets, and tests of a collection mostly the
// same, so a list is looked through. It is bounded: who comes later makes its
// own.
#include "cat/judge/store.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 256 };

struct stored_bound {
  cat_sets classes[64];
  uint32_t nclasses;
  enum cat_bounded is;
  struct stored_bound *next;
};

void store_init(struct text_store *s) {
  *s = (struct text_store){.lock = PTHREAD_MUTEX_INITIALIZER};
}

static bool is_same(const cat_sets *a, uint32_t na, const cat_sets *b,
                    uint32_t nb) {
  return na == nb && memcmp(a, b, na * sizeof *a) == 0;
}

// -- routes

// Yields whether these are all.
static bool fill(struct stored_automata *to, const struct stored_routes *of,
                 const struct cat *c, uint64_t axioms, enum route_bound bound) {
  bool lacks = false;
  while (axioms && to->n < STORE_AUTOMATA) {
    axioms = routes_init(&to->at[to->n], c, axioms, bound, of->classes,
                         of->nclasses);
    lacks |= to->at[to->n++].lacks;
  }
  return !axioms && !lacks;
}

static struct stored_routes *make(const struct cat *c, uint64_t axioms,
                                  const cat_sets *classes, uint32_t nclasses) {
  struct stored_routes *r = xcalloc(1, sizeof *r);
  check(nclasses <= LENGTH(r->classes));
  r->nclasses = nclasses;
  memcpy(r->classes, classes, nclasses * sizeof *classes);
  (void)fill(&r->certain, r, c, axioms, ROUTES_CERTAIN);
  r->lacks = !fill(&r->possible, r, c, axioms, ROUTES_POSSIBLE);
  return r;
}

static void forget(struct stored_routes *r) {
  for (uint32_t i = 0; i < r->certain.n; i++)
    routes_done(&r->certain.at[i]);
  for (uint32_t i = 0; i < r->possible.n; i++)
    routes_done(&r->possible.at[i]);
  free(r);
}

const struct stored_routes *store_routes(struct text_store *s,
                                         const struct cat *c, uint64_t axioms,
                                         const cat_sets *classes,
                                         uint32_t nclasses) {
  struct stored_routes *r = NULL;
  if (s) {
    pthread_mutex_lock(&s->lock);
    for (r = s->routes; r; r = r->next)
      if (is_same(r->classes, r->nclasses, classes, nclasses))
        break;
    if (!r && s->n < MOST) {
      r = make(c, axioms, classes, nclasses);
      r->next = s->routes;
      s->routes = r;
      s->n++;
    }
    pthread_mutex_unlock(&s->lock);
  }
  if (r)
    return r;
  r = make(c, axioms, classes, nclasses);
  r->is_own = true;
  return r;
}

void store_give_back(const struct stored_routes *r) {
  if (r && r->is_own)
    forget((struct stored_routes *)r);
}

// -- bounds

enum cat_bounded store_bounded(struct text_store *s, const struct cat *c,
                               const struct cat_proved *proved,
                               const struct cat_bound *by) {
  if (by->n > 64)
    return BOUNDED_NOT;
  pthread_mutex_lock(&s->lock);
  struct stored_bound *b = s->bounds;
  while (b && !is_same(b->classes, b->nclasses, by->classes, by->n))
    b = b->next;
  pthread_mutex_unlock(&s->lock);
  if (b)
    return b->is;
  enum cat_bounded is = cat_find_bounded(c, proved, by);
  pthread_mutex_lock(&s->lock);
  if (s->n < MOST) {
    b = xcalloc(1, sizeof *b);
    *b = (struct stored_bound){.nclasses = by->n, .is = is, .next = s->bounds};
    memcpy(b->classes, by->classes, by->n * sizeof *by->classes);
    s->bounds = b;
    s->n++;
  }
  pthread_mutex_unlock(&s->lock);
  return is;
}

void store_done(struct text_store *s) {
  while (s->routes) {
    struct stored_routes *r = s->routes;
    s->routes = r->next;
    forget(r);
  }
  while (s->bounds) {
    struct stored_bound *b = s->bounds;
    s->bounds = b->next;
    free(b);
  }
}
