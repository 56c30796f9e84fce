// SPDX-License-Identifier: MIT
// The types of POSIX threads, where glibc's headers look for them too. Sizes
// and the members that matter (the lock word at offset 0, the kind at offset
// 16) are those of glibc on x86-64, so that the same library code serves
// programs compiled with --system-headers.
#pragma once

typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
typedef volatile int pthread_spinlock_t;

typedef struct {
  int __lock; // 0: free, else the owner's thread id + 1
  unsigned __unused[3];
  int __kind;
  int __padding;
  void *__more[2];
} pthread_mutex_t;

typedef struct {
  unsigned long __waiting; // bit t: thread t waits
  unsigned __unused[10];
} pthread_cond_t;

typedef struct {
  int __word; // -1: a writer has it, else the number of readers
  unsigned __unused[13];
} __attribute__((__aligned__(8))) pthread_rwlock_t;

typedef struct {
  unsigned __arrived; // how often in all
  int __opened;       // rounds that are over
  unsigned __count;
  unsigned __unused[5];
} __attribute__((__aligned__(8))) pthread_barrier_t;

union pthread_attr_t {
  int __word[14];
  long __align;
};
#ifndef __have_pthread_attr_t // as glibc guards it
#define __have_pthread_attr_t 1
typedef union pthread_attr_t pthread_attr_t;
#endif

typedef union {
  int __kind;
} pthread_mutexattr_t;

typedef union {
  int __word;
} pthread_condattr_t;

typedef union {
  int __word[2];
  long __align;
} pthread_rwlockattr_t;

typedef union {
  int __word;
} pthread_barrierattr_t;
