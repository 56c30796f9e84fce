// SPDX-License-Identifier: MIT
// Building, verifying, printing and analysing hand-made programs.
#include "base/finding.h"
#include "bytecode/operand.h"
#include "tap.h"
#include "unit/program.h"

static bool finish(struct diag *why) {
  bool ok = prog_finish(P, why);
  return ok;
}

TEST(constants_move_behind_the_registers) {
  struct diag why;
  begin();
  func("main", 0, 1);
  unsigned seven = k(7), nine = k(9);
  emit(OP_add, 5, seven, nine, 32);
  emit(OP_mov, 1, k(7), 0, 0);
  ret(5);
  CHECK(finish(&why), "%s", why.text);
  const struct func *f = &P->funcs.at[0];
  CHECK_EQ(f->nregs, 6, " ");
  CHECK_EQ(f->nconsts, 2, "equal constants share a slot");
  CHECK_EQ(P->code.at[0].b, 6, " ");
  CHECK_EQ(P->code.at[0].c, 7, " ");
  CHECK_EQ(P->code.at[1].b, 6, " ");
  prog_free(P);
}

TEST(many_constants_are_found_again) {
  struct diag why;
  begin();
  for (int f = 0; f < 2; f++) {
    func(f ? "main" : "other", 0, 1);
    for (uint64_t i = 0; i < 3000; i++)
      emit(OP_mov, 0, k(i * i), 0, 0);
    for (uint64_t i = 0; i < 3000; i++)
      CHECK_EQ(k(i * i), CONST_OPERAND + i, "constant %d", (int)i);
    ret(0);
  }
  const uint64_t pair[2] = {0, 0};
  unsigned run = prog_const_run(P, pair, 2);
  CHECK_EQ(run, CONST_OPERAND + 3000, "a run is never shared");
  CHECK(finish(&why), "%s", why.text);
  prog_free(P);
}

TEST(objects_follow_from_sizes) {
  begin();
  uint64_t a = global("a", 4), big = global("big", (uint64_t)20 << 20);
  uint32_t tls = prog_add_global(P, "tls", 8, 8);
  P->globals.at[tls].is_thread_local = true;
  uint64_t z = global("z", 1);
  func("main", 0, 1);
  ret(k(0));
  struct diag why;
  CHECK(finish(&why), "%s", why.text);
  CHECK_EQ(prog_global_of_object(P, pointer_object(a)), 0, " ");
  CHECK_EQ(prog_global_of_object(P, pointer_object(big)), 1, " ");
  CHECK_EQ(prog_global_of_object(P, pointer_object(big + (17 << 20))), 1,
           "second window");
  CHECK_EQ(prog_global_of_object(P, pointer_object(z)), 3, " ");
  CHECK_EQ(prog_global_of_object(P, pointer_object(z) + 1), UINT32_MAX, " ");
  CHECK_EQ(prog_global_of_object(P, 0), UINT32_MAX, "null");
  CHECK_EQ(prog_global_of_tls(P, 0), 2, " ");
  CHECK_EQ(prog_func_of_address(P, prog_func_address(P, 0)), 0, " ");
  CHECK_EQ(prog_func_of_address(P, prog_func_address(P, 0) + 1), UINT32_MAX,
           "inside of a function");
  CHECK_EQ(prog_func_of_address(P, a), UINT32_MAX, " ");
  prog_free(P);
}

// -- liveness

static bool lives(uint32_t pc, unsigned slot) {
  uint32_t n;
  const uint16_t *list = live_across(P, pc, &n);
  for (uint32_t i = 0; i < n; i++)
    if (list[i] == slot)
      return true;
  return false;
}

TEST(liveness_of_straight_code) {
  struct diag why;
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_mov, 0, k(1), 0, 0);
  emit(OP_mov, 1, k(2), 0, 0);
  uint32_t first = load(2, x, 4);
  emit(OP_add, 3, 0, 2, 32);
  uint32_t second = store(x, 3, 4);
  ret(3);
  CHECK(finish(&why), "%s", why.text);
  CHECK(lives(first, 0), "r0 is read later");
  CHECK(!lives(first, 1), "r1 is never read");
  CHECK(!lives(first, 2), "r2 is written by the load itself");
  CHECK(!lives(first, 3), "r3 is written before it is read");
  CHECK(lives(second, 3) && !lives(second, 0), "only r3 is returned");
  CHECK(!lives(0, 0), "no list where a thread cannot stop");
  prog_free(P);
}

TEST(liveness_around_a_loop) {
  struct diag why;
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_mov, 0, k(0), 0, 0);             // 0: i
  emit(OP_mov, 1, k(0), 0, 0);             // 1: sum
  load(2, x, 4);                           // 2: loop
  emit(OP_add, 1, 1, 2, 32);               // 3
  emit(OP_add, 0, 0, k(1), 32);            // 4
  emit(OP_ult, 3, 0, k(9), 32);            // 5
  emit(OP_br, 3, 0, 0, imm_targets(2, 7)); // 6
  ret(1);                                  // 7
  CHECK(finish(&why), "%s", why.text);
  CHECK(lives(2, 0) && lives(2, 1), "the counter and the sum");
  CHECK(!lives(2, 2) && !lives(2, 3), "nothing else");
  prog_free(P);
}

TEST(liveness_of_calls_and_computed_goto) {
  struct diag why;
  begin();
  func("main", 0, 1);
  uint32_t callee = prog_add_func(P, "callee", 2, 2);
  prog_begin_func(P, 0);
  emit(OP_mov, 5, k(1), 0, 0);
  emit(OP_mov, 6, k(2), 0, 0);
  uint32_t call = emit(OP_call, 7, 5, call_slots(2, 2), callee); // 2
  emit(OP_mov, 4, k(prog_code_address(5)), 0, 0);
  emit(OP_ijmp, 4, 0, 0, 0); // 4
  emit(OP_add, 0, 6, 8, 32); // 5: a label
  ret(0);
  prog_begin_func(P, callee);
  emit(OP_ret, 0, 2, 0, 0);
  CHECK(finish(&why), "%s", why.text);
  CHECK(lives(call, 6), "read behind the computed goto");
  CHECK(!lives(call, 5), "only an argument");
  CHECK(!lives(call, 7) && !lives(call, 8), "results");
  CHECK_EQ(P->labels.len, 1, " ");
  prog_free(P);
}

// -- the verifier

// Finishes main, whose code the caller has emitted, and expects a refusal that
// contains `reason`.
#define REFUSED(reason)                                                        \
  do {                                                                         \
    struct diag why = {.text = ""};                                            \
    CHECK(!finish(&why), "not refused: %s", reason);                           \
    CHECK(strstr(why.text, reason), "refused with: %s", why.text);             \
    prog_free(P);                                                              \
  } while (0)

static void begin_main(void) {
  begin();
  func("main", 0, 1);
}

TEST(malformed_programs_are_refused) {
  begin();
  REFUSED("no main");

  begin_main();
  REFUSED("no code");

  begin_main();
  emit(OP_mov, 0, k(1), 0, 0);
  REFUSED("runs over the end");

  begin_main();
  emit(OP_jmp, 0, 0, 0, 9);
  REFUSED("target 9 outside");

  begin_main();
  emit(OP_br, k(1), 0, 0, imm_targets(0, 77));
  REFUSED("outside of the function");

  begin_main();
  emit(OP_mov, k(1), k(1), 0, 0);
  ret(k(0));
  REFUSED("operand a writes slot");

  begin_main();
  emit(OP_mov, 0, CONST_OPERAND + 3, 0, 0);
  ret(k(0));
  REFUSED("operand b reads slot");

  begin_main();
  emit(OP_add, 0, k(1), k(1), 65);
  ret(0);
  REFUSED("width 65");

  begin_main();
  emit(OP_add, 0, k(1), k(1), 0);
  ret(0);
  REFUSED("width 0");

  begin_main();
  emit(OP_sext, 0, k(1), 0, 64 | 32 << 8);
  ret(0);
  REFUSED("widths 64, 32");

  begin_main();
  emit(OP_load, 0, k(1), 0, access_imm(3, ORD_NA));
  ret(0);
  REFUSED("access of 3 bytes");

  begin_main();
  emit(OP_load, 0, k(1), 0, access_imm(4, (enum order)9));
  ret(0);
  REFUSED("memory order");

  begin_main();
  emit(OP_fence, 0, 0, 0, access_imm(0, ORD_NA));
  ret(k(0));
  REFUSED("without an order");

  begin_main();
  emit(OP_switch, k(1), 0, 0, 4);
  REFUSED("switch table 4");

  begin_main();
  prog_add_table(P, 0);
  prog_add_case(P, 1, 50);
  emit(OP_switch, k(1), 0, 0, 0);
  REFUSED("case target 50");

  begin_main();
  emit(OP_call, 0, 0, call_slots(0, 1), 12);
  ret(0);
  REFUSED("function 12");

  begin_main();
  emit(OP_call, 0, 0, call_slots(2, 1), 0);
  ret(0);
  REFUSED("2 argument slots for 0 parameters");

  begin_main();
  emit(OP_call, 0, 0, call_slots(0, 2), 0);
  ret(0);
  REFUSED("2 results from a function with 1");

  begin_main();
  emit(OP_sys, 0, 0, call_slots(0, 0), BI_COUNT);
  ret(k(0));
  REFUSED("builtin");

  begin_main();
  sys(BI_malloc, 0, 1, 0, 2);
  ret(0);
  REFUSED("for builtin malloc");

  begin_main();
  emit(OP_trap, 0, 0, 0, FIND_COUNT);
  REFUSED("finding");

  begin_main();
  emit(OP_tls, 0, 0, 0, 0);
  ret(0);
  REFUSED("not thread-local");

  begin_main();
  emit(OP_ret, 0, 2, 0, 0);
  REFUSED("2 results, not 1");

  begin_main();
  emit(OP_rmw_load, 0, k(16), 0, access_imm(4, ORD_RLX));
  ret(0);
  REFUSED("no rmw_store");

  begin_main();
  emit(OP_cas_store, k(16), k(1), k(1), access_imm(4, ORD_RLX));
  ret(k(0));
  REFUSED("no cas_load");

  begin_main();
  emit(OP_rmw_load, 0, k(16), 0, access_imm(4, ORD_RLX));
  emit(OP_rmw_store, k(16), 0, 0, access_imm(8, ORD_RLX));
  ret(k(0));
  REFUSED("differ in size");

  begin_main();
  emit(OP_mov, 70000, k(1), 0, 0);
  ret(k(0));
  REFUSED("too many registers");

  begin_main();
  emit(OP_select, 0, k(1), k(1), 70000);
  ret(0);
  REFUSED("operand i reads slot");

  begin_main();
  emit((enum op)OP_COUNT, 0, 0, 0, 0);
  REFUSED("unknown instruction");

  begin_main();
  global("huge", (uint64_t)2 << 30);
  ret(k(0));
  REFUSED("globals take too much space");
}

TEST(a_refusal_names_the_place) {
  struct diag why;
  begin_main();
  emit(OP_mov, 0, k(1), 0, 0);
  emit(OP_add, 0, 0, 0, 99);
  ret(0);
  CHECK(!finish(&why), " ");
  CHECK_STR(why.file, "test.c");
  CHECK_EQ(why.line, 2, " ");
  CHECK(strstr(why.text, "`main`, pc 1 (add)"), "%s", why.text);
  prog_free(P);
}

// -- the printer

TEST(print_is_readable) {
  struct diag why;
  begin();
  uint64_t x = global("x", 8);
  func("main", 0, 1);
  emit(OP_load, 2, k(x), 0, access_imm(4, ORD_ACQ));
  emit(OP_add, 3, 2, k(1), 32 | IMM_NSW);
  emit(OP_br, 3, 0, 0, imm_targets(3, 4));
  sys(BI_abort, 0, 0, 0, 0);
  ret(3);
  CHECK(finish(&why), "%s", why.text);
  struct str out = {0};
  prog_print(P, &out);
  const char *const parts[] = {
      "global x: 8 bytes",
      "function main: 0 parameters",
      "load      r2 <- &x 4 acq",
      "add       r3 <- r2, 1 i32 nsw",
      "br        r3 ->3 else->4",
      "sys       abort",
      "ret       r3",
      "; test.c:2",
  };
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    CHECK(strstr(str_text(&out), parts[i]), "no \"%s\" in\n%s", parts[i],
          str_text(&out));
  str_done(&out);
  prog_free(P);
}

TEST(every_instruction_has_a_name_and_operands) {
  for (unsigned op = 0; op < OP_COUNT; op++) {
    struct operand o[4];
    struct insn in = {
        .op = (uint16_t)op, .b = 1, .c = 1, .imm = access_imm(8, ORD_RLX)};
    CHECK(op_name((enum op)op)[0], "op %u", op);
    CHECK(insn_operands(&in, o) <= 4, "op %u", op);
  }
  for (unsigned b = 0; b < BI_COUNT; b++)
    CHECK(builtin_name((enum builtin)b)[0], "builtin %u", b);
}

// -- names

TEST(addresses_have_names) {
  struct diag why;
  begin();
  struct type word = {.kind = TYPE_SCALAR, .size = 4};
  struct type slot = {.kind = TYPE_STRUCT, .size = 8, .members = 2};
  struct type slots = {.kind = TYPE_ARRAY, .size = 24};
  struct type queue = {
      .kind = TYPE_STRUCT, .size = 28, .first_member = 2, .members = 2};
  array_push(&P->types, word); // 1
  array_push(&P->types, slot); // 2
  slots.element = 2;
  array_push(&P->types, slots); // 3
  array_push(&P->types, queue); // 4
  struct member members[] = {{prog_string(P, "seq"), 1, 0, 0, 0},
                             {prog_string(P, "data"), 1, 4, 0, 0},
                             {prog_string(P, "head"), 1, 0, 0, 0},
                             {prog_string(P, "slots"), 3, 4, 0, 0}};
  for (unsigned i = 0; i < 4; i++)
    array_push(&P->members, members[i]);
  uint32_t g = prog_add_global(P, "queue", 28, 4);
  P->globals.at[g].type = 4;
  uint64_t plain = global("plain", 100), at = prog_global_address(P, g);
  func("main", 0, 1);
  ret(k(0));
  CHECK(finish(&why), "%s", why.text);
  static const struct {
    unsigned global, offset;
    const char *name;
  } want[] = {
      {0, 0, "queue.head"},
      {0, 4, "queue.slots[0].seq"},
      {0, 24, "queue.slots[2].data"},
      {0, 25, "queue.slots[2].data+1"},
      {0, 28, "queue+28"},
      {1, 0, "plain"},
      {1, 12, "plain+12"},
  };
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    struct str out = {0};
    uint64_t address = (want[i].global ? plain : at) + want[i].offset;
    CHECK(prog_name_address(P, address, 0, &out), "%s", want[i].name);
    CHECK_STR(str_text(&out), want[i].name);
    str_done(&out);
  }
  struct str none = {0};
  CHECK(!prog_name_address(P, 0, 0, &none), "null");
  CHECK(!prog_name_address(P, prog_func_address(P, 0), 0, &none), "a function");
  CHECK(!prog_name_address(P, UINT64_MAX, 0, &none), "no address");
  CHECK_EQ(prog_scalar_at(P, 4, 20, 0), 1, " ");
  CHECK_EQ(prog_scalar_at(P, 4, 21, 0), 0, " ");
  CHECK_EQ(prog_scalar_at(P, 0, 0, 0), 0, " ");
  prog_free(P);
}

TEST(images_are_the_program) {
  begin();
  uint64_t at = global("filled", 5);
  memcpy(P->globals.at[0].bytes, "\0ab\0\0", 5);
  global("zeros", (uint64_t)20 << 20);
  uint32_t tls = prog_add_global(P, "tls", 8, 8);
  P->globals.at[tls].is_thread_local = true;
  func("other", 1, 1);
  ret(0);
  func("main", 0, 1);
  load(0, at, 1);
  emit(OP_add, 1, 0, k(7), 32);
  store(at, 1, 1);
  ret(1);
  struct diag why;
  CHECK(finish(&why), "%s", why.text);
  struct str image = {0}, again = {0}, text = {0}, other = {0};
  prog_pack(P, &image);
  struct prog *read = prog_unpack(image.at, image.len);
  CHECK(read, "the whole image");
  prog_pack(read, &again);
  CHECK_EQ(again.len, image.len, " ");
  CHECK_EQ(read->live.len, P->live.len, " ");
  CHECK(memcmp(read->live.at, P->live.at, P->live.len * sizeof *P->live.at) ==
            0,
        "live slots");
  CHECK(memcmp(read->live_first, P->live_first,
               P->code.len * sizeof *P->live_first) == 0,
        "where they are");
  prog_print(P, &text);
  prog_print(read, &other);
  CHECK_STR(str_text(&other), str_text(&text));
  CHECK(memcmp(read->globals.at[0].bytes, "\0ab\0\0", 5) == 0, "contents");
  CHECK_EQ(read->globals.at[1].bytes[(20 << 20) - 1], 0, "zeros");
  CHECK_EQ(prog_string(read, "tls"), P->globals.at[tls].name, "texts");
  for (size_t n = 0; n < image.len; n++)
    CHECK(!prog_unpack(image.at, n), "%zu of %u bytes", n, image.len);
  prog_free(read);
  prog_free(P);
  str_done(&image), str_done(&again), str_done(&text), str_done(&other);
}
