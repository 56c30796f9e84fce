// SPDX-License-Identifier: MIT
// Mutexes. A normal one is an instruction of the interpreter, which also finds
// relocking and wrong unlocking. For the other kinds a thread must know whether
// it holds the mutex already.
#include <errno.h>

#include "sync.h"

static int self_word(void) {
  return (int)__heddle_self() + 1;
}

// What the kind says about a lock by this thread: 0 if it must be taken, else
// *ret is the result.
static int answers_at_once(int *word, int kind, int *ret) {
  int i = kind == MUTEX_NORMAL ? MAX_HELD : held_find(word);
  if (i == MAX_HELD)
    return 0;
  if (kind == MUTEX_RECURSIVE)
    held[i].count++;
  *ret = kind == MUTEX_RECURSIVE ? 0 : EDEADLK;
  return 1;
}

static int was_taken(int *word, int kind) {
  if (kind != MUTEX_NORMAL)
    held_add(word, 1);
  return 0;
}

int mutex_lock(int *word, int kind) {
  int result;
  if (answers_at_once(word, kind, &result))
    return result;
  __heddle_lock(word);
  return was_taken(word, kind);
}

int mutex_trylock(int *word, int kind) {
  int result, expected = 0;
  if (answers_at_once(word, kind, &result))
    return result ? EBUSY : 0;
  if (!__atomic_compare_exchange_n(word, &expected, self_word(), /*weak=*/0,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    sync_check(expected);
    return EBUSY;
  }
  return was_taken(word, kind);
}

int mutex_timedlock(int *word, int kind) {
  int result;
  if (answers_at_once(word, kind, &result))
    return result;
  if (__heddle_choose(0, 1)) {
    int seen = __atomic_load_n(word, __ATOMIC_RELAXED);
    sync_check(seen);
    __heddle_assume(seen != 0);
    return ETIMEDOUT;
  }
  __heddle_take(word, 0, 0, self_word(), /*is_timed=*/1);
  return was_taken(word, kind);
}

int mutex_unlock(int *word, int kind) {
  if (kind != MUTEX_NORMAL) {
    int i = held_find(word);
    if (i == MAX_HELD)
      return EPERM;
    if (--held[i].count > 0)
      return 0;
    held[i].word = 0;
  }
  __heddle_unlock(word);
  return 0;
}

void mutex_destroy(int *word) {
  int seen = *word;
  sync_check(seen);
  if (seen != 0)
    __heddle_fail(FIND_DESTROY_HELD, "destruction of a mutex that is held");
  *word = SYNC_DESTROYED;
}
