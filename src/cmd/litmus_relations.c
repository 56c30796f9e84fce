// SPDX-License-Identifier: MIT
// heddle litmus --show-relations.
#include "cmd/litmus.h"

#include <string.h>

// Of two models, one at least has to name it.
static bool is_named(const char *name, const struct model *const two[2],
                     struct diag *why) {
  struct diag unused;
  bool known = two[0] || two[1];
  if (!known || (two[1] && model_names_relation(two[1], name, &unused)) ||
      (two[0] && model_names_relation(two[0], name, why)))
    return true;
  struct diag said = *why;
  diag_set(why, NULL, 0, "--show-relations: %s", said.text);
  diag_hint(why, "%s", said.hint);
  return false;
}

bool relations_read(const struct options *o, const struct model *const two[2],
                    struct relation_names *ret, struct diag *why) {
  *ret = (struct relation_names){0};
  if (o->show_relations.len && !o->dot && !o->html)
    return diag_set(why, NULL, 0,
                    "--show-relations is for the pictures of --dot and --html");
  for (uint32_t i = 0; i < o->show_relations.len; i++)
    for (const char *at = o->show_relations.at[i]; *at;) {
      size_t len = strcspn(at, ",");
      struct str name = {0};
      str_add(&name, "%.*s", (int)len, at);
      uint32_t id = strings_add(&ret->texts, str_text(&name));
      str_done(&name);
      at += len + (at[len] == ',');
      if (!len)
        continue;
      if (!is_named(strings_get(&ret->texts, id), two, why)) {
        relations_done(ret);
        return false;
      }
      array_push(&ret->at, strings_get(&ret->texts, id));
    }
  return true;
}

void relations_done(struct relation_names *r) {
  array_done(&r->at);
  strings_done(&r->texts);
}
