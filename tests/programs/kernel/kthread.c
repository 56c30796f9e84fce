// SPDX-License-Identifier: MIT
// A thread that works until it is stopped, and what it has done is seen then.
// Readers and writers of its state take turns.
// expect: lkmm ok
// run: flags=-DNO_LOCK lkmm error race
#include <linux/kthread.h>
#include <linux/rwlock.h>

static DEFINE_RWLOCK(lock);
static int a, b;

static int worker(void *unused) {
  while (!kthread_should_stop())
    cpu_relax();
#ifndef NO_LOCK
  write_lock(&lock);
#endif
  a++; // BUG
  b++; // BUG
#ifndef NO_LOCK
  write_unlock(&lock);
#endif
  return a;
}

static void *reader(void *unused) {
#ifndef NO_LOCK
  read_lock(&lock);
#endif
  assert(a == b); // BUG
#ifndef NO_LOCK
  read_unlock(&lock);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  struct task_struct *task = kthread_run(worker, NULL, "worker");
  pthread_create(&t, NULL, reader, NULL);
  int last = kthread_stop(task);
  assert(last == 1);
  pthread_join(t, NULL);
  return 0;
}
