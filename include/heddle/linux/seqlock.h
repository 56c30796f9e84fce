// SPDX-License-Identifier: MIT
// Sequence counts: readers begin again when a writer came in between. To the
// kernel's model, data in a section that is read while it is written has to be
// accessed with READ_ONCE and WRITE_ONCE.
#pragma once

#include <linux/spinlock.h>

typedef struct seqcount {
  unsigned sequence;
} seqcount_t;
typedef seqcount_t seqcount_spinlock_t;
#define SEQCNT_ZERO(name)                                                      \
  { 0 }
#define SEQCNT_SPINLOCK_ZERO(name, lock)                                       \
  { 0 }
#define seqcount_init(s) ((void)((s)->sequence = 0))
#define seqcount_spinlock_init(s, lock) seqcount_init(s)

// The number, which may be odd.
static inline unsigned raw_read_seqcount(const seqcount_t *s) {
  unsigned sequence = READ_ONCE(s->sequence);
  smp_rmb();
  return sequence;
}

static inline unsigned raw_seqcount_begin(const seqcount_t *s) {
  return raw_read_seqcount(s) & ~1u;
}

static inline unsigned read_seqcount_begin(const seqcount_t *s) {
  unsigned sequence;
  while ((sequence = READ_ONCE(s->sequence)) & 1)
    cpu_relax();
  smp_rmb();
  return sequence;
}

static inline int read_seqcount_retry(const seqcount_t *s, unsigned start) {
  smp_rmb();
  return READ_ONCE(s->sequence) != start;
}

static inline void write_seqcount_begin(seqcount_t *s) {
  WRITE_ONCE(s->sequence, s->sequence + 1);
  smp_wmb();
}

static inline void write_seqcount_end(seqcount_t *s) {
  smp_wmb();
  WRITE_ONCE(s->sequence, s->sequence + 1);
}

// Sections that have begun are of no use any more.
static inline void write_seqcount_invalidate(seqcount_t *s) {
  smp_wmb();
  WRITE_ONCE(s->sequence, s->sequence + 2);
}

#define raw_write_seqcount_begin(s) write_seqcount_begin(s)
#define raw_write_seqcount_end(s) write_seqcount_end(s)

// -- with a lock for writers

typedef struct {
  seqcount_t seqcount;
  spinlock_t lock;
} seqlock_t;
#define __SEQLOCK_UNLOCKED(name)                                               \
  { SEQCNT_ZERO(name), __SPIN_LOCK_UNLOCKED(name) }
#define DEFINE_SEQLOCK(name) seqlock_t name = __SEQLOCK_UNLOCKED(name)

static inline void seqlock_init(seqlock_t *s) {
  seqcount_init(&s->seqcount);
  spin_lock_init(&s->lock);
}

static inline unsigned read_seqbegin(const seqlock_t *s) {
  return read_seqcount_begin(&s->seqcount);
}

static inline unsigned read_seqretry(const seqlock_t *s, unsigned start) {
  return read_seqcount_retry(&s->seqcount, start);
}

static inline void write_seqlock(seqlock_t *s) {
  spin_lock(&s->lock);
  write_seqcount_begin(&s->seqcount);
}

static inline void write_sequnlock(seqlock_t *s) {
  write_seqcount_end(&s->seqcount);
  spin_unlock(&s->lock);
}

static inline void read_seqlock_excl(seqlock_t *s) {
  spin_lock(&s->lock);
}

static inline void read_sequnlock_excl(seqlock_t *s) {
  spin_unlock(&s->lock);
}

#define write_seqlock_irq(s) write_seqlock(s)
#define write_sequnlock_irq(s) write_sequnlock(s)
#define write_seqlock_irqsave(s, flags) ((void)((flags) = 0), write_seqlock(s))
#define write_sequnlock_irqrestore(s, flags) ((void)(flags), write_sequnlock(s))
