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
#include "base/hash.h"
#include "explore/cycles/justify/steps.h"

#include <stdlib.h>

enum {
  MOST_TRIES = 1000000, // steps that are added to a way
  MOST_PAIRS = 8000000, // steps that may follow each other
};

struct followed {
  uint64_t places, threads;
  uint32_t last;
  unsigned open; // so far; of two or more that is all that counts
};

struct search {
  struct steps steps;
  uint32_t tries, pairs;
  // The steps that follow each other, as far as was asked: those of
  // step s are next[first[s]] up to, without, next[end[s]].
  ARRAY(uint32_t) next;
  uint32_t *first, *end; // end 0: not asked
  // Ways from one first step that were followed: what comes of one is a
  // question of its last step and of these.
  ARRAY(struct followed) followed;
  struct table table; // of their indices
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

// May it go on from where it is? It begins where the number of the place is
// least.
static bool is_at_new_place(const struct way *w) {
  uint32_t place = w->last->out;
  return place > w->first->in && !(w->places >> place & 1);
}

// By this step, which begins there?
static bool may_go_on(const struct way *w, const struct step *s) {
  return s->from != s->to || !(w->threads >> s->from & 1);
}

// Was a way followed that goes on as this one does? If not, it is noted.
static bool was_followed(struct search *f, const struct way *w, uint32_t last) {
  struct followed now = {w->places, w->threads, last,
                         w->open < 2 ? w->open : 2};
  uint32_t hash = (uint32_t)hash_mix(hash_mix(w->places, w->threads), last);
  for (uint32_t at = hash, i;
       (i = table_next(&f->table, hash, &at)) != TABLE_NONE;) {
    const struct followed *k = &f->followed.at[i];
    if (k->places == now.places && k->threads == now.threads &&
        k->last == last && k->open == now.open)
      return true;
  }
  table_add(&f->table, hash, f->followed.len);
  array_push(&f->followed, now);
  return false;
}

static void forget_followed(struct search *f) {
  f->followed.len = 0;
  table_clear(&f->table);
}

// Can the way be closed to a circle?
static bool closes(struct search *f, struct way w) {
  const struct steps *c = &f->steps;
  uint32_t nth = (uint32_t)(w.last - c->all.at);
  if (w.last->out == w.first->in)
    return follows(c, w.last, w.first) &&
           w.open + is_open(c, w.last, w.first) >= 2;
  if (!is_at_new_place(&w) || was_followed(f, &w, nth))
    return false; // what was followed led nowhere
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
    forget_followed(&f);
    found = closes(&f, w);
  }
  array_done(&f.followed);
  table_done(&f.table);
  steps_done(&f.steps);
  array_done(&f.next);
  free(f.first);
  free(f.end);
  return found;
}
