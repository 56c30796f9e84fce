// SPDX-License-Identifier: MIT
// See over_graph.h: how the graph is made, part by part.
#include "explore/cycles/justify/over_graph.h"

#include "base/hash.h"

// ---- nodes and moves

const struct own owns_nothing = {{NONE, NONE, NONE, NONE}};

static uint32_t hash_of(thread_id t, state_id s, uint32_t spawns,
                        const struct own *own) {
  uint64_t h = hash_mix(hash_mix(s, t), spawns);
  for (unsigned i = 0; i < MOST_OWNED; i++)
    if (own->cell[i] != NONE)
      h = hash_mix(h, own->cell[i]);
  return (uint32_t)h;
}

static uint32_t find(const struct over *a, thread_id t, state_id s,
                     uint32_t spawns, const struct own *own) {
  uint32_t hash = hash_of(t, s, spawns, own);
  for (uint32_t at = hash, i;
       (i = table_next(&a->table, hash, &at)) != TABLE_NONE;) {
    const struct node *n = &a->nodes.at[i];
    if (n->state == s && n->thread == t && n->spawns == spawns &&
        memcmp(&n->own, own, sizeof *own) == 0)
      return i;
  }
  return NONE;
}

uint32_t over_find(const struct over *a, thread_id t, state_id s,
                   uint32_t spawns) {
  return find(a, t, s, spawns, &owns_nothing);
}

uint32_t over_node(struct over *a, thread_id t, state_id s, uint32_t spawns,
                   const struct own *own) {
  uint32_t known = find(a, t, s, spawns, own);
  if (known != NONE)
    return known;
  if (a->nodes.len == MOST_NODES) {
    over_give_up(a);
    return 0;
  }
  table_add(&a->table, hash_of(t, s, spawns, own), a->nodes.len);
  array_push(
      &a->nodes,
      (struct node){.state = s, .thread = t, .spawns = spawns, .own = *own});
  memset(&array_last(&a->nodes)->depth, a->nodes.len == 1 ? 0 : ENDLESS,
         sizeof(struct tally));
  a->has_moved = true;
  return a->nodes.len - 1;
}

void over_add_crossing(struct over *a, uint32_t from, uint32_t to) {
  array_push(&a->moves,
             (struct move){.kind = MOVE_BARRIER, .from = from, .to = to});
}

void over_add_move(struct over *a, uint32_t from, state_id to, struct move m) {
  struct node n = a->nodes.at[from];
  bool is_spawn = vm_access(a->vm, n.state)->kind == ACC_SPAWN;
  if (!to)
    return; // it waits
  if (a->moves.len == MOST_MOVES)
    over_give_up(a);
  uint32_t place =
      m.kind == MOVE_WRITE ? over_owned(a, n.thread, loc_of(a, m.what)) : NONE;
  if (place != NONE)
    n.own.cell[place] = a->labels.at[m.what].cell;
  m.from = from;
  m.to = over_node(a, n.thread, to, n.spawns + is_spawn, &n.own);
  array_push(&a->moves, m);
}

// ---- cells and labels

uint32_t over_cell(struct over *a, uint32_t loc, uint64_t value) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].loc == loc && a->cells.at[i].value == value)
      return i;
  if (a->cells.len == MOST_CELLS)
    over_give_up(a);
  else
    array_push(&a->cells,
               (struct cell){.loc = loc, .value = value, .labels = NONE});
  memset(&array_last(&a->cells)->depth, ENDLESS, sizeof(struct tally));
  return a->cells.len - 1;
}

void over_give(struct over *a, uint32_t cell) {
  memset(&a->cells.at[cell].depth, 0, sizeof(struct tally));
  let_read(a, cell);
}

void over_begin_with(struct over *a, uint32_t cell) {
  over_give(a, cell);
  if (a->in_order && !a->cells.at[cell].is_beginning)
    over_offer(a, (struct offer){cell, ANYONE, ANYONE});
  a->cells.at[cell].is_beginning = true;
}

uint32_t over_label(struct over *a, thread_id t, uint8_t order, uint32_t cell) {
  uint32_t i = a->cells.at[cell].labels;
  while (i != NONE &&
         (a->labels.at[i].thread != t || a->labels.at[i].order != order))
    i = a->labels.at[i].next;
  if (i != NONE)
    return i;
  if (a->labels.len == MOST_LABELS)
    over_give_up(a);
  else {
    array_push(&a->labels,
               (struct label){.thread = t,
                              .order = order,
                              .cell = cell,
                              .next = a->cells.at[cell].labels,
                              .place = over_place(a, a->cells.at[cell].loc)});
    a->cells.at[cell].labels = a->labels.len - 1;
    if (a->in_order && a->cells.at[cell].is_readable)
      over_offer(a, (struct offer){cell, ANYONE, (uint8_t)t});
  }
  return a->labels.len - 1;
}
