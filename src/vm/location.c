// SPDX-License-Identifier: MIT
// Dense numbers for what the outside world counts: locations (address and
// size), heap and shared stack objects, 16-byte values.
#include "vm/cold.h"

#include <string.h>

static void place_key(uint32_t key[3], uint64_t address, uint32_t size) {
  key[0] = (uint32_t)address;
  key[1] = (uint32_t)(address >> 32);
  key[2] = size;
}

static bool is_shared_object(object_id o) {
  return object_region(o) != 0 && object_index(o) >= INDEX_SHARED;
}

object_no vm_object_of_pointer(struct vm *vm, uint64_t pointer) {
  object_id o = pointer_object(pointer);
  if (!pointer_canonical(pointer) || !is_shared_object(o))
    return NO_OBJECT;
  o = object_base(o);
  return pool_intern(&vm->cold->objects, &o, 1);
}

object_id vm_object(const struct vm *vm, object_no n) {
  uint32_t len;
  return *pool_get(&vm->cold->objects, n, &len);
}

uint64_t vm_object_address(const struct vm *vm, object_no n) {
  return (uint64_t)vm_object(vm, n) << POINTER_OFFSET_BITS;
}

// First contents of globals and thread-locals, NULL for other memory.
static const uint8_t *first_bytes(const struct prog *p, uint64_t address,
                                  uint32_t size) {
  object_id o = pointer_object(address);
  uint32_t i = prog_global_of_object(p, o);
  uint64_t offset = pointer_offset(address);
  if (i != UINT32_MAX) {
    offset = address - prog_global_address(p, i);
  } else if (object_region(o) != 0 && object_index(o) < INDEX_LOCAL) {
    i = prog_global_of_tls(p, object_index(o) - INDEX_TLS);
  }
  if (i == UINT32_MAX || offset > p->globals.at[i].size ||
      size > p->globals.at[i].size - offset)
    return NULL;
  return p->globals.at[i].bytes + offset;
}

bool vm_begin_equal(const struct vm *vm, uint64_t address, uint64_t other,
                    uint64_t size) {
  uint32_t i = prog_global_of_object(vm->prog, pointer_object(address));
  if (size > UINT32_MAX || i == UINT32_MAX ||
      prog_global_of_object(vm->prog, pointer_object(other)) != i ||
      vm->prog->globals.at[i].is_thread_local)
    return false;
  const uint8_t *a = first_bytes(vm->prog, address, (uint32_t)size);
  const uint8_t *b = first_bytes(vm->prog, other, (uint32_t)size);
  return a && b && memcmp(a, b, size) == 0;
}

static void add_overlap(struct vm_cold *cold, loc_id l, loc_id other) {
  array_push(&cold->overlaps,
             (struct overlap){other, cold->locations.at[l].overlaps});
  cold->locations.at[l].overlaps = cold->overlaps.len;
}

// Overlapping locations start less than 16 bytes away; there are so few
// candidates that looking each of them up is the simplest index.
static void find_overlaps(struct vm_cold *cold, loc_id l) {
  static const uint32_t whole[] = {1, 2, 4, 8, 16};
  static const uint32_t pieces[] = {1, 2, 3, 4, 5, 6, 7, 8, 16};
  const uint32_t *sizes = cold->has_cuts ? pieces : whole;
  unsigned n = cold->has_cuts ? LENGTH(pieces) : LENGTH(whole);
  uint64_t address = cold->locations.at[l].address;
  uint32_t size = cold->locations.at[l].size;
  uint64_t from = address < 15 ? 0 : address - 15;
  for (uint64_t a = from; a < address + size; a++)
    for (unsigned i = 0; i < n; i++) {
      uint32_t key[3];
      place_key(key, a, sizes[i]);
      if (a + sizes[i] <= address || (a == address && sizes[i] == size))
        continue;
      loc_id other = pool_find(&cold->locations_by_place, key, 3);
      if (other == POOL_NONE)
        continue;
      add_overlap(cold, l, other);
      add_overlap(cold, other, l);
    }
}

loc_id vm_find_location(struct vm *vm, uint64_t address, uint32_t size) {
  struct vm_cold *cold = vm->cold;
  uint32_t key[3];
  place_key(key, address, size);
  loc_id l = pool_intern(&cold->locations_by_place, key, 3);
  if (l < cold->locations.len)
    return l;
  struct location new = {.address = address,
                         .size = size,
                         .object = vm_object_of_pointer(vm, address)};
  const uint8_t *bytes = first_bytes(vm->prog, address, size);
  if (bytes) {
    uint64_t value[2] = {0, 0};
    memcpy(value, bytes, size);
    new.is_initialized = true;
    new.initial = size == 16 ? vm_wide_make(vm, value[0], value[1]) : value[0];
  }
  array_push(&cold->locations, new);
  find_overlaps(cold, l);
  return l;
}

loc_id vm_location_like(struct vm *vm, const struct location *other) {
  return vm_find_location(vm, other->address, other->size);
}

// Where `to` is cut if `from`, which overlaps it, is cut like that.
static uint32_t same_cuts(const struct location *from, uint32_t cuts,
                          const struct location *to) {
  int64_t ahead = (int64_t)(from->address - to->address);
  return ahead >= 0 ? cuts << ahead : cuts >> -ahead;
}

// What overlaps has to agree, in both directions. Yields whether there are more
// pieces than before. (The value of a piece is a word.)
static bool cut(struct vm_cold *cold, loc_id l, uint32_t cuts) {
  struct location *where = &cold->locations.at[l];
  for (uint32_t i = where->overlaps; i; i = cold->overlaps.at[i - 1].next) {
    struct location *o = &cold->locations.at[cold->overlaps.at[i - 1].other];
    cuts |= same_cuts(o, o->cuts, where);
  }
  cuts &= ((UINT32_C(1) << where->size) - 1) & ~UINT32_C(1);
  if (cuts && where->size == 16)
    cuts |= 1 << 8;
  if (!(cuts & ~(uint32_t)where->cuts))
    return false;
  where->cuts |= (uint16_t)cuts;
  cold->has_cuts = true;
  for (uint32_t i = where->overlaps; i; i = cold->overlaps.at[i - 1].next)
    cut(cold, cold->overlaps.at[i - 1].other, 0);
  return true;
}

bool vm_has_cuts(const struct vm *vm) {
  return vm->cold->has_cuts;
}

bool vm_cut(struct vm *vm, loc_id l, uint32_t cuts) {
  check(l < vm->cold->locations.len && cuts);
  return cut(vm->cold, l, cuts);
}

loc_id vm_known_location(const struct vm *vm, uint64_t address, uint32_t size) {
  uint32_t key[3];
  place_key(key, address, size);
  loc_id l = pool_find(&vm->cold->locations_by_place, key, 3);
  return l == POOL_NONE ? NO_LOC : l;
}

const struct location *vm_location(const struct vm *vm, loc_id l) {
  check(l < vm->cold->locations.len);
  return &vm->cold->locations.at[l];
}

uint32_t vm_location_count(const struct vm *vm) {
  return vm->cold->locations.len;
}

loc_id vm_next_overlap(const struct vm *vm, loc_id l, loc_id after) {
  const struct vm_cold *cold = vm->cold;
  uint32_t i = vm_location(vm, l)->overlaps;
  if (after != NO_LOC) {
    while (i && cold->overlaps.at[i - 1].other != after)
      i = cold->overlaps.at[i - 1].next;
    check(i);
    i = cold->overlaps.at[i - 1].next;
  }
  return i ? cold->overlaps.at[i - 1].other : NO_LOC;
}

uint64_t vm_wide_make(struct vm *vm, uint64_t low, uint64_t high) {
  const uint32_t words[4] = {(uint32_t)low, (uint32_t)(low >> 32),
                             (uint32_t)high, (uint32_t)(high >> 32)};
  return pool_intern(&vm->cold->wide, words, 4);
}

void vm_wide_get(const struct vm *vm, uint64_t handle, uint64_t *low,
                 uint64_t *high) {
  uint32_t len;
  check(handle <= UINT32_MAX);
  const uint32_t *w = pool_get(&vm->cold->wide, (uint32_t)handle, &len);
  *low = w[0] | (uint64_t)w[1] << 32;
  *high = w[2] | (uint64_t)w[3] << 32;
}
