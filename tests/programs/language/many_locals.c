// SPDX-License-Identifier: MIT
// The variables of 150 frames and a large array keep what they hold while other
// threads run: lists of them that are long are kept in blocks (vm/freeze.c).
// expect: sc,tso,ra,rc11,c11,imm,armv8,power,xmm ok 6
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int x;

static void leaf(int *p, int who) {
  char large[40000];
  memset(large, who, sizeof large);
  int old = atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  large[old * 9000 + who] = 'x';
  p[2] = 7;
  atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  for (int i = 0; i < (int)sizeof large; i++)
    assert(large[i] == (i == old * 9000 + who ? 'x' : who));
}

static void work(int depth, int who) {
  int local[3] = {depth, who, depth ^ who};
  int *volatile p = local;
  if (depth)
    work(depth - 1, who);
  else
    leaf(p, who);
  assert(p[0] == depth && p[1] == who && p[2] == (depth ? depth ^ who : 7));
}

static void *thread(void *who) {
  work(150, (int)(long)who);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, thread, (void *)1);
  pthread_create(&b, NULL, thread, (void *)2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
