// SPDX-License-Identifier: MIT
// How a sketch is drawn: dice, the steps that are added to a thread, and the
// threads that families are made of. The same family and seed are the same
// program for ever: what is drawn, and in which order, never changes.
#pragma once

#include "base/hash.h"
#include "sketch.h"

struct draw {
  enum sketch_family family;
  uint64_t state;
  struct sketch *sketch;
  struct thread_sketch *thread; // that steps are added to
  uint8_t word;                 // that is preferred
  unsigned left;                // of steps
};

static inline unsigned below(struct draw *d, unsigned n) {
  return (unsigned)(hash_u64(++d->state) % n);
}

static inline bool chance(struct draw *d, unsigned percent) {
  return below(d, 100) < percent;
}

static inline uint8_t reads(struct draw *d) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_SC};
  return orders[below(d, 4)];
}

static inline uint8_t writes(struct draw *d) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX, ORD_REL, ORD_SC};
  return orders[below(d, 4)];
}

static inline uint8_t updates(struct draw *d) {
  static const uint8_t orders[] = {ORD_RLX, ORD_RLX,    ORD_ACQ,
                                   ORD_REL, ORD_ACQREL, ORD_SC};
  return orders[below(d, 6)];
}

static inline uint8_t word(struct draw *d) {
  if (chance(d, 50))
    return d->word;
  if (d->family == FAMILY_ELEMENTS && chance(d, 40))
    return (uint8_t)(WORD_OWN + below(d, 2 + SKETCH_ELEMENTS));
  static const uint8_t words[] = {WORD_X, WORD_X, WORD_X,   WORD_Y,
                                  WORD_Y, WORD_Z, WORD_OWN, WORD_BY_R};
  return words[below(d, 8)];
}

static inline uint8_t value(struct draw *d) {
  return (uint8_t)(chance(d, 60) ? 1 + below(d, 2) : below(d, VALUES));
}

static inline uint8_t lock(struct draw *d) {
  return (uint8_t)(chance(d, 70) ? 0 : below(d, SKETCH_LOCKS));
}

// -- steps (sketch_steps.c)

// The step that was added; where the thread is full, one that is in no thread.
struct step *push(struct draw *d, enum step_kind kind);
// What was added behind step `from` is inside of it; nothing, if that was not
// added.
void put_inside(struct draw *d, unsigned from);
void draw_load(struct draw *d, uint8_t word);
void draw_store(struct draw *d, uint8_t word, uint8_t value);
void draw_update(struct draw *d, uint8_t word);
void draw_retry(struct draw *d);
// A loop whose rounds keep what they see.
void draw_gather(struct draw *d, uint8_t what);
void draw_if(struct draw *d, unsigned depth);
void draw_fence(struct draw *d);
void draw_bits(struct draw *d);
void draw_select(struct draw *d);
// A step of a kind that the family has more of than others, so many others deep
// inside.
void draw_step(struct draw *d, unsigned depth);

// -- threads (sketch_threads.c)

// So many steps, or a few more.
void draw_thread(struct draw *d, unsigned kind, unsigned most);
// Thread n of a circle reads word n and writes the next one.
void draw_link(struct draw *d, unsigned kind);
// Threads 0 and 1 read what the other writes, mostly in a loop that waits for
// the last word; the last thread sets that.
void draw_gathering(struct draw *d, unsigned kind);
// Thread 0 waits for word 0, looks at another one in each round, and then tells
// by word 1. Thread 1 ends the wait. Thread 2 is told.
void draw_round_thread(struct draw *d, unsigned kind);
// What becomes of a thread, for the one that has created it.
void draw_join(struct draw *d, unsigned t);
// What a thread has returned is stored.
void draw_join_and_store(struct draw *d, unsigned t);
