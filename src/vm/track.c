// SPDX-License-Identifier: MIT
// How dependencies travel through a thread: what an instruction writes was
// computed from everything it reads, whatever the values are (r ^ r depends on
// r, a select on both of its alternatives). But an instruction that picks one
// of two values depends on the one that it takes, and by pick on what decides
// (base/sets.h; Arm Architecture Reference Manual, B2.3: pick dependencies).
// A value that an event yields
// depends on that event alone; how the event came to its address is asked at
// the event. What is branched on is kept for good, because nothing that follows
// would have been reached otherwise. (Podkopaev, Lahav, Vafeiadis: Bridging the
// Gap between Programming Languages and Hardware Weak Memory Models, POPL 2019,
// builds the same relations from a thread's steps.)
//
// Private memory makes no events, so it carries sets as slots do. A store
// through a pointer that depends on an event might have gone to another place:
// every later load from private memory depends on that event too.
#include "bytecode/operand.h"
#include "vm/cold.h"

#include <string.h>

static set_id *slot_set(struct thread *t, unsigned i) {
  return t->slot_set + thread_top(t)->base + i;
}

void track_join(struct thread *t, set_id *into, set_id set) {
  *into = set_union(&t->vm->cold->deps.sets, *into, set);
}

void track_touch(struct thread *t, set_id *sets, uint64_t n) {
  for (uint64_t i = 0; t->track.touched && i < n; i++)
    track_join(t, &sets[i], t->track.touched);
}

// -- private memory

set_id track_bytes(const struct thread *t, uint32_t at, uint64_t size) {
  set_id set = t->track.memory;
  for (uint64_t i = 0; i < size; i++)
    set = set_union(&t->vm->cold->deps.sets, set, t->byte_set[at + i]);
  return set;
}

void track_put_bytes(struct thread *t, uint32_t at, uint64_t size, set_id set) {
  for (uint64_t i = 0; i < size; i++)
    t->byte_set[at + i] = set;
  track_touch(t, t->byte_set + at, size);
}

// -- computations and branches

static void put_results(struct thread *t, const struct insn *in, set_id set) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  for (unsigned i = 0; i < n; i++)
    for (uint32_t s = 0; o[i].written && s < o[i].count; s++) {
      *slot_set(t, o[i].first + s) = set;
      track_touch(t, slot_set(t, o[i].first + s), 1);
    }
}

static set_id union_of_reads(struct thread *t, const struct insn *in) {
  struct operand o[4];
  unsigned n = insn_operands(in, o);
  set_id set = 0;
  for (unsigned i = 0; i < n; i++)
    for (uint32_t s = 0; !o[i].written && s < o[i].count; s++)
      track_join(t, &set, *slot_set(t, o[i].first + s));
  return set;
}

static set_id set_of_pick(struct thread *t, const struct insn *in) {
  bool is_first = *thread_slot(t, in->b);
  struct sets *sets = &t->vm->cold->deps.sets;
  set_id decides = *slot_set(t, in->b), set = set_picked(sets, decides);
  set_id first = *slot_set(t, in->c), second = *slot_set(t, (unsigned)in->imm);
  sets->has_flips |= decides && first != second;
  track_join(t, &set, is_first ? first : second);
  return set;
}

void track_branch(struct thread *t, set_id set) {
  track_join(t, &t->track.ctrl, set);
  track_join(t, &t->track.after, set);
}

// A branch within an instruction, whose ways meet behind it: it guards nothing
// that follows.
static void branch_within(struct thread *t, set_id set) {
  track_join(t, &t->track.after, set);
}

void track_insn(struct thread *t, const struct insn *in) {
  switch (in->op) {
  case OP_movn:
    memmove(slot_set(t, in->a), slot_set(t, in->b), in->c * sizeof(set_id));
    track_touch(t, slot_set(t, in->a), in->c);
    return;
  case OP_pick:
    *slot_set(t, in->a) = set_of_pick(t, in);
    track_touch(t, slot_set(t, in->a), 1);
    return;
  case OP_own: { // no other thread could have told which it is
    set_id own = 0;
    if (thread_is_own(t, *thread_slot(t, in->b))) {
      track_join(t, &own, *slot_set(t, in->b));
      track_join(t, &own, *slot_set(t, in->c));
    }
    put_results(t, in, own);
    return;
  }
  case OP_br:
    if (in->b)
      track_join(t, &t->track.observed, *slot_set(t, in->a));
    else
      track_branch(t, *slot_set(t, in->a));
    return;
  case OP_switch:
  case OP_ijmp:
    track_branch(t, *slot_set(t, in->a));
    return;
  case OP_callr:
    track_branch(t, *slot_set(t, (unsigned)in->imm));
    return;
  case OP_landing:
    *slot_set(t, in->a) = 0;
    return;
  case OP_va_start:
    track_join(t, &t->track.memory, *slot_set(t, in->a));
    return;
  case OP_copy:
  case OP_fill: // as the loops that they are, they branch on the size
    t->track.target = *slot_set(t, in->a);
    t->track.source = *slot_set(t, in->b);
    track_branch(t, *slot_set(t, in->c));
    return;
  case OP_stack_new:
    branch_within(t, *slot_set(t, in->b));
    return;
  default:
    if (op_info(in->op)->pure || in->op == OP_local)
      put_results(t, in, union_of_reads(t, in));
  }
}

// What is to be stored does no harm, nor do the arguments of a call; builtins
// are track_builtin's. (Only reports ask, see vm_deps_observing.)
void track_stopped(struct thread *t, const struct insn *in) {
  struct track *k = &t->track;
  if (t->access.kind != ACC_ERROR || !k->observes || in->op == OP_sys)
    return;
  bool stores =
      in->op == OP_store || in->op == OP_rmw_store || in->op == OP_cas_store;
  k->data = stores               ? *slot_set(t, in->a)
            : in->op == OP_callr ? *slot_set(t, (unsigned)in->imm)
                                 : union_of_reads(t, in);
}

// -- accesses

// Nothing follows a lock, a wait or a join that did not succeed; and compilers
// make a branch of a compare-exchange, so what follows depends on both of the
// values that are compared (up to a ctrl_restore).
// Fetch-and-op and exchange are no branches.
void track_complete(struct thread *t, const struct insn *in) {
  struct track *k = &t->track;
  switch ((enum access_kind)t->access.kind) {
  case ACC_CAS_READ: // access_complete puts the value
    if (t->access.flags & ACCF_PICK)
      break;
    track_branch(t, k->event);
    track_branch(t, k->data);
    break;
  case ACC_LOCK_READ: // the write that follows stores a constant
    track_branch(t, k->event);
    break;
  case ACC_TAKE: // the write that follows stores what was read plus something
    track_join(t, &k->data, k->event);
    track_branch(t, k->data);
    break;
  case ACC_RMW_READ:
    if (in->op == OP_sys) // what is given back
      track_join(t, &k->data, k->event);
    break;
  case ACC_JOIN:
    track_branch(t, k->event);
    put_results(t, in, k->event);
    break;
  case ACC_CHOOSE:
    if (t->access.flags & ACCF_PICK)
      break; // a question of what it reads, and no branch
    if (t->access.flags & ACCF_WEAK)
      track_branch(t, k->event);
    else
      put_results(t, in, k->event);
    break;
  case ACC_ALLOC:
  case ACC_SPAWN:
    put_results(t, in, k->event);
    break;
  case ACC_OBJECT_SIZE: // questions about a pointer; no events
  case ACC_CELL_SIZE:
    put_results(t, in, k->addr);
    break;
  default:
    break;
  }
}

// -- builtins

static set_id union_of_args(struct thread *t, const struct insn *in,
                            unsigned first) {
  set_id set = 0;
  for (unsigned i = first; i < call_args(in); i++)
    track_join(t, &set, *slot_set(t, in->b + i));
  return set;
}

set_id track_args(struct thread *t, const struct insn *in) {
  return union_of_args(t, in, 0);
}

// What an allocator does depends on the size and on the pointer: there may be
// no memory of that size, nothing is to be freed if the pointer is null, and
// where the next object will be is another question each time.
static bool branches_within(const struct insn *in) {
  return in->imm == BI_malloc || in->imm == BI_calloc || in->imm == BI_free ||
         in->imm == BI_new || in->imm == BI_delete;
}

void track_builtin(struct thread *t, const struct insn *in, bool is_done) {
  set_id all = track_args(t, in);
  if (in->imm == BI_assume)
    track_branch(t, all);
  if (branches_within(in))
    branch_within(t, all);
  if (in->imm == BI_parse_double || in->imm == BI_parse_extended ||
      in->imm == BI_parse_error)
    track_join(t, &all, t->track.text);
  if (in->imm == BI_ctrl_save)
    all = t->track.ctrl;
  if (in->imm == BI_stored)
    all = t->track.event;
  if (in->imm == BI_ctrl_restore)
    t->track.ctrl = all;
  if (in->imm == BI_decide) {
    t->track.pick = all;
    all = 0;
  }
  if (is_done) {
    put_results(t, in, all);
    return;
  }
  switch ((enum access_kind)t->access.kind) {
  case ACC_LOCK_READ:
  case ACC_UNLOCK:
  case ACC_TAKE:
  case ACC_RMW_READ:
  case ACC_OBJECT_SIZE:
  case ACC_CELL_SIZE:
    t->track.addr = *slot_set(t, in->b);
    t->track.data = union_of_args(t, in, 1);
    break;
  case ACC_ERROR: // what made an assertion fail
    track_join(t, &all, t->track.observed);
    t->track.data = all;
    break;
  default:
    t->track.data = all;
  }
}

// -- frames

void track_thaw_frame(struct thread *t) {
  struct track *k = &t->track;
  for (; k->nbelow && k->below[k->nbelow - 1].depth == t->depth; k->nbelow--)
    *slot_set(t, k->below[k->nbelow - 1].slot) = k->below[k->nbelow - 1].set;
}
