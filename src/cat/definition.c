// SPDX-License-Identifier: MIT
// Models with fast code are defined by their texts all the same: who asks for
// the definition (model/model.h) gets that. A text is read when it is first
// asked for, by any of the threads that search, and stays. What the options of
// a model change is a variant of its text.
#include "cat/model.h"
#include "cat/pieces.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct definition {
  const struct model *of;
  char variants[80]; // with commas between, and one at the end
  bool in_pieces;    // about whole accesses that are made in pieces
  struct cat_model *text;
  struct definition *next;
};

static _Atomic(struct definition *) definitions;
static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;

// Models that are another one without the axiom that po | rf has no cycle.
static const struct {
  const char *model, *file;
} without_axiom[] = {{"xmm", "rc11.cat"}, {"coherent", "ra.cat"}};
enum { WITHOUT_AXIOM = sizeof without_axiom / sizeof *without_axiom };

static const char *other_file(const struct model *m) {
  for (unsigned i = 0; i < WITHOUT_AXIOM; i++)
    if (strcmp(without_axiom[i].model, m->name) == 0)
      return without_axiom[i].file;
  return NULL;
}

// While a graph grows, only the release sequences of C++20 are sure.
static const char *sequences(const struct model *m,
                             const struct model_options *options,
                             bool is_complete) {
  bool own = m->c11_release_sequences;
  if (!is_complete)
    return own && options->in_pieces ? "cxx20-sequences," : "";
  if (options->c11_release_sequences == own)
    return "";
  return own ? "cxx20-sequences," : "c11-sequences,";
}

static void find_variants(const struct model *m,
                          const struct model_options *options, bool is_complete,
                          char *to, size_t size) {
  snprintf(to, size, "%s%s%s%s", other_file(m) ? "justified," : "",
           sequences(m, options, is_complete),
           options->sc_rule == SC_RC11  ? "rc11-sc,"
           : options->sc_rule == SC_C11 ? "c11-sc,"
                                        : "",
           options->final_writes ? "final-writes," : "");
}

// What the search would find out by trials and proofs does not matter here, but
// for where events may come.
static struct cat_model *read_text(const struct model *m, const char *variants,
                                   bool in_pieces) {
  static const struct cat_known known[2] = {
      {.tried = {.porf_is_acyclic = true}}, {.tried = {0}}};
  char file[40];
  const char *other = other_file(m);
  snprintf(file, sizeof file, "%s%s", other ? other : m->name,
           other ? "" : ".cat");
  const struct cat_text *text = cat_text_find(file);
  struct cat_search search = {.variants = variants};
  struct cat_model *ret;
  struct cat *cat;
  struct diag why;
  check(text);
  // Ours are right, the tests see to that.
  if (!cat_load_text(file, text->text, text->size, &search, &cat, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  cat->known = &known[m->tracks_dependencies || other];
  if (in_pieces)
    cat_put_together(cat);
  if (!cat_model_of(cat, &ret, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  // Nobody repairs what refuses an access as a whole.
  if (in_pieces)
    ret->pruning = ret->checks;
  return ret;
}

static const struct model *find(const struct definition *wanted) {
  for (struct definition *d = atomic_load(&definitions); d; d = d->next)
    if (d->of == wanted->of && d->in_pieces == wanted->in_pieces &&
        strcmp(d->variants, wanted->variants) == 0)
      return &d->text->model;
  return NULL;
}

const struct model *model_definition(const struct model *m,
                                     const struct model_options *options,
                                     bool is_complete) {
  struct definition now = {.of = m, .in_pieces = options->in_pieces};
  find_variants(m, options, is_complete, now.variants, sizeof now.variants);
  const struct model *found = find(&now);
  if (found)
    return found;
  pthread_mutex_lock(&reading);
  found = find(&now);
  if (!found) {
    struct definition *d = xmalloc(sizeof *d);
    now.text = read_text(m, now.variants, now.in_pieces);
    now.next = atomic_load(&definitions);
    *d = now;
    atomic_store(&definitions, d);
    found = &d->text->model;
  }
  pthread_mutex_unlock(&reading);
  return found;
}
