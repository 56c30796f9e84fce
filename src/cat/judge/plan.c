// SPDX-License-Identifier: MIT
// A union under a test is tested part by part; operands come before what is
// made of them, and the steps of a recursive group form rounds.
#include "cat/judge/plan.h"

#include "base/bits.h"

#include <stdlib.h>

struct planner {
  struct plan *plan;
  const struct nodes *nodes;
  const struct cat_analysis *at_end; // for events that read older ones
  const struct cat_analysis *anyhow; // for events that come in any order
  uint32_t *step;                    // by node; NO_NODE: not needed
  bool *is_absorbed;                 // by node
};

static bool has_a(enum node_kind k) {
  return node_is_unary(k) || node_is_binary(k) || k == NODE_VARIABLE;
}

// acyclic(r+) is acyclic(r), and tests of unions are tests of their parts, each
// of them once. (Operands have smaller numbers.)
static void add_leaves(struct planner *p, node_id whole, enum test test) {
  bool *is_part = xcalloc(whole + 1, sizeof *is_part);
  is_part[whole] = true;
  for (node_id x = whole + 1; x-- > 0;) {
    const struct node *n = node_at(p->nodes, x);
    if (!is_part[x])
      continue;
    if (n->kind == NODE_UNION)
      is_part[n->a] = is_part[n->b] = true;
    else if (n->kind == NODE_PLUS && test == TEST_ACYCLIC)
      is_part[n->a] = true;
    else
      array_push(&p->plan->leaves, x);
  }
  free(is_part);
}

static void add_tests(struct planner *p, struct cat *c, uint64_t tests) {
  for (; tests; tests &= tests - 1) {
    const struct cat_axiom *x = &c->axioms.at[__builtin_ctzll(tests)];
    struct plan_test t = {.test = x->test, .first = p->plan->leaves.len};
    check(x->mode == MODE_CHECK && !x->is_negated);
    node_id node = x->node;
    plan_narrow(&c->nodes, &node, 1);
    add_leaves(p, node, (enum test)x->test);
    t.n = p->plan->leaves.len - t.first;
    array_push(&p->plan->tests, t);
  }
}

static bool is_union(const struct node *n) {
  return n->kind == NODE_UNION && n->type == TYPE_RELATION;
}

// The operands of a union of unions, if nothing else uses these.
static void add_operands(struct planner *p, node_id x) {
  const struct node *n = node_at(p->nodes, x);
  node_id all[] = {n->a, n->b};
  for (unsigned i = 0; i < 2; i++)
    if (p->is_absorbed[all[i]])
      add_operands(p, all[i]);
    else
      array_push(&p->plan->operands, p->step[all[i]]);
}

static void add_step(struct planner *p, node_id x) {
  const struct node *n = node_at(p->nodes, x);
  struct plan_step s = {
      .kind = n->kind, .is_set = n->type == TYPE_SET, .a = n->a, .b = n->b};
  enum node_kind k = n->kind;
  if (is_union(n)) {
    s.a = p->plan->operands.len;
    add_operands(p, x);
    s.b = p->plan->operands.len - s.a;
  } else if (node_is_unary(k) || node_is_binary(k)) {
    s.a = p->step[n->a];
  }
  if (node_is_binary(k) && !is_union(n))
    s.b = p->step[n->b];
  p->step[x] = p->plan->steps.len;
  array_push(&p->plan->steps, s);
  array_push(&p->plan->tested, 0);
}

// Unions that only another union uses are no steps of their own.
static void find_absorbed(struct planner *p, const bool *marked) {
  uint32_t n = p->nodes->at.len;
  uint32_t *uses = xcalloc(n, sizeof *uses);
  for (uint32_t i = 0; i < p->plan->leaves.len; i++)
    uses[p->plan->leaves.at[i]] += 2;
  for (uint32_t g = 0; g < p->nodes->groups.len; g++)
    for (uint32_t i = 0; i < p->nodes->groups.at[g].bodies.len; i++)
      uses[p->nodes->groups.at[g].bodies.at[i]] += 2;
  for (node_id x = 0; x < n; x++) {
    const struct node *v = node_at(p->nodes, x);
    enum node_kind k = (enum node_kind)v->kind;
    uint32_t each = is_union(v) ? 1 : 2;
    if (marked[x] && (node_is_unary(k) || node_is_binary(k)))
      uses[v->a] += each;
    if (marked[x] && node_is_binary(k))
      uses[v->b] += each;
  }
  for (node_id x = 0; x < n; x++)
    p->is_absorbed[x] = is_union(node_at(p->nodes, x)) && uses[x] == 1;
  free(uses);
}

static void add_steps(struct planner *p) {
  bool *marked = xcalloc(p->nodes->at.len, sizeof *marked);
  p->is_absorbed = xcalloc(p->nodes->at.len, sizeof *p->is_absorbed);
  for (uint32_t i = 0; i < p->plan->leaves.len; i++)
    node_mark(p->nodes, p->plan->leaves.at[i], marked);
  find_absorbed(p, marked);
  for (node_id x = 0; x < p->nodes->at.len; x++)
    if (marked[x] && !p->is_absorbed[x])
      add_step(p, x);
  free(marked);
  free(p->is_absorbed);
}

// Variables get their bodies, which come later.
static void close_rounds(struct planner *p) {
  struct plan *plan = p->plan;
  plan->rec_first = UINT32_MAX;
  for (uint32_t g = 0; g < p->nodes->groups.len; g++) {
    const struct node_group *group = &p->nodes->groups.at[g];
    for (uint32_t i = 0; i < group->bodies.len; i++) {
      uint32_t variable = p->step[group->variables.at[i]];
      uint32_t body = p->step[group->bodies.at[i]];
      if (variable == NO_NODE)
        continue;
      plan->steps.at[variable].a = body;
      if (variable < plan->rec_first)
        plan->rec_first = variable;
      if (body + 1 > plan->rec_end)
        plan->rec_end = body + 1;
    }
  }
}

static void add_uses(struct planner *p) {
  struct plan *plan = p->plan;
  for (uint32_t s = 0; s < plan->steps.len; s++) {
    array_push(&plan->first_use, plan->uses.len);
    for (uint32_t u = 0; u < plan->steps.len; u++) {
      const struct plan_step *x = &plan->steps.at[u];
      if (step_is_union(x)) {
        for (uint32_t i = 0; i < x->b; i++)
          if (plan->operands.at[x->a + i] == s)
            array_push(&plan->uses, (struct plan_use){u, false});
        continue;
      }
      if (has_a((enum node_kind)x->kind) && x->a == s)
        array_push(&plan->uses, (struct plan_use){u, false});
      if (node_is_binary((enum node_kind)x->kind) && x->b == s)
        array_push(&plan->uses, (struct plan_use){u, true});
    }
  }
  array_push(&plan->first_use, plan->uses.len);
}

static void resolve_leaves(struct planner *p) {
  struct plan *plan = p->plan;
  for (uint32_t t = 0; t < plan->tests.len; t++)
    for (uint32_t i = 0; i < plan->tests.at[t].n; i++) {
      uint32_t *leaf = &plan->leaves.at[plan->tests.at[t].first + i];
      *leaf = p->step[*leaf];
      plan->tested.at[*leaf] |= UINT64_C(1) << t;
    }
}

// Is the step asked for loops only?
static bool is_for_loops(const struct plan *p, uint32_t s) {
  for (uint32_t t = 0; t < p->tests.len; t++)
    if ((p->tested.at[s] >> t & 1) && p->tests.at[t].test != TEST_IRREFLEXIVE)
      return false;
  return p->tested.at[s] && p->first_use.at[s] == p->first_use.at[s + 1];
}

// The other side of the only use, if that is an intersection with something
// that never changes between events that are there.
static uint32_t mask_of(const struct planner *p, const bool *is_fixed,
                        uint32_t s) {
  const struct plan *plan = p->plan;
  uint32_t first = plan->first_use.at[s];
  if (plan->tested.at[s] || plan->first_use.at[s + 1] != first + 1)
    return NO_NODE;
  const struct plan_use *u = &plan->uses.at[first];
  const struct plan_step *x = &plan->steps.at[u->user];
  if (x->kind != NODE_INTERSECTION)
    return NO_NODE;
  uint32_t other = u->is_right ? x->a : x->b;
  return is_fixed[other] ? other : NO_NODE;
}

static void find_demands(struct planner *p) {
  struct plan *plan = p->plan;
  bool *is_fixed = xcalloc(plan->steps.len, sizeof *is_fixed);
  for (node_id x = 0; x < p->nodes->at.len; x++)
    if (p->step[x] != NO_NODE)
      is_fixed[p->step[x]] = !p->anyhow->facts[x].grows;
  for (uint32_t s = 0; s < plan->steps.len; s++) {
    struct plan_step *x = &plan->steps.at[s];
    if (x->kind != NODE_SEQUENCE)
      continue;
    x->mask = mask_of(p, is_fixed, s);
    if (is_for_loops(plan, s))
      x->demand = DEMAND_LOOPS;
    else if (x->mask != NO_NODE)
      x->demand = DEMAND_MASKED;
  }
  for (node_id x = 0; x < p->nodes->at.len; x++)
    if (p->step[x] != NO_NODE && node_at(p->nodes, x)->kind == NODE_DIFFERENCE)
      plan->is_fragile |= p->anyhow->facts[node_at(p->nodes, x)->b].grows;
  free(is_fixed);
}

static bool is_static_set(const struct plan *p, const struct plan_step *s) {
  switch ((enum node_kind)s->kind) {
  case NODE_BASE:
  case NODE_UNIVERSE:
  case NODE_EMPTY:
    return s->is_set;
  case NODE_UNION:
  case NODE_INTERSECTION:
  case NODE_DIFFERENCE:
    return s->is_set && p->steps.at[s->a].is_static &&
           p->steps.at[s->b].is_static;
  default:
    return false;
  }
}

// Is it only asked whether pairs are in it, and can that be told from the two
// events alone?
static bool is_predicate(const struct plan *p, uint32_t s) {
  const struct plan_step *x = &p->steps.at[s];
  bool is_simple = (x->kind == NODE_BASE && !x->is_set &&
                    (x->a == CAT_loc || x->a == CAT_int || x->a == CAT_ext)) ||
                   (x->kind == NODE_UNIVERSE && !x->is_set) ||
                   (x->kind == NODE_PRODUCT && p->steps.at[x->a].is_static &&
                    p->steps.at[x->b].is_static);
  if (!is_simple || p->tested.at[s])
    return false;
  for (uint32_t u = p->first_use.at[s]; u < p->first_use.at[s + 1]; u++) {
    enum node_kind k = (enum node_kind)p->steps.at[p->uses.at[u].user].kind;
    if (k != NODE_INTERSECTION && k != NODE_DIFFERENCE)
      return false;
  }
  return true;
}

// loc, int and ext are the same from both sides, and known of all events of a
// location or a thread at once. But what asks must be woken by the other
// side.
static bool is_near(const struct plan *p, uint32_t s) {
  const struct plan_step *x = &p->steps.at[s];
  if (!x->is_virtual || x->kind != NODE_BASE)
    return false;
  for (uint32_t i = p->first_use.at[s]; i < p->first_use.at[s + 1]; i++) {
    struct plan_use u = p->uses.at[i];
    const struct plan_step *user = &p->steps.at[u.user];
    uint32_t other = u.is_right ? user->a : user->b;
    if (p->steps.at[other].is_virtual ||
        (user->kind == NODE_DIFFERENCE && !u.is_right))
      return false;
  }
  return true;
}

// Will anybody ask where an event leads to by step s?
static bool is_followed(const struct plan *p, uint32_t s) {
  if (p->steps.at[s].kind == NODE_PLUS)
    return true;
  for (uint32_t u = p->first_use.at[s]; u < p->first_use.at[s + 1]; u++) {
    const struct plan_step *user = &p->steps.at[p->uses.at[u].user];
    if (user->kind == NODE_SEQUENCE && p->uses.at[u].is_right &&
        p->steps.at[user->a].kind != NODE_IDENTITY &&
        user->demand != DEMAND_LOOPS)
      return true;
  }
  return false;
}

static bool is_transitive(const struct plan *p, const struct plan_step *s) {
  if (s->kind == NODE_OPTIONAL)
    return is_transitive(p, &p->steps.at[s->a]);
  return s->kind == NODE_PLUS ||
         (s->kind == NODE_BASE && (s->a == CAT_po || s->a == CAT_co));
}

static void find_storage(struct planner *p) {
  struct plan *plan = p->plan;
  for (uint32_t s = 0; s < plan->steps.len; s++)
    plan->steps.at[s].is_transitive = is_transitive(plan, &plan->steps.at[s]);
  for (uint32_t s = 0; s < plan->steps.len; s++) {
    struct plan_step *x = &plan->steps.at[s];
    x->is_static = plan->statics.len < 64 && is_static_set(plan, x);
    x->ordinal = (uint8_t)plan->statics.len;
    if (x->is_static)
      array_push(&plan->statics, s);
  }
  for (uint32_t s = 0; s < plan->steps.len; s++)
    plan->steps.at[s].is_virtual = is_predicate(plan, s);
  for (uint32_t s = 0; s < plan->steps.len; s++) {
    struct plan_step *x = &plan->steps.at[s];
    x->is_near = is_near(plan, s);
    if (x->kind == NODE_BASE && !x->is_set && !x->is_near)
      array_push(&plan->bases, s);
  }
  for (node_id x = 0; x < p->nodes->at.len; x++)
    if (p->step[x] != NO_NODE)
      plan->steps.at[p->step[x]].keeps_rows =
          !p->at_end->facts[x].forward && !plan->steps.at[p->step[x]].is_set &&
          !plan->steps.at[p->step[x]].is_virtual &&
          is_followed(plan, p->step[x]);
}

static bool is_program_order(const struct plan_step *s) {
  return s->kind == NODE_BASE && !s->is_set && s->a == CAT_po;
}

// If step s leads to an event (or, `is_row`, from it), may `u.user` then have
// something there? It is enough if one of two operands that both must have
// something says so.
static bool wakes(const struct plan *p, uint32_t s, struct plan_use u,
                  bool is_row) {
  const struct plan_step *user = &p->steps.at[u.user];
  uint32_t other = u.is_right ? user->a : user->b;
  switch ((enum node_kind)user->kind) {
  case NODE_DIFFERENCE:
    return !u.is_right && !user->is_static;
  case NODE_INTERSECTION:
    // Of two, program order is there for almost all events.
    if (is_program_order(&p->steps.at[user->a]) &&
        !p->steps.at[user->b].is_virtual)
      return u.is_right;
    return !user->is_static && (u.is_right ? p->steps.at[other].is_virtual
                                           : !p->steps.at[s].is_virtual ||
                                                 p->steps.at[other].is_virtual);
  case NODE_SEQUENCE:
    // r;s leads to e if s does, and from e if r does.
    if (user->demand == DEMAND_LOOPS)
      return true;
    // r;[S] leads to e only if that is in S. [S];r leads to e only if r does.
    if (p->steps.at[user->b].kind == NODE_IDENTITY &&
        p->steps.at[user->a].kind != NODE_IDENTITY)
      return u.is_right || is_row;
    if (p->steps.at[s].kind == NODE_IDENTITY)
      return false;
    if (p->steps.at[other].kind == NODE_IDENTITY)
      return true;
    return u.is_right || is_row;
  default:
    return !user->is_static;
  }
}

static bool is_always_awake(const struct plan_step *s) {
  return s->kind == NODE_OPTIONAL || (s->kind == NODE_UNIVERSE && !s->is_set);
}

static void find_wakes(struct plan *p) {
  p->words = (p->steps.len + 63) / 64;
  uint64_t *bits = array_extend(&p->wakes, (2 * p->steps.len + 1) * p->words);
  for (uint32_t s = 0; s < p->steps.len; s++) {
    for (uint32_t u = p->first_use.at[s]; u < p->first_use.at[s + 1]; u++)
      for (unsigned is_row = 0; is_row < 2; is_row++) {
        uint32_t user = p->uses.at[u].user;
        if (wakes(p, s, p->uses.at[u], is_row))
          bit_add(bits + (2 * s + is_row) * p->words, user);
      }
    if (is_always_awake(&p->steps.at[s]))
      bit_add(bits + 2 * p->steps.len * p->words, s);
  }
}

static bool is_lazy(const struct cat *c, uint64_t tests) {
  struct cat_analysis newest = {0};
  bool ok = true;
  cat_find_facts(&newest, c, ADD_NEWEST);
  for (; tests; tests &= tests - 1)
    ok &= cat_is_extensible(&newest, &c->axioms.at[__builtin_ctzll(tests)]);
  cat_analysis_done(&newest);
  return ok;
}

void plan_init(struct plan *p, struct cat *c, uint64_t tests) {
  struct cat_analysis anyhow = {0}, at_end = {0};
  struct planner planner = {
      .plan = p, .nodes = &c->nodes, .at_end = &at_end, .anyhow = &anyhow};
  *p = (struct plan){.axioms = tests, .is_lazy = is_lazy(c, tests)};
  add_tests(&planner, c, tests);
  cat_find_facts(&at_end, c, ADD_AT_END);
  cat_find_facts(&anyhow, c, ADD_ANYHOW);
  planner.step = xmalloc(c->nodes.at.len * sizeof *planner.step);
  for (node_id x = 0; x < c->nodes.at.len; x++)
    planner.step[x] = NO_NODE;
  add_steps(&planner);
  close_rounds(&planner);
  add_uses(&planner);
  resolve_leaves(&planner);
  find_demands(&planner);
  find_storage(&planner);
  find_wakes(p);
  free(planner.step);
  cat_analysis_done(&at_end);
  cat_analysis_done(&anyhow);
}

void plan_done(struct plan *p) {
  array_done(&p->steps);
  array_done(&p->wakes);
  array_done(&p->statics);
  array_done(&p->bases);
  array_done(&p->operands);
  array_done(&p->first_use);
  array_done(&p->uses);
  array_done(&p->tests);
  array_done(&p->leaves);
  array_done(&p->tested);
}
