// SPDX-License-Identifier: MIT
// A byte fifo of the kernel: positions that only grow, a mask, and copies in
// two parts. One thread reads until it has all.
// run: rc11 error race
// run: args=--volatile args=relaxed args=--unroll args=2 rc11 incomplete
// run: args=--volatile args=relaxed args=--unroll args=2 flags=-DWEAK rc11 error race
#include <assert.h>
#include <pthread.h>
#include <string.h>
#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v) (*(volatile __typeof__(x) *)&(x) = (v))
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_mb() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define min(a, b) ((a) < (b) ? (a) : (b))
struct kfifo {
  unsigned in, out, mask;
  unsigned char data[4];
};
static unsigned kfifo_unused(struct kfifo *f) {
  return (f->mask + 1) - (READ_ONCE(f->in) - READ_ONCE(f->out));
}
static void copy_in(struct kfifo *f, const void *src, unsigned len,
                    unsigned off) {
  unsigned size = f->mask + 1, l;
  off &= f->mask;
  l = min(len, size - off);
  memcpy(f->data + off, src, l);
  memcpy(f->data, (const char *)src + l, len - l);
#ifndef WEAK
  smp_wmb();
#endif
}
static unsigned kfifo_in(struct kfifo *f, const void *buf, unsigned len) {
  unsigned l = kfifo_unused(f);
  smp_mb();
  if (len > l)
    len = l;
  copy_in(f, buf, len, f->in);
  WRITE_ONCE(f->in, f->in + len);
  return len;
}
static void copy_out(struct kfifo *f, void *dst, unsigned len, unsigned off) {
  unsigned size = f->mask + 1, l;
  off &= f->mask;
  l = min(len, size - off);
  memcpy(dst, f->data + off, l);
  memcpy((char *)dst + l, f->data, len - l);
  smp_mb();
}
static unsigned kfifo_out(struct kfifo *f, void *buf, unsigned len) {
  unsigned l = READ_ONCE(f->in) - f->out;
  smp_rmb();
  if (len > l)
    len = l;
  copy_out(f, buf, len, f->out);
  WRITE_ONCE(f->out, f->out + len);
  return len;
}
static struct kfifo fifo = {.mask = 3};
static void *reader(void *arg) {
  unsigned char got[3];
  unsigned n = 0;
  while (n < 3)
    n += kfifo_out(&fifo, got + n, 3 - n);
  assert(got[0] == 'a' && got[1] == 'b' && got[2] == 'c');
  return arg;
}
static void *writer(void *arg) {
  kfifo_in(&fifo, "ab", 2);
  kfifo_in(&fifo, "c", 1);
  return arg;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, reader, NULL);
  pthread_create(&t[1], NULL, writer, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
}
