// SPDX-License-Identifier: MIT
// Memory is cleared in the pieces in which the program uses it, so that an
// atomic access to it stays one: only then can it be said whether loads are
// buffered.
//
//  CLEARED 0  before its use: what is learned from the first use concerns the
//             bytes that it is about, and no others
//          1  the same; what is used begins in the middle of what is not
//          2  after its use: numbers of four bytes, then one of eight
//
// run: flags=-DCLEARED=0 rc11 ok 3; imm,armv8 ok 4
// run: flags=-DCLEARED=1 rc11 ok 3; imm,armv8 ok 4
// run: flags=-DCLEARED=2 rc11 ok 3; imm,armv8 ok 4
#include "../common.h"

#include <string.h>

static char *bytes;
static atomic_int y;

#if CLEARED == 1
#define AT(where) ((atomic_int *)((where) + 4))
#else
#define AT(where) ((atomic_long *)((where) + 8))
#endif

static void *left(void *unused) {
  (void)load(AT(bytes), rlx);
  store(&y, 1, rlx);
  return unused;
}

static void *right(void *unused) {
  (void)load(&y, rlx);
  store(AT(bytes), 1, rlx);
  return unused;
}

int main(void) {
  pthread_t l, r;
  bytes = malloc(16);
  if (CLEARED < 2)
    memset(bytes, 0, 16);
  switch (CLEARED) {
  case 0:
    store((atomic_int *)(bytes + 4), 1, rlx);
    break;
  case 1:
    store((atomic_short *)(bytes + 2), 1, rlx);
    break;
  case 2:
    store((atomic_int *)bytes, 1, rlx);
    store((atomic_int *)(bytes + 4), 1, rlx);
    store(AT(bytes), 0, rlx);
    break;
  }
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  if (CLEARED == 2)
    memset(bytes, 0, 16);
  free(bytes);
  return 0;
}
