// SPDX-License-Identifier: MIT
// Reads whose values are still needed, then a thread is detached, which orders
// nothing: what is written behind that may be seen before the read is done.
// expect: rc11 ok 3; imm,armv8 ok 4
#include "../common.h"

static atomic_int x, y;
static int a, b;
static pthread_t others[2];

static void *nothing(void *unused) {
  return unused;
}

static void *left(void *unused) {
  int r = load(&x, rlx);
  pthread_detach(others[0]);
  store(&y, 1, rlx);
  a = r;
  return unused;
}

static void *right(void *unused) {
  int r = load(&y, rlx);
  pthread_detach(others[1]);
  store(&x, 1, rlx);
  b = r;
  return unused;
}

int main(void) {
  pthread_t l, r;
  pthread_create(&others[0], NULL, nothing, NULL);
  pthread_create(&others[1], NULL, nothing, NULL);
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  return a + b > 2;
}
