// SPDX-License-Identifier: MIT
// Three buffers, of which the one in the middle is swapped: the reader gives
// its buffer back without a release, and the writer's next picture may be torn
// for it.
#include "hunt.h"
#define PICTURES sized(5, 3)
#define LOOKS sized(4, 2)
enum { FRESH = 4 };

static struct { atomic_int a, b; } buffers[3];
static atomic_int middle = 1;

static void *writer(void *unused) {
  (void)unused;
  int mine = 0;
  for (int i = 1; i <= PICTURES; i++) {
    store(&buffers[mine].a, i, rlx);
    store(&buffers[mine].b, i, rlx);
    mine = swap(&middle, mine | FRESH,
                i == PICTURES ? planted(acqrel, acq) : acqrel) &
           3;
  }
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  int mine = 2;
  for (int i = 0; i < LOOKS; i++) {
    if (!(load(&middle, rlx) & FRESH))
      continue;
    mine = swap(&middle, mine, acqrel) & 3;
    assert(load(&buffers[mine].a, rlx) == load(&buffers[mine].b, rlx));
  }
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  start_bystanders(sized(7, 0));
  join(&w, 1);
  join(&r, 1);
}
