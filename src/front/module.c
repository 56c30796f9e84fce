// SPDX-License-Identifier: MIT
// Adds the modules and runs the stages. Modules are not linked into one: a
// declaration is resolved by its name when something refers to it, first in
// the user's files, then in rt/, which is only read when it is needed.
#include "front/clang/command.h"
#include "front/clang/loaded.h"
#include "front/rust.h"
#include "front/spins.h"
#include "front/stage.h"
#include "front/versions.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void set_location(struct front *f, LLVMValueRef inst) {
  struct source s = names_source(f, inst);
  LLVMValueRef function =
      LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
  // Without debug information at least the module is known.
  snprintf(f->why->file, sizeof f->why->file, "%s",
           s.file ? prog_text(f->prog, s.file) : module_of(f, function)->file);
  f->why->line = s.line;
  f->why->column = s.column;
}

bool front_refuse(struct front *f, LLVMValueRef inst, const char *fmt, ...) {
  if (f->failed)
    return false;
  f->failed = true;
  char text[sizeof f->why->text];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  diag_set(f->why, "", 0, "%s", text);
  if (inst)
    set_location(f, inst);
  return false;
}

// -- reading

// How x86-64 lays data out, as clang says it.
static const char LAYOUT[] =
    "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"
    "n8:16:32:64-S128";

// Do types have the same bytes at the same places in both? Integers of 128 bits
// may be aligned in two ways: clang says 16 since version 18; before, LLVM took
// 8, and clang wrote the padding out. Each module keeps its own way.
static bool is_same_layout(LLVMContextRef c, LLVMTargetDataRef x,
                           LLVMTargetDataRef y) {
  LLVMTypeRef types[] = {
      LLVMInt8TypeInContext(c),      LLVMInt16TypeInContext(c),
      LLVMInt32TypeInContext(c),     LLVMInt64TypeInContext(c),
      LLVMFloatTypeInContext(c),     LLVMDoubleTypeInContext(c),
      LLVMPointerTypeInContext(c, 0)};
  unsigned wide = LLVMABIAlignmentOfType(y, LLVMInt128TypeInContext(c));
  bool same = LLVMByteOrder(x) == LLVMByteOrder(y) && (wide == 8 || wide == 16);
  for (size_t i = 0; i < LENGTH(types); i++)
    same = same &&
           LLVMABISizeOfType(x, types[i]) == LLVMABISizeOfType(y, types[i]) &&
           LLVMABIAlignmentOfType(x, types[i]) ==
               LLVMABIAlignmentOfType(y, types[i]);
  return same;
}

// Any machine will do that lays data out as x86-64 does: 64-bit pointers, the
// low byte first. A module that does not say what it is for is taken as one for
// x86-64.
static bool accept_target(struct front *f, LLVMModuleRef m, const char *file) {
  const char *given = LLVMGetDataLayoutStr(m);
  if (!*given)
    LLVMSetDataLayout(m, LAYOUT);
  if (!*given || strcmp(given, LAYOUT) == 0)
    return true;
  LLVMTargetDataRef usual = LLVMCreateTargetData(LAYOUT);
  bool same = is_same_layout(f->context, usual, LLVMGetModuleDataLayout(m));
  LLVMDisposeTargetData(usual);
  if (!same) {
    f->failed = true;
    diag_set(f->why, file, 0,
             "data is laid out as \"%s\"; only the layout of x86_64 Linux is "
             "understood, which other 64-bit little-endian machines share",
             given);
  }
  return same;
}

void module_enter(struct front *f, LLVMValueRef global) {
  f->layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(global));
}

// Names that a platform writes in another way: with a byte 1 in front (macOS),
// or with an underscore.
static void plain_names(LLVMModuleRef m) {
  bool is_darwin = strstr(LLVMGetTarget(m), "apple") != NULL;
  for (LLVMValueRef g = LLVMGetFirstFunction(m), next; g; g = next) {
    next = LLVMGetNextFunction(g);
    size_t len, skip = 0;
    const char *name = LLVMGetValueName2(g, &len);
    if (!LLVMIsDeclaration(g))
      continue;
    if (*name == 1)
      skip = is_darwin && name[1] == '_' ? 2 : 1;
    else if (strncmp(name, "_pthread_", 9) == 0)
      skip = 1;
    if (!skip)
      continue;
    LLVMValueRef other = LLVMGetNamedFunction(m, name + skip);
    if (other) {
      LLVMReplaceAllUsesWith(g, other);
      continue;
    }
    struct str plain = {0}; // the old name goes when the new one is set
    str_add_bytes(&plain, name + skip, len - skip);
    LLVMSetValueName2(g, str_text(&plain), len - skip);
    str_done(&plain);
  }
}

// Is it written in the names of the Linux kernel, those of <lkmm.h> or of
// Dartagnan's headers?
static bool is_of_kernel(LLVMModuleRef m) {
  size_t n;
  for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
    if (strncmp(LLVMGetValueName2(f, &n), "__LKMM_", 7) == 0)
      return true;
  return LLVMGetNamedGlobal(m, "__heddle_lkmm");
}

bool module_add(struct front *f, const char *file, const struct bitcode *b,
                bool is_library) {
  LLVMModuleRef m = module_read(f, file, b);
  if (!m)
    return false;
  versions_prepare(m);
  plain_names(m);
  f->modules[f->nmodules++] = (struct module){file, m, is_library};
  f->has_rust |= rust_prepare(m);
  spins_shorten(m);
  f->has_exceptions |= LLVMGetNamedFunction(m, "__gxx_personality_v0") != NULL;
  f->has_guards |= !is_library && is_of_kernel(m);
  f->sees_errno |= !is_library && (LLVMGetNamedGlobal(m, "__heddle_errno") ||
                                   LLVMGetNamedFunction(m, ERRNO_LOCATION) ||
                                   LLVMGetNamedFunction(m, "perror"));
  return accept_target(f, m, file);
}

// The function if the module uses it and has none of its own.
static LLVMValueRef used(LLVMModuleRef m, const char *name) {
  LLVMValueRef g = LLVMGetNamedFunction(m, name);
  return g && LLVMIsDeclaration(g) ? g : NULL;
}

// If a file waits for callbacks of RCU, all of them have to be known
// (rt/callback.c).
static void number_callbacks(struct front *f) {
  bool are_awaited = false;
  for (uint32_t i = 0; i < f->nmodules; i++)
    are_awaited |= used(f->modules[i].llvm, RCU_BARRIER) != NULL;
  for (uint32_t i = 0; are_awaited && i < f->nmodules; i++) {
    LLVMValueRef call = used(f->modules[i].llvm, CALL_RCU);
    if (call)
      LLVMSetValueName2(call, CALL_RCU_NUMBERED, strlen(CALL_RCU_NUMBERED));
  }
}

static bool compile_files(const struct front_options *o, struct bitcode *ret,
                          struct diag *why) {
  for (unsigned i = 0; i < o->nfiles; i++)
    if (!clang_compile(o, o->files[i], &ret[i], why))
      return false;
  return true;
}

static bool read_modules(struct front *f, const struct bitcode *files) {
  const struct front_options *o = f->options;
  for (unsigned i = 0; i < o->nfiles; i++) {
    if (!module_add(f, o->files[i], &files[i], /*is_library=*/false) ||
        !async_outline(f, f->modules[f->nmodules - 1].llvm))
      return false;
    f->has_cxx |= command_language(o, o->files[i]) == LANGUAGE_CXX;
  }
  number_callbacks(f);
  return true;
}

// -- linking by name

static bool is_local(LLVMValueRef g) {
  LLVMLinkage l = LLVMGetLinkage(g);
  return l == LLVMInternalLinkage || l == LLVMPrivateLinkage;
}

static bool is_weak(LLVMValueRef g) {
  switch ((int)LLVMGetLinkage(g)) {
  case LLVMWeakAnyLinkage:
  case LLVMWeakODRLinkage:
  case LLVMLinkOnceAnyLinkage:
  case LLVMLinkOnceODRLinkage:
  case LLVMCommonLinkage:
    return true;
  default:
    return false;
  }
}

static bool is_definition(LLVMValueRef g) {
  if (LLVMIsAGlobalAlias(g))
    return true;
  return !LLVMIsDeclaration(g) &&
         LLVMGetLinkage(g) != LLVMAvailableExternallyLinkage;
}

// The definition of that name which a module offers to others, or NULL.
static LLVMValueRef exported(const struct module *m, const char *name,
                             size_t len) {
  LLVMValueRef g = LLVMGetNamedFunction(m->llvm, name);
  if (!g)
    g = LLVMGetNamedGlobal(m->llvm, name);
  if (!g)
    g = LLVMGetNamedGlobalAlias(m->llvm, name, len);
  return g && is_definition(g) && !is_local(g) ? g : NULL;
}

static LLVMValueRef strip_alias(LLVMValueRef g) {
  while (LLVMIsAGlobalAlias(g))
    g = LLVMAliasGetAliasee(g);
  return g;
}

static LLVMValueRef find_name(struct front *f, const char *name, size_t len) {
  LLVMValueRef weak = NULL;
  for (uint32_t i = 0; i < f->nmodules; i++) {
    LLVMValueRef g = exported(&f->modules[i], name, len);
    if (g && !is_weak(g) && !(weak && f->modules[i].is_library))
      return g;
    if (g && !weak)
      weak = g;
  }
  return weak;
}

LLVMValueRef module_find(struct front *f, const char *name) {
  LLVMValueRef found = find_name(f, name, strlen(name));
  if (!found && runtime_load(f, name))
    found = find_name(f, name, strlen(name));
  return found;
}

LLVMValueRef module_resolve(struct front *f, LLVMValueRef global) {
  if (is_local(global))
    return strip_alias(global);
  size_t len;
  const char *name = LLVMGetValueName2(global, &len);
  LLVMValueRef found = find_name(f, name, len);
  // That of rt/ sets errno, which matters only where it is looked at.
  bool sets_errno = f->sees_errno && strcmp(name, "malloc") == 0;
  bool is_builtin =
      LLVMIsAFunction(global) && builtin_of_name(name) >= 0 && !sets_errno;
  if (!found && !is_builtin && runtime_load(f, name))
    found = find_name(f, name, len);
  return found ? strip_alias(found) : NULL;
}

bool module_user_defines(struct front *f, LLVMValueRef global) {
  size_t len;
  const char *name = LLVMGetValueName2(global, &len);
  LLVMValueRef found = find_name(f, name, len);
  return found && !module_of(f, found)->is_library;
}

struct module *module_of(struct front *f, LLVMValueRef global) {
  LLVMModuleRef m = LLVMGetGlobalParent(global);
  for (uint32_t i = 0; i < f->nmodules; i++)
    if (f->modules[i].llvm == m)
      return &f->modules[i];
  fatal_internal(__FILE__, __LINE__, "a global of an unknown module");
}

static bool check_duplicate(struct front *f, uint32_t module, LLVMValueRef g) {
  if (is_local(g) || !is_definition(g) || is_weak(g) ||
      LLVMGetLinkage(g) == LLVMAppendingLinkage) // each file has its list
    return true;
  size_t len;
  const char *name = LLVMGetValueName2(g, &len);
  for (uint32_t i = 0; i < module; i++) {
    LLVMValueRef other = exported(&f->modules[i], name, len);
    if (other && !is_weak(other))
      return front_refuse(f, NULL, "`%s` is defined in %s and in %s", name,
                          f->modules[i].file, f->modules[module].file);
  }
  return true;
}

static bool check_duplicates(struct front *f) {
  for (uint32_t i = 1; i < f->nmodules; i++) {
    LLVMModuleRef m = f->modules[i].llvm;
    for (LLVMValueRef g = LLVMGetFirstFunction(m); g;
         g = LLVMGetNextFunction(g))
      if (!check_duplicate(f, i, g))
        return false;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g))
      if (!check_duplicate(f, i, g))
        return false;
  }
  return true;
}

// -- the stages

static bool find_main(struct front *f) {
  LLVMValueRef main = find_name(f, "main", 4);
  if (!main || !LLVMIsAFunction(main)) {
    f->failed = true;
    diag_set(f->why, f->options->files[0], 0, "there is no function `main`");
    diag_hint(f->why, "a program to check starts in main; give the file that "
                      "has it too");
    return false;
  }
  f->prog->main_func = front_function(f, main);
  return true;
}

static bool assemble(struct front *f) {
  for (uint32_t i = 0; i < f->functions.len; i++) {
    struct function *fn = &f->functions.at[i];
    fn->label_pc = xcalloc(fn->code.labels + 1u, sizeof *fn->label_pc);
    if (!code_assemble(&fn->code, f->prog, i, fn->label_pc, f->why))
      return false;
  }
  constant_fixups(f);
  return prog_finish(f->prog, f->why);
}

static void optimise(struct front *f) {
  struct code **codes = xcalloc(f->functions.len, sizeof *codes);
  for (uint32_t i = 0; i < f->functions.len; i++)
    codes[i] = &f->functions.at[i].code;
  code_throws(codes, f->functions.len);
  for (uint32_t i = 0; i < f->functions.len; i++) {
    code_write_back(codes[i]);
    code_tidy(codes[i]);
  }
  code_inline(f->prog, codes, f->functions.len, f->options->merges_updates);
  for (uint32_t i = 0; i < f->functions.len; i++) {
    code_write_back(codes[i]);
    code_tidy(codes[i]);
    if (code_promote(codes[i], f->prog))
      code_tidy(codes[i]);
  }
  for (uint32_t i = 0; i < f->functions.len; i++)
    if (code_idle(codes[i], codes))
      code_tidy(codes[i]);
  free(codes);
}

static bool run_stages(struct front *f, const struct bitcode *files) {
  if (!read_modules(f, files) || !check_duplicates(f) || !find_main(f))
    return false;
  front_reach(f);
  if (f->failed)
    return false;
  constant_globals(f);
  front_arguments(f);
  escape_analyse(f);
  for (uint32_t i = 0; i < f->functions.len && !f->failed; i++)
    lower_function(f, i);
  if (f->failed)
    return false;
  optimise(f);
  return assemble(f);
}

static void front_done(struct front *f) {
  for (uint32_t i = 0; i < f->functions.len; i++) {
    struct function *fn = &f->functions.at[i];
    code_done(&fn->code);
    free(fn->label_pc);
    free(fn->param_fate);
    ptrmap_done(&fn->labels);
  }
  array_done(&f->functions);
  array_done(&f->globals);
  array_done(&f->fixups);
  array_done(&f->constructors);
  array_done(&f->destructors);
  array_done(&f->variables);
  ptrmap_done(&f->variable_of);
  array_done(&f->tallies);
  ptrmap_done(&f->tallies_of);
  ptrmap_done(&f->nth_of);
  ptrmap_done(&f->own_of);
  ptrmap_done(&f->function_of);
  ptrmap_done(&f->global_of);
  array_done(&f->members);
  ptrmap_done(&f->offset_of);
  ptrmap_done(&f->type_of);
  ptrmap_done(&f->name_of);
  ptrmap_done(&f->file_of);
  ptrmap_done(&f->absent);
  for (uint32_t i = 0; i < f->nmodules; i++)
    LLVMDisposeModule(f->modules[i].llvm);
  bitcode_done(&f->runtime);
  free(f->modules);
  LLVMContextDispose(f->context);
}

static bool load(const struct front_options *o, const struct bitcode *files,
                 struct prog **ret, struct diag *why) {
  struct front f = {.options = o, .why = why};
  f.context = LLVMContextCreate();
  f.modules = xcalloc(o->nfiles + MAX_PARTS, sizeof *f.modules);
  f.prog = prog_new();
  if (!getcwd(f.directory, sizeof f.directory))
    f.directory[0] = 0;
  f.dbg_kind = LLVMGetMDKindIDInContext(f.context, "dbg", 3);
  f.byval_kind = LLVMGetEnumAttributeKindForName("byval", 5);
  f.nounwind_kind = LLVMGetEnumAttributeKindForName("nounwind", 8);
  f.align_kind = LLVMGetEnumAttributeKindForName("align", 5);
  bool good = run_stages(&f, files);
  front_done(&f);
  if (good)
    *ret = f.prog;
  else
    prog_free(f.prog);
  return good;
}

bool front_load(const struct front_options *o, struct prog **ret,
                struct diag *why) {
  check(o->nfiles > 0);
  struct bitcode *files = xcalloc(o->nfiles, sizeof *files);
  struct digest key;
  bool good = compile_files(o, files, why);
  bool is_kept = good && loaded_key(o, files, &key);
  if (good && !(is_kept && loaded_find(key, ret))) {
    good = load(o, files, ret, why);
    if (good && is_kept)
      loaded_store(key, *ret);
  }
  for (unsigned i = 0; i < o->nfiles; i++)
    bitcode_done(&files[i]);
  free(files);
  return good;
}
