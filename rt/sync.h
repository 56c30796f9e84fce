// SPDX-License-Identifier: MIT
// Synchronisation as POSIX and C11 share it, on words that both kinds of
// objects have. Results are POSIX error numbers. A timed operation may give up
// whenever it could not succeed at once: that is a choice, not a clock.
#pragma once

#include "builtin.h"
#include "private.h"

// -- life.c: objects are initialised, used and destroyed in that order. The
// word of an object says whether it is in use; a destroyed one holds
// SYNC_DESTROYED (bytecode/prog.h), a destroyed condition variable
// COND_DESTROYED and a destroyed barrier a count of 0. Words that were never
// set are undefined or, in static memory, 0.
#define SYNC_DESTROYED (-2147483647 - 1)
#define COND_DESTROYED (1ul << 63)
void sync_init(int *word, int value);
void sync_check(int word);
void cond_init(unsigned long *waiting);

// -- held.c: what this thread holds, as far as it must know. Asking shared
// memory would be an event with many outcomes; this is private and costs none.
enum { MAX_HELD = 8 };
extern _Thread_local struct held {
  int *word;
  int count; // how often; -1: a read-write lock, for writing
} held[MAX_HELD];
int held_find(int *word); // the slot, or MAX_HELD
int held_add(int *word, int count);

// -- mutex.c: the word is 0 when free, else the owner's thread id + 1
enum mutex_kind { MUTEX_NORMAL, MUTEX_RECURSIVE, MUTEX_ERRORCHECK };
int mutex_lock(int *word, int kind);
int mutex_trylock(int *word, int kind);
int mutex_timedlock(int *word, int kind);
int mutex_unlock(int *word, int kind);
void mutex_destroy(int *word);

// -- cond.c: bit t of the word: thread t waits and was not woken
int cond_wait(unsigned long *waiting, int *mutex, int kind, int is_timed);
void cond_signal(unsigned long *waiting);
void cond_broadcast(unsigned long *waiting);
void cond_destroy(unsigned long *waiting);

// -- cancel.c: where a thread may be cancelled
int cancel_may_come(void);
int cancel_has_come(void);
_Noreturn void cancel_end(void);
// (A constant that the front end knows: where it is 0, nothing is left of this,
// and a loop that only sleeps stays one that waits.)
extern const int __heddle_mentions_pthread_cancel;
#define cancel_point()                                                         \
  do {                                                                         \
    if (__heddle_mentions_pthread_cancel && cancel_has_come())                 \
      cancel_end();                                                            \
  } while (0)
// Waits until the word is greater than 0 and takes 1 from it; 0: cancelled.
int cancel_or_take(int *word, int is_timed);
void cancel_begin_join(void);
void cancel_end_join(void);

// -- once.c
void once(int *flag, void (*init)(void));

// -- end.c: what a thread does before it ends
int key_create(unsigned *ret, void (*destructor)(void *));
void key_delete(unsigned key);
void *key_get(unsigned key);
int key_set(unsigned key, void *value);
_Noreturn void end_thread(void *result, int is_early);
_Noreturn void leave_thread(void *result); // from within its functions
// forced.c, in programs with exceptions: the functions that are under way are
// left as if they threw.
_Noreturn void exception_force(void *result) __attribute__((weak));
void destroy_thread_objects(void);
void run_exit_handlers(int status); // exit.c
void main_leaves(void);             // exit.c: but not the program
