// SPDX-License-Identifier: MIT
// Futexes, and the few other system calls that mean something here. A wait
// compares the word and begins to wait as one step, with respect to wakes: the
// lock below is the one that the kernel takes. Whom a wake wakes is a choice.
// A timed wait may give up at once: that is a choice too, not a clock.
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>

#include "bytecode/pointer.h"
#include "clock.h"
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
  FUTEX_WAKE_OP = 5,
  FUTEX_WAIT_BITSET = 9,
  FUTEX_WAKE_BITSET = 10,
  FUTEX_COMMAND = 127, // without the flags for private words and clocks
  EVERY_BIT = -1,
};
enum { OP_SET, OP_ADD, OP_OR, OP_ANDN, OP_XOR, OP_SHIFTED = 8 };
enum { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE };

long syscall(long number, ...);
void __heddle_unsupported_this_futex_operation(void);

// Reports know these names (src/report/library_wait.c).
static int __futex_lock;
static unsigned long __futex_waiting;        // bit t: thread t waits,
static const int *__futex_word[MAX_THREADS]; // for a wake of this word
static int __futex_bits[MAX_THREADS];        // that has one of these bits
static int __futex_woken[MAX_THREADS]; // 1: it was woken and has not noticed

static long fail(int error) {
  errno = error;
  return -1;
}

// Until `end`, if there is one.
static long futex_wait(const int *at, int value, const struct timespec *end,
                       int is_relative, int mask) {
  unsigned long self = __heddle_self();
  __heddle_lock_for(&__futex_lock, at);
  if (__atomic_load_n(at, __ATOMIC_RELAXED) != value) {
    __heddle_unlock(&__futex_lock);
    return fail(EAGAIN);
  }
  if (end && __heddle_choose(0, 1)) {
    __heddle_unlock(&__futex_lock);
    if (is_relative)
      time_passes_for(end);
    else
      time_passes_until(end);
    return fail(ETIMEDOUT);
  }
  __futex_waiting |= 1ul << self;
  __futex_word[self] = at;
  __futex_bits[self] = mask;
  __heddle_unlock(&__futex_lock);
  __heddle_take(&__futex_woken[self], 1, 1, -1, end != NULL);
  return 0;
}

// The threads that wait for the word with one of the bits; the caller has the
// lock.
static unsigned long waiters_of(const int *at, int mask) {
  unsigned long found = 0;
  for (unsigned long left = __futex_waiting; left; left &= left - 1) {
    int thread = __builtin_ctzl(left);
    if (__futex_word[thread] == at && __futex_bits[thread] & mask)
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
  __futex_waiting &= ~threads;
  for (; threads; threads &= threads - 1)
    __atomic_store_n(&__futex_woken[__builtin_ctzl(threads)], 1,
                     __ATOMIC_RELEASE);
}

// Wakes some of those who wait for the word; the caller has the lock.
static int wake_some(const int *at, int most, int mask) {
  unsigned long all = waiters_of(at, mask);
  unsigned long chosen = choose_waiters(all, most > 0 ? (unsigned)most : 0);
  if (chosen)
    wake(chosen);
  return __builtin_popcountl(chosen);
}

static long futex_wake(const int *at, int most, int mask) {
  __heddle_lock_for(&__futex_lock, at);
  int woke = wake_some(at, most, mask);
  __heddle_unlock(&__futex_lock);
  return woke;
}

// The update that FUTEX_WAKE_OP makes; yields what was there.
static int update(int *at, int operation, int argument) {
  if (operation & OP_SHIFTED)
    argument = (int)(1u << (argument & 31));
  switch (operation & ~OP_SHIFTED) {
  case OP_SET:
    return __atomic_exchange_n(at, argument, __ATOMIC_SEQ_CST);
  case OP_ADD:
    return __atomic_fetch_add(at, argument, __ATOMIC_SEQ_CST);
  case OP_OR:
    return __atomic_fetch_or(at, argument, __ATOMIC_SEQ_CST);
  case OP_ANDN:
    return __atomic_fetch_and(at, ~argument, __ATOMIC_SEQ_CST);
  case OP_XOR:
    return __atomic_fetch_xor(at, argument, __ATOMIC_SEQ_CST);
  }
  __heddle_unsupported_this_futex_operation();
  return 0;
}

static int compares(int comparison, int value, int with) {
  switch (comparison) {
  case CMP_EQ:
    return value == with;
  case CMP_NE:
    return value != with;
  case CMP_LT:
    return value < with;
  case CMP_LE:
    return value <= with;
  case CMP_GT:
    return value > with;
  case CMP_GE:
    return value >= with;
  }
  __heddle_unsupported_this_futex_operation();
  return 0;
}

// Updates the word `to`, wakes those of `at` and, if what `to` was compares as
// the code says, those of `to`.
static long futex_wake_op(const int *at, int most, int most_of_to, int *to,
                          int code) {
  int argument = code << 8 >> 20, with = code << 20 >> 20;
  __heddle_lock_for(&__futex_lock, at);
  int was = update(to, code >> 28 & 15, argument);
  int woke = wake_some(at, most, EVERY_BIT);
  if (compares(code >> 24 & 15, was, with))
    woke += wake_some(to, most_of_to, EVERY_BIT);
  __heddle_unlock(&__futex_lock);
  return woke;
}

static long futex_requeue(const int *at, int most, unsigned long most_moved,
                          const int *to, int is_compared, int expected) {
  __heddle_lock_for(&__futex_lock, at);
  if (is_compared && __atomic_load_n(at, __ATOMIC_RELAXED) != expected) {
    __heddle_unlock(&__futex_lock);
    return fail(EAGAIN);
  }
  unsigned long all = waiters_of(at, EVERY_BIT);
  unsigned long woke = choose_waiters(all, most > 0 ? (unsigned)most : 0);
  unsigned long moved = choose_waiters(all & ~woke, most_moved);
  if (woke)
    wake(woke);
  for (unsigned long left = moved; left; left &= left - 1)
    __futex_word[__builtin_ctzl(left)] = to;
  __heddle_unlock(&__futex_lock);
  return __builtin_popcountl(woke | moved);
}

// The arguments after the third are read only where the operation has them.
static long futex(va_list args) {
  int *at = va_arg(args, int *);
  int operation = va_arg(args, int), value = va_arg(args, int);
  switch (operation & FUTEX_COMMAND) {
  case FUTEX_WAIT:
    return futex_wait(at, value, va_arg(args, const struct timespec *),
                      /*is_relative=*/1, EVERY_BIT);
  case FUTEX_WAKE:
    return futex_wake(at, value, EVERY_BIT);
  case FUTEX_WAKE_OP: {
    int most_of_to = (int)va_arg(args, long);
    int *to = va_arg(args, int *);
    return futex_wake_op(at, value, most_of_to, to, va_arg(args, int));
  }
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
    const struct timespec *end = va_arg(args, const struct timespec *);
    (void)va_arg(args, void *);
    int mask = va_arg(args, int);
    if (!mask)
      return fail(EINVAL);
    return (operation & FUTEX_COMMAND) == FUTEX_WAKE_BITSET
               ? futex_wake(at, value, mask)
               : futex_wait(at, value, end, /*is_relative=*/0, mask);
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
  __heddle_no_system_call(NULL, number);
  return fail(ENOSYS);
}

long syscall(long number, ...) {
  va_list args;
  va_start(args, number);
  long result = call(number, args);
  va_end(args);
  return result;
}
