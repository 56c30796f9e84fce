// SPDX-License-Identifier: MIT
// Load buffering through a thread that is created, joined or ends between a
// read and what others see of it. That orders like smp_mb(); but what follows
// the read of x on the other side is not ordered with it, though the address of
// an access before it is computed from x. So all values go together.
// run: flags=-DCREATED lkmm ok 4; sc ok 3
// run: flags=-DJOINED lkmm ok 4; sc ok 3
// run: flags=-DENDED lkmm ok 4; sc ok 3
// With data or a branch, which orders, they do not.
// run: flags=-DCREATED flags=-DDATA lkmm ok 3; sc ok 3
// run: flags=-DJOINED flags=-DDATA lkmm ok 3; sc ok 3
// run: flags=-DENDED flags=-DDATA lkmm ok 3; sc ok 3
#include <lkmm.h>
#include <pthread.h>

static int x, z, a[2];

static void *write_x(void *unused) {
  WRITE_ONCE(x, 1);
  return unused;
}

static void *read_z(void *unused) {
  READ_ONCE(z);
  return unused;
}

static void *nothing(void *unused) {
  return unused;
}

static void *read_x_write_z(void *unused) {
  int r = READ_ONCE(x);
#ifdef DATA
  WRITE_ONCE(z, r * 0 + 1);
#else
  READ_ONCE(a[r]);
  WRITE_ONCE(z, 1);
#endif
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, read_x_write_z, NULL);
#ifdef CREATED
  int r = READ_ONCE(z);
  pthread_create(&u, NULL, write_x, NULL);
  pthread_join(u, NULL);
#elif defined JOINED
  pthread_create(&u, NULL, nothing, NULL);
  int r = READ_ONCE(z);
  pthread_join(u, NULL);
  write_x(NULL);
#else
  pthread_create(&u, NULL, read_z, NULL);
  int r = 0;
  pthread_join(u, NULL);
  write_x(NULL);
#endif
  pthread_join(t, NULL);
  assert(r == 0 || r == 1);
}
