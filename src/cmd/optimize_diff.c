// SPDX-License-Identifier: MIT
// heddle optimize --diff: a solution as a patch of the source. A site is where
// the compiler says that it is; there, or in the arguments of what stands
// there, must be a call whose name fits the operation and whose orders are
// words. What is written otherwise (an operator, a macro of the user) is left
// as it is, and said.
#include "cmd/optimize.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

enum { CONTEXT = 3 };

struct edit {
  uint32_t start, end; // what is replaced
  char text[64];
};

struct source_file {
  const char *path;
  struct str text; // empty: it cannot be read
  ARRAY(struct edit) edits;
};

struct patch {
  const struct optimizing *z;
  const mode *x;
  ARRAY(struct source_file) files;
  struct str *out;
};

struct span {
  uint32_t start, end;
};

// A call in the text: its name, and its last two arguments.
struct call {
  struct span name, args[2]; // args[1] is the last
  uint32_t nargs, close;     // close: its `)`
};

// -- reading C

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

// Past a string, a character or a comment that begins here; else one further.
static uint32_t skip(const struct str *s, uint32_t at) {
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

static struct span trimmed(const struct str *s, uint32_t start, uint32_t end) {
  while (start < end && isspace((unsigned char)s->at[start]))
    start++;
  while (end > start && isspace((unsigned char)s->at[end - 1]))
    end--;
  return (struct span){start, end};
}

static void add_argument(struct call *c, struct span arg) {
  c->args[0] = c->args[1];
  c->args[1] = arg;
  c->nargs++;
}

// The call whose name begins at `at`.
static bool read_call(const struct str *s, uint32_t at, struct call *ret) {
  *ret = (struct call){.name = {at, at}};
  while (ret->name.end < s->len && is_word(s->at[ret->name.end]))
    ret->name.end++;
  uint32_t i = ret->name.end, first, depth = 0;
  while (i < s->len && isspace((unsigned char)s->at[i]))
    i++;
  if (i >= s->len || s->at[i] != '(' || ret->name.end == at)
    return false;
  for (first = i + 1; i < s->len; i = skip(s, i)) {
    char c = s->at[i];
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if ((c == ',' && depth == 1) || !depth) {
      add_argument(ret, trimmed(s, first, i));
      first = i + 1;
    }
    if (!depth) {
      ret->close = i;
      return true;
    }
  }
  return false;
}

static bool has(const struct str *s, struct span at, const char *word) {
  size_t n = strlen(word);
  for (uint32_t i = at.start; i + n <= at.end; i++)
    if (memcmp(s->at + i, word, n) == 0)
      return true;
  return false;
}

// Does the name of a call of C11 or of the compilers fit the operation?
static bool fits(const struct str *s, struct span name, enum site_kind k) {
  bool compares = has(s, name, "compare_exchange");
  if (memcmp(s->at + name.start, "atomic_", 7) != 0 &&
      memcmp(s->at + name.start, "__atomic_", 9) != 0)
    return false;
  switch (k) {
  case SITE_LOAD:
    return has(s, name, "_load");
  case SITE_STORE:
    return has(s, name, "_store") || has(s, name, "flag_clear");
  case SITE_UPDATE:
    return !compares &&
           (has(s, name, "_exchange") || has(s, name, "fetch_") ||
            has(s, name, "_fetch") || has(s, name, "test_and_set"));
  case SITE_FENCE:
    return has(s, name, "_thread_fence");
  default:
    return compares;
  }
}

static uint32_t offset_of(const struct str *s, unsigned line, unsigned column) {
  const char *at = str_text(s);
  for (; line > 1 && at; line--)
    at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  size_t n = at ? strcspn(at, "\n") : 0;
  return at && column && column <= n ? (uint32_t)(at - s->at) + column - 1
                                     : s->len;
}

// The call of a site: at its place, or the only one inside that fits (the
// compiler places what is inside of a macro at the macro).
static bool find_call(const struct str *s, const struct order_site *site,
                      struct call *ret) {
  struct call outer;
  uint32_t at = offset_of(s, site->line, site->column), found = 0;
  if (at + 16 > s->len || !read_call(s, at, &outer))
    return false;
  *ret = outer;
  if (fits(s, outer.name, site->kind))
    return true;
  for (uint32_t i = outer.name.end; i < outer.close; i = skip(s, i)) {
    struct call inner;
    if (is_word(s->at[i]) && !is_word(s->at[i - 1]) &&
        read_call(s, i, &inner) && fits(s, inner.name, site->kind)) {
      *ret = inner;
      found++;
    }
  }
  return found == 1;
}

// -- edits

static void add_edit(struct source_file *f, uint32_t start, uint32_t end,
                     const char *text) {
  struct edit e = {.start = start, .end = end};
  snprintf(e.text, sizeof e.text, "%s", text);
  array_push(&f->edits, e);
  for (uint32_t k = f->edits.len - 1; k; k--) {
    struct edit *two = &f->edits.at[k - 1], swap = two[0];
    if (two[0].start <= two[1].start)
      break;
    two[0] = two[1];
    two[1] = swap;
  }
}

static const char c11[] = "memory_order_", builtin[] = "__ATOMIC_";

static bool is_order(const struct str *s, struct span arg) {
  const char *prefix = has(s, arg, builtin) ? builtin : c11;
  size_t n = strlen(prefix);
  if (arg.end - arg.start <= n || memcmp(s->at + arg.start, prefix, n) != 0)
    return false;
  for (uint32_t i = arg.start; i < arg.end; i++)
    if (!is_word(s->at[i]))
      return false;
  return true;
}

// Replaces a word for an order by another one of its family.
static void edit_order(struct source_file *f, struct span arg, const char *to) {
  bool is_builtin = has(&f->text, arg, builtin);
  char text[64];
  snprintf(text, sizeof text, "%s%s", is_builtin ? builtin : c11, to);
  for (char *p = text; is_builtin && *p; p++)
    *p = (char)(p < text + 9 ? *p : toupper((unsigned char)*p));
  add_edit(f, arg.start, arg.end, text);
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
  const struct span before = trimmed(s, 0, start);
  bool is_statement =
      before.end && strchr(";{}", s->at[before.end - 1]) != NULL;
  if (is_alone && is_statement)
    add_edit(f, left, right + 1, "");
  else if (is_statement)
    add_edit(f, start, right, "");
  else
    add_edit(f, start, end, "(void)0");
  return true;
}

// A call without orders gets its longer name and them.
static void make_explicit(struct source_file *f, const struct call *c,
                          const char *to, const char *fail) {
  char text[64];
  snprintf(text, sizeof text, ", memory_order_%s%s%s", to,
           fail ? ", memory_order_" : "", fail ? fail : "");
  add_edit(f, c->name.end, c->name.end, "_explicit");
  add_edit(f, c->close, c->close, text);
}

// Was this call changed for another site at the same place?
static bool is_edited(const struct source_file *f, const struct call *c) {
  for (uint32_t k = 0; k < f->edits.len; k++) {
    uint32_t at = f->edits.at[k].start;
    if (at == c->name.end || at == c->close || at == c->args[1].start)
      return true;
  }
  return false;
}

static bool edit_site(struct source_file *f, const struct order_site *site,
                      const mode *x) {
  struct call c;
  bool is_cas = site->kind == SITE_CAS, is_fence = site->kind == SITE_FENCE;
  const char *to = mode_name(site->kind, x[0]);
  const char *fail = is_cas ? mode_name(SITE_CAS_FAIL, x[1]) : NULL;
  if (!find_call(&f->text, site, &c) || is_edited(f, &c))
    return false;
  if (is_fence && !x[0])
    return remove_fence(f, &c);
  if (!is_fence && !has(&f->text, c.name, "_explicit") &&
      !has(&f->text, c.name, "__atomic_")) {
    make_explicit(f, &c, to, fail);
    return true;
  }
  if (!is_order(&f->text, c.args[1]) ||
      (is_cas && !is_order(&f->text, c.args[0])))
    return false;
  if (is_cas)
    edit_order(f, c.args[0], to);
  edit_order(f, c.args[1], is_cas ? fail : to);
  return true;
}

// -- files

static void read_text(const char *path, struct str *ret) {
  char block[4096];
  FILE *in = fopen(path, "r");
  for (size_t n; in && (n = fread(block, 1, sizeof block, in));)
    str_add_bytes(ret, block, n);
  if (in)
    fclose(in);
}

static struct source_file *file_of(struct patch *p, const char *path) {
  for (uint32_t i = 0; i < p->files.len; i++)
    if (strcmp(p->files.at[i].path, path) == 0)
      return &p->files.at[i];
  struct source_file f = {.path = path};
  read_text(path, &f.text);
  array_push(&p->files, f);
  return array_last(&p->files);
}

// A path that `patch -p1` finds from here.
static const char *relative(const char *path) {
  char here[4096];
  size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
  return n && strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1
                                                            : path;
}

static void add_lines(const struct str *s, uint32_t start, uint32_t end,
                      char mark, struct str *out) {
  while (start < end) {
    const char *newline = memchr(s->at + start, '\n', end - start);
    uint32_t next = newline ? (uint32_t)(newline - s->at) + 1 : end;
    str_add(out, "%c%.*s%s", mark, (int)(next - start), s->at + start,
            newline ? "" : "\n\\ No newline at end of file\n");
    start = next;
  }
}

static uint32_t count_lines(const struct str *s, uint32_t start, uint32_t end) {
  uint32_t n = 0;
  for (uint32_t i = start; i < end; i++)
    n += s->at[i] == '\n' || i + 1 == end;
  return n;
}

static uint32_t line_start(const struct str *s, uint32_t at) {
  while (at && s->at[at - 1] != '\n')
    at--;
  return at;
}

static uint32_t line_end(const struct str *s, uint32_t at) {
  while (at < s->len && s->at[at] != '\n')
    at++;
  return at < s->len ? at + 1 : at;
}

// Lines of context: so many before or after.
static uint32_t lines_up(const struct str *s, uint32_t at, unsigned n) {
  for (; n && at; n--)
    at = line_start(s, at - 1);
  return at;
}

static uint32_t lines_down(const struct str *s, uint32_t at, unsigned n) {
  for (; n && at < s->len; n--)
    at = line_end(s, at);
  return at;
}

// The lines of an edit, as a range of the text. One that takes whole lines
// ends where the next begins.
static struct span lines_of(const struct str *s, const struct edit *e) {
  bool is_whole = e->end > e->start && s->at[e->end - 1] == '\n';
  return (struct span){line_start(s, e->start),
                       is_whole ? e->end : line_end(s, e->end)};
}

// The text of a range after the edits k.. of it; yields the edit after them.
static uint32_t edited(const struct source_file *f, struct span range,
                       uint32_t k, struct str *out) {
  uint32_t at = range.start;
  for (; k < f->edits.len && f->edits.at[k].start < range.end; k++) {
    const struct edit *e = &f->edits.at[k];
    str_add_bytes(out, f->text.at + at, e->start - at);
    str_add(out, "%s", e->text);
    at = e->end;
  }
  str_add_bytes(out, f->text.at + at, range.end - at);
  return k;
}

// One hunk: all edits from k on whose contexts touch. Yields the edit after it.
static uint32_t add_hunk(const struct source_file *f, uint32_t k, int *shift,
                         struct str *out) {
  const struct str *s = &f->text;
  struct span now = lines_of(s, &f->edits.at[k]);
  uint32_t first = lines_up(s, now.start, CONTEXT), at = first, last;
  struct str body = {0};
  uint32_t removed = 0, added = 0;
  do {
    struct str text = {0};
    uint32_t next = k + 1;
    for (; next < f->edits.len && f->edits.at[next].start < now.end; next++)
      now.end = lines_of(s, &f->edits.at[next]).end;
    add_lines(s, at, now.start, ' ', &body);
    add_lines(s, now.start, now.end, '-', &body);
    k = edited(f, now, k, &text);
    add_lines(&text, 0, text.len, '+', &body);
    removed += count_lines(s, now.start, now.end);
    added += count_lines(&text, 0, text.len);
    str_done(&text);
    at = now.end;
    last = lines_down(s, at, CONTEXT);
    if (k < f->edits.len)
      now = lines_of(s, &f->edits.at[k]);
  } while (k < f->edits.len && lines_up(s, now.start, CONTEXT) <= last);
  add_lines(s, at, last, ' ', &body);
  uint32_t line = count_lines(s, 0, first) + 1;
  uint32_t length = count_lines(s, first, last);
  str_add(out, "@@ -%u,%u +%d,%u @@\n%s", line, length, (int)line + *shift,
          length - removed + added, str_text(&body));
  *shift += (int)added - (int)removed;
  str_done(&body);
  return k;
}

static void add_file(const struct source_file *f, struct str *out) {
  const char *path = relative(f->path);
  int shift = 0;
  if (f->edits.len)
    str_add(out, "--- a/%s\n+++ b/%s\n", path, path);
  for (uint32_t k = 0; k < f->edits.len;)
    k = add_hunk(f, k, &shift, out);
}

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
    if (!edit_site(file_of(p, site->file), site, &p->x[i]))
      say_left(p, site, &p->x[i]);
  }
}

void optimize_diff(const struct optimizing *z, const mode *x, struct str *out) {
  struct patch p = {.z = z, .x = x, .out = out};
  edit_all(&p);
  for (uint32_t i = 0; i < p.files.len; i++) {
    add_file(&p.files.at[i], out);
    str_done(&p.files.at[i].text);
    array_done(&p.files.at[i].edits);
  }
  array_done(&p.files);
}
