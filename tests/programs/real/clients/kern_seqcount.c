// SPDX-License-Identifier: MIT
// A sequence counter of the kernel around two words.
// run: lkmm ok
// run: flags=-DWEAK lkmm error assertion
// run: flags=-DOWN args=--volatile args=relaxed rc11,imm ok
// run: flags=-DOWN flags=-DWEAK args=--volatile args=relaxed rc11 error assertion
#include <assert.h>
#include <pthread.h>
#ifdef OWN
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define cpu_relax() __asm__ __volatile__("rep; nop" ::: "memory")
#define smp_load_acquire(p)                                                    \
  ({                                                                           \
    __typeof__(*p) v_ = READ_ONCE(*p);                                         \
    smp_rmb();                                                                 \
    v_;                                                                        \
  })
#else
#include <lkmm.h>
#endif
#define unlikely(x) __builtin_expect(!!(x), 0)
typedef struct seqcount {
  unsigned sequence;
} seqcount_t;
static inline unsigned read_seqcount_begin(const seqcount_t *s) {
  unsigned ret;
repeat:
  ret = READ_ONCE(s->sequence);
  if (unlikely(ret & 1)) {
    cpu_relax();
    goto repeat;
  }
  smp_rmb();
  return ret;
}
static inline int read_seqcount_retry(const seqcount_t *s, unsigned start) {
  smp_rmb();
  return unlikely(READ_ONCE(s->sequence) != start);
}
static inline void write_seqcount_begin(seqcount_t *s) {
  WRITE_ONCE(s->sequence, s->sequence + 1);
#ifndef WEAK
  smp_wmb();
#endif
}
static inline void write_seqcount_end(seqcount_t *s) {
  smp_wmb();
  WRITE_ONCE(s->sequence, s->sequence + 1);
}
static seqcount_t seq;
static long sec, nsec;
static void *reader(void *arg) {
  unsigned start;
  long s, n;
  do {
    start = read_seqcount_begin(&seq);
    s = READ_ONCE(sec);
    n = READ_ONCE(nsec);
  } while (read_seqcount_retry(&seq, start));
  assert(n == s * 10);
  return arg;
}
static void *writer(void *arg) {
  for (int i = 1; i <= 2; i++) {
    write_seqcount_begin(&seq);
    WRITE_ONCE(sec, i);
    WRITE_ONCE(nsec, i * 10);
    write_seqcount_end(&seq);
  }
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, reader, NULL);
  pthread_create(&t[1], NULL, writer, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
