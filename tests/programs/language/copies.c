// SPDX-License-Identifier: MIT
// memcpy, memset and struct assignment on shared memory are the accesses of
// their parts: a reader can see half of a copy.
// run: flags=-DJOIN sc,rc11 ok 1
// run: sc,rc11 error race
#include "../common.h"
#include <string.h>

struct message {
  int head;
  long body[2];
};

static struct message source = {1, {2, 3}}, target;

static void *copier(void *unused) {
  memcpy(&target, &source, sizeof target);
  return unused;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, copier, NULL);
#ifdef JOIN
  pthread_join(id, NULL);
  assert(target.head == 1 && target.body[1] == 3);
  memset(&target, 0, sizeof target);
  assert(target.head == 0 && target.body[0] == 0);
  unsigned n = 8 * (unsigned)target.head + 16;
  memcpy(target.body, source.body, n);
  assert(target.body[0] == 2 && target.body[1] == 3);
#else
  long seen = target.body[1];
  (void)seen;
#endif
  return 0;
}
