// SPDX-License-Identifier: MIT
#pragma once

#include "base/fence.h"
#include "model/deps.h"
#include "model/model.h"

bool armv8_consistent(struct graph *g, event_id e, event_id other,
                      const struct model_options *options);
bool armv8_whole(struct graph *g, event_id e, event_id other,
                 const struct model_options *options);
bool armv8_needs_deps(struct graph *g, event_id e);

// The instructions that a compiler makes of an event.

// LDAR, LDAPR, LDAXR, LDADDA, ...: the sets A and Q together.
static inline bool armv8_is_acquire(const struct event *e) {
  return e->kind == EV_READ && order_acquires(e->order);
}

// The set A. LDAPR is only there for plain loads.
static inline bool armv8_is_ldar(const struct event *e,
                                 const struct model_options *options) {
  return armv8_is_acquire(e) &&
         (options->arm_ldar || e->order == ORD_SC ||
          (e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_PICK |
                       EVF_UPDATE | EVF_LINKED)));
}

// STLR, STLXR, LDADDL, ...: the set L.
static inline bool armv8_is_release(const struct event *e) {
  return e->kind == EV_WRITE && order_releases(e->order);
}

static inline bool armv8_is_full_barrier(const struct event *e) {
  return (e->kind == EV_FENCE && order_releases(e->order)) ||
         model_is_thread_event(e);
}

static inline bool armv8_is_load_barrier(const struct event *e) {
  return e->kind == EV_FENCE && e->order == ORD_ACQ;
}

static inline bool armv8_is_store_barrier(const struct event *e) {
  return e->kind == EV_FENCE && (e->flags & EVF_STORES);
}

// DSB ST: no store before it is missed by anything behind it.
static inline bool armv8_drains(const struct event *e) {
  return armv8_is_store_barrier(e) && fence_drains(e->value);
}

static inline bool armv8_is_isb(const struct event *e) {
  return e->kind == EV_FENCE && (e->flags & EVF_ISB);
}
