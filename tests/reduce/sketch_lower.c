// SPDX-License-Identifier: MIT
// See sketch.h: from steps to bytecode.
#include "sketch.h"

#include <string.h>

#include "unit/program.h"

enum {
  ARGUMENT, // slots
  OWN,      // the element of the thread
  R,
  TEMP,
  TEST_SLOT,
  OLD,
  PLACE,  // that an address is computed to
  ROUND,  // of a loop that tries again; what one that waits has gathered
  LEFT,   // rounds of STEP_REPEAT
  KEPT,   // what a round that tries again has seen
  NUMBER, // a ticket of each lock
  COUNT = NUMBER + SKETCH_LOCKS,
  IDS,
  ARGS = IDS + SKETCH_THREADS,
  // An element: a word, what is plain, and what its thread tells.
  STRIDE = 16,
  PLAIN = 4,
  TOLD = 8,
  NODE_SIZE = 8,
  // What is too much (sketch_limit).
  MOST_CALLS = 24,
  MOST_STEPS = 3000,
  MOST_BYTES = 1 << 14,
};

struct lowering {
  const struct sketch *sketch;
  bool is_marked, is_unrolled;
  uint64_t words[3], elements, plain, locks[SKETCH_LOCKS], owners[SKETCH_LOCKS];
  uint64_t arrived, opened, mutex, waiting, woken, node;
  uint32_t deep, funcs[SKETCH_THREADS];
  bool was_created[SKETCH_THREADS];
};

static void emit_steps(struct lowering *w, const struct step *s, unsigned n);

// -- small things

static uint32_t here(void) {
  return P->code.len;
}

static uint64_t access(enum order order) {
  return access_imm(4, order);
}

static uint32_t if_set(void) {
  return emit(OP_br, TEST_SLOT, 0, 0, 0);
}

static void end_if(uint32_t br) {
  P->code.at[br].imm = imm_targets(br + 1, here());
}

static void go_back_if_set(uint32_t head) {
  emit(OP_br, TEST_SLOT, 0, 0, imm_targets(head, here() + 1));
}

static void fail(void) {
  uint64_t none[4] = {0};
  sys(BI_assert_fail, 0, 0, prog_const_run(P, none, 4), 4);
}

static void fail_if(unsigned slot, uint64_t value) {
  emit(OP_eq, TEST_SLOT, slot, k(value), 32);
  uint32_t br = if_set();
  fail();
  end_if(br);
}

static unsigned address(const struct lowering *w, unsigned word) {
  if (word == WORD_BY_R) {
    emit(OP_and, OLD, R, k(1), 32);
    emit(OP_mul, OLD, OLD, k(STRIDE), 64);
    emit(OP_add, PLACE, k(w->elements), OLD, 64);
    return PLACE;
  }
  return word < WORD_OWN ? k(w->words[word])
         : word == WORD_OWN
             ? (unsigned)OWN
             : k(w->elements + STRIDE * (word - WORD_FIRST_ELEMENT));
}

static unsigned value_of(unsigned value, unsigned r) {
  switch (value) {
  case VALUE_R:
    return r;
  case VALUE_R_PLUS_1:
    emit(OP_add, TEMP, r, k(1), 32);
    return TEMP;
  case VALUE_R_EVEN:
    emit(OP_and, TEMP, r, k(UINT32_MAX - 1), 32);
    return TEMP;
  case VALUE_R_ODD:
    emit(OP_or, TEMP, r, k(1), 32);
    return TEMP;
  default:
    return k(value);
  }
}

static void get(unsigned at, enum order order) {
  emit(OP_load, R, at, 0, access(order));
}

static void put(unsigned at, unsigned value, enum order order) {
  emit(OP_store, at, value, 0, access(order));
}

static void add(unsigned to, unsigned at, int32_t n, enum order order) {
  emit(OP_rmw_load, to, at, 0, access(order));
  emit(OP_add, TEMP, to, k((uint32_t)n), 32);
  emit(OP_rmw_store, at, TEMP, 0, access(order));
}

static void swap(unsigned to, unsigned at, unsigned value, enum order order) {
  emit(OP_rmw_load, to, at, 0, access(order));
  emit(OP_rmw_store, at, value, 0, access(order));
}

// TEST_SLOT: did it succeed?
static void compare_exchange(unsigned to, unsigned at, unsigned expected,
                             unsigned value, const struct step *s,
                             bool is_weak) {
  uint64_t imm = imm_access((struct imm_access){.size = 4,
                                                .order = s->order,
                                                .order_fail = s->order_fail,
                                                .is_weak = is_weak});
  emit(OP_cas_load, to, at, expected, imm);
  emit(OP_cas_store, at, value, expected, imm);
  emit(OP_cas_ok, TEST_SLOT, to, expected, 32);
}

static void call(enum builtin what, unsigned to, unsigned results,
                 const uint64_t *args, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    emit(OP_mov, ARGS + i, k(args[i]), 0, 0);
  sys(what, to, results, ARGS, n);
}

// -- locks

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

// Yields the branch of a lock that is only tried, else 0.
static uint32_t enter(const struct lowering *w, const struct step *s) {
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

static void leave(const struct lowering *w, const struct step *s) {
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

static void meet(const struct lowering *w) { // as rt/barrier.c does
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

static void sleep_step(const struct lowering *w, const struct step *s) {
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

static void wake(const struct lowering *w, const struct step *s) {
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

// -- a node

static void publish(const struct lowering *w, const struct step *s) {
  sys(BI_malloc, PLACE, 1, k(NODE_SIZE), 1);
  if (!(s->how & NODE_IS_UNINITIALISED))
    put(PLACE, R, ORD_NA);
  emit(OP_store, k(w->node), PLACE, 0, access_imm(8, s->order));
}

static uint32_t get_node(const struct lowering *w, const struct step *s) {
  if (s->kind == STEP_RETIRE) {
    emit(OP_rmw_load, PLACE, k(w->node), 0, access_imm(8, s->order));
    emit(OP_rmw_store, k(w->node), k(0), 0, access_imm(8, s->order));
  } else {
    emit(OP_load, PLACE, k(w->node), 0, access_imm(8, s->order));
  }
  emit(OP_ne, TEST_SLOT, PLACE, k(0), 64);
  return if_set();
}

static void use_node(const struct lowering *w, const struct step *s) {
  uint32_t br = get_node(w, s);
  if (s->kind == STEP_LOOK_AT)
    get(PLACE, s->value & 1 ? ORD_NA : ORD_RLX);
  else if (!(s->how & NODE_IS_KEPT))
    sys(BI_free, 0, 0, PLACE, 1);
  end_if(br);
}

// -- what C has no loop for

static void bits(const struct lowering *w, const struct step *s) {
  static const enum op ops[] = {
      [BITS_AND] = OP_and, [BITS_OR] = OP_or, [BITS_XOR] = OP_xor};
  unsigned at = address(w, s->word), value = value_of(s->value, R);
  emit(OP_mov, COUNT, value, 0, 0);
  emit(OP_rmw_load, R, at, 0, access(s->order));
  emit(ops[s->how], TEMP, R, COUNT, 32);
  emit(OP_rmw_store, at, TEMP, 0, access(s->order));
}

static uint64_t linked(enum order order) {
  return imm_access((struct imm_access){.size = 4,
                                        .order = (uint8_t)order,
                                        .order_fail = (uint8_t)order,
                                        .how = HOW_LINKED | HOW_ISA});
}

// The store may fail for no reason: r is 3 then.
static void load_and_store(const struct lowering *w, const struct step *s) {
  unsigned at = s->word == WORD_BY_R ? k(w->elements) : address(w, s->word);
  unsigned beside = k(w->words[s->word == WORD_Z ? WORD_X : WORD_Z]);
  emit(OP_load, R, at, 0, linked(s->order));
  if (s->how == LINKED_LOAD)
    emit(OP_load, COUNT, beside, 0, access(ORD_RLX));
  else if (s->how == LINKED_STORE)
    put(beside, k(1), ORD_RLX);
  else if (s->how == LINKED_FENCE)
    emit(OP_fence, 0, 0, 0, access(ORD_SC));
  unsigned value = value_of(s->value, R);
  emit(OP_mov, COUNT, value, 0, 0);
  call(BI_choose, TEST_SLOT, 1, (uint64_t[]){0, 1}, 2);
  uint32_t br = if_set();
  emit(OP_store, at, COUNT, 0, linked(s->order_fail));
  uint32_t jump = emit(OP_jmp, 0, 0, 0, 0);
  end_if(br);
  emit(OP_mov, R, k(3), 0, 0);
  P->code.at[jump].imm = here();
}

// -- steps

// What a round that tries again does besides.
static void look_and_write(const struct lowering *w, const struct step *s) {
  bool keeps = s->how & RETRY_LOOKS && s->how & RETRY_KEEPS;
  if (s->how & RETRY_LOOKS)
    emit(OP_load, KEPT, k(w->words[s->other % 3]), 0, access(s->order_fail));
  unsigned value = keeps ? KEPT : s->how & RETRY_WRITES_ONE ? k(1) : R;
  if (s->how & RETRY_WRITES_OWN) {
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    put(OLD, value, ORD_NA);
  }
  if (s->how & RETRY_WRITES_PLAIN)
    put(k(w->plain), value, ORD_NA);
}

static void have_kept(const struct step *s) {
  if (s->how & RETRY_LOOKS && s->how & RETRY_KEEPS)
    emit(OP_mov, R, KEPT, 0, 0);
}

static void retry(const struct lowering *w, const struct step *s) {
  unsigned at = address(w, s->word);
  bool loads_inside = s->how & RETRY_LOADS_INSIDE;
  emit(OP_mov, ROUND, k(0), 0, 0);
  if (!loads_inside)
    get(at, s->order_fail);
  bool is_bounded = s->how & RETRY_IS_BOUNDED;
  unsigned rounds = is_bounded ? 2 : ROUNDS, left = w->is_unrolled ? rounds : 0;
  uint32_t head = here(), done[ROUNDS];
again:
  if (loads_inside)
    get(at, s->order_fail);
  look_and_write(w, s);
  compare_exchange(OLD, at, R, value_of(s->value, R), s,
                   s->how & RETRY_IS_WEAK);
  if (left == 1 && !is_bounded)
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
  uint32_t br = emit(OP_br, TEST_SLOT, 0, 0, 0), failed = here();
  emit(OP_mov, R, OLD, 0, 0);
  if (left) {
    done[--left] = br;
    if (left)
      goto again;
    for (unsigned i = 0; i < rounds; i++)
      P->code.at[done[i]].imm = imm_targets(here(), done[i] + 1);
    have_kept(s);
    return;
  }
  if (is_bounded) {
    emit(OP_add, ROUND, ROUND, k(1), 32);
    emit(OP_ult, TEST_SLOT, ROUND, k(2), 32);
    go_back_if_set(head);
  } else {
    emit(OP_jmp, 0, 0, 0, head);
  }
  P->code.at[br].imm = imm_targets(here(), failed);
  have_kept(s);
}

static void poll(const struct lowering *w, const struct step *s) {
  uint32_t head = here(), br = enter(w, s);
  get(address(w, s->word), s->order_fail ? ORD_ACQ : ORD_RLX);
  leave(w, s);
  emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
  go_back_if_set(head);
  if (br)
    end_if(br);
}

static void cut(struct lowering *w, const struct step *s) {
  if (w->is_marked) {
    sys(BI_abort, 0, 0, 0, 0);
    return;
  }
  uint32_t head;
  switch (s->how) {
  case CUT_CALLS:
    emit(OP_mov, ARGS, k(MOST_CALLS + 9), 0, 0);
    emit(OP_call, TEMP, ARGS, call_slots(1, 1), w->deep);
    break;
  case CUT_STEPS:
    emit(OP_mov, COUNT, k(MOST_STEPS), 0, 0);
    head = here();
    emit(OP_sub, COUNT, COUNT, k(1), 32);
    emit(OP_ne, TEST_SLOT, COUNT, k(0), 32);
    go_back_if_set(head);
    break;
  case CUT_STACK:
    emit(OP_local, TEMP, k(MOST_BYTES), 0, 8);
    emit(OP_store, TEMP, k(1), 0, access(ORD_NA));
    break;
  default:
    put(k(0), k(1), ORD_NA);
  }
}

// What a failed round of a loop that waits does besides.
static void look_on(const struct lowering *w, const struct step *s) {
  if (s->how & WAIT_FENCES)
    emit(OP_fence, 0, 0, 0, access(ORD_ACQREL));
  if (s->how & WAIT_LOOKS) {
    emit(OP_load, COUNT, k(w->words[s->value % 3]), 0, access(s->order_fail));
    if (!(s->how & WAIT_KEEPS))
      emit(OP_mov, COUNT, k(0), 0, 0); // nothing stays of it
  }
  if (s->how & WAIT_ADDS) {
    add(COUNT, k(w->words[s->value % 3]), 0, ORD_RLX);
    emit(OP_mov, COUNT, k(0), 0, 0);
  }
  if (s->how & WAIT_PUTS) {
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    put(OLD,
        s->how & WAIT_KEEPS && s->how & WAIT_LOOKS ? (unsigned)COUNT : k(1),
        ORD_NA);
  }
}

// The same inside a loop that waits for another word, if it is in one, of so
// many failed rounds.
static void look_inside(const struct lowering *w, const struct step *s,
                        unsigned left) {
  if (!s->lock) {
    look_on(w, s);
    return;
  }
  uint32_t head = here();
  get(address(w, WAIT_INSIDE), ORD_RLX);
  emit(OP_eq, TEST_SLOT, R, k(0), 32);
  if (w->is_unrolled && !left) {
    emit(OP_ne, TEST_SLOT, R, k(0), 32);
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
    return;
  }
  uint32_t br = if_set();
  look_on(w, s);
  if (w->is_unrolled)
    look_inside(w, s, left - 1);
  else
    emit(OP_jmp, 0, 0, 0, head);
  end_if(br);
}

// Each round begins with this, and the last one.
static void look_first(const struct lowering *w, const struct step *s) {
  if (s->how & WAIT_BEGINS) {
    emit(OP_load, COUNT, k(w->words[s->value % 3]), 0, access(ORD_RLX));
    emit(OP_mov, COUNT, k(0), 0, 0);
  }
}

static void wait_in_rounds(const struct lowering *w, const struct step *s,
                           unsigned at, unsigned left) {
  look_first(w, s);
  get(at, s->order);
  emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
  if (left) {
    uint32_t br = if_set();
    look_inside(w, s, ROUNDS - 1);
    wait_in_rounds(w, s, at, left - 1);
    end_if(br);
  } else {
    emit(OP_ne, TEST_SLOT, R, k(s->other), 32);
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
  }
}

static void wait_for(const struct lowering *w, const struct step *s,
                     unsigned at) {
  if (w->is_unrolled) {
    wait_in_rounds(w, s, at, ROUNDS - 1);
    return;
  }
  uint32_t head = here();
  if (s->how & WAIT_YIELDS)
    sys(BI_yield, 0, 0, 0, 0);
  look_first(w, s);
  get(at, s->order);
  emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
  if (s->how & (WAIT_LOOKS | WAIT_FENCES | WAIT_PUTS | WAIT_ADDS)) {
    uint32_t br = if_set();
    look_inside(w, s, 0);
    emit(OP_jmp, 0, 0, 0, head);
    end_if(br);
  } else {
    go_back_if_set(head);
  }
}

// What a round sees, in COUNT, is gathered in ROUND. The jump that ends the
// loop, or 0.
static uint32_t gather_once(const struct lowering *w, const struct step *s) {
  uint64_t at = w->words[s->value % 3];
  if (s->how & GATHER_STEP) {
    emit(OP_mov, COUNT, R, 0, 0);
  } else if (s->how & GATHER_CHOOSES) {
    call(BI_choose, COUNT, 1, (uint64_t[]){0, 1}, 2);
  } else if (s->how & GATHER_UPDATES) {
    emit(OP_rmw_load, COUNT, k(at), 0, access(s->order_fail));
    emit(OP_or, TEMP, COUNT, k(2), 32);
    emit(OP_rmw_store, k(at), TEMP, 0, access(s->order_fail));
  } else {
    emit(OP_load, COUNT, k(at), 0, access(s->order_fail));
  }
  if (s->how & GATHER_LAST)
    emit(OP_mov, ROUND, COUNT, 0, 0);
  else
    emit(s->how & GATHER_BITS ? OP_or : OP_add, ROUND, ROUND, COUNT, 32);
  if (s->how & GATHER_PUTS) {
    emit(OP_ne, TEST_SLOT, COUNT, k(0), 32);
    uint32_t br = if_set();
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    put(OLD, COUNT, ORD_NA);
    end_if(br);
  }
  if (!(s->how & GATHER_ENDS))
    return 0;
  emit(OP_ne, TEST_SLOT, COUNT, k(0), 32);
  return if_set();
}

// TEST_SLOT: is what is waited for there?
static void has_come(const struct lowering *w, const struct step *s) {
  emit(OP_load, TEMP, address(w, s->word), 0, access(s->order));
  emit(OP_ne, TEST_SLOT, TEMP, k(s->other), 32);
}

static void gather(const struct lowering *w, const struct step *s) {
  enum { MOST_ENDS = 2 * ROUNDS };
  uint32_t ends[MOST_ENDS], n = 0;
  bool is_first = s->how & GATHER_FIRST;
  emit(OP_mov, ROUND, k(0), 0, 0);
  uint32_t head = here();
  for (unsigned left = w->is_unrolled ? ROUNDS : 1; left > 0; left--)
    for (unsigned i = 0; i < 2; i++) {
      uint32_t end;
      if (is_first == !i) {
        end = gather_once(w, s);
      } else {
        has_come(w, s);
        end = if_set();
      }
      if (end)
        ends[n++] = end;
    }
  if (w->is_unrolled)
    sys(BI_assume, 0, 0, k(0), 1);
  emit(OP_jmp, 0, 0, 0, head);
  for (unsigned i = 0; i < n; i++)
    P->code.at[ends[i]].imm = imm_targets(here(), ends[i] + 1);
  emit(OP_mov, R, ROUND, 0, 0);
  if (s->how & GATHER_PUTS) {
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    emit(OP_load, COUNT, OLD, 0, access(ORD_NA));
    emit(OP_add, R, R, COUNT, 32);
    emit(OP_add, R, R, COUNT, 32);
  }
}

static void beside(const struct lowering *w, const struct step *s) {
  bool is_narrow = s->how & ACCESS_IS_NARROW;
  unsigned at = k(w->plain + (is_narrow ? s->value % 4u : 0));
  uint64_t how = access_imm(is_narrow ? 1 : 4, ORD_RLX);
  if (s->how & BESIDE_STORES) {
    emit(OP_store, at, k(1), 0, how);
  } else if (s->how & BESIDE_ADDS) {
    emit(OP_rmw_load, COUNT, at, 0, how);
    emit(OP_add, COUNT, COUNT, k(1), is_narrow ? 8 : 32);
    emit(OP_rmw_store, at, COUNT, 0, how);
  } else {
    emit(OP_load, COUNT, at, 0, how);
  }
}

static void emit_access(const struct lowering *w, const struct step *s) {
  unsigned at = address(w, s->word);
  switch (s->kind) {
  case STEP_LOAD:
    emit(OP_load, R, at, 0,
         access_imm(s->how & ACCESS_IS_NARROW ? 1 : 4, s->order));
    break;
  case STEP_STORE:
    emit(OP_store, at, value_of(s->value, R), 0,
         access_imm(s->how & ACCESS_IS_NARROW ? 1 : 4, s->order));
    break;
  case STEP_ADD:
    add(R, at, s->value - 1, s->order);
    break;
  case STEP_SWAP: {
    unsigned value = value_of(s->value, R);
    if (value == R) {
      emit(OP_mov, TEMP, R, 0, 0);
      value = TEMP;
    }
    swap(R, at, value, s->order);
    break;
  }
  case STEP_CAS: {
    unsigned value = value_of(s->value, R);
    if (value == R) {
      emit(OP_mov, TEMP, R, 0, 0);
      value = TEMP;
    }
    compare_exchange(R, at, k(s->other), value, s, /*is_weak=*/false);
    break;
  }
  case STEP_WAIT:
    wait_for(w, s, at);
    break;
  case STEP_ASSUME:
    get(at, s->order);
    emit(OP_ne, TEST_SLOT, R, k(s->other), 32);
    sys(BI_assume, 0, 0, TEST_SLOT, 1);
    break;
  default: // STEP_EXPECT
    get(at, s->order);
    fail_if(R, s->other);
  }
}

static void emit_around(struct lowering *w, const struct step *s) {
  uint32_t br = 0, head = 0;
  if (s->kind == STEP_SECTION) {
    br = enter(w, s);
  } else if (s->kind == STEP_IF) {
    emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
    br = if_set();
  } else {
    emit(OP_mov, LEFT, k(s->other), 0, 0);
    head = here();
  }
  emit_steps(w, s + 1, s->inside);
  if (s->kind == STEP_SECTION)
    leave(w, s);
  if (s->kind == STEP_REPEAT) {
    emit(OP_sub, LEFT, LEFT, k(1), 32);
    emit(OP_ne, TEST_SLOT, LEFT, k(0), 32);
    go_back_if_set(head);
  }
  if (br)
    end_if(br);
}

static void create(struct lowering *w, unsigned t) {
  uint64_t element = w->sketch->element_of[t];
  emit(OP_mov, ARGS, k(prog_func_address(P, w->funcs[w->sketch->kind_of[t]])),
       0, 0);
  emit(OP_mov, ARGS + 1,
       k(w->sketch->has_numbers ? element : w->elements + STRIDE * element), 0,
       0);
  sys(BI_spawn, IDS + t, 1, ARGS, 2);
  w->was_created[t] = true;
}

static void emit_step(struct lowering *w, const struct step *s) {
  switch ((enum step_kind)s->kind) {
  case STEP_FENCE:
    emit(OP_fence, 0, 0, 0, access(s->order));
    break;
  case STEP_GET:
    get(k(w->plain), ORD_NA);
    break;
  case STEP_PUT:
    put(k(w->plain), R, ORD_NA);
    break;
  case STEP_PEEK:
    get(k(w->elements + STRIDE * s->other + PLAIN), ORD_NA);
    break;
  case STEP_OWN:
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    put(OLD, R, ORD_NA);
    break;
  case STEP_RETRY:
    retry(w, s);
    break;
  case STEP_POLL:
    poll(w, s);
    break;
  case STEP_SECTION:
  case STEP_IF:
  case STEP_REPEAT:
    emit_around(w, s);
    break;
  case STEP_POST:
    call(BI_give, 0, 0, (uint64_t[]){w->locks[s->lock], 1}, 2);
    break;
  case STEP_FAIL:
    fail();
    break;
  case STEP_CUT:
    cut(w, s);
    break;
  case STEP_MEET:
    meet(w);
    break;
  case STEP_SLEEP:
    sleep_step(w, s);
    break;
  case STEP_WAKE:
    wake(w, s);
    break;
  case STEP_CHOOSE:
    call(BI_choose, R, 1, (uint64_t[]){0, 1}, 2);
    break;
  case STEP_PUBLISH:
    publish(w, s);
    break;
  case STEP_LOOK_AT:
  case STEP_RETIRE:
    use_node(w, s);
    break;
  case STEP_EXIT:
    sys(BI_exit, 0, 0, k(0), 1);
    break;
  case STEP_CREATE:
    create(w, s->other);
    break;
  case STEP_JOIN:
    if (w->was_created[s->other])
      sys(BI_join, w->sketch->has_results ? R : TEMP, 1, IDS + s->other, 1);
    break;
  case STEP_DETACH:
    if (w->was_created[s->other])
      sys(BI_detach, 0, 0, IDS + s->other, 1);
    break;
  case STEP_LEAVE:
    emit(OP_mov, ARGS, R, 0, 0);
    emit(OP_mov, ARGS + 1, k(0), 0, 0);
    sys(BI_thread_exit, 0, 0, ARGS, 2);
    break;
  case STEP_CHECK:
    fail_if(R, s->other);
    break;
  case STEP_GATHER:
    gather(w, s);
    break;
  case STEP_BESIDE:
    beside(w, s);
    break;
  case STEP_BITS:
    bits(w, s);
    break;
  case STEP_LINKED:
    load_and_store(w, s);
    break;
  case STEP_SELECT:
    emit(OP_eq, TEST_SLOT, s->how & SELECT_ASKS_KEPT ? KEPT : R, k(s->other),
         32);
    emit(OP_and, OLD, R, k(1), 32);
    emit(s->how & SELECT_PICKS ? OP_pick : OP_select, R, TEST_SLOT,
         s->how & SELECT_OF_BOTH ? (unsigned)R : k(s->value),
         s->how & SELECT_OF_BOTH ? KEPT : OLD);
    break;
  case STEP_KEEP:
    emit(OP_mov, KEPT, R, 0, 0);
    break;
  default:
    emit_access(w, s);
  }
}

static void emit_steps(struct lowering *w, const struct step *s, unsigned n) {
  for (unsigned i = 0; i < n; i += 1u + s[i].inside)
    emit_step(w, &s[i]);
}

// -- functions

static void begin_thread(struct lowering *w, uint32_t f) {
  memset(w->was_created, 0, sizeof w->was_created);
  prog_begin_func(P, f);
  emit(OP_mov, R, k(0), 0, 0);
  emit(OP_mov, KEPT, k(0), 0, 0);
}

static void emit_thread(struct lowering *w, unsigned kind) {
  const struct thread_sketch *t = &w->sketch->kinds[kind];
  begin_thread(w, w->funcs[kind]);
  if (w->sketch->has_numbers) {
    emit(OP_mul, OLD, ARGUMENT, k(STRIDE), 64);
    emit(OP_add, OWN, k(w->elements), OLD, 64);
  } else {
    emit(OP_mov, OWN, ARGUMENT, 0, 0);
  }
  emit_steps(w, t->at, t->len);
  if (t->tells) {
    emit(OP_add, OLD, OWN, k(TOLD), 64);
    put(OLD, R, ORD_RLX);
  }
  ret(w->sketch->has_results ? R : k(0));
}

// Each final state breaks an assertion at a place of its own, so errors are
// outcomes.
static void emit_outcome(const struct lowering *w) {
  uint64_t at[3 + 2 * SKETCH_ELEMENTS];
  unsigned n = 0;
  for (unsigned i = 0; i < 3; i++)
    at[n++] = w->words[i];
  for (unsigned i = 0; i < SKETCH_ELEMENTS; i++) {
    at[n++] = w->elements + STRIDE * i;
    at[n++] = w->elements + STRIDE * i + TOLD;
  }
  emit(OP_mov, COUNT, k(0), 0, 0);
  for (unsigned i = 0; i < n; i++) {
    get(k(at[i]), ORD_RLX);
    emit(OP_mul, COUNT, COUNT, k(5), 32);
    emit(OP_add, COUNT, COUNT, R, 32);
  }
  emit(OP_urem, COUNT, COUNT, k(SKETCH_OUTCOMES - 3), 32);
  for (unsigned i = 0; i < SKETCH_OUTCOMES - 3; i++)
    fail_if(COUNT, i);
}

static void emit_main(struct lowering *w, uint32_t f) {
  const struct thread_sketch *t = &w->sketch->main;
  begin_thread(w, f);
  emit(OP_mov, OWN, k(w->elements), 0, 0);
  for (unsigned i = 0; i < SKETCH_LOCKS; i++)
    if (w->sketch->locks[i] == LOCK_SEMAPHORE)
      store(w->locks[i], k(w->sketch->permits), 4);
  emit_steps(w, t->at, t->len);
  if (w->sketch->has_outcome)
    emit_outcome(w);
  ret(k(0));
}

// deep(n) = n ? deep(n - 1) : 0
static void emit_deep(uint32_t f) {
  enum { N, TO };
  prog_begin_func(P, f);
  uint32_t br = emit(OP_br, N, 0, 0, 0);
  emit(OP_sub, TO, N, k(1), 32);
  emit(OP_call, TO, TO, call_slots(1, 1), f);
  end_if(br);
  ret(k(0));
}

static void add_globals(struct lowering *w) {
  static const char *const names[] = {"x", "y", "z"};
  for (unsigned i = 0; i < 3; i++)
    w->words[i] = global(names[i], 4);
  w->elements = global("el", STRIDE * SKETCH_ELEMENTS);
  w->plain = global("plain", 4);
  for (unsigned i = 0; i < SKETCH_LOCKS; i++) {
    w->locks[i] = global("lock", 4);
    w->owners[i] = global("owner", 4);
  }
  w->arrived = global("arrived", 4);
  w->opened = global("opened", 4);
  w->mutex = global("mutex", 4);
  w->waiting = global("waiting", 8);
  w->woken = global("woken", 4 * (1 + SKETCH_THREADS));
  w->node = global("node", 8);
}

void sketch_limit(struct vm_config *machine) {
  machine->max_calls = MOST_CALLS;
  machine->max_steps = MOST_STEPS;
  machine->max_private = MOST_BYTES;
}

struct prog *sketch_lower(const struct sketch *p, unsigned how) {
  bool is_marked = how & LOWER_MARKED;
  struct lowering w = {
      .sketch = p, .is_marked = is_marked, .is_unrolled = how & LOWER_UNROLLED};
  struct diag why;
  begin();
  add_globals(&w);
  uint32_t main_func = func("main", 0, 1);
  bool has_deep = sketch_has(p, STEP_CUT) && !is_marked;
  if (has_deep)
    w.deep = func("deep", 1, 1);
  for (unsigned i = 0; i < p->nkinds; i++)
    w.funcs[i] = func("thread", 1, 1);
  if (has_deep)
    emit_deep(w.deep);
  for (unsigned i = 0; i < p->nkinds; i++)
    emit_thread(&w, i);
  emit_main(&w, main_func);
  if (!prog_finish(P, &why))
    fatal_internal(__FILE__, __LINE__, why.text);
  return P;
}
