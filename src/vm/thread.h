// SPDX-License-Identifier: MIT
// A thread while the interpreter runs it: frames, slots and private memory,
// all in the open. Between two accesses it is frozen into a state (freeze.h)
// and this struct serves the next thread.
//
// Beside every slot and every byte of private memory stands a mask of its
// undefined bits: those that no one has set. Masks travel with values (undef.c
// says how instructions combine them), so that copying half-initialised
// structs and setting single bit-fields is fine, and only a branch, an address
// and the like that depend on an undefined bit are findings.
//
// When dependencies are asked for (deps.h), a set of events stands beside them
// too: what the slot or byte was computed from (track.c).
#pragma once

#include "base/sets.h"
#include "vm/pool.h"
#include "vm/vm.h"

// A value of up to 16 bytes with its undefined bits.
struct value {
  uint64_t v[2], undef[2];
  set_id set; // what it was computed from, if that is tracked
};

#define ALL_UNDEF UINT64_MAX

struct frame {
  uint32_t func, pc; // pc: what runs, or the call that waits for its callee
  uint32_t base;     // first slot
  uint32_t locals;   // how many private objects there were before it
  uint32_t va_local; // number + 1 of the object with the variadic arguments in
                     // registers; those in memory are the next object
  uint32_t ref;      // its frozen form, NO_REF when there is none (any more)
};

struct local {
  uint32_t first, size; // bytes of private memory
  bool is_gone;         // its scope was left
};

// Private memory is frozen in chunks of so many bytes.
enum { CHUNK = 256 };

// What is left of a copy or fill that goes through shared memory.
enum bulk_phase { BULK_SOURCE, BULK_TARGET, BULK_READ, BULK_WRITE };
struct bulk {
  uint64_t target, source, left;
  uint64_t final; // overlapping copy: where the scratch object goes, then 0
  uint32_t total;
  uint32_t has_scratch;
  uint32_t done;  // bytes
  type_id type;   // what lies there, again and again; 0: unknown
  uint32_t undef; // bits of a fill's byte
  uint32_t known; // the size of the cells that follow; 0: they are free
  uint32_t run;   // so many bytes; 0: that has to be asked for
  uint8_t phase;  // enum bulk_phase: what the pending access is
  uint8_t is_fill;
  uint8_t byte; // of a fill
  uint8_t cell; // size of the part that is under way; at first: what imm says
};

// What is done and left of an access that is made in pieces (pieces.c).
struct pieces {
  uint64_t address;        // of the whole
  uint64_t v[2], undef[2]; // what was read so far, or is to be stored
  uint8_t size;            // of the whole
  uint8_t done;            // bytes
  uint16_t cuts;           // where pieces begin, as of struct location
  uint8_t order;
  uint8_t is_store;
  uint8_t outcome; // enum cas_outcome
  uint8_t unused;
  uint32_t flags; // of each piece
  uint32_t unused_too;
};

// A compare-exchange in pieces: whether it fails is chosen before, if that
// makes a difference for its order, or if it may fail for no reason.
enum cas_outcome { CAS_SUCCEEDS, CAS_FAILS, CAS_OPEN };

// The set of one slot of a frame that waits below the thawed ones.
struct slot_set {
  uint32_t depth; // of the frame; the first one has 1
  uint32_t slot;
  set_id set;
};

// Dependencies of the thread, besides those of its slots and bytes.
struct track {
  bool on, observes; // observes: `observed` is kept at each access
  set_id event;      // the event that yields the value of the pending access
  set_id addr, data; // of the pending access, as in struct deps
  set_id ctrl;       // everything that was branched on
  set_id after;      // the same, whatever ctrl_restore does
  set_id observed;   // what assertions branched on since the last access
  set_id pick;       // what decides whether the pending access is made, and
                     // nothing after it
  set_id memory;     // which private byte was stored to depended on these
  set_id target, source; // of a copy: its pointers; of a fill: pointer, byte;
                         // of pieces: pointer, value
  set_id text;    // of a number that was parsed: what the text depends on
  set_id touched; // is in the set of whatever is written; 0: nothing is
  const struct slot_set *below; // outermost frame first
  uint32_t nbelow;
};

struct thread {
  struct vm *vm;
  thread_id id;
  struct access access; // why it stopped; valid when it did
  bool is_bulk;         // `bulk` is part of the state
  bool is_pieces;       // `pieces` is
  struct bulk bulk;
  struct pieces pieces;

  ARRAY(struct frame) frames; // the innermost ones; the others are frozen
  uint32_t parent;            // ref of the frame below frames[0], or NO_REF
  uint32_t depth;             // how many frames there are in all
  uint64_t *slot;
  uint64_t *undef;      // of each slot
  set_id *slot_set;     // of each slot; valid when track.on
  uint32_t bottom_func; // whose constants stand in the lowest frame's slots
  uint32_t slots;

  ARRAY(struct local) locals;
  uint8_t *bytes; // private memory: thread-locals, then locals
  uint8_t *byte_undef;
  set_id *byte_set;       // valid when track.on
  uint32_t used, cap;     // used bytes; what follows them in a chunk is zero
  ARRAY(uint32_t) chunks; // per chunk: its frozen form, NO_REF when changed

  uint32_t shared_small, shared_large; // objects made so far
  struct value cas;                    // what the last cas_load read
  bool cas_fails;                      // it fails although that was expected
  bool cas_wins;                       // it succeeds whatever that was
  struct track track;
};

// Does it point to a local in the thread's private memory?
static inline bool thread_is_own(const struct thread *t, uint64_t pointer) {
  object_id o = pointer_object(pointer);
  return object_region(o) == t->id + 1 && object_index(o) >= INDEX_LOCAL &&
         object_index(o) < INDEX_SHARED;
}

static inline struct frame *thread_top(struct thread *t) {
  return array_last(&t->frames);
}

// Slots of the top frame; they may move when a frame is pushed.
static inline uint64_t *thread_slot(struct thread *t, unsigned i) {
  return t->slot + thread_top(t)->base + i;
}

static inline uint64_t *thread_undef(struct thread *t, unsigned i) {
  return t->undef + thread_top(t)->base + i;
}

// What the slot was computed from; nothing when that is not tracked.
static inline set_id thread_set(const struct thread *t, unsigned i) {
  return t->track.on ? t->slot_set[array_last(&t->frames)->base + i] : 0;
}

// -- thread.c: frames, private objects, findings

void thread_init(struct thread *t, struct vm *vm);
void thread_done(struct thread *t);
// Makes `t` a thread that has not started: no frames, fresh thread-locals.
void thread_reset(struct thread *t, thread_id id);
// An empty frame for `func` on top; its pc is the function's start.
struct frame *thread_push_frame(struct thread *t, uint32_t func);
// Calls `func` with arguments in slots [first, first + n) of the top frame;
// false: stopped by a finding.
MUST_USE bool thread_call(struct thread *t, uint32_t func, unsigned first,
                          unsigned n);
// Leaves the top frame with results in slots [first, first + n); false: it was
// the thread's first, so the thread stopped at its END.
MUST_USE bool thread_return(struct thread *t, unsigned first, unsigned n);
// Ends the innermost frame and yields the one below, which there is.
struct frame *thread_leave_frame(struct thread *t);
// The mark of a setjmp that the thread is at, and going back to it: all frames
// above end. False: the thread stops, since it cannot.
uint64_t thread_mark(const struct thread *t);
MUST_USE bool thread_jump(struct thread *t, uint64_t mark, uint32_t value,
                          set_id set);
// exceptions.c: the exception leaves the top frame and those below, up to a
// landing. False: there is none, and the thread stops.
MUST_USE bool thread_unwind(struct thread *t, uint64_t exception,
                            uint64_t undef, set_id set);
// The table of the landing number n that has one, from the inside; 0: none.
uint64_t thread_handler(const struct thread *t, uint64_t n);
bool thread_lands(const struct thread *t); // is there a landing at all?
// A new private object; yields its number, or UINT32_MAX after a finding.
uint32_t thread_add_local(struct thread *t, uint64_t size);
void thread_drop_locals(struct thread *t, uint32_t keep);
uint64_t thread_local_address(const struct thread *t, uint32_t local);
// Sets the number of chunks; the contents of new ones are anything.
void thread_set_chunks(struct thread *t, uint32_t chunks);
// Sets used bytes; new ones are zero and clean.
void thread_set_used(struct thread *t, uint32_t used);

// Stops the thread with a finding and yields true; false if that finding is
// switched off and the thread has to go on. (After some findings nothing is
// defined: then the thread is cut and does not go on.)
bool thread_is_error(const struct thread *t, enum finding_kind kind);
bool thread_raise(struct thread *t, enum finding_kind kind, const char *fmt,
                  ...) PRINTF_LIKE(3, 4);
// Stops the thread at an access.
void thread_stop(struct thread *t, enum access_kind kind, uint64_t value,
                 uint64_t value2);
// Stops the thread where it could go on: what follows is not explored, and the
// text says why.
void thread_cut(struct thread *t, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Where the thread is: the innermost frame that is not library code.
site_id thread_site(const struct thread *t);
// Stops for good without a finding of its own.
void thread_block(struct thread *t);

// -- endless.c: how far a thread has run since its last access
struct watch {
  uint64_t ran, turn, slice; // in instructions
  uint32_t mark; // whenever the thread jumps here, its state is compared with
                 // one that was like this; or one of the two below
  uint32_t depth, parent, used, locals;
  uint32_t probe; // a slot that had this value; it is looked at first
  uint64_t value;
};
enum { NO_MARK = UINT32_MAX, ANY_MARK = UINT32_MAX - 1 };
// How many instructions to run; then what watch_next says, until it says 0: the
// thread was stopped.
uint64_t watch_begin(const struct thread *t, struct watch *w);
uint64_t watch_next(struct thread *t, struct watch *w);
// The thread has jumped to `pc`, which is the mark, or might become it. True:
// it has stopped, since it was in that state before.
bool watch_looks(struct thread *t, struct watch *w, uint32_t pc);

// -- memory.c

enum where {
  AT_STOP,    // a finding stopped the thread
  AT_PRIVATE, // private memory of the thread
  AT_CONSTANT,
  AT_SHARED,
};

struct place {
  enum where where;
  const uint8_t *bytes; // AT_PRIVATE, AT_CONSTANT
  uint32_t at;          // AT_PRIVATE: offset in private memory
};

// Where `size` bytes at the address are, with all checks that need no graph.
struct place memory_at(struct thread *t, uint64_t address, uint64_t undef,
                       uint64_t size, bool is_write);
// At most 16 bytes.
struct value memory_get(const struct thread *t, const struct place *p,
                        unsigned size);
void memory_put(struct thread *t, const struct place *p, unsigned size,
                const struct value *value);
// These bytes of private memory have changed.
void memory_touch(struct thread *t, uint32_t at, uint64_t size);
// Atomics must be aligned; false: stopped.
MUST_USE bool memory_check_aligned(struct thread *t, uint64_t address,
                                   unsigned size);
// Copies a C string out of private or constant memory; false: it is neither.
bool memory_text(const struct thread *t, uint64_t address, struct str *out);

// A finding "`what` depends on an uninitialised value", if it does; true:
// stopped.
bool thread_raise_undef(struct thread *t, uint64_t undef, const char *what);

// -- undef.c

// The undefined bits of the first result of a computation; `ux` and `uy` are
// those of its operands x and y, not both 0.
uint64_t undef_after(const struct insn *in, uint64_t x, uint64_t y, uint64_t ux,
                     uint64_t uy);
// Whether two values of up to 16 bytes are equal: 1 if that is undefined. A
// defined bit that differs decides it.
uint64_t undef_of_equal(const struct value *x, const struct value *y);
// The name of the undefined bits of a value of `size` bytes, and what it names.
undef_id undef_pack(struct vm *vm, unsigned size, const struct value *value);
void undef_unpack(const struct vm *vm, unsigned size, undef_id undef,
                  struct value *out);

// -- track.c: only called while track.on

// The dependencies of an instruction that only computes or branches, before it
// runs; the others have their own rules where they are done.
void track_insn(struct thread *t, const struct insn *in);
// The thread stopped in it. An error comes from what it looked at.
void track_stopped(struct thread *t, const struct insn *in);
// The pending access of the instruction got its value.
void track_complete(struct thread *t, const struct insn *in);
// A builtin was done, or stopped at an access.
void track_builtin(struct thread *t, const struct insn *in, bool is_done);
// The union over the arguments of a call or builtin.
set_id track_args(struct thread *t, const struct insn *in);
void track_join(struct thread *t, set_id *into, set_id set);
// The sets of slots, wherever they are, that were written.
void track_touch(struct thread *t, set_id *sets, uint64_t n);
// What follows depends on the set.
void track_branch(struct thread *t, set_id set);
// The union over bytes of private memory, as a load sees them.
set_id track_bytes(const struct thread *t, uint32_t at, uint64_t size);
void track_put_bytes(struct thread *t, uint32_t at, uint64_t size, set_id set);
// A frame was thawed: its slots get their sets.
void track_thaw_frame(struct thread *t);

// -- access.c: instructions that touch memory. True: done; false: stopped.

// A value as vm_step and struct access carry it.
uint64_t access_pack(struct vm *vm, unsigned size, const struct value *value);
struct value access_unpack(const struct thread *t, unsigned size,
                           uint64_t packed, undef_id undef);
// The undefined bits of what the pending access writes or ends with.
void access_set_undef(struct thread *t, undef_id undef);
// The pending update adds something to a word that is unknown (unknown.c).
void access_add_blindly(struct thread *t);
MUST_USE bool access_load(struct thread *t, const struct insn *in);
MUST_USE bool access_store(struct thread *t, const struct insn *in);
MUST_USE bool access_cas_store(struct thread *t, const struct insn *in);
MUST_USE bool access_fence(struct thread *t, const struct insn *in);
MUST_USE bool access_fence_at(struct thread *t, const struct insn *in);
MUST_USE bool access_local(struct thread *t, const struct insn *in);
MUST_USE bool access_scope(struct thread *t, const struct insn *in);
MUST_USE bool access_stack_end(struct thread *t, const struct insn *in);
MUST_USE bool access_va_start(struct thread *t, const struct insn *in);
// Gives the value to the instruction that stopped. False: the thread stopped
// again inside of it.
MUST_USE bool access_complete(struct thread *t, const struct insn *in,
                              uint64_t value, undef_id undef);

// The value that the instruction, which loads, was waiting for.
void access_got(struct thread *t, const struct insn *in,
                const struct value *value);
// A compare-exchange read `value`; false: another outcome was chosen, and the
// thread is blocked.
MUST_USE bool access_compare(struct thread *t, const struct insn *in,
                             const struct value *value,
                             enum cas_outcome chosen);

// -- pieces.c: accesses to locations that are cut. True: done; false: stopped.

bool pieces_are_at(const struct thread *t, uint64_t address, uint32_t size);
// Is it an instruction of a machine that is made byte by byte, for the address
// is not aligned?
bool pieces_are_bytes(const struct insn *in, uint64_t address);
MUST_USE bool pieces_load(struct thread *t, const struct insn *in);
// A compare-exchange whose outcome was chosen.
MUST_USE bool pieces_load_chosen(struct thread *t, const struct insn *in,
                                 enum cas_outcome chosen);
MUST_USE bool pieces_store(struct thread *t, const struct insn *in,
                           const struct value *value);
MUST_USE bool pieces_resume(struct thread *t, const struct insn *in,
                            uint64_t value, undef_id undef);

// -- bulk.c: instructions copy and fill. True: done; false: stopped.

// The size of the scalar that the program declares at the address, 0: unknown.
uint64_t bulk_declared_size(const struct thread *t, uint64_t address);

// Do `n` bytes at two different addresses have some in common?
bool bulk_overlaps(uint64_t a, uint64_t b, uint64_t n);
MUST_USE bool bulk_copy(struct thread *t, const struct insn *in);
MUST_USE bool bulk_fill(struct thread *t, const struct insn *in);
MUST_USE bool bulk_resume(struct thread *t, uint64_t value, undef_id undef);

// -- sys.c: builtins. True: done; false: stopped.

MUST_USE bool sys_call(struct thread *t, const struct insn *in);
// extended.c: false if this machine has no numbers of 80 bits.
MUST_USE bool extended_compute(unsigned op, const uint64_t x[2],
                               const uint64_t y[2], uint64_t out[2]);
bool extended_fits(const uint64_t x[2], unsigned to, bool is_signed);
// snprintf of x; -1: a letter that is no conversion, or the machine has none.
MUST_USE int extended_format(char *out, size_t n, unsigned conversion,
                             int precision, const uint64_t x[2]);
// x * y + z of so many bits, rounded once; false as for extended_compute.
MUST_USE bool extended_fma(unsigned width, const uint64_t v[6],
                           uint64_t out[2]);
int extended_parse(const char *text, uint64_t out[2]); // yields its errno
// math.c: the functions of bytecode/math.def, on the bits of doubles.
uint64_t math_compute(unsigned function, uint64_t x, uint64_t y);
long double math_extended(unsigned function, long double x, long double y);
int math_error(unsigned function, uint64_t x, uint64_t y); // its errno
int math_extended_error(unsigned function, long double x, long double y);
// numbers.c: builtins; false: the thread has stopped.
MUST_USE bool number_format(struct thread *t, const struct insn *in,
                            bool is_extended);
MUST_USE bool number_parse(struct thread *t, const struct insn *in);
MUST_USE bool number_extended(struct thread *t, const struct insn *in);
MUST_USE bool number_math(struct thread *t, const struct insn *in);
MUST_USE bool number_fma(struct thread *t, const struct insn *in);
// The frame may be another one then.
MUST_USE bool sys_longjmp(struct thread *t, const struct insn *in);
MUST_USE bool sys_unwind(struct thread *t, const struct insn *in);
MUST_USE bool sys_uncaught(struct thread *t, uint64_t type, uint64_t why);
// A new shared object for the instruction, made in that way (family.h); true:
// done (null), false: stopped.
MUST_USE bool sys_alloc(struct thread *t, const struct insn *in, uint64_t size,
                        uint32_t flags, uint64_t way);
// The thread gives back what it took, and has read what is in the word.
bool sys_given(struct thread *t, uint64_t value, undef_id undef);
void sys_result(struct thread *t, const struct insn *in, uint64_t value,
                uint64_t undef);

// -- step.c

// Runs until the thread stops.
void thread_run(struct thread *t);
// Completes the access at which the thread stopped, and runs on.
void thread_resume(struct thread *t, uint64_t value, undef_id undef);
