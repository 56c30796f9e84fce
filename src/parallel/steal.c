// SPDX-License-Identifier: MIT
// Tasks that go from one rank to another. Who has run dry asks, at random, and
// is answered once: a task, or none, be it because there is nothing to be cut
// off for the moment. Whether all have run dry is found out by a token that
// goes round and adds up the tasks that were sent and have arrived [Dijkstra,
// EWD 998, after Safra].
#include "parallel/rank.h"

static const double patience = 0.01; // with a rank that has nothing yet
static const double longest_pause = 0.005, shortest_pause = 0.0002;

bool ranks_is_dry(struct ranks *r) {
  return !r->is_gathering && r->epoch && queue_is_quiet(&r->p->queue);
}

static void give(struct ranks *r, unsigned to, struct explore_task *t) {
  struct message m = {.kind = MESSAGE_TASK};
  array_push(&m.more.tasks, t);
  if (t->core)
    cores_know(&m.more.cores, t->core);
  ranks_send(r, to, &m);
  frontier_done(&m.more); // the task too
  r->sent++;
}

void ranks_take(struct ranks *r, struct message *m) {
  check(m->epoch == r->epoch && m->more.tasks.len == 1);
  r->received++;
  r->is_black = true;
  r->has_asked = false;
  r->pause = shortest_pause;
  if (m->more.tasks.at[0]->core)
    parallel_know_core(r->p, m->more.tasks.at[0]->core);
  queue_put(&r->p->queue, m->more.tasks.at[0]);
  m->more.tasks.len = 0;
  r->is_still = false; // it tells its state again
}

bool ranks_serve(struct ranks *r) {
  uint32_t kept = 0;
  bool is_empty = r->is_gathering || ranks_is_dry(r);
  for (uint32_t i = 0; i < r->askers.len; i++) {
    struct asker a = r->askers.at[i];
    struct explore_task *t = is_empty ? NULL : queue_take_outside(&r->p->queue);
    if (t)
      give(r, a.rank, t);
    else if (is_empty || parallel_now() - a.since > patience)
      ranks_send_kind(r, a.rank, MESSAGE_NONE);
    else
      r->askers.at[kept++] = a;
  }
  bool ret = kept < r->askers.len;
  r->askers.len = kept;
  queue_want(&r->p->queue, kept);
  return ret;
}

bool ranks_ask(struct ranks *r) {
  if (r->has_asked || !ranks_others(r) || parallel_now() < r->next_ask ||
      !ranks_is_dry(r))
    return false;
  r->random = r->random * 6364136223846793005u + 1442695040888963407u;
  unsigned to = (unsigned)((r->random >> 33) % ranks_others(r));
  to += to >= r->carrier->rank;
  ranks_send_kind(r, to, MESSAGE_ASK);
  r->has_asked = true;
  return true;
}

void ranks_note_refusal(struct ranks *r) {
  r->has_asked = false;
  r->next_ask = parallel_now() + r->pause;
  r->pause = r->pause * 2 > longest_pause    ? longest_pause
             : r->pause * 2 > shortest_pause ? r->pause * 2
                                             : shortest_pause;
}

// A rank that has run dry passes the token on; rank 0 looks at what has come
// of it. Sums wrap around.
bool ranks_pass_token(struct ranks *r) {
  if (!r->has_token || r->wants_gathering || !ranks_is_dry(r))
    return false;
  uint64_t sum = r->token + r->sent - r->received;
  bool is_black = r->is_token_black || r->is_black;
  r->is_black = false;
  if (ranks_is_root(r) && (!ranks_others(r) || (!is_black && !sum))) {
    r->wants_gathering = true;
    r->is_token_black = true;
    return true;
  }
  r->has_token = false;
  ranks_send(r, (r->carrier->rank + 1) % r->carrier->ranks,
             &(struct message){.kind = MESSAGE_TOKEN,
                               .a = ranks_is_root(r) ? 0 : sum,
                               .b = !ranks_is_root(r) && is_black});
  return true;
}
