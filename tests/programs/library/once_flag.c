// SPDX-License-Identifier: MIT
// From glibc 2.43 on, <stdlib.h> declares once_flag and call_once as well
// (C23), before <threads.h> or behind it.
// expect: sc ok 2; rc11 ok 2
// run: flags=-DBEHIND rc11 ok 2
#include <assert.h>
#ifdef BEHIND
#include <threads.h>
#endif
#ifndef __once_flag_defined
#define __once_flag_defined 1
typedef struct {
  int __data;
} once_flag;
#define ONCE_FLAG_INIT                                                         \
  { 0 }
#endif
extern void call_once(once_flag *flag, void (*init)(void));
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int times;

static void init(void) {
  times++;
}

static int run(void *unused) {
  (void)unused;
  call_once(&once, init);
  return times;
}

int main(void) {
  thrd_t t;
  int other;
  thrd_create(&t, run, NULL);
  assert(run(NULL) == 1);
  thrd_join(t, &other);
  assert(other == 1);
  return 0;
}
