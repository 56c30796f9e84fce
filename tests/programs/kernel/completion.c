// SPDX-License-Identifier: MIT
// A completion that is completed for all several times, as by each of many
// error paths, lets everybody go on for good; one that is completed once lets
// one thread go on. (The waiter goes on behind any of the five.)
// expect: lkmm ok 5
// run: flags=-DONCE lkmm error deadlock
#include <linux/completion.h>
#include <lkmm.h>
#include <pthread.h>

static DECLARE_COMPLETION(done);

static void *waiter(void *unused) {
  wait_for_completion(&done);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, waiter, NULL);
#ifdef ONCE
  complete(&done);
#else
  for (int i = 0; i < 5; i++)
    complete_all(&done);
#endif
  pthread_join(id, NULL);
  wait_for_completion(&done);
  return 0;
}
