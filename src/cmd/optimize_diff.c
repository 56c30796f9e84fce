// SPDX-License-Identifier: MIT
// heddle optimize --diff: a solution as a patch of the source. A site is where
// the compiler says that it is. There, or in the arguments of what stands
// there, is a call whose name fits the operation (in C++ also a member); or a
// macro or a function of the user that is given the orders. What is written
// otherwise (an operator, an order that is no word) is left as it is, and said.
#include "cmd/optimize.h"
#include "cmd/optimize_kernel.h"
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

// Does the name of a call fit the operation? Those of functions begin with
// `atomic_`; members of std::atomic and its kin have the rest of it.
static bool fits(const struct source_file *f, const struct call *c,
                 const void *site) {
  const char *name = c->meaning;
  bool compares = strstr(name, "compare_exchange");
  if (strncmp(name, "__", 2) == 0)
    name += 2;
  if (strncmp(name, "atomic_", 7) == 0)
    name += 7;
  else if (!c->is_member)
    return false;
  bool is_flag = strncmp(name, "flag_", 5) == 0;
  name += is_flag ? 5 : 0;
  (void)f;
  switch (((const struct order_site *)site)->kind) {
  case SITE_LOAD:
    return strncmp(name, "load", 4) == 0 || strcmp(name, "test") == 0 ||
           strcmp(name, "test_explicit") == 0;
  case SITE_STORE:
    return strncmp(name, "store", 5) == 0 || strncmp(name, "clear", 5) == 0;
  case SITE_UPDATE:
    return !compares &&
           (strncmp(name, "exchange", 8) == 0 || strstr(name, "fetch") ||
            strncmp(name, "test_and_set", 12) == 0);
  case SITE_FENCE:
    return strncmp(name, "thread_fence", 12) == 0;
  default:
    return compares;
  }
}

// -- edits

static bool begins(const struct source_file *f, struct span at,
                   const char *with) {
  size_t n = strlen(with);
  return at.end - at.start >= n && memcmp(f->text.at + at.start, with, n) == 0;
}

// What stands before an order in this file: of the family of the word `like`,
// which may be empty.
static const char *family(const struct source_file *f, struct span like) {
  static const char *const scoped[] = {
      "std::memory_order::", "memory_order::", "std::memory_order_", NULL};
  char word[64];
  for (unsigned i = 0; scoped[i]; i++)
    if (begins(f, like, scoped[i]))
      return scoped[i];
  if (source_order(f, like, word) && strncmp(word, "__ATOMIC_", 9) == 0)
    return "__ATOMIC_";
  return source_is_cxx(f) && !strstr(f->text.at, "using namespace std")
             ? "std::memory_order_"
             : "memory_order_";
}

static void order_text(const struct source_file *f, struct span like,
                       const char *to, char ret[64]) {
  const char *before = family(f, like);
  snprintf(ret, 64, "%s%s", before, to);
  for (char *p = ret; strcmp(before, "__ATOMIC_") == 0 && *p; p++)
    *p = (char)toupper((unsigned char)*p);
}

// Replaces a word for an order by another one of its family.
static void edit_order(struct source_file *f, struct span arg, const char *to) {
  char text[64];
  order_text(f, arg, to, text);
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

// Orders (of failure too, if that is one) behind what a call is given.
static void append_orders(struct source_file *f, uint32_t at, bool is_first,
                          struct span like, const char *to, const char *fail) {
  char text[160], one[64], two[64] = "";
  order_text(f, like, to, one);
  if (fail)
    order_text(f, like, fail, two);
  snprintf(text, sizeof text, "%s%s%s%s", is_first ? "" : ", ", one,
           fail ? ", " : "", two);
  patch_edit(f, at, at, text);
}

// A call without orders gets its longer name and them.
static bool make_explicit(struct source_file *f, const struct call *c,
                          const char *to, const char *fail) {
  if (strlen(c->meaning) != c->name.end - c->name.start)
    return false; // the longer name is not that of the alias
  patch_edit(f, c->name.end, c->name.end, "_explicit");
  append_orders(f, c->close, false, (struct span){0, 0}, to, fail);
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
    n += other->kind != SITE_CAS_FAIL && sites_at_one_place(other, site);
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
  char text[160], word[64];
  bool is_builtin =
      strstr(s->at, "__atomic_") && !strstr(s->at, "memory_order");
  if (site->kind == SITE_BARRIER) {
    snprintf(text, sizeof text, "%.*s%s();\n", (int)(indent < 60 ? indent : 60),
             s->at + like, mode_name(SITE_BARRIER, m));
    patch_edit(f, at, at, text);
    return true;
  }
  order_text(f, (struct span){0, 0}, mode_name(SITE_FENCE, m), word);
  if (is_builtin)
    snprintf(word, sizeof word, "__ATOMIC_%s", mode_name(SITE_FENCE, m));
  for (char *p = word; is_builtin && *p; p++)
    *p = (char)toupper((unsigned char)*p);
  snprintf(text, sizeof text, "%.*s%s%s(%s);\n",
           (int)(indent < 60 ? indent : 60), s->at + like,
           strncmp(word, "std::", 5) == 0 ? "std::"
           : is_builtin                   ? "__"
                                          : "",
           "atomic_thread_fence", word);
  patch_edit(f, at, at, text);
  return true;
}

// A member takes its orders behind what it needs, and the same without them: a
// compare-exchange that is given one gets the other.
static bool edit_member(struct source_file *f, const struct order_site *site,
                        const mode *x, const struct call *c) {
  bool is_cas = site->kind == SITE_CAS;
  bool needs_none = site->kind == SITE_LOAD ||
                    strcmp(c->meaning, "clear") == 0 ||
                    strcmp(c->meaning, "test_and_set") == 0;
  uint32_t given = c->nargs - (is_cas ? 2 : needs_none ? 0 : 1);
  const char *to = mode_name(site->kind, x[0]);
  const char *fail = is_cas ? mode_name(SITE_CAS_FAIL, x[1]) : NULL;
  if (given != c->norders)
    return false;
  if (!given) {
    append_orders(f, c->close, !c->nargs, (struct span){0, 0}, to, fail);
    return true;
  }
  if (given == 2 || !is_cas)
    return edit_orders(f, site, x, c->orders[0], c->orders[given - 1]);
  if (!says(f, c->orders[0], SITE_CAS, site->source))
    return false;
  edit_order(f, c->orders[0], to);
  append_orders(f, c->orders[0].end, false, c->orders[0], fail, NULL);
  return true;
}

// Is it called in a way that has no place for an order?
static bool is_operator(const struct order_site *site) {
  return strstr(site->wrapper, "::operator") != NULL;
}

static bool edit_site(struct patch *p, struct source_file *f,
                      const struct order_site *site, const mode *x) {
  struct call c;
  bool is_cas = site->kind == SITE_CAS, is_fence = site->kind == SITE_FENCE;
  uint32_t at = source_offset(&f->text, site->line, site->column);
  if (site->is_place)
    return insert_fence(f, site, x[0]);
  if (p->z->search.sites.is_kernel || kernel_is_file(f))
    return kernel_edit(f, site, x[0]);
  bool is_library = strncmp(site->wrapper, "std::", 5) == 0;
  if (is_operator(site))
    return false;
  if ((*site->wrapper && !is_library) ||
      !source_find_call(f, site->line, site->column, &c, fits, site))
    return at < f->text.len && source_call(f, at, &c) && !is_edited(f, &c) &&
           sites_at(p, site) == 1 && edit_given(f, site, x, &c);
  if (is_edited(f, &c))
    return false;
  if (is_fence && !x[0])
    return patch_remove_statement(f, &c);
  if (c.is_member)
    return edit_member(f, site, x, &c);
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
    if (site->kind == SITE_CAS_FAIL || stays ||
        sites_is_other_choice(s, p->z->search.is_run, i))
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
