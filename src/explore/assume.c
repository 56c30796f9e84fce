// SPDX-License-Identifier: MIT
// What several explorers have learned, joined.
#include "explore/assume.h"

#include "explore/reduce.h"

bool numbered_add(struct numbered_arrays *all, struct numbered a) {
  for (uint32_t i = 0; i < all->len; i++)
    if (all->at[i].function == a.function && all->at[i].first == a.first &&
        all->at[i].stride == a.stride)
      return false;
  if (all->len == MAX_NUMBERED)
    return false;
  all->at[all->len++] = a;
  return true;
}

// ---- failed rounds

// Of what is made the least index counts, of what races the greatest.
bool round_access_add(struct round_access_list *all, struct round_access a) {
  for (uint32_t i = 0; i < all->len; i++) {
    struct round_access *b = &all->at[i];
    if (a.thread == b->thread && a.begin == b->begin && a.kind == b->kind &&
        a.is_plain == b->is_plain && a.owner == b->owner &&
        a.address == b->address && a.size == b->size && a.other == b->other &&
        a.races == b->races) {
      bool is_new = a.races ? a.index > b->index : a.index < b->index;
      b->index = is_new ? a.index : b->index;
      return is_new;
    }
  }
  array_push(all, a);
  return true;
}

void round_access_join(struct round_access_list *into,
                       const struct round_access_list *more) {
  for (uint32_t i = 0; i < more->len; i++)
    round_access_add(into, more->at[i]);
}

static bool nest_in(struct round_access outer, struct round_access_list *begins,
                    struct round_access_list *made) {
  bool any = false;
  for (uint32_t i = 0; i < made->len; i++) {
    struct round_access a = made->at[i];
    if (a.kind == ROUND_PASSES || a.thread != outer.thread ||
        a.begin != outer.address)
      continue;
    a.begin = outer.begin;
    any |= round_access_add(made, a);
    round_access_add(begins, (struct round_access){.thread = a.thread,
                                                   .begin = a.begin,
                                                   .is_plain = a.is_plain});
  }
  return any;
}

bool round_accesses_nest(struct round_access_list *begins,
                         struct round_access_list *made) {
  bool any = false, is_new;
  do {
    is_new = false;
    for (uint32_t i = 0; i < made->len; i++)
      is_new |= made->at[i].kind == ROUND_PASSES &&
                nest_in(made->at[i], begins, made);
    any |= is_new;
  } while (is_new);
  return any;
}

static bool overlap(const struct round_access *a,
                    const struct round_access *b) {
  return a->address < b->address + b->size && b->address < a->address + a->size;
}

static bool may_race(const struct round_access *a,
                     const struct round_access *w) {
  if (a->kind == ROUND_PASSES || a->thread != w->thread ||
      a->begin != w->begin || a->other != w->other || w->index < a->index)
    return false;
  return w->kind == ROUND_ENDS ? a->owner == w->owner
         : w->kind == ROUND_FREES
             ? overlap(a, w)
             : overlap(a, w) && (a->is_plain || w->is_plain) &&
                   (a->kind == ROUND_WRITES || w->kind == ROUND_WRITES);
}

const char round_asymmetry[] =
    "a failed round may race with what others do after it";

bool round_accesses_race(const struct round_access_list *made,
                         const struct round_access_list *exposed, bool of_any) {
  for (uint32_t i = 0; i < made->len; i++)
    for (uint32_t k = 0; k < exposed->len; k++)
      if ((made->at[i].thread == ROUND_OF_ANY) == of_any &&
          may_race(&made->at[i], &exposed->at[k]))
        return true;
  return false;
}

void assume_done(struct assumptions *a) {
  array_done(&a->round_begins);
  array_done(&a->rounds_made);
  array_done(&a->rounds_exposed);
  array_done(&a->cells);
  array_done(&a->looked);
  array_done(&a->locks);
  array_done(&a->rollbacks);
}

bool assume_refutes_symmetry(const struct assumptions *a) {
  return a->cells.len || a->looked.len || a->locks.len || a->in_pieces ||
         (a->refuted & (REDUCE_ROLLBACK | REDUCE_CAS_CHOICE));
}

// ---- cells

static struct assumed_cell *find_cell(const struct assumptions *a,
                                      const struct assumed_cell *cell) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].address == cell->address &&
        a->cells.at[i].size == cell->size)
      return &a->cells.at[i];
  return NULL;
}

static void join_cell(struct assumptions *into,
                      const struct assumed_cell *cell) {
  struct assumed_cell *known = find_cell(into, cell);
  if (!known) {
    array_push(&into->cells, *cell);
    return;
  }
  known->is_used |= cell->is_used;
  known->cuts |= cell->cuts;
}

static bool knows_cell(const struct assumed_cell *one,
                       const struct assumed_cell *all) {
  return one && one->is_used == all->is_used && one->cuts == all->cuts;
}

// ---- fills

static void join_looked(struct assumptions *into,
                        const struct memory_range *more) {
  for (uint32_t i = 0; i < into->looked.len; i++)
    if (into->looked.at[i].address == more->address &&
        into->looked.at[i].size == more->size)
      return;
  array_push(&into->looked, *more);
}

// ---- locks

static struct assumed_lock *find_lock(const struct assumptions *a,
                                      const struct assumed_lock *lock) {
  for (uint32_t i = 0; i < a->locks.len; i++)
    if (a->locks.at[i].address == lock->address &&
        a->locks.at[i].size == lock->size)
      return &a->locks.at[i];
  return NULL;
}

static bool is_held(const struct assumed_lock *lock, uint64_t value) {
  for (uint32_t i = 0; i < lock->nheld; i++)
    if (lock->held[i] == value)
      return true;
  return false;
}

static void join_lock(struct assumptions *into,
                      const struct assumed_lock *lock) {
  struct assumed_lock *known = find_lock(into, lock);
  if (!known) {
    array_push(&into->locks, *lock);
    return;
  }
  known->is_refuted |= lock->is_refuted || lock->free != known->free;
  known->is_weak |= lock->is_weak;
  known->releases |= lock->releases;
  known->is_asked |= lock->is_asked;
  for (uint32_t i = 0; i < lock->nheld; i++) {
    if (is_held(known, lock->held[i]))
      continue;
    if (known->nheld == MAX_HELD)
      known->is_refuted = true;
    else
      known->held[known->nheld++] = lock->held[i];
  }
}

// Each value must have been tried on all who take the word; and if some access
// to it releases, no round that does not was left out.
static bool knows_lock(const struct assumed_lock *one,
                       const struct assumed_lock *all) {
  if (!one || one->is_refuted != all->is_refuted)
    return false;
  if (all->is_refuted)
    return true;
  bool is_mixed = all->is_weak && all->releases;
  return (one->nheld == all->nheld || !one->is_asked) &&
         (!is_mixed || (one->is_weak && one->releases));
}

// ---- rollbacks

static struct rollback_word *find_rollback(const struct assumptions *a,
                                           const struct assumed_rollback *r) {
  for (uint32_t i = 0; i < a->rollbacks.len; i++)
    if (a->rollbacks.at[i].address == r->address &&
        a->rollbacks.at[i].size == r->size)
      return &a->rollbacks.at[i].word;
  return NULL;
}

static void join_rollbacks(struct assumptions *into,
                           const struct assumptions *learned) {
  for (uint32_t i = 0; i < learned->rollbacks.len; i++) {
    const struct assumed_rollback *r = &learned->rollbacks.at[i];
    struct rollback_word *known = find_rollback(into, r);
    if (known)
      rollback_word_join(known, &r->word);
    else
      array_push(&into->rollbacks, *r);
  }
  for (uint32_t i = 0; i < into->rollbacks.len; i++)
    if (!rollback_word_holds(&into->rollbacks.at[i].word))
      into->refuted |= REDUCE_ROLLBACK;
}

// ---- all

void assume_join(struct assumptions *into, const struct assumptions *learned) {
  into->refuted |= learned->refuted;
  if (!into->asymmetry)
    into->asymmetry = learned->asymmetry;
  if (!into->gave_up)
    into->gave_up = learned->gave_up;
  into->in_pieces |= learned->in_pieces;
  into->has_own_rounds |= learned->has_own_rounds;
  round_access_join(&into->round_begins, &learned->round_begins);
  round_access_join(&into->rounds_made, &learned->rounds_made);
  round_access_join(&into->rounds_exposed, &learned->rounds_exposed);
  round_accesses_nest(&into->round_begins, &into->rounds_made);
  into->keeps_rounds |=
      learned->keeps_rounds ||
      round_accesses_race(&into->rounds_made, &into->rounds_exposed,
                          /*of_any=*/false);
  if (round_accesses_race(&into->rounds_made, &into->rounds_exposed,
                          /*of_any=*/true)) {
    into->refuted |= REDUCE_SYMMETRY;
    if (!into->asymmetry)
      into->asymmetry = round_asymmetry;
  }
  into->asks_clocks |= learned->asks_clocks;
  into->spares_time |= learned->spares_time;
  into->has_race |= learned->has_race;
  into->has_detours |= learned->has_detours;
  for (uint32_t i = 0; i < learned->numbered.len; i++)
    numbered_add(&into->numbered, learned->numbered.at[i]);
  for (uint32_t i = 0; i < learned->cells.len; i++)
    join_cell(into, &learned->cells.at[i]);
  for (uint32_t i = 0; i < learned->locks.len; i++)
    join_lock(into, &learned->locks.at[i]);
  for (uint32_t i = 0; i < learned->looked.len; i++)
    join_looked(into, &learned->looked.at[i]);
  join_rollbacks(into, learned);
}

bool assume_knows(const struct assumptions *one,
                  const struct assumptions *all) {
  if (one->refuted != all->refuted || one->in_pieces != all->in_pieces ||
      one->has_own_rounds != all->has_own_rounds ||
      one->round_begins.len != all->round_begins.len ||
      one->keeps_rounds != all->keeps_rounds ||
      (all->asks_clocks && !one->asks_clocks && one->spares_time) ||
      one->has_race != all->has_race || one->has_detours != all->has_detours ||
      !one->gave_up != !all->gave_up ||
      one->numbered.len != all->numbered.len ||
      one->looked.len != all->looked.len)
    return false;
  for (uint32_t i = 0; i < all->cells.len; i++)
    if (!knows_cell(find_cell(one, &all->cells.at[i]), &all->cells.at[i]))
      return false;
  for (uint32_t i = 0; i < all->locks.len; i++)
    if (!knows_lock(find_lock(one, &all->locks.at[i]), &all->locks.at[i]))
      return false;
  return true;
}

uint64_t assume_size(const struct assumptions *a) {
  uint64_t size = (uint64_t)__builtin_popcount(a->refuted) + a->in_pieces +
                  a->has_own_rounds + a->round_begins.len + a->keeps_rounds +
                  a->asks_clocks + a->has_race + a->has_detours +
                  (a->gave_up != NULL) + a->numbered.len + a->looked.len;
  for (uint32_t i = 0; i < a->cells.len; i++) {
    const struct assumed_cell *c = &a->cells.at[i];
    size += c->is_used + (uint32_t)__builtin_popcount(c->cuts);
  }
  for (uint32_t i = 0; i < a->locks.len; i++) {
    const struct assumed_lock *l = &a->locks.at[i];
    size += 1u + l->is_refuted + l->is_weak + l->releases + l->nheld;
  }
  return size;
}
