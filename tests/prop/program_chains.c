// SPDX-License-Identifier: MIT
// Random programs whose threads update one location again and again and read
// back what they wrote: chains of updates, loads that are forwarded from them,
// and messages by which the order of two threads is seen. General programs
// hardly ever have two updates of a location in a row, and models of processors
// differ there from those of languages.
#include "program.h"
#include "rng.h"

// One of relaxed, `sync` and sc; `strong` percent are one of the latter.
static uint8_t draw_order(struct rng *r, enum order sync, unsigned strong) {
  if (!chance(r, strong))
    return ORD_RLX;
  return (uint8_t)(chance(r, 30) ? ORD_SC : sync);
}

static void add(struct rng *r, struct program *p, unsigned t,
                enum action_kind kind, unsigned loc, uint8_t order) {
  struct action a = action_new(kind);
  if (p->len[t] == PROGRAM_OPS)
    return;
  a.loc = a.other = (uint8_t)loc;
  a.order = order;
  a.order_fail = ORD_RLX;
  a.value.plus = (uint8_t)(1 + below(r, 3));
  a.expected.plus = (uint8_t)below(r, 3);
  if (action_reads(&a))
    a.dst = p->len[t];
  p->ops[t][p->len[t]++] = a;
}

static void add_update(struct rng *r, struct program *p, unsigned t,
                       unsigned loc) {
  static const enum action_kind kinds[] = {DO_EXCHANGE, DO_EXCHANGE, DO_ADD,
                                           DO_ADD, DO_CAS};
  static const enum order sync[] = {ORD_ACQ, ORD_REL, ORD_ACQREL};
  add(r, p, t, kinds[below(r, 5)], loc, draw_order(r, sync[below(r, 3)], 30));
}

// Updates of one location, what is read back, and an access behind that.
static void add_chain(struct rng *r, struct program *p, unsigned t,
                      unsigned loc, unsigned other) {
  for (unsigned n = 1 + below(r, 3); n-- > 0;)
    add_update(r, p, t, loc);
  if (chance(r, 85))
    add(r, p, t, DO_LOAD, loc, draw_order(r, ORD_ACQ, 85));
  if (chance(r, 50))
    add(r, p, t, DO_STORE, other, draw_order(r, ORD_REL, 20));
  else
    add(r, p, t, DO_LOAD, other, draw_order(r, ORD_ACQ, 20));
}

// Something is written, and then it is said so; sometimes twice.
static void add_message(struct rng *r, struct program *p, unsigned t,
                        unsigned loc, unsigned other) {
  static const enum order fences[] = {ORD_ACQ, ORD_REL, ORD_ACQREL, ORD_SC};
  add(r, p, t, DO_STORE, other, draw_order(r, ORD_REL, 10));
  if (chance(r, 15))
    add(r, p, t, DO_FENCE, 0, (uint8_t)fences[below(r, 4)]);
  if (chance(r, 30))
    add_update(r, p, t, loc);
  else
    add(r, p, t, DO_STORE, loc, draw_order(r, ORD_REL, 70));
  if (chance(r, 20))
    add(r, p, t, DO_LOAD, loc, draw_order(r, ORD_ACQ, 70));
}

void program_random_chains(uint64_t seed, unsigned max_ops,
                           struct program *ret) {
  struct rng r = {.state = seed * 0xd6e8feb86659fd93u + 3};
  struct program p = {.nlocs = (uint8_t)(2 + chance(&r, 20))};
  p.nthreads = (uint8_t)(3 + chance(&r, 20)); // main creates the others
  unsigned left = max_ops;
  for (unsigned t = 1; t < p.nthreads; t++) {
    struct action spawn = action_new(DO_SPAWN);
    spawn.thread = (uint8_t)t;
    p.ops[0][p.len[0]++] = spawn;
    unsigned loc = below(&r, p.nlocs);
    unsigned other = (loc + 1 + below(&r, p.nlocs - 1u)) % p.nlocs;
    unsigned most = left / (p.nthreads - t);
    bool is_first = true;
    while (is_first || (p.len[t] + 2u < most && chance(&r, 40))) {
      if (chance(&r, 60))
        add_chain(&r, &p, t, loc, other);
      else
        add_message(&r, &p, t, loc, other);
      is_first = false;
    }
    p.len[t] = (uint8_t)(p.len[t] < most ? p.len[t] : most);
    left -= p.len[t];
  }
  *ret = p;
}
