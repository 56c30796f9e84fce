// SPDX-License-Identifier: MIT
// The search while it stands still: each rank brings back what it has and tells
// it as a frontier, and rank 0 waits until as many tasks have arrived as were
// sent. Then the frontiers together are all of the search, and what happens
// next is decided by one process that sees it whole.
#include "parallel/rank.h"

#include <stdio.h>

static bool is_standing(struct ranks *r) {
  struct parallel *p = r->p;
  return r->is_gathering &&
         (queue_is_stopped(&p->queue) ? !p->running
                                      : queue_is_quiet(&p->queue));
}

static bool begins_again(const struct parallel *p) {
  bool ret = false;
  for (unsigned i = 0; i < p->jobs; i++)
    ret |= explorer_begins_again(p->workers[i].explorer);
  return ret;
}

// What this rank has done and has left. The tasks stay its own.
static void look_at_state(struct ranks *r, struct rank_state *ret) {
  struct parallel *p = r->p;
  workers_add_up(p);
  *ret = (struct rank_state){.sent = r->sent,
                             .received = r->received,
                             .is_in = true,
                             .has_halted = queue_is_stopped(&p->queue),
                             .begins_again = begins_again(p)};
  if (p->result.limit)
    snprintf(ret->limit, sizeof ret->limit, "%s", p->result.limit);
  parallel_freeze(p, &ret->f);
  for (uint32_t i = 0; i < p->before.found.len; i++)
    frontier_add_finding(&ret->f, &p->before.found.at[i].finding,
                         &p->before.found.at[i].place);
}

bool ranks_tell_state(struct ranks *r) {
  if (ranks_is_root(r) || r->is_still || !is_standing(r))
    return false;
  struct rank_state s;
  look_at_state(r, &s);
  struct message m = {.kind = MESSAGE_STATE,
                      .a = r->gathering,
                      .b = s.sent,
                      .c = s.received << 2 |
                           (uint64_t)(s.has_halted << 1 | s.begins_again),
                      .more = s.f};
  snprintf(m.text, sizeof m.text, "%s", s.limit);
  ranks_send(r, 0, &m);
  m.more.tasks.len = 0;
  frontier_done(&m.more);
  r->is_still = true;
  return true;
}

void ranks_note_state(struct ranks *r, unsigned from, struct message *m) {
  struct rank_state *s = &r->states[from];
  if (!r->is_gathering || m->a != r->gathering)
    return;
  frontier_done(&s->f);
  *s = (struct rank_state){.f = m->more,
                           .sent = m->b,
                           .received = m->c >> 2,
                           .is_in = true,
                           .has_halted = m->c & 2,
                           .begins_again = m->c & 1};
  snprintf(s->limit, sizeof s->limit, "%s", m->text);
  m->more = (struct frontier){0};
}

void ranks_gather(struct ranks *r) {
  r->gathering++;
  r->is_gathering = true;
  r->wants_gathering = false;
  r->gathering_since = parallel_now();
  ranks_send_all(r,
                 &(struct message){.kind = MESSAGE_GATHER, .a = r->gathering});
  queue_gather(&r->p->queue);
}

// Do all stand still, with no task on the way?
bool ranks_all_still(struct ranks *r) {
  if (!is_standing(r))
    return false;
  uint64_t on_the_way = r->sent - r->received;
  for (unsigned i = 1; i < r->carrier->ranks; i++) {
    if (!r->states[i].is_in)
      return false;
    on_the_way += r->states[i].sent - r->states[i].received;
  }
  return !on_the_way;
}

// All of the search, while it stands still.
struct whole {
  struct frontier f;
  uint32_t own; // tasks at its beginning that are in the queue of rank 0
  bool has_halted, begins_again;
  const char *limit;
};

static void add_state(struct ranks *r, struct whole *all,
                      struct rank_state *s) {
  check(s->is_in); // else its tasks are lost
  all->has_halted |= s->has_halted;
  all->begins_again |= s->begins_again;
  if (s->limit[0] && !all->limit)
    all->limit =
        strings_get(&all->f.texts, strings_add(&all->f.texts, s->limit));
  check(frontier_join(&all->f, &s->f));
  for (uint32_t i = 0; i < s->f.tasks.len; i++)
    array_push(&all->f.tasks, s->f.tasks.at[i]);
  s->f.tasks.len = 0; // they are in `all` now
  ranks_keep_texts(r, &s->f);
  frontier_done(&s->f);
  *s = (struct rank_state){0};
}

static void add_up_states(struct ranks *r, struct whole *ret) {
  *ret = (struct whole){0};
  look_at_state(r, &r->states[0]);
  ret->own = r->states[0].f.tasks.len;
  for (unsigned i = 0; i < r->carrier->ranks; i++)
    add_state(r, ret, &r->states[i]);
  ret->f.done.limit = ret->limit;
  // Ranks that have found the same count once, in a checkpoint too.
  frontier_keep_first_error(&ret->f, r->p->config.options.all_errors);
}

static void whole_done(struct ranks *r, struct whole *all) {
  for (uint32_t i = 0; i < all->own; i++)
    all->f.tasks.at[i] = NULL;
  ranks_keep_texts(r, &all->f);
  frontier_done(&all->f);
}

// Joins what all have learned. True: some did not know all of it.
static bool learn(struct ranks *r, const struct whole *all) {
  struct parallel *p = r->p;
  bool has_error = false; // one that counts
  for (uint32_t i = 0; i < all->f.found.len; i++)
    has_error |= !all->begins_again &&
                 parallel_ends_with(p, &all->f.found.at[i].finding);
  return parallel_join_learned(p, &all->f.learned, all->begins_again,
                               p->is_part || all->limit || has_error);
}

static void save(struct ranks *r, struct whole *all, bool is_done) {
  struct parallel *p = r->p;
  p->saved = parallel_now();
  if (!p->saving.save || (p->has_error && !is_done))
    return;
  all->f.is_done = is_done;
  p->saving.save(p->saving.arg, &all->f);
}

// The search is over; findings are told.
static void report(struct ranks *r, struct whole *all) {
  struct parallel *p = r->p;
  ranks_end_workers(r);
  parallel_forget_findings(p, /*but_warnings=*/false);
  array_done(&p->result.findings);
  const char *asymmetry = p->result.asymmetry; // NULL: nothing was joined
  p->result = all->f.done;
  p->has_error = false;
  array_done(&p->error.path);
  for (uint32_t i = 0; i < all->f.cores.len; i++)
    parallel_know_core(p, all->f.cores.at[i]);
  for (uint32_t i = 0; i < all->f.found.len; i++)
    parallel_show_again(p, &all->f.found.at[i].finding,
                        &all->f.found.at[i].place);
  p->result.asymmetry = asymmetry ? asymmetry : p->assumed.asymmetry;
  p->result.verdict = explore_verdict(&p->result);
  r->is_over = true;
  ranks_send_kind_to_all(r, MESSAGE_END);
}

// What comes of a gathering.
void ranks_decide(struct ranks *r) {
  struct whole all;
  add_up_states(r, &all);
  r->gathering_took = parallel_now() - r->gathering_since;
  check(!HEDDLE_SLOW_CHECKS || frontier_is_disjoint(&all.f));
  bool is_done = all.has_halted || !all.f.tasks.len;
  if (is_done && learn(r, &all)) {
    ranks_end_workers(r);
    parallel_begin_again(r->p);
    ranks_begin(r);
  } else if (is_done || r->late) {
    if (!is_done)
      all.f.done.limit = r->late;
    if (!is_done || !all.limit)
      save(r, &all, is_done);
    report(r, &all);
  } else {
    save(r, &all, /*is_done=*/false);
    if (all.f.tasks.len == 1) // then there is no other one
      queue_begin_last(&r->p->queue);
    r->is_gathering = false;
    ranks_send_kind_to_all(r, MESSAGE_GO_ON);
    queue_go_on(&r->p->queue);
  }
  whole_done(r, &all);
}
