// SPDX-License-Identifier: MIT
// Locals that nobody else can see are no events, even when their address is
// taken and passed on: ten threads of private work have one execution.
// expect: sc,rc11 ok 1
#include "../common.h"

static void swap_values(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}

static void *thread(void *number) {
  int v[8];
  for (int i = 0; i < 8; i++)
    v[i] = (5 * i + (int)(uintptr_t)number) % 8;
  for (int i = 0; i < 8; i++)
    for (int j = i + 1; j < 8; j++)
      if (v[j] < v[i])
        swap_values(&v[i], &v[j]);
  for (int i = 0; i < 8; i++)
    assert(v[i] == i);
  return NULL;
}

int main(void) {
  run(10, thread);
  return 0;
}
