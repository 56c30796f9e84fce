// SPDX-License-Identifier: MIT
// See sketch_draw.h: a step of each kind, and how often a family has which.
#include "sketch_draw.h"

struct step *push(struct draw *d, enum step_kind kind) {
  static struct step unused;
  if (d->thread->len == SKETCH_STEPS)
    return &unused;
  struct step *s = &d->thread->at[d->thread->len++];
  *s = (struct step){.kind = (uint8_t)kind, .word = word(d)};
  d->left -= d->left > 0;
  return s;
}

void put_inside(struct draw *d, unsigned from) {
  struct thread_sketch *t = d->thread;
  if (from < t->len)
    t->at[from].inside = (uint8_t)(t->len - from - 1);
}

static uint8_t is_narrow(struct draw *d) {
  bool may_be = d->family == FAMILY_SIZES || d->family == FAMILY_CIRCLES;
  return may_be && chance(d, d->family == FAMILY_SIZES ? 40 : 10)
             ? ACCESS_IS_NARROW
             : 0;
}

void draw_load(struct draw *d, uint8_t word) {
  struct step *s = push(d, STEP_LOAD);
  s->word = word;
  s->order = reads(d);
  s->how = is_narrow(d);
}

void draw_store(struct draw *d, uint8_t word, uint8_t value) {
  struct step *s = push(d, STEP_STORE);
  s->word = word;
  s->value = value;
  s->order = writes(d);
  s->how = is_narrow(d);
}

void draw_update(struct draw *d, uint8_t word) {
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

void draw_retry(struct draw *d) {
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

static void draw_count(struct draw *d) {
  static const uint8_t values[] = {VALUE_R_PLUS_1, VALUE_R_PLUS_1, VALUE_R_ODD,
                                   VALUE_R, 1};
  struct step *s = push(d, STEP_COUNT);
  s->value = values[below(d, 5)];
  s->other = (uint8_t)(2 + below(d, 3));
  s->order = updates(d);
  s->order_fail = reads(d);
  s->how =
      (uint8_t)(COUNT_KEEPS * chance(d, 20) + COUNT_BEGINS * chance(d, 30));
  if (chance(d, 40))
    s->how |= (uint8_t)(chance(d, 30) ? COUNT_TELLS : COUNT_ASKS);
  if (chance(d, 15))
    s->how |= COUNT_ASKS | COUNT_LEAVES;
  else if (chance(d, 15))
    s->how |= (uint8_t)(COUNT_LOADS << below(d, 5));
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

void draw_gather(struct draw *d, uint8_t what) {
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
  put_inside(d, from);
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
  for (unsigned n = 1 + below(d, 2); n > 0; n--)
    draw_step(d, depth + 1);
  put_inside(d, from);
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

void draw_if(struct draw *d, unsigned depth) {
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
  put_inside(d, from);
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
  put_inside(d, from);
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

void draw_fence(struct draw *d) {
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

void draw_bits(struct draw *d) {
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

void draw_select(struct draw *d) {
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
  SOME_COUNT,
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
    [FAMILY_COUNTS] = {[SOME_COUNT] = 50, [SOME_PLAIN] = 2, [SOME_BACK] = 4},
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

void draw_step(struct draw *d, unsigned depth) {
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
  case SOME_COUNT:
    draw_count(d);
    break;
  case DRAWN:
    break;
  }
}
