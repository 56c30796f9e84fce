// SPDX-License-Identifier: MIT
// Linker sets: variables that a section of their own gathers, from whatever
// files, and that the program goes through from __start_NAME to __stop_NAME. If
// it declares one of these, the variables of that section become one object;
// each of them is a part of it. Otherwise a section means nothing here.
#include "front/stage.h"

#include <string.h>

// The name of the section whose begin or end a declaration is; NULL: of none.
static const char *section_of(LLVMValueRef global, bool *is_end) {
  static const char begin[] = "__start_", end[] = "__stop_";
  size_t len;
  const char *name = LLVMGetValueName2(global, &len);
  *is_end = strncmp(name, end, sizeof end - 1) == 0;
  if (!LLVMIsDeclaration(global) ||
      (!*is_end && strncmp(name, begin, sizeof begin - 1) != 0))
    return NULL;
  return name + (*is_end ? sizeof end : sizeof begin) - 1;
}

static bool is_member(LLVMValueRef global, const char *section) {
  const char *own = LLVMGetSection(global);
  return own && !LLVMIsDeclaration(global) && !LLVMIsThreadLocal(global) &&
         strcmp(own, section) == 0;
}

static unsigned align_of(const struct front *f, LLVMValueRef global) {
  unsigned align = LLVMGetAlignment(global);
  return align ? align
               : LLVMABIAlignmentOfType(f->layout,
                                        LLVMGlobalGetValueType(global));
}

// Adds the members of a section; their places in it are final then. Yields its
// size.
static uint64_t gather(struct front *f, const char *section, uint32_t object,
                       unsigned *align, bool *is_constant) {
  uint64_t size = 0;
  for (uint32_t m = 0; m < f->nmodules; m++)
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->modules[m].llvm); g;
         g = LLVMGetNextGlobal(g)) {
      if (!is_member(g, section))
        continue;
      module_enter(f, g);
      uint64_t own = align_of(f, g);
      size = (size + own - 1) / own * own;
      *align = own > *align ? (unsigned)own : *align;
      *is_constant &= LLVMIsGlobalConstant(g) != 0;
      array_push(&f->members, (struct section_member){g, object, size});
      ptrmap_set(&f->global_of, g, object);
      ptrmap_set(&f->offset_of, g, (uint32_t)size);
      size += type_size(f, LLVMGlobalGetValueType(g));
    }
  return size;
}

// All declarations of its begin and end stand for places in it.
static void name_ends(struct front *f, const char *section, uint32_t object,
                      uint64_t size) {
  for (uint32_t m = 0; m < f->nmodules; m++)
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->modules[m].llvm); g;
         g = LLVMGetNextGlobal(g)) {
      bool is_end;
      const char *name = section_of(g, &is_end);
      if (!name || strcmp(name, section) != 0)
        continue;
      ptrmap_set(&f->global_of, g, object);
      ptrmap_set(&f->offset_of, g, is_end ? (uint32_t)size : 0);
    }
}

static void make_object(struct front *f, const char *section) {
  uint32_t object = f->globals.len;
  unsigned align = 1;
  bool is_constant = true;
  uint64_t size = gather(f, section, object, &align, &is_constant);
  if (!size)
    return; // nothing is in it, and what names it will be told
  if (size > UINT32_MAX) {
    front_refuse(f, NULL, "the section `%s` is too large", section);
    return;
  }
  check(prog_add_global(f->prog, section, size, align) == object);
  f->prog->globals.at[object].is_constant = is_constant;
  array_push(&f->globals, NULL);
  name_ends(f, section, object, size);
}

void sections_find(struct front *f) {
  for (uint32_t m = 0; m < f->nmodules; m++)
    for (LLVMValueRef g = LLVMGetFirstGlobal(f->modules[m].llvm);
         g && !f->failed; g = LLVMGetNextGlobal(g)) {
      bool is_end;
      const char *section = section_of(g, &is_end);
      if (section && !ptrmap_find(&f->global_of, g) &&
          !module_user_defines(f, g))
        make_object(f, section);
    }
}

uint64_t section_offset(const struct front *f, LLVMValueRef global) {
  const uint32_t *offset = ptrmap_find(&f->offset_of, global);
  return offset ? *offset : 0;
}
