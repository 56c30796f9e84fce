// SPDX-License-Identifier: MIT
// Writers reserve places in a log and commit them in order; one commits for
// another without having acquired what that one wrote.
#include "hunt.h"
#define WRITERS sized(8, 3)

static atomic_int reserved, committed, entries[WRITERS];

static void *writer(void *unused) {
  (void)unused;
  int mine = fetch_add(&reserved, 1, rlx);
  store(&entries[mine], mine + 1, rlx);
  heddle_assume(
      load(&committed, mine == WRITERS / 2 ? planted(acq, rlx) : acq) == mine);
  store(&committed, mine + 1, rel);
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  int n = load(&committed, acq);
  for (int i = 0; i < n; i++)
    assert(load(&entries[i], rlx) == i + 1);
  return NULL;
}

int main(void) {
  pthread_t t[WRITERS], r;
  start(t, WRITERS, writer);
  pthread_create(&r, NULL, reader, NULL);
  join(t, WRITERS);
  join(&r, 1);
}
