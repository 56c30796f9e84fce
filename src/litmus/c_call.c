// SPDX-License-Identifier: MIT
// The functions that bodies of C may call: C11's atomics, and the primitives of
// the Linux kernel, of which suffixes give the order (xchg_relaxed). What has
// none of them orders fully: sc on both halves.
#include "litmus/c.h"

#include <string.h>

enum call_kind {
  CALL_LOAD,
  CALL_STORE,
  CALL_EXCHANGE,
  CALL_FETCH,      // yields what was there
  CALL_RETURN,     // yields what is there then
  CALL_TEST,       // yields whether that is 0
  CALL_NEGATIVE,   // yields whether that is negative
  CALL_NOTHING,    // yields nothing
  CALL_CAS,        // kernel: yields what was there
  CALL_CAS_STRONG, // C11: yields whether it succeeded
  CALL_CAS_WEAK,
  CALL_FENCE,    // C11
  CALL_BARRIER,  // kernel
  CALL_STORE_MB, // a store and a full barrier
  CALL_LOCK,
  CALL_UNLOCK,
  CALL_TRYLOCK,
  CALL_IS_LOCKED,
  CALL_UNLESS,       // adds unless a value is there; yields whether it did
  CALL_FETCH_UNLESS, // the same; yields what was there
  CALL_SRCU_LOCK,
  CALL_SRCU_UNLOCK,
  CALL_SRCU_SYNC,
  CALL_EMPTY, // does nothing
};

// How the arguments are written.
enum call_form {
  FORM_C11,     // (pointer, value), and orders if the name ends in _explicit
  FORM_LVALUE,  // (*x, value)
  FORM_POINTER, // (x, value)
  FORM_ATOMIC,  // (value, x)
  FORM_CLEAR,   // the same, and the value is complemented
  FORM_STEP,    // (x), the value is 1
};

struct call_row {
  const char *name;
  enum call_kind kind;
  enum call_form form;
  enum op op;
  enum order order;      // kernel, without a suffix
  enum fence_kind fence; // CALL_BARRIER
};

static const struct call_row rows[] = {
#define C11(name, kind, op) {name, kind, FORM_C11, op, ORD_SC, FENCE_C11},
#define KERNEL(name, kind, form, op, order)                                    \
  {name, kind, form, op, order, FENCE_C11},
#define BARRIER(name, fence, order)                                            \
  {name, CALL_BARRIER, FORM_POINTER, OP_mov, order, fence},
#include "base/barrier.def"
#undef BARRIER
#include "litmus/c_call.def"
};

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

// The row of a name, whose suffixes are taken off: *suffix is what is left.
// Some names are both C11's and the kernel's.
static const struct call_row *find_row(const char *name, bool is_kernel,
                                       const char **suffix) {
  const struct call_row *best = NULL;
  static const char *const suffixes[] = {"", "_explicit", "_relaxed",
                                         "_acquire", "_release"};
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    if (!begins(name, rows[i].name))
      continue;
    const char *rest = name + strlen(rows[i].name);
    for (unsigned s = 0; s < LENGTH(suffixes); s++)
      if (strcmp(rest, suffixes[s]) == 0 &&
          (s == 0 || (s == 1) == (rows[i].form == FORM_C11)) &&
          (!best || is_kernel == (rows[i].form != FORM_C11))) {
        best = &rows[i];
        *suffix = rest;
      }
  }
  return best;
}

struct call {
  const struct call_row *row;
  unsigned address;
  unsigned value;            // written, added, ...
  unsigned expected;         // CAS
  bool is_by_reference;      // C11's CAS: `expected` is a variable or cell
  unsigned expected_slot;    // the variable
  unsigned expected_address; // the cell
  enum order order, order_fail;
};

// -- arguments

static bool read_order(struct c_body *c, enum order *ret) {
  static const char *const names[] = {"relaxed", "acquire", "release",
                                      "acq_rel", "seq_cst", "consume"};
  static const enum order orders[] = {ORD_RLX,    ORD_ACQ, ORD_REL,
                                      ORD_ACQREL, ORD_SC,  ORD_ACQ};
  ONE_FOR_EACH(orders, LENGTH(names));
  char text[64];
  scan_copy(c->at, text, sizeof text);
  const char *name = begins(text, "memory_order_") ? text + 13
                     : begins(text, "mo_")         ? text + 3
                                                   : "";
  for (unsigned i = 0; i < 6; i++)
    if (strcmp(name, names[i]) == 0) {
      *ret = orders[i];
      c_take(c);
      return true;
    }
  return c_refuse(c, "a memory order");
}

// C11's expected value: &variable, a pointer to a cell, or a value.
static bool read_expected(struct c_body *c, struct call *call) {
  const struct token *t = c->at;
  bool is_ref = scan_is(t, "&");
  if (c_variable(c, t + is_ref, &call->expected_slot) && is_ref) {
    c_take(c);
    c_take(c);
    call->is_by_reference = true;
    call->expected = call->expected_slot;
    call->expected_address = UINT32_MAX;
    return true;
  }
  bool is_value = t->kind == TOK_NUMBER || c_variable(c, t, &call->expected);
  if (!c_expression(c, &call->expected))
    return false;
  if (is_value)
    return true;
  call->is_by_reference = true;
  call->expected_address = call->expected;
  call->expected = build_load(c->l, call->expected_address, c_plain);
  return true;
}

static bool reads_value(enum call_kind k) {
  return k != CALL_LOAD && k != CALL_FENCE && k != CALL_BARRIER &&
         k != CALL_LOCK && k != CALL_UNLOCK && k != CALL_TRYLOCK &&
         k != CALL_IS_LOCKED && k != CALL_SRCU_LOCK && k != CALL_SRCU_SYNC;
}

static bool is_unless(enum call_kind k) {
  return k == CALL_UNLESS || k == CALL_FETCH_UNLESS;
}

static bool is_c11_cas(enum call_kind k) {
  return k == CALL_CAS_STRONG || k == CALL_CAS_WEAK;
}

static bool comma(struct c_body *c) {
  return c_expect(c, ",");
}

static bool read_pointer(struct c_body *c, enum call_form form, unsigned *ret) {
  return form == FORM_LVALUE ? c_lvalue(c, ret) : c_expression(c, ret);
}

static bool read_c11_orders(struct c_body *c, struct call *call) {
  if (!comma(c) || !read_order(c, &call->order))
    return false;
  call->order_fail = call->order;
  if (is_c11_cas(call->row->kind))
    return comma(c) && read_order(c, &call->order_fail);
  return true;
}

static bool value_comes_first(enum call_form form) {
  return form == FORM_ATOMIC || form == FORM_CLEAR;
}

static bool read_arguments(struct c_body *c, struct call *call,
                           bool is_explicit) {
  const struct call_row *row = call->row;
  call->value = build_const(c->l, 1);
  call->expected = build_const(c->l, 0);
  if (row->kind == CALL_BARRIER || row->kind == CALL_EMPTY) {
    // rcu_read_lock() and its like; what is in the parentheses says nothing.
    return c_expect(c, ")");
  }
  if (row->kind == CALL_FENCE)
    return read_order(c, &call->order) && c_expect(c, ")");
  if (value_comes_first(row->form) &&
      (!c_expression(c, &call->value) || !comma(c)))
    return false;
  if (row->form == FORM_CLEAR)
    call->value = build_binary(c->l, OP_xor, call->value,
                               build_const(c->l, UINT64_MAX), 64);
  if (!read_pointer(c, row->form, &call->address))
    return false;
  if (is_c11_cas(row->kind) && (!comma(c) || !read_expected(c, call)))
    return false;
  if (row->kind == CALL_CAS && (!comma(c) || !c_expression(c, &call->expected)))
    return false;
  if (reads_value(row->kind) && !value_comes_first(row->form) &&
      row->form != FORM_STEP && (!comma(c) || !c_expression(c, &call->value)))
    return false;
  if (is_unless(row->kind) && row->form != FORM_STEP &&
      (!comma(c) || !c_expression(c, &call->expected)))
    return false;
  if (is_explicit && !read_c11_orders(c, call))
    return false;
  return c_expect(c, ")");
}

// -- meaning

// The part of an order that counts for a read, and for a write. The kernel's
// fully ordered operations are sc on both.
static enum order order_of_read(enum order o) {
  return o == ORD_REL ? ORD_RLX : o == ORD_ACQREL ? ORD_ACQ : o;
}

static enum order order_of_write(enum order o) {
  return o == ORD_ACQ ? ORD_RLX : o == ORD_ACQREL ? ORD_REL : o;
}

static struct access_how how(enum order o) {
  return (struct access_how){.size = 8, .order = o};
}

static unsigned lower_fetch(struct c_body *c, const struct call *call,
                            uint8_t flags) {
  struct access_how read = how(order_of_read(call->order));
  read.how = flags;
  return build_update(c->l, call->row->op, call->address, call->value, read,
                      how(order_of_write(call->order)));
}

static unsigned lower_kernel_cas(struct c_body *c, const struct call *call,
                                 unsigned *ok) {
  struct access_how read = how(order_of_read(call->order));
  struct access_how write = how(order_of_write(call->order));
  read.order_fail = order_of_read(call->order_fail);
  if (c->l->t->is_kernel)
    read.how = write.how = HOW_PICK;
  return build_cas(c->l, call->address, call->expected, call->value, read,
                   write, ok);
}

// C11: on failure what was read goes where the expected value came from.
static unsigned lower_c11_cas(struct c_body *c, const struct call *call) {
  struct build *l = c->l;
  unsigned ok, result = build_slot(l);
  uint32_t yes = build_label(l, 0), no = build_label(l, 0),
           end = build_label(l, 0), fails = build_label(l, 0),
           tries = build_label(l, 0);
  const uint64_t range[] = {0, 1};
  if (call->row->kind == CALL_CAS_WEAK) { // it may fail for no reason
    unsigned spurious = build_slot(l);
    build_emit(l, OP_sys, spurious, prog_const_run(l->p, range, 2),
               call_slots(2, 1), BI_choose);
    build_branch(l, spurious, fails, tries);
  } else {
    build_jump(l, tries);
  }
  unsigned old = build_slot(l);
  build_place(l, tries);
  build_move(l, old, lower_kernel_cas(c, call, &ok));
  build_branch(l, ok, yes, no);
  build_place(l, fails);
  if (call->row->kind == CALL_CAS_WEAK)
    build_move(
        l, old,
        build_load(l, call->address, how(order_of_read(call->order_fail))));
  build_jump(l, no);
  build_place(l, no);
  build_move(l, result, build_const(l, 0));
  if (call->is_by_reference && call->expected_address == UINT32_MAX)
    build_move(l, call->expected_slot, old);
  else if (call->is_by_reference)
    build_store(l, call->expected_address, old, c_plain);
  build_jump(l, end);
  build_place(l, yes);
  build_move(l, result, build_const(l, 1));
  build_jump(l, end);
  build_place(l, end);
  return result;
}

static unsigned lower_new_value(struct c_body *c, const struct call *call) {
  unsigned old = lower_fetch(c, call, 0);
  return build_binary(c->l, call->row->op, old, call->value, 64);
}

static void lower_lock(struct c_body *c, const struct call *call,
                       enum builtin b) {
  unsigned args = build_slot(c->l);
  build_move(c->l, args, call->address);
  build_emit(c->l, OP_sys, 0, args, call_slots(1, 0), b);
}

// The word of a lock has 32 bits (BI_lock).
static const struct access_how lock_word = {.size = 4, .order = ORD_RLX};

// A section of SRCU is begun by a load, which yields its index, and ended by a
// store of that.
static const struct access_how section = {
    .size = 8, .order = ORD_RLX, .how = HOW_SRCU};

static unsigned lower_trylock(struct c_body *c, const struct call *call) {
  struct build *l = c->l;
  unsigned self = build_slot(l), ok;
  struct access_how read = lock_word, write = lock_word;
  read.order = ORD_ACQ;
  read.order_fail = ORD_RLX;
  read.how = HOW_TRYLOCK | HOW_PICK;
  write.how = HOW_PICK;
  build_emit(l, OP_sys, self, 0, call_slots(0, 1), BI_self);
  unsigned mine = build_binary(l, OP_add, self, build_const(l, 1), 64);
  build_cas(l, call->address, build_const(l, 0), mine, read, write, &ok);
  return ok;
}

static unsigned lower_unless(struct c_body *c, const struct call *call) {
  struct build *l = c->l;
  unsigned old = build_slot(l);
  build_emit(l, OP_cas_load, old, call->address, call->expected,
             imm_access((struct imm_access){.size = 8,
                                            .order = ORD_SC,
                                            .order_fail = ORD_RLX,
                                            .how = HOW_UNLESS | HOW_PICK}));
  unsigned sum = build_binary(l, OP_add, old, call->value, 64);
  build_emit(l, OP_cas_store, call->address, sum, call->expected,
             imm_access((struct imm_access){
                 .size = 8, .order = ORD_SC, .how = HOW_UNLESS | HOW_PICK}));
  return call->row->kind == CALL_FETCH_UNLESS
             ? old
             : build_binary(l, OP_ne, old, call->expected, 64);
}

static bool lower_call(struct c_body *c, struct call *call, unsigned *ret) {
  struct build *l = c->l;
  const struct call_row *row = call->row;
  unsigned zero = build_const(l, 0);
  *ret = zero;
  switch (row->kind) {
  case CALL_LOAD:
    *ret = build_load(l, call->address, how(order_of_read(call->order)));
    return true;
  case CALL_STORE:
    build_store(l, call->address, call->value,
                how(order_of_write(call->order)));
    return true;
  case CALL_STORE_MB:
    build_store(l, call->address, call->value, how(ORD_RLX));
    build_fence(l, FENCE_MB, ORD_SC);
    return true;
  case CALL_EXCHANGE:
  case CALL_FETCH:
    *ret = lower_fetch(c, call, 0);
    return true;
  case CALL_NOTHING:
    lower_fetch(c, call, HOW_NORET);
    return true;
  case CALL_RETURN:
    *ret = lower_new_value(c, call);
    return true;
  case CALL_TEST:
    *ret = build_binary(l, OP_eq, lower_new_value(c, call), zero, 64);
    return true;
  case CALL_NEGATIVE:
    *ret = build_binary(l, OP_slt, lower_new_value(c, call), zero, 64);
    return true;
  case CALL_CAS: {
    unsigned ok;
    *ret = lower_kernel_cas(c, call, &ok);
    return true;
  }
  case CALL_CAS_STRONG:
  case CALL_CAS_WEAK:
    *ret = lower_c11_cas(c, call);
    return true;
  case CALL_FENCE:
    build_fence(l, FENCE_C11, call->order == ORD_NA ? ORD_SC : call->order);
    return true;
  case CALL_BARRIER:
    build_fence(l, row->fence, row->order);
    return true;
  case CALL_LOCK:
    lower_lock(c, call, BI_lock);
    return true;
  case CALL_UNLOCK:
    lower_lock(c, call, BI_unlock);
    return true;
  case CALL_TRYLOCK:
    *ret = lower_trylock(c, call);
    return true;
  case CALL_IS_LOCKED:
    *ret = build_binary(l, OP_ne, build_load(l, call->address, lock_word), zero,
                        64);
    return true;
  case CALL_UNLESS:
  case CALL_FETCH_UNLESS:
    *ret = lower_unless(c, call);
    return true;
  case CALL_SRCU_LOCK:
    *ret = build_load(l, call->address, section);
    return true;
  case CALL_SRCU_UNLOCK:
    build_store(l, call->address, call->value, section);
    return true;
  case CALL_EMPTY:
    return true;
  case CALL_SRCU_SYNC:
    build_fence_at(l, FENCE_SYNC_SRCU, call->address, zero);
    return true;
  }
  fatal_internal(__FILE__, __LINE__, "no call");
}

bool c_call(struct c_body *c, const struct token *name, bool *is_call,
            unsigned *ret) {
  char text[64];
  const char *suffix = "";
  scan_copy(name, text, sizeof text);
  struct call call = {.row = find_row(text, c->l->t->is_kernel, &suffix)};
  *is_call = call.row;
  if (!call.row)
    return true;
  call.order = call.row->order;
  if (strcmp(suffix, "_relaxed") == 0)
    call.order = ORD_RLX;
  else if (strcmp(suffix, "_acquire") == 0)
    call.order = ORD_ACQ;
  else if (strcmp(suffix, "_release") == 0)
    call.order = ORD_REL;
  // A failed compare-exchange of the kernel orders nothing.
  call.order_fail = call.row->form == FORM_C11 ? call.order : ORD_RLX;
  c_take(c);
  return read_arguments(c, &call, strcmp(suffix, "_explicit") == 0) &&
         lower_call(c, &call, ret);
}

// Does the test call something of C11, or of the kernel?
static bool calls(const struct litmus *t, bool of_kernel) {
  for (uint32_t i = 0; i < t->threads.len; i++) {
    const struct litmus_thread *thread = &t->threads.at[i];
    for (uint32_t k = 0; k + 1 < thread->code.len; k++) {
      char text[64];
      const char *suffix;
      if (thread->code.at[k].kind != TOK_NAME ||
          !scan_is(&thread->code.at[k + 1], "("))
        continue;
      scan_copy(&thread->code.at[k], text, sizeof text);
      const struct call_row *row = find_row(text, false, &suffix);
      if (row && (row->form != FORM_C11) == of_kernel)
        return true;
    }
  }
  return false;
}

bool c_is_kernel(const struct litmus *t) {
  return calls(t, /*of_kernel=*/true);
}

bool c_is_plain(const struct litmus *t) {
  return !calls(t, /*of_kernel=*/true) && !calls(t, /*of_kernel=*/false);
}
