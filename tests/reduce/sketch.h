// SPDX-License-Identifier: MIT
// A random program for reductions to meet in: threads that are lists of steps,
// some of which have others inside. It can be lowered to bytecode without a
// compiler (sketch_lower.c), which is what makes hundreds of thousands of them
// possible, made smaller, and written as C (sketch_show.c).
//
// Memory: three shared words, elements of an array (one of which a thread is
// given, by pointer or by number), two plain variables, two locks of any kind,
// a barrier, a condition variable, a pointer to a node that is allocated. Each
// thread has a register r, the last value that it read.
#pragma once

#include "base/str.h"
#include "bytecode/prog.h"
#include "vm/vm.h"

enum {
  SKETCH_THREADS = 3, // besides main
  SKETCH_STEPS = 24,
  SKETCH_ELEMENTS = 3,
  SKETCH_LOCKS = 2,
  SKETCH_OUTCOMES = 64,
  // Values that are not numbers; smaller ones are.
  VALUE_R = 4,
  VALUE_R_PLUS_1,
  VALUE_R_EVEN, // r & ~1
  VALUE_R_ODD,  // r | 1
  VALUES,
};

enum sketch_word {
  WORD_X,
  WORD_Y,
  WORD_Z,
  WORD_OWN,
  WORD_BY_R, // element r & 1: the address depends on what was read
  WORD_FIRST_ELEMENT,
};
enum sketch_lock {
  LOCK_MUTEX,
  LOCK_SEMAPHORE,
  LOCK_READ_WRITE, // a section reads or writes
  LOCK_SWAP,
  LOCK_LOOK_AND_SWAP,
  LOCK_CAS,
  LOCK_WEAK_CAS,
  LOCK_TICKET,
  LOCK_UNDONE, // adds, and takes that back if it was too much
  LOCK_TRY,    // the section is left out if it is taken
  LOCKS,
};

enum step_kind {
  STEP_LOAD,  // r = word
  STEP_STORE, // word = value
  STEP_ADD,   // r = fetch_add(word, value - 1)
  STEP_SWAP,  // r = exchange(word, value)
  STEP_CAS,   // r = what it found, for `other` the value
  STEP_FENCE,
  STEP_GET,     // r = a plain variable
  STEP_PUT,     // a plain variable = r
  STEP_OWN,     // what is plain in its element = r
  STEP_RETRY,   // a loop around a compare-exchange
  STEP_WAIT,    // while (word == other)
  STEP_POLL,    // the same with a lock around each look
  STEP_ASSUME,  // word != other
  STEP_SECTION, // a lock around what is inside
  STEP_POST,    // a permit that was not taken
  STEP_IF,      // r == other
  STEP_REPEAT,  // some rounds
  STEP_FAIL,    // an assertion that does not hold
  STEP_EXPECT,  // assert(word != other)
  STEP_CUT,     // too much for the machine
  STEP_MEET,    // a barrier
  STEP_SLEEP,   // while (word == other), a condition variable in a mutex
  STEP_WAKE,    // word = value in that mutex, and a signal
  STEP_CHOOSE,  // r = 0 or 1
  STEP_PUBLISH, // a new node with r in it, if it is initialised
  STEP_LOOK_AT, // r = what the published node has
  STEP_RETIRE,  // nobody finds the node any more, and it is freed
  STEP_EXIT,    // the program ends
  STEP_CREATE,  // thread `other`
  STEP_JOIN,    // if threads have results, r = that
  STEP_DETACH,  // thread `other`
  STEP_LEAVE,   // the thread ends
  STEP_CHECK,   // assert(r != other)
  STEP_BITS,    // r = fetch_and, _or or _xor(word, value)
  STEP_LINKED,  // r = load-linked(word), store-conditional(word, value)
  STEP_SELECT,  // r = r == other ? value : r & 1
  STEP_PEEK,    // r = what is plain in element `other`
  STEP_KEEP,    // kept = r
  STEP_GATHER,  // while (word == other), r = what its rounds have seen
  STEP_COUNT,   // so many tries of a weak compare-exchange: `other`
  STEP_BESIDE,  // an access of a word of its own, of which nothing comes
};

enum {
  // How sections are: bits.
  SECTION_READS = 1, // of LOCK_READ_WRITE
  SECTION_KEEPS = 2, // it is never given back
  SECTION_TRIES = 4, // a mutex: left out if it is taken
  // How loops that try again are.
  RETRY_LOADS_INSIDE = 1,
  RETRY_IS_WEAK = 2,
  RETRY_IS_BOUNDED = 4,
  RETRY_WRITES_OWN = 8,
  RETRY_WRITES_PLAIN = 16, // the plain variable that all have
  RETRY_WRITES_ONE = 32,   // always the same, not r
  RETRY_LOOKS = 64,        // at word `other`, in each round,
  RETRY_KEEPS = 128,       // and writes, or has in the end, what it saw
  // How accesses are: a byte of the word, not all of it.
  ACCESS_IS_NARROW = 1,
  WAIT_YIELDS = 2,
  WAIT_LOOKS = 4,    // at word `value`, in each failed round,
  WAIT_FENCES = 8,   // with a fence
  WAIT_PUTS = 16,    // and it stores what is plain in its element,
  WAIT_KEEPS = 32,   // what it saw
  WAIT_ADDS = 64,    // 0 to word `value`,
  WAIT_BEGINS = 128, // and each round begins with a load of that
  // With a lock, a round does that in each failed round of another loop, which
  // waits for this word.
  WAIT_INSIDE = WORD_FIRST_ELEMENT,
  // What a round that gathers sees: word `value`, or
  GATHER_STEP = 1,    // the r from before the loop, or
  GATHER_UPDATES = 2, // what it finds where it sets a bit of word `value`,
  // and what becomes of that: a sum, or
  GATHER_BITS = 4,     // the bits of all,
  GATHER_LAST = 8,     // the last one
  GATHER_ENDS = 16,    // with which the loop ends if it is not 0,
  GATHER_FIRST = 32,   // and that is done before word is looked at.
  GATHER_CHOOSES = 64, // It sees 0 or 1, by choice,
  GATHER_PUTS = 128,   // and what is not 0 is stored in the element as well.
  // Of loops that count their tries: what is expected stays, is 0 at first, is
  // loaded again each time;
  COUNT_KEEPS = 1,
  COUNT_BEGINS = 2,
  COUNT_LOADS = 4,
  COUNT_TELLS = 8,    // r = how many there were, or
  COUNT_ASKS = 16,    // whether they are used up;
  COUNT_PUTS = 32,    // what is plain in its element = how many,
  COUNT_WRITES = 64,  // or that is written;
  COUNT_LEAVES = 128, // what is odd ends the second one, and the fourth.
  // An access beside the others: is it a store, or an update? If it is narrow,
  // `value` is which byte.
  BESIDE_STORES = 2,
  BESIDE_ADDS = 4,
  SELECT_PICKS = 1,     // a conditional select of the machine
  SELECT_ASKS_KEPT = 2, // kept == other ?
  SELECT_OF_BOTH = 4,   // ? r : kept
  // How threads are woken.
  WAKE_ALL = 1,
  WAKE_OUTSIDE = 2, // of the mutex
  // How nodes are.
  NODE_IS_UNINITIALISED = 1,
  NODE_IS_KEPT = 2, // not freed
  // What bits are done with.
  BITS_AND = 0,
  BITS_OR,
  BITS_XOR,
  // What stands between a load-linked and its store-conditional.
  LINKED_NOTHING = 0,
  LINKED_LOAD,  // of another word
  LINKED_STORE, // the same
  LINKED_FENCE,
  LINKEDS,
  // What is too much.
  CUT_CALLS = 0,
  CUT_STEPS,
  CUT_STACK,
  CUT_NULL, // a check that is switched off
  CUTS,
};

struct step {
  uint8_t kind;   // enum step_kind
  uint8_t inside; // how many of the next ones are inside
  uint8_t word, value, other;
  uint8_t order, order_fail;
  uint8_t how, lock;
};

struct thread_sketch {
  struct step at[SKETCH_STEPS];
  uint8_t len;
  bool tells; // stores r in the end
};

struct sketch {
  struct thread_sketch main, kinds[SKETCH_THREADS];
  uint8_t nkinds, nthreads;
  uint8_t kind_of[SKETCH_THREADS], element_of[SKETCH_THREADS];
  bool has_numbers; // threads are given the numbers of elements
  uint8_t locks[SKETCH_LOCKS], permits, meet;
  bool has_outcome; // each final state breaks an assertion of its own
  bool has_results; // threads return r
  bool has_circle;  // the text of the model judges more of them
  bool has_pieces;  // FAMILY_PIECES
  bool has_spies;   // plain memory is looked at, which is mostly no error
  bool has_races;   // there are races with and without loops, or neither
  uint8_t parent;   // FAMILY_NESTS: the thread that creates the last one
};

enum sketch_family {
#define FAMILY(id, name, what) FAMILY_##id,
#include "families.def"
#undef FAMILY
  FAMILIES,
};

void sketch_draw(enum sketch_family family, uint64_t seed, struct sketch *ret);
// Step n of all is taken out, with what is inside or without, or a thread is.
// False: there are not so many ways.
bool sketch_shrink(const struct sketch *p, unsigned n, struct sketch *ret);
bool sketch_has(const struct sketch *p, enum step_kind kind);
// FAMILY_PIECES: the same without narrow accesses, and without those beside.
// There are the same outcomes.
void sketch_make_whole(const struct sketch *p, struct sketch *ret);

// Marked: it calls abort() where it would be too much for the machine, with the
// limits of sketch_limit. Unrolled: instead of loops that wait or try again
// there are ROUNDS rounds, after which the thread stops.
enum { LOWER_MARKED = 1, LOWER_UNROLLED = 2, ROUNDS = 3 };
struct prog *sketch_lower(const struct sketch *p, unsigned how);
void sketch_limit(struct vm_config *machine);
void sketch_show(const struct sketch *p, struct str *out);
