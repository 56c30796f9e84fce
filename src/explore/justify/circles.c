// SPDX-License-Identifier: MIT
// Cycles of po ∪ rf that happens-before forbids, whatever justifies them: asked
// of what threads could do alone (alone.h).
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
#include "explore/justify/steps.h"

enum { MOST_TRIES = 1000000 }; // steps that are looked at

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
  if (!c->meetings.len)
    return true; // nobody has looked (blind.c)
  for (uint32_t i = 0; i < c->meetings.len; i++)
    if (c->meetings.at[i].node == node && c->meetings.at[i].cell == cell)
      return true;
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
static bool may_go_on(const struct steps *c, const struct way *w,
                      const struct step *s) {
  return s->in > w->first->in && !(w->places >> s->in & 1) &&
         !(s->from == s->to && (w->threads >> s->from & 1)) &&
         follows(c, w->last, s);
}

// Can the way be closed to a circle?
static bool closes(const struct steps *c, struct way w, uint32_t *tries) {
  uint32_t at = w.last->out;
  if (at == w.first->in)
    return follows(c, w.last, w.first) &&
           w.open + is_open(c, w.last, w.first) >= 2;
  for (uint32_t i = c->first_step[at]; i < c->first_step[at + 1]; i++) {
    const struct step *s = &c->all.at[i];
    if (++*tries > MOST_TRIES)
      return true;
    if (may_go_on(c, &w, s) && closes(c, go_on(c, w, s), tries))
      return true;
  }
  return false;
}

bool alone_has_circles(const struct alone *a, uint64_t threads) {
  struct steps c;
  uint32_t tries = 0;
  steps_find(&c, a, threads, /*takes_last=*/true);
  bool found = c.is_too_much;
  for (uint32_t i = 0; i < c.all.len && !found; i++) {
    const struct step *s = &c.all.at[i];
    struct way w = {.first = s, .last = s, .places = 1ull << s->in};
    if (s->from == s->to)
      w.threads = 1ull << s->from;
    found = closes(&c, w, &tries);
  }
  steps_done(&c);
  return found;
}
