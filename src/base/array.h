// SPDX-License-Identifier: MIT
// Growable arrays: ARRAY(T) is a struct {T *at; uint32_t len, cap;}. Elements
// may move when the array grows, so hold ids, not pointers. And what is asked
// of arrays that the source spells out.
#pragma once

#include "base/fatal.h"

#include <stdint.h>
#include <stdlib.h>

#define ARRAY(T)                                                               \
  struct {                                                                     \
    T *at;                                                                     \
    uint32_t len, cap;                                                         \
  }

// How many elements an array has that is no pointer.
#define LENGTH(array) (sizeof(array) / sizeof *(array))

// Does a table have one row for each of the `count` values of an enum? The
// compiler answers; designators for all but the last ones do not.
#define ONE_FOR_EACH(table, count)                                             \
  _Static_assert(LENGTH(table) == (count), #table " has not one for each")

// Makes room for `n` more elements; the length stays.
#define array_reserve(a, n)                                                    \
  array_reserve_((void **)&(a)->at, (a)->len, &(a)->cap, (n), sizeof *(a)->at)

// Appends one element.
#define array_push(a, ...)                                                     \
  (array_reserve((a), 1), (a)->at[(a)->len++] = (__VA_ARGS__))

// Appends `n` zeroed elements and yields a pointer to the first, or to where it
// would be.
#define array_extend(a, n)                                                     \
  (array_reserve((a), (n) > 0 ? (n) : 1),                                      \
   __builtin_memset((a)->at + (a)->len, 0, (size_t)(n) * sizeof *(a)->at),     \
   (a)->len += (uint32_t)(n), (a)->at + (a)->len - (n))

#define array_pop(a) ((a)->at[--(a)->len])
#define array_last(a) (&(a)->at[(a)->len - 1])

#define array_done(a) (free((a)->at), (a)->at = NULL, (a)->len = (a)->cap = 0)

// Room for `need` elements. It is seldom needed, so it stays out of the way of
// array_push.
__attribute__((cold)) void array_grow_(void **at, uint32_t *cap, uint64_t need,
                                       size_t size);

static inline void array_reserve_(void **at, uint32_t len, uint32_t *cap,
                                  uint64_t more, size_t size) {
  uint64_t need = (uint64_t)len + more;
  if (need > *cap)
    array_grow_(at, cap, need, size);
}
