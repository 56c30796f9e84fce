// SPDX-License-Identifier: MIT
// Userspace RCU with a flag per reader: the reader's flag may go up after it
// has read the pointer.
#include "hunt.h"
#define READERS sized(6, 1)
#define ROUNDS sized(2, 1)

static int versions[2] = {1, 2};
static _Atomic(int *) current = &versions[0];
static atomic_int reads[READERS];

static void *reader(void *arg) {
  atomic_int *mine = &reads[(uintptr_t)arg];
  for (int i = 0; i < ROUNDS; i++) {
    store(mine, 1, rlx);
    if (arg || planted(true, false))
      fence(sc);
    assert(*load(&current, acq) != 0);
    store(mine, 0, rel);
  }
  return NULL;
}

static void *updater(void *unused) {
  (void)unused;
  store(&current, &versions[1], rel);
  fence(sc);
  for (int i = 0; i < READERS; i++)
    while (load(&reads[i], acq))
      ;
  versions[0] = 0; // nobody reads it any more
  return NULL;
}

int main(void) {
  pthread_t t[READERS], u;
  pthread_create(&u, NULL, updater, NULL);
  start(t, READERS, reader);
  join(t, READERS);
  join(&u, 1);
}
