// SPDX-License-Identifier: MIT
// A text as a model that the search can use.
#pragma once

#include "cat/judge/plan.h"
#include "model/model.h"

struct rows_plan;
struct text_store;

struct cat_model {
  struct model model; // its `text` is this
  const char *asked; // what it was asked for by; its name says the variants too
  char *shown;       // that name, if there are some
  struct cat *cat;
  struct cat_analysis analysis;
  struct plan plan; // of the axioms that prune
  struct rows_plan *rows;
  struct text_store *store;
  uint64_t pruning; // bit i: axiom i is looked at while a graph grows
  uint64_t checks;  // bit i: axiom i is no flag,
  uint64_t flags;   // or it is one
  uint64_t content; // bit i: axiom i has nothing against an empty relation
  bool adds_axiom;  // Heddle's own against values out of thin air
};

// Takes over `c`, also when it fails: it is no model that can be explored.
MUST_USE bool cat_model_of(struct cat *c, struct cat_model **ret,
                           struct diag *why);
void cat_model_free(struct cat_model *m);

// What was understood, for people.
void cat_explain(const struct cat *c, const struct cat_analysis *a,
                 struct str *out);
// The names that a model can start from.
void cat_explain_names(struct str *out);
