// SPDX-License-Identifier: MIT
// Cycles in assembly: the instructions of an access and of what is before it.
// Registers are taken as they are needed. A dependency goes through a zero that
// is computed from what was read: it is added to an address or to a value.
#include "litmus/cycle_write.h"

#include <stdio.h>

static const struct spot *spot_of(const struct cycle_thread *w, unsigned k) {
  return &w->c->at[w->number][k];
}

// Is there an address dependency to this access?
static bool is_addr(const struct cycle_thread *w, unsigned k) {
  unsigned entry = cycle_entry(w->c, w->number, k);
  enum link link = spot_of(w, entry)->link;
  return entry && (link == LINK_ADDR || link == LINK_ADDR_PICK);
}

static bool is_data(const struct cycle_thread *w, unsigned k) {
  return k && spot_of(w, k)->link == LINK_DATA;
}

// The read of an update has its value in this register.
static void keep_read(struct cycle_thread *w, unsigned k, unsigned r) {
  w->value[spot_of(w, k)->link == LINK_UPDATE ? k - 1 : k] = r;
}

static void keep_status(struct cycle_thread *w, unsigned k, unsigned r) {
  if (spot_of(w, k)->link == LINK_UPDATE)
    w->status[k] = r + 1;
}

// The register with the address of a location, which the test begins with.
static unsigned address_of(struct cycle_thread *w, unsigned loc) {
  const struct cycle_language *l = &cycle_languages[w->c->dialect];
  if (!w->address[loc]) {
    unsigned r = take_register(w);
    w->address[loc] = r + 1;
    str_add(&w->init, "%s%u=%s;", l->reg, r, cycle_locations[loc]);
  }
  return w->address[loc] - 1;
}

static void add_fence(struct cycle_thread *w, const struct spot *s) {
  if (s->link == LINK_FENCE || s->link == LINK_CTRL_FENCE)
    str_add(&w->code, "%s\n", s->fence->code);
}

static bool needs_zero(const struct spot *s) {
  return s->link == LINK_ADDR || s->link == LINK_DATA ||
         s->link == LINK_EXPECTED;
}

static bool is_branch(const struct spot *s) {
  return s->link == LINK_CTRL || s->link == LINK_CTRL_FENCE;
}

static bool is_pick(const struct spot *s) {
  return s->link == LINK_ADDR_PICK || s->link == LINK_DATA_PICK;
}

// -- AArch64

static void aarch64_again(struct cycle_thread *w, unsigned r, unsigned value,
                          unsigned label) {
  str_add(&w->code, "CMP W%u,#%u\nB.NE A%02u\n", r, value, label);
}

static void aarch64_link(struct cycle_thread *w, unsigned k, unsigned source) {
  const struct spot *s = spot_of(w, k);
  if (needs_zero(s)) {
    w->zero = take_register(w);
    str_add(&w->code, "EOR W%u,W%u,W%u\n", w->zero, source, source);
  }
  if (is_pick(s))
    str_add(&w->code, "CMP W%u,#0\n", source);
  if (s->link == LINK_ADDR_PICK) {
    w->zero = take_register(w);
    str_add(&w->code, "CSEL W%u,WZR,WZR,NE\n", w->zero);
  }
  if (is_branch(s))
    str_add(&w->code, "CBNZ W%u,L%02u\nL%02u:\n", source, cycle_label(w, k),
            cycle_label(w, k));
  add_fence(w, s);
}

static void aarch64_update(struct cycle_thread *w, unsigned k, unsigned value,
                           const char *address) {
  const struct spot *s = spot_of(w, k);
  const char *a = cycle_acquires(w->c, w->number, k) ? "A" : "";
  const char *l = cycle_releases(w->c, w->number, k) ? "L" : "";
  unsigned old = take_register(w);
  keep_read(w, k, old);
  if (s->form == FORM_LLSC) {
    // (A lone one acquires only as part of an update of the cycle.)
    bool acquires = *a && s->link == LINK_UPDATE;
    unsigned status = take_register(w);
    str_add(&w->code, "LD%sXR W%u,%s\nST%sXR W%u,W%u,%s\n", acquires ? "A" : "",
            old, address, l, status, value, address);
    keep_status(w, k, status);
  } else if (s->form == FORM_SWAP) {
    str_add(&w->code, "SWP%s%s W%u,W%u,%s\n", a, l, value, old, address);
  } else {
    if (s->link == LINK_EXPECTED)
      str_add(&w->code, "ADD W%u,W%u,#%u\n", old, w->zero, s->expected);
    else
      str_add(&w->code, "MOV W%u,#%u\n", old, s->expected);
    str_add(&w->code, "CAS%s%s W%u,W%u,%s\n", a, l, old, value, address);
  }
}

static void aarch64_access(struct cycle_thread *w, unsigned k) {
  const struct spot *s = spot_of(w, k);
  bool is_plain = s->order == ORD_RLX && s->form == FORM_STORE;
  unsigned base = address_of(w, s->loc);
  char address[48];
  if (is_addr(w, k) && !is_plain) { // no other form takes an index
    unsigned sum = take_register(w);
    str_add(&w->code, "ADD X%u,X%u,W%u,SXTW\n", sum, base, w->zero);
    base = sum;
  }
  if (is_addr(w, k) && is_plain)
    snprintf(address, sizeof address, "[X%u,W%u,SXTW]", base, w->zero);
  else
    snprintf(address, sizeof address, "[X%u]", base);
  unsigned value = take_register(w);
  if (s->is_write && is_data(w, k))
    str_add(&w->code, "ADD W%u,W%u,#%u\n", value, w->zero, s->value);
  else if (s->is_write)
    str_add(&w->code, "MOV W%u,#%u\n", value, s->value);
  if (s->is_write && k && s->link == LINK_DATA_PICK)
    str_add(&w->code, "CSEL W%u,W%u,WZR,%s\n", value, value,
            s[-1].value ? "NE" : "EQ"); // that value if it read as expected
  if (s->form != FORM_STORE) {
    aarch64_update(w, k, value, address);
    return;
  }
  const char *load = s->order == ORD_RLX   ? "LDR"
                     : s->order == ORD_ACQ ? "LDAPR"
                                           : "LDAR";
  const char *store = s->order == ORD_RLX ? "STR" : "STLR";
  w->value[k] = value;
  str_add(&w->code, "%s W%u,%s\n", s->is_write ? store : load, value, address);
}

// -- ARM

static void arm_again(struct cycle_thread *w, unsigned r, unsigned value,
                      unsigned label) {
  str_add(&w->code, "CMP R%u,#%u\nBNE A%02u\n", r, value, label);
}

static void arm_link(struct cycle_thread *w, unsigned k, unsigned source) {
  const struct spot *s = spot_of(w, k);
  if (needs_zero(s)) {
    w->zero = take_register(w);
    str_add(&w->code, "EOR R%u,R%u,R%u\n", w->zero, source, source);
  }
  if (is_branch(s))
    str_add(&w->code, "CMP R%u,#0\nBEQ L%02u\nL%02u:\n", source,
            cycle_label(w, k), cycle_label(w, k));
  add_fence(w, s);
}

static void arm_access(struct cycle_thread *w, unsigned k) {
  const struct spot *s = spot_of(w, k);
  unsigned base = address_of(w, s->loc);
  if (is_addr(w, k)) {
    unsigned sum = take_register(w);
    str_add(&w->code, "ADD R%u,R%u,R%u\n", sum, base, w->zero);
    base = sum;
  }
  unsigned value = take_register(w);
  if (s->is_write && is_data(w, k))
    str_add(&w->code, "ADD R%u,R%u,#%u\n", value, w->zero, s->value);
  else if (s->is_write)
    str_add(&w->code, "MOV R%u,#%u\n", value, s->value);
  if (s->form == FORM_LLSC) {
    unsigned old = take_register(w), status = take_register(w);
    keep_read(w, k, old);
    keep_status(w, k, status);
    str_add(&w->code, "LDREX R%u,[R%u]\nSTREX R%u,R%u,[R%u]\n", old, base,
            status, value, base);
    return;
  }
  w->value[k] = value;
  str_add(&w->code, "%s R%u,[R%u]\n", s->is_write ? "STR" : "LDR", value, base);
}

// -- POWER

static void ppc_again(struct cycle_thread *w, unsigned r, unsigned value,
                      unsigned label) {
  str_add(&w->code, "cmpwi r%u,%u\nbne A%02u\n", r, value, label);
}

static void ppc_link(struct cycle_thread *w, unsigned k, unsigned source) {
  const struct spot *s = spot_of(w, k);
  if (needs_zero(s)) {
    w->zero = take_register(w);
    str_add(&w->code, "xor r%u,r%u,r%u\n", w->zero, source, source);
  }
  if (is_branch(s))
    str_add(&w->code, "cmpwi r%u,0\nbeq L%02u\nL%02u:\n", source,
            cycle_label(w, k), cycle_label(w, k));
  add_fence(w, s);
}

static void ppc_access(struct cycle_thread *w, unsigned k) {
  const struct spot *s = spot_of(w, k);
  unsigned base = address_of(w, s->loc), value = take_register(w);
  if (s->is_write && is_data(w, k))
    str_add(&w->code, "addi r%u,r%u,%u\n", value, w->zero, s->value);
  else if (s->is_write)
    str_add(&w->code, "li r%u,%u\n", value, s->value);
  if (s->form == FORM_LLSC) {
    unsigned old = take_register(w);
    // A register that nothing was put into is zero.
    unsigned index = is_addr(w, k) ? w->zero : take_register(w);
    keep_read(w, k, old);
    str_add(&w->code, "lwarx r%u,r%u,r%u\nstwcx. r%u,r%u,r%u\n", old, index,
            base, value, index, base);
    return;
  }
  w->value[k] = value;
  if (is_addr(w, k))
    str_add(&w->code, "%s r%u,r%u,r%u\n", s->is_write ? "stwx" : "lwzx", value,
            w->zero, base);
  else
    str_add(&w->code, "%s r%u,0(r%u)\n", s->is_write ? "stw" : "lwz", value,
            base);
}

// -- RISC-V

static void riscv_again(struct cycle_thread *w, unsigned r, unsigned value,
                        unsigned label) {
  unsigned wanted = take_register(w);
  str_add(&w->code, "ori x%u,x0,%u\nbne x%u,x%u,A%02u\n", wanted, value, r,
          wanted, label);
}

static void riscv_link(struct cycle_thread *w, unsigned k, unsigned source) {
  const struct spot *s = spot_of(w, k);
  if (needs_zero(s)) {
    w->zero = take_register(w);
    str_add(&w->code, "xor x%u,x%u,x%u\n", w->zero, source, source);
  }
  if (is_branch(s))
    str_add(&w->code, "bne x%u,x0,L%02u\nL%02u:\n", source, cycle_label(w, k),
            cycle_label(w, k));
  add_fence(w, s);
}

static const char *riscv_bits(bool acquires, bool releases) {
  return acquires ? (releases ? ".aq.rl" : ".aq") : releases ? ".rl" : "";
}

static void riscv_update(struct cycle_thread *w, unsigned k, unsigned value,
                         unsigned base) {
  const struct spot *s = spot_of(w, k);
  bool acquires = cycle_acquires(w->c, w->number, k);
  bool releases = cycle_releases(w->c, w->number, k);
  unsigned old = take_register(w);
  keep_read(w, k, old);
  if (s->form != FORM_LLSC) {
    str_add(&w->code, "amoswap.w%s x%u,x%u,0(x%u)\n",
            riscv_bits(acquires, releases), old, value, base);
    return;
  }
  unsigned status = take_register(w);
  bool both = acquires && releases;
  str_add(&w->code, "lr.w%s x%u,0(x%u)\nsc.w%s x%u,x%u,0(x%u)\n",
          riscv_bits(acquires, both), old, base, riscv_bits(both, releases),
          status, value, base);
  keep_status(w, k, status);
}

static void riscv_access(struct cycle_thread *w, unsigned k) {
  const struct spot *s = spot_of(w, k);
  unsigned base = address_of(w, s->loc);
  if (is_addr(w, k)) {
    unsigned sum = take_register(w);
    str_add(&w->code, "add x%u,x%u,x%u\n", sum, base, w->zero);
    base = sum;
  }
  unsigned value = take_register(w);
  if (s->is_write)
    str_add(&w->code, "ori x%u,x%u,%u\n", value, is_data(w, k) ? w->zero : 0,
            s->value);
  if (s->form != FORM_STORE) {
    riscv_update(w, k, value, base);
    return;
  }
  w->value[k] = value;
  str_add(&w->code, "%s%s x%u,0(x%u)\n", s->is_write ? "sw" : "lw",
          riscv_bits(order_acquires(s->order), order_releases(s->order)), value,
          base);
}

// -- x86

static const char *const x86_registers[] = {"EBX", "ECX", "EDX", "ESI",
                                            "EDI", "EBP", "EAX"};
static const char *const x86_64_registers[] = {"rbx", "rcx", "rdx", "rsi",
                                               "rdi", "rbp", "rax"};
enum { X86_REGISTERS = 6, X86_EAX = X86_REGISTERS };

static void x86_link(struct cycle_thread *w, unsigned k, unsigned source) {
  (void)source;
  add_fence(w, spot_of(w, k));
}

static bool is_att(const struct cycle_thread *w) {
  return w->c->dialect == DIALECT_X86_64;
}

// An operand of 32 bits.
static const char *x86_operand(const struct cycle_thread *w, unsigned r) {
  static const char *const att[] = {"%ebx", "%ecx", "%edx", "%esi",
                                    "%edi", "%ebp", "%eax"};
  return is_att(w) ? att[r] : x86_registers[r];
}

static void x86_move(struct cycle_thread *w, unsigned r, unsigned value) {
  str_add(&w->code, is_att(w) ? "movl $%2$u,%1$s\n" : "MOV %s,$%u\n",
          x86_operand(w, r), value);
}

static void x86_update(struct cycle_thread *w, unsigned k) {
  const struct spot *s = spot_of(w, k);
  const char *x = cycle_locations[s->loc];
  unsigned r = take_register(w);
  if (s->form == FORM_CAS) // eax has what is expected
    x86_move(w, X86_EAX, s->expected);
  x86_move(w, r, s->value);
  const char *reg = x86_operand(w, r);
  if (s->form == FORM_CAS && is_att(w))
    str_add(&w->code, "lock cmpxchgl %s,(%s)\n", reg, x);
  else if (s->form == FORM_CAS)
    str_add(&w->code, "LOCK CMPXCHG [%s],%s\n", x, reg);
  else if (is_att(w))
    str_add(&w->code, "xchgl %s,(%s)\n", reg, x);
  else
    str_add(&w->code, "XCHG [%s],%s\n", x, reg);
  if (s->form != FORM_CAS || s->link != LINK_UPDATE) {
    keep_read(w, k, r);
    return;
  }
  // The next one may need eax.
  unsigned old = take_register(w);
  str_add(&w->code, is_att(w) ? "movl %%eax,%s\n" : "MOV %s,EAX\n",
          x86_operand(w, old));
  keep_read(w, k, old);
}

static void x86_again(struct cycle_thread *w, unsigned r, unsigned value,
                      unsigned label) {
  str_add(&w->code,
          is_att(w) ? "cmpl $%2$u,%1$s\njne A%3$02u\n"
                    : "CMP %s,$%u\nJNE A%02u\n",
          x86_operand(w, r), value, label);
}

static void x86_access(struct cycle_thread *w, unsigned k) {
  const struct spot *s = spot_of(w, k);
  const char *x = cycle_locations[s->loc];
  if (w->next + 2 > X86_REGISTERS) { // too few: the caller says so
    w->next = X86_REGISTERS + 1;
    return;
  }
  if (s->form != FORM_STORE) {
    x86_update(w, k);
  } else if (s->is_write) {
    str_add(&w->code, is_att(w) ? "movl $%u,(%s)\n" : "MOV [%2$s],$%1$u\n",
            s->value, x);
  } else {
    unsigned r = take_register(w);
    w->value[k] = r;
    str_add(&w->code, is_att(w) ? "movl (%s),%s\n" : "MOV %2$s,[%1$s]\n", x,
            x86_operand(w, r));
  }
}

// (C has no registers to take.)
const struct cycle_language cycle_languages[DIALECTS] = {
    [DIALECT_AARCH64] = {"X", NULL, 0, 31, aarch64_access, aarch64_link,
                         aarch64_again},
    [DIALECT_ARM] = {"R", NULL, 0, 13, arm_access, arm_link, arm_again},
    [DIALECT_PPC] = {"r", NULL, 1, 32, ppc_access, ppc_link, ppc_again},
    [DIALECT_RISCV] = {"x", NULL, 5, 32, riscv_access, riscv_link, riscv_again},
    [DIALECT_X86] = {NULL, x86_registers, 0, X86_REGISTERS, x86_access,
                     x86_link, x86_again},
    [DIALECT_X86_64] = {NULL, x86_64_registers, 0, X86_REGISTERS, x86_access,
                        x86_link, x86_again},
};
