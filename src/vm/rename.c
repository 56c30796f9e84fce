// SPDX-License-Identifier: MIT
// Threads under other names. The number of a thread is in the addresses of all
// that it has made, and so in its own registers and memory and in those of
// others. To rename a state means to replace these numbers wherever a word
// looks like such an address, and the number of the thread itself.
//
// The argument of a thread is another name for it where it is not looked at: in
// slots that are only ever copied and returned, or that an address is computed
// from (idle_slots), and in those of functions that it is passed on to. If it
// points to an element of an array, or is the number of one, that may be the
// thread's own (vm_give_element): then whatever points into it names the
// thread, as if it had made the element. The same is done with words that have
// the number in their upper bits, as the word of a lock has in which the last
// of a queue stands: they are "elements" at no address.
//
// Whether a word really is an address is not known here, and need not be: who
// renames states to compare what threads do (explore/reduce/symmetry.c) asks
// whether the step of the renamed state is the renamed step. A word that only
// looked like an address, or an address that was taken apart, lets that fail at
// worst.
#include "bytecode/operand.h"
#include "vm/cold.h"

#include <string.h>

enum {
  NO_OWNER = MAX_THREADS,
  LEAST_CODE = 256, // smaller ones would be too many of a program's numbers
};

// The thread that made what is at the address.
static unsigned maker_of(uint64_t word) {
  return pointer_canonical(word) && object_region(pointer_object(word)) != 0
             ? object_region(pointer_object(word)) - 1
             : NO_OWNER;
}

// The thread whose element is at the address, and in which array.
static unsigned owner_of(const struct vm *vm, uint64_t word, unsigned *array) {
  for (*array = 0; *array < ELEMENT_ARRAYS; ++*array) {
    const struct elements *all = &vm->cold->elements[*array];
    if (word < all->least || word >= all->end)
      continue;
    for (uint64_t rest = all->threads; rest; rest &= rest - 1) {
      unsigned t = (unsigned)__builtin_ctzll(rest);
      if (word - all->at[t] < all->size[t])
        return t;
    }
  }
  return NO_OWNER;
}

unsigned vm_element_owner(const struct vm *vm, uint64_t address) {
  unsigned array;
  return owner_of(vm, address, &array);
}

static uint64_t rename_word(const struct vm *vm, const struct vm_renaming *r,
                            uint64_t word) {
  unsigned array, maker = maker_of(word), owner = owner_of(vm, word, &array);
  unsigned shift = POINTER_INDEX_BITS + POINTER_OFFSET_BITS;
  if (maker != NO_OWNER)
    return (word & ((UINT64_C(1) << shift) - 1)) | ((uint64_t)r->to[maker] + 1)
                                                       << shift;
  if (owner == NO_OWNER)
    return word;
  const struct elements *all = &vm->cold->elements[array];
  bool has_one = all->threads >> r->to[owner] & 1;
  return has_one ? word - all->at[owner] + all->at[r->to[owner]] : word;
}

static uint64_t names_in(const struct vm *vm, uint64_t word) {
  unsigned array, maker = maker_of(word), owner = owner_of(vm, word, &array);
  return maker != NO_OWNER   ? UINT64_C(1) << maker
         : owner != NO_OWNER ? UINT64_C(1) << owner
                             : 0;
}

void vm_give_element(struct vm *vm, unsigned array, thread_id t,
                     uint64_t address, uint64_t size) {
  struct elements *all = &vm->cold->elements[array];
  uint64_t bit = UINT64_C(1) << t;
  all->at[t] = address;
  all->size[t] = size;
  all->threads = size ? all->threads | bit : all->threads & ~bit;
  all->least = UINT64_MAX;
  all->end = 0;
  for (uint64_t rest = all->threads; rest; rest &= rest - 1) {
    unsigned u = (unsigned)__builtin_ctzll(rest);
    uint64_t end = all->at[u] + all->size[u];
    all->least = all->at[u] < all->least ? all->at[u] : all->least;
    all->end = end > all->end ? end : all->end;
  }
}

uint64_t vm_rename_value(struct vm *vm, uint64_t value, uint32_t size,
                         const struct vm_renaming *r) {
  if (size <= 8)
    return rename_word(vm, r, value);
  uint64_t low, high;
  vm_wide_get(vm, value, &low, &high);
  return vm_wide_make(vm, rename_word(vm, r, low), rename_word(vm, r, high));
}

uint64_t vm_value_names(const struct vm *vm, uint64_t value, uint32_t size) {
  if (size <= 8)
    return names_in(vm, value);
  uint64_t low, high;
  vm_wide_get(vm, value, &low, &high);
  return names_in(vm, low) | names_in(vm, high);
}

// How many of a tuple's words are values; masks of undefined bits follow them.
static uint32_t words_of_slots(const uint32_t *frame, uint32_t len) {
  return (len - FRAME_HEAD) / (frame[FRAME_UNDEF] ? 2 : 1);
}

// -- arguments

enum { MAX_IDLE = 64 }; // slots that are looked at
#define FIRST_PARAM UINT64_C(1)

static bool is_in(uint64_t slots, uint32_t slot) {
  return slot < MAX_IDLE && slots >> slot & 1;
}

// Does the instruction look at one of these slots? If it copies one, the copy
// is one of them too.
static bool looks_at(const struct insn *in, uint64_t *slots) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  if (in->op == OP_ret)
    return false;
  if (in->op == OP_mov && is_in(*slots, in->b)) {
    *slots |= in->a < MAX_IDLE ? UINT64_C(1) << in->a : 0;
    return in->a >= MAX_IDLE;
  }
  for (unsigned i = 0; i < n; i++)
    for (uint32_t k = 0; k < o[i].count; k++)
      if (!o[i].written && is_in(*slots, o[i].first + k))
        return true;
  return false;
}

// The slots of a function that hold its first parameter, or something else that
// is only copied and returned like it; 0 if that is used.
static uint64_t find_unused(const struct prog *p, const struct func *f) {
  uint64_t slots = 1, before = 0;
  while (slots != before) {
    before = slots;
    for (uint32_t pc = f->first; pc < f->end; pc++)
      if (looks_at(&p->code.at[pc], &slots))
        return 0;
  }
  return slots;
}

static bool copies(const struct insn *in) {
  return in->op == OP_mov || in->op == OP_trunc || in->op == OP_sext;
}

// Part of the way from a number to the address of the element that has it?
static bool computes_address(const struct insn *in) {
  return in->op == OP_add || in->op == OP_mul || in->op == OP_shl;
}

// Takes from the slots, which would all hold the same number, those into which
// the instruction puts something else. False: it uses the number otherwise than
// to find an element. (A function that is called may only do the same.)
static bool keeps_number(const struct insn *in, uint64_t *slots) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  bool is_copy = copies(in) && is_in(*slots, in->b);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t k = 0; k < o[i].count; k++) {
      uint32_t slot = o[i].first + k;
      if (!is_in(*slots, slot))
        continue;
      if (o[i].written && !is_copy)
        *slots &= ~(UINT64_C(1) << slot);
      if (!o[i].written && !is_copy && in->op != OP_ret && in->op != OP_call &&
          !computes_address(in))
        return false;
    }
  return true;
}

// The slots of a function that hold nothing but the number, which these of its
// parameters are; 0 if it is used otherwise than to find an element. (A slot
// that holds it for a moment only, between two accesses, is none of them and
// need not be.)
static uint64_t find_number(const struct prog *p, const struct func *f,
                            uint64_t params) {
  uint64_t slots = params, before = 0;
  for (; slots != before;) {
    before = slots;
    for (uint32_t pc = f->first; pc < f->end; pc++) {
      const struct insn *in = &p->code.at[pc];
      if (copies(in) && is_in(slots, in->b) && in->a < MAX_IDLE)
        slots |= UINT64_C(1) << in->a;
    }
  }
  // What is taken away later does not count as a use.
  for (bool is_last = false; slots != before || !is_last;) {
    is_last = slots == before;
    before = slots;
    for (uint32_t pc = f->first; pc < f->end; pc++)
      if (!keeps_number(&p->code.at[pc], &slots) && is_last)
        return 0;
  }
  return (slots & params) == params ? slots : 0;
}

static uint64_t find_idle_slots(const struct prog *p, const struct func *f,
                                uint64_t params) {
  uint64_t slots = params == FIRST_PARAM ? find_unused(p, f) : 0;
  return slots ? slots : find_number(p, f, params);
}

// The slots of a function that hold what these of its parameters do.
static uint64_t idle_slots(struct vm *vm, uint32_t func, uint64_t params) {
  struct vm_cold *cold = vm->cold;
  if (!params)
    return 0;
  if (!cold->idle)
    cold->idle = xcalloc(vm->prog->funcs.len, sizeof *cold->idle);
  if (cold->idle[func].params != params) {
    cold->idle[func].params = params;
    cold->idle[func].slots =
        find_idle_slots(vm->prog, &vm->prog->funcs.at[func], params);
  }
  return cold->idle[func].slots;
}

static bool writes_slot(const struct insn *in, uint32_t slot) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    if (o[i].written && slot - o[i].first < o[i].count)
      return true;
  return false;
}

// Does the slot hold at `pc` what the idle ones do? It may hold something else
// elsewhere: what was written to it last, as the code stands, is what counts.
// (That may be wrong where the code jumps. Then a step does not commute.)
static bool holds_idle(const struct vm *vm, uint32_t func, uint32_t pc,
                       uint32_t slot, uint64_t idle) {
  const struct insn *code = vm->prog->code.at;
  if (is_in(idle, slot))
    return true;
  while (pc-- > vm->prog->funcs.at[func].first)
    if (writes_slot(&code[pc], slot))
      return copies(&code[pc]) && is_in(idle, code[pc].b);
  return false;
}

// Of a frame whose caller is frozen in `below`, with these slots idle: the
// parameters that were given one of them.
static uint64_t params_from(const struct vm *vm, const uint32_t *below,
                            uint64_t idle) {
  uint32_t pc = below[FRAME_PC];
  const struct insn *in = &vm->prog->code.at[pc];
  uint64_t params = 0;
  for (unsigned i = 0; in->op == OP_call && i < call_args(in); i++)
    if (i < MAX_IDLE && holds_idle(vm, below[FRAME_FUNC], pc, in->b + i, idle))
      params |= UINT64_C(1) << i;
  return params;
}

// The idle slots of a frame, from those of the thread's first one upwards.
static uint64_t idle_slots_of(struct vm *vm, uint32_t ref) {
  uint32_t len;
  const uint32_t *w = parts_get(&vm->cold->frames, ref, &len);
  uint32_t func = w[FRAME_FUNC], below = w[FRAME_BELOW];
  if (below == NO_REF)
    return idle_slots(vm, func, FIRST_PARAM);
  uint64_t idle = idle_slots_of(vm, below);
  if (!idle)
    return 0;
  w = parts_get(&vm->cold->frames, below, &len);
  return idle_slots(vm, func, params_from(vm, w, idle));
}

static void rename_idle(struct vm *vm, uint32_t *frame, uint32_t len,
                        uint64_t idle, const struct vm_renaming *r,
                        unsigned thread) {
  uint32_t live;
  const uint16_t *list = live_across(vm->prog, frame[FRAME_PC], &live);
  for (uint32_t i = 0; idle && i < words_of_slots(frame, len) / 2; i++)
    if (memcmp(frame + FRAME_HEAD + 2 * i, &r->argument[thread], 8) == 0 &&
        holds_idle(vm, frame[FRAME_FUNC], frame[FRAME_PC], list[i], idle))
      memcpy(frame + FRAME_HEAD + 2 * i, &r->argument[r->to[thread]], 8);
}

// Does the thread that has ended return what is in an idle slot?
static bool returns_idle(struct vm *vm, uint32_t frame) {
  uint32_t func, pc, below;
  frozen_frame(vm, frame, &func, &pc, &below);
  const struct insn *in = &vm->prog->code.at[pc];
  return below == NO_REF && in->op == OP_ret &&
         is_in(idle_slots(vm, func, FIRST_PARAM), in->a);
}

// -- accesses

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
  return a->kind == ACC_RMW_WRITE && in->op == OP_sys &&
         (in->imm == BI_lock || in->imm == BI_lock_for);
}

static void rename_access(struct vm *vm, struct access *a,
                          const struct vm_renaming *r, bool is_owner,
                          unsigned thread) {
  uint32_t size = size_of_value(vm, a);
  if (is_owner)
    a->value = r->to[thread] + 1u;
  else if (size)
    a->value = vm_rename_value(vm, a->value, size, r);
  if (a->kind == ACC_SPAWN || a->kind == ACC_LOCK_READ)
    a->value2 = rename_word(vm, r, a->value2);
  if (access_has_location(a)) {
    struct location l = *vm_location(vm, a->loc);
    a->loc = vm_find_location(vm, rename_word(vm, r, l.address), l.size);
  } else if (is_of_object(a) && a->object != NO_OBJECT) {
    a->object = vm_object_of_pointer(
        vm, rename_word(vm, r, vm_object_address(vm, a->object)));
  }
}

static uint64_t access_names(const struct vm *vm, const struct access *a) {
  uint32_t size = size_of_value(vm, a);
  uint64_t names = size ? vm_value_names(vm, a->value, size) : 0;
  if (a->kind == ACC_SPAWN || a->kind == ACC_LOCK_READ)
    names |= names_in(vm, a->value2);
  if (access_has_location(a))
    names |= names_in(vm, vm_location(vm, a->loc)->address);
  else if (is_of_object(a) && a->object != NO_OBJECT)
    names |= names_in(vm, vm_object_address(vm, a->object));
  return names;
}

// -- words of frames and of private memory, two of them at a time

static void rename_words(const struct vm *vm, uint32_t *w, uint32_t n,
                         const struct vm_renaming *r) {
  for (uint32_t i = 0; i + 1 < n; i += 2) {
    uint64_t word;
    memcpy(&word, w + i, sizeof word);
    word = rename_word(vm, r, word);
    memcpy(w + i, &word, sizeof word);
  }
}

static uint64_t names_in_words(const struct vm *vm, const uint32_t *w,
                               uint32_t n) {
  uint64_t names = 0;
  for (uint32_t i = 0; i + 1 < n; i += 2) {
    uint64_t word;
    memcpy(&word, w + i, sizeof word);
    names |= names_in(vm, word);
  }
  return names;
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
                             const struct vm_renaming *r, unsigned thread) {
  if (ref == NO_REF)
    return NO_REF;
  uint32_t len;
  const uint32_t *w = parts_get(&vm->cold->frames, ref, &len);
  struct words frame = copy_of(w, len);
  uint64_t idle = idle_slots_of(vm, ref);
  uint32_t renamed = rename_frame(vm, frame.at[FRAME_BELOW], r, thread);
  frame.at[FRAME_BELOW] = renamed;
  rename_words(vm, frame.at + FRAME_HEAD, words_of_slots(frame.at, len), r);
  rename_idle(vm, frame.at, len, idle, r, thread);
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
  rename_words(vm, chunk.at, CHUNK_WORDS, r);
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
  bool is_argument = a.kind == ACC_END && a.value == r->argument[thread] &&
                     returns_idle(vm, state.at[STATE_FRAME]);
  rename_access(vm, &a, r, stores_owner(vm, &a, state.at[STATE_FRAME]), thread);
  if (is_argument)
    a.value = r->argument[r->to[thread]];
  memcpy(state.at, &a, sizeof a);
  state.at[STATE_THREAD] = r->to[thread];
  state.at[STATE_FRAME] = rename_frame(vm, state.at[STATE_FRAME], r, thread);
  bool lasts = !is_transient(state.at[STATE_FRAME]);
  state_list(vm, state.at);
  uint32_t *refs = vm->cold->scratch[2].at + state.at[STATE_LOCALS];
  for (uint32_t i = 0; i < state.at[STATE_CHUNKS]; i++) {
    refs[i] = rename_chunk(vm, refs[i], r);
    lasts &= !is_transient(refs[i]);
  }
  state.len = STATE_HEAD;
  lasts = lasts && state_put_list(vm, &state, /*keep=*/true);
  state_id renamed = lasts ? state_of_tuple(vm, state.at, state.len) : 0;
  array_done(&state);
  return renamed;
}

// -- where two states have different places, or codes

// Two words of states in which threads are that have numbers so far apart.
struct pair {
  uint64_t one, other;
  int64_t apart;
};

static bool are_places(const struct pair *p) {
  return p->one != p->other && pointer_object(p->one) != 0 &&
         pointer_object(p->one) == pointer_object(p->other);
}

// Are they the numbers, in the upper bits of a word that is no address?
static bool are_codes(const struct pair *p) {
  int64_t bits = (int64_t)(p->other - p->one);
  if (!bits || pointer_object(p->one) || pointer_object(p->other) ||
      bits % p->apart)
    return false;
  int64_t stride = bits / p->apart;
  return stride >= LEAST_CODE && !(stride & (stride - 1)) &&
         p->one >= (uint64_t)stride;
}

typedef bool fits_fn(const struct pair *p);

static bool find_in_words(const uint32_t *v, const uint32_t *w, uint32_t n,
                          fits_fn *fits, struct pair *p) {
  for (uint32_t i = 0; i + 1 < n; i += 2) {
    memcpy(&p->one, v + i, sizeof p->one);
    memcpy(&p->other, w + i, sizeof p->other);
    if (fits(p))
      return true;
  }
  return false;
}

static bool find_in_access(const struct vm *vm, const struct access *a,
                           const struct access *b, fits_fn *fits,
                           struct pair *p) {
  if (a->kind != b->kind || !access_has_location(a))
    return false;
  p->one = vm_location(vm, a->loc)->address;
  p->other = vm_location(vm, b->loc)->address;
  if (fits(p))
    return true;
  p->one = a->value;
  p->other = b->value;
  uint32_t size = size_of_value(vm, a);
  return size && size <= 8 && fits(p);
}

static bool find_pair(const struct vm *vm, state_id s, state_id there,
                      fits_fn *fits, struct pair *p) {
  if (find_in_access(vm, vm_access(vm, s), vm_access(vm, there), fits, p))
    return true;
  uint32_t ref = state_tuple(vm, s)[STATE_FRAME], n;
  uint32_t ref2 = state_tuple(vm, there)[STATE_FRAME], n2;
  while (ref != NO_REF && ref2 != NO_REF) {
    const uint32_t *v = parts_get(&vm->cold->frames, ref, &n);
    const uint32_t *w = parts_get(&vm->cold->frames, ref2, &n2);
    if (n != n2 || v[FRAME_PC] != w[FRAME_PC])
      return false;
    if (find_in_words(v + FRAME_HEAD, w + FRAME_HEAD, words_of_slots(v, n),
                      fits, p))
      return true;
    ref = v[FRAME_BELOW];
    ref2 = w[FRAME_BELOW];
  }
  return false;
}

bool vm_find_places(const struct vm *vm, state_id s, state_id there,
                    uint64_t *one, uint64_t *other) {
  struct pair p = {0};
  bool found = find_pair(vm, s, there, are_places, &p);
  *one = p.one;
  *other = p.other;
  return found;
}

bool vm_find_codes(const struct vm *vm, state_id s, state_id there,
                   int64_t apart, uint64_t *one, uint64_t *other) {
  struct pair p = {.apart = apart};
  bool found = find_pair(vm, s, there, are_codes, &p);
  *one = p.one;
  *other = p.other;
  return found;
}

uint64_t vm_names(const struct vm *vm, state_id s) {
  return access_names(vm, vm_access(vm, s)) | vm_names_apart(vm, s);
}

uint64_t vm_names_apart(const struct vm *vm, state_id s) {
  const uint32_t *w = state_tuple(vm, s), *words;
  uint32_t len;
  uint64_t names = UINT64_C(1) << w[STATE_THREAD];
  for (uint32_t ref = w[STATE_FRAME]; ref != NO_REF; ref = words[FRAME_BELOW]) {
    words = parts_get(&vm->cold->frames, ref, &len);
    names |= names_in_words(vm, words + FRAME_HEAD, words_of_slots(words, len));
  }
  const uint32_t *refs = state_list(vm, w) + w[STATE_LOCALS];
  for (uint32_t i = 0; i < w[STATE_CHUNKS]; i++) {
    words = parts_get(&vm->cold->chunks, refs[i], &len);
    names |= names_in_words(vm, words, CHUNK_WORDS);
  }
  return names;
}
