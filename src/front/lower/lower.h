// SPDX-License-Identifier: MIT
// Lowering one function: what the files lower*.c share.
#pragma once

#include "front/stage.h"

enum place { // where an alloca lives
  PLACE_REGISTERS,
  PLACE_PRIVATE, // private memory: OP_local
  PLACE_SHARED,  // OP_stack_new
};

struct lowering {
  struct front *f;
  struct function *fn;
  struct code *c;
  LLVMValueRef inst;       // being lowered
  struct source at;        // where it comes from
  struct ptrmap values;    // value -> its first register
  struct ptrmap places;    // alloca -> enum place
  struct ptrmap skipped;   // instructions that are part of a larger pattern
  struct ptrmap rmw_loops; // block that is one compound RMW -> 1
  struct ptrmap saves, restores; // block -> register: see guards.c,
  struct ptrmap enters, leaves;  // block -> registers of a region,
  ARRAY(vreg) regions;           // all of these
  const char *no_guards;         // why it is not known what branches guard
  struct ptrmap tables;          // landing pad -> global: what it catches
  struct ptrmap observers;   // block whose branch only serves an assertion -> 1
  ARRAY(vreg) stack_objects; // shared ones, to be ended at returns
  ARRAY(vreg) late_objects;  // those that may not exist at a return
  bool is_section;           // a function that is done atomically
  vreg frame;                // what __builtin_frame_address(0) yields
  uint64_t no_result;        // IMM_CHECKED, or IMM_POISON in optimised code
  ARRAY(uint64_t) lines;     // that were seen (lower_fences.c)
  label_id passes;           // where exceptions pass through the function
  vreg passing;              // and the exception; 0: there is no such place
  unsigned lane;             // of a vector, which an intrinsic is done for
};

// The registers that hold `v`, consecutive when its type takes several.
vreg lower_value(struct lowering *l, LLVMValueRef v);
// The registers that `v` will be written to.
vreg lower_result(struct lowering *l, LLVMValueRef v);
void lower_emit(struct lowering *l, enum op op, vreg a, vreg b, vreg c,
                uint64_t imm);
// Emits `op` into a fresh register.
vreg lower_op(struct lowering *l, enum op op, vreg b, vreg c, uint64_t imm);
// A number of its own for each thread; there is nothing behind it.
vreg lower_self(struct lowering *l); // pthread_self()
vreg lower_thread_pointer(struct lowering *l);
void lower_undef(struct lowering *l, vreg to, LLVMTypeRef t);
void lower_move(struct lowering *l, vreg to, vreg from, uint32_t n);
vreg lower_number(struct lowering *l, uint64_t value);
vreg lower_offset(struct lowering *l, vreg base, uint64_t offset); // base + it
label_id lower_label(struct lowering *l, LLVMBasicBlockRef b);
enum place lower_place(const struct lowering *l, LLVMValueRef alloca);
bool lower_refuse(struct lowering *l, const char *fmt, ...) PRINTF_LIKE(2, 3);

#define FRAME_ADDRESS "llvm.frameaddress.p0"

// The label to go to for an edge: the block, or moves that then go there.
// Pending edges are laid out after the terminator.
struct edge {
  LLVMBasicBlockRef from, to;
  label_id label;
};
typedef ARRAY(struct edge) edge_list;
label_id lower_edge(struct lowering *l, LLVMBasicBlockRef from,
                    LLVMBasicBlockRef to, edge_list *pending);
void lower_edges(struct lowering *l, edge_list *pending);
// The shared objects of the function end, as where it returns.
void lower_stack_ends(struct lowering *l);

// lower_exceptions.c
void lower_invoke(struct lowering *l, LLVMValueRef inst);
void lower_landing_pad(struct lowering *l, LLVMValueRef inst);
void lower_resume(struct lowering *l, LLVMValueRef inst);
void lower_typeid(struct lowering *l, LLVMValueRef call);
// An exception may come out of the call that was just lowered: shared objects
// of the function end before it passes. At the end of the function: how.
void lower_passing(struct lowering *l, LLVMValueRef call);
void lower_passed(struct lowering *l);

// lower_fences.c: a fence could be before `inst`, if a statement begins there.
void lower_fence_place(struct lowering *l, LLVMValueRef inst);
// lower_insn.c: arithmetic, casts, addresses; false if `inst` is none.
bool lower_pure(struct lowering *l, LLVMValueRef inst);
// What it takes for one slot; `width` in bits. lower_binary_op: -1, it is none.
int lower_binary_op(LLVMOpcode opcode); // enum op
void lower_binary_of(struct lowering *l, LLVMValueRef inst, enum op op, vreg to,
                     vreg b, vreg c, unsigned width);
void lower_compare_of(struct lowering *l, LLVMIntPredicate p, vreg to, vreg b,
                      vreg c, unsigned width);
void lower_resize(struct lowering *l, LLVMOpcode opcode, vreg to, vreg from,
                  unsigned width_from, unsigned width_to);
bool lower_float_cast(struct lowering *l, LLVMOpcode opcode, vreg to, vreg from,
                      unsigned width_from, unsigned width_to);
// The words of 64 bits that a value consists of, at most MAX_LANES; how many.
uint32_t lower_words(struct lowering *l, LLVMValueRef v, vreg *words);
// lower_vector.c: the same on vectors of integers.
bool lower_vector(struct lowering *l, LLVMValueRef inst);
// llvm.vector.reduce.*; false: it is none of them.
bool lower_reduction(struct lowering *l, LLVMValueRef call, const char *name);
// lower_extended.c: the same on numbers of 80 bits.
bool lower_extended(struct lowering *l, LLVMValueRef inst);
// observe.c: fills `observers`.
void observe_find(struct lowering *l);
// guards.c: what branches guard, at the beginning of a block and before the
// instruction that ends it.
void guards_find(struct lowering *l);
void guards_begin(struct lowering *l, LLVMBasicBlockRef b);
void guards_end(struct lowering *l, LLVMBasicBlockRef b);
// Before and after an instruction that branches, whose ways meet behind it.
vreg guards_before(struct lowering *l);
void guards_after(struct lowering *l, vreg saved);
// lower_wide.c: the same on integers of more than 64 bits.
void lower_wide_resize(struct lowering *l, LLVMOpcode opcode, vreg to,
                       vreg from, unsigned width_from, unsigned width_to);
void lower_wide_binary(struct lowering *l, LLVMValueRef inst);
void lower_wide_compare(struct lowering *l, LLVMValueRef inst);
// llvm.*.with.overflow; false: of more than two words.
bool lower_wide_overflow(struct lowering *l, LLVMValueRef call, enum op op);
// False: the instruction needs no function of rt/ (wide_function).
bool lower_wide_call(struct lowering *l, LLVMValueRef inst);
// lower_memory.c: loads, stores, copies.
void lower_alloca(struct lowering *l, LLVMValueRef inst);
void lower_load(struct lowering *l, LLVMValueRef inst);
void lower_store(struct lowering *l, LLVMValueRef inst);
// The same for a value in registers; of `how`, the size is ignored.
void lower_read(struct lowering *l, vreg to, LLVMTypeRef t,
                LLVMValueRef pointer, struct imm_access how);
void lower_write(struct lowering *l, vreg from, LLVMTypeRef t,
                 LLVMValueRef pointer, struct imm_access how);
// Makes the shared object of a local.
void lower_stack_object(struct lowering *l, LLVMValueRef alloca);
// lower_scope.c: where a local lives, and what its markers mean.
enum scope { SCOPE_FUNCTION, SCOPE_BLOCK, SCOPE_LOOP };
enum scope scope_of(struct lowering *l, LLVMValueRef alloca);
void lower_lifetime(struct lowering *l, LLVMValueRef call, bool begins);
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
void lower_fence_of(struct lowering *l, enum order order,
                    enum fence_kind fence);
// An update of mem[address]: `to` gets the old value.
void lower_rmw(struct lowering *l, LLVMAtomicRMWBinOp op, vreg to, vreg address,
               vreg arg, struct imm_access how);
void lower_cas(struct lowering *l, vreg old, vreg ok, vreg address,
               vreg expected, vreg wanted, struct imm_access how);
void lower_find_patterns(struct lowering *l);
// own.c: what an atomic operation orders if `pointer` is a local that no other
// thread reaches; ok: has it succeeded (else order_fail counts)? 0: it always
// does.
void own_order(struct lowering *l, LLVMValueRef inst, vreg pointer, vreg ok,
               enum order order, enum order order_fail);
// Starts a block that is one compound RMW.
void lower_rmw_begin(struct lowering *l, LLVMBasicBlockRef b);
// lower_kernel.c
void lower_kernel_call(struct lowering *l, LLVMValueRef call, const char *name);
// lower_libatomic.c
void lower_atomic_call(struct lowering *l, LLVMValueRef call, const char *name);
// lower_call.c, lower_intrinsic.c, lower_asm.c
void lower_call(struct lowering *l, LLVMValueRef call);
void lower_call_function(struct lowering *l, LLVMValueRef call,
                         uint32_t function);
// lower_variadic.c: a call of a function with variable arguments, the first
// `params` words of which are fixed; single registers are added to `slots`.
typedef ARRAY(vreg) vreg_list;
void lower_variadic(struct lowering *l, LLVMValueRef call, uint32_t params,
                    bool in_memory, vreg_list *slots);
// Is it of code for AArch64 and Linux, whose variable arguments are all in
// memory here?
bool variadic_is_arm(const struct function *fn);
enum { ARM_VA_LIST_SIZE = 32 };
void variadic_start_arm(struct lowering *l, vreg to);
// What the library, which is of x86-64, takes for argument i of a call.
vreg variadic_argument(struct lowering *l, LLVMValueRef call, unsigned i);
// The imm of va_start in a function.
uint64_t variadic_parameters(struct front *f, LLVMValueRef function);
void lower_intrinsic(struct lowering *l, LLVMValueRef call, const char *name);
void lower_asm(struct lowering *l, LLVMValueRef call);
// lower_unsupported.c: an execution that comes here ends the check without a
// verdict. The result of the instruction that is being lowered is undefined.
void lower_unsupported(struct lowering *l, const char *fmt, ...)
    PRINTF_LIKE(2, 3);
void lower_unknown_call(struct lowering *l, LLVMValueRef call,
                        const char *name);
void lower_unknown_function(struct lowering *l);
