// SPDX-License-Identifier: MIT
// Small concurrent programs in the notation of litmus tests, as data: written
// as text, made at random from a seed, printed, and made smaller. The oracle
// and the explorer both run them, so their meaning is fixed here:
//
// - Thread 0 is main. It creates the others; without a `main:` part it does so
//   at once, in order, and does nothing else.
// - Each operation that yields a value has its own register of its thread. A
//   register that was never written holds 0.
// - An operation may be guarded (`if`): then it happens only if its condition
//   holds when the thread comes to it.
// - assume(c) with c false stops the thread for good. assert(c) does so too,
//   and is an error.
// - A location with an `alloc` is a new object, zeroed, of the thread that
//   allocates it; all others are there from the start.
// - What is computed from a register depends on it syntactically, whatever the
//   value: r^r is 0 and depends on r.
#pragma once

#include "base/diag.h"
#include "base/order.h"
#include "base/str.h"

#include <stdint.h>

enum {
  PROGRAM_THREADS = 7, // main too
  PROGRAM_OPS = 14,    // of one thread
  PROGRAM_LOCS = 6,
  NO_REGISTER = 0xff,
};

enum action_kind {
  DO_LOAD,
  DO_STORE,
  DO_ADD, // fetch_add
  DO_EXCHANGE,
  DO_CAS,
  DO_LOCK,   // RMW from 0, waits otherwise
  DO_UNLOCK, // release store of 0
  DO_FENCE,
  DO_CHOOSE, // any value from 0 to `value`
  DO_ISB,    // barriers of ARM that C does not have: isb
  DO_STORES, // dmb st
  DO_ASSUME,
  DO_SPAWN,
  DO_JOIN,
  DO_KERNEL, // a fence of the Linux kernel; value.plus is its enum kernel_fence
  DO_ASSERT,
  DO_ALLOC,
  DO_FREE,
};

enum kernel_fence {
  KERNEL_RMB,
  KERNEL_WMB,
  KERNEL_BEFORE_ATOMIC,
  KERNEL_AFTER_ATOMIC,
  KERNEL_RCU_LOCK,
  KERNEL_RCU_UNLOCK,
  KERNEL_SYNC_RCU,
  KERNEL_FENCES
};
extern const char *const kernel_fence_names[KERNEL_FENCES];

enum comparison { CMP_ALWAYS, CMP_EQ, CMP_NE, CMP_LT, CMP_GE };

struct condition {
  uint8_t comparison; // enum comparison
  uint8_t reg;
  uint8_t than;
};

// PICK: `plus` if the register is not 0, else 0, by a conditional select.
enum computation { COMPUTE_SUM, COMPUTE_ZERO, COMPUTE_OR, COMPUTE_PICK };

// reg + plus, (reg ^ reg) + plus or reg | plus; NO_REGISTER counts as 0.
struct operand {
  uint8_t reg, plus;
  uint8_t computation; // enum computation
};

// What a fence of RISC-V orders.
enum fence_sides {
  BEFORE_READ = 1,
  BEFORE_WRITE = 2,
  BEHIND_READ = 4,
  BEHIND_WRITE = 8
};

struct action {
  uint8_t kind;              // enum action_kind
  uint8_t order, order_fail; // enum order; order_fail: of a CAS
  // An access is of `loc`; if it has an index (its register is not
  // NO_REGISTER) that is odd, of `other`.
  uint8_t loc, other;
  struct operand index;
  uint8_t dst;             // register for the value read, or NO_REGISTER
  uint8_t thread;          // of SPAWN and JOIN
  struct operand value;    // written, added, exchanged
  struct operand expected; // CAS
  struct condition guard;
  struct condition assumed; // ASSUME, ASSERT
  // Of instructions (struct program):
  bool is_linked; // LOAD: it reserves the location, and no store succeeds
  bool on_both;   // EXCHANGE: read and write both have the whole order
  bool is_pick;   // CAS of one instruction: no branch
  uint8_t sides;  // FENCE: enum fence_sides, 0 if it is one of C
};

struct program {
  uint8_t nthreads, nlocs;
  bool is_isa; // accesses are instructions of a machine: no compiler adds any
  uint8_t len[PROGRAM_THREADS];
  struct action ops[PROGRAM_THREADS][PROGRAM_OPS];
};

// Text to program. Threads are separated by `|`, operations by `;`:
//   W<order> x v     r=R<order> x     F<order>      r=FADD<order> x v
//   r=XCHG<order> x v     r=CAS(x,expected,new)<order>/<order>
//   r=PICK(x,expected,new)<order>/<order>   (a CAS that is no branch)
//   if(r==k){...} else {...}   assume(r!=k)   also < and >=
//   lock x   unlock x   r=choose(k)   spawn T1   join T1
//   assert(r!=k)   alloc x   free x
//   isb   dmb.st   smp.rmb   smp.wmb   before.atomic   after.atomic
//   rcu.lock   rcu.unlock   sync.rcu
// After `isa:`, accesses are instructions of a machine. Then there are also
//   r=LL<order> x (a load-linked without its store)   r=AMO<order> x v
//   fence.rw.w (and other sides)
// with a value v of the form 3, r, r+3, r^r, r^r+3 or r or 3 (bits); `r=` may
// be left out. A location may be x[r] (x, with an address that depends on r)
// or x/y[v] (y if v is odd, else x).
MUST_USE bool program_parse(const char *text, struct program *ret,
                            struct diag *why);
// The same notation again.
void program_print(const struct program *p, struct str *out);

// The program of a seed. `max_ops` bounds the operations of all threads
// together (spawn, join and assume not counted).
void program_random(uint64_t seed, unsigned max_ops, struct program *ret);
// With fences of the Linux kernel instead of those of processors.
void program_random_kernel(uint64_t seed, unsigned max_ops,
                           struct program *ret);
// Only such with dependencies: for models that order by them.
void program_random_dependent(uint64_t seed, unsigned max_ops,
                              struct program *ret);

// The same with more accesses of one thread to one location.
void program_random_forwarding(uint64_t seed, unsigned max_ops,
                               struct program *ret);
// Threads that update one location several times and read it back.
void program_random_chains(uint64_t seed, unsigned max_ops,
                           struct program *ret);
// Such in which something may go wrong: assertions, objects that are freed,
// locks that are not given back, waits that may never end.
void program_random_wrong(uint64_t seed, unsigned max_ops, struct program *ret);

// The i-th way to make a program a little smaller or simpler; false when there
// are fewer ways than that.
bool program_shrink(const struct program *p, unsigned i, struct program *ret);

// How a thread of a program runs, for everything that interprets programs.
struct runner {
  uint8_t next; // operation
  uint64_t regs[PROGRAM_OPS];
};

// The operation that thread t comes to next (skips those whose guard fails),
// or NULL at its end.
const struct action *program_next(const struct program *p, unsigned t,
                                  struct runner *r);
// Goes past that operation; `value` was read or chosen.
void program_advance(const struct action *a, struct runner *r, uint64_t value);

// The operation that read the register of assumption i of thread t, if a loop
// around the two could wait for it: only reads and fences are between them.
// Otherwise -1.
int program_awaited(const struct program *p, unsigned t, unsigned i);
// The thread that allocates the location; PROGRAM_THREADS: it is no object.
unsigned program_allocates(const struct program *p, unsigned loc);

bool condition_holds(struct condition c, const struct runner *r);
uint64_t operand_value(struct operand o, const struct runner *r);

struct action action_new(enum action_kind kind);
bool action_reads(const struct action *a);
bool action_is_access(const struct action *a);
bool action_is_fence(const struct action *a); // or another barrier
bool action_is_indexed(const struct action *a);
// Can it access this location?
bool action_may_access(const struct action *a, unsigned loc);
// The location that it accesses.
uint8_t action_location(const struct action *a, const struct runner *r);
// May write; a CAS writes only if it read the expected value.
bool action_may_write(const struct action *a);
// Does a read-like operation that read `read` write? A store always does.
bool action_writes(const struct action *a, const struct runner *r,
                   uint64_t read);
// What it writes then.
uint64_t action_result(const struct action *a, unsigned thread,
                       const struct runner *r, uint64_t read);
// The orders of the read and the write of an operation: only the part that
// counts for a read (rlx, acq, sc) or for a write (rlx, rel, sc).
enum order order_of_read(enum order o);
enum order order_of_write(enum order o);
