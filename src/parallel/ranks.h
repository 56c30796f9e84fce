// SPDX-License-Identifier: MIT
// One search in several processes, which exchange messages: ranks 0, 1, ... of
// a job. What carries the messages is behind a table of functions, so that
// nothing here knows MPI, and Heddle starts without its library.
#pragma once

#include "parallel/parallel.h"

// Messages from one rank to another arrive once and in the order in which they
// were sent. Only one thread calls these.
struct carrier {
  unsigned rank, ranks;
  void (*send)(struct carrier *c, unsigned to, const char *bytes, size_t n);
  // Does not wait. The caller frees the bytes, behind which there is a NUL.
  bool (*receive)(struct carrier *c, unsigned *from, char **bytes, size_t *n);
  // Each rank gives n bytes and gets those of all; waits for all ranks.
  void (*compare)(struct carrier *c, const void *mine, size_t n, void *all);
  // Ends it together with all others; who has not come after so many seconds
  // is not waited for, and all ranks end with that code.
  void (*leave)(struct carrier *c, double patience, int code);
  // Ends all ranks as they are; some may be gone already.
  void (*abandon)(struct carrier *c, int code);
};
// What the shared object with the carrier exports. NULL: `why` says why not.
typedef struct carrier *carrier_begin(char *why, size_t size);
#define CARRIER_BEGIN "heddle_carrier_begin"

// Before parallel_explore, which all ranks call then, with the same program
// and config. The result of rank 0 is that of the search, and only there are
// findings told; parallel_explore does not return where ranks are missing.
// A rank that says nothing for so many seconds is taken for lost.
void parallel_share(struct parallel *p, struct carrier *c, double patience);
// Has a rank been lost, or does it not answer? The result is incomplete then.
bool parallel_has_lost(const struct parallel *p);
