// SPDX-License-Identifier: MIT
// The instructions that touch memory, and how a pending access is completed.
// Private and constant memory is accessed at once; at shared memory the thread
// stops with the access and gets its value later.
#include "vm/cold.h"

#include <string.h>

static void set_run(struct thread *t, unsigned first, unsigned size,
                    const struct value *value) {
  for (unsigned i = 0; i < (size == 16 ? 2 : 1); i++) {
    *thread_slot(t, first + i) = value->v[i];
    *thread_undef(t, first + i) = value->undef[i];
    if (t->track.on) {
      t->slot_set[thread_top(t)->base + first + i] = value->set;
      track_touch(t, t->slot_set + thread_top(t)->base + first + i, 1);
    }
  }
}

static struct value get_run(struct thread *t, unsigned first, unsigned size) {
  struct value value = {0};
  for (unsigned i = 0; i < (size == 16 ? 2 : 1); i++) {
    value.v[i] = *thread_slot(t, first + i);
    value.undef[i] = *thread_undef(t, first + i);
    if (t->track.on)
      track_join(t, &value.set, thread_set(t, first + i));
    if (vm_is_blind(t->vm))
      value.v[i] &= ~value.undef[i];
  }
  return value;
}

uint64_t access_pack(struct vm *vm, unsigned size, const struct value *value) {
  return size == 16 ? vm_wide_make(vm, value->v[0], value->v[1]) : value->v[0];
}

struct value access_unpack(const struct thread *t, unsigned size,
                           uint64_t packed, undef_id undef) {
  struct value value = {.v = {packed, 0}, .set = t->track.event};
  if (size == 16)
    vm_wide_get(t->vm, packed, &value.v[0], &value.v[1]);
  if (undef)
    undef_unpack(t->vm, size, undef, &value);
  return value;
}

// Is the address unknown, and does that not stop the thread (unknown.c)?
static bool is_passed(struct thread *t, unsigned pointer) {
  return *thread_undef(t, pointer) && t->vm->cold->config.passes_by;
}

static loc_id location_of(struct thread *t, unsigned pointer, unsigned size) {
  return is_passed(t, pointer)
             ? NO_LOC
             : vm_find_location(t->vm, *thread_slot(t, pointer), size);
}

static struct place place_of(struct thread *t, const struct insn *in,
                             unsigned pointer, bool is_write) {
  struct imm_access a = imm_access_of(in->imm);
  uint64_t address = *thread_slot(t, pointer);
  if (is_passed(t, pointer))
    return (struct place){.where = AT_SHARED};
  struct place p =
      memory_at(t, address, *thread_undef(t, pointer), a.size, is_write);
  if (a.order != ORD_NA && p.where != AT_STOP &&
      !pieces_are_bytes(in, address) &&
      !memory_check_aligned(t, address, a.size))
    p.where = AT_STOP;
  return p;
}

static void stop_at(struct thread *t, const struct insn *in,
                    enum access_kind kind, unsigned pointer, uint64_t value) {
  struct imm_access a = imm_access_of(in->imm);
  thread_stop(t, kind, value, 0);
  t->access.order = a.order;
  t->access.order_fail = a.order_fail;
  t->access.flags = (a.how & HOW_LINKED ? ACCF_LINKED : 0u) |
                    (a.how & HOW_PICK ? ACCF_PICK : 0u) |
                    (a.how & HOW_ISA ? ACCF_ISA : 0u) |
                    (a.how & HOW_NORET ? ACCF_NORET : 0u);
  if ((kind == ACC_READ || kind == ACC_WRITE) && (a.how & HOW_SRCU))
    t->access.flags |= ACCF_SRCU;
  if (kind == ACC_CAS_READ)
    t->access.flags |= (a.how & HOW_TRYLOCK ? ACCF_TRYLOCK : 0u) |
                       (a.how & HOW_UNLESS ? ACCF_UNLESS : 0u);
  if (kind == ACC_RMW_WRITE && a.how & HOW_PAIR)
    t->access.flags |= ACCF_PAIR;
  t->access.loc = location_of(t, pointer, a.size);
  t->track.addr = thread_set(t, pointer);
}

// A private access: what it yields depends on the pointer too, and a
// compare-exchange is a branch.
static void track_private_load(struct thread *t, const struct insn *in,
                               struct value *value) {
  track_join(t, &value->set, thread_set(t, in->b));
  if (in->op != OP_cas_load)
    return;
  struct value expected = get_run(t, in->c, imm_access_of(in->imm).size);
  track_branch(t, value->set);
  track_branch(t, expected.set);
}

// Of a compare-exchange of one instruction that succeeds, nothing says whether
// the register gets what was read or what was expected, which is the same. Arm
// has both, the former by data, the latter by data with a pick of what was read
// (herd: two executions). What is weaker than either is that the result depends
// on what was read, by pick.
static struct value result_of(struct thread *t, const struct insn *in,
                              const struct value *value) {
  struct imm_access a = imm_access_of(in->imm);
  struct value result = *value;
  if (!t->track.on || in->op != OP_cas_load || (a.how & HOW_UNLESS) ||
      !(a.how & HOW_PICK))
    return result;
  struct value expected = get_run(t, in->c, a.size);
  bool is_equal = value->v[0] == expected.v[0] && value->v[1] == expected.v[1];
  if (t->cas_wins || (is_equal && !t->cas_fails))
    result.set = set_picked(&t->vm->cold->deps.sets, result.set);
  return result;
}

// load, rmw_load and cas_load.
void access_got(struct thread *t, const struct insn *in,
                const struct value *value) {
  struct value result = result_of(t, in, value);
  set_run(t, in->a, imm_access_of(in->imm).size, &result);
  if (in->op == OP_cas_load)
    t->cas = *value;
}

// If the instruction begins an update that is tried, and undone when it fails,
// the thread waits until it succeeds (explore/loops/rollback.c).
static const struct undo *undo_of(const struct thread *t,
                                  const struct insn *in) {
  const struct vm_cold *cold = t->vm->cold;
  if (in->op != OP_rmw_load || !cold->undo_at)
    return NULL;
  const struct undo *u = &cold->undo_at[in - t->vm->prog->code.at];
  return u->success ? u : NULL;
}

static void stop_at_take(struct thread *t, const struct insn *in,
                         const struct undo *u) {
  stop_at(t, in, ACC_TAKE, in->b,
          take_range((uint32_t)u->least, (uint64_t)(uint32_t)u->most));
  t->access.value2 = u->add;
  t->access.flags = ACCF_UNDONE;
}

static bool is_in_pieces(const struct thread *t, uint64_t address,
                         const struct insn *in) {
  return pieces_are_bytes(in, address) ||
         pieces_are_at(t, address, imm_access_of(in->imm).size);
}

bool access_load(struct thread *t, const struct insn *in) {
  unsigned size = imm_access_of(in->imm).size;
  struct place p = place_of(t, in, in->b, /*is_write=*/false);
  struct value value;
  if (p.where == AT_STOP)
    return false;
  if (p.where != AT_SHARED) {
    value = memory_get(t, &p, size);
    if (t->track.on)
      track_private_load(t, in, &value);
    if (in->op == OP_cas_load)
      t->cas_fails = t->cas_wins = false; // that was another one
    access_got(t, in, &value);
    return true;
  }
  if (!is_passed(t, in->b) && is_in_pieces(t, *thread_slot(t, in->b), in))
    return pieces_load(t, in);
  if (in->op == OP_cas_load) {
    value = get_run(t, in->c, size);
    stop_at(t, in, ACC_CAS_READ, in->b, access_pack(t->vm, size, &value));
    t->track.data = value.set;
    if (imm_access_of(in->imm).is_weak)
      t->access.flags |= ACCF_WEAK;
  } else if (undo_of(t, in)) {
    stop_at_take(t, in, undo_of(t, in));
  } else {
    stop_at(t, in, in->op == OP_load ? ACC_READ : ACC_RMW_READ, in->b, 0);
  }
  return false;
}

void access_set_undef(struct thread *t, undef_id undef) {
  t->access.value2 = undef;
  t->access.flags |= undef ? ACCF_UNINIT : 0;
}

bool access_store(struct thread *t, const struct insn *in) {
  unsigned size = imm_access_of(in->imm).size;
  struct place p = place_of(t, in, in->a, /*is_write=*/true);
  if (p.where == AT_STOP)
    return false;
  struct value value = get_run(t, in->b, size);
  if (p.where != AT_SHARED) {
    memory_put(t, &p, size, &value);
    if (t->track.on)
      track_join(t, &t->track.memory, thread_set(t, in->a));
    return true;
  }
  if (!is_passed(t, in->a) && is_in_pieces(t, *thread_slot(t, in->a), in))
    return pieces_store(t, in, &value);
  stop_at(t, in, in->op == OP_store ? ACC_WRITE : ACC_RMW_WRITE, in->a,
          access_pack(t->vm, size, &value));
  t->track.data = value.set;
  access_set_undef(t, undef_pack(t->vm, size, &value));
  return false;
}

// What is undefined in a part of the bytes is mostly padding.
static const char *name_of_cas(const struct value *x, const struct value *y,
                               uint32_t size) {
  uint64_t all = size < 8 ? (UINT64_C(1) << size * 8) - 1 : UINT64_MAX;
  uint64_t low = x->undef[0] | y->undef[0], high = x->undef[1] | y->undef[1];
  return (low && low != all) || (size == 16 && low != high)
             ? "a compare-exchange, which compares all bytes, padding too,"
             : "a compare-exchange";
}

bool access_cas_store(struct thread *t, const struct insn *in) {
  struct value expected = get_run(t, in->c, imm_access_of(in->imm).size);
  bool is_decided = vm_is_blind(t->vm) && (t->cas_fails || t->cas_wins);
  if (!is_decided &&
      thread_raise_undef(
          t, undef_of_equal(&t->cas, &expected),
          name_of_cas(&t->cas, &expected, imm_access_of(in->imm).size)))
    return false;
  bool is_expected =
      t->cas.v[0] == expected.v[0] && t->cas.v[1] == expected.v[1];
  bool is_unless = imm_access_of(in->imm).how & HOW_UNLESS;
  if (t->cas_fails || (is_expected == is_unless && !t->cas_wins))
    return true;
  bool is_done = access_store(t, in);
  if (t->track.on && imm_access_of(in->imm).how & HOW_PICK) {
    struct sets *sets = &t->vm->cold->deps.sets;
    track_join(t, &t->track.pick, set_picked(sets, t->cas.set));
    track_join(t, &t->track.pick, set_picked(sets, expected.set));
  }
  return is_done;
}

bool access_fence(struct thread *t, const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  enum fence_acts acts = fence_acts((enum fence_kind)a.fence);
  thread_stop(t, ACC_FENCE, a.fence, 0);
  t->access.order = a.order;
  t->access.flags = acts == FENCE_ACTS_ISB ? ACCF_ISB
                    : acts == FENCE_ACTS_STORES || acts == FENCE_ACTS_DRAIN
                        ? ACCF_STORES
                        : 0;
  return false;
}

// Only this thread reaches a private location: no other waits for it.
bool access_fence_at(struct thread *t, const struct insn *in) {
  struct imm_access a = imm_access_of(in->imm);
  struct place p = place_of(t, in, in->a, /*is_write=*/false);
  if (p.where != AT_SHARED)
    return p.where != AT_STOP;
  thread_stop(t, ACC_FENCE, a.fence | *thread_slot(t, in->b) << 8, 0);
  t->access.order = ORD_NA;
  t->access.loc = location_of(t, in->a, a.size);
  t->track.addr = thread_set(t, in->a);
  return false;
}

bool access_local(struct thread *t, const struct insn *in) {
  uint32_t local = thread_add_local(t, *thread_slot(t, in->b));
  if (local == UINT32_MAX)
    return false;
  *thread_slot(t, in->a) = thread_local_address(t, local);
  *thread_undef(t, in->a) = 0;
  return true;
}

// What cannot be reached any more is all zero, so that states are equal which
// differ in nothing else.
bool access_scope(struct thread *t, const struct insn *in) {
  object_id o = pointer_object(*thread_slot(t, in->a));
  uint32_t number = object_index(o) - INDEX_LOCAL;
  if (object_region(o) != t->id + 1 || object_index(o) < INDEX_LOCAL ||
      number >= t->locals.len)
    return !thread_raise(t, FIND_INVALID_FREE,
                         "the scope of a variable that does not exist");
  struct local *local = &t->locals.at[number];
  local->is_gone = !in->imm;
  if (!local->size)
    return true;
  memset(t->bytes + local->first, 0, local->size);
  memset(t->byte_undef + local->first, in->imm ? 0xff : 0, local->size);
  if (t->track.on)
    track_put_bytes(t, local->first, local->size, 0);
  memory_touch(t, local->first, local->size);
  return true;
}

bool access_stack_end(struct thread *t, const struct insn *in) {
  uint64_t pointer = *thread_slot(t, in->a);
  object_no object = vm_object_of_pointer(t->vm, pointer);
  if (object == NO_OBJECT)
    return !thread_raise(t, FIND_INVALID_FREE,
                         "the end of a variable that does not exist");
  thread_stop(t, ACC_FREE, pointer, 0);
  t->access.object = object;
  t->access.flags = ACCF_STACK;
  t->track.data = thread_set(t, in->a);
  return false;
}

bool access_va_start(struct thread *t, const struct insn *in) {
  enum { SIZE = 24 };
  struct variadic v = imm_variadic_of(in->imm);
  struct place p = memory_at(t, *thread_slot(t, in->a), *thread_undef(t, in->a),
                             SIZE, /*is_write=*/true);
  if (p.where == AT_STOP)
    return false;
  uint32_t local = thread_top(t)->va_local;
  if (p.where == AT_SHARED || !local) {
    thread_cut(t, "va_start %s",
               local ? "of a va_list that other threads can reach"
                     : "in a function without ...");
    return false;
  }
  if (v.general_end && t->locals.at[local - 1].size) {
    thread_cut(t, "va_start of a function for another machine that was called "
                  "through a pointer");
    return false;
  }
  uint64_t vector = 8 * GENERAL_REGISTERS + 16 * (uint64_t)v.vector;
  const uint64_t list[3] = {8 * (uint64_t)v.general | vector << 32,
                            thread_local_address(t, local),
                            thread_local_address(t, local - 1)};
  for (unsigned i = 0; i < 3; i++) {
    struct place word = {p.where, p.bytes, p.at + 8 * i};
    memory_put(t, &word, 8, &(struct value){.v = {list[i]}});
  }
  return true;
}

bool access_compare(struct thread *t, const struct insn *in,
                    const struct value *value, enum cas_outcome chosen) {
  struct imm_access a = imm_access_of(in->imm);
  struct value expected = get_run(t, in->c, a.size);
  if (t->track.on && !(a.how & HOW_PICK)) {
    track_branch(t, value->set);
    track_branch(t, expected.set);
  }
  if (thread_raise_undef(t, undef_of_equal(value, &expected),
                         name_of_cas(value, &expected, a.size)))
    return false;
  bool is_equal = value->v[0] == expected.v[0] && value->v[1] == expected.v[1];
  t->cas_fails = chosen == CAS_FAILS;
  if (chosen == CAS_OPEN || is_equal == (chosen == CAS_SUCCEEDS) ||
      (is_equal && a.is_weak))
    return true;
  thread_block(t);
  return false;
}

void access_add_blindly(struct thread *t) {
  t->access.kind = ACC_RMW_WRITE;
  t->access.value = 0;
  t->access.flags = 0;
  access_set_undef(t, UNDEF_ALL);
}

static bool access_take_blindly(struct thread *t) {
  if (!t->access.value2)
    return true;
  access_add_blindly(t);
  return false;
}

// Is it known by its outcome that a compare-exchange has read what it expects?
static bool reads_expected(const struct thread *t) {
  return t->access.flags & ACCF_UNLESS ? t->cas_fails : t->cas_wins;
}

// Gives the value to the instruction that stopped. False: the thread stopped
// again inside of it.
bool access_complete(struct thread *t, const struct insn *in, uint64_t value,
                     undef_id undef) {
  struct value read;
  if (t->track.on)
    track_complete(t, in);
  switch ((enum access_kind)t->access.kind) {
  case ACC_RMW_READ:
    if (in->op == OP_sys)
      return sys_given(t, value, undef);
    __attribute__((fallthrough));
  case ACC_READ:
  case ACC_CAS_READ:
    if (t->access.kind == ACC_CAS_READ && (t->access.flags & ACCF_FAILS) &&
        !(t->access.flags & ACCF_CHOSEN) &&
        (undef || value != t->access.value)) {
      thread_block(t); // that is the failure of a CAS without the flag
      return false;
    }
    read = access_unpack(t, imm_access_of(in->imm).size, value, undef);
    if (t->access.kind == ACC_CAS_READ) {
      t->cas_fails = t->access.flags & ACCF_FAILS;
      t->cas_wins = (t->access.flags & ACCF_CHOSEN) && !t->cas_fails;
    }
    if (undef && vm_is_blind(t->vm) && reads_expected(t))
      read = get_run(t, in->c, imm_access_of(in->imm).size);
    access_got(t, in, &read);
    return true;
  case ACC_LOCK_READ:
    if (thread_raise_undef(t, undef, "a lock"))
      return false;
    check(value == 0);
    t->access.kind = ACC_RMW_WRITE;
    t->access.value = t->id + 1;
    t->access.value2 = 0;
    return false;
  case ACC_TAKE:
    if (undef && vm_is_blind(t->vm))
      return access_take_blindly(t);
    if (thread_raise_undef(t, undef, "a wait"))
      return false;
    if (value == SYNC_DESTROYED)
      return !thread_raise(t, FIND_SYNC_MISUSE,
                           "use of a semaphore or lock that was destroyed");
    if (!t->access.value2)
      return true;
    t->access.kind = ACC_RMW_WRITE;
    t->access.value = (uint32_t)(value + t->access.value2);
    t->access.value2 = 0;
    t->access.flags = 0;
    return false;
  case ACC_ALLOC:
    sys_result(t, in, vm_object_address(t->vm, t->access.object), 0);
    return true;
  case ACC_CELL_SIZE:
    value = vm_cell_size(value);
    sys_result(t, in, value ? value : bulk_declared_size(t, t->access.value),
               0);
    return true;
  case ACC_CHOOSE:
    if (t->access.flags & ACCF_WEAK) {
      if (pieces_are_at(t, *thread_slot(t, in->b), imm_access_of(in->imm).size))
        return pieces_load_chosen(t, in, value ? CAS_FAILS : CAS_SUCCEEDS);
      check(!access_load(t, in)); // stops there again
      t->access.flags =
          (t->access.flags & ACCF_PICK ? t->access.flags | ACCF_CHOSEN : 0) |
          (value ? ACCF_FAILS : 0);
      return false;
    }
    sys_result(t, in, value, 0);
    return true;
  case ACC_JOIN:
    read = access_unpack(t, 8, value, undef);
    sys_result(t, in, value, read.undef[0]);
    return true;
  case ACC_OBJECT_SIZE:
  case ACC_SPAWN:
  case ACC_CLOCK:
    sys_result(t, in, value, 0);
    return true;
  case ACC_RMW_WRITE:
    if (undo_of(t, in)) // it goes on where the try has succeeded
      thread_top(t)->pc = undo_of(t, in)->success - 1;
    return true;
  case ACC_WRITE:
  case ACC_UNLOCK:
  case ACC_FENCE:
  case ACC_FREE:
  case ACC_DETACH:
  case ACC_OUTPUT:
    return true;
  case ACC_ERROR:
    if (t->access.value == FIND_ASSERTION)
      return true; // as if it had not failed
    break;
  case ACC_BLOCK:
  case ACC_CUT:
  case ACC_END:
  case ACC_EXIT:
    break;
  }
  fatal_internal(__FILE__, __LINE__, "step of a thread that is over");
}
