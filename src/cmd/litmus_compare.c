// SPDX-License-Identifier: MIT
// heddle litmus --compare: the same tests under two models (answer/contrast.h
// is about one of them), with totals and a table for the page.
#include "cmd/litmus.h"

#include <stdlib.h>
#include <string.h>

bool find_two_models(const struct options *o, const char *option,
                     const char *text, const struct model *ret[2],
                     struct diag *why) {
  const char *comma = strchr(text, ',');
  if (!comma || comma == text || !comma[1] || strchr(comma + 1, ',')) {
    diag_set(why, NULL, 0, "--%s needs two models, not '%s'", option, text);
    diag_hint(why, "for example: --%s sc,tso", option);
    return false;
  }
  struct str first = {0};
  str_add(&first, "%.*s", (int)(comma - text), text);
  bool ok = find_model(o, str_text(&first), &ret[0], why) &&
            find_model(o, comma + 1, &ret[1], why);
  str_done(&first);
  return ok;
}

bool compare_fits(const struct options *o, struct diag *why) {
  static const char *const others[] = {"model", "expect", "witness", "why",
                                       "show"};
  enum { OTHERS = LENGTH(others) };
  for (unsigned i = 0; o->compare && i < OTHERS; i++)
    // (`heddle models` has a --show of its own.)
    if (i == OTHERS - 1 ? o->show_one : options_has(o, others[i]))
      return diag_set(why, NULL, 0, "--%s cannot be combined with --compare",
                      others[i]);
  return true;
}

void comparisons_totals(const struct comparisons *c,
                        const struct batch_result *r, struct str *out) {
  uint64_t all = 0;
  for (unsigned d = DIFFERS_NOT + 1; d < DIFFERENCES; d++)
    all += r->differ[d];
  str_add(out, "%llu tests: %llu the same, %llu differ",
          (unsigned long long)r->tests,
          (unsigned long long)r->differ[DIFFERS_NOT], (unsigned long long)all);
  if (all)
    str_add(out, " (verdict %llu, states %llu, flags %llu, executions %llu)",
            (unsigned long long)r->differ[DIFFERS_VERDICT],
            (unsigned long long)r->differ[DIFFERS_STATES],
            (unsigned long long)r->differ[DIFFERS_FLAGS],
            (unsigned long long)r->differ[DIFFERS_EXECUTIONS]);
  str_add(out, ", %llu errors", (unsigned long long)r->errors);
  if (r->unfinished)
    str_add(out, ", %llu not finished", (unsigned long long)r->unfinished);
  str_add(out, "\n");
  for (unsigned m = 0; m < 2; m++) {
    str_add(out, "%s has states of its own in %llu%s", c->models[m]->name,
            (unsigned long long)r->more[m],
            r->more[m] == 1 ? " test" : " tests");
    if (r->more[m] > 1)
      str_add(out, ", the smallest is %s", r->least[m]);
    str_add(out, "\n");
  }
}

// A text of an answer that lives as long as `texts`.
static const char *keep_answer(const struct answer *o, struct strings *texts) {
  struct str text = {0};
  contrast_answer(o, &text);
  const char *kept = strings_get(texts, strings_add(texts, str_text(&text)));
  str_done(&text);
  return kept;
}

void comparisons_page(const struct comparisons *c, struct page *p,
                      struct strings *texts) {
  const char *heads[] = {"difference", "", ""};
  if (!c->models[0])
    return;
  for (unsigned m = 0; m < 2; m++)
    heads[1 + m] = c->models[m]->name;
  page_begin_table(p, heads, 3);
  for (uint32_t i = 0; i < c->at.len; i++) {
    const struct contrast *x = c->at.at[i];
    const char *const cells[] = {difference_name(x->difference),
                                 keep_answer(&x->of[0], texts),
                                 keep_answer(&x->of[1], texts)};
    struct page_row *row = page_add_row(p, x->test->name, cells);
    row->first = p->entries.len;
    for (unsigned m = 0; m < 2; m++) {
      struct str title = {0};
      if (!x->shown[m].view)
        continue;
      contrast_title(x, m, &title);
      page_add_entry(p, texts, &title, x->shown[m].view);
    }
    row->count = p->entries.len - row->first;
  }
}

void comparisons_done(struct comparisons *c) {
  for (uint32_t i = 0; i < c->at.len; i++) {
    contrast_done(c->at.at[i]);
    free(c->at.at[i]);
  }
  array_done(&c->at);
}
