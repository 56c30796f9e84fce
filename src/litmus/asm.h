// SPDX-License-Identifier: MIT
// An instruction with its operands, as all assembly languages write them; what
// it means is the architecture's business.
#pragma once

#include "isa/isa.h"
#include "litmus/build.h"

enum operand_kind {
  OPERAND_NONE,
  OPERAND_REG,
  OPERAND_NUMBER,
  OPERAND_MEMORY,
  OPERAND_NAME, // of a label, a location, a kind of fence, a condition, a shift
};

struct operand {
  enum operand_kind kind;
  uint32_t name;   // of a register (canonical) or NAME: string id
  unsigned width;  // of a register's view, in bits
  uint64_t number; // NUMBER; MEMORY: displacement; NAME: of a shift, how far
  // MEMORY: [base, index, extension]; base 0: `symbol`; both: the place in a
  // table that has the address of `symbol`.
  uint32_t base, index, symbol;
  unsigned index_width;
  bool is_signed;  // the index is sign-extended
  bool moves_base; // [base,#8]!: it holds the address afterwards
  unsigned shift;
};

enum { MAX_OPERANDS = 6, MNEMONIC = 24 };

struct asm_insn {
  char name[MNEMONIC]; // in lower case
  struct operand at[MAX_OPERANDS];
  unsigned count;
};

// Each architecture: one instruction.
bool lower_aarch64(struct build *l, const struct asm_insn *in);
bool lower_arm(struct build *l, const struct asm_insn *in);
bool lower_mips(struct build *l, const struct asm_insn *in);
bool lower_ppc(struct build *l, const struct asm_insn *in);
bool lower_riscv(struct build *l, const struct asm_insn *in);
bool lower_x86(struct build *l, const struct asm_insn *in);
// The same from its words, which have no commas between them.
bool lower_lisa(struct build *l, const struct token *at,
                const struct token *end);
bool lower_bpf(struct build *l, const struct token *at,
               const struct token *end);

// Has the instruction operands of these kinds? r register, n number, m memory,
// ! memory whose base moves, l name, v register or number. Else it is refused.
bool asm_expect(struct build *l, const struct asm_insn *in, const char *kinds);
bool asm_matches(const struct asm_insn *in, const char *kinds);
// It is none that Heddle knows.
bool asm_unknown(struct build *l, const struct asm_insn *in);

// The text of a NAME operand, "" if it is none.
const char *asm_name(const struct build *l, const struct asm_insn *in,
                     unsigned nth);
// The value of a register (that part of it which its name means) or number.
unsigned asm_value(struct build *l, const struct operand *o);
// Writes a register; a view of 32 bits clears the rest.
void asm_set(struct build *l, const struct operand *o, unsigned value);
unsigned asm_address(struct build *l, const struct operand *o);
uint32_t asm_label(struct build *l, const struct operand *o);
// The thread ends.
void asm_return(struct build *l);
// Has a thread a label of that name?
bool asm_is_label(const struct build *l, uint32_t name);
// Goes to the label if the slot is not 0.
void asm_branch(struct build *l, unsigned slot, const struct operand *label);

// -- asm_common.c: instructions that several architectures have.

// mov D, A
bool asm_move(struct build *l, const struct asm_insn *in);
// Has it these registers and then an address: [base,#n], [base,#n]! or
// [base],#n? The last two move the base, before or after the access.
bool asm_expect_access(struct build *l, const struct asm_insn *in,
                       const char *registers);
// Moves the base of the address, operand `nth`, if it is to be moved. What is
// stored must have been read by then: it may be the base.
void asm_move_base(struct build *l, const struct asm_insn *in, unsigned nth);
// b LABEL
bool asm_jump(struct build *l, const struct asm_insn *in);
// cbz A, LABEL
bool asm_branch_on_zero(struct build *l, const struct asm_insn *in,
                        bool if_zero);
// strex STATUS, VALUE, MEMORY: the status is 0 if it succeeded.
bool asm_conditional_store(struct build *l, const struct asm_insn *in,
                           struct access_how how);

struct asm_computation {
  const char *name;
  enum op op;
  bool is_swapped; // the last operand is the first of the operation
  bool inverts_last, inverts_result; // all its bits
};
// add D, A, B on 64 bits; with `sets_flags` behind its name it also compares
// the result with 0. False: it is none of the rows.
bool asm_try_computation(struct build *l, const struct asm_insn *in,
                         const struct asm_computation *rows, size_t n,
                         const char *sets_flags, bool *ret);

// All bits of a value, and what adds to it to 0.
unsigned asm_invert(struct build *l, unsigned value);
unsigned asm_negate(struct build *l, unsigned value);
// A word shifted by up to 63 places: nothing is left of it by 32 and more, or
// its sign.
unsigned asm_shift_word(struct build *l, enum op op, unsigned value,
                        unsigned by);
// The smaller of both, by the comparison (slt, ult), or the larger.
unsigned asm_choice(struct build *l, enum op less, unsigned a, unsigned b,
                    bool is_max, unsigned width);

// -- flags: negative, zero, carry and overflow, as ARM has them. The carry of a
// subtraction says that there is no borrow.

// As a - b sets them.
void asm_compare(struct build *l, unsigned a, unsigned b, unsigned width);
// As a + b does.
void asm_flag_sum(struct build *l, unsigned a, unsigned b, unsigned width);
// As a result does that has neither carry nor overflow: these stay as they are,
// if `keeps`, or else are cleared.
void asm_flag_result(struct build *l, unsigned result, unsigned width,
                     bool keeps);
// The carry becomes what this slot says, 0 or 1.
unsigned asm_carry(struct build *l);
void asm_set_carry(struct build *l, unsigned carry);
void asm_set_overflow(struct build *l, unsigned overflow);
// Where the condition does not hold, the flags become negative, zero, carry and
// overflow of `other`, from its fourth bit down; a conditional select.
void asm_flags_if(struct build *l, unsigned condition, unsigned other);
// The flags stay what they are, and depend by pick on that as well.
void asm_pick_flags(struct build *l, unsigned by);
// Yields a slot that says whether the condition holds.
unsigned asm_test(struct build *l, struct isa_condition c);
// The same by its name, as ARM has it: "eq", "ne", "lt", ...
bool asm_condition(struct build *l, const char *name, unsigned *ret);
