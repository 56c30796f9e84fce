// SPDX-License-Identifier: MIT
// What the source calls things. The lvalue behind a pointer is rebuilt from
// the instructions that compute the pointer and from debug information:
// a load of a pointer is `p`, what it points to `*p`, a member `p->next`, an
// element `a[i]`. Whatever is not certain gives no name at all.
#include "front/names/debug.h"
#include "front/stage.h"
#include "front/versions.h"

#include <stdio.h>
#include <string.h>

// -- variables

static void add_variable(void *front, LLVMValueRef holder,
                         LLVMMetadataRef variable) {
  struct front *f = front;
  array_push(&f->variables, variable);
  ptrmap_set(&f->variable_of, holder, f->variables.len - 1);
}

// Counts the atomic operation among those of its kind at its place. (They are
// of few kinds, and nearly always the first.)
static void count_at_place(struct front *f, LLVMValueRef inst) {
  LLVMMetadataRef place = LLVMInstructionGetDebugLoc(inst);
  LLVMOpcode kind = LLVMGetInstructionOpcode(inst);
  if (!place)
    return;
  const uint32_t *first = ptrmap_find(&f->tallies_of, place);
  uint32_t i = first ? *first : 0;
  while (i && f->tallies.at[i - 1].kind != kind)
    i = f->tallies.at[i - 1].next;
  if (i) {
    ptrmap_set(&f->nth_of, inst, f->tallies.at[i - 1].count++);
    return;
  }
  array_push(&f->tallies, (struct place_tally){kind, 1, first ? *first : 0});
  ptrmap_set(&f->tallies_of, place, f->tallies.len);
}

void names_enter(struct front *f, LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
       b = LLVMGetNextBasicBlock(b))
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
         i = LLVMGetNextInstruction(i)) {
      versions_variables(i, add_variable, f);
      if (names_is_atomic(i))
        count_at_place(f, i);
    }
}

void names_this(struct front *f, LLVMValueRef function) {
  for (LLVMValueRef i =
           LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
       i && LLVMIsAAllocaInst(i); i = LLVMGetNextInstruction(i)) {
    const uint32_t *variable = ptrmap_find(&f->variable_of, i);
    LLVMMetadataRef md = variable ? f->variables.at[*variable] : NULL;
    if (!md || strcmp(prog_text(f->prog, debug_name(f, md)), "this") != 0)
      continue;
    LLVMMetadataRef type = debug_base(f, md);
    if (type)
      debug_type_id(f, debug_pointee(f, debug_type(f, type)));
  }
}

// (Virtual tables are described as variables from LLVM 21 on, all of one name.)
static LLVMMetadataRef global_variable(struct front *f, LLVMValueRef global) {
  size_t n;
  if (strncmp(LLVMGetValueName2(global, &n), "_ZTV", 4) == 0)
    return NULL;
  LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
  LLVMMetadataRef found = NULL;
  for (unsigned i = 0; i < n && !found; i++)
    if (LLVMValueMetadataEntriesGetKind(all, i) == f->dbg_kind)
      found = LLVMDIGlobalVariableExpressionGetVariable(
          LLVMValueMetadataEntriesGetMetadata(all, i));
  LLVMDisposeValueMetadataEntries(all);
  if (found && LLVMGetMetadataKind(found) != LLVMDIGlobalVariableMetadataKind)
    found = NULL;
  return found;
}

type_id names_global_type(struct front *f, LLVMValueRef global,
                          const char **ret_name) {
  size_t len;
  *ret_name = prog_text(f->prog, demangle(f, LLVMGetValueName2(global, &len)));
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

// Did the user give this absolute name?
static bool is_given(const struct front *f, const char *path) {
  for (unsigned i = 0; i < f->options->nfiles; i++)
    if (strcmp(f->options->files[i], path) == 0)
      return true;
  return false;
}

// A file as the user named it. clang splits absolute names: what they have in
// common with the current directory becomes the file's directory.
static uint32_t file_name(struct front *f, const char *directory,
                          unsigned directory_len, const char *file,
                          unsigned len) {
  const uint32_t *known = ptrmap_find(&f->file_of, file);
  if (known)
    return *known;
  struct str path = {0};
  if (directory_len && !(len && file[0] == '/'))
    str_add(&path, "%.*s/", (int)directory_len, directory);
  uint32_t start = path.len; // of the name below the directory
  str_add(&path, "%.*s", (int)len, file);
  bool is_here = directory_len && strlen(f->directory) == directory_len &&
                 memcmp(f->directory, directory, directory_len) == 0;
  const char *name =
      is_here && !is_given(f, path.at) ? path.at + start : path.at;
  uint32_t id = prog_string(f->prog, name);
  str_done(&path);
  ptrmap_set(&f->file_of, file, id);
  return id;
}

static uint32_t scope_file(struct front *f, LLVMMetadataRef scope) {
  LLVMMetadataRef holder = debug_file(scope);
  if (!holder)
    return 0;
  unsigned len = 0, directory_len = 0;
  const char *directory = LLVMDIFileGetDirectory(holder, &directory_len);
  const char *file = LLVMDIFileGetFilename(holder, &len);
  return file ? file_name(f, directory, directory_len, file, len) : 0;
}

bool names_is_atomic(LLVMValueRef inst) {
  switch (LLVMGetInstructionOpcode(inst)) {
  case LLVMLoad:
  case LLVMStore:
    return LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic;
  case LLVMAtomicRMW:
  case LLVMAtomicCmpXchg:
  case LLVMFence:
    return true;
  default:
    return false;
  }
}

static uint32_t function_name(struct front *f, LLVMValueRef function) {
  const uint32_t *known = ptrmap_find(&f->name_of, function);
  size_t len;
  if (known)
    return *known;
  uint32_t name = demangle_function(f, LLVMGetValueName2(function, &len));
  ptrmap_set(&f->name_of, function, name);
  return name;
}

// Does a file belong to what is installed, as the library of C++ does, or to
// Heddle's headers of the Linux kernel?
static bool is_header(const struct front *f, uint32_t file) {
  const char *name = prog_text(f->prog, file);
  if (strstr(name, "include/heddle/linux/"))
    return true;
  bool is_installed = strncmp(name, "/usr/", 5) == 0;
  bool is_rust =
      strncmp(name, "/rustc/", 7) == 0 || strncmp(name, "/rust/", 6) == 0;
  return ((f->has_cxx && is_installed) ||
          (f->has_rust && (is_installed || is_rust))) &&
         !is_given(f, name);
}

struct source names_source(struct front *f, LLVMValueRef inst) {
  struct source s = {0};
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  s.func = function_name(f, function);
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(inst), outer;
  if (location)
    s.file = scope_file(f, LLVMDILocationGetScope(location));
  // What clang itself has merged from a header is where it was called.
  while (is_header(f, s.file) && location &&
         (outer = LLVMDILocationGetInlinedAt(location))) {
    s.header = FROM_HEADER;
    location = outer;
    s.file = scope_file(f, LLVMDILocationGetScope(location));
  }
  if (is_header(f, s.file))
    s.header = IN_HEADER;
  if (s.file) {
    s.line = LLVMDILocationGetLine(location);
    s.column = LLVMDILocationGetColumn(location);
    const uint32_t *nth = ptrmap_find(&f->nth_of, inst);
    s.nth = nth ? *nth : 0;
    return s;
  }
  LLVMMetadataRef scope = LLVMGetSubprogram(function);
  const uint32_t *variable = ptrmap_find(&f->variable_of, inst);
  s.file = scope_file(f, scope);
  if (s.file)
    s.line = variable ? LLVMDIVariableGetLine(f->variables.at[*variable])
                      : LLVMDISubprogramGetLine(scope);
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

// Makes `p->...` possible when the pointer is itself `*q`.
static void parenthesise(struct lvalue *p, const char *before) {
  struct str text = {0};
  str_add(&text, "(%s%s)", before, str_text(&p->text));
  str_done(&p->text);
  p->text = text;
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
  if (p->through_pointer && p->text.at[0] == '*')
    parenthesise(p, "");
  add_index(f, index, depth, &p->text);
  p->through_pointer = false;
  p->before_zero = 0;
  return true;
}

// Is it the object of a class without a name, such as a lambda? The source says
// what is in it without `this`: what was captured has its own name.
static bool is_nameless_this(const struct lvalue *p) {
  size_t length = 1;
  if (!p->through_pointer || !p->type.md ||
      strcmp(str_text(&p->text), "this") != 0)
    return false;
  (void)LLVMDITypeGetName(p->type.md, &length);
  return length == 0;
}

static void add_member(struct front *f, const struct dimember *m,
                       struct lvalue *p) {
  if (m->name && is_nameless_this(p)) {
    str_clear(&p->text);
    str_add(&p->text, "%s", prog_text(f->prog, m->name));
    p->through_pointer = false;
  } else if (m->name) { // an unnamed struct inside of another has no text
    if (p->through_pointer && p->text.at[0] == '*')
      parenthesise(p, "");
    str_add(&p->text, "%s%s", p->through_pointer ? "->" : ".",
            prog_text(f->prog, m->name));
    p->through_pointer = false;
  }
  p->before_zero = 0;
  p->type = m->type;
}

static void add_element(struct front *f, struct lvalue *p) {
  if (p->through_pointer)
    parenthesise(p, "*");
  p->through_pointer = false;
  uint64_t count;
  p->type = debug_element(f, p->type, &count);
}

static bool step_element(struct front *f, LLVMValueRef index, unsigned depth,
                         struct lvalue *p) {
  if (!debug_is_array(p->type))
    return false;
  add_element(f, p);
  uint32_t before = p->text.len;
  add_index(f, index, depth, &p->text);
  p->before_zero = is_zero(index) ? before : 0;
  return true;
}

// The member that holds [offset, offset + size). Of a union, the only one that
// is exactly as large, or the only scalar among those: what is accessed at once
// is one.
static bool find_member(struct front *f, struct ditype t, uint64_t offset,
                        uint64_t size, struct dimember *ret) {
  member_list members = {0};
  debug_members(f, t, &members);
  unsigned found = 0, scalars = 0;
  for (uint32_t i = 0; i < members.len; i++) {
    const struct dimember *m = &members.at[i];
    uint64_t end = m->offset + debug_size(f, m->type);
    if (m->is_bitfield || offset < m->offset || offset + size > end ||
        (debug_is_union(t) && debug_size(f, m->type) != size))
      continue;
    bool is_one = !debug_is_struct(m->type) && !debug_is_array(m->type);
    if (is_one || !scalars)
      *ret = *m;
    scalars += is_one;
    found++;
  }
  array_done(&members);
  return found == 1 || (debug_is_union(t) && scalars == 1);
}

// Goes on to the part [offset, offset + size) as far as it has a name; `end`
// says when to stop before the innermost scalar.
static uint64_t descend(struct front *f, uint64_t offset, uint64_t size,
                        bool (*end)(struct front *, struct ditype, void *),
                        void *arg, struct lvalue *p) {
  while (!end(f, p->type, arg)) {
    struct dimember m;
    if (debug_is_struct(p->type)) {
      if (!find_member(f, p->type, offset, size, &m))
        break;
      add_member(f, &m, p);
      offset -= m.offset;
    } else if (debug_is_array(p->type)) {
      add_element(f, p);
      uint64_t step = debug_size(f, p->type);
      if (!step)
        break;
      str_add(&p->text, "[%llu]", (unsigned long long)(offset / step));
      offset %= step;
    } else {
      break;
    }
  }
  return offset;
}

static bool is_scalar(struct front *f, struct ditype t, void *unused) {
  (void)f, (void)unused;
  return !debug_is_struct(t) && !debug_is_array(t);
}

// Does the type in the source look like what LLVM indexes?
static bool is_like(struct front *f, struct ditype t, void *arg) {
  LLVMTypeRef llvm = arg;
  LLVMTypeKind kind = LLVMGetTypeKind(llvm);
  return debug_size(f, t) == type_size(f, llvm) &&
         (kind == LLVMStructTypeKind  ? debug_is_struct(t)
          : kind == LLVMArrayTypeKind ? debug_is_array(t)
                                      : is_scalar(f, t, NULL));
}

// The first member of a struct needs no instruction of its own: if LLVM
// indexes something smaller than the object, it is inside, at its start.
static bool adapt(struct front *f, LLVMTypeRef t, struct lvalue *p) {
  if (type_is_aggregate(t) && p->type.md && !is_like(f, p->type, t))
    descend(f, 0, type_size(f, t), is_like, t, p);
  return !type_is_aggregate(t) || is_like(f, p->type, t);
}

static bool step_member(struct front *f, LLVMTypeRef t, unsigned field,
                        struct lvalue *p) {
  struct dimember m;
  uint64_t offset = type_field_offset(f, t, field);
  if (!debug_is_struct(p->type) ||
      !find_member(f, p->type, offset, type_size(f, type_field(t, field)), &m))
    return false;
  if (p->through_pointer) // reports name what is in such objects by their type
    (void)debug_type_id(f, p->type);
  add_member(f, &m, p);
  return true;
}

static bool place_of_gep(struct front *f, LLVMValueRef gep, unsigned depth,
                         struct lvalue *p) {
  if (!place_of(f, LLVMGetOperand(gep, 0), depth, p) ||
      !step_pointer(f, LLVMGetOperand(gep, 1), depth, p))
    return false;
  LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
  if (LLVMGetNumOperands(gep) > 2 && !adapt(f, t, p))
    return false;
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
                                      : (struct ditype){0};
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
  case LLVMInvoke:
    return place_of_call(f, pointer, depth - 1, p);
  default:
    return false;
  }
}

enum { MAX_DEPTH = 12 };

uint32_t names_lvalue(struct front *f, LLVMValueRef pointer, uint64_t offset,
                      uint64_t size) {
  struct lvalue p = {0};
  uint32_t name = 0;
  if (pointer && place_of(f, pointer, MAX_DEPTH, &p)) {
    if (size && debug_size(f, p.type) >= offset + size)
      descend(f, offset, size, is_scalar, NULL, &p);
    struct str text = {0};
    str_add(&text, "%s%s", p.through_pointer ? "*" : "", str_text(&p.text));
    name = prog_string(f->prog, str_text(&text));
    str_done(&text);
  }
  str_done(&p.text);
  return name;
}

void names_access(struct front *f, LLVMValueRef pointer, uint64_t offset,
                  uint64_t size, struct source *at) {
  struct lvalue p = {0};
  at->text = names_lvalue(f, pointer, offset, size);
  at->type = 0;
  if (pointer && place_of(f, pointer, MAX_DEPTH, &p)) {
    if (size && debug_size(f, p.type) >= offset + size)
      offset = descend(f, offset, size, is_scalar, NULL, &p);
    bool is_bits = debug_is_struct(p.type) && !offset && size <= 8;
    if (is_bits ||
        (is_scalar(f, p.type, NULL) && debug_size(f, p.type) == size))
      at->type = debug_type_id(f, p.type);
  }
  str_done(&p.text);
}

uint32_t names_callee(struct front *f, LLVMValueRef callee) {
  struct str text = {0};
  uint32_t name = describe_value(f, callee, MAX_DEPTH, &text)
                      ? prog_string(f->prog, str_text(&text))
                      : 0;
  str_done(&text);
  return name;
}

type_id names_struct_type(struct front *f, LLVMValueRef pointer) {
  struct lvalue p = {0};
  bool known = place_of(f, pointer, MAX_DEPTH, &p) && debug_is_struct(p.type);
  str_done(&p.text);
  return known ? debug_type_id(f, p.type) : 0;
}

type_id names_pointee_type(struct front *f, LLVMValueRef pointer) {
  struct lvalue p = {0};
  bool known = place_of(f, pointer, MAX_DEPTH, &p) && debug_is_pointer(p.type);
  str_done(&p.text);
  struct ditype to = known ? debug_pointee(f, p.type) : (struct ditype){0};
  return to.md && !debug_is_array(to) ? debug_type_id(f, to) : 0;
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
