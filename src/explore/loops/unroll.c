// SPDX-License-Identifier: MIT
// Loops without a bound. An await needs none (await.c); a loop that changes
// something in every round is followed as far as it goes. If it never ends, one
// execution grows until it has too many events: then the loop is named. With
// --unroll the user cuts such loops, and each cut is counted.
//
// A round is seen through its events: the thread comes again to the same
// instruction, in the same activation (the same chain of calls), without having
// left the loop in between.
#include "explore/loops/loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CHAIN = 32 };

struct place {
  site_id chain[MAX_CHAIN]; // innermost first
  unsigned len;
};

static struct place place_of(const struct explorer *x, state_id s) {
  struct place p;
  p.len = vm_backtrace(x->vm, s, p.chain, MAX_CHAIN);
  return p;
}

// How often thread t made events at `at` since it entered the loop around it.
static uint32_t rounds_at(const struct explorer *x, thread_id t,
                          const struct place *at) {
  struct loop_range loop = loop_around(x->prog, at->chain[0]);
  uint32_t rounds = 0;
  for (uint32_t i = graph_thread_length(&x->g, t); i-- > 1;) {
    event_id id = graph_at(&x->g, t, i);
    struct place p = place_of(x, x->g.events[id].pre);
    // The frame of the loop, seen from the event: it may be in a call.
    if (p.len < at->len)
      break;
    site_id here = p.chain[p.len - at->len];
    if (here < loop.first || here > loop.last ||
        memcmp(p.chain + (p.len - at->len) + 1, at->chain + 1,
               (at->len - 1) * sizeof *at->chain) != 0)
      break;
    rounds += p.len == at->len && here == at->chain[0];
  }
  return rounds;
}

// The function that the loop around pc is written in; the code of a small one
// may have become part of its caller.
static const char *name_of_loop(const struct prog *p, uint32_t pc) {
  struct loop_range loop = loop_around(p, pc);
  uint32_t at = loop.first <= loop.last ? loop.last : pc;
  return prog_text(p, p->source.at[at].func);
}

static uint32_t bound_of(const struct explorer *x, uint32_t pc) {
  const struct func *f = prog_func_around(x->prog, pc);
  const struct loop_bound *u = x->config.unroll;
  const char *inner = x->config.unrolls ? name_of_loop(x->prog, pc) : "";
  for (uint32_t i = 0; i < x->config.unrolls; i++)
    if (!u[i].func || strcmp(u[i].func, inner) == 0 ||
        (f && strcmp(u[i].func, prog_text(x->prog, f->name)) == 0))
      return u[i].rounds;
  bool is_bounded =
      x->config.yield_bound && loop_yields(x->prog, loop_around(x->prog, pc));
  return is_bounded ? (uint32_t)x->config.yield_bound : 0;
}

bool unroll_cuts(struct explorer *x, thread_id t) {
  struct place at = place_of(x, x->g.threads[t].state);
  uint32_t bound = at.len ? bound_of(x, at.chain[0]) : 0;
  if (!bound || rounds_at(x, t, &at) < bound)
    return false;
  graph_set_state(&x->g, t, 0);
  return true;
}

bool unroll_was_cut(const struct explorer *x, thread_id t) {
  const struct event *last = &x->g.events[graph_tail(&x->g, t)];
  return !x->g.threads[t].state && last->kind != EV_END && !lock_waits(last) &&
         !(last->flags & EVF_AWAIT) && !retry_stopped(last);
}

// The instruction in a loop that thread t was at most often, or NO_SITE.
static site_id most_frequent(const struct explorer *x, thread_id t,
                             uint32_t *times) {
  uint32_t *count = xcalloc(x->prog->code.len, sizeof *count);
  site_id best = NO_SITE;
  *times = 0;
  for (uint32_t i = 1; i < graph_thread_length(&x->g, t); i++) {
    const struct event *e = graph_event(&x->g, graph_at(&x->g, t, i));
    site_id pc;
    if (!vm_backtrace(x->vm, e->pre, &pc, 1) || ++count[pc] <= *times)
      continue;
    struct loop_range loop = loop_around(x->prog, pc);
    if (loop.first > loop.last)
      continue;
    *times = count[pc];
    best = pc;
  }
  free(count);
  return best;
}

// An event of thread t in the loop around pc that changed something, or
// NO_EVENT.
static event_id change_in(const struct explorer *x, thread_id t, site_id pc) {
  struct loop_range loop = loop_around(x->prog, pc);
  for (uint32_t i = graph_thread_length(&x->g, t); i-- > 1;) {
    event_id id = graph_at(&x->g, t, i);
    const struct event *e = graph_event(&x->g, id);
    site_id at;
    if (e->kind != EV_READ && e->kind != EV_FENCE && e->kind != EV_ANSWER &&
        vm_backtrace(x->vm, e->pre, &at, 1) && at >= loop.first &&
        at <= loop.last)
      return id;
  }
  return NO_EVENT;
}

static const struct source *source_of(const struct explorer *x, site_id pc) {
  return &x->prog->source.at[pc];
}

// The thread that made the most events, and the loop in which it was most of
// the time.
void unroll_explain(struct explorer *x) {
  thread_id longest = 0;
  for (thread_id t = 1; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) > graph_thread_length(&x->g, longest))
      longest = t;
  const struct event *last = graph_event(&x->g, graph_tail(&x->g, longest));
  char *out = x->result.detail;
  size_t size = sizeof x->result.detail;
  uint32_t times;
  site_id pc = most_frequent(x, longest, &times), here;
  if (times < 2) {
    if (last->index && vm_backtrace(x->vm, last->pre, &here, 1))
      snprintf(out, size,
               "thread %u made %u events in one execution, the last at %s:%u",
               longest, last->index + 1,
               prog_text(x->prog, source_of(x, here)->file),
               source_of(x, here)->line);
    return;
  }
  event_id change = change_in(x, longest, pc);
  int n = snprintf(out, size,
                   "thread %u was %u times at %s:%u in one execution; the loop "
                   "is no await, since each round changes ",
                   longest, times, prog_text(x->prog, source_of(x, pc)->file),
                   source_of(x, pc)->line);
  if (n < 0 || (size_t)n >= size)
    return;
  const struct source *from =
      change == NO_EVENT
          ? NULL
          : source_of(x, vm_site(x->vm, graph_event(&x->g, change)->pre));
  if (from)
    snprintf(out + n, size - (size_t)n,
             "something (%s:%u). --unroll N cuts it after N rounds",
             prog_text(x->prog, from->file), from->line);
  else
    snprintf(out + n, size - (size_t)n,
             "what its thread knows. --unroll N cuts it after N rounds, "
             "--read-bound N when it reads old values");
}
