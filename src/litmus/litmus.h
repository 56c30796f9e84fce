// SPDX-License-Identifier: MIT
// A litmus test: a few threads of assembly or C, first contents of registers
// and memory, and a question about how it may end. It becomes a program of
// bytecode as C code does, so that the same search runs it.
//
// Each thread ends with a tuple (builtin.def) of those of its registers that
// the question is about; memory is what is last in coherence. So a final state
// is a list of values, one for each struct litmus_var.
#pragma once

#include "base/diag.h"
#include "base/str.h"
#include "bytecode/prog.h"
#include "litmus/scan.h"

enum arch {
  ARCH_AARCH64,
  ARCH_ARM,
  ARCH_PPC,
  ARCH_RISCV,
  ARCH_X86,
  ARCH_X86_64,
  ARCH_C,
  ARCH_LISA, // the kernel's tests before those in C
  ARCH_JAVA,
  ARCH_BPF,
  ARCH_MIPS,
};

// Do accesses have the sizes that instructions say? Elsewhere a word is a cell
// that also holds addresses.
static inline bool arch_has_sizes(enum arch a) {
  return a == ARCH_AARCH64 || a == ARCH_RISCV || a == ARCH_X86_64 ||
         a == ARCH_MIPS;
}

// Do registers hold 32 bits? They and cells keep numbers with their signs.
static inline bool arch_has_32_bits(enum arch a) {
  return a == ARCH_ARM || a == ARCH_X86;
}

// Are threads functions with statements, on locations that are cells?
static inline bool arch_is_language(enum arch a) {
  return a == ARCH_C || a == ARCH_JAVA;
}

enum quantifier {
  ASK_EXISTS,     // is there an execution with it?
  ASK_NOT_EXISTS, // is there none?
  ASK_FORALL,     // has every execution it?
};

// A number, or the address of a location.
struct litmus_value {
  uint64_t number;   // of an address: the offset
  uint32_t location; // index + 1 in `locations`; 0: a number
};

// The declared type of a register or location of assembly, if it is a number.
struct litmus_type {
  uint8_t size; // bytes; 0: none is declared
  bool is_unsigned;
};

// A named piece of memory.
struct litmus_location {
  uint32_t name;    // string id
  uint32_t element; // size of an element of an array, in bytes
  uint32_t count;   // elements; 0: it is no array
  uint32_t global;  // of the program
  uint32_t type;    // string id of its declared type; 0: none
  struct litmus_type number;
};

// First contents.
enum { EVERY_THREAD = UINT16_MAX };
struct litmus_init {
  bool is_register;
  unsigned thread;   // of a register; EVERY_THREAD: %x, in whose code it is
  uint32_t name;     // of a register: string id
  uint32_t location; // else: index in `locations`
  uint32_t element;
  struct litmus_value value;
  struct litmus_type type; // of a register
  unsigned line;
};

// Something whose final value is asked for.
struct litmus_var {
  bool is_register;
  bool is_shown;   // part of the states that are printed
  bool is_whole;   // memory: an element of an array that is printed whole
  unsigned thread; // register
  uint32_t name;   // register: string id
  uint32_t nth;    // register: its place in the tuple of its thread
  uint32_t location, element;
  struct litmus_type type;
  unsigned line;
};

enum prop_op {
  PROP_TRUE,
  PROP_FALSE,
  PROP_ATOM,
  PROP_NOT,
  PROP_AND,
  PROP_OR,
  PROP_IMPLIES,
  PROP_ARRAY, // array = {value, ...}: the atoms from `left` on, `right` of them
};

struct prop {
  enum prop_op op;
  uint32_t left, right; // indices in `props`
  // An atom: var = value, or var = other var.
  uint32_t var, other;
  bool is_var, is_not;
  struct litmus_value value;
};

struct litmus_thread {
  ARRAY(struct token)
  code;                   // each instruction (in C: the body) ends with TOK_END
  ARRAY(uint32_t) params; // C: string ids of pointers to locations
  unsigned line;
};

struct litmus {
  const char *file;
  char *text;
  size_t length;    // of the text
  const char *asks; // as litmus_read was told; kept
  enum arch arch;
  char name[256];
  bool is_kernel; // C with primitives of the Linux kernel
  bool is_v8;     // ARM with instructions that came with ARMv8
  bool has_words; // cells are words of 4 bytes, which hold no addresses
  bool is_big;    // POWER with accesses of different size: the first
                  // byte of a word is the highest
  bool is_plain;  // C with neither those nor atomics of C11
  struct strings strings;
  ARRAY(struct litmus_location) locations;
  ARRAY(struct litmus_init) init;
  ARRAY(struct litmus_var) vars;
  ARRAY(uint32_t) shown; // the vars of printed states: registers first
  ARRAY(struct prop) props;
  enum quantifier ask;
  uint32_t condition, filter; // indices in `props`
  ARRAY(struct litmus_thread) threads;
  struct prog *prog;
};

// Reads a test. `text` need not end with a NUL; it is copied. `file` is kept.
// `asks` is a proposition to ask for instead of what the test asks for, or
// NULL.
MUST_USE bool litmus_read(const char *file, const char *text, size_t len,
                          const char *asks, struct litmus **ret,
                          struct diag *why);
void litmus_free(struct litmus *t);

const char *arch_name(enum arch a);
// Its architecture; of a test in C with names of the Linux kernel, LKMM; of one
// of ARM with instructions of ARMv8, ARMv8.
const char *litmus_language(const struct litmus *t);

// The bytes between the address of a number of that size and where the cell has
// it; 0: it is there (ppc.c).
static inline uint32_t litmus_turned(const struct litmus *t, uint32_t size) {
  return t->is_big && size && size < 4 ? 4 - size : 0;
}

// The address or number that a value stands for in the program.
uint64_t litmus_resolve(const struct litmus *t, const struct litmus_value *v);
// Does a proposition hold in a state: values by var?
bool litmus_holds(const struct litmus *t, uint32_t prop,
                  const uint64_t *values);

// "exists (1:X0=1 /\ 1:X2=0)"
void litmus_print_condition(const struct litmus *t, struct str *out);
// "1:X0", "[x]" or "v[0]", as herd writes them
void litmus_print_var(const struct litmus *t, const struct litmus_var *v,
                      struct str *out);
// A value as a test writes it: a number, signed unless the type says
// otherwise, or the name of a location.
void litmus_print_value(const struct litmus *t, uint64_t value,
                        struct litmus_type type, struct str *out);
// What is left of a number in a register or location of that type.
uint64_t litmus_cut(uint64_t value, struct litmus_type type);
