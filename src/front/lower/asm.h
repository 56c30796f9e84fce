// SPDX-License-Identifier: MIT
// Inline assembly while it is lowered: its operands, the registers they live
// in, and its statements. asm.c takes the text and the constraints apart;
// asm_x86.c, asm_x86_values.c and asm_arm.c know the instructions.
#pragma once

#include "front/lower/lower.h"
#include "isa/isa.h"

enum { ASM_OPERANDS = 30, ASM_CELLS = 40, ASM_STATEMENTS = 32, ASM_WORDS = 6 };

// What comparisons and the like leave behind. LESS is the signed one of a
// comparison (of a sum, whether it is less than 0, were there no overflow),
// BELOW the unsigned one, which x86 calls carry.
enum asm_flag_kind {
  FLAG_ZERO,
  FLAG_BELOW,
  FLAG_SIGN,
  FLAG_LESS,
  FLAG_OVERFLOW,
  ASM_FLAGS,
  NO_FLAG = ASM_FLAGS
};

// A machine register. Its content is that of 64 bits.
struct asm_cell {
  char name[8]; // "ax"; "": the compiler chooses one
  vreg now;
};

// What a constraint says.
struct asm_operand {
  bool is_output, is_memory, is_label;
  LLVMValueRef pointer; // of memory, or where an output goes
  LLVMTypeRef type;     // of the value
  unsigned cell;        // of a register
  char flag[16];        // "z" of an output "=@ccz"
  label_id exit; // of a label: what asm goto does when it leaves to there
};

// Where a word of a statement points.
struct asm_place {
  enum { IN_NOTHING, IN_CELL, IN_MEMORY, IS_NUMBER } kind;
  unsigned cell;
  vreg address;
  LLVMValueRef pointer; // of memory, for its name; may be NULL
  uint64_t number;
  unsigned width; // in bits; 0: unknown
};

// One statement: "lock cmpxchgl $2, $0" is an instruction and two words.
struct asm_statement {
  char label[8]; // "1" of "1: ldxr ..."
  char op[24];
  char words[ASM_WORDS][40];
  unsigned nwords;
};

struct assembly {
  struct lowering *l;
  LLVMValueRef call;
  struct asm_operand operands[ASM_OPERANDS];
  unsigned noperands;
  struct asm_cell cells[ASM_CELLS];
  unsigned ncells;
  struct asm_statement statements[ASM_STATEMENTS];
  unsigned nstatements;
  label_id labels[ASM_STATEMENTS]; // where statement i begins
  bool clobbers_memory;  // or is volatile: ordered with the code around it
  bool is_arm;           // AArch64; else x86-64
  bool is_locked;        // x86: the prefix of the next instruction
  vreg flags[ASM_FLAGS]; // VREG_NONE: not known
  // Where they are kept if there are jumps: a jump that comes to a label, by
  // whichever way, finds what was set last.
  vreg kept_flags[ASM_FLAGS];
  char problem[80]; // "": none
};

// Notes what is not understood; yields false.
bool asm_fail(struct assembly *a, const char *what);
// The register of that name; a new one has no value yet.
unsigned asm_cell(struct assembly *a, const char *name);
// $N, ${N:w} as operands; false: it is neither.
bool asm_operand_place(struct assembly *a, const char *word,
                       struct asm_place *ret);
vreg asm_read(struct assembly *a, const struct asm_place *p, unsigned width,
              enum order order);
// Registers narrower than 32 bits keep their other bits when `merges`.
void asm_write(struct assembly *a, const struct asm_place *p, vreg value,
               unsigned width, enum order order, bool merges);
// How to access memory of that width; also names it for reports.
struct imm_access asm_access(struct assembly *a, const struct asm_place *p,
                             unsigned width, enum order order);
// The flag that a condition such as "z" or "ne" asks for.
vreg asm_flag(struct assembly *a, const char *condition);
// Nothing is known of the flags but what is set next.
void asm_forget_flags(struct assembly *a);
// The statement with the label that the word names, as seen from statement i.
// "1b": the nearest one before; "2f": after; "spin": any.
bool asm_find_label(const struct assembly *a, unsigned i, const char *word,
                    unsigned *ret);
// Goes on there if the condition is true (VREG_NONE: always); asm goto may also
// name a label of the program. False: there is no such label.
bool asm_go_to(struct assembly *a, unsigned i, const char *word,
               vreg condition);
// A barrier or hint that lower_asm.c knows; false: it is none.
bool asm_barrier(struct lowering *l, const struct asm_statement *s);

// Around each statement, for labels and flags.
void asm_begin_statement(struct assembly *a, unsigned i);
void asm_end_statement(struct assembly *a);

// x86-64: where a word in AT&T's form points; false: it is not understood.
bool asm_x86_place(struct assembly *a, const char *word, struct asm_place *ret);
// An instruction that only computes (asm_x86_values.c); false: it is none.
bool asm_x86_value(struct assembly *a, const struct asm_statement *s);

// Of an instruction of that width: the flags for 0 and the sign, all others are
// forgotten; of x + y or x - y (and a carry) those for overflow and signed
// comparisons too.
void asm_x86_flags(struct assembly *a, vreg result, unsigned width);
void asm_x86_sum_flags(struct assembly *a, vreg x, vreg y, vreg result,
                       unsigned width, bool is_difference);

// All statements; false: one is not understood.
bool asm_x86(struct assembly *a);
bool asm_arm(struct assembly *a);

// The whole; false: `problem` says what is not understood.
bool asm_lower(struct lowering *l, LLVMValueRef call, char *problem,
               size_t size);
