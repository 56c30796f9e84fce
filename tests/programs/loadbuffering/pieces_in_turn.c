// SPDX-License-Identifier: MIT
// Two threads, one after the other, update a word of which they also store a
// byte: in pieces, in one execution. No load can be buffered; but several
// workers looked for that, since another one might have met a race, and the
// read of the update had no source ("internal error" once, incomplete then).
// With BESIDE the second runs beside a thread with which its loads may be
// buffered: that is not looked for in pieces, and it is told.
// expect: sc ok 1; rc11 ok 1; xmm ok 1
// run: args=--jobs args=2 xmm ok 1
// run: flags=-DBESIDE rc11 ok 3; xmm incomplete
// run: flags=-DBESIDE args=--jobs args=2 xmm incomplete
#include "../common.h"

static atomic_int word, x, y;

static void *updates(void *beside) {
  store((atomic_char *)&word, 1, rel);
  swap(&word, 1, rlx);
  if (beside) {
    int r = load(&x, rlx);
    store(&y, 1, rlx);
    (void)r;
  }
  return NULL;
}

static void *passes_on(void *unused) {
  store(&x, load(&y, rlx), rlx);
  return unused;
}

int main(void) {
  pthread_t one, two, three;
  pthread_create(&one, NULL, updates, NULL);
  pthread_join(one, NULL);
#ifdef BESIDE
  pthread_create(&three, NULL, passes_on, NULL);
  pthread_create(&two, NULL, updates, &word);
  pthread_join(three, NULL);
#else
  (void)passes_on, (void)three;
  pthread_create(&two, NULL, updates, NULL);
#endif
  pthread_join(two, NULL);
  return 0;
}
