// SPDX-License-Identifier: MIT
// A phase-fair lock of four counters; assembly.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#define RINC 0x100u
#define WBITS 0x3u
#define PRES 0x2u
#define PHID 0x1u
struct pflock {
  uint32_t rin, rout, win, wout;
};
static inline uint32_t faa(uint32_t *t, uint32_t d) {
  __asm__ __volatile__("lock xaddl %1, %0" : "+m"(*t), "+q"(d)::"memory", "cc");
  return d;
}
static inline void andl(uint32_t *t, uint32_t d) {
  __asm__ __volatile__("lock andl %1, %0"
                       : "+m"(*t)
                       : "iq"(d)
                       : "memory", "cc");
}
static inline uint32_t ld(const uint32_t *t) {
  uint32_t r;
  __asm__ __volatile__("movl %1, %0" : "=q"(r) : "m"(*t) : "memory");
  return r;
}
static struct pflock L;
static int x, y;
static void rlock(void) {
  uint32_t w = faa(&L.rin, RINC) & WBITS;
  if (w == 0)
    return;
  while ((ld(&L.rin) & WBITS) == w)
    __asm__ __volatile__("pause");
}
static void runlock(void) {
  faa(&L.rout, RINC);
}
static void wlock(void) {
  uint32_t t = faa(&L.win, 1);
  while (ld(&L.wout) != t)
    __asm__ __volatile__("pause");
  t = PRES | (t & PHID);
  t = faa(&L.rin, t);
  while (ld(&L.rout) != t)
    __asm__ __volatile__("pause");
}
static void wunlock(void) {
  andl(&L.rin, 0xfffffff0u);
  faa(&L.wout, 1);
}
static void *w(void *a) {
  wlock();
  x++;
  y++;
  wunlock();
  return a;
}
static void *r(void *a) {
  rlock();
  assert(x == y);
  runlock();
  return a;
}
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, w, 0);
  pthread_create(&t[1], 0, r, 0);
  pthread_create(&t[2], 0, w, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(x == 2);
}
