// SPDX-License-Identifier: MIT
// Reads that have a value but no source yet. Where graphs with cycles of
// po ∪ rf have to be justified by others (justify.c), the cores are found like
// this: the program is explored with *guesses*, which say that a certain thread
// may read a certain value although nobody wrote it so far. In the graph such a
// read is a nondeterministic value, an event that has nothing to do with
// memory; so po ∪ rf has no cycle, and the search is the ordinary one. (A guess
// is never maximal, so that no revisit takes it back.) When the graph is
// complete, writes that fit are found for the guesses.
//
// No core is lost that way: a graph stays consistent when reads are taken out
// of it, since all axioms forbid cycles and pairs, and a read only adds to
// them.
#include "explore/findings/findings.h"
#include "explore/justify/alone.h"
#include "explore/justify/justify.h"
#include "explore/loops/loops.h"

// Finds the guesses that are in the graph.
static void find_guessed(struct explorer *x) {
  const struct graph *g = &x->g;
  x->guessed.len = 0;
  for (event_id e = g->events[INIT_EVENT].next; e != NO_EVENT;
       e = g->events[e].next)
    if (event_is_guess(&g->events[e]))
      array_push(&x->guessed, g->events[e].loc);
}

static uint32_t count_guessed(const struct explorer *x, uint32_t nth) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < x->guessed.len; i++)
    n += x->guessed.at[i] == nth;
  return n;
}

// Does one execution have all the guesses of x->guessed? (Those that stand in
// for others need not be there.)
static bool has_guessed(const struct explorer *x, const struct guess_set *s) {
  for (uint32_t i = 0; i < x->guessed.len; i++) {
    uint32_t nth = x->guessed.at[i];
    if (!x->guesses->at[nth].stands_in &&
        count_guessed(x, nth) > (nth < s->len ? s->at[nth] : 0))
      return false;
  }
  return true;
}

// May the nth guess be added to those that are there?
static bool goes_together(struct explorer *x, uint32_t nth) {
  if (count_guessed(x, nth) >= x->guesses->at[nth].allowed)
    return false;
  bool found = false;
  array_push(&x->guessed, nth);
  for (uint32_t i = 0; i < x->guesses->together.len && !found; i++)
    found = has_guessed(x, &x->guesses->together.at[i]);
  x->guessed.len--;
  return found;
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
  if (x->config.explore_retries || !s)
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
  return order == g->order && !(a->kind == ACC_LOCK_READ && g->value != 0);
}

static bool has_hope(struct explorer *x, thread_id t, uint32_t nth) {
  if (!x->alone)
    return true;
  uint64_t value = x->guesses->at[nth].value;
  state_id after = vm_step(x->vm, x->g.threads[t].state, value);
  return after && alone_may_guess(x->alone, x->guesses, t, nth, after);
}

void guess_find(struct explorer *x, thread_id t) {
  const struct access a = *vm_access(x->vm, x->g.threads[t].state);
  uint32_t first = x->options.len;
  bool has_looked = false;
  for (uint32_t i = 0; i < x->guesses->len; i++) {
    const struct guess *g = &x->guesses->at[i];
    if (!g->allowed || g->reader != t || g->loc != a.loc || !fits_access(g, &a))
      continue;
    if (!has_looked)
      find_guessed(x);
    has_looked = true;
    if (goes_together(x, i) && !goes_nowhere(x, t, g->value) &&
        has_hope(x, t, i))
      array_push(&x->options, i);
  }
  // What reserves a location needs a source.
  if (a.flags & ACCF_LINKED && x->options.len > first) {
    error_note_cut(x, "load buffering of a load that reserves its location");
    x->options.len = first;
  }
}

enum outcome guess_take(struct explorer *x, thread_id t, uint32_t nth) {
  state_id pre = x->g.threads[t].state;
  uint64_t value = x->guesses->at[nth].value;
  graph_add(&x->g, (struct event){.kind = EV_CHOICE,
                                  .flags = EVF_GUESS,
                                  .thread = (uint8_t)t,
                                  .loc = nth,
                                  .rf = NO_EVENT,
                                  .value = value,
                                  .pre = pre,
                                  .state = vm_step(x->vm, pre, value)});
  x->result.events_added++;
  x->has_update = true;
  return GO_ON;
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
      x->has_race |= e->kind == EV_READ && e->index < before;
    }
  }
}
