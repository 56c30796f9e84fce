// SPDX-License-Identifier: MIT
// Dead private memory (bytecode/analysis/dead.c). Random threads with loops run
// twice, with the same values: once as always, once with states that keep all
// of private memory. Whatever is forgotten must not be missed, so they make the
// same accesses; and something must be forgotten, so that loops come back to
// states in which they were.
#include "unit/machine.h"

enum {
  REGS = 5, // 0..4: values
  INDEX = 5,
  TEST_REG = 6,
  POINTER = 7,
  MEMORY = 8, // two objects
  SMALL = 9,
  CELLS = 4,
  MOST = 48,
};

static uint64_t seed;

static unsigned below(unsigned n) {
  return (unsigned)(next_random(&seed) % n);
}

static unsigned any(void) {
  return below(REGS);
}

static void random_pointer(void) {
  if (below(3) == 0) {
    emit(OP_mov, POINTER, SMALL, 0, 0);
  } else if (below(4)) {
    emit(OP_add, POINTER, MEMORY, k(8 * below(CELLS)), 64);
  } else { // which one depends on what was read
    emit(OP_and, POINTER, any(), k(CELLS - 1), 0);
    emit(OP_shl, POINTER, POINTER, k(3), 64);
    emit(OP_add, POINTER, POINTER, MEMORY, 64);
  }
}

// Stores to some or all cells, one in each round.
static void random_inner_loop(uint64_t x) {
  unsigned first = below(3) == 0, last = below(3) ? CELLS : 1 + below(CELLS);
  emit(OP_mov, INDEX, k(first), 0, 0);
  uint32_t head = P->code.len;
  if (below(2))
    get(any(), k(x + 8 * below(CELLS)), 8);
  emit(OP_shl, POINTER, INDEX, k(3), 64);
  emit(OP_add, POINTER, MEMORY, POINTER, 64);
  put(POINTER, any(), 8);
  emit(OP_add, INDEX, INDEX, k(1), 64);
  if (below(6))
    emit(OP_ult, TEST_REG, INDEX, k(last), 64);
  else
    emit(OP_mov, TEST_REG, k(0), 0, 0);
  emit(OP_br, TEST_REG, 0, 0, imm_targets(head, P->code.len + 1));
}

static void random_piece(uint64_t x, uint32_t f) {
  switch (below(10)) {
  case 0:
  case 1:
    random_pointer();
    put(POINTER, any(), below(3) ? 8 : 4);
    break;
  case 2:
    if (below(2))
      random_inner_loop(x);
    break;
  case 3:
    emit(OP_add, any(), any(), any(), 64);
    break;
  case 4:
  case 5:
    get(any(), k(x + 8 * below(CELLS)), 8);
    break;
  case 6:
    emit(OP_copy, below(2) ? MEMORY : k(x), k(x + 8), k(8 * (1 + below(3))), 8);
    break;
  case 7:
    if (below(2))
      emit(OP_fill, MEMORY, any(), k(8 * (1 + below(CELLS))), 0);
    break;
  case 8: // it reads what it is given
    if (below(3) == 0)
      emit(OP_call, any(), MEMORY, call_slots(1, 1), f);
    break;
  case 9:
    if (below(3) == 0) {
      random_pointer();
      get(any(), POINTER, 8);
    }
    break;
  }
}

// Jumps over the next pieces, if what was read says so.
static void random_pieces(uint64_t x, uint32_t f, unsigned n) {
  uint32_t skip = UINT32_MAX;
  for (unsigned i = 0; i < n; i++) {
    if (below(4) == 0 && skip == UINT32_MAX) {
      skip = P->code.len;
      emit(OP_br, any(), 0, 0, 0);
    }
    random_piece(x, f);
  }
  if (skip != UINT32_MAX)
    P->code.at[skip].imm = imm_targets(P->code.len, skip + 1);
}

static void random_program(void) {
  begin();
  uint64_t x = global("x", 8 * CELLS);
  func("main", 0, 1);
  uint32_t f = func("f", 1, 1);
  get(1, 0, 8);
  ret(1);
  prog_begin_func(P, 0);
  for (unsigned i = 0; i < REGS; i++)
    emit(OP_mov, i, k(i), 0, 0);
  local_of(MEMORY, 8 * CELLS);
  local_of(SMALL, 8);
  if (below(2))
    emit(OP_fill, MEMORY, k(1), k(8 * CELLS), 0);
  if (below(2))
    emit(OP_fill, SMALL, k(1), k(8), 0);
  uint32_t head = P->code.len;
  get(0, k(x), 8);
  random_pieces(x, f, 2 + below(5));
  get(TEST_REG, k(x + 8), 8);
  emit(OP_br, TEST_REG, 0, 0, imm_targets(head, P->code.len + 1));
  for (unsigned i = 0; i < 4; i++) {
    random_pointer();
    get(any(), POINTER, 8);
    put(k(x), any(), 8);
  }
  ret(any());
}

static bool is_read(const struct access *a) {
  return a->kind == ACC_READ || a->kind == ACC_RMW_READ ||
         a->kind == ACC_CAS_READ;
}

struct run {
  struct access access[MOST];
  state_id state[MOST];
  unsigned len;
};

static void run_thread(struct vm *vm, const uint64_t *value, struct run *r) {
  state_id s = vm_main(vm);
  for (r->len = 0; r->len < MOST;) {
    const struct access a = *vm_access(vm, s);
    r->state[r->len] = s;
    r->access[r->len++] = a;
    if (a.kind == ACC_END || a.kind == ACC_ERROR)
      return;
    s = vm_step(vm, s,
                a.kind == ACC_CELL_SIZE ? 8
                : is_read(&a)           ? value[r->len]
                                        : 0);
  }
}

// States that the run came to more than once.
static unsigned returns(const struct run *r) {
  unsigned n = 0;
  for (unsigned i = 0; i < r->len; i++)
    for (unsigned j = 0; j < i; j++)
      if (r->state[i] == r->state[j]) {
        n++;
        break;
      }
  return n;
}

TEST(nobody_misses_what_is_forgotten) {
  static struct run some, all;
  unsigned few = 0, many = 0;
  for (unsigned n = 1; n <= 4000; n++) {
    seed = n;
    random_program();
    start();
    struct vm_config config = vm_config_default();
    config.keeps_dead = true;
    struct vm *keeper = vm_new(P, &config);
    for (unsigned i = 0; i < 4; i++) {
      uint64_t value[MOST + 1];
      for (unsigned v = 0; v <= MOST; v++)
        value[v] = below(3);
      run_thread(V, value, &some);
      run_thread(keeper, value, &all);
      CHECK(some.len == all.len && memcmp(some.access, all.access,
                                          some.len * sizeof *some.access) == 0,
            "program %u makes other accesses", n);
      few += returns(&all);
      many += returns(&some);
    }
    vm_free(keeper);
    finish();
  }
  CHECK(many > few + few / 10, "%u states came again, %u without", many, few);
}

// do { s = x[0]; for (i = 0; i < 4; i++) copy[i] = x[i]; } while (x[1] != s)
static void seqlock_reader(bool reads_first) {
  begin();
  uint64_t x = global("x", 8 * CELLS);
  func("main", 0, 1);
  local_of(MEMORY, 8 * CELLS);
  uint32_t head = P->code.len;
  get(0, k(x), 8);
  if (reads_first) {
    emit(OP_add, POINTER, MEMORY, k(16), 64);
    get(1, POINTER, 8);
    put(k(x), 1, 8);
  }
  emit(OP_mov, INDEX, k(0), 0, 0);
  uint32_t inner = P->code.len;
  emit(OP_shl, POINTER, INDEX, k(3), 64);
  emit(OP_add, POINTER, POINTER, k(x), 64);
  get(1, POINTER, 8);
  emit(OP_shl, POINTER, INDEX, k(3), 64);
  emit(OP_add, POINTER, POINTER, MEMORY, 64);
  put(POINTER, 1, 8);
  emit(OP_add, INDEX, INDEX, k(1), 64);
  emit(OP_ult, TEST_REG, INDEX, k(CELLS), 64);
  emit(OP_br, TEST_REG, 0, 0, imm_targets(inner, P->code.len + 1));
  get(1, k(x + 8), 8);
  emit(OP_ne, TEST_REG, 0, 1, 64);
  emit(OP_br, TEST_REG, 0, 0, imm_targets(head, P->code.len + 1));
  get(1, MEMORY, 8);
  ret(1);
  start();
}

static state_id round_of(state_id s, uint64_t value) {
  s = vm_step(V, s, 0);
  while (at(s)->kind == ACC_WRITE)
    s = vm_step(V, s, 0);
  for (unsigned i = 0; i < CELLS; i++)
    s = vm_step(V, s, value + i);
  return vm_step(V, s, 1); // it has changed
}

TEST(a_buffer_that_is_filled_anew_is_forgotten) {
  seqlock_reader(/*reads_first=*/false);
  state_id s = vm_main(V);
  CHECK_EQ(round_of(s, 10), s, "the first round is not forgotten");
  CHECK_EQ(round_of(s, 20), s, "another one is not");
  finish();
}

TEST(a_byte_that_is_read_first_is_kept) {
  seqlock_reader(/*reads_first=*/true);
  state_id s = vm_step(V, vm_main(V), 0); // it reads what nobody has written
  s = vm_step(V, s, 0);
  for (unsigned i = 0; i < CELLS; i++)
    s = vm_step(V, s, 10 + i);
  s = vm_step(V, s, 1);
  CHECK_EQ(at(vm_step(V, s, 0))->value, 12, "copy[2] is lost");
  state_id other = round_of(s, 20);
  CHECK(other != s, "copy[2] differs");
  CHECK_EQ(round_of(other, 10), s, "the other words do not matter");
  finish();
}
