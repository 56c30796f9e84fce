// SPDX-License-Identifier: MIT
// A spin lock that is one statement of assembly.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
typedef struct {
  volatile int locked;
} rte_spinlock_t;
#define RTE_SPINLOCK_INITIALIZER                                               \
  { 0 }
static inline void rte_spinlock_lock(rte_spinlock_t *sl) {
  int lock_val = 1;
  asm volatile("1:\n"
               "xchg %[locked], %[lv]\n"
               "test %[lv], %[lv]\n"
               "jz 3f\n"
               "2:\n"
               "pause\n"
               "cmpl $0, %[locked]\n"
               "jnz 2b\n"
               "jmp 1b\n"
               "3:\n"
               : [locked] "=m"(sl->locked), [lv] "=q"(lock_val)
               : "[lv]"(lock_val)
               : "memory");
}
static inline void rte_spinlock_unlock(rte_spinlock_t *sl) {
  int unlock_val = 0;
  asm volatile("xchg %[locked], %[ulv]\n"
               : [locked] "=m"(sl->locked), [ulv] "=q"(unlock_val)
               : "[ulv]"(unlock_val)
               : "memory");
}
static inline int rte_spinlock_trylock(rte_spinlock_t *sl) {
  int lockval = 1;
  asm volatile("xchg %[locked], %[lockval]"
               : [locked] "=m"(sl->locked), [lockval] "=q"(lockval)
               : "[lockval]"(lockval)
               : "memory");
  return lockval == 0;
}
static rte_spinlock_t L = RTE_SPINLOCK_INITIALIZER;
static int n;
static void *w(void *a) {
  rte_spinlock_lock(&L);
  n++;
  rte_spinlock_unlock(&L);
  return a;
}
static void *t(void *a) {
  if (rte_spinlock_trylock(&L)) {
    n++;
    rte_spinlock_unlock(&L);
  }
  return a;
}
int main(void) {
  pthread_t x[3];
  pthread_create(&x[0], 0, w, 0);
  pthread_create(&x[1], 0, w, 0);
  pthread_create(&x[2], 0, t, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(x[i], 0);
  assert(n >= 2);
}
