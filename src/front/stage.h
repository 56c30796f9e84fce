// SPDX-License-Identifier: MIT
// Inside of the front end: the program that is being loaded and the stages it
// goes through, in the order of front_load (module.c): read the modules, find
// what main reaches (reach.c), decide which locals stay private (escape.c),
// lower each function to struct code (lower.h), then tidy, inline and assemble
// that (code.h).
#pragma once

#include "front/front.h"
#include "front/lower/ptrmap.h"
#include "front/lower/types.h"
#include "front/passes/code.h"

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
  PTR_ORDERS = 4,   // an access through it may order others (own.c)
};

struct function {
  LLVMValueRef
      llvm;    // its definition; NULL: a builtin, or it is defined nowhere
  int builtin; // when llvm is NULL; -1: unknown
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

// A global that is a part of an object (sections.c).
struct section_member {
  LLVMValueRef global;
  uint32_t object;
  uint64_t offset;
};

struct constructor {
  uint32_t function;
  uint64_t priority;
};
typedef ARRAY(struct constructor) constructor_list;

enum { MAX_PARAMS = 64, MAX_CALL_SLOTS = 255 };

// Atomic operations of one kind at one place of the source.
struct place_tally {
  unsigned kind; // LLVMOpcode
  uint32_t count;
  uint32_t next; // index + 1: of another kind, there too
};

struct front {
  const struct front_options *options;
  LLVMContextRef context;
  LLVMTargetDataRef layout; // of the module that is looked at
  struct module *modules;   // the user's, then the parts of rt/ that are needed
  uint32_t nmodules;
  struct bitcode runtime; // the archive, once it is needed
  bool has_runtime;
  bool has_cxx;        // a file is C++, which is compiled with host's headers
  bool has_rust;       // a module is of rustc, with its library in it
  bool has_exceptions; // a module has landing pads
  bool has_guards;     // a file includes <lkmm.h>: see guards.c
  bool sees_errno;     // a file of the user mentions errno
  struct prog *prog;
  struct diag *why;
  bool failed; // `why` holds the first problem; everything else is moot
  ARRAY(struct function) functions; // in the order of prog->funcs
  struct ptrmap function_of;        // definition -> index
  ARRAY(LLVMValueRef)
  globals;                 // definitions, in the order of prog; NULL:
                           // a section
  struct ptrmap global_of; // definition -> index
  ARRAY(struct section_member) members;
  struct ptrmap offset_of; // of those: definition or declaration -> offset
  ARRAY(struct code_fixup) fixups;
  constructor_list constructors;    // to call before main, in this order
  constructor_list destructors;     // at the end, the other way round
  struct ptrmap absent;             // weak declarations without definition
  char directory[4096];             // the current one
  struct ptrmap name_of;            // function -> string id
  struct ptrmap file_of;            // file name of LLVM -> string id
  struct ptrmap type_of;            // DIType -> type_id
  ARRAY(LLVMMetadataRef) variables; // of the function being lowered and before
  struct ptrmap variable_of;        // alloca or parameter -> its variable
  ARRAY(struct place_tally) tallies;
  struct ptrmap tallies_of;        // DILocation -> index + 1 of its first tally
  struct ptrmap nth_of;            // atomic operation -> n, unless it is 0
  struct ptrmap own_of;            // atomic operation -> 1 + its word (own.c)
  uint32_t own_words, own_nothing; // globals
  unsigned dbg_kind;               // LLVM's number for !dbg
  unsigned byval_kind, align_kind, nounwind_kind; // and for attributes
};

// -- read.c
// The module in the bytes of a file; NULL: they are none, which is noted.
LLVMModuleRef module_read(struct front *f, const char *file,
                          const struct bitcode *b);
// Was the file compiled by the user?
bool module_is_foreign(const char *file);
// May it have passed an optimiser? Rust's library comes optimised.
bool module_is_optimised(const char *file);

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
// From here on types are laid out as the module of a global says.
void module_enter(struct front *f, LLVMValueRef global);
// Notes the first problem, at the line of `inst` (may be NULL); yields false.
bool front_refuse(struct front *f, LLVMValueRef inst, const char *fmt, ...)
    PRINTF_LIKE(3, 4);

// -- async.c: statements that a label makes threads become functions; false:
// one could not, which is noted.
bool async_outline(struct front *f, LLVMModuleRef m);

// -- runtime.c
// Adds the part of rt/ that defines `name` to the modules; false: there is
// none (or the front end failed).
enum { MAX_PARTS = 64 };
bool runtime_load(struct front *f, const char *name);
// Is it a name of libc++, and was Heddle built where that was missing?
bool runtime_lacks_libcxx(struct front *f, const char *name);
#define WITHOUT_LIBCXX                                                         \
  "this Heddle was built where libc++ was missing: install libc++-dev of its " \
  "clang and build it again (meson setup --reconfigure)"

// -- reach.c: which functions and globals the program needs
void front_reach(struct front *f);
// Index of a function (definition or builtin), of a global.
uint32_t front_function(struct front *f, LLVMValueRef definition);
uint32_t front_global(struct front *f, LLVMValueRef definition);

// -- sections.c: linker sets
void sections_find(struct front *f);
// Where a global is in its object; 0 unless it is in a section.
uint64_t section_offset(const struct front *f, LLVMValueRef global);

// -- constant.c
// The slots of a constant of type `type`; false when it is no plain number.
bool constant_slots(struct front *f, LLVMValueRef v, uint64_t *out);
void constant_globals(struct front *f); // fills prog's globals
void constant_fixups(struct front *f);  // code addresses, after assembly

// -- arguments.c
void front_arguments(struct front *f); // of main; after all other globals

// -- escape.c
void escape_analyse(struct front *f); // fills param_fate of all functions
bool escape_local(struct front *f, LLVMValueRef local);
// An atomic operation that may be on a local which no other thread reaches.
void own_note(struct front *f, LLVMValueRef inst);
void own_make_words(struct front *f); // for those
// A local that can live in registers: only read and written as a whole.
bool escape_promotable(LLVMValueRef alloca);
// lower_scope.c: does the instruction only mark where a local begins or ends?
bool scope_is_marker(LLVMValueRef inst);
// PTR_* flags of what a call does with its pointer argument `i`.
unsigned escape_argument(struct front *f, LLVMValueRef call, unsigned i);

// -- question.c: constants of rt/ that tell it about the program
bool question_is(LLVMValueRef global);
bool question_answer(const struct front *f, LLVMValueRef question);
// Do the user's files mention the function?
bool question_mentions(const struct front *f, const char *function);
// May a thread with exceptions end from within its functions?
bool question_forces(const struct front *f);

// -- builtin.c: names that stand for builtins
// enum builtin, or -1.
int builtin_of_name(const char *name);

// What errno is in glibc's headers.
#define ERRNO_LOCATION "__errno_location"
// call_rcu where a thread waits for the callbacks (rt/callback.c).
#define RCU_BARRIER "rcu_barrier"
#define CALL_RCU "call_rcu"
#define CALL_RCU_NUMBERED "__heddle_call_rcu_numbered"
// Functions that verification benchmarks name so that they are done atomically:
// they call rt/ when they begin and when they return.
#define SECTION_BEGIN "__VERIFIER_atomic_begin"
#define SECTION_END "__VERIFIER_atomic_end"
bool function_is_section(const struct function *fn);

// The clause of a landing that takes an exception (rt/exception.c).
#define SELECT_HANDLER "__heddle_select"
#define HAS_UNWOUND "__heddle_rt_exception_unwound"

// What rt/ calls at the end of the program.
#define RUN_DESTRUCTORS "__heddle_run_destructors"

// Functions whose calls are lowered to several instructions.
enum call_kind {
  CALL_PLAIN,
  CALL_SPAWN,  // pthread_create(t, NULL, f, x)
  CALL_JOIN,   // pthread_join(t, NULL)
  CALL_SELF,   // pthread_self()
  CALL_ATOMIC, // __atomic_load(size, ...) and friends
  CALL_SETJMP,
  CALL_LONGJMP,
  CALL_KERNEL, // what the Linux kernel has and C has not (lower_kernel.c)
};
enum call_kind call_special(struct front *f, LLVMValueRef call);
// Is this a barrier of the Linux kernel, or one of rt/kernel.c's functions?
bool kernel_has(const char *name);
// The type of which the callee gets its own copy through pointer `i`, or NULL.
LLVMTypeRef call_byval(struct front *f, LLVMValueRef call, unsigned i);
LLVMTypeRef function_byval(struct front *f, LLVMValueRef function, unsigned i);
// How such a copy is aligned; 0: as its type is.
unsigned call_alignment(struct front *f, LLVMValueRef call, unsigned i);

// -- rust_names.c: false if it is no name of Rust
bool rust_name(const char *name, struct str *out);

// -- demangle.c: string ids
uint32_t demangle(struct front *f, const char *name);          // all of it
uint32_t demangle_function(struct front *f, const char *name); // what matters

// -- names.c
// Notes which alloca or parameter is which variable, and which atomic operation
// is the how many-th at its place (struct source).
void names_enter(struct front *f, LLVMValueRef function);
// The class of a member function becomes one of the program's types, so that
// objects on the heap can be recognised by their members.
void names_this(struct front *f, LLVMValueRef function);
struct source names_source(struct front *f, LLVMValueRef inst);
bool names_is_atomic(LLVMValueRef inst);

// The struct that the program takes the memory at a pointer for; 0: none.
type_id names_struct_type(struct front *f, LLVMValueRef pointer);
// What the pointer that lies there points to; 0: that is not known.
type_id names_pointee_type(struct front *f, LLVMValueRef pointer);
// The type of what a call of that function allocates, in C++; 0: not known, or
// none.
type_id names_made_type(struct front *f, LLVMValueRef call, const char *name);
// As type_leaves, from what debug information says about the `size` bytes from
// `pointer` + `skip` on; if wanted only when they lie in a struct.
bool names_leaves(struct front *f, LLVMValueRef pointer, uint64_t skip,
                  uint64_t size, bool only_structs, leaf_list *out);
// Fills text and type of an access of that many bytes.
void names_access(struct front *f, LLVMValueRef pointer, uint64_t offset,
                  uint64_t size, struct source *at);
// The `size` bytes at `pointer` + `offset` as the source says it; string id.
uint32_t names_lvalue(struct front *f, LLVMValueRef pointer, uint64_t offset,
                      uint64_t size);
// The same for the pointer of an indirect call.
uint32_t names_callee(struct front *f, LLVMValueRef callee);
type_id names_global_type(struct front *f, LLVMValueRef global,
                          const char **ret_name);

// -- lower_intrinsic.c
// The function of rt/ that an intrinsic such as llvm.floor stands for, or NULL.
LLVMValueRef intrinsic_function(struct front *f, LLVMValueRef call);

// -- lower_wide.c
// The function of rt/ that an instruction divides 128-bit integers with, or
// makes floating-point numbers of them or the other way round; NULL: it does
// not.
const char *wide_function(LLVMValueRef inst);

// -- lower.c
void lower_function(struct front *f, uint32_t index);
