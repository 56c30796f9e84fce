// SPDX-License-Identifier: MIT
// The search adds events one at a time and refuses a graph as soon as it breaks
// an axiom. That is right if no later event can repair what is broken: if the
// relation of the axiom never loses a pair. Base relations never do, and only
// `\` (and ~) can take something away; it matters only if what is taken away
// can grow between events that are there already, by a path through a new one.
//
// Events are added at the end of their threads, so a path of po never leads
// through a new event back to an old one; nor does one of rf, except in models
// with dependencies, where an older read may take a new write.
//
// It must also be possible to go on from a graph that is not refused: the
// search comes to an execution by way of graphs in which other events were
// added as the newest of all, the last in co or reading what is last there.
// From such an event nothing leads to an older one, so it closes no cycle,
// unless a relation is followed backwards, or leads from the event to itself
// (an axiom may forbid what an event is, whatever the others are). An axiom for
// which that is not sure refuses complete graphs only. The two events of an
// update are added together, so pairs of these are like those of an event and
// itself.
#include "cat/facts/analyse.h"
#include "cat/facts/prove.h"

#include <stdlib.h>

static bool base_is_forward(enum cat_base b, enum adding adding) {
  switch (b) {
  case CAT_po:
  case CAT_rmw:
  case CAT_amo:
  case CAT_addr:
  case CAT_data:
  case CAT_basic_addr:
  case CAT_basic_data:
  case CAT_ctrl:
  case CAT_casdep:
  case CAT_ctrl_after:
  case CAT_rcu_rscs:
    return adding != ADD_ANYHOW;
  case CAT_rf:
    return adding == ADD_AT_END || adding == ADD_NEWEST;
  case CAT_co:
  case CAT_fr:
    return adding == ADD_NEWEST;
  case CAT_id:
    return true;
  default:
    return false;
  }
}

static void find_pairs_of_base(const struct node *x, struct node_facts *f) {
  if (x->type == TYPE_SET) {
    f->among = NEW_LOOPS;
    return;
  }
  switch ((enum cat_base)x->a) {
  case CAT_po:
  case CAT_fr:
  case CAT_rmw:
    f->among = f->sure = NEW_RU;
    break;
  case CAT_amo:
  case CAT_addr:
  case CAT_data:
  case CAT_basic_addr:
  case CAT_basic_data:
  case CAT_ctrl:
  case CAT_casdep:
  case CAT_ctrl_after:
    f->among = NEW_RU;
    break;
  case CAT_rf:
  case CAT_co:
  case CAT_ext:
  case CAT_rcu_rscs:
    break;
  case CAT_id:
    f->among = f->sure = NEW_LOOPS;
    break;
  default:
    f->among = NEW_ALL;
  }
}

// The pairs of a; b, by way of new events: two bits for those from the read,
// two for those from the write.
static uint8_t join_pairs(uint8_t a, uint8_t b) {
  unsigned from_r = b & 3, from_u = b >> 2, pairs = 0;
  for (unsigned row = 0; row < 4; row += 2) {
    pairs |= a >> row & 1 ? from_r << row : 0;
    pairs |= a >> row & 2 ? from_u << row : 0;
  }
  return (uint8_t)pairs;
}

static uint8_t close_pairs(uint8_t pairs) {
  pairs |= join_pairs(pairs, pairs);
  return pairs | join_pairs(pairs, pairs);
}

static uint8_t turn_pairs(uint8_t pairs) {
  return (uint8_t)((pairs & NEW_LOOPS) | (pairs & NEW_RU ? NEW_UR : 0) |
                   (pairs & NEW_UR ? NEW_RU : 0));
}

static struct node_facts facts_of_base(const struct node *x,
                                       enum adding adding) {
  bool is_set = x->type == TYPE_SET;
  enum cat_base b = (enum cat_base)x->a;
  struct node_facts facts = {
      // A read's place in co is not known before its source.
      .grows = b == CAT_fr && adding == ADD_ANYHOW,
      .forward = is_set || base_is_forward(b, adding),
      .backward = is_set || b == CAT_id ||
                  (adding == ADD_NEWEST && (b == CAT_rmw || b == CAT_amo)),
  };
  find_pairs_of_base(x, &facts);
  return facts;
}

static struct node_facts facts_of_sequence(const struct node *x,
                                           struct node_facts a,
                                           struct node_facts b) {
  (void)x;
  return (struct node_facts){
      .grows = a.grows || b.grows || !(b.forward || a.backward),
      .shrinks = a.shrinks || b.shrinks,
      .forward = a.forward && b.forward,
      .backward = a.backward && b.backward,
      .negates = a.negates || b.negates,
      // By way of an older event, if it can go there and come back.
      .among = a.forward || b.backward ? join_pairs(a.among, b.among) : NEW_ALL,
      .sure = join_pairs(a.sure, b.sure),
  };
}

static struct node_facts facts_of_difference(const struct node *x,
                                             struct node_facts a,
                                             struct node_facts b) {
  return (struct node_facts){
      .grows = a.grows || b.shrinks,
      .shrinks = a.shrinks || b.grows,
      .forward = a.forward,
      .backward = a.backward,
      .negates = a.negates || b.negates || x->type != TYPE_SET,
      .among = a.among & ~b.sure,
      .sure = a.sure & ~b.among,
  };
}

static struct node_facts both(struct node_facts a, struct node_facts b,
                              bool is_union) {
  return (struct node_facts){
      .grows = a.grows || b.grows,
      .shrinks = a.shrinks || b.shrinks,
      .forward = is_union ? a.forward && b.forward : a.forward || b.forward,
      .backward =
          is_union ? a.backward && b.backward : a.backward || b.backward,
      .negates = a.negates || b.negates,
      .among = is_union ? a.among | b.among : a.among & b.among,
      .sure = is_union ? a.sure | b.sure : a.sure & b.sure,
  };
}

static struct node_facts facts_of(const struct cat_analysis *f,
                                  const struct node *x, enum adding adding) {
  enum node_kind k = (enum node_kind)x->kind;
  struct node_facts a = {0}, b = {0};
  if (node_is_unary(k) || node_is_binary(k))
    a = f->facts[x->a];
  if (node_is_binary(k))
    b = f->facts[x->b];
  switch (k) {
  case NODE_BASE:
    return facts_of_base(x, adding);
  case NODE_EMPTY:
    return (struct node_facts){.forward = true, .backward = true};
  case NODE_UNIVERSE:
    return x->type == TYPE_SET ? (struct node_facts){.forward = true,
                                                     .backward = true,
                                                     .among = NEW_LOOPS}
                               : (struct node_facts){.among = NEW_ALL};
  case NODE_UNION:
    return both(a, b, true);
  case NODE_INTERSECTION:
    return both(a, b, false);
  case NODE_DIFFERENCE:
    return facts_of_difference(x, a, b);
  case NODE_SEQUENCE:
    return facts_of_sequence(x, a, b);
  case NODE_PRODUCT:
    a = both(a, b, true);
    a.forward = a.backward = false;
    a.among = NEW_ALL;
    a.sure = 0;
    return a;
  case NODE_INVERSE: {
    bool forward = a.forward;
    a.forward = a.backward;
    a.backward = forward;
    a.among = turn_pairs(a.among);
    a.sure = turn_pairs(a.sure);
    return a;
  }
  case NODE_PLUS:
    a.grows |= !(a.forward || a.backward);
    a.among = a.forward || a.backward ? close_pairs(a.among) : NEW_ALL;
    a.sure = close_pairs(a.sure);
    return a;
  case NODE_OPTIONAL:
    a.among |= NEW_LOOPS;
    a.sure |= NEW_LOOPS;
    return a;
  case NODE_IDENTITY:
    return a;
  case NODE_DOMAIN:
    a.grows |= !a.backward;
    a.forward = a.backward = true;
    a.among = NEW_LOOPS;
    a.sure = 0;
    return a;
  case NODE_RANGE:
    a.grows |= !a.forward;
    a.forward = a.backward = true;
    a.among = NEW_LOOPS;
    a.sure = 0;
    return a;
  case NODE_VARIABLE:
    break;
  }
  return (struct node_facts){0};
}

static bool is_same(struct node_facts a, struct node_facts b) {
  return a.grows == b.grows && a.shrinks == b.shrinks &&
         a.forward == b.forward && a.backward == b.backward &&
         a.negates == b.negates && a.among == b.among && a.sure == b.sure;
}

// What its body says. (That it has a pair for sure must not follow from
// itself.)
static struct node_facts facts_of_variable(const struct cat_analysis *a,
                                           const struct nodes *n, node_id id) {
  const struct node *x = &n->at.at[id];
  const struct node_group *g = &n->groups.at[x->a];
  struct node_facts facts = a->facts[g->bodies.len ? g->bodies.at[x->b] : id];
  facts.sure = 0;
  return facts;
}

// Variables begin with what is best, and get what their bodies say until that
// no longer changes.
void cat_find_facts(struct cat_analysis *a, const struct cat *c,
                    enum adding adding) {
  const struct nodes *n = &c->nodes;
  free(a->facts);
  a->facts = xcalloc(n->at.len, sizeof *a->facts);
  for (uint32_t i = 0; i < n->at.len; i++)
    a->facts[i] = (struct node_facts){.forward = true, .backward = true};
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < n->at.len; i++) {
      const struct node *x = &n->at.at[i];
      struct node_facts now = x->kind == NODE_VARIABLE
                                  ? facts_of_variable(a, n, i)
                                  : facts_of(a, x, adding);
      changed |= !is_same(now, a->facts[i]);
      a->facts[i] = now;
    }
  }
}

bool cat_is_extensible(const struct cat_analysis *newest,
                       const struct cat_axiom *x) {
  const struct node_facts *f = &newest->facts[x->node];
  if (f->grows || !f->forward)
    return false;
  switch ((enum test)x->test) {
  case TEST_EMPTY:
    return f->backward && !f->among;
  case TEST_IRREFLEXIVE:
    return !(f->among & NEW_LOOPS);
  case TEST_ACYCLIC:
    return !(close_pairs(f->among) & NEW_LOOPS);
  }
  return false;
}

static enum polarity polarity_of(const struct cat_analysis *a,
                                 const struct cat_analysis *newest,
                                 const struct cat_axiom *x) {
  const struct node_facts *f = &a->facts[x->node];
  if (x->is_negated || f->shrinks)
    return POLARITY_UNSTABLE;
  if (!cat_is_extensible(newest, x))
    return POLARITY_STUCK;
  return f->negates ? POLARITY_STABLE : POLARITY_MONOTONE;
}

void cat_analyse(struct cat_analysis *a, const struct cat *c) {
  uint64_t dependencies = UINT64_C(1) << CAT_addr | UINT64_C(1) << CAT_data |
                          UINT64_C(1) << CAT_basic_addr |
                          UINT64_C(1) << CAT_basic_data |
                          UINT64_C(1) << CAT_ctrl | UINT64_C(1) << CAT_casdep |
                          UINT64_C(1) << CAT_ctrl_after;
  *a = (struct cat_analysis){.uses_dependencies = c->uses & dependencies};
  a->polarity = xcalloc(c->axioms.len, sizeof *a->polarity);
  if (c->known)
    a->proved = *c->known;
  else
    cat_prove_orders(&a->proved, c);
  cat_find_facts(a, c, a->proved.porf_is_acyclic ? ADD_AT_END : ADD_PROMISED);
  struct cat_analysis newest = {0};
  cat_find_facts(&newest, c, ADD_NEWEST);
  for (uint32_t i = 0; i < c->axioms.len; i++)
    a->polarity[i] = (uint8_t)polarity_of(a, &newest, &c->axioms.at[i]);
  cat_analysis_done(&newest);
  if (!c->known)
    cat_prove(&a->proved, a, c);
}

bool cat_filters(const struct cat_analysis *a, const struct cat *c) {
  for (uint32_t i = 0; i < c->axioms.len; i++)
    if (c->axioms.at[i].mode == MODE_CHECK && !cat_prunes(a, i))
      return true;
  return false;
}

void cat_analysis_done(struct cat_analysis *a) {
  free(a->facts);
  free(a->polarity);
}
