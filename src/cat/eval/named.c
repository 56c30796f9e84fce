// SPDX-License-Identifier: MIT
// Relations by their names, for pictures: those that a text defines, and those
// that every text starts from. A name that is defined again means the last one.
#include "cat/eval/named.h"

#include "base/suggest.h"
#include "cat/eval/eval.h"
#include "cat/model.h"

#include <string.h>

static const struct cat *cat_of(const struct model *m) {
  return ((const struct cat_model *)m->text)->cat;
}

// What the name stands for; false: nothing. A base name has no node of its own
// unless the text mentions it.
static bool find_name(const struct cat *c, const char *name, node_id *node,
                      uint32_t *base) {
  *node = NO_NODE;
  *base = CAT_BASE;
  for (uint32_t i = c->names.len; i-- > 0;)
    if (strcmp(c->names.at[i].name, name) == 0) {
      *node = c->names.at[i].node;
      return true;
    }
  for (uint32_t b = 0; b < CAT_BASE; b++)
    if (strcmp(cat_base_names[b].name, name) == 0) {
      *base = b;
      return true;
    }
  return false;
}

static bool is_relation(const struct cat *c, node_id node, uint32_t base) {
  return node == NO_NODE ? !cat_base_names[base].is_set
                         : node_type(&c->nodes, node) == TYPE_RELATION;
}

// The base names that it is made of.
static uint64_t uses_of(const struct cat *c, node_id node, uint32_t base) {
  uint64_t uses = 0;
  if (node == NO_NODE)
    return UINT64_C(1) << base;
  bool *marked = xcalloc(c->nodes.at.len, sizeof *marked);
  node_mark(&c->nodes, node, marked);
  for (uint32_t i = 0; i < c->nodes.at.len; i++) {
    const struct node *n = node_at(&c->nodes, i);
    if (marked[i] && n->kind == NODE_BASE && !base_is_fence(n->a))
      uses |= UINT64_C(1) << n->a;
  }
  free(marked);
  return uses;
}

static const uint64_t dependencies =
    UINT64_C(1) << CAT_addr | UINT64_C(1) << CAT_data |
    UINT64_C(1) << CAT_ctrl | UINT64_C(1) << CAT_casdep |
    UINT64_C(1) << CAT_ctrl_after;
static const uint64_t lives = UINT64_C(1) << CAT_born | UINT64_C(1)
                                                            << CAT_freed;

static bool refuse_unknown(const struct cat *c, const char *model,
                           const char *name, struct diag *why) {
  struct suggestion s = {.wanted = name};
  struct str all = {0};
  for (uint32_t i = 0; i < c->names.len; i++) {
    if (node_type(&c->nodes, c->names.at[i].node) != TYPE_RELATION)
      continue;
    suggest_consider(&s, c->names.at[i].name);
    if (all.len < 300)
      str_add(&all, "%s%s", all.len ? ", " : "", c->names.at[i].name);
  }
  for (uint32_t b = 0; b < CAT_BASE; b++)
    if (!cat_base_names[b].is_set)
      suggest_consider(&s, cat_base_names[b].name);
  diag_set(why, NULL, 0, "the text of %s names no relation '%s'", model, name);
  if (s.best)
    diag_hint(why, "did you mean '%s'?", s.best);
  else
    diag_hint(why, "it has %s, and what `heddle models --names` lists",
              str_text(&all));
  str_done(&all);
  return false;
}

bool cat_names_relation(const struct model *text, const struct model *m,
                        const char *name, struct diag *why) {
  const struct cat *c = cat_of(text);
  node_id node;
  uint32_t base;
  if (!find_name(c, name, &node, &base))
    return refuse_unknown(c, m->name, name, why);
  if (!is_relation(c, node, base))
    return diag_set(why, NULL, 0,
                    "'%s' is a set in the text of %s, no relation", name,
                    m->name);
  uint64_t uses = uses_of(c, node, base);
  if ((uses & dependencies) && !m->tracks_dependencies)
    return diag_set(why, NULL, 0,
                    "'%s' is about dependencies, which %s does not follow",
                    name, m->name);
  return !(uses & lives) ||
         diag_set(why, NULL, 0, "'%s' is about objects, not about executions",
                  name);
}

void cat_relation(const struct model *text, const struct graph *g,
                  const struct model_options *options, const char *name,
                  struct model_pairs *ret) {
  const struct cat *c = cat_of(text);
  struct cat with = *c;
  struct cat_world w;
  struct cat_values v;
  node_id node;
  uint32_t base;
  check(find_name(c, name, &node, &base));
  with.uses |= uses_of(c, node, base);
  if (!g->deps) // the axioms may ask for them, but they are not asked here
    with.uses &= ~dependencies;
  cat_world_init(&w, &with, g, options, /*has_lives=*/false);
  cat_values_init(&v, &with, &w);
  const struct rel *r = node == NO_NODE ? w.base[base] : cat_value(&v, node);
  for (uint32_t i = 0; i < w.n; i++)
    for (uint32_t j = 0; j < w.n && w.events[i].id != INIT_EVENT; j++)
      if (w.events[j].id != INIT_EVENT && i != j && rel_has(r, i, j))
        array_push(ret, (struct model_pair){w.events[i].id, w.events[j].id});
  cat_values_done(&v);
  cat_world_done(&w);
}
