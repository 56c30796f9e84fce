// SPDX-License-Identifier: MIT
// --bound: executions with at most so many preemptions or reorderings
// (numbers.c). A complete graph counts if its number is within the bound, and
// an error is one if the graph that shows it is. So a bounded search explores
// exactly the executions of the search without a bound that have such a number.
//
// Graphs on the way may have a larger number than what comes of them: a revisit
// deletes events. What comes of a graph H has a part of H in common that no
// revisit ever deletes, with its rf and co; numbers are monotone, so if the
// number of that part is too large, H is left. The part is all that comes by
// po ∪ rf before
//
//   (a) an event e that is not the newest among what was added before it: a
//       read with an older source, a write with a place before the last, a
//       value that is not the first;
//   (b) a write w that an older read r reads, since w has revisited r.
//
// Why it stays: say that e is *held* by (r, w) if r < e in the order in which
// events were added, r reads w, and e is w or before it. A held event is not
// deleted as long as r reads w. A write w' that deletes e does not have e in
// its prefix, so neither w nor r. If r is not older than the read r' that w'
// revisits, r is deleted or revisited, so it must be maximal; but w was added
// after it and is not in the prefix of w' (revisit.c). If r is older than r',
// then w, which is newer than e and so than r', is deleted, and is not maximal
// since r reads it. And when r reads w no more, because r was deleted or
// revisited by w' from r', r was maximal, so w is in the prefix of w': now e is
// held by (r', w'), or by (r, w'). This is (b). Events before w that are older
// than r are not deleted either: then r is, which is not maximal, as above.
//
// (a): e is not maximal because of an event m that is older than e. To delete e
// one has to delete m first, and to keep e: a revisit of some r < m < e by w
// with e in its prefix. From then on e is held by (r, w).
//
// What comes before these by po ∪ rf: if p is deleted and e after it is not, on
// the way from p to e there is a read that stays, and is older than what is
// deleted, of a write that is deleted; such a write is not maximal.
//
// So nothing is left where something else than revisits deletes events, or
// where other graphs are made of H: promises, guesses, hand-overs (they are off
// here), accesses in pieces. There only complete graphs are judged.
#include "explore/reduce/classes.h"
#include "explore/reduce/numbers.h"

#include <stdio.h>

static bool may_leave(const struct explorer *x) {
  return !x->promises && !x->config.model->justifier && !x->cycles.guesses &&
         !x->config.model->guesses_cores && !x->cycles.start &&
         !x->config.model_options.in_pieces;
}

static bool is_within(const struct explorer *x, const struct graph_part *p) {
  for (unsigned k = 0; k < BOUNDS; k++) {
    uint32_t bound = x->config.bounds[k];
    if (bound && !part_has_at_most(p, (enum bounded)k, bound - 1))
      return false;
  }
  return true;
}

static void note_left(struct explorer *x) {
  static const char *const names[] = {"preemptions", "reorderings"};
  struct explore_result *r = &x->result;
  size_t n = 0;
  r->bound_cuts++;
  for (unsigned k = 0; k < BOUNDS && !(r->bound[0] && !n); k++)
    if (x->config.bounds[k])
      n +=
          (size_t)snprintf(r->bound + n, sizeof r->bound - n, "%s--bound %s:%u",
                           n ? ", " : "", names[k], x->config.bounds[k] - 1);
}

static struct graph_part part_of(const struct explorer *x) {
  return (struct graph_part){.g = &x->g,
                             .interleaves = x->config.model->interleaves};
}

// ---- what stays

static event_id newest_before(const struct explorer *x, event_id e) {
  const struct event_list *co = &x->g.locs.at[x->g.events[e].loc].co;
  uint32_t i = co->len - 1;
  while (i && co->at[i] > e)
    i--;
  return co->at[i];
}

static bool is_read_by_older(const struct explorer *x, event_id write) {
  const struct event_list *reads = &x->g.locs.at[x->g.events[write].loc].reads;
  for (uint32_t i = 0; i < reads->len; i++)
    if (reads->at[i] < write && x->g.events[reads->at[i]].rf == write)
      return true;
  return false;
}

// (a) or (b)
static bool stays(const struct explorer *x, event_id id) {
  const struct event *e = &x->g.events[id];
  if (e->kind == EV_READ)
    return e->rf < id && newest_before(x, id) != e->rf;
  if (e->kind == EV_WRITE)
    return newest_before(x, id) != id || is_read_by_older(x, id);
  return e->kind == EV_CHOICE && e->value != vm_access(x->vm, e->pre)->value;
}

static enum outcome look(struct explorer *x) {
  struct graph_part p = part_of(x);
  if (!may_leave(x) || !stays(x, x->g.last)) // else as much stays as before
    return GO_ON;
  for (event_id e = x->g.last; e != INIT_EVENT; e = x->g.events[e].prev) {
    uint32_t *length = &p.length[x->g.events[e].thread];
    if (x->g.events[e].index >= *length && stays(x, e))
      *length = x->g.events[e].index + 1;
  }
  part_close(&p);
  if (is_within(x, &p))
    return GO_ON;
  note_left(x);
  return GO_BACK;
}

// ---- graphs that count

static bool is_out_of_bounds(struct explorer *x) {
  struct graph_part p = part_of(x);
  if (x->cycles.is_scout)
    return false;
  for (thread_id t = 0; t < x->g.nthreads; t++)
    p.length[t] = graph_thread_length(&x->g, t);
  if (is_within(x, &p))
    return false;
  note_left(x);
  return true;
}

static const char *why_not(const struct explorer *x) {
  return explore_is_bounded(&x->config) ? NULL : "no option asks for it";
}

const struct mechanism bound_hooks = {
    .why_not = why_not,
    .was_added = look,
    .is_out_of_bounds = is_out_of_bounds,
};
