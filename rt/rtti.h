// SPDX-License-Identifier: MIT
// Type information, as the Itanium C++ ABI lays it out.
#pragma once

#include "private.h"

#include <stddef.h>

struct type_info {
  const void *const *kind; // one of those below, + 2
  const char *name;
};

// What a kind is, by the address of its table of virtual functions; the tables
// are empty, since nothing is ever called through them.
extern const void *const _ZTVN10__cxxabiv117__class_type_infoE[];
extern const void *const _ZTVN10__cxxabiv120__si_class_type_infoE[];
extern const void *const _ZTVN10__cxxabiv121__vmi_class_type_infoE[];
extern const void *const _ZTVN10__cxxabiv119__pointer_type_infoE[];

int type_equal(const struct type_info *x, const struct type_info *y);
// Can a handler for `handler` take what is thrown with type `thrown`? *object
// is adjusted to what the handler gets.
int type_catches(const struct type_info *handler,
                 const struct type_info *thrown, void **object);
