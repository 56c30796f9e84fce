// SPDX-License-Identifier: MIT
// Memory models as texts: the cat language of herd (Alglave, Cousot, Maranget:
// "Syntax and semantics of the weak consistency model specification language
// cat", 2016), as far as models of C programs and of processors need it.
//
// language/  from text to a graph of operations: lex, parse, resolve (node.h)
// eval/      what a model means: evaluates that on a whole execution graph
// facts/     what is proved of a model by the form of its terms
// judge/     the same answers for a graph that grows, one event at a time
//
// Each folder uses those above it; the files beside this one make a model of
// all four (model.c) and find it by name (catalogue.c).
#pragma once

#include "cat/language/ast.h"
#include "cat/language/node.h"

struct cat_axiom {
  const char *name; // "" if it has none
  struct cat_place at;
  uint8_t test, mode; // enum test, enum test_mode
  bool is_negated;
  node_id node;
};

// A name that the text defines, for people.
struct cat_name {
  const char *name;
  node_id node;
};

// What is proved of a model by its form (facts.c).
struct cat_proved {
  bool porf_is_acyclic;     // po | rf has no cycle in what it allows
  bool has_no_thin_air;     // nor have dependencies and rf
  bool reads_nothing_later; // no read takes a later write of its thread
  bool barriers_order;      // acquires and fences order reads with later writes
  bool hb_is_coherent; // irreflexive(hb; eco?), with the clocks' happens-before
  bool po_is_coherent; // irreflexive((po & loc); eco)
  bool thread_is_coherent;  // the same within threads,
  bool writes_are_coherent; // and the same but for two reads
  uint16_t load_orders;     // enum load_order
  uint8_t cycle_orders;     // see struct model
  bool is_symmetric;        // threads that are created alike may be exchanged
  bool co_keeps_porf;       // no cycles of co | po | rf
  // Bits of axioms: it is about one location (po & loc, rf, co, fr); the search
  // sees to it itself (atomicity of updates, coherence).
  uint64_t local, given;
};

struct model;

struct cat {
  char *file;  // as it was asked for
  char *title; // what the text calls itself, or ""
  struct ast tree;
  struct nodes nodes;
  ARRAY(struct cat_axiom) axioms;
  ARRAY(struct cat_name) names; // in the order of the text
  uint64_t uses; // bits 1 << enum cat_base: what its axioms and flags need
  bool uses_fence[FENCE_COUNT];   // the sets of these too
  node_id race_order;             // its relation `race-order`, or NO_NODE
  uint64_t order_needs;           // what that needs
  const struct cat_proved *known; // what proofs would say, or NULL
  const struct model *same_as;    // the built-in model that it is, or NULL
  const char *copy_of; // the built-in text that is this, byte by byte, or NULL
};

// Is it about programs of the Linux kernel, in which ctrl is what a branch
// guards? What comes after a branch, guarded or not, is then ctrl-after.
static inline bool cat_has_guards(const struct cat *c) {
  return (c->uses >> CAT_ctrl_after | c->uses >> CAT_rcu_rscs) & 1;
}

static inline enum cat_base cat_branches(const struct cat *c) {
  return cat_has_guards(c) ? CAT_ctrl_after : CAT_ctrl;
}

// Where `include` looks, after the folder of the file that includes and before
// $HEDDLE_CAT_PATH and the models that come with Heddle.
struct cat_search {
  const char *const *dirs;
  uint32_t ndirs;
  const char *variants; // that are chosen, with commas between; or NULL
};

// Reads a model. False: `why` says what is wrong and where.
MUST_USE bool cat_load(const char *path, const struct cat_search *search,
                       struct cat **ret, struct diag *why);
// The same for a text; `file` is what errors call it.
MUST_USE bool cat_load_text(const char *file, const char *text, size_t size,
                            const struct cat_search *search, struct cat **ret,
                            struct diag *why);
void cat_free(struct cat *c);
// variant.c: does a condition hold if these variants are chosen (with commas
// between, or NULL)?
bool variant_holds(const struct ast *tree, uint32_t condition,
                   const char *chosen);
// Does the text have a condition on this variant?
bool cat_has_variant(const struct cat *c, const char *name, size_t len);

// The texts that come with Heddle, by name ("rc11.cat"); the last has none.
struct cat_text {
  const char *name, *text;
  size_t size;
};
extern const struct cat_text cat_texts[];
const struct cat_text *cat_text_find(const char *name); // NULL: none
