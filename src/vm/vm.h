// SPDX-License-Identifier: MIT
// Threads as automata. Between two accesses a thread is a pure function of its
// state and the value it was given, so a thread state is a number: it names
// the frozen thread (frames, live registers, private memory) *and* the access
// it is about to make. vm_step(state, value) -> next state is a table look-up
// once that step was taken before; the first time the interpreter runs.
//
// The vm knows no graph and calls nothing: the search drives it and looks at
// vm_access(state), decides what the access yields, and steps.
#pragma once

#include "base/finding.h"
#include "bytecode/prog.h"

typedef uint32_t state_id;  // 0 is no state
typedef uint32_t loc_id;    // dense number of an (address, size) pair
typedef uint32_t object_no; // dense number of a heap or stack object
typedef uint32_t thread_id; // main is 0
#define NO_LOC UINT32_MAX

// Which bits of a value are undefined: no one has set them, or they were
// computed from such bits. Other numbers are handles (vm_wide) of masks.
typedef uint32_t undef_id;
#define UNDEF_NONE 0u
#define UNDEF_ALL 1u

enum access_kind {
#define ACCESS(name, fields, result) ACC_##name,
#include "vm/access.def"
#undef ACCESS
};

// No bit has two meanings, though most are of one kind of access.
enum access_flags {
  ACCF_UNINIT = 1 << 0,  // WRITE, RMW_WRITE, END, SPAWN: vm_undef has the bits
  ACCF_ZEROED = 1 << 1,  // ALLOC: first contents are zero, else uninitialised
  ACCF_STACK = 1 << 2,   // ALLOC, FREE: a stack object
  ACCF_ISB = 1 << 3,     // FENCE of order na: an instruction barrier
  ACCF_STORES = 1 << 4,  // FENCE of order na: stores before stores
  ACCF_EARLY = 1 << 5,   // END: the thread never returned from its functions
  ACCF_LINKED = 1 << 6,  // READ: it reserves the location; WRITE: it needs that
  ACCF_TRYLOCK = 1 << 7, // CAS_READ: a try to take a lock without waiting
  ACCF_UNLESS = 1 << 8,  // CAS_READ: every value but the expected succeeds
  ACCF_NORET = 1 << 9,   // RMW_READ, CAS_READ, READ of a piece: no register
                         // gets the value
  ACCF_PICK = 1 << 10,   // CAS_READ of one instruction, which is no branch
  ACCF_CHOSEN = 1 << 11, // CAS_READ: it succeeds (FAILS: fails) whatever it
                         // reads
  ACCF_FAILS = 1 << 12,  // CAS_READ: it fails though it reads what it expects
  ACCF_WEAK = 1 << 13,   // CAS_READ: it may fail for no reason (vm_weak)
  ACCF_ISA = 1 << 14,    // READ, WRITE, RMW and CAS: an instruction of the
                         // machine
  ACCF_PAIR = 1 << 15,   // RMW_WRITE of a store-exclusive (HOW_PAIR)
  ACCF_SRCU = 1 << 16,  // READ: it begins a section of SRCU; WRITE: it ends one
  ACCF_PIECE = 1 << 17, // READ, WRITE: a piece of an atomic access (vm_cut),
  ACCF_UPDATE = 1 << 18, // ... of a compare-exchange, of the write of an update
  ACCF_FETCH = 1 << 19,  // READ: ... of the read of an update
  ACCF_NEXT = 1 << 20,   // ... not the first of its instruction
  ACCF_UNDONE = 1 << 21, // TAKE: of a loop that undoes its failed tries
  ACCF_TIMED = 1 << 22,  // TAKE: to wait for ever is no error. CHOOSE: of
                         // time_out
  ACCF_SAMPLE = 1 << 23, // CHOOSE: `argument` is the string id (vm_text) of
                         // what has more values than these
  ACCF_OBSERVED = 1 << 24, // OUTPUT: the text is a name, value2 what it stands
                           // for
  ACCF_FILL = 1 << 25,     // CELL_SIZE: of a fill, behind the first cell of it
};

struct access {
  uint8_t kind;       // enum access_kind
  uint8_t order;      // enum order
  uint8_t order_fail; // CAS_READ
  uint8_t rest;       // WRITE, a piece: how many pieces of the write follow
  uint32_t flags;     // enum access_flags
  union {
    loc_id loc;
    object_no object;
    undef_id argument; // SPAWN: undefined bits of value2; CHOOSE: see SAMPLE
  };
  uint32_t unused;        // 0: accesses are compared byte by byte
  uint64_t value, value2; // 16-byte values are handles, see vm_wide
};

// Does the access read or write a location?
static inline bool access_has_location(const struct access *a) {
  return a->kind <= ACC_UNLOCK; // in access.def these come first
}

// Does it read one?
static inline bool access_reads(const struct access *a) {
  return a->kind <= ACC_TAKE; // of these, those that do
}

// Is the access in the middle of an instruction? Nothing comes in between.
static inline bool access_goes_on(const struct access *a) {
  return a->kind == ACC_RMW_WRITE ||
         ((a->kind == ACC_READ || a->kind == ACC_WRITE) &&
          (a->flags & ACCF_NEXT));
}

// The range of a TAKE, packed into its `value`, and what it lets through.
static inline uint64_t take_range(uint64_t least, uint64_t most) {
  return (uint32_t)least | most << 32;
}
static inline bool take_accepts(const struct access *a, uint64_t word) {
  return ((int32_t)word >= (int32_t)a->value &&
          (int32_t)word <= (int32_t)(a->value >> 32)) ||
         word == SYNC_DESTROYED; // to be found out
}

// Hot part of a state: the access and the first transition, 48 bytes.
struct state {
  struct access access;
  uint64_t first_value; // valid when first_next != 0
  state_id first_next;
  uint32_t more; // index + 1 of the overflow transitions, 0: none
};

enum { MUTEX_BYTES = 4 }; // of its word

struct location {
  uint64_t address;
  uint32_t size;
  object_no object;  // NO_OBJECT when inside a global or TLS object
  uint32_t overlaps; // index + 1 of the first overlapping location's record
  uint16_t cuts;     // accesses are made in pieces, which begin at these bytes
                     // (a bit for each, not the first); 0: whole
  bool is_initialized; // region-0 and TLS locations: `initial` holds
  uint64_t initial;    // first contents (a handle when 16 bytes)
};
#define NO_OBJECT UINT32_MAX

struct vm_config {
  // Limits: who goes over one of them is cut. 0: none.
  uint64_t max_steps;   // instructions between two accesses
  uint64_t max_calls;   // calls that nest
  uint64_t max_private; // bytes of private memory and calls per thread
  uint64_t few_deps;    // bytes of dependencies to keep at least (deps.h)
  // How many machines there are at a time, who share the address space where it
  // is limited. 0: this one.
  unsigned sharers;
  // Asked now and then while a thread runs without an access, whether and why
  // it has to stop; may be NULL.
  const char *(*why_stop)(void *arg);
  void *arg;
  bool is_blind;   // see vm_new_blind
  bool passes_by;  // likewise
  bool keeps_dead; // private memory that is overwritten before it is read stays
                   // part of a state (for tests)
  bool is_slow;    // quick.c is not used (for tests)
  bool disabled[FIND_COUNT]; // findings that the interpreter must not raise
  bool warned[FIND_COUNT];   // findings after which the thread goes on
};

// A finding that did not stop its thread; each place is noted once, and no
// more than 100 of them.
struct vm_warning {
  enum finding_kind kind;
  site_id site;
  thread_id thread;
  uint32_t text; // string id (vm_text)
};

struct vm {
  const struct prog *prog;
  // Hot arrays; grow inside reserved address space or by doubling: do not
  // hold pointers over vm_step.
  struct state *states;
  uint32_t nstates;
  uint64_t misses, steps; // how often the interpreter ran, of how many steps
  ARRAY(struct vm_warning) warnings;
  uint32_t tries;       // vm_try_begin without its vm_try_end
  uint64_t withheld;    // warnings that were not noted
  struct vm_cold *cold; // everything else (vm/vm.c)
};

struct vm_config vm_config_default(void);
struct vm *vm_new(const struct prog *p, const struct vm_config *config);
void vm_free(struct vm *vm);
const struct vm_config *vm_config_of(const struct vm *vm);

// First state of thread 0 (main), and of the thread `id` that the pending
// SPAWN of `spawner` starts.
state_id vm_main(struct vm *vm);
state_id vm_spawned(struct vm *vm, state_id spawner, thread_id id);

// Steps between these are taken only to see where they would lead. They note
// no warnings, and those that would are not remembered, so that they do when
// they are taken in earnest. Tries nest.
static inline void vm_try_begin(struct vm *vm) {
  vm->tries++;
}
static inline void vm_try_end(struct vm *vm) {
  check(vm->tries > 0);
  vm->tries--;
}

static inline const struct access *vm_access(const struct vm *vm, state_id s) {
  return &vm->states[s].access;
}
// Does the access observe a value (heddle_observe)?
static inline bool vm_observes(const struct vm *vm, state_id s) {
  const struct access *a = vm_access(vm, s);
  return a->kind == ACC_OUTPUT && (a->flags & ACCF_OBSERVED);
}

state_id vm_step_slow(struct vm *vm, state_id s, uint64_t value);

// The state after the pending access of `s` yielded `value`.
static inline state_id vm_step(struct vm *vm, state_id s, uint64_t value) {
  const struct state *st = &vm->states[s];
  vm->steps++;
  if (st->first_next && st->first_value == value)
    return st->first_next;
  return vm_step_slow(vm, s, value);
}

// The same for a value that may never be yielded: the step is not remembered.
state_id vm_guess(struct vm *vm, state_id s, uint64_t value);

// Does the pending compare-exchange succeed if it reads this?
static inline bool cas_succeeds(const struct access *a, uint64_t value) {
  bool is_expected = value == a->value;
  return !(a->flags & ACCF_FAILS) &&
         ((a->flags & ACCF_CHOSEN) ||
          is_expected != ((a->flags & ACCF_UNLESS) != 0));
}
// Has its outcome been chosen, and is it not the one that this value has?
static inline bool cas_is_misjudged(const struct access *a, uint64_t value) {
  bool succeeds = (value == a->value) != ((a->flags & ACCF_UNLESS) != 0);
  return (a->flags & ACCF_CHOSEN) && cas_succeeds(a, value) != succeeds;
}
// May its outcome be chosen before it reads (vm_weak)?
static inline bool cas_may_choose(const struct access *a) {
  return a->kind == ACC_CAS_READ && !(a->flags & ACCF_CHOSEN) &&
         (a->flags & (ACCF_WEAK | ACCF_PICK));
}

// The same for a read or join that yielded a value with undefined bits.
state_id vm_step_undef(struct vm *vm, state_id s, uint64_t value,
                       undef_id undef);
// The undefined bits of what the pending write or end of `s` has as value.
static inline undef_id vm_undef(const struct vm *vm, state_id s) {
  const struct access *a = vm_access(vm, s);
  return a->flags & ACCF_UNINIT ? (undef_id)a->value2 : UNDEF_NONE;
}

// The pending CAS_READ of `s` is weak: the state in which the thread first
// chooses whether it succeeds (0) or fails for no reason (1). A weak CAS whose
// failure does not matter can as well be stepped as it is. If it is a PICK, the
// outcome is chosen whatever it will read (CHOSEN): the caller has
// to look later whether it was right (cas_is_misjudged).
state_id vm_weak(struct vm *vm, state_id s);

// The state in which the thread of `s` was cut before its access, because of
// that.
state_id vm_cut_short(struct vm *vm, state_id s, const char *why);

// unknown.c: a vm in which the undefined bits of values are unknown ones. What
// threads do there includes all that they do with any values in their place;
// one that stops with FIND_UNINITIALIZED may do anything. If it is to pass by
// loads and stores at unknown addresses, these are accesses of NO_LOC.
struct vm *vm_new_blind(const struct prog *p, const struct vm_config *config,
                        bool passes_by);
// The states after the pending access of `s` yielded this, as far as that is
// known: fills `ret`. False: there are too many.
struct vm_ways {
  state_id *at;
  uint32_t len, cap;
};
bool vm_step_blindly(struct vm *vm, state_id s, uint64_t value, undef_id undef,
                     struct vm_ways *ret);
// The state whose pending compare-exchange succeeds, or fails, whatever it
// reads.
state_id vm_decided(struct vm *vm, state_id s, bool succeeds);

// Threads whose states do not repeat get transient states, which live until
// the vm is released to a mark taken before they were made. States that exist
// at the same time are equal iff their ids are, transient or not.
struct vm_mark {
  uint32_t transient;
};
struct vm_mark vm_mark(const struct vm *vm);
// Their numbers begin here.
state_id vm_first_transient(const struct vm *vm);
void vm_release(struct vm *vm, struct vm_mark m);

// rename.c: threads under other names. `to` says for each thread whose place it
// takes; different ones take different places.
struct vm_renaming {
  uint8_t to[MAX_THREADS];
  uint64_t argument[MAX_THREADS]; // with which it was created
};
// From now on this piece of a global belongs to thread t, as if t had made it;
// size 0: none does. Threads that take each other's places have equal sizes. A
// thread may have one of each of several arrays.
enum { ELEMENT_ARRAYS = 5 };
void vm_give_element(struct vm *vm, unsigned array, thread_id t,
                     uint64_t address, uint64_t size);
// The thread that has what is at the address; NO_THREAD_HAS: none.
enum { NO_THREAD_HAS = MAX_THREADS };
unsigned vm_element_owner(const struct vm *vm, uint64_t address);
// Are these two ranges pieces of one global that begin with the same contents?
bool vm_begin_equal(const struct vm *vm, uint64_t address, uint64_t other,
                    uint64_t size);
// The state in which everything that names a thread names another one; 0: such
// a state could not last.
state_id vm_rename(struct vm *vm, state_id s, const struct vm_renaming *r);
uint64_t vm_rename_value(struct vm *vm, uint64_t value, uint32_t size,
                         const struct vm_renaming *r);
// The threads that it names, one bit for each: its own, and those whose objects
// it has addresses of.
uint64_t vm_names(const struct vm *vm, state_id s);
uint64_t vm_names_apart(const struct vm *vm, state_id s); // from its access
uint64_t vm_value_names(const struct vm *vm, uint64_t value, uint32_t size);
// Do two states differ in where they point to, in one object? (The first such
// places are stored.)
bool vm_find_places(const struct vm *vm, state_id s, state_id there,
                    uint64_t *one, uint64_t *other);
// Or in numbers of threads, so far apart, in the upper bits of words?
bool vm_find_codes(const struct vm *vm, state_id s, state_id there,
                   int64_t apart, uint64_t *one, uint64_t *other);

// The instruction of the pending access (of the innermost frame that is not
// library code), for reports; NO_SITE when there is none.
site_id vm_site(const struct vm *vm, state_id s);
// The same with headers of the library, where the accesses are that an order
// belongs to.
site_id vm_access_site(const struct vm *vm, state_id s);
// The call stack as sites, innermost first; yields how many were written.
unsigned vm_backtrace(const struct vm *vm, state_id s, site_id *out,
                      unsigned max);
// Did a thread that went from one state to the next jump backwards, or stay
// where it is? Only there a round of a loop is complete.
bool vm_goes_back(const struct vm *vm, state_id before, state_id after);

// The first slot of the innermost frame that two states of one place differ
// in; NO_SLOT: they differ in something else.
#define NO_SLOT UINT32_MAX
uint32_t vm_differs_in(const struct vm *vm, state_id s, state_id t);

// Locations and objects.
const struct location *vm_location(const struct vm *vm, loc_id l);
uint32_t vm_location_count(const struct vm *vm);
// The number here of a location that another machine for the same program has.
loc_id vm_location_like(struct vm *vm, const struct location *other);
// The location of that address and size, or NO_LOC if it was never named.
loc_id vm_known_location(const struct vm *vm, uint64_t address, uint32_t size);
// Locations that overlap `l` but are not `l`: yields the next one after
// `after` (start with NO_LOC), or NO_LOC.
loc_id vm_next_overlap(const struct vm *vm, loc_id l, loc_id after);
// Accesses to l are made in pieces from now on that begin at these bytes, and
// so are those to locations that overlap it. All states have to be forgotten
// then. False: they are already.
bool vm_cut(struct vm *vm, loc_id l, uint32_t cuts);
bool vm_has_cuts(const struct vm *vm); // is any location?
// What CELL_SIZE wants to be told: the size of the cell at the address, 0 for
// none, and for how many bytes that is so.
static inline uint64_t vm_cell_answer(uint64_t size, uint64_t bytes) {
  return bytes << 8 | size;
}
// Or that a fill shall leave out so many bytes.
enum { CELL_SKIPPED = 255 };
static inline uint64_t vm_cell_size(uint64_t answer) {
  return answer & 255;
}
static inline uint64_t vm_cell_bytes(uint64_t answer) {
  return answer >> 8;
}
// From now on, updates that are tried and undone (bytecode/analysis/undo.h) are
// TAKEs, or are not any more. All states have to be forgotten then. False:
// there are none in the code.
bool vm_leave_rounds(struct vm *vm);
void vm_keep_rounds(struct vm *vm);
// From now on a weak compare-exchange that fails for no reason gives up, where
// its tries are counted (tries.c), or does not any more. All states have to be
// forgotten then.
void vm_give_up(struct vm *vm, bool gives_up);
// Do tries that are counted differ in more than their number?
bool vm_tries_differ(const struct vm *vm);
// Forgets all states and steps: no state_id is valid any more.
void vm_forget(struct vm *vm);
// The packed object of a dense number, and its address.
object_id vm_object(const struct vm *vm, object_no n);
uint64_t vm_object_address(const struct vm *vm, object_no n);
// The dense number of the object a pointer points into, NO_OBJECT if it points
// into no heap or shared stack object (objects of many windows included).
object_no vm_object_of_pointer(struct vm *vm, uint64_t pointer);

// 16-byte values are named by handles: equal bytes have equal handles. (So are
// the pairs of builtin `pair`.)
uint64_t vm_wide_make(struct vm *vm, uint64_t low, uint64_t high);
void vm_wide_get(const struct vm *vm, uint64_t handle, uint64_t *low,
                 uint64_t *high);

const char *vm_text(const struct vm *vm, uint64_t string_id);

struct vm_stats {
  uint64_t states, transient, misses, bytes;
};
struct vm_stats vm_stats(const struct vm *vm);
