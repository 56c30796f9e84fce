// SPDX-License-Identifier: MIT
// See alone.h. Each thread is run alone, from where it is created, with every
// value for its reads that somebody could write (a *cell* is a location with a
// value); a thread is a graph of nodes then, with moves between them. Values
// may grow without end; but an execution with n writes passes a value on at
// most n times, so that as many rounds are enough as the threads can do writes
// (and as many again, since a guess begins with a value that took that long).
//
// On a cycle of po ∪ rf there is a guess whose write is not ordered, by
// acquire, release or fence, behind the read at which the cycle enters its
// thread (model/justify.h). So it has to be possible that
//  - the thread of the guessed write reads some cell, and then writes it
//  without
//    such an order, and
//  - the guess is read by somebody who then writes something, that is read by
//    somebody who ..., who writes that cell.
// Otherwise the guess is on no cycle. Nor is it if all of this is about one
// location: that would be a cycle of coherence. All that is asked of the upper
// bound: each "then" on its own, whatever else the threads read.
#include "explore/alone_graph.h"

#include "base/hash.h"

#include <stdlib.h>

static void give_up(struct alone *a) {
  a->is_too_much = true;
}

// ---- nodes and moves

static uint32_t node_at(struct alone *a, thread_id t, state_id s,
                        uint32_t spawns) {
  uint64_t h = hash_mix(hash_mix(s, t), spawns);
  for (;; h++) {
    uint32_t *slot = &a->slots[h % (4 * MOST_NODES)];
    if (!*slot) {
      if (a->nodes.len == MOST_NODES) {
        give_up(a);
        return 0;
      }
      array_push(&a->nodes,
                 (struct node){.state = s, .thread = t, .spawns = spawns});
      *slot = a->nodes.len;
      a->has_moved = true;
    }
    const struct node *n = &a->nodes.at[*slot - 1];
    if (n->state == s && n->thread == t && n->spawns == spawns)
      return *slot - 1;
  }
}

// What comes before another thread is ordered before all that it does.
static void add_crossing(struct alone *a, uint32_t from, uint32_t to) {
  array_push(&a->moves,
             (struct move){.kind = MOVE_BARRIER, .from = from, .to = to});
}

static void add_move(struct alone *a, uint32_t from, state_id to,
                     struct move m) {
  const struct node n = a->nodes.at[from];
  bool is_spawn = vm_access(a->x->vm, n.state)->kind == ACC_SPAWN;
  if (!to)
    return; // it waits
  m.from = from;
  m.to = node_at(a, n.thread, to, n.spawns + is_spawn);
  array_push(&a->moves, m);
}

static uint32_t cell_at(struct alone *a, uint32_t loc, uint64_t value) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].loc == loc && a->cells.at[i].value == value)
      return i;
  if (a->cells.len == MOST_CELLS)
    give_up(a);
  else
    array_push(&a->cells, (struct cell){.loc = loc, .value = value});
  return a->cells.len - 1;
}

static void make_readable(struct alone *a, uint32_t cell) {
  if (a->cells.at[cell].is_readable)
    return;
  a->cells.at[cell].is_readable = true;
  array_push(&a->readable, cell);
  a->has_moved = true;
}

static uint32_t find_label(const struct alone *a, thread_id t, uint32_t cell) {
  for (uint32_t i = 0; i < a->labels.len; i++)
    if (a->labels.at[i].thread == t && a->labels.at[i].cell == cell)
      return i;
  return NONE;
}

static uint32_t label_at(struct alone *a, thread_id t, uint32_t cell) {
  uint32_t i = find_label(a, t, cell);
  if (i != NONE)
    return i;
  if (a->labels.len == MOST_LABELS)
    give_up(a);
  else
    array_push(&a->labels, (struct label){t, cell});
  return a->labels.len - 1;
}

// ---- one thread alone

// The location's first contents are a cell, too.
static bool add_initial(struct alone *a, uint32_t loc) {
  const struct location *l = vm_location(a->x->vm, loc);
  if (l->object != NO_OBJECT || !l->is_initialized) {
    give_up(a);
    return false;
  }
  make_readable(a, cell_at(a, loc, l->initial));
  return !a->is_too_much;
}

static void read_cells(struct alone *a, uint32_t from) {
  struct vm *vm = a->x->vm;
  const struct access k = *vm_access(vm, a->nodes.at[from].state);
  if (!add_initial(a, k.loc))
    return;
  uint32_t i = a->nodes.at[from].looked;
  for (; i < a->readable.len; i++) {
    const struct cell c = a->cells.at[a->readable.at[i]];
    if (c.loc != k.loc || (k.kind == ACC_LOCK_READ && c.value))
      continue;
    uint8_t order;
    event_read_flags(&k, c.value, /*is_uninit=*/false, &order);
    add_move(a, from, vm_step(vm, a->nodes.at[from].state, c.value),
             (struct move){.kind = MOVE_READ,
                           .order = order,
                           .is_strong = order_acquires(order),
                           .what = a->readable.at[i]});
  }
  a->nodes.at[from].looked = i;
}

static void write_cell(struct alone *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  const struct access k = *vm_access(a->x->vm, n.state);
  if (k.flags & ACCF_UNINIT) {
    give_up(a);
    return;
  }
  uint32_t cell = cell_at(a, k.loc, k.value);
  add_move(a, from, vm_step(a->x->vm, n.state, 0),
           (struct move){.kind = MOVE_WRITE,
                         .is_strong = order_releases(k.order),
                         .what = label_at(a, n.thread, cell)});
}

static void spawn(struct alone *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  struct explorer *x = a->x;
  thread_id t = 1;
  while (t < x->threads.len && (x->threads.at[t].parent != n.thread ||
                                x->threads.at[t].nth != n.spawns))
    t++;
  if (t >= x->threads.len || t >= MAX_THREADS) {
    give_up(a); // nobody has met this thread
    return;
  }
  add_crossing(a, from, node_at(a, t, vm_spawned(x->vm, n.state, t), 0));
  add_move(a, from, vm_step(x->vm, n.state, t),
           (struct move){.kind = MOVE_BARRIER});
}

static void end(struct alone *a, uint32_t from) {
  const struct node *n = &a->nodes.at[from];
  const struct access *k = vm_access(a->x->vm, n->state);
  array_push(&a->results,
             (struct result){from, n->thread, k->value, (undef_id)k->value2});
  a->has_moved = true;
}

// Joins are looked at whenever a thread has ended in a new way.
static void join(struct alone *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  uint64_t child = vm_access(a->x->vm, n.state)->value;
  for (uint32_t i = n.looked; i < a->results.len; i++) {
    const struct result r = a->results.at[i];
    if (r.thread != child)
      continue;
    add_crossing(a, r.node, from);
    add_move(a, from, vm_step_undef(a->x->vm, n.state, r.value, r.undef),
             (struct move){.kind = MOVE_BARRIER});
  }
  a->nodes.at[from].looked = a->results.len;
}

static void choose(struct alone *a, uint32_t from) {
  const struct access k = *vm_access(a->x->vm, a->nodes.at[from].state);
  if (k.value2 - k.value >= MOST_CHOICES) {
    give_up(a);
    return;
  }
  for (uint64_t v = k.value; v - k.value <= k.value2 - k.value; v++)
    add_move(a, from, vm_step(a->x->vm, a->nodes.at[from].state, v),
             (struct move){.kind = MOVE});
}

static void go_on(struct alone *a, uint32_t from, bool is_barrier) {
  add_move(a, from, vm_step(a->x->vm, a->nodes.at[from].state, 0),
           (struct move){.kind = is_barrier ? MOVE_BARRIER : MOVE});
}

// A weak compare-exchange may fail for no reason.
static void fail_weakly(struct alone *a, uint32_t from) {
  struct vm *vm = a->x->vm;
  state_id s = a->nodes.at[from].state;
  if (vm_access(vm, s)->flags & ACCF_WEAK)
    add_move(a, from, vm_step(vm, vm_weak(vm, s), 1),
             (struct move){.kind = MOVE});
}

static void leave_once(struct alone *a, uint32_t from) {
  const struct access k = *vm_access(a->x->vm, a->nodes.at[from].state);
  switch ((enum access_kind)k.kind) {
  case ACC_CAS_READ:
    fail_weakly(a, from);
    return;
  case ACC_WRITE:
  case ACC_RMW_WRITE:
  case ACC_UNLOCK:
    write_cell(a, from);
    return;
  case ACC_FENCE: // others do not order plain accesses
    go_on(a, from, k.order == ORD_ACQREL || k.order == ORD_SC);
    return;
  case ACC_ALLOC:
  case ACC_FREE:
  case ACC_DETACH:
  case ACC_OUTPUT:
    go_on(a, from, false);
    return;
  case ACC_SPAWN:
    spawn(a, from);
    return;
  case ACC_CHOOSE:
    choose(a, from);
    return;
  case ACC_END:
    end(a, from);
    return;
  case ACC_OBJECT_SIZE:
  case ACC_CELL_SIZE:
    give_up(a); // that depends on the graph
    return;
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
  case ACC_JOIN:
  case ACC_BLOCK:
  case ACC_EXIT:
  case ACC_ERROR:
    return;
  }
}

static void leave(struct alone *a, uint32_t from) {
  switch (
      (enum access_kind)vm_access(a->x->vm, a->nodes.at[from].state)->kind) {
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
    read_cells(a, from);
    break;
  case ACC_JOIN:
    join(a, from);
    break;
  default:
    break;
  }
  if (a->nodes.at[from].is_done)
    return;
  a->nodes.at[from].is_done = true;
  leave_once(a, from);
}

// ---- how much can be written

static uint32_t most_writes(struct alone *a) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      const struct move *m = &a->moves.at[i];
      uint32_t n = a->nodes.at[m->to].writes + (m->kind == MOVE_WRITE);
      if (n <= a->nodes.at[m->from].writes ||
          a->nodes.at[m->from].thread != a->nodes.at[m->to].thread)
        continue;
      if (n > MOST_WRITES)
        return NONE; // it writes in a loop
      a->nodes.at[m->from].writes = n;
      more = true;
    }
  }
  uint32_t of_thread[MAX_THREADS] = {0}, sum = 0;
  for (uint32_t i = 0; i < a->nodes.len; i++) {
    uint32_t *most = &of_thread[a->nodes.at[i].thread];
    *most = a->nodes.at[i].writes > *most ? a->nodes.at[i].writes : *most;
  }
  for (thread_id t = 0; t < MAX_THREADS; t++)
    sum += of_thread[t];
  return sum > MOST_WRITES ? NONE : sum;
}

// What was written can be read in the next round.
static bool begin_round(struct alone *a) {
  uint32_t n = a->readable.len;
  for (uint32_t i = 0; i < a->cells.len; i++)
    make_readable(a, i);
  return a->readable.len > n;
}

// Runs all threads, round by round.
static void run(struct alone *a) {
  for (uint32_t round = 0; begin_round(a) || round == 0; round++) {
    do {
      a->has_moved = false;
      for (uint32_t i = 0; i < a->nodes.len && !a->is_too_much; i++)
        leave(a, i);
    } while (a->has_moved && !a->is_too_much);
    uint32_t writes = a->is_too_much ? 0 : most_writes(a);
    if (a->is_too_much || (writes != NONE && round >= 2 * writes))
      return;
  }
}

struct alone *alone_new(struct explorer *x, const struct guesses *seen) {
  struct alone *a = xcalloc(1, sizeof *a);
  struct vm_mark mark = vm_mark(x->vm);
  a->x = x;
  for (uint32_t i = 0; i < seen->len; i++)
    cell_at(a, seen->at[i].loc, seen->at[i].value);
  node_at(a, 0, vm_main(x->vm), 0);
  run(a);
  vm_release(x->vm, mark);
  if (a->is_too_much) {
    alone_free(a);
    return NULL;
  }
  alone_find_returns(a);
  return a;
}

void alone_free(struct alone *a) {
  if (!a)
    return;
  array_done(&a->nodes);
  array_done(&a->moves);
  array_done(&a->cells);
  array_done(&a->readable);
  array_done(&a->labels);
  array_done(&a->results);
  free(a);
}
