// SPDX-License-Identifier: MIT
// A plain write races with who waits for what is written behind it. Who reads
// the newest value comes after both; only a failed round, of something old,
// shows the race, and the kernel's model finds races in complete executions.
// WAITED_FOR: the reader waits before anything was written.
// run: lkmm error race
// run: flags=-DWAITED_FOR args=--no-await-check lkmm error race
// run: flags=-DRIGHT lkmm ok 1
#include <linux/compiler.h>
#include <pthread.h>

static int x = 5, y;

static void *reader(void *unused) {
  while (READ_ONCE(x) != 1) { // BUG
  }
  return unused;
}

static void *writer(void *unused) {
#ifdef WAITED_FOR
  while (READ_ONCE(y) == 1) {
  }
#endif
#ifdef RIGHT
  WRITE_ONCE(x, 0);
#else
  x = 0; // BUG
#endif
  smp_store_release(&x, 1);
  return unused;
}

static void *other(void *unused) {
  WRITE_ONCE(y, 1);
  return unused;
}

int main(void) {
  pthread_t r, w, o;
  pthread_create(&r, NULL, reader, NULL);
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&o, NULL, other, NULL);
  pthread_join(r, NULL);
  pthread_join(w, NULL);
}
