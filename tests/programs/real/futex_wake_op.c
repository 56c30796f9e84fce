// SPDX-License-Identifier: MIT
// FUTEX_WAKE_OP changes a second word and wakes the waiters of both, as old
// condition variables did; bits choose among the waiters of one word.
// run: flags=-DOP sc,rc11,imm ok
// run: flags=-DOP flags=-DCOMPARED=FUTEX_OP_CMP_LT sc,rc11 error deadlock
// run: flags=-DUPDATES sc,rc11 ok 1
// run: flags=-DBITS sc,rc11,imm ok
// run: flags=-DBITS flags=-DBIT=1 sc,rc11 error deadlock
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef COMPARED
#define COMPARED FUTEX_OP_CMP_EQ
#endif
#ifndef BIT
#define BIT 6
#endif

static atomic_int turn, mutex = 1;

static void wait_while(atomic_int *word, int value, int bits) {
  while (atomic_load(word) == value)
    syscall(SYS_futex, word, FUTEX_WAIT_BITSET_PRIVATE, value, NULL, NULL,
            bits);
}

static long wake_op(int op, int argument, int compare, int with) {
  return syscall(SYS_futex, &turn, FUTEX_WAKE_OP_PRIVATE, 1, 1l, &mutex,
                 FUTEX_OP(op, argument, compare, with));
}

// One waits for its turn, the other for the mutex, which is taken.
static void *for_turn(void *arg) {
  wait_while(&turn, 0, 2);
  return arg;
}

#ifdef OP
static void *for_mutex(void *arg) {
  wait_while(&mutex, 1, FUTEX_BITSET_MATCH_ANY);
  return arg;
}
#endif

int main(void) {
  pthread_t t[2];
#ifdef OP
  pthread_create(&t[0], NULL, for_turn, NULL);
  pthread_create(&t[1], NULL, for_mutex, NULL);
  atomic_store(&turn, 1);
  wake_op(FUTEX_OP_SET, 0, COMPARED, 1);
  assert(atomic_load(&mutex) == 0);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
#elif defined UPDATES
  (void)t, (void)for_turn;
  assert(wake_op(FUTEX_OP_ADD, 5, FUTEX_OP_CMP_GE, 0) == 0 && mutex == 6);
  wake_op(FUTEX_OP_ADD, -7, FUTEX_OP_CMP_LE, -1);
  assert(mutex == -1);
  wake_op(FUTEX_OP_ANDN, 4, FUTEX_OP_CMP_NE, 0);
  assert(mutex == -5);
  wake_op(FUTEX_OP_SET, 9, FUTEX_OP_CMP_GT, 0);
  wake_op(FUTEX_OP_OR | FUTEX_OP_OPARG_SHIFT, 2, FUTEX_OP_CMP_EQ, 0);
  assert(mutex == 13);
  wake_op(FUTEX_OP_XOR, 5, FUTEX_OP_CMP_EQ, 0);
  assert(mutex == 8);
  assert(syscall(SYS_futex, &turn, FUTEX_WAKE_BITSET, 1, NULL, NULL, 0) == -1);
  assert(errno == EINVAL);
#else
  pthread_create(&t[0], NULL, for_turn, NULL);
  atomic_store(&turn, 1);
  syscall(SYS_futex, &turn, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, BIT);
  pthread_join(t[0], NULL);
#endif
  return 0;
}
