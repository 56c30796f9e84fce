// SPDX-License-Identifier: MIT
// Dependencies of random threads, judged by what a dependency means: if another
// value read at some place changes an access, the access depends on that place.
// Two runs get the same values except at one place; up to the first access that
// differs, everything else was the same, so the difference comes from there.
#include "unit/machine.h"
#include "vm/deps.h"

enum { REGS = 6, MEMORY = 7, POINTER = 8, LENGTH = 40, MOST = 64, CELLS = 4 };

static uint64_t seed;

static unsigned below(unsigned n) {
  return (unsigned)(next_random(&seed) % n);
}

static unsigned any(void) {
  return below(REGS);
}

// POINTER := base + 8 * (a register mod CELLS), or a constant cell.
static void random_pointer(unsigned base) {
  if (below(2)) {
    emit(OP_add, POINTER, base, k(8 * below(CELLS)), 64);
    return;
  }
  emit(OP_and, POINTER, any(), k(CELLS - 1), 0);
  emit(OP_shl, POINTER, POINTER, k(3), 64);
  emit(OP_add, POINTER, POINTER, base, 64);
}

static void random_update(uint64_t x) {
  static const enum op ops[] = {OP_add, OP_xor, OP_or};
  uint64_t imm = access_imm(8, ORD_RLX);
  unsigned to = any();
  unsigned base = below(3) ? k(x) : MEMORY;
  random_pointer(base);
  if (below(2)) {
    unsigned expected = any();
    emit(OP_cas_load, to, POINTER, expected, imm);
    emit(OP_cas_store, POINTER, any(), expected, imm);
    return;
  }
  emit(OP_rmw_load, to, POINTER, 0, imm);
  emit(ops[below(3)], to, to, any(), 64);
  emit(OP_rmw_store, POINTER, to, 0, imm);
}

// Piece `number` of a function; `f` is what it may call, 0: nothing.
static void random_insn(uint64_t x, uint32_t f, unsigned number) {
  static const enum op ops[] = {OP_add, OP_sub, OP_xor, OP_and, OP_ult, OP_eq};
  switch (below(14)) {
  case 0:
  case 1:
  case 2:
    emit(ops[below(6)], any(), any(), any(), 64);
    break;
  case 3:
    emit(OP_select, any(), any(), any(), any());
    break;
  case 4: // over one or two of the next ones
    emit(OP_br, any(), 0, 0, number + 2 + below(2));
    break;
  case 5:
    random_pointer(k(x));
    get(any(), POINTER, 8);
    break;
  case 6:
    random_pointer(k(x));
    put(POINTER, any(), 8);
    break;
  case 7:
    random_pointer(MEMORY);
    get(any(), POINTER, 8);
    break;
  case 8:
  case 9:
    random_pointer(MEMORY);
    put(POINTER, any(), 8);
    break;
  case 10:
    random_update(x);
    break;
  case 11:
    if (f)
      emit(OP_call, any(), below(REGS - 1), call_slots(2, 1), f);
    break;
  case 12: // between private and shared memory, or inside one of them
    random_pointer(MEMORY);
    emit(OP_copy, below(2) ? POINTER : k(x), below(2) ? POINTER : k(x + 8),
         k(8), 8);
    break;
  case 13:
    emit(OP_mov, any(), k(below(3)), 0, 0);
    break;
  }
}

// Branches go to the start of a later piece of code: they were emitted with its
// number, the other target is what follows.
static void random_body(uint64_t x, uint32_t f, unsigned length) {
  uint32_t from = P->code.len, start[LENGTH + 4];
  local_of(MEMORY, 8 * CELLS);
  emit(OP_fill, MEMORY, k(0), k(8 * CELLS), 0);
  for (unsigned i = 0; i < length; i++) {
    start[i] = P->code.len;
    random_insn(x, f, i);
  }
  for (unsigned i = length; i < length + 4; i++)
    start[i] = P->code.len;
  ret(any());
  for (uint32_t pc = from; pc < P->code.len; pc++)
    if (P->code.at[pc].op == OP_br)
      P->code.at[pc].imm = imm_targets(start[P->code.at[pc].imm], pc + 1);
}

static void random_program(void) {
  begin();
  uint64_t x = global("x", 8 * CELLS);
  func("main", 0, 1);
  uint32_t f = func("f", 2, 1);
  for (unsigned i = 2; i < REGS; i++)
    emit(OP_mov, i, k(i), 0, 0);
  random_body(x, 0, 8);
  prog_begin_func(P, 0);
  for (unsigned i = 0; i < REGS; i++)
    emit(OP_mov, i, k(i), 0, 0);
  random_body(x, f, LENGTH);
  start();
}

struct run {
  struct access access[MOST];
  struct deps deps[MOST];
  uint32_t place[MOST]; // of the access, if it becomes an event
  unsigned len;
};

static bool is_read(const struct access *a) {
  return a->kind == ACC_READ || a->kind == ACC_RMW_READ ||
         a->kind == ACC_CAS_READ;
}

// Value `i` is read at place i; at place `odd`, which is a read, another one.
static void run_thread(struct run *r, const uint64_t *value, uint32_t odd) {
  state_id s = vm_main(V);
  deps_id d = vm_deps_first(V);
  uint32_t place = 0;
  for (r->len = 0; r->len < MOST;) {
    const struct access a = *at(s);
    r->access[r->len] = a;
    r->deps[r->len] = vm_deps(V, d);
    r->place[r->len++] = place;
    if (a.kind == ACC_END || a.kind == ACC_ERROR)
      return;
    bool is_question = a.kind == ACC_CELL_SIZE;
    uint64_t given = is_question ? 8 : is_read(&a) ? value[place] : 0;
    given ^= place == odd && !is_question;
    state_id next = vm_step(V, s, given);
    d = vm_deps_step(V, d, s, given, UNDEF_NONE, place);
    s = next;
    place += !is_question;
  }
}

static bool depends(struct deps d, uint32_t place) {
  const struct sets *s = vm_sets(V);
  return set_contains(s, d.addr, place) || set_contains(s, d.data, place) ||
         set_contains(s, d.after, place);
}

// Where are both first different? They have to depend on the odd place.
static bool check_difference(const struct run *a, const struct run *b,
                             uint32_t odd) {
  for (unsigned i = 0; i < a->len && i < b->len; i++) {
    const struct access *x = &a->access[i], *y = &b->access[i];
    if (memcmp(x, y, sizeof *x) == 0)
      continue;
    const struct sets *s = vm_sets(V);
    struct deps d = a->deps[i];
    CHECK(depends(d, odd) && depends(b->deps[i], odd),
          "access %u does not depend on place %u", i, odd);
    if (x->kind == y->kind && x->loc == y->loc)
      CHECK(set_contains(s, d.data, odd) || set_contains(s, d.after, odd),
            "its value");
    if (x->kind == y->kind && x->value == y->value)
      CHECK(set_contains(s, d.addr, odd) || set_contains(s, d.after, odd),
            "its address");
    return true;
  }
  return false;
}

// Sets know no values: on the same path they are the same, unless they depend
// on the odd place in both runs (which private byte was meant?).
static void check_same_sets(const struct run *a, const struct run *b,
                            uint32_t odd) {
  const struct sets *s = vm_sets(V);
  for (unsigned i = 0; i < a->len && i < b->len; i++) {
    const set_id x[] = {a->deps[i].after, a->deps[i].addr, a->deps[i].data};
    const set_id y[] = {b->deps[i].after, b->deps[i].addr, b->deps[i].data};
    if (set_contains(s, x[0], odd) && set_contains(s, y[0], odd))
      return; // another path
    for (unsigned j = 0; j < 3; j++)
      CHECK(x[j] == y[j] ||
                (set_contains(s, x[j], odd) && set_contains(s, y[j], odd)),
            "access %u, set %u", i, j);
  }
}

TEST(what_changes_an_access_is_a_dependency) {
  static struct run plain, other;
  unsigned differences = 0, reads = 0;
  for (unsigned n = 1; n <= 3000; n++) {
    seed = n;
    random_program();
    uint64_t value[MOST];
    for (unsigned i = 0; i < MOST; i++)
      value[i] = below(3);
    run_thread(&plain, value, UINT32_MAX);
    for (unsigned i = 0; i < plain.len; i++) {
      if (!is_read(&plain.access[i]))
        continue;
      run_thread(&other, value, plain.place[i]);
      reads++;
      differences += check_difference(&plain, &other, plain.place[i]);
      check_same_sets(&plain, &other, plain.place[i]);
    }
    finish();
  }
  CHECK(reads > 10000 && differences > reads / 4, "%u of %u reads mattered",
        differences, reads);
}
