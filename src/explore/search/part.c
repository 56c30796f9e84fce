// SPDX-License-Identifier: MIT
// All of the search, or a part of it: what begins with an empty graph, and, if
// the model needs that, what begins with each core that another execution
// justifies.
#include "explore/cycles/justify/justify.h"
#include "explore/cycles/promise/promise.h"
#include "explore/findings/findings.h"

// A read has raced with what comes after it, where graphs stand for others.
// They still do if there are no cycles of po ∪ rf in any case.
//
// Why: without a core the executions are those of rc11, of which the arguments
// of symmetry, rollback and rf are. Whether there may be a core is a question
// about the program (justify_is_possible), which no name of a thread and no
// graph that is explored has part in. So all that is to be shown is that it is
// asked if there is one. Take the first core that is justified, by an execution
// G without cycles. G leads from some read to its source by po ∪ rf ∪ race⁻¹
// (model/xmm.c), and by po ∪ rf alone that would be a cycle: so a read r races
// with a write w. A permutation of equal threads keeps po, rf and
// happens-before, and so does another co; so in what stands for G there is the
// same race. There r is before w by po ∪ rf, and not by happens-before, when w
// is next (guess_look): both are known from the event before w. If G has rounds
// that are left out, what stands for it may have no race: then it is asked at
// the end (look_at_hidden_races).
static void look_at_races(struct explorer *x) {
  x->cycles.has_vain_races = !justify_is_possible(x);
  while (!x->cycles.has_vain_races && explore_stands_for_others(x))
    hooks_meets_cycle(x, "a load may read what comes after it");
}

// What was left out may have had races that the rest has not.
static void look_at_hidden_races(struct explorer *x) {
  if (!x->config.model->justifier || x->cycles.has_vain_races ||
      !(hooks_hides_races(x) || x->cycles.has_detours))
    return;
  look_at_races(x);
  if (x->cycles.has_race || x->cycles.has_vain_races)
    return;
  x->cycles.has_race = true;
  x->restart |= x->team ? RESTART : 0u;
}

// Finds the cores that executions begin with. (Where they are justified, there
// are none without a race.)
static void find_cores(struct explorer *x, struct cores *ret) {
  x->is_complete = true;
  look_at_hidden_races(x);
  if (x->restart)
    return;
  if (x->config.model->justifier &&
      (!x->cycles.has_race || x->cycles.has_vain_races)) {
    x->cycles.has_passed =
        x->team && !x->cycles.has_race && !x->cycles.has_vain_races;
    return;
  }
  x->is_complete = justify_find(x, ret);
  x->result.cores += ret->len;
  for (uint32_t i = 0; i < ret->len; i++)
    ret->at[i]->number = i + 1;
  // Guided runs have no failed rounds, so none is before the cycles.
  if (ret->len && x->cycles.kept_rounds && !x->config.model->guesses_cores)
    error_note_cut(x, "races of rounds of a loop that waits with what load "
                      "buffering leads to");
  // Cores are not all that there are if they are promised, but some.
  if (x->cycles.gave_up) {
    promise_begin(x);
    x->restart |= RESTART;
  }
}

// What begins with a core.
static void explore_cores(struct explorer *x) {
  struct cores cores = {0};
  find_cores(x, &cores);
  for (uint32_t i = 0; i < cores.len && x->is_complete && !x->restart; i++) {
    x->cycles.start = cores.at[i];
    explore_from_root(x);
  }
  cores_drop(&cores);
}

// Are there cores that are to be found by guesses?
static bool has_guesses(const struct explorer *x) {
  return model_guesses(x->config.model) && !x->promises &&
         !x->config.model_options.in_pieces; // promise/pieces.c
}

// Of a search that is shared, what begins with cores is a task that yields one
// for each core. When it is done is open, so an explorer that learns later what
// leads to cores makes all begin again: that something races (write_step), that
// rounds are left out (detours_exist).
static void find_cores_for_others(struct explorer *x) {
  cores_drop(&x->cycles.found);
  x->is_complete = true;
  explore_go_to_root(x);
  hooks_begin(x);
  team_learn_all(x);
  if (has_guesses(x))
    find_cores(x, &x->cycles.found);
  if (!x->is_complete || x->restart)
    cores_drop(&x->cycles.found);
}

void explorer_note_work(struct explorer *x, uint64_t events) {
  x->cycles.work = events;
}

bool explore_part(struct explorer *x, const struct explore_task *task) {
  bool is_path = task && task->options.len;
  x->follows.task = is_path ? task : NULL;
  x->follows.mode = is_path ? FOLLOW : SEARCH;
  x->follows.before = x->result;
  for (;;) {
    x->cycles.start = task ? task->core : NULL;
    if (is_path)
      explore_from_task(x);
    else if (task && !task->core)
      find_cores_for_others(x);
    else
      explore_from_root(x);
    if (x->is_complete && hooks_is_refuted(x))
      x->is_complete = false;
    if (!task && !x->team && x->is_complete && has_guesses(x))
      explore_cores(x);
    if (!x->restart || x->team || x->result.limit)
      break;
    if (x->cycles.has_race && !x->cycles.has_vain_races &&
        explore_stands_for_others(x))
      look_at_races(x);
    if (x->restart & RESTART_STATES)
      justify_forget(x);
    explore_restart(x);
  }
  justify_forget(x);
  if (x->cycles.gave_up && !task)
    error_note_cut(x, x->cycles.gave_up);
  if (!x->team) // else what is left is given away, and begins with the core
    x->cycles.start = NULL;
  return x->is_complete && !x->result.limit;
}

const struct explore_result *explore(struct explorer *x) {
  explore_part(x, NULL);
  x->result.verdict = explore_verdict(&x->result);
  return &x->result;
}

bool explorer_sweep(struct explorer *x, struct explore_sweep *s) {
  x->follows = (struct follows){.mode = SEARCH};
  x->cycles.start = NULL;
  sweep_begin(x, s);
  explore_from_root(x);
  x->sweep = NULL;
  justify_forget(x);
  if (!x->is_complete || x->restart)
    return false;
  sweep_add_up(s);
  return true;
}
