// SPDX-License-Identifier: MIT
// What instructions do: control, private memory, builtins.
#include "unit/machine.h"

// -- control

// fib(n) by recursion, result in r0 of main.
static void fib_program(uint64_t n) {
  begin();
  func("main", 0, 1);
  uint32_t fib = prog_add_func(P, "fib", 1, 1);
  prog_begin_func(P, 0);
  emit(OP_call, 0, k(n), call_slots(1, 1), fib);
  ret(0);
  prog_begin_func(P, fib);
  uint32_t pc = P->code.len;
  emit(OP_ult, 1, 0, k(2), 32);
  emit(OP_br, 1, 0, 0, imm_targets(pc + 2, pc + 3));
  ret(0);
  emit(OP_sub, 2, 0, k(1), 32);
  emit(OP_call, 3, 2, call_slots(1, 1), fib);
  emit(OP_sub, 2, 0, k(2), 32);
  emit(OP_call, 4, 2, call_slots(1, 1), fib);
  emit(OP_add, 5, 3, 4, 32);
  ret(5);
}

TEST(recursion) {
  fib_program(15);
  CHECK_EQ(result(), 610, " ");
}

TEST(calls_through_pointers) {
  begin();
  func("main", 0, 1);
  uint32_t twice = func("twice", 1, 1);
  emit(OP_add, 1, 0, 0, 32);
  ret(1);
  prog_begin_func(P, 0);
  emit(OP_mov, 0, k(prog_func_address(P, twice)), 0, 0);
  emit(OP_callr, 1, k(21), call_slots(1, 1), 0);
  ret(1);
  CHECK_EQ(result(), 42, " ");
}

static void bad_call_program(uint64_t pointer, unsigned args) {
  begin();
  uint64_t data = global("data", 8);
  func("main", 0, 1);
  emit(OP_mov, 0, k(pointer == 1 ? data : pointer), 0, 0);
  emit(OP_callr, 1, 2, call_slots(args, 1), 0);
  ret(1);
}

TEST(bad_calls) {
  bad_call_program(0, 0);
  FINDS(BAD_CALL, "null pointer");
  bad_call_program(1, 0);
  FINDS(BAD_CALL, "no function");
}

TEST(wrong_arguments) {
  begin();
  func("main", 0, 1);
  emit(OP_mov, 0, k(prog_func_address(P, 0)), 0, 0);
  emit(OP_callr, 1, 2, call_slots(3, 1), 0);
  ret(1);
  FINDS(BAD_CALL, "wrong arguments (of `main`)");
  begin_main();
  emit(OP_undef, 0, 0, 0, 0);
  emit(OP_callr, 1, 2, call_slots(0, 1), 0);
  ret(1);
  FINDS(UNINITIALIZED, "call");
}

TEST(switch_and_computed_goto) {
  for (uint64_t v = 0; v < 4; v++) {
    begin_main();
    uint32_t table = prog_add_table(P, 3);
    prog_add_case(P, 1, 1);
    prog_add_case(P, 2, 2);
    emit(OP_switch, k(v), 0, 0, table);
    ret(k(10));
    ret(k(20));
    ret(k(30));
    CHECK_EQ(result(), v == 1 ? 10 : v == 2 ? 20 : 30, "case %d", (int)v);
  }
  begin_main();
  emit(OP_mov, 0, k(prog_code_address(3)), 0, 0);
  emit(OP_ijmp, 0, 0, 0, 0);
  ret(k(1));
  ret(k(2));
  CHECK_EQ(result(), 2, " ");
  begin_main();
  emit(OP_mov, 0, k(prog_code_address(2)), 0, 0);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_ijmp, 0, 0, 0, 0);
  ret(k(1));
  FINDS(BAD_CALL, "no label");
}

TEST(endless_loop) {
  begin_main();
  emit(OP_jmp, 0, 0, 0, 0);
  FINDS(ENDLESS_LOOP, "comes back to the state it was in");
}

// A loop of five million rounds ends, and one that counts for ever is a limit.
TEST(long_loops_are_not_endless) {
  const uint64_t rounds = 5000000;
  begin_main();
  emit(OP_mov, 0, k(0), 0, 64);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_ult, 1, 0, k(rounds), 64);
  emit(OP_br, 1, 0, 0, 1 | UINT64_C(4) << 32);
  ret(0);
  CHECK_EQ(result(), rounds, " ");
  begin_main();
  emit(OP_mov, 0, k(0), 0, 64);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_jmp, 0, 0, 0, 1);
  CUTS("--max-steps");
}

// The state that comes back may be a long way off, and have calls in it.
TEST(endless_loop_of_many_instructions) {
  begin_main();
  emit(OP_mov, 0, k(0), 0, 64);
  emit(OP_add, 0, 0, k(1), 64);
  emit(OP_and, 0, 0, k(0xfffff), 64);
  emit(OP_jmp, 0, 0, 0, 1);
  FINDS(ENDLESS_LOOP, "comes back to the state it was in");
}

TEST(limits_are_no_findings) {
  begin_main();
  emit(OP_call, 0, 0, call_slots(0, 1), 0);
  ret(0);
  CUTS("--max-stack: calls of `main` nest 65536 deep and need more than 1024");
  begin_main();
  emit(OP_local, 0, k(2 << 20), 0, 8);
  ret(0);
  CUTS("--max-stack: the locals of thread 0 need more than 1024 KiB");
}

TEST(trap_and_fail) {
  begin_main();
  emit(OP_trap, 0, 0, 0, FIND_UNREACHABLE);
  FINDS(UNREACHABLE, "unreachable");
  begin();
  uint32_t g = prog_add_global(P, "text", 7, 1);
  memcpy(P->globals.at[g].bytes, "x == 1", 7);
  P->globals.at[g].is_constant = true;
  uint64_t text = prog_global_address(P, g);
  func("main", 0, 1);
  const uint64_t args[4] = {text, text, 3, text};
  sys(BI_assert_fail, 0, 0, prog_const_run(P, args, 4), 4);
  ret(k(0));
  FINDS(ASSERTION, "assertion `x == 1` failed");
}

// -- private memory

TEST(private_memory_mixes_sizes) {
  begin_main();
  local_of(0, 16);
  put(0, k(0x1122334455667788), 8);
  emit(OP_add, 1, 0, k(3), 64);
  put(1, k(0xaabb), 2);
  get(2, 0, 8);
  ret(2);
  CHECK_EQ(result(), 0x112233aabb667788, " ");
}

TEST(private_memory_is_bounded) {
  begin_main();
  local_of(0, 8);
  emit(OP_add, 1, 0, k(5), 64);
  get(2, 1, 4);
  ret(2);
  FINDS(OUT_OF_BOUNDS, "read of 4 bytes at offset 5 of a local variable, "
                       "which has 8 bytes");
  begin_main();
  local_of(0, 8);
  emit(OP_sub, 1, 0, k(1), 64);
  put(1, k(1), 1);
  ret(k(0));
  start();
  CHECK_EQ(at(vm_main(V))->kind, ACC_ERROR, "below the first local");
  finish();
}

TEST(locals_die_with_their_function) {
  begin();
  func("main", 0, 1);
  uint32_t f = func("f", 0, 1);
  local_of(0, 4);
  ret(0);
  prog_begin_func(P, 0);
  emit(OP_call, 0, 0, call_slots(0, 1), f);
  get(1, 0, 4);
  ret(1);
  FINDS(USE_AFTER_FREE, "has returned");
}

TEST(uninitialised_values) {
  begin_main(); // copying one is fine
  local_of(0, 8);
  get(1, 0, 4);
  put(0, 1, 4);
  emit(OP_add, 2, 1, k(1), 32);
  ret(k(7));
  CHECK_EQ(result(), 7, " ");

  begin_main();
  local_of(0, 8);
  put(0, k(1), 1); // one byte of four
  get(1, 0, 4);
  emit(OP_add, 2, 1, k(1), 32);
  emit(OP_br, 2, 0, 0, imm_targets(5, 5));
  ret(k(0));
  FINDS(UNINITIALIZED, "a branch");

  for (unsigned i = 0; i < 2; i++) { // what is chosen, not what is not
    begin_main();
    emit(OP_undef, 0, 0, 0, 0);
    emit(OP_select, 1, k(i), 0, k(0));
    emit(OP_br, 1, 0, 0, imm_targets(3, 3));
    ret(k(0));
    if (i)
      FINDS(UNINITIALIZED, "a branch");
    else
      CHECK_EQ(result(), 0, " ");
  }

  begin_main();
  emit(OP_undef, 0, 0, 0, 0);
  get(1, 0, 4);
  ret(1);
  FINDS(UNINITIALIZED, "read through an uninitialised pointer");

  begin_main();
  uint32_t table = prog_add_table(P, 2);
  emit(OP_undef, 0, 0, 0, 0);
  emit(OP_switch, 0, 0, 0, table);
  ret(k(0));
  FINDS(UNINITIALIZED, "a switch");

  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_undef, 0, 0, 0, 0);
  store(x, 0, 4);
  ret(k(0));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_WRITE, " ");
  CHECK_EQ(at(s)->flags, ACCF_UNINIT, " ");
  finish();
}

// s.a = 5 in an uninitialised bit-field unit, then a branch on s.a: defined;
// on the rest of the unit: not.
TEST(bit_fields_are_set_one_by_one) {
  for (unsigned part = 0; part < 2; part++) {
    begin_main();
    local_of(0, 4);
    get(1, 0, 4);
    emit(OP_and, 1, 1, k(0xfffffff8), 0);
    emit(OP_or, 1, 1, k(5), 0);
    put(0, 1, 4);
    get(2, 0, 4);
    emit(OP_shl, 3, 2, k(part ? 28 : 29), 32);
    emit(OP_ashr, 3, 3, k(29), 32);
    emit(OP_br, 3, 0, 0, imm_targets(9, 9));
    ret(3);
    start();
    state_id s = vm_main(V);
    if (part)
      CHECK(is_error(s, FIND_UNINITIALIZED, "a branch"), " ");
    else
      CHECK_EQ(at(s)->value, (uint32_t)-3, " ");
    finish();
  }
}

// A struct {char c; int i;} is passed as one 64-bit number with its padding.
TEST(padding_may_be_copied) {
  begin_main();
  local_of(0, 8);
  emit(OP_add, 1, 0, k(4), 64);
  put(0, k(3), 1);
  put(1, k(4), 4);
  get(2, 0, 8);
  local_of(3, 8);
  put(3, 2, 8);
  get(4, 3, 1);
  emit(OP_lshr, 5, 2, k(32), 64);
  emit(OP_add, 5, 5, 4, 32);
  emit(OP_eq, 6, 5, k(7), 32);
  emit(OP_br, 6, 0, 0, imm_targets(12, 12));
  ret(5);
  CHECK_EQ(result(), 7, " ");
}

TEST(equality_is_decided_by_defined_bits) {
  for (unsigned v = 0; v < 2; v++) {
    begin_main();
    local_of(0, 4);
    put(0, k(v), 1);
    get(1, 0, 4);
    emit(OP_eq, 2, 1, k(1), 32);
    emit(OP_br, 2, 0, 0, imm_targets(5, 5));
    ret(2);
    start();
    CHECK_EQ(at(vm_main(V))->kind, v ? ACC_ERROR : ACC_END, " ");
    finish();
  }
}

TEST(uninitialised_reads) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  load(0, x, 4);
  emit(OP_br, 0, 0, 0, imm_targets(2, 2));
  ret(0);
  start();
  state_id s = vm_main(V);
  CHECK(is_error(vm_step_undef(V, s, 0, UNDEF_ALL), FIND_UNINITIALIZED,
                 "a branch"),
        " ");
  CHECK_EQ(at(vm_step(V, s, 0))->kind, ACC_END, "0 is another value");
  uint64_t misses = V->misses;
  vm_step_undef(V, s, 0, UNDEF_ALL);
  CHECK_EQ(V->misses, misses, "the step is known");
  finish();
}

TEST(thread_locals) {
  begin();
  uint32_t mine = prog_add_global(P, "mine", 4, 4);
  uint32_t seen = prog_add_global(P, "seen", 4, 4);
  P->globals.at[mine].is_thread_local = P->globals.at[mine].is_private = true;
  P->globals.at[seen].is_thread_local = true;
  P->globals.at[mine].bytes[0] = 5;
  P->globals.at[seen].bytes[0] = 6;
  func("main", 0, 1);
  emit(OP_tls, 0, 0, 0, mine);
  get(1, 0, 4);
  emit(OP_tls, 0, 0, 0, seen);
  get(2, 0, 4);
  emit(OP_add, 3, 1, 2, 32);
  ret(3);
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_READ, "only `seen` is an access");
  const struct location *l = vm_location(V, at(s)->loc);
  CHECK(l->is_initialized && l->initial == 6, " ");
  CHECK_EQ(at(vm_step(V, s, 6))->value, 11, " ");
  finish();
}

// The word if the address is one of the thread's own locals, or the other.
TEST(own) {
  begin();
  uint64_t x = global("x", 4);
  func("main", 0, 1);
  emit(OP_local, 0, k(4), 0, 4);
  emit(OP_own, 1, 0, k(7), k(8));
  emit(OP_own, 2, k(x), k(70), k(80));
  emit(OP_add, 3, 1, 2, 32);
  ret(3);
  start();
  CHECK_EQ(at(vm_main(V))->value, 87, " ");
  finish();
}

// -- builtins

TEST(locks) {
  begin();
  uint64_t m = global("m", 4);
  func("main", 0, 1);
  sys(BI_lock, 0, 0, k(m), 1);
  sys(BI_unlock, 0, 0, k(m), 1);
  ret(k(1));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_LOCK_READ, " ");
  CHECK_EQ(at(s)->order, ORD_ACQ, " ");
  state_id w = vm_step(V, s, 0);
  CHECK_EQ(at(w)->kind, ACC_RMW_WRITE, " ");
  CHECK_EQ(at(w)->value, 1, "self + 1");
  CHECK_EQ(at(w)->loc, at(s)->loc, " ");
  state_id u = vm_step(V, w, 0);
  CHECK_EQ(at(u)->kind, ACC_UNLOCK, " ");
  CHECK_EQ(at(u)->order, ORD_REL, " ");
  CHECK_EQ(at(vm_step(V, u, 0))->kind, ACC_END, " ");
  finish();
  begin_main();
  local_of(0, 4);
  sys(BI_lock, 0, 0, 0, 1);
  ret(k(1));
  FINDS(UNINITIALIZED, "a lock");
  // A lock that only this thread can reach makes no event.
  begin_main();
  local_of(0, 4);
  put(0, k(0), 4);
  sys(BI_lock, 0, 0, 0, 1);
  get(1, 0, 4);
  sys(BI_unlock, 0, 0, 0, 1);
  ret(1);
  CHECK_EQ(result(), 1, "self + 1");
}

TEST(take_waits_for_a_range_and_adds) {
  for (unsigned add = 0; add < 2; add++) {
    begin();
    const uint64_t args[5] = {global("m", 4), 1, 5, add ? UINT64_MAX : 0, 1};
    func("main", 0, 1);
    sys(BI_take, 0, 0, prog_const_run(P, args, 5), 5);
    ret(k(7));
    start();
    state_id s = vm_main(V);
    CHECK_EQ(at(s)->kind, ACC_TAKE, " ");
    CHECK_EQ(at(s)->flags, ACCF_TIMED, " ");
    CHECK(take_accepts(at(s), 5) && !take_accepts(at(s), 6), " ");
    CHECK(!take_accepts(at(s), 0) && !take_accepts(at(s), (uint32_t)-1), " ");
    s = vm_step(V, s, 3);
    if (add) {
      CHECK_EQ(at(s)->kind, ACC_RMW_WRITE, " ");
      CHECK_EQ(at(s)->value, 2, " ");
      s = vm_step(V, s, 0);
    }
    CHECK_EQ(at(s)->value, 7, "main ends");
    finish();
  }
}

TEST(heap_objects) {
  begin_main();
  sys(BI_malloc, 0, 1, k(24), 1);
  sys(BI_calloc, 1, 1, k((uint64_t)20 << 20), 1);
  emit(OP_stack_new, 2, k(4), 0, 4);
  emit(OP_add, 3, 1, k((uint64_t)17 << 20), 64);
  get(4, 3, 4);
  emit(OP_stack_end, 2, 0, 0, 0);
  sys(BI_free, 0, 0, 0, 1);
  sys(BI_free, 0, 0, k(0), 1);
  sys(BI_malloc, 5, 1, k((uint64_t)1 << 31), 1);
  ret(5);
  start();
  state_id a = vm_main(V);
  CHECK_EQ(at(a)->kind, ACC_ALLOC, " ");
  CHECK_EQ(at(a)->value, 24, " ");
  CHECK_EQ(at(a)->flags, 0, " ");
  object_no small = at(a)->object;
  state_id b = vm_step(V, a, 0);
  CHECK_EQ(at(b)->flags, ACCF_ZEROED, " ");
  object_no large = at(b)->object;
  state_id c = vm_step(V, b, 0);
  CHECK_EQ(at(c)->flags, ACCF_STACK, " ");
  state_id d = vm_step(V, c, 0);
  CHECK_EQ(at(d)->kind, ACC_READ, " ");
  CHECK_EQ(vm_location(V, at(d)->loc)->object, large, "in its second window");
  state_id e = vm_step(V, d, 0);
  CHECK_EQ(at(e)->kind, ACC_FREE, " ");
  CHECK_EQ(at(e)->flags, ACCF_STACK, " ");
  state_id f = vm_step(V, e, 0);
  CHECK_EQ(at(f)->object, small, " ");
  CHECK_EQ(at(f)->value, vm_object_address(V, small), " ");
  state_id g = vm_step(V, f, 0);
  CHECK_EQ(at(g)->kind, ACC_END, "free(0) is nothing");
  CHECK_EQ(at(g)->value, 0, "too large: null");
  finish();
}

TEST(bad_frees) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  sys(BI_free, 0, 0, k(x), 1);
  ret(k(0));
  FINDS(INVALID_FREE, "free of `x`, which malloc did not return");
  begin_main();
  local_of(0, 8);
  sys(BI_free, 0, 0, 0, 1);
  ret(k(0));
  FINDS(INVALID_FREE, "an address");
}

TEST(too_many_objects) {
  begin_main();
  sys(BI_malloc, 0, 1, k(8), 1);
  emit(OP_jmp, 0, 0, 0, 0);
  start();
  state_id s = vm_main(V);
  uint32_t n = 0;
  for (; at(s)->kind == ACC_ALLOC; n++)
    s = vm_step(V, s, 0);
  CHECK_EQ(at(s)->kind, ACC_CUT, " ");
  CHECK(strstr(vm_text(V, at(s)->value), "more objects than"), " ");
  CHECK_EQ(n, INDEX_LARGE - INDEX_SHARED, " ");
  finish();
}

static uint32_t spawn_program(void) {
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  uint32_t worker = func("worker", 1, 1);
  store(x, 0, 8);
  sys(BI_self, 1, 1, 0, 0);
  emit(OP_add, 2, 0, 1, 64);
  ret(2);
  prog_begin_func(P, 0);
  const uint64_t args[2] = {prog_func_address(P, worker), 40};
  unsigned run = prog_const_run(P, args, 2);
  sys(BI_spawn, 0, 1, run, 2);
  sys(BI_join, 1, 1, 0, 1);
  ret(1);
  start();
  return worker;
}

TEST(threads) {
  spawn_program();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_SPAWN, " ");
  state_id w = vm_spawned(V, s, 2);
  CHECK_EQ(at(w)->kind, ACC_WRITE, " ");
  CHECK_EQ(at(w)->value, 40, " ");
  CHECK_EQ(vm_spawned(V, s, 2), w, "known");
  CHECK(vm_spawned(V, s, 3) != w, "another thread");
  state_id end = vm_step(V, w, 0);
  CHECK_EQ(at(end)->kind, ACC_END, " ");
  CHECK_EQ(at(end)->value, 42, " ");
  state_id j = vm_step(V, s, 2);
  CHECK_EQ(at(j)->kind, ACC_JOIN, " ");
  CHECK_EQ(at(j)->value, 2, " ");
  CHECK_EQ(at(vm_step(V, j, 42))->value, 42, " ");
  finish();
}

TEST(bad_spawns) {
  static const char *const texts[] = {"is null", "is no function",
                                      "does not take one argument"};
  for (unsigned i = 0; i < 3; i++) {
    begin();
    uint64_t x = global("x", 8);
    func("main", 2, 1);
    const uint64_t args[2] = {i == 0   ? 0
                              : i == 1 ? x
                                       : prog_func_address(P, 0),
                              0};
    sys(BI_spawn, 0, 1, prog_const_run(P, args, 2), 2);
    ret(0);
    start();
    CHECK(
        is_error(vm_main(V), i ? FIND_BAD_CALL : FIND_THREAD_MISUSE, texts[i]),
        " ");
    finish();
  }
}

TEST(small_builtins) {
  begin_main();
  const uint64_t range[2] = {(uint64_t)-1, 2};
  sys(BI_choose, 0, 1, prog_const_run(P, range, 2), 2);
  sys(BI_assume, 0, 0, 0, 1);
  sys(BI_yield, 0, 0, 0, 0);
  sys(BI_exit, 0, 0, 0, 1);
  ret(k(0));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_CHOOSE, " ");
  CHECK_EQ(at(vm_step(V, s, 0))->kind, ACC_BLOCK, " ");
  CHECK_EQ(at(vm_step(V, s, 2))->kind, ACC_EXIT, " ");
  CHECK_EQ(at(vm_step(V, s, 2))->value, 2, " ");
  finish();
  begin_main();
  const uint64_t how[2] = {5, 0};
  sys(BI_thread_exit, 0, 0, prog_const_run(P, how, 2), 2);
  ret(k(0));
  CHECK_EQ(result(), 5, " ");
}

TEST(output_and_doubles) {
  begin_main();
  local_of(0, 600);
  emit(OP_mov, 1, k(bits(3.14159)), 0, 0);
  emit(OP_mov, 2, k('f'), 0, 0);
  emit(OP_mov, 3, k(2), 0, 0);
  emit(OP_mov, 4, 0, 0, 0);
  sys(BI_format_double, 6, 1, 1, 4);
  emit(OP_mov, 5, 0, 0, 0);
  sys(BI_output, 0, 0, 5, 2);
  ret(k(0));
  start();
  state_id s = vm_main(V);
  CHECK_EQ(at(s)->kind, ACC_OUTPUT, " ");
  CHECK_STR(vm_text(V, at(s)->value), "3.14");
  finish();
}

// sum(n, ...) adds up its variadic arguments through a va_list.
TEST(variadic_arguments) {
  begin();
  func("main", 0, 1);
  uint32_t sum = func("sum", 1, 1);
  P->funcs.at[sum].is_vararg = true;
  uint32_t pc = P->code.len;
  local_of(1, 24);                                    // pc
  emit(OP_va_start, 1, 0, 0, 0);                      // 1
  emit(OP_add, 2, 1, k(8), 64);                       // 2: &overflow_arg_area
  get(3, 2, 8);                                       // 3
  emit(OP_mov, 4, k(0), 0, 0);                        // 4
  emit(OP_br, 0, 0, 0, imm_targets(pc + 6, pc + 11)); // 5
  get(5, 3, 8);                                       // 6
  emit(OP_add, 4, 4, 5, 64);                          // 7
  emit(OP_add, 3, 3, k(8), 64);                       // 8
  emit(OP_sub, 0, 0, k(1), 64);                       // 9
  emit(OP_jmp, 0, 0, 0, pc + 5);                      // 10
  ret(4);                                             // 11
  prog_begin_func(P, 0);
  const uint64_t args[5] = {3, imm_variadic((struct variadic){0}), 10, 20, 12};
  emit(OP_call, 0, prog_const_run(P, args, 5), call_slots(5, 1), sum);
  ret(0);
  CHECK_EQ(result(), 42, " ");
}

// last(n, ...) with n in the first register: two more words, then a vector.
TEST(variadic_registers) {
  begin();
  func("main", 0, 1);
  uint32_t last = func("last", 1, 1);
  P->funcs.at[last].is_vararg = true;
  local_of(1, 24);
  emit(OP_va_start, 1, 0, 0, imm_variadic((struct variadic){.general = 1}));
  get(2, 1, 8); // the offsets: 8 and 48
  emit(OP_add, 3, 1, k(16), 64);
  get(3, 3, 8); // where registers are saved
  emit(OP_add, 4, 3, k(16), 64);
  get(4, 4, 8);
  emit(OP_add, 5, 3, k(56), 64);
  get(5, 5, 8);
  emit(OP_mul, 4, 4, 5, 64);
  emit(OP_add, 4, 4, 2, 64);
  ret(4);
  prog_begin_func(P, 0);
  const uint64_t args[6] = {
      3, imm_variadic((struct variadic){1, 0, 3, 1}), 10, 20, 5, 6};
  emit(OP_call, 0, prog_const_run(P, args, 6), call_slots(6, 1), last);
  ret(0);
  CHECK_EQ(result(), 20 * 6 + (8 | (uint64_t)48 << 32), " ");
}

TEST(variadic_call_as_another) {
  begin();
  func("main", 0, 1);
  uint32_t f = func("f", 1, 1);
  P->funcs.at[f].is_vararg = true;
  ret(0);
  prog_begin_func(P, 0);
  const uint64_t args[2] = {1, 2};
  emit(OP_call, 0, prog_const_run(P, args, 2), call_slots(2, 1), f);
  ret(0);
  start();
  CHECK(is_error(vm_main(V), FIND_BAD_CALL, "as one without"), " ");
  finish();
}

// What became of a compare-exchange says nothing about the next one, which
// private memory needs no access for.
TEST(weak_failure_before_a_private_one) {
  begin_main();
  uint64_t x = global("x", 8);
  uint64_t imm = imm_access(
      (struct imm_access){.size = 8, .order = ORD_RLX, .is_weak = 1});
  emit(OP_mov, 0, k(0), 0, 0);
  emit(OP_mov, 1, k(x), 0, 0);
  local_of(2, 8);
  put(2, 0, 8);
  emit(OP_cas_load, 3, 1, 0, imm);
  emit(OP_cas_store, 1, 0, 0, imm);
  emit(OP_cas_load, 4, 2, 0, imm);
  emit(OP_cas_store, 2, 0, 0, imm);
  emit(OP_cas_ok, 5, 4, 0, 64);
  ret(5);
  start();
  state_id s = vm_step(V, vm_weak(V, vm_main(V)), 1); // it fails
  CHECK_EQ(at(s)->kind, ACC_CAS_READ, "kind");
  s = vm_step(V, s, 0);
  CHECK_EQ(at(s)->kind, ACC_END, "kind");
  CHECK_EQ(at(s)->value, 1, "the private one succeeds");
  finish();
}
