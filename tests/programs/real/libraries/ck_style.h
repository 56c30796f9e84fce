// SPDX-License-Identifier: MIT
// Macros over inline assembly for x86-64, in the style of concurrency kits that
// came before C11: loads and stores of any type, a family of each operation.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define PR_INLINE static inline __attribute__((always_inline, unused))

PR_INLINE void pr_stall(void) {
  __asm__ __volatile__("pause" ::: "memory");
}
PR_INLINE void pr_barrier(void) {
  __asm__ __volatile__("" ::: "memory");
}
PR_INLINE void pr_fence_memory(void) {
  __asm__ __volatile__("mfence" ::: "memory");
}

#define PR_ACCESS(S, T, I)                                                     \
  PR_INLINE T pr_load_##S(const T *at) {                                       \
    T r;                                                                       \
    __asm__ __volatile__(I " %1, %0" : "=q"(r) : "m"(*at) : "memory");         \
    return r;                                                                  \
  }                                                                            \
  PR_INLINE void pr_store_##S(T *at, T v) {                                    \
    __asm__ __volatile__(I " %1, %0" : "=m"(*at) : "iq"(v) : "memory");        \
  }
PR_ACCESS(ptr, void *, "movq")
PR_ACCESS(int, int, "movl")
PR_ACCESS(uint, unsigned, "movl")
PR_ACCESS(char, char, "movb")

#define PR_UPDATE(S, T, X, A, C)                                               \
  PR_INLINE T pr_fas_##S(T *at, T v) {                                         \
    __asm__ __volatile__(X " %0, %1" : "+m"(*at), "+q"(v)::"memory");          \
    return v;                                                                  \
  }                                                                            \
  PR_INLINE T pr_faa_##S(T *at, T v) {                                         \
    __asm__ __volatile__("lock " A " %1, %0" : "+m"(*at), "+q"(v)::"memory");  \
    return v;                                                                  \
  }                                                                            \
  PR_INLINE bool pr_cas_##S(T *at, T expected, T wanted) {                     \
    bool z;                                                                    \
    __asm__ __volatile__("lock " C " %2, %0; setz %1"                          \
                         : "+m"(*at), "=a"(z)                                  \
                         : "q"(wanted), "a"(expected)                          \
                         : "memory", "cc");                                    \
    return z;                                                                  \
  }
PR_UPDATE(uint, unsigned, "xchgl", "xaddl", "cmpxchgl")
PR_UPDATE(64, uint64_t, "xchgq", "xaddq", "cmpxchgq")

PR_INLINE void *pr_fas_ptr(void *at, void *v) {
  __asm__ __volatile__("xchgq %0, %1" : "+m"(*(void **)at), "+q"(v)::"memory");
  return v;
}
PR_INLINE bool pr_cas_ptr(void *at, void *expected, void *wanted) {
  bool z;
  __asm__ __volatile__("lock cmpxchgq %2, %0; setz %1"
                       : "+m"(*(void **)at), "=a"(z)
                       : "q"(wanted), "a"(expected)
                       : "memory", "cc");
  return z;
}
PR_INLINE bool pr_dec_is_zero(unsigned *at) {
  bool z;
  __asm__ __volatile__("lock decl %0" : "+m"(*at), "=@ccz"(z)::"memory");
  return z;
}
