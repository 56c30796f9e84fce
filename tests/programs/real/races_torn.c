// SPDX-License-Identifier: MIT
// What no machine orders: a plain access of 8 bytes that another thread makes
// in halves. Where sizes agree (WHOLE), sc orders the two, unless somebody has
// used the halves before (CUT): then all accesses are made in pieces.
// run: args=--races args=model sc error race; tso error race; rc11 error race
// run: flags=-DWHOLE args=--races args=model sc ok 2; tso error race
// run: flags=-DWHOLE flags=-DCUT args=--races args=model sc error race; tso error race
// run: flags=-DWHOLE args=--races args=model args=--assume-atomic args=races_torn.c tso ok 2; armv8 ok 2
#include <pthread.h>
#include <stdint.h>

static union {
  uint64_t all;
  uint32_t half[2];
} word;

static void *writer(void *arg) {
  word.all = UINT64_C(0x100000001); // BUG
  return arg;
}

int main(void) {
  pthread_t w;
#ifdef CUT
  word.half[0] = 3;
#endif
  pthread_create(&w, 0, writer, 0);
#ifdef WHOLE
  uint64_t seen = word.all; // BUG
#else
  uint64_t seen = word.half[0]; // BUG
#endif
  pthread_join(w, 0);
  return seen == 5;
}
