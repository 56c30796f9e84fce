// SPDX-License-Identifier: MIT
// Could a known execution justify any cycle at all? What is justified comes
// with an order of the threads (model/justify.h, model/xmm.c): what a thread
// reads of a greater one is committed, and so is an edge of rf, with the same
// labels, in the execution that justifies it. So for each order we run the
// threads alone once more (over.h), and each reads no more than
//  - what it, or a smaller thread, writes in that graph,
//  - what it reads of any thread in a known execution (an *edge*, by its
//    labels: a committed read of a smaller thread may come before its source),
//  - what main wrote before it created the first thread.
// If that has no cycle, in no order, nothing is justified, and no program has
// to be explored with guesses. Values that only grow, as in
//   for (...) x = x + y  ||  for (...) y = x + y
// come to an end there: the greater thread would have to write again what the
// smaller one has read, and that came from an execution.
//
// Why the graph has all that threads do in what is justified: by induction on
// po ∪ rf without the edges to committed reads, which has no cycle. A committed
// read has the value of an edge, or a first one, or that of a write of its own
// thread; any other one reads a write that comes before it there, and of no
// greater thread.
//
// (The order that is asked about may differ from that of the justification in
// who only writes, and comes first, and who only reads, and comes last. What is
// committed stays what it was, so there is no cycle without it; and an event
// that is not committed reads of no more threads than it may here. That what is
// committed is the least set for an order is not used. A known execution goes
// on to one that is complete, which has its edges, so only those are asked.)
//
// That needs one thing more: what a thread reads of itself. If no other thread
// writes a location, its thread reads what it has written last (coherence: all
// other writes come before that or after the read, by po), or, before the first
// of these, what was there when threads were created. Who writes what is known
// from the graph in which values do not count (over_may_have_cycles).
//
// Rounds of loops that are left out may justify what the executions do not, and
// are not asked here (justify.c).
#include "explore/cycles/justify/in_order.h"

#include "explore/cycles/justify/guesses.h"

enum { MOST_SORTED = 4 }; // threads whose order matters

static void offer_edges(struct over *a) {
  const struct guesses *edges = a->in_order->edges;
  for (uint32_t i = 0; i < edges->len; i++) {
    uint32_t cell = over_cell(a, edges->at[i].loc, edges->at[i].value);
    over_give(a, cell);
    over_offer(a, (struct offer){cell, (uint8_t)edges->at[i].reader, ANYONE});
  }
}

static bool has_cycles(struct explorer *x, uint64_t threads,
                       const struct in_order *in) {
  struct over *a = over_new_for(x, x->vm);
  a->in_order = in;
  a->generations = 1;
  offer_edges(a);
  bool found = !over_run(a) || over_has_overlaps(a);
  if (!found) {
    over_find_feedback(a);
    found = over_has_cycles(a, threads);
  }
  over_free(a);
  return found;
}

struct sorting {
  struct explorer *x;
  uint64_t threads, left; // those that are not sorted yet
  struct in_order in;
};

// Sorts the rest behind the threads that are smaller.
static bool has_cycles_behind(struct sorting *s, uint64_t smaller) {
  if (!s->left)
    return has_cycles(s->x, s->threads, &s->in);
  bool found = false;
  for (uint64_t rest = s->left; rest && !found; rest &= rest - 1) {
    uint64_t t = rest & -rest;
    s->in.before[__builtin_ctzll(t)] = smaller;
    s->left &= ~t;
    found = has_cycles_behind(s, smaller | t);
    s->left |= t;
  }
  return found;
}

// The threads that write what others read, and read what others write.
struct roles {
  uint64_t reads, writes;
};

static struct roles roles_of(const struct uses *u) {
  struct roles r = {0};
  for (uint32_t i = 0; i < u->len; i++) {
    const struct use *k = &u->at[i];
    for (thread_id t = 0; t < MAX_THREADS; t++) {
      uint64_t own = 1ull << t;
      r.reads |= k->writers & ~own ? k->readers & own : 0;
      r.writes |= k->readers & ~own ? k->writers & own : 0;
    }
  }
  return r;
}

bool orders_may_have_cycles(struct explorer *x, uint64_t threads,
                            const struct guesses *edges,
                            const struct uses *uses) {
  struct roles r = roles_of(uses);
  struct sorting s = {.x = x, .threads = threads, .left = r.reads & r.writes};
  if (!uses->is_known || __builtin_popcountll(s.left) > MOST_SORTED)
    return true;
  // Who does not write comes last, and who does not read is smaller than all
  // others: no edge is against that.
  uint64_t first = r.writes & ~r.reads;
  for (thread_id t = 0; t < MAX_THREADS; t++)
    s.in.before[t] = r.writes & ~(1ull << t);
  s.in.edges = edges;
  in_order_find_owned(x, uses, &s.in);
  return has_cycles_behind(&s, first);
}
