// SPDX-License-Identifier: MIT
// Some things about a model are found by trial: small graphs, each of which is
// an instance of a rule, for all strengths of its accesses. If the model
// refuses them all, the rule is taken to hold.
//
// A cycle of po | rf can be cut down to reads and writes that alternate: each
// read takes its value from another thread, and a later write of its thread
// gives one to the next. So if each pair of a read and a later write is
// ordered, there is none: that is load buffering (LB). The same with
// dependencies instead of po must not be allowed, or values could come out of
// thin air.
#include "cat/analyse.h"
#include "cat/eval.h"
#include "cat/sets.h"

#include <string.h>

enum { X, Y, LOCS };

struct trial {
  const struct cat *cat;
  uint32_t n;
  struct cat_event events[12];
  struct pair {
    enum cat_base base;
    uint32_t from, to;
  } pairs[24];
  uint32_t npairs;
};

static const struct model_options no_options;

static struct trial new_trial(const struct cat *c) {
  struct trial t = {.cat = c, .n = LOCS};
  for (uint32_t l = 0; l < LOCS; l++)
    t.events[l] = (struct cat_event){.sets = cat_initial_sets(),
                                     .thread = 100 + l,
                                     .loc = l,
                                     .rf = NO_NUMBER,
                                     .id = INIT_EVENT};
  return t;
}

static void relate(struct trial *t, enum cat_base b, uint32_t from,
                   uint32_t to) {
  t->pairs[t->npairs++] = (struct pair){b, from, to};
  if (b == CAT_ctrl) // what a branch guards comes after it
    relate(t, CAT_ctrl_after, from, to);
}

// Adds an event behind those of its thread.
static uint32_t add(struct trial *t, uint32_t thread, enum event_kind kind,
                    enum order order, uint32_t loc) {
  struct event e = {.kind = (uint8_t)kind, .order = (uint8_t)order};
  uint32_t n = t->n++;
  t->events[n] = (struct cat_event){.sets = cat_sets_of(&e, &no_options),
                                    .thread = thread,
                                    .loc = is_access(&e) ? loc : NO_NUMBER,
                                    .rf = NO_NUMBER,
                                    .id = n};
  for (uint32_t i = LOCS; i < n; i++)
    if (t->events[i].thread == thread)
      relate(t, CAT_po, i, n);
  return n;
}

static uint32_t add_write(struct trial *t, uint32_t thread, enum order order,
                          uint32_t loc, uint32_t co) {
  uint32_t w = add(t, thread, EV_WRITE, order, loc);
  t->events[w].co = co;
  return w;
}

static void read_from(struct trial *t, uint32_t read, uint32_t write) {
  t->events[read].rf = write;
  t->events[read].co = t->events[write].co;
}

static bool is_allowed(const struct trial *t) {
  struct cat_world w;
  struct cat_event *events = xmalloc(t->n * sizeof *events);
  memcpy(events, t->events, t->n * sizeof *events);
  cat_world_of_events(&w, t->cat->uses, events, t->n);
  for (uint32_t i = 0; i < t->npairs; i++)
    cat_world_add(&w, t->pairs[i].base, t->pairs[i].from, t->pairs[i].to);
  cat_world_close_po(&w);
  bool allowed = !cat_broken_in(t->cat, &w);
  cat_world_done(&w);
  return allowed;
}

static const enum order read_orders[] = {ORD_NA, ORD_RLX, ORD_ACQ, ORD_SC};
static const enum order write_orders[] = {ORD_NA, ORD_RLX, ORD_REL, ORD_SC};
enum { ORDERS = 4 };

// r1 = x; y = 1 || r2 = y; x = 1, all 1. `base` relates the read and the write
// of each thread, if it is not CAT_po.
static bool allows_lb(const struct cat *c, enum order r, enum order w,
                      enum cat_base base) {
  struct trial t = new_trial(c);
  uint32_t r1 = add(&t, 0, EV_READ, r, X), w1 = add_write(&t, 0, w, Y, 1);
  uint32_t r2 = add(&t, 1, EV_READ, r, Y), w2 = add_write(&t, 1, w, X, 1);
  read_from(&t, r1, w2);
  read_from(&t, r2, w1);
  if (base != CAT_po) {
    relate(&t, base, r1, w1);
    relate(&t, base, r2, w2);
  }
  return is_allowed(&t);
}

// The same with a fence in the left thread, and data in the right one.
static bool allows_lb_fenced(const struct cat *c, enum order r,
                             enum order fence, enum order w) {
  struct trial t = new_trial(c);
  uint32_t r1 = add(&t, 0, EV_READ, r, X);
  if (fence != ORD_NA)
    add(&t, 0, EV_FENCE, fence, 0);
  uint32_t w1 = add_write(&t, 0, w, Y, 1);
  uint32_t r2 = add(&t, 1, EV_READ, ORD_RLX, Y);
  uint32_t w2 = add_write(&t, 1, ORD_RLX, X, 1);
  relate(&t, CAT_data, r2, w2);
  read_from(&t, r1, w2);
  read_from(&t, r2, w1);
  return is_allowed(&t);
}

// What promises take for granted (explore/promise/promise.c): a read that is
// promised something synchronises with nothing.
static bool barriers_order(const struct cat *c) {
  return !allows_lb_fenced(c, ORD_ACQ, ORD_NA, ORD_RLX) &&
         !allows_lb_fenced(c, ORD_SC, ORD_NA, ORD_RLX) &&
         !allows_lb_fenced(c, ORD_RLX, ORD_ACQREL, ORD_RLX) &&
         !allows_lb_fenced(c, ORD_RLX, ORD_SC, ORD_RLX);
}

// r1 = x; start a thread || x = 1, and it reads 1.
static bool allows_before_start(const struct cat *c, enum order r,
                                enum order w) {
  struct trial t = new_trial(c);
  uint32_t r1 = add(&t, 0, EV_READ, r, X);
  uint32_t spawn = add(&t, 0, EV_SPAWN, ORD_NA, 0);
  uint32_t start = add(&t, 1, EV_START, ORD_NA, 0);
  relate(&t, CAT_po, spawn, start);
  read_from(&t, r1, add_write(&t, 1, w, X, 1));
  return is_allowed(&t);
}

// r1 = x; x = 1, and it reads that write.
static bool allows_own_later(const struct cat *c, enum order r, enum order w) {
  struct trial t = new_trial(c);
  uint32_t r1 = add(&t, 0, EV_READ, r, X);
  read_from(&t, r1, add_write(&t, 0, w, X, 1));
  return is_allowed(&t);
}

// r1 = x; x = 2 || x = 1, with r1 = 1 and 2 before 1 in co.
static bool allows_read_write(const struct cat *c, enum order r, enum order w) {
  struct trial t = new_trial(c);
  uint32_t r1 = add(&t, 0, EV_READ, r, X);
  add_write(&t, 0, w, X, 1);
  read_from(&t, r1, add_write(&t, 1, w, X, 2));
  return is_allowed(&t);
}

// x = 1; x = 2, in co the other way round.
static bool allows_write_write(const struct cat *c, enum order w) {
  struct trial t = new_trial(c);
  add_write(&t, 0, w, X, 2);
  add_write(&t, 0, w, X, 1);
  return is_allowed(&t);
}

// x = 1; r1 = x, which reads the initial value, or (`from` 1) an older write.
static bool allows_write_read(const struct cat *c, enum order r, enum order w,
                              bool from_init) {
  struct trial t = new_trial(c);
  add_write(&t, 0, w, X, 2);
  uint32_t r1 = add(&t, 0, EV_READ, r, X), w1 = add_write(&t, 1, w, X, 1);
  read_from(&t, r1, from_init ? X : w1);
  return is_allowed(&t);
}

// r1 = x; r2 = x || x = 1, with r1 = 1 and r2 = 0.
static bool allows_read_read(const struct cat *c, enum order r, enum order w) {
  struct trial t = new_trial(c);
  uint32_t r1 = add(&t, 0, EV_READ, r, X), r2 = add(&t, 0, EV_READ, r, X);
  read_from(&t, r1, add_write(&t, 1, w, X, 1));
  read_from(&t, r2, X);
  return is_allowed(&t);
}

static bool is_incoherent(const struct cat *c, enum order r, enum order w) {
  return allows_own_later(c, r, w) || allows_read_write(c, r, w) ||
         allows_write_write(c, w) || allows_write_read(c, r, w, true) ||
         allows_write_read(c, r, w, false) || allows_read_read(c, r, w);
}

// Trials cost more than most litmus tests, so none is made whose outcome does
// not matter any more.
struct cat_tried cat_try(const struct cat *c) {
  static const enum cat_base dependencies[] = {CAT_addr, CAT_data, CAT_ctrl};
  struct cat_tried t = {.porf_is_acyclic = true, .is_coherent = true};
  t.barriers_order = barriers_order(c);
  for (unsigned i = 0; i < ORDERS; i++)
    for (unsigned j = 0; j < ORDERS; j++) {
      enum order r = read_orders[i], w = write_orders[j];
      t.porf_is_acyclic = t.porf_is_acyclic && !allows_lb(c, r, w, CAT_po) &&
                          !allows_before_start(c, r, w) &&
                          !allows_own_later(c, r, w);
      t.is_coherent = t.is_coherent && !is_incoherent(c, r, w);
      for (unsigned d = 0; d < 3; d++)
        t.thin_air = t.thin_air || allows_lb(c, r, w, dependencies[d]);
    }
  return t;
}
