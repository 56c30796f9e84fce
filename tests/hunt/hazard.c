// SPDX-License-Identifier: MIT
// A hazard pointer that is not ordered before the second look at the head.
#include "hunt.h"
#define READERS sized(6, 1)

static int *_Atomic head;
static int *_Atomic hazard[READERS];
static atomic_int used;

static void *reader(void *arg) {
  int *_Atomic *mine = &hazard[(uintptr_t)arg];
  int *p = load(&head, acq);
  store(mine, p, rlx);
  if (arg || planted(true, false))
    fence(sc);
  if (load(&head, acq) == p) {
    assert(*p >= 1);
    fetch_add(&used, 1, rlx);
  }
  store(mine, NULL, rel);
  return NULL;
}

static void *updater(void *unused) {
  (void)unused;
  int *fresh = malloc(sizeof *fresh);
  *fresh = 2;
  int *old = swap(&head, fresh, acqrel);
  fence(sc);
  for (int i = 0; i < READERS; i++)
    if (load(&hazard[i], acq) == old)
      return NULL;
  free(old);
  return NULL;
}

int main(void) {
  pthread_t t[READERS], u;
  int *old = malloc(sizeof *old);
  *old = 1;
  store(&head, old, rel);
  pthread_create(&u, NULL, updater, NULL);
  start(t, READERS, reader);
  join(t, READERS);
  join(&u, 1);
}
