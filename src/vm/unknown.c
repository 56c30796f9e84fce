// SPDX-License-Identifier: MIT
// Threads that read unknown values. In a vm that is *blind*, undefined bits
// stand for unknown ones: they travel in the same way (undef.c), and a value
// has no undefined bit that it has not in every case. Where a branch depends on
// them, the step goes both ways: it is run again and again, each time with
// other *decisions*. What else depends on them (an address, a size) stops the
// thread with FIND_UNINITIALIZED, and the search gives up. Or, if that is asked
// for, loads and stores at an unknown address are accesses of NO_LOC, after
// which the thread goes on.
//
// So what a thread does with known values is among what it does blindly, with
// unknown ones in their place. Findings about numbers do not count, as the bits
// that are there are not those of the value; unknown ones are always 0.
#include "bytecode/operand.h"
#include "vm/cold.h"

enum { MOST_DECISIONS = 16, MOST_WAYS = 64 };

// The branches of a step that depend on something unknown, in order.
struct decisions {
  uint32_t taken[MOST_DECISIONS], options[MOST_DECISIONS];
  uint32_t len, next;
};

struct vm *vm_new_blind(const struct prog *p, const struct vm_config *config,
                        bool passes_by) {
  struct vm_config c = *config;
  for (unsigned i = 0; i < FIND_COUNT; i++) {
    c.disabled[i] |= c.warned[i];
    c.warned[i] = false;
  }
  c.disabled[FIND_OVERFLOW] = c.disabled[FIND_SHIFT] =
      c.disabled[FIND_CONVERSION] = true;
  c.disabled[FIND_DIV_OVERFLOW] = true;
  c.disabled[FIND_UNINITIALIZED] = false;
  c.is_blind = c.keeps_dead = true; // to find what is dead costs more
  c.passes_by = passes_by;
  return vm_new(p, &c);
}

// One of so many options; UINT32_MAX: the thread was stopped.
static uint32_t decide(struct thread *t, uint32_t options, const char *what) {
  struct decisions *d = t->vm->cold->decisions;
  if (!d || d->next == MOST_DECISIONS) {
    thread_raise_undef(t, ALL_UNDEF, what);
    return UINT32_MAX;
  }
  if (d->next == d->len) {
    d->taken[d->len] = 0;
    d->options[d->len++] = options;
  }
  return d->taken[d->next++];
}

bool unknown_branch(struct thread *t, const struct insn *in, uint32_t *pc) {
  uint32_t way = decide(t, 2, "a branch");
  uint64_t *value = thread_slot(t, in->a), *undef = thread_undef(t, in->a);
  if (way == UINT32_MAX)
    return false;
  if (!way || (*undef | *value) == 1) { // else it is some other number
    *value = way;
    *undef = 0;
  }
  *pc = (uint32_t)(way ? in->imm : in->imm >> 32);
  return true;
}

bool unknown_switch(struct thread *t, const struct insn *in, uint32_t *pc) {
  const struct prog *p = t->vm->prog;
  const struct switch_table *table = &p->tables.at[in->imm];
  uint32_t way = decide(t, table->cases + 1, "a switch");
  if (way == UINT32_MAX)
    return false;
  *pc = table->other;
  if (way == table->cases)
    return true;
  const struct switch_case *taken = &p->cases.at[table->first + way];
  *thread_slot(t, in->a) = taken->value;
  *thread_undef(t, in->a) = 0;
  *pc = taken->target;
  return true;
}

bool unknown_stops(struct thread *t, const struct insn *in) {
  unsigned first = 0, end = call_args(in);
  switch ((enum builtin)in->imm) {
  case BI_thread_exit:
    first = 1;
    break;
  case BI_take:
  case BI_give:
  case BI_pair:
  case BI_format_double:
  case BI_format_extended:
    break;
  default: // these look for themselves
    return false;
  }
  uint64_t undef = 0;
  for (unsigned i = first; i < end; i++)
    undef |= *thread_undef(t, in->b + i);
  return thread_raise_undef(t, undef, "a call");
}

// The decisions of the next run; false: all were made.
static bool decide_otherwise(struct decisions *d) {
  while (d->len && d->taken[d->len - 1] + 1 == d->options[d->len - 1])
    d->len--;
  if (!d->len)
    return false;
  d->taken[d->len - 1]++;
  d->next = 0;
  return true;
}

bool vm_step_blindly(struct vm *vm, state_id s, uint64_t value, undef_id undef,
                     struct vm_ways *ret) {
  struct decisions d = {0};
  check(vm->cold->config.is_blind);
  vm->cold->decisions = &d;
  ret->len = 0;
  do {
    thaw_thread(vm, s);
    thread_resume(&vm->cold->thread, value, undef);
    array_push(ret, state_of_thread(vm, /*keep=*/true));
  } while (decide_otherwise(&d) && ret->len < MOST_WAYS);
  vm->cold->decisions = NULL;
  return ret->len < MOST_WAYS;
}

state_id vm_decided(struct vm *vm, state_id s, bool succeeds) {
  struct thread *t = &vm->cold->thread;
  check(vm->cold->config.is_blind && vm_access(vm, s)->kind == ACC_CAS_READ);
  thaw_thread(vm, s);
  t->access.flags |= ACCF_CHOSEN | (succeeds ? 0u : ACCF_FAILS);
  return state_of_thread(vm, /*keep=*/true);
}
