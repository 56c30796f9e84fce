// SPDX-License-Identifier: MIT
// Inline assembly: fences, spin hints and compiler barriers are here, by their
// text; everything with operands is taken apart by asm.c. A fence is never
// taken for something stronger than it is: a table row gives the strongest C11
// fence that the instruction is at least as strong as, or the barrier that it
// is if C11 has none like it. What is not understood stops the execution that
// comes to it.
#include "front/lower/asm.h"

#include <ctype.h>
#include <string.h>

// What an instruction is, beside the C11 fences of each enum order.
enum { NO_FENCE = ORD_NA, ISB = ORD_SC + 1, STORES };

static const struct {
  const char *text; // lower case, single blanks, `*` matches the rest
  unsigned fence;
} known[] = {
    {"nop*", NO_FENCE},
    {"rep", NO_FENCE}, // the prefix of a pause
    {"pause", NO_FENCE},
    {"rep; nop", NO_FENCE},
    {"rep nop", NO_FENCE},
    {"rep;nop", NO_FENCE},
    {"yield", NO_FENCE},
    {"wfe", NO_FENCE},
    {"wfi", NO_FENCE},
    {"sev", NO_FENCE},
    {"sevl", NO_FENCE},
    {"prefetch*", NO_FENCE},
    {"prfm *", NO_FENCE},
    {".arch_extension *", NO_FENCE},
    // x86
    {"clflush*", NO_FENCE},
    {"mfence", ORD_SC},
    {"lock; addl $$0,*", ORD_SC},
    {"lock addl $$0,*", ORD_SC},
    {"lock;addl $$0,*", ORD_SC},
    {"lock; orl $$0,*", ORD_SC},
    {"lock orl $$0,*", ORD_SC},
    {"lock; orq $$0,*", ORD_SC},
    {"lock orq $$0,*", ORD_SC},
    {"lfence", ORD_ACQ}, // loads wait for loads
    {"sfence", ORD_REL}, // x86 never lets a load pass a later store anyway
    // arm; the outer shareable domain contains the inner one
    {"dmb", ORD_SC},
    {"dmb sy", ORD_SC},
    {"dmb ish", ORD_SC},
    {"dmb osh", ORD_SC},
    {"dmb ld", ORD_ACQ},
    {"dmb ishld", ORD_ACQ},
    {"dmb oshld", ORD_ACQ},
    {"dmb st", STORES},
    {"dmb ishst", STORES},
    {"dmb oshst", STORES},
    {"isb", ISB},
    {"isb sy", ISB},
    // power
    {"sync", ORD_SC},
    {"hwsync", ORD_SC},
    {"lwsync", ORD_ACQREL},
    {"eieio", STORES},
    {"isync", NO_FENCE}, // less than isb: only after a branch
    // risc-v
    {"fence rw,rw", ORD_SC},
    {"fence iorw,iorw", ORD_SC},
    {"fence", ORD_SC},
    {"fence r,rw", ORD_ACQ},
    {"fence rw,w", ORD_REL},
    {"fence.tso", ORD_ACQREL},
    {"fence w,w", STORES},
};

// Lower case, blanks and ends of lines as one blank, none at the ends and
// after commas.
static void normalise(const char *text, size_t len, char *out, size_t size) {
  size_t n = 0;
  bool gap = false;
  for (size_t i = 0; i < len && n + 2 < size; i++) {
    unsigned char c = (unsigned char)text[i];
    if (isspace(c)) {
      gap = n > 0;
      continue;
    }
    if (gap && out[n - 1] != ',')
      out[n++] = ' ';
    gap = false;
    out[n++] = isprint(c) ? (char)tolower(c) : '?';
  }
  if (n && out[n - 1] == ';')
    n--;
  out[n] = 0;
}

static bool matches(const char *pattern, const char *text) {
  size_t n = strlen(pattern);
  if (n && pattern[n - 1] == '*')
    return strncmp(pattern, text, n - 1) == 0;
  return strcmp(pattern, text) == 0;
}

static void lower_barrier(struct lowering *l, unsigned fence, bool is_dsb) {
  if (fence == ISB)
    lower_fence_of(l, ORD_NA, FENCE_ISB);
  else if (fence == STORES)
    lower_fence_of(l, ORD_NA, is_dsb ? FENCE_DSB_ST : FENCE_STORES);
  else if (fence != NO_FENCE)
    lower_fence_of(l, (enum order)fence, FENCE_C11);
}

static bool barrier_of_text(struct lowering *l, const char *raw, size_t len) {
  char text[128];
  normalise(raw, len, text, sizeof text);
  bool is_dsb = strncmp(text, "dsb", 3) == 0;
  if (is_dsb)
    text[1] = 'm'; // it orders what dmb does, and more behind stores
  for (size_t i = 0; i < LENGTH(known); i++)
    if (matches(known[i].text, text)) {
      lower_barrier(l, known[i].fence, is_dsb);
      return true;
    }
  return false;
}

bool asm_barrier(struct lowering *l, const struct asm_statement *s) {
  struct str text = {0};
  str_add(&text, "%s", s->op);
  for (unsigned i = 0; i < s->nwords; i++)
    str_add(&text, "%s%s", i ? "," : " ", s->words[i]);
  bool is_known = barrier_of_text(l, str_text(&text), text.len);
  str_done(&text);
  return is_known;
}

// asm goto that stays where it is.
static void fall_through(struct lowering *l, LLVMValueRef call) {
  edge_list pending = {0};
  if (!LLVMIsACallBrInst(call))
    return;
  lower_emit(l, OP_jmp, 0, 0, 0,
             lower_edge(l, LLVMGetInstructionParent(call),
                        LLVMGetCallBrDefaultDest(call), &pending));
  lower_edges(l, &pending);
}

void lower_asm(struct lowering *l, LLVMValueRef call) {
  size_t len;
  const char *raw = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(call), &len);
  if (!type_slots(LLVMTypeOf(call)) && barrier_of_text(l, raw, len)) {
    fall_through(l, call);
    return;
  }
  char problem[100], text[128];
  if (asm_lower(l, call, problem, sizeof problem))
    return;
  normalise(raw, len, text, sizeof text);
  if (*problem)
    lower_unsupported(l, "inline assembly `%s` is not supported (%s)", text,
                      problem);
  else
    lower_unsupported(l, "inline assembly `%s` is not supported", text);
  fall_through(l, call);
}
