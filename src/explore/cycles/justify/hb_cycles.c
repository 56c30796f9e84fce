// SPDX-License-Identifier: MIT
// Cycles of po ∪ rf that happens-before forbids, whatever justifies them: asked
// of what threads could do alone (over.h).
//
// A cycle goes through threads in *steps*: it enters a thread with a read e and
// leaves it with a write w, which the read e' of the next step reads. If it
// enters a thread twice, the earlier read may go on to the later write; so we
// take each thread to be there once. If it leaves two steps at one location,
// the one with the older write may go on to the reader of the newer one, and
// what was between is left out: in the end each location is there once, and e'
// reads w or something newer in co.
//
// Still e' must not happen before w, as it reads w or what is newer. A way from
// w to e' is *closed* if it makes e happen before the write of the next step:
// the step before it releases, the one after it acquires, and e' reads w
// itself, or the location is a chain (chains.c), whose later writes belong to
// the release sequence of w. So two ways of a circle, at least, are open: with
// one of them its reader would happen before its writer.
//
// At a chain, e' is the last read before what is written, and w the last write
// of its thread that is not newer than what e' reads. So the value must be one
// that the chain may have while the thread of w is there.
#include "explore/cycles/justify/steps.h"

#include <stdlib.h>

enum {
  MOST_TRIES = 1000000, // steps that are added to a way
  MOST_PAIRS = 8000000, // steps that may follow each other
};

struct search {
  struct steps steps;
  uint32_t tries, pairs;
  // The steps that follow each other, as far as was asked: those of
  // step s are next[first[s]] up to, without, next[end[s]].
  ARRAY(uint32_t) next;
  uint32_t *first, *end; // end 0: not asked
};

// May something have been left out between the steps? Then another thread reads
// the write of the first, and another one writes what the second reads.
static bool may_leave_out(const struct steps *c, const struct step *s,
                          const struct step *next) {
  uint64_t others = ~(1ull << s->to | 1ull << next->from);
  return c->has_crossings || ((c->readers[s->writes] & others) &&
                              (c->writers[next->reads] & others));
}

static bool is_open(const struct steps *c, const struct step *s,
                    const struct step *next) {
  return !(s->flags & RELEASES) || !(next->flags & ACQUIRES) ||
         (!c->chains.at[s->out] && may_leave_out(c, s, next));
}

static bool meets(const struct chain *c, uint32_t node, uint32_t cell) {
  if (!c->first_meeting)
    return true; // not looked at (unknown.c)
  for (uint32_t i = c->first_meeting[node]; i < c->meetings.len; i++) {
    if (c->meetings.at[i].node != node)
      return false;
    if (c->meetings.at[i].cell == cell)
      return true;
  }
  return false;
}

static bool follows(const struct steps *c, const struct step *s,
                    const struct step *next) {
  if (s->out != next->in || s->to == next->from)
    return false;
  if (!c->chains.at[s->out])
    return s->writes == next->reads || may_leave_out(c, s, next);
  return s->node == NONE || meets(c->chains.at[s->out], s->node, next->reads);
}

static void find_next(struct search *f, uint32_t nth) {
  const struct steps *c = &f->steps;
  const struct step *s = &c->all.at[nth];
  f->first[nth] = f->next.len;
  for (uint32_t i = c->first_step[s->out]; i < c->first_step[s->out + 1]; i++)
    if (follows(c, s, &c->all.at[i]))
      array_push(&f->next, i);
  f->end[nth] = f->next.len + 1;
  f->pairs += c->first_step[s->out + 1] - c->first_step[s->out];
}

// What is on the way so far.
struct way {
  const struct step *first, *last;
  unsigned open;
  uint64_t places, threads;
};

static struct way go_on(const struct steps *c, struct way w,
                        const struct step *s) {
  w.open += is_open(c, w.last, s);
  w.places |= 1ull << s->in;
  if (s->from == s->to)
    w.threads |= 1ull << s->from;
  w.last = s;
  return w;
}

// May the step be part of it? It begins where the number of the place is least.
static bool may_go_on(const struct way *w, const struct step *s) {
  return s->in > w->first->in && !(w->places >> s->in & 1) &&
         !(s->from == s->to && (w->threads >> s->from & 1));
}

// Can the way be closed to a circle?
static bool closes(struct search *f, struct way w) {
  const struct steps *c = &f->steps;
  uint32_t nth = (uint32_t)(w.last - c->all.at);
  if (w.last->out == w.first->in)
    return follows(c, w.last, w.first) &&
           w.open + is_open(c, w.last, w.first) >= 2;
  if (!f->end[nth])
    find_next(f, nth);
  if (++f->tries > MOST_TRIES || f->pairs > MOST_PAIRS)
    return true;
  for (uint32_t i = f->first[nth]; i + 1 < f->end[nth]; i++) {
    const struct step *s = &c->all.at[f->next.at[i]];
    if (may_go_on(&w, s) && closes(f, go_on(c, w, s)))
      return true;
  }
  return false;
}

bool over_has_hb_cycles(const struct over *a, uint64_t threads) {
  struct search f = {0};
  steps_find(&f.steps, a, threads, /*takes_last=*/true);
  bool found = f.steps.is_too_much;
  f.first = xcalloc(f.steps.all.len + 1, sizeof *f.first);
  f.end = xcalloc(f.steps.all.len + 1, sizeof *f.end);
  for (uint32_t i = 0; i < f.steps.all.len && !found; i++) {
    const struct step *s = &f.steps.all.at[i];
    struct way w = {.first = s, .last = s, .places = 1ull << s->in};
    if (s->from == s->to)
      w.threads = 1ull << s->from;
    found = closes(&f, w);
  }
  steps_done(&f.steps);
  array_done(&f.next);
  free(f.first);
  free(f.end);
  return found;
}
