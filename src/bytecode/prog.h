// SPDX-License-Identifier: MIT
// What a program is: functions of bytecode, globals with their first contents,
// and for each instruction where it came from. A program is built once (by
// front/ from C, by litmus/ later, by tests) and never changes after
// prog_finish.
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/fence.h"
#include "base/order.h"
#include "base/str.h"
#include "bytecode/pointer.h"

typedef uint32_t site_id; // the pc of an instruction
#define NO_SITE UINT32_MAX

enum op {
#define OP(name, a, b, c, imm, flags, meaning) OP_##name,
#include "bytecode/op.def"
#undef OP
  OP_COUNT
};

// What the word of a destroyed mutex, semaphore or read-write lock holds
// (rt/sync.h has it too).
#define SYNC_DESTROYED 0x80000000u

enum builtin {
#define BUILTIN(name, args, results, meaning) BI_##name,
#include "bytecode/builtin.def"
#undef BUILTIN
  BI_COUNT
};

struct insn {
  uint16_t op, a, b, c;
  uint64_t imm;
};

// imm of kind WIDTH.
enum { IMM_NSW = 1 << 8, IMM_NUW = 1 << 9, IMM_EXACT = 1 << 10 };
// Of instructions that have no result for some operands. In C that is an error,
// at once: a conversion or count is CHECKED (shifts and divisions always are).
// An optimiser computes ahead what it may drop again, so in its code the result
// is only undefined, which is an error where it decides something: POISON.
enum { IMM_CHECKED = 1 << 16, IMM_POISON = 1 << 17 };

// Could the instruction report a finding, other than a signed overflow?
static inline bool op_may_fail(enum op op, uint64_t imm) {
  switch (op) {
  case OP_udiv:
  case OP_sdiv:
  case OP_urem:
  case OP_srem:
    return true;
  case OP_shl:
  case OP_lshr:
  case OP_ashr:
    return !(imm & IMM_POISON);
  case OP_clz:
  case OP_ctz:
  case OP_fptosi:
  case OP_fptoui:
    return imm & IMM_CHECKED;
  default:
    return false;
  }
}

// imm of kind ACCESS, packed by imm_access / imm_access_of.
struct imm_access {
  uint8_t size;       // 1, 2, 4, 8 or 16 bytes
  uint8_t order;      // enum order; of a CAS: on success
  uint8_t order_fail; // of a CAS
  uint8_t is_volatile;
  uint8_t fence;   // enum fence_kind
  uint8_t is_weak; // of a CAS: it may fail although it read what it expected
  uint8_t how;     // enum access_how_flags
};

// What instruction sets have and C has not.
enum access_how_flags {
  HOW_LINKED = 1, // load: reserves its address; store: needs the reservation
  HOW_NORET = 2,  // rmw_load, cas_load: no register gets the value
  HOW_PICK = 4,   // cas_load: one instruction, no branch
  HOW_ISA = 8,    // an instruction of the machine: no compiler adds to it
  HOW_PAIR = 16,  // rmw_store, cas_store: of a load- and a store-exclusive that
                  // are taken as one update
  HOW_PLACE = 32, // fence: none is written there, but one could be
  HOW_TRYLOCK = 32, // cas_load: the thread tries to take a lock
  HOW_BYTES = 64,   // load, store: each byte is accessed by itself if the
                    // address is not aligned
  HOW_UNLESS = 64,  // cas_load, cas_store: succeeds with every other value
  HOW_SRCU = 128,   // load, store: begins or ends a section of SRCU
};

static inline uint64_t imm_access(struct imm_access a) {
  return (uint64_t)a.size | (uint64_t)a.order << 8 |
         (uint64_t)a.order_fail << 16 | (uint64_t)a.is_volatile << 24 |
         (uint64_t)a.fence << 32 | (uint64_t)a.is_weak << 40 |
         (uint64_t)a.how << 48;
}

static inline struct imm_access imm_access_of(uint64_t imm) {
  return (struct imm_access){(uint8_t)imm,         (uint8_t)(imm >> 8),
                             (uint8_t)(imm >> 16), (uint8_t)(imm >> 24),
                             (uint8_t)(imm >> 32), (uint8_t)(imm >> 40),
                             (uint8_t)(imm >> 48)};
}

// c of call, callr and sys: how many slots go in and come out (each < 256).
static inline unsigned call_slots(unsigned args, unsigned results) {
  return args | results << 8;
}

// Variable arguments go as x86-64 has them: in registers while there are some,
// then in memory. Behind the parameters of a call come this word, the words in
// general registers, two words for each vector register, and the words in
// memory. A function without parameters gets memory alone: its caller
// through `int f()` does not know that it is one of these.
enum { GENERAL_REGISTERS = 6, VECTOR_REGISTERS = 8 };
struct variadic {
  uint8_t general, vector;         // registers that the parameters have
  uint8_t general_end, vector_end; // and all arguments together
};
// Of va_start: no argument may be in a register.
#define VARIADIC_MEMORY ((struct variadic){.general = 1, .general_end = 1})

enum { VARIADIC_MARK = 0x76612e2e };
static inline uint64_t imm_variadic(struct variadic v) {
  return (uint64_t)v.general | (uint64_t)v.vector << 8 |
         (uint64_t)v.general_end << 16 | (uint64_t)v.vector_end << 24 |
         (uint64_t)VARIADIC_MARK << 32;
}

static inline struct variadic imm_variadic_of(uint64_t imm) {
  return (struct variadic){(uint8_t)imm, (uint8_t)(imm >> 8),
                           (uint8_t)(imm >> 16), (uint8_t)(imm >> 24)};
}

static inline uint64_t imm_targets(uint32_t if_true, uint32_t if_false) {
  return (uint64_t)if_true | (uint64_t)if_false << 32;
}

// Types, only for names in reports: `queue.slots[2].seq`.
typedef uint32_t type_id; // 0: unknown
enum type_kind { TYPE_SCALAR, TYPE_STRUCT, TYPE_ARRAY };

struct type {
  uint8_t kind;                            // enum type_kind
  uint8_t is_pointer, is_signed, is_float; // of a scalar: how to print a value
  uint32_t name;                           // string id: "struct node"
  uint64_t size;
  uint64_t pointee; // of a pointer: size of what it points to, or 0
  type_id element;  // of an array
  uint32_t first_member, members; // of a struct: range of prog->members; of an
                                  // enum its names, whose offsets are values
};

struct member {
  uint32_t name; // string id
  type_id type;
  uint64_t offset;
  uint8_t bit, bits; // of a bit-field: its first one in that byte, and how many
};

struct global {
  uint32_t name; // string id
  type_id type;
  uint64_t size, align;
  uint8_t *bytes;       // first contents, `size` bytes (pointers packed)
  bool is_constant;     // never written: reads are no events
  bool is_thread_local; // one copy a thread, named by OP_tls
  bool is_private;      // thread-local and its address never leaves the thread
  bool is_anonymous;    // string literals and compiler temporaries
  bool is_library;      // of rt/: no part of a state that is shown
  object_id object;     // set by prog_add_global; unused when thread-local
  uint32_t tls_index;   // set by prog_finish: number among thread-locals
};

struct func {
  uint32_t name;       // string id
  uint32_t first, end; // code range [first, end)
  uint32_t params;     // argument slots
  uint32_t results;    // result slots
  uint32_t nregs;      // variable slots (arguments come first); prog_finish
                       // raises it to cover every slot that the code names
  uint32_t first_const, nconsts; // range of prog->consts
  bool is_vararg;
  bool is_library; // of rt/: reports show the caller's line instead
};

struct switch_table {
  uint32_t first, cases; // range of prog->cases
  uint32_t other;        // default target
};

struct switch_case {
  uint64_t value;
  uint32_t target;
};

enum source_header {
  NO_HEADER,
  IN_HEADER,   // of a library of inline functions: reports show who calls
  FROM_HEADER, // clang has merged it into its caller; names are the header's
};

// Where an instruction came from. `text` is the accessed lvalue or the called
// function as the source says it ("node->next", "pthread_join"); "" if none.
struct source {
  uint32_t file, func, text; // string ids; func is the C function (inlined too)
  uint32_t line, column;
  uint32_t type;   // type_id of the scalar that is accessed, or of the struct
                   // whose first bit-fields are; 0 if unknown
  uint32_t nth;    // atomic operations: how many of their kind are before it at
                   // the same place (of a macro)
  uint32_t header; // enum source_header
  uint32_t made;   // of what makes an object: its type_id, if known
  uint32_t call; // 1 + the number in prog->calls of the call that it was merged
                 // for; 0: it is where it was written
};

// What is assumed of executions that C does not promise: SUPPOSITION(id, "name
// in JSON", "sentence").
enum supposition {
#define SUPPOSITION(id, name, sentence) SUPPOSES_##id,
#include "bytecode/supposition.def"
  SUPPOSITIONS
};

struct prog {
  struct strings strings;
  ARRAY(struct insn) code;
  ARRAY(struct source) source; // one an instruction
  ARRAY(struct source) calls;  // that were replaced by what they call
  ARRAY(struct func) funcs;
  ARRAY(uint64_t) consts;
  ARRAY(struct global) globals;
  ARRAY(struct type) types; // [0] is the unknown type
  ARRAY(struct member) members;
  ARRAY(struct switch_table) tables;
  ARRAY(struct switch_case) cases;
  bool has_poison;       // some of the code was optimised (IMM_POISON)
  uint8_t supposed;      // a bit for each enum supposition
  bool has_clocks;       // code that looks at one is linked
  uint32_t main_func;    // index of main
  uint64_t main_args[3]; // what it is called with: argc, argv, environment
  uint32_t on_return;    // called with its result when the first function of a
                         // thread returns; UINT32_MAX: none
  uint32_t tls_count;
  bool is_litmus; // main only starts the threads P0, P1, ... of a litmus test
  // Filled by prog_finish: which slots survive an instruction, see live_across.
  ARRAY(uint16_t) live;   // lists, each after its length; [0] is the empty one
  uint32_t *live_first;   // per pc: where its list is
  ARRAY(uint32_t) labels; // pcs whose address is taken (computed goto), sorted
  struct prog_build *build; // bookkeeping until prog_finish
};

struct prog *prog_new(void);
void prog_free(struct prog *p);

// Building. Globals and functions are added in any order; emit appends to the
// function that was added or begun last. Strings are interned by prog_string.
//
// Constants: prog_const(p, v) yields an operand number (CONST_OPERAND + k)
// that stands for the constant v in the current function, wherever an operand
// is read (S, L, and imm of kind REG). Registers are numbered from 0; a
// function has at most CONST_OPERAND of them. prog_finish moves constant
// operands to nregs + k, so nregs need not be known while emitting.
enum { CONST_OPERAND = 0x8000 };
uint32_t prog_string(struct prog *p, const char *text);
const char *prog_text(const struct prog *p, uint32_t string_id);
// Before the first of them: the number of its object.
void prog_begin_globals(struct prog *p, uint32_t object);
uint32_t prog_add_global(struct prog *p, const char *name, uint64_t size,
                         uint64_t align); // zeroed contents; yields its index
uint32_t prog_add_func(struct prog *p, const char *name, uint32_t params,
                       uint32_t results);
// Functions that call each other: add all of them first, then begin each one
// and emit its code. prog_add_func begins the function too.
void prog_begin_func(struct prog *p, uint32_t func);
unsigned prog_const(struct prog *p, uint64_t value);
// A run of constants (16-byte values, arguments): operand of the first.
unsigned prog_const_run(struct prog *p, const uint64_t *values, unsigned n);
uint32_t prog_add_table(struct prog *p, uint32_t other); // OP_switch; default
void prog_add_case(struct prog *p, uint64_t value,
                   uint32_t target); // to the newest table
uint32_t prog_emit(struct prog *p, enum op op, unsigned a, unsigned b,
                   unsigned c, uint64_t imm, struct source from); // yields pc
// Addresses; valid before prog_finish too (objects follow from the index).
// A large global takes several object numbers, so sizes must be final.
uint64_t prog_global_address(const struct prog *p, uint32_t global);
uint64_t prog_func_address(const struct prog *p, uint32_t func);
uint64_t prog_code_address(uint32_t pc); // for computed goto

// Where an instruction is as users see it: what was merged from a header of the
// library is at the call that it was merged for.
const struct source *prog_outside(const struct prog *p,
                                  const struct source *from);

// Numbers objects, computes liveness and verifies. After that the program is
// immutable and may be shared by threads. False: malformed (`why` says where).
MUST_USE bool prog_finish(struct prog *p, struct diag *why);

// Has it an instruction of that kind?
bool prog_has_op(const struct prog *p, enum op op);

// image.c: a finished program as bytes that this build alone can read, and
// back; NULL: the bytes are cut off.
void prog_pack(const struct prog *p, struct str *out);
struct prog *prog_unpack(const char *bytes, size_t n);

// The global or function that an address of region 0 belongs to, or
// UINT32_MAX.
uint32_t prog_global_of_object(const struct prog *p, object_id o);
uint32_t prog_global_of_tls(const struct prog *p, uint32_t tls_index);
uint32_t prog_func_of_address(const struct prog *p, uint64_t address);

// "queue.slots[2].seq" for an address inside a global; false if it is none.
// Here and below, `size` bytes are meant, which tells members of unions apart;
// 0: that is not known.
bool prog_name_address(const struct prog *p, uint64_t address, uint64_t size,
                       struct str *out);
// ".next" or "[3].seq": the path to `offset` inside a type ("" if unknown).
void prog_name_offset(const struct prog *p, type_id t, uint64_t offset,
                      uint64_t size, struct str *out);
// The outermost part at that offset that has this size: ".slots[1]".
bool prog_name_part(const struct prog *p, type_id t, uint64_t offset,
                    uint64_t size, struct str *out);
// The size of the scalar that the byte at that offset belongs to, 0: none.
uint64_t prog_scalar_around(const struct prog *p, type_id t, uint64_t offset);
// The scalar type at `offset` inside `t`, or 0.
type_id prog_scalar_at(const struct prog *p, type_id t, uint64_t offset,
                       uint64_t size);
// The values of the bit-fields in `size` bytes at an offset of a type, "{1,
// 2}"; false: there are none.
bool prog_name_bits(const struct prog *p, type_id t, uint64_t offset,
                    uint64_t size, uint64_t value, struct str *out);

// The slots that are live after the instruction at pc and not written by it:
// what a frame must keep while it waits there. Only kept for instructions at
// which a thread may stop (visible ones and calls), empty for the others.
static inline const uint16_t *live_across(const struct prog *p, uint32_t pc,
                                          uint32_t *count) {
  const uint16_t *list = p->live.at + p->live_first[pc];
  *count = list[0];
  return list + 1;
}

const char *op_name(enum op op);
const char *builtin_name(enum builtin b);
struct op_info {
  char a, b, c; // 'D' 'S' 'L' 'M' 'I' '_'
  uint8_t imm;  // enum imm_kind
  bool visible, ends_block, pure;
};
enum imm_kind {
  IMM_NONE,
  IMM_WIDTH,
  IMM_WIDTH2,
  IMM_TARGET,
  IMM_TARGETS,
  IMM_FUNC,
  IMM_BUILTIN,
  IMM_REG,
  IMM_ACCESS,
  IMM_TABLE,
  IMM_RAW,
};
extern const struct op_info op_infos[OP_COUNT];
static inline const struct op_info *op_info(enum op op) {
  check(op < OP_COUNT);
  return &op_infos[op];
}

// machine.c: barriers of the Linux kernel become the instructions that it
// compiles them to on the machine of that model, if it is one of a machine.
void prog_compile_barriers(struct prog *p, const char *model);

// One line an instruction, readable; `heddle dump` prints it.
void prog_print(const struct prog *p, struct str *out);
