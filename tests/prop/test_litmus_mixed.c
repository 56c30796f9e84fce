// SPDX-License-Identifier: MIT
// Litmus tests of AArch64, both dialects of x86, RISC-V, POWER and ARM with
// accesses of different size to the same bytes: random ones. The search, which
// makes accesses in pieces, must have as many executions, and the same states,
// as those who make every candidate (memory/candidates.c; test_mixed_armv8.c
// compares these with the definition on whole accesses).
//   HEDDLE_SEEDS=n (default 600), HEDDLE_FIRST_SEED=n
#include "answer/answer.h"
#include "cat/catalogue.h"
#include "litmus/litmus.h"
#include "setting.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

static uint64_t dice;

static unsigned below(unsigned n) {
  dice = dice * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(dice >> 33) % n;
}

static const char *one_of(const char *const *all, unsigned n) {
  return all[below(n)];
}

enum { ROWS = 4, THREADS = 3, CELL = 40 };

enum language { ARM, X86, RISCV, POWER, ARM32, X86_32 };

struct mixed {
  enum language language;
  unsigned threads;
  char cells[THREADS][2 * ROWS + 2][CELL];
  unsigned rows[THREADS];
};

static char *next_cell(struct mixed *t, unsigned thread) {
  return t->cells[thread][t->rows[thread]++];
}

// X1 and X3 hold addresses, W20 and on get what is read, W9 is zero and depends
// on what was read last.
static void arm_access(struct mixed *t, unsigned p, unsigned i) {
  static const char *const sizes[] = {"", "", "H", "B"};
  static const char *const updates[] = {"SWP", "SWPA", "LDADDL", "SWPAL"};
  unsigned s = below(4), bytes = s < 2 ? 4 : s == 2 ? 2 : 1;
  unsigned base = 1 + 2 * below(2), to = 20 + i, value = 257 * (i + 1) + p;
  unsigned offset = below(4 / bytes) * bytes;
  bool depends = below(4) == 0;
  char address[24];
  if (below(5) == 0) // there is no offset
    offset = 0;
  if (bytes == 2 && below(4) == 0) // it is not aligned
    offset = 1;
  snprintf(address, sizeof address, offset ? "[X%u,#%u]" : "[X%u]", base,
           offset);
  switch (below(7)) {
  case 6:
    snprintf(next_cell(t, p), CELL, "LD%sXR%s W%u,[X%u]", below(2) ? "A" : "",
             sizes[s], to, base);
    snprintf(next_cell(t, p), CELL, depends ? "ADD W4,W9,#%u" : "MOV W4,#%u",
             value);
    snprintf(next_cell(t, p), CELL, "ST%sXR%s W8,W4,[X%u]", below(2) ? "L" : "",
             sizes[below(8) ? s : below(4)], base);
    return;
  case 0:
  case 1:
    if (depends && !offset)
      snprintf(address, sizeof address, "[X%u,X9]", base);
    snprintf(next_cell(t, p), CELL, "LDR%s W%u,%s", sizes[s], to, address);
    snprintf(next_cell(t, p), CELL, "EOR W9,W%u,W%u", to, to);
    return;
  case 2:
    snprintf(next_cell(t, p), CELL, "%s%s W%u,[X%u]",
             below(2) ? "LDAR" : "LDAPR", sizes[s], to, base);
    return;
  case 3:
    snprintf(next_cell(t, p), CELL, "MOV W4,#%u", value);
    snprintf(next_cell(t, p), CELL, "%s%s W4,W%u,[X%u]", one_of(updates, 4),
             sizes[s], to, base);
    return;
  default:
    snprintf(next_cell(t, p), CELL, depends ? "ADD W4,W9,#%u" : "MOV W4,#%u",
             value);
    if (below(4) == 0)
      snprintf(next_cell(t, p), CELL, "STLR%s W4,[X%u]", sizes[s], base);
    else
      snprintf(next_cell(t, p), CELL, "STR%s W4,%s", sizes[s], address);
  }
}

// x5 and x6 hold addresses, the rest as above.
static void riscv_access(struct mixed *t, unsigned p, unsigned i) {
  static const char sizes[] = {'w', 'w', 'h', 'b'};
  static const char *const orders[] = {"", ".aq", ".rl", ".aq.rl"};
  unsigned s = below(4), bytes = s < 2 ? 4 : s == 2 ? 2 : 1;
  unsigned base = 5 + below(2), to = 20 + i, value = 257 * (i + 1) + p;
  unsigned offset = below(4 / bytes) * bytes;
  bool depends = below(4) == 0;
  if (bytes == 2 && below(4) == 0) // it is not aligned
    offset = 1;
  switch (below(6)) {
  case 0:
  case 1:
    if (depends) {
      snprintf(next_cell(t, p), CELL, "add x7,x%u,x9", base);
      base = 7;
    }
    snprintf(next_cell(t, p), CELL, "l%c x%u,%u(x%u)", sizes[s], to, offset,
             base);
    snprintf(next_cell(t, p), CELL, "xor x9,x%u,x%u", to, to);
    return;
  case 2:
    snprintf(next_cell(t, p), CELL, "ori x4,x0,%u", value);
    snprintf(next_cell(t, p), CELL, "amo%s.w%s x%u,x4,(x%u)",
             below(2) ? "swap" : "add", one_of(orders, 4), to, base);
    return;
  case 3:
    snprintf(next_cell(t, p), CELL, "lr.w%s x%u,(x%u)", one_of(orders, 2), to,
             base);
    snprintf(next_cell(t, p), CELL, "ori x4,x%u,%u", depends ? 9 : 0, value);
    snprintf(next_cell(t, p), CELL, "sc.w%s x8,x4,(x%u)", below(2) ? ".rl" : "",
             below(8) ? base : 5 + below(2));
    return;
  default:
    snprintf(next_cell(t, p), CELL, "ori x4,x%u,%u", depends ? 9 : 0, value);
    snprintf(next_cell(t, p), CELL, "s%c x4,%u(x%u)", sizes[s], offset, base);
  }
}

// r1 and r2 hold addresses, r9 is zero, the rest as above. (Lower case for
// POWER; ARM has the same registers.)
static void power_access(struct mixed *t, unsigned p, unsigned i) {
  static const char sizes[] = {'w', 'w', 'h', 'b'};
  unsigned s = below(4), bytes = s < 2 ? 4 : s == 2 ? 2 : 1;
  unsigned base = 1 + below(2), to = 20 + i, value = 257 * (i + 1) + p;
  unsigned offset = below(4 / bytes) * bytes;
  bool depends = below(3) == 0;
  switch (below(5)) {
  case 0:
  case 1:
    if (depends) {
      snprintf(next_cell(t, p), CELL, "add r7,r%u,r9", base);
      base = 7;
    }
    snprintf(next_cell(t, p), CELL, "l%cz r%u,%u(r%u)", sizes[s], to, offset,
             base);
    snprintf(next_cell(t, p), CELL, "xor r9,r%u,r%u", to, to);
    return;
  case 2:
    snprintf(next_cell(t, p), CELL, "addi r8,r%u,%u", base, offset);
    snprintf(next_cell(t, p), CELL, "l%carx r%u,r9,r8", sizes[s], to);
    snprintf(next_cell(t, p), CELL, "addi r4,r%u,%u", depends ? 9 : 10, value);
    snprintf(next_cell(t, p), CELL, "st%ccx. r4,r10,r8", sizes[s]);
    return;
  default:
    snprintf(next_cell(t, p), CELL, "addi r4,r%u,%u", depends ? 9 : 10, value);
    snprintf(next_cell(t, p), CELL, "st%c r4,%u(r%u)", sizes[s], offset, base);
  }
}

static void arm32_access(struct mixed *t, unsigned p, unsigned i) {
  static const char *const sizes[] = {"", "", "H", "B"};
  unsigned s = below(4), bytes = s < 2 ? 4 : s == 2 ? 2 : 1;
  unsigned base = 1 + below(2), to = 5 + i, value = 257 * (i + 1) + p;
  unsigned offset = below(4 / bytes) * bytes;
  bool depends = below(3) == 0;
  switch (below(5)) {
  case 0:
  case 1:
    if (depends) {
      snprintf(next_cell(t, p), CELL, "ADD R8,R%u,R9", base);
      base = 8;
    }
    snprintf(next_cell(t, p), CELL, "LDR%s R%u,[R%u,#%u]", sizes[s], to, base,
             offset);
    snprintf(next_cell(t, p), CELL, "EOR R9,R%u,R%u", to, to);
    return;
  case 2:
    snprintf(next_cell(t, p), CELL, "ADD R12,R%u,#%u", base, offset);
    snprintf(next_cell(t, p), CELL, "LDREX%s R%u,[R12]", sizes[s], to);
    snprintf(next_cell(t, p), CELL, "ADD R4,R%u,#%u", depends ? 9 : 10, value);
    snprintf(next_cell(t, p), CELL, "STREX%s R11,R4,[R12]", sizes[s]);
    return;
  default:
    snprintf(next_cell(t, p), CELL, "ADD R4,R%u,#%u", depends ? 9 : 10, value);
    snprintf(next_cell(t, p), CELL, "STR%s R4,[R%u,#%u]", sizes[s], base,
             offset);
  }
}

static void x86_access(struct mixed *t, unsigned p, unsigned i) {
  static const char sizes[] = {'l', 'l', 'b'};
  static const char *const registers[][2] = {
      {"eax", "al"}, {"ebx", "bl"}, {"ecx", "cl"}};
  unsigned s = below(3);
  const char *loc = below(2) ? "x" : "y", *reg = registers[i][s == 2];
  switch (below(5)) {
  case 0:
  case 1:
    snprintf(next_cell(t, p), CELL, "mov%c (%s),%%%s", sizes[s], loc, reg);
    return;
  case 2:
    snprintf(next_cell(t, p), CELL, "movl $%u,%%%s", 257 * (i + 1) + p,
             registers[i][0]);
    snprintf(next_cell(t, p), CELL, "xchg%c %%%s,(%s)", sizes[s], reg, loc);
    return;
  default:
    snprintf(next_cell(t, p), CELL, "mov%c $%u,(%s)", sizes[s],
             s == 2 ? i + 1 : 257 * (i + 1) + p, loc);
  }
}

// The older dialect, whose destination comes first.
static void x86_32_access(struct mixed *t, unsigned p, unsigned i) {
  static const char *const registers[][2] = {
      {"EAX", "AL"}, {"EBX", "BL"}, {"ECX", "CL"}};
  bool is_byte = below(3) == 0;
  const char *b = is_byte ? "B" : "", *reg = registers[i][is_byte];
  char loc[8];
  snprintf(loc, sizeof loc, "[%c+%u]", "xy"[below(2)], is_byte ? below(4) : 0);
  switch (below(5)) {
  case 0:
  case 1:
    snprintf(next_cell(t, p), CELL, "MOV%s %s,%s", b, reg, loc);
    return;
  case 2:
    snprintf(next_cell(t, p), CELL, "MOV %s,$%u", registers[i][0],
             257 * (i + 1) + p);
    snprintf(next_cell(t, p), CELL, below(2) ? "XCHG %s,%s" : "LOCK XADD %s,%s",
             loc, reg);
    return;
  default:
    snprintf(next_cell(t, p), CELL, "MOV%s %s,$%u", b, loc,
             is_byte ? i + 1 : 257 * (i + 1) + p);
  }
}

static void draw_access(struct mixed *t, unsigned p, unsigned i) {
  static const char *const fences[6][4] = {
      {"DMB SY", "DMB LD", "DMB ST", "DSB ST"},
      {"mfence", "mfence", "mfence", "mfence"},
      {"fence rw,rw", "fence r,rw", "fence rw,w", "fence.tso"},
      {"sync", "lwsync", "eieio", "lwsync"},
      {"DMB", "DMB ST", "DSB", "DSB ST"},
      {"MFENCE", "MFENCE", "MFENCE", "MFENCE"}};
  static void (*const access[])(struct mixed *, unsigned, unsigned) = {
      [ARM] = arm_access,     [X86] = x86_access,     [RISCV] = riscv_access,
      [POWER] = power_access, [ARM32] = arm32_access, [X86_32] = x86_32_access};
  if (i && below(3) == 0)
    snprintf(next_cell(t, p), CELL, "%s", one_of(fences[t->language], 4));
  access[t->language](t, p, i);
}

static void draw(uint64_t seed, struct mixed *t) {
  static const enum language languages[] = {X86,   ARM,   ARM,   RISCV,
                                            POWER, ARM32, X86_32};
  *t = (struct mixed){.language = languages[seed % 7],
                      .threads = 2 + (seed % 5 == 0)};
  dice = seed * 977 + 7;
  for (unsigned p = 0; p < t->threads; p++) {
    unsigned n = t->threads == 3 ? 1 + below(2) : 2;
    for (unsigned i = 0; i < n; i++)
      draw_access(t, p, i);
  }
}

static void print_addresses(const struct mixed *t, unsigned p,
                            struct str *out) {
  if (t->language == ARM)
    str_add(out, " %u:X1=x; %u:X3=y;", p, p);
  if (t->language == RISCV)
    str_add(out, " %u:x5=x; %u:x6=y;", p, p);
  if (t->language == POWER)
    str_add(out, " %u:r1=x; %u:r2=y;", p, p);
  if (t->language == ARM32)
    str_add(out, " %u:R1=x; %u:R2=y;", p, p);
}

static void print(const struct mixed *t, struct str *out) {
  static const char *const names[] = {"AArch64", "X86_64", "RISCV",
                                      "PPC",     "ARM",    "X86"},
                           *const registers[][3] = {
                               {"X20", "X21", "X8"}, {"rax", "rbx", "rcx"},
                               {"x20", "x21", "x8"}, {"r20", "r21", "r22"},
                               {"R5", "R6", "R11"},  {"EAX", "EBX", "ECX"}};
  unsigned rows = 0;
  str_add(out, "%s mixed\n{ uint32_t x; uint32_t y;", names[t->language]);
  for (unsigned p = 0; p < t->threads; p++) {
    print_addresses(t, p, out);
    rows = t->rows[p] > rows ? t->rows[p] : rows;
  }
  str_add(out, "}\n");
  for (unsigned p = 0; p < t->threads; p++)
    str_add(out, "%s P%u", p ? " |" : "", p);
  for (unsigned i = 0; i < rows; i++) {
    str_add(out, " ;\n");
    for (unsigned p = 0; p < t->threads; p++)
      str_add(out, "%s %s", p ? " |" : "",
              i < t->rows[p] ? t->cells[p][i] : "");
  }
  str_add(out, " ;\nlocations [x; y;");
  for (unsigned i = 0; i < 3 * t->threads; i++)
    str_add(out, " %u:%s;", i / 3, registers[t->language][i % 3]);
  str_add(out, "]\nexists (x=257)\n");
}

static struct catalogue catalogue;

static bool answer(const struct litmus *t, bool enumerates, struct answer *o,
                   struct diag *why) {
  const struct model *model;
  if (!catalogue_find(&catalogue, catalogue_of_language(litmus_language(t)),
                      &model, why))
    return false;
  struct answer_config config = {
      .model = model, .reductions = REDUCE_DEFAULT, .enumerates = enumerates};
  return answer_of(t, &config, o, why);
}

static bool is_same(const struct answer *a, const struct answer *b) {
  return a->positive == b->positive && a->negative == b->negative &&
         a->values.len == b->values.len &&
         (!a->values.len || memcmp(a->values.at, b->values.at,
                                   a->values.len * sizeof *a->values.at) == 0);
}

TEST(the_search_has_all_candidates_that_are_executions) {
  uint64_t first = setting_first(600), n = setting_many("HEDDLE_SEEDS", 600),
           executions = 0, compared = 0;
  struct options options = {0};
  catalogue_init(&catalogue, &options);
  for (uint64_t seed = first; seed < first + n; seed++) {
    struct mixed test;
    struct str text = {0};
    struct litmus *t;
    struct diag why;
    struct answer one = {0}, all = {0};
    draw(seed, &test);
    print(&test, &text);
    bool ok =
        litmus_read("mixed.litmus", str_text(&text), text.len, NULL, &t, &why);
    CHECK(ok, "seed %llu: %s\n%s", (unsigned long long)seed, why.text,
          str_text(&text));
    if (answer(t, /*enumerates=*/true, &all, &why)) {
      ok = answer(t, /*enumerates=*/false, &one, &why);
      CHECK(ok && is_same(&one, &all),
            "seed %llu: %llu and %llu executions, of candidates %llu and "
            "%llu\n%s",
            (unsigned long long)seed, (unsigned long long)one.positive,
            (unsigned long long)one.negative, (unsigned long long)all.positive,
            (unsigned long long)all.negative, str_text(&text));
      compared++;
      executions += one.positive + one.negative;
      answer_done(&one);
      answer_done(&all);
    }
    litmus_free(t);
    str_done(&text);
  }
  catalogue_done(&catalogue);
  printf("# %llu tests, %llu executions\n", (unsigned long long)compared,
         (unsigned long long)executions);
  CHECK(compared > n / 2, "only %llu tests", (unsigned long long)compared);
}
