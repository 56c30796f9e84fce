// SPDX-License-Identifier: MIT
// What bodies of Java do that those of C do not: accesses through handles of
// variables, X.getAcquire(), whose names say how they are made, and fences. A
// handle is a register that holds the address of a location from the beginning
// (0:X=x). Accesses have C's orders: opaque ones are relaxed, volatile ones
// seq_cst.
#include "litmus/c.h"

#include <string.h>

enum java_kind { JAVA_GET, JAVA_SET, JAVA_FETCH, JAVA_CAS, JAVA_FENCE };

static const struct java_row {
  const char *name;
  enum java_kind kind;
  enum order order; // without a suffix
  enum op op;       // JAVA_FETCH
} rows[] = {
    {"get", JAVA_GET, ORD_NA, OP_mov},
    {"set", JAVA_SET, ORD_NA, OP_mov},
    {"getAndSet", JAVA_FETCH, ORD_SC, OP_mov},
    {"getAndAdd", JAVA_FETCH, ORD_SC, OP_add},
    {"getAndBitwiseOr", JAVA_FETCH, ORD_SC, OP_or},
    {"getAndBitwiseAnd", JAVA_FETCH, ORD_SC, OP_and},
    {"getAndBitwiseXor", JAVA_FETCH, ORD_SC, OP_xor},
    {"compareAndExchange", JAVA_CAS, ORD_SC, OP_mov},
    {"fullFence", JAVA_FENCE, ORD_SC, OP_mov},
    {"acquireFence", JAVA_FENCE, ORD_ACQ, OP_mov},
    {"loadLoadFence", JAVA_FENCE, ORD_ACQ, OP_mov},
    {"releaseFence", JAVA_FENCE, ORD_REL, OP_mov},
    {"storeStoreFence", JAVA_FENCE, ORD_REL, OP_mov},
};

static const struct {
  const char *suffix;
  enum order order;
  unsigned kinds; // 1 << kind of those that have it
} modes[] = {
    {"Opaque", ORD_RLX, 1 << JAVA_GET | 1 << JAVA_SET},
    {"Acquire", ORD_ACQ, 1 << JAVA_GET | 1 << JAVA_FETCH | 1 << JAVA_CAS},
    {"Release", ORD_REL, 1 << JAVA_SET | 1 << JAVA_FETCH | 1 << JAVA_CAS},
    {"Volatile", ORD_SC, 1 << JAVA_GET | 1 << JAVA_SET},
};

// The row of a method, and its order.
static const struct java_row *find_method(const char *method,
                                          enum order *order) {
  for (unsigned i = 0; i < LENGTH(rows); i++) {
    size_t n = strlen(rows[i].name);
    *order = rows[i].order;
    if (strcmp(method, rows[i].name) == 0)
      return &rows[i];
    for (unsigned m = 0; m < LENGTH(modes); m++)
      if (strncmp(method, rows[i].name, n) == 0 &&
          strcmp(method + n, modes[m].suffix) == 0 &&
          modes[m].kinds >> rows[i].kind & 1) {
        *order = modes[m].order;
        return &rows[i];
      }
  }
  return NULL;
}

// The address that a handle holds.
static bool find_handle(struct c_body *c, const char *name, unsigned *ret) {
  uint32_t string = strings_add(&c->l->t->strings, name);
  const struct litmus_init *first = build_first(c->l, string);
  if (first && first->value.location) {
    *ret = build_first_value(c->l, string);
    return true;
  }
  return build_refuse(c->l,
                      "%s is the handle of no location: %u:%s=x expected in "
                      "the first contents",
                      name, c->l->thread, name);
}

static struct access_how how(enum order order) {
  return (struct access_how){.size = 8, .order = order};
}

// The halves of an update: the one that its mode does not name is opaque, as
// Java has no plain updates.
static struct access_how how_read(enum order order) {
  struct access_how read = how(order == ORD_REL ? ORD_RLX : order);
  read.order_fail = read.order;
  return read;
}

static struct access_how how_written(enum order order) {
  return how(order == ORD_ACQ ? ORD_RLX : order);
}

static bool lower_method(struct c_body *c, const struct java_row *row,
                         enum order order, unsigned address, unsigned *ret) {
  struct build *l = c->l;
  unsigned value, expected = 0, ok;
  *ret = build_const(l, 0);
  if (row->kind == JAVA_GET) {
    *ret = build_load(l, address, how(order));
    return c_expect(c, ")");
  }
  if (row->kind == JAVA_CAS &&
      (!c_expression(c, &expected) || !c_expect(c, ",")))
    return false;
  if (!c_expression(c, &value) || !c_expect(c, ")"))
    return false;
  if (row->kind == JAVA_SET)
    build_store(l, address, value, how(order));
  else if (row->kind == JAVA_FETCH)
    *ret = build_update(l, row->op, address, value, how_read(order),
                        how_written(order));
  else
    *ret = build_cas(l, address, expected, value, how_read(order),
                     how_written(order), &ok);
  return true;
}

bool java_call(struct c_body *c, const struct token *name, bool *is_call,
               unsigned *ret) {
  char text[96];
  scan_copy(name, text, sizeof text);
  char *dot = strchr(text, '.');
  enum order order;
  const struct java_row *row = find_method(dot ? dot + 1 : text, &order);
  *is_call = row && (dot || row->kind == JAVA_FENCE);
  if (!*is_call)
    return true;
  c_take(c);                     // (
  if (row->kind == JAVA_FENCE) { // VarHandle.fullFence(), or without a class
    build_fence(c->l, FENCE_C11, order);
    *ret = build_const(c->l, 0);
    return c_expect(c, ")");
  }
  unsigned address = 0;
  *dot = 0;
  return find_handle(c, text, &address) &&
         lower_method(c, row, order, address, ret);
}
