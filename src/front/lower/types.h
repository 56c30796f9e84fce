// SPDX-License-Identifier: MIT
// LLVM's types as Heddle sees them: slots when a value is held in registers,
// scalar leaves when it lies in memory.
#pragma once

#include "base/array.h"

#include <llvm-c/Core.h>

struct front;

bool type_supported(LLVMTypeRef t);
enum { MANY_SLOTS = 1 << 20, MANY_PARTS = 1 << 16 };
uint32_t type_slots(LLVMTypeRef t); // 0: void; MANY_SLOTS: that many or more
uint64_t type_size(const struct front *f, LLVMTypeRef t); // bytes in memory
// The width in bits of a type that is no aggregate.
unsigned type_width(LLVMTypeRef t);
bool type_is_aggregate(LLVMTypeRef t);
// A vector of integers: an aggregate of its lanes.
enum { MAX_LANES = 64 };
bool type_is_lanes(LLVMTypeRef t);
// Members of a struct, elements of an array. Elements that hold nothing do not
// count: there may be billions.
uint64_t type_fields(LLVMTypeRef t);
LLVMTypeRef type_field(LLVMTypeRef t, unsigned i);
uint64_t type_field_offset(const struct front *f, LLVMTypeRef t, unsigned i);
struct leaf {
  uint64_t offset;
  uint32_t size; // 1, 2, 4, 8 or 16 bytes
  bool is_union; // any size; which member it holds is not known
};
typedef ARRAY(struct leaf) leaf_list;
enum { MAX_LEAVES = 1024 };
// Appends the scalars and unions inside a type, in order of their offsets.
// False: there are too many.
bool type_leaves(const struct front *f, LLVMTypeRef t, uint64_t offset,
                 leaf_list *out);
// The smallest part of `t` that holds [*offset, *offset + size); *offset gets
// relative to it.
LLVMTypeRef type_narrow(const struct front *f, LLVMTypeRef t, uint64_t *offset,
                        uint64_t size);
// Appends the leaves of `all` that lie in [skip, skip + size), counted from
// `skip`. False if they do not cover whole leaves inside of `total` bytes.
bool type_cut_leaves(const leaf_list *all, uint64_t total, uint64_t skip,
                     uint64_t size, leaf_list *out);
// The byte offset of a GEP (instruction or expression) if it is constant.
bool type_gep_offset(const struct front *f, LLVMValueRef gep, uint64_t *ret);
