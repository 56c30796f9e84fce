// SPDX-License-Identifier: MIT
// Two threads that draw random numbers, each with a seed of its own or both
// with one, which rand_r changes. (What is drawn is sampled, so no verdict is a
// proof.)
// run: flags=-DSEEDS=2 sc,rc11 incomplete
// run: flags=-DSEEDS=1 sc,rc11,imm error race
#include "../common.h"

#include <stdlib.h>

static unsigned seeds[2];

static void *first(void *unused) {
  rand_r(&seeds[0]); // BUG
  return unused;
}

static void *second(void *unused) {
  rand_r(&seeds[SEEDS - 1]); // BUG
  return unused;
}

int main(void) {
  spawn(first);
  spawn(second);
  return 0;
}
