// SPDX-License-Identifier: MIT
// States and their transitions. A step that was taken before is a look-up; a
// miss thaws the thread, runs the interpreter and freezes it again.
//
// Keeping states pays off when they repeat. A thread that keeps making new ones
// (more than one step in 20 is a miss) only fills memory, so for a while its
// new states are transient: vm_release frees them in the order of a stack.
// After that lasting ones are tried again. Either way, states that exist at the
// same time are equal iff their ids are; but no transition is ever stored into
// or out of a transient state.
#include "base/hash.h"
#include "vm/cold.h"

#include <string.h>

enum {
  WINDOW = 4096, // steps over which misses are counted
  MISSES_IN_WINDOW = WINDOW / 20,
  FIRST_PAUSE = 16 * WINDOW,
  LONGEST_PAUSE = 256 * WINDOW,
  SHORT_LIST = 8, // transitions that are searched one by one
};
#define MAX_LASTING_BYTES (UINT64_C(1) << 30)

bool state_is_transient(const struct vm *vm, state_id s) {
  return s >= vm->cold->capacity;
}

// -- transitions

void transitions_done(struct transitions *m) {
  array_done(&m->list);
  table_done(&m->table);
}

static uint32_t hash_of(uint64_t value, undef_id undef) {
  return (uint32_t)hash_u64(value ^ (uint64_t)undef << 32);
}

static inline bool is_by(const struct transition *t, uint64_t value,
                         undef_id undef) {
  return t->value == value && t->undef == undef;
}

static inline state_id find_transition(const struct transitions *m,
                                       uint64_t value, undef_id undef) {
  if (!m->table.count) {
    for (uint32_t i = 0; i < m->list.len; i++)
      if (is_by(&m->list.at[i], value, undef))
        return m->list.at[i].next;
    return 0;
  }
  uint32_t hash = hash_of(value, undef);
  for (uint32_t at = hash, i;
       (i = table_next(&m->table, hash, &at)) != TABLE_NONE;)
    if (is_by(&m->list.at[i], value, undef))
      return m->list.at[i].next;
  return 0;
}

static struct transitions *more_of(struct vm *vm, state_id s) {
  struct state *st = &vm->states[s];
  if (!st->more) {
    array_push(&vm->cold->more, (struct transitions){0});
    st->more = vm->cold->more.len;
  }
  return &vm->cold->more.at[st->more - 1];
}

static void add_transition(struct vm *vm, state_id s, uint64_t value,
                           undef_id undef, state_id next) {
  struct state *st = &vm->states[s];
  if (!st->first_next && !undef) {
    st->first_value = value;
    st->first_next = next;
    return;
  }
  struct transitions *m = more_of(vm, s);
  array_push(&m->list, (struct transition){value, undef, next});
  if (m->list.len <= SHORT_LIST)
    return;
  for (uint32_t i = m->table.count; i < m->list.len; i++)
    table_add(&m->table, hash_of(m->list.at[i].value, m->list.at[i].undef), i);
}

// -- making states

static uint64_t lasting_bytes(const struct vm *vm) {
  const struct vm_cold *cold = vm->cold;
  return pool_bytes(&cold->states.lasting) + pool_bytes(&cold->frames.lasting) +
         pool_bytes(&cold->chunks.lasting) + vm->nstates * sizeof(struct state);
}

// The hot part of a state that parts_put has just made.
static state_id new_state(struct vm *vm, uint32_t ref, const struct access *a,
                          struct transient_state before) {
  struct vm_cold *cold = vm->cold;
  state_id s = ref;
  if (ref & REF_TRANSIENT) {
    if (cold->transient.len >= cold->capacity)
      fatal_out_of_memory(sizeof(struct state));
    array_push(&cold->transient, before);
    s = cold->capacity + (ref & ~REF_TRANSIENT);
  } else {
    vm->nstates++;
    cold->is_full =
        vm->nstates == cold->capacity || lasting_bytes(vm) > MAX_LASTING_BYTES;
  }
  vm->states[s] = (struct state){.access = *a};
  return s;
}

state_id state_of_thread(struct vm *vm, bool keep) {
  struct vm_cold *cold = vm->cold;
  struct transient_state before = {cold->frames.transient.entries.len,
                                   cold->chunks.transient.entries.len,
                                   cold->deps.transient.next.len};
  bool lasts = freeze_thread(vm, keep && !cold->is_full);
  uint32_t ref = parts_put(&cold->states, cold->scratch[0].at,
                           cold->scratch[0].len, lasts);
  uint32_t id = ref & ~REF_TRANSIENT;
  if (ref & REF_TRANSIENT ? id == cold->transient.len : id == vm->nstates)
    return new_state(vm, ref, &cold->thread.access, before);
  return ref & REF_TRANSIENT ? cold->capacity + id : id;
}

state_id state_of_tuple(struct vm *vm, const uint32_t *words, uint32_t len) {
  struct access a;
  memcpy(&a, words, sizeof a);
  uint32_t ref = parts_put(&vm->cold->states, words, len, /*keep=*/true);
  if (ref & REF_TRANSIENT)
    return vm->cold->capacity + (ref & ~REF_TRANSIENT);
  return ref == vm->nstates
             ? new_state(vm, ref, &a, (struct transient_state){0})
             : ref;
}

// -- does keeping states pay off for a thread?

static bool should_keep(struct vm *vm, thread_id id) {
  struct monitor *m = &vm->cold->monitor[id];
  if (vm->steps < m->bypass_until)
    return false;
  m->misses++;
  if (vm->steps - m->window_start < WINDOW)
    return true;
  uint64_t windows = (vm->steps - m->window_start) / WINDOW;
  bool pays = m->misses <= windows * MISSES_IN_WINDOW;
  m->misses = 0;
  m->pause = pays                       ? 0
             : m->pause == 0            ? FIRST_PAUSE
             : m->pause < LONGEST_PAUSE ? m->pause * 2
                                        : LONGEST_PAUSE;
  m->window_start = m->bypass_until = vm->steps + m->pause;
  return pays;
}

state_id state_plain_step(struct vm *vm, state_id s, uint32_t flags,
                          uint64_t value, undef_id undef) {
  struct thread *t = &vm->cold->thread;
  vm->misses++;
  thaw_thread(vm, s);
  t->access.flags = flags;
  thread_resume(t, value, undef);
  return state_of_thread(vm, should_keep(vm, t->id));
}

static state_id miss(struct vm *vm, state_id s, uint64_t value,
                     undef_id undef) {
  const struct access *a = &vm->states[s].access;
  state_id next = state_plain_step(vm, s, a->flags, value, undef);
  a = &vm->states[s].access;
  return vm->cold->gives_up && a->kind == ACC_CAS_READ
             ? tries_step(vm, s, value, undef, next)
             : next;
}

static bool is_lasting(const struct vm *vm, state_id s, state_id next) {
  return !state_is_transient(vm, s) && !state_is_transient(vm, next);
}

// Not the first transition, which vm_step has looked at.
static inline state_id known_slow(const struct vm *vm, const struct state *st,
                                  uint64_t value, undef_id undef) {
  return st->more
             ? find_transition(&vm->cold->more.at[st->more - 1], value, undef)
             : 0;
}

state_id state_known_step(const struct vm *vm, state_id s, uint64_t value,
                          undef_id undef) {
  const struct state *st = &vm->states[s];
  return !undef && st->first_next && st->first_value == value
             ? st->first_next
             : known_slow(vm, st, value, undef);
}

// A step that was never taken.
__attribute__((noinline)) static state_id
step_first(struct vm *vm, state_id s, uint64_t value, undef_id undef) {
  uint64_t withheld = vm->withheld;
  state_id next = miss(vm, s, value, undef);
  if (is_lasting(vm, s, next) && vm->withheld == withheld)
    add_transition(vm, s, value, undef, next);
  return next;
}

static inline state_id step_slow(struct vm *vm, state_id s, uint64_t value,
                                 undef_id undef) {
  state_id known = known_slow(vm, &vm->states[s], value, undef);
  return known ? known : step_first(vm, s, value, undef);
}

state_id vm_guess(struct vm *vm, state_id s, uint64_t value) {
  state_id next = state_known_step(vm, s, value, UNDEF_NONE);
  vm_try_begin(vm);
  next = next ? next : miss(vm, s, value, UNDEF_NONE);
  vm_try_end(vm);
  return next;
}

state_id vm_step_slow(struct vm *vm, state_id s, uint64_t value) {
  const struct state *st = &vm->states[s];
  if (st->access.kind == ACC_TAKE && !take_accepts(&st->access, value))
    return s;
  return step_slow(vm, s, value, UNDEF_NONE);
}

state_id vm_step_undef(struct vm *vm, state_id s, uint64_t value,
                       undef_id undef) {
  if (!undef)
    return vm_step(vm, s, value);
  vm->steps++;
  return step_slow(vm, s, value, undef);
}

state_id vm_weak(struct vm *vm, state_id s) {
  const struct state *st = &vm->states[s];
  if (st->more && vm->cold->more.at[st->more - 1].weak)
    return vm->cold->more.at[st->more - 1].weak;
  check(cas_may_choose(&st->access));
  uint32_t pick = st->access.flags & ACCF_PICK;
  struct thread *t = &vm->cold->thread;
  thaw_thread(vm, s);
  thread_stop(t, ACC_CHOOSE, 0, 1);
  t->access.flags = ACCF_WEAK | pick;
  state_id choice = state_of_thread(vm, should_keep(vm, t->id));
  if (is_lasting(vm, s, choice))
    more_of(vm, s)->weak = choice;
  return choice;
}

state_id vm_cut_short(struct vm *vm, state_id s, const char *why) {
  struct thread *t = &vm->cold->thread;
  thaw_thread(vm, s);
  thread_cut(t, "%s", why);
  return state_of_thread(vm, should_keep(vm, t->id));
}

// -- transient states

state_id vm_first_transient(const struct vm *vm) {
  return vm->cold->capacity;
}

struct vm_mark vm_mark(const struct vm *vm) {
  return (struct vm_mark){vm->cold->transient.len};
}

void vm_release(struct vm *vm, struct vm_mark m) {
  struct vm_cold *cold = vm->cold;
  check(m.transient <= cold->transient.len);
  if (m.transient == cold->transient.len)
    return;
  const struct transient_state *first = &cold->transient.at[m.transient];
  pool_truncate(&cold->states.transient, m.transient);
  pool_truncate(&cold->frames.transient, first->frames);
  pool_truncate(&cold->chunks.transient, first->chunks);
  deps_release(&cold->deps, first->deps);
  cold->transient.len = m.transient;
}
