// SPDX-License-Identifier: MIT
// Kernel style: READ_ONCE and WRITE_ONCE are volatile accesses. As they stand,
// they are races; as relaxed atomics they are not, and a barrier is needed
// where the order matters.
// expect: all error race
// run: args=--volatile args=relaxed all ok 2
// run: args=--assume-atomic args=*p all ok 2
// run: args=--assume-atomic args=volatile.c all ok 2
// run: args=--assume-atomic args=other.c all error race
// run: args=--volatile args=relaxed flags=-DNO_BARRIER sc,tso ok 2; rc11,imm,armv8 error assertion
#include <assert.h>
#include <pthread.h>

#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))
#ifdef NO_BARRIER
#define smp_mb() __asm__ __volatile__("" ::: "memory")
#else
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

struct message {
  int payload, flag;
};
static struct message m;

static int read_once(int *p) {
  return ACCESS_ONCE(*p); // BUG
}

static void write_once(int *p, int value) {
  ACCESS_ONCE(*p) = value; // BUG
}

static void *writer(void *arg) {
  write_once(&m.payload, 1);
  smp_mb();
  write_once(&m.flag, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  if (read_once(&m.flag)) {
    smp_mb();
    assert(read_once(&m.payload) == 1); // BUG
  }
  pthread_join(t, NULL);
  return 0;
}
