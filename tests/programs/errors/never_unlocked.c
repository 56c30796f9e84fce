// SPDX-License-Identifier: MIT
// A lock that its holder never gives back: whoever comes second waits for ever.
// A blocked end that is only a failed assume is no error.
// run: flags=-DASSUME=true sc,rc11 error deadlock
// run: flags=-DASSUME=false sc,rc11 incomplete 0
#include "../common.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *thread(void *unused) {
  heddle_assume(ASSUME);
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  run(2, thread);
  return 0;
}
