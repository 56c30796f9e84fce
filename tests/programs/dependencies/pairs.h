// SPDX-License-Identifier: MIT
// Two accesses in one thread, first of `a`, then of `b`, and what is between
// them: nothing but program order (po), a dependency (data, addr, ctrl), an
// order of C11, or a barrier. The shapes of this folder are made of such pairs.
// A first store writes 1, a second one 2; everything is 0 before.
#pragma once

#include "../common.h"

#define JOINED(a, b) a##b
#define NAMED(a, b) JOINED(a, b)
#define RW(way) NAMED(rw_, way)
#define RR(way) NAMED(rr_, way)
#define WW(way) NAMED(ww_, way)
#define WR(way) NAMED(wr_, way)

#define BARRIER(text) __asm__ volatile(text ::: "memory")

// -- a read, then a write; the value read

static inline int rw_po(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  store(b, 2, rlx);
  return r;
}

static inline int rw_data(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  store(b, 2 + (r ^ r), rlx);
  return r;
}

static inline int rw_addr(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  store(&b[r & 0], 2, rlx);
  return r;
}

static inline int rw_ctrl(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  if (r) {
  }
  store(b, 2, rlx);
  return r;
}

static inline int rw_release(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  store(b, 2, rel);
  return r;
}

static inline int rw_acquire(atomic_int *a, atomic_int *b) {
  int r = load(a, acq);
  store(b, 2, rlx);
  return r;
}

static inline int rw_dmb(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  fence(sc);
  store(b, 2, rlx);
  return r;
}

static inline int rw_dmb_ld(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  fence(acq);
  store(b, 2, rlx);
  return r;
}

static inline int rw_dmb_st(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  BARRIER("dmb ishst");
  store(b, 2, rlx);
  return r;
}

static inline int rw_isb(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  BARRIER("isb");
  store(b, 2, rlx);
  return r;
}

static inline int rw_add(atomic_int *a, atomic_int *b) {
  int r = fetch_add(a, 1, rlx);
  store(b, 2, rlx);
  return r;
}

// -- two reads; whether the first saw a write and the second did not

static inline bool rr_po(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx), s = load(b, rlx);
  return r && !s;
}

static inline bool rr_addr(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx), s = load(&b[r & 0], rlx);
  return r && !s;
}

static inline bool rr_ctrl(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  if (r) {
  }
  int s = load(b, rlx);
  return r && !s;
}

static inline bool rr_isb(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  BARRIER("isb");
  int s = load(b, rlx);
  return r && !s;
}

static inline bool rr_ctrl_isb(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  if (r) {
  }
  BARRIER("isb");
  int s = load(b, rlx);
  return r && !s;
}

// The address of another load depends on the first one.
static inline bool rr_addr_isb(atomic_int *a, atomic_int *b) {
  static atomic_int other;
  int r = load(a, rlx);
  load(&(&other)[r & 0], rlx);
  BARRIER("isb");
  int s = load(b, rlx);
  return r && !s;
}

static inline bool rr_acquire(atomic_int *a, atomic_int *b) {
  int r = load(a, acq), s = load(b, acq);
  return r && !s;
}

static inline bool rr_seq_cst(atomic_int *a, atomic_int *b) {
  int r = load(a, sc), s = load(b, sc);
  return r && !s;
}

static inline bool rr_dmb(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  fence(sc);
  int s = load(b, rlx);
  return r && !s;
}

static inline bool rr_dmb_ld(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  fence(acq);
  int s = load(b, rlx);
  return r && !s;
}

static inline bool rr_dmb_st(atomic_int *a, atomic_int *b) {
  int r = load(a, rlx);
  BARRIER("dmb ishst");
  int s = load(b, rlx);
  return r && !s;
}

// -- two writes

static inline void ww_po(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  store(b, 2, rlx);
}

static inline void ww_release(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  store(b, 2, rel);
}

static inline void ww_dmb(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  fence(sc);
  store(b, 2, rlx);
}

static inline void ww_dmb_ld(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  fence(acq);
  store(b, 2, rlx);
}

static inline void ww_dmb_st(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  BARRIER("dmb ishst");
  store(b, 2, rlx);
}

// -- a write, then a read; the value read

static inline int wr_po(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  return load(b, rlx);
}

static inline int wr_ra(atomic_int *a, atomic_int *b) {
  store(a, 1, rel);
  return load(b, acq);
}

static inline int wr_seq_cst(atomic_int *a, atomic_int *b) {
  store(a, 1, sc);
  return load(b, sc);
}

static inline int wr_dmb(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  fence(sc);
  return load(b, rlx);
}

static inline int wr_acq_rel(atomic_int *a, atomic_int *b) {
  store(a, 1, rlx);
  fence(acqrel);
  return load(b, rlx);
}

// -- threads that yield a number

#define yields(number) return (void *)(intptr_t)(number)

static inline int result(pthread_t id) {
  void *value;
  pthread_join(id, &value);
  return (int)(intptr_t)value;
}

// Runs two threads; what they yield.
static inline void together(void *(*one)(void *), void *(*other)(void *),
                            int *of_one, int *of_other) {
  pthread_t first, second;
  pthread_create(&first, NULL, one, NULL);
  pthread_create(&second, NULL, other, NULL);
  *of_one = result(first);
  *of_other = result(second);
}
