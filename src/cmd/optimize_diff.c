// SPDX-License-Identifier: MIT
// heddle optimize --diff: a solution as a patch of the source. A site is where
// the compiler says that it is. There, or in the arguments of what stands
// there, is a call whose name fits the operation; or a macro or a function of
// the user that is given the orders. What is written otherwise (an operator, an
// order that is no word) is left as it is, and said.
#include "cmd/optimize.h"
#include "optimise/source/source.h"

#include <ctype.h>
#include <string.h>

struct patch {
  const struct optimizing *z;
  const mode *x;
  source_files files;
  struct str *out;
};

// -- the call of a site

// Does the name of a call of C11 or of the compilers fit the operation?
static bool fits(const char *name, enum site_kind k) {
  bool compares = strstr(name, "compare_exchange");
  if (strncmp(name, "atomic_", 7) != 0 && strncmp(name, "__atomic_", 9) != 0)
    return false;
  switch (k) {
  case SITE_LOAD:
    return strstr(name, "_load");
  case SITE_STORE:
    return strstr(name, "_store") || strstr(name, "flag_clear");
  case SITE_UPDATE:
    return !compares &&
           (strstr(name, "_exchange") || strstr(name, "fetch_") ||
            strstr(name, "_fetch") || strstr(name, "test_and_set"));
  case SITE_FENCE:
    return strstr(name, "_thread_fence");
  default:
    return compares;
  }
}

// The call of a site: at its place, or the only one inside that fits (the
// compiler places what is inside of a macro at the macro).
static bool find_call(const struct source_file *f,
                      const struct order_site *site, struct call *ret) {
  const struct str *s = &f->text;
  struct call outer;
  uint32_t at = source_offset(s, site->line, site->column), found = 0;
  if (at >= s->len || !source_call(f, at, &outer))
    return false;
  *ret = outer;
  if (fits(outer.meaning, site->kind))
    return true;
  for (uint32_t i = outer.name.end; i < outer.close; i = source_skip(s, i)) {
    struct call inner;
    if (source_is_word(s->at[i]) && !source_is_word(s->at[i - 1]) &&
        source_call(f, i, &inner) && fits(inner.meaning, site->kind)) {
      *ret = inner;
      found++;
    }
  }
  return found == 1;
}

// -- edits

// Replaces a word for an order by another one of its family.
static void edit_order(struct source_file *f, struct span arg, const char *to) {
  char before[64], text[64];
  bool is_builtin =
      source_order(f, arg, before) && strncmp(before, "__ATOMIC_", 9) == 0;
  snprintf(text, sizeof text, "%s%s",
           is_builtin ? "__ATOMIC_" : "memory_order_", to);
  for (char *p = text + 9; is_builtin && *p; p++)
    *p = (char)toupper((unsigned char)*p);
  patch_edit(f, arg.start, arg.end, text);
}

// Is that what the compiler saw there? (Another client, or a flag, may have
// defined the word.)
static bool says(const struct source_file *f, struct span arg, enum site_kind k,
                 mode m) {
  char word[64], *p = word;
  if (!source_order(f, arg, word))
    return false;
  for (; *p; p++)
    *p = (char)tolower((unsigned char)*p);
  const char *order = strstr(word, "order_") ? word + 13 : word + 9;
  return strcmp(order, mode_name(k, m)) == 0 || strcmp(order, "consume") == 0;
}

// A fence that is a statement of its own goes, with its line if nothing else is
// there.
static bool remove_fence(struct source_file *f, const struct call *c) {
  const struct str *s = &f->text;
  uint32_t start = c->name.start, end = c->close + 1;
  if (end >= s->len || s->at[end] != ';' ||
      memchr(s->at + start, '\n', end - start))
    return false;
  uint32_t left = start, right = end + 1;
  while (left && (s->at[left - 1] == ' ' || s->at[left - 1] == '\t'))
    left--;
  bool is_alone = (!left || s->at[left - 1] == '\n') && s->at[right] == '\n';
  // The body of an `if` without braces must stay a statement.
  const struct span before = source_trimmed(s, 0, start);
  bool is_statement =
      before.end && strchr(";{}", s->at[before.end - 1]) != NULL;
  if (is_alone && is_statement)
    patch_edit(f, left, right + 1, "");
  else if (is_statement)
    patch_edit(f, start, right, "");
  else
    patch_edit(f, start, end, "(void)0");
  return true;
}

// A call without orders gets its longer name and them.
static bool make_explicit(struct source_file *f, const struct call *c,
                          const char *to, const char *fail) {
  char text[80];
  if (strlen(c->meaning) != c->name.end - c->name.start)
    return false; // the longer name is not that of the alias
  snprintf(text, sizeof text, ", memory_order_%s%s%s", to,
           fail ? ", memory_order_" : "", fail ? fail : "");
  patch_edit(f, c->name.end, c->name.end, "_explicit");
  patch_edit(f, c->close, c->close, text);
  return true;
}

// Was this call changed for another site at the same place?
static bool is_edited(const struct source_file *f, const struct call *c) {
  for (uint32_t k = 0; k < f->edits.len; k++) {
    uint32_t at = f->edits.at[k].start;
    if (at == c->name.end || at == c->close || at == c->args[1].start ||
        (c->norders && at == c->orders[0].start))
      return true;
  }
  return false;
}

// The orders of a call that is given them.
static bool edit_orders(struct source_file *f, const struct order_site *site,
                        const mode *x, struct span order, struct span fail) {
  bool is_cas = site->kind == SITE_CAS;
  if (!says(f, order, site->kind, site->source) ||
      (is_cas && !says(f, fail, SITE_CAS_FAIL, site[1].source)))
    return false;
  if (x[0] != site->source)
    edit_order(f, order, mode_name(site->kind, x[0]));
  if (is_cas && x[1] != site[1].source)
    edit_order(f, fail, mode_name(SITE_CAS_FAIL, x[1]));
  return true;
}

// A macro or a function that is given the orders: they are what is replaced. If
// it says nothing about failure, that has to stay.
static bool edit_given(struct source_file *f, const struct order_site *site,
                       const mode *x, const struct call *c) {
  bool is_cas = site->kind == SITE_CAS;
  if (is_cas && c->norders == 2)
    return edit_orders(f, site, x, c->orders[0], c->orders[1]);
  if (c->norders != 1 || (is_cas && x[1] != site[1].source) ||
      !says(f, c->orders[0], site->kind, site->source))
    return false;
  edit_order(f, c->orders[0], mode_name(site->kind, x[0]));
  return true;
}

// How many sites are there? What is given to a macro goes to all of them.
static uint32_t sites_at(const struct patch *p, const struct order_site *site) {
  const struct sites *s = &p->z->search.sites;
  uint32_t n = 0;
  for (uint32_t i = 0; i < s->at.len; i++) {
    const struct order_site *other = &s->at.at[i];
    n += other->kind != SITE_CAS_FAIL && other->line == site->line &&
         other->column == site->column && strcmp(other->file, site->file) == 0;
  }
  return n;
}

// A statement of its own, indented as what it stands before, or as what is
// before the end of the function.
static bool insert_fence(struct source_file *f, const struct order_site *site,
                         mode m) {
  const struct str *s = &f->text;
  uint32_t at = source_offset(s, site->line, 1), like = at;
  if (at >= s->len)
    return false;
  if (s->at[at + strspn(s->at + at, " \t")] == '}')
    like = source_offset(s, site->line - 1, 1);
  if (like >= s->len)
    like = at;
  size_t indent = strspn(s->at + like, " \t");
  char text[160], word[32];
  bool is_builtin =
      strstr(s->at, "__atomic_") && !strstr(s->at, "memory_order");
  snprintf(word, sizeof word, "%s", mode_name(SITE_FENCE, m));
  for (char *p = word; is_builtin && *p; p++)
    *p = (char)toupper((unsigned char)*p);
  snprintf(text, sizeof text, "%.*s%s%s);\n", (int)(indent < 60 ? indent : 60),
           s->at + like,
           is_builtin ? "__atomic_thread_fence(__ATOMIC_"
                      : "atomic_thread_fence(memory_order_",
           word);
  patch_edit(f, at, at, text);
  return true;
}

static bool edit_site(struct patch *p, struct source_file *f,
                      const struct order_site *site, const mode *x) {
  struct call c;
  bool is_cas = site->kind == SITE_CAS, is_fence = site->kind == SITE_FENCE;
  uint32_t at = source_offset(&f->text, site->line, site->column);
  if (site->is_place)
    return insert_fence(f, site, x[0]);
  if (*site->wrapper || !find_call(f, site, &c))
    return at < f->text.len && source_call(f, at, &c) && !is_edited(f, &c) &&
           sites_at(p, site) == 1 && edit_given(f, site, x, &c);
  if (is_edited(f, &c))
    return false;
  if (is_fence && !x[0])
    return remove_fence(f, &c);
  if (!is_fence && !strstr(c.meaning, "_explicit") &&
      strncmp(c.meaning, "__atomic_", 9) != 0)
    return make_explicit(f, &c, mode_name(site->kind, x[0]),
                         is_cas ? mode_name(SITE_CAS_FAIL, x[1]) : NULL);
  return is_cas ? edit_orders(f, site, x, c.args[0], c.args[1])
                : edit_orders(f, site, x, c.args[1], c.args[1]);
}

// -- all sites

static void say_left(struct patch *p, const struct order_site *site,
                     const mode *x) {
  bool is_cas = site->kind == SITE_CAS;
  str_add(p->out, "# not rewritten: %s:%u:%u: %s %s -> %s%s%s\n", site->file,
          site->line, site->column, site_kind_name(site->kind),
          mode_name(site->kind, site->source), mode_name(site->kind, x[0]),
          is_cas ? ", on failure " : "",
          is_cas ? mode_name(SITE_CAS_FAIL, x[1]) : "");
}

static void edit_all(struct patch *p) {
  const struct sites *s = &p->z->search.sites;
  for (uint32_t i = 0; i < s->at.len; i++) {
    const struct order_site *site = &s->at.at[i];
    bool stays = p->x[i] == site->source &&
                 (site->kind != SITE_CAS || p->x[i + 1] == site[1].source);
    if (site->kind == SITE_CAS_FAIL || stays)
      continue;
    if (!p->z->search.is_run[i]) {
      str_add(p->out, "# left alone, no client executes it: %s:%u:%u: %s\n",
              site->file, site->line, site->column, site_kind_name(site->kind));
      continue;
    }
    if (!edit_site(p, source_of(&p->files, site->file), site, &p->x[i]))
      say_left(p, site, &p->x[i]);
  }
}

void optimize_diff(const struct optimizing *z, const mode *x, struct str *out) {
  struct patch p = {.z = z, .x = x, .out = out};
  edit_all(&p);
  for (uint32_t i = 0; i < p.files.len; i++)
    patch_print(&p.files.at[i], out);
  sources_done(&p.files);
}
