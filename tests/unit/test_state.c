// SPDX-License-Identifier: MIT
// States: what the search sees of shared memory, copies that stop many times,
// interning and its bypass.
#include "unit/machine.h"
#include "vm/pool.h"

// -- shared memory

TEST(bad_addresses) {
  static const struct {
    uint64_t address;
    enum finding_kind kind;
    const char *text;
  } row[] = {
      {0, FIND_NULL_ACCESS, "read of 4 bytes through a null pointer"},
      {24, FIND_NULL_ACCESS, "a null pointer plus 24"},
      {UINT64_MAX, FIND_WILD_ACCESS, "no address"},
      {(uint64_t)0x9000 << 24, FIND_WILD_ACCESS, "no object"},
      {(uint64_t)INDEX_FUNC << 24, FIND_WILD_ACCESS, "(function `main`)"},
      {(uint64_t)INDEX_CODE << 24, FIND_WILD_ACCESS, "code"},
      {(1 << 24) + 40, FIND_OUT_OF_BOUNDS, "offset 40 of `x`, which has 40"},
      {(1 << 24) + 38, FIND_OUT_OF_BOUNDS, "offset 38 of `x`"},
      {(1 << 24) - 4, FIND_OUT_OF_BOUNDS, "4 bytes before `x`"},
      {(2 << 24) - 8, FIND_OUT_OF_BOUNDS, "8 bytes before `y`"},
  };
  for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
    begin();
    global("x", 40);
    global("y", 40);
    func("main", 0, 1);
    load(0, row[i].address, 4);
    ret(0);
    start();
    CHECK(is_error(vm_main(V), row[i].kind, row[i].text), "%s", row[i].text);
    finish();
  }
}

TEST(constants_are_read_at_once) {
  begin();
  uint32_t g = prog_add_global(P, "c", 8, 8);
  P->globals.at[g].is_constant = true;
  P->globals.at[g].bytes[1] = 3;
  uint64_t c = prog_global_address(P, g);
  func("main", 0, 1);
  load(0, c, 4);
  ret(0);
  CHECK_EQ(result(), 0x300, " ");
  begin();
  g = prog_add_global(P, "c", 8, 8);
  P->globals.at[g].is_constant = true;
  func("main", 0, 1);
  store(c, k(1), 4);
  ret(k(0));
  FINDS(READ_ONLY, "constant `c`");
}

TEST(atomics_are_aligned) {
  begin();
  uint64_t x = global("x", 16);
  func("main", 0, 1);
  emit(OP_load, 0, k(x + 2), 0, access_imm(4, ORD_RLX));
  ret(0);
  FINDS(MISALIGNED, "offset 2");
  begin();
  x = global("x", 16);
  func("main", 0, 1);
  load(0, x + 2, 4);
  ret(0);
  start();
  CHECK_EQ(at(vm_main(V))->kind, ACC_READ, "others need not be");
  finish();
}

TEST(locations_and_overlaps) {
  begin();
  uint32_t g = prog_add_global(P, "x", 16, 8);
  P->globals.at[g].bytes[0] = 9;
  P->globals.at[g].bytes[4] = 1;
  uint64_t x = prog_global_address(P, g);
  func("main", 0, 1);
  load(0, x, 8);
  load(1, x + 4, 4);
  load(2, x + 8, 4);
  load(3, x, 16);
  ret(0);
  start();
  state_id a = vm_main(V), b = vm_step(V, a, 0), c = vm_step(V, b, 0),
           d = vm_step(V, c, 0);
  loc_id la = at(a)->loc, lb = at(b)->loc, lc = at(c)->loc, ld = at(d)->loc;
  CHECK_EQ(vm_location(V, la)->initial, 0x100000009, " ");
  CHECK_EQ(vm_location(V, lb)->initial, 1, " ");
  CHECK_EQ(vm_next_overlap(V, lc, NO_LOC), ld, " ");
  CHECK_EQ(vm_next_overlap(V, lc, ld), NO_LOC, " ");
  unsigned n = 0;
  for (loc_id l = vm_next_overlap(V, ld, NO_LOC); l != NO_LOC;
       l = vm_next_overlap(V, ld, l))
    n++;
  CHECK_EQ(n, 3, "the wide one overlaps all");
  CHECK_EQ(vm_next_overlap(V, la, vm_next_overlap(V, la, NO_LOC)) != NO_LOC, 1,
           "8 bytes overlap two others");
  uint64_t low, high;
  vm_wide_get(V, vm_location(V, ld)->initial, &low, &high);
  CHECK_EQ(low, 0x100000009, " ");
  CHECK_EQ(high, 0, " ");
  finish();
}

TEST(wide_values) {
  begin();
  uint64_t x = global("x", 16);
  func("main", 0, 1);
  const uint64_t pair[2] = {1, 2};
  emit(OP_store, k(x), prog_const_run(P, pair, 2), 0, access_imm(16, ORD_SC));
  load(2, x, 16);
  emit(OP_sub, 4, 3, 2, 64);
  ret(4);
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_WRITE, " ");
  CHECK_EQ(at(s)->value, vm_wide_make(V, 1, 2), "equal bytes, equal handles");
  CHECK_EQ(vm_wide_make(V, 0, 0), 0, "zero is handle 0");
  s = vm_step(V, s, 0);
  CHECK_EQ(at(vm_step(V, s, vm_wide_make(V, 10, 50)))->value, 40, " ");
  finish();
}

static void rmw_program(unsigned size) {
  begin();
  uint64_t x = global("x", 16);
  func("main", 0, 1);
  emit(OP_rmw_load, 0, k(x), 0, access_imm(size, ORD_ACQREL));
  emit(OP_add, 1, 0, k(5), 32);
  emit(OP_rmw_store, k(x), 1, 0, access_imm(size, ORD_ACQREL));
  ret(0);
  start();
}

TEST(updates_have_two_phases) {
  rmw_program(4);
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_RMW_READ, " ");
  state_id w = vm_step(V, s, 37);
  CHECK_EQ(at(w)->kind, ACC_RMW_WRITE, " ");
  CHECK_EQ(at(w)->value, 42, " ");
  CHECK_EQ(at(w)->loc, at(s)->loc, " ");
  CHECK_EQ(at(vm_step(V, w, 0))->value, 37, "the old value");
  finish();
}

static void cas_program(void) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint64_t imm = imm_access(
      (struct imm_access){.size = 4, .order = ORD_SC, .order_fail = ORD_RLX});
  unsigned expected = k(3), wanted = k(8), pointer = k(x);
  emit(OP_cas_load, 0, pointer, expected, imm);
  emit(OP_cas_ok, 1, 0, expected, 32);
  emit(OP_cas_store, pointer, wanted, expected, imm);
  emit(OP_shl, 1, 1, k(8), 32);
  emit(OP_or, 1, 1, 0, 0);
  ret(1);
  start();
}

TEST(compare_exchange) {
  cas_program();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_CAS_READ, " ");
  CHECK_EQ(at(s)->value, 3, "the expected value");
  CHECK_EQ(at(s)->order, ORD_SC, " ");
  CHECK_EQ(at(s)->order_fail, ORD_RLX, " ");
  state_id failed = vm_step(V, s, 4);
  CHECK_EQ(at(failed)->kind, ACC_END, "no write");
  CHECK_EQ(at(failed)->value, 4, " ");
  state_id won = vm_step(V, s, 3);
  CHECK_EQ(at(won)->kind, ACC_RMW_WRITE, " ");
  CHECK_EQ(at(won)->value, 8, " ");
  CHECK_EQ(at(vm_step(V, won, 0))->value, 0x103, " ");
  CHECK(is_error(vm_step_undef(V, s, 0, UNDEF_ALL), FIND_UNINITIALIZED,
                 "compare"),
        " ");
  finish();
}

TEST(updates_of_private_memory) {
  begin_main();
  local_of(0, 4);
  put(0, k(3), 4);
  emit(OP_rmw_load, 1, 0, 0, access_imm(4, ORD_SC));
  emit(OP_add, 2, 1, k(1), 32);
  emit(OP_rmw_store, 0, 2, 0, access_imm(4, ORD_SC));
  emit(OP_cas_load, 1, 0, k(4), access_imm(4, ORD_SC));
  emit(OP_cas_store, 0, k(9), k(4), access_imm(4, ORD_SC));
  emit(OP_cas_load, 1, 0, k(4), access_imm(4, ORD_SC));
  emit(OP_cas_store, 0, k(10), k(4), access_imm(4, ORD_SC));
  get(3, 0, 4);
  ret(3);
  CHECK_EQ(result(), 9, " ");
}

// -- copy and fill

TEST(private_copy_and_fill) {
  begin_main();
  local_of(0, 16);
  emit(OP_fill, 0, k(0x11), k(16), 0);
  put(0, k(0xaabbccdd), 4);
  emit(OP_add, 1, 0, k(2), 64);
  emit(OP_copy, 1, 0, k(6), 0); // overlapping
  get(2, 0, 8);
  ret(2);
  CHECK_EQ(result(), 0x1111aabbccddccdd, " ");
}

// A sequential memory behind the vm: runs main to its end and writes down
// what it did, as letters with sizes.
static struct str trace;

static uint64_t run_sequentially(unsigned known_cell) {
  uint64_t value[64] = {0};
  state_id s = vm_main(V);
  trace = (struct str){0};
  for (;;) {
    const struct access *a = at(s);
    uint64_t yields = 0;
    switch ((enum access_kind)a->kind) {
    case ACC_READ:
    case ACC_WRITE: {
      const struct location *l = vm_location(V, a->loc);
      str_add(&trace, "%c%u@%u ", a->kind == ACC_READ ? 'R' : 'W', l->size,
              pointer_offset(l->address));
      CHECK(a->loc < 64, "few locations");
      if (a->kind == ACC_WRITE)
        value[a->loc] = a->value;
      else
        yields = value[a->loc];
      break;
    }
    case ACC_CELL_SIZE:
      yields = known_cell;
      break;
    default:
      return a->value;
    }
    s = vm_step(V, s, yields);
  }
}

static void copy_program(uint64_t from_offset, uint64_t to_offset, uint64_t n) {
  begin();
  uint64_t x = global("x", 64);
  func("main", 0, 1);
  emit(OP_copy, k(x + to_offset), k(x + from_offset), k(n), 0);
  ret(k(0));
  start();
}

TEST(shared_copy_goes_by_cells) {
  copy_program(0, 32, 12);
  run_sequentially(0);
  CHECK_STR(str_text(&trace), "R4@0 W4@32 R4@4 W4@36 R4@8 W4@40 ");
  str_done(&trace);
  run_sequentially(4);
  CHECK_STR(str_text(&trace), "R4@0 W4@32 R4@4 W4@36 R4@8 W4@40 ");
  str_done(&trace);
  finish();
  copy_program(1, 33, 3);
  run_sequentially(0);
  CHECK_STR(str_text(&trace), "R1@1 W1@33 R1@2 W1@34 R1@3 W1@35 ");
  str_done(&trace);
  finish();
  copy_program(0, 4, 12);
  run_sequentially(4);
  CHECK_STR(str_text(&trace), "R4@0 R4@4 R4@8 W4@4 W4@8 W4@12 ");
  str_done(&trace);
  finish();
}

TEST(copies_between_private_and_shared) {
  begin();
  uint64_t x = global("x", 64);
  func("main", 0, 1);
  local_of(0, 24);
  emit(OP_fill, 0, k(7), k(24), 0);
  put(0, k(0x1234), 8);
  emit(OP_copy, k(x), 0, k(12), 0);
  emit(OP_fill, k(x + 16), k(1), k(4), 0);
  local_of(1, 24);
  emit(OP_copy, 1, k(x), k(20), 0);
  get(2, 1, 8);
  emit(OP_add, 3, 1, k(16), 64);
  get(4, 3, 4);
  emit(OP_add, 5, 4, 2, 64);
  ret(5);
  start();
  CHECK_EQ(run_sequentially(4), 0x1010101 + 0x1234, " ");
  CHECK_STR(str_text(&trace), "W4@0 W4@4 W4@8 W4@16 R4@0 R4@4 R4@8 R4@12 "
                              "R4@16 ");
  str_done(&trace);
  finish();
}

TEST(copies_are_bounded) {
  copy_program(0, 60, 8);
  CHECK(is_error(vm_main(V), FIND_OUT_OF_BOUNDS, "write of 8 bytes"), " ");
  finish();
  copy_program(60, 0, 8);
  CHECK(is_error(vm_main(V), FIND_OUT_OF_BOUNDS, "read of 8 bytes"), " ");
  finish();
  copy_program(64, 64, 0);
  CHECK_EQ(at(vm_main(V))->kind, ACC_END, "nothing to copy");
  finish();
}

// -- states

// for (i = 0; i < n; i++) sum = sum * factor + x; in a callee, with a private
// array that the loop writes.
static void loop_program(uint64_t n, uint64_t factor) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t f = func("f", 0, 1);
  uint32_t pc = P->code.len;
  local_of(0, 1000);
  emit(OP_mov, 1, k(0), 0, 0);                        // 1: i
  emit(OP_mov, 2, k(0), 0, 0);                        // 2: sum
  load(3, x, 8);                                      // 3: loop
  emit(OP_mul, 2, 2, k(factor), 64);                  // 4
  emit(OP_add, 2, 2, 3, 64);                          // 5
  emit(OP_and, 5, 3, k(127), 0);                      // 6
  emit(OP_mul, 5, 5, k(factor ? 4 : 0), 64);          // 7
  emit(OP_add, 4, 0, 5, 64);                          // 8
  put(4, 3, 4);                                       // 9
  emit(OP_add, 1, 1, k(1), 64);                       // 10
  emit(OP_ult, 6, 1, k(n), 64);                       // 11
  emit(OP_br, 6, 0, 0, imm_targets(pc + 3, pc + 13)); // 12
  ret(2);                                             // 13
  prog_begin_func(P, 0);
  emit(OP_call, 0, 0, call_slots(0, 1), f);
  ret(0);
}

TEST(equal_states_merge_and_steps_are_cached) {
  loop_program(10, 0);
  start();
  uint64_t before = 0;
  for (unsigned round = 0; round < 50; round++) {
    state_id s = vm_main(V);
    for (unsigned i = 0; i < 10; i++)
      s = vm_step(V, s, (round >> i % 4) & 1);
    CHECK_EQ(at(s)->kind, ACC_END, " ");
    if (round == 20)
      before = V->misses;
  }
  CHECK_EQ(V->misses, before, "everything is known after some rounds");
  CHECK(vm_stats(V).states < 45,
        "%d states: only i, the last value and its "
        "copy in memory matter",
        (int)vm_stats(V).states);
  finish();
}

TEST(a_read_loop_comes_back_to_its_state) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  load(0, x, 4);
  emit(OP_br, 0, 0, 0, imm_targets(2, 0));
  ret(0);
  start();
  state_id s = vm_main(V);
  CHECK_EQ(vm_step(V, s, 0), s, "a failed iteration changes nothing");
  CHECK(vm_step(V, s, 1) != s, " ");
  finish();
}

TEST(threads_that_never_repeat_are_bypassed) {
  loop_program(20, 31);
  start();
  uint64_t seed = 1, transient = 0;
  for (unsigned round = 0; round < 4000; round++) {
    struct vm_mark mark = vm_mark(V);
    state_id s = vm_main(V);
    uint64_t want = 0;
    for (unsigned i = 0; i < 20; i++) {
      uint64_t v = next_random(&seed) % 100;
      want = want * 31 + v;
      s = vm_step(V, s, v);
    }
    CHECK_EQ(at(s)->kind, ACC_END, " ");
    CHECK_EQ(at(s)->value, want, "round %u", round);
    transient += vm_stats(V).transient;
    vm_release(V, mark);
    CHECK_EQ(vm_stats(V).transient, mark.transient, " ");
  }
  CHECK(transient > 20000, "the bypass was used %d times", (int)transient);
  CHECK(vm_stats(V).states < 60000, "%d states", (int)vm_stats(V).states);
  finish();
}

// A spin loop at the end of a thread that never repeats: its rounds must come
// back to the same state, and a step that is taken again must lead to the same
// state, whether that is transient or not.
TEST(ids_mean_equality_in_the_bypass_too) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  local_of(5, 600);
  emit(OP_mov, 0, k(0), 0, 0);
  emit(OP_mov, 1, k(0), 0, 0);
  load(2, x, 8); // 3
  emit(OP_mul, 1, 1, k(31), 64);
  emit(OP_add, 1, 1, 2, 64);
  put(5, 1, 8);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_ult, 3, 0, k(10), 64);
  emit(OP_br, 3, 0, 0, imm_targets(3, 10));
  load(4, x, 8); // 10
  emit(OP_br, 4, 0, 0, imm_targets(12, 10));
  ret(1);
  start();
  uint64_t seed = 3;
  unsigned transient = 0;
  for (unsigned round = 0; round < 30000; round++) {
    struct vm_mark mark = vm_mark(V);
    state_id s = vm_main(V);
    for (unsigned i = 0; i < 10; i++) {
      uint64_t v = next_random(&seed) % 50;
      state_id next = vm_step(V, s, v);
      CHECK_EQ(vm_step(V, s, v), next, "round %u", round);
      s = next;
    }
    CHECK_EQ(vm_step(V, s, 0), s, "round %u", round);
    transient += vm_mark(V).transient > mark.transient;
    if (round % 3)
      vm_release(V, mark);
  }
  CHECK(transient > 10000, "the bypass was used in %u rounds", transient);
  finish();
}

TEST(bypass_survives_calls_and_returns) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t f = func("f", 1, 1), pc = P->code.len;
  local_of(1, 300);
  put(1, 0, 8);
  load(2, x, 8);
  emit(OP_br, 2, 0, 0, imm_targets(pc + 4, pc + 7));
  emit(OP_mul, 3, 0, 2, 64);
  emit(OP_call, 4, 3, call_slots(1, 1), f);
  emit(OP_jmp, 0, 0, 0, pc + 8);
  load(4, x, 8); // the innermost call
  get(5, 1, 8);
  emit(OP_add, 6, 4, 5, 64);
  ret(6);
  prog_begin_func(P, 0);
  emit(OP_call, 0, k(1), call_slots(1, 1), f);
  ret(0);
  start();
  uint64_t seed = 7;
  for (unsigned round = 0; round < 3000; round++) {
    struct vm_mark mark = vm_mark(V);
    state_id s = vm_main(V);
    uint64_t product = 1, sum = 1;
    for (unsigned i = 0; i < 12; i++) {
      uint64_t v = next_random(&seed) % 1000 + 1;
      product *= v;
      sum += product;
      s = vm_step(V, s, v);
    }
    s = vm_step(V, vm_step(V, s, 0), 1000);
    CHECK_EQ(at(s)->kind, ACC_END, " ");
    CHECK_EQ(at(s)->value, sum + 1000, "round %u", round);
    vm_release(V, mark);
  }
  CHECK(vm_stats(V).states < V->misses, " ");
  finish();
}

static uint32_t next_word(uint64_t *seed, uint32_t below) {
  return (uint32_t)(next_random(seed) % below);
}

TEST(pools_forget_the_youngest) {
  struct pool pool = {0};
  uint32_t value[4000];
  uint64_t seed = 5;
  for (unsigned round = 0; round < 20000; round++) {
    uint32_t n = pool.entries.len, word = next_word(&seed, 5000);
    uint32_t tuple[3] = {word, word * 7, word / 3};
    if (n && next_random(&seed) % 300 == 0) {
      pool_truncate(&pool, next_word(&seed, n));
      continue;
    }
    uint32_t known = POOL_NONE;
    for (uint32_t i = 0; i < n; i++)
      if (value[i] == word)
        known = i;
    CHECK_EQ(pool_find(&pool, tuple, 3), known, "round %u", round);
    uint32_t id = pool_intern(&pool, tuple, 3);
    CHECK_EQ(id, known == POOL_NONE ? n : known, "round %u", round);
    value[id] = word;
  }
  pool_done(&pool);
}

TEST(many_transitions_of_one_state) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  load(0, x, 8);
  ret(0);
  start();
  state_id s = vm_main(V);
  for (unsigned round = 0; round < 2; round++)
    for (uint64_t v = 0; v < 200; v++)
      CHECK_EQ(at(vm_step(V, s, v * v))->value, v * v, " ");
  CHECK_EQ(V->misses, 200, "each value is a miss once");
  finish();
}

TEST(sites_and_backtraces) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t user = prog_add_func(P, "user", 0, 0);
  uint32_t lib = prog_add_func(P, "lib", 0, 0);
  P->funcs.at[lib].is_library = true;
  prog_begin_func(P, 0);
  uint32_t c0 = emit(OP_call, 0, 0, call_slots(0, 0), user);
  ret(k(0));
  prog_begin_func(P, user);
  uint32_t c1 = emit(OP_call, 0, 0, call_slots(0, 0), lib);
  emit(OP_ret, 0, 0, 0, 0);
  prog_begin_func(P, lib);
  uint32_t c2 = store(x, k(1), 4);
  emit(OP_ret, 0, 0, 0, 0);
  start();
  state_id s = vm_main(V);
  site_id sites[8];
  CHECK_EQ(vm_site(V, s), c1, "the caller of library code");
  CHECK_EQ(vm_backtrace(V, s, sites, 8), 3, " ");
  CHECK_EQ(sites[0], c2, " ");
  CHECK_EQ(sites[1], c1, " ");
  CHECK_EQ(sites[2], c0, " ");
  CHECK_EQ(vm_backtrace(V, s, sites, 2), 2, " ");
  finish();
}

TEST(long_threads_are_cheap) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_mov, 0, k(0), 0, 0);
  load(1, x, 4);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_ult, 2, 0, k(100000), 64);
  emit(OP_br, 2, 0, 0, imm_targets(1, 5));
  ret(0);
  start();
  state_id s = vm_main(V);
  while (at(s)->kind == ACC_READ)
    s = vm_step(V, s, 0);
  CHECK_EQ(at(s)->value, 100000, " ");
  finish();
}
