// SPDX-License-Identifier: MIT
// Would it help if co did not count (rf_equivalence.c)? Some executions are
// looked at for that, where there are many.
#include "explore/reduce/classes.h"

// May the write change places with others that are like that?
static bool is_free(const struct graph *g, event_id write) {
  const struct event *w = &g->events[write];
  const struct event_list *reads = &g->locs.at[w->loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (g->events[reads->at[i]].rf == write)
      return false;
  return !(w->flags & EVF_EXCLUSIVE);
}

// Of writes of equal threads only one order is explored anyway.
static bool may_change_places(const struct explorer *x, event_id v,
                              event_id w) {
  const struct graph *g = &x->g;
  uint64_t group = symmetry_of(x)->group[g->events[v].thread];
  return is_free(g, v) && is_free(g, w) && !graph_hb(g, v, w) &&
         !(group >> g->events[w].thread & 1);
}

// Roughly, how many executions are like this one but for the order of writes
// that are not read?
static uint64_t count_orders(const struct explorer *x) {
  enum { ENOUGH = 1000 };
  const struct graph *g = &x->g;
  uint64_t orders = 1;
  if (g->has_linked)
    return 1;
  for (uint32_t l = 0; l < g->locs.len; l++) {
    const struct event_list *co = &g->locs.at[l].co;
    for (uint32_t i = 2, run = 1; i < co->len && orders < ENOUGH; i++) {
      run = may_change_places(x, co->at[i - 1], co->at[i]) ? run + 1 : 1;
      orders *= run;
    }
  }
  return orders;
}

static const char *why_not(const struct explorer *x) {
  const struct search_options *c = &x->config;
  const struct model_options *o = &c->model_options;
  bool is_possible = c->model->finds_co && !c->read_bound && !o->in_pieces &&
                     !o->c11_release_sequences &&
                     (!o->sc_rule || o->sc_rule == SC_RC11) &&
                     !explore_reduces(x, REDUCE_NET_ROUNDS);
  return explore_reduces(x, REDUCE_RF) ? "it does not count"
         : is_possible                 ? NULL
                                       : "co must count";
}

static void note(struct explorer *x, bool is_blocked, uint64_t stands_for) {
  enum { EVERY = 1024 };
  (void)stands_for;
  if (is_blocked || x->result.executions % EVERY != 0)
    return;
  uint64_t orders = count_orders(x);
  if (orders > x->result.free_orders)
    x->result.free_orders = orders;
}

const struct mechanism free_orders_hooks = {
    .why_not = why_not,
    .was_counted = note,
};
