// SPDX-License-Identifier: MIT
// See cat.h. Recursive descent, one function a rule of the grammar. There is no
// tree: a rule appends its operation after those of its operands, so evaluating
// is going through the list once, and what a `let` names is evaluated once.
#include "cat.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum kind {
  UNION,
  INTERSECTION,
  DIFFERENCE,
  SEQUENCE,
  INVERSE,
  OPTIONAL,
  PLUS,
  STAR,
  IDENTITY, // [set]
  UNIVERSE, // _
  NOTHING,  // 0, a relation
  DOMAIN,
  RANGE,
  VARIABLE, // of a `let rec`
  REPEAT,   // variable a becomes b, its definition; if that is new, everything
            // from the variable on is evaluated again
  ACYCLIC,
  IRREFLEXIVE,
  EMPTY,
  FLAG, // raised if it is not empty
};

static const struct {
  const char *name;
  bool is_set;
} base_names[CAT_BASE] = {
#define SET(name, events) {#name, true},
#define SET_AS(id, name, events) {name, true},
#define RELATION(name, pairs) {#name, false},
#define RELATION_AS(id, name, pairs) {name, false},
#include "cat_base.def"
#undef SET
#undef SET_AS
#undef RELATION
#undef RELATION_AS
};

// -- parsing

struct definition {
  uint32_t name; // in the names of the model
  uint32_t value;
};

struct parser {
  const char *file, *at;
  unsigned line, line_before; // of the next token, of the one before
  size_t len;                 // of the next token, which is at `at`; 0: the end
  struct cat_model *m;
  ARRAY(struct definition) definitions;
  struct diag *why;
};

// The next token is not the right one.
static bool fail(struct parser *p, const char *expected) {
  if (!p->len)
    return diag_set(p->why, p->file, p->line, "expected %s at the end",
                    expected);
  return diag_set(p->why, p->file, p->line, "expected %s, not '%.*s'", expected,
                  (int)p->len, p->at);
}

// What was read up to here means nothing.
static bool refuse(struct parser *p, const char *what, const char *why) {
  return diag_set(p->why, p->file, p->line_before, "%s %s", what, why);
}

// Goes past spaces and comments, which nest. A comment without an end is left
// there: nothing starts with it, so it is an error in its line.
static void skip_space(struct parser *p) {
  unsigned depth = 0, line = p->line;
  for (const char *s = p->at; *s; s++) {
    if (strncmp(s, "(*", 2) == 0) {
      depth++;
      s++;
    } else if (depth && strncmp(s, "*)", 2) == 0) {
      depth--;
      s++;
    } else if (!depth && !isspace((unsigned char)*s)) {
      return;
    }
    line += *s == '\n';
    if (!depth) {
      p->at = s + 1;
      p->line = line;
    }
  }
}

// name = (letter | "_") (letter | digit | "_" | "-")*
static size_t name_length(const char *s) {
  if (!isalpha((unsigned char)*s) && *s != '_')
    return 0;
  size_t n = 1;
  while (isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '-')
    n++;
  return n;
}

static size_t token_length(const char *s) {
  static const char *const longer[] = {"^-1", "(*"};
  for (unsigned i = 0; i < sizeof longer / sizeof *longer; i++)
    if (strncmp(s, longer[i], strlen(longer[i])) == 0)
      return strlen(longer[i]);
  size_t n = name_length(s);
  return n ? n : *s != '\0';
}

static void advance(struct parser *p) {
  p->at += p->len;
  p->line_before = p->line;
  skip_space(p);
  p->len = token_length(p->at);
}

static bool is_next(const struct parser *p, const char *word) {
  return p->len == strlen(word) && strncmp(p->at, word, p->len) == 0;
}

// Goes past `word` if it comes next.
static bool accept(struct parser *p, const char *word) {
  if (!is_next(p, word))
    return false;
  advance(p);
  return true;
}

static bool expect(struct parser *p, const char *word) {
  return accept(p, word) || fail(p, word);
}

static bool is_set(const struct parser *p, uint32_t x) {
  return x < CAT_BASE ? base_names[x].is_set
                      : p->m->operations.at[x - CAT_BASE].is_set;
}

static uint32_t add(struct parser *p, enum kind k, bool makes_set, uint32_t a,
                    uint32_t b) {
  array_push(&p->m->operations,
             (struct cat_operation){
                 .kind = (uint8_t)k, .is_set = makes_set, .a = a, .b = b});
  return CAT_BASE + p->m->operations.len - 1;
}

static bool expect_relation(struct parser *p, uint32_t x, const char *of) {
  return !is_set(p, x) || refuse(p, of, "is for relations, not for sets");
}

static bool parse_name(struct parser *p, uint32_t *ret) {
  static const char *const keywords[] = {
      "let", "rec", "and", "as", "acyclic", "irreflexive", "empty", "flag"};
  for (unsigned i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (is_next(p, keywords[i]))
      return fail(p, "a name");
  if (!name_length(p->at))
    return fail(p, "a name");
  struct str name = {0};
  str_add_bytes(&name, p->at, p->len);
  *ret = strings_add(&p->m->names, str_text(&name));
  str_done(&name);
  advance(p);
  return true;
}

static const struct definition *find(const struct parser *p, uint32_t name) {
  for (uint32_t i = 0; i < p->definitions.len; i++)
    if (p->definitions.at[i].name == name)
      return &p->definitions.at[i];
  return NULL;
}

static bool parse_union(struct parser *p, uint32_t *ret);

// "if" "\"" name "\"" "then" ... "else" union: no variant is chosen.
static bool parse_variant(struct parser *p, uint32_t *ret) {
  while (p->len && !is_next(p, "else"))
    advance(p);
  return expect(p, "else") && parse_union(p, ret);
}

static bool parse_end(struct parser *p, enum kind k, uint32_t *ret) {
  if (!expect(p, "(") || !parse_union(p, ret) || !expect(p, ")") ||
      !expect_relation(p, *ret, "this"))
    return false;
  *ret = add(p, k, /*makes_set=*/true, *ret, 0);
  return true;
}

// primary = name | "_" | "[" union "]" | "(" union ")" | "domain" "(" union ")"
//         | "range" "(" union ")"
static bool parse_primary(struct parser *p, uint32_t *ret) {
  if (accept(p, "_")) {
    *ret = add(p, UNIVERSE, /*makes_set=*/true, 0, 0);
    return true;
  }
  if (accept(p, "0")) {
    *ret = add(p, NOTHING, /*makes_set=*/false, 0, 0);
    return true;
  }
  if (accept(p, "if"))
    return parse_variant(p, ret);
  if (accept(p, "domain"))
    return parse_end(p, DOMAIN, ret);
  if (accept(p, "range"))
    return parse_end(p, RANGE, ret);
  if (accept(p, "("))
    return parse_union(p, ret) && expect(p, ")");
  if (accept(p, "[")) {
    if (!parse_union(p, ret) || !expect(p, "]"))
      return false;
    if (!is_set(p, *ret))
      return refuse(p, "[]", "is for sets, not for relations");
    *ret = add(p, IDENTITY, /*makes_set=*/false, *ret, 0);
    return true;
  }
  uint32_t name;
  if (!parse_name(p, &name))
    return false;
  const struct definition *d = find(p, name);
  if (!d)
    return refuse(p, strings_get(&p->m->names, name), "is not defined");
  *ret = d->value;
  return true;
}

// postfix = primary ("^-1" | "?" | "+" | "*")*
static bool parse_postfix(struct parser *p, uint32_t *ret) {
  static const struct {
    const char *word;
    enum kind kind;
  } operators[] = {{"^-1", INVERSE}, {"?", OPTIONAL}, {"+", PLUS}, {"*", STAR}};
  if (!parse_primary(p, ret))
    return false;
  for (unsigned i = 0; i < sizeof operators / sizeof *operators;) {
    if (!accept(p, operators[i].word)) {
      i++;
      continue;
    }
    if (!expect_relation(p, *ret, operators[i].word))
      return false;
    *ret = add(p, operators[i].kind, /*makes_set=*/false, *ret, 0);
    i = 0;
  }
  return true;
}

// One or more `operand`, with `word` between them.
static bool parse_infix(struct parser *p, const char *word, enum kind k,
                        bool operand(struct parser *, uint32_t *),
                        uint32_t *ret) {
  if (!operand(p, ret))
    return false;
  while (accept(p, word)) {
    uint32_t right;
    if (!operand(p, &right))
      return false;
    if (is_set(p, *ret) != is_set(p, right))
      return refuse(p, word, "has a set on one side, a relation on the other");
    if (k == SEQUENCE && !expect_relation(p, right, word))
      return false;
    *ret = add(p, k, is_set(p, right), *ret, right);
  }
  return true;
}

// intersection = postfix ("&" postfix)*
static bool parse_intersection(struct parser *p, uint32_t *ret) {
  return parse_infix(p, "&", INTERSECTION, parse_postfix, ret);
}

// difference = intersection ("\" intersection)*
static bool parse_difference(struct parser *p, uint32_t *ret) {
  return parse_infix(p, "\\", DIFFERENCE, parse_intersection, ret);
}

// sequence = difference (";" difference)*
static bool parse_sequence(struct parser *p, uint32_t *ret) {
  return parse_infix(p, ";", SEQUENCE, parse_difference, ret);
}

// union = sequence ("|" sequence)*
static bool parse_union(struct parser *p, uint32_t *ret) {
  return parse_infix(p, "|", UNION, parse_sequence, ret);
}

// recursion = "let" "rec" name "=" union ("and" name "=" union)*, of relations.
// The names have to be known before the definitions are read, so the text is
// read twice: first only for the names.
static bool parse_recursion(struct parser *p) {
  struct parser ahead = *p;
  uint32_t first = p->definitions.len, n = 0;
  while (n == 0 || is_next(&ahead, "and")) {
    struct definition d = {0};
    if (n++)
      advance(&ahead);
    if (!parse_name(&ahead, &d.name))
      return false;
    d.value = add(p, VARIABLE, /*makes_set=*/false, 0, 0);
    array_push(&p->definitions, d);
    while (ahead.len && !is_next(&ahead, "and") && !is_next(&ahead, "let") &&
           !is_next(&ahead, "acyclic") && !is_next(&ahead, "irreflexive") &&
           !is_next(&ahead, "empty") && !is_next(&ahead, "flag"))
      advance(&ahead);
  }
  ARRAY(uint32_t) bodies = {0};
  bool is_right = true;
  for (uint32_t i = 0; is_right && i < n; i++) {
    uint32_t body = 0, name;
    is_right = (i == 0 || expect(p, "and")) && parse_name(p, &name) &&
               expect(p, "=") && parse_union(p, &body) &&
               expect_relation(p, body, "let rec");
    array_push(&bodies, body);
  }
  for (uint32_t i = 0; is_right && i < n; i++)
    add(p, REPEAT, /*makes_set=*/false, p->definitions.at[first + i].value,
        bodies.at[i]);
  array_done(&bodies);
  return is_right;
}

// definition = "let" name "=" union
static bool parse_definition(struct parser *p) {
  struct definition d;
  if (accept(p, "rec"))
    return parse_recursion(p);
  if (!parse_name(p, &d.name))
    return false;
  if (find(p, d.name))
    return refuse(p, strings_get(&p->m->names, d.name), "is defined already");
  if (!expect(p, "=") || !parse_union(p, &d.value))
    return false;
  array_push(&p->definitions, d);
  if (strcmp(strings_get(&p->m->names, d.name), "race-order") == 0)
    p->m->race_order = d.value;
  return true;
}

// axiom = ("acyclic" | "irreflexive" | "empty") union "as" name
static bool parse_axiom(struct parser *p, enum kind k) {
  uint32_t value, name;
  if (!parse_union(p, &value) || !expect_relation(p, value, "an axiom") ||
      !expect(p, "as") || !parse_name(p, &name))
    return false;
  add(p, k, /*makes_set=*/false, value, name);
  return true;
}

// flag = "flag" "~" "empty" union "as" name
static bool parse_flag(struct parser *p) {
  uint32_t value, name;
  if (!expect(p, "~") || !expect(p, "empty") || !parse_union(p, &value) ||
      !expect_relation(p, value, "a flag") || !expect(p, "as") ||
      !parse_name(p, &name))
    return false;
  add(p, FLAG, /*makes_set=*/false, value, name);
  return true;
}

// model = (definition | axiom | flag)*
static bool parse_model(struct parser *p) {
  bool is_right = true;
  while (is_right && p->len) {
    if (accept(p, "let"))
      is_right = parse_definition(p);
    else if (accept(p, "flag"))
      is_right = parse_flag(p);
    else if (accept(p, "acyclic"))
      is_right = parse_axiom(p, ACYCLIC);
    else if (accept(p, "irreflexive"))
      is_right = parse_axiom(p, IRREFLEXIVE);
    else if (accept(p, "empty"))
      is_right = parse_axiom(p, EMPTY);
    else
      return fail(p, "let, acyclic, irreflexive or empty");
  }
  return is_right;
}

bool definition_parse(const char *file, const char *text, struct cat_model *ret,
                      struct diag *why) {
  struct cat_model m = {0};
  struct parser p = {.file = file, .at = text, .line = 1, .m = &m, .why = why};
  for (uint32_t i = 0; i < CAT_BASE; i++)
    array_push(
        &p.definitions,
        (struct definition){strings_add(&m.names, base_names[i].name), i});
  advance(&p);
  bool is_right = parse_model(&p);
  array_done(&p.definitions);
  if (is_right)
    *ret = m;
  else
    definition_done(&m);
  return is_right;
}

bool definition_load(const char *file, struct cat_model *ret,
                     struct diag *why) {
  FILE *f = fopen(file, "r");
  if (!f)
    return diag_set(why, file, 0, "cannot be read: %s", strerror(errno));
  struct str text = {0};
  char part[4096];
  for (size_t n; (n = fread(part, 1, sizeof part, f));)
    str_add_bytes(&text, part, n);
  bool is_read = !ferror(f);
  fclose(f);
  bool is_right = is_read ? definition_parse(file, str_text(&text), ret, why)
                          : diag_set(why, file, 0, "cannot be read");
  str_done(&text);
  return is_right;
}

void definition_done(struct cat_model *m) {
  array_done(&m->operations);
  strings_done(&m->names);
}

// -- evaluation

static event_set evaluate_end(enum kind k, struct relation r) {
  event_set ends = 0;
  for (unsigned i = 0; i < r.n; i++)
    ends |= k == RANGE ? r.row[i] : r.row[i] ? (event_set)1 << i : 0;
  return ends;
}

static event_set evaluate_set(enum kind k, unsigned n, const union cat_value *a,
                              const union cat_value *b) {
  if (k == UNIVERSE)
    return n == 64 ? ~(event_set)0 : ((event_set)1 << n) - 1;
  if (k == DOMAIN || k == RANGE)
    return evaluate_end(k, a->relation);
  check(k == UNION || k == INTERSECTION || k == DIFFERENCE);
  return k == UNION          ? a->set | b->set
         : k == INTERSECTION ? a->set & b->set
                             : a->set & ~b->set;
}

static struct relation evaluate(enum kind k, unsigned n,
                                const union cat_value *a,
                                const union cat_value *b) {
  switch (k) {
  case UNION:
    return rel_or(a->relation, b->relation);
  case INTERSECTION:
    return rel_and(a->relation, b->relation);
  case DIFFERENCE:
    return rel_minus(a->relation, b->relation);
  case SEQUENCE:
    return rel_seq(a->relation, b->relation);
  case INVERSE:
    return rel_inverse(a->relation);
  case OPTIONAL:
    return rel_opt(a->relation);
  case PLUS:
    return rel_plus(a->relation);
  case STAR:
    return rel_star(a->relation);
  case IDENTITY:
    return rel_between(a->set, rel_opt(rel_empty(n)), a->set);
  case NOTHING:
    return rel_empty(n);
  case UNIVERSE:
  case DOMAIN:
  case RANGE:
  case VARIABLE:
  case REPEAT:
  case ACYCLIC:
  case IRREFLEXIVE:
  case EMPTY:
  case FLAG:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "not an operation");
}

static bool is_axiom(enum kind k) {
  return k == ACYCLIC || k == IRREFLEXIVE || k == EMPTY || k == FLAG;
}

static bool holds(enum kind k, struct relation r) {
  return k == ACYCLIC       ? rel_is_acyclic(r)
         : k == IRREFLEXIVE ? rel_is_irreflexive(r)
                            : rel_is_empty(r);
}

static bool is_same(struct relation a, struct relation b) {
  return rel_is_empty(rel_minus(a, b)) && rel_is_empty(rel_minus(b, a));
}

enum { MOST_OPERATIONS = 512 };

// Evaluates the operations up to the axioms that are broken (or, `are_flags`,
// the flags that are raised), of which it names the first `most`.
static unsigned find_broken(const struct cat_model *m, unsigned n,
                            const union cat_value base[CAT_BASE],
                            bool are_flags, const char *names[], unsigned most,
                            union cat_value results[MOST_OPERATIONS]) {
  unsigned broken = 0;
  check(m->operations.len <= MOST_OPERATIONS);
  for (uint32_t i = 0; i < m->operations.len; i++)
    results[i].relation = rel_empty(n);
  for (uint32_t i = 0; i < m->operations.len; i++) {
    const struct cat_operation *o = &m->operations.at[i];
    enum kind k = (enum kind)o->kind;
    if (k == VARIABLE)
      continue;
    const union cat_value *a =
        o->a < CAT_BASE ? &base[o->a] : &results[o->a - CAT_BASE];
    if (is_axiom(k)) {
      if ((k == FLAG) == are_flags &&
          !holds(k == FLAG ? EMPTY : k, a->relation))
        names[broken++] = strings_get(&m->names, o->b);
      if (broken == most)
        return broken;
      continue;
    }
    const union cat_value *b =
        o->b < CAT_BASE ? &base[o->b] : &results[o->b - CAT_BASE];
    if (k == REPEAT) {
      uint32_t variable = o->a - CAT_BASE;
      if (!is_same(a->relation, b->relation)) {
        results[variable].relation = b->relation;
        i = variable;
      }
      continue;
    }
    if (o->is_set)
      results[i].set = evaluate_set(k, n, a, b);
    else
      results[i].relation = evaluate(k, n, a, b);
  }
  return broken;
}

unsigned cat_broken_axioms(const struct cat_model *m, unsigned n,
                           const union cat_value base[CAT_BASE],
                           const char *names[], unsigned most) {
  union cat_value results[MOST_OPERATIONS];
  return find_broken(m, n, base, /*are_flags=*/false, names, most, results);
}

unsigned cat_raised_flags(const struct cat_model *m, unsigned n,
                          const union cat_value base[CAT_BASE],
                          const char *names[], unsigned most) {
  union cat_value results[MOST_OPERATIONS];
  return find_broken(m, n, base, /*are_flags=*/true, names, most, results);
}

struct relation cat_race_order(const struct cat_model *m, unsigned n,
                               const union cat_value base[CAT_BASE]) {
  const char *names[MOST_OPERATIONS];
  union cat_value results[MOST_OPERATIONS];
  check(m->race_order >= CAT_BASE);
  find_broken(m, n, base, /*are_flags=*/true, names, MOST_OPERATIONS, results);
  return results[m->race_order - CAT_BASE].relation;
}

const char *cat_broken_axiom(const struct cat_model *m, unsigned n,
                             const union cat_value base[CAT_BASE]) {
  const char *name;
  return cat_broken_axioms(m, n, base, &name, 1) ? name : NULL;
}
