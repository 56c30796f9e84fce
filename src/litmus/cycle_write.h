// SPDX-License-Identifier: MIT
// What the languages of cycles share.
#pragma once

#include "litmus/cycle.h"

// A thread while it is written.
struct cycle_thread {
  const struct cycle *c;
  unsigned number;
  struct str code, init;        // instructions, one in a line; "0:X1=x;"
  unsigned next;                // the first register that is free
  unsigned address[MOST_EDGES]; // of a location: register + 1
  unsigned value[MOST_SPOTS];   // register with what a read has got
  unsigned status[MOST_SPOTS];  // 1 + register that is 0 if the store happened
  unsigned zero;                // that depends on what was read before
};

struct cycle_language {
  const char *reg;                    // printf format, or NULL: see name
  const char *const *names;           // of registers
  unsigned first_register, registers; // numbers that may be used
  void (*access)(struct cycle_thread *w, unsigned k);
  void (*link)(struct cycle_thread *w, unsigned k, unsigned source);
  // To label A<label> if the register does not have the value.
  void (*again)(struct cycle_thread *w, unsigned r, unsigned value,
                unsigned label);
};
extern const struct cycle_language cycle_languages[DIALECTS]; // assembly

extern const char *const cycle_locations[MOST_EDGES];

// The access that links of k lead to: of the write of an update that of its
// read.
static inline unsigned cycle_entry(const struct cycle *c, unsigned t,
                                   unsigned k) {
  return c->at[t][k].link == LINK_UPDATE ? k - 1 : k;
}

// Does an update acquire, and does it release?
bool cycle_acquires(const struct cycle *c, unsigned t, unsigned k);
bool cycle_releases(const struct cycle *c, unsigned t, unsigned k);

// Of labels at access k.
static inline unsigned cycle_label(const struct cycle_thread *w, unsigned k) {
  return w->number * 10 + k;
}

// A register of its own.
static inline unsigned take_register(struct cycle_thread *w) {
  return w->next++;
}

// -- cycle_c.c
void cycle_c_thread(const struct cycle *c, unsigned t, struct str *out);
