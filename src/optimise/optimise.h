// SPDX-License-Identifier: MIT
// The barrier optimiser: which memory orders does a program need?
//
// What the orders of a program may be is an *assignment*: a mode for each site.
// A mode is a set of literals, so weaker is a smaller set. Models are monotone:
// what is allowed under an assignment is allowed under every weaker one. So an
// execution that goes wrong tells more than that one assignment is bad: its
// graph is judged again under stronger orders, without running anything, until
// no order can be made stronger. All assignments below that one are bad; it is
// kept as a `struct bad`. The cheapest assignment that is below none of them
// (hit.c) is explored next. It is right, and then it is the cheapest right one,
// or its first wrong execution is the next thing to learn from (search.c).
#pragma once

#include "base/options.h"
#include "explore/explore.h"

typedef uint8_t mode; // a set of the following
enum {
  MODE_ACQUIRE = 1,
  MODE_RELEASE = 2,
  MODE_SC = 4, // only together with all that the site can have
  MODE_ALL = 7,
};

enum site_kind {
  SITE_LOAD,
  SITE_STORE,
  SITE_UPDATE,
  SITE_CAS,      // a compare-exchange that succeeds,
  SITE_CAS_FAIL, // and one that fails
  SITE_FENCE,    // without literals: no fence
  SITE_C11_KINDS,
  // What the Linux kernel has: less of each. A compare-exchange that fails
  // orders nothing there.
  SITE_KERNEL_LOAD = SITE_C11_KINDS, // READ_ONCE, smp_load_acquire
  SITE_KERNEL_STORE,                 // WRITE_ONCE, smp_store_release
  SITE_KERNEL_UPDATE, // ..._relaxed, _acquire, _release, or fully ordered
  SITE_BARRIER,       // smp_rmb acquires, smp_wmb releases, smp_mb
  SITE_OWN_BARRIER,   // another one: it is there or not
  SITE_KINDS,
};

// Accesses that are one in the source, so that they are changed together: after
// inlining, and in several clients, they are many instructions. Those of a
// function that is given its order (find.c) are where that function is called.
struct order_site {
  enum site_kind kind;
  const char *file, *func, *text; // of a program of the clients
  unsigned line, column;
  const char *wrapper; // the function that is called there, or ""
  char *key;           // what tells it from other sites
  bool is_place;       // no fence is written there, but one could be
  uint8_t fence;       // enum fence_kind of a fence that is written
  mode source;         // what is written
};

// A program that must be right. `of_pc` has 1 + the site of each instruction
// (of a compare-exchange: that of success; failure is the next one).
struct client {
  const char *name;
  struct prog *prog;
  uint32_t *of_pc;
};

struct sites {
  bool is_kernel; // the model is the kernel's: so are the operations
  ARRAY(struct order_site) at;
  ARRAY(struct client) clients;
};

// -- find.c

// Takes the program and finds its sites. Functions that fit one of the patterns
// (or are given an order) are wrappers: their sites are their calls.
void sites_add_client(struct sites *s, const char *name, struct prog *p,
                      const word_list *wrappers);

// -- sites.c

// Puts the sites in the order of the source, when all clients are there.
void sites_sort(struct sites *s);
void sites_done(struct sites *s);
bool sites_at_one_place(const struct order_site *a, const struct order_site *b);
// Is the site never executed, while one of its kind at its place is? That is
// what C++'s library makes of an order that is given to it: one operation for
// each order, of which one is taken.
bool sites_is_other_choice(const struct sites *s, const bool *is_run,
                           uint32_t i);
// Gives the instructions of a client the orders of an assignment.
void sites_apply(struct client *c, const struct sites *s, const mode *x);
// Marks the sites of which an execution has events.
void sites_mark(const struct client *c, const struct sites *s,
                const struct vm *vm, const struct graph *g, bool *marks);
mode mode_full(enum site_kind k); // seq_cst
bool mode_exists(enum site_kind k, mode m);
// The weakest that has both.
mode mode_join(enum site_kind k, mode a, mode b);
// One that lacks the literal, and as little else as that takes.
mode mode_without(enum site_kind k, mode m, mode literal);
// What costs as much as one of the kernel: the kind of C11.
enum site_kind site_c11_kind(enum site_kind k);
mode mode_of_order(enum site_kind k, enum order o);
enum order mode_order(enum site_kind k, mode m);
// The barrier that a fence is under that mode.
enum fence_kind mode_fence(const struct order_site *site, mode m);
static inline bool site_is_fence(enum site_kind k) {
  return k == SITE_FENCE || k == SITE_BARRIER || k == SITE_OWN_BARRIER;
}
const char *site_kind_name(enum site_kind k);
// "memory_order_acquire", or "no fence".
const char *mode_name(enum site_kind k, mode m);
// Are all modes of x sets of those of y?
bool modes_below(const mode *x, const mode *y, uint32_t n);

// -- judge.c

// Is it known that weaker orders allow more (tests/unit/test_monotone.c)?
bool model_is_monotone(const struct model *m, const struct model_options *o);
// Does finding f in graph g depend on the orders only in so far as the graph is
// allowed, races or is flagged? Then it can be judged again. What the model
// orders by itself, if that counts for races, only the search knows.
bool judge_can(const struct model *m, const struct graph *g,
               const struct finding *f, bool races_by_model);
// Would the execution in `g` be there, and wrong, if the orders were those of
// x? Puts the orders of the graph back before it returns.
bool judge_is_bad(const struct sites *s, const struct client *c,
                  const struct vm *vm, const struct graph *g,
                  const struct finding *f, const struct model *m,
                  const struct model_options *o, const mode *x);

// -- cost.c

struct costs {
  uint32_t of[SITE_C11_KINDS][MODE_ALL + 1];
};
// The table of that name (generic, x86, armv8, riscv, power), or in that file.
MUST_USE bool costs_read(const char *name, struct costs *ret, struct diag *why);
uint64_t modes_cost(const struct costs *c, const struct sites *s,
                    const mode *x);
// What is compared: the costs, and if they are equal those of the generic
// table. So every literal costs something, and a cheapest assignment has no
// order that it does not need.
uint64_t mode_weight(const struct costs *c, enum site_kind k, mode m);
uint64_t modes_weight(const struct costs *c, const struct sites *s,
                      const mode *x);

// -- hit.c

// Every assignment below `most` is bad.
struct bad {
  mode *most;
  uint32_t client;
  struct finding finding;
  char *execution; // that shows it
};
typedef ARRAY(struct bad) bad_list;
typedef ARRAY(mode *) mode_list;

struct hit {
  const struct sites *sites;
  const struct costs *costs;
  const mode *low, *top;   // the least and the most that is allowed
  const bad_list *bads;    // not below any of them
  const mode_list *blocks; // and not above any of these
};

// The cheapest assignment of that kind; false if there is none.
bool hit_cheapest(const struct hit *h, mode *ret);

// -- search.c

enum algorithm { ALGORITHM_HIT, ALGORITHM_DESCENT, ALGORITHM_EXHAUSTIVE };
enum { MOST_ASSIGNMENTS = 20000 }; // that ALGORITHM_EXHAUSTIVE tries

// How a client is explored: its program as it is now, to its first error, or
// for as long again after that (`goes_on`); the findings are told as explore.h
// says. A probe is explored for a short while only, and several are at a time,
// each with a copy of the program.
struct exploration {
  uint32_t client;
  struct prog *prog;
  bool is_probe, goes_on;
  void (*on_finding)(void *arg, struct vm *vm, const struct graph *g,
                     const struct finding *f);
  void (*on_execution)(void *arg, const struct vm *vm, const struct graph *g);
  void *arg;
  uint64_t executions; // what it took
};

struct search {
  struct sites sites;
  const struct model *model;
  struct model_options model_options;
  bool races_by_model; // --races model
  enum algorithm algorithm;
  struct costs *costs;
  unsigned jobs;      // threads that look at assignments at a time
  bool all;           // every minimal assignment, not one of the cheapest
  uint64_t top_count; // no more of them than this; 0: no limit
  mode *low, *top;
  enum verdict (*explore)(void *arg, struct exploration *e);
  // An execution as text, heap memory of the receiver.
  char *(*show)(void *arg, uint32_t client, struct vm *vm,
                const struct graph *g, const struct finding *f);
  void (*on_progress)(void *arg, const struct search *s);
  void *arg;

  // What comes out.
  mode_list solutions; // each explored under all clients
  mode *verified;      // the cheapest that passed so far; NULL: none
  bool is_proved;      // the solutions are the cheapest, or all of them
  bool is_incomplete;  // a check did not come to its end
  bool is_monotone;    // ALGORITHM_EXHAUSTIVE: nothing above a right one is bad
  bad_list bads;
  bool *is_run; // by site: some client comes there
  uint64_t checks, executions, judgements;
  uint64_t bound; // nothing is cheaper than this

  // What is known while it runs.
  ARRAY(mode_list) passed; // by client: with what it was explored and right
  uint32_t suspect;        // the client that failed last
  bool is_probe;           // probe.c
};

// Fills the results. Without solutions and not incomplete: the last of `bads`
// is above `top`, so no order helps.
void search_run(struct search *s);
// Does an assignment pass? Learns if it does not.
enum verdict search_check(struct search *s, const mode *x);
// How many assignments there are between low and top (no more than 2^32 or so).
uint64_t search_size(const struct search *s);
// The cheapest mode of site i with which the clients pass while all other sites
// are as in `top`, which passes. False: a check did not come to its end.
bool search_weakest(struct search *s, uint32_t i, mode *ret);
void search_done(struct search *s);
// Why solution x cannot do without the literal of site i: fills `ret` with what
// goes wrong then, which bad_done frees. Explores x without it, so that what is
// shown is an execution of exactly that; when the search was ended, what is
// known has to do. False if nothing says so.
bool search_explain(struct search *s, const mode *x, uint32_t i, mode literal,
                    struct bad *ret);
void bad_done(struct bad *b);
// The literals of a mode that something must be known about: seq_cst stands
// for all others.
mode mode_leaders(mode m);
