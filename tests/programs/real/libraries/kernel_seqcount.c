// SPDX-License-Identifier: MIT
// A sequence counter around a small struct, with the kernel's way of writing
// it: volatile accesses and barriers, readers that try again.
// run: args=--volatile args=relaxed sc,tso,rc11,imm,armv8 ok
// run: rc11 error race
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define cpu_relax() __asm__ volatile("rep; nop" ::: "memory")
#define unlikely(x) __builtin_expect(!!(x), 0)

typedef struct {
  unsigned sequence;
} seqcount_t;

static inline unsigned read_seqcount_begin(const seqcount_t *s) {
  unsigned ret;
repeat:
  ret = READ_ONCE(s->sequence); // BUG
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
  smp_wmb();
}

static inline void write_seqcount_end(seqcount_t *s) {
  smp_wmb();
  WRITE_ONCE(s->sequence, s->sequence + 1);
}

struct timekeeper {
  long sec, nsec, offset;
};
static seqcount_t seq;
static struct timekeeper tk;

static void *tick(void *arg) {
  for (long i = 1; i <= 2; i++) {
    write_seqcount_begin(&seq);
    WRITE_ONCE(tk.sec, i);
    WRITE_ONCE(tk.nsec, i);
    WRITE_ONCE(tk.offset, i);
    write_seqcount_end(&seq);
  }
  return arg;
}

static void *get(void *arg) {
  struct timekeeper now;
  unsigned start;
  do {
    start = read_seqcount_begin(&seq);
    now.sec = READ_ONCE(tk.sec);
    now.nsec = READ_ONCE(tk.nsec);
    now.offset = READ_ONCE(tk.offset);
  } while (read_seqcount_retry(&seq, start));
  if (now.sec != now.nsec || now.sec != now.offset) {
    fprintf(stderr, "torn: %ld %ld %ld\n", now.sec, now.nsec, now.offset);
    abort();
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, tick, NULL);
  pthread_create(&b, NULL, get, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
