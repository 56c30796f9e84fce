// SPDX-License-Identifier: MIT
// Types of the source, from LLVM's debug information.
#pragma once

#include "front/stage.h"

enum { DEBUG_MAX_OPERANDS = 32 };

// A type without its typedefs and qualifiers; md is NULL when it is unknown.
// Of an array of several dimensions, `dim` are indexed already. `depth` counts
// the steps that led to it: LLVM's verifier allows a type to be a part of
// itself, so there has to be an end.
struct ditype {
  LLVMMetadataRef md;
  unsigned dim, depth;
};
enum { DEBUG_MAX_DEPTH = 64 };

struct dimember {
  uint32_t name; // string id; "" for an unnamed struct or union inside
  struct ditype type;
  uint64_t offset;
  bool is_bitfield;
  uint8_t bit, bits; // of a bit-field
};
typedef ARRAY(struct dimember) member_list;

// The operands of a node; 0 if there are too many.
unsigned debug_operands(struct front *f, LLVMMetadataRef md,
                        LLVMValueRef out[DEBUG_MAX_OPERANDS]);
// The type that a variable has, or that a derived type is made of.
LLVMMetadataRef debug_base(struct front *f, LLVMMetadataRef md);
// The list of what a type has: members, dimensions, types of parameters.
LLVMMetadataRef debug_list(struct front *f, LLVMMetadataRef md);
uint32_t debug_name(struct front *f, LLVMMetadataRef variable); // string id
uint32_t debug_string(struct front *f, const char *text, size_t len);

// The file of a scope, or NULL.
LLVMMetadataRef debug_file(LLVMMetadataRef scope);
struct ditype debug_type(struct front *f, LLVMMetadataRef md);
bool debug_is_pointer(struct ditype t);
bool debug_is_struct(struct ditype t); // or union
bool debug_is_union(struct ditype t);
bool debug_is_array(struct ditype t);
struct ditype debug_pointee(struct front *f, struct ditype t);
struct ditype debug_element(struct front *f, struct ditype t,
                            uint64_t *ret_count);
uint64_t debug_size(struct front *f, struct ditype t); // bytes
void debug_members(struct front *f, struct ditype t, member_list *out);
// Appends the scalars inside `t`; false if they are not certain.
bool debug_leaves(struct front *f, struct ditype t, uint64_t offset,
                  leaf_list *out);
type_id debug_type_id(struct front *f, struct ditype t);
