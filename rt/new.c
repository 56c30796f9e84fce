// SPDX-License-Identifier: MIT
// new and delete, by their mangled names (Znw: new, Zna: new[], Zdl: delete,
// Zda: delete[]). Memory does not run out, so none of them throws.
//
// A program may have its own functions instead of some of these; the others
// then call them, as the standard says: new[] calls new, a delete with a size
// the one without, and so on. Only where nothing is replaced does a function
// know which way the memory went, so that a wrong delete is found.
#include <stdlib.h>

#include "builtin.h"
#include "bytecode/family.h"

typedef struct {
  char nothing;
} nothrow;
const nothrow _ZSt7nothrow;

#define UNKNOWN ((size_t)-1)

static unsigned way(enum family family, size_t alignment) {
  unsigned log = 0;
  while (alignment >> log > 1)
    log++;
  return (unsigned)family | log << FAMILY_BITS;
}

static void *make(size_t size, enum family family, size_t alignment) {
  if (alignment > 16u << 20)
    __heddle_limit("operator new: an alignment of more than 16 MiB");
  return __heddle_new(size ? size : 1, way(family, alignment));
}

static void end(void *p, enum family family, size_t alignment, size_t size) {
  __heddle_delete(p, way(family, alignment), size ? size : 1);
}

// clang takes two names for two functions; here it is found out which they are.
typedef void any(void);
static _Bool differ(any *x, any *y) {
  return x != y;
}

// `name` is what a program may replace; `own_name` is always the one here.
#define OWN(type, name, ...)                                                   \
  static type own##name(__VA_ARGS__);                                          \
  type name(__VA_ARGS__) __attribute__((alias("own" #name)));                  \
  static type own##name(__VA_ARGS__)
#define IS_REPLACED(name) differ((any *)(name), (any *)own##name)

// -- new

OWN(void *, _Znwm, size_t size) {
  return make(size, FAMILY_NEW, 0);
}

void *_Znam(size_t size);
void *_Znam(size_t size) {
  return IS_REPLACED(_Znwm) ? _Znwm(size) : make(size, FAMILY_NEW_ARRAY, 0);
}

OWN(void *, _ZnwmSt11align_val_t, size_t size, size_t alignment) {
  return make(size, FAMILY_NEW, alignment);
}

void *_ZnamSt11align_val_t(size_t size, size_t alignment);
void *_ZnamSt11align_val_t(size_t size, size_t alignment) {
  return IS_REPLACED(_ZnwmSt11align_val_t)
             ? _ZnwmSt11align_val_t(size, alignment)
             : make(size, FAMILY_NEW_ARRAY, alignment);
}

#define NOTHROW(name)                                                          \
  void *_Z##name##mRKSt9nothrow_t(size_t size, const nothrow *tag);            \
  void *_Z##name##mRKSt9nothrow_t(size_t size, const nothrow *tag) {           \
    (void)tag;                                                                 \
    return _Z##name##m(size);                                                  \
  }                                                                            \
  void *_Z##name##mSt11align_val_tRKSt9nothrow_t(                              \
      size_t size, size_t alignment, const nothrow *tag);                      \
  void *_Z##name##mSt11align_val_tRKSt9nothrow_t(                              \
      size_t size, size_t alignment, const nothrow *tag) {                     \
    (void)tag;                                                                 \
    return _Z##name##mSt11align_val_t(size, alignment);                        \
  }
NOTHROW(nw)
NOTHROW(na)

// -- delete

OWN(void, _ZdlPv, void *p) {
  end(p, FAMILY_NEW, 0, UNKNOWN);
}

OWN(void, _ZdaPv, void *p) {
  if (IS_REPLACED(_ZdlPv))
    _ZdlPv(p);
  else
    end(p, FAMILY_NEW_ARRAY, 0, UNKNOWN);
}

OWN(void, _ZdlPvSt11align_val_t, void *p, size_t alignment) {
  end(p, FAMILY_NEW, alignment, UNKNOWN);
}

OWN(void, _ZdaPvSt11align_val_t, void *p, size_t alignment) {
  if (IS_REPLACED(_ZdlPvSt11align_val_t))
    _ZdlPvSt11align_val_t(p, alignment);
  else
    end(p, FAMILY_NEW_ARRAY, alignment, UNKNOWN);
}

// Is `delete` here the end of the way, or `delete[]`, which may call it?
#define ENDS_dl(suffix) (!IS_REPLACED(_ZdlPv##suffix))
#define ENDS_da(suffix) (!IS_REPLACED(_ZdaPv##suffix) && ENDS_dl(suffix))

#define DELETE(name, family)                                                   \
  void _Z##name##Pvm(void *p, size_t size);                                    \
  void _Z##name##Pvm(void *p, size_t size) {                                   \
    if (ENDS_##name())                                                         \
      end(p, family, 0, size);                                                 \
    else                                                                       \
      _Z##name##Pv(p);                                                         \
  }                                                                            \
  void _Z##name##PvmSt11align_val_t(void *p, size_t size, size_t alignment);   \
  void _Z##name##PvmSt11align_val_t(void *p, size_t size, size_t alignment) {  \
    if (ENDS_##name(St11align_val_t))                                          \
      end(p, family, alignment, size);                                         \
    else                                                                       \
      _Z##name##PvSt11align_val_t(p, alignment);                               \
  }                                                                            \
  void _Z##name##PvRKSt9nothrow_t(void *p, const nothrow *tag);                \
  void _Z##name##PvRKSt9nothrow_t(void *p, const nothrow *tag) {               \
    (void)tag;                                                                 \
    _Z##name##Pv(p);                                                           \
  }                                                                            \
  void _Z##name##PvSt11align_val_tRKSt9nothrow_t(void *p, size_t alignment,    \
                                                 const nothrow *tag);          \
  void _Z##name##PvSt11align_val_tRKSt9nothrow_t(void *p, size_t alignment,    \
                                                 const nothrow *tag) {         \
    (void)tag;                                                                 \
    _Z##name##PvSt11align_val_t(p, alignment);                                 \
  }
DELETE(dl, FAMILY_NEW)
DELETE(da, FAMILY_NEW_ARRAY)
