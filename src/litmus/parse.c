// SPDX-License-Identifier: MIT
// The parts of a test in order: architecture and name, metadata, first
// contents, threads. What follows them is prop.c's. One function per rule.
#include "litmus/build.h"
#include "litmus/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LITMUS_THREADS = 62, MAX_ELEMENTS = 1 << 12 };

static const char *const arch_names[] = {"AArch64", "ARM",    "PPC", "RISCV",
                                         "X86",     "X86_64", "C",   "LISA",
                                         "Java",    "BPF",    "MIPS"};
ONE_FOR_EACH(arch_names, ARCH_MIPS + 1);

const char *arch_name(enum arch a) {
  return arch_names[a];
}

uint32_t litmus_string(struct litmus *t, const struct token *name) {
  char text[256];
  scan_copy(name, text, sizeof text);
  return strings_add(&t->strings, text);
}

uint32_t litmus_find_location(const struct litmus *t, uint32_t name) {
  for (uint32_t i = 0; i < t->locations.len; i++)
    if (t->locations.at[i].name == name)
      return i;
  return UINT32_MAX;
}

uint32_t litmus_location(struct litmus *t, uint32_t name) {
  uint32_t i = litmus_find_location(t, name);
  if (i != UINT32_MAX)
    return i;
  array_push(&t->locations, (struct litmus_location){.name = name,
                                                     .element = 8,
                                                     .global = UINT32_MAX});
  return t->locations.len - 1;
}

// -- header

// NAME is --: that of the file without its ending.
static void name_by_file(struct litmus *t) {
  const char *slash = strrchr(t->file, '/'),
             *base = slash ? slash + 1 : t->file;
  const char *dot = strrchr(base, '.');
  int n = (int)(dot && dot != base ? (size_t)(dot - base) : strlen(base));
  snprintf(t->name, sizeof t->name, "%.*s", n, base);
}

// ARCH NAME ["doc"] {KEY=text}
static bool parse_header(struct litmus *t, struct scan *s, struct diag *why) {
  struct token arch = scan_take(s);
  unsigned a = 0;
  while (a < LENGTH(arch_names) && !scan_is(&arch, arch_names[a]))
    a++;
  if (a == LENGTH(arch_names)) {
    scan_refuse(s, &arch, "the architecture of a litmus test", why);
    diag_hint(why, "Heddle knows AArch64, ARM, PPC, RISCV, X86, X86_64, C, "
                   "LISA, Java, BPF and MIPS");
    return false;
  }
  t->arch = (enum arch)a;
  // A name may have any characters in it, such as MP+dmb.sy+[fr-rf].
  const char *name = s->next.at, *end = name;
  while (end < s->end && !isspace((unsigned char)*end))
    end++;
  if (end == name || s->next.line != arch.line)
    return diag_set(why, s->file, arch.line, "the name of the test expected");
  snprintf(t->name, sizeof t->name, "%.*s", (int)(end - name), name);
  if (strcmp(t->name, "--") == 0)
    name_by_file(t);
  scan_jump(s, end, arch.line);
  return true;
}

// What follows the name up to the first contents: a documentation string and
// lines KEY=text.
static bool skip_metadata(struct scan *s, struct diag *why) {
  while (!scan_is(&s->next, "{")) {
    if (s->next.kind == TOK_END)
      return scan_refuse(s, &s->next, "'{' and the first contents", why);
    if (s->next.kind == TOK_NAME) {
      const char *eol = memchr(s->next.at, '\n', (size_t)(s->end - s->next.at));
      scan_jump(s, eol ? eol : s->end, s->next.line);
    } else {
      scan_take(s);
    }
  }
  scan_take(s);
  return true;
}

// -- first contents

bool parse_thread(struct scan *s, unsigned *ret) {
  struct token t = s->next;
  char text[24];
  scan_copy(&t, text, sizeof text);
  const char *digits = text + (t.kind == TOK_NAME && text[0] == 'P');
  if ((t.kind != TOK_NUMBER && t.kind != TOK_NAME) || t.len > 9 ||
      !isdigit((unsigned char)*digits) || digits[strspn(digits, "0123456789")])
    return false;
  const char *rest = t.at + t.len;
  while (rest < s->end && (*rest == ' ' || *rest == '\t'))
    rest++;
  if (rest == s->end || *rest != ':')
    return false;
  *ret = (unsigned)strtoul(digits, NULL, 10);
  scan_take(s);
  scan_take(s);
  return true;
}

bool parse_register(struct litmus *t, struct scan *s, uint32_t *ret,
                    struct diag *why) {
  char text[64], canonical[32];
  unsigned width;
  struct token name = scan_take(s);
  scan_copy(&name, text, sizeof text);
  if (name.kind != TOK_NAME)
    return scan_refuse(s, &name, "a register", why);
  if (arch_is_language(t->arch))
    *ret = litmus_string(t, &name);
  else if (register_name(t->arch, text, canonical, &width))
    *ret = strings_add(&t->strings, canonical);
  else
    return diag_set(why, s->file, name.line, "'%s' is not a register of %s",
                    text, arch_name(t->arch));
  return true;
}

static bool parse_number(struct scan *s, uint64_t *ret, struct diag *why) {
  bool is_negative = scan_accept(s, "-");
  struct token n = scan_take(s);
  if (n.kind != TOK_NUMBER || !scan_number(&n, ret))
    return scan_refuse(s, &n, "a number", why);
  if (is_negative)
    *ret = 0 - *ret;
  return true;
}

// '[' n ']'
static bool parse_index(struct scan *s, uint32_t *ret, struct diag *why) {
  uint64_t n;
  if (!parse_number(s, &n, why))
    return false;
  if (n > MAX_ELEMENTS)
    return diag_set(why, s->file, s->next.line,
                    "an array of at most %u elements expected", MAX_ELEMENTS);
  *ret = (uint32_t)n;
  return scan_expect(s, "]", why);
}

bool parse_value(struct litmus *t, struct scan *s, struct litmus_value *ret,
                 struct diag *why) {
  *ret = (struct litmus_value){0};
  bool in_parens = scan_accept(s, "(");
  if (scan_accept(s, "&") || s->next.kind == TOK_NAME) {
    struct token name = scan_take(s);
    uint32_t element = 0;
    if (name.kind != TOK_NAME)
      return scan_refuse(s, &name, "the name of a location", why);
    if (scan_is(&name, "true") || scan_is(&name, "false")) {
      ret->number = scan_is(&name, "true");
    } else {
      uint32_t l = litmus_location(t, litmus_string(t, &name));
      ret->location = l + 1;
      if (scan_accept(s, "[") && !parse_index(s, &element, why))
        return false;
      ret->number = (uint64_t)element * t->locations.at[l].element;
    }
  } else if (!parse_number(s, &ret->number, why)) {
    return false;
  }
  if (scan_is(&s->next, ":"))
    return diag_set(why, s->file, s->next.line,
                    "addresses of code are not supported");
  return !in_parens || scan_expect(s, ")", why);
}

static void add_init(struct litmus *t, struct litmus_init i) {
  array_push(&t->init, i);
}

// '{' value {',' value} '}'
static bool parse_elements(struct litmus *t, struct scan *s, uint32_t location,
                           unsigned line, struct diag *why) {
  uint32_t n = 0;
  do {
    struct litmus_init i = {.location = location, .element = n++, .line = line};
    if (scan_is(&s->next, "}"))
      break;
    if (!parse_value(t, s, &i.value, why))
      return false;
    if (n > t->locations.at[location].count)
      return diag_set(why, s->file, line, "more values than elements");
    add_init(t, i);
  } while (scan_accept(s, ","));
  return scan_expect(s, "}", why);
}

// location ['[' n ']'] ['=' value]
static bool parse_memory_item(struct litmus *t, struct scan *s, uint32_t size,
                              uint32_t type, struct litmus_type number,
                              struct diag *why) {
  bool in_brackets = scan_accept(s, "[");
  struct token name = scan_take(s);
  if (name.kind != TOK_NAME)
    return scan_refuse(s, &name, "a location or register", why);
  uint32_t l = litmus_location(t, litmus_string(t, &name));
  struct litmus_init i = {.location = l, .line = name.line};
  if (in_brackets && scan_accept(s, "[") && !parse_index(s, &i.element, why))
    return false;
  if (in_brackets && !scan_expect(s, "]", why))
    return false;
  if (type)
    t->locations.at[l].type = type;
  if (number.size)
    t->locations.at[l].number = number;
  if (!in_brackets && scan_accept(s, "[")) {
    uint32_t n;
    if (!parse_index(s, &n, why))
      return false;
    if (size) {
      t->locations.at[l].count = n;
      t->locations.at[l].element = arch_is_language(t->arch) ? 8 : size;
    } else {
      i.element = n;
    }
  }
  if (!scan_accept(s, "="))
    return true;
  if (scan_accept(s, "{"))
    return parse_elements(t, s, l, name.line, why);
  bool is_call = scan_is(&s->next, "ATOMIC_INIT");
  if (is_call)
    scan_take(s);
  if (!parse_value(t, s, &i.value, why))
    return false;
  add_init(t, i);
  return true;
}

// item ::= [type] thread ':' register '=' value | [type] location ...
static bool parse_init_item(struct litmus *t, struct scan *s,
                            struct diag *why) {
  struct litmus_init i = {.is_register = true, .line = s->next.line};
  uint32_t type = 0;
  uint32_t size = 0;
  if (!parse_thread(s, &i.thread)) {
    size = parse_type(t, s, &type, &i.type);
    if (register_is_symbolic(t->arch, &s->next))
      i.thread = EVERY_THREAD;
    else if (!parse_thread(s, &i.thread))
      return parse_memory_item(t, s, size, type, i.type, why);
  }
  if (!parse_register(t, s, &i.name, why))
    return false;
  if (scan_accept(s, "=") && !parse_value(t, s, &i.value, why))
    return false;
  add_init(t, i);
  return true;
}

// init ::= { item ';' } '}'
static bool parse_init(struct litmus *t, struct scan *s, struct diag *why) {
  while (!scan_accept(s, "}")) {
    if (scan_accept(s, ";"))
      continue;
    if (s->next.kind == TOK_END)
      return scan_refuse(s, &s->next, "'}' after the first contents", why);
    if (!parse_init_item(t, s, why))
      return false;
    if (!scan_is(&s->next, "}") && !scan_expect(s, ";", why))
      return false;
  }
  scan_accept(s, ";"); // as old tests have it
  return true;
}

// -- threads

static struct token end_at(unsigned line) {
  return (struct token){.kind = TOK_END, .at = "", .line = line};
}

// The first row: P0 | P1 ;
static bool parse_columns(struct litmus *t, struct scan *s, struct diag *why) {
  unsigned n = 0;
  do {
    char name[16], expected[16];
    struct token p = scan_take(s);
    scan_copy(&p, name, sizeof name);
    snprintf(expected, sizeof expected, "P%u", n++);
    if (strcmp(name, expected) != 0)
      return scan_refuse(s, &p, "the row that names the threads, P0 | P1 ...;",
                         why);
    while (!scan_is(&s->next, "|") && !scan_is(&s->next, ";") &&
           s->next.kind != TOK_END)
      scan_take(s); // an annotation
    if (n > MAX_LITMUS_THREADS)
      return diag_set(why, s->file, p.line, "more than %u threads",
                      MAX_LITMUS_THREADS);
    array_extend(&t->threads, 1)->line = p.line;
  } while (scan_accept(s, "|"));
  return scan_expect(s, ";", why);
}

bool parse_assembly(struct litmus *t, struct scan *s, struct diag *why) {
  if (!parse_columns(t, s, why))
    return false;
  while (!begins_tail(s) && s->next.kind != TOK_END) {
    unsigned column = 0;
    unsigned line = s->next.line;
    while (!scan_accept(s, ";")) {
      struct token k = scan_take(s);
      bool is_bar = scan_is(&k, "|");
      if (k.kind == TOK_END)
        return scan_refuse(s, &k, "';' at the end of a row", why);
      if (column >= t->threads.len)
        return diag_set(why, s->file, k.line,
                        "a row of %u columns, but there are %u threads",
                        column + 1, t->threads.len);
      array_push(&t->threads.at[column].code, is_bar ? end_at(k.line) : k);
      column += is_bar;
      line = k.line;
    }
    if (column < t->threads.len)
      array_push(&t->threads.at[column].code, end_at(line));
  }
  return true;
}

// Pn '(' [ type '*' name {',' ...} ] ')'
static bool parse_params(struct litmus *t, struct scan *s,
                         struct litmus_thread *thread, struct diag *why) {
  while (!scan_accept(s, ")")) {
    uint32_t type = 0;
    struct litmus_type number;
    parse_type(t, s, &type, &number);
    struct token name = scan_take(s);
    if (scan_is(&name, "void") && scan_is(&s->next, ")"))
      continue;
    if (name.kind != TOK_NAME)
      return scan_refuse(s, &name, "the name of a parameter", why);
    array_push(&thread->params, litmus_string(t, &name));
    if (scan_accept(s, "[") && !scan_expect(s, "]", why))
      return false;
    if (!scan_is(&s->next, ")") && !scan_expect(s, ",", why))
      return false;
  }
  return true;
}

// '{' ... '}' with the braces: the body of a thread, or what compilers of tests
// put before it (#include "api.h"), which is read and forgotten.
static bool parse_body(struct scan *s, struct litmus_thread *thread,
                       struct diag *why) {
  unsigned depth = 0;
  do {
    struct token k = scan_take(s);
    if (k.kind == TOK_END)
      return scan_refuse(s, &k, "'}' at the end of a thread", why);
    depth += scan_is(&k, "{");
    depth -= scan_is(&k, "}");
    array_push(&thread->code, k);
  } while (depth);
  array_push(&thread->code, end_at(s->next.line));
  return true;
}

static bool skip_block(struct scan *s, struct diag *why) {
  struct litmus_thread block = {0};
  bool ok = parse_body(s, &block, why);
  array_done(&block.code);
  return ok;
}

bool parse_c(struct litmus *t, struct scan *s, struct diag *why) {
  scan_set_c(s, true);
  while (scan_is(&s->next, "{"))
    if (!skip_block(s, why))
      return false;
  while (!begins_tail(s) && s->next.kind != TOK_END) {
    char expected[16];
    while (scan_accept(s, "static") || scan_accept(s, "void"))
      ;
    if (scan_is(&s->next, "regions")) { // of which no model here knows
      const char *eol = memchr(s->next.at, '\n', (size_t)(s->end - s->next.at));
      scan_jump(s, eol ? eol : s->end, s->next.line);
      continue;
    }
    struct token name = scan_take(s);
    bool is_java = t->arch == ARCH_JAVA; // whose threads have no parameters
    snprintf(expected, sizeof expected, is_java ? "Thread%u" : "P%u",
             t->threads.len);
    if (!scan_is(&name, expected))
      return scan_refuse(s, &name, expected, why);
    if (t->threads.len == MAX_LITMUS_THREADS)
      return diag_set(why, s->file, name.line, "more than %u threads",
                      MAX_LITMUS_THREADS);
    struct litmus_thread thread = {.line = name.line};
    bool ok = is_java ||
              (scan_expect(s, "(", why) && parse_params(t, s, &thread, why));
    if (ok && !scan_is(&s->next, "{"))
      ok = scan_refuse(s, &s->next, "'{'", why);
    ok = ok && parse_body(s, &thread, why);
    if (!is_java)
      c_replace_macros(&thread);
    array_push(&t->threads, thread);
    if (!ok)
      return false;
  }
  scan_set_c(s, false);
  return true;
}

// -- the whole

static bool read_test(struct litmus *t, size_t len, const char *asks,
                      struct diag *why) {
  struct scan s;
  scan_init(&s, t->file, t->text, len);
  if (!parse_header(t, &s, why) || !skip_metadata(&s, why) ||
      !parse_init(t, &s, why))
    return false;
  bool ok = arch_is_language(t->arch) ? parse_c(t, &s, why)
                                      : parse_assembly(t, &s, why);
  if (!ok || !parse_tail(t, &s, asks, why))
    return false;
  t->is_kernel = t->arch == ARCH_C && c_is_kernel(t);
  t->is_plain = t->arch == ARCH_C && c_is_plain(t);
  if (!t->threads.len)
    return diag_set(why, t->file, s.line, "a test without threads");
  return build_test(t, why);
}

bool litmus_read(const char *file, const char *text, size_t len,
                 const char *asks, struct litmus **ret, struct diag *why) {
  struct litmus *t = xcalloc(1, sizeof *t);
  t->file = file;
  t->asks = asks;
  t->length = len;
  t->text = xmalloc(len + 1);
  memcpy(t->text, text, len);
  t->text[len] = 0;
  strings_add(&t->strings, "");
  if (len < UINT32_MAX && read_test(t, len, asks, why)) {
    *ret = t;
    return true;
  }
  litmus_free(t);
  return false;
}

void litmus_free(struct litmus *t) {
  for (uint32_t i = 0; i < t->threads.len; i++) {
    array_done(&t->threads.at[i].code);
    array_done(&t->threads.at[i].params);
  }
  array_done(&t->threads);
  array_done(&t->locations);
  array_done(&t->init);
  array_done(&t->vars);
  array_done(&t->shown);
  array_done(&t->props);
  strings_done(&t->strings);
  if (t->prog)
    prog_free(t->prog);
  free(t->text);
  free(t);
}

const char *litmus_language(const struct litmus *t) {
  return t->is_kernel ? "LKMM" : t->is_v8 ? "ARMv8" : arch_names[t->arch];
}
