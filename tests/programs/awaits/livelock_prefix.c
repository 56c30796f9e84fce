// SPDX-License-Identifier: MIT
// Two threads overwrite each other's mark until one keeps it; but a third one
// ends that, so there is no livelock. Had it waited until somebody was through,
// it would not: executions in which it saw that say nothing about what could
// happen again before. (With BLIND it never ends it.)
// args: --unroll marks:3
// run: sc,rc11 incomplete
// run: flags=-DBLIND sc,rc11 error livelock
#include "../common.h"

static atomic_int mark, through, stop;

static void *marks(void *number) {
  int me = (int)(uintptr_t)number + 1;
  do
    store(&mark, me, sc);
  while (load(&mark, sc) != me && !load(&stop, sc));
  store(&through, 1, sc);
  return NULL;
}

static void *ends(void *unused) {
#ifdef BLIND
  (void)load(&through, sc);
#else
  if (!load(&through, sc))
    store(&stop, 1, sc);
#endif
  return unused;
}

static void *thread(void *number) {
  return (uintptr_t)number < 2 ? marks(number) : ends(number);
}

int main(void) {
  run(3, thread);
  return 0;
}
