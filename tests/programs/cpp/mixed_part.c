// SPDX-License-Identifier: MIT
// part-of: mixed_main.cpp
#include <stdatomic.h>

#if __STDC_VERSION__ != 201112L
#error -std=c11 is for this file
#endif

static atomic_int sum;
void part_add(int n);
int part_sum(void);

void part_add(int n) {
  atomic_fetch_add(&sum, n);
}
int part_sum(void) {
  return atomic_load(&sum);
}
