// SPDX-License-Identifier: MIT
// Threads of a test to bytecode: what all architectures share. A register of
// the machine is a slot, so the vm follows dependencies through it by itself.
#pragma once

#include "litmus/internal.h"

struct build_register {
  uint32_t name; // string id, canonical
  uint32_t slot;
};

struct build_label {
  uint32_t name; // string id
  uint32_t pc;   // UINT32_MAX: not seen yet
  unsigned line; // where it was asked for first
};

// A branch whose target is not known yet.
struct build_jump {
  uint32_t pc;      // of the instruction
  uint32_t label;   // index in `labels`
  bool is_if_false; // the second of the targets of a br
};

struct build {
  struct litmus *t;
  struct prog *p;
  struct diag *why;
  unsigned thread;
  unsigned line; // of what is being lowered
  uint32_t slots;
  unsigned decides; // slot of what decides on accesses of the instruction that
                    // is lowered; 0: nothing does
  ARRAY(struct build_register) registers;
  ARRAY(struct build_label) labels;
  ARRAY(struct build_jump) jumps;
};

// How an access is made.
struct access_how {
  unsigned size; // bytes
  enum order order;
  uint8_t how;           // enum access_how_flags
  enum order order_fail; // the read of a compare-exchange
};

bool build_test(struct litmus *t, struct diag *why);

// Each architecture: one thread, from its tokens.
bool build_asm_thread(struct build *l);
bool build_c_thread(struct build *l);

// Has a test of POWER accesses of different size?
bool ppc_is_big(const struct litmus *t);
// Fills `why` with the line of what is being lowered.
bool build_refuse(struct build *l, const char *fmt, ...) PRINTF_LIKE(2, 3);

unsigned build_slot(struct build *l);
unsigned build_const(struct build *l, uint64_t value);
// The slot of a register, or of a variable of C.
unsigned build_register(struct build *l, uint32_t name);
// What the first contents say of a register of the thread, or of a variable or
// parameter of C; NULL: nothing. And a slot of what it holds at first.
const struct litmus_init *build_first(const struct build *l, uint32_t name);
unsigned build_first_value(struct build *l, uint32_t name);
uint64_t build_address(struct build *l, uint32_t location);
uint32_t build_emit(struct build *l, enum op op, unsigned a, unsigned b,
                    unsigned c, uint64_t imm);
void build_move(struct build *l, unsigned to, unsigned from);
unsigned build_binary(struct build *l, enum op op, unsigned a, unsigned b,
                      unsigned width);
// `from` cut to so many bits.
unsigned build_cut(struct build *l, unsigned from, unsigned width);
unsigned build_extend(struct build *l, unsigned from, unsigned width);
// A conditional select.
unsigned build_pick(struct build *l, unsigned condition, unsigned a,
                    unsigned b);

unsigned build_load(struct build *l, unsigned address, struct access_how how);
void build_store(struct build *l, unsigned address, unsigned value,
                 struct access_how how);
void build_fence(struct build *l, enum fence_kind kind, enum order order);
// One that is about a location; `section` is the slot of its number.
void build_fence_at(struct build *l, enum fence_kind kind, unsigned address,
                    unsigned section);

// What is in the slot, on which nothing depends but whether the next access is
// made.
unsigned build_decide(struct build *l, unsigned slot);

// An update in one instruction: yields what was read. `op` computes what is
// written from that and `value`; OP_mov: it is `value`; a comparison: the
// smaller of both (slt, ult) or the larger (sle, ule).
unsigned build_update(struct build *l, enum op op, unsigned address,
                      unsigned value, struct access_how read,
                      struct access_how write);
// Compare-exchange: yields what was read, and in `ok` whether it was
// `expected`.
unsigned build_cas(struct build *l, unsigned address, unsigned expected,
                   unsigned value, struct access_how read,
                   struct access_how write, unsigned *ok);
// A store that succeeds or not as it likes, if a load before reserved the
// address: yields 1 if it did.
unsigned build_conditional_store(struct build *l, unsigned address,
                                 unsigned value, struct access_how how);

// Branches; labels by index.
uint32_t build_label(struct build *l, uint32_t name); // 0: a new one
void build_place(struct build *l, uint32_t label);    // here
void build_jump(struct build *l, uint32_t label);
void build_branch(struct build *l, unsigned slot, uint32_t if_true,
                  uint32_t if_false);
