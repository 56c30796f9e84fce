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
#include "explore/alone.h"

#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

enum {
  MOST_NODES = 6000,
  MOST_CELLS = 400,
  MOST_LABELS = 512,
  MOST_WRITES = 60, // of all threads together
  MOST_CHOICES = 16,
  WORDS = MOST_LABELS / 64,
  NONE = UINT32_MAX,
};

struct cell {
  uint32_t loc;
  uint64_t value;
  bool is_readable; // in this round
};

struct label {
  thread_id thread;
  uint32_t cell;
};

enum move_kind { MOVE, MOVE_BARRIER, MOVE_READ, MOVE_WRITE };

struct move {
  uint8_t kind;
  bool is_strong; // a read that acquires, a write that releases
  uint32_t from, to;
  uint32_t what; // cell that is read, label that is written
};

struct node {
  state_id state;
  thread_id thread;
  uint32_t spawns;
  uint32_t looked; // at so many cells or results, of a read or join
  bool is_done;    // the same for all else
  uint32_t writes; // at most, from here on
  uint64_t later[WORDS], free[WORDS]; // labels: written from here on; without
                                      // an order that keeps them behind
};

struct result {
  uint32_t node;
  thread_id thread;
  uint64_t value;
  undef_id undef;
};

struct alone {
  struct explorer *x;
  ARRAY(struct node) nodes;
  ARRAY(struct move) moves;
  ARRAY(struct cell) cells;
  ARRAY(uint32_t) readable; // of the cells, oldest first
  ARRAY(struct label) labels;
  ARRAY(struct result) results; // of threads that ended
  uint32_t slots[4 * MOST_NODES];
  bool is_too_much, has_moved;
  // Bit b of reach[l]: what reads label l may lead to label b.
  uint64_t reach[MOST_LABELS][WORDS];
};

static bool has_bit(const uint64_t *set, uint32_t i) {
  return set[i / 64] >> i % 64 & 1;
}

static void add_bit(uint64_t *set, uint32_t i) {
  set[i / 64] |= 1ull << i % 64;
}

// Adds one set to another; says whether that has changed.
static bool add_set(uint64_t *set, const uint64_t *other) {
  uint64_t fresh = 0;
  for (unsigned i = 0; i < WORDS; i++) {
    fresh |= other[i] & ~set[i];
    set[i] |= other[i];
  }
  return fresh;
}

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

// ---- what leads to what

static void find_later(struct alone *a) {
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      const struct move *m = &a->moves.at[i];
      struct node *n = &a->nodes.at[m->from];
      const struct node *to = &a->nodes.at[m->to];
      uint64_t own[WORDS] = {0};
      if (m->kind == MOVE_WRITE)
        add_bit(own, m->what);
      more |= add_set(n->later, to->later) | add_set(n->later, own);
      if (m->kind != MOVE_BARRIER)
        more |= add_set(n->free, to->free);
      if (m->kind == MOVE_WRITE && !m->is_strong)
        more |= add_set(n->free, own);
    }
  }
}

// Who reads a label of another thread may go on to other labels.
static void find_reach(struct alone *a) {
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    for (uint32_t l = 0; l < a->labels.len && m->kind == MOVE_READ; l++)
      if (a->labels.at[l].cell == m->what &&
          a->labels.at[l].thread != a->nodes.at[m->from].thread)
        add_set(a->reach[l], a->nodes.at[m->to].later);
  }
  for (uint32_t k = 0; k < a->labels.len; k++)
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (has_bit(a->reach[l], k))
        add_set(a->reach[l], a->reach[k]);
}

static uint32_t loc_of(const struct alone *a, uint32_t l) {
  return a->cells.at[a->labels.at[l].cell].loc;
}

// The labels to which label l leads in such a way that, closed to a cycle, it
// has more than one location. (If not, it would be a cycle of coherence.)
static void find_way(const struct alone *a, uint64_t reach[MOST_LABELS][WORDS],
                     uint32_t l, uint64_t *ret) {
  memset(ret, 0, WORDS * sizeof *ret);
  for (uint32_t m = 0; m < a->labels.len; m++)
    if (has_bit(reach[l], m) && loc_of(a, m) != loc_of(a, l)) {
      add_bit(ret, m);
      add_set(ret, reach[m]);
    }
}

// Has the set a label of another thread than t with this cell?
static bool has_other(const struct alone *a, const uint64_t *set, thread_id t,
                      uint32_t cell) {
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (a->labels.at[l].cell == cell && a->labels.at[l].thread != t &&
        has_bit(set, l))
      return true;
  return false;
}

// Can the thread of label l write it, without order, behind a read of a cell
// that l leads to?
static bool comes_back(struct alone *a, uint32_t l) {
  thread_id t = a->labels.at[l].thread;
  uint64_t way[WORDS];
  bool was_asked[MOST_CELLS] = {0}; // in vain
  find_way(a, a->reach, l, way);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    if (m->kind != MOVE_READ || m->is_strong || was_asked[m->what] ||
        a->nodes.at[m->from].thread != t ||
        !has_bit(a->nodes.at[m->to].free, l))
      continue;
    if (has_other(a, way, t, m->what))
      return true;
    was_asked[m->what] = true;
  }
  return false;
}

bool alone_has_cycles(struct alone *a, uint64_t threads) {
  for (uint32_t l = 0; l < a->labels.len; l++)
    if ((threads >> a->labels.at[l].thread & 1) && comes_back(a, l))
      return true;
  return false;
}

// ---- threads that have nothing to do with each other

// The threads that access a location.
static uint64_t users_of(const struct alone *a, uint32_t loc) {
  uint64_t found = 0;
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    uint32_t cell = m->kind == MOVE_READ    ? m->what
                    : m->kind == MOVE_WRITE ? a->labels.at[m->what].cell
                                            : NONE;
    if (cell != NONE && a->cells.at[cell].loc == loc)
      found |= 1ull << a->nodes.at[m->from].thread;
  }
  return found;
}

static bool is_first_of_loc(const struct alone *a, uint32_t cell) {
  for (uint32_t i = 0; i < cell; i++)
    if (a->cells.at[i].loc == a->cells.at[cell].loc)
      return false;
  return true;
}

uint32_t alone_groups(const struct alone *a, uint64_t ret[MAX_THREADS]) {
  uint64_t creators = 1, all = 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < a->nodes.len; i++) {
    all |= 1ull << a->nodes.at[i].thread;
    if (a->nodes.at[i].spawns)
      creators |= 1ull << a->nodes.at[i].thread;
  }
  for (thread_id t = 0; t < MAX_THREADS; t++)
    if ((all & ~creators) >> t & 1)
      ret[n++] = 1ull << t;
  for (uint32_t c = 0; c < a->cells.len; c++) {
    if (!is_first_of_loc(a, c))
      continue;
    uint64_t users = users_of(a, a->cells.at[c].loc);
    if ((users & creators) && (users & (users - 1)))
      users = all; // who creates threads has to do with all of them
    uint64_t joint = 0;
    for (uint32_t i = n; i-- > 0;)
      if (ret[i] & users) {
        joint |= ret[i];
        ret[i] = ret[--n];
      }
    if (joint)
      ret[n++] = joint;
  }
  for (uint32_t i = 0; i < n; i++)
    ret[i] |= creators;
  return n;
}

// ---- which guesses are needed

// Is the read move one of those that the guess may stand for?
static bool is_of_guess(const struct alone *a, const struct move *m,
                        const struct guess *g) {
  const struct cell *c = &a->cells.at[m->what];
  return m->kind == MOVE_READ && a->nodes.at[m->from].thread == g->reader &&
         c->loc == g->loc && c->value == g->value;
}

static bool is_allowed(const struct alone *a, const struct guesses *g,
                       const struct move *m) {
  for (uint32_t i = 0; i < g->len; i++)
    if (g->at[i].allowed && is_of_guess(a, m, &g->at[i]))
      return true;
  return false;
}

// How often can a thread read a location? NONE: there is no end to it.
static uint32_t most_reads(const struct alone *a, thread_id t, uint32_t loc) {
  uint32_t *n = xcalloc(a->nodes.len, sizeof *n), most = 0;
  for (bool more = true; more && most <= MOST_WRITES;) {
    more = false;
    for (uint32_t i = a->moves.len; i-- > 0;) {
      const struct move *m = &a->moves.at[i];
      if (a->nodes.at[m->from].thread != t || a->nodes.at[m->to].thread != t)
        continue;
      uint32_t now =
          n[m->to] + (m->kind == MOVE_READ && a->cells.at[m->what].loc == loc);
      if (now <= n[m->from])
        continue;
      n[m->from] = now;
      most = now > most ? now : most;
      more = true;
    }
  }
  free(n);
  return most > MOST_WRITES ? NONE : most;
}

// Edges from label to label, without those that are guessed otherwise.
static void find_unguessed(const struct alone *a, const struct guesses *g,
                           uint64_t reach[MOST_LABELS][WORDS]) {
  memset(reach, 0, MOST_LABELS * sizeof *reach);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    if (m->kind != MOVE_READ || is_allowed(a, g, m))
      continue;
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (a->labels.at[l].cell == m->what &&
          a->labels.at[l].thread != a->nodes.at[m->from].thread)
        add_set(reach[l], a->nodes.at[m->to].later);
  }
  for (uint32_t k = 0; k < a->labels.len; k++)
    for (uint32_t l = 0; l < a->labels.len; l++)
      if (has_bit(reach[l], k))
        add_set(reach[l], reach[k]);
}

// Is the guess on a cycle in which nothing else is guessed?
static bool is_needed(const struct alone *a, struct guesses *g, uint32_t nth) {
  static _Thread_local uint64_t reach[MOST_LABELS][WORDS];
  struct guess *k = &g->at[nth];
  k->allowed = 0;
  find_unguessed(a, g, reach);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    const struct move *m = &a->moves.at[i];
    for (uint32_t l = 0; l < a->labels.len && is_of_guess(a, m, k); l++)
      if (a->labels.at[l].cell == m->what &&
          a->labels.at[l].thread != k->reader) {
        uint64_t way[WORDS];
        find_way(a, reach, l, way);
        if (has_bit(way, l))
          return true;
      }
  }
  return false;
}

// May a write that the guess stands for be on a cycle?
static bool may_return(struct alone *a, const struct guess *g) {
  for (uint32_t l = 0; l < a->labels.len; l++) {
    const struct cell *c = &a->cells.at[a->labels.at[l].cell];
    if (c->loc == g->loc && c->value == g->value &&
        a->labels.at[l].thread != g->reader && comes_back(a, l))
      return true;
  }
  return false;
}

void alone_choose(struct alone *a, struct guesses *g) {
  bool is_bounded = true;
  for (uint32_t i = 0; i < g->len; i++)
    if (!may_return(a, &g->at[i]))
      g->at[i].allowed = 0;
  // If guesses stand for each other, there must be enough of those that stay.
  for (uint32_t i = 0; i < g->len; i++) {
    struct guess *k = &g->at[i];
    uint32_t most = k->allowed ? most_reads(a, k->reader, k->loc) : 0;
    is_bounded &= most != NONE;
    if (most != NONE && most > k->allowed && k->allowed)
      k->allowed = most;
  }
  for (uint32_t i = g->len; is_bounded && i-- > 0;) {
    uint32_t allowed = g->at[i].allowed;
    if (allowed)
      g->at[i].allowed = is_needed(a, g, i) ? allowed : 0;
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
  find_later(a);
  find_reach(a);
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
