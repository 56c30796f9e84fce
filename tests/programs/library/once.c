// SPDX-License-Identifier: MIT
// Once: the function runs once, and whoever returns from the call sees what it
// did. An initialiser that waits for itself hangs.
// run: flags=-DN=2 flags=-DPOSIX all ok 2
// run: flags=-DN=3 flags=-DC11 sc,rc11 ok 3
// run: flags=-DN=1 flags=-DPOSIX flags=-DAGAIN sc,rc11 error hang
// run: flags=-DN=2 flags=-DPOSIX flags=-DBY_HAND sc,rc11 error race
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <threads.h>

static int value, calls;

#ifdef POSIX
static pthread_once_t flag = PTHREAD_ONCE_INIT;
#define ONCE() pthread_once(&flag, init)
#else
static once_flag flag = ONCE_FLAG_INIT;
#define ONCE() call_once(&flag, init)
#endif

static void init(void) {
  calls++;
#ifdef AGAIN
  ONCE(); // BUG
#endif
  value = 42;
}

static void *thread(void *unused) {
#ifdef BY_HAND
  if (!value) // BUG
    init();
  (void)flag;
#else
  ONCE();
#endif
  assert(value == 42 && calls == 1);
  return unused;
}

int main(void) {
  pthread_t id[N];
  for (int i = 0; i < N; i++)
    pthread_create(&id[i], NULL, thread, NULL);
  for (int i = 0; i < N; i++)
    pthread_join(id[i], NULL);
}
