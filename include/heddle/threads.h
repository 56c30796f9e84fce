// SPDX-License-Identifier: MIT
// C11 threads (C17 7.26). Sizes and constants are those of glibc on x86-64.
#pragma once

#include <heddle_cdefs.h>
#include <time.h>

#ifndef __cplusplus
#define thread_local _Thread_local
#endif
#define TSS_DTOR_ITERATIONS 4

typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef unsigned tss_t;
typedef void (*tss_dtor_t)(void *);

// The host's <stdlib.h> has it too, from glibc 2.43 on (C23).
#ifndef __once_flag_defined
#define __once_flag_defined 1
#define ONCE_FLAG_INIT                                                         \
  { 0 }
typedef struct {
  int __done;
} once_flag;
#endif

typedef struct {
  int __lock; // 0: free, else the owner's thread id + 1
  unsigned __unused[3];
  int __kind;
  int __padding;
  void *__more[2];
} mtx_t;

typedef struct {
  unsigned long __waiting; // bit t: thread t waits
  unsigned __unused[10];
} cnd_t;

enum {
  thrd_success = 0,
  thrd_busy = 1,
  thrd_error = 2,
  thrd_nomem = 3,
  thrd_timedout = 4,
  mtx_plain = 0,
  mtx_recursive = 1,
  mtx_timed = 2,
};

__HEDDLE_BEGIN
int thrd_create(thrd_t *ret, thrd_start_t start, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
thrd_t thrd_current(void);
int thrd_equal(thrd_t a, thrd_t b);
__HEDDLE_NORETURN void thrd_exit(int result);
void thrd_yield(void);
int thrd_sleep(const struct timespec *duration, struct timespec *left);

int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
int mtx_timedlock(mtx_t *__restrict mutex,
                  const struct timespec *__restrict deadline);

int cnd_init(cnd_t *cond);
void cnd_destroy(cnd_t *cond);
int cnd_signal(cnd_t *cond);
int cnd_broadcast(cnd_t *cond);
int cnd_wait(cnd_t *cond, mtx_t *mutex);
int cnd_timedwait(cnd_t *__restrict cond, mtx_t *__restrict mutex,
                  const struct timespec *__restrict deadline);

void call_once(once_flag *flag, void (*init)(void));

int tss_create(tss_t *ret, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);
__HEDDLE_END
