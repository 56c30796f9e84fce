// SPDX-License-Identifier: MIT
// Two threads that count each other up; the bound is not reached.
// run: sc,rc11 ok
#include <assert.h>
#include <pthread.h>
#define NUM 3
#define LIMIT (2 * NUM + 6)
_Atomic int i = 3, j = 6;
void *t1(void *arg) {
  for (int k = 0; k < NUM; k++) {
    i = j + 1;
  }
  pthread_exit(NULL);
}
void *t2(void *arg) {
  for (int k = 0; k < NUM; k++) {
    j = i + 1;
  }
  pthread_exit(NULL);
}
int main(int argc, char **argv) {
  pthread_t id1, id2;
  pthread_create(&id1, NULL, t1, NULL);
  pthread_create(&id2, NULL, t2, NULL);
  int condI = i > LIMIT;
  int condJ = j > LIMIT;
  if (condI || condJ) {
    assert(0);
  }
  return 0;
}
