// SPDX-License-Identifier: MIT
// How a pointer is packed into 47 bits, so that 16-bit tags in the high bits
// and alignment tags in the low bits survive:
//
//   46      41 40           24 23            0
//   [ region  ][ index        ][ offset       ]
//    6 bits     17 bits          24 bits
//
// region 0: globals, functions and code addresses; region t + 1: what thread t
// created. (region, index) is an *object*; index counts per thread, so it does
// not depend on the interleaving. Objects larger than 8 MiB take several
// consecutive indices and are named by the first. An offset that runs over
// lands in a neighbour's window beyond the neighbour's size, so it is out of
// bounds there too: no object fills its window. NULL is object 0.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t object_id; // region << 17 | index

enum {
  POINTER_OFFSET_BITS = 24,
  POINTER_INDEX_BITS = 17,
  POINTER_BITS = 47,
  POINTER_REGIONS = 64,
  MAX_THREADS = POINTER_REGIONS - 1,
  POINTER_WINDOW = 1 << POINTER_OFFSET_BITS,
  OBJECT_MAX_IN_WINDOW = 8 << 20,
  INDEX_COUNT = 1 << POINTER_INDEX_BITS,

  // Region 0.
  INDEX_NULL = 0,
  INDEX_GLOBAL = 1,     // globals: 1 .. 0xffff
  INDEX_FUNC = 0x10000, // one index per function
  INDEX_CODE = 0x1ffff, // offset = pc: addresses for computed goto

  // Regions of threads.
  INDEX_TLS = 1,          // thread-local variables: 1 .. 0xfff
  INDEX_LOCAL = 0x1000,   // private objects (stack discipline): .. 0xffff
  INDEX_SHARED = 0x10000, // heap and shared stack objects, never reused
  INDEX_LARGE = 0x1e000,  // those of more than OBJECT_MAX_IN_WINDOW bytes:
  LARGE_SPAN = 65,        // each takes that many indices whatever its size,
                          // so the object of a pointer never depends on sizes
  OBJECT_MAX = 1 << 30,   // nothing larger can be allocated
};

static inline uint64_t pointer_make(unsigned region, uint32_t index,
                                    uint64_t offset) {
  return (uint64_t)region << (POINTER_INDEX_BITS + POINTER_OFFSET_BITS) |
         (uint64_t)index << POINTER_OFFSET_BITS | offset;
}

static inline object_id pointer_object(uint64_t p) {
  return (object_id)(p >> POINTER_OFFSET_BITS) & ((1u << 23) - 1);
}

static inline uint32_t pointer_offset(uint64_t p) {
  return (uint32_t)p & (POINTER_WINDOW - 1);
}

static inline unsigned object_region(object_id o) {
  return o >> POINTER_INDEX_BITS;
}

static inline uint32_t object_index(object_id o) {
  return o & (INDEX_COUNT - 1);
}

// No bits above the 47 that a real pointer has.
static inline bool pointer_canonical(uint64_t p) {
  return p >> POINTER_BITS == 0;
}

// How many indices an object of that size takes.
static inline uint32_t object_span(uint64_t size) {
  return size <= OBJECT_MAX_IN_WINDOW
             ? 1
             : (uint32_t)((size + POINTER_WINDOW - 1) / POINTER_WINDOW) + 1;
}

// The object that a window of a thread's region belongs to.
static inline object_id object_base(object_id o) {
  uint32_t index = object_index(o);
  return object_region(o) == 0 || index < INDEX_LARGE
             ? o
             : o - (index - INDEX_LARGE) % LARGE_SPAN;
}
