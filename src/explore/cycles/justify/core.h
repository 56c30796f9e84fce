// SPDX-License-Identifier: MIT
// A core as a script: what each thread does, in an order in which it can be
// done again by any explorer, whatever numbers its states and locations have.
// A read may come before its source; then its value is in the script.
#pragma once

#include "base/array.h"
#include "model/justify.h"

#include <stdatomic.h>

#define CORE_INIT UINT32_MAX // as rf_index: the initial write

struct core_step {
  uint8_t kind, thread; // of the event
  uint8_t rf_thread;    // READ: its source
  uint32_t rf_index;
  uint32_t place; // WRITE: in co, among those before it in the script
  uint64_t value; // READ, CHOICE, ANSWER
};

struct core {
  atomic_uint users;
  uint32_t number; // among those that a search begins with, from 1
  ARRAY(struct core_step) steps;
  struct justification how;
};

struct cores {
  struct core **at;
  uint32_t len, cap;
};

struct core *core_new(void);
struct core *core_share(struct core *c); // NULL stays NULL
void core_drop(struct core *c);
void cores_drop(struct cores *all);
// Shares a core, if it is not among these; the one of that number, or NULL.
void cores_know(struct cores *all, struct core *c);
struct core *cores_find(const struct cores *all, uint32_t number);
// Both, if they have nothing in common but threads that create others.
struct core *core_join(const struct core *a, const struct core *b);
