// SPDX-License-Identifier: MIT
// Inside of the front end: what the files that lower LLVM's IR share. The
// stages, in the order of front_load (module.c): read the modules, find what
// main reaches (reach.c), decide which locals stay private (escape.c), lower
// each function to struct code (lower*.c), tidy, inline, assemble.
#pragma once

#include "front/code.h"
#include "front/front.h"
#include "front/ptrmap.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

struct module {
  const char *file; // as the user gave it
  LLVMModuleRef llvm;
  bool is_library; // rt/
};

// What happens to a pointer parameter or a local's address.
enum {
  PTR_ESCAPES = 1,  // some other thread might get to know it
  PTR_RETURNED = 2, // the function's result may be based on it
};

struct function {
  LLVMValueRef llvm; // its definition; NULL: a builtin used as a value
  int builtin;       // when llvm is NULL
  struct module *module;
  uint8_t *param_fate; // PTR_* flags of each parameter
  struct code code;
  uint32_t *label_pc;
  struct ptrmap labels; // LLVMBasicBlockRef -> label, once lowered
};

// A place in a global's first contents that holds a code address.
struct code_fixup {
  uint32_t global;
  uint64_t offset;
  LLVMValueRef block_address;
};

struct constructor {
  uint32_t function;
  uint64_t priority;
};

enum { MAX_PARAMS = 64, MAX_CALL_SLOTS = 255 };

struct front {
  const struct front_options *options;
  LLVMContextRef context;
  LLVMTargetDataRef layout;
  struct module *modules; // the user's, then the parts of rt/ that are needed
  uint32_t nmodules;
  struct bitcode runtime; // the archive, once it is needed
  bool has_runtime;
  struct prog *prog;
  struct diag *why;
  bool failed; // `why` holds the first problem; everything else is moot
  ARRAY(struct function) functions; // in the order of prog->funcs
  struct ptrmap function_of;        // definition -> index
  ARRAY(LLVMValueRef) globals;      // definitions, in the order of prog
  struct ptrmap global_of;          // definition -> index
  ARRAY(struct code_fixup) fixups;
  ARRAY(struct constructor) constructors; // to call before main
  struct ptrmap absent;  // weak declarations that nothing defines
  struct ptrmap type_of;            // DIType -> type_id
  ARRAY(LLVMMetadataRef) variables; // of the function being lowered and before
  struct ptrmap variable_of;        // alloca or parameter -> its variable
  unsigned dbg_kind;                // LLVM's number for !dbg
  unsigned byval_kind;              // and for the attribute byval
};

// -- module.c
bool module_add(struct front *f, const char *file, const struct bitcode *b,
                bool is_library);

// The definition that a declared function or global stands for (itself if it
// is one; through aliases), or NULL. Loads rt/ when the user's files lack it.
LLVMValueRef module_resolve(struct front *f, LLVMValueRef global);
// The same by name.
LLVMValueRef module_find(struct front *f, const char *name);
// Do the user's own files define a function or global of that name?
bool module_user_defines(struct front *f, LLVMValueRef global);
struct module *module_of(struct front *f, LLVMValueRef global);
// Notes the first problem, at the line of `inst` (may be NULL); yields false.
bool front_refuse(struct front *f, LLVMValueRef inst, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

// -- runtime.c
// Adds the part of rt/ that defines `name` to the modules; false: there is
// none (or the front end failed).
enum { MAX_PARTS = 64 };
bool runtime_load(struct front *f, const char *name);

// -- reach.c: which functions and globals the program needs
void front_reach(struct front *f);
// Index of a function (definition or builtin), of a global.
uint32_t front_function(struct front *f, LLVMValueRef definition);
uint32_t front_global(struct front *f, LLVMValueRef definition);

// -- constant.c
// The slots of a constant of type `type`; false when it is no plain number.
bool constant_slots(struct front *f, LLVMValueRef v, uint64_t *out);
void constant_globals(struct front *f); // fills prog's globals
void constant_fixups(struct front *f);  // code addresses, after assembly

// -- types.c: LLVM's types as slots and leaves
bool type_supported(LLVMTypeRef t);
uint32_t type_slots(LLVMTypeRef t);                       // 0: void
uint64_t type_size(const struct front *f, LLVMTypeRef t); // bytes in memory
// The width in bits of a type that is no aggregate.
unsigned type_width(LLVMTypeRef t);
bool type_is_aggregate(LLVMTypeRef t);
// Members of a struct, elements of an array.
uint64_t type_fields(LLVMTypeRef t);
LLVMTypeRef type_field(LLVMTypeRef t, unsigned i);
uint64_t type_field_offset(const struct front *f, LLVMTypeRef t, unsigned i);
struct leaf {
  uint64_t offset;
  uint32_t size; // 1, 2, 4, 8 or 16 bytes
  bool is_union; // any size; which member it holds is not known
};
typedef ARRAY(struct leaf) leaf_list;
enum { MAX_LEAVES = 1024 };
// Appends the scalars and unions inside a type, in order of their offsets.
// False: there are too many.
bool type_leaves(const struct front *f, LLVMTypeRef t, uint64_t offset,
                 leaf_list *out);
// The smallest part of `t` that holds [*offset, *offset + size); *offset gets
// relative to it.
LLVMTypeRef type_narrow(const struct front *f, LLVMTypeRef t, uint64_t *offset,
                        uint64_t size);
// Appends the leaves of `all` that lie in [skip, skip + size), counted from
// `skip`. False if they do not cover whole leaves inside of `total` bytes.
bool type_cut_leaves(const leaf_list *all, uint64_t total, uint64_t skip,
                     uint64_t size, leaf_list *out);
// The byte offset of a GEP (instruction or expression) if it is constant.
bool type_gep_offset(const struct front *f, LLVMValueRef gep, uint64_t *ret);

// -- escape.c
void escape_analyse(struct front *f); // fills param_fate of all functions
bool escape_local(struct front *f, LLVMValueRef local);
// A local that can live in registers: only read and written as a whole.
bool escape_promotable(LLVMValueRef alloca);
// PTR_* flags of what a call does with its pointer argument `i`.
unsigned escape_argument(struct front *f, LLVMValueRef call, unsigned i);

// -- question.c: constants of rt/ that tell it about the program
bool question_is(LLVMValueRef global);
bool question_answer(const struct front *f, LLVMValueRef question);
// Do the user's files mention the function?
bool question_mentions(const struct front *f, const char *function);

// -- builtin.c: names that stand for builtins
// enum builtin, or -1.
int builtin_of_name(const char *name);

// Functions whose calls are lowered to several instructions.
enum call_kind {
  CALL_PLAIN,
  CALL_SPAWN,  // pthread_create(t, NULL, f, x)
  CALL_JOIN,   // pthread_join(t, NULL)
  CALL_ATOMIC, // __atomic_load(size, ...) and friends
};
enum call_kind call_special(struct front *f, LLVMValueRef call);
// The type of which the callee gets its own copy through pointer `i`, or NULL.
LLVMTypeRef call_byval(struct front *f, LLVMValueRef call, unsigned i);
LLVMTypeRef function_byval(struct front *f, LLVMValueRef function, unsigned i);

// -- names.c
// Notes which alloca or parameter is which variable.
void names_variables(struct front *f, LLVMValueRef function);
struct source names_source(struct front *f, LLVMValueRef inst);
bool names_is_debug_call(LLVMValueRef inst);
// As type_leaves, from what the debug information says about
// the `size` bytes from `pointer` + `skip` on, if wanted
// only when they lie in a struct.
bool names_leaves(struct front *f, LLVMValueRef pointer, uint64_t skip,
                  uint64_t size, bool only_structs, leaf_list *out);
// The `size` bytes at `pointer` + `offset` as the source says it; string id.
uint32_t names_lvalue(struct front *f, LLVMValueRef pointer, uint64_t offset,
                      uint64_t size);
// The same for the pointer of an indirect call.
uint32_t names_callee(struct front *f, LLVMValueRef callee);
type_id names_global_type(struct front *f, LLVMValueRef global,
                          const char **ret_name);

// -- lower*.c: one function

enum place { // where an alloca lives
  PLACE_REGISTERS,
  PLACE_PRIVATE, // private memory: OP_local
  PLACE_SHARED,  // OP_stack_new
};

struct lowering {
  struct front *f;
  struct function *fn;
  struct code *c;
  LLVMValueRef inst;         // being lowered
  struct source at;          // where it comes from
  struct ptrmap values;      // value -> its first register
  struct ptrmap places;      // alloca -> enum place
  struct ptrmap skipped;     // instructions that are part of a larger pattern
  struct ptrmap rmw_loops;   // block that is one compound RMW -> 1
  ARRAY(vreg) stack_objects; // shared ones, to be ended at returns
  ARRAY(vreg) late_objects;  // those that may not exist at a return
};

void lower_function(struct front *f, uint32_t index);

// The registers that hold `v`, consecutive when its type takes several.
vreg lower_value(struct lowering *l, LLVMValueRef v);
// The registers that `v` will be written to.
vreg lower_result(struct lowering *l, LLVMValueRef v);
void lower_emit(struct lowering *l, enum op op, vreg a, vreg b, vreg c,
                uint64_t imm);
// Emits `op` into a fresh register.
vreg lower_op(struct lowering *l, enum op op, vreg b, vreg c, uint64_t imm);
void lower_undef(struct lowering *l, vreg to, LLVMTypeRef t);
void lower_move(struct lowering *l, vreg to, vreg from, uint32_t n);
vreg lower_number(struct lowering *l, uint64_t value);
vreg lower_offset(struct lowering *l, vreg base, uint64_t offset); // base + it
label_id lower_label(struct lowering *l, LLVMBasicBlockRef b);
enum place lower_place(const struct lowering *l, LLVMValueRef alloca);
bool lower_refuse(struct lowering *l, const char *fmt, ...) PRINTF_LIKE(2, 3);

// lower_insn.c: arithmetic, casts, addresses; false if `inst` is none.
bool lower_pure(struct lowering *l, LLVMValueRef inst);
// lower_wide.c: the same on i128.
void lower_wide_binary(struct lowering *l, LLVMValueRef inst);
void lower_wide_compare(struct lowering *l, LLVMValueRef inst);
// lower_memory.c: loads, stores, copies.
void lower_alloca(struct lowering *l, LLVMValueRef inst);
void lower_load(struct lowering *l, LLVMValueRef inst);
void lower_store(struct lowering *l, LLVMValueRef inst);
// The same for a value in registers; of `how`, the size is ignored.
void lower_read(struct lowering *l, vreg to, LLVMTypeRef t,
                LLVMValueRef pointer, struct imm_access how);
void lower_write(struct lowering *l, vreg from, LLVMTypeRef t,
                 LLVMValueRef pointer, struct imm_access how);
void lower_late_object(struct lowering *l, LLVMValueRef alloca);
// lower_copy.c
struct copy {
  vreg to, from;
  LLVMValueRef to_value, from_value; // may be NULL
  LLVMTypeRef type;                  // NULL: from what the values point to
  uint64_t size;
  bool may_overlap;
};
void lower_copy(struct lowering *l, const struct copy *c);
void lower_memcpy(struct lowering *l, LLVMValueRef call, bool may_overlap);
void lower_memset(struct lowering *l, LLVMValueRef call);
// lower_leaves.c
// Does the pointer point into private memory for certain?
bool lower_is_private(const struct lowering *l, LLVMValueRef pointer);
// The same, or into a constant: reads of it are no events.
bool lower_reads_silently(const struct lowering *l, LLVMValueRef pointer);
// The leaves of a type in [offset, offset + size), counted from `offset`.
// False if the type does not cover that with whole leaves.
bool lower_type_leaves(const struct front *f, LLVMTypeRef t, uint64_t offset,
                       uint64_t size, leaf_list *out);
// The same for what the program declares at `pointer` + `skip`.
bool lower_declared_leaves(struct lowering *l, LLVMValueRef pointer,
                           uint64_t skip, uint64_t size, leaf_list *out);
// The same for an access by one integer: only structs are packed into larger
// integers, what lies in no struct is accessed as the program says.
bool lower_packed_leaves(struct lowering *l, LLVMValueRef pointer,
                         uint64_t skip, uint64_t size, leaf_list *out);
// lower_atomic.c
enum order lower_order(LLVMAtomicOrdering o);
void lower_cmpxchg(struct lowering *l, LLVMValueRef inst);
void lower_atomicrmw(struct lowering *l, LLVMValueRef inst);
void lower_fence(struct lowering *l, LLVMValueRef inst);
void lower_fence_of(struct lowering *l, enum order order);
// An update of mem[address]: `to` gets the old value.
void lower_rmw(struct lowering *l, LLVMAtomicRMWBinOp op, vreg to, vreg address,
               vreg arg, struct imm_access how);
void lower_cas(struct lowering *l, vreg old, vreg ok, vreg address,
               vreg expected, vreg wanted, struct imm_access how);
void lower_find_patterns(struct lowering *l);
// Starts a block that is one compound RMW.
void lower_rmw_begin(struct lowering *l, LLVMBasicBlockRef b);
// lower_libatomic.c
void lower_atomic_call(struct lowering *l, LLVMValueRef call, const char *name);
// lower_call.c, lower_intrinsic.c, lower_asm.c
void lower_call(struct lowering *l, LLVMValueRef call);
void lower_call_function(struct lowering *l, LLVMValueRef call,
                         uint32_t function);
void lower_intrinsic(struct lowering *l, LLVMValueRef call, const char *name);
// The function of rt/ that an intrinsic such as llvm.floor stands for, or NULL.
LLVMValueRef intrinsic_function(struct front *f, LLVMValueRef call);
void lower_asm(struct lowering *l, LLVMValueRef call);
