// SPDX-License-Identifier: MIT
// What the search may conclude from a model while a graph still grows.
#pragma once

#include "cat/cat.h"

// What can happen to a node, between events that are there, when another event
// is added.
struct node_facts {
  bool grows;    // two of them may become related
  bool shrinks;  // two of them may cease to be related
  bool forward;  // a new event leads to no older one
  bool backward; // no older event leads to a new one
  bool negates;  // a relation is taken away somewhere in it
  // Of the new event and itself, or of the two of an update: pairs that it may
  // have, and pairs that it has. (ADD_NEWEST; enum new_pairs)
  uint8_t among, sure;
};

// An update is a read r and a write u; any other event is one of them alone.
enum new_pairs {
  NEW_RR = 1,
  NEW_RU = 2,
  NEW_UR = 4,
  NEW_UU = 8,
  NEW_LOOPS = NEW_RR | NEW_UU,
  NEW_ALL = NEW_LOOPS | NEW_RU | NEW_UR,
};

enum polarity {
  POLARITY_MONOTONE, // nothing is taken away: what is refused stays refused
  POLARITY_STABLE,   // what is taken away never changes, so the same holds
  POLARITY_UNSTABLE, // a later event may repair what is broken
  POLARITY_STUCK,    // nothing can repair it, but a graph may come to where
                     // every next event breaks it
};

struct cat_analysis {
  struct node_facts *facts; // by node
  uint8_t *polarity;        // enum polarity, by axiom
  bool uses_dependencies;
  struct cat_proved proved;
};

// Where a new event may come.
enum adding {
  ADD_AT_END,   // at the end of its thread, and after what it reads from
  ADD_PROMISED, // at the end of its thread, but older reads may read it
  ADD_ANYHOW,   // in any order
  ADD_NEWEST,   // at the end of its thread, the last in co, or reading that
};

// By the facts about ADD_NEWEST: does an event that is added so never break the
// axiom?
bool cat_is_extensible(const struct cat_analysis *newest,
                       const struct cat_axiom *x);
// Fills a->facts.
void cat_find_facts(struct cat_analysis *a, const struct cat *c,
                    enum adding adding);
void cat_analyse(struct cat_analysis *a, const struct cat *c);
void cat_analysis_done(struct cat_analysis *a);

// Is the axiom looked at while a graph grows (else when it is complete)?
static inline bool cat_prunes(const struct cat_analysis *a, uint32_t axiom) {
  return a->polarity[axiom] <= POLARITY_STABLE;
}
// Is there an axiom that is not?
bool cat_filters(const struct cat_analysis *a, const struct cat *c);
