// SPDX-License-Identifier: MIT
// new and delete, by their mangled names (Znw: new, Zna: new[], Zdl: delete,
// Zda: delete[]). Memory does not run out, so none of them throws.
#include <stdlib.h>

#include "builtin.h"

typedef struct {
  char nothing;
} nothrow;
const nothrow _ZSt7nothrow;

#define NEW(name)                                                              \
  void *_Z##name##m(size_t size);                                              \
  void *_Z##name##m(size_t size) {                                             \
    return __heddle_malloc(size ? size : 1);                                   \
  }                                                                            \
  void *_Z##name##mRKSt9nothrow_t(size_t size, const nothrow *tag);            \
  void *_Z##name##mRKSt9nothrow_t(size_t size, const nothrow *tag) {           \
    (void)tag;                                                                 \
    return __heddle_malloc(size ? size : 1);                                   \
  }                                                                            \
  void *_Z##name##mSt11align_val_t(size_t size, size_t alignment);             \
  void *_Z##name##mSt11align_val_t(size_t size, size_t alignment) {            \
    return aligned_alloc(alignment, size ? size : 1);                          \
  }                                                                            \
  void *_Z##name##mSt11align_val_tRKSt9nothrow_t(                              \
      size_t size, size_t alignment, const nothrow *tag);                      \
  void *_Z##name##mSt11align_val_tRKSt9nothrow_t(                              \
      size_t size, size_t alignment, const nothrow *tag) {                     \
    (void)tag;                                                                 \
    return aligned_alloc(alignment, size ? size : 1);                          \
  }
NEW(nw)
NEW(na)

static void sized(void *p, size_t size) {
  if (p && __heddle_object_size(p) != (size ? size : 1))
    __heddle_fail(
        FIND_INVALID_FREE,
        "delete of an object with another size than it was made with");
  __heddle_free(p);
}

#define DELETE(name)                                                           \
  void _Z##name##Pv(void *p);                                                  \
  void _Z##name##Pv(void *p) {                                                 \
    __heddle_free(p);                                                          \
  }                                                                            \
  void _Z##name##Pvm(void *p, size_t size);                                    \
  void _Z##name##Pvm(void *p, size_t size) {                                   \
    sized(p, size);                                                            \
  }                                                                            \
  void _Z##name##PvRKSt9nothrow_t(void *p, const nothrow *tag);                \
  void _Z##name##PvRKSt9nothrow_t(void *p, const nothrow *tag) {               \
    (void)tag;                                                                 \
    __heddle_free(p);                                                          \
  }                                                                            \
  void _Z##name##PvSt11align_val_t(void *p, size_t alignment);                 \
  void _Z##name##PvSt11align_val_t(void *p, size_t alignment) {                \
    (void)alignment;                                                           \
    __heddle_free(p);                                                          \
  }                                                                            \
  void _Z##name##PvmSt11align_val_t(void *p, size_t size, size_t alignment);   \
  void _Z##name##PvmSt11align_val_t(void *p, size_t size, size_t alignment) {  \
    (void)alignment;                                                           \
    sized(p, size);                                                            \
  }                                                                            \
  void _Z##name##PvSt11align_val_tRKSt9nothrow_t(void *p, size_t alignment,    \
                                                 const nothrow *tag);          \
  void _Z##name##PvSt11align_val_tRKSt9nothrow_t(void *p, size_t alignment,    \
                                                 const nothrow *tag) {         \
    (void)alignment;                                                           \
    (void)tag;                                                                 \
    __heddle_free(p);                                                          \
  }
DELETE(dl)
DELETE(da)
