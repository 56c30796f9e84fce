// SPDX-License-Identifier: MIT
// A proof, by the form of the terms, that one relation is part of another.
//
// The part is read as a path of steps, a; b; c, and the whole as a pattern that
// the path must fit: r | s is a choice, r+ a loop. On the way we know of each
// event some sets that it is in: those of [S] in the path, and what its steps
// say of their ends (rf begins with a write). A closure in the path fits a loop
// if each of its steps does. Of r \ s the pattern asks that a pair of r begins
// outside of what s begins with, or ends outside of what it ends with.
#include "cat/facts/prove.h"

#include <string.h>

enum {
  MAX_PATH = 24, // factors of a path or of a pattern
  MAX_DEPTH = 400,
  MAX_WORK = 20000,
  MAX_ENDS = 200000, // terms that are looked at within its steps
  MAX_UNFOLD = 4,    // bodies of a `let rec` within each other
  MAX_SETS = 12,     // base sets in one question about sets
};

struct prover {
  struct nodes *nodes;
  uint32_t work, ends, depth, unfolded;
};

// A path, or a pattern: its next factor is the last one here.
struct path {
  node_id at[MAX_PATH];
  uint32_t n;
};

static const struct node *get(const struct prover *p, node_id x) {
  return &p->nodes->at.at[x];
}

static bool is_kind(const struct prover *p, node_id x, enum node_kind k) {
  return get(p, x)->kind == k;
}

static bool is_base(const struct prover *p, node_id x, enum cat_base b) {
  return is_kind(p, x, NODE_BASE) && get(p, x)->a == b;
}

static bool put(struct path *to, node_id x) {
  if (to->n == MAX_PATH)
    return false;
  to->at[to->n++] = x;
  return true;
}

// -- sets

// For each combination of base sets that an event may be in: is it in the set?
enum { CASES = 1 << MAX_SETS };
struct cases {
  uint64_t at[CASES / 64];
};

struct set_question {
  node_id base[MAX_SETS]; // case i: the event is in those of the bits of i
  uint32_t n, depth;
  uint32_t words; // of cases: enough for six base sets, or for all
  bool is_too_hard;
};

// Those in which the event is in base set i.
static void add_base_set(struct cases *to, uint32_t words, uint32_t i) {
  static const uint64_t low[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc,
                                 0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00,
                                 0xffff0000ffff0000, 0xffffffff00000000};
  for (uint32_t w = 0; w < words; w++)
    to->at[w] |= i < LENGTH(low) ? low[i] : -(uint64_t)(w >> (i - 6) & 1);
}

static void find_cases(struct prover *p, struct set_question *q, node_id s,
                       struct cases *to) {
  const struct node v = *get(p, s);
  enum node_kind k = (enum node_kind)v.kind;
  memset(to, k == NODE_UNIVERSE ? 0xff : 0, q->words * sizeof *to->at);
  // (Terms that double each other, or that are deep.)
  q->is_too_hard |= ++p->ends > MAX_ENDS || q->depth > MAX_DEPTH;
  if (q->is_too_hard || k == NODE_EMPTY || k == NODE_UNIVERSE)
    return;
  if (k == NODE_UNION || k == NODE_INTERSECTION || k == NODE_DIFFERENCE) {
    struct cases other;
    q->depth++;
    find_cases(p, q, v.a, to);
    find_cases(p, q, v.b, &other);
    q->depth--;
    for (uint32_t w = 0; w < q->words; w++)
      to->at[w] = k == NODE_UNION          ? to->at[w] | other.at[w]
                  : k == NODE_INTERSECTION ? to->at[w] & other.at[w]
                                           : to->at[w] & ~other.at[w];
    return;
  }
  uint32_t i = 0;
  while (i < q->n && q->base[i] != s)
    i++;
  q->is_too_hard |= i == (q->words == 1 ? 6 : MAX_SETS);
  if (q->is_too_hard)
    return;
  q->base[i] = s;
  q->n = i < q->n ? q->n : i + 1;
  add_base_set(to, q->words, i);
}

// An event is in at most one of these sets: leaves out what is in two.
static void leave_one(const struct prover *p, const struct set_question *q,
                      const enum cat_base *sets, unsigned nsets,
                      struct cases *cases) {
  struct cases seen, in;
  memset(&seen, 0, q->words * sizeof *seen.at);
  for (uint32_t i = 0; i < q->n; i++)
    for (unsigned k = 0; k < nsets; k++) {
      if (!is_base(p, q->base[i], sets[k]))
        continue;
      memset(&in, 0, q->words * sizeof *in.at);
      add_base_set(&in, q->words, i);
      for (uint32_t w = 0; w < q->words; w++) {
        cases->at[w] &= ~(seen.at[w] & in.at[w]);
        seen.at[w] |= in.at[w];
      }
    }
}

// Is every event of one set in the other, whatever the base sets are? (An event
// is of one kind, and has one order.)
static bool answer(struct prover *p, struct set_question *q, node_id part,
                   node_id whole) {
  static const enum cat_base kinds[] = {CAT_R, CAT_W, CAT_F, CAT_THREAD};
  static const enum cat_base orders[] = {CAT_NA,  CAT_RLX,     CAT_ACQ,
                                         CAT_REL, CAT_ACQ_REL, CAT_SC};
  struct cases some, others;
  find_cases(p, q, part, &some);
  find_cases(p, q, whole, &others);
  if (q->is_too_hard)
    return false;
  for (uint32_t w = 0; w < q->words; w++)
    some.at[w] &= ~others.at[w];
  leave_one(p, q, kinds, LENGTH(kinds), &some);
  leave_one(p, q, orders, LENGTH(orders), &some);
  for (uint32_t w = 0; w < q->words; w++)
    if (some.at[w])
      return false;
  return true;
}

static bool set_is_part(struct prover *p, node_id part, node_id whole) {
  struct set_question few = {.words = 1}, many = {.words = CASES / 64};
  if (part == whole || is_kind(p, whole, NODE_UNIVERSE))
    return true;
  bool ok = answer(p, &few, part, whole);
  return few.is_too_hard ? answer(p, &many, part, whole) : ok;
}

static node_id base_set(struct prover *p, enum cat_base b) {
  return node_make(p->nodes, NODE_BASE, TYPE_SET, b, NO_NODE);
}

static node_id all_events(struct prover *p) {
  return node_make(p->nodes, NODE_UNIVERSE, TYPE_SET, NO_NODE, NO_NODE);
}

static node_id meet(struct prover *p, node_id a, node_id b) {
  return node_make(p->nodes, NODE_INTERSECTION, TYPE_SET, a, b);
}

static node_id join(struct prover *p, node_id a, node_id b) {
  return node_make(p->nodes, NODE_UNION, TYPE_SET, a, b);
}

static node_id end_of_base(struct prover *p, enum cat_base b, bool is_range) {
  switch (b) {
  case CAT_fr:
  case CAT_rmw:
  case CAT_amo:
    return base_set(p, is_range ? CAT_W : CAT_R);
  case CAT_rf:
    return base_set(p, is_range ? CAT_R : CAT_W);
  case CAT_co:
    return base_set(p, CAT_W);
  case CAT_addr:
  case CAT_data:
  case CAT_basic_addr:
  case CAT_basic_data:
  case CAT_ctrl:
  case CAT_ctrl_after:
  case CAT_casdep:
    // (A store-conditional says whether it was done.)
    return is_range ? all_events(p)
                    : join(p, base_set(p, CAT_R), base_set(p, CAT_EXCLUSIVE));
  default:
    return all_events(p);
  }
}

static node_id end_of(struct prover *p, node_id x, bool is_range);

static node_id end_of_sequence(struct prover *p, const struct node *v,
                               bool is_range) {
  node_id last = is_range ? v->b : v->a, other = is_range ? v->a : v->b;
  node_id end = end_of(p, last, is_range);
  if (is_kind(p, last, NODE_IDENTITY))
    end = meet(p, end, end_of(p, other, is_range));
  return end;
}

// A set in which all that a relation begins with is, or ends with.
static node_id end_of(struct prover *p, node_id x, bool is_range) {
  const struct node v = *get(p, x);
  if (++p->ends > MAX_ENDS) // terms that double each other
    return all_events(p);
  switch ((enum node_kind)v.kind) {
  case NODE_BASE:
    return end_of_base(p, (enum cat_base)v.a, is_range);
  case NODE_INTERSECTION:
    return meet(p, end_of(p, v.a, is_range), end_of(p, v.b, is_range));
  case NODE_UNION:
    return join(p, end_of(p, v.a, is_range), end_of(p, v.b, is_range));
  case NODE_DIFFERENCE:
  case NODE_PLUS:
    return end_of(p, v.a, is_range);
  case NODE_SEQUENCE:
    return end_of_sequence(p, &v, is_range);
  case NODE_IDENTITY:
    return v.a;
  case NODE_PRODUCT:
    return is_range ? v.b : v.a;
  case NODE_INVERSE:
    return end_of(p, v.a, !is_range);
  default:
    return all_events(p);
  }
}

// -- single steps

// Is every pair of the step in the base relation?
static bool step_is_in_base(struct prover *p, node_id step, enum cat_base b) {
  const struct node *v = get(p, step);
  if (++p->ends > MAX_ENDS)
    return false;
  if (v->kind == NODE_INTERSECTION)
    return step_is_in_base(p, v->a, b) || step_is_in_base(p, v->b, b);
  if (v->kind == NODE_DIFFERENCE)
    return step_is_in_base(p, v->a, b);
  if (v->kind != NODE_BASE)
    return false;
  if (v->a == b)
    return true;
  switch (b) {
  case CAT_po:
    return v->a == CAT_rmw || v->a == CAT_amo || v->a == CAT_addr ||
           v->a == CAT_data || v->a == CAT_basic_addr ||
           v->a == CAT_basic_data || v->a == CAT_ctrl ||
           v->a == CAT_ctrl_after || v->a == CAT_casdep || v->a == CAT_rcu_rscs;
  case CAT_addr:
    return v->a == CAT_basic_addr;
  case CAT_data:
    return v->a == CAT_basic_data;
  case CAT_rmw:
    return v->a == CAT_amo;
  case CAT_int:
  case CAT_loc:
    return v->a == CAT_rmw ||
           (b == CAT_loc &&
            (v->a == CAT_rf || v->a == CAT_co || v->a == CAT_fr));
  default:
    return false;
  }
}

static bool step_is_part(struct prover *p, node_id step, node_id whole) {
  const struct node *s = get(p, step), *w = get(p, whole);
  if (++p->ends > MAX_ENDS)
    return false;
  if (step == whole || w->kind == NODE_UNIVERSE)
    return true;
  if (w->kind == NODE_INTERSECTION)
    return step_is_part(p, step, w->a) && step_is_part(p, step, w->b);
  if (w->kind == NODE_UNION)
    return step_is_part(p, step, w->a) || step_is_part(p, step, w->b);
  if (w->kind == NODE_PLUS || w->kind == NODE_OPTIONAL)
    return step_is_part(p, step, w->a);
  if (s->kind == NODE_INTERSECTION &&
      (step_is_part(p, s->a, whole) || step_is_part(p, s->b, whole)))
    return true;
  return w->kind == NODE_BASE && step_is_in_base(p, step, (enum cat_base)w->a);
}

// -- paths

static bool fits(struct prover *p, struct path path, struct path pattern,
                 node_id known);

// With another factor in front of the path, or of the pattern.
static bool fits_with(struct prover *p, struct path path, node_id step,
                      struct path pattern, node_id wanted, node_id known) {
  return (step == NO_NODE || put(&path, step)) &&
         (wanted == NO_NODE || put(&pattern, wanted)) &&
         fits(p, path, pattern, known);
}

// Steps of po follow each other in po.
static bool fits_po(struct prover *p, struct path path, struct path pattern) {
  while (path.n) {
    node_id step = path.at[--path.n];
    const struct node *v = get(p, step);
    if (v->kind == NODE_IDENTITY)
      continue;
    if (v->kind == NODE_SEQUENCE && put(&path, v->b) && put(&path, v->a))
      continue;
    if (!step_is_in_base(p, step, CAT_po))
      return false;
    if (fits(p, path, pattern, end_of(p, step, true)))
      return true;
  }
  return false;
}

// The pattern goes on with a loop over `body`.
static bool fits_loop(struct prover *p, struct path path, struct path pattern,
                      node_id loop, node_id known) {
  node_id body = get(p, loop)->a;
  node_id again =
      node_make(p->nodes, NODE_OPTIONAL, TYPE_RELATION, loop, NO_NODE);
  node_id all = all_events(p);
  if (path.n && is_kind(p, path.at[path.n - 1], NODE_PLUS)) {
    // Is each round of the closure some rounds of the loop?
    struct path rest = path, round = {{get(p, path.at[path.n - 1])->a}, 1};
    rest.n--;
    if (fits(p, round, (struct path){{loop}, 1}, all) &&
        fits_with(p, rest, NO_NODE, pattern, again, all))
      return true;
  }
  struct path once = pattern;
  if (fits_with(p, path, NO_NODE, once, body, known))
    return true;
  return put(&pattern, again) && put(&pattern, body) &&
         fits(p, path, pattern, known);
}

static node_id sequence(struct prover *p, node_id a, node_id b) {
  return node_make(p->nodes, NODE_SEQUENCE, TYPE_RELATION, a, b);
}

static node_id identity(struct prover *p, node_id set) {
  return node_make(p->nodes, NODE_IDENTITY, TYPE_RELATION, set, NO_NODE);
}

// r & S * T as [S]; r; [T]; NO_NODE: it is not such a term.
static node_id within_product(struct prover *p, const struct node *v) {
  bool is_first = is_kind(p, v->a, NODE_PRODUCT);
  if (v->type == TYPE_SET || (!is_first && !is_kind(p, v->b, NODE_PRODUCT)))
    return NO_NODE;
  const struct node sets = *get(p, is_first ? v->a : v->b);
  node_id end = sequence(p, is_first ? v->b : v->a, identity(p, sets.b));
  return sequence(p, identity(p, sets.a), end);
}

// Some of r & int, where each step stays in its thread; NO_NODE: it is none.
// (Every event is in one thread with itself.)
static node_id within_thread(struct prover *p, node_id x, node_id in) {
  const struct node v = *get(p, x);
  enum node_kind k = (enum node_kind)v.kind;
  if (k == NODE_IDENTITY)
    return x;
  if (++p->ends > MAX_ENDS ||
      (k != NODE_UNION && k != NODE_SEQUENCE && k != NODE_OPTIONAL))
    return node_make(p->nodes, NODE_INTERSECTION, TYPE_RELATION, x, in);
  node_id a = within_thread(p, v.a, in);
  node_id b = k == NODE_OPTIONAL ? NO_NODE : within_thread(p, v.b, in);
  return node_make(p->nodes, k, TYPE_RELATION, a, b);
}

// The same of the intersection v; NO_NODE: it is none with int, or of one step.
static node_id internal_steps(struct prover *p, const struct node *v) {
  bool is_first = is_base(p, v->a, CAT_int);
  if (v->type == TYPE_SET || (!is_first && !is_base(p, v->b, CAT_int)))
    return NO_NODE;
  node_id r = is_first ? v->b : v->a;
  bool is_one = !is_kind(p, r, NODE_UNION) && !is_kind(p, r, NODE_SEQUENCE) &&
                !is_kind(p, r, NODE_OPTIONAL) && !is_kind(p, r, NODE_IDENTITY);
  return is_one ? NO_NODE : within_thread(p, r, is_first ? v->a : v->b);
}

// Some of r \ s, and all that this prover knows of it.
static node_id without(struct prover *p, node_id r, node_id s) {
  const struct node v = *get(p, s);
  if (v.kind == NODE_UNION && ++p->ends < MAX_ENDS)
    return without(p, without(p, r, v.a), v.b);
  node_id all = all_events(p);
  node_id begins =
      node_make(p->nodes, NODE_DIFFERENCE, TYPE_SET, all, end_of(p, s, false));
  node_id ends =
      node_make(p->nodes, NODE_DIFFERENCE, TYPE_SET, all, end_of(p, s, true));
  return node_make(p->nodes, NODE_UNION, TYPE_RELATION,
                   sequence(p, identity(p, begins), r),
                   sequence(p, r, identity(p, ends)));
}

// The path begins with a choice; all of it must fit.
static bool fits_each(struct prover *p, struct path path, struct path pattern,
                      node_id known, bool *is_choice) {
  *is_choice = path.n;
  if (!path.n)
    return false;
  const struct node v = *get(p, path.at[path.n - 1]);
  path.n--;
  switch ((enum node_kind)v.kind) {
  case NODE_UNION:
    return fits_with(p, path, v.a, pattern, NO_NODE, known) &&
           fits_with(p, path, v.b, pattern, NO_NODE, known);
  case NODE_OPTIONAL:
    return fits_with(p, path, v.a, pattern, NO_NODE, known) &&
           fits(p, path, pattern, known);
  case NODE_SEQUENCE:
    return put(&path, v.b) && fits_with(p, path, v.a, pattern, NO_NODE, known);
  case NODE_IDENTITY:
    return fits(p, path, pattern, meet(p, known, v.a));
  case NODE_INTERSECTION:
    if (within_product(p, &v) != NO_NODE)
      return fits_with(p, path, within_product(p, &v), pattern, NO_NODE, known);
    break;
  default:
    break;
  }
  *is_choice = false;
  return false;
}

// The pattern begins with a factor that is neither loop nor choice.
static bool fits_factor(struct prover *p, struct path path, struct path pattern,
                        node_id wanted, node_id known) {
  if (is_kind(p, wanted, NODE_IDENTITY))
    return set_is_part(p, known, get(p, wanted)->a) &&
           fits(p, path, pattern, known);
  if (!path.n)
    return false;
  if (is_base(p, wanted, CAT_po) && fits_po(p, path, pattern))
    return true;
  node_id step = path.at[--path.n];
  return step_is_part(p, step, wanted) &&
         fits(p, path, pattern, end_of(p, step, true));
}

// Of x in `let rec x = r | s | x; x`: r | s, whether there is such an x; x, and
// whether there is anything else, which is left out.
struct closure {
  node_id x;
  bool is_closed, is_all;
  uint32_t left; // how many terms may still be looked at
};

static node_id generator(struct nodes *n, node_id body, struct closure *c) {
  const struct node v = n->at.at[body];
  bool is_too_much = !c->left || !--c->left;
  if (v.kind == NODE_SEQUENCE && v.a == c->x && v.b == c->x) {
    c->is_closed = true;
    return NO_NODE;
  }
  if (is_too_much ||
      (v.kind != NODE_UNION && (v.groups >> n->at.at[c->x].a & 1))) {
    c->is_all = false;
    return NO_NODE;
  }
  if (v.kind != NODE_UNION)
    return body;
  node_id a = generator(n, v.a, c), b = generator(n, v.b, c);
  if (a == NO_NODE || b == NO_NODE)
    return a == NO_NODE ? b : a;
  return node_make(n, NODE_UNION, TYPE_RELATION, a, b);
}

node_id cat_closure_of(struct nodes *n, node_id x, bool *is_all) {
  const struct node v = n->at.at[x];
  *is_all = true;
  if (v.kind == NODE_PLUS)
    return v.a;
  if (v.kind != NODE_VARIABLE || v.type == TYPE_SET ||
      v.b >= n->groups.at[v.a].bodies.len)
    return NO_NODE;
  struct closure c = {.x = x, .is_all = true, .left = MAX_WORK};
  node_id r = generator(n, n->groups.at[v.a].bodies.at[v.b], &c);
  *is_all = c.is_all;
  return c.is_closed ? r : NO_NODE;
}

// The pattern begins with a member of a `let rec`, which contains its body.
static bool fits_body(struct prover *p, struct path path, struct path pattern,
                      const struct node *v, node_id known) {
  const struct node_group *g = &p->nodes->groups.at[v->a];
  if (p->unfolded == MAX_UNFOLD || v->b >= g->bodies.len)
    return false;
  p->unfolded++;
  bool ok = fits_with(p, path, NO_NODE, pattern, g->bodies.at[v->b], known);
  p->unfolded--;
  return ok;
}

// The path does not begin with a choice.
static bool fits_pattern(struct prover *p, struct path path,
                         struct path pattern, node_id known) {
  if (!pattern.n)
    return !path.n;
  if (path.n)
    known = meet(p, known, end_of(p, path.at[path.n - 1], false));
  node_id wanted = pattern.at[--pattern.n];
  const struct node v = *get(p, wanted);
  switch ((enum node_kind)v.kind) {
  case NODE_UNION:
    return fits_with(p, path, NO_NODE, pattern, v.a, known) ||
           fits_with(p, path, NO_NODE, pattern, v.b, known);
  case NODE_OPTIONAL:
    return fits(p, path, pattern, known) ||
           fits_with(p, path, NO_NODE, pattern, v.a, known);
  case NODE_SEQUENCE:
    return put(&pattern, v.b) &&
           fits_with(p, path, NO_NODE, pattern, v.a, known);
  case NODE_PLUS:
    return fits_loop(p, path, pattern, wanted, known);
  case NODE_DIFFERENCE:
    return fits_factor(p, path, pattern, wanted, known) ||
           fits_with(p, path, NO_NODE, pattern, without(p, v.a, v.b), known);
  case NODE_INTERSECTION: {
    node_id within = within_product(p, &v);
    if (within == NO_NODE)
      within = internal_steps(p, &v);
    return within == NO_NODE
               ? fits_factor(p, path, pattern, wanted, known)
               : fits_with(p, path, NO_NODE, pattern, within, known);
  }
  case NODE_VARIABLE: {
    bool is_all; // else, it has more
    node_id r = cat_closure_of(p->nodes, wanted, &is_all);
    if (r == NO_NODE)
      return fits_body(p, path, pattern, &v, known);
    r = node_make(p->nodes, NODE_PLUS, TYPE_RELATION, r, NO_NODE);
    return fits_with(p, path, NO_NODE, pattern, r, known);
  }
  default:
    return fits_factor(p, path, pattern, wanted, known);
  }
}

static bool fits(struct prover *p, struct path path, struct path pattern,
                 node_id known) {
  bool is_choice;
  if (++p->work > MAX_WORK || p->depth > MAX_DEPTH)
    return false;
  p->depth++;
  bool ok = fits_each(p, path, pattern, known, &is_choice);
  if (!is_choice)
    ok = fits_pattern(p, path, pattern, known);
  // What is in r \ s is in r.
  if (!ok && path.n && is_kind(p, path.at[path.n - 1], NODE_DIFFERENCE)) {
    node_id step = path.at[--path.n];
    ok = fits_with(p, path, get(p, step)->a, pattern, NO_NODE, known);
  }
  p->depth--;
  return ok;
}

bool cat_proves(struct nodes *n, node_id part, node_id whole) {
  struct prover p = {.nodes = n};
  return part == whole || fits(&p, (struct path){{part}, 1},
                               (struct path){{whole}, 1}, all_events(&p));
}
