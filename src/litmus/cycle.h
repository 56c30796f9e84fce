// SPDX-License-Identifier: MIT
// Litmus tests made from cycles, as the tool diy does. A cycle is a list of
// edges: communication between threads (Rfe, Fre, Coe), or within one, and what
// is between two accesses of a thread (program order, a dependency, a barrier).
// Each edge leads from one access to the next, the last back to the first. The
// test asks for the execution in which the accesses are related like that,
// which sequential consistency forbids.
//
// Edges become a struct cycle (cycle.c), which is written as a test in one of
// the languages of litmus tests (cycle_write.c) under a name that is the same
// for all ways to begin the cycle (cycle_name.c). cycle_search.c has all cycles
// of some edges up to a size.
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/order.h"
#include "base/str.h"

enum dialect {
  DIALECT_AARCH64,
  DIALECT_ARM,
  DIALECT_PPC,
  DIALECT_RISCV,
  DIALECT_X86,
  DIALECT_X86_64,
  DIALECT_C,
  DIALECT_LKMM, // C with primitives of the Linux kernel
  DIALECTS
};

enum { MOST_EDGES = 16, MOST_THREADS = 8, MOST_SPOTS = 8, ANY_ORDER = -1 };

// Between an access and the one before it in its thread.
enum link {
  LINK_PO,
  LINK_ADDR,
  LINK_DATA,
  LINK_CTRL,
  LINK_CTRL_FENCE, // a branch, and a barrier behind it
  LINK_ADDR_PICK,  // an address that a conditional select yields
  LINK_DATA_PICK,  // a value that it yields
  LINK_EXPECTED,   // what a compare-exchange of one instruction expects
  LINK_FENCE,
  LINK_SECTION, // both are in a section of RCU
  LINK_UPDATE,  // the read and the write of one update
};

// How a write is made.
enum write_form { FORM_STORE, FORM_SWAP, FORM_LLSC, FORM_CAS };

struct cycle_fence {
  enum dialect dialect;
  const char *edge, *name, *code; // as in cycle_edge.def
};
extern const struct cycle_fence cycle_fences[]; // ends with a NULL edge

struct cycle_order {
  enum dialect dialect;
  const char *mark;
  enum order order;
  const char *accesses;
};
extern const struct cycle_order cycle_orders[]; // ends with a NULL mark

// An access.
struct spot {
  bool is_write;
  enum write_form form;
  unsigned expected; // FORM_CAS: it is a write only if that was there
  enum order order;
  unsigned loc, value; // written, or expected to be read
  enum link link;      // from the one before it
  const struct cycle_fence *fence;
  bool is_same; // it has the location of the one before it
  bool waits;   // a read in a loop that ends when it has its value
};

struct cycle {
  enum dialect dialect;
  unsigned threads;
  unsigned len[MOST_THREADS];
  struct spot at[MOST_THREADS][MOST_SPOTS];
  unsigned locs;
  unsigned writes[MOST_EDGES]; // of each location: in coherence 1, 2, ...
};

enum cycle_edge_kind { CYCLE_RF, CYCLE_FR, CYCLE_CO, CYCLE_LINK };

struct cycle_edge {
  enum cycle_edge_kind kind;
  bool is_external, is_same; // to another thread; on one location
  bool from_write, to_write;
  enum link link;
  const struct cycle_fence *fence;
  enum write_form form; // of an update
  int8_t from, to;      // enum order, or ANY_ORDER: nothing is said
};

struct named_edge {
  char name[32];
  struct cycle_edge edge;
};
typedef ARRAY(struct named_edge) edge_list;

struct cycle_edges {
  unsigned len;
  struct cycle_edge at[MOST_EDGES];
};

// -- cycle_edge.c

const char *dialect_name(enum dialect d); // as the first line of a test has it
// The dialect of that name, in any case; LKMM and linux are the kernel's.
MUST_USE bool dialect_find(const char *name, enum dialect *ret,
                           struct diag *why);
// The mark of an access with that order; "" if the dialect has none.
const char *order_mark(enum dialect d, enum order o);
// All edges of a language, without marks.
void cycle_edges_of(enum dialect d, edge_list *ret);
// Words separated by blanks: edges, each with the marks of its two accesses
// behind it, or marks alone.
MUST_USE bool cycle_edges_parse(enum dialect d, const char *text,
                                struct cycle_edges *ret, struct diag *why);
// Words separated by blanks or commas, in which * stands for anything. Marks
// alone are for all accesses that they fit, as well as no mark.
MUST_USE bool cycle_edges_select(enum dialect d, const char *text,
                                 edge_list *ret, struct diag *why);
// As it is written, with the marks that it says.
void cycle_edge_print(enum dialect d, const struct cycle_edge *e,
                      struct str *out);
void cycle_edges_print(enum dialect d, const struct cycle_edges *e,
                       struct str *out);

// -- cycle.c

// Puts the edges together. False: they are no cycle, or one that no test shows.
MUST_USE bool cycle_of_edges(enum dialect d, const struct cycle_edges *e,
                             struct cycle *ret, struct diag *why);

// -- cycle_name.c

// Turns the edges so that the test begins as its name does, and adds that name.
void cycle_name(enum dialect d, struct cycle_edges *e, struct str *name);

// -- cycle_write.c

// The test; `title` is what its second line says, or NULL. False: the language
// has too few registers for it.
MUST_USE bool cycle_write(const struct cycle *c, const char *name,
                          const char *title, struct str *out, struct diag *why);

// -- cycle_search.c

// All cycles of exactly `size` of these edges, each once, however it begins.
// `found` yields false to stop.
struct cycle_search {
  enum dialect dialect;
  const edge_list *edges;
  unsigned size;
  bool (*found)(void *arg, const struct cycle_edges *e, const struct cycle *c);
  void *arg;
};
// False: it was stopped.
bool cycle_search(const struct cycle_search *s);
