// SPDX-License-Identifier: MIT
// Locks that are assumed to be free, by a function that aborts if not.
// run: args=--disable args=abort sc,rc11,imm ok
// run: rc11 error abort
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int,
                          const char *) __attribute__((__nothrow__, __leaf__))
__attribute__((__noreturn__));
void reach_error() {
  __assert_fail("0", "sv_rwlock.c", 3, "reach_error");
}
void assume_abort_if_not(int cond) {
  if (!cond) {
    abort();
  }
}
#include <pthread.h>
int w = 0, r = 0, x, y;
void __VERIFIER_atomic_take_write_lock() {
  assume_abort_if_not(w == 0 && r == 0);
  w = 1;
}
void __VERIFIER_atomic_take_read_lock() {
  assume_abort_if_not(w == 0);
  r = r + 1;
}
void __VERIFIER_atomic_release_read_lock() {
  r = r - 1;
}
void __VERIFIER_atomic_release_write_lock() {
  w = 0;
}
void *writer(void *arg) {
  __VERIFIER_atomic_take_write_lock();
  x = 3;
  __VERIFIER_atomic_release_write_lock();
  return 0;
}
void *reader(void *arg) {
  int l;
  __VERIFIER_atomic_take_read_lock();
  l = x;
  y = l;
  if (!(y == x))
    reach_error();
  __VERIFIER_atomic_release_read_lock();
  return 0;
}
int main() {
  pthread_t t1, t2, t3;
  pthread_create(&t1, 0, writer, 0);
  pthread_create(&t2, 0, reader, 0);
  pthread_create(&t3, 0, writer, 0);
  pthread_join(t1, 0);
  pthread_join(t2, 0);
  pthread_join(t3, 0);
  return 0;
}
