// SPDX-License-Identifier: MIT
// See sketch.h: how threads are put together to a program, and how it is made
// smaller.
#include "sketch_draw.h"

#include <string.h>

// -- main

// What main does with memory that threads may be using.
static void draw_look(struct draw *d) {
  struct step *s = push(d, chance(d, 75) ? STEP_EXPECT : STEP_STORE);
  s->word =
      (uint8_t)(chance(d, 60) ? WORD_FIRST_ELEMENT + below(d, SKETCH_ELEMENTS)
                              : below(d, 3));
  s->order = s->kind == STEP_STORE ? writes(d) : reads(d);
  s->value = s->other = (uint8_t)(1 + below(d, 2));
}

// The last thread, and perhaps all, are created and joined by another one.
static void draw_results(struct draw *d) {
  unsigned n = d->sketch->nthreads;
  for (unsigned kind = 0; kind < n; kind++) {
    d->thread = &d->sketch->kinds[kind];
    if (kind == d->sketch->parent)
      push(d, STEP_CREATE)->other = (uint8_t)(n - 1);
    draw_link(d, kind);
    if (kind == d->sketch->parent)
      draw_join_and_store(d, n - 1);
  }
  d->thread = &d->sketch->main;
  for (unsigned t = 0; t + 1 < n; t++)
    push(d, STEP_CREATE)->other = (uint8_t)t;
  for (unsigned t = 0; t + 1 < n; t++)
    if (chance(d, 60))
      draw_join_and_store(d, t);
    else
      push(d, STEP_JOIN)->other = (uint8_t)t;
}

static void draw_main(struct draw *d) {
  unsigned looks = d->family == FAMILY_ELEMENTS ? 25 : 4;
  d->thread = &d->sketch->main;
  d->word = WORD_X;
  if (chance(d, looks))
    draw_look(d);
  bool is_early = chance(d, 5); // the first is over before the others begin
  for (unsigned t = 0; t < d->sketch->nthreads; t++) {
    push(d, STEP_CREATE)->other = (uint8_t)t;
    if (is_early && !t)
      push(d, STEP_JOIN)->other = 0;
    if (chance(d, looks / 2))
      draw_look(d);
  }
  if (chance(d, 2 * looks))
    draw_look(d);
  if (chance(d, 8)) // nobody waits for all of them
    return;
  for (unsigned t = 0; t < d->sketch->nthreads; t++) {
    if (t || !is_early)
      push(d, STEP_JOIN)->other = (uint8_t)t;
    if (chance(d, looks / 2))
      draw_look(d);
  }
  if (chance(d, looks))
    draw_look(d);
  d->sketch->has_outcome = chance(d, 30);
}

// Main creates all but one, which another creates.
static void draw_main_of_nest(struct draw *d) {
  d->thread = &d->sketch->main;
  d->word = WORD_X;
  unsigned n = d->sketch->nthreads - 1u;
  for (unsigned t = 0; t < n; t++) {
    push(d, STEP_CREATE)->other = (uint8_t)t;
    if (chance(d, 10))
      draw_look(d);
  }
  for (unsigned t = 0; t < n; t++)
    if (chance(d, 85))
      draw_join(d, t);
    else if (chance(d, 50))
      push(d, STEP_DETACH)->other = (uint8_t)t;
  if (chance(d, 30))
    draw_look(d);
  d->sketch->has_outcome = chance(d, 30);
}

static void draw_setting_of_nest(struct draw *d) {
  struct sketch *p = d->sketch;
  p->nkinds = p->nthreads;
  p->has_results = chance(d, 75);
  p->parent = (uint8_t)below(d, p->nthreads - 1u);
  for (unsigned t = 0; t < p->nthreads; t++)
    p->kind_of[t] = (uint8_t)t;
}

static void draw_setting(struct draw *d) {
  struct sketch *p = d->sketch;
  p->nthreads = (uint8_t)(chance(d, 60) ? 2 : 3);
  p->nkinds = (uint8_t)(1 + below(d, p->nthreads));
  if (chance(d, 40))
    p->nkinds = p->nthreads;
  p->has_numbers = chance(d, 20);
  p->permits = (uint8_t)(1 + below(d, 3));
  p->meet = (uint8_t)(chance(d, 85) ? p->nthreads : 2);
  for (unsigned i = 0; i < SKETCH_LOCKS; i++)
    p->locks[i] = (uint8_t)(d->family == FAMILY_PERMITS && chance(d, 80)
                                ? LOCK_SEMAPHORE
                                : below(d, LOCKS));
  unsigned which = below(d, 3); // elements
  for (unsigned t = 0; t < p->nthreads; t++) {
    p->kind_of[t] = (uint8_t)(t < p->nkinds ? t : below(d, p->nkinds));
    p->element_of[t] = (uint8_t)(chance(d, 85) ? (which ? t : 0) : 1);
  }
  if (d->family == FAMILY_NESTS || d->family == FAMILY_RESULTS)
    draw_setting_of_nest(d);
  p->has_results |= d->family == FAMILY_RESULTS;
  if (d->family == FAMILY_BUFFERS || d->family == FAMILY_CIRCLES ||
      d->family == FAMILY_GATHERS || d->family == FAMILY_GAMBLES ||
      d->family == FAMILY_PIECES) {
    p->nkinds = p->nthreads;
    for (unsigned t = 0; t < p->nthreads; t++)
      p->kind_of[t] = p->element_of[t] = (uint8_t)t;
  }
  if (d->family == FAMILY_ROUNDS) {
    p->nthreads = p->nkinds = SKETCH_THREADS;
    for (unsigned t = 0; t < p->nthreads; t++)
      p->kind_of[t] = p->element_of[t] = (uint8_t)t;
  }
  for (unsigned i = 0; i < SKETCH_LOCKS && d->family == FAMILY_TRIES; i++)
    p->locks[i] = LOCK_MUTEX;
}

static unsigned most_steps(const struct draw *d) {
  unsigned n = d->sketch->nthreads == 2 ? 5 : 3;
  if (d->family == FAMILY_COUNTS)
    return n - 2;
  return d->family == FAMILY_SPIES ? n - 1 : n; // races leave nothing out
}

static struct thread_sketch *thread_at(struct sketch *p, unsigned i) {
  return i < p->nkinds ? &p->kinds[i] : &p->main;
}

static bool may_write_words(const struct step *s) {
  return s->kind != STEP_LOAD && s->kind != STEP_STORE && s->kind != STEP_IF &&
         s->kind != STEP_SELECT && s->kind != STEP_KEEP &&
         s->kind != STEP_FENCE && s->kind != STEP_CREATE &&
         s->kind != STEP_JOIN;
}

// Where all stores to a word are of its first byte, the rest of it stays 0: it
// makes no difference whether a load is of all of it. (No value is negative.)
static void draw_narrow(struct draw *d) {
  bool is_narrow[3], is_relaxed = chance(d, 70);
  for (unsigned i = 0; i < 3; i++)
    is_narrow[i] = chance(d, 60);
  for (unsigned i = 0; i <= d->sketch->nkinds; i++)
    for (unsigned k = 0; k < thread_at(d->sketch, i)->len; k++) {
      struct step *s = &thread_at(d->sketch, i)->at[k];
      if (s->kind == STEP_ADD && !s->value)
        s->value = 2;
      if (s->word < 3 && may_write_words(s))
        is_narrow[s->word] = false;
    }
  for (unsigned i = 0; i <= d->sketch->nkinds; i++)
    for (unsigned k = 0; k < thread_at(d->sketch, i)->len; k++) {
      struct step *s = &thread_at(d->sketch, i)->at[k];
      if (s->kind != STEP_LOAD && s->kind != STEP_STORE)
        continue;
      if (is_relaxed)
        s->order = ORD_RLX;
      bool may_be = s->word < 3 && is_narrow[s->word];
      s->how = may_be && (s->kind == STEP_STORE || chance(d, 40))
                   ? ACCESS_IS_NARROW
                   : 0;
    }
}

static void insert(struct thread_sketch *t, unsigned at, struct step s) {
  if (t->len == SKETCH_STEPS)
    return;
  for (unsigned i = 0; i < at; i++)
    if (i + t->at[i].inside >= at)
      t->at[i].inside++;
  memmove(&t->at[at + 1], &t->at[at], (t->len - at) * sizeof *t->at);
  t->at[at] = s;
  t->len++;
}

static void draw_pieces(struct draw *d) {
  static const uint8_t whats[] = {0, 0, BESIDE_STORES, BESIDE_STORES,
                                  BESIDE_ADDS};
  draw_narrow(d);
  for (unsigned n = below(d, 4) + below(d, 4); n > 0; n--) {
    struct thread_sketch *t = &d->sketch->kinds[below(d, d->sketch->nkinds)];
    struct step s = {.kind = STEP_BESIDE,
                     .value = (uint8_t)below(d, 4),
                     .how = whats[below(d, 5)]};
    s.how |= chance(d, 50) ? ACCESS_IS_NARROW : 0;
    insert(t, below(d, t->len + 1u), s);
  }
}

void sketch_draw(enum sketch_family family, uint64_t seed, struct sketch *ret) {
  const unsigned first_families = FAMILY_MIXED + 1;
  struct draw d = {.family = family,
                   .state = hash_u64(family < first_families
                                         ? seed * first_families + family
                                         : hash_mix(seed, family)),
                   .sketch = ret};
  memset(ret, 0, sizeof *ret);
  draw_setting(&d);
  for (unsigned i = 0; i < ret->nkinds && family != FAMILY_RESULTS; i++)
    if (family == FAMILY_BUFFERS || family == FAMILY_CIRCLES ||
        family == FAMILY_PIECES)
      draw_link(&d, i);
    else if (family == FAMILY_GATHERS || family == FAMILY_GAMBLES)
      draw_gathering(&d, i);
    else if (family == FAMILY_ROUNDS)
      draw_round_thread(&d, i);
    else
      draw_thread(&d, i, most_steps(&d));
  if (family == FAMILY_RESULTS)
    draw_results(&d);
  else if (family == FAMILY_NESTS)
    draw_main_of_nest(&d);
  else
    draw_main(&d);
  if (family == FAMILY_PIECES)
    draw_pieces(&d);
  ret->has_circle = family == FAMILY_CIRCLES || family == FAMILY_RESULTS;
  ret->has_outcome |= family == FAMILY_BUFFERS || family == FAMILY_GATHERS ||
                      family == FAMILY_GAMBLES || family == FAMILY_PIECES ||
                      (ret->has_circle && chance(&d, 60));
  ret->has_pieces = family == FAMILY_PIECES;
  ret->has_spies = family == FAMILY_SPIES;
  ret->has_races = family == FAMILY_ROUNDS;
  ret->has_outcome |= family == FAMILY_SPIES && chance(&d, 60);
  ret->has_outcome |= family == FAMILY_COUNTS && chance(&d, 80);
}

// -- smaller ones

static unsigned length_of(const struct sketch *p) {
  unsigned n = p->main.len;
  for (unsigned i = 0; i < p->nkinds; i++)
    n += p->kinds[i].len;
  return n;
}

// Takes n steps out; what they are inside of has fewer.
static void take_out(struct thread_sketch *t, unsigned at, unsigned n) {
  for (unsigned i = 0; i < at; i++)
    if (i + t->at[i].inside >= at)
      t->at[i].inside = (uint8_t)(t->at[i].inside - n);
  memmove(&t->at[at], &t->at[at + n], (t->len - at - n) * sizeof *t->at);
  t->len = (uint8_t)(t->len - n);
}

void sketch_make_whole(const struct sketch *p, struct sketch *ret) {
  *ret = *p;
  for (unsigned i = 0; i <= p->nkinds; i++) {
    struct thread_sketch *t = thread_at(ret, i);
    for (unsigned k = 0; k < t->len;) {
      if (t->at[k].kind == STEP_BESIDE) {
        take_out(t, k, 1);
        continue;
      }
      if (t->at[k].kind == STEP_LOAD || t->at[k].kind == STEP_STORE)
        t->at[k].how = 0;
      k++;
    }
  }
}

static bool shrink_flags(unsigned n, struct sketch *p) {
  if (n < p->nkinds) {
    p->kinds[n].tells = false;
    return true;
  }
  n -= p->nkinds;
  if (n == 0)
    p->has_outcome = false;
  if (n == 1)
    p->has_numbers = false;
  if (n == 2)
    p->permits = 1;
  if (n == 3)
    p->has_results = false;
  return n < 4;
}

bool sketch_shrink(const struct sketch *p, unsigned n, struct sketch *ret) {
  *ret = *p;
  bool with_inside = n < length_of(p);
  if (n >= 2 * length_of(p))
    return shrink_flags(n - 2 * length_of(p), ret);
  n -= with_inside ? 0 : length_of(p);
  for (unsigned i = 0; i <= p->nkinds; i++) {
    struct thread_sketch *t = i < p->nkinds ? &ret->kinds[i] : &ret->main;
    if (n < t->len) {
      take_out(t, n, with_inside ? 1u + t->at[n].inside : 1);
      return true;
    }
    n -= t->len;
  }
  return false;
}

static bool thread_has(const struct thread_sketch *t, enum step_kind kind) {
  for (unsigned i = 0; i < t->len; i++)
    if (t->at[i].kind == kind)
      return true;
  return false;
}

bool sketch_has(const struct sketch *p, enum step_kind kind) {
  for (unsigned i = 0; i < p->nkinds; i++)
    if (thread_has(&p->kinds[i], kind))
      return true;
  return thread_has(&p->main, kind);
}
