// SPDX-License-Identifier: MIT
// Models with fast code are defined by their texts all the same: who asks for
// the definition (model/model.h) gets that. A text is read when it is first
// asked for, by any of the threads that search, and stays. What the options of
// a model change is a variant of its text.
#include "cat/model.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct definition {
  const struct model *of;
  char variants[80]; // with commas between, and one at the end
  struct cat_model *text;
  struct definition *next;
};

static _Atomic(struct definition *) definitions;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

static void find_variants(const struct model *m,
                          const struct model_options *options, bool is_complete,
                          char *to, size_t size) {
  bool c11 = options->c11_release_sequences;
  snprintf(to, size, "%s%s%s",
           !is_complete || c11 == m->c11_release_sequences ? ""
           : c11                                           ? "c11-sequences,"
                                                           : "cxx20-sequences,",
           options->sc_rule == SC_RC11  ? "rc11-sc,"
           : options->sc_rule == SC_C11 ? "c11-sc,"
                                        : "",
           options->final_writes ? "final-writes," : "");
}

// What the search would find out by trials and proofs does not matter here, but
// for where events may come.
static struct cat_model *read_text(const struct model *m,
                                   const char *variants) {
  static const struct cat_known known[2] = {
      {.tried = {.porf_is_acyclic = true}}, {.tried = {0}}};
  char file[40];
  snprintf(file, sizeof file, "%s.cat", m->name);
  const struct cat_text *text = cat_text_find(file);
  struct cat_search search = {.variants = variants};
  struct cat_model *ret;
  struct cat *cat;
  struct diag why;
  check(text);
  // Ours are right, the tests see to that.
  if (!cat_load_text(file, text->text, text->size, &search, &cat, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  cat->known = &known[m->tracks_dependencies];
  if (!cat_model_of(cat, &ret, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  return ret;
}

static const struct model *find(const struct model *m, const char *variants) {
  for (struct definition *d = atomic_load(&definitions); d; d = d->next)
    if (d->of == m && strcmp(d->variants, variants) == 0)
      return &d->text->model;
  return NULL;
}

const struct model *model_definition(const struct model *m,
                                     const struct model_options *options,
                                     bool is_complete) {
  struct definition now = {.of = m};
  find_variants(m, options, is_complete, now.variants, sizeof now.variants);
  const struct model *found = find(m, now.variants);
  if (found)
    return found;
  pthread_mutex_lock(&reading);
  found = find(m, now.variants);
  if (!found) {
    struct definition *d = xmalloc(sizeof *d);
    now.text = read_text(m, now.variants);
    now.next = atomic_load(&definitions);
    *d = now;
    atomic_store(&definitions, d);
    found = &d->text->model;
  }
  pthread_mutex_unlock(&reading);
  return found;
}
