// SPDX-License-Identifier: MIT
// Who looks for cores, and among which threads: threads that have no memory in
// common are looked at on their own (justify.c), all by one scout.
#include "explore/cycles/justify/groups.h"
#include "explore/cycles/justify/orders.h"
#include "explore/findings/findings.h"
#include "explore/memory/memory.h"

#include <stdlib.h>

// It is kept from when it is asked whether anything could be justified until
// that is found: what threads could do alone is the same then.
struct scout {
  uint32_t threads;               // that were known then
  struct assumptions known;       // with how memory was cut then
  struct explorer *x;             // NULL: nothing is to be found
  struct uses uses;               // which threads use what
  ARRAY(struct justify *) groups; // of threads that may have cycles
};

// Threads that have no memory in common are looked at on their own: what one
// group does, and what justifies it, leaves the others as they are.
static void find_groups(struct explorer *x, struct scout *s, struct over *a) {
  uint64_t groups[MAX_THREADS] = {~0ull};
  uint32_t n = a ? over_groups(a, groups) : 1;
  if (a && !over_has_cycles(a, ~0ull))
    return;
  for (uint32_t i = 0; i < n; i++)
    if (n == 1 || over_has_cycles(a, groups[i]))
      array_push(&s->groups, group_new(x, s->x, groups[i], &s->uses));
  for (uint32_t i = 0; i < s->groups.len; i++)
    group_foresee(s->groups.at[i], a);
}

// Memory is cut for the scout as it is for x, whose executions have shown that:
// otherwise parts of what is written would be read as something else.
static void learn_cells(struct assumptions *known, const struct explorer *x) {
  struct assumptions cells = {0};
  cells_tell(x, &cells);
  assume_join(known, &cells);
  assume_done(&cells);
}

static struct explorer *new_scout(struct explorer *x,
                                  const struct assumptions *known) {
  const struct observer observer = group_observer(x);
  struct explorer *scout = scout_for(x, known, &observer);
  scout->cycles.left = xcalloc(1, sizeof *scout->cycles.left);
  return scout;
}

static struct scout *scout_new(struct explorer *x) {
  struct scout *s = xcalloc(1, sizeof *s);
  s->threads = x->threads.len;
  if (x->assumed)
    assume_join(&s->known, x->assumed);
  learn_cells(&s->known, x);
  if (x->config.model->guesses_cores) {
    s->x = new_scout(x, &s->known);
    array_push(&s->groups, group_new(x, s->x, ~0ull, &s->uses));
    return s;
  }
  if (!over_may_have_cycles(x, &s->uses))
    return s;
  s->x = new_scout(x, &s->known);
  struct over *a = over_new(s->x, NULL);
  find_groups(x, s, a);
  over_free(a);
  return s;
}

void justify_forget(struct explorer *x) {
  struct scout *s = x->cycles.scout;
  if (!s)
    return;
  for (uint32_t i = 0; i < s->groups.len; i++)
    group_free(s->groups.at[i]);
  array_done(&s->groups);
  array_done(&s->uses);
  if (s->x) {
    struct vm *vm = s->x->vm;
    explorer_free(s->x);
    vm_free(vm);
  }
  assume_done(&s->known);
  free(s);
  x->cycles.scout = NULL;
}

// What is known of more threads now counts.
static struct scout *scout_of(struct explorer *x) {
  if (x->cycles.scout && x->cycles.scout->threads != x->threads.len)
    justify_forget(x);
  if (!x->cycles.scout)
    x->cycles.scout = scout_new(x);
  return x->cycles.scout;
}

bool justify_is_possible(struct explorer *x) {
  const struct scout *s = scout_of(x);
  bool is_possible = s->x && explore_is_cut(&s->x->result);
  for (uint32_t i = 0; i < s->groups.len; i++)
    is_possible |= group_is_open(s->groups.at[i]);
  if (!is_possible)
    justify_forget(x);
  return is_possible;
}

bool justify_find(struct explorer *x, struct cores *ret) {
  struct scout *s = scout_of(x);
  bool ok = true;
  for (uint32_t i = 0; i < s->groups.len && ok; i++)
    ok = group_find(s->groups.at[i], ret);
  if (s->x)
    scout_tell(x, s->x);
  // A search that did not come to its end says why, or was told to stop.
  if (!ok && !x->result.limit && !s->x->is_stopped)
    error_note_cut(x, "load buffering that was not looked for to the end");
  justify_forget(x);
  return ok;
}
