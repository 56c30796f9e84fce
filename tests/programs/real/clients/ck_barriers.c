// SPDX-License-Identifier: MIT
// A barrier that turns its sense around, used again and again; assembly.
// run: sc,tso,rc11,imm,armv8 ok
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#define N 2
struct central {
  unsigned value, sense;
};
static struct central bar;
static int seen[N];
static inline unsigned ld(unsigned *t) {
  unsigned r;
  __asm__ __volatile__("movl %1, %0" : "=q"(r) : "m"(*t) : "memory");
  return r;
}
static inline void st(unsigned *t, unsigned v) {
  __asm__ __volatile__("movl %1, %0" : "=m"(*t) : "iq"(v) : "memory");
}
static inline unsigned faa(unsigned *t, unsigned d) {
  __asm__ __volatile__("lock xaddl %1, %0" : "+m"(*t), "+q"(d)::"memory", "cc");
  return d;
}
static void central_wait(unsigned *sense) {
  unsigned s = *sense = ~*sense;
  if (faa(&bar.value, 1) == N - 1) {
    st(&bar.value, 0);
    __asm__ __volatile__("mfence" ::: "memory");
    st(&bar.sense, s);
    return;
  }
  while (s != ld(&bar.sense))
    __asm__ __volatile__("pause");
}
static void *run(void *a) {
  long me = (long)a;
  unsigned sense = 0;
  for (int round = 0; round < 2; round++) {
    seen[me] = round + 1;
    central_wait(&sense);
    for (int i = 0; i < N; i++)
      assert(seen[i] == round + 1);
    central_wait(&sense);
  }
  return NULL;
}
int main(void) {
  pthread_t *t = malloc(N * sizeof *t);
  for (long i = 0; i < N; i++)
    pthread_create(t + i, NULL, run, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], NULL);
  free(t);
}
