// SPDX-License-Identifier: MIT
// What kills a program natively must be a finding or an end, and not kill the
// checker: abort, division by zero, a wild jump, exit in a thread. After exit
// nothing runs any more, so the others do not wait and do not fail.
// run: flags=-DDO=abort() sc,rc11 error abort
// run: flags=-DDO=(void)(1/zero) sc,rc11 error division-by-zero
// run: flags=-DDO=*(int*)8=1 sc,rc11 error null-pointer
// run: flags=-DDO=*(int*)0x12345678=1 sc,rc11 error wild-pointer
// run: flags=-DDO=((void(*)(void))8)() sc,rc11 error bad-call
// run: flags=-DDO=__builtin_trap() sc,rc11 error abort
// run: flags=-DDO=exit(zero) sc,rc11 ok
// run: flags=-DDO=exit(zero) flags=-DWAIT sc,rc11 ok
// run: flags=-DDO=pthread_exit(NULL) sc,rc11 ok
#include "../common.h"

static int zero;
static atomic_int never;

static void *thread(void *unused) {
  DO;
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, thread, NULL);
#ifdef WAIT
  while (!load(&never, acq))
    continue;
#endif
  pthread_join(id, NULL);
  return 0;
}
