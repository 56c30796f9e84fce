// SPDX-License-Identifier: MIT
// What is found out of a text for events in certain combinations of sets
// (classes). It depends on nothing else, so all searches by a text share it:
// the tests of a run, the jobs of a search.
#pragma once

#include "cat/facts/prove.h"
#include "cat/facts/routes.h"

#include <pthread.h>

enum { STORE_AUTOMATA = 6 };

// Routes of some axioms each.
struct stored_routes {
  cat_sets classes[ROUTE_CLASSES];
  uint32_t nclasses;
  struct stored_automata {
    struct routes at[STORE_AUTOMATA];
    uint32_t n;
  } certain, possible;
  bool lacks; // there may be other possible ones
  bool is_own;
  struct stored_routes *next;
};

struct stored_bound;

struct text_store {
  pthread_mutex_t lock;
  struct stored_routes *routes;
  struct stored_bound *bounds;
  uint32_t n; // of both
};

void store_init(struct text_store *s);
void store_done(struct text_store *s);

// Of axioms in `axioms` (bits), always the same of one store, or of none
// (NULL). They are the caller's own if `is_own`.
const struct stored_routes *store_routes(struct text_store *s,
                                         const struct cat *c, uint64_t axioms,
                                         const cat_sets *classes,
                                         uint32_t nclasses);
void store_give_back(const struct stored_routes *r);

// cat_find_bounded, of the axioms of that store.
enum cat_bounded store_bounded(struct text_store *s, const struct cat *c,
                               const struct cat_proved *proved,
                               const struct cat_bound *by);
