// SPDX-License-Identifier: MIT
// See sketch.h: loops that try again, wait or gather, in bytecode. Each is also
// there without a loop, as some rounds of it, which has no round to leave out.
#include "sketch_lower.h"

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

void lower_retry(const struct lowering *w, const struct step *s) {
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

void lower_poll(const struct lowering *w, const struct step *s) {
  uint32_t head = here(), br = lower_enter(w, s);
  get(address(w, s->word), s->order_fail ? ORD_ACQ : ORD_RLX);
  lower_leave(w, s);
  emit(OP_eq, TEST_SLOT, R, k(s->other), 32);
  go_back_if_set(head);
  if (br)
    end_if(br);
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

void lower_wait(const struct lowering *w, const struct step *s, unsigned at) {
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

void lower_gather(const struct lowering *w, const struct step *s) {
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

void lower_count(const struct lowering *w, const struct step *s) {
  unsigned at = address(w, s->word);
  emit(OP_mov, ROUND, k(0), 0, 0);
  if (s->how & COUNT_BEGINS)
    emit(OP_mov, R, k(0), 0, 0);
  else
    get(at, s->order_fail);
  uint32_t head = here();
  if (s->how & COUNT_PUTS) {
    emit(OP_add, OLD, OWN, k(PLAIN), 64);
    put(OLD, ROUND, ORD_NA);
  }
  unsigned value =
      s->how & COUNT_WRITES ? (unsigned)ROUND : value_of(s->value, R);
  compare_exchange(OLD, at, R, value, s, /*is_weak=*/true);
  uint32_t br = if_set(), failed = here(), leaves = 0;
  if (s->how & COUNT_LOADS)
    get(at, s->order_fail);
  else if (!(s->how & COUNT_KEEPS))
    emit(OP_mov, R, OLD, 0, 0);
  if (s->how & COUNT_LEAVES) {
    emit(OP_and, TEST_SLOT, OLD, ROUND, 32);
    emit(OP_and, TEST_SLOT, TEST_SLOT, k(1), 32);
    leaves = if_set();
  }
  emit(OP_add, ROUND, ROUND, k(1), 32);
  emit(OP_ult, TEST_SLOT, ROUND, k(s->other), 32);
  go_back_if_set(head);
  P->code.at[br].imm = imm_targets(here(), failed);
  if (leaves)
    P->code.at[leaves].imm = imm_targets(here(), leaves + 1);
  if (s->how & COUNT_TELLS)
    emit(OP_mov, R, ROUND, 0, 0);
  if (s->how & COUNT_ASKS) {
    emit(OP_ult, TEST_SLOT, ROUND, k(s->other), 32);
    emit(OP_and, R, TEST_SLOT, k(1), 32);
  }
}
