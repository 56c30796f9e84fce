// SPDX-License-Identifier: MIT
// Two threads take turns, N times each. Whoever takes the mutex too early waits
// and is woken by the other; so each turn but the first may be waited for or
// not, 2^(2N-1). What a thread's branches depend on is another set in each of
// them, and must not be kept for all of them (rc11 has no such sets).
// run: flags=-DN=2 all ok 8
// run: flags=-DN=3 all ok 32
// run: flags=-DN=4 rc11,armv8,riscv,power ok 128
// run: big args=--max-memory args=48 flags=-DN=8 rc11,armv8 ok 32768
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turn;

static void *play(void *me) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&mutex);
    while (turn != (me != 0))
      pthread_cond_wait(&changed, &mutex);
    turn = !turn;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
  }
  return 0;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, play, 0);
  pthread_create(&other, 0, play, &turn);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
