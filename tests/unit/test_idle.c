// SPDX-License-Identifier: MIT
// Code that only passes the time (front/passes/idle.c). Random functions with
// loops and branches on counters run twice, with the same values: as they are,
// and without what is idle. They make the same accesses and end with the same
// findings, loops that never end among them; and a good part of the code is
// idle, so that loops come back to states in which they were.
#include "base/diag.h"
#include "front/passes/code.h"
#include "tap.h"
#include "vm/vm.h"

#include <stdlib.h>

enum { COUNTERS = 4, LOADED = 2, MOST = 40, DEPTH = 3 };

static uint64_t seed;
static struct code *C;
static vreg counter[COUNTERS], loaded[LOADED], test;
static uint64_t x; // the address of a global
static unsigned width;

static unsigned below(unsigned n) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((seed >> 33) % n);
}

static void emit(enum op op, vreg a, vreg b, vreg c, uint64_t imm) {
  code_emit(C, op, a, b, c, imm, (struct source){0});
}

static vreg k(uint64_t n) {
  return code_const(C, n & (UINT64_MAX >> (64 - width)));
}

static uint64_t plain(void) {
  return imm_access((struct imm_access){.size = 8, .order = ORD_RLX});
}

static vreg any(void) {
  return counter[below(COUNTERS)];
}

static vreg any_or_number(void) {
  return below(2) ? any() : k(below(5));
}

static void random_compare(void) {
  static const enum op ops[] = {OP_eq, OP_ne, OP_ult, OP_ule, OP_slt, OP_sle};
  bool is_left = below(2);
  vreg a = any(), b = any_or_number();
  emit(ops[below(6)], test, is_left ? a : b, is_left ? b : a, width);
}

static void random_step(void) {
  vreg to = any();
  uint64_t sign = below(3) == 0 ? IMM_NSW : 0;
  switch (below(6)) {
  case 0:
    emit(OP_mov, to, k(below(3) ? below(4) : UINT64_C(1) << (width - 3)), 0, 0);
    break;
  case 1:
    emit(OP_mov, to, any(), 0, 0);
    break;
  case 2:
    emit(OP_add, to, below(3) ? to : any(), k(1 + below(2)), width | sign);
    break;
  case 3:
    emit(OP_sub, to, to, k(1), width | sign);
    break;
  case 4:
    emit(OP_mul, to, to, k(2), width | sign);
    break;
  case 5:
    emit(OP_shl, to, to, k(1), width);
    break;
  }
}

static void random_block(unsigned depth);

static void random_if(unsigned depth) {
  label_id yes = code_label(C), no = code_label(C), end = code_label(C);
  bool on_loaded = below(6) == 0;
  if (!on_loaded)
    random_compare();
  emit(OP_br, on_loaded ? loaded[below(LOADED)] : test, 0, 0,
       imm_targets(yes, no));
  code_place(C, yes);
  random_block(depth + 1);
  emit(OP_jmp, 0, 0, 0, end);
  code_place(C, no);
  if (below(2))
    random_block(depth + 1);
  code_place(C, end);
}

// Most of the time, one more; now and then only if something holds.
static void random_increment(vreg i) {
  label_id yes = code_label(C), end = code_label(C);
  bool is_certain = below(5);
  if (!is_certain) {
    random_compare();
    emit(OP_br, test, 0, 0, imm_targets(yes, end));
  }
  code_place(C, yes);
  if (below(8))
    emit(below(4) ? OP_add : OP_sub, i, i, k(1 + (below(5) == 0)), width);
  code_place(C, end);
}

// while (a ? b) { ...; a++; }, with the test first or last.
static void random_loop(unsigned depth) {
  label_id head = code_label(C), body = code_label(C), end = code_label(C);
  vreg i = any(), n = any_or_number();
  bool is_last = below(3) == 0;
  if (below(4))
    emit(OP_mov, i, k(below(3)), 0, 0);
  code_place(C, head);
  if (!is_last) {
    static const enum op ops[] = {OP_ne,  OP_ult, OP_ule, OP_slt,
                                  OP_sle, OP_eq,  OP_ult, OP_slt};
    bool is_left = below(4);
    emit(ops[below(8)], test, is_left ? i : n, is_left ? n : i, width);
    emit(OP_br, test, 0, 0,
         below(5) ? imm_targets(body, end) : imm_targets(end, body));
    code_place(C, body);
  }
  if (below(3) == 0)
    random_block(depth + 1);
  random_increment(i);
  if (below(5) == 0 && !is_const_reg(n))
    emit(OP_add, n, n, k(1), width);
  if (is_last) {
    random_compare();
    emit(OP_br, test, 0, 0, imm_targets(head, end));
  } else {
    emit(OP_jmp, 0, 0, 0, head);
  }
  code_place(C, end);
}

static void random_block(unsigned depth) {
  for (unsigned n = below(3); n < 3; n++)
    switch (below(10)) {
    case 0:
    case 1:
      if (depth < DEPTH)
        random_if(depth);
      break;
    case 2:
    case 3:
      if (depth < DEPTH)
        random_loop(depth);
      break;
    case 4:
      if (depth < 2)
        emit(OP_load, loaded[below(LOADED)], code_const(C, x), 0, plain());
      break;
    case 5:
      if (below(6) == 0)
        emit(OP_store, code_const(C, x), below(3) ? loaded[0] : any(), 0,
             plain());
      else
        emit(OP_sys, 0, 0, 0, BI_yield);
      break;
    default:
      random_step();
    }
}

// while (load) { ... }
static void random_code(void) {
  label_id head = code_label(C), end = code_label(C);
  for (unsigned i = 0; i < COUNTERS; i++) {
    counter[i] = code_reg(C);
    if (below(20))
      emit(OP_mov, counter[i], k(below(3)), 0, 0);
    else
      emit(OP_undef, counter[i], 0, 0, width);
  }
  for (unsigned i = 0; i < LOADED; i++) {
    loaded[i] = code_reg(C);
    emit(OP_mov, loaded[i], k(0), 0, 0);
  }
  test = code_reg(C);
  code_place(C, head);
  emit(OP_load, loaded[0], code_const(C, x), 0, plain());
  label_id body = code_label(C);
  emit(OP_br, loaded[0], 0, 0, imm_targets(body, end));
  code_place(C, body);
  random_block(0);
  emit(OP_jmp, 0, 0, 0, head);
  code_place(C, end);
  if (below(3) == 0)
    emit(OP_store, code_const(C, x), any(), 0, plain());
  emit(OP_ret, loaded[0], 1, 0, 0);
}

// The program of the seed; *idle: without what is idle, if something was.
static struct prog *make(uint64_t of, bool *idle) {
  static const unsigned widths[] = {8, 8, 32, 32};
  struct prog *p = prog_new();
  struct code code;
  struct code *codes[] = {&code};
  struct diag why;
  seed = of;
  width = widths[below(4)];
  x = prog_global_address(p, prog_add_global(p, "x", 8, 8));
  uint32_t f = prog_add_func(p, "main", 0, 1);
  p->main_func = f;
  C = &code;
  code_init(C, prog_string(p, "main"), 0, 1);
  random_code();
  code_tidy(C);
  if (*idle && (*idle = code_idle(C, codes)))
    code_tidy(C);
  uint32_t *label_pc = calloc(C->labels + 1u, sizeof *label_pc);
  CHECK(code_assemble(C, p, f, label_pc, &why) && prog_finish(p, &why), "%s",
        why.text);
  free(label_pc);
  code_done(C);
  return p;
}

struct run {
  struct access access[MOST];
  state_id state[MOST];
  unsigned len, returns;
};

static void run_thread(struct vm *vm, const uint64_t *value, struct run *r) {
  state_id s = vm_main(vm);
  for (r->len = r->returns = 0; r->len < MOST;) {
    const struct access a = *vm_access(vm, s);
    for (unsigned i = 0; i < r->len; i++)
      if (r->state[i] == s) {
        r->returns++;
        break;
      }
    r->state[r->len] = s;
    r->access[r->len++] = a;
    if (a.kind == ACC_END || a.kind == ACC_ERROR || a.kind == ACC_CUT)
      return;
    s = vm_step(vm, s, a.kind == ACC_READ ? value[r->len] : 0);
  }
}

static bool is_cut(const struct access *a) {
  return a->kind == ACC_CUT;
}

static bool is_same(const struct vm *v, const struct access *a,
                    const struct vm *w, const struct access *b) {
  if (a->kind == ACC_ERROR && b->kind == ACC_ERROR)
    return a->value == b->value &&
           strcmp(vm_text(v, a->value2), vm_text(w, b->value2)) == 0;
  return memcmp(a, b, sizeof *a) == 0;
}

TEST(nobody_misses_what_is_idle) {
  static struct run some, all;
  unsigned programs = 0, few = 0, many = 0, errors = 0, compared = 0;
  for (uint64_t n = 1; n <= 6000; n++) {
    bool idle = true, no = false;
    struct prog *less = make(n, &idle);
    if (!idle) {
      prog_free(less);
      continue;
    }
    struct prog *more = make(n, &no);
    struct vm_config config = vm_config_default();
    config.max_steps = 1 << 17; // enough to see that a loop is endless
    struct vm *v = vm_new(less, &config), *w = vm_new(more, &config);
    programs++;
    for (unsigned i = 0; i < 3; i++) {
      uint64_t value[MOST + 1];
      for (unsigned j = 0; j <= MOST; j++)
        value[j] = below(5) > 0;
      run_thread(v, value, &some);
      run_thread(w, value, &all);
      for (unsigned j = 0; j < all.len && !is_cut(&all.access[j]); j++) {
        CHECK(j < some.len && is_same(v, &some.access[j], w, &all.access[j]),
              "program %llu: access %u", (unsigned long long)n, j);
        compared++;
      }
      errors += all.access[all.len - 1].kind == ACC_ERROR;
      few += all.returns;
      many += some.returns;
    }
    vm_free(v);
    vm_free(w);
    prog_free(less);
    prog_free(more);
  }
  printf("# %u programs, %u accesses, %u errors; %u states came again, %u "
         "without\n",
         programs, compared, errors, many, few);
  CHECK(programs > 300 && compared > 2000 && errors > 50, "too few");
  CHECK(many > few + few / 10, "%u states came again, %u without", many, few);
}
