// SPDX-License-Identifier: MIT
// A back-off that goes wrong after some failed rounds is not left out: that it
// decides about nothing makes no difference to what C does not define.
// run: flags=-DFIRST=1<<29 flags=-DBACK_OFF=if(d>5)d*=2 args=--error=overflow sc,rc11 error overflow
// run: flags=-DFIRST=-1<<29 flags=-DBACK_OFF=if(d<5)d*=2 args=--error=overflow sc,rc11 error overflow
// run: flags=-DFIRST=1<<29 flags=-DBACK_OFF=if(d>5)sched_yield();d*=2 args=--error=overflow sc,rc11 error overflow
// run: flags=-DFIRST=1 flags=-DBACK_OFF=if((1<<d)>5)sched_yield();d+=20 sc,rc11 error shift
// Nothing goes wrong, however many rounds fail.
// run: flags=-DFIRST=1 flags=-DBACK_OFF=if(d<9)d*=2 args=--error=overflow sc,rc11 ok 1
#include "../common.h"

#include <sched.h>

static atomic_int word;

static void *taker(void *unused) {
  int d = FIRST;
  while (swap(&word, 1, acq)) {
    BACK_OFF; // BUG
  }
  return unused;
}

int main(void) {
  pthread_t t;
  store(&word, 1, rlx);
  pthread_create(&t, NULL, taker, NULL);
  store(&word, 0, rel);
  pthread_join(t, NULL);
  return 0;
}
