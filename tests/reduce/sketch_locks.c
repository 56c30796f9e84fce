// SPDX-License-Identifier: MIT
// See sketch.h: locks of every kind, barriers and condition variables in
// bytecode, as the library has them or as programs have their own.
#include "sketch_lower.h"

static void take(uint64_t at, int32_t least, int32_t most, int32_t added) {
  call(BI_take, 0, 0,
       (uint64_t[]){at, (uint32_t)least, (uint32_t)most, (uint32_t)added, 0},
       5);
}

static void spin(uint64_t at, enum sketch_lock kind, const struct step *s) {
  uint32_t head = here();
  if (kind == LOCK_LOOK_AND_SWAP) {
    emit(OP_load, OLD, k(at), 0, access(ORD_RLX));
    emit(OP_ne, TEST_SLOT, OLD, k(0), 32);
    go_back_if_set(head);
  }
  if (kind == LOCK_CAS || kind == LOCK_WEAK_CAS) {
    struct step orders = {.order = s->order,
                          .order_fail = s->order_fail ? ORD_ACQ : ORD_RLX};
    compare_exchange(OLD, k(at), k(0), k(1), &orders, kind == LOCK_WEAK_CAS);
    emit(OP_br, TEST_SLOT, 0, 0, imm_targets(here() + 1, head));
    return;
  }
  swap(OLD, k(at), k(1), s->order);
  emit(OP_ne, TEST_SLOT, OLD, k(0), 32);
  go_back_if_set(head);
}

static void take_ticket(const struct lowering *w, const struct step *s) {
  add(NUMBER + s->lock, k(w->locks[s->lock]), 1, ORD_RLX);
  uint32_t head = here();
  emit(OP_load, OLD, k(w->owners[s->lock]), 0, access(s->order));
  emit(OP_ne, TEST_SLOT, OLD, NUMBER + s->lock, 32);
  go_back_if_set(head);
}

static void take_undone(uint64_t at, const struct step *s) {
  uint32_t head = here();
  add(OLD, k(at), 1, s->order);
  emit(OP_ne, TEST_SLOT, OLD, k(0), 32);
  uint32_t br = if_set();
  add(OLD, k(at), -1, ORD_RLX);
  uint32_t wait = here();
  emit(OP_load, OLD, k(at), 0, access(ORD_RLX));
  emit(OP_ne, TEST_SLOT, OLD, k(0), 32);
  go_back_if_set(wait);
  emit(OP_jmp, 0, 0, 0, head);
  end_if(br);
}

static uint32_t try_mutex(uint64_t at) { // as rt/mutex.c does
  struct step orders = {.order = ORD_ACQ, .order_fail = ORD_RLX};
  sys(BI_self, TEMP, 1, 0, 0);
  emit(OP_add, TEMP, TEMP, k(1), 32);
  compare_exchange(OLD, k(at), k(0), TEMP, &orders, /*is_weak=*/false);
  return if_set();
}

uint32_t lower_enter(const struct lowering *w, const struct step *s) {
  enum sketch_lock kind = w->sketch->locks[s->lock];
  uint64_t at = w->locks[s->lock];
  switch (kind) {
  case LOCK_MUTEX:
    if (s->how & SECTION_TRIES)
      return try_mutex(at);
    sys(BI_lock, 0, 0, k(at), 1);
    return 0;
  case LOCK_SEMAPHORE:
    take(at, 1, INT32_MAX, -1);
    return 0;
  case LOCK_READ_WRITE:
    if (s->how & SECTION_READS)
      take(at, 0, INT32_MAX - 1, 1);
    else
      take(at, 0, 0, -1);
    return 0;
  case LOCK_TICKET:
    take_ticket(w, s);
    return 0;
  case LOCK_UNDONE:
    take_undone(at, s);
    return 0;
  case LOCK_TRY:
    swap(OLD, k(at), k(1), s->order);
    emit(OP_eq, TEST_SLOT, OLD, k(0), 32);
    return if_set();
  default:
    spin(at, kind, s);
    return 0;
  }
}

void lower_leave(const struct lowering *w, const struct step *s) {
  enum sketch_lock kind = w->sketch->locks[s->lock];
  uint64_t at = w->locks[s->lock];
  if (s->how & SECTION_KEEPS)
    return;
  if (kind == LOCK_MUTEX) {
    sys(BI_unlock, 0, 0, k(at), 1);
  } else if (kind == LOCK_SEMAPHORE || kind == LOCK_READ_WRITE) {
    bool reads = kind == LOCK_READ_WRITE && (s->how & SECTION_READS);
    call(BI_give, 0, 0, (uint64_t[]){at, reads ? UINT32_MAX : 1}, 2);
  } else if (kind == LOCK_TICKET) {
    emit(OP_add, TEMP, NUMBER + s->lock, k(1), 32);
    put(k(w->owners[s->lock]), TEMP, s->order_fail ? ORD_REL : ORD_RLX);
  } else if (kind == LOCK_UNDONE) {
    add(OLD, k(at), -1, s->order_fail ? ORD_REL : ORD_RLX);
  } else {
    put(k(at), k(0), s->order_fail ? ORD_REL : ORD_RLX);
  }
}

void lower_meet(const struct lowering *w) { // as rt/barrier.c does
  uint64_t n = w->sketch->meet;
  add(OLD, k(w->arrived), 1, ORD_ACQREL);
  emit(OP_udiv, COUNT, OLD, k(n), 32);
  emit(OP_urem, TEMP, OLD, k(n), 32);
  emit(OP_eq, TEST_SLOT, TEMP, k(n - 1), 32);
  emit(OP_mov, ARGS, k(w->opened), 0, 0);
  emit(OP_mov, ARGS + 1, COUNT, 0, 0);
  emit(OP_mov, ARGS + 2, COUNT, 0, 0);
  emit(OP_mov, ARGS + 3, k(0), 0, 0);
  emit(OP_mov, ARGS + 4, k(0), 0, 0);
  emit(OP_add, COUNT, COUNT, k(1), 32);
  uint32_t br = if_set();
  sys(BI_take, 0, 0, ARGS, 5);
  put(k(w->opened), COUNT, ORD_REL);
  uint32_t jump = emit(OP_jmp, 0, 0, 0, 0);
  end_if(br);
  emit(OP_mov, ARGS + 1, COUNT, 0, 0);
  emit(OP_mov, ARGS + 2, k(INT32_MAX), 0, 0);
  sys(BI_take, 0, 0, ARGS, 5);
  P->code.at[jump].imm = here();
}

// -- a condition variable, as rt/cond.c has it

void lower_sleep(const struct lowering *w, const struct step *s) {
  sys(BI_lock, 0, 0, k(w->mutex), 1);
  uint32_t head = here();
  get(address(w, s->word), s->order);
  emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
  uint32_t br = if_set();
  sys(BI_self, TEMP, 1, 0, 0);
  emit(OP_mul, ARGS, TEMP, k(4), 64);
  emit(OP_add, ARGS, k(w->woken), ARGS, 64);
  emit(OP_shl, PLACE, k(1), TEMP, 64);
  emit(OP_rmw_load, OLD, k(w->waiting), 0, access_imm(8, ORD_ACQREL));
  emit(OP_or, OLD, OLD, PLACE, 0);
  emit(OP_rmw_store, k(w->waiting), OLD, 0, access_imm(8, ORD_ACQREL));
  sys(BI_unlock, 0, 0, k(w->mutex), 1);
  emit(OP_mov, ARGS + 1, k(1), 0, 0);
  emit(OP_mov, ARGS + 2, k(1), 0, 0);
  emit(OP_mov, ARGS + 3, k(UINT32_MAX), 0, 0);
  emit(OP_mov, ARGS + 4, k(0), 0, 0);
  sys(BI_take, 0, 0, ARGS, 5);
  sys(BI_lock, 0, 0, k(w->mutex), 1);
  emit(OP_jmp, 0, 0, 0, head);
  end_if(br);
  sys(BI_unlock, 0, 0, k(w->mutex), 1);
}

// Wakes the thread whose number is in TEMP.
static void wake_one(const struct lowering *w) {
  emit(OP_mul, PLACE, TEMP, k(4), 64);
  emit(OP_add, PLACE, k(w->woken), PLACE, 64);
  put(PLACE, k(1), ORD_REL);
}

static void signal(const struct lowering *w) {
  emit(OP_load, OLD, k(w->waiting), 0, access_imm(8, ORD_ACQ));
  emit(OP_ne, TEST_SLOT, OLD, k(0), 64);
  uint32_t br = if_set();
  emit(OP_mov, COUNT, OLD, 0, 0);
  emit(OP_popcount, ARGS + 1, OLD, 0, 64);
  emit(OP_sub, ARGS + 1, ARGS + 1, k(1), 64);
  emit(OP_mov, ARGS, k(0), 0, 0);
  emit(OP_mov, TEMP, k(0), 0, 0);
  emit(OP_ne, TEST_SLOT, ARGS + 1, k(0), 64);
  uint32_t several = if_set();
  sys(BI_choose, TEMP, 1, ARGS, 2);
  end_if(several);
  uint32_t head = here();
  emit(OP_ne, TEST_SLOT, TEMP, k(0), 64);
  uint32_t skip = if_set();
  emit(OP_sub, ARGS, COUNT, k(1), 64);
  emit(OP_and, COUNT, COUNT, ARGS, 0);
  emit(OP_sub, TEMP, TEMP, k(1), 64);
  emit(OP_jmp, 0, 0, 0, head);
  end_if(skip);
  emit(OP_ctz, TEMP, COUNT, 0, 64);
  emit(OP_shl, PLACE, k(1), TEMP, 64);
  emit(OP_xor, PLACE, OLD, PLACE, 0);
  uint64_t imm = imm_access((struct imm_access){
      .size = 8, .order = ORD_ACQREL, .order_fail = ORD_RLX});
  emit(OP_cas_load, ARGS, k(w->waiting), OLD, imm);
  emit(OP_cas_store, k(w->waiting), PLACE, OLD, imm);
  emit(OP_cas_ok, TEST_SLOT, ARGS, OLD, 64);
  sys(BI_assume, 0, 0, TEST_SLOT, 1);
  wake_one(w);
  end_if(br);
}

static void broadcast(const struct lowering *w) {
  emit(OP_rmw_load, COUNT, k(w->waiting), 0, access_imm(8, ORD_ACQREL));
  emit(OP_rmw_store, k(w->waiting), k(0), 0, access_imm(8, ORD_ACQREL));
  uint32_t head = here();
  emit(OP_ne, TEST_SLOT, COUNT, k(0), 64);
  uint32_t br = if_set();
  emit(OP_ctz, TEMP, COUNT, 0, 64);
  emit(OP_sub, ARGS, COUNT, k(1), 64);
  emit(OP_and, COUNT, COUNT, ARGS, 0);
  wake_one(w);
  emit(OP_jmp, 0, 0, 0, head);
  end_if(br);
}

void lower_wake(const struct lowering *w, const struct step *s) {
  sys(BI_lock, 0, 0, k(w->mutex), 1);
  put(address(w, s->word), value_of(s->value, R), s->order);
  if (s->how & WAKE_OUTSIDE)
    sys(BI_unlock, 0, 0, k(w->mutex), 1);
  if (s->how & WAKE_ALL)
    broadcast(w);
  else
    signal(w);
  if (!(s->how & WAKE_OUTSIDE))
    sys(BI_unlock, 0, 0, k(w->mutex), 1);
}
