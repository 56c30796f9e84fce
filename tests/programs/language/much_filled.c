// SPDX-License-Identifier: MIT
// memset of much memory is one write until somebody looks at a part of it
// (explore/memory/fills.c): in the middle, at an end, where another thread
// fills as well, or after the memory has gone. Under models that follow
// dependencies each cell is written.
// run: big flags=-DN=300000000 rc11,sc,tso ok 1
// run: big flags=-DN=300000000 flags=-DLOOK rc11,sc,tso ok 1
// run: flags=-DN=20000 flags=-DLOOK rc11,imm ok 1
// run: big flags=-DN=300000000 flags=-DRACE rc11 error race
// run: big flags=-DN=300000000 flags=-DRACE_FILL rc11 error race
// run: flags=-DN=20000 flags=-DRACE_FILL rc11,imm error race
// run: args=--without args=fills flags=-DN=20000 flags=-DLOOK rc11 ok 1
// run: flags=-DN=20000 flags=-DFILL rc11,imm ok 1
// run: flags=-DN=20000 flags=-DSCAN rc11,imm ok 1
// run: flags=-DN=4000 flags=-DBEYOND rc11,imm error out-of-bounds
// run: big flags=-DN=300000000 flags=-DFREED rc11 error use-after-free
// run: big flags=-DN=300000000 flags=-DRACE_FREE rc11 error free-race
// run: big flags=-DN=300000000 flags=-DTWICE rc11 ok 1
// run: big flags=-DN=300000000 flags=-DKEPT rc11 ok 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char *p;
static atomic_int flag;

static void *work(void *unused) {
#ifdef RACE
  return p[N / 2] ? &p : unused;
#elif defined RACE_FILL
  memset(p + N / 4, 4, N / 2);
#elif defined FILL
  memset(p + N / 4, 4, N / 4);
#elif defined SCAN
  long sum = 0;
  for (int i = 0; i < N; i++)
    sum += p[i];
  assert(sum == 3L * N);
#elif defined RACE_FREE
  free(p);
#elif defined KEPT
  atomic_store_explicit(&flag, 1, memory_order_release);
#endif
  return unused;
}

int main(void) {
  pthread_t id;
  p = malloc(N);
  if (!p)
    return 0;
#ifdef KEPT // a pointer that was there before: what it leads to is no leak
  char **slot = (char **)(p + N / 2);
  *slot = malloc(1);
#endif
#if defined RACE || defined RACE_FILL || defined RACE_FREE
  pthread_create(&id, NULL, work, NULL);
  memset(p, 3, N);
#elif defined SCAN
  memset(p, 3, N);
  pthread_create(&id, NULL, work, NULL);
#else
  memset(p, 3, N / 2 - 64);
  memset(p + N / 2 - 64, 3, 64);
#ifndef KEPT
  memset(p + N / 2, 3, N - N / 2);
#endif
  pthread_create(&id, NULL, work, NULL);
#endif
#ifdef LOOK
  assert(p[0] == 3 && p[N / 3] == 3 && p[N - 1] == 3);
#elif defined KEPT
  int seen = atomic_load_explicit(&flag, memory_order_acquire);
  (void)seen;
  free(*slot);
#elif defined TWICE
  memset(p, 5, N);
  memset(p, 6, N);
#elif defined BEYOND
  memset(p + 1, 3, N);
#elif defined FREED
  free(p);
  memset(p, 3, N);
#endif
  pthread_join(id, NULL);
#ifdef FILL
  assert(p[N / 4] == 4 && p[N / 2 - 1] == 4 && p[N / 2] == 3 &&
         p[N / 4 - 1] == 3);
#endif
#ifndef RACE_FREE
  free(p);
#endif
  return 0;
}
