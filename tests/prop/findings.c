// SPDX-License-Identifier: MIT
// See findings.h. Races and the lives of objects are relations (findings.cat).
// Here is what concerns threads that stop: an assertion, a mutex that is used
// in a wrong way, and waiting for ever. The latter is an error only if every
// thread that has not ended waits (an assumption that fails makes the execution
// one that is not asked about), and if what they wait with is the newest there
// is: then no schedule, however fair, helps them.
#include "findings.h"

#define KIND(k) ((uint64_t)1 << (k))

const uint64_t findings_known =
    KIND(FIND_ASSERTION) | KIND(FIND_RACE) | KIND(FIND_USE_AFTER_FREE) |
    KIND(FIND_DOUBLE_FREE) | KIND(FIND_FREE_RACE) | KIND(FIND_ALLOC_RACE) |
    KIND(FIND_UNLOCK_NOT_HELD) | KIND(FIND_RELOCK) | KIND(FIND_DEADLOCK) |
    KIND(FIND_HANG);

// Does the read have the last write in co?
static bool reads_newest(const struct candidate *x, unsigned read) {
  const struct candidate_event *r = &x->events[read];
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if (e->kind == CAND_WRITE && e->loc == r->loc &&
        e->co > x->events[r->rf].co)
      return false;
  }
  return true;
}

static const struct candidate_event *before_in_co(const struct candidate *x,
                                                  unsigned write) {
  for (unsigned i = 0; i < x->n; i++) {
    const struct candidate_event *e = &x->events[i];
    if ((e->kind == CAND_WRITE || e->kind == CAND_INIT) &&
        e->loc == x->events[write].loc && e->co + 1 == x->events[write].co)
      return e;
  }
  fatal_internal(__FILE__, __LINE__, "a write before all others");
}

// -- mutexes

static uint64_t of_mutexes(const struct world *w, unsigned t) {
  uint64_t found = 0;
  for (unsigned i = 0; i < w->p->len[t]; i++) {
    uint8_t unlock = w->write_of[t][i];
    if (w->p->ops[t][i].kind == DO_UNLOCK && unlock != NOT_RUN &&
        before_in_co(&w->x, unlock)->value != t + 1)
      found |= KIND(FIND_UNLOCK_NOT_HELD);
  }
  if (w->status[t] == THREAD_BLOCKED && w->stop[t] == STOP_LOCK &&
      w->x.events[w->read_of[t][w->run[t].next]].value == t + 1)
    found |= KIND(FIND_RELOCK);
  return found;
}

// -- waiting

enum waiting {
  WAITS_NOT,     // it has ended, or was never created
  WAITS_WRONGLY, // the execution says nothing about waiting
  WAITS_FOR_OTHERS,
  WAITS_IN_LOOP,
};

// A loop around operations `first` to `last`.
static enum waiting waiting_in_loop(const struct world *w, unsigned t,
                                    unsigned first, unsigned last) {
  for (unsigned i = first; i < last; i++)
    if (w->read_of[t][i] != NOT_RUN && !reads_newest(&w->x, w->read_of[t][i]))
      return WAITS_WRONGLY;
  return WAITS_IN_LOOP;
}

static enum waiting waiting_of(const struct world *w, unsigned t, bool spins) {
  unsigned at = w->run[t].next;
  if (w->status[t] == THREAD_ENDED || w->status[t] == THREAD_ABSENT)
    return WAITS_NOT;
  if (w->status[t] == THREAD_RUNS) // to a join
    return WAITS_FOR_OTHERS;
  if (w->stop[t] == STOP_LOCK)
    return reads_newest(&w->x, w->read_of[t][at]) ? WAITS_FOR_OTHERS
                                                  : WAITS_WRONGLY;
  int first = spins ? program_awaited(w->p, t, at) : -1;
  return first < 0 ? WAITS_WRONGLY : waiting_in_loop(w, t, (unsigned)first, at);
}

static uint64_t of_waiting(const struct world *w, bool spins) {
  uint64_t found = 0;
  for (unsigned t = 0; t < w->p->nthreads; t++) {
    enum waiting how = waiting_of(w, t, spins);
    if (how == WAITS_WRONGLY)
      return 0;
    if (how == WAITS_IN_LOOP)
      found = KIND(FIND_HANG);
    else if (how == WAITS_FOR_OTHERS && !found)
      found = KIND(FIND_DEADLOCK);
  }
  return found;
}

uint64_t findings_of(const struct world *w, bool spins, enum oracle_model own) {
  uint64_t found = axioms_findings(&w->x, own) | of_waiting(w, spins);
  for (unsigned t = 0; t < w->p->nthreads; t++) {
    found |= of_mutexes(w, t);
    if (w->status[t] == THREAD_BLOCKED && w->stop[t] == STOP_ASSERTION)
      found |= KIND(FIND_ASSERTION);
  }
  return found;
}
