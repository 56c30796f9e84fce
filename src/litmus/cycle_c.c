// SPDX-License-Identifier: MIT
// Cycles in C: with atomics of C11, or with the primitives of the Linux kernel.
// The k-th access of a thread reads into rk. What depends on a read by a branch
// is inside it, up to the end of the thread.
#include "litmus/cycle_write.h"

#include <stdio.h>

struct body {
  const struct cycle *c;
  unsigned t;
  struct str *out;
  unsigned depth; // branches around the next statement
};

static const struct spot *spot_of(const struct body *b, unsigned k) {
  return &b->c->at[b->t][k];
}

static bool is_kernel(const struct body *b) {
  return b->c->dialect == DIALECT_LKMM;
}

static void add_indent(const struct body *b) {
  str_add(b->out, "%*s", (int)(2 * b->depth), "");
}

// "memory_order_relaxed"
static const char *c_order(enum order o) {
  static const char *const names[] = {
      "",
      "memory_order_relaxed",
      "memory_order_acquire",
      "memory_order_release",
      "memory_order_acq_rel",
      "memory_order_seq_cst",
  };
  ONE_FOR_EACH(names, ORD_SC + 1);
  return names[o];
}

// What is computed from what the access before k has read, and adds nothing.
static void zero_of(const struct body *b, unsigned k, enum link wanted,
                    char to[24]) {
  *to = 0;
  if (k && spot_of(b, k)->link == wanted)
    snprintf(to, 24, " + (r%u & 0)", k - 1);
}

// The address of an access: "x", or "x + (r0 & 0)"; behind it, in the kernel's
// macros that take a location, "*x" or "*(x + (r0 & 0))".
static void address_of(const struct body *b, unsigned k, bool is_location,
                       char to[64]) {
  char zero[24];
  const char *x = cycle_locations[spot_of(b, k)->loc];
  zero_of(b, cycle_entry(b->c, b->t, k), LINK_ADDR, zero);
  if (is_location)
    snprintf(to, 64, *zero ? "*(%s%s)" : "*%s%s", x, zero);
  else
    snprintf(to, 64, "%s%s", x, zero);
}

static void value_of(const struct body *b, unsigned k, char to[64]) {
  char zero[24];
  zero_of(b, k, LINK_DATA, zero);
  snprintf(to, 64, "%u%s", spot_of(b, k)->value, zero);
}

// -- C11

// Of an update: both of its halves.
static enum order update_order(const struct body *b, unsigned k) {
  const struct spot *s = spot_of(b, k);
  bool acquires = cycle_acquires(b->c, b->t, k);
  bool releases = cycle_releases(b->c, b->t, k);
  bool is_sc =
      s->order == ORD_SC || (s->link == LINK_UPDATE && s[-1].order == ORD_SC);
  return is_sc                  ? ORD_SC
         : acquires && releases ? ORD_ACQREL
         : acquires             ? ORD_ACQ
         : releases             ? ORD_REL
                                : ORD_RLX;
}

// Where what it reads goes: into the register of the read, if that is of the
// cycle.
static unsigned register_of(const struct body *b, unsigned k) {
  return cycle_entry(b->c, b->t, k);
}

static void c11_access(const struct body *b, unsigned k) {
  const struct spot *s = spot_of(b, k);
  char address[64], value[64];
  address_of(b, k, false, address);
  value_of(b, k, value);
  add_indent(b);
  if (s->form != FORM_STORE)
    str_add(b->out, "r%u = atomic_exchange_explicit(%s, %s, %s);\n",
            register_of(b, k), address, value, c_order(update_order(b, k)));
  else if (s->is_write)
    str_add(b->out, "atomic_store_explicit(%s, %s, %s);\n", address, value,
            c_order(s->order));
  else
    str_add(b->out, "r%u = atomic_load_explicit(%s, %s);\n", k, address,
            c_order(s->order));
}

// -- the kernel

static void kernel_update(const struct body *b, unsigned k, const char *address,
                          const char *value) {
  static const char *const suffix[] = {[ORD_RLX] = "_relaxed",
                                       [ORD_ACQ] = "_acquire",
                                       [ORD_REL] = "_release",
                                       [ORD_ACQREL] = "",
                                       [ORD_SC] = ""};
  const char *order = suffix[update_order(b, k)];
  if (spot_of(b, k)->form == FORM_CAS)
    str_add(b->out, "r%u = cmpxchg%s(%s, %u, %s);\n", register_of(b, k), order,
            address, spot_of(b, k)->expected, value);
  else
    str_add(b->out, "r%u = xchg%s(%s, %s);\n", register_of(b, k), order,
            address, value);
}

static void kernel_access(const struct body *b, unsigned k) {
  const struct spot *s = spot_of(b, k);
  char address[64], location[64], value[64];
  address_of(b, k, false, address);
  address_of(b, k, true, location);
  value_of(b, k, value);
  add_indent(b);
  if (s->form != FORM_STORE)
    kernel_update(b, k, address, value);
  else if (s->is_write && s->order == ORD_RLX)
    str_add(b->out, "WRITE_ONCE(%s, %s);\n", location, value);
  else if (s->is_write)
    str_add(b->out, "smp_store_release(%s, %s);\n", address, value);
  else if (s->order == ORD_RLX)
    str_add(b->out, "r%u = READ_ONCE(%s);\n", k, location);
  else
    str_add(b->out, "r%u = smp_load_acquire(%s);\n", k, address);
}

// -- threads

static void add_parameters(const struct body *b) {
  const char *type = is_kernel(b) ? "int" : "atomic_int";
  bool is_used[MOST_EDGES] = {false};
  unsigned n = 0;
  for (unsigned k = 0; k < b->c->len[b->t]; k++)
    is_used[spot_of(b, k)->loc] = true;
  for (unsigned x = 0; x < MOST_EDGES; x++)
    if (is_used[x])
      str_add(b->out, "%s%s* %s", n++ ? ", " : "", type, cycle_locations[x]);
  str_add(b->out, ") {\n");
}

static void add_registers(const struct body *b) {
  for (unsigned k = 0; k < b->c->len[b->t]; k++) {
    const struct spot *s = spot_of(b, k);
    if (!s->is_write || (s->form != FORM_STORE && s->link != LINK_UPDATE))
      str_add(b->out, "  int r%u;\n", k);
  }
}

static void add_link(struct body *b, unsigned k) {
  const struct spot *s = spot_of(b, k);
  if (s->link == LINK_FENCE) {
    add_indent(b);
    str_add(b->out, "%s;\n", s->fence->code);
  } else if (s->link == LINK_CTRL) {
    add_indent(b);
    str_add(b->out, "if (r%u == %u) {\n", k - 1, s[-1].value);
    b->depth++;
  }
}

// Does a section of RCU go from access k to the next?
static bool is_in_section(const struct body *b, unsigned k) {
  return k + 1 < b->c->len[b->t] && spot_of(b, k + 1)->link == LINK_SECTION;
}

static void add_call(const struct body *b, const char *call) {
  add_indent(b);
  str_add(b->out, "%s();\n", call);
}

static void add_access(struct body *b, unsigned k) {
  const struct spot *s = spot_of(b, k);
  if (s->waits) {
    add_indent(b);
    str_add(b->out, "do {\n");
    b->depth++;
  }
  if (is_kernel(b))
    kernel_access(b, k);
  else
    c11_access(b, k);
  if (s->waits) {
    b->depth--;
    add_indent(b);
    str_add(b->out, "} while (r%u != %u);\n", k, s->value);
  }
}

void cycle_c_thread(const struct cycle *c, unsigned t, struct str *out) {
  struct body b = {.c = c, .t = t, .out = out, .depth = 1};
  add_parameters(&b);
  add_registers(&b);
  for (unsigned k = 0; k < c->len[t]; k++) {
    bool is_read_of_update =
        k + 1 < c->len[t] && spot_of(&b, k + 1)->link == LINK_UPDATE;
    bool was_in_section = k && spot_of(&b, k)->link == LINK_SECTION;
    add_link(&b, k);
    if (is_in_section(&b, k) && !was_in_section)
      add_call(&b, "rcu_read_lock");
    if (!is_read_of_update)
      add_access(&b, k);
    if (was_in_section && !is_in_section(&b, k))
      add_call(&b, "rcu_read_unlock");
  }
  while (b.depth-- > 1)
    add_indent(&b), str_add(out, "}\n");
  str_add(out, "}\n");
}
