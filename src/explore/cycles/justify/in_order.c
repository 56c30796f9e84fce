// SPDX-License-Identifier: MIT
// What a thread alone may read if the threads have an order: see orders.c.
#include "explore/cycles/justify/in_order.h"

// ---- what is used by whom

static struct use *use_of(const struct over *a, uint32_t cell,
                          struct uses *ret) {
  const struct location *l = vm_location(a->vm, a->cells.at[cell].loc);
  for (uint32_t i = 0; i < ret->len; i++)
    if (ret->at[i].where.address == l->address &&
        ret->at[i].where.size == l->size)
      return &ret->at[i];
  array_push(ret, (struct use){.where = *l});
  return array_last(ret);
}

void over_find_uses(const struct over *a, struct uses *ret) {
  ret->is_known = true;
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    uint64_t thread = 1ull << a->nodes.at[m->from].thread;
    if (m->kind == MOVE_READ)
      use_of(a, m->what, ret)->readers |= thread;
    if (m->kind == MOVE_WRITE)
      use_of(a, a->labels.at[m->what].cell, ret)->writers |= thread;
  }
}

static bool is_one(uint64_t set) {
  return set && !(set & (set - 1));
}

// Main is left out, for it may write before it creates others.
void in_order_find_owned(struct explorer *x, const struct uses *u,
                         struct in_order *ret) {
  unsigned n[MAX_THREADS] = {0};
  for (uint32_t i = 0; i < u->len; i++) {
    const struct use *k = &u->at[i];
    if (!is_one(k->writers & ~1ull) || (k->writers & 1) ||
        !(k->readers & k->writers))
      continue;
    thread_id t = (thread_id)__builtin_ctzll(k->writers);
    if (n[t] < MOST_OWNED)
      ret->owned[t][n[t]++] = vm_location_like(x->vm, &k->where);
  }
  for (thread_id t = 0; t < MAX_THREADS; t++)
    while (n[t] < MOST_OWNED)
      ret->owned[t][n[t]++] = NONE;
}

uint32_t over_owned(const struct over *a, thread_id t, uint32_t loc) {
  for (uint32_t i = 0; a->in_order && i < MOST_OWNED; i++)
    if (a->in_order->owned[t][i] == loc)
      return i;
  return NONE;
}

// ---- what may be read

bool over_takes(const struct over *a, thread_id t, const struct offer *o) {
  if (!a->in_order || (o->reader == ANYONE && o->writer == ANYONE))
    return true;
  if (o->reader != ANYONE)
    return o->reader == t;
  if (o->writer == t)
    return over_owned(a, t, a->cells.at[o->cell].loc) == NONE;
  return a->in_order->before[t] >> o->writer & 1;
}

bool over_may_get(const struct over *a, thread_id t, uint32_t label) {
  const struct label *w = &a->labels.at[label];
  const struct cell *c = &a->cells.at[w->cell];
  if (!a->in_order || (a->in_order->before[t] >> w->thread & 1))
    return true;
  const struct guesses *edges = a->in_order->edges;
  for (uint32_t i = 0; i < edges->len; i++) {
    const struct guess *k = &edges->at[i];
    if (k->reader == t && k->loc == c->loc && k->value == c->value &&
        (k->writers[w->order] >> w->thread & 1))
      return true;
  }
  return false;
}
