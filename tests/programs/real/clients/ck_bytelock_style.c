// SPDX-License-Identifier: MIT
// Readers with a byte each, which the writer looks at as a word; assembly.
// run: sc,tso,armv8 ok
// run: rc11,imm error race
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#define CC_STALL() __asm__ __volatile__("pause" ::: "memory")
struct bytelock {
  unsigned owner;
  unsigned unused;
  uint8_t readers[8];
} __attribute__((aligned(64)));
static inline unsigned faa_uint(unsigned *t, unsigned d) {
  __asm__ __volatile__("lock xaddl %1, %0"
                       : "+m"(*t), "+q"(d)
                       :
                       : "memory", "cc");
  return d;
}
static inline bool cas_uint(unsigned *t, unsigned c, unsigned s) {
  bool z;
  __asm__ __volatile__("lock cmpxchgl %3, %0; sete %1"
                       : "+m"(*t), "=q"(z), "+a"(c)
                       : "q"(s)
                       : "memory", "cc");
  return z;
}
static inline unsigned load_uint(const unsigned *t) {
  unsigned r;
  __asm__ __volatile__("movl %1, %0" : "=q"(r) : "m"(*t) : "memory");
  return r;
}
static inline uint64_t load_64(const uint64_t *t) {
  uint64_t r;
  __asm__ __volatile__("movq %1, %0" : "=q"(r) : "m"(*t) : "memory");
  return r;
}
static inline uint8_t load_8(const uint8_t *t) {
  uint8_t r;
  __asm__ __volatile__("movb %1, %0" : "=q"(r) : "m"(*t) : "memory");
  return r;
}
static inline void store_uint(unsigned *t, unsigned v) {
  __asm__ __volatile__("movl %1, %0" : "=m"(*t) : "iq"(v) : "memory");
}
static inline void store_8(uint8_t *t, uint8_t v) {
  __asm__ __volatile__("movb %1, %0" : "=m"(*t) : "iq"(v) : "memory");
}
static inline uint8_t fas_8(uint8_t *t, uint8_t v) {
  __asm__ __volatile__("xchgb %0, %1" : "+m"(*t), "+q"(v) : : "memory");
  return v;
}
static struct bytelock L;
static int data;
static void write_lock(unsigned slot) {
  while (!cas_uint(&L.owner, 0, slot))
    while (load_uint(&L.owner))
      CC_STALL();
  uint64_t *w = (void *)L.readers;
  while (load_64(w) != 0)
    CC_STALL();
}
static void write_unlock(void) {
  store_uint(&L.owner, 0);
}
static void read_lock(unsigned slot) {
  for (;;) {
    fas_8(&L.readers[slot - 1], 1);
    if (load_uint(&L.owner) == 0)
      return;
    store_8(&L.readers[slot - 1], 0);
    while (load_uint(&L.owner))
      CC_STALL();
  }
}
static void read_unlock(unsigned slot) {
  store_8(&L.readers[slot - 1], 0);
}
static void *writer(void *a) {
  write_lock(1);
  data++;
  write_unlock();
  return a;
}
static void *reader(void *a) {
  read_lock(2);
  int x = data;
  assert(x == data);
  read_unlock(2);
  return a;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  assert(data == 1);
}
