// SPDX-License-Identifier: MIT
// A poller under a mutex sees any rising sequence of values that ends with the
// last one; rounds in which it sees nothing new are not explored. With 3
// setters: 3! orders, times the 4 subsets of {1, 2} that it may see before 3.
// run: flags=-DNOT=0 sc,rc11 ok 24
// run: flags=-DNOT=1 sc,rc11 error assertion
// run: flags=-DNOT=2 sc,rc11 error assertion
// run: flags=-DNOT=3 sc,rc11 error assertion
// run: flags=-DNOT=4 sc,rc11 ok 24
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

enum { N = 3 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int value, steps;

static void *setter(void *unused) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
  return unused;
}

static void *poller(void *unused) {
  for (int last = 0; last != N; steps++) {
    int now;
    do {
      pthread_mutex_lock(&mutex);
      now = value;
      pthread_mutex_unlock(&mutex);
    } while (now == last);
    last = now;
  }
  return unused;
}

int main(void) {
  pthread_t id[N + 1];
  for (int i = 0; i <= N; i++)
    pthread_create(&id[i], NULL, i < N ? setter : poller, NULL);
  for (int i = 0; i <= N; i++)
    pthread_join(id[i], NULL);
  assert(steps != NOT); // BUG
}
