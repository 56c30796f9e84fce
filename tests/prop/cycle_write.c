// SPDX-License-Identifier: MIT
// See cycle.h: the litmus tests, one function a language.
#include "cycle.h"

#include <stdio.h>
#include <string.h>

static const char *aarch64_suffix(enum order o) {
  return o == ORD_RLX ? "" : o == ORD_REL ? "L" : "AL";
}

// The accesses of AArch64: X1 and X3 hold addresses, the value goes through
// W0 and W2, W4 is a zero that depends on W0.
static void aarch64_access(const struct cycle *c, unsigned i, unsigned k,
                           struct str *out) {
  const struct spot *p = &c->at[i][k];
  unsigned value = 2 * k, base = 2 * k + 1;
  bool is_addr = k && c->link[i] == LINK_ADDR;
  bool is_plain = p->order == ORD_RLX && p->form == FORM_STORE;
  if (is_addr && !is_plain) // no other form takes an index
    str_add(out, "ADD X%u,X%u,W4,SXTW\n", base, base);
  char address[32];
  snprintf(address, sizeof address,
           is_addr && is_plain ? "[X%u,W4,SXTW]" : "[X%u]", base);
  if (p->is_write && k && c->link[i] == LINK_DATA)
    str_add(out, "ADD W%u,W4,#%u\n", value, p->value);
  else if (p->is_write)
    str_add(out, "MOV W%u,#%u\n", p->form == FORM_SWAP ? 5 : value, p->value);
  if (p->form == FORM_LLSC)
    str_add(out, "LDXR W5,%s\n%s W6,W%u,%s\n", address,
            p->order == ORD_RLX ? "STXR" : "STLXR", value, address);
  else if (p->form == FORM_SWAP)
    str_add(out, "SWP%s W5,W%u,%s\n", aarch64_suffix(p->order), value, address);
  else if (p->form == FORM_CAS)
    str_add(out, "MOV W6,#%u\nCAS%s W6,W%u,%s\n", p->expected,
            aarch64_suffix(p->order), value, address);
  else if (p->is_write)
    str_add(out, "%s W%u,%s\n", p->order == ORD_RLX ? "STR" : "STLR", value,
            address);
  else
    str_add(out, "%s W%u,%s\n",
            p->order == ORD_RLX   ? "LDR"
            : p->order == ORD_ACQ ? "LDAPR"
                                  : "LDAR",
            value, address);
}

static void aarch64_thread(const struct cycle *c, unsigned i, struct str *out) {
  enum link k = c->link[i];
  aarch64_access(c, i, 0, out);
  if (k == LINK_ADDR || k == LINK_DATA)
    str_add(out, "EOR W4,W0,W0\n");
  if (k == LINK_CTRL || k == LINK_CTRL_ISB)
    str_add(out, "CBNZ W0,L%u\nL%u:\n", i, i);
  str_add(out, "%s",
          k == LINK_CTRL_ISB ? "ISB\n"
          : k == LINK_FULL   ? "DMB SY\n"
          : k == LINK_LOADS  ? "DMB LD\n"
          : k == LINK_STORES ? "DMB ST\n"
                             : "");
  aarch64_access(c, i, 1, out);
}

// RISC-V: x6 and x8 hold addresses, the value goes through x5 and x7, x9 is a
// zero that depends on x5.
static void riscv_access(const struct cycle *c, unsigned i, unsigned k,
                         struct str *out) {
  const struct spot *p = &c->at[i][k];
  unsigned value = 5 + 2 * k, base = 6 + 2 * k;
  const char *bits = p->order == ORD_RLX   ? ""
                     : p->order == ORD_ACQ ? ".aq"
                     : p->order == ORD_REL ? ".rl"
                                           : ".aq.rl";
  if (k && c->link[i] == LINK_ADDR)
    str_add(out, "add x%u,x%u,x9\n", base, base);
  if (p->is_write)
    str_add(out, "ori x%u,x%u,%u\n", value,
            k && c->link[i] == LINK_DATA ? 9 : 0, p->value);
  if (p->form == FORM_LLSC)
    str_add(out, "lr.w%s x10,0(x%u)\nsc.w%s x11,x%u,0(x%u)\n",
            p->order == ORD_SC ? bits : "", base, bits, value, base);
  else if (p->form == FORM_SWAP)
    str_add(out, "amoswap.w%s x10,x%u,0(x%u)\n", bits, value, base);
  else
    str_add(out, "%s%s x%u,0(x%u)\n", p->is_write ? "sw" : "lw", bits, value,
            base);
}

static void riscv_thread(const struct cycle *c, unsigned i, struct str *out) {
  enum link k = c->link[i];
  riscv_access(c, i, 0, out);
  if (k == LINK_ADDR || k == LINK_DATA)
    str_add(out, "xor x9,x5,x5\n");
  if (k == LINK_CTRL)
    str_add(out, "bne x5,x0,L%u\nL%u:\n", i, i);
  const char *sides = cycle_sides[c->sides[i]];
  if (k == LINK_SIDES)
    str_add(out, "fence %.*s,%s\n", (int)strcspn(sides, "."), sides,
            strchr(sides, '.') + 1);
  str_add(out, "%s",
          k == LINK_FULL            ? "fence rw,rw\n"
          : k == LINK_LOADS         ? "fence r,rw\n"
          : k == LINK_STORES        ? "fence w,w\n"
          : k == LINK_RELEASE_FENCE ? "fence rw,w\n"
          : k == LINK_LIGHT         ? "fence.tso\n"
                                    : "");
  riscv_access(c, i, 1, out);
}

// POWER: r2 and r4 hold addresses, the value goes through r1 and r3, r9 is a
// zero that depends on r1, r8 is zero.
static void ppc_access(const struct cycle *c, unsigned i, unsigned k,
                       struct str *out) {
  const struct spot *p = &c->at[i][k];
  unsigned value = 1 + 2 * k, base = 2 + 2 * k;
  bool is_addr = k && c->link[i] == LINK_ADDR;
  if (p->is_write && k && c->link[i] == LINK_DATA)
    str_add(out, "addi r%u,r9,%u\n", value, p->value);
  else if (p->is_write)
    str_add(out, "li r%u,%u\n", value, p->value);
  unsigned index = is_addr ? 9 : 8;
  if (p->form == FORM_LLSC)
    str_add(out, "lwarx r10,r%u,r%u\nstwcx. r%u,r%u,r%u\n", index, base, value,
            index, base);
  else if (is_addr)
    str_add(out, "%s r%u,r9,r%u\n", p->is_write ? "stwx" : "lwzx", value, base);
  else
    str_add(out, "%s r%u,0(r%u)\n", p->is_write ? "stw" : "lwz", value, base);
}

static void ppc_thread(const struct cycle *c, unsigned i, struct str *out) {
  enum link k = c->link[i];
  ppc_access(c, i, 0, out);
  if (k == LINK_ADDR || k == LINK_DATA)
    str_add(out, "xor r9,r1,r1\n");
  if (k == LINK_CTRL || k == LINK_CTRL_ISB)
    str_add(out, "cmpwi r1,0\nbeq L%u\nL%u:\n", i, i);
  str_add(out, "%s",
          k == LINK_CTRL_ISB ? "isync\n"
          : k == LINK_FULL   ? "sync\n"
          : k == LINK_LIGHT  ? "lwsync\n"
          : k == LINK_STORES ? "eieio\n"
                             : "");
  ppc_access(c, i, 1, out);
}

// ARM: R1 and R3 hold addresses, the value goes through R0 and R2, R4 is a zero
// that depends on R0.
static void arm_access(const struct cycle *c, unsigned i, unsigned k,
                       struct str *out) {
  const struct spot *p = &c->at[i][k];
  unsigned value = 2 * k, base = 2 * k + 1;
  if (k && c->link[i] == LINK_ADDR)
    str_add(out, "ADD R%u,R%u,R4\n", base, base);
  if (p->is_write && k && c->link[i] == LINK_DATA)
    str_add(out, "ADD R%u,R4,#%u\n", value, p->value);
  else if (p->is_write)
    str_add(out, "MOV R%u,#%u\n", value, p->value);
  if (p->form == FORM_LLSC)
    str_add(out, "LDREX R5,[R%u]\nSTREX R6,R%u,[R%u]\n", base, value, base);
  else
    str_add(out, "%s R%u,[R%u]\n", p->is_write ? "STR" : "LDR", value, base);
}

static void arm_thread(const struct cycle *c, unsigned i, struct str *out) {
  enum link k = c->link[i];
  arm_access(c, i, 0, out);
  if (k == LINK_ADDR || k == LINK_DATA)
    str_add(out, "EOR R4,R0,R0\n");
  if (k == LINK_CTRL || k == LINK_CTRL_ISB)
    str_add(out, "CMP R0,#0\nBEQ L%u\nL%u:\n", i, i);
  str_add(out, "%s",
          k == LINK_CTRL_ISB ? "ISB\n"
          : k == LINK_FULL   ? "DMB\n"
          : k == LINK_STORES ? "DMB ST\n"
                             : "");
  arm_access(c, i, 1, out);
}

static void x86_cas(bool is_att, const struct spot *p, const char *reg,
                    struct str *out) {
  const char *x = cycle_locations[p->loc];
  if (is_att)
    str_add(out, "movl $%u,%%eax\nmovl $%u,%s\nlock cmpxchgl %s,(%s)\n",
            p->expected, p->value, reg, reg, x);
  else
    str_add(out, "MOV EAX,$%u\nMOV %s,$%u\nLOCK CMPXCHG [%s],%s\n", p->expected,
            reg, p->value, x, reg);
}

static void x86_thread(const struct cycle *c, unsigned i, struct str *out) {
  bool is_att = c->dialect == DIALECT_X86_64;
  for (unsigned k = 0; k < 2; k++) {
    const struct spot *p = &c->at[i][k];
    const char *x = cycle_locations[p->loc];
    const char *reg = is_att ? (k ? "%ecx" : "%ebx") : k ? "ECX" : "EBX";
    if (k && c->link[i] == LINK_FULL)
      str_add(out, "mfence\n");
    if (p->form == FORM_CAS) // eax has what is expected
      x86_cas(is_att, p, reg, out);
    else if (p->form == FORM_SWAP && is_att)
      str_add(out, "movl $%u,%s\nxchgl %s,(%s)\n", p->value, reg, reg, x);
    else if (p->form == FORM_SWAP)
      str_add(out, "MOV %s,$%u\nXCHG [%s],%s\n", reg, p->value, x, reg);
    else if (p->is_write)
      str_add(out, is_att ? "movl $%u,(%s)\n" : "MOV [%2$s],$%1$u\n", p->value,
              x);
    else if (is_att)
      str_add(out, "movl (%s),%s\n", x, reg);
    else
      str_add(out, "MOV %s,[%s]\n", reg, x);
  }
}

static const char *c_order(enum order o) {
  static const char *const names[] = {"",        "relaxed", "acquire",
                                      "release", "acq_rel", "seq_cst"};
  return names[o];
}

static void c_thread(const struct cycle *c, unsigned i, struct str *out) {
  str_add(out, "P%u (atomic_int* x, atomic_int* y, atomic_int* z) {\n", i);
  for (unsigned k = 0; k < 2; k++) {
    const struct spot *p = &c->at[i][k];
    const char *x = cycle_locations[p->loc], *order = c_order(p->order);
    enum link between = c->link[i];
    if (k && between != LINK_PO)
      str_add(out, "  atomic_thread_fence(memory_order_%s);\n",
              between == LINK_FULL    ? "seq_cst"
              : between == LINK_LOADS ? "acquire"
                                      : "release");
    if (p->form == FORM_SWAP)
      str_add(
          out,
          "  int r%u = atomic_exchange_explicit(%s, %u, memory_order_%s);\n", k,
          x, p->value, order);
    else if (p->is_write)
      str_add(out, "  atomic_store_explicit(%s, %u, memory_order_%s);\n", x,
              p->value, order);
    else
      str_add(out, "  int r%u = atomic_load_explicit(%s, memory_order_%s);\n",
              k, x, order);
  }
  str_add(out, "}\n");
}

// The columns of assembly from the lines of each thread.
static void write_columns(char *const *threads, unsigned n, struct str *out) {
  char *rest[MAX_CYCLE], *line;
  bool more = true;
  for (unsigned i = 0; i < n; i++) {
    str_add(out, "%s P%u", i ? " |" : "", i);
    rest[i] = threads[i];
  }
  str_add(out, " ;\n");
  while (more) {
    more = false;
    for (unsigned i = 0; i < n; i++) {
      line = *rest[i] ? strsep(&rest[i], "\n") : (char *)"";
      rest[i] = rest[i] ? rest[i] : (char *)"";
      more |= *rest[i];
      str_add(out, "%s %s", i ? " |" : "", line);
    }
    str_add(out, " ;\n");
  }
}

// -- the whole

static const struct language {
  const char *arch, *registers[2], *addresses[2]; // NULL: locations have names
  void (*thread)(const struct cycle *c, unsigned i, struct str *out);
} languages[DIALECTS] = {
    [DIALECT_AARCH64] = {"AArch64", {"X0", "X2"}, {"X1", "X3"}, aarch64_thread},
    [DIALECT_X86] = {"X86", {"EBX", "ECX"}, {NULL, NULL}, x86_thread},
    [DIALECT_X86_64] = {"X86_64", {"rbx", "rcx"}, {NULL, NULL}, x86_thread},
    [DIALECT_C] = {"C", {"r0", "r1"}, {NULL, NULL}, c_thread},
    [DIALECT_RISCV] = {"RISCV", {"x5", "x7"}, {"x6", "x8"}, riscv_thread},
    [DIALECT_PPC] = {"PPC", {"r1", "r3"}, {"r2", "r4"}, ppc_thread},
    [DIALECT_ARM] = {"ARM", {"R0", "R2"}, {"R1", "R3"}, arm_thread},
};

// What the cycle needs: reads have their values, coe goes its way.
static void write_condition(const struct cycle *c, struct str *out) {
  str_add(out, "exists (true");
  for (unsigned i = 0; i < c->threads; i++) {
    for (unsigned k = 0; k < 2; k++)
      if (!c->at[i][k].is_write)
        str_add(out, " /\\ %u:%s=%u", i, languages[c->dialect].registers[k],
                c->at[i][k].value);
    if (c->edge[i] == EDGE_COE)
      str_add(out, " /\\ %s=2", cycle_locations[i]);
  }
  str_add(out, ")\n");
}

void cycle_print_litmus(const struct cycle *c, struct str *out) {
  const struct language *l = &languages[c->dialect];
  struct str threads[MAX_CYCLE] = {0};
  char *lines[MAX_CYCLE];
  bool is_c = c->dialect == DIALECT_C;
  str_add(out, "%s cycle\n{\n", l->arch);
  for (unsigned i = 0; l->addresses[0] && i < c->threads; i++)
    for (unsigned k = 0; k < 2; k++)
      str_add(out, "%u:%s=%s;\n", i, l->addresses[k],
              cycle_locations[c->at[i][k].loc]);
  str_add(out, "}\n");
  for (unsigned i = 0; i < c->threads; i++) {
    l->thread(c, i, is_c ? out : &threads[i]);
    lines[i] = threads[i].at;
  }
  if (!is_c)
    write_columns(lines, c->threads, out);
  write_condition(c, out);
  for (unsigned i = 0; i < c->threads; i++)
    str_done(&threads[i]);
}
