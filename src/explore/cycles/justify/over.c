// SPDX-License-Identifier: MIT
// See over.h. Each thread is run alone, from where it is created, with every
// value for its reads that a thread could write (a *cell* is a location with a
// value); a thread is a graph of nodes then, with moves between them. Values
// may grow without end, but not in an execution, which has only so many writes
// of each location (growth.c); and where all of them are updates, they follow
// each other (chains.c).
//
// On a cycle of po ∪ rf there is a guess whose write is not ordered, by
// acquire, release or fence, behind the read at which the cycle enters its
// thread (model/justify.h). So it has to be possible that
//  - the thread of the guessed write reads some cell, and then writes it
//    without such an order, and
//  - the guess is read by a thread that then writes something, which is read by
//    a thread that ..., which writes that cell.
// Otherwise the guess is on no cycle. Nor is it if all of this is about one
// location: that would be a cycle of coherence. All that is asked of the upper
// bound: each "then" on its own, whatever else the threads read. What
// happens-before forbids is a question of its own (hb_cycles.c).
#include "explore/cycles/justify/orders.h"
#include "explore/cycles/justify/over_graph.h"

#include <stdlib.h>

// ---- one thread alone

// The thread goes on with what its access yields.
static void step(struct over *a, uint32_t from, uint64_t value, undef_id undef,
                 struct move m) {
  state_id s = a->nodes.at[from].state;
  if (a->is_blind)
    blind_step(a, from, s, value, undef, m);
  else
    over_add_move(a, from, vm_step_undef(a->vm, s, value, undef), m);
}

// The location's first contents are a cell, too. Of an object they are
// undefined, or zero if it was allocated like that.
static void add_initial(struct over *a, uint32_t loc) {
  const struct location *l = vm_location(a->vm, loc);
  bool is_object = l->object != NO_OBJECT;
  uint32_t known = over_offers(a, loc)->initial;
  uint32_t cell =
      known ? known - 1 : over_cell(a, loc, is_object ? 0 : l->initial);
  over_offers(a, loc)->initial = cell + 1;
  a->cells.at[cell].is_initial = true;
  a->cells.at[cell].may_be_undefined = is_object || !l->is_initialized;
  over_begin_with(a, cell);
}

// Was the same cell offered before, by who writes it too?
static bool was_taken(const struct over *a, thread_id t,
                      const struct offers *all, uint32_t nth) {
  for (uint32_t i = 0; i < nth && a->in_order; i++)
    if (all->at[i].cell == all->at[nth].cell && over_takes(a, t, &all->at[i]))
      return true;
  return false;
}

// The thread alone writes the location, and has done so: it reads that
// (orders.c).
static void read_own(struct over *a, uint32_t from, const struct access *k,
                     uint32_t cell) {
  uint64_t value = a->cells.at[cell].value;
  if (a->nodes.at[from].looked++ || (k->kind == ACC_LOCK_READ && value) ||
      (k->kind == ACC_TAKE && !take_accepts(k, value)))
    return;
  over_add_move(a, from, vm_step(a->vm, a->nodes.at[from].state, value),
                (struct move){.kind = MOVE});
}

static void read_cells(struct over *a, uint32_t from) {
  struct vm *vm = a->vm;
  const struct access k = *vm_access(vm, a->nodes.at[from].state);
  thread_id t = a->nodes.at[from].thread;
  uint32_t place = over_owned(a, t, k.loc);
  if (place != NONE && a->nodes.at[from].own.cell[place] != NONE) {
    read_own(a, from, &k, a->nodes.at[from].own.cell[place]);
    return;
  }
  add_initial(a, k.loc);
  uint32_t i = a->nodes.at[from].looked;
  for (; i < a->readable.at[k.loc].len; i++) {
    const struct offers *all = &a->readable.at[k.loc];
    const struct offer o = all->at[i];
    const struct cell c = a->cells.at[o.cell];
    if ((k.kind == ACC_LOCK_READ && c.value) ||
        (k.kind == ACC_TAKE && !take_accepts(&k, c.value)) ||
        !over_takes(a, t, &o) || (place != NONE && o.writer == t) ||
        was_taken(a, t, all, i))
      continue;
    uint8_t order;
    event_read_flags(&k, c.value, /*is_uninit=*/false, &order);
    const struct move m = over_reading(a, from, order, o.cell);
    state_id s = a->nodes.at[from].state;
    over_add_move(a, from, vm_step(vm, s, c.value), m);
    if (c.may_be_undefined)
      over_add_move(a, from, vm_step_undef(vm, s, c.value, UNDEF_ALL), m);
  }
  a->nodes.at[from].looked = i;
}

static void write_cell(struct over *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  const struct access k = *vm_access(a->vm, n.state);
  if ((k.flags & ACCF_UNINIT) && !a->is_blind) {
    over_give_up(a);
    return;
  }
  uint32_t cell =
      a->is_blind ? blind_write(a, &k) : over_cell(a, k.loc, k.value);
  if (over_is_alone(a, &n)) {
    over_begin_with(a, cell);
    step(a, from, 0, UNDEF_NONE,
         (struct move){.kind = MOVE_SETS, .what = cell});
    return;
  }
  uint8_t order = (uint8_t)order_writing((enum order)k.order);
  uint32_t label = over_label(a, n.thread, order, cell);
  a->labels.at[label].is_plain |= k.kind == ACC_WRITE;
  step(a, from, 0, UNDEF_NONE,
       (struct move){.kind = MOVE_WRITE,
                     .order = order,
                     .is_strong = order_releases(order),
                     .is_unlock = k.kind == ACC_UNLOCK,
                     .what = label});
}

static thread_id find_child(const struct explorer *x, const struct node *n) {
  thread_id t = 1;
  while (t < x->threads.len && (x->threads.at[t].parent != n->thread ||
                                x->threads.at[t].nth != n->spawns))
    t++;
  return t;
}

static void spawn(struct over *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  struct explorer *x = a->x;
  thread_id t = find_child(x, &n);
  if (t == x->threads.len && t < MAX_THREADS && a->is_thin) {
    team_learn_thread(x, (struct child){n.thread, n.spawns});
    t = find_child(x, &n);
  }
  if (t >= x->threads.len || t >= MAX_THREADS) {
    over_give_up(a); // this thread was not met
    return;
  }
  a->creators |= 1ull << n.thread;
  uint32_t first =
      over_node(a, t, vm_spawned(a->vm, n.state, t), 0, &owns_nothing);
  a->nodes.at[first].is_first = true;
  over_add_crossing(a, from, first);
  step(a, from, t, UNDEF_NONE, (struct move){.kind = MOVE_BARRIER});
}

static void end(struct over *a, uint32_t from) {
  const struct node *n = &a->nodes.at[from];
  const struct access *k = vm_access(a->vm, n->state);
  array_push(&a->results,
             (struct result){from, n->thread, k->value, (undef_id)k->value2});
  a->has_moved = true;
}

// Joins are looked at whenever a thread has ended in a new way.
static void join(struct over *a, uint32_t from) {
  const struct node n = a->nodes.at[from];
  uint64_t child = vm_access(a->vm, n.state)->value;
  for (uint32_t i = n.looked; i < a->results.len; i++) {
    const struct result r = a->results.at[i];
    if (r.thread != child)
      continue;
    over_add_crossing(a, r.node, from);
    step(a, from, r.value, r.undef, (struct move){.kind = MOVE_BARRIER});
  }
  a->nodes.at[from].looked = a->results.len;
}

static void choose(struct over *a, uint32_t from) {
  const struct access k = *vm_access(a->vm, a->nodes.at[from].state);
  if (k.value2 - k.value >= MOST_CHOICES) {
    over_give_up(a);
    return;
  }
  for (uint64_t v = k.value; v - k.value <= k.value2 - k.value; v++)
    step(a, from, v, UNDEF_NONE, (struct move){.kind = MOVE});
}

// Does the fence order all accesses before it with all behind it? Others do not
// order plain accesses, or are something else to the models that know them.
static bool is_full_fence(const struct over *a, const struct access *k) {
  enum fence_kind kind = fence_kind_of(k->value);
  return (k->order == ORD_ACQREL || k->order == ORD_SC) &&
         (kind == FENCE_C11 || kind == FENCE_MB ||
          !a->x->config.model->guesses_cores);
}

static void go_on(struct over *a, uint32_t from, enum order order,
                  bool is_barrier) {
  step(a, from, 0, UNDEF_NONE,
       (struct move){.kind = is_barrier ? MOVE_BARRIER : MOVE,
                     .order = (uint8_t)order});
}

// A weak compare-exchange may fail for no reason.
static void fail_weakly(struct over *a, uint32_t from) {
  struct vm *vm = a->vm;
  state_id s = a->nodes.at[from].state;
  if (vm_access(vm, s)->flags & ACCF_WEAK)
    over_add_move(a, from, vm_step(vm, vm_weak(vm, s), 1),
                  (struct move){.kind = MOVE});
}

static void leave_once(struct over *a, uint32_t from) {
  const struct access k = *vm_access(a->vm, a->nodes.at[from].state);
  switch ((enum access_kind)k.kind) {
  case ACC_CAS_READ:
    if (!a->is_blind)
      fail_weakly(a, from);
    return;
  case ACC_WRITE:
  case ACC_RMW_WRITE:
  case ACC_UNLOCK:
    write_cell(a, from);
    return;
  case ACC_FENCE:
    go_on(a, from, (enum order)k.order, is_full_fence(a, &k));
    return;
  case ACC_ALLOC:
  case ACC_FREE:
  case ACC_DETACH:
  case ACC_OUTPUT:
    go_on(a, from, ORD_NA, /*is_barrier=*/false);
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
  case ACC_CLOCK:
    over_give_up(a); // that depends on the graph
    return;
  case ACC_CUT:
    if (!a->is_thin)   // else it has to get there with known values, too
      over_give_up(a); // what it would do is not known
    return;
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
  case ACC_JOIN:
  case ACC_BLOCK:
  case ACC_EXIT:
    return;
  case ACC_ERROR:
    if (k.value == FIND_ASSERTION && model_guesses(a->x->config.model))
      step(a, from, 0, UNDEF_NONE, (struct move){.kind = MOVE});
    a->is_lost |= k.value == FIND_UNINITIALIZED;
    if (a->is_blind && !a->is_thin && a->is_lost)
      over_give_up(a); // it may do anything
    return;
  }
}

// What it reads or writes is not known, nor where; see thin.c.
static bool is_passed_by(const struct over *a, uint32_t from) {
  const struct access *k = vm_access(a->vm, a->nodes.at[from].state);
  return access_has_location(k) && k->loc == NO_LOC;
}

static void leave(struct over *a, uint32_t from) {
  if (is_passed_by(a, from)) {
    a->is_lost = true;
    blind_pass(a, from);
    return;
  }
  switch ((enum access_kind)vm_access(a->vm, a->nodes.at[from].state)->kind) {
  case ACC_READ:
  case ACC_RMW_READ:
  case ACC_CAS_READ:
  case ACC_LOCK_READ:
  case ACC_TAKE:
    if (a->is_blind)
      blind_read(a, from);
    else
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

// Runs all threads, with more and more values to read.
static void run(struct over *a) {
  do {
    do {
      a->has_moved = false;
      for (uint32_t i = 0; i < a->nodes.len && !a->is_too_much; i++)
        leave(a, i);
    } while (a->has_moved && !a->is_too_much);
    if (a->is_thin)
      over_let_grow_thin(a);
    else if (a->is_blind)
      over_find_chains(a);
    else if (!a->is_too_much && !a->x->config.model->guesses_cores)
      over_let_grow(a); // else all values are given (thin.c)
  } while (a->has_moved && !a->is_too_much);
}

static void release(struct over *a) {
  if (a->has_states)
    vm_release(a->vm, a->mark);
  a->has_states = false;
}

struct over *over_new_for(struct explorer *x, struct vm *vm) {
  struct over *a = xcalloc(1, sizeof *a);
  a->x = x;
  a->vm = vm;
  a->mark = vm_mark(vm);
  a->has_states = true;
  return a;
}

static bool has_cell_of(const struct over *a, loc_id l) {
  for (uint32_t i = 0; i < a->cells.len; i++)
    if (a->cells.at[i].loc == l)
      return true;
  return false;
}

// What is cut is not accessed as a whole, and so there is no cell of it.
bool over_has_overlaps(const struct over *a) {
  for (uint32_t i = 0; i < a->cells.len; i++) {
    loc_id l = a->cells.at[i].loc;
    for (loc_id o = vm_next_overlap(a->vm, l, NO_LOC); o != NO_LOC;
         o = vm_next_overlap(a->vm, l, o))
      if (has_cell_of(a, o))
        return true;
  }
  return false;
}

bool over_run(struct over *a) {
  uint32_t first = over_node(a, 0, vm_main(a->vm), 0, &owns_nothing);
  a->nodes.at[first].is_first = true;
  run(a);
  return !a->is_too_much;
}

struct over *over_new(struct explorer *x, const struct guesses *seen) {
  struct over *a = over_new_for(x, x->vm);
  a->generations = seen ? 1 : 2;
  for (uint32_t i = 0; seen && i < seen->len; i++)
    over_give(a, over_cell(a, seen->at[i].loc, seen->at[i].value));
  if (!over_run(a) || over_has_overlaps(a)) {
    over_free(a);
    return NULL;
  }
  if (!seen)
    release(a);
  over_find_feedback(a);
  return a;
}

struct over *over_new_unknown(struct explorer *x, struct vm *blind,
                              bool is_coarse) {
  struct over *a = over_new_for(x, blind);
  a->is_blind = a->is_thin = true;
  a->is_coarse = is_coarse;
  if (!over_run(a) || (a->is_short && a->is_lost)) {
    over_free(a);
    return NULL;
  }
  over_find_feedback(a);
  return a;
}

bool over_may_have_cycles(struct explorer *x, struct uses *ret) {
  struct vm *vm =
      vm_new_blind(x->prog, vm_config_of(x->vm), /*passes_by=*/false);
  struct over *a = over_new_for(x, vm);
  a->is_blind = true;
  bool found = !over_run(a) || over_has_overlaps(a);
  if (!found) {
    over_find_feedback(a);
    found = over_has_cycles(a, ~0ull);
    over_find_uses(a, ret);
  }
  over_free(a);
  vm_free(vm);
  return found;
}

void over_free(struct over *a) {
  if (!a)
    return;
  release(a);
  array_done(&a->nodes);
  table_done(&a->table);
  array_done(&a->moves);
  array_done(&a->cells);
  for (uint32_t i = 0; i < a->readable.len; i++)
    array_done(&a->readable.at[i]);
  array_done(&a->readable);
  array_done(&a->known);
  array_done(&a->ways);
  array_done(&a->places);
  over_forget_chains(a);
  free(a->free_behind);
  free(a->closers);
  array_done(&a->labels);
  array_done(&a->results);
  free(a);
}
