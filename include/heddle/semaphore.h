// SPDX-License-Identifier: MIT
// POSIX semaphores.
#pragma once

#include <heddle_cdefs.h>
#include <time.h>

#define SEM_VALUE_MAX 2147483647
#define SEM_FAILED ((sem_t *)0)

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
int sem_clockwait(sem_t *__restrict sem, clockid_t clock,
                  const struct timespec *__restrict deadline);
int sem_post(sem_t *sem);
int sem_getvalue(sem_t *__restrict sem, int *__restrict ret);
sem_t *sem_open(const char *name, int flags, ...); // mode_t, unsigned
int sem_close(sem_t *sem);
int sem_unlink(const char *name);
__HEDDLE_END
