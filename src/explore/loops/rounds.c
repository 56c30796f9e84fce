// SPDX-License-Identifier: MIT
// Which loops wait, or try again, and yet have each number of rounds as another
// execution? They are named (--stats), with what keeps their failed rounds from
// being left out. Here complete executions are looked at, some of them: a
// thread that came back to a place in a loop, although it was not stopped there
// (await.c, retry.c). Only loops that end by what they read count; others have
// the rounds that the program says.
#include "bytecode/operand.h"
#include "explore/loops/loops.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST = 32, EVERY = 32, MAX_LOOKED = 1000, MAX_CHAIN = 32 };

struct rounds {
  bool are_named; // loops that poll are named, and there are some
  uint8_t *polls; // by instruction: is a loop around it that polls? or NULL
  ARRAY(uint8_t) polling; // by state: is it in such a loop?
};

static struct rounds *rounds_of(const struct explorer *x) {
  return x->state[MECHANISM_ROUNDS];
}

struct place {
  site_id chain[MAX_CHAIN]; // innermost first
  unsigned len;
};

static bool is_at(const struct explorer *x, state_id s, const struct place *p) {
  site_id chain[MAX_CHAIN];
  return vm_backtrace(x->vm, s, chain, MAX_CHAIN) == p->len &&
         memcmp(chain, p->chain, p->len * sizeof *chain) == 0;
}

site_id rounds_change(const struct explorer *x, struct loop_range loop,
                      state_id s, state_id t, site_id otherwise) {
  uint32_t slot = vm_differs_in(x->vm, s, t);
  struct operand o[4];
  for (uint32_t pc = loop.first; pc <= loop.last; pc++) {
    const struct insn *in = &x->prog->code.at[pc];
    unsigned n = insn_operands(in, o);
    for (unsigned i = 0; i < n; i++)
      if (o[i].written && slot - o[i].first < o[i].count)
        return pc;
    bool stores = in->op == OP_store || in->op == OP_copy || in->op == OP_fill;
    if (slot == NO_SLOT && stores)
      return pc;
  }
  return otherwise;
}

// The round of thread t from index `first` to `last` led back to where it
// began.
static void note_round(struct explorer *x, thread_id t, uint32_t first,
                       uint32_t last, struct loop_range loop) {
  const struct graph *g = &x->g;
  const struct event *from = graph_event(g, graph_at(g, t, first));
  const struct event *to = graph_event(g, graph_at(g, t, last));
  struct kept_loop kept = {.site = vm_site(x->vm, from->pre),
                           .why = KEPT_PRIVATE};
  for (uint32_t i = first; i <= last; i++) {
    event_id id = graph_at(g, t, i);
    if (trace_is_none(g, id))
      continue;
    kept.because_of = vm_site(x->vm, graph_event(g, id)->pre);
    kept.why = KEPT_TRACE;
    explore_keep_loop(&x->result, kept);
    return;
  }
  if (from->pre == to->state)
    return; // it waits by other means
  kept.because_of = rounds_change(x, loop, from->pre, to->state, kept.site);
  explore_keep_loop(&x->result, kept);
}

static bool is_named(const struct explorer *x, struct loop_range loop) {
  for (uint32_t i = 0; i < x->result.nkept_loops; i++)
    if (x->result.kept_loops[i].site >= loop.first &&
        x->result.kept_loops[i].site <= loop.last)
      return true;
  return false;
}

// Is there a loop around the instruction, and does it poll? That is asked once.
static bool polls(struct explorer *x, site_id pc) {
  enum { UNKNOWN, YES, NO };
  if (!rounds_of(x)->polls)
    rounds_of(x)->polls =
        xcalloc(x->prog->code.len, sizeof *rounds_of(x)->polls);
  if (rounds_of(x)->polls[pc] == UNKNOWN) {
    struct loop_range loop = loop_around(x->prog, pc);
    bool is_so = loop.first <= loop.last && loop_polls(x->prog, loop);
    rounds_of(x)->polls[pc] = is_so ? YES : NO;
  }
  return rounds_of(x)->polls[pc] == YES;
}

// The same of the place of a state. (The numbers of transient states are used
// again.)
static bool is_polling(struct explorer *x, state_id s) {
  enum { UNKNOWN, YES, NO };
  site_id pc;
  if (s >= x->g.transient_states)
    return vm_backtrace(x->vm, s, &pc, 1) && polls(x, pc);
  while (s >= rounds_of(x)->polling.len)
    array_push(&rounds_of(x)->polling, UNKNOWN);
  if (rounds_of(x)->polling.at[s] == UNKNOWN)
    rounds_of(x)->polling.at[s] =
        vm_backtrace(x->vm, s, &pc, 1) && polls(x, pc) ? YES : NO;
  return rounds_of(x)->polling.at[s] == YES;
}

// Did the event at index i of thread t end a round?
static void look_at(struct explorer *x, thread_id t, uint32_t i) {
  const struct graph *g = &x->g;
  const struct event *e = graph_event(g, graph_at(g, t, i));
  struct place p;
  if (!e->state || !is_polling(x, e->state) ||
      !vm_goes_back(x->vm, e->pre, e->state))
    return;
  p.len = vm_backtrace(x->vm, e->state, p.chain, MAX_CHAIN);
  struct loop_range loop = loop_around(x->prog, p.chain[0]);
  if (is_named(x, loop))
    return;
  for (uint32_t j = i + 1; j-- > 1;)
    if (is_at(x, graph_event(g, graph_at(g, t, j))->pre, &p)) {
      note_round(x, t, j, i, loop);
      return;
    }
}

// The first executions are looked at, and later a few. (`more` are not counted
// yet.)
static bool are_looked_at(const struct explorer *x, uint64_t more) {
  uint64_t n = x->result.executions + more;
  return n <= FIRST || (n <= MAX_LOOKED && n % EVERY == 0);
}

static bool are_next(struct explorer *x, uint32_t n) {
  for (uint32_t more = 1; more <= n && x->result.executions < MAX_LOOKED;
       more++)
    if (are_looked_at(x, more))
      return true;
  return false;
}

static void note(struct explorer *x, bool is_blocked, uint64_t stands_for) {
  (void)stands_for;
  if (is_blocked || !are_looked_at(x, 0))
    return;
  for (thread_id t = 0; t < x->g.nthreads; t++)
    for (uint32_t i = 1; i + 1 < graph_thread_length(&x->g, t) &&
                         x->result.nkept_loops < MAX_KEPT_LOOPS;
         i++)
      look_at(x, t, i);
}

static void init(struct explorer *x) {
  x->state[MECHANISM_ROUNDS] = xcalloc(1, sizeof(struct rounds));
  rounds_of(x)->are_named = x->config.names_loops && prog_polls(x->prog);
}

static void done(struct explorer *x) {
  free(rounds_of(x)->polls);
  array_done(&rounds_of(x)->polling);
  free(rounds_of(x));
}

static void begin(struct explorer *x) {
  rounds_of(x)->polling.len = 0; // states may have been forgotten
}

static const char *why_not(const struct explorer *x) {
  return rounds_of(x)->are_named && explore_reduces(x, REDUCE_AWAITS)
             ? NULL
             : "no loop is to be named";
}

const struct mechanism rounds_hooks = {
    .init = init,
    .done = done,
    .begin = begin,
    .why_not = why_not,
    .wants_whole = are_next,
    .was_counted = note,
};
