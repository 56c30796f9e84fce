// SPDX-License-Identifier: MIT
// Dependencies through what is no event of its own: private memory, calls,
// objects, threads, copies.
#include "unit/deps.h"

// -- private memory

TEST(private_memory) {
  begin_shared();
  local_of(0, 16);
  emit(OP_add, 1, 0, k(8), 64);
  load(2, x, 4);
  load(3, y, 4);
  put(0, 2, 4);
  put(1, 3, 4);
  store(z, k(1), 4); // the sets survive a stop
  get(4, 0, 4);
  store(z, 4, 4);
  get(4, 1, 4);
  store(z, 4, 4);
  put(0, k(0), 1); // three of the bytes stay
  get(4, 0, 1);
  store(z, 4, 1);
  get(4, 0, 4);
  store(z, 4, 4);
  ret(k(0));
  run();
  step(1);
  step(2);
  AT(WRITE, ";;;");
  step(0);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";1;;");
  step(0);
  AT(WRITE, ";;;");
  step(0);
  AT(WRITE, ";0;;");
  finish();
}

// a[x] = 1; z = a[0]: another x would have been seen there.
TEST(private_stores_through_a_value) {
  begin_shared();
  local_of(0, 16);
  put(0, k(0), 8);
  load(1, x, 8);
  emit(OP_add, 2, 0, 1, 64);
  put(2, k(1), 1);
  store(z, k(1), 4); // nothing was loaded: no dependency
  get(3, 0, 1);
  store(z, 3, 1);
  ret(k(0));
  run();
  step(3);
  AT(WRITE, ";;;");
  step(0);
  AT(WRITE, ";0;;");
  finish();
}

TEST(private_and_constant_loads_through_a_value) {
  begin_shared();
  uint32_t g = prog_add_global(P, "table", 16, 8);
  P->globals.at[g].is_constant = true;
  local_of(0, 16);
  put(0, k(0), 8);
  load(1, x, 8);
  emit(OP_add, 2, 0, 1, 64);
  get(3, 2, 1);
  store(z, 3, 1);
  emit(OP_add, 2, 1, k(prog_global_address(P, g)), 64);
  get(3, 2, 1);
  store(z, 3, 1);
  get(3, 0, 1); // a load leaves no trace
  store(z, 3, 1);
  ret(k(0));
  run();
  step(3);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";;;");
  finish();
}

TEST(private_thread_locals) {
  begin_shared();
  uint32_t mine = prog_add_global(P, "mine", 4, 4);
  P->globals.at[mine].is_thread_local = P->globals.at[mine].is_private = true;
  load(0, x, 4);
  emit(OP_tls, 1, 0, 0, mine);
  put(1, 0, 4);
  load(0, y, 4);
  get(2, 1, 4);
  store(z, 2, 4);
  ret(k(0));
  run();
  step(1);
  AT(READ, ";;;");
  step(1);
  AT(WRITE, ";0;;");
  finish();
}

// -- calls

// f(r) stops at two accesses of its own; main waits below with what it read.
TEST(calls_and_returns) {
  begin_shared();
  uint32_t f = func("f", 1, 1);
  local_of(1, 8);
  put(1, 0, 4);
  load(2, y, 4);
  store(y, 2, 4);
  get(3, 1, 4);
  emit(OP_add, 2, 2, 3, 32);
  ret(2);
  prog_begin_func(P, 0);
  load(0, x, 4);
  load(1, x, 4);
  emit(OP_call, 2, 0, call_slots(1, 1), f);
  emit(OP_call, 3, k(7), call_slots(1, 1), f);
  store(z, 2, 4);
  store(z, 3, 4);
  store(z, 1, 4);
  ret(1);
  run();
  step(1);
  step(1);
  for (unsigned i = 0; i < 2; i++) {
    AT(READ, ";;;");
    step(5);
    step(0);
  }
  AT(WRITE, ";0 2;;");
  step(0);
  AT(WRITE, ";4;;");
  step(0);
  AT(WRITE, ";1;;");
  step(0);
  AT(END, ";1;;");
  finish();
}

TEST(variadic_arguments) {
  begin_shared();
  uint32_t f = func("f", 1, 1);
  P->funcs.at[f].is_vararg = true;
  local_of(1, 24);
  emit(OP_va_start, 1, 0, 0, 0);
  emit(OP_add, 2, 1, k(8), 64);
  get(3, 2, 8);
  emit(OP_add, 3, 3, k(8), 64);
  get(4, 3, 8);
  ret(4);
  prog_begin_func(P, 0);
  emit(OP_mov, 1, k(imm_variadic((struct variadic){0})), 0, 0);
  load(2, x, 4);
  load(3, y, 4);
  emit(OP_call, 0, 0, call_slots(4, 1), f);
  store(z, 0, 4);
  ret(0);
  run();
  step(1);
  step(2);
  AT(WRITE, ";1;;");
  CHECK_EQ(at(S)->value, 2, "the second one");
  finish();
}

TEST(the_result_of_a_thread) {
  begin_shared();
  uint32_t exits = func("exits", 1, 0);
  P->on_return = exits;
  emit(OP_mov, 1, k(0), 0, 0);
  sys(BI_thread_exit, 0, 0, 0, 2);
  emit(OP_ret, 0, 0, 0, 0);
  prog_begin_func(P, 0);
  load(0, x, 4);
  ret(0);
  run();
  step(1);
  AT(END, ";0;;");
  finish();
}

// -- objects, threads, choices

// An allocator branches on the size, and on what it gets back.
TEST(objects) {
  begin_shared();
  load(0, x, 4);
  sys(BI_malloc, 1, 1, 0, 1);
  put(1, k(1), 4);
  sys(BI_object_size, 2, 1, 1, 1);
  store(z, 2, 4);
  sys(BI_free, 0, 0, 1, 1);
  emit(OP_stack_new, 3, 0, 0, 4);
  put(3, 0, 4);
  emit(OP_stack_end, 3, 0, 0, 0);
  ret(k(0));
  run();
  step(8);
  AT(ALLOC, ";0;0;");
  step(0);
  AT(WRITE, "1;;0;");
  GUARDED(";");
  step(0);
  AT(OBJECT_SIZE, "1;;0;");
  step(8);
  places--;
  AT(WRITE, ";1;0;");
  step(0);
  AT(FREE, ";1;0 1;");
  step(0);
  AT(ALLOC, ";0;0 1;");
  step(0);
  AT(WRITE, "5;0;0 1;");
  step(0);
  AT(FREE, ";5;0 1;");
  finish();
}

TEST(threads_and_choices) {
  begin_shared();
  uint32_t worker = func("worker", 1, 1);
  store(z, 0, 4);
  ret(0);
  prog_begin_func(P, 0);
  load(1, x, 8);
  emit(OP_mov, 0, k(prog_func_address(P, worker)), 0, 0);
  sys(BI_spawn, 2, 1, 0, 2);
  sys(BI_join, 3, 1, 2, 1);
  store(z, 3, 8);
  const uint64_t range[2] = {0, 5};
  sys(BI_choose, 3, 1, prog_const_run(P, range, 2), 2);
  sys(BI_self, 2, 1, 0, 0);
  emit(OP_add, 3, 3, 2, 32);
  store(z, 3, 4);
  ret(k(0));
  run();
  step(40);
  AT(SPAWN, ";0;;");
  step(1);
  AT(JOIN, ";1;;");
  step(40);
  AT(WRITE, ";2;2;");
  step(0);
  step(3);
  AT(WRITE, ";4;2;");
  finish();
}

// -- copies

// p is a value read; *p is copied in two cells of 4 bytes to z and to private
// memory, and from there back.
TEST(copies_through_shared_memory) {
  begin_shared();
  local_of(0, 8);
  load(1, x, 8);
  emit(OP_copy, k(z), 1, k(8), 4);
  emit(OP_copy, 0, 1, k(8), 4);
  emit(OP_copy, k(z), 0, k(8), 4);
  ret(k(0));
  run();
  step(y);
  for (uint32_t i = 0; i < 2; i++) {
    answer(4);
    AT(READ, "0;;;");
    step(7);
    if (i == 0)
      AT(WRITE, ";1;;");
    else
      AT(WRITE, ";3;;");
    step(0);
  }
  answer(4);
  AT(READ, "0;;;");
  step(7); // 5
  answer(4);
  step(7); // 6
  answer(4);
  AT(WRITE, ";5;;");
  step(0);
  answer(4);
  AT(WRITE, ";6;;");
  finish();
}

// memmove(x + 4, x, 8) goes through a scratch object.
TEST(overlapping_copies) {
  begin_shared();
  load(0, y, 8);
  emit(OP_add, 1, 0, k(4), 64);
  emit(OP_copy, 1, 0, k(8), 4);
  local_of(2, 4);
  put(2, k(1), 4);
  get(3, 2, 4);
  store(z, 3, 4);
  ret(k(0));
  run();
  step(x);
  for (unsigned i = 0; i < 2; i++) {
    answer(4);
    AT(READ, "0;;;");
    step(7);
  }
  answer(4);
  AT(WRITE, "0;1;;");
  step(0);
  answer(4);
  AT(WRITE, "0;2;;");
  step(0);
  AT(WRITE, ";;;"); // the scratch object left nothing behind
  finish();
}

TEST(private_copies_and_fills) {
  begin_shared();
  local_of(0, 8);
  local_of(1, 8);
  load(2, x, 4);
  put(0, 2, 4);
  emit(OP_add, 3, 0, k(4), 64);
  put(3, k(0), 4);
  emit(OP_copy, 1, 0, k(8), 0);
  get(4, 1, 4);
  store(z, 4, 4);
  emit(OP_add, 3, 1, k(4), 64);
  get(4, 3, 4);
  store(z, 4, 4);
  load(2, x, 1);
  emit(OP_fill, 3, 2, k(4), 0);
  get(4, 3, 4);
  store(z, 4, 4);
  emit(OP_fill, k(z), 2, k(4), 4);
  load(2, x, 1);
  emit(OP_and, 2, 2, k(3), 0);
  emit(OP_copy, 1, 0, 2, 0); // memmove branches on its size
  store(z, k(1), 4);
  ret(k(0));
  run();
  step(1);
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";;;");
  step(0);
  step(1); // 3
  AT(WRITE, ";3;;");
  step(0);
  answer(4);
  AT(WRITE, ";3;;");
  step(0);
  step(2); // 6
  AT(WRITE, ";;6;");
  finish();
}

TEST(formatted_doubles) {
  begin_shared();
  local_of(0, 600);
  load(1, x, 8);
  emit(OP_mov, 2, k('f'), 0, 0);
  emit(OP_mov, 3, k(2), 0, 0);
  emit(OP_mov, 4, 0, 0, 0);
  sys(BI_format_double, 6, 1, 1, 4);
  store(z, 6, 4);
  get(5, 0, 1);
  store(z, 5, 1);
  ret(k(0));
  run();
  step(bits(3.5));
  AT(WRITE, ";0;;");
  step(0);
  AT(WRITE, ";0;;");
  finish();
}
