// SPDX-License-Identifier: MIT
// Models with fast code are defined by their texts all the same: who asks for
// the definition (model/model.h) gets that. A text is read when it is first
// asked for, by any of the threads that search, and stays. What the options of
// a model change is a variant of its text.
#include "cat/eval/pieces.h"
#include "cat/model.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct definition {
  const struct cat_text *of;
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
enum { WITHOUT_AXIOM = LENGTH(without_axiom) };

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
  snprintf(to, size, "%s%s%s%s%s", other_file(m) ? "justified," : "",
           m->is_for_picks ? "picks," : "", sequences(m, options, is_complete),
           options->sc_rule == SC_RC11  ? "rc11-sc,"
           : options->sc_rule == SC_C11 ? "c11-sc,"
                                        : "",
           options->final_writes ? "final-writes," : "");
}

// What the search would prove does not matter here, but for where events may
// come.
static struct cat_model *read_text(const struct model *m, const char *variants,
                                   const struct cat_text *text,
                                   bool in_pieces) {
  static const struct cat_proved known[2] = {
      {.porf_is_acyclic = true, .has_no_thin_air = true},
      {.has_no_thin_air = true}};
  struct cat_search search = {.variants = variants};
  struct cat_model *ret;
  struct cat *cat;
  struct diag why;
  // Ours are right, the tests see to that.
  if (!cat_load_text(text->name, text->text, text->size, &search, &cat, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  cat->known = &known[m->tracks_dependencies || other_file(m)];
  if (in_pieces)
    cat_put_together(cat);
  if (!cat_model_of(cat, &ret, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  // What refuses an access as a whole is not repaired.
  if (in_pieces)
    ret->pruning = ret->checks;
  return ret;
}

static const struct cat_text *text_that_defines(const struct model *m) {
  char file[40];
  const char *other = other_file(m);
  snprintf(file, sizeof file, "%s%s", other ? other : m->name,
           other ? "" : ".cat");
  const struct cat_text *text = cat_text_find(file);
  check(text);
  return text;
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
  struct definition now = {.of = text_that_defines(m),
                           .in_pieces = options->in_pieces};
  find_variants(m, options, is_complete, now.variants, sizeof now.variants);
  const struct model *found = find(&now);
  if (found)
    return found;
  pthread_mutex_lock(&reading);
  found = find(&now);
  if (!found) {
    struct definition *d = xmalloc(sizeof *d);
    now.text = read_text(m, now.variants, now.of, now.in_pieces);
    now.next = atomic_load(&definitions);
    *d = now;
    atomic_store(&definitions, d);
    found = &d->text->model;
  }
  pthread_mutex_unlock(&reading);
  return found;
}

// ---- a search by the text alone

// They stay, as the others do.
struct by_text {
  struct model model;
  struct by_text *next;
};

static bool judge_from_scratch(const struct model *m, struct graph *g,
                               const struct model_options *options) {
  return m->allows(m, g, options, /*is_complete=*/false);
}

static struct model make_by_text(const struct model *m,
                                 const struct model_options *options) {
  struct model ret =
      m->text ? *m : *model_definition(m, options, /*is_complete=*/true);
  ret.name = m->name;
  ret.title = m->title;
  ret.same_as = m->text ? m->same_as : m;
  ret.justifier = m->justifier;
  // What programs mean, and which checks make sense.
  ret.plain_syncs = m->plain_syncs;
  ret.skips_noret = m->skips_noret;
  ret.c11_release_sequences = m->c11_release_sequences;
  ret.is_language = m->is_language;
  ret.own_options = m->own_options;
  ret.declared = m->declared & (uint16_t)~MODEL_SECTIONS_ORDER;
  ret.has_guards = m->has_guards;
  ret.lacks_acquire = m->lacks_acquire;
  // Where executions justify cycles of po | rf, the search finds these, and no
  // text says which.
  ret.tracks_dependencies = m->tracks_dependencies;
  ret.needs_deps = m->tracks_dependencies ? ret.needs_deps : NULL;
  ret.mixes_picks = m->mixes_picks;
  // What is known of the text is not used.
  ret.judge = judge_from_scratch;
  ret.completes = NULL;
  ret.is_idle = NULL;
  ret.coherence = COHERENCE_NONE;
  ret.load_orders = 0;
  ret.cycle_orders = 0;
  ret.is_symmetric = ret.co_keeps_porf = false;
  ret.interleaves = m->interleaves;
  return ret;
}

bool model_is_by_text(const struct model *m) {
  return m->judge == judge_from_scratch;
}

const struct model *model_by_text(const struct model *m,
                                  const struct model_options *options) {
  static struct by_text *all;
  struct by_text *made = xcalloc(1, sizeof *made);
  made->model = make_by_text(m, options);
  pthread_mutex_lock(&reading);
  made->next = all;
  all = made;
  pthread_mutex_unlock(&reading);
  return &made->model;
}
