// SPDX-License-Identifier: MIT
// Which texts are taken to be a built-in model.
#include "cat/same.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

static struct cat *load(const char *text) {
  struct cat *c = NULL;
  struct diag why;
  CHECK(cat_load_text("test.cat", text, strlen(text), NULL, &c, &why),
        "%s: %u: %s", text, why.column, why.text);
  return c;
}

static const char *same_as(const char *text) {
  struct cat *c = load(text);
  const struct model *m = cat_same_model(c);
  cat_free(c);
  return m ? m->name : "none";
}

TEST(our_texts_are_our_models) {
  unsigned n = 0;
  for (unsigned i = 0; models[i]; i++) {
    char text[64];
    snprintf(text, sizeof text, "%s.cat", models[i]->name);
    if (!cat_text_find(text))
      continue;
    snprintf(text, sizeof text, "include \"%s.cat\"", models[i]->name);
    CHECK(strcmp(same_as(text), models[i]->name) == 0, "%s is %s",
          models[i]->name, same_as(text));
    n++;
  }
  CHECK(n == 9, "%u", n);
}

#define ATOMIC "empty rmw & (fre; coe) as a\n"

TEST(the_form_does_not_matter) {
  static const struct {
    const char *text, *model;
  } rows[] = {
      {ATOMIC "let com = fr | (rf | co) acyclic com | po", "sc"},
      {"acyclic co | (fr | po) | rf as x\n" ATOMIC "let unused = po; po", "sc"},
      {"include \"sc.cat\"\n" ATOMIC, "sc"},
      // These are others.
      {"acyclic po | rf | co | fr as sc", "none"},
      {ATOMIC "acyclic po | rf | co as sc", "none"},
      {ATOMIC "irreflexive po | rf | co | fr as sc", "none"},
      {ATOMIC "acyclic po | rf | co | fr\nacyclic po | rf", "none"},
      {ATOMIC "flag acyclic po | rf | co | fr as sc", "none"},
      {ATOMIC "acyclic (po; po) | rf | co | fr as sc", "none"},
      {ATOMIC "let rec r = po | rf | co | fr acyclic r", "none"},
      {"include \"sc.cat\"\nflag ~empty (co; co) as data-race", "none"},
      {"include \"rc11.cat\"\nempty po & rf as a", "none"},
      {"include \"tso.cat\"\ninclude \"sc.cat\"", "none"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    CHECK(strcmp(same_as(rows[i].text), rows[i].model) == 0, "%s is %s",
          rows[i].text, same_as(rows[i].text));
}

// What a built-in model knows of itself, its text does.
TEST(what_is_known_of_a_model_is_known_of_its_text) {
  for (unsigned i = 0; models[i]; i++) {
    char text[64];
    struct cat_model *m = NULL;
    struct diag why;
    snprintf(text, sizeof text, "%s.cat", models[i]->name);
    if (!cat_text_find(text))
      continue;
    snprintf(text, sizeof text, "include \"%s.cat\"", models[i]->name);
    struct cat *c = load(text);
    c->same_as = cat_same_model(c);
    CHECK(cat_model_of(c, &m, &why), "%s", why.text);
    const struct model *a = models[i], *b = &m->model;
    CHECK(b->same_as == a && model_builtin(b) == a && b->text == m);
    CHECK(a->plain_syncs == b->plain_syncs);
    CHECK(a->skips_noret == b->skips_noret);
    CHECK(a->c11_release_sequences == b->c11_release_sequences);
    CHECK(a->is_language == b->is_language);
    CHECK(a->load_orders == b->load_orders);
    CHECK(a->co_keeps_porf == b->co_keeps_porf);
    CHECK(!b->consistent && !b->justifier);
    cat_model_free(m);
  }
}
