// SPDX-License-Identifier: MIT
// Memory that is freed two epochs later: the epoch is announced without an
// order towards the read of the pointer.
#include "hunt.h"
#define READERS sized(6, 1)

static int *_Atomic head;
static atomic_int epoch = 1, announced[READERS];

static void *reader(void *arg) {
  atomic_int *mine = &announced[(uintptr_t)arg];
  store(mine, load(&epoch, rlx), rlx);
  if ((uintptr_t)arg + 1 < READERS || planted(true, false))
    fence(sc);
  int *p = load(&head, acq);
  assert(*p == 1 || *p == 2);
  store(mine, 0, rel);
  return NULL;
}

static bool advance(void) {
  int now = load(&epoch, rlx);
  fence(sc);
  for (int i = 0; i < READERS; i++) {
    int seen = load(&announced[i], rlx);
    if (seen && seen != now)
      return false;
  }
  fence(acq);
  store(&epoch, now + 1, rel);
  return true;
}

static void *updater(void *old) {
  int *fresh = malloc(sizeof *fresh);
  *fresh = 2;
  store(&head, fresh, rel);
  if (advance() && advance())
    free(old);
  return NULL;
}

int main(void) {
  pthread_t t[READERS], u;
  int *old = malloc(sizeof *old);
  *old = 1;
  store(&head, old, rel);
  pthread_create(&u, NULL, updater, old);
  start(t, READERS, reader);
  join(t, READERS);
  join(&u, 1);
}
