// SPDX-License-Identifier: MIT
// Models with fast code (model.def) come first, then texts that are built in
// (builtin.def); what looks like a path is a file.
#include "cat/catalogue.h"

#include "base/suggest.h"
#include "cat/same.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

void catalogue_init(struct catalogue *c, const struct options *o) {
  *c = (struct catalogue){.is_ready = true};
  c->variants = o->variant && *o->variant ? o->variant : NULL;
  for (uint32_t i = 0; i < o->clang_flags.len; i++) {
    const char *flag = o->clang_flags.at[i];
    if (strncmp(flag, "-I", 2) != 0)
      continue;
    if (flag[2])
      array_push(&c->dirs, flag + 2);
    else if (i + 1 < o->clang_flags.len)
      array_push(&c->dirs, o->clang_flags.at[++i]);
  }
}

void catalogue_done(struct catalogue *c) {
  for (uint32_t i = 0; i < c->loaded.len; i++)
    cat_model_free(c->loaded.at[i]);
  array_done(&c->loaded);
  array_done(&c->dirs);
}

// A path is what no name looks like.
bool catalogue_is_path(const char *name) {
  size_t n = strlen(name);
  return strchr(name, '/') || (n > 4 && strcmp(name + n - 4, ".cat") == 0);
}

static const struct text_model {
  const char *name, *file, *title, *tests, *answers;
  uint16_t declared;
  bool lifts;
  struct cat_proved known;
} text_models[] = {
#define TEXT_MODEL(name, file, title, tests, answers, declared, lifts, ...)    \
  {name, file, title, tests, answers, declared, lifts, {__VA_ARGS__}},
#include "cat/builtin.def"
#undef TEXT_MODEL
};
enum { TEXT_MODELS = LENGTH(text_models) };
#define PICKS "picks" // the variant for programs with OP_pick

static bool answers(const char *languages, const char *language) {
  size_t n = strlen(language);
  for (const char *at = languages; *at; at += strcspn(at, " ")) {
    at += strspn(at, " ");
    if (strncmp(at, language, n) == 0 && (!at[n] || at[n] == ' '))
      return true;
  }
  return false;
}

const char *catalogue_of_language(const char *language) {
  for (unsigned i = 0; models[i]; i++)
    if (answers(models[i]->answers, language))
      return models[i]->name;
  for (unsigned i = 0; i < TEXT_MODELS; i++)
    if (answers(text_models[i].answers, language))
      return text_models[i].name;
  fatal_internal(__FILE__, __LINE__, "a language without a model");
}

static bool unknown_model(const char *name, struct diag *why) {
  struct suggestion s = {.wanted = name};
  struct str all = {0};
  for (unsigned i = 0; models[i]; i++) {
    suggest_consider(&s, models[i]->name);
    str_add(&all, "%s%s", i ? ", " : "", models[i]->name);
  }
  for (unsigned i = 0; i < TEXT_MODELS; i++) {
    suggest_consider(&s, text_models[i].name);
    str_add(&all, ", %s", text_models[i].name);
  }
  diag_set(why, NULL, 0, "there is no model '%s'", name);
  if (s.best)
    diag_hint(why, "did you mean '%s'? The models are: %s", s.best,
              str_text(&all));
  else
    diag_hint(why, "the models are: %s; a file is given by its path, ./%s.cat",
              str_text(&all), name);
  str_done(&all);
  return false;
}

static const struct model *keep(struct catalogue *c, struct cat_model *m) {
  m->asked = m->model.name;
  if (c->variants) {
    struct str name = {0};
    str_add(&name, "%s (%s)", m->asked, c->variants);
    m->model.name = m->shown = strdup(str_text(&name));
    str_done(&name);
  }
  array_push(&c->loaded, m);
  return &m->model;
}

static void say_what_is_known(const char *variants, const struct text_model *t,
                              struct model *m) {
  m->takes_pieces = true;
  m->lifts = t->lifts && !variants;
  m->declared = t->declared;
  if (variants)
    m->declared &= MODEL_NO_SEQUENCES;
}

static struct cat_model *load_text_model(const struct text_model *t,
                                         const char *variants) {
  const struct cat_text *text = cat_text_find(t->file);
  struct cat_search search = {.variants = variants};
  struct cat *cat;
  struct cat_model *m;
  struct diag why;
  check(text);
  // Ours are right, the tests see to that.
  if (!cat_load_text(t->file, text->text, text->size, &search, &cat, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  cat->known = variants ? NULL : &t->known;
  if (!cat_model_of(cat, &m, &why))
    fatal_internal(why.file, (int)why.line, why.text);
  say_what_is_known(variants, t, &m->model);
  m->model.name = t->name;
  m->model.title = t->title;
  m->model.tests = t->tests;
  m->model.answers = t->answers;
  return m;
}

static const struct text_model *text_model_of(const char *name) {
  for (unsigned i = 0; i < TEXT_MODELS; i++)
    if (strcmp(text_models[i].name, name) == 0)
      return &text_models[i];
  return NULL;
}

// A built-in model that is only a text.
static const struct model *find_text_model(struct catalogue *c,
                                           const char *name) {
  const struct text_model *t = text_model_of(name);
  return t ? keep(c, load_text_model(t, c->variants)) : NULL;
}

const struct model *model_for_picks(const struct model *m) {
  static pthread_mutex_t reading = PTHREAD_MUTEX_INITIALIZER;
  static struct cat_model *made[TEXT_MODELS]; // they stay
  const struct text_model *t = m->mixes_picks ? text_model_of(m->name) : NULL;
  const struct cat_model *text = m->text;
  if (!t || !cat_has_variant(text->cat, PICKS, strlen(PICKS)))
    return m;
  pthread_mutex_lock(&reading);
  struct cat_model **found = &made[t - text_models];
  if (!*found) {
    *found = load_text_model(t, PICKS);
    (*found)->model.lifts = t->lifts;
    (*found)->model.is_for_picks = true;
  }
  pthread_mutex_unlock(&reading);
  const struct model *own = &(*found)->model;
  return model_is_by_text(m) ? model_by_text(own, NULL) : own;
}

static bool check_no_variant(const struct catalogue *c, const char *name,
                             struct diag *why) {
  if (!c->variants)
    return true;
  diag_set(why, NULL, 0, "the model '%s' has no variants", name);
  diag_hint(why, "models that are texts may have some: power, riscv");
  return false;
}

// Does the text speak of every variant that was asked for?
static bool check_variants(const struct catalogue *c, const struct cat_model *m,
                           struct diag *why) {
  for (const char *v = c->variants; v;) {
    size_t len = strcspn(v, ",");
    if (!cat_has_variant(m->cat, v, len)) {
      diag_set(why, m->cat->file, 0, "this model has no variant '%.*s'",
               (int)len, v);
      diag_hint(why, "a variant is what a text says behind `if \"%.*s\"`",
                (int)len, v);
      return false;
    }
    v = v[len] ? v + len + 1 : NULL;
  }
  return true;
}

// The built-in model of which the text is a copy, if it has no fast code.
static const struct text_model *find_copied(const struct cat *cat) {
  for (unsigned i = 0; cat->copy_of && i < TEXT_MODELS; i++)
    if (strcmp(text_models[i].file, cat->copy_of) == 0)
      return &text_models[i];
  return NULL;
}

static bool load_file(struct catalogue *c, const char *path,
                      const struct model **ret, struct diag *why) {
  struct cat_search search = {c->dirs.at, c->dirs.len, c->variants};
  struct cat_model *m;
  struct cat *cat;
  if (!cat_load(path, &search, &cat, why))
    return false;
  cat->same_as = c->is_literal ? NULL : cat_same_model(cat);
  if (!cat_model_of(cat, &m, why))
    return false;
  const struct text_model *ours = find_copied(cat);
  if (ours && !c->is_literal)
    say_what_is_known(c->variants, ours, &m->model);
  *ret = keep(c, m);
  return check_variants(c, m, why);
}

bool catalogue_find(struct catalogue *c, const char *name,
                    const struct model **ret, struct diag *why) {
  *ret = model_find(name);
  for (uint32_t i = 0; !*ret && i < c->loaded.len; i++)
    if (strcmp(c->loaded.at[i]->asked, name) == 0)
      *ret = &c->loaded.at[i]->model;
  if (!*ret)
    *ret = find_text_model(c, name);
  if (*ret)
    return (*ret)->text ? check_variants(c, (*ret)->text, why)
                        : check_no_variant(c, name, why);
  if (!catalogue_is_path(name))
    return unknown_model(name, why);
  return load_file(c, name, ret, why);
}

// -- heddle models

static bool explain_file(const struct catalogue *c, const char *path,
                         struct str *out, struct diag *why) {
  struct cat_search search = {c->dirs.at, c->dirs.len, c->variants};
  struct cat_analysis a;
  struct cat *cat;
  if (!cat_load(path, &search, &cat, why))
    return false;
  const struct model *same = cat_same_model(cat);
  const struct text_model *copied = find_copied(cat);
  cat_analyse(&a, cat);
  cat_explain(cat, &a, out);
  if (same || copied)
    str_add(out,
            "\nThis is the built-in model %s: what Heddle knows of that is "
            "used here, too.\n",
            same ? same->name : copied->name);
  cat_analysis_done(&a);
  cat_free(cat);
  return true;
}

static bool show(const char *name, struct str *out, struct diag *why) {
  char file[64];
  snprintf(file, sizeof file, "%s.cat", name);
  const struct cat_text *t = cat_text_find(file);
  const struct model *m = model_find(name);
  if (!t && m) {
    diag_set(why, NULL, 0, "the model '%s' has no definition in cat", name);
    diag_hint(why,
              "cat judges one execution at a time, and here one execution "
              "may need another; docs/manual/%s.md says what it is",
              name);
    return false;
  }
  if (!t)
    return unknown_model(name, why);
  str_add_bytes(out, t->text, t->size);
  return true;
}

// How C becomes instructions of a model, as a table.
static bool print_mapping(const char *name, struct str *out, struct diag *why) {
  static const struct row {
    const char *model, *c, *instructions;
  } rows[] = {
#define MAPPING(model, c, instructions) {model, c, instructions},
#include "cat/mapping.def"
#undef MAPPING
  };
  bool found = false;
  for (unsigned i = 0; i < LENGTH(rows); i++)
    if (strcmp(rows[i].model, name) == 0) {
      str_add(out, "%-16s %s\n", rows[i].c, rows[i].instructions);
      found = true;
    }
  if (found)
    return true;
  diag_set(why, NULL, 0, "the model '%s' has no mapping", name);
  diag_hint(why, "it is for models of processors: tso, pso, armv8, armv7, "
                 "power, riscv; and lkmm");
  return false;
}

bool catalogue_print(struct catalogue *c, const struct options *o,
                     struct str *out, struct diag *why) {
  for (uint32_t i = 0; i < o->files.len; i++) {
    if (i)
      str_add(out, "\n");
    if (!explain_file(c, o->files.at[i], out, why))
      return false;
  }
  if (o->names)
    cat_explain_names(out);
  if (o->show && !show(o->show, out, why))
    return false;
  if (o->mapping && !print_mapping(o->mapping, out, why))
    return false;
  if (o->files.len || o->names || o->show || o->mapping)
    return true;
  for (unsigned i = 0; models[i]; i++)
    str_add(out, "%-8s %s\n", models[i]->name, models[i]->title);
  for (unsigned i = 0; i < TEXT_MODELS; i++)
    str_add(out, "%-8s %s\n", text_models[i].name, text_models[i].title);
  return true;
}
