// SPDX-License-Identifier: MIT
// A file may say, in whatever words, what a built-in model says: it is a copy
// of our text, or that text includes ours, or gives other names to the same
// terms. What is known of the model is true of the file then, also what no
// proof by the form of its axioms gives: that rounds of loops, orders of
// critical sections and of arrivals, and pieces of accesses are as in that
// model.
//
// Terms are compared by putting those of both texts into one graph of nodes, in
// which equal ones become one.
#include "cat/same.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_NODES = 10000 }; // ours are much smaller

static int compare_ids(const void *a, const void *b) {
  node_id x = *(const node_id *)a, y = *(const node_id *)b;
  return (x > y) - (x < y);
}

// a | (b | c) is (a | b) | c, and so on; a | b is b | a. (NO_NODE: it is too
// large for ours.)
static node_id make_flat(struct nodes *n, enum node_kind k, enum node_type type,
                         node_id a, node_id b) {
  struct node_list all = {0};
  bool ok = n->at.len < MAX_NODES && node_flatten(n, k, a, &all) &&
            node_flatten(n, k, b, &all);
  if (ok && k != NODE_SEQUENCE)
    qsort(all.at, all.len, sizeof *all.at, compare_ids);
  node_id x = ok ? all.at[all.len - 1] : NO_NODE;
  for (uint32_t i = all.len - 1; ok && i-- > 0;)
    x = node_make(n, k, type, all.at[i], x);
  array_done(&all);
  return x;
}

static node_id make(struct nodes *n, const struct node *v) {
  enum node_kind k = (enum node_kind)v->kind;
  enum node_type type = (enum node_type)v->type;
  return k == NODE_UNION || k == NODE_INTERSECTION || k == NODE_SEQUENCE
             ? make_flat(n, k, type, v->a, v->b)
             : node_make(n, k, type, v->a, v->b);
}

// Adds what a text has to `to`; yields where each of its nodes is. (A `let rec`
// is never taken to be the same: NO_NODE.)
static node_id *add_nodes(struct nodes *to, const struct nodes *from) {
  node_id *at = xcalloc(from->at.len, sizeof *at);
  for (node_id i = 0; i < from->at.len; i++) {
    struct node v = from->at.at[i];
    enum node_kind k = (enum node_kind)v.kind;
    bool is_known = k != NODE_VARIABLE && !v.groups;
    if (node_is_unary(k) || node_is_binary(k))
      is_known &= (v.a = at[v.a]) != NO_NODE;
    if (node_is_binary(k))
      is_known &= (v.b = at[v.b]) != NO_NODE;
    at[i] = is_known ? make(to, &v) : NO_NODE;
  }
  return at;
}

// Is every axiom of one text an axiom of the other?
static bool has_all(const struct cat *whole, const node_id *whole_at,
                    const struct cat *part, const node_id *part_at) {
  for (uint32_t i = 0; i < part->axioms.len; i++) {
    const struct cat_axiom *x = &part->axioms.at[i];
    node_id node = part_at[x->node];
    bool found = false;
    for (uint32_t k = 0; !found && k < whole->axioms.len; k++) {
      const struct cat_axiom *y = &whole->axioms.at[k];
      found = node != NO_NODE && whole_at[y->node] == node &&
              x->test == y->test && x->mode == y->mode &&
              x->is_negated == y->is_negated;
    }
    if (!found)
      return false;
  }
  return true;
}

static bool is_same(const struct cat *a, const struct cat *b) {
  struct nodes both = {0};
  node_id *at_a = add_nodes(&both, &a->nodes);
  node_id *at_b = add_nodes(&both, &b->nodes);
  bool ok = has_all(a, at_a, b, at_b) && has_all(b, at_b, a, at_a);
  free(at_a);
  free(at_b);
  nodes_done(&both);
  return ok;
}

const struct model *cat_same_model(const struct cat *c) {
  const struct model *found = NULL;
  for (unsigned i = 0; !found && models[i]; i++) {
    char file[40];
    snprintf(file, sizeof file, "%s.cat", models[i]->name);
    const struct cat_text *text = cat_text_find(file);
    struct cat *ours;
    struct diag why;
    if (!text)
      continue; // it is more than a text
    // Ours are right, the tests see to that.
    if (!cat_load_text(file, text->text, text->size, NULL, &ours, &why))
      fatal_internal(why.file, (int)why.line, why.text);
    if (ours->uses == c->uses && c->nodes.at.len < MAX_NODES &&
        is_same(ours, c))
      found = models[i];
    cat_free(ours);
  }
  return found;
}

void cat_model_is(struct cat_model *text, const struct model *m) {
  const struct model *t = &text->model;
  check(t->tracks_dependencies == m->tracks_dependencies && !m->justifier);
  struct model now = {
      .same_as = m,
      .tracks_dependencies = m->tracks_dependencies,
      .load_orders = m->load_orders,
      .plain_syncs = m->plain_syncs,
      .skips_noret = m->skips_noret,
      .c11_release_sequences = m->c11_release_sequences,
      .is_language = m->is_language,
      .interleaves = m->interleaves,
      .co_keeps_porf = m->co_keeps_porf,
      .declared = m->declared,
      .chains_order = m->chains_order,
      .guesses_cores = m->guesses_cores,
      .cycle_orders = m->cycle_orders,
      .has_guards = m->has_guards,
      .is_symmetric = true,
      .coherence = m->coherence,
      .name = t->name,
      .title = t->title,
      .needs_deps = t->needs_deps,
      .filters = t->filters,
      .text = t->text,
      .judge = t->judge,
      .allows = t->allows,
      .completes = t->completes,
      .refuses = t->refuses,
      .names_relation = t->names_relation,
      .relation = t->relation,
      .raises = t->raises,
      .is_idle = t->is_idle,
  };
  text->model = now;
}
