// SPDX-License-Identifier: MIT
// See sketch.h: how sketches are drawn and made smaller.
#include "sketch.h"

#include "base/hash.h"

#include <string.h>

// -- dice

struct draw {
  enum sketch_family family;
  uint64_t state;
  struct sketch *sketch;
  struct thread_sketch *thread; // that steps are added to
  uint8_t word;                 // that is preferred
  unsigned left;                // of steps
};

static unsigned below(struct draw *d, unsigned n) {
  return (unsigned)(hash_u64(++d->state) % n);
}

static bool chance(struct draw *d, unsigned percent) {
  return below(d, 100) < percent;
}

static uint8_t reads(struct draw *d) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_SC};
  return orders[below(d, 4)];
}

static uint8_t writes(struct draw *d) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX, ORD_REL, ORD_SC};
  return orders[below(d, 4)];
}

static uint8_t updates(struct draw *d) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX,    ORD_ACQ,
                                   ORD_REL, ORD_ACQREL, ORD_SC};
  return orders[below(d, 6)];
}

static uint8_t word(struct draw *d) {
  if (chance(d, 50))
    return d->word;
  if (d->family == FAMILY_ELEMENTS && chance(d, 40))
    return (uint8_t)(WORD_OWN + below(d, 2 + SKETCH_ELEMENTS));
  static const uint8_t words[] = {WORD_X, WORD_X, WORD_X,   WORD_Y,
                                  WORD_Y, WORD_Z, WORD_OWN, WORD_BY_R};
  return words[below(d, 8)];
}

static uint8_t value(struct draw *d) {
  return (uint8_t)(chance(d, 60) ? 1 + below(d, 2) : below(d, VALUES));
}

static uint8_t lock(struct draw *d) {
  return (uint8_t)(chance(d, 70) ? 0 : below(d, SKETCH_LOCKS));
}

// -- steps

static struct step *push(struct draw *d, enum step_kind kind) {
  static struct step unused;
  if (d->thread->len == SKETCH_STEPS)
    return &unused;
  struct step *s = &d->thread->at[d->thread->len++];
  *s = (struct step){.kind = (uint8_t)kind, .word = word(d)};
  d->left -= d->left > 0;
  return s;
}

static void draw_step(struct draw *d, unsigned depth);

static uint8_t is_narrow(struct draw *d) {
  bool may_be = d->family == FAMILY_SIZES || d->family == FAMILY_CIRCLES;
  return may_be && chance(d, d->family == FAMILY_SIZES ? 40 : 10)
             ? ACCESS_IS_NARROW
             : 0;
}

static void draw_load(struct draw *d, uint8_t word) {
  struct step *s = push(d, STEP_LOAD);
  s->word = word;
  s->order = reads(d);
  s->how = is_narrow(d);
}

static void draw_store(struct draw *d, uint8_t word, uint8_t value) {
  struct step *s = push(d, STEP_STORE);
  s->word = word;
  s->value = value;
  s->order = writes(d);
  s->how = is_narrow(d);
}

static void draw_update(struct draw *d, uint8_t word) {
  static const enum step_kind kinds[] = {STEP_ADD, STEP_ADD, STEP_SWAP,
                                         STEP_SWAP, STEP_CAS};
  struct step *s = push(d, kinds[below(d, 5)]);
  s->word = word;
  s->value = s->kind == STEP_ADD ? (uint8_t)below(d, 4) : value(d);
  s->other = (uint8_t)below(d, 3);
  s->order = updates(d);
  s->order_fail = reads(d);
}

static void draw_chain(struct draw *d) {
  uint8_t at = word(d);
  for (unsigned n = 2 + below(d, 2); n > 0; n--)
    draw_update(d, at);
  if (chance(d, 60))
    draw_load(d, at);
}

// An access of one word and then one of another, as those that weak memory
// puts out of order.
static void draw_two(struct draw *d) {
  uint8_t one = d->word < 2 ? d->word : WORD_X, two = 1 - one;
  if (chance(d, 50))
    draw_store(d, one, (uint8_t)(1 + below(d, 2)));
  else
    draw_load(d, one);
  if (chance(d, 50))
    draw_store(d, two, chance(d, 70) ? (uint8_t)(1 + below(d, 2)) : VALUE_R);
  else
    draw_load(d, two);
}

// What is there is stored again, or the same twice.
static void draw_back(struct draw *d) {
  uint8_t at = word(d), what = value(d);
  switch (below(d, 4)) {
  case 0:
    draw_load(d, at);
    draw_store(d, at, VALUE_R);
    break;
  case 1:
    draw_store(d, at, what);
    draw_store(d, at, what);
    break;
  case 2: {
    struct step *s = push(d, STEP_ADD);
    s->word = at;
    s->value = 1; // that is 0
    s->order = updates(d);
    break;
  }
  default:
    draw_load(d, at);
    draw_store(d, at, what);
    draw_store(d, word(d), VALUE_R);
  }
}

static void draw_retry(struct draw *d) {
  static const uint8_t values[] = {VALUE_R_PLUS_1, VALUE_R_PLUS_1, VALUE_R_EVEN,
                                   VALUE_R_ODD,    VALUE_R,        1};
  struct step *s = push(d, STEP_RETRY);
  s->value = values[below(d, 6)];
  s->order = updates(d);
  s->order_fail = reads(d);
  s->how = (uint8_t)below(d, 4);
  if (chance(d, 25))
    s->how |= RETRY_IS_BOUNDED;
  if (chance(d, 20))
    s->how |= RETRY_WRITES_OWN;
}

static void draw_wait(struct draw *d) {
  struct step *s = push(d, STEP_WAIT);
  s->other = (uint8_t)(chance(d, 80) ? 0 : 1);
  s->order = reads(d);
  s->how = chance(d, 20) ? WAIT_YIELDS : 0;
}

// A loop that stores what others can see without a lock.
static void draw_watched(struct draw *d) {
  bool is_wait = chance(d, 25);
  if (is_wait)
    draw_wait(d);
  else
    draw_retry(d);
  if (!d->thread->len)
    return;
  struct step *s = &d->thread->at[d->thread->len - 1];
  if (is_wait) {
    s->how |= (uint8_t)(WAIT_PUTS + WAIT_LOOKS * chance(d, 50) +
                        WAIT_KEEPS * chance(d, 50));
    s->value = (uint8_t)below(d, 3);
    s->order_fail = reads(d);
    return;
  }
  s->how &= (uint8_t)~RETRY_WRITES_OWN;
  s->how |= chance(d, 50) ? RETRY_WRITES_OWN : RETRY_WRITES_PLAIN;
  s->how |= (uint8_t)(RETRY_WRITES_ONE * chance(d, 50));
  if (chance(d, 25))
    s->how |= (uint8_t)(RETRY_LOOKS + RETRY_KEEPS * chance(d, 60));
  s->other = (uint8_t)below(d, 3);
}

// A loop whose rounds keep what they see.
static void draw_gather(struct draw *d, uint8_t what) {
  if (chance(d, 20)) {
    draw_retry(d);
    struct step *s = &d->thread->at[d->thread->len - 1];
    s->word = chance(d, 85) ? WORD_Z : what;
    s->other = what;
    s->how |= RETRY_LOOKS | RETRY_KEEPS;
    s->how &= (uint8_t) ~(RETRY_IS_BOUNDED | RETRY_WRITES_OWN);
    return;
  }
  struct step *s = push(d, STEP_GATHER);
  s->word = chance(d, 85) ? WORD_Z : word(d);
  s->value = what;
  s->order = chance(d, 60) ? ORD_RLX : reads(d);
  s->order_fail = chance(d, 60) ? ORD_RLX : reads(d);
  s->how =
      (uint8_t)(GATHER_STEP * chance(d, 20) + GATHER_UPDATES * chance(d, 20) +
                GATHER_BITS * chance(d, 30) + GATHER_LAST * chance(d, 30) +
                GATHER_ENDS * chance(d, 15) + GATHER_FIRST * chance(d, 60));
  if (d->family != FAMILY_GAMBLES)
    return;
  // (A sum of choices has no end.)
  s->how |= (uint8_t)(chance(d, 75) ? GATHER_CHOOSES + GATHER_LAST : 0);
  s->how |= (uint8_t)(GATHER_PUTS * chance(d, 80));
}

// Who looks, and does something then, mostly to the word of the loop.
static void draw_spy(struct draw *d) {
  struct step *s = push(d, chance(d, 50) ? STEP_GET : STEP_PEEK);
  s->other = (uint8_t)below(d, SKETCH_ELEMENTS);
  unsigned from = d->thread->len;
  if (chance(d, 60))
    push(d, STEP_IF)->other = (uint8_t)below(d, 2);
  if (chance(d, 80))
    draw_store(d, word(d),
               (uint8_t)(chance(d, 60) ? below(d, 2) : below(d, VALUES)));
  else
    draw_update(d, word(d));
  if (from + 1 < d->thread->len)
    d->thread->at[from].inside = (uint8_t)(d->thread->len - from - 1);
}

static void set_lock(struct draw *d, struct step *s) {
  static const uint8_t orders[] = {ORD_ACQ, ORD_ACQ, ORD_RLX, ORD_SC};
  s->lock = lock(d);
  s->order = orders[below(d, 4)];
  s->order_fail = chance(d, 85) ? ORD_ACQ : 0;
  s->how = chance(d, 60) ? SECTION_READS : 0;
}

static void draw_poll(struct draw *d) {
  struct step *s = push(d, STEP_POLL);
  set_lock(d, s);
}

static void draw_inside(struct draw *d, unsigned from, unsigned depth) {
  struct thread_sketch *t = d->thread;
  for (unsigned n = 1 + below(d, 2); n > 0; n--)
    draw_step(d, depth + 1);
  if (from < t->len)
    t->at[from].inside = (uint8_t)(t->len - from - 1);
}

static void draw_section(struct draw *d, unsigned depth) {
  unsigned from = d->thread->len;
  struct step *s = push(d, STEP_SECTION);
  set_lock(d, s);
  unsigned keeps = d->sketch->locks[s->lock] == LOCK_SEMAPHORE ? 20 : 3;
  if (chance(d, keeps))
    s->how |= SECTION_KEEPS;
  draw_inside(d, from, depth);
}

static void draw_if(struct draw *d, unsigned depth) {
  unsigned from = d->thread->len;
  struct step *s = push(d, STEP_IF);
  s->other = (uint8_t)below(d, 3);
  draw_inside(d, from, depth);
}

static void draw_repeat(struct draw *d) {
  unsigned from = d->thread->len;
  push(d, STEP_REPEAT)->other = (uint8_t)(2 + below(d, 2));
  draw_load(d, word(d));
  if (chance(d, 50))
    draw_store(d, word(d), value(d));
  if (from < d->thread->len)
    d->thread->at[from].inside = (uint8_t)(d->thread->len - from - 1);
}

// A look, and what is done then.
static void draw_consequence(struct draw *d, enum step_kind what) {
  if (chance(d, 70))
    draw_load(d, word(d));
  unsigned from = d->thread->len;
  push(d, STEP_IF)->other = (uint8_t)below(d, 3);
  struct step *s = push(d, what);
  s->how = (uint8_t)(what == STEP_CUT ? below(d, CUTS) : 0);
  if (chance(d, 30))
    draw_store(d, word(d), value(d));
  if (from < d->thread->len)
    d->thread->at[from].inside = (uint8_t)(d->thread->len - from - 1);
}

static void draw_expect(struct draw *d, enum step_kind kind) {
  struct step *s = push(d, kind);
  s->order = reads(d);
  s->other = (uint8_t)below(d, 3);
}

static void draw_plain(struct draw *d) {
  static const enum step_kind kinds[] = {STEP_GET, STEP_PUT, STEP_OWN};
  push(d, kinds[below(d, 3)]);
}

static void draw_post(struct draw *d) {
  uint8_t which = lock(d);
  if (d->sketch->locks[which] == LOCK_SEMAPHORE)
    push(d, STEP_POST)->lock = which;
}

static void draw_fence(struct draw *d) {
  static const uint8_t orders[] = {ORD_SC, ORD_ACQREL, ORD_ACQ, ORD_REL};
  push(d, STEP_FENCE)->order = orders[below(d, 4)];
}

static void draw_sleep(struct draw *d) {
  struct step *s = push(d, chance(d, 45) ? STEP_SLEEP : STEP_WAKE);
  s->word = (uint8_t)below(d, 2);
  s->value = (uint8_t)(1 + below(d, 2));
  s->order = chance(d, 80) ? ORD_RLX : ORD_SC;
  s->how = s->kind == STEP_WAKE ? (uint8_t)below(d, 4) : 0;
}

static void draw_node(struct draw *d) {
  static const enum step_kind kinds[] = {
      STEP_PUBLISH, STEP_PUBLISH, STEP_LOOK_AT, STEP_LOOK_AT, STEP_RETIRE};
  struct step *s = push(d, kinds[below(d, 5)]);
  s->order = s->kind == STEP_PUBLISH   ? writes(d)
             : s->kind == STEP_LOOK_AT ? reads(d)
                                       : updates(d);
  s->value = (uint8_t)below(d, 2);
  s->how = (uint8_t)(s->kind == STEP_PUBLISH  ? chance(d, 15)
                     : s->kind == STEP_RETIRE ? NODE_IS_KEPT * chance(d, 40)
                                              : 0);
}

static void draw_bits(struct draw *d) {
  struct step *s = push(d, STEP_BITS);
  s->how = (uint8_t)below(d, 3);
  s->value = (uint8_t)(chance(d, 70) ? 1 + below(d, 3) : below(d, VALUES));
  s->order = updates(d);
}

static void draw_linked(struct draw *d) {
  struct step *s = push(d, STEP_LINKED);
  s->value = value(d);
  s->order = reads(d);
  s->order_fail = writes(d);
  s->how = (uint8_t)(chance(d, 60) ? LINKED_NOTHING : below(d, LINKEDS));
}

static void draw_select(struct draw *d) {
  bool has_kept = chance(d, 60);
  if (has_kept) {
    push(d, STEP_KEEP);
    draw_load(d, word(d));
  }
  struct step *s = push(d, STEP_SELECT);
  s->value = (uint8_t)below(d, 3);
  s->other = (uint8_t)below(d, 2);
  s->how = (uint8_t)(SELECT_PICKS * chance(d, 40) +
                     has_kept * (SELECT_ASKS_KEPT * chance(d, 60) +
                                 SELECT_OF_BOTH * chance(d, 60)));
}

// The locks in either order, one inside of the other.
static void draw_nested(struct draw *d, unsigned depth) {
  unsigned from = d->thread->len;
  uint8_t first = (uint8_t)below(d, SKETCH_LOCKS);
  for (unsigned i = 0; i < SKETCH_LOCKS; i++) {
    struct step *s = push(d, STEP_SECTION);
    s->lock = i ? 1 - first : first;
    s->order = ORD_ACQ;
    s->order_fail = ORD_ACQ;
    s->how = (uint8_t)(SECTION_TRIES * chance(d, 45) + chance(d, 50));
    if (chance(d, 25))
      draw_store(d, word(d), value(d));
    if (chance(d, 30))
      break;
  }
  draw_step(d, depth + 1);
  struct thread_sketch *t = d->thread;
  for (unsigned i = from; i < t->len; i++)
    if (t->at[i].kind == STEP_SECTION && !t->at[i].inside)
      t->at[i].inside = (uint8_t)(t->len - i - 1);
}

// -- families

enum drawn {
  SOME_LOAD,
  SOME_STORE,
  SOME_UPDATE,
  SOME_CHAIN,
  SOME_BACK,
  SOME_RETRY,
  SOME_WAIT,
  SOME_POLL,
  SOME_ASSUME,
  SOME_SECTION,
  SOME_POST,
  SOME_IF,
  SOME_REPEAT,
  SOME_FAIL,
  SOME_EXPECT,
  SOME_CUT,
  SOME_MEET,
  SOME_PLAIN,
  SOME_FENCE,
  SOME_TWO,
  SOME_SLEEP,
  SOME_CHOICE,
  SOME_NODE,
  SOME_EXIT,
  SOME_BITS,
  SOME_LINKED,
  SOME_NESTED,
  SOME_LEAVE,
  SOME_WATCHED,
  SOME_SPY,
  DRAWN,
};

static const uint8_t usual[DRAWN] = {
    [SOME_TWO] = 8,    [SOME_LOAD] = 6, [SOME_STORE] = 8,  [SOME_UPDATE] = 5,
    [SOME_CHAIN] = 2,  [SOME_BACK] = 2, [SOME_RETRY] = 2,  [SOME_WAIT] = 1,
    [SOME_ASSUME] = 1, [SOME_IF] = 3,   [SOME_REPEAT] = 1, [SOME_PLAIN] = 1,
    [SOME_FENCE] = 1,
};

// What a family has more of.
static const uint8_t weights[FAMILIES][DRAWN] = {
    [FAMILY_WEAK] = {[SOME_TWO] = 80},
    [FAMILY_CHAINS] = {[SOME_TWO] = 8, [SOME_CHAIN] = 30, [SOME_UPDATE] = 5},
    [FAMILY_BACKS] = {[SOME_TWO] = 8, [SOME_BACK] = 30, [SOME_RETRY] = 4},
    [FAMILY_ELEMENTS] =
        {[SOME_SECTION] = 8, [SOME_EXPECT] = 6, [SOME_RETRY] = 4},
    [FAMILY_PERMITS] = {[SOME_SECTION] = 40, [SOME_POST] = 6, [SOME_POLL] = 2},
    [FAMILY_LOCKS] = {[SOME_SECTION] = 40, [SOME_PLAIN] = 6, [SOME_POLL] = 2},
    [FAMILY_RETRIES] = {[SOME_RETRY] = 30, [SOME_BACK] = 4},
    [FAMILY_WAITS] = {[SOME_WAIT] = 14,
                      [SOME_POLL] = 8,
                      [SOME_MEET] = 10,
                      [SOME_SECTION] = 6,
                      [SOME_ASSUME] = 5},
    [FAMILY_ASSERTIONS] =
        {[SOME_TWO] = 20, [SOME_EXPECT] = 10, [SOME_FAIL] = 10, [SOME_IF] = 6},
    [FAMILY_CUTS] = {[SOME_TWO] = 16,
                     [SOME_CUT] = 24,
                     [SOME_ASSUME] = 4,
                     [SOME_WAIT] = 3,
                     [SOME_SECTION] = 4},
    [FAMILY_CONDITIONS] = {[SOME_SLEEP] = 40, [SOME_EXPECT] = 1},
    [FAMILY_NODES] =
        {[SOME_TWO] = 8, [SOME_NODE] = 40, [SOME_SECTION] = 2, [SOME_EXIT] = 1},
    [FAMILY_SIZES] = {[SOME_TWO] = 8,
                      [SOME_LOAD] = 12,
                      [SOME_STORE] = 12,
                      [SOME_EXPECT] = 2},
    [FAMILY_MIXED] = {[SOME_SLEEP] = 2,
                      [SOME_CHOICE] = 2,
                      [SOME_NODE] = 2,
                      [SOME_EXIT] = 1,
                      [SOME_EXPECT] = 1,
                      [SOME_CHAIN] = 5,
                      [SOME_BACK] = 5,
                      [SOME_RETRY] = 6,
                      [SOME_WAIT] = 4,
                      [SOME_POLL] = 2,
                      [SOME_SECTION] = 14,
                      [SOME_POST] = 1,
                      [SOME_CUT] = 1,
                      [SOME_MEET] = 3},
    [FAMILY_NESTS] = {[SOME_LEAVE] = 8,
                      [SOME_CHAIN] = 3,
                      [SOME_WAIT] = 3,
                      [SOME_SECTION] = 4,
                      [SOME_CHOICE] = 2,
                      [SOME_EXIT] = 2},
    [FAMILY_BITS] = {[SOME_BITS] = 50, [SOME_EXPECT] = 3, [SOME_BACK] = 6},
    [FAMILY_LINKED] = {[SOME_LINKED] = 50, [SOME_TWO] = 10, [SOME_EXPECT] = 2},
    [FAMILY_SPIES] = {[SOME_WATCHED] = 30, [SOME_SPY] = 30},
    [FAMILY_TRIES] = {[SOME_NESTED] = 50, [SOME_EXPECT] = 2, [SOME_WAIT] = 2},
};

static enum drawn draw_kind(struct draw *d, unsigned depth) {
  unsigned sum = 0, of[DRAWN];
  for (unsigned i = 0; i < DRAWN; i++) {
    bool fits = depth < 2 || (i != SOME_SECTION && i != SOME_IF);
    fits &= depth < 1 || i != SOME_NESTED;
    fits &=
        depth < 1 || (i != SOME_REPEAT && i != SOME_MEET && i != SOME_SLEEP);
    of[i] = fits ? 0u + usual[i] + weights[d->family][i] : 0;
    sum += of[i];
  }
  unsigned at = below(d, sum), kind = 0;
  while (at >= of[kind])
    at -= of[kind++];
  return (enum drawn)kind;
}

static void draw_step(struct draw *d, unsigned depth) {
  switch (draw_kind(d, depth)) {
  case SOME_LOAD:
    draw_load(d, word(d));
    break;
  case SOME_STORE:
    draw_store(d, word(d), value(d));
    break;
  case SOME_UPDATE:
    draw_update(d, word(d));
    break;
  case SOME_CHAIN:
    draw_chain(d);
    break;
  case SOME_BACK:
    draw_back(d);
    break;
  case SOME_RETRY:
    draw_retry(d);
    break;
  case SOME_WAIT:
    draw_wait(d);
    break;
  case SOME_POLL:
    draw_poll(d);
    break;
  case SOME_ASSUME:
    draw_expect(d, STEP_ASSUME);
    break;
  case SOME_SECTION:
    draw_section(d, depth);
    break;
  case SOME_POST:
    draw_post(d);
    break;
  case SOME_IF:
    draw_if(d, depth);
    break;
  case SOME_REPEAT:
    draw_repeat(d);
    break;
  case SOME_FAIL:
    draw_consequence(d, STEP_FAIL);
    break;
  case SOME_EXPECT:
    draw_expect(d, STEP_EXPECT);
    break;
  case SOME_CUT:
    draw_consequence(d, STEP_CUT);
    break;
  case SOME_MEET:
    push(d, STEP_MEET);
    break;
  case SOME_PLAIN:
    draw_plain(d);
    break;
  case SOME_FENCE:
    draw_fence(d);
    break;
  case SOME_TWO:
    draw_two(d);
    break;
  case SOME_SLEEP:
    draw_sleep(d);
    break;
  case SOME_CHOICE:
    push(d, STEP_CHOOSE);
    break;
  case SOME_NODE:
    draw_node(d);
    break;
  case SOME_EXIT:
    draw_consequence(d, STEP_EXIT);
    break;
  case SOME_BITS:
    draw_bits(d);
    break;
  case SOME_LINKED:
    draw_linked(d);
    break;
  case SOME_NESTED:
    draw_nested(d, depth);
    break;
  case SOME_LEAVE:
    draw_consequence(d, STEP_LEAVE);
    break;
  case SOME_WATCHED:
    draw_watched(d);
    break;
  case SOME_SPY:
    draw_spy(d);
    break;
  case DRAWN:
    break;
  }
}

// -- programs

// What becomes of a thread, for the one that has created it.
static void draw_join(struct draw *d, unsigned t) {
  push(d, STEP_JOIN)->other = (uint8_t)t;
  if (d->sketch->has_results && chance(d, 60))
    push(d, STEP_CHECK)->other = (uint8_t)below(d, 3);
}

// What a thread has returned is stored.
static void draw_join_and_store(struct draw *d, unsigned t) {
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

static void draw_thread(struct draw *d, unsigned kind, unsigned most) {
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

// ---- loads before stores

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
    if (from < d->thread->len)
      d->thread->at[from].inside = (uint8_t)(d->thread->len - from - 1);
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
    if (from < d->thread->len)
      d->thread->at[from].inside = (uint8_t)(d->thread->len - from - 1);
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

// Thread n of a circle reads word n and writes the next one.
static void draw_link(struct draw *d, unsigned kind) {
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

// Threads 0 and 1 read what the other writes, mostly in a loop that waits for
// the last word; the last thread sets that.
static void draw_gathering(struct draw *d, unsigned kind) {
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

// ---- rounds that may race with what comes of their end

static void draw_plainly(struct draw *d, uint8_t word) {
  struct step *s = push(d, chance(d, 60) ? STEP_STORE : STEP_LOAD);
  s->word = word;
  s->value = (uint8_t)below(d, 3);
  s->order = chance(d, 60)           ? (uint8_t)ORD_NA
             : s->kind == STEP_STORE ? writes(d)
                                     : reads(d);
}

// Thread 0 waits for word 0, looks at another one in each round, and then tells
// by word 1. Thread 1 ends the wait. Thread 2 is told.
static void draw_round_thread(struct draw *d, unsigned kind) {
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
  for (unsigned n = below(d, 4); n > 0; n--) {
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
