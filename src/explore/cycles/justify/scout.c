// SPDX-License-Identifier: MIT
// A scout is an explorer with a machine of its own that explores for another
// one, and reports nothing (justify.c).
#include "explore/cycles/justify/justify.h"
#include "explore/findings/findings.h"

#include <string.h>

// What bounds the search bounds the scout's too. It explores everything, and
// keeps nothing for a report.
static struct explore_config config_of(const struct explorer *x,
                                       const struct assumptions *known,
                                       const struct observer *observer) {
  struct explore_config c = {
      .options = x->config,
      .limits = x->limits,
      .observer = *observer,
      .assumed = known,
      .team = x->team,
  };
  c.options.all_errors = true;
  c.options.repeats = false;
  c.options.replay = NULL;
  c.options.reductions &=
      ~(uint32_t)(REDUCE_SYMMETRY | REDUCE_ROLLBACK | REDUCE_RF);
  c.options.names_loops = false;
  c.limits.max_executions = 0;
  return c;
}

struct explorer *scout_for(const struct explorer *x,
                           const struct assumptions *known,
                           const struct observer *observer) {
  const struct explore_config c = config_of(x, known, observer);
  struct explorer *scout =
      explorer_new(x->prog, vm_new(x->prog, vm_config_of(x->vm)), &c);
  scout->cycles.is_scout = true;
  scout->cycles.has_race = true; // not asked for
  scout->threads.len = 0;
  for (uint32_t i = 0; i < x->threads.len; i++)
    array_push(&scout->threads, x->threads.at[i]);
  return scout;
}

void scout_tell(struct explorer *x, const struct explorer *scout) {
  for (uint32_t i = x->threads.len; i < scout->threads.len; i++)
    array_push(&x->threads, scout->threads.at[i]);
  if (scout->result.limit && !x->result.limit) {
    x->result.limit = scout->result.limit;
    memcpy(x->result.detail, scout->result.detail, sizeof x->result.detail);
  }
  if (explore_is_cut(&scout->result))
    error_note_cut(x, scout->result.cut);
  x->result.stale_cuts += scout->result.stale_cuts;
}
