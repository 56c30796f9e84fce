// SPDX-License-Identifier: MIT
// POSIX semaphores.
#pragma once

#include <heddle_cdefs.h>
#include <time.h>

#define SEM_VALUE_MAX 2147483647

typedef struct {
  int __value; // how many waits can pass
  unsigned __unused[7];
} __attribute__((__aligned__(8))) sem_t;

__HEDDLE_BEGIN
int sem_init(sem_t *sem, int shared, unsigned value);
int sem_destroy(sem_t *sem);
int sem_wait(sem_t *sem);
int sem_trywait(sem_t *sem);
int sem_timedwait(sem_t *__restrict sem,
                  const struct timespec *__restrict deadline);
int sem_post(sem_t *sem);
int sem_getvalue(sem_t *__restrict sem, int *__restrict ret);
__HEDDLE_END
