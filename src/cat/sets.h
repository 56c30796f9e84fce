// SPDX-License-Identifier: MIT
// The base sets that an event is in, as bits 1 << enum cat_base (sets come
// first there, so they fit).
#pragma once

#include "cat/node.h"
#include "model/model.h"

// Does a model see it? The others only take part in program order.
static inline bool cat_sees(const struct event *e) {
  switch ((enum event_kind)e->kind) {
  case EV_READ:
  case EV_WRITE:
  case EV_FENCE:
  case EV_START:
  case EV_SPAWN:
  case EV_END:
  case EV_JOIN:
    return true;
  case EV_INIT:
  case EV_DETACH:
  case EV_ALLOC:
  case EV_FREE:
  case EV_CHOICE:
  case EV_OUTPUT:
    return false;
  }
  return false;
}

static inline uint32_t cat_initial_sets(void) {
  return 1u << CAT_W | 1u << CAT_IW | 1u << CAT_NA;
}

uint32_t cat_sets_of(const struct event *e,
                     const struct model_options *options);
