// SPDX-License-Identifier: MIT
// What the source calls things. The lvalue behind a pointer is rebuilt from
// the instructions that compute the pointer and from debug information:
// a load of a pointer is `p`, what it points to `*p`, a member `p->next`, an
// element `a[i]`. Whatever is not certain gives no name at all.
#include "front/debug.h"
#include "front/lower.h"

#include <stdio.h>
#include <string.h>

// -- variables

bool names_is_debug_call(LLVMValueRef inst) {
  LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
  if (!callee || !LLVMIsAFunction(callee))
    return false;
  size_t len;
  return strncmp(LLVMGetValueName2(callee, &len), "llvm.dbg.", 9) == 0;
}

// The alloca or parameter that a debug call is about, or NULL.
static LLVMValueRef described_value(LLVMValueRef call) {
  LLVMValueRef wrapped = LLVMGetOperand(call, 0), inner[1];
  if (LLVMGetMetadataKind(LLVMValueAsMetadata(wrapped)) !=
      LLVMLocalAsMetadataMetadataKind)
    return NULL;
  LLVMGetMDNodeOperands(wrapped, inner);
  return inner[0];
}

void names_variables(struct front *f, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      LLVMValueRef holder =
          names_is_debug_call(i) && LLVMGetNumArgOperands(i) == 3
              ? described_value(i)
              : NULL;
      if (!holder)
        continue;
      array_push(&f->variables, LLVMValueAsMetadata(LLVMGetOperand(i, 1)));
      ptrmap_set(&f->variable_of, holder, f->variables.len - 1);
    }
}

static LLVMMetadataRef global_variable(struct front *f, LLVMValueRef global) {
  size_t n;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
  LLVMMetadataRef found = NULL;
  for (unsigned i = 0; i < n && !found; i++)
    if (LLVMValueMetadataEntriesGetKind(all, i) == f->dbg_kind)
      found = LLVMDIGlobalVariableExpressionGetVariable(
          LLVMValueMetadataEntriesGetMetadata(all, i));
  LLVMDisposeValueMetadataEntries(all);
  return found;
}

type_id names_global_type(struct front *f, LLVMValueRef global,
                          const char **ret_name) {
  size_t len;
  *ret_name = LLVMGetValueName2(global, &len);
  LLVMMetadataRef variable = global_variable(f, global);
  if (!variable)
    return 0;
  uint32_t name = debug_name(f, variable);
  if (name)
    *ret_name = prog_text(f->prog, name);
  LLVMMetadataRef type = debug_base(f, variable);
  return type ? debug_type_id(f, debug_type(f, type)) : 0;
}

// -- places in the source

struct source names_source(struct front *f, LLVMValueRef inst) {
  struct source s = {0};
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  size_t name_len;
  s.func = prog_string(f->prog, LLVMGetValueName2(function, &name_len));
  unsigned len = 0;
  const char *file = LLVMGetDebugLocFilename(inst, &len);
  if (file) {
    s.file = debug_string(f, file, len);
    s.line = LLVMGetDebugLocLine(inst);
    s.column = LLVMGetDebugLocColumn(inst);
    return s;
  }
  LLVMMetadataRef scope = LLVMGetSubprogram(function);
  const uint32_t *variable = ptrmap_find(&f->variable_of, inst);
  if (scope) {
    file = LLVMDIFileGetFilename(LLVMDIScopeGetFile(scope), &len);
    s.file = debug_string(f, file, len);
    s.line = variable ? LLVMDIVariableGetLine(f->variables.at[*variable])
                      : LLVMDISubprogramGetLine(scope);
  }
  return s;
}

// -- lvalues

// An object as the source names it: `text`, or what the pointer `text` points
// to.
struct lvalue {
  struct str text;
  bool through_pointer;
  uint32_t before_zero; // length of the text before a trailing "[0]", or 0
  struct ditype type;   // of the object
};

static bool place_of(struct front *f, LLVMValueRef pointer, unsigned depth,
                     struct lvalue *out);

static void describe_variable(struct front *f, LLVMMetadataRef variable,
                              struct lvalue *out) {
  LLVMMetadataRef type = debug_base(f, variable);
  str_add(&out->text, "%s", prog_text(f->prog, debug_name(f, variable)));
  if (type)
    out->type = debug_type(f, type);
}

static bool describe_value(struct front *f, LLVMValueRef v, unsigned depth,
                           struct str *out);

static bool describe_binary(struct front *f, LLVMValueRef v, unsigned depth,
                            const char *operator, struct str * out) {
  if (!describe_value(f, LLVMGetOperand(v, 0), depth, out))
    return false;
  str_add(out, " %s ", operator);
  return describe_value(f, LLVMGetOperand(v, 1), depth, out);
}

// An index as the source says it.
static bool describe_value(struct front *f, LLVMValueRef v, unsigned depth,
                           struct str *out) {
  if (depth == 0)
    return false;
  if (LLVMIsAConstantInt(v)) {
    if (LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64)
      return false;
    str_add(out, "%lld", LLVMConstIntGetSExtValue(v));
    return true;
  }
  if (!LLVMIsAInstruction(v))
    return false;
  switch ((int)LLVMGetInstructionOpcode(v)) {
  case LLVMLoad: {
    struct lvalue p = {0};
    bool good = place_of(f, LLVMGetOperand(v, 0), depth - 1, &p);
    if (good)
      str_add(out, "%s%s", p.through_pointer ? "*" : "", str_text(&p.text));
    str_done(&p.text);
    return good;
  }
  case LLVMSExt:
  case LLVMZExt:
  case LLVMTrunc:
    return describe_value(f, LLVMGetOperand(v, 0), depth - 1, out);
  case LLVMAdd:
    return describe_binary(f, v, depth - 1, "+", out);
  case LLVMSub:
    return describe_binary(f, v, depth - 1, "-", out);
  case LLVMMul:
    return describe_binary(f, v, depth - 1, "*", out);
  case LLVMURem:
  case LLVMSRem:
    return describe_binary(f, v, depth - 1, "%", out);
  case LLVMAnd:
    return describe_binary(f, v, depth - 1, "&", out);
  default:
    return false;
  }
}

static void add_index(struct front *f, LLVMValueRef index, unsigned depth,
                      struct str *out) {
  struct str text = {0};
  bool known = describe_value(f, index, depth, &text);
  str_add(out, "[%s]", known ? str_text(&text) : "...");
  str_done(&text);
}

static bool is_zero(LLVMValueRef v) {
  return LLVMIsAConstantInt(v) && LLVMIsNull(v);
}

// `p[i]`, or `a[i]` when the pointer came from the array itself.
static bool step_pointer(struct front *f, LLVMValueRef index, unsigned depth,
                         struct lvalue *p) {
  if (is_zero(index))
    return true;
  if (!p->through_pointer) {
    if (!p->before_zero)
      return false;
    p->text.len = p->before_zero;
    p->text.at[p->text.len] = 0;
  }
  add_index(f, index, depth, &p->text);
  p->through_pointer = false;
  p->before_zero = 0;
  return true;
}

// What `*p` is called when something is added to it.
static void dereference(struct lvalue *p) {
  if (!p->through_pointer)
    return;
  struct str text = {0};
  str_add(&text, "(*%s)", str_text(&p->text));
  str_done(&p->text);
  p->text = text;
  p->through_pointer = false;
}

static bool step_element(struct front *f, LLVMValueRef index, unsigned depth,
                         struct lvalue *p) {
  if (!debug_is_array(p->type))
    return false;
  dereference(p);
  uint64_t count;
  p->type = debug_element(f, p->type, &count);
  uint32_t before = p->text.len;
  add_index(f, index, depth, &p->text);
  p->before_zero = is_zero(index) ? before : 0;
  return true;
}

// The member at `offset`. Unnamed structs in between are looked into; inside
// of a union only its first member can be meant.
static bool find_member(struct front *f, struct ditype t, uint64_t offset,
                        struct dimember *ret) {
  member_list members = {0};
  debug_members(f, t, &members);
  bool found = false;
  for (uint32_t i = 0; i < members.len && !found; i++) {
    const struct dimember *m = &members.at[i];
    uint64_t size = debug_size(f, m->type);
    bool inside = offset >= m->offset && offset < m->offset + size;
    if (m->is_bitfield || (offset != m->offset && !(inside && !m->name)))
      continue;
    *ret = *m;
    found = true;
  }
  array_done(&members);
  return found;
}

static bool step_member(struct front *f, LLVMTypeRef t, unsigned field,
                        struct lvalue *p) {
  if (!debug_is_struct(p->type) || debug_size(f, p->type) != type_size(f, t))
    return false;
  struct dimember m;
  if (!find_member(f, p->type, type_field_offset(f, t, field), &m))
    return false;
  if (m.name)
    str_add(&p->text, "%s%s", p->through_pointer ? "->" : ".",
            prog_text(f->prog, m.name));
  if (m.name)
    p->through_pointer = false;
  p->before_zero = 0;
  p->type = m.type;
  return true;
}

static bool place_of_gep(struct front *f, LLVMValueRef gep, unsigned depth,
                         struct lvalue *p) {
  if (!place_of(f, LLVMGetOperand(gep, 0), depth, p) ||
      !step_pointer(f, LLVMGetOperand(gep, 1), depth, p))
    return false;
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  for (unsigned i = 2; i < (unsigned)LLVMGetNumOperands(gep); i++) {
    LLVMValueRef index = LLVMGetOperand(gep, i);
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
      unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      if (!step_member(f, t, field, p))
        return false;
      t = type_field(t, field);
    } else {
      if (!step_element(f, index, depth, p))
        return false;
      t = LLVMGetElementType(t);
    }
  }
  return true;
}

static bool place_of_load(struct front *f, LLVMValueRef load, unsigned depth,
                          struct lvalue *p) {
  if (!place_of(f, LLVMGetOperand(load, 0), depth, p))
    return false;
  if (p->through_pointer) { // a pointer that a pointer points to
    struct str text = {0};
    str_add(&text, "*%s", str_text(&p->text));
    str_done(&p->text);
    p->text = text;
  }
  p->through_pointer = true;
  p->before_zero = 0;
  p->type = debug_is_pointer(p->type) ? debug_pointee(f, p->type)
                                      : (struct ditype){NULL, 0};
  return true;
}

static bool place_of_call(struct front *f, LLVMValueRef call, unsigned depth,
                          struct lvalue *p) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t len;
  if (!LLVMIsAFunction(callee) || strncmp(LLVMGetValueName2(callee, &len),
                                          "llvm.threadlocal.address", 24) != 0)
    return false;
  return place_of(f, LLVMGetOperand(call, 0), depth, p);
}

static bool place_of_constant(struct front *f, LLVMValueRef v, unsigned depth,
                              struct lvalue *p) {
  if (LLVMIsAGlobalVariable(v)) {
    LLVMMetadataRef variable = global_variable(f, v);
    if (variable)
      describe_variable(f, variable, p);
    return variable;
  }
  return LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr &&
         place_of_gep(f, v, depth, p);
}

static bool place_of(struct front *f, LLVMValueRef pointer, unsigned depth,
                     struct lvalue *p) {
  if (depth == 0)
    return false;
  const uint32_t *variable = ptrmap_find(&f->variable_of, pointer);
  if (variable) {
    describe_variable(f, f->variables.at[*variable], p);
    return true;
  }
  if (LLVMIsAConstant(pointer))
    return place_of_constant(f, pointer, depth, p);
  if (!LLVMIsAInstruction(pointer))
    return false;
  switch ((int)LLVMGetInstructionOpcode(pointer)) {
  case LLVMGetElementPtr:
    return place_of_gep(f, pointer, depth - 1, p);
  case LLVMLoad:
    return place_of_load(f, pointer, depth - 1, p);
  case LLVMCall:
    return place_of_call(f, pointer, depth - 1, p);
  default:
    return false;
  }
}

enum { MAX_DEPTH = 12 };

// Names the part at `offset` of what `pointer` points to.
uint32_t names_part(struct front *f, LLVMValueRef pointer, uint64_t offset) {
  struct lvalue p = {0};
  uint32_t name = 0;
  if (pointer && place_of(f, pointer, MAX_DEPTH, &p)) {
    struct str path = {0}, text = {0};
    if (debug_is_struct(p.type) || debug_is_array(p.type))
      prog_name_offset(f->prog, debug_type_id(f, p.type), offset, &path);
    const char *rest = str_text(&path);
    if (!p.through_pointer)
      str_add(&text, "%s%s", str_text(&p.text), rest);
    else if (*rest == '.')
      str_add(&text, "%s->%s", str_text(&p.text), rest + 1);
    else if (*rest)
      str_add(&text, "(*%s)%s", str_text(&p.text), rest);
    else
      str_add(&text, "*%s", str_text(&p.text));
    name = prog_string(f->prog, str_text(&text));
    str_done(&path);
    str_done(&text);
  }
  str_done(&p.text);
  return name;
}

uint32_t names_lvalue(struct front *f, LLVMValueRef pointer) {
  struct lvalue p = {0};
  uint32_t name = 0;
  if (place_of(f, pointer, MAX_DEPTH, &p)) {
    struct str text = {0};
    str_add(&text, "%s%s", p.through_pointer ? "*" : "", str_text(&p.text));
    name = prog_string(f->prog, str_text(&text));
    str_done(&text);
  }
  str_done(&p.text);
  return name;
}

uint32_t names_callee(struct front *f, LLVMValueRef callee) {
  struct str text = {0};
  uint32_t name = describe_value(f, callee, MAX_DEPTH, &text)
                      ? prog_string(f->prog, str_text(&text))
                      : 0;
  str_done(&text);
  return name;
}

bool names_leaves(struct front *f, LLVMValueRef pointer, uint64_t skip,
                  uint64_t size, bool only_structs, leaf_list *out) {
  struct lvalue p = {0};
  leaf_list all = {0};
  bool good = place_of(f, pointer, MAX_DEPTH, &p) &&
              (!only_structs || debug_is_struct(p.type)) &&
              debug_leaves(f, p.type, 0, &all) &&
              type_cut_leaves(&all, debug_size(f, p.type), skip, size, out);
  str_done(&p.text);
  array_done(&all);
  return good;
}
