// SPDX-License-Identifier: MIT
// Loops without a bound. An await needs none (await.c); a loop that changes
// something in every round is followed as far as it goes. If it never ends, one
// execution grows until it has too many events: then the loop is named. With
// --unroll the user cuts such loops, and each cut is counted.
//
// A round is seen through its events: the thread comes again to the same
// instruction, in the same activation (the same chain of calls), without having
// left the loop in between. The loop may be that of a function which called the
// one that the event is in.
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

// The innermost function of a chain of calls that has a loop there, and the
// loop. p->len: none has.
static unsigned loop_of(const struct explorer *x, const struct place *p,
                        struct loop_range *loop) {
  unsigned i = 0;
  for (; i < p->len; i++) {
    *loop = loop_around(x->prog, p->chain[i]);
    if (loop->first <= loop->last)
      break;
  }
  return i;
}

static bool is_same_place(const struct place *p, const struct place *q) {
  return p->len == q->len &&
         memcmp(p->chain, q->chain, p->len * sizeof *p->chain) == 0;
}

// Is a place in the loop that function `depth` of the chain at `at` is in, in
// the same activation? It may be in a call.
static bool is_in_loop(const struct place *p, const struct place *at,
                       unsigned depth, struct loop_range loop) {
  unsigned above = at->len - depth; // this function and its callers
  if (p->len < above)
    return false;
  const site_id *here = p->chain + (p->len - above);
  return *here >= loop.first && *here <= loop.last &&
         memcmp(here + 1, at->chain + depth + 1, (above - 1) * sizeof *here) ==
             0;
}

// Is an access at the place one of several that the instruction makes? These
// are told apart by their locations.
static bool is_part(const struct explorer *x, const struct place *at,
                    const struct access *a) {
  enum op op = (enum op)x->prog->code.at[at->chain[0]].op;
  return op == OP_copy || op == OP_fill || (a->flags & ACCF_PIECE);
}

// How often thread t made the access that is next, which is at `at`, since it
// entered that loop.
static uint32_t rounds_at(const struct explorer *x, thread_id t,
                          const struct place *at, unsigned depth,
                          struct loop_range loop) {
  const struct access *next = vm_access(x->vm, x->g.threads[t].state);
  bool by_location = is_part(x, at, next);
  uint32_t rounds = 0;
  for (uint32_t i = graph_thread_length(&x->g, t); i-- > 1;) {
    event_id id = graph_at(&x->g, t, i);
    struct place p = place_of(x, x->g.events[id].pre);
    if (!is_in_loop(&p, at, depth, loop))
      break;
    rounds += is_same_place(&p, at) &&
              (!by_location || x->g.events[id].loc == next->loc);
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

// Has thread t gone around a loop as often as it may? Then it stops.
static bool cuts(struct explorer *x, thread_id t) {
  state_id now = x->g.threads[t].state;
  if (access_goes_on(vm_access(x->vm, now)))
    return false; // half an update would be left
  struct place at = place_of(x, now);
  struct loop_range loop;
  unsigned depth = loop_of(x, &at, &loop);
  uint32_t bound = depth < at.len ? bound_of(x, at.chain[depth]) : 0;
  if (!bound || rounds_at(x, t, &at, depth, loop) < bound)
    return false;
  const char *why = x->config.unrolls ? "--unroll" : "--yield-bound";
  graph_set_state(&x->g, t, vm_cut_short(x->vm, now, why));
  return true;
}

// Where in a loop is a thread in state s? False: in none.
static bool find_in_loop(const struct explorer *x, state_id s, site_id *pc) {
  struct loop_range loop;
  struct place p = place_of(x, s);
  unsigned depth = loop_of(x, &p, &loop);
  *pc = depth < p.len ? p.chain[depth] : NO_SITE;
  return depth < p.len;
}

// The instruction in a loop that thread t was at most often, or NO_SITE.
static site_id most_frequent(const struct explorer *x, thread_id t,
                             uint32_t *times) {
  uint32_t *count = xcalloc(x->prog->code.len, sizeof *count);
  site_id best = NO_SITE, pc;
  *times = 0;
  for (uint32_t i = 1; i < graph_thread_length(&x->g, t); i++) {
    const struct event *e = graph_event(&x->g, graph_at(&x->g, t, i));
    if (!find_in_loop(x, e->pre, &pc) || ++count[pc] <= *times)
      continue;
    *times = count[pc];
    best = pc;
  }
  free(count);
  return best;
}

static const struct event *event_at(const struct explorer *x, thread_id t,
                                    uint32_t index) {
  return graph_event(&x->g, graph_at(&x->g, t, index));
}

// Did a weak compare-exchange choose there? (Its read is at the same place.)
static bool is_weak_choice(const struct explorer *x, const struct event *e) {
  return e->kind == EV_CHOICE && (vm_access(x->vm, e->pre)->flags & ACCF_WEAK);
}

// Finds the last round of thread t in the loop around pc: from one event to the
// next at the same place.
static bool find_last_round(const struct explorer *x, thread_id t, site_id pc,
                            uint32_t *first, uint32_t *end) {
  struct place last = {.len = 0};
  site_id at;
  for (uint32_t i = graph_thread_length(&x->g, t); i-- > 1;) {
    state_id s = event_at(x, t, i)->pre;
    if (is_weak_choice(x, event_at(x, t, i)))
      continue;
    struct place p = place_of(x, s);
    if (last.len && is_same_place(&p, &last)) {
      *first = i;
      return true;
    }
    if (!last.len && find_in_loop(x, s, &at) && at == pc) {
      last = p;
      *end = i;
    }
  }
  return false;
}

// Has a weak compare-exchange of thread t failed for no reason again and again?
static bool fails_for_no_reason(const struct explorer *x, thread_id t) {
  enum { NEWEST = 1000, OFTEN = 10 };
  uint32_t len = graph_thread_length(&x->g, t), times = 0;
  for (uint32_t i = len > NEWEST ? len - NEWEST : 0; i < len; i++) {
    const struct event *e = event_at(x, t, i);
    times += is_weak_choice(x, e) && e->value;
  }
  return times >= OFTEN;
}

// Was thread t in the state before, in which it is at that index? (Not long
// before: a round has few events.)
static bool was_there(const struct explorer *x, thread_id t, uint32_t index) {
  enum { FAR = 200 };
  state_id s = event_at(x, t, index)->pre;
  for (uint32_t i = index; i-- > 1 && index - i < FAR;)
    if (event_at(x, t, i)->pre == s)
      return true;
  return false;
}

// What made the last round of a thread another one than a wait.
struct change {
  site_id at;
  bool is_known;   // it is something that the thread itself knows
  bool may_cancel; // the thread is where it was: its rounds write the same
};

static struct change change_of(const struct explorer *x, thread_id t,
                               site_id pc) {
  uint32_t first, end;
  if (!find_last_round(x, t, pc, &first, &end))
    return (struct change){.at = pc};
  state_id from = event_at(x, t, first)->pre, to = event_at(x, t, end)->pre;
  for (uint32_t i = end; i-- > first;)
    if (!trace_is_none(&x->g, graph_at(&x->g, t, i)))
      return (struct change){.at = vm_site(x->vm, event_at(x, t, i)->pre),
                             .may_cancel = was_there(x, t, first)};
  site_id at = rounds_change(x, loop_around(x->prog, pc), from, to, pc);
  return (struct change){.at = at, .is_known = true};
}

static const struct source *source_of(const struct explorer *x, site_id pc) {
  return &x->prog->source.at[pc];
}

// Where the instruction that thread t came to is, as users see it: what is in a
// header of the library is where they call it.
static void add_place(const struct explorer *x, thread_id t, site_id pc,
                      struct str *out) {
  const struct source *own = source_of(x, pc);
  const struct source *s = prog_outside(x->prog, own);
  site_id chain[MAX_CHAIN];
  for (uint32_t i = graph_thread_length(&x->g, t);
       s->header == IN_HEADER && i-- > 1;) {
    state_id at = event_at(x, t, i)->pre;
    unsigned n = vm_backtrace(x->vm, at, chain, MAX_CHAIN);
    for (unsigned k = 0; k < n && s->header == IN_HEADER; k++)
      if (chain[k] == pc)
        s = prog_outside(x->prog, source_of(x, vm_site(x->vm, at)));
  }
  if (own->header == IN_HEADER)
    str_add(out, "in %s, called at ", prog_text(x->prog, own->func));
  str_add(out, "%s:%u", prog_text(x->prog, s->file), s->line);
}

// The thread that made the most events, and the loop in which it was most of
// the time.
static enum outcome explain(struct explorer *x) {
  thread_id longest = 0;
  for (thread_id t = 1; t < x->g.nthreads; t++)
    if (graph_thread_length(&x->g, t) > graph_thread_length(&x->g, longest))
      longest = t;
  const struct event *last = graph_event(&x->g, graph_tail(&x->g, longest));
  struct str out = {0};
  uint32_t times;
  site_id pc = most_frequent(x, longest, &times), here;
  if (times >= 2) {
    struct change change = change_of(x, longest, pc);
    str_add(&out, "thread %u made %u events of one execution in a loop (",
            longest, times);
    add_place(x, longest, pc, &out);
    str_add(&out, "), which does not only wait: each round changes %s (",
            change.is_known ? "what its thread knows" : "something");
    add_place(x, longest, change.at, &out);
    str_add(&out, "). ");
    if (fails_for_no_reason(x, longest))
      str_add(&out, "A weak compare-exchange fails without a reason each "
                    "time, which --weak-cas strong leaves out. ");
    if (change.may_cancel)
      str_add(&out, "--net-effect-awaits takes it for waiting as long as no "
                    "other thread sees what a round takes back. ");
    str_add(&out,
            "--unroll N stops it after N rounds, %sand heddle_assume in its "
            "place goes on in the last round alone. If the loop ends by "
            "itself, give it fewer rounds, or lift the limit with "
            "--max-events 0",
            change.is_known ? "--read-bound N when it reads old values, " : "");
  } else if (last->index && vm_backtrace(x->vm, last->pre, &here, 1)) {
    str_add(&out, "thread %u made %u events in one execution, the last at ",
            longest, last->index + 1);
    add_place(x, longest, here, &out);
  }
  snprintf(x->result.detail, sizeof x->result.detail, "%s", str_text(&out));
  str_done(&out);
  return GO_ON;
}

static const char *why_not(const struct explorer *x) {
  return x->config.unrolls || x->config.yield_bound ? NULL
                                                    : "no option asks for it";
}

const struct mechanism unroll_hooks = {
    .why_not = why_not,
    .hides_graphs = true,
    .cuts = cuts,
};

const struct mechanism long_loops_hooks = {
    .too_long = explain,
};
