// SPDX-License-Identifier: MIT
// Futexes, and the few other system calls that mean something here. A wait
// compares the word and begins to wait as one step, with respect to wakes: the
// lock below is the one that the kernel takes. Whom a wake wakes is a choice.
// A timed wait may give up at once: that is a choice too, not a clock.
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#include "bytecode/pointer.h"
#include "sync.h"

// Of x86-64 and of AArch64, which is that of all newer machines.
enum {
  GETPID = 39,
  GETPID_NEW = 172,
  GETTID = 186,
  GETTID_NEW = 178,
  FUTEX = 202,
  FUTEX_NEW = 98,
  SCHED_YIELD = 24,
  SCHED_YIELD_NEW = 124,
};
enum {
  FUTEX_WAIT = 0,
  FUTEX_WAKE = 1,
  FUTEX_REQUEUE = 3,
  FUTEX_CMP_REQUEUE = 4,
  FUTEX_WAIT_BITSET = 9,
  FUTEX_WAKE_BITSET = 10,
  FUTEX_COMMAND = 127, // without the flags for private words and clocks
  EVERY_BIT = -1,
};

long syscall(long number, ...);
void __heddle_unsupported_this_system_call(void);
void __heddle_unsupported_this_futex_operation(void);

static int lock;
static unsigned long waiting;        // bit t: thread t waits,
static const int *word[MAX_THREADS]; // for a wake of this word
static int woken[MAX_THREADS];       // 1: it was woken and has not noticed

static long fail(int error) {
  errno = error;
  return -1;
}

static long futex_wait(const int *at, int value, int is_timed) {
  unsigned long self = __heddle_self();
  __heddle_lock(&lock);
  if (__atomic_load_n(at, __ATOMIC_RELAXED) != value) {
    __heddle_unlock(&lock);
    return fail(EAGAIN);
  }
  if (is_timed && __heddle_choose(0, 1)) {
    __heddle_unlock(&lock);
    return fail(ETIMEDOUT);
  }
  waiting |= 1ul << self;
  word[self] = at;
  __heddle_unlock(&lock);
  __heddle_take(&woken[self], 1, 1, -1, is_timed);
  return 0;
}

// The threads that wait for the word; the caller has the lock.
static unsigned long waiters_of(const int *at) {
  unsigned long found = 0;
  for (unsigned long left = waiting; left; left &= left - 1) {
    int thread = __builtin_ctzl(left);
    if (word[thread] == at)
      found |= 1ul << thread;
  }
  return found;
}

// One of the threads, whichever.
static unsigned long any_of(unsigned long threads) {
  long others = __builtin_popcountl(threads) - 1;
  for (long skip = others > 0 ? __heddle_choose(0, others) : 0; skip > 0;
       skip--)
    threads &= threads - 1;
  return threads & -threads;
}

static unsigned long choose_waiters(unsigned long from, unsigned long most) {
  unsigned long chosen = 0;
  if ((unsigned long)__builtin_popcountl(from) <= most)
    return from;
  for (; most > 0; most--)
    chosen |= any_of(from & ~chosen);
  return chosen;
}

static void wake(unsigned long threads) {
  waiting &= ~threads;
  for (; threads; threads &= threads - 1)
    __atomic_store_n(&woken[__builtin_ctzl(threads)], 1, __ATOMIC_RELEASE);
}

static long futex_wake(const int *at, int most) {
  __heddle_lock(&lock);
  unsigned long all = waiters_of(at);
  unsigned long chosen = choose_waiters(all, most > 0 ? (unsigned)most : 0);
  if (chosen)
    wake(chosen);
  __heddle_unlock(&lock);
  return __builtin_popcountl(chosen);
}

static long futex_requeue(const int *at, int most, unsigned long most_moved,
                          const int *to, int is_compared, int expected) {
  __heddle_lock(&lock);
  if (is_compared && __atomic_load_n(at, __ATOMIC_RELAXED) != expected) {
    __heddle_unlock(&lock);
    return fail(EAGAIN);
  }
  unsigned long all = waiters_of(at);
  unsigned long woke = choose_waiters(all, most > 0 ? (unsigned)most : 0);
  unsigned long moved = choose_waiters(all & ~woke, most_moved);
  if (woke)
    wake(woke);
  for (unsigned long left = moved; left; left &= left - 1)
    word[__builtin_ctzl(left)] = to;
  __heddle_unlock(&lock);
  return __builtin_popcountl(woke | moved);
}

// The arguments after the third are read only where the operation has them.
static long futex(va_list args) {
  int *at = va_arg(args, int *);
  int operation = va_arg(args, int), value = va_arg(args, int);
  switch (operation & FUTEX_COMMAND) {
  case FUTEX_WAIT:
    return futex_wait(at, value, va_arg(args, void *) != NULL);
  case FUTEX_WAKE:
    return futex_wake(at, value);
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE: {
    unsigned long most = va_arg(args, unsigned long);
    int *to = va_arg(args, int *);
    int is_compared = (operation & FUTEX_COMMAND) == FUTEX_CMP_REQUEUE;
    int expected = is_compared ? va_arg(args, int) : 0;
    return futex_requeue(at, value, most, to, is_compared, expected);
  }
  case FUTEX_WAIT_BITSET:
  case FUTEX_WAKE_BITSET: {
    int is_timed = va_arg(args, void *) != NULL;
    (void)va_arg(args, void *);
    if (va_arg(args, int) != EVERY_BIT)
      break;
    return (operation & FUTEX_COMMAND) == FUTEX_WAKE_BITSET
               ? futex_wake(at, value)
               : futex_wait(at, value, is_timed);
  }
  }
  __heddle_unsupported_this_futex_operation();
  return -1;
}

static long call(long number, va_list args) {
  switch (number) {
  case FUTEX:
  case FUTEX_NEW:
    return futex(args);
  case GETTID:
  case GETTID_NEW:
    return (long)__heddle_self() + 1;
  case GETPID:
  case GETPID_NEW:
    return 1;
  case SCHED_YIELD:
  case SCHED_YIELD_NEW:
    __heddle_yield();
    return 0;
  }
  __heddle_unsupported_this_system_call();
  return -1;
}

long syscall(long number, ...) {
  va_list args;
  va_start(args, number);
  long result = call(number, args);
  va_end(args);
  return result;
}
