// SPDX-License-Identifier: MIT
// An axiom refuses a graph because some event leads back to itself. How it does
// is told in the words of the text: unions, sequences and closures are taken
// apart until a relation has a name that says enough (rfe, addr), and a step
// also names what it is a part of (addr, part of dob).
//
// There may be many ways to tell a pair of a relation. So each operation is
// evaluated once more, with numbers instead of bits: how many steps the
// shortest telling of a pair takes. Sequence is then a product of matrices by
// min and plus, closure is shortest paths, and the telling itself goes back
// along what gave the least.
#include "cat/eval/refusal.h"

#include "cat/eval/eval.h"
#include "cat/model.h"
#include "model/refusal.h"

#include <string.h>

enum {
  NEVER = UINT32_MAX / 4, // there is no such pair
  MOST_STEPS = 200,       // of a pair that is told, and
  MOST_TEXT = 2000,       // bytes of an expression, of terms that double
};

struct teller {
  const struct cat *cat;
  struct cat_values *values;
  uint32_t n;      // events
  uint32_t **cost; // by node, then from * n + to; NULL: not computed
  bool *filters;   // by node: is it one (is_filter)?
  struct refusal *out;
};

// -- names

static const char *given_name(const struct cat *c, node_id x) {
  for (uint32_t i = 0; i < c->names.len; i++)
    if (c->names.at[i].node == x)
      return c->names.at[i].name;
  return "";
}

static bool is_base(const struct cat *c, node_id x, enum cat_base b) {
  const struct node *n = node_at(&c->nodes, x);
  return n->kind == NODE_BASE && n->a == (node_id)b;
}

// Says where a pair may be, and nothing about how one gets there. (Operands
// come first.)
static bool is_filter(const struct teller *t, node_id x) {
  const struct cat *c = t->cat;
  const struct node *n = node_at(&c->nodes, x);
  if (n->kind == NODE_UNION || n->kind == NODE_INTERSECTION)
    return t->filters[n->a] && t->filters[n->b];
  return is_base(c, x, CAT_loc) || is_base(c, x, CAT_ext) ||
         is_base(c, x, CAT_int) || n->kind == NODE_PRODUCT ||
         n->kind == NODE_UNIVERSE ||
         (n->kind == NODE_DIFFERENCE &&
          node_at(&c->nodes, n->a)->kind == NODE_UNIVERSE);
}

// The name of a relation for people: that of the text, or that of herd for what
// is named everywhere (rfe, po-loc), or "".
static const char *name_of(struct teller *t, node_id x) {
  const struct node *n = node_at(&t->cat->nodes, x);
  const char *name = given_name(t->cat, x);
  struct str text = {0};
  if (*name)
    return name;
  if (n->kind == NODE_BASE)
    return cat_base_names[n->a].name;
  if (n->kind == NODE_INVERSE && *name_of(t, n->a))
    str_add(&text, "%s^-1", name_of(t, n->a));
  if (n->kind == NODE_INTERSECTION) {
    bool is_left = t->filters[n->a];
    node_id filter = is_left ? n->a : n->b, rest = is_left ? n->b : n->a;
    const char *suffix = is_base(t->cat, filter, CAT_ext)   ? "e"
                         : is_base(t->cat, filter, CAT_int) ? "i"
                         : is_base(t->cat, filter, CAT_loc) ? "-loc"
                                                            : "";
    if (*suffix && node_at(&t->cat->nodes, rest)->kind == NODE_BASE)
      str_add(&text, "%s%s", name_of(t, rest), suffix);
  }
  name = refusal_keep(t->out, str_text(&text));
  str_done(&text);
  return name;
}

// -- how relations are taken apart

// The part of an intersection or a difference that says how one gets there;
// NO_NODE: it is told as a whole.
static node_id essence(struct teller *t, node_id x) {
  const struct node *n = node_at(&t->cat->nodes, x);
  if (n->kind == NODE_DIFFERENCE)
    return t->filters[x] ? NO_NODE : n->a;
  bool is_left = t->filters[n->a];
  if (!is_left && !t->filters[n->b])
    return *name_of(t, x) ? NO_NODE : n->a;
  // rfe, po-loc and their like have names that everybody knows.
  node_id rest = is_left ? n->b : n->a, filter = is_left ? n->a : n->b;
  bool is_known = node_at(&t->cat->nodes, rest)->kind == NODE_BASE &&
                  node_at(&t->cat->nodes, filter)->kind == NODE_BASE;
  return is_known && *name_of(t, x) ? NO_NODE : rest;
}

static bool is_initial(const struct teller *t, uint32_t e) {
  return t->values->world->events[e].id == INIT_EVENT;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static const uint32_t *cost_of(struct teller *t, node_id x);

// c becomes the least of itself and of what leads through an event in between.
// Initial writes are no events of a report, so no way leads through them.
static void add_sequences(const struct teller *t, uint32_t *c,
                          const uint32_t *a, const uint32_t *b) {
  for (uint32_t k = 0; k < t->n; k++)
    for (uint32_t i = 0; i < t->n && !is_initial(t, k); i++)
      for (uint32_t j = 0; a[i * t->n + k] < NEVER && j < t->n; j++)
        c[i * t->n + j] =
            least(c[i * t->n + j], a[i * t->n + k] + b[k * t->n + j]);
}

static void take_apart(struct teller *t, node_id x, uint32_t *c) {
  const struct node *n = node_at(&t->cat->nodes, x);
  size_t pairs = (size_t)t->n * t->n;
  const uint32_t *a = NULL, *b = NULL;
  switch ((enum node_kind)n->kind) {
  case NODE_UNION:
    a = cost_of(t, n->a);
    b = cost_of(t, n->b);
    for (size_t i = 0; i < pairs; i++)
      c[i] = least(a[i], b[i]);
    return;
  case NODE_SEQUENCE:
    a = cost_of(t, n->a);
    b = cost_of(t, n->b);
    add_sequences(t, c, a, b);
    return;
  case NODE_OPTIONAL:
    memcpy(c, cost_of(t, n->a), pairs * sizeof *c);
    for (uint32_t i = 0; i < t->n; i++)
      c[i * t->n + i] = 0;
    return;
  case NODE_PLUS:
    memcpy(c, cost_of(t, n->a), pairs * sizeof *c);
    add_sequences(t, c, c, c); // Floyd and Warshall: the middle is outermost
    return;
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    if (essence(t, x) != NO_NODE)
      memcpy(c, cost_of(t, essence(t, x)), pairs * sizeof *c);
    return;
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
  case NODE_PRODUCT:
  case NODE_INVERSE:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
  case NODE_VARIABLE: // of a `let rec`: its name is better than its rounds
    return;
  }
}

// An event and itself: nothing to tell.
static bool is_identity(const struct teller *t, node_id x) {
  return is_base(t->cat, x, CAT_id) || cat_value(t->values, x)->is_set;
}

// What cannot be taken apart is one step; what is not there at all is none.
static const uint32_t *cost_of(struct teller *t, node_id x) {
  if (t->cost[x])
    return t->cost[x];
  size_t pairs = (size_t)t->n * t->n;
  uint32_t *c = xcalloc(pairs + 1, sizeof *c);
  const struct rel *r = cat_value(t->values, x);
  for (size_t i = 0; i < pairs; i++)
    c[i] = NEVER;
  take_apart(t, x, c);
  uint32_t one = is_identity(t, x) ? 0 : 1;
  for (uint32_t i = 0; i < t->n; i++)
    for (uint32_t j = 0; j < t->n; j++) {
      uint32_t *at = &c[i * t->n + j];
      *at = !rel_has(r, i, j) ? NEVER : *at < NEVER ? *at : one;
    }
  t->cost[x] = c;
  return c;
}

// -- expressions

// How an operation is written, by kind; binary ones between, others behind.
static const char *const written[] = {
    [NODE_UNION] = " | ",   [NODE_INTERSECTION] = " & ",
    [NODE_SEQUENCE] = "; ", [NODE_DIFFERENCE] = " \\ ",
    [NODE_PRODUCT] = " * ", [NODE_INVERSE] = "^-1",
    [NODE_OPTIONAL] = "?",  [NODE_PLUS] = "+",
};

// The relation as the text has it. Names stand for themselves, but for the one
// that is asked for; `outer` is the operation around it.
static void add_expression(struct teller *t, node_id x, enum node_kind outer,
                           struct str *out) {
  const struct node *n = node_at(&t->cat->nodes, x);
  enum node_kind kind = (enum node_kind)n->kind;
  const char *name = name_of(t, x);
  bool is_whole = outer == NODE_EMPTY;
  if (out->len > MOST_TEXT) {
    str_add(out, "...");
  } else if (*name && !(is_whole && kind != NODE_BASE)) {
    str_add(out, "%s", name);
  } else if (node_is_binary(kind)) {
    bool is_inner = !is_whole && outer != kind;
    str_add(out, "%s", is_inner ? "(" : "");
    add_expression(t, n->a, kind, out);
    str_add(out, "%s", written[kind]);
    add_expression(t, n->b, kind, out);
    str_add(out, "%s", is_inner ? ")" : "");
  } else if (kind == NODE_OPTIONAL &&
             node_at(&t->cat->nodes, n->a)->kind == NODE_PLUS &&
             !*name_of(t, n->a)) {
    add_expression(t, node_at(&t->cat->nodes, n->a)->a, NODE_PLUS, out);
    str_add(out, "*");
  } else if (kind == NODE_INVERSE || kind == NODE_OPTIONAL ||
             kind == NODE_PLUS) {
    add_expression(t, n->a, kind, out);
    str_add(out, "%s", written[kind]);
  } else if (kind == NODE_IDENTITY) {
    str_add(out, "[");
    add_expression(t, n->a, NODE_UNION, out);
    str_add(out, "]");
  } else {
    str_add(out, kind == NODE_UNIVERSE ? "_"
                 : kind == NODE_EMPTY  ? "0"
                                       : "...");
  }
}

// -- telling

static event_id event_of(const struct teller *t, uint32_t e) {
  return t->values->world->events[e].id;
}

static void add_step(struct teller *t, uint32_t i, uint32_t j,
                     const char *relation, const char *part_of) {
  struct refusal_step s = {event_of(t, i), event_of(t, j), relation, part_of};
  array_push(t->out, s);
}

static void tell(struct teller *t, node_id x, uint32_t i, uint32_t j,
                 const char *part_of);

// By a, then by b, through the best event in between; false: by none.
static bool tell_sequence(struct teller *t, const uint32_t *whole, node_id a,
                          node_id b, uint32_t i, uint32_t j,
                          const char *part_of) {
  const uint32_t *first = cost_of(t, a), *second = cost_of(t, b);
  for (uint32_t k = 0; k < t->n; k++) {
    uint32_t there = first[i * t->n + k], on = second[k * t->n + j];
    // A closure goes on with itself, so its first step must lead somewhere.
    if (is_initial(t, k) || there >= NEVER || on >= NEVER ||
        there + on != whole[i * t->n + j] || (second == whole && !there))
      continue;
    tell(t, a, i, k, part_of);
    tell(t, b, k, j, part_of);
    return true;
  }
  return false;
}

// Takes the pair apart as its cost was; false: it is one step.
static bool tell_parts(struct teller *t, node_id x, uint32_t i, uint32_t j,
                       const char *part_of) {
  const struct node *n = node_at(&t->cat->nodes, x);
  const uint32_t *whole = cost_of(t, x);
  uint32_t pair = i * t->n + j, cost = whole[pair];
  if (cost > MOST_STEPS)
    return false;
  switch ((enum node_kind)n->kind) {
  case NODE_UNION:
    tell(t, cost_of(t, n->a)[pair] == cost ? n->a : n->b, i, j, part_of);
    return true;
  case NODE_SEQUENCE:
    return tell_sequence(t, whole, n->a, n->b, i, j, part_of);
  case NODE_OPTIONAL:
    if (cost)
      tell(t, n->a, i, j, part_of);
    return true;
  case NODE_PLUS:
    if (cost_of(t, n->a)[pair] != cost)
      return tell_sequence(t, whole, n->a, x, i, j, part_of);
    tell(t, n->a, i, j, part_of);
    return true;
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    if (essence(t, x) == NO_NODE || cost_of(t, essence(t, x))[pair] != cost)
      return false;
    tell(t, essence(t, x), i, j, part_of);
    return true;
  case NODE_BASE:
  case NODE_EMPTY:
  case NODE_UNIVERSE:
  case NODE_PRODUCT:
  case NODE_INVERSE:
  case NODE_IDENTITY:
  case NODE_DOMAIN:
  case NODE_RANGE:
  case NODE_VARIABLE:
    return false;
  }
  return false;
}

static void tell(struct teller *t, node_id x, uint32_t i, uint32_t j,
                 const char *part_of) {
  const char *name = name_of(t, x);
  if (is_identity(t, x))
    return;
  if (tell_parts(t, x, i, j, *name ? name : part_of))
    return;
  struct str text = {0};
  add_expression(t, x, NODE_EMPTY, &text);
  add_step(t, i, j, *name ? name : refusal_keep(t->out, str_text(&text)),
           part_of);
  str_done(&text);
}

// -- axioms

// The pair that is told in the fewest steps; false: there is none.
static bool find_shortest(const struct teller *t, const uint32_t *cost,
                          bool is_cycle, uint32_t *from, uint32_t *to) {
  uint32_t best = NEVER;
  for (uint32_t i = 0; i < t->n; i++)
    for (uint32_t j = is_cycle ? i : 0; j < (is_cycle ? i + 1 : t->n); j++)
      if (cost[i * t->n + j] < best && !is_initial(t, i) && !is_initial(t, j)) {
        best = cost[i * t->n + j];
        *from = i;
        *to = j;
      }
  return best < NEVER;
}

// empty a & b, as of atomicity: there by the one that says more, back by the
// other.
static void tell_pair(struct teller *t, node_id x, uint32_t i, uint32_t j) {
  const struct node *n = node_at(&t->cat->nodes, x);
  uint32_t pair = i * t->n + j;
  if (n->kind != NODE_INTERSECTION || t->filters[n->a] || t->filters[n->b]) {
    tell(t, x, i, j, "");
    return;
  }
  bool a_is_longer = cost_of(t, n->a)[pair] > cost_of(t, n->b)[pair];
  node_id there = a_is_longer ? n->a : n->b, back = a_is_longer ? n->b : n->a;
  struct str name = {0};
  add_expression(t, back, NODE_INVERSE, &name);
  str_add(&name, "^-1");
  tell(t, there, i, j, "");
  add_step(t, j, i, refusal_keep(t->out, str_text(&name)), "");
  str_done(&name);
}

static void tell_axiom(struct teller *t, const struct cat_axiom *a) {
  uint32_t i = 0, j = 0;
  uint32_t *closure = NULL;
  const uint32_t *cost = cost_of(t, a->node);
  if (a->test == TEST_ACYCLIC) {
    size_t size = (size_t)t->n * t->n * sizeof *closure;
    closure = xcalloc(1, size + 1);
    memcpy(closure, cost, size);
    add_sequences(t, closure, closure, closure);
  }
  if (!find_shortest(t, closure ? closure : cost, a->test != TEST_EMPTY, &i,
                     &j)) {
    free(closure);
    return; // only through initial writes: there is nothing to point at
  }
  if (a->test == TEST_EMPTY)
    tell_pair(t, a->node, i, j);
  else if (!closure)
    tell(t, a->node, i, j, "");
  // Step by step: each time to where the rest of the way is shortest.
  for (uint32_t at = i, left = closure ? closure[i * t->n + i] : 0; left;) {
    uint32_t to = 0, rest = 0;
    for (; to < t->n; to++) {
      uint32_t step = cost[at * t->n + to];
      rest = step == left && to == i ? 0 : closure[to * t->n + i];
      if (step && step < NEVER && !is_initial(t, to) && step + rest == left)
        break;
    }
    check(to < t->n);
    tell(t, a->node, at, to, "");
    left = rest;
    at = to;
  }
  free(closure);
}

// What the axioms of models with published names mean, in a sentence.
static const char *words_of(const char *file, const char *axiom) {
  static const char *const rows[][3] = {
      {"sc.cat", "sc", "sequential consistency: one order of all accesses"},
      {"tso.cat", "tso", "one order in which accesses reach memory"},
      {"pso.cat", "pso", "one order in which accesses reach memory"},
      {"ra.cat", "no-thin-air", "no load buffering: po and rf have no cycle"},
      {"rc11.cat", "no-thin-air", "no load buffering: po and rf have no cycle"},
      {"ra.cat", "coherence",
       "coherence: what happens before is not overwritten by something older, "
       "and not missed"},
      {"rc11.cat", "coherence",
       "coherence: what happens before is not overwritten by something older, "
       "and not missed"},
      {"rc11.cat", "sc", "one order of the seq_cst accesses and fences"},
  };
  for (unsigned i = 0; i < LENGTH(rows); i++)
    if (strcmp(rows[i][0], file) == 0 && strcmp(rows[i][1], axiom) == 0)
      return rows[i][2];
  return axiom;
}

// "external: acyclic obs | lob (armv8.cat:49)"
static const char *axiom_text(struct teller *t, const struct cat_axiom *a) {
  struct str text = {0};
  const char *file = strings_get(&t->cat->tree.names, a->at.file);
  const char *words = words_of(file, a->name);
  if (*words)
    str_add(&text, "%s%s ", words, words == a->name ? ":" : ";");
  str_add(&text, "%s%s ", a->is_negated ? "~" : "", test_words[a->test]);
  add_expression(t, a->node, NODE_EMPTY, &text);
  if (a->at.line)
    str_add(&text, " (%s:%u)", file, a->at.line);
  const char *kept = refusal_keep(t->out, str_text(&text));
  str_done(&text);
  return kept;
}

bool cat_refuses(const struct model *m, const struct graph *g,
                 const struct model_options *options, struct refusal *ret) {
  const struct cat *c = ((const struct cat_model *)m->text)->cat;
  struct cat_world w;
  struct cat_values v;
  cat_world_init(&w, c, g, options, /*has_lives=*/false);
  cat_values_init(&v, c, &w);
  struct teller t = {.cat = c, .values = &v, .n = w.n, .out = ret};
  t.cost = xcalloc(c->nodes.at.len, sizeof *t.cost);
  t.filters = xcalloc(c->nodes.at.len, sizeof *t.filters);
  for (node_id x = 0; x < c->nodes.at.len; x++)
    t.filters[x] = is_filter(&t, x);
  const struct cat_axiom *broken = NULL;
  for (uint32_t i = 0; !broken && i < c->axioms.len; i++)
    if (c->axioms.at[i].mode == MODE_CHECK &&
        !cat_axiom_holds(&v, &c->axioms.at[i]))
      broken = &c->axioms.at[i];
  if (broken) {
    ret->axiom = axiom_text(&t, broken);
    if (!broken->is_negated)
      tell_axiom(&t, broken);
  }
  for (uint32_t i = 0; i < c->nodes.at.len; i++)
    free(t.cost[i]);
  free(t.cost);
  free(t.filters);
  cat_values_done(&v);
  cat_world_done(&w);
  return broken;
}
