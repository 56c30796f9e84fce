// SPDX-License-Identifier: MIT
// Loops that are marked as awaits, in the ways that annotated programs do it:
// marks are accepted and change nothing.
// run: flags=-DWAIT=heddle_await_while(!ready()) sc,rc11 ok 1
// run: flags=-DWAIT=await_while(!ready()){} sc,rc11 ok 1
// run: flags=-DWAIT=await_do{(void)0;}while_await(!ready()) sc,rc11 ok 1
// run: flags=-DWAIT=marked() sc,rc11 ok 1
// run: flags=-DWAIT=heddle_await_while(!ready()) flags=-DNEVER sc,rc11 error hang
// run: flags=-DWAIT=marked() flags=-DNEVER sc,rc11 error hang
#include "../common.h"

static atomic_int flag;

static bool ready(void) {
  return load(&flag, acq) != 0;
}

static void marked(void) {
  __VERIFIER_loop_begin();
  for (;;) {
    __VERIFIER_spin_start();
    bool again = !ready();
    __VERIFIER_spin_end(again);
    if (!again)
      return;
  }
}

static void *waiter(void *unused) {
  (void)marked;
  WAIT;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, waiter, NULL);
#ifndef NEVER
  store(&flag, 1, rel);
#endif
  pthread_join(id, NULL);
  return 0;
}
