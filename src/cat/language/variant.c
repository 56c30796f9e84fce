// SPDX-License-Identifier: MIT
// Variants of a text: what it says behind `if "name"`, which the user chooses.
#include "cat/cat.h"

#include <string.h>

static bool is_name(const char *text, const char *name, size_t len) {
  return strlen(text) == len && strncmp(text, name, len) == 0;
}

static bool is_among(const char *variant, const char *chosen) {
  while (chosen) {
    size_t len = strcspn(chosen, ",");
    if (is_name(variant, chosen, len))
      return true;
    chosen = chosen[len] ? chosen + len + 1 : NULL;
  }
  return false;
}

bool variant_holds(const struct ast *tree, uint32_t condition,
                   const char *chosen) {
  const struct expr *e = &tree->exprs.at[condition];
  switch ((enum expr_kind)e->kind) {
  case EX_NOT:
    return !variant_holds(tree, e->a, chosen);
  case EX_AND:
    return variant_holds(tree, e->a, chosen) &&
           variant_holds(tree, e->b, chosen);
  case EX_OR:
    return variant_holds(tree, e->a, chosen) ||
           variant_holds(tree, e->b, chosen);
  case EX_VARIANT:
    return is_among(strings_get(&tree->names, e->name), chosen);
  default:
    return false;
  }
}

bool cat_has_variant(const struct cat *c, const char *name, size_t len) {
  for (uint32_t i = 0; i < c->tree.exprs.len; i++) {
    const struct expr *e = &c->tree.exprs.at[i];
    if (e->kind == EX_VARIANT &&
        is_name(strings_get(&c->tree.names, e->name), name, len))
      return true;
  }
  return false;
}
