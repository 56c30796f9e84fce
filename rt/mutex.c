// SPDX-License-Identifier: MIT
// Mutexes. A normal one is an instruction of the interpreter, which also finds
// relocking and wrong unlocking. For the other kinds a thread must know whether
// it holds the mutex already. Reading the lock word would be one more event
// with many possible outcomes, but the thread can simply remember what it
// holds: that is private memory and costs no event.
#include "mutex.h"

#include <errno.h>

#include "builtin.h"

enum { MAX_HELD = 4 };

// The mutexes of a special kind that this thread holds, and how often.
static _Thread_local struct {
  int *word;
  unsigned count;
} held[MAX_HELD];

// The slot of `word`, or of NULL for a free one; MAX_HELD if there is none.
static int find_held(int *word) {
  int i = 0;
  while (i < MAX_HELD && held[i].word != word)
    i++;
  return i;
}

static void hold(int *word) {
  int i = find_held(NULL);
  if (i == MAX_HELD)
    __heddle_fail(FIND_BAD_ARGUMENT, "a thread may hold 4 recursive or "
                                     "error-checking mutexes at a time");
  held[i].word = word;
  held[i].count = 1;
}

int mutex_lock(int *word, int kind) {
  if (kind == MUTEX_NORMAL) {
    __heddle_lock(word);
    return 0;
  }
  int i = find_held(word);
  if (i == MAX_HELD) {
    __heddle_lock(word);
    hold(word);
    return 0;
  }
  if (kind == MUTEX_ERRORCHECK)
    return EDEADLK;
  held[i].count++;
  return 0;
}

int mutex_trylock(int *word, int kind) {
  int i = kind == MUTEX_NORMAL ? MAX_HELD : find_held(word);
  if (i < MAX_HELD && kind == MUTEX_RECURSIVE) {
    held[i].count++;
    return 0;
  }
  int expected = 0, self = (int)__heddle_self() + 1;
  if (!__atomic_compare_exchange_n(word, &expected, self, /*weak=*/0,
                                   __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
    return EBUSY;
  if (kind != MUTEX_NORMAL)
    hold(word);
  return 0;
}

int mutex_unlock(int *word, int kind) {
  if (kind != MUTEX_NORMAL) {
    int i = find_held(word);
    if (i == MAX_HELD)
      return EPERM;
    if (--held[i].count > 0)
      return 0;
    held[i].word = NULL;
  }
  __heddle_unlock(word);
  return 0;
}

void mutex_destroy(int *word) {
  if (*word != 0)
    __heddle_fail(FIND_DESTROY_HELD, "destruction of a mutex that is held");
}
