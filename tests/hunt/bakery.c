// SPDX-License-Identifier: MIT
// Lamport's bakery: that a customer chooses a number is not seen before the
// number is chosen.
#include "hunt.h"
#define CUSTOMERS sized(3, 2)

static atomic_int choosing[CUSTOMERS], number[CUSTOMERS];
static atomic_int inside;

static void choose(int me) {
  int max = 0;
  store(&choosing[me], 1, planted(sc, rlx));
  for (int i = 0; i < CUSTOMERS; i++) {
    int n = load(&number[i], planted(sc, rlx));
    max = n > max ? n : max;
  }
  store(&number[me], max + 1, sc);
  store(&choosing[me], 0, sc);
}

static void *body(void *arg) {
  int me = (int)(uintptr_t)arg;
  choose(me);
  for (int i = 0; i < CUSTOMERS; i++) {
    await(!load(&choosing[i], sc));
    int n = load(&number[i], sc), mine = load(&number[me], sc);
    heddle_assume(!n || n > mine || (n == mine && i >= me));
  }
  assert(fetch_add(&inside, 1, acqrel) == 0);
  fetch_add(&inside, -1, acqrel);
  store(&number[me], 0, sc);
  return NULL;
}

int main(void) {
  pthread_t t[CUSTOMERS];
  start(t, CUSTOMERS, body);
  start_bystanders(sized(6, 0));
  join(t, CUSTOMERS);
}
