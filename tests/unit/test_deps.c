// SPDX-License-Identifier: MIT
// Dependencies through computations, branches and updates, and the automaton
// that keeps them.
#include "unit/deps.h"

// -- computations

TEST(data_through_computations) {
  begin_shared();
  load(0, x, 4);
  load(1, y, 4);
  emit(OP_add, 2, 0, k(1), 32);
  store(z, 2, 4); // from x
  emit(OP_mul, 2, 2, 1, 32);
  emit(OP_xor, 2, 2, 2, 0); // 0, whatever was read
  store(z, 2, 4);           // from both
  emit(OP_mov, 2, k(0), 0, 0);
  store(z, 2, 4); // from nothing
  emit(OP_uadd_ov, 3, 0, k(1), 32);
  ret(4);
  run();
  AT(READ, ";;;");
  step(1);
  AT(READ, ";;;");
  step(2);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";0 1;;");
  step(0);
  AT(WRITE, ";;;");
  step(0);
  AT(END, ";0;;");
  finish();
}

TEST(select_depends_on_both_alternatives) {
  for (uint64_t condition = 0; condition < 2; condition++) {
    begin_shared();
    load(0, x, 4);
    load(1, y, 4);
    load(2, z, 4);
    emit(OP_select, 3, 0, 1, 2);
    store(z, 3, 4);
    ret(k(0));
    run();
    step(condition);
    step(5);
    step(6);
    AT(WRITE, ";0 1 2;;");
    finish();
  }
}

TEST(moves_go_slot_by_slot) {
  begin_shared();
  load(0, x, 4);
  load(1, y, 4);
  emit(OP_movn, 1, 0, 2, 0);
  store(z, 1, 4);
  store(z, 2, 4);
  ret(k(0));
  run();
  step(1);
  step(1);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";1;;");
  finish();
}

TEST(addresses) {
  begin_shared();
  load(0, x, 4);
  emit(OP_and, 0, 0, k(0), 0);
  emit(OP_add, 1, 0, k(y), 64);
  get(2, 1, 4);
  put(1, 2, 4);
  ret(k(0));
  run();
  step(3);
  AT(READ, "0;;;");
  step(7);
  AT(WRITE, "0;1;;"); // data: the read alone, not how it got its address
  finish();
}

TEST(wide_values) {
  begin_shared();
  load(0, x, 4);
  load(1, y, 4);
  store(z, 0, 16);
  load(2, x, 16);
  store(z, 3, 8);
  ret(k(0));
  run();
  step(1);
  step(2);
  AT(WRITE, ";0 1;;");
  step(0);
  step(vm_wide_make(V, 1, 2));
  AT(WRITE, ";3;;");
  finish();
}

// -- branches

TEST(branches) {
  for (uint64_t v = 0; v < 2; v++) {
    begin_shared();
    load(0, x, 4);
    load(1, y, 4);
    emit(OP_br, 0, 0, 0, imm_targets(3, 3));
    store(z, k(1), 4);
    uint32_t table = prog_add_table(P, 5);
    emit(OP_switch, 1, 0, 0, table);
    store(z, k(1), 4);
    ret(k(0));
    run();
    step(v);
    step(v);
    AT(WRITE, ";;0;");
    step(0);
    AT(WRITE, ";;0 1;");
    step(0);
    AT(END, ";;0 1;");
    finish();
  }
}

TEST(calls_and_gotos_through_values) {
  begin_shared();
  uint32_t f = func("f", 0, 0);
  emit(OP_ret, 0, 0, 0, 0);
  prog_begin_func(P, 0);
  load(0, x, 8);
  emit(OP_callr, 0, 0, call_slots(0, 0), 0);
  store(z, k(1), 4);
  load(1, y, 8);
  emit(OP_ijmp, 1, 0, 0, 0);
  uint32_t label = store(z, k(1), 4);
  k(prog_code_address(label));
  ret(k(0));
  run();
  step(prog_func_address(P, f));
  AT(WRITE, ";;0;");
  step(0);
  step(prog_code_address(label));
  AT(WRITE, ";;0 2;");
  finish();
}

// while (x == 0); z = 1; every round is a branch.
TEST(loops) {
  begin_shared();
  load(0, x, 4);
  emit(OP_br, 0, 0, 0, imm_targets(2, 0));
  store(z, 0, 4);
  ret(k(0));
  run();
  step(0);
  AT(READ, ";;0;");
  step(0);
  AT(READ, ";;0 1;");
  step(1);
  AT(WRITE, ";2;0 1 2;");
  finish();
}

TEST(assumptions_are_branches) {
  begin_shared();
  load(0, x, 4);
  sys(BI_assume, 0, 0, 0, 1);
  store(z, k(1), 4);
  ret(k(0));
  run();
  step(1);
  AT(WRITE, ";;0;");
  finish();
}

// -- updates

TEST(fetch_add_and_exchange) {
  begin_shared();
  uint64_t imm = access_imm(4, ORD_RLX);
  load(0, y, 4);
  emit(OP_rmw_load, 1, k(x), 0, imm);
  emit(OP_add, 2, 1, 0, 32);
  emit(OP_rmw_store, k(x), 2, 0, imm);
  emit(OP_rmw_load, 1, k(x), 0, imm);
  emit(OP_rmw_store, k(x), 0, 0, imm);
  store(z, 1, 4);
  ret(k(0));
  run();
  step(1);
  AT(RMW_READ, ";;;");
  step(1);
  AT(RMW_WRITE, ";0 1;;");
  step(0);
  step(2);
  AT(RMW_WRITE, ";0;;");
  step(0);
  AT(WRITE, ";3;;");
  finish();
}

// Both compared values become branches, after the read.
TEST(compare_exchange) {
  for (unsigned success = 0; success < 2; success++) {
    begin_shared();
    uint64_t imm = access_imm(4, ORD_RLX);
    load(0, y, 4);
    load(1, y, 4);
    emit(OP_cas_load, 2, k(x), 0, imm);
    emit(OP_cas_store, k(x), 1, 0, imm);
    emit(OP_cas_ok, 3, 2, 0, 32);
    store(z, 3, 4);
    ret(k(0));
    run();
    step(8);
    step(9);
    AT(CAS_READ, ";0;;");
    step(success ? 8 : 7);
    if (success) {
      AT(RMW_WRITE, ";1;0 2;");
      step(0);
    }
    AT(WRITE, ";0 2;0 2;");
    finish();
  }
}

// In one instruction they decide on its write only, as a branch would.
TEST(compare_exchange_in_one_instruction) {
  begin_shared();
  struct imm_access how = imm_access_of(access_imm(4, ORD_RLX));
  how.how = HOW_PICK;
  uint64_t imm = imm_access(how);
  load(0, y, 4);
  load(1, y, 4);
  emit(OP_cas_load, 2, k(x), 0, imm);
  emit(OP_cas_store, k(x), 1, 0, imm);
  emit(OP_cas_ok, 3, 2, 0, 32);
  store(z, 3, 4);
  ret(k(0));
  run();
  step(8);
  step(9);
  AT(CAS_READ, ";0;;");
  step(8);
  AT(RMW_WRITE, ";1;?0 ?2;");
  step(0);
  AT(WRITE, ";0 ?2;;");
  finish();
}

// It yields what it has read, if that was something else than expected.
TEST(compare_exchange_in_one_instruction_fails) {
  begin_shared();
  struct imm_access how = imm_access_of(access_imm(4, ORD_RLX));
  how.how = HOW_PICK;
  load(0, y, 4);
  emit(OP_cas_load, 2, k(x), 0, imm_access(how));
  emit(OP_cas_store, k(x), k(1), 0, imm_access(how));
  store(z, 2, 4);
  ret(k(0));
  run();
  step(8);
  AT(CAS_READ, ";0;;");
  step(7);
  AT(WRITE, ";1;;");
  finish();
}

// A conditional select depends on what it takes, and by pick on its condition.
TEST(conditional_selects) {
  for (unsigned taken = 0; taken < 2; taken++) {
    begin_shared();
    load(0, y, 4);
    load(1, y, 4);
    load(2, y, 4);
    emit(OP_pick, 3, 0, 1, 2);
    store(z, 3, 4);
    emit(OP_add, 3, 3, 0, 32);
    store(z, 3, 4);
    ret(k(0));
    run();
    step(taken);
    step(8);
    step(9);
    AT(WRITE, taken ? ";?0 1;;" : ";?0 2;;");
    step(0);
    AT(WRITE, taken ? ";0 1;;" : ";0 2;;");
    finish();
  }
}

TEST(private_updates) {
  begin_shared();
  uint64_t imm = access_imm(4, ORD_RLX);
  local_of(0, 8);
  load(1, x, 4);
  put(0, 1, 4);
  emit(OP_rmw_load, 2, 0, 0, imm);
  emit(OP_rmw_store, 0, k(4), 0, imm);
  store(z, 2, 4);
  get(2, 0, 4);
  store(z, 2, 4);
  load(1, x, 4);
  emit(OP_cas_load, 2, 0, 1, imm);
  emit(OP_cas_store, 0, k(5), 1, imm);
  store(z, k(1), 4);
  ret(k(0));
  run();
  step(3);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";;;");
  step(0);
  step(4);
  AT(WRITE, ";;3;");
  finish();
}

TEST(locks_and_waits) {
  begin_shared();
  load(4, z, 4);
  emit(OP_mov, 0, k(y), 0, 0);
  emit(OP_mov, 1, k(1), 0, 0);
  emit(OP_mov, 2, k(5), 0, 0);
  emit(OP_mov, 3, 4, 0, 0); // what is added
  emit(OP_mov, 4, k(0), 0, 0);
  sys(BI_lock, 0, 0, k(x), 1);
  sys(BI_take, 0, 0, 0, 5);
  sys(BI_unlock, 0, 0, k(x), 1);
  ret(k(0));
  run();
  step(1);
  AT(LOCK_READ, ";;;");
  step(0);
  AT(RMW_WRITE, ";;1;");
  step(0);
  AT(TAKE, ";0;1;");
  deps_id waiting = D;
  state_id same = S;
  step(0); // not in the range
  CHECK(S == same && D == waiting, " ");
  places--;
  step(2);
  AT(RMW_WRITE, ";0 3;0 1 3;");
  step(0);
  AT(UNLOCK, ";;0 1 3;");
  finish();
}

// What branches and an instruction barrier order together: the barrier comes
// with its kind, and with what was branched on before.
TEST(barriers) {
  begin_shared();
  load(0, x, 4);
  emit(OP_br, 0, 0, 0, imm_targets(2, 2));
  const struct imm_access isb = {.fence = FENCE_ISB};
  const struct imm_access stores = {.fence = FENCE_STORES};
  emit(OP_fence, 0, 0, 0, imm_access(isb));
  emit(OP_fence, 0, 0, 0, imm_access(stores));
  emit(OP_fence, 0, 0, 0, access_imm(0, ORD_SC));
  ret(k(0));
  run();
  step(1);
  AT(FENCE, ";;0;");
  CHECK_EQ(at(S)->flags, ACCF_ISB, " ");
  CHECK_EQ(at(S)->order, ORD_NA, " ");
  step(0);
  CHECK_EQ(at(S)->flags, ACCF_STORES, " ");
  step(0);
  CHECK_EQ(at(S)->flags, 0, " ");
  CHECK_EQ(at(S)->order, ORD_SC, " ");
  finish();

  struct diag why;
  const struct imm_access both = {.fence = FENCE_ISB, .order = ORD_SC};
  begin_main();
  emit(OP_fence, 0, 0, 0, imm_access(both));
  ret(k(0));
  CHECK(!prog_finish(P, &why) && strstr(why.text, "a barrier with"), " ");
  prog_free(P);
}

// -- the automaton

// x ^ x leads to one state from two reads, but not to one place of both.
TEST(one_state_many_dependencies) {
  begin_shared();
  load(0, x, 4);
  emit(OP_xor, 0, 0, 0, 0);
  store(z, 0, 4);
  ret(k(0));
  run();
  state_id s = vm_main(V);
  CHECK_EQ(vm_step(V, s, 1), vm_step(V, s, 2), "one state");
  deps_id a = vm_deps_step(V, D, s, 1, false, 0);
  deps_id b = vm_deps_step(V, D, s, 2, false, 0);
  deps_id c = vm_deps_step(V, D, s, 1, false, 5);
  deps_id u = vm_deps_step(V, D, s, 0, true, 0);
  CHECK_EQ(a, b, "and one dependency");
  CHECK_EQ(a, u, "of an uninitialised value too");
  CHECK(a != c, "of another place");
  CHECK(set_contains(vm_sets(V), vm_deps(V, c).data, 5), " ");
  finish();
}

// What is dead has no set: a loop that forgets what it read comes back to the
// same dependencies.
TEST(dead_values_are_forgotten) {
  begin_shared();
  uint32_t f = func("f", 0, 0);
  local_of(1, 8);
  load(0, x, 4);
  put(1, 0, 4);
  emit(OP_ret, 0, 0, 0, 0);
  prog_begin_func(P, 0);
  uint32_t again = load(0, x, 4);
  emit(OP_add, 0, 0, k(1), 32);
  store(z, k(1), 4);
  emit(OP_call, 0, 0, call_slots(0, 0), f);
  emit(OP_jmp, 0, 0, 0, again);
  run();
  deps_id first = D;
  for (unsigned i = 0; i < 9; i++) {
    step(i);
    CHECK_EQ(D, first, "access %u", i);
  }
  finish();
}

TEST(known_steps_run_nothing) {
  begin_shared();
  load(0, x, 4);
  store(z, 0, 4);
  ret(0);
  run();
  state_id s = S;
  deps_id d = D;
  step(1);
  struct vm_stats before = vm_stats(V);
  uint32_t sets = vm_sets(V)->spans.len;
  CHECK_EQ(vm_deps_step(V, d, s, 1, false, 0), D, " ");
  vm_deps_step(V, d, s, 9, false, 0); // not taken by vm_step
  CHECK_EQ(vm_stats(V).states, before.states, "no state is made");
  CHECK_EQ(vm_stats(V).misses, before.misses, " ");
  CHECK_EQ(vm_sets(V)->spans.len, sets, " ");
  finish();
}

TEST(warnings_are_noted_once) {
  begin_shared();
  load(0, x, 4);
  emit(OP_add, 1, 0, k(1), 32 | IMM_NSW);
  store(z, 1, 4);
  ret(k(0));
  struct vm_config config = vm_config_default();
  config.warned[FIND_OVERFLOW] = true;
  start_with(config);
  state_id s = vm_main(V);
  vm_deps_step(V, vm_deps_first(V), s, INT32_MAX, false, 0);
  CHECK_EQ(V->warnings.len, 0, "the run beside it says nothing");
  vm_step(V, s, INT32_MAX);
  CHECK_EQ(V->warnings.len, 1, " ");
  finish();
}

// Reads a counter that always differs until the thread's states are transient,
// then makes two states with the same number, one after the other.
TEST(transient_states) {
  begin_shared();
  load(0, x, 8);
  load(1, y, 8);
  emit(OP_br, 0, 0, 0, imm_targets(3, 5));
  store(z, 0, 8);
  emit(OP_jmp, 0, 0, 0, 0);
  store(z, 1, 8);
  emit(OP_jmp, 0, 0, 0, 0);
  run();
  state_id s = S;
  uint64_t fresh = 1;
  while (vm_step(V, s, fresh) < vm_first_transient(V))
    fresh++;
  vm_release(V, (struct vm_mark){0});
  for (unsigned round = 0; round < 4; round++) {
    struct vm_mark mark = vm_mark(V);
    uint64_t value = round % 2 ? 0 : ++fresh;
    state_id t = vm_step(V, s, value);
    deps_id d = vm_deps_step(V, D, s, value, false, 0);
    // Equal keys but for what the state is.
    deps_id e = vm_deps_step(V, d, t, 7, false, 1);
    CHECK(t >= vm_first_transient(V) || round % 2, "round %u", round);
    CHECK(set_contains(vm_sets(V), vm_deps(V, e).data, round % 2), "round %u",
          round);
    vm_release(V, mark);
  }
  finish();
}

// The same when all is forgotten in between, with states that stay.
TEST(begins_anew) {
  begin_shared();
  load(0, x, 8);
  load(1, y, 8);
  emit(OP_br, 0, 0, 0, imm_targets(3, 5));
  store(z, 0, 8);
  emit(OP_jmp, 0, 0, 0, 0);
  store(z, 1, 8);
  emit(OP_jmp, 0, 0, 0, 0);
  struct vm_config config = vm_config_default();
  config.few_deps = 1;
  start_with(config);
  state_id s = vm_main(V);
  uint64_t fresh = 1;
  while (vm_step(V, s, fresh) < vm_first_transient(V))
    fresh++;
  vm_release(V, (struct vm_mark){0});
  for (unsigned round = 0; round < 8; round++) {
    struct vm_mark mark = vm_mark(V);
    uint64_t value = round % 2 ? 0 : ++fresh;
    state_id t = vm_step(V, s, value);
    for (unsigned again = 0; again < 2; again++) {
      deps_id d = vm_deps_step(V, vm_deps_first(V), s, value, false, round);
      deps_id e = vm_deps_step(V, d, t, 7, false, 8);
      set_id data = vm_deps(V, e).data;
      CHECK_EQ(set_len(vm_sets(V), data), 1, "round %u", round);
      CHECK(set_contains(vm_sets(V), data, round % 2 ? 8 : round), "round %u",
            round);
      CHECK(round + again > 0 || vm_deps_are_many(V), " ");
      struct vm_mark inner = vm_mark(V);
      vm_step(V, t, fresh + 7); // a state that is younger than that step
      if (round % 4 < 2)
        vm_deps_forget(V);
      vm_deps_settle(V);
      CHECK(!vm_deps_are_many(V), "round %u", round);
      vm_release(V, inner);
    }
    vm_release(V, mark);
  }
  finish();
}
