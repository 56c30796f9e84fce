// SPDX-License-Identifier: MIT
#pragma once

#include "model/model.h"

bool tso_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options);
bool pso_consistent(struct graph *g, event_id e, event_id other,
                    const struct model_options *options);
bool tso_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options);
bool pso_whole(struct graph *g, event_id e, event_id other,
               const struct model_options *options);

// How the store-buffer models see an event.
// Drains the buffer before anything that follows in po is done.
static inline bool buffers_is_fence(const struct event *e) {
  switch (e->kind) {
  case EV_FENCE:
    return e->order == ORD_SC;
  case EV_READ: // locked instructions, a compare-exchange that fails too
    return e->flags & (EVF_EXCLUSIVE | EVF_CAS | EVF_LOCK | EVF_PICK |
                       EVF_LINKED | EVF_UPDATE);
  case EV_WRITE: // an sc store is a store and a fence behind it
    return e->order == ORD_SC ||
           (e->flags & (EVF_EXCLUSIVE | EVF_UPDATE | EVF_LINKED));
  case EV_START:
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
    return true;
  default:
    return false;
  }
}

// PSO: earlier stores leave the buffer before later ones (and before this one
// if it is a store).
static inline bool buffers_is_store_barrier(const struct event *e) {
  return buffers_is_fence(e) || ((e->kind == EV_FENCE || e->kind == EV_WRITE) &&
                                 order_releases(e->order));
}
