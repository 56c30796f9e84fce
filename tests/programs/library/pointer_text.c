// SPDX-License-Identifier: MIT
// The address of a local variable goes to another thread as text.
// expect: rc11 ok 1
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static char text[32];

static void *reader(void *unused) {
  void *where;
  int n = sscanf(text, "%p", &where);
  assert(n == 1);
  *(int *)where = 5;
  return unused;
}

int main(void) {
  int local = 1;
  char apart[16];
  snprintf(text, sizeof text, "%p", (void *)&local);
  snprintf(apart, sizeof apart, "%d", local);
  pthread_t t;
  pthread_create(&t, NULL, reader, NULL);
  pthread_join(t, NULL);
  assert(local == 5);
}
