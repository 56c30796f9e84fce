// A message in plain memory. It must be written before the flag and read after
// it, by barriers, by release and acquire, or by an address that depends on the
// flag. A branch does not order reads. The reader sees the flag or not.
// expect: lkmm ok 2
// run: flags=-DRELEASE lkmm ok 2
// run: flags=-DNO_WMB lkmm error race
// run: flags=-DNO_RMB lkmm error race
#include <linux/atomic.h>
#include <pthread.h>

static int message, flag;

static void *sender(void *unused) {
  message = 1; // BUG
#ifdef RELEASE
  smp_store_release(&flag, 1);
#else
#ifndef NO_WMB
  smp_wmb();
#endif
  WRITE_ONCE(flag, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sender, NULL);
#ifdef RELEASE
  if (smp_load_acquire(&flag)) {
#else
  if (READ_ONCE(flag)) {
#ifndef NO_RMB
    smp_rmb();
#endif
#endif
    assert(message == 1); // BUG
  }
  pthread_join(t, NULL);
  return 0;
}
