// SPDX-License-Identifier: MIT
// Threads under other names. The number of a thread is in the addresses of all
// that it has made, and so in its own registers and memory and in those of
// others. To rename a state means to replace these numbers wherever a word
// looks like such an address, and the number of the thread itself.
//
// Whether a word really is an address is not known here, and need not be: who
// renames states to compare what threads do (explore/symmetry.c) asks whether
// the step of the renamed state is the renamed step. A word that only looked
// like an address, or an address that was taken apart, lets that fail at worst.
#include "bytecode/operand.h"
#include "vm/cold.h"

#include <string.h>

static unsigned thread_of(uint64_t word) {
  return object_region(pointer_object(word)) - 1;
}

static bool is_name(uint64_t word) {
  return pointer_canonical(word) && object_region(pointer_object(word)) != 0;
}

static uint64_t rename_word(const struct vm_renaming *r, uint64_t word) {
  if (!is_name(word))
    return word;
  unsigned shift = POINTER_INDEX_BITS + POINTER_OFFSET_BITS;
  return (word & ((UINT64_C(1) << shift) - 1)) |
         ((uint64_t)r->to[thread_of(word)] + 1) << shift;
}

static uint64_t names_in(uint64_t word) {
  return is_name(word) ? UINT64_C(1) << thread_of(word) : 0;
}

uint64_t vm_rename_value(struct vm *vm, uint64_t value, uint32_t size,
                         const struct vm_renaming *r) {
  if (size <= 8)
    return rename_word(r, value);
  uint64_t low, high;
  vm_wide_get(vm, value, &low, &high);
  return vm_wide_make(vm, rename_word(r, low), rename_word(r, high));
}

uint64_t vm_value_names(const struct vm *vm, uint64_t value, uint32_t size) {
  if (size <= 8)
    return names_in(value);
  uint64_t low, high;
  vm_wide_get(vm, value, &low, &high);
  return names_in(low) | names_in(high);
}

// -- accesses

static bool is_of_location(const struct access *a) {
  return a->kind <= ACC_UNLOCK;
}

static bool is_of_object(const struct access *a) {
  return a->kind >= ACC_ALLOC && a->kind <= ACC_CELL_SIZE;
}

// The size of the pending access's `value` if that is a word of the program, 0
// if it is anything else.
static uint32_t size_of_value(const struct vm *vm, const struct access *a) {
  switch ((enum access_kind)a->kind) {
  case ACC_WRITE:
  case ACC_RMW_WRITE:
  case ACC_CAS_READ:
    return vm_location(vm, a->loc)->size;
  case ACC_FREE:
  case ACC_OBJECT_SIZE:
  case ACC_CELL_SIZE:
  case ACC_END:
    return 8;
  default:
    return 0;
  }
}

// Is the pending write that of a lock, which stores who has it?
static bool stores_owner(const struct vm *vm, const struct access *a,
                         uint32_t frame) {
  uint32_t func, pc, below;
  frozen_frame(vm, frame, &func, &pc, &below);
  const struct insn *in = &vm->prog->code.at[pc];
  return a->kind == ACC_RMW_WRITE && in->op == OP_sys && in->imm == BI_lock;
}

static void rename_access(struct vm *vm, struct access *a,
                          const struct vm_renaming *r, bool is_owner,
                          unsigned thread) {
  uint32_t size = size_of_value(vm, a);
  if (is_owner)
    a->value = r->to[thread] + 1u;
  else if (size)
    a->value = vm_rename_value(vm, a->value, size, r);
  if (a->kind == ACC_SPAWN)
    a->value2 = rename_word(r, a->value2);
  if (is_of_location(a)) {
    struct location l = *vm_location(vm, a->loc);
    a->loc = vm_find_location(vm, rename_word(r, l.address), l.size);
  } else if (is_of_object(a) && a->object != NO_OBJECT) {
    a->object = vm_object_of_pointer(
        vm, rename_word(r, vm_object_address(vm, a->object)));
  }
}

static uint64_t access_names(const struct vm *vm, const struct access *a) {
  uint32_t size = size_of_value(vm, a);
  uint64_t names = size ? vm_value_names(vm, a->value, size) : 0;
  if (a->kind == ACC_SPAWN)
    names |= names_in(a->value2);
  if (is_of_location(a))
    names |= names_in(vm_location(vm, a->loc)->address);
  else if (is_of_object(a) && a->object != NO_OBJECT)
    names |= names_in(vm_object_address(vm, a->object));
  return names;
}

// -- words of frames and of private memory, two of them at a time

static void rename_words(uint32_t *w, uint32_t n, const struct vm_renaming *r) {
  for (uint32_t i = 0; i + 1 < n; i += 2) {
    uint64_t word;
    memcpy(&word, w + i, sizeof word);
    word = rename_word(r, word);
    memcpy(w + i, &word, sizeof word);
  }
}

static uint64_t names_in_words(const uint32_t *w, uint32_t n) {
  uint64_t names = 0;
  for (uint32_t i = 0; i + 1 < n; i += 2) {
    uint64_t word;
    memcpy(&word, w + i, sizeof word);
    names |= names_in(word);
  }
  return names;
}

// How many of a tuple's words are values; masks of undefined bits follow them.
static uint32_t words_of_slots(const uint32_t *frame, uint32_t len) {
  return (len - FRAME_HEAD) / (frame[FRAME_UNDEF] ? 2 : 1);
}

enum { CHUNK_WORDS = CHUNK / sizeof(uint32_t) };

// A tuple may move while others are put beside it, so copies are changed.
static struct words copy_of(const uint32_t *w, uint32_t len) {
  struct words copy = {0};
  array_reserve(&copy, len);
  memcpy(copy.at, w, len * sizeof *w);
  copy.len = len;
  return copy;
}

// Is one of the parts transient? Then the renamed state could not last.
static bool is_transient(uint32_t ref) {
  return ref != NO_REF && ref & REF_TRANSIENT;
}

static uint32_t rename_frame(struct vm *vm, uint32_t ref,
                             const struct vm_renaming *r) {
  if (ref == NO_REF)
    return NO_REF;
  uint32_t len;
  const uint32_t *w = parts_get(&vm->cold->frames, ref, &len);
  struct words frame = copy_of(w, len);
  uint32_t renamed = rename_frame(vm, frame.at[FRAME_BELOW], r);
  frame.at[FRAME_BELOW] = renamed;
  rename_words(frame.at + FRAME_HEAD, words_of_slots(frame.at, len), r);
  if (!is_transient(renamed))
    renamed = parts_put(&vm->cold->frames, frame.at, len, true);
  array_done(&frame);
  return renamed;
}

static uint32_t rename_chunk(struct vm *vm, uint32_t ref,
                             const struct vm_renaming *r) {
  uint32_t len;
  const uint32_t *w = parts_get(&vm->cold->chunks, ref, &len);
  struct words chunk = copy_of(w, len);
  rename_words(chunk.at, CHUNK_WORDS, r);
  uint32_t renamed = parts_put(&vm->cold->chunks, chunk.at, len, true);
  array_done(&chunk);
  return renamed;
}

state_id vm_rename(struct vm *vm, state_id s, const struct vm_renaming *r) {
  if (state_is_transient(vm, s) || vm->cold->is_full)
    return 0;
  uint32_t len;
  const uint32_t *w = parts_get(&vm->cold->states, s, &len);
  if (w[STATE_BULK])
    return 0;
  struct words state = copy_of(w, len);
  unsigned thread = state.at[STATE_THREAD];
  struct access a;
  memcpy(&a, state.at, sizeof a);
  rename_access(vm, &a, r, stores_owner(vm, &a, state.at[STATE_FRAME]), thread);
  memcpy(state.at, &a, sizeof a);
  state.at[STATE_THREAD] = r->to[thread];
  state.at[STATE_FRAME] = rename_frame(vm, state.at[STATE_FRAME], r);
  bool lasts = !is_transient(state.at[STATE_FRAME]);
  uint32_t *refs = state.at + STATE_HEAD + state.at[STATE_LOCALS];
  for (uint32_t i = 0; i < state.at[STATE_CHUNKS]; i++) {
    refs[i] = rename_chunk(vm, refs[i], r);
    lasts &= !is_transient(refs[i]);
  }
  state_id renamed = lasts ? state_of_tuple(vm, state.at, len) : 0;
  array_done(&state);
  return renamed;
}

uint64_t vm_names(const struct vm *vm, state_id s) {
  const uint32_t *w = state_tuple(vm, s), *words;
  uint32_t len;
  uint64_t names = access_names(vm, vm_access(vm, s)) | UINT64_C(1)
                                                            << w[STATE_THREAD];
  for (uint32_t ref = w[STATE_FRAME]; ref != NO_REF; ref = words[FRAME_BELOW]) {
    words = parts_get(&vm->cold->frames, ref, &len);
    names |= names_in_words(words + FRAME_HEAD, words_of_slots(words, len));
  }
  const uint32_t *refs = w + STATE_HEAD + w[STATE_LOCALS];
  for (uint32_t i = 0; i < w[STATE_CHUNKS]; i++) {
    words = parts_get(&vm->cold->chunks, refs[i], &len);
    names |= names_in_words(words, CHUNK_WORDS);
  }
  return names;
}
