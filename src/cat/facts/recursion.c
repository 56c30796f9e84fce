// SPDX-License-Identifier: MIT
// A `let rec` is mostly a way to spell an automaton: each variable is what
// leads from one of its nodes to another. In POWER's preserved program order
// every access has a beginning and an end, the one before the other, and ci is
// what leads from an end to a beginning. So it is tried to give every variable
// two of at most two nodes, 0 and 1, where 0 leads to 1, such that
//   - what the rules x -> y and x -> y; z say goes from node to node: then the
//     automaton knows every path that they spell;
//   - the variable from u to w has, by these rules, the one from u to v and
//   then
//     that from v to w, and every variable of nodes within: then it has every
//     path of terminals from u to w, whatever the first of them is.
#include "cat/facts/recursion.h"

#include <string.h>

static bool add_rules(struct recursion *r, const struct nodes *n, uint32_t x,
                      node_id term) {
  const struct node *v = node_at(n, term);
  struct recursion_rule rule = {x, NO_NODE, NO_NODE, term};
  if (v->groups >> r->group & 1) {
    if (v->kind == NODE_UNION)
      return add_rules(r, n, x, v->a) && add_rules(r, n, x, v->b);
    const struct node *a = v, *b = NULL;
    if (v->kind == NODE_SEQUENCE) {
      a = node_at(n, v->a);
      b = node_at(n, v->b);
    }
    if (a->kind != NODE_VARIABLE || a->a != r->group ||
        (b && (b->kind != NODE_VARIABLE || b->a != r->group)))
      return false;
    rule.y = a->b;
    rule.z = b ? b->b : NO_NODE;
  }
  if (r->nrules == RECURSION_RULES)
    return false;
  r->rules[r->nrules++] = rule;
  return true;
}

static unsigned from(const struct recursion *r, uint32_t x) {
  return r->nodes[x] & 1u;
}

static unsigned to(const struct recursion *r, uint32_t x) {
  return r->nodes[x] >> 1;
}

static bool goes_from_node_to_node(const struct recursion *r) {
  for (uint32_t i = 0; i < r->nrules; i++) {
    const struct recursion_rule *rule = &r->rules[i];
    if (rule->y == NO_NODE)
      continue;
    uint32_t last = rule->z == NO_NODE ? rule->y : rule->z;
    if (from(r, rule->x) > from(r, rule->y) || to(r, last) > to(r, rule->x) ||
        (rule->z != NO_NODE && to(r, rule->y) > from(r, rule->z)))
      return false;
  }
  return true;
}

// Which variables has x, by rules x -> y?
static uint32_t units_of(const struct recursion *r, uint32_t x) {
  uint32_t has = UINT32_C(1) << x, before = 0;
  while (has != before) {
    before = has;
    for (uint32_t i = 0; i < r->nrules; i++)
      if (r->rules[i].y != NO_NODE && r->rules[i].z == NO_NODE &&
          (has >> r->rules[i].x & 1))
        has |= UINT32_C(1) << r->rules[i].y;
  }
  return has;
}

static bool has_sequence(const struct recursion *r, uint32_t x, uint32_t y,
                         uint32_t z) {
  for (uint32_t i = 0; i < r->nrules; i++) {
    const struct recursion_rule *rule = &r->rules[i];
    if (rule->z != NO_NODE && (units_of(r, x) >> rule->x & 1) &&
        (units_of(r, rule->y) >> y & 1) && (units_of(r, rule->z) >> z & 1))
      return true;
  }
  return false;
}

// Has each pair of nodes one variable at most? Else a variable would lack what
// another has between the same nodes. (Few choices pass.)
static bool are_apart(const struct recursion *r) {
  unsigned taken = 0;
  for (uint32_t x = 0; x < r->n; x++) {
    if (taken >> r->nodes[x] & 1)
      return false;
    taken |= 1u << r->nodes[x];
  }
  return true;
}

// Has every variable all that the automaton has between its nodes?
static bool has_all(const struct recursion *r) {
  unsigned used = 0; // nodes
  for (uint32_t x = 0; x < r->n; x++)
    used |= 1u << from(r, x) | 1u << to(r, x);
  uint32_t of[4] = {NO_NODE, NO_NODE, NO_NODE, NO_NODE};
  for (uint32_t x = 0; x < r->n; x++)
    of[r->nodes[x]] = x;
  for (unsigned u = 0; u < 2; u++)
    for (unsigned w = 0; w < 2; w++) {
      if (!(used >> u & 1) || !(used >> w & 1))
        continue;
      uint32_t x = of[u | w << 1];
      if (x == NO_NODE)
        return false;
      for (uint32_t y = 0; y < r->n; y++)
        if (u <= from(r, y) && to(r, y) <= w && !(units_of(r, x) >> y & 1))
          return false;
      for (unsigned v = 0; v < 2; v++) {
        uint32_t y = of[u | v << 1], z = of[v | w << 1];
        if ((used >> v & 1) &&
            (y == NO_NODE || z == NO_NODE || !has_sequence(r, x, y, z)))
          return false;
      }
    }
  return true;
}

bool recursion_find(struct recursion *r, const struct nodes *n,
                    uint32_t group) {
  const struct node_group *g = &n->groups.at[group];
  *r = (struct recursion){.group = group, .n = g->bodies.len};
  if (r->n > RECURSION_MEMBERS)
    return false;
  for (uint32_t x = 0; x < r->n; x++)
    if (!add_rules(r, n, x, g->bodies.at[x]))
      return false;
  for (uint32_t all = 0; all < UINT32_C(1) << 2 * r->n; all++) {
    for (uint32_t x = 0; x < r->n; x++)
      r->nodes[x] = all >> 2 * x & 3;
    if (are_apart(r) && goes_from_node_to_node(r) && has_all(r))
      return true;
  }
  return false;
}
