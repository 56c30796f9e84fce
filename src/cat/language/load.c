// SPDX-License-Identifier: MIT
// Files of models, and what they include.
#include "cat/language/resolve.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { MAX_OPEN = 50 };

const struct cat_text *cat_text_find(const char *name) {
  for (const struct cat_text *t = cat_texts; t->name; t++)
    if (strcmp(t->name, name) == 0)
      return t;
  return NULL;
}

// False, with errno: it cannot be read.
static bool read_file(const char *path, struct str *text) {
  FILE *f = fopen(path, "r");
  if (!f)
    return false;
  char part[1 << 14];
  errno = 0;
  for (size_t n; (n = fread(part, 1, sizeof part, f));)
    str_add_bytes(text, part, n);
  bool ok = !ferror(f);
  int error = errno;
  fclose(f);
  errno = error;
  return ok;
}

// -- include

// What enumerates coherence orders or the like in herd: the search does that.
static bool is_given(const char *name) {
  static const char *const given[] = {"cos.cat", "cos-opt.cat",
                                      "cos-no-opt.cat", "cos-ok-opt.cat",
                                      "stdlib.cat"};
  for (unsigned i = 0; i < LENGTH(given); i++)
    if (strcmp(name, given[i]) == 0)
      return true;
  return false;
}

static bool try_dir(const char *dir, size_t len, const char *name,
                    struct str *path, struct str *text) {
  path->len = text->len = 0;
  if (len)
    str_add(path, "%.*s/", (int)len, dir);
  str_add(path, "%s", name);
  return read_file(str_text(path), text);
}

// Is the file ours, whatever others of that name there are?
static bool is_ours(const char *name) {
  return strcmp(name, "lock.cat") == 0;
}

static bool find_ours(const char *name, struct str *path, struct str *text) {
  const struct cat_text *ours = cat_text_find(name);
  if (!ours)
    return false;
  path->len = text->len = 0;
  str_add(path, "%s", name);
  str_add_bytes(text, ours->text, ours->size);
  return true;
}

// The folders to look in: that of the file which includes, those asked for,
// those of the environment.
static bool find(const struct loader *l, const char *name, struct str *path,
                 struct str *text) {
  const char *from = l->open.at[l->open.len - 1];
  const char *slash = strrchr(from, '/');
  if (is_ours(name))
    return find_ours(name, path, text);
  if (name[0] == '/')
    return try_dir("", 0, name, path, text);
  if (try_dir(from, slash ? (size_t)(slash - from) : 0, name, path, text))
    return true;
  for (uint32_t i = 0; l->search && i < l->search->ndirs; i++)
    if (try_dir(l->search->dirs[i], strlen(l->search->dirs[i]), name, path,
                text))
      return true;
  for (const char *dir = getenv("HEDDLE_CAT_PATH"); dir;) {
    size_t len = strcspn(dir, ":");
    if (len && try_dir(dir, len, name, path, text))
      return true;
    dir = dir[len] ? dir + len + 1 : NULL;
  }
  return find_ours(name, path, text);
}

static bool check_cycle(struct loader *l, const struct statement *s,
                        const char *path) {
  for (uint32_t i = 0; i < l->open.len; i++)
    if (strcmp(l->open.at[i], path) == 0) {
      cat_fail(&l->cat->tree, s->at, l->why, "'%s' includes itself", path);
      diag_hint(l->why, "put what both need into a third file");
      return false;
    }
  return l->open.len < MAX_OPEN ||
         cat_fail(&l->cat->tree, s->at, l->why,
                  "more than %d files include each other", MAX_OPEN);
}

bool loader_include(struct loader *l, const struct statement *s, uint32_t *ret,
                    bool *given) {
  struct ast *tree = &l->cat->tree;
  const char *name = strings_get(&tree->names, s->name);
  *given = is_given(name);
  if (*given)
    return true;
  struct str path = {0}, text = {0}, title = {0};
  bool ok = find(l, name, &path, &text);
  if (!ok) {
    cat_fail(tree, s->at, l->why, "there is no file '%s' to include", name);
    diag_hint(l->why, "-I DIR and $HEDDLE_CAT_PATH say where to look");
  }
  ok = ok && check_cycle(l, s, str_text(&path)) &&
       cat_parse(tree, str_text(&path), str_text(&text), text.len, ret, &title,
                 l->why);
  if (ok)
    array_push(
        &l->open,
        strings_get(&tree->names, strings_add(&tree->names, str_text(&path))));
  str_done(&path);
  str_done(&text);
  str_done(&title);
  return ok;
}

void loader_close(struct loader *l) {
  l->open.len--;
}

// -- a whole model

static bool parse_ours(struct cat *c, const char *name, uint32_t *ret,
                       struct diag *why) {
  const struct cat_text *t = cat_text_find(name);
  struct str title = {0};
  check(t);
  bool ok = cat_parse(&c->tree, t->name, t->text, t->size, ret, &title, why);
  str_done(&title);
  return ok;
}

// What herd's own library defines, for every model, and more for Arm's.
static bool parse_preludes(struct cat *c, struct cat_preludes *ret,
                           struct diag *why) {
  if (!parse_ours(c, "stdlib.cat", &ret->all, why) ||
      !parse_ours(c, "arm.cat", &ret->arm, why))
    return false;
  ret->exprs = c->tree.exprs.len;
  return true;
}

static bool check_axioms(const struct cat *c, struct diag *why) {
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (c->axioms.at[i].mode == MODE_CHECK)
      return true;
  diag_set(why, c->file, 0, "this model has no axiom");
  diag_hint(why, "a model says what is forbidden, for instance "
                 "`acyclic po | rf | co | fr as sc`");
  return false;
}

static void note_base(struct cat *c, uint32_t base) {
  if (base_is_fence(base))
    c->uses_fence[base_fence(base)] = true;
  else
    c->uses |= UINT64_C(1) << base;
}

// The relation that says what is ordered where races are the model's own; a
// later definition of a name hides earlier ones.
static node_id find_race_order(const struct cat *c) {
  for (uint32_t i = c->names.len; i-- > 0;)
    if (strcmp(c->names.at[i].name, "race-order") == 0)
      return node_at(&c->nodes, c->names.at[i].node)->type == TYPE_RELATION
                 ? c->names.at[i].node
                 : NO_NODE;
  return NO_NODE;
}

static void note_order(struct cat *c) {
  c->race_order = find_race_order(c);
  if (c->race_order == NO_NODE)
    return;
  bool *marked = xcalloc(c->nodes.at.len, sizeof *marked);
  node_mark(&c->nodes, c->race_order, marked);
  for (uint32_t i = 0; i < c->nodes.at.len; i++)
    if (marked[i] && c->nodes.at.at[i].kind == NODE_BASE &&
        !base_is_fence(c->nodes.at.at[i].a))
      c->order_needs |= UINT64_C(1) << c->nodes.at.at[i].a;
  free(marked);
}

static void note_uses(struct cat *c) {
  bool *marked = xcalloc(c->nodes.at.len, sizeof *marked);
  for (uint32_t i = 0; i < c->axioms.len; i++)
    node_mark(&c->nodes, c->axioms.at[i].node, marked);
  for (uint32_t i = 0; i < c->nodes.at.len; i++)
    if (marked[i] && c->nodes.at.at[i].kind == NODE_BASE)
      note_base(c, c->nodes.at.at[i].a);
  free(marked);
}

bool cat_load_text(const char *file, const char *text, size_t size,
                   const struct cat_search *search, struct cat **ret,
                   struct diag *why) {
  struct cat *c = xcalloc(1, sizeof *c);
  struct loader l = {.cat = c, .search = search, .why = why};
  struct str title = {0};
  struct cat_preludes prelude;
  uint32_t first;
  ast_init(&c->tree);
  array_push(&l.open, file);
  bool ok = parse_preludes(c, &prelude, why) &&
            cat_parse(&c->tree, file, text, size, &first, &title, why);
  c->file = strdup(file);
  c->title = strdup(str_text(&title));
  ok = ok && cat_resolve(&l, &prelude, first) && check_axioms(c, why);
  str_done(&title);
  array_done(&l.open);
  if (!ok) {
    cat_free(c);
    return false;
  }
  note_uses(c);
  note_order(c);
  *ret = c;
  return true;
}

static const char *find_copied(const struct str *text) {
  for (const struct cat_text *t = cat_texts; t->name; t++)
    if (t->size == text->len && memcmp(t->text, text->at, t->size) == 0)
      return t->name;
  return NULL;
}

bool cat_load(const char *path, const struct cat_search *search,
              struct cat **ret, struct diag *why) {
  struct str text = {0};
  bool ok = read_file(path, &text) ||
            diag_set(why, path, 0, "cannot be read: %s", strerror(errno));
  ok = ok && cat_load_text(path, str_text(&text), text.len, search, ret, why);
  if (ok)
    (*ret)->copy_of = find_copied(&text);
  str_done(&text);
  return ok;
}

void cat_free(struct cat *c) {
  if (!c)
    return;
  free(c->file);
  free(c->title);
  ast_done(&c->tree);
  nodes_done(&c->nodes);
  array_done(&c->axioms);
  array_done(&c->names);
  free(c);
}
