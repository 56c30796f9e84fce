// SPDX-License-Identifier: MIT
// Headers of a kernel for x86: prefixes in sections, flags as outputs, bits.
// run: args=--volatile args=relaxed sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
typedef struct {
  int counter;
} atomic_t;
#define LOCK_PREFIX_HERE                                                       \
  ".pushsection .smp_locks,\"a\"\n.balign 4\n.long 671f - "                    \
  ".\n.popsection\n671:"
#define LOCK_PREFIX LOCK_PREFIX_HERE "\n\tlock; "
#define barrier() __asm__ __volatile__("" : : : "memory")
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define __ASM_SIZE(i) #i "l"
#define CC_SET(c) "\n\t/* output condition code " #c "*/\n"
#define CC_OUT(c) "=@cc" #c
static inline void atomic_inc(atomic_t *v) {
  asm volatile(LOCK_PREFIX "incl %0" : "+m"(v->counter)::"memory");
}
static inline void atomic_add(int i, atomic_t *v) {
  asm volatile(LOCK_PREFIX "addl %1,%0"
               : "+m"(v->counter)
               : "ir"(i)
               : "memory");
}
static inline bool atomic_dec_and_test(atomic_t *v) {
  bool c;
  asm volatile(LOCK_PREFIX "decl %0" CC_SET(e)
               : "+m"(v->counter), CC_OUT(e)(c)
               :
               : "memory");
  return c;
}
static inline int xadd(atomic_t *v, int i) {
  asm volatile(LOCK_PREFIX "xaddl %0, %1\n"
               : "+r"(i), "+m"(v->counter)
               :
               : "memory", "cc");
  return i;
}
static inline int cmpxchg(atomic_t *v, int old, int new) {
  int ret;
  asm volatile(LOCK_PREFIX "cmpxchgl %2,%1"
               : "=a"(ret), "+m"(v->counter)
               : "r"(new), "0"(old)
               : "memory");
  return ret;
}
static inline bool try_cmpxchg(atomic_t *v, int *old, int new) {
  bool ok;
  int o = *old;
  asm volatile(LOCK_PREFIX "cmpxchgl %[new], %[ptr]" CC_SET(z)
               : CC_OUT(z)(ok), [ptr] "+m"(v->counter), [old] "+a"(o)
               : [new] "r"(new)
               : "memory");
  if (!ok)
    *old = o;
  return ok;
}
static inline bool test_and_set_bit(long nr, volatile unsigned long *addr) {
  bool c;
  asm volatile(LOCK_PREFIX "btsq %2,%1" CC_SET(c)
               : CC_OUT(c)(c), "+m"(*addr)
               : "Ir"(nr)
               : "memory");
  return c;
}
static inline void clear_bit_unlock(long nr, volatile unsigned long *addr) {
  asm volatile(LOCK_PREFIX "btrq %1,%0" : "+m"(*addr) : "Ir"(nr) : "memory");
}
static inline void cpu_relax(void) {
  asm volatile("rep; nop" ::: "memory");
}
#define smp_mb() asm volatile("lock; addl $0,-4(%%rsp)" ::: "memory", "cc")
static atomic_t refs = {1}, sum;
static unsigned long bits;
static int x;
static void *run(void *a) {
  atomic_inc(&refs);
  while (test_and_set_bit(3, &bits))
    cpu_relax();
  x++;
  clear_bit_unlock(3, &bits);
  int o = READ_ONCE(sum.counter);
  while (!try_cmpxchg(&sum, &o, o + 2))
    ;
  smp_mb();
  if (atomic_dec_and_test(&refs))
    assert(0);
  return a;
}
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, run, 0);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  assert(x == 2 && sum.counter == 4 && refs.counter == 1);
  atomic_add(3, &sum);
  assert(xadd(&sum, 1) == 7 && cmpxchg(&sum, 8, 9) == 8);
}
