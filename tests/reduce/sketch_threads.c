// SPDX-License-Identifier: MIT
// See sketch_draw.h: threads. Those of most families are steps in a row; others
// have a shape of their own, which random steps would hardly ever have.
#include "sketch_draw.h"

void draw_join(struct draw *d, unsigned t) {
  push(d, STEP_JOIN)->other = (uint8_t)t;
  if (d->sketch->has_results && chance(d, 60))
    push(d, STEP_CHECK)->other = (uint8_t)below(d, 3);
}

void draw_join_and_store(struct draw *d, unsigned t) {
  push(d, STEP_JOIN)->other = (uint8_t)t;
  bool selects = chance(d, 20);
  if (selects)
    draw_select(d);
  // (A select at the end of main decides nothing; whether the search tells of
  // it depends on whether the end was added.)
  if (selects || chance(d, 85))
    draw_store(d, (uint8_t)below(d, 3), VALUE_R);
}

static void draw_child(struct draw *d) {
  unsigned t = d->sketch->nthreads - 1u;
  push(d, STEP_CREATE)->other = (uint8_t)t;
  if (chance(d, 60))
    draw_step(d, 0);
  if (chance(d, 60))
    draw_join(d, t);
  else if (chance(d, 50))
    push(d, STEP_DETACH)->other = (uint8_t)t;
}

void draw_thread(struct draw *d, unsigned kind, unsigned most) {
  struct thread_sketch *t = &d->sketch->kinds[kind];
  d->thread = t;
  d->left = most;
  d->word = (uint8_t)below(d, chance(d, 70) ? 2 : WORD_OWN);
  t->tells = chance(d, 30);
  do
    draw_step(d, 0);
  while (d->left && chance(d, 75));
  if (d->family == FAMILY_NESTS && kind == d->sketch->parent)
    draw_child(d);
}

// -- loads before stores

static void draw_between(struct draw *d) {
  struct step *s;
  unsigned from = d->thread->len;
  switch (below(d, 9)) {
  case 0:
  case 1:
    s = push(d, STEP_WAIT);
    s->order = reads(d);
    s->how =
        (uint8_t)(WAIT_LOOKS * chance(d, 70) + WAIT_FENCES * chance(d, 10));
    s->value = (uint8_t)below(d, 3);
    s->order_fail = reads(d);
    break;
  case 2:
  case 3:
    draw_retry(d);
    break;
  case 4:
  case 5:
    s = push(d, STEP_SELECT);
    s->value = (uint8_t)below(d, 3);
    s->other = (uint8_t)below(d, 2);
    s->how = chance(d, 25) ? SELECT_PICKS : 0;
    break;
  case 6:
    push(d, STEP_IF)->other = (uint8_t)below(d, 2);
    draw_store(d, word(d), value(d));
    put_inside(d, from);
    break;
  case 7:
    chance(d, 50) ? draw_bits(d) : draw_update(d, word(d));
    break;
  default:
    chance(d, 50) ? draw_fence(d) : draw_load(d, word(d));
  }
}

// Both ways of a branch store to a word, perhaps the same.
static void draw_both_ways(struct draw *d) {
  uint8_t at = word(d), one = (uint8_t)(1 + below(d, 2));
  for (unsigned i = 0; i < 2; i++) {
    unsigned from = d->thread->len;
    push(d, STEP_IF)->other = (uint8_t)i;
    draw_store(d, at, chance(d, 60) ? one : value(d));
    put_inside(d, from);
  }
}

static void draw_between_without_loops(struct draw *d) {
  uint8_t at = word(d), what = (uint8_t)(1 + below(d, 2));
  switch (below(d, 10)) {
  case 0:
  case 1:
  case 2:
    draw_select(d);
    break;
  case 3:
  case 4:
    draw_both_ways(d);
    break;
  case 5:
    draw_store(d, at, what);
    draw_store(d, chance(d, 70) ? at : word(d), what);
    break;
  case 6:
    chance(d, 50) ? draw_bits(d) : draw_update(d, at);
    break;
  case 7:
    draw_if(d, 1);
    break;
  case 8:
    draw_fence(d);
    break;
  default:
    draw_load(d, at);
  }
}

void draw_link(struct draw *d, unsigned kind) {
  struct thread_sketch *t = &d->sketch->kinds[kind];
  unsigned n = d->sketch->nkinds;
  d->thread = t;
  d->word = (uint8_t)(kind % n);
  bool is_narrow = chance(d, d->family == FAMILY_BUFFERS ? 12 : 35);
  unsigned at = below(d, 3); // where there is something between
  for (unsigned i = 0; i < 3; i++) {
    if (i == 1) {
      draw_load(d, (uint8_t)(kind % n));
      t->at[t->len - 1].how = is_narrow && chance(d, 50) ? ACCESS_IS_NARROW : 0;
    }
    bool has_loops = d->family == FAMILY_BUFFERS;
    if (i == at || chance(d, has_loops ? 20 : 35))
      has_loops ? draw_between(d) : draw_between_without_loops(d);
  }
  draw_store(d, (uint8_t)((kind + 1) % n),
             (uint8_t)(chance(d, 40) ? VALUE_R : 1 + below(d, 2)));
  if (t->len < SKETCH_STEPS)
    t->at[t->len - 1].how = is_narrow && chance(d, 50) ? ACCESS_IS_NARROW : 0;
  t->tells = chance(d, 60);
}

void draw_gathering(struct draw *d, unsigned kind) {
  struct sketch *p = d->sketch;
  struct thread_sketch *t = d->thread = &p->kinds[kind];
  uint8_t from = (uint8_t)(kind % 2), to = 1 - from;
  d->word = from;
  t->tells = chance(d, 85);
  if (kind == p->nthreads - 1u && (kind == 2 || chance(d, 50)))
    draw_store(d, WORD_Z, 1);
  if (kind == 2 && chance(d, 70))
    return;
  if (chance(d, 25))
    draw_load(d, from);
  if (!kind || chance(d, 20))
    draw_gather(d, from);
  else
    draw_load(d, from);
  if (chance(d, 25))
    draw_between_without_loops(d);
  for (unsigned i = 0; i < 1 || chance(d, 20); i++)
    draw_store(d, to, chance(d, 50) ? VALUE_R : (uint8_t)(1 + below(d, 2)));
  if (kind == 1 && p->nthreads == 2)
    draw_store(d, WORD_Z, 1);
}

// -- rounds that may race with what comes of their end

static void draw_plainly(struct draw *d, uint8_t word) {
  struct step *s = push(d, chance(d, 60) ? STEP_STORE : STEP_LOAD);
  s->word = word;
  s->value = (uint8_t)below(d, 3);
  s->order = chance(d, 60)           ? (uint8_t)ORD_NA
             : s->kind == STEP_STORE ? writes(d)
                                     : reads(d);
}

void draw_round_thread(struct draw *d, unsigned kind) {
  struct thread_sketch *t = &d->sketch->kinds[kind];
  uint8_t seen = (uint8_t)(chance(d, 60) ? 2 : below(d, 3));
  d->thread = t;
  if (chance(d, 20))
    draw_load(d, word(d));
  if (kind == 1) {
    draw_store(d, WAIT_INSIDE, 1);
    draw_store(d, 0, 1);
  } else if (kind == 0 || chance(d, 30)) {
    struct step *s = push(d, STEP_WAIT);
    s->word = (uint8_t)kind / 2;
    s->order = chance(d, 75) ? (uint8_t)ORD_RLX : reads(d);
    s->how = (uint8_t)(chance(d, 25) ? WAIT_ADDS : WAIT_LOOKS);
    s->how |= (uint8_t)(WAIT_FENCES * chance(d, 10));
    s->how |= (uint8_t)(WAIT_BEGINS * chance(d, 40));
    s->value = seen;
    s->order_fail = chance(d, 70) ? (uint8_t)ORD_NA : reads(d);
    s->lock = chance(d, 40);
  } else {
    draw_load(d, 1);
    push(d, STEP_IF)->other = 1;
    t->at[t->len - 1].inside = 1;
  }
  if (kind == 2)
    draw_plainly(d, seen);
  else if (kind == 0 || chance(d, 20))
    draw_store(d, 1, 1);
  if (chance(d, 20))
    draw_update(d, word(d));
}
