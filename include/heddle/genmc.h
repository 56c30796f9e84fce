// SPDX-License-Identifier: MIT
// GenMC's names, so that programs written for it compile unchanged. Its hints
// mean nothing here: what they mark is done as it stands.
#pragma once

#include <heddle.h>
#include <pthread.h>
#include <stddef.h>

#define __VERIFIER_local_write(statement)                                      \
  do {                                                                         \
    statement;                                                                 \
  } while (0)
#define __VERIFIER_final_write(statement) __VERIFIER_local_write(statement)
#define __VERIFIER_helped_CAS(statement) __VERIFIER_local_write(statement)
#define __VERIFIER_helping_CAS(statement) __VERIFIER_local_write(statement)
#define __VERIFIER_optional(statement) __VERIFIER_local_write(statement)
// These yield a value; the argument may end in a semicolon.
#define __VERIFIER_speculative_read(expression) ({ expression; })
#define __VERIFIER_confirming_read(expression) ({ expression; })
#define __VERIFIER_speculative_CAS(expression) ({ expression; })
#define __VERIFIER_confirming_CAS(expression) ({ expression; })
#define __VERIFIER_final_CAS(expression) ({ expression; })
#define __VERIFIER_persistent_storage(declaration) declaration

typedef pthread_t __VERIFIER_thread_t;

__HEDDLE_BEGIN
static inline __VERIFIER_thread_t __VERIFIER_spawn(void *(*start)(void *),
                                                   void *argument) {
  pthread_t thread;
  pthread_create(&thread, NULL, start, argument);
  return thread;
}

static inline __VERIFIER_thread_t
__VERIFIER_spawn_symmetric(void *(*start)(void *), void *argument,
                           __VERIFIER_thread_t other) {
  (void)other;
  return __VERIFIER_spawn(start, argument);
}

static inline void *__VERIFIER_join(__VERIFIER_thread_t thread) {
  void *result;
  pthread_join(thread, &result);
  return result;
}

static inline void __VERIFIER_join_symmetric(__VERIFIER_thread_t thread) {
  pthread_join(thread, NULL);
}

// Hazard pointers: protect loads the pointer at `at` with acquire and keeps
// what it points to from being freed by retire. One that is all zero is a new
// one.
typedef struct __VERIFIER_hp {
  void *object;  // accessed atomically
  void *retired; // by the owner, while it is protected
  struct __VERIFIER_hp *next;
  int owner;
} __VERIFIER_hp_t;
__VERIFIER_hp_t *__VERIFIER_hp_alloc(void);
void *__VERIFIER_hp_protect(__VERIFIER_hp_t *hazard, void *at);
void __VERIFIER_hp_clear(__VERIFIER_hp_t *hazard);
void __VERIFIER_hp_free(__VERIFIER_hp_t *hazard);
void __VERIFIER_hp_retire(void *object);
// Declared only: a program that calls these is refused there.
void *__VERIFIER_palloc(size_t size);
void __VERIFIER_pbarrier(void);
__HEDDLE_END
