// SPDX-License-Identifier: MIT
// Inside model/xmm*.c: graphs that are to be justified, with all that may be
// committed of them (xmm.c), for who looks for it in others (xmm_justify.c).
#pragma once

#include "model/axioms_rel.h"
#include "model/justify.h"

#define XMM_THREADS 64

struct label {
  uint8_t kind, thread, order;
  uint32_t loc;
  uint64_t value;
};

// The pair of places a, b in a commitment is in one of the relations that are
// carried over.
enum carried { CARRIES_RF, CARRIES_CO, CARRIES_RPO, CARRIES_RMW, CARRIED };

struct carried_pair {
  uint32_t a, b;
  enum carried by;
};

// What events a graph has, roughly: a set of hashes.
struct signature {
  uint64_t bits[8];
};

// An event that is committed.
struct committed {
  uint32_t event; // its number in the relations
  // The place of a read before it in the commitment that reads it, or
  // NO_READER.
  uint32_t reader;
  uint64_t hash; // of its label
  struct label label;
};
#define NO_READER UINT32_MAX

struct commitment {
  struct committed *at;
  uint32_t n;
  ARRAY(struct carried_pair) pairs; // sorted by the later place of each
  struct signature needs;
  uint64_t closes;            // the same of those on cycles, with their sources
  uint8_t order[XMM_THREADS]; // of the threads, those that are there
  uint32_t nthreads;
};

// Which threads read from which, and whether that is with the order of the
// threads or against it: bit u of a word of t stands for the edges from u to t.
struct threads {
  uint32_t n; // threads that there are
  uint64_t with[XMM_THREADS], against[XMM_THREADS];
};

struct cyclic {
  const struct graph *g;
  struct axioms a;
  struct rel *rpo;
  struct rel *needs; // what is committed with each event: (rpo ∪ rf)⁻¹
  ARRAY(struct commitment) ways;
  ARRAY(struct threads) seen; // what was tried to find them
  bool is_cut;
};

// Is the event with number `a` before the one with number `b` by po ∪ rf?
static inline bool cyclic_porf(const struct cyclic *c, uint32_t a, uint32_t b) {
  return graph_porf(c->g, c->a.events[a], c->a.events[b]);
}

struct label xmm_label(const struct event *e);
uint64_t xmm_hash_label(const struct label *l);
// A read is committed with its source, so it counts together with that.
void xmm_sign(struct signature *s, const struct event *e, uint64_t label,
              uint64_t source);
// The same for reads that lead to their sources.
uint64_t xmm_sign_closing(uint64_t label, uint64_t source);
// Is the event `a` ordered before `b` by rpo?
bool xmm_is_rpo(const struct graph *g, event_id a, event_id b);

// Does the model allow the graph, all of it, but for its cycles? The base
// relations are known.
bool xmm_is_allowed(const struct model *m, struct axioms *a);

// Takes part in xmm_justifier.
struct witness *xmm_witness_new(const struct graph *g,
                                const struct buffering *buffering);
void xmm_witness_free(struct witness *w);
uint64_t xmm_marks(const struct witness *w);
bool xmm_justifies(struct witness *w, const struct cyclic *c,
                   struct justification *how);
