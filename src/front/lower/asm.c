// SPDX-License-Identifier: MIT
// Takes inline assembly apart as LLVM has it: statements of words, operands of
// constraints. What a statement does is said with registers that can be written
// again and again (cells), so that loops need nothing special.
#include "front/lower/asm.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool asm_fail(struct assembly *a, const char *what) {
  if (!*a->problem)
    snprintf(a->problem, sizeof a->problem, "%s", what);
  return false;
}

// -- registers

unsigned asm_cell(struct assembly *a, const char *name) {
  for (unsigned i = 0; *name && i < a->ncells; i++)
    if (strcmp(a->cells[i].name, name) == 0)
      return i;
  if (a->ncells == ASM_CELLS) {
    asm_fail(a, "too many registers");
    return 0;
  }
  struct asm_cell *c = &a->cells[a->ncells];
  snprintf(c->name, sizeof c->name, "%s", name);
  c->now = lower_op(a->l, OP_undef, 0, 0, 64);
  return a->ncells++;
}

// -- statements

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && isspace((unsigned char)*p))
    p++;
  return p;
}

// Blanks inside of a word are dropped: "% eax", "[ x0 ]".
static void take_word(char *to, size_t size, const char *from, size_t n) {
  size_t len = 0;
  for (size_t i = 0; i < n && len + 1 < size; i++)
    if (!isspace((unsigned char)from[i]))
      to[len++] = (char)tolower((unsigned char)from[i]);
  to[len] = 0;
}

static bool parse_words(struct asm_statement *s, const char *p,
                        const char *end) {
  while ((p = skip_blanks(p, end)) < end) {
    if (s->nwords == ASM_WORDS)
      return false;
    const char *from = p;
    for (int depth = 0; p < end && (depth || *p != ','); p++)
      depth += (*p == '(' || *p == '[' || *p == '{') -
               (*p == ')' || *p == ']' || *p == '}');
    if ((size_t)(p - from) >= sizeof s->words[0])
      return false;
    take_word(s->words[s->nwords++], sizeof s->words[0], from,
              (size_t)(p - from));
    p += p < end;
  }
  return true;
}

static bool parse_statement(struct assembly *a, const char *p,
                            const char *end) {
  struct asm_statement *s = &a->statements[a->nstatements];
  *s = (struct asm_statement){0};
  p = skip_blanks(p, end);
  const char *name = p;
  while (p < end && (isalnum((unsigned char)*p) || *p == '.' || *p == '_'))
    p++;
  if (p < end && *p == ':') {
    take_word(s->label, sizeof s->label, name, (size_t)(p - name));
    name = p = skip_blanks(p + 1, end);
    while (p < end && (isalnum((unsigned char)*p) || *p == '.' || *p == '_'))
      p++;
  }
  take_word(s->op, sizeof s->op, name, (size_t)(p - name));
  if (p < end && !isspace((unsigned char)*p))
    return false; // `{att|intel}` and the like
  if (!*s->op && !*s->label)
    return p == end;
  a->nstatements++;
  if (strcmp(s->op, "lock") != 0 && strcmp(s->op, "rep") != 0)
    return parse_words(s, p, end);
  // A prefix is a statement of its own.
  return a->nstatements < ASM_STATEMENTS && parse_statement(a, p, end);
}

// Makes blanks of comments: /* */, and up to the end of the line what begins
// with // or, for x86-64, with #.
static void blank_comments(const struct assembly *a, char *text) {
  for (char *p = text; *p;) {
    bool is_block = strncmp(p, "/*", 2) == 0;
    if (!is_block && strncmp(p, "//", 2) != 0 && (*p != '#' || a->is_arm)) {
      p++;
      continue;
    }
    const char *close = is_block ? strstr(p + 2, "*/") : strchr(p, '\n');
    size_t n = close ? (size_t)(close - p) + (is_block ? 2 : 0) : strlen(p);
    memset(p, ' ', n);
    p += n;
  }
}

static bool starts_with(const char *p, const char *end, const char *word) {
  p = skip_blanks(p, end);
  return (size_t)(end - p) >= strlen(word) &&
         strncmp(p, word, strlen(word)) == 0;
}

// What is in another section is about the code, for what patches it or
// catches its faults: the prefix `lock` of kernels notes its place there.
static bool parse_statements(struct assembly *a, const char *text) {
  bool is_elsewhere = false;
  for (const char *p = text, *end = text + strlen(text); p < end; p++) {
    const char *from = p;
    while (p < end && *p != ';' && *p != '\n')
      p++;
    if (starts_with(from, p, ".pushsection"))
      is_elsewhere = true;
    if (!is_elsewhere &&
        (a->nstatements == ASM_STATEMENTS || !parse_statement(a, from, p)))
      return asm_fail(a, "its form");
    if (starts_with(from, p, ".popsection"))
      is_elsewhere = false;
  }
  return true;
}

static bool parse_text(struct assembly *a, const char *text, size_t len) {
  char *copy = xmalloc(len + 1);
  memcpy(copy, text, len);
  copy[len] = 0;
  blank_comments(a, copy);
  bool ok = parse_statements(a, copy);
  free(copy);
  return ok;
}

// -- operands

static LLVMTypeRef element_type(struct assembly *a, unsigned argument) {
  unsigned kind = LLVMGetEnumAttributeKindForName("elementtype", 11);
  LLVMAttributeRef attribute =
      LLVMGetCallSiteEnumAttribute(a->call, argument + 1, kind);
  return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

static LLVMTypeRef result_type(struct assembly *a, unsigned i) {
  LLVMTypeRef t = LLVMTypeOf(a->call);
  return LLVMGetTypeKind(t) == LLVMStructTypeKind ? type_field(t, i) : t;
}

static bool fits_register(LLVMTypeRef t) {
  return !type_is_aggregate(t) && type_slots(t) == 1;
}

struct cursor { // while the constraints are read
  unsigned argument, result;
};

// "={ax}": the register "ax"; "={@ccz}": the flag "z"; else "".
static void fixed_register(const char *c, char *name, size_t size) {
  *name = 0;
  const char *brace = strchr(c, '{');
  if (brace)
    snprintf(name, size, "%.*s", (int)strcspn(brace + 1, "}"), brace + 1);
}

static bool bind_output(struct assembly *a, struct asm_operand *o,
                        const char *c, bool is_indirect, struct cursor *at) {
  o->is_output = true;
  if (is_indirect) {
    o->type = element_type(a, at->argument);
    o->pointer = LLVMGetOperand(a->call, at->argument++);
  } else {
    o->type = result_type(a, at->result++);
  }
  o->is_memory = is_indirect && !strpbrk(c, "rqgi");
  if (o->is_memory)
    return true;
  char name[16];
  fixed_register(c, name, sizeof name);
  if (strncmp(name, "@cc", 3) == 0)
    snprintf(o->flag, sizeof o->flag, "%s", name + 3);
  o->cell = asm_cell(a, *o->flag ? "" : name);
  return (o->type && fits_register(o->type)) ||
         asm_fail(a, "an output that fits into no register");
}

static bool bind_input(struct assembly *a, struct asm_operand *o, const char *c,
                       bool is_indirect, struct cursor *at) {
  LLVMValueRef value = LLVMGetOperand(a->call, at->argument);
  if (is_indirect) {
    o->is_memory = true;
    o->pointer = value;
    o->type = element_type(a, at->argument++);
    return true;
  }
  at->argument++;
  o->type = LLVMTypeOf(value);
  if (!a->nstatements && !isdigit((unsigned char)*c))
    return true; // it is not looked at
  if (!fits_register(o->type))
    return asm_fail(a, "an input that fits into no register");
  char name[16];
  fixed_register(c, name, sizeof name);
  if (isdigit((unsigned char)*c)) { // the same place as that operand
    unsigned other = (unsigned)atoi(c);
    if (other >= a->noperands || a->operands[other].is_memory)
      return asm_fail(a, "an operand that is tied to memory");
    o->cell = a->operands[other].cell;
  } else {
    o->cell = asm_cell(a, name);
  }
  lower_move(a->l, a->cells[o->cell].now, lower_value(a->l, value), 1);
  return true;
}

static bool bind_operand(struct assembly *a, const char *c, struct cursor *at) {
  if (a->noperands == ASM_OPERANDS)
    return asm_fail(a, "so many operands");
  struct asm_operand *o = &a->operands[a->noperands];
  bool is_output = *c == '=';
  c += is_output;
  c += strspn(c, "&%");
  bool is_indirect = *c == '*';
  c += is_indirect;
  if (strchr(c, '|'))
    return asm_fail(a, "its constraints");
  o->is_label = *c == '!';
  if (o->is_label)
    o->exit = code_label(a->l->c);
  bool ok = o->is_label ? true
            : is_output ? bind_output(a, o, c, is_indirect, at)
                        : bind_input(a, o, c, is_indirect, at);
  a->noperands++;
  return ok;
}

static bool bind_operands(struct assembly *a, const char *text, size_t len) {
  struct cursor at = {0};
  for (size_t i = 0; i < len; i++) {
    char c[32];
    size_t n = 0;
    for (int depth = 0; i < len && (depth || text[i] != ','); i++) {
      depth += (text[i] == '{') - (text[i] == '}');
      if (n + 1 < sizeof c)
        c[n++] = text[i];
    }
    c[n] = 0;
    if (c[0] == '~')
      a->clobbers_memory |= strcmp(c, "~{memory}") == 0;
    else if (!bind_operand(a, c, &at))
      return false;
  }
  return true;
}

// The letter of ${0:w}.
static unsigned modified_width(const struct assembly *a, char letter) {
  if (a->is_arm)
    return letter == 'w' ? 32 : 64;
  return letter == 'b' ? 8 : letter == 'w' ? 16 : letter == 'k' ? 32 : 64;
}

// "${2:l}" as a label of the program that asm goto may go on at; or NULL.
static const struct asm_operand *label_operand(const struct assembly *a,
                                               const char *word) {
  unsigned n;
  if (sscanf(word, "${%u:l}", &n) != 1 || n >= a->noperands ||
      !a->operands[n].is_label)
    return NULL;
  return &a->operands[n];
}

bool asm_operand_place(struct assembly *a, const char *word,
                       struct asm_place *ret) {
  if (*word != '$')
    return false;
  const char *digits = word + 1 + (word[1] == '{');
  char *rest;
  unsigned long n = strtoul(digits, &rest, 10);
  if (!isdigit((unsigned char)*digits) || n >= a->noperands)
    return false;
  // $1, ${1}, ${1:w} and nothing behind it.
  bool has_letter = word[1] == '{' && *rest == ':' && rest[1];
  if (strcmp(rest + (has_letter ? 2 : 0), word[1] == '{' ? "}" : "") != 0)
    return false;
  const struct asm_operand *o = &a->operands[n];
  if (o->is_label)
    return false;
  *ret = (struct asm_place){.width = o->type ? type_width(o->type) : 0};
  if (a->is_arm && !o->is_memory)
    ret->width = 64;
  if (o->is_memory) {
    ret->kind = IN_MEMORY;
    ret->pointer = o->pointer;
    ret->address = lower_value(a->l, o->pointer);
    return true;
  }
  ret->kind = IN_CELL;
  ret->cell = o->cell;
  if (*rest == ':')
    ret->width = modified_width(a, rest[1]);
  return true;
}

// -- reading and writing

struct imm_access asm_access(struct assembly *a, const struct asm_place *p,
                             unsigned width, enum order order) {
  a->l->at.text =
      p->pointer ? names_lvalue(a->l->f, p->pointer, 0, width / 8) : 0;
  return (struct imm_access){.size = (uint8_t)(width / 8),
                             .order = (uint8_t)order,
                             .order_fail = (uint8_t)order};
}

vreg asm_read(struct assembly *a, const struct asm_place *p, unsigned width,
              enum order order) {
  struct lowering *l = a->l;
  switch (p->kind) {
  case IN_CELL:
    return width < 64 ? lower_op(l, OP_trunc, a->cells[p->cell].now, 0, width)
                      : lower_op(l, OP_mov, a->cells[p->cell].now, 0, 0);
  case IN_MEMORY:
    return lower_op(l, OP_load, p->address, 0,
                    imm_access(asm_access(a, p, width, order)));
  case IS_NUMBER:
    return lower_number(l, width < 64 ? p->number & ((UINT64_C(1) << width) - 1)
                                      : p->number);
  case IN_NOTHING:
    break;
  }
  asm_fail(a, "an operand");
  return lower_number(l, 0);
}

void asm_write(struct assembly *a, const struct asm_place *p, vreg value,
               unsigned width, enum order order, bool merges) {
  struct lowering *l = a->l;
  if (p->kind == IN_MEMORY) {
    lower_emit(l, OP_store, p->address, value, 0,
               imm_access(asm_access(a, p, width, order)));
    return;
  }
  if (p->kind != IN_CELL) {
    asm_fail(a, "an operand that is written");
    return;
  }
  vreg cell = a->cells[p->cell].now;
  if (merges && width < 32) {
    uint64_t rest = ~((UINT64_C(1) << width) - 1);
    value =
        lower_op(l, OP_or, lower_op(l, OP_and, cell, lower_number(l, rest), 0),
                 value, 0);
  }
  lower_move(l, cell, value, 1);
}

// -- the whole

void asm_forget_flags(struct assembly *a) {
  for (unsigned i = 0; i < ASM_FLAGS; i++)
    a->flags[i] = VREG_NONE;
}

vreg asm_flag(struct assembly *a, const char *name) {
  static const struct {
    enum asm_flag_kind one, other; // it holds if one of the two is set
  } flags_of[] = {
      [ISA_EQUAL] = {FLAG_ZERO, NO_FLAG},
      [ISA_LESS] = {FLAG_LESS, NO_FLAG},
      [ISA_LESS_EQUAL] = {FLAG_LESS, FLAG_ZERO},
      [ISA_BELOW] = {FLAG_BELOW, NO_FLAG},
      [ISA_BELOW_EQUAL] = {FLAG_BELOW, FLAG_ZERO},
      [ISA_NEGATIVE] = {FLAG_SIGN, NO_FLAG},
      [ISA_OVERFLOW] = {FLAG_OVERFLOW, NO_FLAG},
  };
  struct isa_condition c;
  bool ok =
      a->is_arm ? isa_arm_condition(name, &c) : isa_x86_condition(name, &c);
  enum asm_flag_kind one = ok ? flags_of[c.test].one : NO_FLAG;
  enum asm_flag_kind other = ok ? flags_of[c.test].other : NO_FLAG;
  if (one == NO_FLAG || a->flags[one] == VREG_NONE ||
      (other != NO_FLAG && a->flags[other] == VREG_NONE)) {
    asm_fail(a, "the flag that it yields");
    return lower_number(a->l, 0);
  }
  vreg v = a->flags[one];
  if (other != NO_FLAG)
    v = lower_op(a->l, OP_or, v, a->flags[other], 0);
  return c.is_negated ? lower_op(a->l, OP_xor, v, lower_number(a->l, 1), 0) : v;
}

// -- jumps

static bool has_labels(const struct assembly *a) {
  if (LLVMIsACallBrInst(a->call)) // whose exits need flags as labels do
    return true;
  for (unsigned i = 0; i < a->nstatements; i++)
    if (*a->statements[i].label)
      return true;
  return false;
}

static void make_labels(struct assembly *a) {
  if (!has_labels(a))
    return;
  for (unsigned i = 0; i < a->nstatements; i++)
    a->labels[i] = code_label(a->l->c);
  for (unsigned i = 0; i < ASM_FLAGS; i++)
    a->kept_flags[i] = lower_op(a->l, OP_undef, 0, 0, 1);
}

void asm_begin_statement(struct assembly *a, unsigned i) {
  if (has_labels(a))
    code_place(a->l->c, a->labels[i]);
}

void asm_end_statement(struct assembly *a) {
  for (unsigned i = 0; has_labels(a) && i < ASM_FLAGS; i++)
    if (a->flags[i] != VREG_NONE && a->flags[i] != a->kept_flags[i]) {
      lower_move(a->l, a->kept_flags[i], a->flags[i], 1);
      a->flags[i] = a->kept_flags[i];
    }
}

bool asm_find_label(const struct assembly *a, unsigned i, const char *word,
                    unsigned *ret) {
  size_t n = strlen(word);
  bool is_number = isdigit((unsigned char)*word);
  char way = n ? word[n - 1] : 0;
  if (is_number && way != 'b' && way != 'f')
    return false;
  n -= is_number;
  bool found = false;
  for (unsigned k = 0; k < a->nstatements; k++) {
    const char *label = a->statements[k].label;
    if (strlen(label) != n || strncmp(label, word, n) != 0 ||
        (is_number && (way == 'b') != (k <= i)))
      continue;
    *ret = k;
    found = true;
    if (way != 'b' || !is_number)
      break;
  }
  return found;
}

bool asm_go_to(struct assembly *a, unsigned i, const char *word,
               vreg condition) {
  struct lowering *l = a->l;
  unsigned at = 0;
  const struct asm_operand *out = label_operand(a, word);
  if (!out && !asm_find_label(a, i, word, &at))
    return false;
  label_id target = out ? out->exit : a->labels[at];
  label_id next = code_label(l->c); // what follows is a new block
  if (condition == VREG_NONE)
    lower_emit(l, OP_jmp, 0, 0, 0, target);
  else
    lower_emit(l, OP_br, condition, 0, 0, imm_targets(target, next));
  code_place(l->c, next);
  return true;
}

static void put_output(struct assembly *a, const struct asm_operand *o,
                       vreg to) {
  unsigned width = type_width(o->type);
  vreg from = *o->flag ? asm_flag(a, o->flag) : a->cells[o->cell].now;
  if (width < 64)
    lower_emit(a->l, OP_trunc, to, from, 0, width);
  else
    lower_move(a->l, to, from, 1);
}

static void put_outputs(struct assembly *a) {
  vreg result =
      type_slots(LLVMTypeOf(a->call)) ? lower_result(a->l, a->call) : 0;
  for (unsigned i = 0; i < a->noperands; i++) {
    const struct asm_operand *o = &a->operands[i];
    if (!o->is_output || o->is_memory)
      continue;
    if (!o->pointer) {
      put_output(a, o, result++);
      continue;
    }
    vreg value = code_reg(a->l->c);
    put_output(a, o, value);
    lower_write(a->l, value, o->type, o->pointer, (struct imm_access){0});
  }
}

// asm goto ends its block: on all ways out there are the outputs.
static void leave(struct assembly *a) {
  struct lowering *l = a->l;
  LLVMBasicBlockRef here = LLVMGetInstructionParent(a->call);
  edge_list pending = {0};
  unsigned nth = 0;
  lower_emit(l, OP_jmp, 0, 0, 0,
             lower_edge(l, here, LLVMGetCallBrDefaultDest(a->call), &pending));
  for (unsigned i = 0; i < a->noperands; i++) {
    if (!a->operands[i].is_label)
      continue;
    code_place(l->c, a->operands[i].exit);
    put_outputs(a);
    LLVMBasicBlockRef to = LLVMGetCallBrIndirectDest(a->call, nth++);
    lower_emit(l, OP_jmp, 0, 0, 0, lower_edge(l, here, to, &pending));
  }
  lower_edges(l, &pending);
}

static bool is_for_arm(const struct lowering *l) {
  const char *triple = LLVMGetTarget(LLVMGetGlobalParent(l->fn->llvm));
  return strncmp(triple, "aarch64", 7) == 0 || strncmp(triple, "arm64", 5) == 0;
}

bool asm_lower(struct lowering *l, LLVMValueRef call, char *problem,
               size_t size) {
  LLVMValueRef code = LLVMGetCalledValue(call);
  size_t text_len, rules_len;
  const char *text = LLVMGetInlineAsmAsmString(code, &text_len);
  const char *rules = LLVMGetInlineAsmConstraintString(code, &rules_len);
  struct assembly a = {.l = l, .call = call, .is_arm = is_for_arm(l)};
  asm_forget_flags(&a);
  uint32_t begin = l->c->insns.len;
  bool ok =
      parse_text(&a, text, text_len) && bind_operands(&a, rules, rules_len);
  if (ok) {
    make_labels(&a);
    ok = a.is_arm ? asm_arm(&a) : asm_x86(&a);
  }
  if (ok)
    put_outputs(&a);
  if (ok && LLVMIsACallBrInst(call))
    leave(&a);
  snprintf(problem, size, "%s", a.problem);
  if (ok && !*a.problem)
    return true;
  l->c->insns.len = begin; // half of it would be wrong
  return false;
}
