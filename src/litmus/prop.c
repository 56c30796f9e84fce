// SPDX-License-Identifier: MIT
// What a test asks: propositions about final states. A negation binds tighter
// than an implication, that than /\, that than \/.
#include "litmus/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 200, MAX_PROPS = 20000 };

// (`not` is an instruction of POWER and RISC-V, too.)
bool begins_tail(const struct scan *s) {
  static const char *const words[] = {
      "exists",   "forall", "final", "filter", "locations",
      "observed", "~",      "cond",  "(",      "<<"};
  struct scan next = *s;
  bool is_not = scan_accept(&next, "not");
  for (unsigned i = 0; i < LENGTH(words); i++)
    if (scan_is(&next.next, words[i]))
      return !is_not || i < 2 || *words[i] == '(';
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
      o->is_whole |= v.is_whole;
      return i;
    }
    v.nth += o->is_register && v.is_register && o->thread == v.thread;
  }
  array_push(&t->vars, v);
  return t->vars.len - 1;
}

// The one thread that has a register of that name in its code.
static bool find_thread(const struct litmus *t, const struct token *name,
                        unsigned *ret) {
  char wanted[32], text[64], canonical[32] = "";
  unsigned width, found = 0;
  scan_copy(name, wanted, sizeof wanted);
  for (unsigned i = 0; i < t->threads.len; i++) {
    const struct litmus_thread *thread = &t->threads.at[i];
    bool has_it = false;
    for (uint32_t k = 0; !has_it && k < thread->code.len; k++) {
      scan_copy(&thread->code.at[k], text, sizeof text);
      has_it = register_name(t->arch, text, canonical, &width) &&
               strcmp(canonical, wanted) == 0;
    }
    found += has_it;
    *ret = has_it ? i : *ret;
  }
  return found == 1;
}

// %x1: a register of the only thread that has it
static bool parse_symbolic_thread(const struct litmus *t, const struct scan *s,
                                  unsigned *ret, struct diag *why) {
  return find_thread(t, &s->next, ret) ||
         scan_refuse(s, &s->next,
                     "a thread and ':', or a register of one thread only", why);
}

// rloc ::= [thread ':'] register | location ['[' n ']'] | '[' ... ']'
static bool parse_var(struct litmus *t, struct scan *s, bool is_shown,
                      uint32_t *ret, struct diag *why) {
  struct litmus_var v = {.is_shown = is_shown, .line = s->next.line};
  scan_accept(s, "*"); // *x, as some write in tests of C
  bool is_symbolic = register_is_symbolic(t->arch, &s->next);
  if (is_symbolic && !parse_symbolic_thread(t, s, &v.thread, why))
    return false;
  if (is_symbolic || parse_thread(s, &v.thread)) {
    if (!parse_register(t, s, &v.name, why))
      return false;
    if (v.thread >= t->threads.len)
      return diag_set(why, s->file, v.line, "there is no thread P%u", v.thread);
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

// The array that is next without an index; UINT32_MAX: there is none.
static uint32_t whole_array(struct litmus *t, const struct scan *s) {
  struct scan after = *s;
  struct token name = scan_take(&after);
  if (name.kind != TOK_NAME || scan_is(&after.next, "["))
    return UINT32_MAX;
  uint32_t l = litmus_find_location(t, litmus_string(t, &name));
  return l != UINT32_MAX && t->locations.at[l].count ? l : UINT32_MAX;
}

static uint32_t add_element(struct litmus *t, uint32_t array, uint32_t element,
                            bool is_shown) {
  return add_var(t, (struct litmus_var){.is_shown = is_shown,
                                        .is_whole = true,
                                        .location = array,
                                        .element = element});
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

// array ('=' | '!=') '{' value {',' value} '}', a value for each element.
// Yields false without `why` if something else is next.
static bool is_array_atom(struct litmus *t, const struct scan *s) {
  struct scan after = *s;
  if (whole_array(t, s) == UINT32_MAX)
    return false;
  scan_take(&after);
  scan_take(&after);
  return scan_is(&after.next, "{");
}

// array ('=' | '!=') '{' value {',' value} '}', a value for each element
static bool parse_array_atom(struct litmus *t, struct scan *s, bool is_shown,
                             uint32_t *ret, struct diag *why) {
  uint32_t array = whole_array(t, s), n = 0, first = t->props.len;
  scan_take(s);
  struct token op = scan_take(s);
  scan_take(s);
  do {
    struct prop atom = {.op = PROP_ATOM};
    if (!parse_value(t, s, &atom.value, why))
      return false;
    atom.var = add_element(t, array, n++, is_shown);
    add_prop(t, atom);
  } while (n < t->locations.at[array].count && scan_accept(s, ","));
  *ret =
      add_prop(t, (struct prop){.op = PROP_ARRAY, .left = first, .right = n});
  if (scan_is(&op, "!=") || scan_is(&op, "<>"))
    *ret = add_prop(t, (struct prop){.op = PROP_NOT, .left = *ret});
  if (n < t->locations.at[array].count || !scan_is(&s->next, "}"))
    return diag_set(why, s->file, op.line,
                    "%u values expected, one for each "
                    "element",
                    t->locations.at[array].count);
  scan_take(s);
  return true;
}

// atom ::= rloc ('=' | '==' | '!=' | '<>') (value | rloc)
static bool parse_atom(struct litmus *t, struct scan *s, bool is_shown,
                       uint32_t *ret, struct diag *why) {
  struct prop p = {.op = PROP_ATOM};
  if (scan_is(&s->next, "fault"))
    return diag_set(why, s->file, s->next.line, "faults are not supported");
  if (is_array_atom(t, s))
    return parse_array_atom(t, s, is_shown, ret, why);
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
  if (parse_thread(s, &thread) || scan_is(&s->next, "[") ||
      register_is_symbolic(t->arch, &s->next)) {
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
    uint32_t array = whole_array(t, s);
    if (array != UINT32_MAX) {
      scan_take(s);
      for (uint32_t i = 0; i < t->locations.at[array].count; i++)
        add_element(t, array, i, /*is_shown=*/true);
    } else if (!parse_var(t, s, /*is_shown=*/true, &var, why)) {
      return false;
    }
    while (s->next.kind == TOK_NAME && !scan_is(&s->next, ";")) {
      scan_take(s); // how to print it
      while (scan_accept(s, "*"))
        ;
    }
  }
  return true;
}

// exists, ~exists or forall. Old tests have final or cond for exists, or no
// word.
static bool parse_final(struct litmus *t, struct scan *s, struct diag *why) {
  bool is_not = scan_accept(s, "~") || scan_accept(s, "not");
  bool is_old = scan_is(&s->next, "(");
  struct token word = is_old ? s->next : scan_take(s);
  is_old |= scan_is(&word, "final") || scan_is(&word, "cond");
  if (scan_is(&word, "forall") && !is_not)
    t->ask = ASK_FORALL;
  else if (scan_is(&word, "exists") || (is_old && !is_not))
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

// Of a register, what the first contents declare.
static struct litmus_type type_of(const struct litmus *t,
                                  const struct litmus_var *v) {
  if (!v->is_register)
    return t->locations.at[v->location].number;
  for (uint32_t i = 0; i < t->init.len; i++) {
    const struct litmus_init *r = &t->init.at[i];
    if (r->is_register && r->type.size && r->name == v->name &&
        (r->thread == v->thread || r->thread == EVERY_THREAD))
      return r->type;
  }
  return (struct litmus_type){0};
}

static void sort_vars(struct litmus *t) {
  for (uint32_t i = 0; i < t->vars.len; i++)
    if (t->vars.at[i].is_shown)
      array_push(&t->shown, i);
  if (t->shown.len)
    qsort_r(t->shown.at, t->shown.len, sizeof *t->shown.at, compare_vars, t);
}

// << ... >>: of older tools.
static void skip_settings(struct scan *s) {
  while (s->next.kind != TOK_END && !scan_is(&s->next, ">>"))
    scan_take(s);
  scan_accept(s, ">>");
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
    } else if (scan_is(&s->next, "<<")) {
      skip_settings(s);
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

// What another question asks for. All its names are those of the test.
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
  for (uint32_t i = 0; i < t->vars.len; i++)
    t->vars.at[i].type = type_of(t, &t->vars.at[i]);
  sort_vars(t);
  return true;
}
