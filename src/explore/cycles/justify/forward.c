// SPDX-License-Identifier: MIT
// How graphs with guesses (guess.c) are found: by a plain search that adds each
// event once and revisits nothing. Wanted are cores, small beginnings of
// executions; the search that meets each execution once would meet all the
// executions around each core.
//   - A thread may stop for good, before its first event and behind each write:
//     nothing else is the last event of a thread that a core needs, but for
//     what creates or joins threads.
//   - A read takes a source that is there already, or a guess; or its thread
//     waits until there is another write of the location, and then takes that
//     one or waits on.
// So each core is built in one way: which thread is next is told by the graph,
// and of each read it is known whether its source is there already. There is
// always one that goes on, since without the edges to guesses po ∪ rf has no
// cycle.
//
// What is in the graph stays there in all that comes of it. So it may be left
// as soon as something in it cannot be completed any more (feasible.c).
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/justify/over.h"

// ---- threads that wait

void forward_find(struct explorer *x, thread_id t) {
  uint32_t first = x->options.len;
  guess_find(x, t);
  if (feasible_choose_guesses(x, t, first))
    array_push(&x->options, GUESS_WAIT);
}

enum outcome forward_guess(struct explorer *x, thread_id t, uint32_t option) {
  if (option != GUESS_WAIT)
    return guess_take(x, t, option);
  pause_set(x, t, x->g.last);
  return GO_ON;
}

// ---- threads that stop

bool forward_asks(const struct explorer *x, thread_id t) {
  const struct access *a = vm_access(x->vm, x->g.threads[t].state);
  return pause_may_stop(x, t) && !pause_of(x, t) && !access_goes_on(a) &&
         a->kind != ACC_SPAWN;
}

enum outcome forward_ask(struct explorer *x, thread_id t) {
  uint32_t first = x->options.len, option;
  if (feasible_lets_stop(x, t))
    array_push(&x->options, PAUSE_STOPS);
  if (!feasible_is_useless(x, t))
    array_push(&x->options, PAUSE_GOES);
  return choice_begin(x, CHOICE_PAUSE, t, NO_EVENT, first, &option)
             ? forward_pause(x, t, option)
             : GO_BACK;
}

enum outcome forward_pause(struct explorer *x, thread_id t, uint32_t option) {
  pause_set(x, t, option);
  return GO_ON;
}

// ---- when nothing more is added

enum outcome forward_end(struct explorer *x) {
  for (uint64_t rest = x->g.active & ~x->cycles.frozen; rest;
       rest &= rest - 1) {
    thread_id t = (thread_id)__builtin_ctzll(rest);
    if (pause_waits_since(x, t) != INIT_EVENT || !pause_may_stop(x, t))
      return GO_BACK;
  }
  if (feasible_is_left(x))
    x->observer.on_execution(x->observer.arg, x->vm, &x->g,
                             /*is_blocked=*/true);
  return GO_BACK;
}
