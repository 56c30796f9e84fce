// SPDX-License-Identifier: MIT
// Reads that have a value but no source yet. Where graphs with cycles of
// po ∪ rf have to be justified by others (justify.c), the cores are found like
// this: the program is explored with *guesses*, which say that a certain thread
// may read a certain value although it was not written so far. In the graph
// such a read is a nondeterministic value, an event that has nothing to do with
// memory; so po ∪ rf has no cycle (forward.c says how such graphs are found).
// When nothing is to be added any more, writes that fit are found for the
// guesses.
//
// No core is lost that way: a graph stays consistent when reads are taken out
// of it, since all axioms forbid cycles and pairs, and a read only adds to
// them.
#include "explore/cycles/justify/justify.h"
#include "explore/findings/findings.h"
#include "explore/loops/loops.h"

// Events are added and taken back at the end of the graph, and each guess is
// noted when it is made: what is noted and is not there any more comes last.
void guess_find_guessed(struct explorer *x) {
  while (x->cycles.guessed.len &&
         (*array_last(&x->cycles.guessed) > x->g.last ||
          !event_is_guess(&x->g.events[*array_last(&x->cycles.guessed)])))
    x->cycles.guessed.len--;
#if HEDDLE_SLOW_CHECKS
  uint32_t n = 0;
  for (event_id e = x->g.events[INIT_EVENT].next; e != NO_EVENT;
       e = x->g.events[e].next)
    if (event_is_guess(&x->g.events[e]))
      check(n < x->cycles.guessed.len && x->cycles.guessed.at[n++] == e);
  check(n == x->cycles.guessed.len);
#endif
}

bool guess_may_be_added(const struct explorer *x, uint32_t nth) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->cycles.guessed.len; i++)
    n += x->g.events[x->cycles.guessed.at[i]].loc == nth;
  return n < x->cycles.guesses->at[nth].allowed;
}

static bool is_back(const struct explorer *x, thread_id t, state_id s) {
  return s == x->g.threads[t].state || await_is_back(x, t, s);
}

// Would thread t with this value come back to where it was, having changed
// nothing? As everywhere, the execution without that round stands for it
// (await.c).
static bool goes_nowhere(const struct explorer *x, thread_id t,
                         uint64_t value) {
  state_id s = vm_step(x->vm, x->g.threads[t].state, value);
  if (!explore_reduces(x, REDUCE_AWAITS) || !s)
    return false;
  const struct access a = *vm_access(x->vm, s);
  if (a.kind == ACC_RMW_WRITE && a.value == value)
    s = vm_step(x->vm, s, 0); // what is there already
  return s && is_back(x, t, s);
}

// Would the access be the read of the guess, if it gets its value?
static bool fits_access(const struct guess *g, const struct access *a) {
  uint8_t order;
  event_read_flags(a, g->value, /*is_uninit=*/false, &order);
  return order_reading((enum order)order) == g->order &&
         !(a->kind == ACC_LOCK_READ && g->value != 0);
}

void guess_find(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  uint32_t first = x->options.len;
  bool waits = pause_waits_since(x, t) != INIT_EVENT;
  if (explore_is_alone(x) && x->config.model->justifier)
    return; // what it reads comes before all that others do
  guess_find_guessed(x);
  for (uint32_t i = 0; i < x->cycles.guesses->len && !waits; i++) {
    const struct guess *g = &x->cycles.guesses->at[i];
    if (!g->allowed || g->reader != t || g->loc != a.loc || !fits_access(g, &a))
      continue;
    if (goes_nowhere(x, t, g->value))
      continue;
    if (guess_may_be_added(x, i))
      array_push(&x->options, i);
    else if (g->is_cut)
      error_note_cut(x, rounds_may_justify);
  }
  // What reserves a location needs a source, and so does a piece: what it
  // updates, and who has seen the rest of it, is asked of sources.
  if (a.kind == ACC_READ && (a.flags & (ACCF_LINKED | ACCF_PIECE)) &&
      x->options.len > first) {
    error_note_cut(x,
                   a.flags & ACCF_LINKED
                       ? "load buffering of a load that reserves its location"
                       : "load buffering of accesses of different size");
    x->options.len = first;
  }
}

enum outcome guess_take(struct explorer *x, thread_id t, uint32_t nth) {
  state_id pre = x->g.threads[t].state;
  uint64_t value = x->cycles.guesses->at[nth].value;
  guess_find_guessed(x);
  event_id id =
      graph_add(&x->g, (struct event){.kind = EV_CHOICE,
                                      .flags = EVF_GUESS,
                                      .thread = (uint8_t)t,
                                      .loc = nth,
                                      .rf = NO_EVENT,
                                      .value = value,
                                      .pre = pre,
                                      .state = vm_step(x->vm, pre, value)});
  array_push(&x->cycles.guessed, id);
  x->result.events_added++;
  return x->g.threads[t].state ? GO_ON : GO_BACK;
}

// ---- the writes that they may read

// Is the event one of the writes that the guess is about?
static bool is_written_by(const struct guess *k, const struct event *w) {
  return w->thread != k->reader &&
         (k->stands_in ||
          (k->writers[order_writing((enum order)w->order)] >> w->thread & 1));
}

// Does one access certainly see what the other one does? Where happens-before
// is not coherent, that is asked of each thread alone: the model judges the
// core.
static bool is_ordered(const struct graph *g, event_id a, event_id b) {
  const struct event *e = &g->events[a], *f = &g->events[b];
  return g->coherence == COHERENCE_HB
             ? graph_hb(g, a, b)
             : e->thread == f->thread && e->index < f->index;
}

// Is it coherent and atomic that guess r reads the write at this place of co,
// as far as another access goes? (If r belongs to an update, nothing is between
// the write and what that writes: what is not part of the core could be
// elsewhere.)
static bool agrees(const struct graph *g, struct vm *vm, event_id r,
                   uint32_t place, event_id access) {
  const struct event *e = &g->events[r], *other = &g->events[access];
  uint32_t at = graph_co_place(g, access);
  bool is_write = other->kind == EV_WRITE;
  if (is_ordered(g, access, r))
    return at <= place;
  if (!is_ordered(g, r, access))
    return true;
  bool is_update = is_write && other->thread == e->thread &&
                   other->index == e->index + 1 &&
                   vm_access(vm, other->pre)->kind == ACC_RMW_WRITE;
  return at >= place + is_write && !(is_update && at != place + 1);
}

// Is it so with all accesses?
static bool is_coherent(const struct graph *g, struct vm *vm, event_id r,
                        event_id w) {
  const struct graph_loc *l = &g->locs.at[g->events[w].loc];
  uint32_t place = g->events[w].co;
  for (uint32_t i = 1; i < l->co.len; i++)
    if (!agrees(g, vm, r, place, l->co.at[i]))
      return false;
  for (uint32_t i = 0; i < l->reads.len; i++)
    if (!agrees(g, vm, r, place, l->reads.at[i]))
      return false;
  return true;
}

bool guess_may_read(const struct explorer *x, event_id r, event_id w) {
  const struct event *e = &x->g.events[w];
  const struct guess *k = &x->cycles.guesses->at[x->g.events[r].loc];
  return e->value == k->value && !(e->flags & EVF_UNINIT) &&
         is_written_by(k, e) && graph_porf(&x->g, r, w) &&
         is_coherent(&x->g, x->vm, r, w);
}

void guess_look(struct explorer *x, thread_id t, uint32_t loc) {
  const struct graph *g = &x->g;
  const struct event *tail = &g->events[graph_tail(g, t)];
  const struct graph_loc *l = &g->locs.at[loc];
  for (uint64_t rest = l->threads & ~(1ull << t); rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    uint32_t before = clock_get(&g->clocks, tail->porf, u);
    uint32_t known = clock_get(&g->clocks, tail->hb, u);
    for (uint32_t i = l->by_thread[u].len; i-- > 0 && before > known;) {
      const struct event *e = &g->events[l->by_thread[u].at[i]];
      if (e->index < known)
        break;
      x->cycles.has_race |= e->kind == EV_READ && e->index < before;
    }
  }
}
