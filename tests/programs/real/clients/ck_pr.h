// SPDX-License-Identifier: MIT
// Primitives as macros over volatile and assembly of x86.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define CK_CC_INLINE static inline __attribute__((unused))
#define CK_PR_FENCE(T, I)                                                      \
  CK_CC_INLINE void pr_fence_##T(void) {                                       \
    __asm__ __volatile__(I ::: "memory");                                      \
  }
CK_PR_FENCE(load, "")
CK_PR_FENCE(store, "")
CK_PR_FENCE(load_store, "")
CK_PR_FENCE(store_load, "mfence")
CK_PR_FENCE(memory, "mfence")
CK_PR_FENCE(acquire, "")
CK_PR_FENCE(release, "")
CK_PR_FENCE(lock, "")
CK_PR_FENCE(unlock, "")
CK_CC_INLINE void pr_stall(void) {
  __asm__ __volatile__("pause" ::: "memory");
}
#define PR_LOAD(S, M, T, C, I)                                                 \
  CK_CC_INLINE T pr_md_load_##S(const M *target) {                             \
    T r;                                                                       \
    __asm__ __volatile__(I " %1, %0"                                           \
                         : "=q"(r)                                             \
                         : "m"(*(const C *)target)                             \
                         : "memory");                                          \
    return r;                                                                  \
  }
PR_LOAD(ptr, void, void *, char, "movq")
PR_LOAD(uint, unsigned, unsigned, unsigned, "movl")
PR_LOAD(64, uint64_t, uint64_t, uint64_t, "movq")
#define PR_STORE(S, M, T, C, I)                                                \
  CK_CC_INLINE void pr_md_store_##S(M *target, T v) {                          \
    __asm__ __volatile__(I " %1, %0"                                           \
                         : "=m"(*(C *)target)                                  \
                         : "iq"(v)                                             \
                         : "memory");                                          \
  }
PR_STORE(ptr, void, const void *, char, "movq")
PR_STORE(uint, unsigned, unsigned, unsigned, "movl")
PR_STORE(64, uint64_t, uint64_t, uint64_t, "movq")
#define pr_load_uint(P) pr_md_load_uint((P))
#define pr_store_uint(P, V) pr_md_store_uint((P), (V))
#define pr_load_64(P) pr_md_load_64((P))
#define pr_load_ptr(P) pr_md_load_ptr((P))
#define pr_store_ptr(P, V) pr_md_store_ptr((P), (V))
CK_CC_INLINE unsigned pr_faa_uint(unsigned *target, unsigned d) {
  __asm__ __volatile__("lock xaddl %1, %0"
                       : "+m"(*target), "+q"(d)
                       :
                       : "memory", "cc");
  return d;
}
CK_CC_INLINE unsigned pr_fas_uint(unsigned *target, unsigned v) {
  __asm__ __volatile__("xchgl %1, %0" : "+m"(*target), "+q"(v)::"memory");
  return v;
}
CK_CC_INLINE void *pr_fas_ptr(void *target, void *v) {
  __asm__ __volatile__("xchgq %0, %1"
                       : "+m"(*(char **)target), "+q"(v)::"memory");
  return v;
}
CK_CC_INLINE bool pr_cas_ptr(void *t, void *c, void *s) {
  bool z;
  __asm__ __volatile__("lock cmpxchgq %3, %0; sete %1"
                       : "+m"(*(char *)t), "=a"(z)
                       : "a"(c), "q"(s)
                       : "memory", "cc");
  return z;
}
CK_CC_INLINE bool pr_cas_uint_value(unsigned *t, unsigned c, unsigned s,
                                    unsigned *v) {
  bool z;
  __asm__ __volatile__("lock cmpxchgl %3, %0;"
                       "sete %1;"
                       : "+m"(*t), "=q"(z), "=a"(*v)
                       : "q"(s), "a"(c)
                       : "memory", "cc");
  return z;
}
CK_CC_INLINE void pr_inc_uint(unsigned *t) {
  __asm__ __volatile__("lock incl %0" : "+m"(*t)::"memory", "cc");
}
CK_CC_INLINE void pr_dec_uint(unsigned *t) {
  __asm__ __volatile__("lock decl %0" : "+m"(*t)::"memory", "cc");
}
CK_CC_INLINE bool pr_dec_uint_zero(unsigned *t) {
  bool z;
  __asm__ __volatile__("lock decl %0; setz %1"
                       : "+m"(*t), "=m"(z)
                       :
                       : "memory", "cc");
  return z;
}
