// SPDX-License-Identifier: MIT
// See cycle_random.h: drawing, and the program for the oracle.
#include "cycle_random.h"

#include <stdio.h>
#include <string.h>

static const char *const locations[] = {"x", "y", "z"};

// What the oracle calls barriers of tests.
static const struct barrier {
  enum dialect dialect;
  const char *edge, *oracle;
} barriers[] = {
    {DIALECT_AARCH64, "DMB.SY", "Fsc"},
    {DIALECT_AARCH64, "DMB.LD", "Facq"},
    {DIALECT_AARCH64, "DMB.ST", "dmb.st"},
    {DIALECT_X86, "MFence", "Fsc"},
    {DIALECT_X86_64, "MFence", "Fsc"},
    {DIALECT_C, "FenceSc", "Fsc"},
    {DIALECT_C, "FenceAcq", "Facq"},
    {DIALECT_C, "FenceRel", "Frel"},
    {DIALECT_RISCV, "Fence.rw.rw", "Fsc"},
    {DIALECT_RISCV, "Fence.r.rw", "Facq"},
    {DIALECT_RISCV, "Fence.rw.w", "Frel"},
    {DIALECT_RISCV, "Fence.tso", "Facqrel"},
    {DIALECT_RISCV, "Fence.w.w", "dmb.st"},
    {DIALECT_RISCV, "Fence.r.r", "fence.r.r"},
    {DIALECT_RISCV, "Fence.r.w", "fence.r.w"},
    {DIALECT_RISCV, "Fence.w.r", "fence.w.r"},
    {DIALECT_RISCV, "Fence.w.rw", "fence.w.rw"},
    {DIALECT_RISCV, "Fence.rw.r", "fence.rw.r"},
    {DIALECT_PPC, "Sync", "Fsc"},
    {DIALECT_PPC, "LwSync", "Facqrel"},
    {DIALECT_PPC, "Eieio", "dmb.st"},
    {DIALECT_ARM, "DMB", "Fsc"},
    {DIALECT_ARM, "DMB.ST", "dmb.st"},
};
enum { BARRIERS = sizeof barriers / sizeof *barriers };

static const struct cycle_fence *fence_of(enum dialect d, const char *edge) {
  for (const struct cycle_fence *f = cycle_fences; f->edge; f++)
    if (f->dialect == d && strcmp(f->edge, edge) == 0)
      return f;
  return NULL;
}

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

static bool has_llsc(const struct cycle *c) {
  return c->dialect <= DIALECT_RISCV;
}

static enum order draw_order(const struct cycle *c, bool is_write) {
  static const enum order reads[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_SC};
  static const enum order writes[] = {ORD_RLX, ORD_RLX, ORD_REL, ORD_SC};
  if (!has_orders(c))
    return ORD_RLX;
  unsigned i = draw(c->dialect == DIALECT_AARCH64 && is_write ? 3 : 4);
  return is_write ? writes[i] : reads[i];
}

// Is there one register with what it reads?
static bool has_value(const struct spot *p) {
  return !p->is_write || p->form == FORM_SWAP || p->form == FORM_CAS;
}

// (In C, the oracle has no dependencies.)
static bool draw_link(const struct cycle *c, const struct spot *from,
                      struct spot *to) {
  bool has_deps = has_value(from) && has_llsc(c);
  bool has_picks = has_deps && c->dialect == DIALECT_AARCH64;
  unsigned k = draw(13);
  to->link = k < 4 ? LINK_FENCE : (enum link)(k - 4);
  if (to->link == LINK_FENCE && k < 4) {
    const struct barrier *b = &barriers[draw(BARRIERS)];
    to->fence = fence_of(b->dialect, b->edge);
    return b->dialect == c->dialect;
  }
  if (to->link == LINK_CTRL_FENCE)
    to->fence =
        fence_of(c->dialect, c->dialect == DIALECT_PPC ? "ISync" : "ISB");
  return to->link == LINK_PO ||
         (has_deps && to->link == LINK_DATA && to->is_write) ||
         (has_deps && (to->link == LINK_ADDR || to->link == LINK_CTRL)) ||
         (has_picks && to->link == LINK_ADDR_PICK) ||
         (has_picks && to->link == LINK_DATA_PICK && to->is_write) ||
         (has_picks && to->link == LINK_EXPECTED && to->form == FORM_CAS) ||
         (has_deps && to->link == LINK_CTRL_FENCE && to->fence);
}

// A write of a test with read-modify-writes: all of one kind, since an option
// of the oracle says which.
static enum write_form form_of(const struct cycle *c, bool is_llsc) {
  bool has_swap = c->dialect != DIALECT_PPC && c->dialect != DIALECT_ARM;
  return has_llsc(c) && (is_llsc || !has_swap) ? FORM_LLSC : FORM_SWAP;
}

// An exchange may be a compare-exchange of one instruction instead.
static enum write_form vary_swap(const struct cycle *c, struct spot *p) {
  bool has_cas = c->dialect == DIALECT_AARCH64 || c->dialect == DIALECT_X86 ||
                 c->dialect == DIALECT_X86_64;
  p->expected = draw(4) ? 0 : 1 + draw(2);
  return has_cas && draw(2) ? FORM_CAS : FORM_SWAP;
}

static bool is_branch(enum link k) {
  return k == LINK_CTRL || k == LINK_CTRL_FENCE;
}

static void draw_forms(struct cycle *c) {
  enum write_form update = form_of(c, draw(2));
  unsigned one_in = 1 + draw(4); // writes is an update
  for (unsigned i = 0; i < c->threads; i++) {
    struct spot *at = c->at[i];
    for (unsigned k = 0; k < 2; k++) {
      at[k].order = draw_order(c, at[k].is_write);
      at[k].form = at[k].is_write && !draw(one_in) ? update : FORM_STORE;
      if (at[k].form == FORM_SWAP)
        at[k].form = vary_swap(c, &at[k]);
    }
    while (!draw_link(c, &at[0], &at[1]))
      ;
    // One operation of the oracle has one condition.
    if (at[1].form == FORM_LLSC &&
        (at[1].link == LINK_DATA || at[1].link == LINK_DATA_PICK ||
         is_branch(at[1].link)))
      at[1].form = FORM_STORE;
    for (unsigned k = 0; k < 2; k++)
      at[k].waits = !at[k].is_write && !draw(5);
  }
}

void cycle_draw(uint64_t seed, struct cycle *c) {
  static const enum dialect dialects[] = {
      DIALECT_AARCH64, DIALECT_X86, DIALECT_X86_64, DIALECT_C,
      DIALECT_RISCV,   DIALECT_PPC, DIALECT_ARM};
  enum { N = sizeof dialects / sizeof *dialects };
  enum { RFE, FRE, COE };
  *c = (struct cycle){0};
  state = seed * 2 + 1;
  draw(1);
  c->dialect = dialects[seed % N];
  c->threads = c->locs = draw(3) ? 2 : 3;
  for (unsigned i = 0; i < c->threads; i++) {
    unsigned next = (i + 1) % c->threads, edge = draw(3);
    struct spot *from = &c->at[i][1], *to = &c->at[next][0];
    c->len[i] = 2;
    from->loc = to->loc = i;
    from->is_write = edge != FRE;
    to->is_write = edge != RFE;
    from->value = from->is_write;
    to->value = edge == COE ? 2 : 1;
    c->writes[i] = edge == COE ? 2 : 1;
  }
  draw_forms(c);
}

bool cycle_has_llsc(const struct cycle *c) {
  for (unsigned i = 0; i < c->threads; i++)
    if (c->at[i][0].form == FORM_LLSC || c->at[i][1].form == FORM_LLSC)
      return true;
  return false;
}

bool cycle_waits(const struct cycle *c) {
  for (unsigned i = 0; i < c->threads; i++)
    if (c->at[i][0].waits || c->at[i][1].waits)
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
  snprintf(loc, sizeof loc, "%s%s", locations[p->loc],
           !k                          ? ""
           : p->link == LINK_ADDR      ? "[r0]"
           : p->link == LINK_ADDR_PICK ? "[r0?2]"
                                       : "");
  // (The first access reads 0 or 1.)
  snprintf(value, sizeof value, "%s%u",
           !k                          ? ""
           : p->link == LINK_DATA      ? "r0^r0+"
           : p->link == LINK_DATA_PICK ? "r0?"
                                       : "",
           p->value);
  if (p->form == FORM_LLSC)
    oracle_llsc(p, k, loc, value, out);
  else if (p->form == FORM_CAS) // it acquires even if it fails
    str_add(out, "r%u=PICK(%s,%s%u,%s)%s/%s", k, loc,
            k && p->link == LINK_EXPECTED ? "r0^r0+" : "", p->expected, value,
            order, p->order == ORD_REL ? "rlx" : order);
  else if (p->form == FORM_SWAP)
    str_add(out, "r%u=%s%s %s %s", k,
            c->dialect == DIALECT_RISCV ? "AMO" : "XCHG", order, loc, value);
  else if (p->is_write)
    str_add(out, "W%s %s %s", order, loc, value);
  else
    str_add(out, "r%u=R%s %s", k, order, loc);
  if (p->waits)
    str_add(out, "; assume(r%u==%u)", k, p->value);
}

static void oracle_link(const struct cycle *c, unsigned i, struct str *out) {
  const struct spot *p = &c->at[i][1];
  for (unsigned b = 0; p->link == LINK_FENCE && b < BARRIERS; b++)
    if (barriers[b].dialect == c->dialect &&
        strcmp(barriers[b].edge, p->fence->edge) == 0)
      str_add(out, "%s; ", barriers[b].oracle);
  if (is_branch(p->link))
    str_add(out, "if(r0>=0){");
  if (p->link == LINK_CTRL_FENCE)
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
    if (is_branch(c->at[i][1].link))
      str_add(out, "}");
  }
}
