// SPDX-License-Identifier: MIT
// N philosophers around a table; if all begin with the left fork they starve.
// run: flags=-DN=2 sc,rc11 error deadlock
// run: flags=-DN=3 sc,rc11 error deadlock
// run: flags=-DN=3 flags=-DPOLITE sc,rc11 ok
#include "../common.h"

static pthread_mutex_t fork_[N];

static void *philosopher(void *number) {
  unsigned left = (unsigned)(uintptr_t)number, right = (left + 1) % N;
#ifdef POLITE
  if (right < left) {
    unsigned t = left;
    left = right;
    right = t;
  }
#endif
  pthread_mutex_lock(&fork_[left]);
  pthread_mutex_lock(&fork_[right]);
  pthread_mutex_unlock(&fork_[right]);
  pthread_mutex_unlock(&fork_[left]);
  return NULL;
}

int main(void) {
  for (int i = 0; i < N; i++)
    pthread_mutex_init(&fork_[i], NULL);
  run(N, philosopher);
  return 0;
}
