// SPDX-License-Identifier: MIT
// Accesses of different size to the same bytes, by one thread or ordered: each
// read puts together what the writes before it left in its bytes.
// run: flags=-DWHAT=halves sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DWHAT=updates sc,tso,pso,ra,rc11,imm,armv8 ok 1
// run: flags=-DWHAT=unaligned sc,rc11,imm,armv8 ok 1
// run: flags=-DWHAT=hashed sc,rc11,imm,armv8 ok 1
// run: flags=-DWHAT=wide sc,rc11,armv8 ok 1
// run: flags=-DWHAT=locked sc,tso,pso,ra,rc11,imm,armv8 ok 2
// run: flags=-DWHAT=published sc,rc11,imm,armv8 ok 2
// run: flags=-DWHAT=published flags=-DORDER=relaxed rc11,imm error race
// run: flags=-DWHAT=half_set rc11,armv8 error uninitialized
// run: flags=-DWHAT=kept args=--error args=leak rc11 ok 1
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef ORDER
#define ORDER release
#endif
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)

static union {
  long word;
  int half[2];
  short quarter[4];
  unsigned char byte[8];
} u;

static void halves(void) {
  u.word = 0x0807060504030201;
  assert(u.half[1] == 0x08070605 && u.quarter[1] == 0x0403);
  u.byte[3] = 0x44;
  u.quarter[2] = 0x5555;
  assert(u.word == 0x0807555544030201);
  u.half[0] = -1;
  assert(u.byte[3] == 0xff && u.byte[4] == 0x55);
}

static union {
  atomic_ulong word;
  atomic_uint half[2];
} a;

static void updates(void) {
  atomic_store(&a.half[1], 2);
  assert(atomic_fetch_add(&a.word, 0xffffffff) == 0x200000000);
  assert(atomic_fetch_add(&a.half[0], 1) == 0xffffffff);
  unsigned long expected = 1;
  assert(!atomic_compare_exchange_strong(&a.word, &expected, 3));
  assert(expected == 0x200000000);
  assert(atomic_compare_exchange_strong(&a.word, &expected, 0x300000004));
  assert(atomic_exchange(&a.half[1], 5) == 3);
  assert(atomic_load_explicit(&a.word, memory_order_relaxed) == 0x500000004);
}

static struct __attribute__((packed)) {
  char first;
  int number;
  short small;
} packed;

static void unaligned(void) {
  packed.number = 0x04030201;
  unsigned char *b = (unsigned char *)&packed;
  assert(b[1] == 1 && b[4] == 4);
  short s;
  memcpy(&s, b + 2, 2);
  assert(s == 0x0302);
  memcpy(b + 4, &s, 2); // half of either
  assert(packed.number == 0x02030201 && packed.small == 3);
}

static struct node {
  char c;
  short s;
  int i[2];
  long l;
  double d;
} node;

static unsigned hash(const void *p, size_t n) {
  unsigned h = 0;
  for (const unsigned char *b = p; n--; b++)
    h = h * 31 + *b;
  return h;
}

static void hashed(void) {
  struct node local;
  memset(&local, 0, sizeof local);
  node.c = local.c = 1;
  node.s = local.s = 2;
  node.i[1] = local.i[1] = 3;
  node.l = local.l = 1L << 40;
  node.d = local.d = 0.1;
  assert(hash(&node, sizeof node) == hash(&local, sizeof local));
  node.i[0]++;
  assert(hash(&node, sizeof node) != hash(&local, sizeof local));
}

static union {
  _Atomic __int128 whole;
  unsigned long half[2];
} w;

static void wide(void) {
  atomic_store(&w.whole, ((__int128)7 << 64) + 5);
  assert(w.half[0] == 5 && w.half[1] == 7);
  w.half[0] = 6;
  assert(atomic_exchange(&w.whole, 1) == ((__int128)7 << 64) + 6);
  assert(w.half[0] == 1 && w.half[1] == 0);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *add_bytes(void *arg) {
  pthread_mutex_lock(&mutex);
  u.byte[0]++;
  u.byte[5]++;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void locked(void) {
  pthread_t t;
  pthread_create(&t, NULL, add_bytes, NULL);
  pthread_mutex_lock(&mutex);
  u.word += 0x100000001;
  pthread_mutex_unlock(&mutex);
  pthread_join(t, NULL);
  assert(u.half[0] == 2 && u.half[1] == 0x101);
}

static atomic_int ready;

static void *publish(void *arg) {
  u.word = 0x100000002; // BUG
  atomic_store_explicit(&ready, 1, CAT(memory_order_, ORDER));
  return arg;
}

static void published(void) {
  pthread_t t;
  pthread_create(&t, NULL, publish, NULL);
  if (atomic_load_explicit(&ready, memory_order_acquire))
    assert(u.half[0] == 2 && u.half[1] == 1); // BUG
  pthread_join(t, NULL);
}

static void half_set(void) {
  int *p = malloc(8);
  p[0] = 0;
  if (*(long *)p) // BUG
    free(p);
}

static char *pointer;

static void kept(void) {
  pointer = malloc(3);
  assert(hash(&pointer, sizeof pointer));
}

int main(void) {
  (void)halves, (void)updates, (void)unaligned, (void)hashed, (void)wide;
  (void)locked, (void)published, (void)half_set, (void)kept;
  WHAT();
  return 0;
}
