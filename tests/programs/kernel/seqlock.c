// SPDX-License-Identifier: MIT
// Readers of a sequence lock see both halves of what one writer wrote, or begin
// again. Without the number of the section they may see one of each.
// expect: lkmm ok
// run: flags=-DNO_RETRY lkmm error assertion
#include <linux/seqlock.h>
#include <pthread.h>

static DEFINE_SEQLOCK(lock);
static int seconds, nanoseconds;

static void *ticks(void *unused) {
  write_seqlock(&lock);
  WRITE_ONCE(seconds, 1);
  WRITE_ONCE(nanoseconds, 1);
  write_sequnlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  unsigned start;
  int s, ns;
  pthread_create(&t, NULL, ticks, NULL);
  do {
    start = read_seqbegin(&lock);
    s = READ_ONCE(seconds);
    ns = READ_ONCE(nanoseconds);
#ifdef NO_RETRY
    break;
#endif
  } while (read_seqretry(&lock, start));
  assert(s == ns); // BUG
  pthread_join(t, NULL);
  return 0;
}
