// SPDX-License-Identifier: MIT
// One thread frees what another still reads; an acquire-release counter of
// references makes it safe.
// run: flags=-DORDER=acqrel sc,rc11 ok
// run: flags=-DORDER=rlx rc11 error free-race
#include "../common.h"

static int *object;
static atomic_int references = 2;

static void drop(void) {
  if (fetch_add(&references, -1, ORDER) == 1)
    free(object); // BUG
}

static void *thread(void *unused) {
  int seen = *object; // BUG
  (void)seen;
  drop();
  return unused;
}

int main(void) {
  object = malloc(sizeof *object);
  *object = 1;
  run(2, thread);
  return 0;
}
