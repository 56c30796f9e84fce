// SPDX-License-Identifier: MIT
// Counts events, and lets threads sleep until one comes; futex.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>
static _Atomic uint32_t ec;
static int payload;
static uint32_t ec_value(void) {
  return atomic_load_explicit(&ec, memory_order_acquire) & 0x7fffffffu;
}
static void ec_inc(void) {
  uint32_t old = atomic_fetch_add_explicit(&ec, 1, memory_order_acq_rel);
  if (old & 0x80000000u) {
    atomic_fetch_and(&ec, 0x7fffffffu);
    syscall(SYS_futex, &ec, FUTEX_WAKE_PRIVATE, 0x7fffffff, 0, 0, 0);
  }
}
static void ec_wait(uint32_t old) {
  for (;;) {
    uint32_t v = atomic_load_explicit(&ec, memory_order_acquire);
    if ((v & 0x7fffffffu) != old)
      return;
    if (!(v & 0x80000000u) &&
        !atomic_compare_exchange_strong(&ec, &v, v | 0x80000000u))
      continue;
    long r = syscall(SYS_futex, &ec, FUTEX_WAIT_PRIVATE, old | 0x80000000u,
                     NULL, 0, 0);
    if (r < 0)
      assert(errno == EAGAIN || errno == EINTR);
  }
}
static void *waiter(void *a) {
  ec_wait(0);
  assert(payload == 3);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, waiter, 0);
  assert(ec_value() == 0);
  payload = 3;
  ec_inc();
  pthread_join(t, 0);
}
