// SPDX-License-Identifier: MIT
// Litmus tests made from cycles, as the tool diy does: each thread has two
// accesses with something between them that may order them (program order, a
// dependency, a fence, acquire and release), and each thread's second access is
// joined to the next one's first by rfe, fre or coe. The test is written twice:
// as a .litmus file, which is read and explored, and as a program for the
// oracle. Both must count as many executions with the outcome of the cycle, and
// as many without.
#include "answer/answer.h"
#include "litmus/litmus.h"
#include "oracle.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CYCLE = 3 };
enum edge { EDGE_RFE, EDGE_FRE, EDGE_COE };
enum link {
  LINK_PO,
  LINK_ADDR,
  LINK_DATA,
  LINK_CTRL,
  LINK_CTRL_ISB,
  LINK_FULL,
  LINK_LOADS,
  LINK_STORES,
  LINK_RELEASE_FENCE,
  LINKS
};
enum dialect {
  DIALECT_AARCH64,
  DIALECT_X86,
  DIALECT_X86_64,
  DIALECT_C,
  DIALECTS
};

struct spot {
  bool is_write, is_swap;
  enum order order;
  unsigned loc, value; // written, or expected to be read
};

struct cycle {
  enum dialect dialect;
  unsigned threads;
  enum edge edge[MAX_CYCLE]; // from thread i to the next
  enum link link[MAX_CYCLE];
  struct spot at[MAX_CYCLE][2];
};

// -- drawing

static uint64_t state;

static unsigned draw(unsigned n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)((state >> 33) % n);
}

static enum order draw_order(const struct cycle *c, bool is_write) {
  static const enum order reads[] = {ORD_RLX, ORD_RLX, ORD_ACQ, ORD_SC};
  static const enum order writes[] = {ORD_RLX, ORD_RLX, ORD_REL, ORD_SC};
  if (c->dialect == DIALECT_X86 || c->dialect == DIALECT_X86_64)
    return ORD_RLX;
  unsigned i = draw(c->dialect == DIALECT_AARCH64 && is_write ? 3 : 4);
  return is_write ? writes[i] : reads[i];
}

static bool link_fits(const struct cycle *c, unsigned i, enum link k) {
  bool reads = !c->at[i][0].is_write;
  bool is_arm = c->dialect == DIALECT_AARCH64;
  switch (k) {
  case LINK_PO:
  case LINK_FULL:
    return true;
  case LINK_ADDR:
  case LINK_CTRL:
    return reads && is_arm;
  case LINK_DATA:
    return reads && is_arm && c->at[i][1].is_write;
  case LINK_CTRL_ISB:
    return reads && is_arm;
  case LINK_STORES:
    return is_arm;
  case LINK_LOADS:
    return is_arm || c->dialect == DIALECT_C;
  case LINK_RELEASE_FENCE:
    return c->dialect == DIALECT_C;
  case LINKS:
    break;
  }
  return false;
}

static void draw_cycle(uint64_t seed, struct cycle *c) {
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
  for (unsigned i = 0; i < c->threads; i++) {
    for (unsigned k = 0; k < 2; k++) {
      c->at[i][k].order = draw_order(c, c->at[i][k].is_write);
      c->at[i][k].is_swap = c->at[i][k].is_write && !draw(5);
    }
    do
      c->link[i] = (enum link)draw(LINKS);
    while (!link_fits(c, i, c->link[i]));
    if (c->link[i] == LINK_DATA && c->at[i][1].is_swap)
      c->at[i][1].is_swap = false;
  }
}

// -- as a program for the oracle

static const char *const locations[] = {"x", "y", "z"};

static void oracle_access(const struct cycle *c, unsigned i, unsigned k,
                          struct str *out) {
  const struct spot *p = &c->at[i][k];
  const char *order = order_name(p->order);
  char loc[16], value[16];
  bool is_addr = k && c->link[i] == LINK_ADDR;
  bool is_data = k && c->link[i] == LINK_DATA;
  snprintf(loc, sizeof loc, "%s%s", locations[p->loc], is_addr ? "[r0]" : "");
  snprintf(value, sizeof value, "%s%u", is_data ? "r0^r0+" : "", p->value);
  if (p->is_swap)
    str_add(out, "r%u=XCHG%s %s %s", k, order, loc, value);
  else if (p->is_write)
    str_add(out, "W%s %s %s", order, loc, value);
  else
    str_add(out, "r%u=R%s %s", k, order, loc);
}

static void oracle_link(enum link k, struct str *out) {
  static const char *const between[] = {
      [LINK_FULL] = "Fsc; ",
      [LINK_LOADS] = "Facq; ",
      [LINK_STORES] = "dmb.st; ",
      [LINK_RELEASE_FENCE] = "Frel; ",
      [LINKS] = NULL,
  };
  if (between[k])
    str_add(out, "%s", between[k]);
  if (k == LINK_CTRL || k == LINK_CTRL_ISB)
    str_add(out, "if(r0>=0){");
  if (k == LINK_CTRL_ISB)
    str_add(out, "isb; ");
}

static void oracle_text(const struct cycle *c, struct str *out) {
  for (unsigned i = 0; i < c->threads; i++) {
    str_add(out, "%s", i ? " | " : "");
    oracle_access(c, i, 0, out);
    str_add(out, "; ");
    oracle_link(c->link[i], out);
    oracle_access(c, i, 1, out);
    if (c->link[i] == LINK_CTRL || c->link[i] == LINK_CTRL_ISB)
      str_add(out, "}");
  }
}

// -- as a litmus test

// The accesses of AArch64: X1 and X3 hold addresses, the value goes through
// W0 and W2, W4 is a zero that depends on W0.
static void arm_access(const struct cycle *c, unsigned i, unsigned k,
                       struct str *out) {
  const struct spot *p = &c->at[i][k];
  unsigned value = 2 * k, base = 2 * k + 1;
  bool is_addr = k && c->link[i] == LINK_ADDR;
  bool is_plain = p->order == ORD_RLX && !p->is_swap;
  if (is_addr && !is_plain) // no other form takes an index
    str_add(out, "ADD X%u,X%u,W4,SXTW\n", base, base);
  char address[32];
  snprintf(address, sizeof address,
           is_addr && is_plain ? "[X%u,W4,SXTW]" : "[X%u]", base);
  if (p->is_write && k && c->link[i] == LINK_DATA)
    str_add(out, "ADD W%u,W4,#%u\n", value, p->value);
  else if (p->is_write)
    str_add(out, "MOV W%u,#%u\n", p->is_swap ? 5 : value, p->value);
  if (p->is_swap)
    str_add(out, "SWP%s W5,W%u,%s\n",
            p->order == ORD_RLX   ? ""
            : p->order == ORD_REL ? "L"
                                  : "AL",
            value, address);
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

static void arm_thread(const struct cycle *c, unsigned i, struct str *out) {
  enum link k = c->link[i];
  arm_access(c, i, 0, out);
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
  arm_access(c, i, 1, out);
}

static void x86_thread(const struct cycle *c, unsigned i, struct str *out) {
  bool is_att = c->dialect == DIALECT_X86_64;
  for (unsigned k = 0; k < 2; k++) {
    const struct spot *p = &c->at[i][k];
    const char *x = locations[p->loc];
    const char *reg = is_att ? (k ? "%ebx" : "%eax") : k ? "EBX" : "EAX";
    if (k && c->link[i] == LINK_FULL)
      str_add(out, "mfence\n");
    if (p->is_swap && is_att)
      str_add(out, "movl $%u,%s\nxchgl %s,(%s)\n", p->value, reg, reg, x);
    else if (p->is_swap)
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
    const char *x = locations[p->loc], *order = c_order(p->order);
    enum link between = c->link[i];
    if (k && between != LINK_PO)
      str_add(out, "  atomic_thread_fence(memory_order_%s);\n",
              between == LINK_FULL    ? "seq_cst"
              : between == LINK_LOADS ? "acquire"
                                      : "release");
    if (p->is_swap)
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

static const char *register_of(const struct cycle *c, unsigned k) {
  static const char *const names[DIALECTS][2] = {
      {"X0", "X2"}, {"EAX", "EBX"}, {"rax", "rbx"}, {"r0", "r1"}};
  return names[c->dialect][k];
}

// What the cycle needs: reads have their values, coe goes its way.
static void write_condition(const struct cycle *c, struct str *out) {
  str_add(out, "exists (true");
  for (unsigned i = 0; i < c->threads; i++) {
    for (unsigned k = 0; k < 2; k++)
      if (!c->at[i][k].is_write)
        str_add(out, " /\\ %u:%s=%u", i, register_of(c, k), c->at[i][k].value);
    if (c->edge[i] == EDGE_COE)
      str_add(out, " /\\ %s=2", locations[i]);
  }
  str_add(out, ")\n");
}

static void litmus_text(const struct cycle *c, struct str *out) {
  static const char *const archs[] = {"AArch64", "X86", "X86_64", "C"};
  struct str threads[MAX_CYCLE] = {0};
  char *lines[MAX_CYCLE];
  str_add(out, "%s cycle\n{\n", archs[c->dialect]);
  for (unsigned i = 0; c->dialect == DIALECT_AARCH64 && i < c->threads; i++)
    str_add(out, "%u:X1=%s; %u:X3=%s;\n", i, locations[c->at[i][0].loc], i,
            locations[c->at[i][1].loc]);
  str_add(out, "}\n");
  for (unsigned i = 0; i < c->threads; i++) {
    if (c->dialect == DIALECT_C)
      c_thread(c, i, out);
    else if (c->dialect == DIALECT_AARCH64)
      arm_thread(c, i, &threads[i]);
    else
      x86_thread(c, i, &threads[i]);
    lines[i] = threads[i].at;
  }
  if (c->dialect != DIALECT_C)
    write_columns(lines, c->threads, out);
  write_condition(c, out);
  for (unsigned i = 0; i < c->threads; i++)
    str_done(&threads[i]);
}

// -- comparing

struct counts {
  const struct cycle *c;
  uint64_t positive, negative;
};

static uint64_t value_of(const struct picture *x, struct picture_name n) {
  return n.thread == PICTURE_INIT ? 0 : x->events[n.thread][n.index].value;
}

static uint64_t last_value(const struct picture *x, unsigned loc) {
  return value_of(x, x->co[loc][x->co_len[loc] - 1]);
}

// The oracle numbers locations as they appear: the last one of ours comes
// first.
static unsigned oracle_loc(const struct cycle *c, unsigned loc) {
  return (loc + 1) % c->threads;
}

static bool has_outcome(const struct cycle *c, const struct picture *x) {
  for (unsigned i = 0; i < c->threads; i++) {
    for (unsigned k = 0; k < 2; k++) {
      const struct spot *p = &c->at[i][k];
      for (unsigned e = 0; !p->is_write && e < x->len[i + 1]; e++) {
        const struct picture_event *r = &x->events[i + 1][e];
        if (r->kind == PIC_READ && r->loc == oracle_loc(c, p->loc) &&
            r->value != p->value)
          return false;
      }
    }
    if (c->edge[i] == EDGE_COE && last_value(x, oracle_loc(c, i)) != 2)
      return false;
  }
  return true;
}

static void found(void *arg, unsigned allowed_by, const struct picture *x) {
  struct counts *n = arg;
  (void)allowed_by;
  if (has_outcome(n->c, x))
    n->positive++;
  else
    n->negative++;
}

static bool compare_cycle(uint64_t seed, uint64_t *executions) {
  static const enum oracle_model oracle[] = {ORACLE_ARM, ORACLE_TSO, ORACLE_TSO,
                                             ORACLE_RC11};
  struct cycle c;
  struct str program = {0}, test = {0};
  struct program p;
  struct diag why;
  struct litmus *t = NULL;
  struct answer o = {0};
  draw_cycle(seed, &c);
  oracle_text(&c, &program);
  litmus_text(&c, &test);
  struct counts n = {.c = &c};
  struct oracle_query q = {
      .models = 1u << oracle[c.dialect], .found = found, .arg = &n};
  bool ok = program_parse(str_text(&program), &p, &why) && oracle_run(&p, &q);
  if (ok)
    ok = litmus_read("cycle.litmus", str_text(&test), test.len, NULL, &t, &why);
  if (ok) {
    struct answer_config config = {.model =
                                       model_find(litmus_default_model(t))};
    ok = answer_of(t, &config, &o, &why);
  }
  CHECK(ok, "seed %llu: %s\n# %s", (unsigned long long)seed, why.text,
        str_text(&program));
  bool is_same = ok && o.positive == n.positive && o.negative == n.negative;
  CHECK(is_same,
        "seed %llu: %llu and %llu executions, the oracle has %llu and "
        "%llu\n# %s\n%s",
        (unsigned long long)seed, (unsigned long long)o.positive,
        (unsigned long long)o.negative, (unsigned long long)n.positive,
        (unsigned long long)n.negative, str_text(&program), str_text(&test));
  *executions += n.positive + n.negative;
  if (t)
    answer_done(&o), litmus_free(t);
  str_done(&program);
  str_done(&test);
  return is_same;
}

TEST(cycles_have_the_executions_of_the_oracle) {
  const char *seeds = getenv("HEDDLE_SEEDS");
  const char *first = getenv("HEDDLE_FIRST_SEED");
  uint64_t n = seeds ? strtoull(seeds, NULL, 10) : 2400, wrong = 0, all = 0;
  uint64_t from = first ? strtoull(first, NULL, 10) : 0;
  for (uint64_t i = from; i < from + n && wrong < 5; i++)
    wrong += !compare_cycle(i, &all);
  printf("# %llu cycles, %llu executions\n", (unsigned long long)n,
         (unsigned long long)all);
}
