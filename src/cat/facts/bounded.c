// SPDX-License-Identifier: MIT
// Is an axiom only broken by graphs with a cycle of po | rf | co | fr, or only
// with one of what orders accesses under TSO: ppo | rfe | co | fr? These cycles
// are found fast, so an event that is on none need not be judged (judge.h).
//
// It is proved by the form of the terms, for events in certain combinations of
// sets (in other programs other terms are empty). Let T be the one order or the
// other. Of every pair of a node it is asked which of these kinds it may be; a
// pair is of one of them at least. Members of a `let rec` begin with nothing.
//
//   STAYS   an event and itself
//   PO      in po
//   STRONG  in po and in T+
//   PATH    in T+;  FAR: a single step of it between two threads (rfe)
//   UP, DOWN  the read and the write of an update, and back;
//   UP1, DOWN1  of one whose two events are neighbours in po
//   NEAR, APART  in int, in ext
//   ANY     nothing is known of the pair but that it needs no third event
//   WILD    nothing is known, and a new event may relate two older ones
//
// Initial writes are on no cycle, since nothing leads to them; what is said
// below of pairs that begin there need not be true.
//
// What has to be shown is more than that a broken axiom has a cycle in T: the
// new event must be on it. It is, if two older events become related only by
// way of the new event, and that way is in T. So an intersection with something
// of which it is not known how it grows is WILD, and so is [S] if it is not
// sure that S does not grow. There are two exceptions.
//   - Sets of reads of updates grow with the write u of the update. Whatever
//     leads on from its read leads on from u as well: by po there is nothing
//     else yet, and a write that comes after what was read comes after u.
//     (Where other events may come between the two, nobody asks, judge.c.)
//   - DOWN1 back from u to its read, and on from there, is as good as on from
//     u, for the same reason.
//
// TSO has no rf within threads, so what is said of one location, acyclic (po &
// loc) | rf | co | fr, is not among these cycles. But within threads po and co
// agree by construction (graph_co_floor). If the axiom is broken, then x comes
// before y by po, between threads, and y before x in co (reads are where their
// sources are). So x is before y in T, by way of the creation or the end of a
// thread; and y is before x by co, fr or rfe, but for what x reads from its own
// thread: then take its source for x.
#include "cat/eval/sets.h"
#include "cat/facts/prove.h"

#include <stdlib.h>
#include <string.h>

enum kind {
  STAYS,
  PO,
  STRONG,
  PATH,
  FAR,
  UP,
  DOWN,
  UP1,
  DOWN1,
  NEAR,
  APART,
  ANY,
  WILD,
  KINDS
};

#define BIT(kind) (1u << (kind))

enum {
  MOVING = BIT(STRONG) | BIT(PATH) | BIT(FAR) | BIT(UP) | BIT(UP1),
  UPS = BIT(UP) | BIT(UP1),
  DOWNS = BIT(DOWN) | BIT(DOWN1),
  IN_PO = BIT(PO) | BIT(STRONG) | UPS,
};

struct bounder {
  const struct nodes *nodes;
  const struct cat_bound *by;
  bool is_tso;
  struct cat_analysis grows; // what a new event does to nodes
  // By node, a set: classes that may be in it, and what is sure of it.
  uint64_t *members;
  enum { GROWS, FIXED, EXACT } * sure;
  uint64_t *rows;      // by node, kind and class: where such pairs may lead
  uint64_t strong[64]; // by class: po to these classes is in T
  uint64_t seen;       // classes of events that are in T
};

static uint64_t *rows_of(const struct bounder *b, node_id x) {
  return b->rows + (size_t)x * KINDS * b->by->n;
}

static uint64_t classes_in(const struct bounder *b, cat_sets sets) {
  uint64_t in = 0;
  for (uint32_t c = 0; c < b->by->n; c++)
    in |= (uint64_t)((b->by->classes[c] & sets) != 0) << c;
  return in;
}

static uint64_t everyone(const struct bounder *b) {
  return ~UINT64_C(0) >> (64 - b->by->n);
}

// -- what T has

static void find_strong(struct bounder *b) {
  uint64_t r = classes_in(b, CAT_IN(R)), w = classes_in(b, CAT_IN(W));
  uint64_t locked = classes_in(b, CAT_IN(LOCKED)),
           sc = classes_in(b, CAT_IN(SC));
  uint64_t initial = classes_in(b, CAT_IN(IW));
  b->seen =
      r | w | classes_in(b, CAT_IN(THREAD)) | (classes_in(b, CAT_IN(F)) & sc);
  for (uint32_t c = 0; c < b->by->n; c++) {
    bool is_buffered = (w & ~locked & ~sc & ~initial) >> c & 1;
    if (!b->is_tso)
      b->strong[c] = everyone(b);
    else if (b->seen >> c & 1)
      b->strong[c] = b->seen & ~(is_buffered ? r & ~locked : 0);
  }
}

// -- sets

static bool is_of_updates(const struct bounder *b, node_id x) {
  const uint64_t *rows = rows_of(b, x);
  bool is = true;
  for (uint32_t i = 0; i < KINDS * b->by->n; i++)
    is &= !rows[i] || (UPS >> (i / b->by->n) & 1);
  return is;
}

static void find_members(struct bounder *b, node_id x) {
  const struct node *v = node_at(b->nodes, x);
  enum node_kind k = (enum node_kind)v->kind;
  const uint64_t *m = b->members;
  b->members[x] = everyone(b);
  b->sure[x] = EXACT;
  if (k == NODE_BASE) {
    b->members[x] = 0;
    for (uint32_t c = 0; c < b->by->n; c++)
      b->members[x] |= (uint64_t)cat_is_in(b->by->classes[c], v->a) << c;
  } else if (k == NODE_EMPTY) {
    b->members[x] = 0;
  } else if (k == NODE_DOMAIN || k == NODE_RANGE) {
    b->sure[x] = is_of_updates(b, v->a) ? FIXED : GROWS;
  } else if (node_is_binary(k)) {
    b->sure[x] = b->sure[v->a] < b->sure[v->b] ? b->sure[v->a] : b->sure[v->b];
    b->members[x] = k == NODE_UNION          ? m[v->a] | m[v->b]
                    : k == NODE_INTERSECTION ? m[v->a] & m[v->b]
                    : b->sure[v->b] == EXACT ? m[v->a] & ~m[v->b]
                                             : m[v->a];
  } else if (k != NODE_UNIVERSE) {
    b->sure[x] = GROWS;
  }
}

// -- relations

// What may a pair be that is one of the kinds a and then one of b?
static unsigned join(enum kind a, enum kind b) {
  if (a == STAYS || b == STAYS)
    return BIT(a == STAYS ? b : a);
  if (a == WILD || b == WILD)
    return BIT(WILD);
  if (a >= NEAR || b >= NEAR)
    return BIT(ANY);
  bool up = UPS & BIT(a), down = DOWNS & BIT(a);
  bool then_up = UPS & BIT(b), then_down = DOWNS & BIT(b);
  if ((up && then_down) || (down && then_up))
    return BIT(STAYS);
  if (then_down || a == DOWN)
    return BIT(ANY);
  if (a == DOWN1)
    return BIT(STAYS) | (IN_PO & BIT(b) ? BIT(PO) : BIT(PATH));
  bool in_po = IN_PO & BIT(a), then_in_po = IN_PO & BIT(b);
  if (in_po && then_in_po)
    return a == PO || b == PO ? BIT(PO) : BIT(STRONG);
  return a == PO || b == PO ? BIT(ANY) : BIT(PATH);
}

enum { NEITHER = KINDS };

// What is a pair that is a as well as b? (PO and APART: see below.)
static enum kind meet(enum kind a, enum kind b) {
  if (a > b)
    return meet(b, a);
  if (a == b || b == ANY)
    return a;
  if (b == WILD)
    return WILD;
  if (a == STAYS)
    return b == PATH ? PATH : b == NEAR ? STAYS : (enum kind)NEITHER;
  if (b == NEAR)
    return a == FAR ? (enum kind)NEITHER : a;
  if (b == APART)
    return a == PATH ? FAR : a >= UP ? (enum kind)NEITHER : a;
  if (DOWNS & BIT(b) || DOWNS & BIT(a)) {
    enum kind other = DOWNS & BIT(b) ? a : b;
    return DOWNS & BIT(other) ? DOWN1
           : other == PATH    ? PATH
                              : (enum kind)NEITHER;
  }
  if (UPS & BIT(b))
    return a == UP ? UP1 : a == FAR ? (enum kind)NEITHER : b;
  return IN_PO & BIT(a) ? STRONG : FAR;
}

static void add(struct bounder *b, uint64_t *rows, enum kind k, uint32_t c,
                uint64_t to) {
  if (k == PO) {
    rows[STRONG * b->by->n + c] |= to & b->strong[c];
    to &= ~b->strong[c];
  }
  rows[k * b->by->n + c] |= to;
}

static void add_product(struct bounder *b, uint64_t *rows, enum kind k,
                        uint64_t from, uint64_t to) {
  for (uint32_t c = 0; c < b->by->n; c++)
    if (from >> c & 1)
      add(b, rows, k, c, to);
}

static void add_base(struct bounder *b, uint64_t *rows, enum cat_base base) {
  uint64_t all = everyone(b);
  uint64_t r = classes_in(b, CAT_IN(R)), w = classes_in(b, CAT_IN(W));
  switch (base) {
  case CAT_po:
  case CAT_rcu_rscs:
    add_product(b, rows, PO, all, all);
    return;
  case CAT_rf:
    if (b->is_tso)
      add_product(b, rows, PO, w, r);
    add_product(b, rows, b->is_tso ? FAR : PATH, w, r);
    return;
  case CAT_co:
    add_product(b, rows, PATH, w, w);
    return;
  case CAT_fr:
    add_product(b, rows, PATH, r, w);
    return;
  case CAT_rmw:
    add_product(b, rows, UP, r, w);
    return;
  case CAT_amo:
    add_product(b, rows, UP1, r, w);
    return;
  case CAT_addr:
  case CAT_basic_addr:
  case CAT_data:
  case CAT_basic_data:
  case CAT_ctrl:
  case CAT_ctrl_after:
  case CAT_casdep:
    add_product(b, rows, PO, r | classes_in(b, CAT_IN(EXCLUSIVE)), all);
    return;
  case CAT_id:
    for (uint32_t c = 0; c < b->by->n; c++)
      add(b, rows, STAYS, c, UINT64_C(1) << c);
    return;
  case CAT_int:
    add_product(b, rows, NEAR, all, all);
    return;
  case CAT_ext:
    add_product(b, rows, APART, all, all);
    return;
  default:
    add_product(b, rows, ANY, all, all);
  }
}

static void add_sequence(struct bounder *b, uint64_t *rows, const uint64_t *x,
                         const uint64_t *y) {
  uint32_t n = b->by->n;
  for (uint32_t c = 0; c < n; c++)
    for (unsigned k = 0; k < KINDS; k++)
      for (uint64_t by = x[k * n + c]; by; by &= by - 1)
        for (unsigned l = 0; l < KINDS; l++) {
          uint64_t to = y[l * n + (uint32_t)__builtin_ctzll(by)];
          for (unsigned is = to ? join(k, l) : 0; is; is &= is - 1)
            add(b, rows, (enum kind)__builtin_ctz(is), c, to);
        }
}

static void add_intersection(struct bounder *b, uint64_t *rows,
                             const uint64_t *x, const uint64_t *y) {
  uint32_t n = b->by->n;
  for (uint32_t c = 0; c < n; c++)
    for (unsigned k = 0; k < KINDS; k++)
      for (unsigned l = 0; l < KINDS && x[k * n + c]; l++) {
        uint64_t both = x[k * n + c] & y[l * n + c];
        unsigned is = both ? meet(k, l) : NEITHER;
        // From one thread to another po leads by way of creation or end.
        bool crosses = is == PO && (k == APART || l == APART);
        if (crosses && b->seen >> c & 1)
          add(b, rows, STRONG, c, both & b->seen);
        if (is != NEITHER)
          add(b, rows, is, c,
              crosses && b->seen >> c & 1 ? both & ~b->seen : both);
      }
}

static void add_difference(struct bounder *b, uint64_t *rows,
                           const struct node *v) {
  uint32_t n = b->by->n;
  const uint64_t *x = rows_of(b, v->a);
  const struct node *less = node_at(b->nodes, v->b);
  bool is_id = less->kind == NODE_BASE && less->a == CAT_id;
  bool is_product = less->kind == NODE_PRODUCT && b->sure[less->a] == EXACT &&
                    b->sure[less->b] == EXACT;
  for (uint32_t c = 0; c < n; c++)
    for (unsigned k = is_id ? STAYS + 1 : STAYS; k < KINDS; k++) {
      uint64_t to = x[k * n + c];
      if (is_product && b->members[less->a] >> c & 1)
        to &= ~b->members[less->b];
      add(b, rows, b->grows.facts[v->b].shrinks ? WILD : k, c, to);
    }
}

static void add_inverse(struct bounder *b, uint64_t *rows, const uint64_t *x) {
  uint32_t n = b->by->n;
  for (uint32_t c = 0; c < n; c++)
    for (unsigned k = 0; k < KINDS; k++) {
      bool is_same = k == STAYS || k == NEAR || k == APART || k == WILD;
      enum kind now = is_same      ? (enum kind)k
                      : k == UP    ? DOWN
                      : k == UP1   ? DOWN1
                      : k == DOWN  ? UP
                      : k == DOWN1 ? UP1
                                   : ANY;
      for (uint64_t to = x[k * n + c]; to; to &= to - 1)
        add(b, rows, now, (uint32_t)__builtin_ctzll(to), UINT64_C(1) << c);
    }
}

static void add_copy(struct bounder *b, uint64_t *rows, const uint64_t *x) {
  for (uint32_t i = 0; i < KINDS * b->by->n; i++)
    rows[i] |= x[i];
}

static void add_identity(struct bounder *b, uint64_t *rows, uint64_t of,
                         enum kind k) {
  for (; of; of &= of - 1)
    add(b, rows, k, (uint32_t)__builtin_ctzll(of), of & -of);
}

static void add_pairs(struct bounder *b, uint64_t *rows, const struct node *v) {
  uint64_t all = everyone(b);
  const uint64_t *x = NULL, *y = NULL;
  if (node_is_unary(v->kind) || node_is_binary(v->kind))
    x = rows_of(b, v->a);
  if (node_is_binary(v->kind))
    y = rows_of(b, v->b);
  switch ((enum node_kind)v->kind) {
  case NODE_BASE:
    add_base(b, rows, (enum cat_base)v->a);
    return;
  case NODE_EMPTY:
    return;
  case NODE_UNION:
    add_copy(b, rows, x);
    add_copy(b, rows, y);
    return;
  case NODE_INTERSECTION:
    add_intersection(b, rows, x, y);
    return;
  case NODE_DIFFERENCE:
    add_difference(b, rows, v);
    return;
  case NODE_SEQUENCE:
    add_sequence(b, rows, x, y);
    return;
  case NODE_PLUS:
    add_copy(b, rows, x);
    add_sequence(b, rows, rows, rows);
    return;
  case NODE_OPTIONAL:
    add_copy(b, rows, x);
    add_identity(b, rows, all, STAYS);
    return;
  case NODE_IDENTITY:
    add_identity(b, rows, b->members[v->a],
                 b->sure[v->a] == GROWS ? WILD : STAYS);
    return;
  case NODE_INVERSE:
    add_inverse(b, rows, x);
    return;
  case NODE_PRODUCT:
    add_product(b, rows, ANY, b->members[v->a], b->members[v->b]);
    return;
  case NODE_VARIABLE: {
    const struct node_group *g = &b->nodes->groups.at[v->a];
    add_copy(b, rows, rows_of(b, g->bodies.at[v->b]));
    return;
  }
  case NODE_UNIVERSE:
  case NODE_DOMAIN:
  case NODE_RANGE:
    add_product(b, rows, ANY, all, all);
  }
}

// Is there more than before? Unknown pairs of what grows are WILD.
static bool find_pairs(struct bounder *b, node_id x) {
  uint32_t n = b->by->n;
  size_t size = KINDS * n * sizeof(uint64_t);
  uint64_t *rows = rows_of(b, x), before[KINDS * 64];
  memcpy(before, rows, size);
  add_pairs(b, rows, node_at(b->nodes, x));
  for (uint32_t c = 0; c < n && b->grows.facts[x].grows; c++) {
    rows[WILD * n + c] |= rows[ANY * n + c];
    rows[ANY * n + c] = 0;
  }
  return memcmp(before, rows, size) != 0;
}

// -- axioms

static bool is_bounded(const struct bounder *b, const struct cat_axiom *x) {
  // What leads from an event to itself is not in po, nor between threads.
  unsigned good = x->test == TEST_ACYCLIC ? MOVING
                  : x->test == TEST_IRREFLEXIVE
                      ? MOVING | IN_PO | DOWNS | BIT(APART)
                      : 0;
  const uint64_t *rows = rows_of(b, x->node);
  if (x->mode != MODE_CHECK || x->is_negated ||
      node_type(b->nodes, x->node) != TYPE_RELATION)
    return false;
  for (uint32_t i = 0; i < KINDS * b->by->n; i++)
    if (rows[i] && !(good >> (i / b->by->n) & 1))
      return false;
  return true;
}

// Operands come first, so what is not made of variables is known at once.
static void find_all(struct bounder *b, const bool *needed) {
  bool is_first = true;
  for (bool changed = true; changed; is_first = false) {
    changed = false;
    for (node_id x = 0; x < b->nodes->at.len; x++) {
      if (!needed[x] || !(is_first || node_at(b->nodes, x)->groups))
        continue;
      if (node_type(b->nodes, x) == TYPE_SET) {
        find_members(b, x);
        continue;
      }
      while (find_pairs(b, x))
        changed = true;
    }
  }
}

static bool are_bounded(const struct cat *c, const struct cat_bound *by,
                        uint64_t axioms, bool is_tso) {
  struct bounder b = {.nodes = &c->nodes, .by = by, .is_tso = is_tso};
  uint32_t n = c->nodes.at.len;
  bool *needed = xcalloc(n + 1, sizeof *needed), ok = true;
  cat_find_facts(&b.grows, c, ADD_PROMISED);
  b.members = xcalloc(n + 1, sizeof *b.members);
  b.sure = xcalloc(n + 1, sizeof *b.sure);
  b.rows = xcalloc((size_t)n * KINDS * by->n + 1, sizeof *b.rows);
  for (uint64_t left = axioms; left; left &= left - 1)
    node_mark(&c->nodes, c->axioms.at[__builtin_ctzll(left)].node, needed);
  find_strong(&b);
  find_all(&b, needed);
  for (uint64_t left = axioms; left; left &= left - 1)
    ok &= is_bounded(&b, &c->axioms.at[__builtin_ctzll(left)]);
  free(needed);
  free(b.members);
  free(b.sure);
  free(b.rows);
  cat_analysis_done(&b.grows);
  return ok;
}

enum cat_bounded cat_find_bounded(const struct cat *c,
                                  const struct cat_proved *proved,
                                  const struct cat_bound *by) {
  uint64_t far = by->axioms & ~proved->local;
  if (!by->n || by->n > 64)
    return BOUNDED_NOT;
  if (proved->thread_is_coherent && proved->reads_nothing_later &&
      are_bounded(c, by, far, /*is_tso=*/true))
    return BOUNDED_TSO;
  return are_bounded(c, by, by->axioms, /*is_tso=*/false) ? BOUNDED_SC
                                                          : BOUNDED_NOT;
}
