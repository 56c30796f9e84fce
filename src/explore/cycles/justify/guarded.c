// SPDX-License-Identifier: MIT
// Which accesses need no guess because a lock orders them, in models that guess
// their cores (model.h: MODEL_SECTIONS_ORDER). Plain data that is only used
// under a lock is the most ordinary thing in a kernel, and by the orders of
// feedback.c alone each of its reads could be on a cycle of po ∪ rf.
//
// A location is *guarded* by a lock if every access to it is made by a thread
// that holds the lock, but for those that main makes before it creates the
// first thread or after it has joined all: nothing that others do leads to the
// former, or is led to by the latter, so none of them is on a cycle. A lock
// that counts is taken by reads that acquire, given back by writes that release
// and by those alone who hold it, and written by nobody else. Then in each
// execution its sections follow each other in the co of its word: a read that
// takes it reads 0, from the write right before its own, so after a write that
// takes it comes none but that of the same thread that gives it back.
//
// Be e a read of a guarded location in section E, w the write that it reads, in
// section W of another thread. E is not before W: otherwise e comes, by po,
// before the release at the end of E (or of the last section of its thread
// before the next one of another thread), which is read by the acquire of a
// next section, and so on to the one that comes before w by po. In lkmm these
// are po-rel, rfe, acq-po, rfe, ..., acq-po: all but the ends are marked, so
// this is hb if e and w are marked, too, and else rw-xb from e to w; and rf
// from w to e is forbidden by happens-before or plain-rf. So W is before E, and
// there is a way from w to e by po and the rf of the lock.
//
// In each cycle of po ∪ rf let these ways stand for the rf of guarded
// locations. What then enters a thread is no guarded read, and what leaves one
// no guarded write: it is the lock, and acquire or release orders it with what
// is marked. So, as in feedback.c, somewhere the cycle enters a thread by a
// read and leaves it by a write that is not ordered behind it. Either that
// write is on the cycle itself, and not guarded; or it gives a lock back, and
// the read is plain: then it is on the cycle itself, and the cycle goes on,
// behind it, by a guarded write. (Nothing forbids that: happens-before does not
// lead into a plain read.) To guess what such writes write is enough: a guarded
// one counts as ordered behind marked reads, not behind plain ones, and guarded
// reads order nothing that is behind them, nor need to. What leads to what is
// still asked of the cycles themselves, so guarded reads are among that.
//
// What is held is a question to the graph of what threads could do alone: on
// all ways to a node. All that they do in an execution is in that graph.
#include "explore/cycles/justify/over_graph.h"

#include <stdlib.h>

enum { MOST_LOCKS = 64 };

// Sets of locks and of threads that main has joined, on all ways to a node.
struct held {
  uint64_t locks, joined;
};

struct guarded {
  struct over *a;
  uint32_t locks[MOST_LOCKS]; // locations
  unsigned n;
  struct held *held; // by node
  uint64_t wrong;    // locks that are also used in other ways
  uint64_t others;   // threads but main
};

static const struct access *access_at(const struct over *a, uint32_t node) {
  return vm_access(a->vm, a->nodes.at[node].state);
}

static uint64_t bit_of(const struct guarded *c, uint32_t loc) {
  for (unsigned i = 0; i < c->n; i++)
    if (c->locks[i] == loc)
      return UINT64_C(1) << i;
  return 0;
}

// Does the move find a lock free, which the next one takes?
static bool takes_lock(const struct over *a, const struct move *m) {
  const struct access *k = access_at(a, m->from);
  return m->kind == MOVE_READ &&
         (k->kind == ACC_LOCK_READ ||
          (k->kind == ACC_CAS_READ && (k->flags & ACCF_TRYLOCK) &&
           k->value == 0 && access_at(a, m->to)->kind == ACC_RMW_WRITE));
}

static bool is_crossing(const struct over *a, const struct move *m) {
  return a->nodes.at[m->from].thread != a->nodes.at[m->to].thread;
}

// Does main make the move before there are other threads, or after them?
static bool is_alone(const struct guarded *c, const struct move *m) {
  const struct node *n = &c->a->nodes.at[m->from];
  return n->thread == 0 &&
         (n->spawns == 0 || c->held[m->from].joined == c->others);
}

static void find_locks(struct guarded *c) {
  const struct over *a = c->a;
  for (uint32_t i = 0; i < a->nodes.len; i++) {
    const struct access *k = access_at(a, i);
    c->others |= UINT64_C(1) << a->nodes.at[i].thread;
    if ((k->kind == ACC_LOCK_READ ||
         (k->kind == ACC_CAS_READ && (k->flags & ACCF_TRYLOCK))) &&
        !bit_of(c, k->loc) && c->n < MOST_LOCKS)
      c->locks[c->n++] = k->loc;
  }
  c->others &= ~UINT64_C(1);
}

// What is held behind the move. A write to a lock by main alone, say to
// initialise it, leaves it free; is_misuse finds all other writes.
static struct held behind(const struct guarded *c, const struct move *m) {
  const struct over *a = c->a;
  const struct access *k = access_at(a, m->from);
  struct held h = c->held[m->from];
  if (takes_lock(a, m))
    h.locks |= bit_of(c, k->loc);
  if (m->kind == MOVE_WRITE && k->kind != ACC_RMW_WRITE)
    h.locks &= ~bit_of(c, k->loc);
  if (k->kind == ACC_JOIN)
    h.joined |= UINT64_C(1) << k->value;
  return h;
}

static void find_held(struct guarded *c) {
  const struct over *a = c->a;
  for (uint32_t i = 0; i < a->nodes.len; i++)
    c->held[i] = a->nodes.at[i].is_first ? (struct held){0}
                                         : (struct held){~0ull, ~0ull};
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = 0; i < a->moves.len; i++) {
      const struct move *m = &a->moves.at[i];
      if (is_crossing(a, m))
        continue;
      struct held now = behind(c, m), *to = &c->held[m->to];
      more |= (to->locks & ~now.locks) || (to->joined & ~now.joined);
      to->locks &= now.locks;
      to->joined &= now.joined;
    }
  }
}

// The locks of which nothing follows, since the move reads or writes the word
// in another way.
static uint64_t misused(const struct guarded *c, const struct move *m) {
  const struct over *a = c->a;
  const struct access *k = access_at(a, m->from);
  uint64_t lock = access_has_location(k) ? bit_of(c, k->loc) : 0;
  if (takes_lock(a, m))
    return m->is_strong ? 0 : lock;
  if (m->kind == MOVE_READ) // an update that does not take it
    return access_at(a, m->to)->kind == ACC_RMW_WRITE ? lock : 0;
  if (m->kind != MOVE_WRITE || k->kind == ACC_RMW_WRITE)
    return 0;
  bool is_release = m->is_unlock && m->is_strong;
  return (is_release && (c->held[m->from].locks & lock)) ||
                 (!m->is_unlock && is_alone(c, m))
             ? 0
             : lock;
}

// The locks that are held by all who access the location.
static uint64_t find_guards(const struct guarded *c, uint32_t loc) {
  const struct over *a = c->a;
  uint64_t guards = ~c->wrong;
  for (uint32_t i = 0; i < a->moves.len && guards; i++) {
    const struct move *m = &a->moves.at[i];
    if ((m->kind == MOVE_READ || m->kind == MOVE_WRITE) &&
        access_at(a, m->from)->loc == loc && !is_alone(c, m))
      guards &= c->held[m->from].locks;
  }
  return c->n < MOST_LOCKS ? guards & ((UINT64_C(1) << c->n) - 1) : guards;
}

static void mark(struct guarded *c) {
  struct over *a = c->a;
  bool *is_guarded = xcalloc(a->cells.len + 1, sizeof *is_guarded);
  for (uint32_t i = 0; i < a->cells.len; i++)
    is_guarded[i] =
        !bit_of(c, a->cells.at[i].loc) && find_guards(c, a->cells.at[i].loc);
  for (uint32_t l = 0; l < a->labels.len; l++)
    if (is_guarded[a->labels.at[l].cell])
      bit_add(a->guarded, l);
  for (uint32_t i = 0; i < a->moves.len; i++) {
    struct move *m = &a->moves.at[i];
    m->is_alone = m->kind == MOVE_READ && is_alone(c, m);
    m->is_guarded = m->kind == MOVE_READ && is_guarded[m->what];
  }
  free(is_guarded);
}

void over_find_guarded(struct over *a) {
  struct guarded c = {.a = a};
  c.held = xcalloc(a->nodes.len + 1, sizeof *c.held);
  find_locks(&c);
  find_held(&c);
  for (uint32_t i = 0; i < a->moves.len; i++)
    c.wrong |= misused(&c, &a->moves.at[i]);
  mark(&c);
  free(c.held);
}
