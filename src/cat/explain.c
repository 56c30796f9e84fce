// SPDX-License-Identifier: MIT
// What was understood of a model, in words.
#include "cat/model.h"

#include <stdio.h>

static void add_list(const struct cat *c, bool sets, struct str *out) {
  bool any = false;
  for (unsigned b = 0; b < CAT_BASE; b++)
    if ((c->uses >> b & 1) && cat_base_names[b].is_set == sets) {
      str_add(out, " %s", cat_base_names[b].name);
      any = true;
    }
  for (unsigned k = 0; sets && k < FENCE_COUNT; k++)
    if (c->uses_fence[k]) {
      str_add(out, " %s", fence_set((enum fence_kind)k));
      any = true;
    }
  str_add(out, "%s\n", any ? "" : " none");
}

static const char *polarity_name(enum polarity p) {
  static const char *const names[] = {
      [POLARITY_MONOTONE] = "monotone",
      [POLARITY_STABLE] = "stable-negative",
      [POLARITY_UNSTABLE] = "unstable",
      [POLARITY_STUCK] = "not extensible",
  };
  ONE_FOR_EACH(names, POLARITY_STUCK + 1);
  return names[p];
}

static const char *use_of(const struct cat_analysis *a,
                          const struct cat_axiom *x, uint32_t i) {
  if (x->mode == MODE_FLAG)
    return "a flag: reported when raised";
  if (x->mode == MODE_UNDEFINED_UNLESS)
    return "undefined behaviour: reported";
  return cat_prunes(a, i) ? "prunes while graphs grow"
                          : "filters complete graphs";
}

static void add_axioms(const struct cat *c, const struct cat_analysis *a,
                       struct str *out) {
  str_add(out, "\nAxioms:\n");
  for (uint32_t i = 0; i < c->axioms.len; i++) {
    const struct cat_axiom *x = &c->axioms.at[i];
    char test[24];
    snprintf(test, sizeof test, "%s%s", x->is_negated ? "~" : "",
             test_words[x->test]);
    str_add(out, "  %-16s %-12s %-16s %s\n", *x->name ? x->name : "(no name)",
            test, polarity_name((enum polarity)a->polarity[i]),
            use_of(a, x, i));
  }
}

static void add_fact(struct str *out, bool is_proved, const char *fact,
                     const char *otherwise) {
  if (is_proved)
    str_add(out, "  proved      %s\n", fact);
  else
    str_add(out, "  not proved  %s: %s\n", fact, otherwise);
}

// What is not proved may be true all the same; then the search only takes
// longer.
static void add_facts(const struct cat_analysis *a, struct str *out) {
  const struct cat_proved *p = &a->proved;
  add_fact(out, p->porf_is_acyclic, "po | rf has no cycle",
           "reads may take what comes after them");
  if (!p->porf_is_acyclic)
    add_fact(out, p->has_no_thin_air, "no value comes out of thin air",
             p->po_is_coherent
                 ? "it may where a branch is on the way, but none is computed "
                   "from itself: Heddle adds that axiom"
                 : "Heddle adds the axiom that dependencies and rf have no "
                   "cycle");
  add_fact(out, p->thread_is_coherent,
           "each thread sees each location in one order (coherence)",
           "every write is tried for every read");
  if (!p->porf_is_acyclic && !p->thread_is_coherent)
    add_fact(out, p->writes_are_coherent,
             "each thread sees its own writes to a location in order",
             "Heddle does not explore this model");
  add_fact(out, p->hb_is_coherent,
           "nothing older is seen than what happens before",
           "that is tried, too");
  if (!p->porf_is_acyclic)
    add_fact(out, p->barriers_order,
             "acquires and fences order reads with later writes",
             "Heddle cannot explore C under this model, only litmus tests, "
             "unless it has flags for races");
  add_fact(out, p->is_symmetric && p->porf_is_acyclic && p->thread_is_coherent,
           "threads that are created alike may be exchanged",
           "each of them is explored");
}

void cat_explain(const struct cat *c, const struct cat_analysis *a,
                 struct str *out) {
  str_add(out, "%s%s%s\n\nIt starts from\n  sets:", c->file,
          *c->title ? ": " : "", c->title);
  add_list(c, true, out);
  str_add(out, "  relations:");
  add_list(c, false, out);
  add_axioms(c, a, out);
  str_add(out, "\nWhat the search relies on:\n");
  add_facts(a, out);
  if (cat_filters(a, c))
    str_add(out, "\nA later event may repair what an unstable axiom refuses, "
                 "and where one is not\nextensible, a graph may have no next "
                 "event that it allows. They only filter\ncomplete graphs: "
                 "right, but more graphs are explored than there are "
                 "executions.\n");
}

void cat_explain_names(struct str *out) {
  for (unsigned b = 0; b < CAT_BASE; b++)
    if (*cat_base_names[b].meaning)
      str_add(out, "%-8s %-9s %s\n", cat_base_names[b].name,
              cat_base_names[b].is_set ? "set" : "relation",
              cat_base_names[b].meaning);
  for (unsigned k = FENCE_C11 + 1; k < FENCE_COUNT; k++)
    str_add(out, "%-8s %-9s %s\n", fence_set((enum fence_kind)k), "set",
            "fences of this name");
}
