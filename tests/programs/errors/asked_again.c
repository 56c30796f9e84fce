// SPDX-License-Identifier: MIT
// A memset that runs into bytes of another thread: in which parts it writes
// depends on what the execution has used so far, so it is asked again after the
// search went back. (It crashed once, when only the race did not end the run.)
// run: sc,rc11 error race
// run: args=--all-errors sc,rc11 error race
// run: args=--disable=race sc,rc11 ok 2
// run: args=--warn=race sc,rc11 ok 2
#include "../common.h"
#include <string.h>

static char bytes[4];

static void *reader(void *number) {
  return (void *)(intptr_t)bytes[(uintptr_t)number & 3];
}

static void *writer(void *number) {
  memset(bytes, (int)(uintptr_t)number & 3, sizeof bytes);
  return NULL;
}

int main(void) {
  pthread_t ids[2];
  start(ids, 1, reader);
  start(ids + 1, 1, writer);
  return 0;
}
