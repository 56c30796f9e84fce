// SPDX-License-Identifier: MIT
// C and C++ as text: calls and their arguments, and what words stand for. A
// word may stand for another one (`#define load atomic_load_explicit`) in the
// file or in what it includes by quotes.
#include "optimise/source/source.h"

#include "base/source.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_INCLUDES = 16 }; // that are nested

bool source_is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

uint32_t source_skip(const struct str *s, uint32_t at) {
  const char *p = s->at + at, *end = NULL;
  if (*p == '"' || *p == '\'') {
    char quote = *p++;
    for (; *p && *p != quote; p++)
      p += *p == '\\' && p[1];
    end = *p ? p + 1 : p;
  } else if (p[0] == '/' && p[1] == '/') {
    end = strchr(p, '\n');
  } else if (p[0] == '/' && p[1] == '*') {
    end = strstr(p + 2, "*/");
    end = end ? end + 2 : NULL;
  } else {
    end = p + 1;
  }
  return end ? (uint32_t)(end - s->at) : s->len;
}

struct span source_trimmed(const struct str *s, uint32_t start, uint32_t end) {
  while (start < end && isspace((unsigned char)s->at[start]))
    start++;
  while (end > start && isspace((unsigned char)s->at[end - 1]))
    end--;
  return (struct span){start, end};
}

uint32_t source_offset(const struct str *s, unsigned line, unsigned column) {
  const char *at = str_text(s);
  for (; line > 1 && at; line--)
    at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  size_t n = at ? strcspn(at, "\n") : 0;
  return at && column && column <= n ? (uint32_t)(at - s->at) + column - 1
                                     : s->len;
}

// -- files

static void read_text(const char *path, struct str *ret) {
  char block[4096];
  FILE *in = fopen(source_path(path), "r");
  for (size_t n; in && (n = fread(block, 1, sizeof block, in));)
    str_add_bytes(ret, block, n);
  if (in)
    fclose(in);
}

static void read_aliases(struct source_file *f, const char *path,
                         const struct str *text, unsigned depth);

static void read_include(struct source_file *f, const char *path,
                         const char *name, unsigned depth) {
  const char *slash = strrchr(path, '/');
  struct str whole = {0}, text = {0};
  if (slash && name[0] != '/')
    str_add_bytes(&whole, path, (size_t)(slash - path) + 1);
  str_add(&whole, "%s", name);
  read_text(whole.at, &text);
  if (depth < MAX_INCLUDES)
    read_aliases(f, whole.at, &text, depth + 1);
  str_done(&whole);
  str_done(&text);
}

static void read_aliases(struct source_file *f, const char *path,
                         const struct str *text, unsigned depth) {
  for (const char *line = str_text(text); *line;) {
    struct alias a;
    char name[256], rest[2] = "", copy[400];
    size_t n = strcspn(line, "\n");
    snprintf(copy, sizeof copy, "%.*s", (int)(n < 390 ? n : 390), line);
    char *comment = strstr(copy, "//");
    if (comment)
      *comment = 0;
    if (sscanf(copy, " # define %63[A-Za-z0-9_] %63[A-Za-z0-9_] %1s", a.name,
               a.value, rest) == 2)
      array_push(&f->aliases, a);
    else if (sscanf(copy, " # include \"%255[^\"]", name) == 1)
      read_include(f, path, name, depth);
    line += n + (line[n] == '\n');
  }
}

void source_read(struct source_file *f, const char *path) {
  *f = (struct source_file){.path = path};
  read_text(path, &f->text);
  read_aliases(f, path, &f->text, 0);
}

void source_done(struct source_file *f) {
  str_done(&f->text);
  array_done(&f->aliases);
  array_done(&f->edits);
}

struct source_file *source_of(source_files *all, const char *path) {
  for (uint32_t i = 0; i < all->len; i++)
    if (strcmp(all->at[i].path, path) == 0)
      return &all->at[i];
  struct source_file f;
  source_read(&f, path);
  array_push(all, f);
  return array_last(all);
}

void sources_done(source_files *all) {
  for (uint32_t i = 0; i < all->len; i++)
    source_done(&all->at[i]);
  array_done(all);
}

// -- words

// What a word stands for in the end.
static void resolve(const struct source_file *f, struct span at, char ret[64]) {
  uint32_t n = at.end - at.start;
  snprintf(ret, 64, "%.*s", (int)(n < 63 ? n : 63), f->text.at + at.start);
  for (unsigned steps = 0; steps < 8; steps++) {
    uint32_t i = 0;
    while (i < f->aliases.len && strcmp(f->aliases.at[i].name, ret) != 0)
      i++;
    if (i == f->aliases.len)
      return;
    memcpy(ret, f->aliases.at[i].value, 64);
  }
}

// The word itself, without the qualifiers of C++ before it; those of an
// enumeration are part of its name.
static uint32_t unqualified(const struct source_file *f, struct span at) {
  static const char own[] = "std::";
  uint32_t n = sizeof own - 1;
  return at.end - at.start > n && memcmp(f->text.at + at.start, own, n) == 0
             ? at.start + n
             : at.start;
}

bool source_order(const struct source_file *f, struct span at, char ret[64]) {
  static const char scoped[] = "memory_order::", plain[] = "memory_order_";
  at.start = unqualified(f, at);
  uint32_t n = sizeof scoped - 1;
  bool is_scoped =
      at.end - at.start > n && memcmp(f->text.at + at.start, scoped, n) == 0;
  for (uint32_t i = at.start + (is_scoped ? n : 0); i < at.end; i++)
    if (!source_is_word(f->text.at[i]))
      return false;
  uint32_t rest = at.end - at.start - n;
  if (is_scoped)
    snprintf(ret, 64, "%s%.*s", plain, (int)(rest < 32 ? rest : 32),
             f->text.at + at.start + n);
  else
    resolve(f, at, ret);
  return strncmp(ret, plain, sizeof plain - 1) == 0 ||
         strncmp(ret, "__ATOMIC_", 9) == 0;
}

bool source_is_cxx(const struct source_file *f) {
  return strstr(str_text(&f->text), "std::") ||
         strstr(str_text(&f->text), "using namespace std");
}

// -- calls

static void add_argument(const struct source_file *f, struct call *c,
                         struct span arg) {
  char order[64];
  if (arg.start == arg.end)
    return; // `f()`
  c->nargs++;
  c->args[0] = c->args[1];
  c->args[1] = arg;
  if (source_order(f, arg, order) && c->norders++ < 2)
    c->orders[c->norders - 1] = arg;
}

static uint32_t skip_blanks(const struct str *s, uint32_t at) {
  while (at < s->len && isspace((unsigned char)s->at[at]))
    at++;
  return at;
}

// The name of a call that begins here, behind its qualifiers.
static struct span name_at(const struct str *s, uint32_t at) {
  struct span name = {at, at};
  while (name.end < s->len && source_is_word(s->at[name.end]))
    name.end++;
  bool is_qualifier = name.end > at && name.end + 2 < s->len &&
                      s->at[name.end] == ':' && s->at[name.end + 1] == ':';
  return is_qualifier ? name_at(s, name.end + 2) : name;
}

static bool is_behind_object(const struct str *s, uint32_t at) {
  uint32_t end = source_trimmed(s, 0, at).end;
  return (end && s->at[end - 1] == '.') ||
         (end > 1 && s->at[end - 2] == '-' && s->at[end - 1] == '>');
}

bool source_call(const struct source_file *f, uint32_t at, struct call *ret) {
  const struct str *s = &f->text;
  *ret = (struct call){.name = name_at(s, at),
                       .start = at,
                       .is_member = is_behind_object(s, at)};
  uint32_t i = skip_blanks(s, ret->name.end), first, depth = 0;
  if (i >= s->len || s->at[i] != '(' || ret->name.end == ret->name.start)
    return false;
  resolve(f, ret->name, ret->meaning);
  for (first = i + 1; i < s->len; i = source_skip(s, i)) {
    char c = s->at[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if ((c == ',' && depth == 1) || !depth) {
      add_argument(f, ret, source_trimmed(s, first, i));
      first = i + 1;
    }
    if (!depth) {
      ret->close = i;
      return true;
    }
  }
  return false;
}

bool source_find_call(const struct source_file *f, unsigned line,
                      unsigned column, struct call *ret, call_fits fits,
                      const void *arg) {
  const struct str *s = &f->text;
  struct call outer;
  uint32_t at = source_offset(s, line, column), found = 0;
  if (at >= s->len || !source_call(f, at, &outer))
    return false;
  *ret = outer;
  if (fits(f, &outer, arg))
    return true;
  for (uint32_t i = outer.name.end; i < outer.close; i = source_skip(s, i)) {
    struct call inner;
    if (source_is_word(s->at[i]) && !source_is_word(s->at[i - 1]) &&
        source_call(f, i, &inner) && fits(f, &inner, arg)) {
      *ret = inner;
      found++;
    }
  }
  return found == 1;
}
