// SPDX-License-Identifier: MIT
// Happens-before of RC11 [Lahav et al., PLDI'17, §3] with C++20 release
// sequences, and the prefix po ∪ rf, as vector clocks that are computed when
// an event is added. Every model keeps both: races are defined by the
// language's hb, whatever the hardware orders.
//
//   sw = [⊒rel];([F];po)?;rs;rf;[R⊒rlx];(po;[F])?;[⊒acq]
//
// Read backwards: a write carries in `rel` what its readers may learn (its own
// past if it releases, the past of the newest release fence before it
// otherwise, and what the write carries that it updates). If it releases they
// learn of the write itself too; that goes without saying, so that such a write
// needs no clock of its own. A read that acquires learns it at once; a relaxed
// one keeps it in `acq` for the next acquire fence.
//
// Where all that communicates releases and acquires, the two clocks are the
// same one.
//
// Who knows a piece of an atomic write (pieces.c) knows the others, which
// follow at once.
//
// In models that know no non-atomic accesses (plain_syncs) these are relaxed
// ones here. Races are found all the same: the first two accesses in po ∪ rf
// that synchronise although one is non-atomic are a race themselves.
//
// ARM's barrier for loads does not wait for the read of an update whose old
// value no register gets (skips_noret), so such a read tells fences nothing.
// Nor do reads from the own thread: what the write of an update carries the
// update has read, and fences know that by its read, if by anything.
#include "graph/hb.h"

// `clock` and what is learned from write w.
static clock_id with_carried(struct graph *g, clock_id clock,
                             const struct event *w) {
  uint32_t count = order_releases(w->order) ? w->index + 1 + w->rest : 0;
  return clock_join(&g->clocks, clock, w->rel, w->thread, count);
}

static bool clocks_are_one(const struct event *e) {
  return e->hb == e->porf;
}

// Creating and joining threads orders like po, for fences as well: e comes
// after x and after everything that x comes after.
static void go_on_from(struct graph *g, struct event *e,
                       const struct event *x) {
  struct clocks *c = &g->clocks;
  bool are_one = clocks_are_one(e) && clocks_are_one(x);
  e->porf = clock_join(c, e->porf, x->porf, x->thread, x->index + 1);
  e->hb =
      are_one ? e->porf : clock_join(c, e->hb, x->hb, x->thread, x->index + 1);
  e->acq = clock_join(c, e->acq, x->acq, 0, 0);
  e->fenced = clock_join(c, e->fenced, x->fenced, 0, 0);
}

// Does e know by po all that its source, a write of its own thread, carries?
static bool knows_own(const struct event *e, const struct event *w) {
  return w->thread == e->thread && w->index < e->index &&
         !(w->flags & (EVF_EXCLUSIVE | EVF_UPDATE | EVF_LINKED));
}

static bool tells_fences(const struct graph *g, const struct event *e,
                         const struct event *w) {
  if (g->skips_noret && ((e->flags & EVF_NORET) || w->thread == e->thread))
    return false;
  return e->order != ORD_NA || g->plain_syncs;
}

static void read_from(struct graph *g, struct event *e) {
  if (e->rf == INIT_EVENT || e->rf == NO_EVENT)
    return;
  const struct event *w = &g->events[e->rf];
  if (knows_own(e, w))
    return;
  bool are_one = clocks_are_one(e) && clocks_are_one(w) &&
                 order_releases(w->order) && order_acquires(e->order);
  if (w->thread != e->thread || w->index > e->index)
    e->porf = clock_join(&g->clocks, e->porf, w->porf, w->thread,
                         w->index + 1 + w->rest);
  if (are_one)
    e->hb = e->porf;
  else if (order_acquires(e->order))
    e->hb = with_carried(g, e->hb, w);
  else if (tells_fences(g, e, w))
    e->acq = with_carried(g, e->acq, w);
}

// C++11: what the sequences of its own thread that e goes on with carry. They
// start with writes before e in co, from which nothing but writes of the thread
// and updates leads to e; of those that release the newest knows the most.
static clock_id goes_on_with(struct graph *g, const struct event *e) {
  const struct event_list *co = &g->locs.at[e->loc].co;
  clock_id carried = 0;
  for (uint32_t i = e->co; i-- > 1;) {
    const struct event *w = &g->events[co->at[i]];
    if (w->thread != e->thread && !ends_update(w))
      break;
    if (w->thread != e->thread || w->order == ORD_NA)
      continue;
    carried = clock_join(&g->clocks, carried, w->fenced, 0, 0);
    if (order_releases(w->order))
      return clock_join(&g->clocks, carried, w->hb, w->thread, w->index + 1);
  }
  return carried;
}

// What the update that write e ends has read from, if it is one.
static event_id updated(const struct graph *g, const struct event *e,
                        const struct event *pred) {
  if (e->flags & EVF_EXCLUSIVE)
    return pred->rf;
  event_id read = NO_EVENT;
  if (e->flags & EVF_LINKED)
    read = graph_reservation_of(g, e);
  else if (e->flags & EVF_UPDATE)
    read = graph_updated_piece(g, e->thread, e->index, e->loc);
  return read == NO_EVENT ? INIT_EVENT : g->events[read].rf;
}

static void write_carries(struct graph *g, struct event *e,
                          const struct event *pred) {
  if (g->c11_sequences && !ends_update(e))
    e->rel = goes_on_with(g, e);
  if (e->order == ORD_NA && !g->plain_syncs)
    return;
  if (order_releases(e->order))
    e->rel = e->hb;
  else
    e->rel = clock_join(&g->clocks, e->fenced, e->rel, 0, 0);
  event_id source = updated(g, e, pred);
  if (source != INIT_EVENT && source != NO_EVENT)
    e->rel = with_carried(g, e->rel, &g->events[source]);
}

static void fence_syncs(struct graph *g, struct event *e) {
  if (order_acquires(e->order)) {
    e->hb = clock_join(&g->clocks, e->hb, e->acq, 0, 0);
    e->acq = 0;
  }
  if (order_releases(e->order))
    e->fenced = clock_with(&g->clocks, e->hb, e->thread, e->index + 1);
}

// -- what happens before an access and may come after it in co

// ARMv8 orders whatever happens before by a way that it knows (its text,
// models/armv8.cat; L is a release store, A a load that acquires):
//
// - what comes before L in its thread, and what comes behind a full barrier:
//   po;[L], po;[dmb-full];po. Creating and joining are such barriers.
// - the write of an update behind the write that its read takes: rf of another
//   thread is in obs, and rmw in aob; one of the same thread is po & loc; [W].
// - what comes behind A, and behind a barrier for loads that has such a read
//   before it (which is all that fences learn from, see skips_noret): [A];po,
//   [R \ Noreturn];po;[dmb-ld];po. If the read takes its value from another
//   thread, that is obs.
//
// So, of accesses of one location in different threads, the one that happens
// before the other comes first in co: co, fr and rf from the second to the
// first, or to the write that the first reads, would close a cycle. (If that
// write is of the second one's thread, or all three are of one, coherence of
// po says it.) What is missing is A that reads an update of its own thread: it
// is behind the read of that update (rmw; rfi; [A | Q]), but not behind an
// earlier update of its thread, nor what that has read
// (tests/programs/dependencies/forwarded.c).
static bool reads_second_update(const struct graph *g, const struct event *e,
                                const struct event *w) {
  if (!order_acquires(e->order) || w->thread != e->thread || knows_own(e, w))
    return false;
  const struct event *pred = &g->events[graph_at(g, w->thread, w->index - 1)];
  event_id first = updated(g, w, pred);
  return first == NO_EVENT ||
         (first != INIT_EVENT && g->events[first].thread == e->thread &&
          !knows_own(e, &g->events[first]));
}

// Is the event to be marked (EVF_OWN)? Also if anything is that it learns from.
// Pieces are: how they are ordered is a question of the whole.
static bool is_marked(const struct graph *g, const struct event *e,
                      const struct event *before) {
  bool learns = e->kind == EV_READ || e->kind == EV_START || e->kind == EV_JOIN;
  if ((before->flags & EVF_OWN) || (e->flags & EVF_PIECE))
    return true;
  if (!learns || e->rf == INIT_EVENT || e->rf == NO_EVENT)
    return false;
  const struct event *from = &g->events[e->rf];
  return (from->flags & EVF_OWN) ||
         (e->kind == EV_READ && reads_second_update(g, e, from));
}

void hb_compute(struct graph *g, struct event *e, const struct event *pred) {
  static const struct event nothing;
  const struct event *before = pred ? pred : &nothing;
  e->hb = before->hb;
  e->porf = before->porf;
  e->acq = before->acq;
  e->fenced = before->fenced;
  e->rel = 0;
  if (g->coherence == COHERENCE_EXTERNAL)
    e->flags = (e->flags & ~(uint32_t)EVF_OWN) |
               (is_marked(g, e, before) ? EVF_OWN : 0);
  switch ((enum event_kind)e->kind) {
  case EV_READ:
    read_from(g, e);
    break;
  case EV_WRITE:
    write_carries(g, e, pred);
    break;
  case EV_FENCE:
    fence_syncs(g, e);
    break;
  case EV_START:
  case EV_JOIN:
    if (e->rf != NO_EVENT)
      go_on_from(g, e, &g->events[e->rf]);
    break;
  case EV_INIT:
  case EV_SPAWN:
  case EV_END:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
  case EV_CHOICE:
  case EV_OUTPUT:
  case EV_ANSWER:
    break;
  }
}
