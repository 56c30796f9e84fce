// SPDX-License-Identifier: MIT
// Ticket locks, taken and given back in each round:
//
//   do {
//     t = fetch_add(&next, 1);               take
//     while (load(&owner) != t) {}
//     done = flag;
//     store(&owner, owner + 1);              give
//   } while (!done);
//
// Each round leaves other numbers behind. But nobody does anything with them
// than to compare them with each other; so a round that only reads in between
// is a failed round of an await, as with other locks (lockword.c), if this is
// true of the two words in all of the search:
//
//   - A thread that has no number takes one, by code that waits for its turn
//     and does nothing else with the number or with what it reads meanwhile, so
//     that it does the same with all numbers (bytecode/ticket.c).
//   - A thread whose turn it is adds 1 to `owner`, by code that does nothing
//     else with it.
//   - Nobody else accesses them, but for main before it creates threads.
//
// The writes to `next` are updates, one for each number. Who has number n has
// read n from `owner` and writes n + 1 there, so these writes are one after the
// other in co, too, each by a thread that has read the one before. Let G be an
// execution with a round R as above, and G' be G without it. Whoever has read
// what R wrote reads now what R has read, of each word, and all numbers behind
// R are one less. G' is an execution, and it has the errors of G:
//   - The threads do in G' what they did, since they do the same with all
//     numbers. (If the words have few bits, numbers come again; they do so in
//     both.)
//   - The model allows it. Events are taken out, which forbids nothing. Let S
//     read w instead of what R wrote. Of `owner`, R's read acquires and its
//     write releases, so what was before w was before S in G. Of `next`, R is
//     an update: it carries on the release sequence of w, and where
//     dependencies count, its write comes after its read. If w is by R's own
//     thread, its write comes after w, as a later write to the same location
//     that is an update or releases. If w is by the thread of S, S reads its
//     own write, which orders only what was ordered through R. So nothing is
//     ordered in G' that was not in G; eco of w and S is not new, either.
//   - Values are the same, but for the numbers, and less happens before: errors
//     are found as lockword.c says.
// That somebody takes numbers again and again and gets nowhere is not looked
// for (livelock.c).
//
// All this is asked of each access of the program. To see all of them the
// search begins again when the first round turns up, and once more, with all
// rounds, if something else is done with the words.
#include "bytecode/ticket.h"

#include "explore/loops/loops.h"

struct ticket_lock {
  loc_id next, owner;
  bool is_refuted;
};

void ticket_done(struct explorer *x) {
  array_done(&x->ticket_locks);
}

bool ticket_has(const struct explorer *x, loc_id loc) {
  for (uint32_t i = 0; i < x->ticket_locks.len; i++) {
    const struct ticket_lock *l = &x->ticket_locks.at[i];
    if (!l->is_refuted && (l->next == loc || l->owner == loc))
      return true;
  }
  return false;
}

// The instruction that a thread in that state is at.
static site_id site_of(const struct explorer *x, state_id s) {
  site_id pc;
  return s && vm_backtrace(x->vm, s, &pc, 1) ? pc : NO_SITE;
}

// Was a number taken with this write? Then the load that waits for its turn.
static site_id wait_of(const struct explorer *x, const struct event *write) {
  if (write->kind != EV_WRITE || !(write->flags & EVF_EXCLUSIVE))
    return 0;
  site_id pc = site_of(x, trace_read_of(&x->g, write)->pre);
  return pc == NO_SITE ? 0 : ticket_find_wait(x->prog, pc);
}

// The number after n in words of that size.
static uint64_t after(const struct explorer *x, loc_id loc, uint64_t n) {
  uint32_t size = vm_location(x->vm, loc)->size;
  return size < 8 ? (n + 1) & (((uint64_t)1 << 8 * size) - 1) : n + 1;
}

// -- what is asked of each access

enum phase { HAS_NONE, WAITS, HAS_TURN };

// Where a thread stands with a lock.
struct stand {
  enum phase phase;
  uint64_t number;
  site_id wait; // the load that waits for its turn
};

static const struct event_list *events_at(const struct graph *g, loc_id loc,
                                          thread_id t) {
  static const struct event_list none = {0};
  return loc < g->locs.len && (g->locs.at[loc].threads >> t & 1)
             ? &g->locs.at[loc].by_thread[t]
             : &none;
}

// The last write of the thread to the location, or NULL.
static const struct event *last_write(const struct graph *g, loc_id loc,
                                      thread_id t) {
  const struct event_list *mine = events_at(g, loc, t);
  for (uint32_t i = mine->len; i-- > 0;)
    if (g->events[mine->at[i]].kind == EV_WRITE)
      return &g->events[mine->at[i]];
  return NULL;
}

static struct stand stand_of(const struct explorer *x,
                             const struct ticket_lock *l, thread_id t) {
  const struct graph *g = &x->g;
  const struct event *take = last_write(g, l->next, t),
                     *give = last_write(g, l->owner, t);
  if (!take || !(take->flags & EVF_EXCLUSIVE) ||
      (give && give->index > take->index))
    return (struct stand){0};
  struct stand s = {WAITS, trace_read_of(g, take)->value, wait_of(x, take)};
  const struct event_list *mine = events_at(g, l->owner, t);
  for (uint32_t i = mine->len; i-- > 0;) {
    const struct event *e = &g->events[mine->at[i]];
    if (e->index < take->index)
      break;
    if (e->value == s.number)
      s.phase = HAS_TURN;
  }
  return s;
}

// Is main alone, as it is before it creates a thread?
static bool is_before_all(const struct explorer *x, thread_id t) {
  for (thread_id u = 1; u < x->g.nthreads; u++)
    if (graph_thread_length(&x->g, u))
      return false;
  return t == 0;
}

// Is the newest event of the thread the load of code that gives?
static bool has_read_to_give(const struct explorer *x,
                             const struct ticket_lock *l, thread_id t) {
  const struct event *e = &x->g.events[graph_tail(&x->g, t)];
  site_id pc =
      e->kind == EV_READ && e->loc == l->owner ? site_of(x, e->pre) : NO_SITE;
  return pc != NO_SITE && ticket_is_give(x->prog, pc);
}

static bool fits_next(const struct explorer *x, const struct access *a,
                      site_id pc, const struct stand *s) {
  return s->phase == HAS_NONE &&
         (a->kind == ACC_RMW_WRITE ||
          (a->kind == ACC_RMW_READ && ticket_find_wait(x->prog, pc)));
}

static bool fits_owner(const struct explorer *x, const struct ticket_lock *l,
                       thread_id t, const struct access *a, site_id pc,
                       const struct stand *s) {
  bool writes = a->kind == ACC_WRITE || a->kind == ACC_RMW_WRITE;
  bool reads = a->kind == ACC_READ || a->kind == ACC_RMW_READ;
  if (s->phase == WAITS)
    return a->kind == ACC_READ && pc == s->wait;
  if (s->phase == HAS_NONE)
    return false;
  return (reads && ticket_is_give(x->prog, pc)) ||
         (writes && has_read_to_give(x, l, t) &&
          a->value == after(x, l->owner, s->number));
}

static bool fits(const struct explorer *x, const struct ticket_lock *l,
                 thread_id t) {
  state_id state = x->g.threads[t].state;
  const struct access *a = vm_access(x->vm, state);
  bool has_place = access_has_location(a);
  if (is_before_all(x, t))
    return true;
  struct stand s = stand_of(x, l, t);
  if (!has_place || (a->loc != l->next && a->loc != l->owner))
    return s.phase != WAITS;
  site_id pc = site_of(x, state);
  if (pc == NO_SITE || (a->flags & (ACCF_UNINIT | ACCF_LINKED | ACCF_PIECE)) ||
      vm_next_overlap(x->vm, a->loc, NO_LOC) != NO_LOC)
    return false;
  return a->loc == l->next ? fits_next(x, a, pc, &s)
                           : fits_owner(x, l, t, a, pc, &s);
}

bool ticket_refutes(struct explorer *x, thread_id t) {
  for (uint32_t i = 0; i < x->ticket_locks.len; i++) {
    struct ticket_lock *l = &x->ticket_locks.at[i];
    if (!l->is_refuted && !fits(x, l, t)) {
      l->is_refuted = true;
      x->again |= AGAIN_WITH_MEMORY;
    }
  }
  return x->again;
}

bool ticket_is_over(const struct explorer *x, const struct event *e) {
  for (uint32_t i = 0; i < x->ticket_locks.len; i++) {
    const struct ticket_lock *l = &x->ticket_locks.at[i];
    if (!l->is_refuted && (l->next == e->loc || l->owner == e->loc))
      return stand_of(x, l, e->thread).phase == HAS_NONE;
  }
  return false;
}

// -- rounds

enum { MAX_TAKEN = 4 };

// The locks that a round has taken, one after the other.
struct taken {
  struct ticket_lock at[MAX_TAKEN];
  unsigned len;
  bool has_last; // it has the last one still,
  uint64_t number;
};

// A number was taken: what is read next is whose turn it is.
static bool note_take(const struct explorer *x, const struct event *e,
                      struct taken *ret) {
  const struct graph *g = &x->g;
  if (ret->len == MAX_TAKEN || ret->has_last || !wait_of(x, e) ||
      e->index + 1 >= graph_thread_length(g, e->thread))
    return false;
  const struct event *look = &g->events[graph_at(g, e->thread, e->index + 1)];
  if (look->kind != EV_READ)
    return false;
  ret->at[ret->len].next = e->loc;
  ret->at[ret->len++].owner = look->loc;
  ret->number = trace_read_of(g, e)->value;
  return ret->has_last = true;
}

// The lock is given back.
static bool note_give(const struct explorer *x, const struct event *e,
                      struct taken *ret) {
  if (!ret->has_last || ret->at[ret->len - 1].owner != e->loc ||
      e->value != after(x, e->loc, ret->number))
    return false;
  ret->has_last = false;
  return true;
}

// Does the round of thread t that begins at index `first` take a lock and give
// it back, and leave no other trace?
static bool gives_back(const struct explorer *x, thread_id t, uint32_t first,
                       struct taken *ret) {
  const struct graph *g = &x->g;
  for (uint32_t i = first; i < graph_thread_length(g, t); i++) {
    event_id id = graph_at(g, t, i);
    const struct event *e = &g->events[id];
    if (trace_is_none(g, id))
      continue;
    if (e->kind != EV_WRITE ||
        (e->flags & (EVF_UNLOCK | EVF_LINKED | EVF_PIECE | EVF_UNINIT)) ||
        !(note_give(x, e, ret) || note_take(x, e, ret)))
      return false;
  }
  return ret->len && !ret->has_last;
}

static bool is_known(const struct explorer *x, const struct ticket_lock *one,
                     bool may_be_refuted) {
  for (uint32_t i = 0; i < x->ticket_locks.len; i++) {
    const struct ticket_lock *l = &x->ticket_locks.at[i];
    if (l->next == one->next && l->owner == one->owner)
      return may_be_refuted || !l->is_refuted;
  }
  return false;
}

bool ticket_leaves_no_trace(const struct explorer *x, thread_id t,
                            uint32_t first) {
  struct taken all = {0};
  if (!gives_back(x, t, first, &all))
    return false;
  for (unsigned i = 0; i < all.len; i++)
    if (!is_known(x, &all.at[i], /*may_be_refuted=*/false))
      return false;
  return true;
}

bool ticket_is_waited_for(const struct explorer *x, const struct event *e) {
  if (e->kind != EV_WRITE || !ticket_has(x, e->loc))
    return false;
  for (thread_id t = 0; t < x->g.nthreads; t++) {
    if (t == e->thread || !graph_thread_length(&x->g, t))
      continue;
    const struct event *last = &x->g.events[graph_tail(&x->g, t)];
    if (last->kind == EV_READ && (last->flags & EVF_AWAIT) &&
        last->loc == e->loc)
      return true;
  }
  return false;
}

void ticket_look(struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  uint32_t newest = graph_newest_with(&x->g, e->thread, e->state);
  struct taken all = {0};
  if (e->kind == EV_READ || !newest || !reduces(&x->config, REDUCE_TICKETS) ||
      !lockword_is_possible(x) || !trace_goes_back(x, e->pre, e->state) ||
      !gives_back(x, e->thread, newest - 1, &all))
    return;
  for (unsigned i = 0; i < all.len; i++) {
    if (is_known(x, &all.at[i], /*may_be_refuted=*/true))
      continue;
    array_push(&x->ticket_locks, all.at[i]);
    x->again |= AGAIN_ALONE;
  }
}
