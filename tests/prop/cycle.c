// SPDX-License-Identifier: MIT
// See cycle.h: drawing, and the program for the oracle.
#include "cycle.h"

#include <stdio.h>

const char *const cycle_sides[] = {"r.r",  "r.w",  "w.r", "w.w",
                                   "w.rw", "rw.r", NULL};
const char *const cycle_locations[] = {"x", "y", "z"};
enum { SIDES = sizeof cycle_sides / sizeof *cycle_sides - 1 };

// -- drawing

static uint64_t state;

static unsigned draw(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((state >> 33) % n);
}

static bool has_orders(const struct cycle *c) {
  return c->dialect == DIALECT_AARCH64 || c->dialect == DIALECT_C ||
         c->dialect == DIALECT_RISCV;
}

static enum order draw_order(const struct cycle *c, bool is_write) {
  static const enum order reads[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_SC};
  static const enum order writes[] = {ORD_RLX, ORD_RLX, ORD_REL, ORD_SC};
  if (!has_orders(c))
    return ORD_RLX;
  unsigned i = draw(c->dialect == DIALECT_AARCH64 && is_write ? 3 : 4);
  return is_write ? writes[i] : reads[i];
}

static bool link_fits(const struct cycle *c, unsigned i, enum link k) {
  bool reads = !c->at[i][0].is_write;
  bool has_deps = c->dialect == DIALECT_AARCH64 || c->dialect >= DIALECT_RISCV;
  switch (k) {
  case LINK_PO:
  case LINK_FULL:
    return true;
  case LINK_ADDR:
  case LINK_CTRL:
    return reads && has_deps;
  case LINK_DATA:
    return reads && has_deps && c->at[i][1].is_write;
  case LINK_CTRL_ISB:
    return reads && has_deps && c->dialect != DIALECT_RISCV;
  case LINK_STORES:
    return has_deps;
  case LINK_LOADS:
    return has_orders(c);
  case LINK_RELEASE_FENCE:
    return c->dialect == DIALECT_C || c->dialect == DIALECT_RISCV;
  case LINK_LIGHT:
    return c->dialect == DIALECT_PPC || c->dialect == DIALECT_RISCV;
  case LINK_SIDES:
    return c->dialect == DIALECT_RISCV;
  case LINKS:
    break;
  }
  return false;
}

// A write of a test with read-modify-writes: all of one kind, since an option
// of the oracle says which.
static enum write_form form_of(const struct cycle *c, bool is_llsc) {
  bool has_swap = c->dialect != DIALECT_PPC && c->dialect != DIALECT_ARM;
  bool has_llsc = c->dialect == DIALECT_AARCH64 || c->dialect >= DIALECT_RISCV;
  return has_llsc && (is_llsc || !has_swap) ? FORM_LLSC : FORM_SWAP;
}

// An exchange may be a compare-exchange of one instruction instead.
static enum write_form vary_swap(const struct cycle *c, struct spot *p) {
  bool has_cas = c->dialect == DIALECT_AARCH64 || c->dialect == DIALECT_X86 ||
                 c->dialect == DIALECT_X86_64;
  p->expected = draw(4) ? 0 : 1 + draw(2);
  return has_cas && draw(2) ? FORM_CAS : FORM_SWAP;
}

static void draw_forms(struct cycle *c) {
  enum write_form update = form_of(c, draw(2));
  unsigned one_in = 1 + draw(4); // writes is an update
  for (unsigned i = 0; i < c->threads; i++) {
    for (unsigned k = 0; k < 2; k++) {
      c->at[i][k].order = draw_order(c, c->at[i][k].is_write);
      c->at[i][k].form =
          c->at[i][k].is_write && !draw(one_in) ? update : FORM_STORE;
      if (c->at[i][k].form == FORM_SWAP)
        c->at[i][k].form = vary_swap(c, &c->at[i][k]);
    }
    do
      c->link[i] = (enum link)draw(LINKS);
    while (!link_fits(c, i, c->link[i]));
    c->sides[i] = draw(SIDES);
    // One operation of the oracle has one condition.
    bool is_ctrl = c->link[i] == LINK_CTRL || c->link[i] == LINK_CTRL_ISB;
    if (c->link[i] == LINK_DATA || (is_ctrl && c->at[i][1].form == FORM_LLSC))
      c->at[i][1].form = FORM_STORE;
  }
}

void cycle_draw(uint64_t seed, struct cycle *c) {
  *c = (struct cycle){0};
  state = seed * 2 + 1;
  draw(1);
  c->dialect = (enum dialect)(seed % DIALECTS);
  c->threads = draw(3) ? 2 : 3;
  for (unsigned i = 0; i < c->threads; i++) {
    unsigned next = (i + 1) % c->threads;
    struct spot *from = &c->at[i][1], *to = &c->at[next][0];
    c->edge[i] = (enum edge)draw(3);
    from->loc = to->loc = i;
    from->is_write = c->edge[i] != EDGE_FRE;
    to->is_write = c->edge[i] != EDGE_RFE;
    from->value = from->is_write;
    to->value = c->edge[i] == EDGE_COE ? 2 : 1;
  }
  draw_forms(c);
}

bool cycle_has_llsc(const struct cycle *c) {
  for (unsigned i = 0; i < c->threads; i++)
    if (c->at[i][0].form == FORM_LLSC || c->at[i][1].form == FORM_LLSC)
      return true;
  return false;
}

// -- as a program for the oracle

// A store-conditional succeeds as it likes: an exchange, or the load alone.
static void oracle_llsc(const struct spot *p, unsigned k, const char *loc,
                        const char *value, struct str *out) {
  const char *order = order_name(p->order);
  const char *load = p->order == ORD_SC ? "sc" : "rlx";
  str_add(out, "c%u=choose(1); if(c%u==1){s%u=XCHG%s %s %s} else {t%u=LL%s %s}",
          k, k, k, order, loc, value, k, load, loc);
}

static void oracle_access(const struct cycle *c, unsigned i, unsigned k,
                          struct str *out) {
  const struct spot *p = &c->at[i][k];
  const char *order = order_name(p->order);
  char loc[16], value[16];
  bool is_addr = k && c->link[i] == LINK_ADDR;
  bool is_data = k && c->link[i] == LINK_DATA;
  snprintf(loc, sizeof loc, "%s%s", cycle_locations[p->loc],
           is_addr ? "[r0]" : "");
  snprintf(value, sizeof value, "%s%u", is_data ? "r0^r0+" : "", p->value);
  if (p->form == FORM_LLSC)
    oracle_llsc(p, k, loc, value, out);
  else if (p->form == FORM_CAS) // it acquires even if it fails
    str_add(out, "r%u=PICK(%s,%u,%s)%s/%s", k, loc, p->expected, value, order,
            p->order == ORD_REL ? "rlx" : order);
  else if (p->form == FORM_SWAP)
    str_add(out, "r%u=%s%s %s %s", k,
            c->dialect == DIALECT_RISCV ? "AMO" : "XCHG", order, loc, value);
  else if (p->is_write)
    str_add(out, "W%s %s %s", order, loc, value);
  else
    str_add(out, "r%u=R%s %s", k, order, loc);
}

static void oracle_link(const struct cycle *c, unsigned i, struct str *out) {
  static const char *const between[] = {
      [LINK_FULL] = "Fsc; ",      [LINK_LOADS] = "Facq; ",
      [LINK_STORES] = "dmb.st; ", [LINK_RELEASE_FENCE] = "Frel; ",
      [LINK_LIGHT] = "Facqrel; ", [LINKS] = NULL,
  };
  enum link k = c->link[i];
  if (between[k])
    str_add(out, "%s", between[k]);
  if (k == LINK_SIDES)
    str_add(out, "fence.%s; ", cycle_sides[c->sides[i]]);
  if (k == LINK_CTRL || k == LINK_CTRL_ISB)
    str_add(out, "if(r0>=0){");
  if (k == LINK_CTRL_ISB)
    str_add(out, "isb; ");
}

void cycle_print_oracle(const struct cycle *c, struct str *out) {
  str_add(out, "%s", c->dialect == DIALECT_C ? "" : "isa: ");
  for (unsigned i = 0; i < c->threads; i++) {
    str_add(out, "%s", i ? " | " : "");
    oracle_access(c, i, 0, out);
    str_add(out, "; ");
    oracle_link(c, i, out);
    oracle_access(c, i, 1, out);
    if (c->link[i] == LINK_CTRL || c->link[i] == LINK_CTRL_ISB)
      str_add(out, "}");
  }
}
