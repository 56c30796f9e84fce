// SPDX-License-Identifier: MIT
// A picture of a complete execution: what each thread did, where its reads got
// their values from, and the coherence order. Two executions are the same iff
// their pictures are, whoever found them and in whatever order; so the oracle,
// the interleaver and the explorer all draw pictures and compare their hashes.
#pragma once

#include "program.h"

enum picture_kind { PIC_READ, PIC_WRITE, PIC_FENCE, PIC_CHOICE };

enum { PICTURE_EVENTS = 2 * PROGRAM_OPS, PICTURE_INIT = 0xff };

// An event of a picture, by thread and position; the initial write of a
// location is {PICTURE_INIT, 0}.
struct picture_name {
  uint8_t thread, index;
};

struct picture_event {
  uint8_t kind;  // enum picture_kind
  uint8_t order; // its part that counts, see order_of_read
  uint8_t loc;
  struct picture_name rf; // of a read
  uint64_t value;
};

struct picture {
  uint8_t nthreads, nlocs;
  uint8_t len[PROGRAM_THREADS];
  struct picture_event events[PROGRAM_THREADS][PICTURE_EVENTS];
  uint8_t co_len[PROGRAM_LOCS];
  struct picture_name co[PROGRAM_LOCS][PROGRAM_THREADS * PROGRAM_OPS];
};

struct picture_hash {
  uint64_t high, low;
};

// Appends an event to thread t and yields its name.
struct picture_name picture_add(struct picture *x, unsigned t,
                                struct picture_event e);
struct picture_hash picture_hash(const struct picture *x);
// One line a thread and one a location.
void picture_print(const struct picture *x, struct str *out);

// Hashes of pictures; sorted by picture_set_sort, and only then comparable.
struct picture_set {
  ARRAY(struct picture_hash) hashes;
};

void picture_set_add(struct picture_set *s, const struct picture *x);
// Sorts, drops what is there twice, and yields how many were dropped.
uint32_t picture_set_sort(struct picture_set *s);
bool picture_set_has(const struct picture_set *s, struct picture_hash h);
bool picture_set_equal(const struct picture_set *a,
                       const struct picture_set *b);
// Does a have all of b?
bool picture_set_contains(const struct picture_set *a,
                          const struct picture_set *b);
void picture_set_done(struct picture_set *s);
