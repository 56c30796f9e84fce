// SPDX-License-Identifier: MIT
// A release sequence is one of a location, also if that is a byte of a larger
// access: an update of two bytes that reads one of them from a release store
// continues its sequence there, and not at the other byte.
// run: flags=-DBYTE=0 rc11 ok
// run: flags=-DBYTE=1 rc11 error assertion
#include "../common.h"

static union {
  atomic_uchar byte[2];
  atomic_ushort both;
} u;
static atomic_int data;
static int before, seen, found;

static void *releases(void *unused) {
  store(&data, 1, rlx);
  store(&u.byte[0], 1, rel);
  return unused;
}

static void *updates(void *unused) {
  before = fetch_add(&u.both, 0x0202, rlx);
  return unused;
}

static void *acquires(void *unused) {
  seen = load(&u.byte[BYTE], acq);
  found = load(&data, rlx);
  return unused;
}

int main(void) {
  void *(*const all[])(void *) = {releases, updates, acquires};
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], NULL, all[i], NULL);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], NULL);
  if (before == 1 && seen == (BYTE ? 2 : 3))
    assert(found == 1); // BUG
  return 0;
}
