// SPDX-License-Identifier: MIT
// What a test asks: propositions about final states. A negation binds tighter
// than an implication, that than /\, that than \/.
#include "litmus/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200, MAX_PROPS = 20000 };

bool begins_tail(const struct token *t) {
  static const char *const words[] = {"exists", "forall",    "final",
                                      "filter", "locations", "observed",
                                      "~",      "not"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (scan_is(t, words[i]))
      return true;
  return false;
}

// -- variables

static uint32_t add_var(struct litmus *t, struct litmus_var v) {
  for (uint32_t i = 0; i < t->vars.len; i++) {
    struct litmus_var *o = &t->vars.at[i];
    if (o->is_register == v.is_register && o->thread == v.thread &&
        o->name == v.name && o->location == v.location &&
        o->element == v.element) {
      o->is_shown |= v.is_shown;
      return i;
    }
    v.nth += o->is_register && v.is_register && o->thread == v.thread;
  }
  array_push(&t->vars, v);
  return t->vars.len - 1;
}

// rloc ::= thread ':' register | location ['[' n ']'] | '[' ... ']'
static bool parse_var(struct litmus *t, struct scan *s, bool is_shown,
                      uint32_t *ret, struct diag *why) {
  struct litmus_var v = {.is_shown = is_shown, .line = s->next.line};
  scan_accept(s, "*"); // *x, as some write in tests of C
  if (parse_thread(s, &v.thread)) {
    char text[64], canonical[32];
    unsigned width;
    struct token name = scan_take(s);
    scan_copy(&name, text, sizeof text);
    if (name.kind != TOK_NAME)
      return scan_refuse(s, &name, "a register", why);
    if (t->arch == ARCH_C)
      v.name = litmus_string(t, &name);
    else if (register_name(t->arch, text, canonical, &width))
      v.name = strings_add(&t->strings, canonical);
    else
      return diag_set(why, s->file, name.line, "'%s' is no register of %s",
                      text, arch_name(t->arch));
    if (v.thread >= t->threads.len)
      return diag_set(why, s->file, name.line, "there is no thread P%u",
                      v.thread);
    v.is_register = true;
  } else {
    bool in_brackets = scan_accept(s, "[");
    struct token name = scan_take(s);
    struct litmus_value value;
    if (name.kind != TOK_NAME)
      return scan_refuse(s, &name, "a location or a register", why);
    scan_jump(s, name.at, name.line);
    if (!parse_value(t, s, &value, why) ||
        (in_brackets && !scan_expect(s, "]", why)))
      return false;
    if (!value.location) // true or false
      return scan_refuse(s, &name, "a location or a register", why);
    v.location = value.location - 1;
    const struct litmus_location *l = &t->locations.at[v.location];
    v.element = (uint32_t)(value.number / l->element);
    if (v.element >= (l->count ? l->count : 1))
      return scan_refuse(s, &name, "an element of a location", why);
  }
  *ret = add_var(t, v);
  return true;
}

// -- propositions

static uint32_t add_prop(struct litmus *t, struct prop p) {
  array_push(&t->props, p);
  return t->props.len - 1;
}

static bool parse_or(struct litmus *t, struct scan *s, bool is_shown,
                     unsigned depth, uint32_t *ret, struct diag *why);

// ('=' | '!=') '{' value {',' value} '}': one of them, or none
static bool parse_one_of(struct litmus *t, struct scan *s, uint32_t var,
                         bool is_not, uint32_t *ret, struct diag *why) {
  *ret = add_prop(t, (struct prop){.op = PROP_FALSE});
  do {
    struct prop atom = {.op = PROP_ATOM, .var = var};
    if (!parse_value(t, s, &atom.value, why))
      return false;
    uint32_t right = add_prop(t, atom);
    *ret =
        add_prop(t, (struct prop){.op = PROP_OR, .left = *ret, .right = right});
  } while (scan_accept(s, ","));
  if (is_not)
    *ret = add_prop(t, (struct prop){.op = PROP_NOT, .left = *ret});
  return scan_expect(s, "}", why);
}

// atom ::= rloc ('=' | '==' | '!=' | '<>') (value | rloc)
static bool parse_atom(struct litmus *t, struct scan *s, bool is_shown,
                       uint32_t *ret, struct diag *why) {
  struct prop p = {.op = PROP_ATOM};
  if (scan_is(&s->next, "fault"))
    return diag_set(why, s->file, s->next.line, "faults are not supported");
  if (!parse_var(t, s, is_shown, &p.var, why))
    return false;
  p.is_not = scan_is(&s->next, "!=") || scan_is(&s->next, "<>");
  if (!p.is_not && !scan_is(&s->next, "=") && !scan_is(&s->next, "=="))
    return scan_refuse(s, &s->next, "'=' or '!='", why);
  scan_take(s);
  if (scan_accept(s, "{"))
    return parse_one_of(t, s, p.var, p.is_not, ret, why);
  unsigned thread;
  struct scan here = *s;
  if (parse_thread(s, &thread) || scan_is(&s->next, "[")) {
    *s = here;
    p.is_var = true;
    if (!parse_var(t, s, is_shown, &p.other, why))
      return false;
  } else if (!parse_value(t, s, &p.value, why)) {
    return false;
  }
  *ret = add_prop(t, p);
  return true;
}

// not ::= ('~' | 'not') not | '(' or ')' | 'true' | 'false' | atom
static bool parse_not(struct litmus *t, struct scan *s, bool is_shown,
                      unsigned depth, uint32_t *ret, struct diag *why) {
  if (depth > MAX_DEPTH || t->props.len > MAX_PROPS)
    return diag_set(why, s->file, s->next.line, "too large a proposition");
  if (scan_accept(s, "~") || scan_accept(s, "not")) {
    uint32_t of;
    if (!parse_not(t, s, is_shown, depth + 1, &of, why))
      return false;
    *ret = add_prop(t, (struct prop){.op = PROP_NOT, .left = of});
    return true;
  }
  if (scan_accept(s, "("))
    return parse_or(t, s, is_shown, depth + 1, ret, why) &&
           scan_expect(s, ")", why);
  if (scan_is(&s->next, "true") || scan_is(&s->next, "false")) {
    struct token k = scan_take(s);
    *ret = add_prop(
        t, (struct prop){.op = scan_is(&k, "true") ? PROP_TRUE : PROP_FALSE});
    return true;
  }
  return parse_atom(t, s, is_shown, ret, why);
}

// implies ::= not ['=>' implies]
static bool parse_implies(struct litmus *t, struct scan *s, bool is_shown,
                          unsigned depth, uint32_t *ret, struct diag *why) {
  uint32_t right;
  if (!parse_not(t, s, is_shown, depth + 1, ret, why))
    return false;
  if (!scan_accept(s, "=>"))
    return true;
  if (!parse_implies(t, s, is_shown, depth + 1, &right, why))
    return false;
  *ret = add_prop(
      t, (struct prop){.op = PROP_IMPLIES, .left = *ret, .right = right});
  return true;
}

// and ::= implies {'/\' implies}
static bool parse_and(struct litmus *t, struct scan *s, bool is_shown,
                      unsigned depth, uint32_t *ret, struct diag *why) {
  uint32_t right;
  if (!parse_implies(t, s, is_shown, depth, ret, why))
    return false;
  while (scan_accept(s, "/\\") || scan_accept(s, "&&")) {
    if (!parse_implies(t, s, is_shown, depth, &right, why))
      return false;
    *ret = add_prop(
        t, (struct prop){.op = PROP_AND, .left = *ret, .right = right});
  }
  return true;
}

// or ::= and {'\/' and}
static bool parse_or(struct litmus *t, struct scan *s, bool is_shown,
                     unsigned depth, uint32_t *ret, struct diag *why) {
  uint32_t right;
  if (!parse_and(t, s, is_shown, depth, ret, why))
    return false;
  while (scan_accept(s, "\\/") || scan_accept(s, "||")) {
    if (!parse_and(t, s, is_shown, depth, &right, why))
      return false;
    *ret =
        add_prop(t, (struct prop){.op = PROP_OR, .left = *ret, .right = right});
  }
  return true;
}

// -- the tail

// 'locations' '[' { rloc [type] [';'] } ']'
static bool parse_locations(struct litmus *t, struct scan *s,
                            struct diag *why) {
  uint32_t var;
  if (!scan_expect(s, "[", why))
    return false;
  while (!scan_accept(s, "]")) {
    if (scan_accept(s, ";") || scan_accept(s, ","))
      continue;
    if (!parse_var(t, s, /*is_shown=*/true, &var, why))
      return false;
    while (s->next.kind == TOK_NAME && !scan_is(&s->next, ";")) {
      scan_take(s); // how to print it
      while (scan_accept(s, "*"))
        ;
    }
  }
  return true;
}

static bool parse_final(struct litmus *t, struct scan *s, struct diag *why) {
  bool is_not = scan_accept(s, "~") || scan_accept(s, "not");
  struct token word = scan_take(s);
  if (scan_is(&word, "forall") && !is_not)
    t->ask = ASK_FORALL;
  else if (scan_is(&word, "exists"))
    t->ask = is_not ? ASK_NOT_EXISTS : ASK_EXISTS;
  else
    return scan_refuse(s, &word, "exists, ~exists, forall, filter or locations",
                       why);
  if (!parse_or(t, s, /*is_shown=*/true, 0, &t->condition, why))
    return false;
  scan_accept(s, ";");
  return true;
}

// Registers by thread and number, then memory by name.
static int compare_vars(const void *a, const void *b, void *test) {
  const struct litmus *t = test;
  const struct litmus_var *x = &t->vars.at[*(const uint32_t *)a];
  const struct litmus_var *y = &t->vars.at[*(const uint32_t *)b];
  if (x->is_register != y->is_register)
    return x->is_register ? -1 : 1;
  if (x->thread != y->thread)
    return x->thread < y->thread ? -1 : 1;
  uint32_t n = x->is_register ? x->name : t->locations.at[x->location].name;
  uint32_t m = y->is_register ? y->name : t->locations.at[y->location].name;
  int by_name =
      strverscmp(strings_get(&t->strings, n), strings_get(&t->strings, m));
  return by_name ? by_name
                 : (x->element > y->element) - (x->element < y->element);
}

static void sort_vars(struct litmus *t) {
  for (uint32_t i = 0; i < t->vars.len; i++)
    if (t->vars.at[i].is_shown)
      array_push(&t->shown, i);
  if (t->shown.len)
    qsort_r(t->shown.at, t->shown.len, sizeof *t->shown.at, compare_vars, t);
}

static bool parse_parts(struct litmus *t, struct scan *s, struct diag *why) {
  t->filter = t->condition = add_prop(t, (struct prop){.op = PROP_TRUE});
  bool is_asked = false;
  while (s->next.kind != TOK_END) {
    if (scan_accept(s, "locations")) {
      if (!parse_locations(t, s, why))
        return false;
    } else if (scan_accept(s, "filter")) {
      if (!parse_or(t, s, /*is_shown=*/false, 0, &t->filter, why))
        return false;
      scan_accept(s, ";");
    } else if (is_asked &&
               (scan_is(&s->next, "with") || scan_is(&s->next, "observed"))) {
      return true; // what other tools measured
    } else {
      if (is_asked)
        return scan_refuse(s, &s->next, "the end of the file", why);
      is_asked = true;
      if (!parse_final(t, s, why))
        return false;
    }
  }
  return true;
}

// What somebody else asks for. All its names are those of the test.
static bool replace_question(struct litmus *t, const char *asks,
                             struct diag *why) {
  struct scan s;
  uint32_t locations = t->locations.len;
  scan_init(&s, "the condition", asks, strlen(asks));
  t->ask = ASK_EXISTS;
  if (!parse_or(t, &s, /*is_shown=*/true, 0, &t->condition, why))
    return false;
  if (s.next.kind != TOK_END)
    return scan_refuse(&s, &s.next, "'/\\' or '\\/'", why);
  return t->locations.len == locations ||
         diag_set(why, s.file, 0, "the test has no location '%s'",
                  strings_get(&t->strings, t->locations.at[locations].name));
}

bool parse_tail(struct litmus *t, struct scan *s, const char *asks,
                struct diag *why) {
  if (!parse_parts(t, s, why) || (asks && !replace_question(t, asks, why)))
    return false;
  sort_vars(t);
  return true;
}

// -- meaning

uint64_t litmus_resolve(const struct litmus *t, const struct litmus_value *v) {
  if (!v->location)
    return v->number;
  const struct litmus_location *l = &t->locations.at[v->location - 1];
  return prog_global_address(t->prog, l->global) + v->number;
}

static bool fits_32_bits(uint64_t v) {
  return v <= UINT32_MAX || v >= (uint64_t)INT32_MIN;
}

// Tests do not say whether a word is signed: -1 is 0xffffffff.
static bool same_value(uint64_t a, uint64_t b) {
  return a == b ||
         (fits_32_bits(a) && fits_32_bits(b) && (uint32_t)a == (uint32_t)b);
}

bool litmus_holds(const struct litmus *t, uint32_t prop,
                  const uint64_t *values) {
  const struct prop *p = &t->props.at[prop];
  switch (p->op) {
  case PROP_TRUE:
    return true;
  case PROP_FALSE:
    return false;
  case PROP_ATOM:
    return same_value(values[p->var],
                      p->is_var ? values[p->other]
                                : litmus_resolve(t, &p->value)) != p->is_not;
  case PROP_NOT:
    return !litmus_holds(t, p->left, values);
  case PROP_AND:
    return litmus_holds(t, p->left, values) &&
           litmus_holds(t, p->right, values);
  case PROP_OR:
    return litmus_holds(t, p->left, values) ||
           litmus_holds(t, p->right, values);
  case PROP_IMPLIES:
    return !litmus_holds(t, p->left, values) ||
           litmus_holds(t, p->right, values);
  }
  return false;
}

// -- printing

void litmus_print_value(const struct litmus *t, uint64_t value,
                        struct str *out) {
  for (uint32_t i = 0; value >= POINTER_WINDOW && i < t->locations.len; i++) {
    const struct litmus_location *l = &t->locations.at[i];
    uint64_t offset = value - prog_global_address(t->prog, l->global);
    const char *name = strings_get(&t->strings, l->name);
    if (offset >= (l->count ? l->count * l->element : 8))
      continue;
    if (!l->count && offset)
      str_add(out, "%s+%llu", name, (unsigned long long)offset);
    else if (l->count)
      str_add(out, "%s[%llu]", name, (unsigned long long)offset / l->element);
    else
      str_add(out, "%s", name);
    return;
  }
  str_add(out, "%lld",
          fits_32_bits(value) ? (long long)(int32_t)(uint32_t)value
                              : (long long)value);
}

void litmus_print_var(const struct litmus *t, const struct litmus_var *v,
                      struct str *out) {
  if (v->is_register) {
    str_add(out, "%u:%s", v->thread, strings_get(&t->strings, v->name));
    return;
  }
  const struct litmus_location *l = &t->locations.at[v->location];
  str_add(out, "[%s", strings_get(&t->strings, l->name));
  if (l->count)
    str_add(out, "[%u]", v->element);
  str_add(out, "]");
}

static void print_atom(const struct litmus *t, const struct prop *p,
                       struct str *out) {
  litmus_print_var(t, &t->vars.at[p->var], out);
  str_add(out, p->is_not ? "!=" : "=");
  if (p->is_var)
    litmus_print_var(t, &t->vars.at[p->other], out);
  else
    litmus_print_value(t, litmus_resolve(t, &p->value), out);
}

// How tightly an operator binds.
static unsigned level(enum prop_op op) {
  return op == PROP_OR ? 0 : op == PROP_AND ? 1 : op == PROP_IMPLIES ? 2 : 3;
}

static void print_prop(const struct litmus *t, uint32_t prop, unsigned outer,
                       struct str *out) {
  const struct prop *p = &t->props.at[prop];
  bool has_parens = level(p->op) < outer;
  str_add(out, has_parens ? "(" : "");
  switch (p->op) {
  case PROP_TRUE:
  case PROP_FALSE:
    str_add(out, p->op == PROP_TRUE ? "true" : "false");
    break;
  case PROP_ATOM:
    print_atom(t, p, out);
    break;
  case PROP_NOT:
    str_add(out, "not (");
    print_prop(t, p->left, 0, out);
    str_add(out, ")");
    break;
  case PROP_AND:
  case PROP_OR:
  case PROP_IMPLIES:
    print_prop(t, p->left, level(p->op) + (p->op == PROP_IMPLIES), out);
    str_add(out, p->op == PROP_AND  ? " /\\ "
                 : p->op == PROP_OR ? " \\/ "
                                    : " => ");
    print_prop(t, p->right, level(p->op), out);
    break;
  }
  str_add(out, has_parens ? ")" : "");
}

void litmus_print_condition(const struct litmus *t, struct str *out) {
  str_add(out, t->ask == ASK_EXISTS   ? "exists ("
               : t->ask == ASK_FORALL ? "forall ("
                                      : "~exists (");
  print_prop(t, t->condition, 0, out);
  str_add(out, ")");
}
