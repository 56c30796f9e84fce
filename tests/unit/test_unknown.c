// SPDX-License-Identifier: MIT
// Steps that know less (vm/unknown.c): what a thread does with some values is
// among what it does if it is not told all of them. Random threads run with
// random values, and next to that blindly, in all ways at once.
#include "unit/machine.h"

enum {
  REGS = 6,
  MEMORY = 7,
  POINTER = 8,
  LENGTH = 30,
  CELLS = 4,
  MOST_STEPS = 60,
  MOST_STATES = 200
};

static uint64_t seed;
static struct vm *blind;

static unsigned below(unsigned n) {
  return (unsigned)(next_random(&seed) % n);
}

static unsigned any(void) {
  return below(REGS);
}

// POINTER := a cell; now and then one that depends on a register.
static void random_pointer(unsigned base) {
  if (below(8)) {
    emit(OP_add, POINTER, base, k(8 * below(CELLS)), 64);
    return;
  }
  emit(OP_and, POINTER, any(), k(CELLS - 1), 0);
  emit(OP_shl, POINTER, POINTER, k(3), 64);
  emit(OP_add, POINTER, POINTER, base, 64);
}

// The number of a register becomes small, so that much of it is known.
static void random_bits(void) {
  static const enum op ops[] = {OP_and, OP_or, OP_lshr, OP_shl};
  unsigned r = any();
  emit(ops[below(4)], r, r, k(1 + below(3)), 64);
}

static void random_update(uint64_t x) {
  static const enum op ops[] = {OP_add, OP_xor, OP_or};
  uint64_t imm = access_imm(8, ORD_RLX);
  unsigned to = any();
  random_pointer(below(3) ? k(x) : MEMORY);
  if (below(2)) {
    unsigned expected = (to + 1 + below(REGS - 1)) % REGS, ok = any();
    emit(OP_cas_load, to, POINTER, expected, imm);
    emit(OP_cas_store, POINTER, any(), expected, imm);
    emit(OP_cas_ok, ok, to, expected, 64);
    return;
  }
  emit(OP_rmw_load, to, POINTER, 0, imm);
  emit(ops[below(3)], to, to, any(), 64);
  emit(OP_rmw_store, POINTER, to, 0, imm);
}

static void random_switch(unsigned number) {
  uint32_t table = prog_add_table(P, number + 2);
  for (unsigned i = 0; i < 2; i++)
    prog_add_case(P, i, number + 1 + below(3));
  emit(OP_switch, any(), 0, 0, table);
}

static void random_insn(uint64_t x, unsigned number) {
  static const enum op ops[] = {OP_add, OP_sub, OP_mul,     OP_xor,
                                OP_and, OP_or,  OP_ult,     OP_slt,
                                OP_eq,  OP_ne,  OP_uadd_ov, OP_umulh};
  switch (below(14)) {
  case 0:
  case 1:
  case 2:
    emit(ops[below(12)], any(), any(), any(), 64);
    break;
  case 3:
    emit(OP_select, any(), any(), any(), any());
    break;
  case 4: // over one or two of the next ones
  case 5:
    emit(OP_br, any(), 0, 0, number + 2 + below(2));
    break;
  case 6:
    random_switch(number);
    break;
  case 7:
    random_pointer(k(x));
    get(any(), POINTER, 8);
    break;
  case 8:
    random_pointer(k(x));
    put(POINTER, any(), 8);
    break;
  case 9:
    random_pointer(MEMORY);
    get(any(), POINTER, below(2) ? 8 : 4);
    break;
  case 10:
    random_pointer(MEMORY);
    put(POINTER, any(), below(2) ? 8 : 4);
    break;
  case 11:
    random_update(x);
    break;
  case 12:
    random_bits();
    break;
  case 13:
    emit(OP_mov, any(), k(below(3)), 0, 0);
    break;
  }
}

// Branches were emitted with the number of the piece of code that they go to.
static void set_targets(uint32_t from, const uint32_t *start) {
  for (uint32_t pc = from; pc < P->code.len; pc++)
    if (P->code.at[pc].op == OP_br)
      P->code.at[pc].imm = imm_targets(start[P->code.at[pc].imm], pc + 1);
  for (uint32_t i = 0; i < P->tables.len; i++)
    P->tables.at[i].other = start[P->tables.at[i].other];
  for (uint32_t i = 0; i < P->cases.len; i++)
    P->cases.at[i].target = start[P->cases.at[i].target];
}

static void random_program(void) {
  uint32_t start_of[LENGTH + 4];
  begin_main();
  uint64_t x = global("x", 8 * CELLS);
  uint32_t from = P->code.len;
  for (unsigned i = 0; i < REGS; i++)
    emit(OP_mov, i, k(i), 0, 0);
  local_of(MEMORY, 8 * CELLS);
  emit(OP_fill, MEMORY, k(0), k(8 * CELLS), 0);
  for (unsigned i = 0; i < LENGTH; i++) {
    start_of[i] = P->code.len;
    random_insn(x, i);
  }
  for (unsigned i = LENGTH; i < LENGTH + 4; i++)
    start_of[i] = P->code.len;
  ret(any());
  set_targets(from, start_of);
  start();
  blind = vm_new_blind(P, vm_config_of(V), /*passes_by=*/false);
}

struct set {
  state_id at[MOST_STATES];
  unsigned len;
};

static void add(struct set *s, state_id id) {
  for (unsigned i = 0; i < s->len; i++)
    if (s->at[i] == id)
      return;
  if (s->len < MOST_STATES)
    s->at[s->len++] = id;
}

static bool is_lost(const struct set *s) {
  for (unsigned i = 0; i < s->len; i++) {
    const struct access *a = vm_access(blind, s->at[i]);
    if (a->kind == ACC_ERROR && a->value == FIND_UNINITIALIZED)
      return true;
  }
  return s->len == MOST_STATES;
}

static bool has_place(const struct access *a) {
  return access_has_location(a);
}

// Could the access of the thread that sees be that of the blind one?
static bool covers(const struct access *b, const struct access *a) {
  if (b->kind != a->kind || b->order != a->order)
    return false;
  if (has_place(a) &&
      vm_location(blind, b->loc)->address != vm_location(V, a->loc)->address)
    return false;
  bool has_value =
      a->kind == ACC_WRITE || a->kind == ACC_RMW_WRITE || a->kind == ACC_END;
  if (!has_value)
    return true;
  uint64_t unknown[2] = {0};
  if (b->flags & ACCF_UNINIT)
    vm_wide_get(blind, b->value2, &unknown[0], &unknown[1]);
  return ((b->value ^ a->value) & ~unknown[0]) == 0;
}

static bool is_read(const struct access *a) {
  return a->kind == ACC_READ || a->kind == ACC_RMW_READ ||
         a->kind == ACC_CAS_READ;
}

// Goes on with all states that are like that of the thread that sees. False:
// the blind one could do anything.
static bool go_on(struct set *now, const struct access *a, uint64_t value,
                  bool is_told) {
  struct set next = {.len = 0};
  struct vm_ways ways = {0};
  bool ok = true;
  for (unsigned i = 0; i < now->len && ok; i++) {
    state_id s = now->at[i];
    if (!covers(vm_access(blind, s), a))
      continue;
    if (a->kind == ACC_CAS_READ)
      s = vm_decided(blind, s, value == a->value);
    bool is_unknown = is_read(a) && (!is_told || a->kind == ACC_CAS_READ);
    ok = vm_step_blindly(blind, s, is_unknown ? 0 : value,
                         is_unknown ? UNDEF_ALL : UNDEF_NONE, &ways);
    for (uint32_t n = 0; n < ways.len; n++)
      add(&next, ways.at[n]);
  }
  array_done(&ways);
  *now = next;
  return ok && !is_lost(now);
}

// True: it went to its end.
static bool run(void) {
  state_id s = vm_main(V);
  struct set now = {.at = {vm_main(blind)}, .len = 1};
  for (unsigned i = 0; i < MOST_STEPS; i++) {
    const struct access a = *at(s);
    bool found = false;
    if (is_lost(&now))
      return false;
    for (unsigned n = 0; n < now.len && !found; n++)
      found = covers(vm_access(blind, now.at[n]), &a);
    CHECK(found, "step %u: access %u of %u states", i, a.kind, now.len);
    if (!found || a.kind == ACC_END || a.kind == ACC_ERROR)
      return found;
    uint64_t value = a.kind == ACC_CAS_READ && below(2) ? a.value
                     : is_read(&a)                      ? below(4)
                                                        : 0;
    if (!go_on(&now, &a, value, /*is_told=*/below(3) == 0))
      return false;
    s = vm_step(V, s, value);
  }
  return true;
}

TEST(random_threads) {
  unsigned ended = 0;
  for (seed = 1; seed <= 3000; seed++) {
    uint64_t number = seed;
    seed *= 7919;
    random_program();
    for (unsigned i = 0; i < 4; i++)
      ended += run();
    vm_free(blind);
    finish();
    seed = number;
  }
  printf("# %u of 12000 runs to their ends\n", ended);
  CHECK(ended > 3000, "only %u", ended);
}

// A branch that depends on what was read goes both ways, and a loop without end
// has an end.
TEST(ways) {
  struct vm_ways ways = {0};
  begin_main();
  uint64_t x = global("x", 8), y = global("y", 8);
  get(0, k(x), 8);
  uint32_t pc = emit(OP_br, 0, 0, 0, 0);
  put(k(y), 0, 8);
  put(k(x), k(7), 8);
  P->code.at[pc].imm = imm_targets(pc + 1, pc + 2);
  ret(0);
  start();
  blind = vm_new_blind(P, vm_config_of(V), /*passes_by=*/false);
  CHECK(vm_step_blindly(blind, vm_main(blind), 0, UNDEF_ALL, &ways), "ways");
  CHECK_EQ(ways.len, 2, "ways");
  for (unsigned i = 0; i < ways.len; i++)
    CHECK_EQ(vm_access(blind, ways.at[i])->kind, ACC_WRITE, "a write");
  CHECK(vm_step_blindly(blind, vm_main(blind), 1, UNDEF_NONE, &ways), "ways");
  CHECK_EQ(ways.len, 1, "a known value");
  array_done(&ways);
  vm_free(blind);
  finish();
}

TEST(address) {
  struct vm_ways ways = {0};
  begin_main();
  uint64_t x = global("x", 8);
  get(0, k(x), 8);
  get(1, 0, 8);
  ret(1);
  start();
  blind = vm_new_blind(P, vm_config_of(V), /*passes_by=*/false);
  CHECK(vm_step_blindly(blind, vm_main(blind), 0, UNDEF_ALL, &ways), "ways");
  CHECK_EQ(ways.len, 1, "ways");
  const struct access *a = vm_access(blind, ways.at[0]);
  CHECK(a->kind == ACC_ERROR && a->value == FIND_UNINITIALIZED, "unknown");
  array_done(&ways);
  vm_free(blind);
  finish();
}
